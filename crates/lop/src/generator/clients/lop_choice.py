"""A generator in Python draws its choices from lop.

What is drawn here is what lop reduces. By hand the same program draws at random, from LOP_SEED if it is set.

    import lop_choice as lop

    @lop.span("sum")
    def total():
        if lop.boolean(0.3):
            return f"({total()} + {total()})"
        return str(lop.integer(-1000, 1000))

    lop.main(lambda: "\\n".join(lop.list(total, most=10)))

A program that writes its test case by itself calls the functions without `main`; it then makes one case per process.

It needs Python 3.8 and its standard library. How the two sides talk is described in docs/src/reference/protocol.md of lop.
"""

import atexit
import builtins
import contextlib
import math
import os
import struct
import sys

__all__ = [
    "Source", "OutOfChoices", "Rejected", "integer", "boolean", "floating", "pick", "text", "bytes", "list",
    "span", "discard", "reject", "assume", "main",
]


class OutOfChoices(SystemExit):
    """There are too few choices. It is an exit, so that a program without `main` ends with the right code."""

    def __init__(self):
        super().__init__(120)


class Rejected(SystemExit):
    """These choices make nothing of use."""

    def __init__(self):
        super().__init__(121)


# ---- What a generator calls ----


def integer(low, high, target=0):
    """An integer from low to high; the closer to the target, the simpler."""
    return source().integer(low, high, target)


def boolean(odds=0.5):
    """True with these odds, from 0 to 1; False is simpler."""
    return source().boolean(odds)


def floating(low=-math.inf, high=math.inf):
    """A floating-point number from low to high; what looks simple comes first.

    Infinities are drawn if they are in the range, and what is no number (nan) if low is -inf.
    """
    return source().floating(low, high)


def pick(sequence):
    """One of several things; the first one is the simplest."""
    return source().pick(sequence)


def text(alphabet, least=0, most=None):
    """A text of so many characters of an alphabet, the first of which is the simplest."""
    return source().text(alphabet, least, most)


def bytes(least=0, most=None):
    """So many bytes."""
    return source().bytes(least, most)


def list(item, least=0, most=None):
    """A list of so many things, each made by calling `item()`. One in which `discard` was called does not count."""
    return source().list(item, least, most)


class span(contextlib.ContextDecorator):
    """What is drawn within belongs together: `with span("label"):`, or `@span("label")` before a function.

    The label is the same for the same kind of thing. What is left by an exception was thrown away.
    """

    def __init__(self, label):
        self.label = label

    def __enter__(self):
        source().begin(self.label)
        return self

    def __exit__(self, kind, value, trace):
        source().end(thrown_away=kind is not None)
        return False


def discard():
    """What is made in the innermost span is thrown away: lop tries to do without it first."""
    source().discard()


def reject():
    """These choices make nothing of use. It does not return."""
    source().is_stopped = True
    raise Rejected


def assume(condition):
    """Goes on only if this holds."""
    if not condition:
        reject()


def main(make):
    """Makes test cases, each by calling `make()`, which returns a str or bytes, and ends the program.

    It makes one case by hand or if lop asks for one, and many if lop asks for many.
    """
    if _link().is_server:
        _serve(make)
        sys.exit(0)
    made = _encoded(make())
    source().finish()
    sys.stdout.flush()
    sys.stdout.buffer.write(made)
    sys.stdout.buffer.flush()
    sys.exit(0)


# ---- How it begins and ends ----


def source():
    """Where choices come from at present."""
    global _current
    if _current is None:
        _current = _link().next_source() or Source()
    return _current


def _serve(make):
    global _current
    link = _link()
    while True:
        _current = link.next_source()
        if _current is None:
            return
        # An exit is for this case only, whoever asks for it.
        _current.is_served = True
        try:
            made = _encoded(make())
            _current.finish()
            ending = b"made %d\n%s\n" % (len(made), made)
        except OutOfChoices:
            ending = b"out\n"
        except Rejected:
            ending = b"rejected\n"
        link.write(ending)
        link.flush()


def _encoded(made):
    return made.encode("utf-8", "surrogateescape") if isinstance(made, str) else made


def _link():
    global _the_link
    if _the_link is None:
        _the_link = Link()
        atexit.register(_the_link.close)
    return _the_link


_current = None
_the_link = None


class Link:
    """What connects the generator with lop: the choices that come in and the events that go out."""

    def __init__(self):
        self.lines = self.events = None
        self.buffer = []
        # How many events are kept before they are written.
        self.patience = 4096
        self.is_server = False
        if "LOP_CHOICES" in os.environ:
            self.lines = self._open("LOP_CHOICES", "rb")
            self.is_server = os.environ.get("LOP_SERVER") == "1"
            if "LOP_EVENTS" in os.environ:
                self.events = self._open("LOP_EVENTS", "wb")

    def _open(self, variable, mode):
        place = os.environ[variable]
        try:
            # Without a buffer of its own, events go out when they are flushed and not a second time from a fork.
            return open(int(place[3:]) if place.startswith("fd:") else place, mode, buffering=-1 if mode == "rb" else 0)
        except OSError as error:
            sys.exit(f"lop_choice.py: cannot open {variable} `{place}`: {error.strerror}")

    def next_source(self):
        """The source of the next case; None if there is none."""
        if self.lines is None:
            seed = int(os.environ.get("LOP_SEED") or int.from_bytes(os.urandom(8), "little"))
            return Source(seed=seed, size=0.5)
        given, most, seed, size = [], None, None, 0.5
        for line in self.lines:
            words = line.split()
            if not words or words[0].startswith(b"#"):
                continue
            if words[0] == b"lop-choices":
                if words[1:] != [b"1"]:
                    sys.exit(f"lop_choice.py: cannot read `{line.decode().strip()}`: this module speaks version 1")
            elif words[0] == b"most":
                most = int(words[1])
            elif words[0] == b"seed":
                seed, size = int(words[1]), float(words[2])
            elif words[0] == b"end":
                break
            else:
                given.append(int(words[0]))
        else:
            # A server's case without its `end` was cut off.
            if self.is_server:
                return None
        return Source(given, most, seed, size, self)

    def write(self, event):
        if self.events is None:
            return
        self.buffer.append(event)
        if len(self.buffer) >= self.patience:
            self.flush()

    def flush(self):
        text, self.buffer = b"".join(self.buffer), []
        try:
            while self.events is not None and text:
                text = text[self.events.write(text):]
        except OSError:
            # Nobody reads any more.
            self.events = None

    def close(self):
        """Flushes, now and whenever something is drawn later, while the interpreter is being torn down."""
        if _current is not None:
            _current.finish()
        self.flush()
        self.patience = 0


# ---- Drawing ----

# Where nobody says how many choices there may be at most: half of these are random.
_MANY = 65536

_LOWEST, _HIGHEST = -(2**127), 2**127 - 1


class Source:
    """The choices of one case: the given ones first, then fresh ones if there is a seed."""

    def __init__(self, given=(), most=None, seed=None, size=0.5, link=None):
        self.given = given
        self.most = math.inf if most is None else most
        self.random = None if seed is None else Random(seed)
        self.size = size
        self.link = link
        self.drawn = 0
        self.fresh = 0
        self.tires_after = (_MANY if most is None else most) // 2
        # One for each open span: whether it was thrown away.
        self.open = []
        self.is_served = False
        # Whether the case was left. Spans that are left with it say nothing any more.
        self.is_stopped = False

    def integer(self, low, high, target=0):
        if low > high:
            raise ValueError(f"there is no integer from {low} to {high}: the range is empty")
        if low == high:
            return low
        if low < _LOWEST or high > _HIGHEST:
            raise ValueError(f"integers from {low} to {high} cannot be drawn: they must be from -2**127 to 2**127-1")
        target = min(max(target, low), high)
        return self.draw(f"i {low} {high} {target}", lambda it: low <= it <= high, target, lambda: self._near(low, high, target))

    def boolean(self, odds=0.5):
        if not 0 < odds < 1:
            return odds >= 1
        return self._boolean(odds)

    def _boolean(self, odds):
        simplest = int(odds >= 1)
        return self.draw(f"b {odds!r}", lambda it: it == 1 or it == simplest, simplest, lambda: int(self.random.unit() < odds)) == 1

    def floating(self, low=-math.inf, high=math.inf):
        return self.floating_by(low, high, lambda: self._near_float(low, high))

    def floating_by(self, low, high, fresh, tires=True):
        """The same, where `fresh()` makes a fresh one."""
        low, high = float(low), float(high)
        if not low <= high:
            raise ValueError(f"there is no number from {low} to {high}: the range is empty")
        if low == high:
            return low

        def allows(place):
            number = from_place(place)
            return number is not None and (low <= number <= high or math.isnan(number) and low == -math.inf)

        def fresh_place():
            place = to_place(fresh())
            return place if allows(place) else simplest

        simplest = to_place(simplest_float(low, high))
        return from_place(self.draw(f"f {low!r} {high!r}", allows, simplest, fresh_place, tires))

    def pick(self, sequence):
        if not len(sequence):
            raise ValueError("nothing can be picked from an empty sequence")
        return sequence[self.integer(0, len(sequence) - 1)]

    def text(self, alphabet, least=0, most=None):
        return "".join(self.list(lambda: self.pick(alphabet), least, most))

    def bytes(self, least=0, most=None):
        return builtins.bytes(self.list(lambda: self.integer(0, 255), least, most))

    def list(self, item, least=0, most=None):
        most = math.inf if most is None else most
        if least > most:
            raise ValueError(f"there is no length from {least} to {most}: the range is empty")
        made, refused = [], 0
        odds = self._odds_of_more(least, most)
        self.begin("list")
        while len(made) < most and self._boolean(1.0 if len(made) < least else odds):
            self.begin("item", 1)
            one = item()
            if self.end():
                made.append(one)
                continue
            # Where nearly all is thrown away, more of it would not help.
            refused += 1
            if refused > 10 + 3 * len(made):
                if len(made) < least:
                    reject()
                break
        self.end()
        return made

    def begin(self, label, made=0):
        """Begins a span to which the last so many choices belong, too."""
        self.open.append(False)
        # A line end or a tab in the label would mean something else.
        label = " ".join(str(label).split())
        self._write(f"( {label}\t{made}\n" if made else f"( {label}\n")

    def end(self, thrown_away=False):
        """Ends the innermost span. Says whether it is of use."""
        if not self.open:
            return True
        thrown_away = self.open.pop() or thrown_away
        self._write("!\n" if thrown_away else ")\n")
        return not thrown_away

    def discard(self):
        if self.open:
            self.open[-1] = True

    def finish(self):
        """Ends what is still open."""
        while self.open:
            self.end()

    def draw(self, kind, allows, simplest, fresh, tires=True):
        """Draws a number: the next one that is given if it is allowed, or else the simplest one, or a fresh one.

        A generator that does not end by itself ends with the simplest choices, or else never; so fresh ones tire after
        a while. Programs that expect all numbers to be equally likely would only be confused by that.
        """
        if self.drawn < self.most and self.drawn < len(self.given):
            value = self.given[self.drawn]
            if not allows(value):
                value = simplest
        elif self.drawn < self.most and self.random is not None:
            self.fresh += 1
            value = simplest if tires and self.fresh > self.tires_after else fresh()
        else:
            self._write(f"? {kind}\n")
            self.is_stopped = True
            raise OutOfChoices
        self.drawn += 1
        self._write(f"{kind} {value}\n")
        return value

    def _write(self, event):
        if self.link is not None and not self.is_stopped:
            self.link.write(event.encode("utf-8", "replace"))

    def _near(self, low, high, target):
        """A random integer: a selector or an index evenly, any other number by its distance from the target."""
        random, width = self.random, high - low
        if width < 15:
            return low + random.evenly(width)
        if self.size > 0.1 and random.evenly(19) == 0:
            return high if random.evenly(1) else low
        if width < 4095 and random.evenly(1):
            return low + random.evenly(width)
        bits = width.bit_length()
        most = int(min(3 + 0.7 * self.size * bits, bits))
        distance = random.evenly((1 << (1 + random.evenly(most - 1))) - 1)
        fitting = [it for it in (target + distance, target - distance) if low <= it <= high]
        return fitting[random.evenly(len(fitting) - 1)] if fitting else low + random.evenly(width)

    def _near_float(self, low, high):
        """Whole numbers and numbers that made others stumble come first, or, if both ends are finite, what is in between."""
        random = self.random
        way = random.evenly(19)
        if way == 0:
            return (0.1, 0.5, 1.5, math.inf, math.nan, sys.float_info.max, 1e-300)[random.evenly(6)]
        if way < 10 and high - low < 2.0**1023:
            return low + random.unit() * (high - low)
        if way < 6:
            return (random.unit() - 0.5) * 2.0 ** (random.evenly(71) - 8)
        return float(self._near(-(2**53), 2**53, 0))

    def _odds_of_more(self, least, most):
        if self.random is None:
            return 0.5
        mean = max(min(1.5 + 4.5 * self.size, (most - least) / 2), 0.2)
        return mean / (1 + mean)


class Random:
    """splitmix64, which every language can do in a few lines."""

    def __init__(self, seed):
        self.state = seed % 2**64

    def bits(self):
        self.state = z = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    def evenly(self, most):
        """From 0 to `most`, each as likely as the others."""
        length = most.bit_length()
        while True:
            bits = 0
            for _ in range(0, length, 64):
                bits = bits << 64 | self.bits()
            bits &= (1 << length) - 1
            if bits <= most:
                return bits

    def unit(self):
        """From 0 to less than 1."""
        return (self.bits() >> 11) / 2**53


# ---- Floating-point numbers, in the order of their simplicity ----

_WHOLE = 2**53
_NO_NUMBER = 2**95 - 1
_INFINITE = 2**95 - 2


def to_place(number):
    """The place of a number in the order of simplicity; negative for negative ones."""
    if math.isnan(number):
        return _NO_NUMBER
    size = abs(number)
    if math.isinf(size):
        place = _INFINITE
    else:
        # The denominator is a power of two, and says how many binary digits stand behind the point.
        shifted, power = size.as_integer_ratio()
        digits = power.bit_length() - 1
        if digits == 0 and shifted < _WHOLE:
            place = shifted
        elif 1 <= digits <= 60:
            place = digits * _WHOLE + shifted
        else:
            place = 64 * _WHOLE + struct.unpack("<Q", struct.pack("<d", size))[0]
    return -place if number < 0 else place


def from_place(place):
    """The number at a place; None if there is none."""
    at = abs(place)
    if at == _NO_NUMBER:
        number = math.nan
    elif at == _INFINITE:
        number = math.inf
    elif at < _WHOLE:
        number = float(at)
    elif at < 64 * _WHOLE:
        number = math.ldexp(at % _WHOLE, -(at // _WHOLE))
    elif at < 64 * _WHOLE + 2**64:
        number = struct.unpack("<d", struct.pack("<Q", at - 64 * _WHOLE))[0]
    else:
        return None
    number = -number if place < 0 else number
    # A place that is not the number's own would be another name for it.
    return number if to_place(number) == place else None


def simplest_float(low, high):
    """The simplest number of a range."""
    if low <= 0 <= high:
        return 0.0
    near, far, sign = (low, high, 1) if low > 0 else (-high, -low, -1)
    if math.isinf(near):
        return sign * near
    if math.ceil(near) <= far:
        return sign * float(math.ceil(near))
    for digits in range(1, 60):
        rounded = math.ldexp(math.ceil(math.ldexp(near, digits)), -digits)
        if near <= rounded <= far:
            return sign * rounded
    return sign * near
