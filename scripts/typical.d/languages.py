"""Languages: compilers, interpreters, assemblers, parsers, patterns, patches and allocators."""
import re

from hypothesis import strategies as st


def arena(draw):
    objects = draw(st.lists(st.tuples(st.integers(1, 64), st.integers(0, 4).map(lambda it: 1 << it)), max_size=8))
    form = " ".join(f"{size}/{align}" for size, align in objects)
    end = 0
    for size, align in objects:
        if end + size > 64:
            end = 0
        end = -(-end // align) * align + size
        if end > 64:
            return form, False
    return form, True


@st.composite
def terms(draw, depth, scope):
    kinds = ["number"]
    if scope:
        kinds += 2 * ["variable"]
    if depth > 0:
        kinds += 3 * ["let"] + ["sum"]
    kind = draw(st.sampled_from(kinds))
    if kind == "number":
        return draw(st.integers(0, 9))
    if kind == "variable":
        return draw(st.sampled_from(scope))
    if kind == "let":
        name = draw(st.sampled_from("ab"))
        value = draw(terms(depth - 1, scope))
        return "let", name, value, draw(terms(depth - 1, sorted({*scope, name})))
    return "sum", draw(terms(depth - 1, scope)), draw(terms(depth - 1, scope))


def capture(draw):
    def told(it):
        match it:
            case ("let", name, value, body):
                return f"let {name} = {told(value)} in {told(body)}"
            case ("sum", left, right):
                return f"({told(left)} + {told(right)})"
        return str(it)

    def value(it, of):
        match it:
            case ("let", name, bound, body):
                return value(body, {**of, name: value(bound, of)})
            case ("sum", left, right):
                return value(left, of) + value(right, of)
            case str():
                return of[it]
        return it

    def gone(it):
        match it:
            case ("let", name, bound, body):
                bound, body = gone(bound), gone(body)
                return renamed(body, name, bound) if isinstance(bound, str) else ("let", name, bound, body)
            case ("sum", left, right):
                return "sum", gone(left), gone(right)
        return it

    def renamed(it, old, new):
        match it:
            case ("let", name, bound, body):
                return "let", name, renamed(bound, old, new), body if name == old else renamed(body, old, new)
            case ("sum", left, right):
                return "sum", renamed(left, old, new), renamed(right, old, new)
        return new if it == old else it

    it = draw(terms(4, []))
    return told(it), value(gone(it), {}) == value(it, {})


def cse(draw):
    count = draw(st.integers(1, 8))
    program = []
    for at in range(count):
        kind = draw(st.integers(0, 2 if at else 0))
        if kind == 0:
            program.append((0, draw(st.integers(0, 9)), 0))
        else:
            program.append((kind, draw(st.integers(0, at - 1)), draw(st.integers(0, at - 1))))
    form = "; ".join(str(left) if kind == 0 else f"v{left} {' +-'[kind]} v{right}" for kind, left, right in program)
    known, same = {}, []
    for at, (kind, left, right) in enumerate(program):
        key = (0, left) if kind == 0 else (kind, *sorted([same[left], same[right]]))
        same.append(known.setdefault(key, at))

    def run(same):
        values = []
        for at, (kind, left, right) in enumerate(program):
            if same[at] < at:
                values.append(values[same[at]])
            elif kind == 0:
                values.append(left)
            else:
                values.append(values[left] + (values[right] if kind == 1 else -values[right]))
        return values

    return form, run(same) == run(range(count))


def linearscan(draw):
    registers = draw(st.integers(1, 4))
    intervals = draw(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 10)), max_size=8))
    form = f"{registers}: {' '.join(f'{start}+{length}' for start, length in intervals)}"
    fits = all(sum(start <= at < start + length for start, length in intervals) <= registers for at in range(31))
    live, spilled = [], False
    for start, length in sorted(intervals, key=lambda it: it[0]):
        while live and live[0] <= start:
            live.pop(0)
        if len(live) < registers:
            live.append(start + length)
        else:
            spilled = True
    return form, not (fits and spilled)


SIGNS = ["(", ")", "+", "-", "*", "<", ">", "=", "->", "<=", ">=", "=="]
KEYWORDS = ["if", "do", "let"]


def munch(draw):
    word = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=3).filter(lambda it: it not in KEYWORDS)
    token = st.one_of(st.sampled_from(SIGNS), st.sampled_from(KEYWORDS), st.integers(0, 99).map(str), word)
    tokens = draw(st.lists(token, max_size=8))
    text = ""
    for it in tokens:
        text += " " + it if text[-1:].isalnum() and it[0].isalnum() else it
    read = re.findall(r"[a-z0-9]+|->|<=|>=|==|[()+\-*<>=]", text)
    return " ".join(tokens), read == tokens


@st.composite
def blocks(draw, depth):
    indent = 2 if draw(st.integers(0, 15)) < 15 else draw(st.integers(1, 4))
    return indent, draw(st.lists(blocks(depth - 1), max_size=3)) if depth > 0 else []


def outline(draw):
    def told(it):
        return f"{it[0]}({' '.join(map(told, it[1]))})" if it[1] else str(it[0])

    def lines(it, column, depth):
        yield column, depth
        for inner in it[1]:
            yield from lines(inner, column + it[0], depth + 1)

    drawn = draw(st.lists(blocks(3), max_size=3))
    every = [line for it in drawn for line in lines(it, 0, 0)]
    unit = next((column for column, _ in every if column > 0), 1)
    return " ".join(map(told, drawn)), all(column // unit == depth for column, depth in every)


@st.composite
def patterns(draw, depth):
    kind = draw(st.sampled_from(["letter", "both", "either", "many"] if depth > 0 else ["letter"]))
    if kind == "letter":
        return kind, draw(st.sampled_from("ab"))
    return kind, *(draw(patterns(depth - 1)) for _ in range(1 if kind == "many" else 2))


def possessive(draw):
    def told(it):
        match it:
            case ("letter", letter):
                return letter
            case ("both", left, right):
                return told(left) + told(right)
            case ("either", left, right):
                return f"({told(left)}|{told(right)})"
        return f"({told(it[1])})*" if it[1][0] == "both" else f"{told(it[1])}*"

    def end(it, at):
        match it:
            case ("letter", letter):
                return at + 1 if text[at:at + 1] == letter else None
            case ("both", left, right):
                middle = end(left, at)
                return None if middle is None else end(right, middle)
            case ("either", left, right):
                first = end(left, at)
                return end(right, at) if first is None else first
        while (after := end(it[1], at)) is not None and after > at:
            at = after
        return at

    def ends(it, at):
        match it:
            case ("letter", letter):
                return {at + 1} if text[at:at + 1] == letter else set()
            case ("both", left, right):
                return {last for middle in ends(left, at) for last in ends(right, middle)}
            case ("either", left, right):
                return ends(left, at) | ends(right, at)
        every, new = {at}, [at]
        while new:
            more = ends(it[1], new.pop()) - every
            every |= more
            new += more
        return every

    pattern = draw(patterns(3))
    text = draw(st.text("ab", max_size=5))
    return f"{told(pattern)} on {text}", (end(pattern, 0) == len(text)) == (len(text) in ends(pattern, 0))


def relax(draw):
    data, jump = st.tuples(st.just("data"), st.integers(1, 20)), st.tuples(st.just("jump"), st.integers(0, 8))
    program = draw(st.lists(st.one_of(data, jump), max_size=8))
    form = ", ".join(f"{kind} {number}" for kind, number in program)

    def starts(is_long):
        all_starts = [0]
        for (kind, number), wide in zip(program, is_long):
            all_starts.append(all_starts[-1] + (number if kind == "data" else 5 if wide else 2))
        return all_starts

    def far(starts):
        return [kind == "jump" and not -16 <= starts[min(number, len(program))] - starts[at + 1] <= 15
                for at, (kind, number) in enumerate(program)]

    is_long = far(starts([False] * len(program)))
    return form, all(wide or not is_far for is_far, wide in zip(far(starts(is_long)), is_long))


def trim(draw):
    line = st.integers(0, 4)
    old = draw(st.lists(line, max_size=8))
    new = []
    for it in old:
        edit = draw(st.integers(0, 3))
        if edit == 0:
            new.append(it)
        elif edit == 2:
            new.append(draw(line))
        elif edit == 3:
            new += [draw(line), it]
    form = f"{old} to {new}"
    if old == new:
        return form, True
    shared = lambda pairs: next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    start, end = shared(zip(old, new)), shared(zip(reversed(old), reversed(new)))
    patched = old[:start] + new[start:max(len(new) - end, start)] + old[len(old) - end:]
    return form, patched == new
