"""Products: money, shares, bookings, promotions, plans, quiet hours and games."""
import math
from collections import deque

from hypothesis import strategies as st


def bowling(draw):
    frames = []
    for frame in range(1, 11):
        first = draw(st.integers(0, 10))
        rolls = [first]
        if first < 10:
            rolls.append(draw(st.integers(0, 10 - first)))
        if frame == 10 and first == 10:
            fill = draw(st.integers(0, 10))
            rolls += [fill, draw(st.integers(0, 10 if fill == 10 else 10 - fill))]
        elif frame == 10 and sum(rolls) == 10:
            rolls.append(draw(st.integers(0, 10)))
        frames.append(rolls)
    form = " ".join("-".join(map(str, rolls)) for rolls in frames)
    rolls = sum(frames, [])
    at = expected = score = 0
    for frame, own in enumerate(frames):
        two = rolls[at] + rolls[at + 1]
        expected += two + rolls[at + 2] if rolls[at] == 10 or two == 10 else two
        at += 1 if rolls[at] == 10 else 2
        score += sum(own)
        if frame < 9 and sum(own) == 10:
            score += sum(frames[frame + 1][:2 if len(own) == 1 else 1])
    return form, score == expected


def fx(draw):
    cents = draw(st.integers(0, 100_000))
    rates = draw(st.lists(st.floats(0.01, 100), min_size=1, max_size=4))
    amount = float(cents)
    for rate in rates:
        amount = math.floor(amount * rate + 0.5)
    for rate in reversed(rates):
        amount = math.floor(amount / rate + 0.5)
    return f"{cents} {rates}", abs(amount - cents) <= len(rates)


def gantt(draw):
    tasks = []
    while len(tasks) < 6 and draw(st.booleans()):
        days = draw(st.integers(0, 9))
        after = draw(st.lists(st.integers(0, len(tasks) - 1), max_size=min(len(tasks), 3), unique=True)) if tasks else []
        tasks.append((days, after))
    ends = []
    for days, after in tasks:
        # The last of several, as in Rust.
        longest = max(reversed(after), key=lambda task: tasks[task][0], default=None)
        start = 0 if longest is None else ends[longest]
        ends.append(start + days)
        if any(ends[task] > start for task in after):
            return str(tasks), False
    return str(tasks), True


def lots(draw):
    bought, units, log, holds = deque(), [], [], True
    while len(log) < 10 and draw(st.booleans()):
        if units and draw(st.sampled_from(["buy", "sell"])) == "sell":
            count = draw(st.integers(1, len(units)))
            cost, units = sum(units[:count]), units[count:]
            left, price = count, bought[0][1]
            while left > 0:
                taken = min(left, bought[0][0])
                bought[0][0] -= taken
                left -= taken
                if bought[0][0] == 0:
                    bought.popleft()
            holds &= count * price == cost
            log.append(f"sell {count}")
        else:
            count, price = draw(st.integers(1, 5)), draw(st.integers(0, 9))
            bought.append([count, price])
            units += [price] * count
            log.append(f"buy {count} at {price}")
    return ", ".join(log), holds


def promo(draw):
    prices = draw(st.lists(st.integers(0, 50), max_size=7))

    def total(prices):
        return sum(prices) - sum(min(prices[at:at + 3]) for at in range(0, len(prices) - 2, 3))

    return str(prices), total(prices) == total(sorted(prices, reverse=True))


def quiet(draw):
    offset = draw(st.integers(-12, 14))
    start, end, hour = draw(st.integers(0, 23)), draw(st.integers(0, 23)), draw(st.integers(0, 23))

    def is_quiet(hour):
        return start <= hour < end if start <= end else start <= hour or hour < end

    return f"UTC{offset:+}: {start}..{end} {hour}", is_quiet(int(math.fmod(hour + offset, 24))) == is_quiet((hour + offset) % 24)


def spending(draw):
    limit = draw(st.integers(1, 100))
    payments = draw(st.lists(st.tuples(st.integers(0, 36), st.integers(0, 60)), max_size=8))
    form, now, every, recent = f"{limit} {payments}", 0, [], deque()
    for hours, amount in payments:
        now += hours
        spent = sum(amount for at, amount in every if at + 24 > now)
        if recent and recent[0][0] + 24 <= now:
            recent.popleft()
        counted = sum(amount for _, amount in recent)
        if (spent + amount <= limit) != (counted + amount <= limit):
            return form, False
        if spent + amount <= limit:
            every.append((now, amount))
            recent.append((now, amount))
    return form, True


def threecard(draw):
    card = st.tuples(st.integers(0, 12), st.integers(0, 3))
    cards = draw(st.lists(card, min_size=3, max_size=3, unique=True))
    form = " ".join("23456789TJQKA"[rank] + "cdhs"[suit] for rank, suit in cards)
    ranks = {rank for rank, _ in cards}
    expected = any(ranks == {(low + 12) % 13, low, low + 1} for low in range(12))
    return form, expected == (len(ranks) == 3 and max(ranks) - min(ranks) == 2)


def waitlist(draw):
    seats = draw(st.integers(1, 3))
    guests, waiting, log, count, holds = [], deque(), [], 0, True
    while len(log) < 12 and draw(st.booleans()):
        people = len(guests) + len(waiting)
        if people > 0 and draw(st.booleans()):
            leaving = draw(st.integers(0, people - 1))
            if leaving < len(guests):
                del guests[leaving]
            else:
                del waiting[leaving - len(guests)]
            if waiting:
                guests.append(waiting.popleft())
            log.append(f"leave {leaving}")
        else:
            (guests if len(guests) < seats else waiting).append(count)
            count += 1
            log.append("join")
        holds &= len(guests) <= seats
    return f"{seats}: {', '.join(log)}", holds
