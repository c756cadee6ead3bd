//! Passes that look for what a number counts.

use lop_choice::Source;

use super::left_by;

#[test]
fn length_lowers_a_count_and_removes_as_many() {
    let left = left_by("length", &[4, 1, 9, 2, 3], |s| {
        let count: usize = s.integer(0..=9);
        let list: Vec<u8> = s.repeat(count, |s| s.integer(0..=9));
        s.note(format!("{list:?}"));
        !list.contains(&9)
    });
    assert_eq!(left, "[9]");
}

#[test]
fn length_removes_a_column_of_all_rows() {
    let left = left_by("length", &[3, 1, 0, 0, 0, 1, 5, 7, 0, 0], |s| {
        let columns: usize = s.integer(0..=9);
        let rows: Vec<Vec<u8>> = s.list(.., |s| s.repeat(columns, |s| s.integer(0..=9)));
        s.note(format!("{rows:?}"));
        rows.len() != 2 || !rows[1].contains(&7)
    });
    assert_eq!(left, "[[0], [7]]");
}

#[test]
fn length_removes_two_columns_of_which_none_can_be_removed_alone() {
    let left = left_by("length", &[7, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 7, 0], |s| {
        let columns: usize = s.integer(0..=9);
        let rows: Vec<Vec<u8>> = s.list(.., |s| s.repeat(columns, |s| s.integer(0..=9)));
        s.note(format!("{rows:?}"));
        rows.len() != 2 || columns.is_multiple_of(2) || columns < 3 || !rows[1].contains(&7)
    });
    assert_eq!(left, "[[0, 0, 0], [0, 0, 7]]");
}

#[test]
fn length_removes_nodes_also_if_those_behind_could_not_pick_what_they_picked() {
    // A number that does not fit any more is taken for the simplest, which is there already, so another one is drawn. The next thing that could be removed would leave
    // room for fewer numbers than there are.
    let left = left_by("length", &[5, 0, 0, 1, 0, 0, 1, 0, 1, 3], |s| {
        let mut needs = vec![Vec::new()];
        for at in 1..s.integer(1..=6) {
            needs.push(s.distinct(0..=at.min(2), |s| s.integer(0..at)));
        }
        s.note(format!("{needs:?}"));
        !needs.iter().any(|it| it.len() == 2 && needs[it[1]].contains(&it[0]))
    });
    assert_eq!(left, "[[], [], [0], [0, 2]]");
}

#[test]
fn length_makes_one_row_of_several() {
    let left = left_by("length", &[2, 1, 3, 1, 1, 4, 1, 0], |s| {
        let width: usize = s.integer(1..=5);
        let rows: Vec<Vec<u8>> = s.list(1..=4, |s| s.repeat(width, |s| s.integer(0..=9)));
        s.note(format!("{rows:?}"));
        rows.concat() != [3, 1, 4, 1]
    });
    assert_eq!(left, "[[3, 1, 4, 1]]");
}

#[test]
fn counts_removes_what_belongs_together_from_rows_of_the_same_length() {
    let left = left_by("counts", &[3, 1, 2, 3, 4, 5, 6], |s| {
        let count: usize = s.integer(0..=9);
        let row = |s: &mut Source| -> Vec<u8> {
            s.span("row", |s| (0..count).map(|_| s.integer(0..=9)).collect())
        };
        let (keys, values) = (row(s), row(s));
        s.note(format!("{keys:?} {values:?}"));
        !keys.iter().zip(&values).any(|pair| pair == (&2, &5))
    });
    assert_eq!(left, "[2] [5]");
}

#[test]
fn tail_lowers_a_length_that_stands_at_the_back() {
    let left = left_by("tail", &[7, 1, 9, 2, 3, 4, 4], |s| {
        // The first number is by itself, the last one says how many of those before it belong together.
        let mut all: Vec<usize> = Vec::new();
        while all.len() < 2 || all.len() - 2 != all[all.len() - 1] + usize::from(all[0] == 7) {
            all.push(s.integer(0..=9));
        }
        s.note(format!("{all:?}"));
        !all.contains(&9)
    });
    assert!(left.matches(',').count() < 6, "{left}");
}

#[test]
fn counted_removes_items_of_lists_whose_length_is_drawn_first() {
    let left = left_by("counted", &[5, 1, 0, 7, 0, 0], |s| {
        let length: usize = s.integer(0..=10);
        let list: Vec<u8> = s.repeat(length, |s| s.integer(0..=9));
        s.note(format!("{list:?}"));
        !list.contains(&7)
    });
    assert_eq!(left, "[1, 7]");
}

#[test]
fn counts_removes_the_first_of_what_a_number_counts_however_long_each_is() {
    let left = left_by("counts", &[3, 1, 5, 2, 4, 4, 1, 7], |s| {
        let numbers = |s: &mut Source| -> Vec<u8> {
            let length = s.integer(0..=3);
            (0..length).map(|_| s.integer(0..=9)).collect()
        };
        let all: Vec<Vec<u8>> = (0..s.integer(0..=9)).map(|_| numbers(s)).collect();
        s.note(format!("{all:?}"));
        !all.concat().contains(&7)
    });
    assert_eq!(left, "[[7]]");
}

#[test]
fn counts_removes_items_of_several_choices_also_if_others_come_after_them() {
    let left = left_by("counts", &[3, 1, 1, 5, 7, 0, 0, 4], |s| {
        let count: usize = s.integer(0..=9);
        let pair = |s: &mut Source| -> (u8, u8) { (s.integer(0..=9), s.integer(0..=9)) };
        let pairs: Vec<(u8, u8)> = (0..count).map(|_| pair(s)).collect();
        let last: u8 = s.integer(0..=9);
        s.note(format!("{pairs:?} {last}"));
        !(pairs.contains(&(5, 7)) && last == 4)
    });
    assert_eq!(left, "[(5, 7)] 4");
}

#[test]
fn counts_removes_an_item_of_each_of_several_lists_that_have_no_spans() {
    let left = left_by("counts", &[3, 1, 2, 3, 14, 15, 16], |s| {
        let count: usize = s.integer(0..=9);
        let keys: Vec<u8> = (0..count).map(|_| s.integer(0..=9)).collect();
        let values: Vec<u8> = (0..count).map(|_| s.integer(0..=99)).collect();
        s.note(format!("{keys:?} {values:?}"));
        !keys.iter().zip(&values).any(|pair| pair == (&2, &15))
    });
    assert_eq!(left, "[2] [15]");
}

#[test]
fn counts_exchanges_lists_that_have_no_spans() {
    let left = left_by("counts", &[2, 3, 4, 1, 2], |s| {
        let count: usize = s.integer(2..=9);
        let mut list = || -> Vec<u8> { (0..count).map(|_| s.integer(0..=9)).collect() };
        let lists = [list(), list()];
        s.note(format!("{lists:?}"));
        !(lists.contains(&vec![1, 2]) && lists.contains(&vec![3, 4]))
    });
    assert_eq!(left, "[[1, 2], [3, 4]]");
}

#[test]
fn length_removes_a_row_and_a_column_of_all_square_tables() {
    let start = [3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let left = left_by("length", &start, |s| {
        let (rows, inner, columns) = (s.integer(1..=4), s.integer(1..=4), s.integer(1..=4));
        let table = |s: &mut Source, rows, columns| -> Vec<Vec<u8>> {
            s.repeat(rows, |s| s.repeat(columns, |s| s.integer(0..=1)))
        };
        let (one, two) = (table(s, rows, inner), table(s, inner, columns));
        s.note(format!("{one:?} {two:?}"));
        let ones = |table: &[Vec<u8>]| table.concat().iter().filter(|it| **it == 1).count();
        let last = two.last().and_then(|row| row.last());
        rows != inner || inner != columns || ones(&one) != 1 || last != Some(&1)
    });
    assert_eq!(left, "[[0, 0], [1, 0]] [[0, 0], [0, 1]]");
}

#[test]
fn counts_removes_what_belongs_together_from_rows_that_follow_each_other() {
    let left = left_by("counts", &[4, 3, 0, 1, 0, 5, 7, 0, 0], |s| {
        let count = s.integer(0..=9);
        let keys: Vec<u8> = s.repeat(count, |s| s.integer(0..=3));
        let values: Vec<u8> = s.repeat(count, |s| s.integer(0..=9));
        s.note(format!("{keys:?} {values:?}"));
        let mut pairs = keys.iter().zip(&values);
        !pairs.any(|pair| pair == (&0, &7)) || !keys.contains(&1)
    });
    assert_eq!(left, "[0, 1] [7, 0]");
}

#[test]
fn counts_removes_a_column_also_if_something_is_drawn_after_the_table() {
    let left = left_by("counts", &[3, 2, 0, 1, 0, 0, 0, 1, 2], |s| {
        let (width, height): (usize, usize) = (s.integer(1..=5), s.integer(1..=5));
        let cells: Vec<bool> = (0..width * height).map(|_| s.boolean(0.4)).collect();
        let from: usize = s.integer(0..=9);
        s.note(format!("{:?} {from}", cells.chunks(width).collect::<Vec<_>>()));
        // A set cell, and one below it and to the right.
        let is_set = |x: usize, y: usize| x < width && y < height && cells[y * width + x];
        !(0..width).any(|x| is_set(x, 0) && is_set(x + 1, 1))
    });
    assert_eq!(left, "[[true, false], [false, true]] 0");
}

#[test]
fn runs_lowers_the_number_that_counts_what_it_removes() {
    let left = left_by("runs", &[4, 1, 3, 1, 5, 1, 7, 1, 9], |s| {
        let count: usize = s.integer(0..=9);
        let pairs: Vec<(u8, u8)> = s.repeat(count, |s| (s.integer(0..=3), s.integer(0..=9)));
        s.note(format!("{pairs:?}"));
        pairs.len() % 2 == 1 || pairs.last() != Some(&(1, 9))
    });
    assert_eq!(left, "[(1, 3), (1, 9)]");
}

#[test]
fn pairs_lowers_a_number_with_the_next_one_by_twice_as_much() {
    let left = left_by("pairs", &[30, 124], |s| {
        let (first, second): (i64, i64) = (s.integer(0..=1000), s.integer(0..=1000));
        s.note(format!("{first} {second}"));
        second - 2 * first != 64
    });
    assert_eq!(left, "0 64");
}

#[test]
fn pairs_moves_a_number_to_each_of_several_equal_ones() {
    let left = left_by("pairs", &[2, 3, 3], |s| {
        let all: [u8; 3] = [s.integer(0..=6), s.integer(1..=30), s.integer(1..=15)];
        s.note(format!("{all:?}"));
        all[1] != all[2] || all[0] + all[1] != 5
    });
    assert_eq!(left, "[0, 5, 5]");
}

#[test]
fn push_adds_the_number_of_an_item_to_one_that_is_drawn_alike() {
    fn size(s: &mut Source) -> u8 {
        s.integer(1..=6)
    }
    let left = left_by("push", &[1, 0, 2, 1, 1, 1, 0, 3, 0], |s| {
        let parts: Vec<Option<u8>> = s.list(.., |s| match s.integer(0..=2_u8) {
            0 => Some(s.draw(size)),
            _ => None,
        });
        s.note(format!("{parts:?}"));
        !parts.contains(&None) || parts.iter().flatten().sum::<u8>() != 5
    });
    assert_eq!(left, "[None, Some(5)]");
}

#[test]
fn counts_removes_a_column_though_what_follows_the_table_is_of_the_same_kind() {
    // A table of three by two, and a cell of it: its column is one of as many as there are colours.
    let left = left_by("counts", &[3, 2, 0, 0, 1, 1, 0, 0, 0, 1, 0], |s| {
        let (width, height): (usize, usize) = (s.integer(1..=5), s.integer(1..=5));
        let cells: Vec<u8> = (0..width * height).map(|_| s.integer(0..=2)).collect();
        let (x, y) = (s.integer(0..width), s.integer(0..height));
        let colour: u8 = s.integer(0..=2);
        s.note(format!("{width} {cells:?} {x} {y} {colour}"));
        let is_set = |at: usize| cells.get(at) == Some(&1);
        y != 1 || x > 0 || !is_set(width) || !is_set(width - 1) || is_set(width + 1)
    });
    assert_eq!(left, "2 [0, 1, 1, 0] 0 1 0");
}

#[test]
fn counts_removes_a_unit_from_a_row_with_a_choice_for_each_pair() {
    // Which tasks need which before them.
    let left = left_by("counts", &[4, 0, 0, 0, 0, 0, 1], |s| {
        let count: usize = s.integer(1..=7);
        let needs: Vec<Vec<usize>> =
            (0..count).map(|at| (0..at).filter(|_| s.boolean(0.3)).collect()).collect();
        s.note(format!("{needs:?}"));
        count < 3 || needs[count - 1] != [count - 2]
    });
    assert_eq!(left, "[[], [], [1]]");
    // How far each is from those behind it.
    let left = left_by("counts", &[4, 9, 9, 9, 1, 2, 3], |s| {
        let count: usize = s.integer(1..=7);
        let apart: Vec<Vec<u8>> =
            (0..count).map(|at| (at + 1..count).map(|_| s.integer(0..=9)).collect()).collect();
        s.note(format!("{apart:?}"));
        !apart.windows(2).any(|pair| pair[0] == [1, 2] && pair[1] == [3])
    });
    assert_eq!(left, "[[1, 2], [3], []]");
    // Which roads there are, and how long they are.
    let left = left_by("counts", &[4, 0, 0, 0, 0, 0, 1, 7], |s| {
        let count: usize = s.integer(1..=7);
        let roads: Vec<Vec<Option<u8>>> = (0..count)
            .map(|at| (at + 1..count).map(|_| s.option(|s| s.integer(0..=9))).collect())
            .collect();
        s.note(format!("{roads:?}"));
        count < 3 || roads[count - 2] != [Some(7)]
    });
    assert_eq!(left, "[[None, None], [Some(7)], []]");
    // Who knows whom.
    let left = left_by("counts", &[4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], |s| {
        let count: usize = s.integer(1..=7);
        let known: Vec<Vec<bool>> = s.repeat(count, |s| s.repeat(count, |s| s.boolean(0.5)));
        s.note(format!(
            "{:?}",
            known
                .iter()
                .map(|it| it.iter().map(|it| u8::from(*it)).collect())
                .collect::<Vec<Vec<u8>>>()
        ));
        !(0..count).any(|one| (0..count).any(|two| one != two && known[one][two])) || count < 3
    });
    assert_eq!(left, "[[0, 0, 0], [0, 0, 1], [0, 0, 0]]");
}

#[test]
fn counts_removes_a_node_and_lowers_the_numbers_of_those_behind_it() {
    let left = left_by("counts", &[7, 0, 0, 1, 0, 3, 2], |s| {
        let count: usize = s.integer(1..=9);
        let parents: Vec<usize> = (1..count).map(|node| s.integer(0..node)).collect();
        s.note(format!("{parents:?}"));
        // The path 5, 3, 1, 0.
        let above = |node: usize| if node == 0 { 0 } else { parents[node - 1] };
        (0..count).all(|node| above(above(node)) == 0)
    });
    assert_eq!(left, "[0, 1, 2]");
}

#[test]
fn counts_lowers_the_numbers_that_pick_a_node_behind_a_removed_one() {
    let left = left_by("counts", &[5, 0, 0, 1, 3, 1, 4], |s| {
        let count: usize = s.integer(1..=9);
        let parents: Vec<usize> = (1..count).map(|node| s.integer(0..node)).collect();
        let (high, low): (usize, usize) = (s.integer(0..count), s.integer(0..count));
        s.note(format!("{parents:?} {high} {low}"));
        // The path 4, 3, 1.
        let above = |node: usize| if node == 0 { 0 } else { parents[node - 1] };
        high == 0 || above(above(low)) != high
    });
    assert_eq!(left, "[0, 1, 2] 1 3");
}
