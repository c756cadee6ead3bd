//! Each pass alone: what it makes of choices, and that it finds nothing when it is run again.

mod counts;
mod loops;
mod order;
mod places;
mod trees;

use lop_choice::engine::PASSES;
use lop_choice::{Check, Source};

/// What a single pass leaves of a case that fails, as its generator tells it.
fn left_by(pass: &str, start: &[i128], property: fn(&mut Source) -> bool) -> String {
    let passes = PASSES.iter().filter(|it| it.name == pass).collect::<Vec<_>>();
    assert_eq!(passes.len(), 1, "there is one pass of this name");
    let check = |start: Vec<i128>| {
        let check = Check {
            passes: passes.clone(),
            start: Some(start),
            seed: Some(1),
            regressions: None,
            ..Check::default()
        };
        check.run(property).found.into_iter().next().expect("it fails")
    };
    let once = check(start.to_vec());
    let again = check(once.reduced.clone());
    assert_eq!(again.reduced, once.reduced, "{pass} finds more when it is run again");
    once.notes.join(" ")
}

fn integers(s: &mut Source) -> Vec<i64> {
    s.named("list", |s| s.list(.., |s| s.integer(-99..=99)))
}

fn sum(s: &mut Source) -> bool {
    integers(s).iter().sum::<i64>() < 20
}

#[test]
fn discards_removes_what_was_drawn_in_vain() {
    let left = left_by("discards", &[1, 3, 8], |s| {
        let number: u8 = s.filter(|s| s.integer(0..=9), |it| it % 2 == 0);
        s.note(number);
        number < 6
    });
    assert_eq!(left, "8");
}

#[test]
fn chunks_removes_rows_about_which_nothing_is_known() {
    let mut start = vec![9; 64];
    start[40] = 5;
    start.push(0);
    let left = left_by("chunks", &start, |s| {
        let numbers: Vec<u8> =
            std::iter::from_fn(|| Some(s.integer(0..=9)).filter(|it| *it > 0)).collect();
        s.note(format!("{numbers:?}"));
        !numbers.contains(&5)
    });
    assert!(left.contains('5') && left.split(',').count() < 16, "{left}");
}

#[test]
fn zero_makes_spans_simplest_and_keeps_their_new_length() {
    let left = left_by("zero", &[1, 7, 1, 8, 0, 1, 30, 0], |s| {
        let (one, two) = (integers(s), integers(s));
        s.note(one.len());
        two.iter().sum::<i64>() < 20
    });
    assert_eq!(left, "list = [] list = [30] 0");
}

#[test]
fn delete_removes_items() {
    assert_eq!(left_by("delete", &[1, 1, 1, 30, 1, 2, 1, 3, 0], sum), "list = [30]");
}

#[test]
fn delete_ends_lists_that_were_full() {
    let left = left_by("delete", &[1, 4, 1, 9, 1, 5, 7], |s| {
        let list: Vec<u8> = s.list(..=3, |s| s.integer(0..=9));
        let last: u8 = s.integer(0..=9);
        s.note(format!("{list:?} {last}"));
        !(list.contains(&9) && last == 7)
    });
    assert_eq!(left, "[9] 7");
}

#[test]
fn delete_removes_an_item_with_what_a_later_row_has_for_it() {
    let left = left_by("delete", &[1, 4, 1, 9, 1, 5, 0, 3, 7, 2], |s| {
        let list: Vec<u8> = s.list(.., |s| s.integer(0..=9));
        let row: Vec<u8> = list.iter().map(|_| s.integer(0..=9)).collect();
        s.note(format!("{list:?} {row:?}"));
        !list.iter().zip(row).any(|pair| pair == (&9, 7))
    });
    assert_eq!(left, "[9] [7]");
}

#[test]
fn cut_removes_spans_of_lists_that_a_generator_makes_by_itself() {
    let left = left_by("cut", &[1, 2, 2, 1, 9, 0], |s| {
        let mut all = Vec::new();
        while s.span("own", |s| {
            let number: u8 = s.integer(0..=9);
            all.push(number);
            number > 0
        }) {}
        s.note(format!("{all:?}"));
        !all.contains(&9)
    });
    assert_eq!(left, "[9, 0]");
}

#[test]
fn alike_lowers_what_has_to_be_equal() {
    let left = left_by("alike", &[1, 50, 1, 50, 0], |s| {
        let list = integers(s);
        list.len() != 2 || list[0] != list[1] || list[0] < 7
    });
    assert_eq!(left, "list = [7, 7]");
}

#[test]
fn lower_makes_numbers_simpler_and_removes_what_is_no_longer_asked_for() {
    assert_eq!(left_by("lower", &[1, 77, 1, -5, 0], sum), "list = [0, 20]");
    let left = left_by("lower", &[3, 1, 2, 3, 9], |s| {
        let count: usize = s.integer(0..=9);
        let list: Vec<u8> = s.repeat(count, |s| s.integer(0..=9));
        let last: u8 = s.integer(0..=9);
        s.note(format!("{list:?} {last}"));
        last < 9
    });
    assert_eq!(left, "[] 9");
}

#[test]
fn floats_round_what_is_not_whole() {
    let number = |s: &mut Source| {
        let number = s.float(..);
        s.note(number);
        !(number > 3.2 && number.fract() != 0.0)
    };
    assert_eq!(left_by("floats", &[lop_choice::engine::float::to_place(1234.567)], number), "3.5");
}

#[test]
fn join_makes_one_list_of_two() {
    let left = left_by("join", &[1, 1, 5, 0, 1, 1, 6, 0, 0], |s| {
        let lists: Vec<Vec<u8>> =
            s.named("lists", |s| s.list(.., |s| s.list(.., |s| s.integer(0..=9))));
        lists.concat() != [5, 6]
    });
    assert_eq!(left, "lists = [[5, 6]]");
}

#[test]
fn push_makes_up_for_what_it_removes() {
    let left = left_by("push", &[5, 1, 9, 1, 8, 0], |s| {
        let (first, list): (u32, Vec<u32>) = (s.integer(0..=100), s.list(.., |s| s.integer(0..=9)));
        s.note(format!("{first} {list:?}"));
        first + list.iter().sum::<u32>() < 20
    });
    assert_eq!(left, "22 []");
}

#[test]
fn shift_moves_items_to_the_next_list() {
    let left = left_by("shift", &[1, 5, 0, 0], |s| {
        let (one, two): (Vec<u8>, Vec<u8>) =
            (s.list(.., |s| s.integer(0..=9)), s.list(.., |s| s.integer(0..=9)));
        s.note(format!("{one:?} {two:?}"));
        [one, two].concat() != [5]
    });
    assert_eq!(left, "[] [5]");
}

#[test]
fn renumber_keeps_indices_right() {
    let left = left_by("renumber", &[1, 9, 1, 9, 1, 4, 0, 2], |s| {
        let list: Vec<usize> = s.list(.., |s| s.integer(0..=9));
        let index: usize = s.integer(0..=9);
        s.note(format!("{list:?} {index}"));
        list.get(index) != Some(&4)
    });
    assert_eq!(left, "[4] 0");
}

#[test]
fn together_keeps_distances() {
    let pair = |s: &mut Source| {
        let (x, y): (i64, i64) = (s.integer(0..), s.integer(0..));
        s.note(format!("{x} {y}"));
        !(x >= 10 && y == x + 3)
    };
    assert_eq!(left_by("together", &[1000, 1003], pair), "10 13");
}

#[test]
fn together_keeps_distances_over_numbers_that_cannot_be_lower() {
    let row = |s: &mut Source| {
        let first: i64 = s.integer(0..=9);
        let row: Vec<i64> = (0..7).map(|_| s.integer(0..=20)).collect();
        s.note(format!("{first} {row:?}"));
        row[6] != first + 3
    };
    assert_eq!(left_by("together", &[2, 0, 0, 0, 0, 0, 0, 5], row), "0 [0, 0, 0, 0, 0, 0, 3]");
}

#[test]
fn selectors_choose_what_needs_fewer_choices() {
    let left = left_by("selectors", &[0, 5, 6, 7], |s| {
        let (made, holds) = s.span("one", |s| match s.integer(0..=2) {
            0 => (format!("{:?}", s.repeat(3, |s| s.integer(0..=9_u8))), false),
            1 => ("one".to_owned(), true),
            _ => (format!("two {}", s.integer(0..=9_u8)), false),
        });
        s.note(made);
        holds
    });
    assert_eq!(left, "two 0");
}

#[test]
fn substitute_takes_the_shortest_of_a_kind_from_anywhere() {
    // Here the simplest choice makes the most.
    fn tall(s: &mut Source) -> String {
        match s.boolean(0.5) {
            true => s.integer(1..=9_u8).to_string(),
            false => format!("({} {})", s.draw(tall), s.draw(tall)),
        }
    }
    let left = left_by("substitute", &[0, 0, 1, 5, 1, 6, 0, 1, 7, 1, 8], |s| {
        let tree = s.draw(tall);
        s.note(&tree);
        !(tree.starts_with('(') && tree.contains('7'))
    });
    assert_eq!(left, "(5 (7 8))");
}

#[test]
fn runs_removes_neighbours_that_hold_each_other() {
    let left = left_by("runs", &[1, 1, 1, 0, 1, 1, 1, 0, 1, 7, 0], |s| {
        // 1 opens, 0 closes.
        let steps: Vec<u8> = s.list(.., |s| s.integer(0..=9));
        s.note(format!("{steps:?}"));
        let count = |step: u8| steps.iter().filter(|it| **it == step).count();
        count(0) != count(1) || !steps.contains(&7)
    });
    assert_eq!(left, "[7]");
}

#[test]
fn runs_removes_two_siblings_of_different_kinds_that_hold_each_other() {
    let left = left_by("runs", &[1, 0, 0, 1, 0, 7, 1, 1, 1, 1, 0], |s| {
        // What is pushed is popped.
        let steps: Vec<Option<u8>> =
            s.list(.., |s| s.one_of::<Option<u8>>(&[&|s| Some(s.integer(0..=9)), &|_| None]));
        s.note(format!("{steps:?}"));
        let pushes = steps.iter().flatten().count();
        2 * pushes != steps.len() || !steps.contains(&Some(7))
    });
    assert_eq!(left, "[Some(7), None]");
}

#[test]
fn push_raises_a_number_that_has_two_values() {
    let left = left_by("push", &[0, 1, 1, 1, 1, 0], |s| {
        let (first, list): (u32, Vec<u32>) = (s.integer(0..=1), s.list(.., |s| s.integer(0..=1)));
        s.note(format!("{first} {list:?}"));
        first + list.iter().sum::<u32>() < 2
    });
    assert_eq!(left, "1 [1]");
}

#[test]
fn push_moves_the_count_of_what_it_removes() {
    let left = left_by("push", &[1, 2, 1, 3, 0], |s| {
        let counts: Vec<u8> = s.list(.., |s| s.integer(0..=6));
        s.note(format!("{counts:?}"));
        counts.iter().sum::<u8>() != 5
    });
    assert_eq!(left, "[5]");
}

#[test]
fn pairs_clears_a_flag_with_what_follows_from_it() {
    let left = left_by("pairs", &[1, 4, 0], |s| {
        let index: Option<u8> = s.option(|s| s.integer(0..=9));
        let other: i8 = s.integer(-1..=1);
        s.note(format!("{index:?} {other}"));
        index.is_none() && other == 0 || index.is_some() && other != 0
    });
    assert_eq!(left, "None 1");
}

#[test]
fn twins_stay_the_same() {
    let left = left_by("twins", &[1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0], |s| {
        let (one, two) = (s.text_of("ab", ..), s.text_of("ab", ..));
        s.note(format!("{one} {two}"));
        one.is_empty() || one != two
    });
    assert_eq!(left, "a a");
}

#[test]
fn twins_in_lists_that_are_not_equal_change_together() {
    let left = left_by("twins", &[1, 2, 1, 2, 0, 1, 2, 1, 2, 1, 2, 0], |s| {
        let (one, two) = (s.text_of("ab-", ..), s.text_of("ab-", ..));
        s.note(format!("{one} {two}"));
        one.is_empty() || two != format!("{one}-")
    });
    assert_eq!(left, "a a-");
}

#[test]
fn pairs_makes_an_earlier_number_simpler_at_the_expense_of_a_later_one() {
    let pair = |s: &mut Source| {
        let (x, y): (i64, i64) = (s.integer(0..=100), s.integer(0..=100));
        s.note(format!("{x} {y}"));
        x + y != 120
    };
    assert_eq!(left_by("pairs", &[60, 60], pair), "20 100");
}

#[test]
fn steps_clear_bits() {
    let flags = |s: &mut Source| {
        let number: u16 = s.integer(..);
        s.note(number);
        number & 0x8080 != 0x8080
    };
    assert_eq!(left_by("steps", &[0xFFFF], flags), "32896");
}

#[test]
fn steps_tries_the_simplest_numbers_for_one_without_others() {
    let left = left_by("steps", &[999], |s| {
        let number: u16 = s.integer(0..1000);
        s.note(number);
        number % 7 != 5
    });
    assert_eq!(left, "5");
}

#[test]
fn windows_removes_single_choices_about_which_nothing_is_known() {
    let left = left_by("windows", &[3, 1, 9, 2, 0], |s| {
        let numbers: Vec<u8> =
            std::iter::from_fn(|| Some(s.integer(0..=9)).filter(|it| *it > 0)).collect();
        s.note(format!("{numbers:?}"));
        !(numbers.contains(&3) && numbers.contains(&9))
    });
    assert_eq!(left, "[3, 9]");
}

#[test]
fn windows_adds_what_is_drawn_in_another_place() {
    // At its greatest depth, a node does not say how many children it has.
    fn node(s: &mut Source, depth: u8) -> String {
        let name = ["text", "div", "link"][s.integer::<usize>(0..=2)];
        let count = if depth > 0 { s.integer(0..=3) } else { 0 };
        let inside: Vec<String> = (0..count).map(|_| node(s, depth - 1)).collect();
        format!("{name}({})", inside.join(" "))
    }
    let left = left_by("windows", &[1, 1, 2, 1, 2], |s| {
        let text = node(s, 2);
        s.note(&text);
        !text.contains("link(link")
    });
    assert_eq!(left, "link(link())");
}

#[test]
fn ends_leaves_the_choices_of_items_to_what_follows() {
    let left = left_by("ends", &[1, 5, 1, 7, 0, 3], |s| {
        let list: Vec<u8> = s.list(.., |s| s.integer(0..=9));
        let last: u8 = s.integer(0..=9);
        s.note(format!("{list:?} {last}"));
        last != 7 && last != 3
    });
    assert_eq!(left, "[5] 7");
}

#[test]
fn signs_finds_simpler_characters_of_the_same_class() {
    let left = left_by("signs", &[0x1F80, 0x1F80], |s| {
        let (one, two) = (s.char(), s.char());
        s.note(format!("{one}{two}"));
        one != two || one.to_uppercase().count() == 1
    });
    assert_eq!(left, "ßß", "their upper case has several characters, and they are equal");
}

#[test]
fn what_is_the_least_of_its_range_stays_so_when_the_range_begins_earlier() {
    let left = left_by("lower", &[5, 5], |s| {
        let least: u8 = s.integer(0..=9);
        let most: u8 = s.integer(least..=9);
        s.note(format!("{least} {most}"));
        least == 0 || least != most
    });
    assert_eq!(left, "1 1");
}

#[test]
fn what_was_picked_among_flags_is_renumbered_when_a_flag_is_cleared() {
    let left = left_by("lower", &[1, 1, 1, 2], |s| {
        let flags: Vec<bool> = s.repeat(3, |s| s.boolean(0.5));
        let set: Vec<usize> = (0..3).filter(|at| flags[*at]).collect();
        s.assume(!set.is_empty());
        let picked = *s.pick(&set);
        s.note(format!("{flags:?} {picked}"));
        picked != 2
    });
    assert_eq!(left, "[false, false, true] 2");
}

#[test]
fn a_yes_before_a_span_goes_with_it() {
    let left = left_by("cut", &[1, 3, 1, 7, 1, 4, 0], |s| {
        let mut list: Vec<u8> = Vec::new();
        while s.boolean(0.5) {
            list.push(s.span("number", |s| s.integer(0..=9)));
        }
        s.note(format!("{list:?}"));
        !list.contains(&7)
    });
    assert_eq!(left, "[7]");
}

#[test]
fn a_fraction_moves_with_a_whole_number_by_its_value() {
    let (whole, half) = (3, (1 << 53) + 7);
    let left = left_by("together", &[whole, half], |s| {
        let (one, two): (u8, f64) = (s.integer(0..=9), s.float(0.0..=9.0));
        s.note(format!("{one} {two}"));
        !(f64::from(one) < two && two < f64::from(one) + 1.0)
    });
    assert_eq!(left, "0 0.5");
}

#[test]
fn steps_moves_bits_down() {
    let left = left_by("steps", &[0b101_0111], |s| {
        let number: u8 = s.integer(..);
        s.note(number);
        number.count_ones() != 5
    });
    assert_eq!(left, "31");
}

#[test]
fn pairs_makes_equal_numbers_simplest_at_the_expense_of_another() {
    let left = left_by("pairs", &[1, 1, 1, 0], |s| {
        let all: Vec<u8> = s.repeat(4, |s| s.integer(0..=9));
        s.note(format!("{all:?}"));
        !(all[0] == all[1] && all[1] == all[2] && all[3] != all[0])
    });
    assert_eq!(left, "[0, 0, 0, 1]");
}

#[test]
fn a_draw_of_a_single_possible_value_is_a_choice_too() {
    let check = Check { seed: Some(1), regressions: None, ..Check::default() };
    let report = check.run(|s: &mut Source| {
        let (one, two): (u8, f64) = (s.integer(5..=5), s.float(2.0..=2.0));
        let (three, four) = (s.boolean(1.0), *s.pick(&["only"]));
        (one, two, three, four) != (5, 2.0, true, "only")
    });
    assert_eq!(report.found[0].reduced, [5, 2, 1, 0]);
}

#[test]
fn every_pass_is_tested_here() {
    let files = [
        include_str!("main.rs"),
        include_str!("counts.rs"),
        include_str!("loops.rs"),
        include_str!("order.rs"),
        include_str!("trees.rs"),
    ];
    let text = files.concat();
    for pass in PASSES {
        assert!(text.contains(&format!("left_by(\"{}\"", pass.name)), "{} is not", pass.name);
    }
}

#[test]
fn residues_find_the_remainder_that_a_program_takes() {
    let left = left_by("residues", &[1_804_289_383, 846_930_886, 1_681_692_777], |s| {
        let numbers: [u64; 3] = std::array::from_fn(|_| s.integer(0..=u64::from(u32::MAX / 2)));
        s.note(format!("{numbers:?}"));
        [numbers[0] % 10, numbers[1] % 100, numbers[2] % 7] != [3, 86, 2]
    });
    assert_eq!(left, "[3, 86, 2]");
}

#[test]
fn worth_replaces_the_longest_spans() {
    // Rows of numbers, each of which begins with its length.
    fn row(s: &mut Source) -> u64 {
        s.span("row", |s| {
            let count: u64 = s.integer(0..=400);
            (0..count).map(|_| s.integer(0..=9_u64)).max().unwrap_or(0)
        })
    }
    let mut start = Vec::new();
    for (length, most) in [(300, 5), (200, 7), (2, 3), (150, 5)] {
        start.push(length);
        start.extend((0..length).map(|_| most));
    }
    let left = left_by("worth", &start, |s| {
        let rows: Vec<u64> = (0..4).map(|_| row(s)).collect();
        s.note(format!("{rows:?}"));
        !rows.contains(&7)
    });
    assert!(left.contains('7') && left.matches('5').count() < 2, "{left}");
}

#[test]
fn raise_removes_an_item_for_which_several_others_make_up() {
    let left = left_by("raise", &[1, 2, 1, 2, 1, 2, 1, 2, 0], |s| {
        let list: Vec<u32> = s.named("list", |s| s.list(.., |s| s.integer(0..=3)));
        list.iter().product::<u32>() < 13 || list.is_empty()
    });
    assert_eq!(left, "list = [2, 3, 3]");
}

#[test]
fn raise_lowers_a_number_in_few_steps_while_those_after_it_are_at_their_ends() {
    let passes = PASSES.iter().filter(|it| it.name == "raise").collect();
    let start = Some(vec![999_999, 5]);
    let check = Check { passes, start, seed: Some(1), regressions: None, ..Check::default() };
    let report = check.run(|s: &mut Source| {
        let (one, two): (u32, u32) = (s.integer(0..=1_000_000), s.integer(0..=1000));
        one < 1000 || one % 1000 != 999 && two < 1000
    });
    assert_eq!(report.found[0].reduced[0], 1000);
    assert!(report.found[0].calls < 100, "{} calls", report.found[0].calls);
}

#[test]
fn raise_finds_that_an_order_needs_less_than_the_simplest() {
    let left = left_by("raise", &[1, 0], |s| {
        let signs = [s.char(), s.char()];
        s.note(format!("{signs:?}"));
        signs[0] <= signs[1]
    });
    assert_eq!(left, r"['0', '\0']");
}

#[test]
fn raise_removes_an_option_for_which_another_number_makes_up() {
    let left = left_by("raise", &[1, 0, 1, 1], |s| {
        let least = s.option(|s| s.integer(0..=9_u8));
        let most = s.option(|s| s.integer(0..=99_u8));
        s.note(format!("{least:?} {most:?}"));
        let enough = if least.is_some() { 1 } else { 20 };
        most.is_none_or(|most| most < enough)
    });
    assert_eq!(left, "None Some(20)");
}

#[test]
fn raise_changes_the_sign_of_a_number_for_which_a_later_one_makes_up() {
    let left = left_by("raise", &[-7, 0], |s| {
        let (one, two): (i8, u8) = (s.integer(-9..=9), s.integer(0..=3));
        s.note(one);
        !(one == -7 || one == 7 && two > 2)
    });
    assert_eq!(left, "7");
}

#[test]
fn together_changes_the_signs_of_all_numbers_of_a_kind() {
    let left = left_by("together", &[1, -29, 1, -99, 1, 1, 0], |s| {
        let numbers = integers(s);
        let saturated = |sum: i64, it: &i64| (sum + it).clamp(-127, 127);
        numbers.iter().sum::<i64>() == numbers.iter().fold(0, saturated)
    });
    assert_eq!(left, "list = [29, 99, -1]");
}
