# numerical sandbox: polynomials, newton, fixed point
from functools import reduce

EPS = 1e-12

class Poly:
  def __init__(self, *coeffs):
    while len(coeffs) > 1 and coeffs[-1] == 0: coeffs = coeffs[:-1]
    self.c = tuple(float(x) for x in coeffs)
  def __call__(self, x):
    return sum(a * x ** k for k, a in enumerate(self.c))
  def __add__(self, q):
    n = max(len(self.c), len(q.c))
    pad = lambda c: c + (0.0,) * (n - len(c))
    return Poly(*(a + b for a, b in zip(pad(self.c), pad(q.c))))
  def __mul__(self, q):
    if not isinstance(q, Poly): return Poly(*(a * q for a in self.c))
    out = [0.0] * (len(self.c) + len(q.c) - 1)
    for i, a in enumerate(self.c):
      for j, b in enumerate(q.c): out[i + j] += a * b
    return Poly(*out)
  def diff(self):
    return Poly(*(k * a for k, a in enumerate(self.c) if k)) if len(self.c) > 1 else Poly(0)
  def degree(self): return len(self.c) - 1

def from_roots(*roots):
  return reduce(lambda p, r: p * Poly(-r, 1), roots, Poly(1))

def newton(f, x, limit=50, damping=1.0):
  df = f.diff()
  for step in range(limit):
    fx = f(x)
    if abs(fx) < EPS: return x, step
    slope = df(x)
    x = x - damping * fx / slope if abs(slope) > EPS else x + 1e-3
  return x, limit

def fixed_point(g, x, limit=200):
  for step in range(limit):
    y = g(x)
    if abs(y - x) < EPS: return y, step
    x = y
  return x, limit

CASES = [
  ("cubic", from_roots(1, 2, 4), 0.5),
  ("legendre", Poly(3, 0, -30, 0, 35) * 0.125, 0.9),
  ("shifted", from_roots(-2, 3) + Poly(0, 0, 0, 1), 4.0),
  ("wilk", from_roots(*range(1, 6)), 5.5),
]

for name, p, start in CASES:
  root, steps = newton(p, start)
  print("%-9s deg %d newton %.6f in %d" % (name, p.degree(), root, steps))
  g = lambda x: x + 0.05 * p(x)
  fix, steps = fixed_point(g, start)
  print("          fixed  %.6f in %d" % (fix, steps))
