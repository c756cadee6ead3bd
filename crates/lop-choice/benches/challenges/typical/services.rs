//! Services: shops, bookings, caches, queues, limits, permissions and messages.

use std::collections::BTreeSet;
use std::fmt::Display;

use lop_choice::{Source, Step};

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("lru", lru, "2: put 0=0, put 1=0, put 0=0, put 2=0, get 0"),
        typical("policy", policy, "{2} all(any(0 2))"),
        typical("thread", thread, "x0(x0(1))"),
        typical("slug", slug, "0000000-0"),
        typical("acl", acl, "*A AA"),
        typical("bucket", bucket, "1 at 1: 1 0"),
        typical("alarm", alarm, "0 to 1: 2 2 0"),
        typical("basket", basket, "0 0, 1 1, 1 2"),
        typical("reorder", reorder, "1 2 0"),
        typical("checkout", checkout, "DE member 50 -2%"),
        typical("pages", pages, "1: 0 0"),
        typical("limiter", limiter, "1: 1 59"),
    ],
    apart: &[
        typical("queue", queue, "1: send 0, receive, wait 1, receive, ack 0"),
        typical("groups", groups, "[0] []; 0>1 1>0"),
        typical("courier", courier, "3: 0>1:1 0>2:3 1>2:1"),
        typical("seats", seats, "2: #. .."),
        typical("tickets", tickets, "0/1 0/- 0/0"),
        typical("rooms", rooms, "room 0: 1 from 7, room 0: 1 from 0 x2"),
    ],
};

/// Items as texts with something between them.
fn joined<T: Display>(items: &[T], between: &str) -> String {
    listed(items, T::to_string, between)
}

fn listed<T>(items: &[T], told: impl Fn(&T) -> String, between: &str) -> String {
    items.iter().map(told).collect::<Vec<_>>().join(between)
}

/// A key, with a value if it is put.
type CacheCall = (u8, Option<u8>);

/// A cache with the least recently used entry first.
struct Cache {
    room: usize,
    entries: Vec<(u8, u8)>,
    /// Whether a new value makes an entry a recent one.
    refreshes: bool,
}

impl Cache {
    /// What a call answers.
    fn answer(&mut self, (key, put): CacheCall) -> Option<u8> {
        let at = self.entries.iter().position(|it| it.0 == key);
        match (put, at) {
            (None, None) => {}
            (Some(value), Some(at)) if !self.refreshes => self.entries[at].1 = value,
            (_, Some(at)) => {
                let (_, value) = self.entries.remove(at);
                self.entries.push((key, put.unwrap_or(value)));
            }
            (Some(value), None) => {
                if self.entries.len() == self.room {
                    self.entries.remove(0);
                }
                self.entries.push((key, value));
            }
        }
        at.filter(|_| put.is_none()).and(self.entries.last()).map(|it| it.1)
    }
}

/// A cache evicts the least recently used entry; the bug: a new value for a key does not count as a use.
fn lru(s: &mut Source) -> bool {
    let room = s.integer(1..=4);
    let put = |s: &mut Source| (s.integer(0..=5), Some(s.integer(0..=9)));
    let get = |s: &mut Source| (s.integer(0..=5), None);
    let calls: Vec<CacheCall> = s.list(0..=20, |s| s.one_of(&[&put, &get]));
    let told = |(key, put): &CacheCall| match put {
        Some(value) => format!("put {key}={value}"),
        None => format!("get {key}"),
    };
    note(s, format!("{room}: {}", listed(&calls, told, ", ")), calls.len());
    let [mut cache, mut model] =
        [false, true].map(|refreshes| Cache { room, entries: Vec::new(), refreshes });
    calls.iter().all(|call| cache.answer(*call) == model.answer(*call))
}

/// A queue whose messages can be received again if they are not acknowledged in time.
#[derive(Default)]
struct Queue {
    now: u32,
    timeout: u32,
    /// When each message can be received; none if it is deleted.
    messages: Vec<Option<u32>>,
    /// The message of each receipt.
    receipts: Vec<usize>,
    steps: Vec<String>,
    has_lost: bool,
}

impl Queue {
    fn next(&self) -> Option<usize> {
        self.messages.iter().position(|it| it.is_some_and(|time| time <= self.now))
    }
}

/// A receipt is void once the message has been received again; the bug: the message is deleted nevertheless.
fn queue(s: &mut Source) -> bool {
    let timeout = s.integer(1..=10);
    let mut queue = Queue { timeout, ..Queue::default() };
    let steps = [
        Step::new("send", |queue: &mut Queue, s| {
            queue.messages.push(Some(queue.now));
            queue.steps.push(format!("send {}", s.integer(0..=9_u8)));
        }),
        Step::new("receive", |queue: &mut Queue, _| {
            let next = queue.next().expect("a message to receive");
            queue.messages[next] = Some(queue.now + queue.timeout);
            queue.receipts.push(next);
            queue.steps.push("receive".to_string());
        })
        .when(|queue| queue.next().is_some()),
        Step::new("wait", |queue: &mut Queue, s| {
            let time: u32 = s.integer(1..=10);
            queue.now += time;
            queue.steps.push(format!("wait {time}"));
        }),
        Step::new("ack", |queue: &mut Queue, s| {
            let receipt = s.integer(0..queue.receipts.len());
            let message = queue.receipts[receipt];
            let is_stale = queue.receipts[receipt + 1..].contains(&message);
            queue.has_lost |= queue.messages[message].take().is_some() && is_stale;
            queue.steps.push(format!("ack {receipt}"));
        })
        .when(|queue| !queue.receipts.is_empty()),
    ];
    s.steps(0..=20, &mut queue, &steps);
    note(s, format!("{timeout}: {}", joined(&queue.steps, ", ")), queue.steps.len());
    !queue.has_lost
}

#[derive(Clone)]
enum Policy {
    Role(usize),
    All(Vec<Policy>),
    Any(Vec<Policy>),
}

impl Policy {
    fn draw(s: &mut Source, depth: usize) -> Policy {
        if depth == 0 {
            return Policy::Role(s.integer(0..=2));
        }
        s.one_of(&[
            &|s| Policy::Role(s.integer(0..=2)),
            &|s| Policy::All(s.list(1..=3, |s| Policy::draw(s, depth - 1))),
            &|s| Policy::Any(s.list(1..=3, |s| Policy::draw(s, depth - 1))),
        ])
    }

    fn permits(&self, roles: &[bool]) -> bool {
        match self {
            Policy::Role(role) => roles[*role],
            Policy::All(items) => items.iter().all(|it| it.permits(roles)),
            Policy::Any(items) => items.iter().any(|it| it.permits(roles)),
        }
    }

    fn flattened(&self) -> Policy {
        match self {
            Policy::Role(role) => Policy::Role(*role),
            Policy::All(items) => Policy::All(items.iter().flat_map(Policy::items).collect()),
            Policy::Any(items) => Policy::Any(items.iter().flat_map(Policy::items).collect()),
        }
    }

    /// What stands for this policy in a flat one.
    fn items(&self) -> Vec<Policy> {
        match self.flattened() {
            Policy::All(items) | Policy::Any(items) => items,
            role => vec![role],
        }
    }

    fn told(&self) -> String {
        match self {
            Policy::Role(role) => role.to_string(),
            Policy::All(items) => format!("all({})", listed(items, Policy::told, " ")),
            Policy::Any(items) => format!("any({})", listed(items, Policy::told, " ")),
        }
    }
}

/// A flat policy permits the same; the bug: an `any` inside of an `all` is taken apart as well, and vice versa.
fn policy(s: &mut Source) -> bool {
    let roles = s.repeat(3, |s| s.boolean(0.5));
    let policy = Policy::draw(s, 3);
    let had: Vec<usize> = (0..3).filter(|role| roles[*role]).collect();
    let told = policy.told();
    note(s, format!("{{{}}} {told}", joined(&had, " ")), told.len());
    policy.permits(&roles) == policy.flattened().permits(&roles)
}

#[derive(Clone)]
struct Comment {
    likes: u32,
    is_deleted: bool,
    replies: Vec<Comment>,
}

impl Comment {
    fn draw(s: &mut Source, depth: usize) -> Comment {
        let likes = s.integer(0..=20);
        let is_deleted = s.boolean(0.4);
        let mut replies = Vec::new();
        while depth > 0 && replies.len() < 3 && s.boolean(0.5) {
            replies.push(s.draw(|s| Comment::draw(s, depth - 1)));
        }
        Comment { likes, is_deleted, replies }
    }

    /// This comment without what nobody can see.
    fn pruned(&self) -> Option<Comment> {
        let replies: Vec<Comment> = self.replies.iter().filter_map(Comment::pruned).collect();
        let stays = !self.is_deleted || replies.iter().any(|it| !it.is_deleted);
        stays.then_some(Comment { replies, ..self.clone() })
    }

    fn visible_likes(&self) -> u32 {
        let own = if self.is_deleted { 0 } else { self.likes };
        own + self.replies.iter().map(Comment::visible_likes).sum::<u32>()
    }

    fn told(&self) -> String {
        let own = format!("{}{}", if self.is_deleted { "x" } else { "" }, self.likes);
        match &self.replies[..] {
            [] => own,
            replies => format!("{own}({})", listed(replies, Comment::told, " ")),
        }
    }
}

/// Deleted comments without visible ones below are removed; the bug: only their own replies are looked at.
fn thread(s: &mut Source) -> bool {
    let thread = Comment::draw(s, 3);
    note(s, thread.told(), thread.told().len());
    thread.pruned().map_or(0, |it| it.visible_likes()) == thread.visible_likes()
}

/// What each group grants, and which group includes which.
type Groups = (Vec<Vec<u8>>, Vec<(usize, usize)>);

/// The permissions of a group, by what is known of others.
fn permissions(
    groups: &Groups,
    group: usize,
    open: &mut Vec<usize>,
    known: &mut [Option<BTreeSet<u8>>],
) -> BTreeSet<u8> {
    if let Some(known) = &known[group] {
        return known.clone();
    }
    let mut all = BTreeSet::new();
    if !open.contains(&group) {
        open.push(group);
        all.extend(&groups.0[group]);
        for (_, included) in groups.1.iter().filter(|it| it.0 == group) {
            all.extend(permissions(groups, *included, open, known));
        }
        open.pop();
        known[group] = Some(all.clone());
    }
    all
}

/// The permissions of all groups that can be reached from one.
fn reachable((grants, includes): &Groups, group: usize) -> BTreeSet<u8> {
    let mut seen = BTreeSet::from([group]);
    for _ in grants {
        let next = includes.iter().filter(|it| seen.contains(&it.0)).map(|it| it.1);
        seen.extend(next.collect::<Vec<_>>());
    }
    seen.iter().flat_map(|it| grants[*it].iter().copied()).collect()
}

/// A group has the permissions of all groups it includes; the bug: in a cycle, what is known so far is remembered as all.
fn groups(s: &mut Source) -> bool {
    let count = s.integer(1..=6);
    let grants = s.repeat(count, |s| s.list(0..=2, |s| s.integer(0..=4_u8)));
    let includes = s.list(0..=10, |s| (s.integer(0..count), s.integer(0..count)));
    let told = listed(&grants, |it| format!("[{}]", joined(it, " ")), " ");
    let form = format!("{told}; {}", listed(&includes, |it| format!("{}>{}", it.0, it.1), " "));
    note(s, form, count + includes.len());
    let groups = (grants, includes);
    let mut known = vec![None; count];
    (0..count)
        .all(|it| permissions(&groups, it, &mut Vec::new(), &mut known) == reachable(&groups, it))
}

/// A courier takes the shortest way to each place; the bug: the first way that is seen is kept.
fn courier(s: &mut Source) -> bool {
    let places: usize = s.integer(2..=6);
    let count = s.integer(0..=10);
    let mut roads: Vec<(usize, usize, u32)> = s.repeat(count, |s| {
        let ends = |s: &mut Source| (s.integer(0..places), s.integer(0..places));
        let (from, to) = s.filter(ends, |(from, to)| from != to);
        (from, to, s.integer(1..=9))
    });
    let told = listed(&roads, |(from, to, length)| format!("{from}>{to}:{length}"), " ");
    note(s, format!("{places}: {told}"), count);
    // Of two roads between the same places the shorter one comes first.
    roads.sort_unstable();
    shortest(places, &roads, false) == shortest(places, &roads, true)
}

/// The length of the way from the first place to each other.
fn shortest(places: usize, roads: &[(usize, usize, u32)], improves: bool) -> Vec<Option<u32>> {
    let mut ways = vec![None; places];
    ways[0] = Some(0);
    let mut open = BTreeSet::from([(0, 0)]);
    while let Some((way, at)) = open.pop_first() {
        for (_, to, length) in roads.iter().filter(|it| it.0 == at) {
            let way = way + length;
            if ways[*to].is_none_or(|known| improves && way < known) {
                ways[*to] = Some(way);
                open.insert((way, *to));
            }
        }
    }
    ways
}

/// The slug of a title, of eight characters at most.
fn slug_of(title: &str) -> String {
    let words = title.split(|sign: char| !sign.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase().chars().take(8).collect()
}

/// The slug of a slug is the same slug; the bug: one that is cut may end with a hyphen.
fn slug(s: &mut Source) -> bool {
    let title = s.text_of("0aB-! ", 0..=16);
    note(s, &title, title.len());
    let slug = slug_of(&title);
    slug_of(&slug) == slug
}

/// Whether a pattern matches a name; a star stands for anything.
fn matches(pattern: &[u8], name: &[u8], goes_back: bool) -> bool {
    match (pattern, name) {
        ([], _) => name.is_empty(),
        ([b'*', rest @ ..], _) => {
            let goes_on = !name.is_empty() && (goes_back || rest.first() != name.first());
            matches(rest, name, goes_back) || goes_on && matches(pattern, &name[1..], goes_back)
        }
        ([sign, pattern @ ..], [first, name @ ..]) => {
            sign == first && matches(pattern, name, goes_back)
        }
        _ => false,
    }
}

/// Names are permitted by patterns; the bug: a star ends at the first sign that may follow it.
fn acl(s: &mut Source) -> bool {
    let pattern = s.text_of("AB*", 0..=6);
    let name = s.text_of("AB", 0..=8);
    note(s, format!("{pattern} {name}"), pattern.len() + name.len());
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    matches(pattern, name, false) == matches(pattern, name, true)
}

/// Tokens come at a rate, up to a burst, and each request takes one; the bug: an idle bucket overflows.
fn bucket(s: &mut Source) -> bool {
    let burst = f64::from(s.integer(1..=4_u8));
    let rate = s.float(0.0..=2.0);
    let gaps = s.list(0..=12, |s| s.float(0.0..=3.0));
    note(s, format!("{burst} at {rate}: {}", joined(&gaps, " ")), gaps.len());
    let permitted = |most: f64| -> Vec<bool> {
        let mut tokens = burst;
        let permits = |gap: &f64| {
            tokens = (tokens + rate * gap).min(most);
            let permits = tokens >= 1.0;
            tokens -= if permits { 1.0 } else { 0.0 };
            permits
        };
        gaps.iter().map(permits).collect()
    };
    permitted(f64::INFINITY) == permitted(burst)
}

/// An alarm begins after two loads above a limit and ends below a lower one; the bug: it ends below the upper one.
fn alarm(s: &mut Source) -> bool {
    let low = s.float(0.0..=50.0);
    let high = s.float(low..=100.0);
    let loads = s.list(0..=10, |s| s.float(0.0..=100.0));
    note(s, format!("{low} to {high}: {}", joined(&loads, " ")), loads.len());
    let states = |end: f64| -> Vec<bool> {
        let (mut is_on, mut before) = (false, 0.0);
        let next = |load: &f64| {
            is_on = if is_on { *load >= end } else { *load > high && before > high };
            before = *load;
            is_on
        };
        loads.iter().map(next).collect()
    };
    states(high) == states(low)
}

/// A basket's lines of the same product are put together; the bug: those with different prices, too.
fn basket(s: &mut Source) -> bool {
    let count = s.integer(0..=6);
    let products: Vec<u32> = s.repeat(count, |s| s.integer(0..=9));
    let quantities: Vec<u32> = s.repeat(count, |s| s.integer(1..=5));
    let prices: Vec<u32> = s.repeat(count, |s| s.integer(1..=50));
    let told = [&products, &quantities, &prices].map(|it| joined(it, " "));
    note(s, joined(&told, ", "), count);
    let mut lines: Vec<(u32, u32, u32)> = Vec::new();
    for ((product, quantity), price) in products.iter().zip(&quantities).zip(&prices) {
        match lines.iter_mut().find(|it| it.0 == *product) {
            Some(line) => line.1 += quantity,
            None => lines.push((*product, *quantity, *price)),
        }
    }
    let total: u32 = quantities.iter().zip(&prices).map(|(quantity, price)| quantity * price).sum();
    lines.iter().map(|(_, quantity, price)| quantity * price).sum::<u32>() == total
}

/// Neighbouring seats are found for a party; the bug: the last seat of a row and the first of the next are neighbours.
fn seats(s: &mut Source) -> bool {
    let rows = s.integer(1..=5);
    let columns: usize = s.integer(2..=6);
    let party = s.integer(2..=columns);
    let taken: Vec<Vec<bool>> = s.repeat(rows, |s| s.repeat(columns, |s| s.boolean(0.5)));
    let told = |row: &Vec<bool>| row.iter().map(|it| if *it { '#' } else { '.' }).collect();
    note(s, format!("{party}: {}", listed(&taken, told, " ")), rows * columns);
    let is_taken = taken.concat();
    let found = (0..=is_taken.len() - party).find(|at| !is_taken[*at..at + party].contains(&true));
    found.is_none_or(|at| at / columns == (at + party - 1) / columns)
}

/// Messages that arrive in any order are delivered in theirs; the bug: only one waiting message is delivered after another.
fn reorder(s: &mut Source) -> bool {
    let count = s.integer(1..=8);
    let mut left: Vec<usize> = (0..count).collect();
    let mut arrivals = Vec::new();
    while !left.is_empty() {
        let at = s.integer(0..left.len());
        arrivals.push(left.remove(at));
    }
    note(s, joined(&arrivals, " "), count);
    let (mut waiting, mut delivered) = (BTreeSet::new(), Vec::new());
    for arrival in arrivals {
        if arrival == delivered.len() {
            delivered.push(arrival);
            if waiting.remove(&delivered.len()) {
                delivered.push(delivered.len());
            }
        } else {
            waiting.insert(arrival);
        }
    }
    delivered.len() == count
}

/// A priority, and when it is due.
type Ticket = (u8, Option<u8>);

/// Tickets are sorted by time, or else by priority; the bug: the latter holds for all pairs with one that has no time.
fn tickets(s: &mut Source) -> bool {
    let tickets: Vec<Ticket> =
        s.list(0..=8, |s| (s.integer(0..=4), s.option(|s| s.integer(0..=9))));
    let told = |(priority, due): &Ticket| match due {
        Some(due) => format!("{priority}/{due}"),
        None => format!("{priority}/-"),
    };
    note(s, listed(&tickets, told, " "), tickets.len());
    let is_before = |one: &Ticket, other: &Ticket| match (one.1, other.1) {
        (Some(due), Some(other)) => due < other,
        _ => one.0 < other.0,
    };
    let mut sorted: Vec<Ticket> = Vec::new();
    for ticket in tickets {
        let at = sorted.iter().rposition(|it| !is_before(&ticket, it)).map_or(0, |at| at + 1);
        sorted.insert(at, ticket);
    }
    (0..sorted.len()).all(|at| sorted[at..].iter().all(|later| !is_before(later, &sorted[at])))
}

/// Shipping is free if at least 50 are to be paid; the bug: members get it by what they would pay without a coupon.
fn checkout(s: &mut Source) -> bool {
    let country = *s.pick(&["DE", "FR", "US"]);
    let is_insured = country == "US" && s.boolean(0.5);
    let is_member = s.boolean(0.5);
    let goods: u32 = s.integer(0..=200);
    let percent = |s: &mut Source| (s.integer(1..=50), "%");
    let amount = |s: &mut Source| (s.integer(1..=100), "");
    let coupon: Option<(u32, &str)> = s.option(|s| s.one_of(&[&percent, &amount]));
    let is_express = s.boolean(0.3);
    let flag = |has: bool, name: &'static str| if has { name } else { "" };
    let form = format!(
        "{country}{}{} {goods}{}{}",
        flag(is_insured, " insured"),
        flag(is_member, " member"),
        coupon.map_or(String::new(), |(value, unit)| format!(" -{value}{unit}")),
        flag(is_express, " express")
    );
    note(s, &form, form.len());
    let off = match coupon {
        Some((percent, "%")) => goods * percent / 100,
        Some((amount, _)) => amount.min(goods),
        None => 0,
    };
    let is_free = |worth: u32| !is_express && worth >= 50;
    is_free(if is_member { goods } else { goods - off }) == is_free(goods - off)
}

struct Booking {
    room: u8,
    nights: u32,
    first: u32,
    weeks: Option<u32>,
}

impl Booking {
    /// The nights of so many weeks.
    fn nights(&self, weeks: u32) -> impl Iterator<Item = (u8, u32)> {
        let first = (0..weeks).map(|week| self.first + 7 * week);
        first.flat_map(|first| (first..first + self.nights).map(|night| (self.room, night)))
    }

    fn told(&self) -> String {
        let weeks = self.weeks.map_or(String::new(), |weeks| format!(" x{weeks}"));
        format!("room {}: {} from {}{weeks}", self.room, self.nights, self.first)
    }
}

/// No room is booked twice for a night; the bug: of a weekly booking only the first week is looked at.
fn rooms(s: &mut Source) -> bool {
    let bookings = s.list(0..=6, |s| Booking {
        room: s.integer(0..=2),
        nights: s.integer(1..=4),
        first: s.integer(0..=20),
        weeks: s.option(|s| s.integer(2..=4)),
    });
    note(s, listed(&bookings, Booking::told, ", "), bookings.len());
    let mut taken: Vec<(u8, u32)> = Vec::new();
    for it in &bookings {
        if it.nights(1).all(|night| !taken.contains(&night)) {
            taken.extend(it.nights(it.weeks.unwrap_or(1)));
        }
    }
    taken.iter().collect::<BTreeSet<_>>().len() == taken.len()
}

/// Pages together have all events; the bug: a page begins after the time of the last event, and others may have the same.
fn pages(s: &mut Source) -> bool {
    let size: usize = s.integer(1..=5);
    let mut times: Vec<u32> = s.list(0..=12, |s| s.integer(0..=60));
    note(s, format!("{size}: {}", joined(&times, " ")), times.len());
    times.sort_unstable();
    let (mut left, mut shown) = (&times[..], 0);
    while !left.is_empty() {
        let page = &left[..size.min(left.len())];
        shown += page.len();
        left = &left[left.partition_point(|time| *time <= page[page.len() - 1])..];
    }
    shown == times.len()
}

/// A minute has a limit of requests; the bug: they are counted from each full minute on.
fn limiter(s: &mut Source) -> bool {
    let limit: usize = s.integer(1..=5);
    let gaps: Vec<u32> = s.list(0..=12, |s| s.integer(0..=90));
    note(s, format!("{limit}: {}", joined(&gaps, " ")), gaps.len());
    let (mut now, mut permitted) = (0, Vec::new());
    for gap in &gaps {
        now += gap;
        if permitted.iter().filter(|it| **it / 60 == now / 60).count() < limit {
            permitted.push(now);
        }
    }
    permitted.iter().zip(permitted.iter().skip(limit)).all(|(first, last)| last - first >= 60)
}
