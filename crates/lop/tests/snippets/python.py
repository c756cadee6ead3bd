#!/usr/bin/env python3
"""A small inventory."""

from __future__ import annotations

import asyncio, re
from collections import defaultdict as dd
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
LIMIT: int = 0xFF


@dataclass(frozen=True)
class Item:
    name: str
    price: float = 1.5e2
    tags: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.name!r}: {self.price:.2f}\n" + 'it\'s'


class Shelf(Generic[T], object):
    made = 0

    def __init__(self, *items: T, limit=LIMIT, **options):
        self.items = [*items]
        self.limit, self.options = limit, {**options, "open": True}
        Shelf.made += 1

    def __getitem__(self, index):
        return self.items[index:-1:2] if index else self.items[0]

    def add(self, item: T, /, count: int = 1, *, force: bool = False) -> None:
        # Too many are not allowed.
        if len(self.items) + count > self.limit and not force:
            raise ValueError("full", count) from None
        elif count < 0:
            return
        else:
            self.items += [item] * count


def parse(text):
    pattern = re.compile(r"^(\w+)\s*=\s*(\d+)$")
    for number, line in enumerate(text.splitlines(), start=1):
        if not (match := pattern.match(line)):
            continue
        yield number, match.group(1), int(match[2])
    else:
        yield -1, "", 0


def describe(thing):
    match thing:
        case None:
            return "nothing"
        case [first, *rest] if rest:
            return first
        case Item(name=name) | {"name": name}:
            return name
        case _:
            return str(thing)


async def main():
    global LIMIT
    counts = dd(int)
    squares = {n: n ** 2 for n in range(10) if n % 2 == 0}
    try:
        with open("stock.txt", encoding="utf-8") as file, open("log") as log:
            for _, name, count in parse(file.read()):
                counts[name] += count
    except (OSError, ValueError) as error:
        print("failed:", error, sep="\t")
    finally:
        del counts
    while LIMIT > 10:
        LIMIT //= 2
        await asyncio.sleep(0.1)
    assert all(x <= 64 for x in squares.values()), "too large"
    return sorted({3, 1, 2}, key=lambda x: -x), (1,), describe([])

if __name__ == "__main__":
    asyncio.run(main())
