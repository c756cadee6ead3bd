//! The file of a model.
//!
//! | part | content |
//! |---|---|
//! | magic | `lop model` and a line end |
//! | version | a number |
//! | length | of the body, in bytes |
//! | body | the names; the fingerprints of the texts; the grammars with their labels, edges and contexts |
//! | checksum | xxh3 of everything before it, eight bytes |
//!
//! Numbers take seven bits a byte, the lowest first. Names are written once, and then referred to by their indices.
//! Everything is sorted, so the same usage has the same bytes. The version and the length come before the body, so that
//! newer files and truncated ones get their own messages; memory is allocated only for bytes that are known to be
//! there.

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh3::xxh3_64;

use super::{EdgeUse, LabelUse, Usage};

const MAGIC: &[u8] = b"lop model\n";
const VERSION: u64 = 1;
const CHECKSUM: usize = size_of::<u64>();

/// Why a file is refused as a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It does not begin like a model.
    #[error("it is not a model of lop")]
    NotAModel,
    /// A newer lop wrote it.
    #[error("it has version {version} of the format, and this lop reads only version {VERSION}")]
    Newer {
        /// Its version.
        version: u64,
    },
    /// Its end is missing.
    #[error("it is truncated")]
    Truncated,
    /// Its content has changed since it was written.
    #[error("it is damaged: its checksum or its content is wrong")]
    Damaged,
}

impl Usage {
    /// Whether a file with these first bytes claims to be a model.
    pub fn is_model(start: &[u8]) -> bool {
        start.starts_with(MAGIC)
    }

    /// The file of this model.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = self.body();
        let mut bytes = MAGIC.to_vec();
        put(&mut bytes, VERSION);
        put(&mut bytes, body.len() as u64);
        bytes.extend(body);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    fn body(&self) -> Vec<u8> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for (grammar, labels) in &self.grammars {
            names.insert(grammar);
            for (label, uses) in labels {
                names.insert(label);
                names.extend(uses.edges.keys().map(String::as_str));
                let contexts = uses.contexts.keys();
                names.extend(contexts.flat_map(|(parent, edge)| [parent.as_str(), edge.as_str()]));
            }
        }
        let index: BTreeMap<&str, u64> = names.iter().copied().zip(0..).collect();
        let mut body = Vec::new();
        let out = &mut body;
        put(out, names.len() as u64);
        names.iter().for_each(|name| put_bytes(out, name.as_bytes()));
        put(out, self.learned.len() as u64);
        self.learned.iter().for_each(|fingerprint| out.extend(fingerprint.to_le_bytes()));
        put(out, self.grammars.len() as u64);
        for (grammar, labels) in &self.grammars {
            put(out, index[grammar.as_str()]);
            put(out, labels.len() as u64);
            for (label, uses) in labels {
                put(out, index[label.as_str()]);
                put(out, uses.nodes);
                // An empty text is never the least one.
                put_bytes(out, uses.least.as_deref().unwrap_or_default());
                put(out, uses.edges.len() as u64);
                for (edge, EdgeUse { nodes, least, most }) in &uses.edges {
                    put(out, index[edge.as_str()]);
                    put(out, *nodes);
                    put(out, *least);
                    put(out, *most);
                }
                put(out, uses.contexts.len() as u64);
                for ((parent, edge), nodes) in &uses.contexts {
                    put(out, index[parent.as_str()]);
                    put(out, index[edge.as_str()]);
                    put(out, *nodes);
                }
            }
        }
        body
    }

    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// If it isn't a model, truncated, damaged, or of a newer version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Usage, ModelError> {
        let start = bytes.len().min(MAGIC.len());
        if bytes[..start] != MAGIC[..start] || bytes.is_empty() {
            return Err(ModelError::NotAModel);
        }
        let mut head = Reader(&bytes[start..]);
        match head.number().ok_or(ModelError::Truncated)? {
            VERSION => {}
            0 => return Err(ModelError::Damaged),
            version => return Err(ModelError::Newer { version }),
        }
        let length = head.number().ok_or(ModelError::Truncated)?;
        let rest = head.0.len() as u64;
        match length.checked_add(CHECKSUM as u64) {
            Some(length) if length == rest => {}
            Some(length) if length < rest => return Err(ModelError::Damaged),
            _ => return Err(ModelError::Truncated),
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if xxh3_64(content).to_le_bytes() != checksum {
            return Err(ModelError::Damaged);
        }
        let mut body = Reader(&head.0[..length as usize]);
        body.usage().filter(|_| body.0.is_empty()).ok_or(ModelError::Damaged)
    }
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend(bytes);
}

/// Reads the rest of the bytes; every method returns `None` if they are too few or invalid.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..u64::BITS).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            number |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if *byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, length: u64) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.number()?;
        self.take(length)
    }

    fn name(&mut self, names: &[&'b str]) -> Option<String> {
        let index = usize::try_from(self.number()?).ok()?;
        names.get(index).map(|name| (*name).to_owned())
    }

    fn usage(&mut self) -> Option<Usage> {
        let mut usage = Usage::default();
        let mut names: Vec<&str> = Vec::new();
        for _ in 0..self.number()? {
            names.push(str::from_utf8(self.bytes()?).ok()?);
        }
        for _ in 0..self.number()? {
            usage.learned.insert(u64::from_le_bytes(self.take(8)?.try_into().ok()?));
        }
        for _ in 0..self.number()? {
            let grammar = self.name(&names)?;
            let mut labels = BTreeMap::new();
            for _ in 0..self.number()? {
                let label = self.name(&names)?;
                labels.insert(label, self.label_use(&names)?);
            }
            usage.grammars.insert(grammar, labels);
        }
        Some(usage)
    }

    fn label_use(&mut self, names: &[&'b str]) -> Option<LabelUse> {
        let nodes = self.number()?;
        let least = Some(self.bytes()?.to_vec()).filter(|text| !text.is_empty());
        let mut uses = LabelUse { nodes, least, ..Default::default() };
        for _ in 0..self.number()? {
            let edge = self.name(names)?;
            let nodes = self.number()?;
            let (least, most) = (self.number()?, self.number()?);
            uses.edges.insert(edge, EdgeUse { nodes, least, most });
        }
        for _ in 0..self.number()? {
            let context = (self.name(names)?, self.name(names)?);
            uses.contexts.insert(context, self.number()?);
        }
        Some(uses)
    }
}
