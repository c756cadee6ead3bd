//! What an installation has besides the program itself: manual pages, completions, a test of its own.

mod common;

use common::Place;

#[test]
fn an_installation_tests_itself() {
    let place = Place::new();
    let tested = place.lop(["self-test"]);
    tested.expect(0, &[]);
    assert_eq!(tested.stdout.lines().filter(|line| line.starts_with("ok: ")).count(), 3);
    assert!(tested.stdout.ends_with("this installation works\n"), "{tested:?}");
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn each_subcommand_has_a_manual_page_with_its_options() {
    let place = Place::new();
    place.lop(["man", "man1"]).expect(0, &[]);
    let names = place.names_in("man1");
    for name in ["lop.1", "lop-gen.1", "lop-compare.1", "lop-history.1", "lop-self-test.1"] {
        assert!(names.contains(&name.to_owned()), "{name} in {names:?}");
    }
    let page = String::from_utf8(place.read("man1/lop.1")).unwrap();
    assert!(page.starts_with(".") && page.contains(".TH lop 1"), "{page}");
    assert!(page.contains("max\\-tests"), "{page}");
}

#[test]
fn completions_know_the_options_of_each_shell() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.lop(["completions", shell]).stdout;
        assert!(script.contains("max-tests") && script.contains("history"), "{shell}");
    }
}
