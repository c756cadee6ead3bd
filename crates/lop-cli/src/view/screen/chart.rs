//! The size over time, as an area: time to the right, the logarithm of the size upwards.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::view::number;

/// Parts of a cell, from the bottom up.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// A curve of sizes until now.
pub(super) struct Chart<'c> {
    /// The size at each improvement, by seconds.
    pub(super) curve: &'c [(f64, f64)],
    pub(super) now: Duration,
    pub(super) area: Style,
    pub(super) label: Style,
}

impl Chart<'_> {
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let (Some((_, first)), Some((_, last))) = (self.curve.first(), self.curve.last()) else {
            return;
        };
        // The area does not vanish at its lower end.
        let (low, high) = ((last.max(1.0) / 2.0).ln(), first.max(2.0).ln());
        let height = |size: f64| (size.max(1.0).ln() - low) / (high - low);
        let labels = labels(*first, *last, area.height, height);
        let width = labels.iter().map(|(_, label)| label.len() as u16).max().unwrap_or(0) + 1;
        if area.width < width + 4 {
            return;
        }
        for (row, label) in &labels {
            let x = area.x + width - 1 - label.len() as u16;
            buffer.set_string(x, area.y + row, label, self.label);
        }
        let columns = area.width - width;
        let mut index = 0;
        for column in 0..columns {
            let until = self.now.as_secs_f64() * f64::from(column + 1) / f64::from(columns);
            while self.curve.get(index + 1).is_some_and(|(at, _)| *at <= until) {
                index += 1;
            }
            let eighths = height(self.curve[index].1) * f64::from(area.height) * 8.0;
            let eighths = (eighths.round() as usize).max(1);
            for row in 0..area.height {
                let below = usize::from(area.height - 1 - row) * 8;
                let part = EIGHTHS[eighths.saturating_sub(below).min(8)];
                buffer.set_string(area.x + width + column, area.y + row, part, self.area);
            }
        }
    }
}

/// The rows of the first and the last size, and of as many powers of ten between them as have room.
fn labels(first: f64, last: f64, rows: u16, height: impl Fn(f64) -> f64) -> Vec<(u16, String)> {
    let row = |size: f64| {
        let from_below = (height(size) * f64::from(rows)).ceil() as u16;
        rows - from_below.clamp(1, rows)
    };
    let mut labels = vec![(row(first), number(first as u64))];
    let powers = (0..18).rev().map(|exponent| 10f64.powi(exponent));
    for size in [last].into_iter().chain(powers.filter(|power| *power < first && *power > last)) {
        if labels.iter().all(|(each, _)| each.abs_diff(row(size)) > 1) {
            labels.push((row(size), number(size as u64)));
        }
    }
    labels
}
