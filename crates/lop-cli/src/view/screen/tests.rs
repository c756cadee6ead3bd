//! The drawing at several sizes, and the terminal after a panic.

#[path = "../../../tests/common/terminal.rs"]
mod pseudo;

use std::process::{Child, Command};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lop::{Control, Counts, Event, Size};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use super::draw::{self, Page, Picture};
use super::state::State;
use super::terminal::{ENTER, enter, say};

const BEFORE: &str = "int unused;\nint f(int x) {\n  return x;\n}\nint main() { return f(1); }\n";
const BETWEEN: &str = "int f(int x) {\n  return x;\n}\nint main() { return f(1); }\n";
const AFTER: &str = "int f(int x) {\n  return x;\n}\nint main() { f(1); }\n";

fn size(text: &str, tokens: usize) -> Size {
    let mut size = Size::default();
    (size.tokens, size.characters, size.bytes) = (tokens, text.len(), text.len());
    size
}

fn counts(tests: u64, seconds: u64) -> Counts {
    let mut counts = Counts::default();
    (counts.tests, counts.executed, counts.hits) = (tests, tests, tests / 4);
    counts.elapsed = Duration::from_secs(seconds);
    counts
}

fn started() -> Event {
    Event::Started {
        size: size(BEFORE, 1234),
        choices: None,
        workers: 2,
        strategy: "default".into(),
        text: Arc::new(BEFORE.into()),
    }
}

fn phase(name: &str, tests: u64) -> Event {
    let (size, counts) = (size(BEFORE, 1234), counts(tests, tests));
    Event::Phase { name: name.into(), number: Some(1), of: Some(22), size, counts }
}

fn improved(phase: &str, text: &str, tokens: usize, tests: u64) -> Event {
    Event::Improved {
        size: size(text, tokens),
        choices: None,
        phase: phase.into(),
        text: Arc::new(text.into()),
        counts: counts(tests, tests),
    }
}

/// A run that has removed something in two phases, the first of which was skipped.
fn events() -> Vec<Event> {
    vec![
        Event::Note { text: "a note".into() },
        started(),
        phase("scythe", 0),
        improved("scythe", BETWEEN, 900, 3),
        Event::Skipped { phase: "scythe".into(), counts: counts(10, 10) },
        phase("lift", 10),
        improved("lift", AFTER, 55, 14),
        Event::Progress { counts: counts(20, 20) },
    ]
}

fn picture(page: Page) -> Picture {
    Picture {
        page,
        is_paused: false,
        is_stopping: false,
        tests: Control::default().tests(),
        has_colours: true,
    }
}

fn drawn(events: &[Event], picture: &Picture, columns: u16, rows: u16) -> Buffer {
    let state = Mutex::new(State::new("prog.c".into()));
    events.iter().for_each(|event| state.lock().unwrap().event(event));
    State::compare(&state);
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let state = state.into_inner().unwrap();
    terminal.draw(|frame| draw::draw(frame, &state, picture)).unwrap();
    terminal.backend().buffer().clone()
}

fn lines(buffer: &Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width);
    let row = |row: &[ratatui::buffer::Cell]| row.iter().map(|cell| cell.symbol()).collect();
    buffer.content.chunks(width).map(row).collect()
}

#[track_caller]
fn check(buffer: &Buffer, essentials: &[&str]) {
    let text = lines(buffer).join("\n");
    for essential in essentials {
        assert!(text.contains(essential), "no `{essential}` in:\n{text}");
    }
}

#[test]
fn a_large_window_shows_everything() {
    for (columns, rows) in [(120, 40), (80, 24)] {
        let buffer = drawn(&events(), &picture(Page::Run), columns, rows);
        check(
            &buffer,
            &[
                "prog.c",
                "1,234 → 55 tokens  95.5 % gone  69 → 50 bytes",
                "lift (1 of 22) · 20 tests · ",
                "5 cached (20 %)",
                "note: a note",
                "tokens over time",
                "1,234",
                "█",
                "▶ lift",
                "10 tests     −845",
                "» scythe",
                "−334",
                "workers, 0 of 2 testing",
                "1 no test",
                "2 · lift · −845 tokens",
                "~ int main() { return f(1); }",
                "- int unused;",
                "best, 50 bytes",
                "   1 int f(int x) {",
                "q  quit, keep the best",
            ],
        );
    }
}

#[test]
fn what_was_removed_is_red() {
    let buffer = drawn(&events(), &picture(Page::Run), 120, 40);
    let red: String =
        buffer.content.iter().filter(|cell| cell.fg == Color::Red).map(|it| it.symbol()).collect();
    assert_eq!(red, "return - int unused;");
}

#[test]
fn without_colours_the_same_is_said_by_marks() {
    let picture = Picture { has_colours: false, ..picture(Page::Run) };
    let buffer = drawn(&events(), &picture, 120, 40);
    check(&buffer, &["~ int main() { [-return -]f(1); }", "- int unused;"]);
    assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
}

#[test]
fn small_windows_show_what_has_room() {
    let buffer = drawn(&events(), &picture(Page::Run), 40, 12);
    check(&buffer, &["1,234 → 55 tokens  95.5 % gone ", "last edits", "▶ lift", "p pause s skip"]);
    let buffer = drawn(&events(), &picture(Page::Run), 20, 5);
    check(&buffer, &["prog.c", "1,234 → 55 tokens", "2 · lift"]);
}

#[test]
fn any_window_can_be_drawn_on_at_any_time() {
    let events = events();
    for count in 0..=events.len() {
        let sizes = [1, 2, 3, 4, 5, 7, 12, 19, 30, 71, 72, 90];
        for (columns, rows) in
            sizes.iter().flat_map(|size| [(*size, 1), (*size, 4), (20, *size), (90, *size)])
        {
            for page in [Page::Run, Page::Diff(1000), Page::Help] {
                drawn(&events[..count], &picture(page), columns, rows);
            }
        }
    }
}

#[test]
fn a_pause_and_the_end_are_shown() {
    let picture = Picture { is_paused: true, ..picture(Page::Run) };
    check(&drawn(&events(), &picture, 80, 24), &["prog.c   paused ", "1 paused"]);
    let picture = Picture { is_stopping: true, ..picture };
    check(&drawn(&events(), &picture, 80, 24), &["stopping …"]);
}

#[test]
fn the_diff_and_the_help_have_pages_of_their_own() {
    let buffer = drawn(&events(), &picture(Page::Diff(0)), 60, 12);
    check(&buffer, &["2 · lift", "1 · scythe", "- int unused;", "Esc back"]);
    // Scrolling stops at the last line.
    check(&drawn(&events(), &picture(Page::Diff(99)), 60, 6), &["- int unused;"]);
    check(&drawn(&events(), &picture(Page::Help), 80, 24), &["keys", "start no test until"]);
}

#[test]
fn before_the_reduction_starts_it_is_said_what_is_done() {
    let status = Event::Status { text: "testing the original".into() };
    check(&drawn(&[status], &picture(Page::Run), 80, 24), &["prog.c  testing the original"]);
}

#[test]
fn choices_are_counted_instead_of_tokens_if_these_are_reduced() {
    let mut events = vec![started(), improved("delete", AFTER, 70, 5)];
    let [Event::Started { choices: first, .. }, Event::Improved { choices: second, .. }] =
        &mut events[..]
    else {
        unreachable!()
    };
    (*first, *second) = (Some(300), Some(40));
    let buffer = drawn(&events, &picture(Page::Run), 100, 30);
    check(&buffer, &["300 → 40 choices", "choices over time", "−260 choices"]);
}

fn spawn(command: &mut Command) -> Child {
    command.spawn().unwrap()
}

#[test]
fn the_terminal_is_clean_after_a_panic_and_shows_what_it_says() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", "view::screen::tests::panics"]);
    let mut terminal = pseudo::Terminal::start(&mut command, 80, 24);
    assert_ne!(terminal.ended(), 0);
    assert!(terminal.written().contains(ENTER), "{}", terminal.written());
    assert!(terminal.is_clean(), "{}", terminal.screen());
    let written = terminal.written();
    let (_, after) = written.split_once("\x1b[?1049l").unwrap();
    assert!(after.contains("before the panic") && after.contains("out of order"), "{after}");
}

#[test]
#[ignore = "panics, for the test above"]
fn panics() {
    assert!(enter(&AtomicBool::new(false)));
    say("before the panic");
    panic!("out of order");
}
