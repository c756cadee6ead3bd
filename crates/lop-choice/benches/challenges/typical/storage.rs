//! Storage: stacks, tables, stores, file systems, documents, routes and codecs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use lop_choice::{Source, Step};

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("aba", aba, "2: read pop pop push swap"),
        typical("kraft", kraft, "[1, 1, 1, 3, 4, 7]"),
        typical("pieces", pieces, "+a at 0, +a at 0, +b at 2"),
        typical("probing", probing, "+0 +1 +9 -0"),
        typical("subnet", subnet, "0/0 0/2: 64"),
        typical("tombstone", tombstone, "put 1, flush, delete 0..1, delete 2.."),
    ],
    apart: &[
        typical("hardlink", hardlink, "create 0, link 0 1, rename 0 1"),
        typical("resample", resample, "1.5: [1, 2]"),
        typical("transform", transform, "a: +a at 1, -1 at 0"),
    ],
};

/// A lock-free stack whose nodes are reused: a thread reads the head and the node below it, and swaps later if the head is the same node.
fn aba(s: &mut Source) -> bool {
    let filled = s.integer(0..=4);
    let steps = s.list(0..=12, |s| *s.pick(&["push", "pop", "read", "swap"]));
    note(s, format!("{filled}: {}", steps.join(" ")), steps.len());
    let mut stack = Stack::default();
    (0..filled).for_each(|_| stack.push());
    let mut read = None;
    steps.into_iter().all(|step| {
        match step {
            "push" => stack.push(),
            "pop" => stack.pop(stack.head.map(|node| stack.below[node])),
            "read" => read = stack.head.map(|node| (node, stack.below[node])),
            _ => {
                if let Some((node, below)) = read.take().filter(|read| Some(read.0) == stack.head) {
                    stack.below[node] = below;
                    stack.pop(Some(below));
                }
            }
        }
        stack.nodes() == stack.model
    })
}

#[derive(Default)]
struct Stack {
    head: Option<usize>,
    below: Vec<Option<usize>>,
    free: VecDeque<usize>,
    model: Vec<usize>,
}

impl Stack {
    fn push(&mut self) {
        let node = self.free.pop_front().unwrap_or(self.below.len());
        self.below.resize(self.below.len().max(node + 1), None);
        self.below[node] = self.head;
        self.head = Some(node);
        self.model.push(node);
    }

    fn pop(&mut self, below: Option<Option<usize>>) {
        self.free.extend(self.head);
        self.head = below.flatten();
        self.model.pop();
    }

    fn nodes(&self) -> Vec<usize> {
        let all = std::iter::successors(self.head, |node| self.below[*node]);
        let mut nodes: Vec<usize> = all.take(self.below.len() + 1).collect();
        nodes.reverse();
        nodes
    }
}

/// A file system with hard links: a rename that replaces a file frees that file, although it may have other names.
fn hardlink(s: &mut Source) -> bool {
    let mut files = Files { is_sound: true, ..Files::default() };
    let named = |files: &Files, s: &mut Source| {
        let names: Vec<usize> = files.names.keys().copied().collect();
        *s.pick(&names)
    };
    let create = |files: &mut Files, s: &mut Source| {
        let name = s.integer(0..=3);
        if !files.names.contains_key(&name) {
            files.names.insert(name, files.links.len());
            files.links.push(1);
        }
        files.done(format!("create {name}"));
    };
    let link = |files: &mut Files, s: &mut Source| {
        let (from, to) = (named(files, s), s.integer(0..=3));
        if !files.names.contains_key(&to) {
            files.links[files.names[&from]] += 1;
            files.names.insert(to, files.names[&from]);
        }
        files.done(format!("link {from} {to}"));
    };
    let rename = |files: &mut Files, s: &mut Source| {
        let (from, to) = (named(files, s), s.integer(0..=3));
        if from != to {
            if let Some(replaced) = files.names.get(&to) {
                files.links[*replaced] = 0;
            }
            let file = files.names.remove(&from).unwrap_or_default();
            files.names.insert(to, file);
        }
        files.done(format!("rename {from} {to}"));
    };
    let unlink = |files: &mut Files, s: &mut Source| {
        let name = named(files, s);
        let file = files.names.remove(&name).unwrap_or_default();
        files.links[file] = files.links[file].saturating_sub(1);
        files.done(format!("unlink {name}"));
    };
    let steps = [
        Step::new("create", create),
        Step::new("link", link).when(|files| !files.names.is_empty()),
        Step::new("rename", rename).when(|files| !files.names.is_empty()),
        Step::new("unlink", unlink).when(|files| !files.names.is_empty()),
    ];
    s.steps(0..=10, &mut files, &steps);
    note(s, files.log.join(", "), files.log.len());
    files.is_sound
}

#[derive(Default)]
struct Files {
    names: BTreeMap<usize, usize>,
    links: Vec<usize>,
    log: Vec<String>,
    is_sound: bool,
}

impl Files {
    fn done(&mut self, step: String) {
        self.log.push(step);
        self.is_sound &= self.names.values().all(|file| self.links[*file] > 0);
    }
}

/// Lengths of a Huffman code of at most 4 bits: those that are longer are cut, and the code is not made complete again.
fn kraft(s: &mut Source) -> bool {
    let weights: Vec<u32> = s.list(1..=8, |s| s.integer(1..=99));
    note(s, format!("{weights:?}"), weights.len());
    let mut lengths = vec![0; weights.len()];
    let mut groups: Vec<(u32, Vec<usize>)> =
        weights.iter().enumerate().map(|(at, weight)| (*weight, vec![at])).collect();
    while groups.len() > 1 {
        groups.sort_by_key(|group| group.0);
        let (second, mut first) = (groups.remove(1), groups.remove(0));
        first.0 += second.0;
        first.1.extend(second.1);
        first.1.iter().for_each(|at| lengths[*at] += 1);
        groups.push(first);
    }
    lengths.iter().map(|length| 16 >> 4.min(*length)).sum::<u32>() <= 16
}

/// A piece table against a text: what is inserted at the end of a piece extends it, although the piece may not be the last of the buffer.
fn pieces(s: &mut Source) -> bool {
    let mut length = 0;
    let steps: Vec<(usize, Option<char>)> = s.list(0..=10, |s| {
        if length > 0 && s.boolean(0.3) {
            length -= 1;
            return (s.integer(0..=length), None);
        }
        length += 1;
        (s.integer(0..length), Some(*s.pick(&['a', 'b', 'c'])))
    });
    let form = steps.iter().map(|(at, letter)| match letter {
        Some(letter) => format!("+{letter} at {at}"),
        None => format!("- at {at}"),
    });
    note(s, form.collect::<Vec<_>>().join(", "), steps.len());
    let (mut text, mut buffer, mut pieces) = (Vec::new(), Vec::new(), Vec::<(usize, usize)>::new());
    steps.into_iter().all(|(at, letter)| {
        let (mut piece, mut before) = (0, 0);
        // An insertion belongs to the piece that ends here, a deletion to the one that begins here.
        let reach = usize::from(letter.is_none());
        while piece < pieces.len() && before + pieces[piece].1 < at + reach {
            before += pieces[piece].1;
            piece += 1;
        }
        let within = at - before;
        match letter {
            Some(letter) => {
                text.insert(at, letter);
                buffer.push(letter);
                match pieces.get_mut(piece) {
                    Some(it) if within == it.1 => it.1 += 1,
                    Some(it) => {
                        let (start, rest) = (it.0, it.1 - within);
                        it.1 = within;
                        pieces.splice(
                            piece + 1..piece + 1,
                            [(buffer.len() - 1, 1), (start + within, rest)],
                        );
                    }
                    None => pieces.push((buffer.len() - 1, 1)),
                }
            }
            None => {
                text.remove(at);
                let (start, length) = pieces[piece];
                let rest = [(start, within), (start + within + 1, length - within - 1)];
                pieces.splice(piece..=piece, rest);
            }
        }
        pieces.retain(|it| it.1 > 0);
        let whole = pieces.iter().flat_map(|(start, length)| &buffer[*start..start + length]);
        whole.eq(&text)
    })
}

/// A hash table with linear probing against a set: what follows a removed key moves up, even to a slot before its own.
fn probing(s: &mut Source) -> bool {
    let steps: Vec<(bool, usize)> = s.list(0..=12, |s| {
        s.one_of(&[&|s| (true, s.integer(0..=15)), &|s| (false, s.integer(0..=15))])
    });
    let form = steps.iter().map(|(adds, key)| format!("{}{key}", if *adds { '+' } else { '-' }));
    note(s, form.collect::<Vec<_>>().join(" "), steps.len());
    let (mut slots, mut keys) = ([None; 8], BTreeSet::new());
    let found = |slots: &[Option<usize>; 8], key: usize| {
        (0..8).map(|at| (key + at) % 8).find(|at| slots[*at].is_none_or(|it| it == key))
    };
    steps.into_iter().all(|(adds, key)| {
        let slot = found(&slots, key);
        match slot {
            Some(slot) if adds && keys.len() < 7 => slots[slot] = Some(key),
            Some(mut hole) if !adds && slots[hole].is_some() => {
                slots[hole] = None;
                for at in (hole + 1..hole + 8).map(|at| at % 8) {
                    let Some(moved) = slots[at] else { break };
                    if moved % 8 != at {
                        slots[hole] = slots[at].take();
                        hole = at;
                    }
                }
            }
            _ => {}
        }
        match adds {
            true if keys.len() < 7 => _ = keys.insert(key),
            true => {}
            false => _ = keys.remove(&key),
        }
        (0..=15).all(|key| {
            found(&slots, key).is_some_and(|at| slots[at].is_some()) == keys.contains(&key)
        })
    })
}

/// A sound is resampled in chunks and as a whole: between chunks, the fraction of the position is lost.
fn resample(s: &mut Source) -> bool {
    let step = s.one_of(&[&|s| *s.pick(&[1.0, 2.0, 0.5]), &|s: &mut Source| s.float(0.25..=4.0)]);
    let chunks: Vec<usize> = s.list(0..=4, |s| s.integer(1..=8));
    note(s, format!("{step:?}: {chunks:?}"), chunks.len());
    let whole = |mut position: f64, length: usize| {
        let mut taken = Vec::new();
        while position < length as f64 {
            taken.push(position as usize);
            position += step;
        }
        (taken, position - length as f64)
    };
    let (mut position, mut start, mut taken) = (0.0_f64, 0, Vec::new());
    for length in &chunks {
        let (part, rest) = whole(position, *length);
        taken.extend(part.into_iter().map(|at| start + at));
        position = rest.floor();
        start += length;
    }
    taken == whole(0.0, start).0
}

/// Routes in a tree of bits: the last node on the way to an address is asked for its route, and not the last one that has any.
fn subnet(s: &mut Source) -> bool {
    let routes = s.list(0..=6, |s| {
        let length = s.integer(0..=8_u32);
        (s.integer(0..1_u32 << length), length)
    });
    let address = s.integer(0..=255_u32);
    let form: Vec<String> =
        routes.iter().map(|(bits, length)| format!("{bits}/{length}")).collect();
    note(s, format!("{}: {address}", form.join(" ")), routes.len());
    let matches = |length: &u32| routes.contains(&(address >> (8 - length), *length));
    let is_node = |length: &u32| {
        let below = |it: &&(u32, u32)| {
            it.1 >= *length && it.0 >> (it.1 - length) == address >> (8 - length)
        };
        routes.iter().any(|it| below(&it))
    };
    let found = (0..=8).take_while(is_node).last().filter(|it| matches(it));
    found == (0..=8).rfind(matches)
}

#[derive(Clone, Copy)]
enum Write {
    Put(u32),
    Flush,
    Delete(u32, Option<u32>),
}

/// A store of sorted runs with deletions of ranges: two ranges with one key between them become one range.
fn tombstone(s: &mut Source) -> bool {
    let steps: Vec<Write> = s.list(0..=10, |s| {
        s.one_of(&[&|s| Write::Put(s.integer(0..=9)), &|_| Write::Flush, &|s| {
            Write::Delete(s.integer(0..=9), s.option(|s| s.integer(1..=3)))
        }])
    });
    let form = steps.iter().map(|step| match step {
        Write::Put(key) => format!("put {key}"),
        Write::Flush => "flush".into(),
        Write::Delete(from, None) => format!("delete {from}.."),
        Write::Delete(from, Some(length)) => format!("delete {from}..{}", from + length),
    });
    note(s, form.collect::<Vec<_>>().join(", "), steps.len());
    let mut model = BTreeSet::new();
    let mut runs = vec![(BTreeSet::new(), Vec::<(u32, u32)>::new())];
    steps.into_iter().all(|step| {
        let (keys, ranges) = runs.last_mut().expect("a run");
        match step {
            Write::Put(key) => _ = (keys.insert(key), model.insert(key)),
            Write::Flush => runs.push(Default::default()),
            Write::Delete(from, length) => {
                let mut range = (from, length.map_or(u32::MAX, |length| from + length));
                keys.retain(|key| !(range.0..range.1).contains(key));
                model.retain(|key| !(range.0..range.1).contains(key));
                ranges.retain(|it| {
                    let apart =
                        it.0 > range.1.saturating_add(1) || range.0 > it.1.saturating_add(1);
                    if !apart {
                        range = (range.0.min(it.0), range.1.max(it.1));
                    }
                    apart
                });
                ranges.push(range);
            }
        }
        (0..=9).all(|key| {
            let answer = runs.iter().rev().find_map(|(keys, ranges)| {
                let is_deleted = || ranges.iter().any(|it| (it.0..it.1).contains(&key));
                if keys.contains(&key) { Some(true) } else { is_deleted().then_some(false) }
            });
            answer.unwrap_or(false) == model.contains(&key)
        })
    })
}

#[derive(Clone, Copy)]
enum Edit {
    Insert(usize, char),
    Delete(usize, usize),
}

/// Two edits of a document at the same time: a deletion swallows what the other edit inserts at its end, and the other edit does not know.
fn transform(s: &mut Source) -> bool {
    let document = s.text_of("abc", 0..=6);
    let [ours, theirs] = [(); 2].map(|()| {
        s.span("edit", |s| match !document.is_empty() && s.boolean(0.5) {
            false => Edit::Insert(s.integer(0..=document.len()), *s.pick(&['a', 'b', 'c'])),
            true => {
                let at = s.integer(0..document.len());
                Edit::Delete(at, s.integer(1..=document.len() - at))
            }
        })
    });
    let told = |edit| match edit {
        Edit::Insert(at, letter) => format!("+{letter} at {at}"),
        Edit::Delete(at, count) => format!("-{count} at {at}"),
    };
    note(s, format!("{document}: {}, {}", told(ours), told(theirs)), document.len());
    let edited = |text: &str, edit: Option<Edit>| {
        let mut text = text.to_owned();
        match edit {
            Some(Edit::Insert(at, letter)) => text.insert(at, letter),
            Some(Edit::Delete(at, count)) => _ = text.drain(at..at + count),
            None => {}
        }
        text
    };
    edited(&edited(&document, Some(ours)), after(theirs, ours, false))
        == edited(&edited(&document, Some(theirs)), after(ours, theirs, true))
}

/// An edit as it is after another one; of two insertions at one place, the first side's comes first.
fn after(edit: Edit, other: Edit, is_first: bool) -> Option<Edit> {
    Some(match (edit, other) {
        (Edit::Insert(at, letter), Edit::Insert(other, _)) => {
            let moves = other < at || other == at && !is_first;
            Edit::Insert(at + usize::from(moves), letter)
        }
        (Edit::Insert(at, letter), Edit::Delete(from, count)) => match at {
            _ if at <= from => Edit::Insert(at, letter),
            _ if at < from + count => return None,
            _ => Edit::Insert(at - count, letter),
        },
        (Edit::Delete(from, count), Edit::Insert(at, _)) => match at {
            _ if at <= from => Edit::Delete(from + 1, count),
            _ if at <= from + count => Edit::Delete(from, count + 1),
            _ => Edit::Delete(from, count),
        },
        (Edit::Delete(from, count), Edit::Delete(other, removed)) => {
            let moved = |at: usize| at - at.saturating_sub(other).min(removed);
            let count = moved(from + count) - moved(from);
            return (count > 0).then_some(Edit::Delete(moved(from), count));
        }
    })
}
