"""Platform: alerts, permissions, search, templates, migrations, caches, tenants, versions and paths."""
from collections import deque

from hypothesis import strategies as st


def some(value):
    """An optional value as Rust writes it."""
    return "None" if value is None else f"Some({str(value).lower()})"


def strings(texts):
    """Texts as Rust writes them."""
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"


def _rule(depth):
    has = st.integers(0, 4)
    if depth == 0:
        return has
    inner = _rule(depth - 1)
    return st.one_of(has, st.tuples(st.just("not"), inner), st.tuples(st.just("all"), inner, inner), st.tuples(st.just("any"), inner, inner))


def _written(rule):
    return str(rule) if isinstance(rule, int) else f"{rule[0]}({' '.join(map(_written, rule[1:]))})"


def _fires(rule, labels):
    if isinstance(rule, int):
        return rule in labels
    inner = [_fires(it, labels) for it in rule[1:]]
    return not inner[0] if rule[0] == "not" else all(inner) if rule[0] == "all" else any(inner)


def _normal(rule, negated):
    if isinstance(rule, int):
        return ("not", rule) if negated else rule
    if rule[0] == "not":
        return _normal(rule[1], not negated)
    kind = "any" if rule[0] == "any" and not negated else "all"
    return (kind, _normal(rule[1], negated), _normal(rule[2], negated))


def alertrule(draw):
    labels = draw(st.lists(st.integers(0, 4), max_size=3, unique=True))
    rule = draw(_rule(3))
    return f"{labels} {_written(rule)}", _fires(rule, labels) == _fires(_normal(rule, False), labels)


def folders(draw):
    found = []
    while len(found) < 6 and (not found or draw(st.booleans())):
        found.append((draw(st.integers(0, max(len(found), 1) - 1)), draw(st.none() | st.booleans())))
    folder = draw(st.integers(0, len(found) - 1))
    form = "[" + ", ".join(f"({parent}, {some(rule)})" for parent, rule in found) + f"] {folder}"
    at, rules = folder, []
    while True:
        if found[at][1] is not None:
            rules.append(found[at][1])
        if at == 0:
            break
        at = found[at][0]
    return form, (False not in rules and True in rules) == (bool(rules) and rules[0])


def highlight(draw):
    text = draw(st.text("abc", max_size=8))
    terms = draw(st.lists(st.text("abc", min_size=1, max_size=3), max_size=3))
    found = sorted({(at, at + len(term)) for term in terms for at in range(len(text)) if text.startswith(term, at)})
    marked, end = "", 0
    for start, to in found:
        marked += f"{text[end:start]}<b>{text[start:to]}</b>"
        end = to
    marked += text[end:]
    return f'"{text}" {strings(terms)}', marked.replace("<b>", "").replace("</b>", "") == text


def _piece(draw, depth):
    if depth > 0 and draw(st.booleans()):
        name, value, block = draw(st.integers(0, 2)), draw(st.integers(0, 9)), []
        while len(block) < 3 and draw(st.booleans()):
            block.append(_piece(draw, depth - 1))
        return name, value, block
    return draw(st.integers(0, 2))


def _template(piece):
    if isinstance(piece, int):
        return f"{piece} "
    return f"{{{piece[0]}={piece[1]}: {''.join(map(_template, piece[2]))}}} "


def _scoped(piece, known):
    if isinstance(piece, int):
        return [known.get(piece)]
    name, value, block = piece
    return [it for inner in block for it in _scoped(inner, {**known, name: value})]


def _rendered(piece, known):
    if isinstance(piece, int):
        return [known.get(piece)]
    name, value, block = piece
    known[name] = value
    out = [it for inner in block for it in _rendered(inner, known)]
    known.pop(name, None)
    return out


def scopes(draw):
    template = []
    while len(template) < 4 and draw(st.booleans()):
        template.append(_piece(draw, 3))
    form = "".join(map(_template, template)).strip()
    return form, [_scoped(piece, {}) for piece in template] == [_rendered(piece, {}) for piece in template]


def semver(draw):
    part = st.one_of(st.integers(0, 30), st.sampled_from(["alpha", "beta", "rc"]))
    number = st.integers(0, 2)
    version = st.tuples(st.tuples(number, number, number), st.lists(part, max_size=3))
    one, two = draw(version), draw(version)

    def form(version):
        numbers, parts = version
        return ".".join(map(str, numbers)) + ("-" if parts else "") + ".".join(map(str, parts))

    def key(version, of_number):
        numbers, parts = version
        return numbers, not parts, [(1, part) if isinstance(part, str) else (0, of_number(part)) for part in parts]

    def order(of_number):
        a, b = key(one, of_number), key(two, of_number)
        return (a > b) - (a < b)

    return f"{form(one)} {form(two)}", order(int) == order(str)


def _change(columns, step):
    """Changes the columns; whether this is possible."""
    kind, name, to = step
    if kind == "add":
        if name in columns:
            return False
        columns.append(name)
    elif name not in columns or to in columns:
        return False
    elif kind == "rename":
        columns[columns.index(name)] = to
    else:
        columns.remove(name)
    return True


def squash(draw):
    columns, changes = [0], []
    while len(changes) < 8 and draw(st.booleans()):
        free = [name for name in range(5) if name not in columns]
        kind = draw(st.sampled_from(["add", "rename", "drop"]))
        if kind == "add" and free:
            step = ("add", draw(st.sampled_from(free)), None)
        elif kind == "rename" and free and columns:
            step = ("rename", draw(st.sampled_from(columns)), draw(st.sampled_from(free)))
        elif columns:
            step = ("drop", draw(st.sampled_from(columns)), None)
        else:
            step = ("add", 0, None)
        _change(columns, step)
        changes.append(step)
    form = ", ".join(f"{kind} {name}" + ("" if to is None else f" to {to}") for kind, name, to in changes)
    fewer = []
    for step in changes:
        added = ("add", step[1], None)
        if step[0] == "drop" and added in fewer:
            del fewer[max(at for at, it in enumerate(fewer) if it == added)]
        else:
            fewer.append(step)
    found = [0]
    return form, all(_change(found, step) for step in fewer) and found == columns


def tagged(draw):
    put = st.tuples(st.just("put"), st.integers(0, 5), st.integers(0, 3))
    drop = st.tuples(st.just("drop"), st.integers(0, 3))
    steps = draw(st.lists(st.one_of(put, drop), max_size=12))
    form = ", ".join(" ".join(map(str, step)) for step in steps)
    model, tags = {}, {}
    for step in steps:
        if step[0] == "put":
            model[step[1]] = step[2]
            tags.setdefault(step[1], step[2])
        else:
            model = {key: tag for key, tag in model.items() if tag != step[1]}
            tags = {key: tag for key, tag in tags.items() if tag != step[1]}
        if model.keys() != tags.keys():
            return form, False
    return form, True


def tenants(draw):
    steps = draw(st.lists(st.none() | st.integers(0, 4), max_size=14))
    form = f"[{', '.join(map(some, steps))}]"
    model, waiting, turn = deque(), [], 0
    for step in steps:
        if step is not None:
            for queue in (model, waiting):
                known = next((it for it in queue if it[0] == step), None)
                if known:
                    known[1] += 1
                elif queue is model:
                    model.append([step, 1])
                else:
                    waiting.insert(turn, [step, 1])
                    turn = 0 if len(waiting) == 1 else turn + 1
            continue
        if not model:
            continue
        tenant, jobs = model.popleft()
        if jobs > 1:
            model.append([tenant, jobs - 1])
        turn %= len(waiting)
        served = waiting[turn][0]
        waiting[turn][1] -= 1
        if waiting[turn][1] == 0:
            del waiting[turn]
        turn = (turn + 1) % len(waiting) if waiting else 0
        if served != tenant:
            return form, False
    return form, True


def traversal(draw):
    path = draw(st.text("a./", max_size=12))
    return path, "../" not in path.replace("../", "")
