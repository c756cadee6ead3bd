//! The default strategy: which candidates it skips, what it does first, how it ends.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use lop::tree::{Format, Tree};
use lop::{Bundle, InputFile, Journal, Keep, Reduction, Report};

fn run(
    strategy: &str,
    text: &str,
    oracle: impl Fn(&[u8]) -> bool + Send + Sync + 'static,
) -> Report {
    let mut reduction = Reduction::new(Arc::new(text.into()), &oracle);
    reduction.format = Format::named("c").expect("C is always part of the build");
    reduction.strategy = strategy.parse().unwrap();
    reduction.run().unwrap()
}

fn has_error(text: &[u8]) -> bool {
    let tree = Tree::parse(&Arc::new(text.to_vec()), &Format::named("c").unwrap());
    tree.ids().any(|node| tree.is_error(node))
}

/// A program with many statements, of which one matters.
fn program() -> String {
    let lines: String = (0..20).map(|n| format!("  g{n}(x + {n}, \"text\");\n")).collect();
    format!("int x;\nvoid f(int a) {{\n{lines}  if (a) {{ needed(a * 2); }}\n}}\n")
}

#[test]
fn an_oracle_that_refuses_what_does_not_parse_is_seldom_asked_about_it() {
    let broken = Arc::new(AtomicUsize::new(0));
    let count = broken.clone();
    let report =
        run("pardis-hybrid+guard+[lift|windows:tokens|opdd:pairs]", &program(), move |text| {
            let is_broken = has_error(text);
            count.fetch_add(usize::from(is_broken), Ordering::Relaxed);
            !is_broken && String::from_utf8_lossy(text).contains("needed(")
        });
    assert!(!has_error(&report.best.text));
    // Those before the guard is set, and the two of its probe.
    let guard = report.phases.iter().find(|phase| phase.name == "guard").unwrap();
    assert_eq!(guard.counts.tests, 2);
    assert!(broken.load(Ordering::Relaxed) <= 6, "{}", broken.load(Ordering::Relaxed));
}

#[test]
fn an_oracle_that_takes_anything_is_asked_about_anything() {
    let report = run("guard+windows:tokens*", "int f(void) { return needed + 1; }\n", |text| {
        String::from_utf8_lossy(text).contains("needed")
    });
    assert_eq!(report.best.text.as_slice(), b"needed\n");
}

#[test]
fn the_probe_of_the_guard_leaves_the_text_as_it_is() {
    // The oracle takes some texts that do not parse, such as those of an older standard, and a text with an error has a worse tree.
    let text = "int f(void) { return 1; }\nint needed(void) { return 2; }\n";
    let report = run("guard", text, |text| String::from_utf8_lossy(text).contains("needed"));
    assert!(report.phases[0].counts.tests > 0);
    assert_eq!(report.best.text.as_slice(), text.as_bytes());
}

/// The phases of a run in their order.
fn phases_of(strategy: &str, oracle: &dyn lop::oracle::Oracle) -> Vec<String> {
    let seen = Mutex::new(Vec::new());
    let text: Arc<Vec<u8>> = Arc::new(program().into());
    let mut reduction = Reduction::new(text, oracle);
    reduction.format = Format::named("c").unwrap();
    reduction.strategy = strategy.parse().unwrap();
    let observer = &mut |event: &lop::Event| {
        if let lop::Event::Phase { name, .. } = event {
            seen.lock().unwrap().push(name.clone());
        }
    };
    reduction.observed_by(observer).run().unwrap();
    seen.into_inner().unwrap()
}

#[test]
fn removals_are_asked_for_again_at_the_end_of_the_default_and_other_changes_are_not() {
    let oracle = |text: &[u8]| String::from_utf8_lossy(text).contains("(a * 2");
    let phases = phases_of("default", &oracle);
    let last = |name: &str| phases.iter().rposition(|each| each == name).unwrap();
    let end = &phases[last("walk")..];
    for name in ["scythe", "lift", "merge:tokens", "hddhr:model", "trim"] {
        assert!(end.iter().any(|each| each == name), "{name} of {end:?}");
    }
    for name in ["rename", "unify", "substitute", "windows:tokens", "inline"] {
        assert!(last(name) < last("walk"), "{name} of {end:?}");
    }
}

#[test]
fn what_earns_most_comes_first_in_a_race() {
    // Renaming gains little, cutting much: after each had its turn, cutting continues.
    let oracle = |text: &[u8]| String::from_utf8_lossy(text).contains("(a * 2");
    let order = phases_of("[rename|lift|pardis-hybrid]", &oracle);
    assert_eq!(order[..3], ["rename", "lift", "pardis-hybrid"], "in the order given at first");
    let again = |name: &str| order[3..].iter().position(|each| each == name);
    assert!(again("pardis-hybrid") < again("rename"), "then what has earned more: {order:?}");
    let last = &order[order.len() - 3..];
    assert!(["rename", "lift", "pardis-hybrid"].iter().all(|name| last.contains(&(*name).into())));
}

/// How many tests each phase of a strategy had taken when the next one began, for 400 lines of which one in eight can be removed.
fn turns_over_lines(strategy: &str) -> Vec<u64> {
    let lines: Vec<String> = (0..400).map(|number| format!("line {number}\n")).collect();
    let needed: Vec<_> =
        lines.iter().enumerate().filter(|it| it.0 % 8 != 7).map(|it| it.1).collect();
    let oracle = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        needed.iter().all(|line| text.contains(*line))
    };
    let mut starts = Vec::new();
    let observer = &mut |event: &lop::Event| {
        if let lop::Event::Phase { counts, .. } = event {
            starts.push(counts.tests);
        }
    };
    let mut reduction = Reduction::new(Arc::new(lines.concat().into()), &oracle);
    reduction.strategy = strategy.parse().unwrap();
    let report = reduction.observed_by(observer).run().unwrap();
    assert_eq!(
        report.best.text.as_slice(),
        needed.into_iter().cloned().collect::<String>().as_bytes()
    );
    starts.windows(2).map(|starts| starts[1] - starts[0]).collect()
}

#[test]
fn a_step_that_removes_little_makes_room_for_others_though_it_finds_something_now_and_then() {
    // `expand` finds nothing in lines.
    let turns = turns_over_lines("[expand|merge:lines|opdd:tokens]");
    assert_eq!(turns[0], 0);
    assert!((1..50).contains(&turns[1]), "{turns:?}");
}

#[test]
fn the_step_that_is_written_first_gives_up_later_than_the_others() {
    let first = turns_over_lines("[merge:lines|opdd:tokens]")[0];
    let second = turns_over_lines("[expand|merge:lines|opdd:tokens]")[1];
    assert!(first > 2 * second, "{first} tests, or {second}");
}

#[test]
fn the_default_is_smaller_than_each_of_its_parts_and_leaves_readable_text() {
    let oracle =
        |text: &[u8]| !has_error(text) && String::from_utf8_lossy(text).contains("needed(");
    let best = run("default", &program(), oracle).best;
    for part in ["pardis-hybrid*", "hddr*", "perses-replace*", "opdd:tokens*", "fast"] {
        assert!(best <= run(part, &program(), oracle).best, "{part}");
    }
    let text = String::from_utf8_lossy(&best.text).into_owned();
    assert!(!text.contains("\n\n") && !text.contains(" \n"), "{text}");
}

#[test]
fn lines_of_a_text_that_open_and_close_something_are_removed_together() {
    let oracle = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let count = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
        text.contains("BUG") && count("begin") == count("end")
    };
    let mut reduction = Reduction::new(Arc::new(b"begin\nBUG\nend\n".to_vec()), &oracle);
    reduction.format = Format::named("text").expect("any text has a format");
    reduction.strategy = "default".parse().unwrap();
    assert_eq!(reduction.run().unwrap().best.text.trim_ascii(), b"BUG");
}

#[test]
fn a_resumed_run_takes_the_way_of_one_that_was_not_stopped() {
    let oracle = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        text.contains("needed") && text.matches("text").count() > 1 && text.len() % 5 != 2
    };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let reduction = || {
        let mut reduction = Reduction::new(Arc::new(program().into()), &oracle);
        reduction.format = Format::named("c").unwrap();
        reduction
    };
    let whole = reduction().run().unwrap();
    let tests = whole.counts.tests;
    for limit in [3, tests / 4, tests / 2, tests - 5] {
        let mut first = reduction();
        first.journal = Some(Journal::create(&path, &()).unwrap());
        first.max_tests = Some(limit);
        let first = first.run().unwrap();
        let mut second = reduction();
        second.journal = Some(Journal::resume(&path).unwrap());
        second.workers = 4;
        let second = second.run().unwrap();
        assert_eq!(second.best.text, whole.best.text, "stopped after {limit}");
        let tests = first.counts.tests + second.counts.tests;
        assert!(tests <= whole.counts.tests, "{tests} tests instead of {}", whole.counts.tests);
    }
}

#[test]
fn several_files_are_reduced_each_in_its_own_language() {
    let files = [
        ("d/a.c", &b"int x;\nvoid f() { int y = needed(1 + 2, 3); }\n"[..]),
        ("d/b.json", b"[1, {\"k\": [2, 7]}, 3]"),
        ("d/c.bin", b"\0\xff\0needed\0"),
        ("d/unused", b"x"),
    ]
    .map(|(path, content)| InputFile::new(path, content));
    let (bundle, text) = Bundle::pack(Some("d".as_ref()), &files);
    let content = {
        let bundle = bundle.clone();
        move |text: &[u8], path: &str| -> Option<Vec<u8>> {
            let members = bundle.members(text);
            let member = members.iter().find(|member| member.path.as_os_str() == path)?;
            Some(text[member.content.clone()].to_vec())
        }
    };
    let parts = content.clone();
    let oracle = move |text: &[u8]| {
        let has = |path: &str, wanted: &str| {
            parts(text, path).is_some_and(|it| String::from_utf8_lossy(&it).contains(wanted))
        };
        has("d/a.c", "needed(") && has("d/b.json", "7") && has("d/c.bin", "needed")
    };
    let results = [1, 4].map(|workers| {
        let mut reduction = Reduction::new(text.clone(), &oracle);
        reduction.bundle = Some(bundle.clone());
        reduction.workers = workers;
        reduction.run().unwrap().best.text
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(content(&results[0], "d/unused"), None);
    assert_eq!(content(&results[0], "d/b.json").unwrap(), b"7");
    assert_eq!(content(&results[0], "d/c.bin").unwrap(), b"needed");
    assert_eq!(content(&results[0], "d/a.c").unwrap(), b"needed(\n");
}

#[test]
fn no_candidate_lacks_what_must_stay() {
    let keep = Keep::of(b"int x;\n", &[regex::bytes::Regex::new("x").unwrap()]);
    let oracle = |text: &[u8]| {
        assert!(text.contains(&b'x'), "every candidate has an x");
        String::from_utf8_lossy(text).contains("needed")
    };
    let mut reduction = Reduction::new(program().into_bytes(), &oracle);
    reduction.format = Format::named("c").unwrap();
    reduction.keep = keep;
    let best = reduction.run().unwrap().best;
    assert!(best.text.contains(&b'x'));
}
