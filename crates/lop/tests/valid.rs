//! Results that parse.

use std::sync::{Arc, Mutex};

use lop::tree::{Format, Tree};
use lop::{Bundle, InputFile, Reduction, Text};

const PROGRAM: &str = "
int limit = 7;
struct pair { int left, right; };
int sum(struct pair *p, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) {
        if (p[i].left > limit) { total += p[i].left; } else { total -= p[i].right * 2; }
    }
    return total;
}
";

fn text(text: &str) -> Text {
    Arc::new(text.into())
}

/// Reduces a text in C; all candidates that were tested, and the result.
fn reduce(input: &str, strategy: &str, valid: bool) -> (Vec<Text>, String) {
    let tested = Arc::new(Mutex::new(Vec::new()));
    let oracle = {
        let tested = tested.clone();
        move |candidate: &[u8]| {
            tested.lock().unwrap().push(Arc::new(candidate.to_vec()));
            let candidate = String::from_utf8_lossy(candidate);
            candidate.contains("total") && candidate.contains("limit")
        }
    };
    let mut reduction = Reduction::new(text(input), &oracle);
    reduction.format = Format::named("c").unwrap();
    reduction.strategy = strategy.parse().unwrap();
    reduction.valid = valid;
    let best = reduction.run().unwrap().best;
    let tested = tested.lock().unwrap().clone();
    (tested, String::from_utf8_lossy(&best.text).into_owned())
}

fn errors(text: &Text) -> usize {
    let tree = Tree::parse(text, &Format::named("c").unwrap());
    tree.ids().filter(|node| tree.is_error(*node)).count()
}

#[test]
fn a_valid_run_tests_nothing_that_does_not_parse_whatever_the_strategy() {
    let strategies = [
        "default",
        "no-guard+default",
        "guard+no-guard+opdd:tokens*",
        "ddmin:lines",
        "opdd:characters*",
        "pardis*",
        "no-guard+(lift+rewrite+rename)*",
    ];
    for strategy in strategies {
        let (tested, best) = reduce(PROGRAM, strategy, true);
        assert!(!tested.is_empty(), "{strategy}");
        for candidate in tested {
            let shown = String::from_utf8_lossy(&candidate);
            assert_eq!(errors(&candidate), 0, "{strategy}: {shown}");
        }
        assert_eq!(errors(&text(&best)), 0, "{strategy}: {best}");
    }
    let (_, broken) = reduce(PROGRAM, "default", false);
    assert!(errors(&text(&broken)) > 0, "{broken}");
}

#[test]
fn a_valid_run_over_an_input_with_an_error_adds_no_other() {
    let input = format!("{PROGRAM} int = ;");
    let most = errors(&text(&input));
    assert!(most > 0);
    let (tested, _) = reduce(&input, "default", true);
    for candidate in tested {
        assert!(errors(&candidate) <= most, "{}", String::from_utf8_lossy(&candidate));
    }
}

#[test]
fn in_a_valid_run_over_several_files_each_of_them_parses() {
    let files = [("a.json", "[1, {\"a\": 2}, 3]"), ("b.txt", "one (two")]
        .map(|(path, content)| InputFile::new(path, content));
    let (bundle, input) = Bundle::pack(None, &files);
    let names = bundle.clone();
    let oracle = move |candidate: &[u8]| {
        let members = names.members(candidate).into_iter();
        let content = |path: &str| {
            let member = members.clone().find(|member| member.path.to_str() == Some(path));
            member.map(|member| Arc::new(candidate[member.content].to_vec()))
        };
        let json = content("a.json").unwrap_or_default();
        assert!(json.is_empty() || Format::named("json").unwrap().accepts(&json));
        json.contains(&b'2') && content("b.txt").is_some_and(|text| text.contains(&b'('))
    };
    let mut reduction = Reduction::new(input, &oracle);
    reduction.bundle = Some(bundle.clone());
    reduction.valid = true;
    reduction.workers = 2;
    let best = reduction.run().unwrap().best;
    let contents = bundle.members(&best.text).into_iter();
    let contents: Vec<_> = contents.map(|member| best.text[member.content].to_vec()).collect();
    assert_eq!(contents, [b"2".to_vec(), b"(".to_vec()]);
}

#[test]
fn of_results_with_as_many_tokens_one_that_parses_is_kept() {
    let reduce = |input: &str| {
        let oracle = |candidate: &[u8]| candidate.windows(2).any(|pair| pair == b"tr");
        let mut reduction = Reduction::new(text(input), &oracle);
        reduction.format = Format::named("json").unwrap();
        reduction.strategy = "opdd:tokens*+opdd:characters*".parse().unwrap();
        String::from_utf8_lossy(&reduction.run().unwrap().best.text).into_owned()
    };
    assert_eq!(reduce("[true, 2]"), "true");
    // The input does not parse itself.
    assert_eq!(reduce("[true, 2"), "tr");
}
