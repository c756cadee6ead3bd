//! The promises of the reducers of trees: minimal results, with any number of workers.

mod common;

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use common::{parse, trials};
use lop::reducers::{COMPATIBLE, Compatible, KIND, LABEL, MODEL, REDUCERS, Shape, chi};
use lop::search::{Answer, Search};
use lop::tree::{Change, Format, NodeId, Tree, View, ViewId, Views};
use lop::{Event, Measured, Reduction, Report, Size, Text};

const PAPERS: Views = Views::PAPERS;

/// A random C program in which all identifiers differ, and the needed ones.
struct Problem {
    text: Text,
    needed: Vec<String>,
    is_odd: bool,
}

struct Writer<'r> {
    random: &'r mut fastrand::Rng,
    text: String,
    names: usize,
}

impl Writer<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn expression(&mut self, depth: usize) -> String {
        match self.random.u8(..6) {
            _ if depth == 0 => self.name(),
            0 => format!("{}()", self.name()),
            1 => {
                let count = self.random.usize(1..4);
                let args: Vec<_> = (0..count).map(|_| self.expression(depth - 1)).collect();
                format!("{}({})", self.name(), args.join(", "))
            }
            2 => format!("{} + {}", self.expression(depth - 1), self.expression(depth - 1)),
            3 => format!("({})", self.expression(depth - 1)),
            4 => self.random.u16(..).to_string(),
            _ => self.name(),
        }
    }

    fn block(&mut self, depth: usize) {
        self.text.push_str("{\n");
        for _ in 0..self.random.usize(..4) {
            let condition = self.expression(2);
            match self.random.u8(..4) {
                0 if depth > 0 => {
                    self.text.push_str(&format!("if ({condition}) "));
                    self.block(depth - 1);
                }
                1 if depth > 0 => {
                    self.text.push_str(&format!("while ({condition}) "));
                    self.block(depth - 1);
                }
                _ => self.text.push_str(&format!("{condition};\n")),
            }
        }
        self.text.push_str("}\n");
    }
}

impl Problem {
    fn random(random: &mut fastrand::Rng) -> Problem {
        let functions = random.usize(1..4);
        let mut writer = Writer { random, text: String::new(), names: 0 };
        for _ in 0..functions {
            let (name, parameter) = (writer.name(), writer.name());
            writer.text.push_str(&format!("int {name}(int {parameter}) "));
            writer.block(3);
        }
        let Writer { text, names, .. } = writer;
        // The papers assume that the empty text isn't interesting.
        let needed = (1..=names).filter(|name| *name == 1 || random.u8(..8) == 0);
        let needed = needed.map(|name| format!("x{name}")).collect();
        let text = Arc::new(text.into_bytes());
        Problem { is_odd: is_odd(&text), text, needed }
    }

    /// Whether a text parses, has all needed identifiers, and agrees with the original in a fickle property, so that the
    /// order of tests matters.
    fn is_interesting(&self, text: &[u8]) -> bool {
        let words = String::from_utf8_lossy(text);
        let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).collect();
        self.needed.iter().all(|name| words.contains(&name.as_str()))
            && is_odd(text) == self.is_odd
            && parses(text)
    }

    fn reduce(&self, strategy: &str, workers: usize) -> (Report, Vec<Size>) {
        let Problem { text, needed, is_odd } = self;
        let problem = Problem { text: text.clone(), needed: needed.clone(), is_odd: *is_odd };
        let found = Arc::new(Mutex::new(Vec::new()));
        let oracle = {
            let found = found.clone();
            move |candidate: &[u8]| {
                let interesting = problem.is_interesting(candidate);
                if interesting {
                    found.lock().unwrap().push(Size::of(candidate));
                }
                interesting
            }
        };
        let mut reduction = Reduction::new(text.clone(), &oracle);
        reduction.format = c();
        reduction.workers = workers;
        reduction.strategy = strategy.parse().unwrap();
        let mut steps = Vec::new();
        let mut observer = |event: &Event| {
            if let Event::Improved { size, .. } = event {
                assert!(found.lock().unwrap().contains(size), "accepted, but not interesting");
                steps.push(*size);
            }
        };
        let report = reduction.observed_by(&mut observer).run();
        (report.unwrap(), steps)
    }
}

fn c() -> Format {
    Format::named("c").expect("C is part of every build")
}

fn is_odd(text: &[u8]) -> bool {
    text.iter().filter(|byte| **byte == b';').count() % 2 == 1
}

fn parses(text: &[u8]) -> bool {
    let tree = Tree::parse(&Arc::new(text.to_vec()), &c());
    tree.ids().all(|node| !tree.is_error(node))
}

/// The smaller interesting texts that differ from a result by a change to a single node.
fn improvements(
    problem: &Problem,
    result: &Measured,
    views: Views,
    changes: impl Fn(&View<'_>, ViewId) -> Vec<Vec<Change>>,
) -> Vec<String> {
    let tree = Tree::parse(&result.text, &c());
    let view = View::new(&tree, views);
    let candidates = view.ids().flat_map(|node| changes(&view, node));
    let candidates = candidates.map(|changes| tree.candidate(&changes).bytes());
    let better = |text: &Vec<u8>| {
        result.nearly(Arc::new(text.clone())) < *result && problem.is_interesting(text)
    };
    candidates.filter(better).map(|text| String::from_utf8_lossy(&text).into_owned()).collect()
}

fn prunings(view: &View<'_>, node: ViewId) -> Vec<Vec<Change>> {
    vec![view.prune([node])]
}

/// The nearest compatible descendants of a node in each branch: χ as in the paper's Figure 6, by recursion.
fn hoistings(view: &View<'_>, node: ViewId, compatible: &Compatible) -> Vec<Vec<Change>> {
    fn below(
        view: &View<'_>,
        compatible: &Compatible,
        [n, above]: [ViewId; 2],
        found: &mut Vec<ViewId>,
    ) {
        for child in view.children(above) {
            let is_smaller = view.range(child) != view.range(n);
            match is_smaller && compatible.allows(view, n, child) {
                true => found.push(child),
                false => below(view, compatible, [n, child], found),
            }
        }
    }
    let mut nodes = Vec::new();
    below(view, compatible, [node, node], &mut nodes);
    let hoisted = |inner| Shape::default().transformed([(node, inner)]).changes(view);
    nodes.into_iter().map(hoisted).collect()
}

/// Runs a check on some random problems.
fn with_problems(count: usize, check: impl Fn(&Problem)) {
    let mut random = lop_testing::random();
    for _ in 0..count {
        let problem = Problem::random(&mut random);
        assert!(parses(&problem.text), "{}", String::from_utf8_lossy(&problem.text));
        check(&problem);
    }
}

#[test]
fn hdd_and_hddr_to_the_fixed_point_are_one_tree_minimal() {
    with_problems(30, |problem| {
        let lists = ["hdd-wddmin*", "hdd-probdd*", "hdd-wprobdd*", "hdd-cdd*"];
        let hoisting = ["hdd*", "hddr*", "hddh*", "hddhr*", "hoist*+hdd*", "hoistr*+hddr*"];
        for strategy in hoisting.into_iter().chain(lists) {
            let (report, _) = problem.reduce(strategy, 1);
            assert_eq!(
                improvements(problem, &report.best, PAPERS, prunings),
                [""; 0],
                "{strategy}"
            );
            // Nor can any node of the tree itself be removed, however the view groups them.
            let tree = Tree::parse(&report.best.text, &c());
            for node in tree.ids().filter(|node| tree.is_removable(*node)) {
                let smaller = tree.candidate(&[Change::cut(node)]).bytes();
                assert!(!problem.is_interesting(&smaller), "{strategy}: {:?}", tree.text_of(node));
            }
        }
    });
}

#[test]
fn hoisting_to_the_fixed_point_leaves_no_node_that_can_be_hoisted() {
    with_problems(30, |problem| {
        for strategy in ["hoist*", "hoistr*", "hddh*", "hddhr*", "hoist:model*", "hoistr:model*"] {
            let compatible = if strategy.contains("model") { &MODEL } else { &LABEL };
            let (report, _) = problem.reduce(strategy, 1);
            let hoistings = |view: &View<'_>, node| hoistings(view, node, compatible);
            assert_eq!(
                improvements(problem, &report.best, PAPERS, hoistings),
                [""; 0],
                "{strategy}"
            );
        }
    });
}

#[test]
fn interlaced_coarse_hoisting_does_what_coarse_hdd_does_alone() {
    with_problems(30, |problem| {
        for [hdd, hddh] in [["coarse-hdd*", "coarse-hddh*"], ["coarse-hddr*", "coarse-hddhr*"]] {
            let [(alone, steps), (interlaced, same)] =
                [hdd, hddh].map(|strategy| problem.reduce(strategy, 1));
            assert_eq!(alone.best.text, interlaced.best.text, "{hddh}");
            assert_eq!((alone.counts.tests, steps), (interlaced.counts.tests, same), "{hddh}");
        }
    });
}

#[test]
fn coarse_variants_leave_nothing_that_could_go_altogether() {
    with_problems(30, |problem| {
        for strategy in ["coarse-hdd*", "coarse-hddr*", "coarse-hddh-wide*", "coarse-hddhr-wide*"] {
            let (report, _) = problem.reduce(strategy, 1);
            let prunings = |view: &View<'_>, node: ViewId| match view.is_removable(node) {
                true => prunings(view, node),
                false => Vec::new(),
            };
            assert_eq!(
                improvements(problem, &report.best, PAPERS, prunings),
                [""; 0],
                "{strategy}"
            );
        }
    });
}

/// The reducers of removable nodes, in Perses' normal form.
const PRIORITY_DRIVEN: [&str; 7] = [
    "perses",
    "perses-opdd",
    "perses-n",
    "perses-replace",
    "pardis-unpruned",
    "pardis",
    "pardis-hybrid",
];

#[test]
fn perses_and_pardis_to_the_fixed_point_leave_nothing_that_may_go_and_no_such_token() {
    with_problems(30, |problem| {
        for name in PRIORITY_DRIVEN {
            let (report, _) = problem.reduce(&format!("{name}*"), 1);
            let prunings = |view: &View<'_>, node: ViewId| match view.is_removable(node) {
                true => prunings(view, node),
                false => Vec::new(),
            };
            let better = improvements(problem, &report.best, Views::NORMAL_FORM, prunings);
            assert_eq!(better, [""; 0], "{name}");
            // Nor can any removable token of the tree, however the view shows it.
            let tree = Tree::parse(&report.best.text, &c());
            for token in tree.ids().filter(|node| tree.is_leaf(*node) && tree.is_removable(*node)) {
                let smaller = tree.candidate(&[Change::cut(token)]).bytes();
                assert!(!problem.is_interesting(&smaller), "{name}: {:?}", tree.text_of(token));
            }
        }
    });
}

#[test]
fn with_a_pass_over_tokens_no_token_at_all_can_go() {
    with_problems(10, |problem| {
        for strategy in ["(pardis+ddmin:tokens)*", "(pardis-hybrid+opdd:tokens)*"] {
            let (report, _) = problem.reduce(strategy, 1);
            let text = &report.best.text;
            for token in lop::lexer::tokens(text) {
                let smaller = [&text[..token.start], b" ", &text[token.end..]].concat();
                let is_better = Size::of(&smaller) < report.best.size;
                assert!(!is_better || !problem.is_interesting(&smaller), "{strategy}: {token:?}");
            }
        }
    });
}

#[test]
fn nodes_of_one_supertype_are_compatible_where_the_place_takes_both() {
    let tree = parse("javascript", "function f() { if (a) { while (b(c)) { g(); } } }");
    let view = View::new(&tree, PAPERS);
    let hoistable = |compatible: &Compatible, place: &str| -> Vec<String> {
        let place = view.ids().find(|node| view.name(*node) == place).unwrap();
        let text =
            |node: ViewId| String::from_utf8_lossy(&tree.text()[view.range(node)]).into_owned();
        chi(&view, compatible, place, place).into_iter().map(text).collect()
    };
    assert_eq!(hoistable(&LABEL, "if_statement"), ["{ while (b(c)) { g(); } }"]);
    assert_eq!(hoistable(&KIND, "if_statement"), [""; 0]);
    assert_eq!(hoistable(&LABEL, "call_expression"), ["c", "b"]);
    assert_eq!(hoistable(&KIND, "call_expression"), [""; 0]);
    // The body of a function is a block, and no other statement.
    assert_eq!(hoistable(&LABEL, "statement_block"), ["{ while (b(c)) { g(); } }"]);
}

#[test]
fn perses_with_replacement_leaves_no_node_that_a_descendant_five_levels_down_can_replace() {
    with_problems(30, |problem| {
        let (report, _) = problem.reduce("perses-replace*", 1);
        let replacements = |view: &View<'_>, node| {
            let Some(place) = view.place(node) else { return Vec::new() };
            let nodes = replacements(view.tree(), place).into_iter();
            nodes.map(|inner| vec![Change::hoist(place, inner)]).collect()
        };
        // In the normal form, `a + b + c` is a list: it has no node for `a + b`.
        let better = improvements(problem, &report.best, Views::NORMAL_FORM, replacements);
        assert_eq!(better, [""; 0], "of {}", String::from_utf8_lossy(&report.best.text));
    });
}

/// The first compatible descendants of a node in each branch, five levels down: by recursion, over the tree without any view.
fn replacements(tree: &Tree, place: NodeId) -> Vec<NodeId> {
    fn below(tree: &Tree, place: NodeId, above: NodeId, levels: usize, found: &mut Vec<NodeId>) {
        for child in tree.children(above) {
            if tree.range(child) == tree.range(above) {
                below(tree, place, child, levels, found);
            } else if levels == 0 {
                continue;
            } else if tree.is_named(child)
                && !tree.is_extra(child)
                && (tree.kind(child) == tree.kind(place) || tree.fits(place, tree.kind(child)))
            {
                found.push(child);
            } else {
                below(tree, place, child, levels - 1, found);
            }
        }
    }
    let mut found = Vec::new();
    below(tree, place, place, 5, &mut found);
    found
}

#[test]
fn gtr_leaves_no_node_that_could_be_deleted_or_replaced_by_a_child() {
    with_problems(30, |problem| {
        let (report, _) = problem.reduce("gtr*", 1);
        let transformations = |view: &View<'_>, node| {
            let children = view.children(node).filter_map(|child| view.place(child));
            let place = view.place(node);
            let children = children.filter_map(|child| Some(vec![Change::hoist(place?, child)]));
            children.chain([view.prune([node])]).collect()
        };
        let better = improvements(problem, &report.best, Views::ABSTRACT, transformations);
        assert_eq!(better, [""; 0]);
    });
}

#[test]
fn a_second_run_makes_no_progress_and_every_step_was_found_interesting_and_smaller() {
    with_problems(10, |problem| {
        for reducer in REDUCERS {
            let strategy = format!("{}*", reducer.name);
            let (report, steps) = problem.reduce(&strategy, 2);
            assert!(problem.is_interesting(&report.best.text), "{strategy}");
            assert!(steps.is_sorted_by(|before, after| before > after), "{strategy}: {steps:?}");
            let Problem { needed, is_odd, .. } = problem;
            let (text, needed) = (report.best.text.clone(), needed.clone());
            let (again, steps) = Problem { text, needed, is_odd: *is_odd }.reduce(&strategy, 2);
            assert_eq!(again.best.text, report.best.text, "{strategy}");
            assert!(steps.is_empty(), "{strategy}");
        }
    });
}

#[test]
fn one_two_and_eight_workers_give_the_same_bytes_with_the_same_tests() {
    with_problems(6, |problem| {
        for reducer in REDUCERS {
            let strategy = format!("{}*", reducer.name);
            let (one, steps) = problem.reduce(&strategy, 1);
            for workers in [2, 8] {
                let (many, other_steps) = problem.reduce(&strategy, workers);
                assert_eq!(many.best.text, one.best.text, "{strategy}, {workers} workers");
                assert_eq!(many.counts.tests, one.counts.tests, "{strategy}, {workers} workers");
                assert_eq!(many.counts.hits, one.counts.hits, "{strategy}, {workers} workers");
                assert_eq!(other_steps, steps, "{strategy}, {workers} workers");
            }
        }
    });
}

#[test]
fn what_comes_after_short_questions_keeps_the_workers_busy() {
    // No node has more than a few children, so no single question has work for four workers.
    let text = "int f() { if (a) { while (b) { if (c) { g(h(i(1))); } } } }".repeat(3);
    for strategy in ["hddr", "hoistr", "hddhr", "perses", "perses-n", "pardis", "pardis-hybrid"] {
        let company = Arc::new(Company::default());
        let (original, inside) = (text.clone().into_bytes(), company.clone());
        let oracle = move |candidate: &[u8]| {
            inside.wait_for(4);
            candidate == original
        };
        let mut reduction = Reduction::new(Arc::new(text.clone().into_bytes()), &oracle);
        reduction.format = c();
        reduction.workers = 4;
        reduction.strategy = strategy.parse().unwrap();
        reduction.run().unwrap();
        assert_eq!(company.state.lock().unwrap().most, 4, "{strategy}");
    }
}

/// A barrier where workers wait for each other.
#[derive(Default)]
struct Company {
    state: Mutex<Inside>,
    changed: Condvar,
}

#[derive(Default)]
struct Inside {
    now: usize,
    most: usize,
    /// Whether a worker has waited in vain, so that no other one waits.
    failed: bool,
}

impl Company {
    /// Waits until this many workers were here at the same time, once. Only a failing test waits until the time is over.
    fn wait_for(&self, wanted: usize) {
        let mut inside = self.state.lock().unwrap();
        inside.now += 1;
        inside.most = inside.most.max(inside.now);
        self.changed.notify_all();
        let is_alone = |inside: &mut Inside| inside.most < wanted && !inside.failed;
        let wait = Duration::from_secs(30);
        let (mut inside, waited) = self.changed.wait_timeout_while(inside, wait, is_alone).unwrap();
        inside.failed |= waited.timed_out();
        inside.now -= 1;
        self.changed.notify_all();
    }
}

/// The reducer's candidates and its result.
fn trace(name: &str, format: &str, text: &str, interesting: impl Fn(&str) -> bool) -> Vec<String> {
    let mut tried = trials(name, format, text, &interesting);
    let accepted = tried.iter().rev().find(|text| interesting(text));
    tried.push(accepted.cloned().unwrap_or_else(|| text.to_owned()));
    tried
}

#[test]
fn hdd_asks_level_by_level_and_hddr_node_by_node() {
    let text = "[[1, 2], [3, 4]]";
    let all = |candidate: &str| candidate == text;
    let shown = |tried: Vec<String>| tried.join(" / ");
    // The root, its two elements, then all four numbers together.
    let levels = shown(trace("hdd", "json", text, all));
    assert!(levels.contains("/ [[3, 4]] /") && levels.contains("/ [[1], []] /"), "{levels}");
    let recursive = shown(trace("hddr", "json", text, all));
    assert!(recursive.contains("/ [[1, 2], [3]] /"), "{recursive}");
    assert!(!recursive.contains("[[1], []]"), "no question crosses a node's border: {recursive}");
}

#[test]
fn a_list_algorithm_decides_which_children_of_a_node_are_removed_first() {
    // The last element weighs more than the others together.
    let all = "[1, 2, 3, [4, 5, 6, 7, 8, 9, 0]]";
    let check = |name: &str, expected: [&str; 2]| {
        let tried = trace(name, "json", all, |candidate| candidate == all);
        let is_part = |tried: &&String| !matches!(&tried[..], "" | "[]");
        let first: Vec<String> = tried.iter().filter(is_part).take(2).cloned().collect();
        let first = first.iter().map(|tried| tried.replace("4, 5, 6, 7, 8, 9, 0", "…"));
        assert_eq!(first.collect::<Vec<_>>(), expected, "{name}");
    };
    check("hdd", ["[1, 2]", "[3, […]]"]);
    check("perses", ["[3, […]]", "[1, 2]"]);
    for view in ["hdd", "perses"] {
        check(&format!("{view}-wddmin"), ["[1, 2, 3]", "[[…]]"]);
        check(&format!("{view}-wprobdd"), ["[1, 2, 3]", "[[…]]"]);
        check(&format!("{view}-probdd"), ["[1]", "[2, 3]"]);
        check(&format!("{view}-cdd"), ["[1]", "[2, 3, […]]"]);
    }
}

#[test]
fn elements_go_with_their_separators_whichever_they_are() {
    let keeps = |number: char| move |text: &str| text.contains(number) && !text.contains(",,");
    for number in ['1', '2', '3', '4'] {
        let tried = trace("hddr", "json", "[1, 2, 3, 4]", keeps(number));
        assert_eq!(tried.last().unwrap(), &format!("[{number}]"));
    }
    let both = |text: &str| text.contains('2') && text.contains('4');
    assert_eq!(trace("hdd", "json", "[1, 2, 3, 4]", both).last().unwrap(), "[2, 4]");
}

#[test]
fn of_several_descendants_the_furthest_is_hoisted_first_and_only_the_nearest_of_a_branch() {
    let text = "int f() { a(b(c(1)), g + (h(2))); }";
    let tried = trace("hoist:kind", "c", text, |_| false);
    // The call h is further down than the call b, and c is below b.
    assert_eq!(
        tried[..2],
        ["int f() { h(2); }".to_owned(), "int f() { b(c(1)); }".to_owned()],
        "{tried:?}"
    );
    assert!(!tried.contains(&"int f() { c(1); }".to_owned()), "{tried:?}");
    let tried = trace("hoist:kind", "c", text, |text| text.contains("c(1)"));
    assert_eq!(tried.last().unwrap(), "int f() { c(1); }", "hoisting is transitive");
}

#[test]
fn a_reducer_that_is_told_to_stop_asks_nothing_more() {
    /// Answers some questions with `Nothing`, and then with `Stop`.
    struct Ending {
        questions: usize,
        asked: usize,
    }
    impl Search<Shape> for Ending {
        fn first_before(
            &mut self,
            candidates: &mut dyn Iterator<Item = Shape>,
            _: &mut dyn Iterator<Item = Shape>,
        ) -> Answer {
            self.asked += 1;
            candidates.for_each(drop);
            if self.asked < self.questions { Answer::Nothing } else { Answer::Stop }
        }
    }
    let text = "int f() { if (a) { while (b) { g(h(i(1))); } } }".repeat(5);
    let tree = common::parse("c", &text);
    for reducer in REDUCERS {
        let view = View::new(&tree, reducer.views);
        let compatible = reducer.compatible().unwrap_or(COMPATIBLE[0]);
        let mut whole = Ending { questions: usize::MAX, asked: 0 };
        let _ = reducer.run(&view, compatible, &mut whole);
        for questions in [1, 2, (whole.asked / 2).max(1)] {
            let mut search = Ending { questions, asked: 0 };
            let _ = reducer.run(&view, compatible, &mut search);
            // Coarse hoisting asks about the root only.
            let most = questions.min(whole.asked);
            assert_eq!(search.asked, most, "{} of {}", reducer.name, whole.asked);
        }
    }
}
