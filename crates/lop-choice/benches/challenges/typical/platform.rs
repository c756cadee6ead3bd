//! Platform: alerts, permissions, search, templates, migrations, caches, tenants, versions and paths.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::{self, Debug, Formatter};

use lop_choice::Source;

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("alertrule", alertrule, "[] not(all(0 not(0)))"),
        typical("folders", folders, "[(0, Some(false)), (0, Some(true))] 1"),
        typical("highlight", highlight, "\"aaa\" [\"aa\"]"),
        typical("scopes", scopes, "{0=0: {0=0: } 0 }"),
        typical("squash", squash, "add 1, rename 1 to 2, rename 0 to 1, drop 1"),
        typical("tenants", tenants, "[Some(0), Some(1), Some(2), None, None]"),
    ],
    apart: &[
        typical("semver", semver, "0.0.0-2 0.0.0-10"),
        typical("tagged", tagged, "put 0 0, put 0 1, drop 0"),
        typical("traversal", traversal, "....//"),
    ],
};

/// When an alert is sent, by the labels of an event.
enum Rule {
    Has(u8),
    Not(Box<Rule>),
    All(Box<[Rule; 2]>),
    Any(Box<[Rule; 2]>),
}

impl Rule {
    fn draw(s: &mut Source, depth: usize) -> Rule {
        if depth == 0 {
            return Rule::Has(s.integer(0..=4));
        }
        let inner = |s: &mut Source| s.span("rule", |s| Rule::draw(s, depth - 1));
        s.one_of(&[
            &|s| Rule::Has(s.integer(0..=4)),
            &|s| Rule::Not(Box::new(inner(s))),
            &|s| Rule::All(Box::new([inner(s), inner(s)])),
            &|s| Rule::Any(Box::new([inner(s), inner(s)])),
        ])
    }

    fn fires(&self, labels: &[u8]) -> bool {
        match self {
            Rule::Has(label) => labels.contains(label),
            Rule::Not(rule) => !rule.fires(labels),
            Rule::All(rules) => rules.iter().all(|rule| rule.fires(labels)),
            Rule::Any(rules) => rules.iter().any(|rule| rule.fires(labels)),
        }
    }

    /// The same rule, or its negation, with `not` before labels only.
    fn normal(&self, negated: bool) -> Rule {
        let normal = |rules: &[Rule; 2]| Box::new(rules.each_ref().map(|it| it.normal(negated)));
        match self {
            Rule::Has(label) if negated => Rule::Not(Box::new(Rule::Has(*label))),
            Rule::Has(label) => Rule::Has(*label),
            Rule::Not(rule) => rule.normal(!negated),
            Rule::Any(rules) if !negated => Rule::Any(normal(rules)),
            Rule::All(rules) | Rule::Any(rules) => Rule::All(normal(rules)),
        }
    }
}

impl Debug for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Has(label) => write!(f, "{label}"),
            Rule::Not(rule) => write!(f, "not({rule:?})"),
            Rule::All(rules) => write!(f, "all({:?} {:?})", rules[0], rules[1]),
            Rule::Any(rules) => write!(f, "any({:?} {:?})", rules[0], rules[1]),
        }
    }
}

/// A rule for alerts fires as before when its negations are moved to the labels; the bug: `all` stays `all`.
fn alertrule(s: &mut Source) -> bool {
    let labels = s.distinct(0..=3, |s| s.integer(0..=4));
    let rule = Rule::draw(s, 3);
    let form = format!("{labels:?} {rule:?}");
    note(s, &form, form.len());
    rule.fires(&labels) == rule.normal(false).fires(&labels)
}

/// Whether a folder may be read, by the rule of the nearest folder above it that has one; the bug: a ban further up wins.
fn folders(s: &mut Source) -> bool {
    let mut count: usize = 0;
    let folders = s.list(1..=6, |s| {
        let parent = s.integer(0..count.max(1));
        count += 1;
        (parent, s.option(|s| s.boolean(0.5)))
    });
    let folder = s.integer(0..folders.len());
    note(s, format!("{folders:?} {folder}"), folders.len());
    let (mut at, mut rules) = (folder, Vec::new());
    loop {
        rules.extend(folders[at].1);
        if at == 0 {
            break;
        }
        at = folders[at].0;
    }
    let may_read = !rules.contains(&false) && rules.contains(&true);
    may_read == rules.first().is_some_and(|rule| *rule)
}

/// What was searched for is marked in a text, and the text is the same without the marks; the bug: of two marks that overlap, the later one begins anew.
fn highlight(s: &mut Source) -> bool {
    let text = s.text_of("abc", 0..=8);
    let terms = s.list(0..=3, |s| s.text_of("abc", 1..=3));
    note(s, format!("{text:?} {terms:?}"), text.len() + terms.len());
    let mut found = BTreeSet::new();
    for term in &terms {
        let is_here = |from: &usize| text[*from..].starts_with(term);
        found.extend((0..text.len()).filter(is_here).map(|from| (from, from + term.len())));
    }
    let (mut marked, mut end) = (String::new(), 0);
    for (from, to) in found {
        marked += text.get(end..from).unwrap_or("");
        marked += &format!("<b>{}</b>", &text[from..to]);
        end = to;
    }
    marked += &text[end..];
    marked.replace("<b>", "").replace("</b>", "") == text
}

/// A piece of a template: a variable, or a block in which a variable has a value.
enum Piece {
    Print(usize),
    With(usize, u8, Vec<Piece>),
}

impl Piece {
    fn draw(s: &mut Source, depth: usize) -> Piece {
        if depth > 0 && s.boolean(0.5) {
            let (name, value) = (s.integer(0..=2), s.integer(0..=9));
            return Piece::With(name, value, s.list(0..=3, |s| Piece::draw(s, depth - 1)));
        }
        Piece::Print(s.integer(0..=2))
    }

    /// The template with values instead of variables.
    fn scoped(&self, known: [Option<u8>; 3], out: &mut Vec<Option<u8>>) {
        match self {
            Piece::Print(name) => out.push(known[*name]),
            Piece::With(name, value, block) => {
                let mut inner = known;
                inner[*name] = Some(*value);
                block.iter().for_each(|piece| piece.scoped(inner, out));
            }
        }
    }

    fn rendered(&self, known: &mut [Option<u8>; 3], out: &mut Vec<Option<u8>>) {
        match self {
            Piece::Print(name) => out.push(known[*name]),
            Piece::With(name, value, block) => {
                known[*name] = Some(*value);
                block.iter().for_each(|piece| piece.rendered(known, out));
                known[*name] = None;
            }
        }
    }
}

impl Debug for Piece {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Piece::Print(name) => write!(f, "{name} "),
            Piece::With(name, value, block) => {
                write!(f, "{{{name}={value}: ")?;
                block.iter().try_for_each(|piece| write!(f, "{piece:?}"))?;
                write!(f, "}} ")
            }
        }
    }
}

/// A template is rendered with a table of variables; the bug: a variable has no value after a block, even if it had one before.
fn scopes(s: &mut Source) -> bool {
    let template = s.list(0..=4, |s| Piece::draw(s, 3));
    let form: String = template.iter().map(|piece| format!("{piece:?}")).collect();
    note(s, form.trim(), form.len());
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    template.iter().for_each(|piece| piece.scoped([None; 3], &mut expected));
    template.iter().for_each(|piece| piece.rendered(&mut [None; 3], &mut found));
    expected == found
}

/// A part of what follows the hyphen of a version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u32),
    Word(&'static str),
}

impl Part {
    fn written(&self) -> String {
        match self {
            Part::Number(number) => number.to_string(),
            Part::Word(word) => word.to_string(),
        }
    }
}

/// Versions are compared as the standard says; the bug: numbers after the hyphen are compared as texts.
fn semver(s: &mut Source) -> bool {
    let version = |s: &mut Source| {
        let numbers: [u32; 3] = std::array::from_fn(|_| s.integer(0..=2));
        let parts = s.list(0..=3, |s| {
            s.one_of(&[&|s| Part::Number(s.integer(0..=30)), &|s| {
                Part::Word(s.pick::<&str>(&["alpha", "beta", "rc"]))
            }])
        });
        (numbers, parts)
    };
    let (one, two) = (s.draw(version), s.draw(version));
    let form = |(numbers, parts): &([u32; 3], Vec<Part>)| {
        let parts: Vec<String> = parts.iter().map(Part::written).collect();
        let hyphen = if parts.is_empty() { "" } else { "-" };
        format!("{}.{}.{}{hyphen}{}", numbers[0], numbers[1], numbers[2], parts.join("."))
    };
    note(s, format!("{} {}", form(&one), form(&two)), one.1.len() + two.1.len());
    let key = |(numbers, parts): &([u32; 3], Vec<Part>)| (*numbers, parts.is_empty());
    let texts = |parts: &[Part]| -> Vec<(bool, String)> {
        parts.iter().map(|part| (matches!(part, Part::Word(_)), part.written())).collect()
    };
    let expected = (key(&one), &one.1).cmp(&(key(&two), &two.1));
    expected == (key(&one), texts(&one.1)).cmp(&(key(&two), texts(&two.1)))
}

/// A change of a table's columns.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Add(u8),
    Rename(u8, u8),
    Drop(u8),
}

impl Debug for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Change::Add(name) => write!(f, "add {name}"),
            Change::Rename(from, to) => write!(f, "rename {from} to {to}"),
            Change::Drop(name) => write!(f, "drop {name}"),
        }
    }
}

/// Changes the columns, unless this is impossible.
fn change(columns: &mut Vec<u8>, change: Change) -> Option<()> {
    let place = |name| columns.iter().position(|it| *it == name);
    match change {
        Change::Add(name) if place(name).is_some() => return None,
        Change::Add(name) => columns.push(name),
        Change::Rename(_, to) if place(to).is_some() => return None,
        Change::Rename(from, to) => {
            let at = place(from)?;
            columns[at] = to;
        }
        Change::Drop(name) => {
            columns.remove(place(name)?);
        }
    }
    Some(())
}

/// Migrations lead to the same table without columns that are added and dropped again; the bug: renamed columns in between aren't told apart.
fn squash(s: &mut Source) -> bool {
    let mut columns = vec![0];
    let changes = s.list(0..=8, |s| {
        let free: Vec<u8> = (0..5).filter(|name| !columns.contains(name)).collect();
        let made = match s.integer(0..=2) {
            0 if !free.is_empty() => Change::Add(*s.pick(&free)),
            1 if !free.is_empty() && !columns.is_empty() => {
                Change::Rename(*s.pick(&columns), *s.pick(&free))
            }
            _ if !columns.is_empty() => Change::Drop(*s.pick(&columns)),
            _ => Change::Add(0),
        };
        change(&mut columns, made);
        made
    });
    let form: Vec<String> = changes.iter().map(|it| format!("{it:?}")).collect();
    note(s, form.join(", "), form.len());
    let mut fewer: Vec<Change> = Vec::new();
    for made in changes {
        let added = |name| fewer.iter().rposition(|it| *it == Change::Add(name));
        match made {
            Change::Drop(name) if added(name).is_some() => {
                added(name).map(|at| fewer.remove(at));
            }
            _ => fewer.push(made),
        }
    }
    let mut found = vec![0];
    fewer.into_iter().all(|made| change(&mut found, made).is_some()) && found == columns
}

/// What is done with a cache whose entries have tags.
#[derive(Clone, Copy)]
enum Cached {
    Put(u8, u8),
    Drop(u8),
}

impl Debug for Cached {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cached::Put(key, tag) => write!(f, "put {key} {tag}"),
            Cached::Drop(tag) => write!(f, "drop {tag}"),
        }
    }
}

/// All entries of a tag are dropped from a cache; the bug: an entry keeps its tag when it is put again with another.
fn tagged(s: &mut Source) -> bool {
    let steps = s.list(0..=12, |s| {
        s.one_of(&[&|s| Cached::Put(s.integer(0..=5), s.integer(0..=3)), &|s| {
            Cached::Drop(s.integer(0..=3))
        }])
    });
    let form: Vec<String> = steps.iter().map(|step| format!("{step:?}")).collect();
    note(s, form.join(", "), form.len());
    let (mut model, mut tags) = (BTreeMap::new(), BTreeMap::new());
    steps.into_iter().all(|step| {
        match step {
            Cached::Put(key, tag) => {
                model.insert(key, tag);
                tags.entry(key).or_insert(tag);
            }
            Cached::Drop(tag) => {
                model.retain(|_, it| *it != tag);
                tags.retain(|_, it| *it != tag);
            }
        }
        model.keys().eq(tags.keys())
    })
}

/// Tenants with jobs take turns; the bug: when one has no more jobs, the next one is skipped.
fn tenants(s: &mut Source) -> bool {
    let steps = s.list(0..=14, |s| s.option(|s| s.integer(0..=4)));
    note(s, format!("{steps:?}"), steps.len());
    let mut model: VecDeque<(u8, u32)> = VecDeque::new();
    let mut waiting: Vec<(u8, u32)> = Vec::new();
    let mut turn = 0;
    steps.into_iter().all(|step| {
        if let Some(tenant) = step {
            match model.iter_mut().find(|it| it.0 == tenant) {
                Some(it) => it.1 += 1,
                // Before the one whose turn is next, all others have theirs.
                None => model.push_back((tenant, 1)),
            }
            match waiting.iter_mut().find(|it| it.0 == tenant) {
                Some(it) => it.1 += 1,
                None => {
                    waiting.insert(turn, (tenant, 1));
                    turn += 1;
                    if waiting.len() == 1 {
                        turn = 0;
                    }
                }
            }
            return true;
        }
        let expected = model.pop_front();
        let Some((tenant, jobs)) = expected else { return true };
        if jobs > 1 {
            model.push_back((tenant, jobs - 1));
        }
        turn %= waiting.len();
        let served = waiting[turn].0;
        waiting[turn].1 -= 1;
        if waiting[turn].1 == 0 {
            waiting.remove(turn);
        }
        turn = if waiting.is_empty() { 0 } else { (turn + 1) % waiting.len() };
        served == tenant
    })
}

/// A path doesn't lead out of its folder after each `../` was taken out; the bug: what is left may be another one.
fn traversal(s: &mut Source) -> bool {
    let path = s.text_of("a./", 0..=12);
    note(s, &path, path.len());
    !path.replace("../", "").contains("../")
}
