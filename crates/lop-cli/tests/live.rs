//! The live view, in a terminal.

mod common;

use common::terminal::Terminal;
use common::{Place, finished, start};

/// A program in which one function matters. From some test on, tests wait until the file `go` is there, so that a
/// run cannot be faster than whoever watches it.
fn place() -> Place {
    let place = Place::new();
    let function = |index: usize| {
        let call = if index == 7 { "  needle(x);\n" } else { "" };
        format!(
            "int f{index}(int x) {{\n  int y{index} = x;\n{call}  return y{index} + {index};\n}}\n"
        )
    };
    place.write("prog.c", (0..24).map(function).collect::<String>());
    let (count, go) = (place.outside("count"), place.outside("go"));
    place.script(
        "test.sh",
        &format!(
            "echo >> {count}; if [ $(wc -l < {count}) -gt 20 ]; then \
             while [ ! -e {go} ]; do sleep 0.01; done; fi; grep -q needle prog.c",
            count = count.display(),
            go = go.display()
        ),
    );
    place
}

fn go(place: &Place) {
    std::fs::write(place.outside("go"), "").unwrap();
}

/// How many tests were started.
fn tests(place: &Place) -> usize {
    std::fs::read(place.outside("count")).unwrap_or_default().len()
}

/// Runs lop in a terminal, and waits until tests wait.
fn watched(place: &Place, args: &[&str], variables: &[(&str, &str)], size: (u16, u16)) -> Terminal {
    let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
    command.args(["-j", "2", "--timeout", "600", "./test.sh", "prog.c"]).args(args);
    command.env("TERM", "xterm").env_remove("NO_COLOR").envs(variables.iter().copied());
    let terminal = Terminal::start(&mut command, size.0, size.1);
    terminal.wait_until("tests wait", |_| tests(place) > 20);
    terminal
}

fn live(place: &Place) -> Terminal {
    let terminal = watched(place, &[], &[], (100, 30));
    terminal.wait_for(&["prog.c", "q  quit"]);
    terminal
}

#[test]
fn the_run_is_shown_and_its_end_is_printed_as_without_a_view() {
    let place = place();
    let mut terminal = live(&place);
    terminal.wait_for(&[
        "tokens over time",
        "█",
        "phases, tokens removed",
        "▶ ",
        "workers, 2 of 2 testing",
        " bytes from line ",
        "last edits",
        "- int f",
        "best, ",
        "   1 int f",
        " cached (",
        "/s ",
    ]);
    assert!(!terminal.is_clean());
    go(&place);
    assert_eq!(terminal.ended(), 0);
    assert!(terminal.is_clean());
    let screen = terminal.screen();
    for line in ["gone), ", "nothing more can be removed", " tests in ", "result:     prog.lop.c"] {
        assert!(screen.contains(line), "no `{line}` in:\n{screen}");
    }
    assert!(!screen.contains("last edits"), "{screen}");
}

#[test]
fn p_stops_tests_until_it_is_pressed_again() {
    let place = place();
    let mut terminal = live(&place);
    terminal.keys("p");
    terminal.wait_for(&[" paused "]);
    go(&place);
    // Those that were running end, and none is started.
    terminal.wait_for(&["1 paused", "2 paused"]);
    let before = tests(&place);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(tests(&place), before);
    terminal.keys(" ");
    assert_eq!(terminal.ended(), 0);
    assert!(tests(&place) > before);
    assert!(terminal.screen().contains("nothing more can be removed"));
}

#[test]
fn s_skips_a_phase_and_the_end_does_not_claim_that_nothing_more_can_be_removed() {
    let place = place();
    let mut terminal = live(&place);
    terminal.keys("s");
    terminal.wait_for(&["» "]);
    go(&place);
    assert_eq!(terminal.ended(), 0);
    let screen = terminal.screen();
    for line in
        ["lop: skipped the rest of ", "ended: phases were skipped", "skipped:    ", "--resume"]
    {
        assert!(screen.contains(line), "no `{line}` in:\n{screen}");
    }
    assert!(!screen.contains("nothing more can be removed"), "{screen}");
    // Whoever goes on gets the rest, and the events are as the schema says.
    let output = place.lop(["--resume", "--json"]);
    output.expect(0, &[]);
    assert!(output.stdout.contains("\"end\":\"complete\""), "{}", output.stdout);
}

#[test]
fn a_skip_is_an_event_of_a_run_that_is_repeated() {
    let place = place();
    let mut terminal = live(&place);
    terminal.keys("s");
    terminal.wait_for(&["» "]);
    terminal.keys("q");
    assert_eq!(terminal.ended(), 130);
    go(&place);
    let output = place.lop(["--resume", "--json"]);
    output.expect(0, &[]);
    for key in ["\"event\":\"skipped\"", "\"end\":\"skipped\"", "\"skipped\":[\""] {
        assert!(output.stdout.contains(key), "no `{key}` in:\n{}", output.stdout);
    }
    let schema = include_str!("../../../docs/src/reference/events.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    for line in output.stdout.lines() {
        assert!(schema.is_valid(&serde_json::from_str(line).unwrap()), "{line}");
    }
}

#[test]
fn q_keeps_the_best_and_ends_as_after_ctrl_c() {
    let mut ends = Vec::new();
    for key in ["q", "\x03"] {
        let place = place();
        let mut terminal = live(&place);
        terminal.keys(key);
        let code = terminal.ended();
        assert!(terminal.is_clean());
        let screen = terminal.screen();
        assert!(screen.contains("interrupted") && screen.contains("--resume"), "{screen}");
        let best = place.read("prog.lop.c");
        assert!(best.len() < place.read("prog.c").len());
        assert!(String::from_utf8_lossy(&best).contains("needle"));
        ends.push((code, place.names()));
    }
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0].0, 130);
}

#[test]
fn the_help_and_the_diff_are_pages_that_keys_open_and_close() {
    let place = place();
    let mut terminal = live(&place);
    terminal.keys("?");
    terminal.wait_for(&["keys", "start no test until"]);
    terminal.keys("\x1b");
    terminal.wait_until("no help", |it| !it.screen().contains("start no test until"));
    terminal.keys("d");
    terminal.wait_for(&["accepted edits, the last one first"]);
    terminal.keys(&"\x1b[6~".repeat(20));
    terminal.wait_for(&["\n│1 · "]);
    terminal.keys(&"\x1b[A".repeat(500));
    terminal.wait_until("it is scrolled back", |it| !it.screen().contains("\n│1 · "));
    terminal.keys("d");
    terminal.wait_for(&["last edits"]);
}

#[test]
fn a_window_that_is_resized_is_drawn_anew() {
    let place = place();
    let mut terminal = live(&place);
    for (columns, rows) in [(30, 8), (1, 1), (200, 50), (80, 24)] {
        terminal.resize(columns, rows);
        if columns > 1 {
            let width = usize::from(columns);
            terminal.wait_until("a frame of this width", |it| {
                let screen = it.screen();
                screen.contains("prog.c")
                    && screen.lines().any(|line| line.chars().count() == width)
            });
        }
    }
    terminal.keys("q");
    assert_eq!(terminal.ended(), 130);
    assert!(terminal.is_clean());
}

#[test]
fn the_terminal_is_clean_after_signals() {
    for (signals, code) in [
        (&[libc::SIGTERM][..], 130),
        (&[libc::SIGINT], 130),
        (&[libc::SIGHUP], 130),
        (&[libc::SIGTERM, libc::SIGTERM], 130),
    ] {
        let place = place();
        let mut terminal = live(&place);
        signals.iter().for_each(|signal| terminal.signal(*signal));
        assert_eq!(terminal.ended(), code, "{signals:?}");
        assert!(terminal.is_clean(), "{signals:?}: {}", terminal.screen());
    }
}

#[test]
fn a_run_that_is_stopped_and_goes_on_gives_the_terminal_back_meanwhile() {
    let place = place();
    let mut terminal = live(&place);
    terminal.keys("\x1a");
    terminal.wait_until("the terminal is clean", Terminal::is_clean);
    // As a shell does: a program that has yet to stop is not continued.
    terminal.wait_until("it is stopped", Terminal::is_stopped);
    terminal.signal(libc::SIGCONT);
    terminal.wait_until("the view is back", |it| !it.is_clean());
    terminal.wait_for(&["prog.c", "last edits"]);
    go(&place);
    assert_eq!(terminal.ended(), 0);
    assert!(terminal.is_clean());
}

#[test]
fn without_a_view_there_are_lines() {
    for (args, variables) in [(&["--no-tui"][..], &[][..]), (&[], &[("TERM", "dumb")])] {
        let place = place();
        let mut terminal = watched(&place, args, variables, (100, 30));
        go(&place);
        assert_eq!(terminal.ended(), 0);
        let written = terminal.written();
        assert!(!written.contains("\x1b[?"), "{written}");
        assert!(written.contains("lop: prog.c ") && written.contains(" gone), "), "{written}");
        assert!(written.contains("nothing more can be removed"), "{written}");
    }
    let place = place();
    go(&place);
    let output = finished(start(
        place.command(env!("CARGO_BIN_EXE_lop")).args(["./test.sh", "prog.c"]).env("TERM", "xterm"),
    ));
    output.expect(0, &["lop: prog.c ", "nothing more can be removed"]);
    assert!(!output.stderr.contains('\x1b'), "{}", output.stderr);
}

#[test]
fn no_color_means_no_colours() {
    /// The codes of colours among those of styles.
    fn colours(written: &str) -> Vec<String> {
        let sequences = written.split("\x1b[").skip(1).filter_map(|it| {
            let end = it.find(|char: char| char.is_ascii_alphabetic())?;
            it[end..].starts_with('m').then(|| &it[..end])
        });
        let codes = sequences.flat_map(|it| it.split(';').map(str::to_owned));
        codes.filter(|code| code.len() > 1 && code != "39" && code != "49").collect()
    }
    for (variables, has_colours) in [(&[("NO_COLOR", "1")][..], false), (&[], true)] {
        let place = place();
        let mut terminal = watched(&place, &[], variables, (100, 30));
        terminal.wait_for(&["last edits", "- int f"]);
        terminal.keys("q");
        terminal.ended();
        let colours = colours(&terminal.written());
        assert_eq!(!colours.is_empty(), has_colours, "{colours:?}");
    }
}

#[test]
fn a_result_that_is_printed_is_not_printed_on_the_view() {
    let place = place();
    let mut terminal = watched(&place, &["-o", "-"], &[], (100, 30));
    go(&place);
    assert_eq!(terminal.ended(), 0);
    let screen = terminal.screen();
    assert!(
        screen.contains("needle") && screen.contains("result:     standard output"),
        "{screen}"
    );
}
