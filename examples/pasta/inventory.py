"""Keeps an inventory: how many of each item there are, and where."""

import collections
import json
import sys

DEFAULT_SHELF = "A1"


class Item:
    """One kind of thing on one shelf."""

    def __init__(self, name, count=0, shelf=DEFAULT_SHELF):
        self.name = name
        self.count = count
        self.shelf = shelf

    def take(self, count):
        if count > self.count:
            raise ValueError(f"only {self.count} of {self.name} left")
        self.count -= count
        return self

    def __repr__(self):
        return f"Item({self.name!r}, {self.count}, {self.shelf!r})"


class Inventory:
    def __init__(self):
        self.items = {}
        self.history = collections.deque(maxlen=100)

    def add(self, name, count=1, *, shelf=DEFAULT_SHELF):
        item = self.items.get(name)
        if item is None:
            item = self.items[name] = Item(name, shelf=shelf)
        item.count += count
        self.history.append(("add", name, count))
        return item

    def remove(self, name, count, /):
        try:
            item = self.items[name].take(count)
        except KeyError:
            print(f"no {name} here", file=sys.stderr)
            return None
        else:
            self.history.append(("remove", name, count))
        return item

    def shelves(self):
        found = collections.defaultdict(list)
        for item in sorted(self.items.values(), key=lambda item: item.name):
            found[item.shelf].append(item)
        return dict(found)

    def save(self, path):
        with open(path, "w") as file:
            json.dump({name: [item.count, item.shelf] for name, item in self.items.items()}, file)

    @classmethod
    def load(cls, path):
        inventory = cls()
        with open(path) as file:
            for name, (count, shelf) in json.load(file).items():
                inventory.add(name, count, shelf=shelf)
        return inventory


def main(words):
    inventory = Inventory()
    for word in words:
        name, _, count = word.partition("=")
        inventory.add(name, int(count or 1))
    while any(item.count > 3 for item in inventory.items.values()):
        for name in list(inventory.items):
            inventory.remove(name, 1 if inventory.items[name].count > 1 else 0)
    print(inventory.shelves())


if __name__ == "__main__":
    main(sys.argv[1:])
