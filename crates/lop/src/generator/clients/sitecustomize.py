"""Makes a Python program that knows nothing of lop draw its random numbers from lop.

    PYTHONPATH=<this directory> LOP_CHOICES=choices LOP_EVENTS=events python3 generator.py

Python imports a module of this name when it starts. If LOP_CHOICES is set, `random`, `secrets`, `os.urandom` and numpy's random numbers then draw from lop, and
seeds mean nothing. If there is another `sitecustomize` further down the path, it is imported as well.

Spans come from the stack. At each draw it is compared with the stack at the draw before: a function that is still running
is a span that is still open. Loops are known from the code of a function, and each of their iterations is a span within that of the function.

The first process that draws is the generator, and takes LOP_CHOICES out of its environment, so that programs which it starts draw real
random numbers; so do its forks. The frames of the stack are kept from one draw to the next, since a frame that was freed could not be told from
another; so what a function leaves behind is freed at the next draw.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _install():
    """Puts the functions of this module in the place of the real ones."""
    import random

    _HIDDEN.update(id(module.__dict__) for module in (random, _lop, sys.modules[__name__]))
    _real.update(
        urandom=os.urandom,
        random=random.Random.random,
        getrandbits=random.Random.getrandbits,
        seed=random.Random.seed,
        below=random.Random._randbelow,
        randrange=random.Random.randrange,
        choices=random.Random.choices,
        uniform=random.Random.uniform,
    )
    # Programs are right to expect that nobody changes what their own subclasses do, so only these two classes are.
    for kind in (random.Random, random.SystemRandom):
        kind.random = _random
        kind.getrandbits = _getrandbits
        kind.randbytes = _randbytes
        kind.seed = _seed
        kind._randbelow = _randbelow
    random.Random.randrange = _randrange
    random.Random.choices = _choices
    random.Random.uniform = _uniform
    # The functions of the module are methods of an instance, and some of them are still the old ones.
    for name, value in list(vars(random).items()):
        if getattr(value, "__self__", None) is random._inst:
            setattr(random, name, getattr(random._inst, name))
    os.urandom = random._urandom = _urandom
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_pass)
    os._exit = _exit
    sys.meta_path.insert(0, _NumpyFinder())


class _NumpyFinder:
    """Drives numpy as well, when it is imported: programs without it need not wait for it."""

    def find_spec(self, name, path=None, target=None):
        if name != "numpy.random":
            return None
        sys.meta_path.remove(self)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def exec_module(module):
            global _inside
            # Real numbers seed the generators that nobody will draw from.
            outside, _inside = _inside, get_ident()
            try:
                load(module)
            finally:
                _inside = outside
            _drive_numpy(module)

        spec.loader.exec_module = exec_module
        return spec


class _Draws:
    """What numpy draws with."""

    @staticmethod
    def between(low, high):
        import random

        return random._inst.randrange(low, high + 1)

    @staticmethod
    def unit():
        import random

        return random._inst.random()

    @staticmethod
    def between_floats(low, high):
        import random

        return random._inst.uniform(low, high)


def _drive_numpy(module):
    sys.path.insert(0, _HERE)
    try:
        import lop_numpy
    finally:
        sys.path.remove(_HERE)
    _HIDDEN.add(id(lop_numpy.__dict__))
    lop_numpy.install(module, _Draws)


def _chain():
    """Imports the `sitecustomize` that would have been imported without this one."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    elsewhere = [place for place in sys.path if os.path.abspath(place) != _HERE]
    spec = PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is None or spec.loader is None:
        return
    other = module_from_spec(spec)
    sys.modules["lop_sitecustomize"] = sys.modules["sitecustomize"]
    sys.modules["sitecustomize"] = other
    spec.loader.exec_module(other)


# ---- The functions that stand in for the real ones ----

_real = {}
_lock = None

# These draw for names and keys that are no part of a test case.
_PASSED = {"tempfile", "multiprocessing.process"}


def _random(self):
    """From 0 to less than 1."""
    return _draw(_unit, _real["random"], self)


def _getrandbits(self, k):
    if k <= 0:
        return _real["getrandbits"](self, k)
    return _draw(_bits, _real["getrandbits"], self, k)


def _randbelow(self, n):
    return _draw(_below, _real["below"], self, n)


def _randbytes(self, n):
    return _urandom(n)


def _urandom(size):
    if size <= 0:
        return _real["urandom"](size)
    return _draw(_bytes, _real["urandom"], size)


def _seed(self, *args, **named):
    if _is_passing:
        return _real["seed"](self, *args, **named)
    self.gauss_next = None


def _randrange(self, start, stop=None, step=1, *rest):
    # What is drawn is the number itself and not its distance from the start, so that 0 is the simplest where it is in the range.
    if _draws(self) and type(start) is type(stop) is type(step) is int and step == 1 and not rest and start < stop:
        return _draw(_between, lambda it, low, high: _real["randrange"](it, low, high + 1), self, start, stop - 1)
    return _real["randrange"](self, start, stop, step, *rest)


def _uniform(self, a, b):
    if _draws(self) and isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(a) < 1e300 and abs(b) < 1e300:
        return _draw(_between_floats, _real["uniform"], self, a, b)
    return _real["uniform"](self, a, b)


def _choices(self, population, weights=None, *, cum_weights=None, k=1):
    count = len(population)
    if _draws(self) and count and weights is None and cum_weights is None:
        return [population[self._randbelow(count)] for _ in range(k)]
    if _draws(self) and count and (weights is None) != (cum_weights is None):
        if weights is None:
            sums = list(cum_weights)
            weights = [one - before for before, one in zip([0] + sums, sums)]
        weights = list(weights)
        # All others are mistakes, of which the real function says what they are.
        if len(weights) == count and all(weight >= 0 for weight in weights) and 0 < sum(weights) < float("inf"):
            likely = [at for at, weight in enumerate(weights) if weight]
            return [population[_weighted_place(self, likely, weights)] for _ in range(k)]
        cum_weights = None
    return _real["choices"](self, population, weights, cum_weights=cum_weights, k=k)


def _weighted_place(self, likely, weights):
    def really(self, likely, weights):
        return _real["choices"](self, likely, [weights[at] for at in likely])[0]

    return _draw(_weighted, really, self, likely, weights)


def _draws(self):
    """Whether an instance draws from here: not if it is of a class that has its own way."""
    return type(self).random is _random and type(self)._randbelow is _randbelow


def _exit(code):
    """The real one would lose the events that were not written yet."""
    if not _is_passing and _lop._the_link is not None:
        _lop._the_link.close()
    _real_exit(code)


# ---- Drawing ----

_is_passing = False
# The thread that is drawing. The handler of a signal may draw in the middle of that; it gets a real number.
_inside = None
_real_exit = os._exit


def _pass():
    """From now on the real functions are called."""
    global _is_passing
    _is_passing = True
    del _frames[:]
    if _lop._the_link is not None:
        _lop._the_link.buffer.clear()
        _lop._the_link.events = None


def _asks_for_itself(frame):
    """Whether the program asks for a number, and not the library for a purpose of its own."""
    while frame is not None and id(frame.f_globals) in _HIDDEN:
        frame = frame.f_back
    return frame is None or frame.f_globals.get("__name__") not in _PASSED


def _draw(draw, real, *args):
    global _inside
    if _is_passing or _inside == get_ident() or not _asks_for_itself(sys._getframe(1)):
        return real(*args)
    with _lock:
        _inside = get_ident()
        try:
            source = _lop.source()
            os.environ.pop("LOP_CHOICES", None)
            return draw(source, *args)
        except _lop.OutOfChoices:
            if source.is_served:
                raise
            # A program that knows nothing of this might catch the exception.
            _lop._the_link.flush()
            _real_exit(120)
        finally:
            _inside = None


# Fresh numbers are as likely as each other, which is what programs expect from `random`, and do not become simpler after a while.


def _integer(source, low, high, fresh=None):
    if low == high:
        return low
    _follow(source)
    target = min(max(0, low), high)
    fresh = fresh or (lambda: low + source.random.evenly(high - low))
    return source.draw(f"i {low} {high} {target}", lambda it: low <= it <= high, target, fresh, tires=False)


def _between(source, self, low, high):
    if -(2**127) <= low and high < 2**127:
        return _integer(source, low, high)
    return low + _below(source, self, high - low + 1)


def _below(source, self, n):
    if n <= 0:
        return 0
    if n <= 2**127:
        return _integer(source, 0, n - 1)
    return _bits(source, self, n.bit_length() + 64) % n


def _bits(source, self, k):
    if k < 128:
        return _integer(source, 0, 2**k - 1)
    return int.from_bytes(_bytes(source, (k + 7) // 8), "little") % 2**k


def _bytes(source, size):
    """Bytes, eight at a time, like the library for programs in other languages does it."""
    parts = []
    for start in range(0, size, 8):
        length = min(8, size - start)
        parts.append(_integer(source, 0, 256**length - 1).to_bytes(length, "little"))
    return b"".join(parts)


def _unit(source, self):
    _follow(source)
    return source.floating_by(0.0, 1.0 - 2.0**-53, source.random.unit if source.random else None, tires=False)


def _between_floats(source, self, a, b):
    a, b = float(a), float(b)
    if a == b:
        return a
    _follow(source)
    low, high = min(a, b), max(a, b)
    return source.floating_by(low, high, lambda: min(max(a + (b - a) * source.random.unit(), low), high), tires=False)


def _weighted(source, self, likely, weights):
    def fresh():
        point = source.random.unit() * sum(weights)
        for number, at in enumerate(likely):
            point -= weights[at]
            if point < 0:
                return number
        return len(likely) - 1

    return likely[_integer(source, 0, len(likely) - 1, fresh)]


# ---- Spans ----

# The variables of modules whose functions are not looked at: `random`, and what is ours.
_HIDDEN = set()


class _Frame:
    """A function that was running at the draw before."""

    __slots__ = ("frame", "at", "loops", "outside")

    def __init__(self, frame, outside):
        self.frame = frame
        self.at = _loops_of(frame.f_code).at(frame.f_lasti)
        self.loops = _loops_of(frame.f_code).around(self.at)
        # How many spans are open outside of it.
        self.outside = outside


_frames = []
# The function of `random` that drew before. One that draws several times, like `shuffle`, is no loop of its caller.
_caller = None
# The labels of the open spans. A span is written when a second choice is drawn in it, as one that the choice before belongs to as well: what has one choice
# only says nothing.
_spans = []
_written = 0
# How many choices there were before the last one that was drawn here.
_drawn = 0
_source = None
_ITERATION = "iteration "


def _follow(source):
    """Brings the spans in line with the stack, before a draw."""
    global _source, _caller
    if source is not _source:
        _forget(source)
    # Where the program says itself what belongs together, it knows better.
    if len(source.open) > _written:
        return
    present, caller = _stack()
    same = 0
    while same < len(present) and same < len(_frames) and present[same] is _frames[same].frame:
        same += 1
    if same < len(_frames):
        _end(source, _frames[same].outside)
        del _frames[same:]
    opened = []
    # All but the last one of these are still in the call that they were in before.
    if same and not (caller is _caller and same == len(present)):
        opened = _move(source, _frames[-1])
    _write(source)
    _spans.extend(opened)
    for frame in present[same:]:
        known = _Frame(frame, len(_spans))
        _frames.append(known)
        _spans.append(_label(frame.f_code))
        _spans.extend(_iteration(frame.f_code, loop) for loop in known.loops)
    _caller = caller


def _move(source, known):
    """A function draws once more: ends the iterations that are over, and says which ones begin."""
    code = known.frame.f_code
    at = _loops_of(code).at(known.frame.f_lasti)
    loops = _loops_of(code).around(at)
    kept = 0
    while kept < len(loops) and kept < len(known.loops) and loops[kept] == known.loops[kept]:
        kept += 1
    # Whoever comes back to an earlier place went around the innermost loop that both places are in.
    if at <= known.at and kept:
        kept -= 1
    _end(source, known.outside + 1 + kept)
    known.at, known.loops = at, loops
    return [_iteration(code, loop) for loop in loops[kept:]]


def _stack():
    """The frames of the program, from the outermost, and the outermost one of those of `random` that it has called."""
    frame, frames, caller = sys._getframe(2), [], None
    while frame is not None:
        if id(frame.f_globals) not in _HIDDEN:
            frames.append(frame)
        elif not frames:
            caller = frame
        frame = frame.f_back
    frames.reverse()
    return frames, caller


def _write(source):
    global _written, _drawn
    # If the program drew by itself in between, the choice before is not the one that they began with.
    made = 1 if source.drawn == _drawn + 1 else 0
    for label in _spans[_written:]:
        source.begin(label, made)
    _written, _drawn = len(_spans), source.drawn


def _end(source, left):
    global _written
    # An iteration with one choice is worth a span, since its neighbours may have more.
    if source.drawn == _drawn + 1:
        single = next((label for label in _spans[max(left, _written):] if label.startswith(_ITERATION)), None)
        if single is not None:
            # Those that go on begin before it.
            for label in _spans[_written:left]:
                source.begin(label, 1)
            _written = max(_written, left)
            source.begin(single, 1)
            source.end()
    del _spans[left:]
    while _written > left:
        source.end()
        _written -= 1


def _forget(source):
    global _source, _caller, _written
    del _frames[:], _spans[:]
    _source, _caller, _written = source, None, 0


def _name(code):
    return getattr(code, "co_qualname", code.co_name)


def _label(code):
    return f"{_name(code)} {os.path.basename(code.co_filename)}"


def _iteration(code, loop):
    return f"{_ITERATION}{_name(code)} {loop[2]}"


# ---- Loops ----

_known_loops = {}


def _loops_of(code):
    known = _known_loops.get(code)
    if known is None:
        known = _known_loops[code] = _Loops(code)
    return known


class _Loops:
    """The loops of a function, from its code: whatever lies between a jump back and where it goes."""

    def __init__(self, code):
        import dis

        first, self.same, ends, lines, line = {}, {}, {}, {}, code.co_firstlineno
        starts = dict(dis.findlinestarts(code))
        for one in dis.get_instructions(code):
            line = starts.get(one.offset) or line
            lines[one.offset] = line
            # The condition of a `while` is there twice from Python 3.10 on, at the top and at the bottom; both are the same place.
            place = getattr(one, "positions", None)
            is_known = place is not None and None not in place
            self.same[one.offset] = first.setdefault((one.opcode, place), one.offset) if is_known else one.offset
            jumps = one.opcode in dis.hasjrel or one.opcode in dis.hasjabs
            # The one that is left out waits within `await` and `yield from`.
            if jumps and one.argval <= one.offset and one.opname != "JUMP_BACKWARD_NO_INTERRUPT":
                ends[one.argval] = max(one.offset, ends.get(one.argval, 0))
        # Some versions say that a call is where the room behind its instruction ends.
        for offset in range(2, len(code.co_code), 2):
            self.same.setdefault(offset, self.same[offset - 2])
        loops = []
        for start, end in ends.items():
            start = min(self.at(offset) for offset in lines if start <= offset <= end)
            loops.append((start, end, lines[start]))
        self.loops = []
        for loop in sorted(loops, key=lambda it: (it[0], -it[1])):
            last = self.loops[-1] if self.loops else None
            # A `continue` makes a second jump back; two loops that overlap are one.
            if last and (loop[0] == last[0] or loop[0] <= last[1] < loop[1]):
                self.loops[-1] = (last[0], max(last[1], loop[1]), last[2])
            else:
                self.loops.append(loop)

    def at(self, offset):
        """The place of an instruction."""
        return self.same.get(offset, offset)

    def around(self, at):
        """The loops around a place, from the outermost."""
        return [loop for loop in self.loops if loop[0] <= at <= loop[1]]


if os.environ.get("LOP_CHOICES"):
    import atexit
    from _thread import RLock, get_ident

    # Another module of this name might be on the path before this one.
    sys.path.insert(0, _HERE)
    try:
        import lop_choice as _lop
    finally:
        sys.path.remove(_HERE)
    _lock = RLock()
    _install()
    # What is open at the end is written before that is closed.
    def _close(close=_lop.Link.close):
        def closed(link):
            if not _is_passing and _source is not None and link is _lop._the_link:
                _end(_source, 0)
            close(link)

        return closed

    _lop.Link.close = _close()
    # Frames are let go at the end, and with them what they hold, such as files that are still to be written.
    atexit.register(_frames.clear)
_chain()
