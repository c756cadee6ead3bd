"""Storage: stacks, tables, stores, file systems, documents, routes and codecs."""
from hypothesis import strategies as st


def aba(draw):
    filled = draw(st.integers(0, 4))
    steps = draw(st.lists(st.sampled_from(["push", "pop", "read", "swap"]), max_size=12))
    form = f"{filled}: {' '.join(steps)}"
    head, below, free, model, read = None, [], [], [], None

    def push():
        nonlocal head
        if free:
            node = free.pop(0)
        else:
            node = len(below)
            below.append(None)
        below[node] = head
        head = node
        model.append(node)

    def pop(to):
        nonlocal head
        if head is not None:
            free.append(head)
        head = to
        if model:
            model.pop()

    for _ in range(filled):
        push()
    for step in steps:
        if step == "push":
            push()
        elif step == "pop":
            pop(None if head is None else below[head])
        elif step == "read":
            read = None if head is None else (head, below[head])
        else:
            if read is not None and read[0] == head:
                below[head] = read[1]
                pop(read[1])
            read = None
        nodes, at = [], head
        while at is not None and len(nodes) <= len(below):
            nodes.append(at)
            at = below[at]
        if nodes[::-1] != model:
            return form, False
    return form, True


def hardlink(draw):
    names, links, log, is_sound, count = {}, [], [], True, 0
    while count < 10 and draw(st.booleans()):
        count += 1
        step = draw(st.sampled_from(["create", "link", "rename", "unlink"] if names else ["create"]))
        if step == "create":
            name = draw(st.integers(0, 3))
            if name not in names:
                names[name] = len(links)
                links.append(1)
            log.append(f"create {name}")
        elif step == "unlink":
            name = draw(st.sampled_from(sorted(names)))
            file = names.pop(name)
            links[file] = max(links[file] - 1, 0)
            log.append(f"unlink {name}")
        else:
            old, new = draw(st.sampled_from(sorted(names))), draw(st.integers(0, 3))
            if step == "link" and new not in names:
                names[new] = names[old]
                links[names[old]] += 1
            if step == "rename" and old != new:
                if new in names:
                    links[names[new]] = 0
                names[new] = names.pop(old)
            log.append(f"{step} {old} {new}")
        is_sound = is_sound and all(links[file] > 0 for file in names.values())
    return ", ".join(log), is_sound


def kraft(draw):
    weights = draw(st.lists(st.integers(1, 99), min_size=1, max_size=8))
    lengths = [0] * len(weights)
    groups = [(weight, [at]) for at, weight in enumerate(weights)]
    while len(groups) > 1:
        groups.sort(key=lambda group: group[0])
        (first, ours), (second, theirs) = groups.pop(0), groups.pop(0)
        for at in ours + theirs:
            lengths[at] += 1
        groups.append((first + second, ours + theirs))
    return str(weights), sum(16 >> min(length, 4) for length in lengths) <= 16


def pieces(draw):
    length, steps = 0, []
    while len(steps) < 10 and draw(st.booleans()):
        if length > 0 and draw(st.integers(0, 9)) > 6:
            length -= 1
            steps.append((draw(st.integers(0, length)), None))
        else:
            steps.append((draw(st.integers(0, length)), draw(st.sampled_from("abc"))))
            length += 1
    form = ", ".join(f"- at {at}" if letter is None else f"+{letter} at {at}" for at, letter in steps)
    text, buffer, table = [], [], []
    for at, letter in steps:
        piece, before = 0, 0
        while piece < len(table) and before + table[piece][1] < at + (letter is None):
            before += table[piece][1]
            piece += 1
        within = at - before
        if letter is None:
            del text[at]
            start, size = table[piece]
            table[piece:piece + 1] = [(start, within), (start + within + 1, size - within - 1)]
        else:
            text.insert(at, letter)
            buffer.append(letter)
            if piece == len(table):
                table.append((len(buffer) - 1, 1))
            else:
                start, size = table[piece]
                if within == size:
                    table[piece] = (start, size + 1)
                else:
                    table[piece:piece + 1] = [(start, within), (len(buffer) - 1, 1), (start + within, size - within)]
        table = [it for it in table if it[1] > 0]
        if [sign for start, size in table for sign in buffer[start:start + size]] != text:
            return form, False
    return form, True


def probing(draw):
    key = st.integers(0, 15)
    steps = draw(st.lists(st.one_of(st.tuples(st.just("+"), key), st.tuples(st.just("-"), key)), max_size=12))
    form = " ".join(f"{sign}{key}" for sign, key in steps)
    slots, keys = [None] * 8, set()

    def found(key):
        return next(slot for at in range(8) if slots[slot := (key + at) % 8] in (None, key))

    for sign, key in steps:
        slot = found(key)
        if sign == "+":
            if len(keys) < 7:
                slots[slot] = key
                keys.add(key)
        elif slots[slot] is not None:
            keys.discard(key)
            hole = slot
            slots[hole] = None
            for at in range(slot + 1, slot + 8):
                at %= 8
                if slots[at] is None:
                    break
                if slots[at] % 8 != at:
                    slots[hole], slots[at] = slots[at], None
                    hole = at
        else:
            keys.discard(key)
        if any((slots[found(key)] is not None) != (key in keys) for key in range(16)):
            return form, False
    return form, True


def resample(draw):
    step = draw(st.one_of(st.sampled_from([1.0, 2.0, 0.5]), st.floats(0.25, 4.0)))
    chunks = draw(st.lists(st.integers(1, 8), max_size=4))

    def whole(position, length):
        taken = []
        while position < length:
            taken.append(int(position))
            position += step
        return taken, position - length

    position, start, taken = 0.0, 0, []
    for length in chunks:
        part, rest = whole(position, length)
        taken += [start + at for at in part]
        position = rest // 1
        start += length
    return f"{step}: {chunks}", taken == whole(0.0, start)[0]


def subnet(draw):
    route = st.integers(0, 8).flatmap(lambda length: st.tuples(st.integers(0, (1 << length) - 1), st.just(length)))
    routes = draw(st.lists(route, max_size=6))
    address = draw(st.integers(0, 255))
    form = f"{' '.join(f'{bits}/{length}' for bits, length in routes)}: {address}"
    matching = [length for bits, length in routes if bits == address >> 8 - length]
    nodes = {(bits >> length - most, most) for bits, length in routes for most in range(length + 1)}
    last = max((length for length in range(9) if (address >> 8 - length, length) in nodes), default=None)
    return form, (last if last in matching else None) == max(matching, default=None)


def tombstone(draw):
    key = st.integers(0, 9)
    put, delete = st.tuples(st.just("put"), key), st.tuples(st.just("delete"), key, st.none() | st.integers(1, 3))
    steps = draw(st.lists(st.one_of(put, st.just(("flush",)), delete), max_size=10))
    log, model, runs, holds = [], set(), [(set(), [])], True
    for step in steps:
        keys, ranges = runs[-1]
        if step[0] == "put":
            log.append(f"put {step[1]}")
            keys.add(step[1])
            model.add(step[1])
        elif step[0] == "flush":
            log.append("flush")
            runs.append((set(), []))
        else:
            _, low, length = step
            high = float("inf") if length is None else low + length
            log.append(f"delete {low}..{'' if length is None else high}")
            keys -= {key for key in keys if low <= key < high}
            model -= {key for key in model if low <= key < high}
            apart = []
            for start, end in ranges:
                if start > high + 1 or low > end + 1:
                    apart.append((start, end))
                else:
                    low, high = min(low, start), max(high, end)
            ranges[:] = [*apart, (low, high)]
        for key in range(10):
            answer = False
            for keys, ranges in reversed(runs):
                if key in keys or any(start <= key < end for start, end in ranges):
                    answer = key in keys
                    break
            holds = holds and answer == (key in model)
    return ", ".join(log), holds


@st.composite
def edits(draw, document):
    if document and draw(st.booleans()):
        at = draw(st.integers(0, len(document) - 1))
        return "-", at, draw(st.integers(1, len(document) - at))
    return "+", draw(st.integers(0, len(document))), draw(st.sampled_from("abc"))


def transform(draw):
    document = draw(st.text("abc", max_size=6))
    ours, theirs = draw(edits(document)), draw(edits(document))
    form = f"{document}: " + ", ".join(f"{sign}{what} at {at}" for sign, at, what in (ours, theirs))

    def edited(text, edit):
        if edit is None:
            return text
        sign, at, what = edit
        return text[:at] + what + text[at:] if sign == "+" else text[:at] + text[at + what:]

    def after(edit, other, is_first):
        (sign, at, what), (others, place, count) = edit, other
        if sign == "+" and others == "+":
            return "+", at + (place < at or place == at and not is_first), what
        if sign == "+":
            return edit if at <= place else None if at < place + count else ("+", at - count, what)
        if others == "+":
            return ("-", at + 1, what) if place <= at else ("-", at, what + (place <= at + what))
        moved = lambda at: at - min(max(at - place, 0), count)
        left = moved(at + what) - moved(at)
        return ("-", moved(at), left) if left else None

    return form, edited(edited(document, ours), after(theirs, ours, False)) == edited(edited(document, theirs), after(ours, theirs, True))
