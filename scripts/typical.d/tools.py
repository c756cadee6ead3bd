"""Tools: the twins of benches/challenges/typical/tools.rs for Hypothesis."""
from hypothesis import strategies as st


def _float(number):
    return repr(number).removesuffix(".0")


def coalesce(draw):
    step = st.one_of(st.tuples(st.just("alloc"), st.integers(1, 16)), st.tuples(st.just("free"), st.integers(0, 19)))
    free, used, log = [(0, 64)], [], []
    for name, number in draw(st.lists(step, max_size=20)):
        if name == "alloc":
            log.append(f"alloc {number}")
            at = next((at for at, block in enumerate(free) if block[1] >= number), None)
            if at is None:
                continue
            start, length = free.pop(at)
            used.append((start, number))
            if length > number:
                free.insert(at, (start + number, length - number))
        elif used:
            number %= len(used)
            log.append(f"free {number}")
            start, length = used.pop(number)
            at = sum(block[0] < start for block in free)
            if at < len(free) and free[at][0] == start + length:
                free[at] = (start, length + free[at][1])
            elif at > 0 and sum(free[at - 1]) == start:
                free[at - 1] = (free[at - 1][0], free[at - 1][1] + length)
            else:
                free.insert(at, (start, length))
    return ", ".join(log), all(sum(one) < two[0] for one, two in zip(free, free[1:]))


@st.composite
def _transaction_step(draw):
    name = draw(st.sampled_from(["put", "delete", "begin", "commit", "rollback"]))
    key = st.integers(0, 3)
    if name == "put":
        return name, draw(key), draw(st.integers(0, 9))
    return (name, draw(key)) if name == "delete" else (name,)


def savepoint(draw):
    count = draw(st.integers(1, 20))
    steps = [draw(_transaction_step()) for _ in range(count)]
    form = ", ".join(" ".join(map(str, step)) for step in steps)
    store, undo, marks, copies = {}, [], [], [{}]
    for name, *arguments in steps:
        if name == "put":
            key, value = arguments
            undo.append((key, store.get(key)))
            store[key] = copies[-1][key] = value
        elif name == "delete":
            undo.append((arguments[0], store.pop(arguments[0], None)))
            copies[-1].pop(arguments[0], None)
        elif name == "begin":
            marks.append(len(undo))
            copies.append(dict(copies[-1]))
        elif marks:
            mark, inner = marks.pop(), copies.pop()
            if name == "commit":
                del undo[mark:]
                copies[-1] = inner
                continue
            while len(undo) > mark:
                key, before = undo.pop()
                if before is None:
                    store.pop(key, None)
                else:
                    store[key] = before
    return form, copies[-1] == store


@st.composite
def _expr(draw, depth):
    number = st.integers(0, 9)
    if depth == 0:
        return draw(number)
    binary = lambda sign: st.tuples(st.just(sign), _expr(depth - 1), _expr(depth - 1))
    return draw(st.one_of(number, binary("+"), binary("-"), binary("*")))


def _strength(sign):
    return 2 if sign == "*" else 1


def _printed(expr, around, more):
    if isinstance(expr, int):
        return str(expr)
    sign, left, right = expr
    own = _strength(sign)
    text = f"{_printed(left, own, more)}{sign}{_printed(right, own + more, more)}"
    return f"({text})" if own < around else text


def reprint(draw):
    expr = draw(_expr(5))
    right = _printed(expr, 0, 1)
    return right, eval(_printed(expr, 0, 0)) == eval(right)


@st.composite
def _value(draw):
    return draw(st.one_of(st.integers(0, 9), st.sampled_from("abc")))


@st.composite
def _statement(draw, depth):
    variable = st.sampled_from("abc")
    match draw(st.integers(0, 2 if depth > 0 else 1)):
        case 0:
            return "set", draw(variable), draw(_value())
        case 1:
            return "print", draw(_value())
        case _:
            return "if", draw(variable), draw(_block(depth - 1))


def _block(depth):
    return st.lists(_statement(depth), max_size=5)


def _block_form(block):
    told = {"set": lambda to, value: f"{to} = {value}", "print": lambda value: f"print {value}",
            "if": lambda when, block: f"if {when} {{ {_block_form(block)} }}"}
    return "; ".join(told[kind](*rest) for kind, *rest in block)


def _run(block, variables, printed):
    for kind, *rest in block:
        if kind == "set":
            variables[rest[0]] = variables.get(rest[1], rest[1])
        elif kind == "print":
            printed.append(variables.get(rest[0], rest[0]))
        elif variables[rest[0]]:
            _run(rest[1], variables, printed)
    return printed


def _propagated(block, known):
    made = []
    for kind, *rest in block:
        if kind == "set":
            to, value = rest[0], known.get(rest[1], rest[1])
            known.pop(to, None)
            if isinstance(value, int):
                known[to] = value
            made.append((kind, to, value))
        elif kind == "print":
            made.append((kind, known.get(rest[0], rest[0])))
        else:
            made.append((kind, rest[0], _propagated(rest[1], known)))
    return made


def propagate(draw):
    program = draw(_block(2))
    after = _run(_propagated(program, {}), dict.fromkeys("abc", 0), [])
    return _block_form(program), _run(program, dict.fromkeys("abc", 0), []) == after


def includes(draw):
    files = draw(st.integers(2, 8))
    file = st.integers(0, files - 1)
    drawn = draw(st.lists(st.tuples(file, file).filter(lambda edge: edge[0] != edge[1]), max_size=12))
    edges = sorted(set(drawn))

    def meets_again(at, met):
        if at in met:
            return True
        met.add(at)
        return any(start == at and meets_again(end, met) for start, end in edges)

    left = edges
    while (rest := [edge for edge in left if any(it[0] == edge[1] for it in left)]) != left:
        left = rest
    form = f"{files}: " + " ".join(f"{start}-{end}" for start, end in drawn)
    return form, any(meets_again(root, set()) for root in range(files)) == bool(left)


def _ancestors(start, parents):
    found, left = [], [start]
    while left:
        commit = left.pop(0)
        if commit not in found:
            found.append(commit)
            left += parents[commit]
    return found


def mergebase(draw):
    parents = [[]]
    while len(parents) < 12 and draw(st.booleans()):
        commit = st.integers(0, len(parents) - 1)
        own = [draw(commit)]
        if draw(st.booleans()):
            own.append(draw(commit))
        parents.append(own)
    commit = st.integers(0, len(parents) - 1)
    one, other = draw(commit), draw(commit)
    told = "".join(f"{at}: {' '.join(map(str, own))}; " for at, own in enumerate(parents) if at)
    others = _ancestors(other, parents)
    base, *common = [commit for commit in _ancestors(one, parents) if commit in others]
    return f"{told}of {one} and {other}", all(base not in _ancestors(it, parents) for it in common)


def _glob_matches(pattern, text, ends):
    fits = lambda sign, at: at < len(text) and sign in ("?", text[at])
    if not pattern:
        return not text
    rest = pattern[1:]
    if pattern[0] != "*":
        return fits(pattern[0], 0) and _glob_matches(rest, text[1:], ends)
    may_end = lambda at: at == len(text) if not rest else rest[0] == "*" or fits(rest[0], at)
    tried = [at for at in range(len(text) + 1) if may_end(at)][:ends]
    return any(_glob_matches(rest, text[at:], ends) for at in tried)


def glob(draw):
    # Unlike `st.text`, this has the order of the alphabet.
    pattern = "".join(draw(st.lists(st.sampled_from("ab*?"), max_size=8)))
    text = "".join(draw(st.lists(st.sampled_from("ab"), max_size=10)))
    return f"{pattern} {text}", _glob_matches(pattern, text, 1) == _glob_matches(pattern, text, None)


def utf16(draw):
    text = draw(st.text(max_size=12))
    offset = draw(st.integers(0, len(text)))
    before = text[:offset]
    start = before.rfind("\n") + 1
    column = len(before[start:].encode("utf-16-le")) // 2
    return f"{' '.join(f'{ord(it):x}' for it in text)} at {offset}", start + column == offset


def elapsed(draw):
    steps = draw(st.lists(st.floats(0, 100), min_size=1, max_size=6))
    return " ".join(map(_float, steps)), int(sum(steps) % 60 + 0.5) < 60


@st.composite
def _range(draw):
    low = draw(st.floats(0, 100))
    high = draw(st.floats(low, 100))
    return (low, draw(st.booleans())), (high, draw(st.booleans()))


def bounds(draw):
    one, other = draw(_range()), draw(_range())
    told = lambda low, high: f"{'(['[low[1]]}{_float(low[0])}, {_float(high[0])}{')]'[high[1]]}"

    def has(low, high, value):
        return (value > low[0] or value == low[0] and low[1]) and (value < high[0] or value == high[0] and high[1])

    low = max(one[0][0], other[0][0]), one[0][1] and other[0][1]
    high = min(one[1][0], other[1][0]), one[1][1] and other[1][1]
    ends = [end[0] for end in one + other]
    return f"{told(*one)} {told(*other)}", all(
        has(low, high, end) == (has(*one, end) and has(*other, end)) for end in ends)


def tiles(draw):
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    matrix = [[draw(st.integers(0, 9)) for _ in range(columns)] for _ in range(rows)]
    form = "; ".join(" ".join(map(str, row)) for row in matrix)
    if rows < 2 or columns < 2:
        return form, True
    whole_rows, whole_columns = rows // 2 * 2, columns // 2 * 2
    transposed = [[0] * rows for _ in range(columns)]
    for row in range(rows):
        for column in range(columns):
            if row < whole_rows or column < whole_columns:
                transposed[column][row] = matrix[row][column]
    return form, transposed == [list(column) for column in zip(*matrix)]


def mergejoin(draw):
    lefts, rights = draw(st.integers(0, 8)), draw(st.integers(0, 8))
    key = st.integers(0, 20)
    left, right = [draw(key) for _ in range(lefts)], [draw(key) for _ in range(rights)]
    form = f"{' '.join(map(str, left))} | {' '.join(map(str, right))}"
    left.sort()
    right.sort()
    at = to = pairs = 0
    while at < lefts and to < rights:
        pairs += left[at] == right[to]
        if left[at] < right[to]:
            at += 1
        else:
            to += 1
    return form, pairs == sum(map(right.count, left))


def regmoves(draw):
    count = draw(st.integers(1, 8))
    source = draw(st.permutations(range(count)))
    registers, scratch, last, done = list(range(count)), 0, [], set()
    for start in range(count):
        if source[start] == start or start in done:
            continue
        scratch, at = registers[start], start
        while source[at] != start:
            registers[at] = registers[source[at]]
            done.add(at)
            at = source[at]
        done.add(at)
        last.append(at)
    for at in last:
        registers[at] = scratch
    return " ".join(map(str, source)), registers == list(source)


def dequeue(draw):
    count = draw(st.integers(1, 12))
    # Unlike `st.permutations`, this has the order of the permutations.
    left = list(range(count))
    order = [left.pop(draw(st.integers(0, len(left) - 1))) for _ in range(count)]
    out = draw(st.integers(0, count - 1))
    heap = []
    for task in order:
        at = len(heap)
        heap.append(task)
        while at > 0 and heap[(at - 1) // 2] > heap[at]:
            heap[at], heap[(at - 1) // 2] = heap[(at - 1) // 2], heap[at]
            at = (at - 1) // 2
    heap[out] = heap[-1]
    heap.pop()
    at = out
    while below := range(2 * at + 1, min(2 * at + 3, len(heap))):
        least = min(below, key=heap.__getitem__)
        if heap[at] > heap[least]:
            heap[at], heap[least] = heap[least], heap[at]
        at = least
    holds = all(heap[(at - 1) // 2] <= heap[at] for at in range(1, len(heap)))
    return f"{' '.join(map(str, order))} without {out}", holds


def buildflags(draw):
    profile = draw(st.sampled_from(["debug", "release"]))
    release = profile == "release"
    level = draw(st.integers(2, 3) if release else st.integers(0, 1))
    lto = release and draw(st.booleans())
    debug = draw(st.booleans())
    split = draw(st.sampled_from(["off", "packed", "unpacked"])) if debug else "off"
    threads = draw(st.integers(1, 16))
    told = lambda flag: str(flag).lower()
    line = f"profile={profile} O={level} lto={told(lto)} g={told(debug)} split={split} j={threads}"
    read = {}
    for argument in line.split(" "):
        name, value = argument.split("=")
        read[name] = value
        if name == "split" and value != "off":
            read["lto"] = "false"
    return line, read["lto"] == told(lto) and read["split"] == split and read["profile"] == profile


def _days_in(year, month):
    return 29 if month == 2 and year % 4 == 0 else [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]


def _next_run(year, month, day, years):
    while day > _days_in(year, month):
        day -= _days_in(year, month)
        year, month = (year + years, 1) if month == 12 else (year, month + 1)
    return year, month, day


def crontab(draw):
    year, month = draw(st.integers(2000, 2037)), draw(st.integers(1, 12))
    day = draw(st.integers(1, _days_in(year, month)))
    unit, count = draw(st.sampled_from(["days", "weeks"])), draw(st.integers(1, 4))
    end = day + (7 * count if unit == "weeks" else count)
    return f"{year}-{month}-{day} + {count} {unit}", _next_run(year, month, end, 0) == _next_run(year, month, end, 1)


def pagesplit(draw):
    sizes = draw(st.lists(st.integers(1, 60), max_size=12))
    pages = [0]
    for size in sizes:
        if pages[-1] + size > 100:
            pages.append(0)
        pages[-1] += size + 4
    return " ".join(map(str, sizes)), all(used <= 100 for used in pages)


def hunks(draw):
    hunks = draw(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 10)), max_size=8))
    merged = []
    for start, length in sorted(hunks, key=lambda hunk: hunk[0]):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = start + length
        else:
            merged.append([start, start + length])
    covered = sorted({line for start, length in hunks for line in range(start, start + length)})
    form = " ".join(f"{start}+{length}" for start, length in hunks)
    return form, [line for start, end in merged for line in range(start, end)] == covered
