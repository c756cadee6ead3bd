//! The hunks of a diff: their headers say how many lines they have of the old and of the new file.

use crate::text::{Candidate, Text};

/// Recounts the lines of hunks, unless the counts of the base are wrong: that may be the bug's cause.
pub(super) fn repair(candidate: Candidate) -> Candidate {
    if candidate.edits().is_empty() || recounted(candidate.base()) != **candidate.base() {
        return candidate;
    }
    let text = candidate.bytes();
    let repaired = recounted(&text);
    if repaired == text { candidate } else { Candidate::whole(&Text::new(repaired)) }
}

/// Whether a line and the next one name the two files of a difference.
pub(super) fn are_files(line: &[u8], after: &[u8]) -> bool {
    line.starts_with(b"--- ") && after.starts_with(b"+++ ")
}

/// The diff with the right counts.
fn recounted(text: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut counted = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(header) = Header::read(line) else {
            counted.extend(*line);
            continue;
        };
        let body = &lines[at..];
        let is_inside = |index: &usize| {
            let after = body.get(index + 1).copied().unwrap_or_default();
            matches!(body[*index][0], b' ' | b'+' | b'-' | b'\\') && !are_files(body[*index], after)
        };
        let length = (0..body.len()).take_while(is_inside).count();
        let count = |other: u8| {
            body[..length].iter().filter(|line| line[0] != other && line[0] != b'\\').count()
        };
        counted.extend(header.with([count(b'+'), count(b'-')]));
        counted.extend(body[..length].concat());
        at += length;
    }
    counted
}

/// The header of a hunk: `@@ -1,2 +3,4 @@`, and maybe more.
struct Header<'l> {
    /// For the old and the new file: the first line, and the number of lines, which is omitted if it is 1.
    ranges: [(&'l str, Option<&'l str>); 2],
    rest: &'l [u8],
}

impl<'l> Header<'l> {
    fn read(line: &'l [u8]) -> Option<Self> {
        let line = line.strip_prefix(b"@@ -")?;
        let end = line.windows(3).position(|window| window == b" @@")?;
        let (old, new) = str::from_utf8(&line[..end]).ok()?.split_once(" +")?;
        let range = |range: &'l str| {
            let (first, count) = match range.split_once(',') {
                Some((first, count)) => (first, Some(count)),
                None => (range, None),
            };
            let is_number = |word: &str| word.parse::<usize>().is_ok();
            (is_number(first) && count.is_none_or(is_number)).then_some((first, count))
        };
        Some(Header { ranges: [range(old)?, range(new)?], rest: &line[end..] })
    }

    /// The header with other counts.
    fn with(&self, counts: [usize; 2]) -> Vec<u8> {
        let range = |((first, before), count): (&(&str, Option<&str>), usize)| match before {
            None if count == 1 => (*first).to_owned(),
            _ => format!("{first},{count}"),
        };
        let [old, new] = [0, 1].map(|side| range((&self.ranges[side], counts[side])));
        [format!("@@ -{old} +{new}").as_bytes(), self.rest].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, cut: &str, expected: &str) {
        let start = text.find(cut).unwrap();
        let text = Text::new(text.into());
        let candidate = Candidate::without(&text, std::iter::once(start..start + cut.len()));
        assert_eq!(String::from_utf8(repair(candidate).bytes()).unwrap(), expected);
    }

    #[test]
    fn lines_of_hunks_are_counted_anew() {
        let diff = "--- a\n+++ b\n@@ -1,3 +1,2 @@ f\n a\n-b\n c\n@@ -9 +8,2 @@\n-x\n+y\n+z\n";
        check(diff, "-b\n", &diff.replace("-1,3", "-1,2").replace("-b\n", ""));
        check(diff, " c\n", &diff.replace("-1,3 +1,2", "-1,2 +1,1").replace(" c\n", ""));
        check(diff, "+z\n", &diff.replace("+8,2", "+8,1").replace("+z\n", ""));
        check(diff, "-x\n", &diff.replace("-9 ", "-9,0 ").replace("-x\n", ""));
        check(diff, "--- a\n", &diff.replace("--- a\n", ""));
    }

    #[test]
    fn counts_that_were_wrong_stay_wrong() {
        let diff = "@@ -1,7 +1 @@\n-a\n+b\n+c\n";
        check(diff, "+c\n", "@@ -1,7 +1 @@\n-a\n+b\n");
    }
}
