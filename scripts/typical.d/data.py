"""Data: structures, tables, series, images, encodings, calendars and routes."""
import heapq
from functools import reduce

from hypothesis import strategies as st


def some(value):
    """An optional value as Rust writes it."""
    return "None" if value is None else f"Some({value})"


def ring(draw):
    room = draw(st.integers(1, 4))
    steps = draw(st.lists(st.one_of(st.integers(0, 9), st.none()), max_size=12))
    form = f"{room} [{', '.join(map(some, steps))}]"
    slots, first, length, queue = [0] * room, 0, 0, []
    for step in steps:
        if step is not None:
            if length == len(slots):
                slots += [0] * length
                first = 0
            slots[(first + length) % len(slots)] = step
            length += 1
            queue.append(step)
            if [slots[(first + at) % len(slots)] for at in range(length)] != queue:
                return form, False
        elif length:
            item = slots[first]
            first = (first + 1) % len(slots)
            length -= 1
            if item != queue.pop(0):
                return form, False
    return form, True


def undo(draw):
    change = st.tuples(st.integers(0, 2), st.integers(-99, 99))
    steps = draw(st.lists(st.one_of(change, st.just("undo"), st.just("redo")), max_size=12))
    cells, done, undone, history, at, log = [0] * 3, [], [], [[0] * 3], 0, []
    for step in steps:
        if step == "undo":
            if at == 0:
                continue
            cell, old, new = done.pop()
            cells[cell] = old
            undone.append((cell, old, new))
            at -= 1
            log.append(step)
        elif step == "redo":
            if not undone:
                continue
            cell, old, new = undone.pop()
            cells[cell] = new
            done.append((cell, old, new))
            at = min(at + 1, len(history) - 1)
            log.append(step)
        else:
            cell, new = step
            done.append((cell, cells[cell], new))
            cells[cell] = new
            del history[at + 1:]
            history.append(list(history[at]))
            at += 1
            history[at][cell] = new
            log.append(f"set {cell} to {new}")
    return ", ".join(log), cells == history[at]


def around(a, b):
    return [min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])]


@st.composite
def shapes(draw, depth):
    if depth > 0 and draw(st.booleans()):
        x, y = draw(st.integers(-20, 20)), draw(st.integers(-20, 20))
        return x, y, draw(st.lists(shapes(depth - 1), max_size=4))
    x, y = draw(st.integers(-20, 20)), draw(st.integers(-20, 20))
    return [x, y, draw(st.integers(1, 10)), draw(st.integers(1, 10))]


def drawing(draw):
    def told(it):
        if isinstance(it, list):
            return f"Rectangle({it})"
        return f"Group({it[0]}, {it[1]}, [{', '.join(map(told, it[2]))}])"

    def flat(it, left, top):
        if isinstance(it, list):
            x, y, width, height = it
            return [[left + x, top + y, left + x + width, top + y + height]]
        return [area for inner in it[2] for area in flat(inner, left + it[0], top + it[1])]

    def buggy(it):
        if isinstance(it, list):
            return flat(it, 0, 0)[0]
        inner = reduce(around, map(buggy, it[2])) if it[2] else [0] * 4
        return [inner[0] + it[0], inner[1] + it[1], inner[2] + it[0], inner[3] + it[1]]

    shape = draw(shapes(3))
    everything = flat(shape, 0, 0)
    return told(shape), not everything or reduce(around, everything) == buggy(shape)


@st.composite
def quads(draw, depth):
    if depth > 0 and draw(st.booleans()):
        return [draw(quads(depth - 1)) for _ in range(4)]
    return draw(st.integers(0, 3))


def quadtree(draw):
    def told(it):
        return f"Split([{', '.join(map(told, it))}])" if isinstance(it, list) else f"Leaf({it})"

    def pixel(it, x, y, half):
        if not isinstance(it, list):
            return it
        return pixel(it[y // half * 2 + x // half], x % half, y % half, half // 2)

    image = draw(quads(3))
    turned = [image[at] for at in [2, 0, 3, 1]] if isinstance(image, list) else image
    holds = all(pixel(turned, x, y, 4) == pixel(image, y, 7 - x, 4) for x in range(8) for y in range(8))
    return told(image), holds


def routes(draw):
    count = draw(st.integers(2, 6))
    roads = []
    for to in range(1, count):
        for start in range(to):
            length = draw(st.none() | st.integers(1, 20))
            if length is not None:
                roads.append((start, to, length))
    both = [way for a, b, length in roads for way in [(a, b, length), (b, a, length)]]
    best = [0] + [float("inf")] * (count - 1)
    for _ in range(count):
        for start, to, length in both:
            best[to] = min(best[to], best[start] + length)

    def shortest(goal):
        heap, closed = [(0, 0)], set()
        while heap:
            way, here = heapq.heappop(heap)
            if here in closed:
                continue
            closed.add(here)
            for start, to, length in both:
                if start == here and to == goal:
                    return way + length
                if start == here:
                    heapq.heappush(heap, (way + length, to))
        return float("inf")

    return f"{count} {roads}", shortest(count - 1) == best[-1]


def links(draw):
    count = draw(st.integers(2, 6))
    node = st.integers(0, count - 1)
    links = draw(st.lists(st.tuples(node, node), max_size=12))
    seen, bridges = {}, set()

    def visit(node, before, time):
        seen[node] = low = time
        for at, (a, b) in enumerate(links):
            to = b if a == node else a
            if node not in (a, b) or to == before:
                continue
            if to in seen:
                low = min(low, seen[to])
                continue
            reached = visit(to, node, time + 1)
            if reached > time:
                bridges.add(at)
            low = min(low, reached)
        return low

    def connected(links, a, b):
        reached = {a}
        for _ in links:
            for c, d in links:
                if c in reached or d in reached:
                    reached |= {c, d}
        return b in reached

    for at in range(count):
        if at not in seen:
            visit(at, at, 0)
    holds = all((at in bridges) != connected(links[:at] + links[at + 1:], *links[at]) for at in range(len(links)))
    return f"{count} {links}", holds


def csv(draw):
    fields = draw(st.lists(st.text("ab ,\"", max_size=6), min_size=1, max_size=5))
    line = ",".join('"' + it.replace('"', '""', 1) + '"' if "," in it or '"' in it else it for it in fields)
    read, field, quoted, at = [], "", False, 0
    while at < len(line):
        if line[at] == '"' and quoted and line[at + 1:at + 2] == '"':
            field += '"'
            at += 1
        elif line[at] == '"' and (quoted or not field):
            quoted = not quoted
        elif line[at] == "," and not quoted:
            read.append(field)
            field = ""
        else:
            field += line[at]
        at += 1
    return "|".join(fields), read + [field] == fields


def lz(draw):
    text = draw(st.text("abcd", max_size=30))

    def same(start, at):
        length = 0
        while at + length < len(text) and text[start + length] == text[at + length]:
            length += 1
        return length

    restored, at = "", 0
    while at < len(text):
        length, start = max(((same(start, at), start) for start in range(at)), default=(0, 0))
        if length >= 4:
            restored += restored[start:start + length]
            at += length
        else:
            restored += text[at]
            at += 1
    return text, restored == text


def interpolate(draw):
    point = st.tuples(st.floats(0, 100), st.floats(-50, 50))
    drawn = draw(st.lists(point, min_size=1, max_size=8))
    at = draw(st.floats(0, 100))
    series = []
    for time, value in sorted(drawn, key=lambda it: it[0]):
        if not series or series[-1][0] != time:
            series.append((time, value))
    following = next((i for i, (time, _) in enumerate(series) if time >= at), len(series) - 1)
    if following == 0:
        value = series[0][1]
    else:
        (t0, v0), (t1, v1) = series[following - 1], series[following]
        value = v0 + (v1 - v0) * ((at - t0) / (t1 - t0))
    holds = any(it <= value + 1e-9 for _, it in series) and any(it >= value - 1e-9 for _, it in series)
    return f"{drawn} {at}", holds


def iou(draw):
    place, size = st.floats(0, 100), st.floats(1, 50)
    boxes = draw(st.lists(st.tuples(place, place, size, size).map(list), min_size=2, max_size=6))

    def in_common(a, b):
        width, height = (min(a[at] + a[at + 2], b[at] + b[at + 2]) - max(a[at], b[at]) for at in range(2))
        both = width * height
        rest = a[2] * a[3] + b[2] * b[3] - both
        return both > 0 and rest >= 0

    def apart(a, b):
        return any(a[at] + a[at + 2] < b[at] or b[at] + b[at + 2] < a[at] for at in range(2))

    return f"{boxes}", all(not apart(a, b) or not in_common(a, b) for a in boxes for b in boxes)


def summed(draw):
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 9), min_size=width, max_size=width)
    image = draw(st.lists(row, min_size=height, max_size=height))
    top, left = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
    bottom, right = draw(st.integers(top + 1, height)), draw(st.integers(left + 1, width))
    total = lambda top, bottom, left, right: sum(sum(row[left:right]) for row in image[top:bottom])
    by_table = total(0, bottom, 0, right) - total(0, top, 0, right) - total(0, bottom, 0, left)
    return f"{image} {top}..{bottom} {left}..{right}", by_table == total(top, bottom, left, right)


def means(draw):
    count = draw(st.integers(0, 10))
    column = lambda of: draw(st.lists(of, min_size=count, max_size=count))
    groups, values, missing = column(st.integers(0, 5)), column(st.integers(-100, 100)), column(st.booleans())
    holds = True
    for group in set(groups):
        present = [value for of, value, gone in zip(groups, values, missing) if of == group and not gone]
        holds &= sum(present) * len(present) == sum(present) * groups.count(group)
    return f"{groups} {values} {missing}".replace("T", "t").replace("F", "f"), holds


def period(draw):
    count = draw(st.integers(1, 7))
    rest = list(range(count))
    order = [rest.pop(draw(st.integers(0, len(rest) - 1))) for _ in range(count)]
    product, seen = 1, set()
    for start in range(count):
        length, at = 0, start
        while at not in seen:
            seen.add(at)
            length, at = length + 1, order[at]
        product *= length or 1
    now, turns = order, 1
    while now != sorted(now):
        now, turns = [order[at] for at in now], turns + 1
    return f"{order}", product == turns


def heap(draw):
    keys = draw(st.lists(st.integers(0, 99), max_size=8, unique=True))
    tree, left = [], []
    for key in keys:
        heapq.heappush(tree, key)
    while tree:
        left.append(tree[0])
        last = tree.pop()
        if tree:
            tree[0] = last
        at = 0
        while 2 * at + 1 < len(tree) and tree[2 * at + 1] < tree[at]:
            tree[at], tree[2 * at + 1] = tree[2 * at + 1], tree[at]
            at = 2 * at + 1
    return f"{keys}", left == sorted(keys)


def recurring(draw):
    start = draw(st.integers(0, 30))
    hours = None if draw(st.booleans()) else draw(st.tuples(st.integers(0, 23), st.integers(1, 12)))
    repeated = draw(st.tuples(st.integers(2, 10), st.integers(1, 7))) if draw(st.booleans()) else None
    without = draw(st.lists(st.integers(0, 60), max_size=3))
    day = draw(st.integers(0, 60))
    times, every = repeated or (1, 1)
    days = [start + time * every for time in range(times)]
    if repeated:
        on = day >= start and (day - start) % every == 0 and day <= start + times * every
    else:
        on = day == start
    holds = day in without or on == (day in days)
    return f"{start} {some(hours)} {some(repeated)} {without} {day}", holds


def nulls(draw):
    columns = draw(st.lists(st.tuples(st.sampled_from([1, 2, 4]), st.booleans()), min_size=1, max_size=5))
    cell = lambda width, nullable: st.none() | st.integers(0, 256**width - 1) if nullable else st.integers(0, 256**width - 1)
    rows = draw(st.lists(st.tuples(*(cell(*column) for column in columns)), max_size=4))
    told = ", ".join(f"({width}, {str(nullable).lower()})" for width, nullable in columns)
    form = f"[{told}] [{', '.join('[' + ', '.join(map(some, row)) + ']' for row in rows)}]"

    def restored(row):
        may_be_null = [at for at, (_, nullable) in enumerate(columns) if nullable]
        nulls = {bit for bit, at in enumerate(may_be_null) if row[at] is None}
        values = [value for value in row if value is not None]
        read = [None if at in nulls else values.pop(0) if values else -1 for at in range(len(row))]
        return None if values else tuple(read)

    return form, all(restored(row) == row for row in rows)


def gorilla(draw):
    distances = draw(st.lists(st.integers(0, 120), max_size=12))
    changes = [now - before for before, now in zip([0] + distances, distances)]

    def kept(change):
        if -64 <= change <= 64:
            return (change + 63 & 127) - 63
        return (change + 255 & 511) - 255 if -255 <= change <= 256 else change

    return f"{distances}", all(kept(change) == change for change in changes)


def spans(draw):
    spans = draw(st.lists(st.tuples(st.integers(0, 100), st.integers(1, 20)), max_size=8))
    merged = []
    for start, length in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = start + length
        else:
            merged.append([start, start + length])
    taken = {at for start, length in spans for at in range(start, start + length)}
    return f"{spans}", sum(end - start for start, end in merged) == len(taken)
