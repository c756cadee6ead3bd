//! Passes on loops of generators that mark no spans.

use lop_choice::Source;

use super::left_by;

/// Steps as long as there are more; one of them has an argument.
fn steps(s: &mut Source) -> Vec<String> {
    let mut steps = Vec::new();
    while s.boolean(0.8) {
        steps.push(match s.integer(0..=3_u8) {
            0 => format!("type {}", s.integer(0..=9_u8)),
            1 => "undo".to_owned(),
            2 => "redo".to_owned(),
            _ => "clear".to_owned(),
        });
    }
    s.note(steps.join(", "));
    steps
}

#[test]
fn cut_removes_rounds() {
    let left = left_by("cut", &[1, 1, 1, 0, 7, 1, 2, 1, 0, 5, 0], |s| {
        !steps(s).contains(&"type 7".to_owned())
    });
    assert_eq!(left, "type 7");
}

#[test]
fn cut_ends_a_loop_that_could_have_no_more_rounds() {
    let left = left_by("cut", &[1, 3, 1, 7, 1, 5, 4], |s| {
        let mut replies: Vec<u8> = Vec::new();
        while replies.len() < 3 && s.boolean(0.5) {
            replies.push(s.draw(|s| s.integer(0..=9)));
        }
        let likes: u8 = s.integer(0..=9);
        s.note(format!("{replies:?} {likes}"));
        !replies.contains(&7) || likes != 4
    });
    assert_eq!(left, "[7] 4");
}

#[test]
fn runs_removes_rounds_that_hold_each_other() {
    let left = left_by("runs", &[1, 1, 1, 2, 1, 0, 7, 1, 1, 1, 2, 0], |s| {
        let steps = steps(s);
        let count = |name: &str| steps.iter().filter(|step| *step == name).count();
        count("undo") != count("redo") || !steps.contains(&"type 7".to_owned())
    });
    assert_eq!(left, "type 7");
}

#[test]
fn sort_exchanges_rounds_that_are_not_neighbours() {
    let left = left_by("sort", &[1, 3, 1, 1, 1, 0, 0, 0], |s| {
        let steps = steps(s);
        steps.len() < 3 || steps[1] != "undo"
    });
    assert_eq!(left, "type 0, undo, clear");
}

#[test]
fn selectors_choose_a_round_with_fewer_choices() {
    let left = left_by("selectors", &[1, 1, 1, 0, 4, 1, 2, 0], |s| {
        let steps = steps(s);
        steps.len() != 3 || steps[1] == "undo" || steps[1] == "redo" || steps[1] == "type 0"
    });
    assert_eq!(left, "undo, clear, undo");
}

#[test]
fn renumber_keeps_the_targets_of_jumps_right() {
    // A number of steps, each of which pushes something, or jumps to a later one.
    let left = left_by("renumber", &[4, 0, 5, 0, 6, 1, 3, 0, 7], |s| {
        let count: usize = s.integer(0..=9);
        let steps: Vec<(&str, usize)> = (0..count)
            .map(|at| match s.integer(0..=1_u8) {
                0 => ("push", s.integer(0..=99)),
                _ => ("jump", s.integer(at + 1..=count)),
            })
            .collect();
        s.note(format!("{steps:?}"));
        let target = |step: &(&str, usize)| steps.get(step.1).filter(|_| step.0 == "jump");
        !steps.iter().any(|step| target(step) == Some(&("push", 7)))
    });
    assert_eq!(left, r#"[("jump", 1), ("push", 7)]"#);
}

#[test]
fn counted_removes_rounds_though_the_first_begins_otherwise() {
    let left = left_by("counted", &[4, 5, 0, 6, 0, 7, 1], |s| {
        let count: usize = s.integer(1..=9);
        let mut stack: Vec<u8> = Vec::new();
        let mut steps = Vec::new();
        for _ in 0..count {
            // Nothing can be taken from an empty stack.
            match if stack.is_empty() { 0 } else { s.integer(0..=2_u8) } {
                1 => steps.push(format!("pop {:?}", stack.pop())),
                _ => {
                    stack.push(s.integer(0..=9));
                    steps.push("push".to_owned());
                }
            }
        }
        s.note(steps.join(", "));
        !steps.contains(&"pop Some(7)".to_owned())
    });
    assert_eq!(left, "push, push, pop Some(7)");
}

#[test]
fn selectors_choose_what_is_chosen_elsewhere() {
    let left = left_by("selectors", &[1, 5, 1, 0, 4, 1, 7, 0], |s| {
        let mut steps = Vec::new();
        while s.boolean(0.8) {
            let step: u8 = s.integer(0..=9);
            steps.push(if step == 0 { 10 + s.integer::<u8>(0..=9) } else { step });
        }
        s.note(format!("{steps:?}"));
        steps.len() != 3 || steps[0] != 5 || ![5, 14].contains(&steps[1])
    });
    assert_eq!(left, "[5, 5, 1]");
}

#[test]
fn selectors_choose_what_draws_less_where_there_is_no_loop() {
    let left = left_by("selectors", &[0, 3, 8], |s| {
        let part = match s.integer(0..=2_u8) {
            0 => format!("letter {}", s.integer(0..=99_u8)),
            1 => "any".to_owned(),
            _ => "star".to_owned(),
        };
        let last: u8 = s.integer(0..=9);
        s.note(format!("{part} {last}"));
        last != 8
    });
    assert_eq!(left, "any 8");
}

#[test]
fn counted_removes_rounds_that_begin_with_any_kind_of_choice() {
    // The first step can only be to insert something.
    let left = left_by("counted", &[6, 0, 5, 0, 0, 8, 0, 0, 6, 0, 0, 7, 1, 1, 1, 0], |s| {
        let count: usize = s.integer(0..=9);
        let mut list: Vec<u8> = Vec::new();
        let mut taken = Vec::new();
        for _ in 0..count {
            if !list.is_empty() && s.boolean(0.4) {
                taken.push(list.remove(s.integer(0..list.len())));
            } else {
                let at = s.integer(0..=list.len());
                list.insert(at, s.integer(0..=9));
            }
        }
        s.note(format!("{list:?} {taken:?}"));
        taken != [6, 7]
    });
    assert_eq!(left, "[5] [6, 7]");
}

#[test]
fn rounds_that_pick_among_all_before_them_are_rounds_too() {
    // The tasks that each task needs; each is drawn with a number of no use.
    let left = left_by("renumber", &[4, 0, 5, 0, 6, 1, 0, 7, 2, 0, 2, 8], |s| {
        let count: usize = s.integer(1..=7);
        let mut tasks: Vec<Vec<usize>> = Vec::new();
        for number in 0..count {
            let needs = s.integer(0..=number.min(3));
            tasks.push((0..needs).map(|_| s.integer(0..number)).collect());
            s.integer(0..=20_u8);
        }
        s.note(format!("{tasks:?}"));
        let is_chain = |needs: &Vec<usize>| needs.len() == 2 && tasks[needs[1]] == [needs[0]];
        !tasks.iter().any(is_chain)
    });
    assert_eq!(left, "[[], [0], [0, 1]]");
}

#[test]
fn renumber_tells_rounds_of_the_same_length_although_they_have_the_kind_with_which_they_begin() {
    // Things are made, and asked for by their numbers; the third number has as many values as there are kinds of steps.
    let left = left_by("renumber", &[5, 0, 0, 0, 0, 1, 1, 0, 0, 2, 1], |s| {
        let (mut made, mut told) = (0, Vec::new());
        for _ in 0..s.integer(0..=15) {
            let kind: u8 = s.integer(0..=2);
            if kind == 0 {
                made += 1;
                told.push(format!("make {}", s.integer(0..=99_u8)));
            } else if made > 0 {
                told.push(format!("ask{kind} {}", s.integer(0..made)));
            }
        }
        let told = told.join(", ");
        s.note(&told);
        let made = told.find("make 0, ask1").map_or("", |at| &told[at..]);
        let number = made.chars().nth(13).unwrap_or(' ');
        made != format!("make 0, ask1 {number}, make 0, ask2 {number}")
    });
    assert_eq!(left, "make 0, ask1 0, make 0, ask2 0");
}

#[test]
fn selectors_takes_what_has_fewer_choices_also_if_the_rounds_of_a_loop_cannot_be_told() {
    // What selects and what a letter is picked from are of one kind.
    let left = left_by("selectors", &[2, 2, 0, 0, 2, 0, 0], |s| {
        let part = |s: &mut Source| match s.integer(0..=2) {
            0 => *s.pick(&['a', 'b', 'c']),
            1 => '?',
            _ => '*',
        };
        let pattern: String = (0..s.integer(0..=6)).map(|_| part(s)).collect();
        let text: String = (0..s.integer(0..=9)).map(|_| *s.pick(&['a', 'b', 'c'])).collect();
        s.note(format!("{pattern} {text}"));
        !["*a", "*?"].contains(&&pattern[..]) || text != "aa"
    });
    assert_eq!(left, "*? aa");
}

#[test]
fn cut_removes_rounds_also_if_the_property_fails_within_one() {
    let left = left_by("cut", &[1, 0, 5, 1, 1, 1, 0, 7, 1, 2], |s| {
        let mut steps = Vec::new();
        while s.boolean(0.8) {
            match s.integer(0..=2_u8) {
                0 => steps.push(s.integer(0..=9_u8)),
                1 => steps.push(10),
                _ => {
                    s.note(format!("{steps:?}"));
                    // Nothing is drawn any more.
                    return steps.last() != Some(&7);
                }
            }
        }
        true
    });
    assert_eq!(left, "[7]");
}
