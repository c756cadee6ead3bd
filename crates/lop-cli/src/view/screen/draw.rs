//! Draws the live view, at any size: the more room there is, the more it shows.

use lop::Testing;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

use super::keys::KEYS;
use super::panels::{self, Panel};
use super::state::State;
use crate::view::{clock, number, percent_gone, several, wrapped};

/// From this width on there are two columns.
const TWO_COLUMNS: u16 = 72;

/// The help besides the keys.
const MORE: [(&str, &str); 2] = [
    ("", "Ctrl-C stops, too; a second one does not wait for running tests."),
    ("", "--no-tui prints lines instead of this view."),
];

/// The facts to draw besides the state of a run.
pub(super) struct Picture {
    pub(super) page: Page,
    pub(super) is_paused: bool,
    pub(super) is_stopping: bool,
    /// The test of each worker.
    pub(super) tests: Vec<Option<Testing>>,
    pub(super) has_colours: bool,
}

/// The page that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The whole run.
    Run,
    /// The accepted edits from this line on.
    Diff(usize),
    Help,
}

impl Picture {
    /// A style with a colour, if there are colours.
    pub(super) fn colour(&self, color: Color) -> Style {
        if self.has_colours { Style::new().fg(color) } else { Style::new() }
    }

    pub(super) fn bold(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(super) fn faint(&self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }
}

/// Draws the view.
pub(super) fn draw(frame: &mut Frame<'_>, state: &State, picture: &Picture) {
    let area = frame.area();
    let head = head(state, picture, area);
    let heights = [
        Constraint::Length(head.len() as u16),
        Constraint::Fill(1),
        Constraint::Length(u16::from(area.height > 3)),
    ];
    let [top, body, bottom] = area.layout(&Layout::vertical(heights));
    frame.render_widget(Paragraph::new(head), top);
    frame.render_widget(keys(picture, bottom.width), bottom);
    match picture.page {
        Page::Diff(at) => panels::all_edits(state, picture, at).draw(frame, body),
        Page::Run | Page::Help => draw_body(frame, body, state, picture),
    }
    if picture.page == Page::Help {
        draw_help(frame, area);
    }
}

/// The sizes, and the progress.
fn head<'s>(state: &'s State, picture: &Picture, area: Rect) -> Vec<Line<'s>> {
    let what = match (picture.is_stopping, picture.is_paused) {
        (true, _) => Span::styled(" stopping … ", picture.colour(Color::Yellow).bold_reversed()),
        (_, true) => Span::styled(" paused ", picture.colour(Color::Yellow).bold_reversed()),
        _ => Span::raw(""),
    };
    let mut first = vec![
        Span::styled(" lop ", picture.colour(Color::Cyan).bold_reversed()),
        Span::raw(" "),
        Span::styled(&state.name, picture.bold()),
        Span::raw("  "),
        what,
    ];
    let Some(original) = state.course.original() else {
        first.push(Span::raw(&state.status));
        return vec![Line::from(first)];
    };
    let green = picture.colour(Color::Green);
    let now = state.course.now();
    let (before, left) = state.sizes();
    let change = |from: usize, to: usize| {
        [format!("{} → ", number(from as u64)), number(to as u64)].map(Span::raw)
    };
    let [from, to] = change(before, left);
    let tokens =
        vec![from, to.style(green.patch(picture.bold())), format!(" {}", state.unit()).into()];
    let gone = vec![Span::styled(percent_gone(before, left), green), " gone".into()];
    let [from, to] = change(original.bytes, now.bytes);
    let bytes = vec![from, to, " bytes".into()];
    let sizes = fitting([tokens, gone, bytes], "  ", area.width);
    let mut lines = vec![Line::from(first), sizes];
    if area.height >= 5 {
        lines.push(work(state, picture, area.width));
    }
    let outlook = state.course.outlook().map(|outlook| outlook.replace("Ctrl-C", "q"));
    if let Some(last) = outlook.or_else(|| state.notes.back().cloned())
        && area.height >= 16
    {
        lines.push(Line::styled(format!(" {last}"), picture.colour(Color::Yellow)));
    }
    lines
}

fn work<'s>(state: &State, picture: &Picture, width: u16) -> Line<'s> {
    let counts = state.course.counts();
    let rate = state.rate();
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { number(rate as u64) };
    let success = match (state.course.since_success(), state.since_success()) {
        (Some(tests), Some(time)) => {
            format!("last success {}, {} ago", several(tests, "test"), clock(time))
        }
        _ => "no success yet".into(),
    };
    let asked = (counts.hits + counts.tests).max(1);
    let phase = Span::styled(state.course.phase().to_owned(), picture.colour(Color::Cyan));
    let others = [
        several(counts.tests, "test"),
        format!("{rate}/s"),
        clock(state.elapsed()),
        format!("{} cached ({} %)", number(counts.hits), 100 * counts.hits / asked),
        success,
    ];
    let others = others.map(|part| vec![Span::raw(part)]);
    fitting([vec![phase]].into_iter().chain(others), " · ", width)
}

/// As many parts of a line as fit.
fn fitting<'s>(
    parts: impl IntoIterator<Item = Vec<Span<'s>>>,
    between: &'static str,
    width: u16,
) -> Line<'s> {
    let mut line = Line::from(" ");
    for (index, part) in parts.into_iter().enumerate() {
        let between = Span::raw(if index > 0 { between } else { "" });
        let more: usize = part.iter().chain([&between]).map(Span::width).sum();
        if index > 0 && line.width() + more > usize::from(width) {
            break;
        }
        line.push_span(between);
        line.extend(part);
    }
    line
}

/// The panels that have room, in one or two columns.
fn draw_body(frame: &mut Frame<'_>, area: Rect, state: &State, picture: &Picture) {
    if state.course.original().is_none() {
        return;
    }
    let workers = panels::workers(state, picture);
    if area.width >= TWO_COLUMNS && area.height >= 12 {
        let upper = (area.height * 2 / 5).clamp(6, 14);
        let rows = area.layout(&Layout::vertical([upper, area.height - upper]));
        let [above, below]: [Rect; 2] = rows;
        let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]);
        let [left, right] = above.layout(&halves);
        panels::chart(state, picture).draw(frame, left);
        panels::phases(state, picture).draw(frame, right);
        let [left, right] = below.layout(&halves);
        panels::edits(state, picture).draw(frame, left);
        let height = workers.rows().min(right.height / 2);
        let [above, below] = right.layout(&Layout::vertical([height, right.height - height]));
        workers.draw(frame, above);
        panels::best(state, picture).draw(frame, below);
        return;
    }
    // As many as fit, the most informative first, drawn from the size to the text.
    let few = workers.rows().min(6);
    let wanted = [(3, 4), (1, 4), (0, 5), (2, few), (4, 4)];
    let mut heights = [0; 5];
    let mut room = area.height;
    for (panel, least) in wanted {
        if room < least {
            break;
        }
        heights[panel] = least;
        room -= least;
    }
    if heights == [0; 5] {
        panels::edits(state, picture).draw_bare(frame, area);
        return;
    }
    let constraints = heights.map(|least| match least {
        0 => Constraint::Length(0),
        least => Constraint::Min(least),
    });
    let areas: [Rect; 5] = area.layout(&Layout::vertical(constraints));
    let panels = [
        panels::chart(state, picture),
        panels::phases(state, picture),
        workers,
        panels::edits(state, picture),
        panels::best(state, picture),
    ];
    for (panel, area) in panels.into_iter().zip(areas) {
        panel.draw(frame, area);
    }
}

/// The last line: as many words as fit.
fn keys<'k>(picture: &Picture, width: u16) -> Line<'k> {
    let line = |words: fn(&'static str) -> &'static str, blanks: &str| {
        let key = |key: &super::keys::Key| {
            let style =
                if blanks.is_empty() { picture.bold() } else { Style::new().bold_reversed() };
            let name = Span::styled(format!("{blanks}{}{blanks}", key.name), style);
            [name, Span::styled(format!(" {} {blanks}", words(key.short)), picture.faint())]
        };
        Line::from(KEYS.iter().flat_map(key).collect::<Vec<_>>())
    };
    let first_word = |short: &'static str| short.split([' ', ',']).next().unwrap_or_default();
    let names = line(|_| "", "");
    let lines = [line(|short| short, " "), line(first_word, " "), line(first_word, "")];
    let fits = |line: &Line<'_>| line.width() <= usize::from(width) + 1;
    lines.into_iter().find(fits).unwrap_or(names)
}

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let width = area.width.min(78);
    let columns = usize::from(width).saturating_sub(8);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (name, about) in KEYS.iter().map(|key| (key.name, key.about)).chain(MORE) {
        for (index, text) in wrapped(about, columns).lines().enumerate() {
            let name = match (index, name) {
                (0, name) if !name.is_empty() => {
                    Span::styled(format!(" {name} "), Style::new().bold_reversed())
                }
                _ => Span::raw("   "),
            };
            lines.push(Line::from(vec![name, Span::raw(format!(" {text}"))]));
        }
    }
    let height = (lines.len() as u16 + 2).min(area.height);
    let (x, y) = ((area.width - width) / 2, (area.height - height) / 2);
    let area = Rect { x: area.x + x, y: area.y + y, width, height };
    frame.render_widget(Clear, area);
    let block = Block::bordered().border_type(BorderType::Rounded).title(" keys ");
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Bold letters on the colour as background.
trait Reversed {
    fn bold_reversed(self) -> Style;
}

impl Reversed for Style {
    fn bold_reversed(self) -> Style {
        self.add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }
}

impl Panel<'_> {
    /// Draws it in a frame.
    fn draw(self, frame: &mut Frame<'_>, area: Rect) {
        if area.height < 3 {
            self.draw_bare(frame, area);
            return;
        }
        let mut block = Block::bordered()
            .border_type(BorderType::Rounded)
            .border_style(self.border)
            .title(Line::styled(format!(" {} ", self.title), self.title_style));
        if let Some(below) = &self.below {
            block =
                block.title_bottom(Line::styled(format!(" {below} "), self.border).right_aligned());
        }
        let inner = block.inner(area);
        frame.render_widget(block, area);
        self.draw_bare(frame, inner);
    }

    /// Draws its content.
    fn draw_bare(self, frame: &mut Frame<'_>, area: Rect) {
        if area.is_empty() {
            return;
        }
        match self.content {
            panels::Content::Lines(lines) => {
                let lines: Vec<_> = lines(area.width, area.height);
                frame.render_widget(Paragraph::new(lines), area);
            }
            panels::Content::Chart(chart) => chart.draw(area, frame.buffer_mut()),
        }
    }
}
