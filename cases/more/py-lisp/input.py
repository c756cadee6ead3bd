"""A tiny Lisp: just enough to run the programs at the end."""
import math
import operator as op
import sys

sys.setrecursionlimit(400)


class Symbol(str):
    def __repr__(self):
        return str(self)


class Env(dict):
    def __init__(self, params=(), args=(), outer=None):
        super().__init__(zip(params, args))
        self.outer = outer

    def find(self, name):
        if name in self:
            return self
        if self.outer is None:
            raise LookupError(name)
        return self.outer.find(name)


class Procedure:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        return evaluate(self.body, Env(self.params, args, self.env))


def standard_env():
    env = Env()
    env.update({
        '+': op.add, '-': op.sub, '*': op.mul, '/': op.truediv,
        '<': op.lt, '>': op.gt, '=': op.eq,
        'car': lambda x: x[0], 'cdr': lambda x: x[1:], 'cons': lambda x, y: [x] + y,
        'list': lambda *x: list(x), 'null?': lambda x: x == [], 'length': len,
        'sqrt': math.sqrt, 'abs': abs, 'not': op.not_,
    })
    return env


def tokenize(text):
    lines = (line.split(';')[0] for line in text.splitlines())
    return ' '.join(lines).replace('(', ' ( ').replace(')', ' ) ').split()


def read(tokens):
    token = tokens.pop(0)
    if token == '(':
        form = []
        while tokens[0] != ')':
            form.append(read(tokens))
        tokens.pop(0)
        return form
    if token == ')':
        raise SyntaxError('unexpected )')
    for convert in (int, float):
        try:
            return convert(token)
        except ValueError:
            pass
    return Symbol(token)


def evaluate(x, env):
    if isinstance(x, Symbol):
        return env.find(x)[x]
    if not isinstance(x, list):
        return x
    head, *rest = x
    if head == 'quote':
        return rest[0]
    if head == 'if':
        test, yes, no = rest
        return evaluate(yes if evaluate(test, env) else no, env)
    if head == 'define':
        name, value = rest
        if isinstance(name, list):
            name, *params = name
            env[name] = Procedure(params, value, env)
        else:
            env[name] = evaluate(value, env)
        return None
    if head == 'lambda':
        return Procedure(rest[0], rest[1], env)
    if head == 'let':
        bindings, body = rest
        names = [b[0] for b in bindings]
        values = [evaluate(b[1], env) for b in bindings]
        return evaluate(body, Env(names, values, env))
    proc = evaluate(head, env)
    return proc(*[evaluate(arg, env) for arg in rest])


PROGRAM = """
(define (square x) (* x x))
(define (map f l)
  (if (null? l) (quote ()) (cons (f (car l)) (map f (cdr l)))))
(map square (list 1 2 3 4))
(define (improve guess x) (/ (+ guess (/ x guess)) 2))
(define (iterate guess x)             ; Newton's method
  (if (= (square guess) x) guess (iterate (improve guess x) x)))
(iterate 1.0 16)
(let ((n 5) (m 2)) (+ n (square m)))
(iterate 1.0 2)
(length (quote (a b c)))
"""


def main():
    env = standard_env()
    tokens = tokenize(PROGRAM)
    while tokens:
        value = evaluate(read(tokens), env)
        if value is not None:
            print('=>', value)


if __name__ == '__main__':
    main()
