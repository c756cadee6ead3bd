//! Passes that replace trees by their subtrees.

use lop_choice::Source;

use super::left_by;

fn tree(s: &mut Source) -> String {
    match s.boolean(0.5) {
        false => s.integer(0..=9_u8).to_string(),
        true => format!("({} {})", s.draw(tree), s.draw(tree)),
    }
}

#[test]
fn descend_replaces_a_tree_by_a_subtree() {
    let left = left_by("descend", &[1, 0, 4, 1, 1, 0, 7, 0, 3, 0, 2], |s| {
        let tree = s.draw(tree);
        s.note(&tree);
        !tree.contains('7')
    });
    assert_eq!(left, "7");
}

#[test]
fn roots_replaces_a_tree_by_a_subtree_if_only_the_subtree_has_a_span() {
    let left = left_by("roots", &[1, 0, 4, 1, 1, 0, 7, 0, 3, 0, 2], |s| {
        let tree = tree(s);
        s.note(&tree);
        !tree.contains('7')
    });
    assert_eq!(left, "7");
}

#[test]
fn raise_replaces_a_tree_by_a_subtree_with_larger_numbers() {
    let left = left_by("raise", &[1, 0, 5, 0, 6], |s| {
        let tree = s.draw(tree);
        s.note(&tree);
        tree.chars().filter_map(|sign| sign.to_digit(10)).sum::<u32>() < 8
    });
    assert_eq!(left, "8");
}

#[test]
fn what_was_drawn_at_a_limit_of_depth_fits_above_it() {
    fn tree(s: &mut Source, depth: usize) -> Vec<u8> {
        s.span("tree", |s| match s.integer(0..=depth.min(1)) {
            0 => vec![s.integer(0..=9)],
            _ => [tree(s, depth - 1), tree(s, depth - 1)].concat(),
        })
    }
    let left = left_by("descend", &[1, 1, 0, 5, 0, 7, 0, 3], |s| {
        let leaves = tree(s, 2);
        s.note(format!("{leaves:?}"));
        !leaves.contains(&7)
    });
    assert_eq!(left, "[7]");
}

/// The leaves of a tree, whose selector is drawn only where a node is possible.
fn leaves(s: &mut Source, depth: usize) -> Vec<f64> {
    s.span("tree", |s| match depth > 0 && s.integer(0..=1_u8) == 1 {
        true => [leaves(s, depth - 1), leaves(s, depth - 1)].concat(),
        false => vec![s.float(0.0..=9.0)],
    })
}

#[test]
fn a_leaf_without_a_selector_has_one_in_the_place_of_its_tree() {
    let left = left_by("descend", &[1, 1, 5, 6, 1, 3, 7], |s| {
        let leaves = leaves(s, 2);
        s.note(format!("{leaves:?}"));
        leaves.last() != Some(&7.0) || !leaves.contains(&6.0)
    });
    assert_eq!(left, "[6.0, 7.0]");
}

#[test]
fn a_leaf_is_no_selector_though_it_may_be_as_large() {
    fn policy(s: &mut Source, depth: usize) -> String {
        let parts =
            |s: &mut Source| s.list(1.., |s| s.span("part", |s| policy(s, depth - 1))).join(" ");
        match if depth > 0 { s.integer(0..=2_u8) } else { 0 } {
            0 => s.integer(0..=2_u8).to_string(),
            1 => format!("all({})", parts(s)),
            _ => format!("any({})", parts(s)),
        }
    }
    let left = left_by("descend", &[1, 1, 1, 1, 2, 1, 0, 1, 2, 0, 0, 0], |s| {
        let policy = policy(s, 3);
        s.note(&policy);
        !policy.contains("all(any(0 2)")
    });
    assert_eq!(left, "all(any(0 2))");
}

#[test]
fn roots_leaves_items_of_lists_alone() {
    // Without the choice that there is an item, its number would be that.
    let left = left_by("roots", &[1, 1, 1, 2, 1, 0, 0], |s| {
        let list: Vec<u8> = s.list(.., |s| s.integer(0..=9));
        s.note(format!("{list:?}"));
        list.len() < 2
    });
    assert_eq!(left, "[1, 2, 0]");
}

#[test]
fn raise_keeps_the_selectors_of_trees() {
    let left = left_by("raise", &[1, 0, 2, 1, 0, 3, 0, 3], |s| {
        let leaves = leaves(s, 9);
        s.note(format!("{leaves:?}"));
        leaves.len() < 2 || leaves.iter().sum::<f64>() < 8.0
    });
    assert_eq!(left, "[8.0, 0.0]");
}

/// An outline, which has no list of deeper items at its greatest depth.
fn outline(s: &mut Source, depth: u32) -> String {
    let items: Vec<String> = s.list(..=2, |s| {
        let name = ["a", "b"][s.integer(0..2_usize)];
        if depth == 0 { name.into() } else { name.to_owned() + &outline(s, depth - 1) }
    });
    format!("({})", items.join(" "))
}

#[test]
fn descend_ends_the_lists_of_items_from_the_greatest_depth() {
    let left = left_by("descend", &[1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0], |s| {
        let text = outline(s, 2);
        s.note(&text);
        !text.contains("b(a a)") && !text.contains("b(a() a())")
    });
    assert_eq!(left, "(b(a() a()))");
}

#[test]
fn a_span_that_is_called_item_is_no_item_of_a_list() {
    let left = left_by("descend", &[1, 1, 1, 0], |s| {
        fn chain(s: &mut Source) -> u32 {
            s.span("item", |s| if s.boolean(0.5) { 1 + chain(s) } else { 0 })
        }
        let length = chain(s);
        s.note(length.to_string());
        length.is_multiple_of(2)
    });
    assert_eq!(left, "1");
}
