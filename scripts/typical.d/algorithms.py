"""Algorithms: graphs, sets, trees of segments, geometry, images, texts, time series and simulation."""
from hypothesis import assume, strategies as st


def some(value):
    """An optional value as Rust writes it."""
    return "None" if value is None else f"Some({value})"


def acyclic(draw):
    count = draw(st.integers(1, 6))
    needs = [[]]
    for at in range(1, count):
        needs.append(draw(st.lists(st.integers(0, at - 1), max_size=min(at, 2), unique=True)))

    def meets_itself(at, seen):
        if at in seen:
            return True
        seen.add(at)
        return any(meets_itself(following, seen) for following in needs[at])

    return f"{needs}", not any(meets_itself(start, set()) for start in range(count))


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull(draw):
    drawn = draw(st.lists(st.tuples(st.integers(-10, 10), st.integers(-10, 10)), max_size=8))

    def chain(points):
        chain = []
        for point in points:
            if len(chain) >= 2 and turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    points = sorted(set(drawn))
    around = chain(points) + chain(points[::-1])
    edges = zip(around, around[1:] + around[:1])
    return f"{drawn}", all(turn(a, b, it) >= 0 for a, b in edges for it in points)


def labels(draw):
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    row = st.lists(st.booleans().map(int), min_size=width, max_size=width)
    picture = draw(st.lists(row, min_size=height, max_size=height))
    marks, same = [[0] * (width + 1) for _ in range(height + 1)], [0]
    truly = {}
    for y in range(height):
        for x in range(width):
            up, left = marks[y][x + 1], marks[y + 1][x]
            if not picture[y][x]:
                continue
            truly[y, x] = y * width + x
            if up and left:
                marks[y + 1][x + 1] = min(up, left)
                if up != left:
                    same[max(up, left)] = min(up, left)
            else:
                marks[y + 1][x + 1] = up or left or len(same)
                if not up and not left:
                    same.append(len(same))
    for _ in range(height * width):
        for y, x in truly:
            truly[y, x] = min(truly.get(at, 99) for at in [(y, x), (y + 1, x), (y, x + 1), (y - 1, x), (y, x - 1)])
    areas = {same[it] for row in marks for it in row}
    return f"{picture}", len(areas) == len(set(truly.values())) + 1


def lazy(draw):
    count = draw(st.integers(1, 8))
    sums, pending, values, log, holds = [0] * 32, [0] * 32, [0] * count, [], True

    def add(at, low, high, start, end, number):
        common = min(high, end) - max(low, start)
        if common <= 0:
            return
        sums[at] += number * common
        if common == high - low:
            pending[at] += number
        else:
            middle = (low + high) // 2
            add(2 * at, low, middle, start, end, number)
            add(2 * at + 1, middle, high, start, end, number)

    def total(at, low, high, start, end):
        if start <= low and high <= end:
            return sums[at]
        if end <= low or high <= start:
            return 0
        middle = (low + high) // 2
        return total(2 * at, low, middle, start, end) + total(2 * at + 1, middle, high, start, end)

    while len(log) < 10 and draw(st.integers(0, 4)) > 0:
        is_sum = draw(st.booleans())
        start = draw(st.integers(0, count - 1))
        end = draw(st.integers(start + 1, count))
        if is_sum:
            log.append(f"sum {start}..{end}")
            holds &= total(1, 0, count, start, end) == sum(values[start:end])
        else:
            number = draw(st.integers(-9, 9))
            log.append(f"add {start}..{end} {number}")
            values[start:end] = [it + number for it in values[start:end]]
            add(1, 0, count, start, end, number)
    return f"{count}: {', '.join(log)}", holds


def raycast(draw):
    point = st.tuples(st.integers(-10, 10), st.integers(-10, 10))
    corners = draw(st.lists(point, min_size=3, max_size=3))
    place = draw(point)
    edges = [(corners[at], corners[(at + 1) % 3]) for at in range(3)]
    turns = [turn(a, b, place) for a, b in edges]
    assume(turn(*corners) != 0 and all(turns))
    crossed = 0
    for a, b in edges:
        if a[1] != b[1] and min(a[1], b[1]) <= place[1] <= max(a[1], b[1]):
            crossed += a[0] + (place[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > place[0]
    is_inside = len({it > 0 for it in turns}) == 1
    return f"{corners} {place}", (crossed % 2 == 1) == is_inside


def rollback(draw):
    count = draw(st.integers(2, 6))
    node = st.integers(0, count - 1)
    steps = draw(st.lists(st.one_of(st.tuples(node, node), st.just("undo")), max_size=10))
    parents, history, model, log = list(range(count)), [], [list(range(count))], []

    def root(at):
        while parents[at] != at:
            at = parents[at]
        return at

    for step in steps:
        if step == "undo":
            if len(model) == 1:
                continue
            log.append(step)
            if history:
                last = history.pop()
                parents[last] = last
            model.pop()
        else:
            a, b = step
            log.append(f"union {a} {b}")
            if root(a) != root(b):
                history.append(root(a))
                parents[root(a)] = root(b)
            partition = model[-1]
            model.append([partition[b] if it == partition[a] else it for it in partition])
    holds = all((root(a) == root(b)) == (model[-1][a] == model[-1][b]) for a in range(count) for b in range(a))
    return f"{count}: {', '.join(log)}", holds


def search(draw):
    wanted = draw(st.text("abc", min_size=1, max_size=5))
    text = draw(st.text("abc", max_size=12))
    matched, found = 0, -1
    for at, sign in enumerate(text):
        if wanted[matched] == sign:
            matched += 1
        else:
            borders = (it for it in range(matched - 1, 0, -1) if wanted[:it] == wanted[matched - it:matched] and wanted[it] == sign)
            matched = next(borders, -1) + 1
        if matched == len(wanted):
            found = at + 1 - matched
            break
    return f"{wanted} {text}", found == text.find(wanted)


def servers(draw):
    count = draw(st.integers(1, 3))
    jobs = draw(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 10)), max_size=8))
    in_turn, free, now, holds = [0.0] * count, [0.0] * count, 0.0, True
    for number, (gap, takes) in enumerate(jobs):
        now += gap
        server = number % count
        in_turn[server] = max(now, in_turn[server]) + takes
        free.sort()
        free[0] = max(now, free[0]) + takes
        holds &= free[0] == in_turn[server]
    return f"{count} {jobs}", holds


def sliding(draw):
    width = draw(st.integers(1, 5))
    series = draw(st.lists(st.none() | st.integers(-50, 50), max_size=10))
    form = f"{width} [{', '.join(map(some, series))}]"
    candidates = []
    for at, value in enumerate(series):
        if at >= width and series[at - width] is not None and candidates[:1] == [series[at - width]]:
            candidates.pop(0)
        if value is not None:
            while candidates and candidates[-1] <= value:
                candidates.pop()
            candidates.append(value)
        window = [it for it in series[max(0, at + 1 - width):at + 1] if it is not None]
        if candidates[:1] != ([max(window)] if window else []):
            return form, False
    return form, True
