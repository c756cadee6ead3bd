"""Research: numbers, formulas, matrices, statistics, DNA, trees of species and of decisions."""
import math

from hypothesis import strategies as st


def chunks(draw):
    chunks = draw(st.lists(st.lists(st.floats(-100, 100), max_size=4), max_size=4))
    count, mean, everything = 0, 0.0, sum(chunks, [])
    for chunk in chunks:
        if chunk:
            of_chunk = sum(chunk) / len(chunk)
            mean = (mean + of_chunk) / 2 if count else of_chunk
            count += len(chunk)
    return f"{chunks}", count == 0 or abs(mean - sum(everything) / count) < 1e-6


@st.composite
def congruence(draw):
    modulus = draw(st.integers(2, 10))
    return modulus, draw(st.integers(0, modulus - 1))


def crt(draw):
    congruences = draw(st.lists(congruence(), max_size=4))
    exists = any(all(it % modulus == rest for modulus, rest in congruences) for it in range(2520))
    number, step = 0, 1
    for modulus, rest in congruences:
        number = next((it for it in range(number, number + modulus * step, step) if it % modulus == rest), None)
        if number is None:
            break
        step *= modulus
    return f"{congruences}", exists == (number is not None)


@st.composite
def terms(draw, depth):
    kind = draw(st.integers(0, 4 if depth > 0 else 1))
    if kind == 0:
        return ("X",)
    if kind == 1:
        return "Const", draw(st.integers(-9, 9))
    if kind < 4:
        return ["", "", "Add", "Mul"][kind], draw(terms(depth - 1)), draw(terms(depth - 1))
    return "Pow", draw(terms(depth - 1)), draw(st.integers(2, 3))


def derivative(draw):
    def told(it):
        return it[0] + (f"({', '.join(told(part) if isinstance(part, tuple) else str(part) for part in it[1:])})" if it[1:] else "")

    def at(it, x):
        match it:
            case ("X",):
                return x, 1
            case ("Const", number):
                return number, 0
            case ("Pow", a, n):
                value, change = at(a, x)
                return value ** n, n * value ** (n - 1) * change
            case (kind, a, b):
                (a, da), (b, db) = at(a, x), at(b, x)
                return (a + b, da + db) if kind == "Add" else (a * b, da * b + a * db)

    def has_x(it):
        return it[0] == "X" or any(has_x(part) for part in it[1:] if isinstance(part, tuple))

    def derived(it):
        match it:
            case ("X",):
                return "Const", 1
            case _ if not has_x(it):
                return "Const", 0
            case ("Add", a, b):
                return "Add", derived(a), derived(b)
            case ("Mul", a, b):
                return "Add", ("Mul", derived(a), b), ("Mul", a, derived(b))
            case ("Pow", a, n):
                return "Mul", ("Const", n), ("Pow", a, n - 1)

    term = draw(terms(3))
    x = draw(st.integers(-9, 9))
    return f"{told(term)} {x}", at(derived(term), x)[0] == at(term, x)[1]


def elimination(draw):
    size = draw(st.integers(1, 4))
    row = st.lists(st.integers(-3, 3), min_size=size, max_size=size)
    rows = draw(st.lists(row, min_size=size, max_size=size))

    def by_minors(rows):
        if not rows:
            return 1
        return sum((-1) ** at * it * by_minors([row[:at] + row[at + 1:] for row in rows[1:]]) for at, it in enumerate(rows[0]) if it)

    def eliminated(rows):
        sign, before = 1, 1
        for k in range(size - 1):
            if rows[k][k] == 0:
                rows[k], rows[k + 1] = rows[k + 1], rows[k]
                sign = -sign
            if rows[k][k] == 0:
                return 0
            for i in range(k + 1, size):
                for j in range(k + 1, size):
                    # The division leaves no rest.
                    rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
            before = rows[k][k]
        return sign * rows[-1][-1]

    return f"{rows}", eliminated([row[:] for row in rows]) == by_minors(rows)


def frames(draw):
    stops = ["TAA", "TAG", "TGA"]
    piece = st.one_of(st.sampled_from("ACGT"), st.sampled_from("ACGT"), st.just("ATG"), st.sampled_from(stops))
    dna = "".join(draw(st.lists(piece, max_size=10)))
    holds = True
    for frame in range(3):
        codons = [dna[at:at + 3] for at in range(frame, len(dna) - 2, 3)]
        found, start, expected, now = [], None, [], None
        for at, codon in enumerate(codons):
            if codon in stops and start is not None:
                found.append(at - start)
            elif codon == "ATG" and start is None:
                start = at
        for at, codon in enumerate(codons):
            if codon in stops and now is not None:
                expected.append(at - now)
                now = None
            elif codon == "ATG" and now is None:
                now = at
        holds &= found == expected
    return dna, holds


def logsum(draw):
    numbers = draw(st.lists(st.floats(-1000, 1000), min_size=1, max_size=6))

    def by(shift):
        return shift + math.log(sum(math.exp(it - shift) for it in numbers))

    try:
        return f"{numbers}", abs(by(numbers[0]) - by(max(numbers))) < 1e-6
    except OverflowError:
        return f"{numbers}", False


def median(draw):
    values = draw(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), min_size=1, max_size=6))
    each = sorted(value for value, weight in values for _ in range(weight))
    found, so_far = None, 0
    for value, weight in sorted(values):
        so_far += weight
        if found is None and 2 * so_far > len(each):
            found = value
    return f"{values}", found == each[(len(each) - 1) // 2]


@st.composite
def clades(draw, depth):
    if depth > 0 and draw(st.booleans()):
        return draw(clades(depth - 1)), draw(clades(depth - 1))
    return draw(st.sampled_from("ACGT"))


def parsimony(draw):
    def told(it):
        return it if isinstance(it, str) else f"({told(it[0])},{told(it[1])})"

    def fitch(it):
        if isinstance(it, str):
            return {it}, 0
        (a, by_a), (b, by_b) = map(fitch, it)
        return (a & b, by_a + by_b) if a & b else (a, by_a + by_b + 1)

    def sankoff(it):
        if isinstance(it, str):
            return {base: 0 if base == it else 99 for base in "ACGT"}
        sides = [sankoff(side) for side in it]
        return {base: sum(min(side[to] + (to != base) for to in "ACGT") for side in sides) for base in "ACGT"}

    tree = draw(clades(3))
    return told(tree), fitch(tree)[1] == min(sankoff(tree).values())


@st.composite
def decisions(draw, depth):
    if depth > 0 and draw(st.booleans()):
        feature, threshold = draw(st.integers(0, 1)), draw(st.integers(0, 8))
        return feature, threshold, draw(decisions(depth - 1)), draw(decisions(depth - 1))
    return draw(st.integers(0, 2))


def pruning(draw):
    def told(it):
        return f"Leaf({it})" if isinstance(it, int) else f"Split({it[0]}, {it[1]}, {told(it[2])}, {told(it[3])})"

    def decide(it):
        while not isinstance(it, int):
            it = it[2] if sample[it[0]] <= it[1] else it[3]
        return it

    def pruned(it, low, high):
        if isinstance(it, int):
            return it
        feature, threshold, below, above = it
        if high <= threshold:
            return pruned(below, low, high)
        if low > threshold:
            return pruned(above, low, high)
        return feature, threshold, pruned(below, low, threshold), pruned(above, threshold + 1, high)

    tree = draw(decisions(3))
    sample = draw(st.lists(st.integers(0, 9), min_size=2, max_size=2))
    return f"{told(tree)} {sample}", decide(pruned(tree, 0, 9)) == decide(tree)
