//! The panels of the live view: the lines of each, for the available room.

use std::time::Instant;

use lop::Testing;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::chart::Chart;
use super::diff::{Line as Edited, Mark, Part};
use super::draw::Picture;
use super::state::{PhaseGain, State, Step};
use super::text::first_lines;
use crate::view::{clock, number, several};

/// Parts of a cell, from the left.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A panel to be drawn.
pub(super) struct Panel<'p> {
    pub(super) title: String,
    /// The text in its lower border.
    pub(super) below: Option<String>,
    pub(super) content: Content<'p>,
    pub(super) title_style: Style,
    pub(super) border: Style,
    /// The number of its lines.
    lines: usize,
}

/// The content of a panel.
pub(super) enum Content<'p> {
    /// Lines for a width and a height.
    Lines(Box<dyn FnOnce(u16, u16) -> Vec<Line<'p>> + 'p>),
    Chart(Chart<'p>),
}

impl<'p> Panel<'p> {
    fn new(picture: &Picture, title: impl Into<String>, content: Content<'p>) -> Self {
        let (title_style, border) =
            (picture.bold().remove_modifier(Modifier::DIM), picture.faint());
        Panel { title: title.into(), below: None, content, title_style, border, lines: 0 }
    }

    /// The number of rows that it needs, with its borders.
    pub(super) fn rows(&self) -> u16 {
        self.lines as u16 + 2
    }
}

/// The size over time.
pub(super) fn chart<'p>(state: &'p State, picture: &Picture) -> Panel<'p> {
    let now = state.elapsed();
    let chart = Chart {
        curve: &state.curve,
        now,
        area: picture.colour(Color::Green),
        label: picture.faint(),
    };
    let below = Some(clock(now));
    let title = format!("{} over time", state.unit());
    Panel { below, ..Panel::new(picture, title, Content::Chart(chart)) }
}

/// The phases with their gains, the running one first and then those that gained most.
pub(super) fn phases<'p>(state: &'p State, picture: &'p Picture) -> Panel<'p> {
    let current = state.current();
    let is_current = move |phase: &PhaseGain| current.is_some_and(|it| it.name == phase.name);
    let mut phases: Vec<&PhaseGain> = state.phases.iter().collect();
    phases.sort_by_key(|phase| (!is_current(phase), std::cmp::Reverse(phase.gone)));
    let most = phases.iter().map(|phase| phase.gone).max().unwrap_or(0).max(1);
    let lines = move |width: u16, height: u16| {
        let width = usize::from(width);
        let names = phases.iter().map(|phase| phase.name.chars().count()).max().unwrap_or(0);
        // The remaining width is for the bar.
        let bar = width.saturating_sub(names + 2 + 9 + 12).min(16);
        let row = |phase: &&PhaseGain| {
            let gone = match phase.gone {
                0 => "–".to_owned(),
                gone => format!("−{}", number(gone)),
            };
            let tests = several(phase.tests, "test");
            let (mark, style) = match (is_current(phase), phase.is_skipped) {
                (true, _) => ("▶ ", picture.colour(Color::Cyan).patch(picture.bold())),
                (_, true) => ("» ", Style::new()),
                _ if phase.gone == 0 => ("  ", picture.faint()),
                _ => ("  ", Style::new()),
            };
            let eighths = (phase.gone as f64 / most as f64 * bar as f64 * 8.0).ceil() as usize;
            let bar = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
            let columns = width.saturating_sub(names + 2);
            let figures = match columns {
                0..9 => String::new(),
                9..22 => format!("{gone:>9}"),
                _ => format!("{tests:>12}{gone:>9}"),
            };
            Line::from(vec![
                Span::styled(format!("{mark}{:<names$}", phase.name), style),
                Span::styled(figures, if phase.gone == 0 { picture.faint() } else { Style::new() }),
                Span::styled(format!(" {bar}"), picture.colour(Color::Green)),
            ])
        };
        phases.iter().take(usize::from(height)).map(row).collect()
    };
    let title = format!("phases, {} removed", state.unit());
    Panel::new(picture, title, Content::Lines(Box::new(lines)))
}

/// The tests of the workers.
pub(super) fn workers<'p>(state: &'p State, picture: &'p Picture) -> Panel<'p> {
    let count = state.workers;
    let test = |slot: usize| picture.tests.get(slot).copied().flatten();
    let busy = (0..count).filter(|slot| test(*slot).is_some()).count();
    let lines = move |_: u16, height: u16| {
        let height = usize::from(height);
        let shown = if count > height { height.saturating_sub(1) } else { count };
        let row = |slot: usize| {
            let number = Span::styled(format!("{:>2} ", slot + 1), picture.faint());
            let doing = match test(slot) {
                Some(test) => Span::raw(testing(&test, state)),
                None if picture.is_paused => Span::styled("paused", picture.faint()),
                None => Span::styled("no test", picture.faint()),
            };
            Line::from(vec![number, doing])
        };
        let mut rows: Vec<Line<'_>> = (0..shown).map(row).collect();
        if shown < count {
            rows.push(Line::styled(format!("   … and {} more", count - shown), picture.faint()));
        }
        rows
    };
    let title = format!("workers, {busy} of {count} testing");
    Panel { lines: count, ..Panel::new(picture, title, Content::Lines(Box::new(lines))) }
}

/// The test of a worker: how much shorter the candidate is, and from which line on.
fn testing(test: &Testing, state: &State) -> String {
    let time = clock(Instant::now().saturating_duration_since(test.since));
    let Some(best) = &state.best else { return time };
    let change = match best.len() as i64 - test.bytes as i64 {
        0 => "as long".to_owned(),
        less if less > 0 => format!("−{}", several(less as u64, "byte")),
        more => format!("+{}", several(more.unsigned_abs(), "byte")),
    };
    let at = test.at.map(|at| at.min(best.len()));
    let line = at.map(|at| 1 + best[..at].iter().filter(|byte| **byte == b'\n').count());
    let line = line.map_or(String::new(), |line| format!(" from line {}", number(line as u64)));
    format!("{change}{line} · {time}")
}

/// The last accepted edits.
pub(super) fn edits<'p>(state: &'p State, picture: &'p Picture) -> Panel<'p> {
    let lines = move |_: u16, height: u16| edit_lines(state, picture, 0, usize::from(height));
    Panel::new(picture, "last edits", Content::Lines(Box::new(lines)))
}

/// All known accepted edits, from a line on.
pub(super) fn all_edits<'p>(state: &'p State, picture: &'p Picture, from: usize) -> Panel<'p> {
    let all = state.edit_lines();
    let lines = move |_: u16, height: u16| {
        let height = usize::from(height);
        edit_lines(state, picture, from.min(all.saturating_sub(height)), height)
    };
    let below = Some("↑ ↓ scroll, Esc back".into());
    let title = "accepted edits, the last one first";
    Panel { below, ..Panel::new(picture, title, Content::Lines(Box::new(lines))) }
}

fn edit_lines<'p>(state: &'p State, picture: &Picture, from: usize, most: usize) -> Vec<Line<'p>> {
    if state.steps.is_empty() {
        return vec![Line::styled("none yet", picture.faint())];
    }
    let step = |step: &'p Step| {
        let head = Line::styled(step.head.as_str(), picture.bold());
        std::iter::once(head).chain(step.lines.iter().map(|line| edited(line, picture)))
    };
    state.steps.iter().rev().flat_map(step).skip(from).take(most).collect()
}

fn edited<'p>(line: &'p Edited, picture: &Picture) -> Line<'p> {
    let (removed, added) = (picture.colour(Color::Red), picture.colour(Color::Green));
    let mark = match line.mark {
        Mark::Removed => Span::styled("- ", removed),
        Mark::Added => Span::styled("+ ", added),
        Mark::Changed => Span::raw("~ "),
    };
    let is_changed = line.mark == Mark::Changed;
    let part = |(part, text): &'p (Part, String)| match (part, picture.has_colours) {
        (Part::Kept, _) => Span::raw(text),
        (Part::Removed, true) if is_changed => {
            Span::styled(text, removed.add_modifier(Modifier::CROSSED_OUT))
        }
        (Part::Removed, true) => Span::styled(text, removed),
        (Part::Added, true) => Span::styled(text, added),
        // Marked as wdiff does.
        (Part::Removed, false) if is_changed => Span::raw(format!("[-{text}-]")),
        (Part::Added, false) if is_changed => Span::raw(format!("{{+{text}+}}")),
        _ => Span::raw(text),
    };
    Line::from(std::iter::once(mark).chain(line.parts.iter().map(part)).collect::<Vec<_>>())
}

/// The first lines of the best.
pub(super) fn best<'p>(state: &'p State, picture: &'p Picture) -> Panel<'p> {
    let lines = move |_: u16, height: u16| {
        let lines = state.best.as_ref().map(|best| first_lines(best, usize::from(height)));
        let line = |(number, text): (String, String)| {
            Line::from(vec![Span::styled(format!("{number} "), picture.faint()), Span::raw(text)])
        };
        lines.unwrap_or_default().into_iter().map(line).collect()
    };
    let bytes = state.best.as_ref().map_or(0, |best| best.len());
    let title = format!("best, {}", several(bytes as u64, "byte"));
    Panel::new(picture, title, Content::Lines(Box::new(lines)))
}
