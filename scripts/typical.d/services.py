"""Services: shops, bookings, caches, queues, limits, permissions and messages."""
from hypothesis import strategies as st


def words(items, between=" "):
    return between.join(map(str, items))


def number(it):
    return str(int(it)) if it == int(it) else repr(it)


def lru(draw):
    room = draw(st.integers(1, 4))
    put = st.tuples(st.just("put"), st.integers(0, 5), st.integers(0, 9))
    get = st.tuples(st.just("get"), st.integers(0, 5))
    calls = draw(st.lists(st.one_of(put, get), max_size=20))
    form = f"{room}: {words((f'put {c[1]}={c[2]}' if c[0] == 'put' else f'get {c[1]}' for c in calls), ', ')}"

    def answers(refreshes):
        entries, answers = {}, []
        for name, key, *value in calls:
            if name == "get":
                answers.append(entries.get(key))
                if key in entries:
                    entries[key] = entries.pop(key)
            elif key in entries:
                if refreshes:
                    entries.pop(key)
                entries[key] = value[0]
            else:
                if len(entries) == room:
                    entries.pop(next(iter(entries)))
                entries[key] = value[0]
        return answers

    return form, answers(False) == answers(True)


def queue(draw):
    timeout = draw(st.integers(1, 10))
    now, messages, receipts, steps, lost = 0, [], [], [], False

    def following():
        return next((at for at, time in enumerate(messages) if time is not None and time <= now), None)

    @st.composite
    def step(draw):
        nonlocal now, lost
        name = draw(st.sampled_from(["send", "receive", "wait", "ack"]))
        if name == "send":
            messages.append(now)
            steps.append(f"send {draw(st.integers(0, 9))}")
        elif name == "receive" and following() is not None:
            receipts.append(following())
            messages[following()] = now + timeout
            steps.append("receive")
        elif name == "wait":
            time = draw(st.integers(1, 10))
            now += time
            steps.append(f"wait {time}")
        elif name == "ack" and receipts:
            receipt = draw(st.integers(0, len(receipts) - 1))
            message = receipts[receipt]
            lost |= messages[message] is not None and message in receipts[receipt + 1:]
            messages[message] = None
            steps.append(f"ack {receipt}")

    draw(st.lists(step(), max_size=20))
    return f"{timeout}: {words(steps, ', ')}", not lost


@st.composite
def policies(draw, depth):
    role = st.integers(0, 2)
    if depth == 0:
        return draw(role)
    items = st.lists(policies(depth - 1), min_size=1, max_size=3)
    return draw(st.one_of(role, st.tuples(st.just("all"), items), st.tuples(st.just("any"), items)))


def policy(draw):
    roles = [draw(st.booleans()) for _ in range(3)]
    policy = draw(policies(3))

    def told(it):
        return str(it) if isinstance(it, int) else f"{it[0]}({words(map(told, it[1]))})"

    def permits(it):
        if isinstance(it, int):
            return roles[it]
        return (all if it[0] == "all" else any)(map(permits, it[1]))

    def flattened(it):
        if isinstance(it, int):
            return it
        items = []
        for item in map(flattened, it[1]):
            items += [item] if isinstance(item, int) else item[1]
        return it[0], items

    form = f"{{{words(role for role in range(3) if roles[role])}}} {told(policy)}"
    return form, permits(policy) == permits(flattened(policy))


@st.composite
def comments(draw, depth):
    likes, deleted, replies = draw(st.integers(0, 20)), draw(st.booleans()), []
    while depth > 0 and len(replies) < 3 and draw(st.booleans()):
        replies.append(draw(comments(depth - 1)))
    return likes, deleted, replies


def thread(draw):
    thread = draw(comments(3))

    def told(it):
        likes, deleted, replies = it
        return ("x" if deleted else "") + str(likes) + (f"({words(map(told, replies))})" if replies else "")

    def pruned(it):
        likes, deleted, replies = it
        replies = [reply for reply in map(pruned, replies) if reply is not None]
        return (likes, deleted, replies) if not deleted or any(not reply[1] for reply in replies) else None

    def likes(it):
        return 0 if it is None else it[0] * (not it[1]) + sum(map(likes, it[2]))

    return told(thread), likes(pruned(thread)) == likes(thread)


def groups(draw):
    count = draw(st.integers(1, 6))
    grants = [draw(st.lists(st.integers(0, 4), max_size=2)) for _ in range(count)]
    group = st.integers(0, count - 1)
    includes = draw(st.lists(st.tuples(group, group), max_size=10))
    form = f"{words(f'[{words(it)}]' for it in grants)}; {words(f'{a}>{b}' for a, b in includes)}"
    known = {}

    def permissions(group, open):
        if group in known:
            return known[group]
        if group in open:
            return set()
        found = set(grants[group])
        for a, b in includes:
            if a == group:
                found |= permissions(b, open | {group})
        known[group] = found
        return found

    def reachable(group):
        seen = {group}
        for _ in range(count):
            seen |= {b for a, b in includes if a in seen}
        return {grant for it in seen for grant in grants[it]}

    return form, all(permissions(it, frozenset()) == reachable(it) for it in range(count))


def courier(draw):
    places = draw(st.integers(2, 6))
    count = draw(st.integers(0, 10))
    place = st.integers(0, places - 1)
    ends = st.tuples(place, place).filter(lambda it: it[0] != it[1])
    roads = [(*draw(ends), draw(st.integers(1, 9))) for _ in range(count)]
    form = f"{places}: {words(f'{a}>{b}:{length}' for a, b, length in roads)}"

    def shortest(improves):
        ways, open = {0: 0}, {(0, 0)}
        while open:
            way, at = min(open)
            open.remove((way, at))
            for a, b, length in sorted(roads):
                if a == at and (b not in ways or improves and way + length < ways[b]):
                    ways[b] = way + length
                    open.add((ways[b], b))
        return ways

    return form, shortest(False) == shortest(True)


def slug(draw):
    title = draw(st.text("0aB-! ", max_size=16))

    def slug(title):
        parts = "".join(sign if sign.isalnum() else " " for sign in title).split()
        return "-".join(parts).lower()[:8]

    return title, slug(slug(title)) == slug(title)


def acl(draw):
    pattern = draw(st.text("AB*", max_size=6))
    name = draw(st.text("AB", max_size=8))

    def matches(pattern, name, goes_back):
        if not pattern:
            return not name
        if pattern[0] == "*":
            goes_on = name and (goes_back or pattern[1:2] != name[0])
            return matches(pattern[1:], name, goes_back) or bool(goes_on) and matches(pattern, name[1:], goes_back)
        return name[:1] == pattern[0] and matches(pattern[1:], name[1:], goes_back)

    return f"{pattern} {name}", matches(pattern, name, False) == matches(pattern, name, True)


def bucket(draw):
    burst = draw(st.integers(1, 4))
    rate = draw(st.floats(0, 2))
    gaps = draw(st.lists(st.floats(0, 3), max_size=12))

    def permitted(most):
        tokens, permitted = burst, []
        for gap in gaps:
            tokens = min(tokens + rate * gap, most)
            permitted.append(tokens >= 1)
            tokens -= permitted[-1]
        return permitted

    form = f"{burst} at {number(rate)}: {words(map(number, gaps))}"
    return form, permitted(float("inf")) == permitted(burst)


def alarm(draw):
    low = draw(st.floats(0, 50))
    high = draw(st.floats(low, 100))
    loads = draw(st.lists(st.floats(0, 100), max_size=10))

    def states(end):
        on, before, states = False, 0, []
        for load in loads:
            on = load >= end if on else load > high and before > high
            before = load
            states.append(on)
        return states

    return f"{number(low)} to {number(high)}: {words(map(number, loads))}", states(high) == states(low)


def basket(draw):
    count = draw(st.integers(0, 6))

    def column(least, most):
        return draw(st.lists(st.integers(least, most), min_size=count, max_size=count))

    products, quantities, prices = column(0, 9), column(1, 5), column(1, 50)
    lines = {}
    for product, quantity, price in zip(products, quantities, prices):
        line = lines.setdefault(product, [0, price])
        line[0] += quantity
    total = sum(quantity * price for quantity, price in zip(quantities, prices))
    form = words(map(words, (products, quantities, prices)), ", ")
    return form, sum(quantity * price for quantity, price in lines.values()) == total


def seats(draw):
    rows = draw(st.integers(1, 5))
    columns = draw(st.integers(2, 6))
    party = draw(st.integers(2, columns))
    row = st.lists(st.booleans(), min_size=columns, max_size=columns)
    taken = draw(st.lists(row, min_size=rows, max_size=rows))
    form = f"{party}: {words(''.join('.#'[it] for it in row) for row in taken)}"
    flat = sum(taken, [])
    found = next((at for at in range(len(flat) - party + 1) if not any(flat[at:at + party])), None)
    return form, found is None or found // columns == (found + party - 1) // columns


def reorder(draw):
    count = draw(st.integers(1, 8))
    arrivals = draw(st.permutations(range(count)))
    waiting, delivered = set(), 0
    for arrival in arrivals:
        if arrival == delivered:
            delivered += 1
            if delivered in waiting:
                delivered += 1
        else:
            waiting.add(arrival)
    return words(arrivals), delivered == count


def tickets(draw):
    ticket = st.tuples(st.integers(0, 4), st.none() | st.integers(0, 9))
    tickets = draw(st.lists(ticket, max_size=8))

    def is_before(one, other):
        return one[0] < other[0] if None in (one[1], other[1]) else one[1] < other[1]

    ordered = []
    for ticket in tickets:
        at = len(ordered)
        while at > 0 and is_before(ticket, ordered[at - 1]):
            at -= 1
        ordered.insert(at, ticket)
    form = words(f"{priority}/{'-' if due is None else due}" for priority, due in tickets)
    return form, not any(is_before(later, it) for at, it in enumerate(ordered) for later in ordered[at:])


def checkout(draw):
    country = draw(st.sampled_from(["DE", "FR", "US"]))
    insured = country == "US" and draw(st.booleans())
    member = draw(st.booleans())
    goods = draw(st.integers(0, 200))
    percent = st.tuples(st.integers(1, 50), st.just("%"))
    amount = st.tuples(st.integers(1, 100), st.just(""))
    coupon = draw(st.none() | percent | amount)
    express = draw(st.booleans())
    form = country + " insured" * insured + " member" * member + f" {goods}"
    form += (f" -{coupon[0]}{coupon[1]}" if coupon else "") + " express" * express
    off = 0
    if coupon:
        off = goods * coupon[0] // 100 if coupon[1] else min(coupon[0], goods)

    def is_free(worth):
        return not express and worth >= 50

    return form, is_free(goods if member else goods - off) == is_free(goods - off)


def rooms(draw):
    booking = st.tuples(st.integers(0, 2), st.integers(1, 4), st.integers(0, 20), st.none() | st.integers(2, 4))
    bookings = draw(st.lists(booking, max_size=6))

    def all_nights(booking, weeks):
        room, nights, first, _ = booking
        return [(room, first + 7 * week + night) for week in range(weeks) for night in range(nights)]

    taken = []
    for it in bookings:
        if not any(night in taken for night in all_nights(it, 1)):
            taken += all_nights(it, it[3] or 1)
    form = words((f"room {room}: {nights} from {first}" + (f" x{weeks}" if weeks else "")
                  for room, nights, first, weeks in bookings), ", ")
    return form, len(set(taken)) == len(taken)


def pages(draw):
    size = draw(st.integers(1, 5))
    times = draw(st.lists(st.integers(0, 60), max_size=12))
    left, shown = sorted(times), 0
    while left:
        page = left[:size]
        shown += len(page)
        left = [time for time in left if time > page[-1]]
    return f"{size}: {words(times)}", shown == len(times)


def limiter(draw):
    limit = draw(st.integers(1, 5))
    gaps = draw(st.lists(st.integers(0, 90), max_size=12))
    now, permitted = 0, []
    for gap in gaps:
        now += gap
        if sum(time // 60 == now // 60 for time in permitted) < limit:
            permitted.append(now)
    return f"{limit}: {words(gaps)}", all(b - a >= 60 for a, b in zip(permitted, permitted[limit:]))
