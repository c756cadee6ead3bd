import sys
from ctypes import c_char_p, pointer, c_int


class Memory:
    """Holds native cells."""

    def __init__(self, kind, size=4):
        self.kind = kind
        self.size = size
        self.cells = [pointer(kind()) for _ in range(size)]

    def write(self, index, value):
        cell = self.cell(index)
        cell[0] = value
        return self

    def read(self, index):
        return self.cell(index)[0]

    def cell(self, index):
        if index >= self.size:
            raise IndexError(index)
        return self.cells[index]


class Machine:
    def __init__(self, memory, log=None):
        self.memory = memory
        self.log = log or []

    def store(self, where, what):
        self.log.append(("store", where, what))
        self.memory.write(where, what)

    def load(self, where):
        self.log.append(("load", where))
        return self.memory.read(where)

    def run(self, program):
        result = None
        for op, *args in program:
            handler = getattr(self, op)
            result = handler(*args)
        return result


class Program:
    def __init__(self):
        self.steps = []

    def add(self, op, *args):
        self.steps.append((op,) + args)
        return self

    def __iter__(self):
        return iter(self.steps)


def build(count):
    program = Program()
    for i in range(count):
        program.add("store", i, 1)
    program.add("load", 0)
    return program


def main():
    machine = Machine(Memory(c_char_p))
    machine.store(0, 1)
    print("loading")
    value = machine.load(0)
    print(machine.run(build(2)), value)
    return 0


if __name__ == "__main__":
    sys.exit(main())
