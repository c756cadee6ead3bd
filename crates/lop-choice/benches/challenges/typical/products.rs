//! Products: money, shares, bookings, promotions, plans, quiet hours and games.

use std::collections::{BTreeSet, VecDeque};

use lop_choice::{Source, Step};

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("fx", fx, "2 [0.25]"),
        typical("lots", lots, "buy 1 at 0, buy 1 at 1, sell 2"),
        typical("quiet", quiet, "UTC-2: 0..23 0"),
        typical("spending", spending, "1 [(0, 0), (0, 1), (24, 1)]"),
        typical("threecard", threecard, "2c 3c Ac"),
        typical("waitlist", waitlist, "1: join, join, join, leave 1"),
    ],
    apart: &[
        typical("bowling", bowling, "10 10 10 10 10 10 10 10 10 0-0"),
        typical("gantt", gantt, "[(1, []), (1, [0]), (0, [1, 0])]"),
        typical("promo", promo, "[0, 1, 1, 1]"),
    ],
};

/// The score of bowling by frames against that by single rolls; the bug: a strike's two bonus rolls are looked for in the next frame only.
fn bowling(s: &mut Source) -> bool {
    let mut frames = Vec::new();
    for frame in 1..=10 {
        let first = s.integer(0..=10);
        let mut rolls = vec![first];
        if first < 10 {
            rolls.push(s.integer(0..=10 - first));
        }
        if frame == 10 && first == 10 {
            let fill = s.integer(0..=10);
            rolls.extend([fill, s.integer(0..=if fill == 10 { 10 } else { 10 - fill })]);
        } else if frame == 10 && rolls[0] + rolls[1] == 10 {
            rolls.push(s.integer(0..=10));
        }
        frames.push(rolls);
    }
    let written = |rolls: &Vec<u32>| rolls.iter().map(u32::to_string).collect::<Vec<_>>().join("-");
    note(s, frames.iter().map(written).collect::<Vec<_>>().join(" "), frames.concat().len());
    let rolls = frames.concat();
    let (mut at, mut expected, mut score) = (0, 0, 0);
    for frame in 0..10 {
        let own = &frames[frame];
        let (is_strike, two) = (rolls[at] == 10, rolls[at] + rolls[at + 1]);
        expected += if is_strike || two == 10 { two + rolls[at + 2] } else { two };
        at += if is_strike { 1 } else { 2 };
        score += own.iter().sum::<u32>();
        if frame < 9 && own.iter().sum::<u32>() == 10 {
            let bonus = if own.len() == 1 { 2 } else { 1 };
            score += frames[frame + 1].iter().take(bonus).sum::<u32>();
        }
    }
    score == expected
}

/// An amount is changed through some currencies and back; the bug: it is rounded to cents each time, so more than a cent for each may be lost.
fn fx(s: &mut Source) -> bool {
    let cents: u32 = s.integer(0..=100_000);
    let rates = s.list(1..=4, |s| s.float(0.01..=100.0));
    note(s, format!("{cents} {rates:?}"), rates.len());
    let rounded = |it: f64| (it + 0.5).floor();
    let there = rates.iter().fold(f64::from(cents), |sum, rate| rounded(sum * rate));
    let back = rates.iter().rev().fold(there, |sum, rate| rounded(sum / rate));
    (back - f64::from(cents)).abs() <= rates.len() as f64
}

/// Tasks start when all before them are done; the bug: only the longest of these is waited for.
fn gantt(s: &mut Source) -> bool {
    let mut count: usize = 0;
    let tasks = s.list(0..=6, |s| {
        let days: u32 = s.integer(0..=9);
        let after = s.distinct(0..=count.min(3), |s| s.integer(0..count));
        count += 1;
        (days, after)
    });
    note(s, format!("{tasks:?}"), tasks.len());
    let mut ends: Vec<u32> = Vec::new();
    tasks.iter().all(|(days, after)| {
        let longest = after.iter().max_by_key(|task| tasks[**task].0);
        let start = longest.map_or(0, |task| ends[*task]);
        ends.push(start + days);
        after.iter().all(|task| ends[*task] <= start)
    })
}

/// What was bought at which price, as lots and unit by unit; how much sold units had cost, and what happened.
#[derive(Default)]
struct Shares {
    lots: VecDeque<(u32, u32)>,
    units: VecDeque<u32>,
    log: Vec<String>,
    differs: bool,
}

impl Shares {
    fn cost(&mut self, sold: u32) -> u32 {
        let mut left = sold;
        let price = self.lots[0].1;
        while left > 0 {
            let lot = &mut self.lots[0];
            let taken = left.min(lot.0);
            lot.0 -= taken;
            left -= taken;
            if lot.0 == 0 {
                self.lots.pop_front();
            }
        }
        sold * price
    }
}

/// Shares are sold in the order in which they were bought; the bug: all that are sold at once cost what the first of them cost.
fn lots(s: &mut Source) -> bool {
    let buy = |shares: &mut Shares, s: &mut Source| {
        let (count, price) = (s.integer(1..=5), s.integer(0..=9));
        shares.lots.push_back((count, price));
        shares.units.extend((0..count).map(|_| price));
        shares.log.push(format!("buy {count} at {price}"));
    };
    let sell = |shares: &mut Shares, s: &mut Source| {
        let count = s.integer(1..=shares.units.len() as u32);
        let cost: u32 = shares.units.drain(..count as usize).sum();
        shares.differs |= shares.cost(count) != cost;
        shares.log.push(format!("sell {count}"));
    };
    let steps = [Step::new("buy", buy), Step::new("sell", sell).when(|it| !it.units.is_empty())];
    let mut shares = Shares::default();
    s.steps(0..=10, &mut shares, &steps);
    note(s, shares.log.join(", "), shares.log.len());
    !shares.differs
}

/// Three for the price of two: the least of each three is free, whatever the order of the basket; the bug: the basket isn't sorted before.
fn promo(s: &mut Source) -> bool {
    let prices: Vec<u32> = s.list(0..=7, |s| s.integer(0..=50));
    note(s, format!("{prices:?}"), prices.len());
    let total = |prices: &[u32]| -> u32 {
        let free = |three: &[u32]| three.iter().min().copied().unwrap_or(0);
        prices.iter().sum::<u32>() - prices.chunks_exact(3).map(free).sum::<u32>()
    };
    let mut sorted = prices.clone();
    sorted.sort_by(|a, b| b.cmp(a));
    total(&prices) == total(&sorted)
}

/// Notifications are held back in someone's quiet hours; the bug: the hour there is negative if it is the day before.
fn quiet(s: &mut Source) -> bool {
    let offset: i32 = s.integer(-12..=14);
    let (from, to, hour): (i32, i32, i32) = (s.integer(0..24), s.integer(0..24), s.integer(0..24));
    note(s, format!("UTC{offset:+}: {from}..{to} {hour}"), 1);
    let is_quiet = |hour| match from <= to {
        true => from <= hour && hour < to,
        false => from <= hour || hour < to,
    };
    is_quiet((hour + offset) % 24) == is_quiet((hour + offset).rem_euclid(24))
}

/// A card has a limit for 24 hours; the bug: before each payment, only one is forgotten that is older.
fn spending(s: &mut Source) -> bool {
    let limit: u32 = s.integer(1..=100);
    let payments: Vec<(u32, u32)> = s.list(0..=8, |s| (s.integer(0..=36), s.integer(0..=60)));
    note(s, format!("{limit} {payments:?}"), payments.len());
    let (mut now, mut all, mut recent) = (0, Vec::new(), VecDeque::new());
    payments.into_iter().all(|(hours, amount)| {
        now += hours;
        let spent: u32 = all.iter().filter(|(at, _)| at + 24 > now).map(|it| it.1).sum();
        if recent.front().is_some_and(|(at, _)| at + 24 <= now) {
            recent.pop_front();
        }
        let counted: u32 = recent.iter().map(|it: &(u32, u32)| it.1).sum();
        if spent + amount <= limit {
            all.push((now, amount));
            recent.push_back((now, amount));
        }
        (spent + amount <= limit) == (counted + amount <= limit)
    })
}

/// Whether three cards are a straight; the bug: an ace is never low.
fn threecard(s: &mut Source) -> bool {
    let cards = s.distinct(3..=3, |s| (s.integer(0..13), s.integer(0..4)));
    let written = |(rank, suit): &(usize, usize)| {
        format!("{}{}", &"23456789TJQKA"[*rank..=*rank], &"cdhs"[*suit..=*suit])
    };
    note(s, cards.iter().map(written).collect::<Vec<_>>().join(" "), 1);
    let ranks: BTreeSet<usize> = cards.iter().map(|card| card.0).collect();
    let expected = (0..12).any(|low| ranks == BTreeSet::from([(low + 12) % 13, low, low + 1]));
    let (least, most) = (ranks.first().unwrap(), ranks.last().unwrap());
    expected == (ranks.len() == 3 && most - least == 2)
}

/// An event has no more guests than seats, and others wait; the bug: one who stops waiting lets another one in as well.
fn waitlist(s: &mut Source) -> bool {
    let seats = s.integer(1..=3);
    let (mut guests, mut waiting) = (Vec::new(), VecDeque::new());
    let (mut log, mut next, mut holds) = (Vec::new(), 0, true);
    while log.len() < 12 && s.boolean(0.85) {
        let people = guests.len() + waiting.len();
        if people > 0 && s.boolean(0.4) {
            let leaving = s.integer(0..people);
            match leaving.checked_sub(guests.len()) {
                None => drop(guests.remove(leaving)),
                Some(at) => drop(waiting.remove(at)),
            }
            guests.extend(waiting.pop_front());
            log.push(format!("leave {leaving}"));
        } else {
            if guests.len() < seats {
                guests.push(next);
            } else {
                waiting.push_back(next);
            }
            next += 1;
            log.push("join".to_string());
        }
        holds &= guests.len() <= seats;
    }
    note(s, format!("{seats}: {}", log.join(", ")), log.len());
    holds
}
