"""Makes numpy's random numbers come from lop. The hook for Python programs applies it when `numpy.random` is imported.

Every generator of numpy takes its bits from an object with a capsule, in which C functions are. Those here call back to Python. So all distributions are
driven, and seeds mean nothing. The functions that programs use most draw numbers in their range instead, since bits say little.
"""

import ctypes


def install(random, draw):
    """Puts generators that draw from lop in the place of the real ones. `random` is the module `numpy.random`; `draw` has the functions that draw."""
    import numpy

    bits = _Bits(draw)
    shape_of = numpy.broadcast_shapes

    def whole(low, high, size, dtype, endpoint=False):
        """Integers from a range; `None` if the range is more than two numbers."""
        if high is None:
            low, high = 0, low
        try:
            low, high = int(low), int(high) - (not endpoint)
        except TypeError:
            return None
        if low > high:
            raise ValueError("low >= high")
        return made(lambda: draw.between(low, high), size, dtype)

    def made(one, size, dtype):
        if size is None:
            return dtype(one()) if dtype not in (int, bool) else one()
        shape = shape_of(size) if isinstance(size, tuple) else (int(size),)
        values = numpy.array([one() for _ in range(int(numpy.prod(shape)))], dtype=dtype)
        return values.reshape(shape)

    def units(size):
        return made(draw.unit, size, float)

    def uniform(real, low, high, size):
        try:
            low, high = float(low), float(high)
        except TypeError:
            return real(low, high, size)
        return made(lambda: draw.between_floats(low, high), size, float)

    def choice(self, real, a, size, replace, p, rest):
        count = a if isinstance(a, (int, numpy.integer)) else len(a) if numpy.ndim(a) == 1 else 0
        if p is not None or count < 1 or not (replace or size is None) or rest:
            return real(a, size, replace, p, **rest)
        places = made(lambda: draw.between(0, int(count) - 1), size, int)
        return places if isinstance(a, (int, numpy.integer)) else numpy.asarray(a)[places]

    def shuffle(x):
        for at in range(len(x) - 1, 0, -1):
            other = at - draw.between(0, at)
            if other != at:
                x[at], x[other] = (x[other].copy(), x[at].copy()) if hasattr(x[at], "copy") else (x[other], x[at])

    def permuted(x):
        x = numpy.arange(x) if isinstance(x, (int, numpy.integer)) else numpy.array(x)
        shuffle(x)
        return x

    class Generator(random.Generator):
        def __init__(self, bit_generator=None):
            super().__init__(bits)

        def integers(self, low, high=None, size=None, dtype=numpy.int64, endpoint=False):
            found = whole(low, high, size, numpy.dtype(dtype).type, endpoint)
            return super().integers(low, high, size, dtype, endpoint) if found is None else found

        def random(self, size=None, dtype=numpy.float64, out=None):
            return units(size) if out is None and dtype is numpy.float64 else super().random(size, dtype, out)

        def uniform(self, low=0.0, high=1.0, size=None):
            return uniform(super().uniform, low, high, size)

        def choice(self, a, size=None, replace=True, p=None, **rest):
            return choice(self, super().choice, a, size, replace, p, rest)

        def shuffle(self, x, axis=0):
            return shuffle(x) if axis == 0 else super().shuffle(x, axis)

        def permutation(self, x, axis=0):
            return permuted(x) if axis == 0 else super().permutation(x, axis)

        def spawn(self, n_children):
            return [Generator() for _ in range(n_children)]

    class RandomState(random.RandomState):
        def __init__(self, seed=None):
            super().__init__(bits)

        def seed(self, *args, **named):
            pass

        def set_state(self, state):
            pass

        def randint(self, low, high=None, size=None, dtype=int):
            found = whole(low, high, size, dtype)
            return super().randint(low, high, size, dtype) if found is None else found

        # The real one draws again until it likes what it has, which it never does if all is 0.
        def normal(self, loc=0.0, scale=1.0, size=None):
            return Generator().normal(loc, scale, size)

        def standard_normal(self, size=None):
            return self.normal(size=size)

        def randn(self, *sizes):
            return self.normal(size=sizes or None)

        def random_sample(self, size=None):
            return units(size)

        random = random_sample

        def rand(self, *sizes):
            return units(sizes or None)

        def uniform(self, low=0.0, high=1.0, size=None):
            return uniform(super().uniform, low, high, size)

        def choice(self, a, size=None, replace=True, p=None):
            return choice(self, super().choice, a, size, replace, p, {})

        def shuffle(self, x):
            shuffle(x)

        def permutation(self, x):
            return permuted(x)

    ours = RandomState()
    for name, value in list(vars(random).items()):
        if isinstance(getattr(value, "__self__", None), random.RandomState) and hasattr(ours, value.__name__):
            setattr(random, name, getattr(ours, value.__name__))
    for name in ("sample", "ranf"):
        setattr(random, name, ours.random_sample)
    random.seed = ours.seed
    random.Generator, random.RandomState = Generator, RandomState
    random.default_rng = lambda seed=None: Generator()


class _Bits:
    """A source of bits as numpy expects it: a capsule with a structure of C functions, and a lock."""

    def __init__(self, draw):
        from threading import RLock

        number = ctypes.c_uint64
        self.functions = [
            ctypes.CFUNCTYPE(number, ctypes.c_void_p)(lambda _: draw.between(0, 2**64 - 1)),
            ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)(lambda _: draw.between(0, 2**32 - 1)),
            ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(lambda _: draw.unit()),
            ctypes.CFUNCTYPE(number, ctypes.c_void_p)(lambda _: draw.between(0, 2**64 - 1)),
        ]
        places = [None] + [ctypes.cast(one, ctypes.c_void_p) for one in self.functions]
        self.structure = (ctypes.c_void_p * 5)(*places)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.name = b"BitGenerator"
        self.capsule = new(ctypes.addressof(self.structure), self.name, None)
        self.lock = RLock()
        self.state = {}
        self.seed_seq = None

    def _legacy_seeding(self, seed):
        pass
