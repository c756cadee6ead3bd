//! PDF: objects with random dictionaries and streams, and a page tree.

use super::*;

/// Writes a file of objects; the first one is the catalog.
pub(super) fn file(objects: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = BTreeMap::new();
    for (number, value) in objects {
        places.insert(*number, file.len());
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(value);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    let size = places.keys().next_back().unwrap() + 1;
    file.extend(b"xref\n");
    let mut lines = vec!["0000000000 65535 f \n".to_owned()];
    for number in 1..=size {
        match places.get(&number) {
            Some(place) => lines.push(format!("{place:010} 00000 n \n")),
            None if lines.is_empty() => {}
            None => {
                file.extend(format!("{} {}\n", number - lines.len(), lines.len()).bytes());
                file.extend(std::mem::take(&mut lines).concat().bytes());
            }
        }
    }
    let end = format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
    file.extend(end.bytes());
    file
}

pub(super) fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("<< {entries} /Length {} >>\nstream\n", data.len());
    [head.as_bytes(), data, b"\nendstream"].concat()
}

pub(super) fn make(random: &mut Random) -> Vec<u8> {
    let pages = random.usize(1..5);
    // The catalog, the root, and a node between the root and some pages.
    let mut objects =
        vec![(1, b"<< /Type /Catalog /Pages 2 0 R /Extra [ 3 0 R 9 0 R ] >>".to_vec())];
    let inner = random.usize(..=pages);
    let list = |pages: std::ops::Range<usize>| -> String {
        pages.map(|page| format!(" {} 0 R", 10 + page)).collect()
    };
    let root = format!(
        "<< /Type /Pages /Kids [{} 3 0 R ] /Count {pages} /MediaBox [ 0 0 100 100 ] >>",
        list(inner..pages)
    );
    let node = format!("<< /Type /Pages /Parent 2 0 R /Kids[{}]/Count {inner}>>", list(0..inner));
    objects.push((2, root.into_bytes()));
    objects.push((3, node.into_bytes()));
    objects.push((4, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec()));
    for page in 0..pages {
        let parent = if page < inner { 3 } else { 2 };
        let page_object = format!(
            "<</Type/Page/Parent {parent} 0 R/Contents {} 0 R /Resources << /Font << /F1 4 0 R >> >>\n\
             /Annots [ null << /A ({}) /B <00ff> >> 4 0 R ] /Turned true >>",
            20 + page,
            "a\\)b(c)".repeat(random.usize(..3))
        );
        objects.push((10 + page, page_object.into_bytes()));
        let operation = |random: &mut Random| {
            ["q\n1 0 0 1 5 5 cm\nQ\n", "BT\n/F1 12 Tf\n(text) Tj\n[ (a) -2 (b) ] TJ\nET\n", "0 g\n"]
                [random.usize(..3)]
        };
        let content: String = (0..random.usize(..6)).map(|_| operation(random)).collect();
        objects.push((20 + page, stream("", content.as_bytes())));
    }
    for number in 30..30 + random.usize(..3) {
        objects.push((number, stream("/Some [ 4 0 R 99 0 R ]", &bytes(random, 200))));
    }
    file(&objects)
}

/// A reader of values, by recursion: the tests make none that are deep.
struct Reader<'f> {
    file: &'f [u8],
    at: usize,
}

#[derive(Debug, PartialEq)]
enum Value {
    Dictionary(BTreeMap<String, Value>),
    Array(Vec<Value>),
    Reference(usize),
    Name(String),
    Number(usize),
    Other,
}

impl Reader<'_> {
    fn space(&mut self) {
        while self.file.get(self.at).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn takes(&mut self, word: &str) -> bool {
        self.space();
        let is_here = self.file[self.at..].starts_with(word.as_bytes());
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        let at = self.at;
        self.takes(word).then_some(()).ok_or_else(|| format!("no {word} at {at}"))
    }

    fn word(&mut self) -> String {
        self.space();
        self.rest_of_word()
    }

    /// A name may have no letters.
    fn rest_of_word(&mut self) -> String {
        let is_regular = |byte: &&u8| !b" \n\r\t\0()<>[]/%".contains(byte);
        let length = self.file[self.at..].iter().take_while(is_regular).count();
        self.at += length;
        String::from_utf8_lossy(&self.file[self.at - length..self.at]).into_owned()
    }

    fn number(&mut self) -> Result<usize, String> {
        let word = self.word();
        word.parse().map_err(|_| format!("{word} isn't a number at {}", self.at))
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.takes("<<") {
            let mut entries = BTreeMap::new();
            while !self.takes(">>") {
                self.expect("/")?;
                entries.insert(self.rest_of_word(), self.value()?);
            }
            return Ok(Value::Dictionary(entries));
        }
        if self.takes("[") {
            let mut values = Vec::new();
            while !self.takes("]") {
                values.push(self.value()?);
            }
            return Ok(Value::Array(values));
        }
        if self.takes("/") {
            return Ok(Value::Name(self.rest_of_word()));
        }
        if self.takes("<") {
            self.word();
            return self.expect(">").map(|()| Value::Other);
        }
        if self.takes("(") {
            let mut depth = 1;
            while depth > 0 {
                match self.file.get(self.at).ok_or("a string without end")? {
                    b'\\' => self.at += 1,
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    _ => {}
                }
                self.at += 1;
            }
            return Ok(Value::Other);
        }
        let word = self.word();
        let is_whole = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let after = self.at;
        if is_whole && self.number().is_ok() && self.word() == "R" {
            return Ok(Value::Reference(word.parse().unwrap()));
        }
        self.at = after;
        match word.as_str() {
            "true" | "false" | "null" => Ok(Value::Other),
            _ if is_whole => Ok(Value::Number(word.parse().unwrap())),
            _ if word.parse::<f64>().is_ok() => Ok(Value::Other),
            _ => Err(format!("{word:?} isn't a value at {after}")),
        }
    }
}

type Objects = BTreeMap<usize, Value>;

fn entry<'v>(value: &'v Value, key: &str) -> Result<&'v Value, String> {
    let Value::Dictionary(entries) = value else { return Err(format!("no dictionary with {key}")) };
    entries.get(key).ok_or_else(|| format!("no {key} in {entries:?}"))
}

/// The number of pages below a node.
fn pages(objects: &Objects, node: &Value) -> Result<usize, String> {
    let Value::Reference(number) = node else { return Err(format!("{node:?} as a page")) };
    let node = objects.get(number).ok_or_else(|| format!("no page {number}"))?;
    if *entry(node, "Type")? == Value::Name("Page".into()) {
        return entry(node, "Parent").map(|_| 1);
    }
    let Value::Array(kids) = entry(node, "Kids")? else { return Err("no list of pages".into()) };
    let mut count = 0;
    for kid in kids {
        count += pages(objects, kid)?;
    }
    let is_right = *entry(node, "Count")? == Value::Number(count);
    is_right.then_some(count).ok_or_else(|| format!("{count} pages in {node:?}"))
}

pub(super) fn check(file: &[u8]) -> Result<(), String> {
    let ending = String::from_utf8_lossy(&file[file.len().saturating_sub(60)..]).into_owned();
    let start = ending.rsplit("startxref").next().unwrap_or_default();
    let start: usize = start.trim().trim_end_matches("%%EOF").trim().parse().map_err(|_| ending)?;
    let mut table = Reader { file, at: start };
    table.expect("xref")?;
    let mut objects = Objects::new();
    let mut ends = vec![(0, 9), (start, file.len())];
    while !table.takes("trailer") {
        let (first, count) = (table.number()?, table.number()?);
        for number in first..first + count {
            let (place, _) = (table.number()?, table.number()?);
            if table.word() == "f" {
                continue;
            }
            let mut reader = Reader { file, at: place };
            if reader.number()? != number {
                return Err(format!("{number} isn't at {place}"));
            }
            reader.expect("0 obj")?;
            let value = reader.value()?;
            if reader.takes("stream\n") {
                let Value::Number(length) = entry(&value, "Length")? else {
                    return Err("no length".into());
                };
                reader.at += length;
                reader.expect("\nendstream").or_else(|_| reader.expect("endstream"))?;
            }
            reader.expect("endobj")?;
            reader.space();
            ends.push((place, reader.at));
            objects.insert(number, value);
        }
    }
    ends.sort_unstable();
    if ends.windows(2).any(|pair| pair[0].1 != pair[1].0) {
        return Err(format!("gaps between objects: {ends:?}"));
    }
    let trailer = table.value()?;
    let last = objects.keys().next_back().copied().unwrap_or(0);
    if *entry(&trailer, "Size")? != Value::Number(last + 1) {
        return Err(format!("{last} is the last object of {trailer:?}"));
    }
    let Value::Reference(root) = entry(&trailer, "Root")? else { return Err("no root".into()) };
    let root = objects.get(root).ok_or("no catalog")?;
    pages(&objects, entry(root, "Pages")?)?;
    let loaded = lopdf::Document::load_mem(file).map_err(|error| error.to_string())?;
    let count = loaded.objects.len();
    (count == objects.len()).then_some(()).ok_or_else(|| format!("lopdf finds {count} objects"))
}
