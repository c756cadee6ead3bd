//! What takes the place of something else.

use super::left_by;

#[test]
fn ends_makes_two_lists_of_one_with_the_boundary_in_place_of_an_item() {
    let left = left_by("ends", &[1, 1, 0, 1, 0, 1, 0, 0, 0], |s| {
        let words: Vec<Vec<u8>> = s.list(.., |s| s.list(.., |s| s.integer(0..=9)));
        s.note(format!("{words:?}"));
        words.contains(&Vec::new()) || words.iter().map(|word| word.len() + 1).sum::<usize>() != 4
    });
    assert_eq!(left, "[[0], [0]]", "it has as many choices, and its first list ends earlier");
}

#[test]
fn ends_copies_what_is_around_a_list_for_the_second_one() {
    let left = left_by("ends", &[1, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0], |s| {
        let lists: Vec<(u8, usize)> = s.list(.., |s| {
            let number = s.integer(0..=9);
            let pixels: Vec<[bool; 3]> = s.list(.., |s| [0.5; 3].map(|odds| s.boolean(odds)));
            (number, pixels.len())
        });
        s.note(format!("{lists:?}"));
        lists != [(5, 3)] && lists != [(5, 1), (5, 1)]
    });
    assert_eq!(left, "[(5, 1), (5, 1)]");
}

#[test]
fn runs_puts_a_step_in_the_place_of_a_later_one_of_another_kind() {
    let left = left_by("runs", &[1, 0, 4, 1, 0, 4, 1, 2, 1, 1, 1, 3, 0], |s| {
        let steps: Vec<String> = s.list(.., |s| match s.integer(0..4) {
            0 => format!("type {}", s.integer(0_u8..=9)),
            1 => "erase".into(),
            2 => "undo".into(),
            _ => "redo".into(),
        });
        let text = steps.join(", ");
        s.note(&text);
        !["type 4, type 4, undo, erase, redo", "type 4, undo, type 5, redo"].contains(&&text[..])
    });
    assert_eq!(left, "type 4, undo, type 5, redo");
}

#[test]
fn selectors_draws_what_follows_from_the_ranges_of_another_value() {
    let left = left_by("selectors", &[1, 2, 10, 0], |s| {
        let plans: Vec<(u8, u32)> = s.list(.., |s| match s.integer(0..3_u8) {
            0 => (0, 0),
            1 => (1, s.integer(1..=50)),
            _ => (2, s.integer(10..=500)),
        });
        s.note(format!("{plans:?}"));
        plans != [(2, 10)] && plans != [(1, 1)]
    });
    assert_eq!(left, "[(1, 1)]", "the least of the second range isn't the least of the first");
}

#[test]
fn selectors_chooses_what_draws_less_from_another_range_where_there_is_no_span() {
    let left = left_by("selectors", &[2, 10, 0, 7], |s| {
        let plan = match s.integer(0..3_u8) {
            0 => (0, 0),
            1 => (1, s.integer(1..=50_u32)),
            _ => (2, s.integer(10..=500_u32) + u32::from(s.boolean(0.5))),
        };
        let last: u8 = s.integer(0..=9);
        s.note(format!("{plan:?} {last}"));
        plan != (2, 10) && plan != (1, 1) || last != 7
    });
    assert_eq!(left, "(1, 1) 7");
}

#[test]
fn pairs_makes_equal_numbers_simplest_at_the_expense_of_one_with_two_values() {
    let left = left_by("pairs", &[2, 0, 2], |s| {
        let (port, is_other) = (s.integer(1..=9_u8), s.integer(0..2_u8) == 1);
        let same: u8 = s.integer(1..=9);
        s.note(format!("{port} {is_other} {same}"));
        port != same || (port == 1) != is_other
    });
    assert_eq!(left, "1 true 1");
}

#[test]
fn selectors_choose_what_needs_no_list_and_keep_what_comes_after_it() {
    let left = left_by("selectors", &[1, 3, 1, 5, 0, 1, 7, 0], |s| {
        let rules: Vec<(u8, Option<u8>)> = s.list(.., |s| {
            let kind = s.integer(0..4);
            if kind == 3 {
                s.list(.., |s| s.integer(0..=9_u8));
            }
            (kind, s.option(|s| s.integer(0..=9)))
        });
        s.note(format!("{rules:?}"));
        !rules.iter().any(|(kind, needed)| *kind > 0 && *needed == Some(7))
    });
    assert_eq!(left, "[(1, Some(7))]");
}

#[test]
fn pairs_trades_factors() {
    let left = left_by("pairs", &[3, 4], |s| {
        let (count, price) = (s.integer(1..=20_u32), s.integer(1..=2000_u32));
        s.note(format!("{count} × {price}"));
        count * price != 12
    });
    assert_eq!(left, "1 × 12");
}
