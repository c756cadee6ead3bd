//! Tables: aligned for a terminal, or as Markdown.

use std::fmt;

use console::{Alignment, pad_str, style};

/// A header and rows of cells, some of which are marked.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// The columns with texts, which are aligned to the left; the first one is such a column.
    texts: Vec<usize>,
}

struct Cell {
    text: String,
    marked: bool,
}

impl Table {
    pub(crate) fn new<'h>(header: impl IntoIterator<Item = &'h str>) -> Self {
        let header = header.into_iter().map(str::to_owned).collect();
        Table { header, rows: Vec::new(), texts: vec![0] }
    }

    /// Notes that another column also has texts, instead of numbers.
    pub(crate) fn has_texts(&mut self, column: usize) {
        self.texts.push(column);
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|text| Cell { text, marked: false }).collect());
    }

    /// Marks a cell, which is then printed in bold.
    pub(crate) fn mark(&mut self, row: usize, column: usize) {
        self.rows[row][column].marked = true;
    }

    /// The table as Markdown; the first column has names, the others have numbers.
    pub(crate) fn to_markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.used(|column| self.header[column].clone()));
        text += &line(
            self.used(|column| if self.texts.contains(&column) { "---" } else { "---:" }.into()),
        );
        for row in &self.rows {
            text += &line(self.used(|column| match (&row[column], column) {
                // Names are code, so that Markdown does not interpret their stars.
                (Cell { text, .. }, 0) => format!("`{text}`"),
                (Cell { text, marked: true }, _) => format!("**{text}**"),
                (Cell { text, .. }, _) => text.clone(),
            }));
        }
        text.trim_end().into()
    }

    /// The cells of a row, without the columns that are empty in all rows.
    fn used(&self, cell: impl Fn(usize) -> String) -> Vec<String> {
        let is_used = |column: &usize| self.rows.iter().any(|row| !row[*column].text.is_empty());
        (0..self.header.len()).filter(is_used).map(cell).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].text.as_str());
            let texts = cells.chain([self.header[column].as_str()]);
            texts.map(console::measure_text_width).max().unwrap_or(0)
        };
        let pad = |text: &str, column: usize| {
            let is_text = self.texts.contains(&column);
            let side = if is_text { Alignment::Left } else { Alignment::Right };
            pad_str(text, width(column), side, None).into_owned()
        };
        let header = self.used(|column| style(pad(&self.header[column], column)).dim().to_string());
        writeln!(f, "{}", header.join("  ").trim_end())?;
        for (index, row) in self.rows.iter().enumerate() {
            let cells = self.used(|column| {
                let text = style(pad(&row[column].text, column));
                if row[column].marked { text.green().bold().to_string() } else { text.to_string() }
            });
            let end = if index + 1 == self.rows.len() { "" } else { "\n" };
            write!(f, "{}{end}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let mut table = Table::new(["name", "size", "note"]);
        table.row(["hdd*".into(), "1,234".into(), String::new()]);
        table.row(["hoist*+hdd*".into(), "56".into(), String::new()]);
        table.mark(1, 1);
        table
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let plain = console::strip_ansi_codes(&example().to_string()).into_owned();
        assert_eq!(plain, "name          size\nhdd*         1,234\nhoist*+hdd*     56");
    }

    #[test]
    fn markdown_has_marked_cells_in_bold() {
        let expected =
            "| name | size |\n| --- | ---: |\n| `hdd*` | 1,234 |\n| `hoist*+hdd*` | **56** |";
        assert_eq!(example().to_markdown(), expected);
    }
}
