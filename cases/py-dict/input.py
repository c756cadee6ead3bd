import collections
import functools
import sys

class Store:
    """Keeps things by name."""
    def __init__(self, limit=10, *, strict=False):
        self.limit = limit
        self.strict = strict
        self.data = collections.OrderedDict() if strict else {}
        self.hits = 0

    def put(self, key, value):
        if len(self.data) >= self.limit and self.strict:
            raise KeyError("full: %s" % key)
        self.data[key] = value
        return self

    @property
    def size(self):
        return len(self.data)

    def expire(self, age):
        for key, (stamp, value) in self.data.items():
            if stamp < age:
                self.hits += 1
                del self.data[key]
        return self.hits

@functools.lru_cache(maxsize=None)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def fill(store, count):
    with open("/dev/null") as null:
        for i in range(count):
            store.put("key%d" % i, (fib(i), null.name))
    return [k for k in store.data if k.endswith("1")]

def main(argv):
    store = Store(strict=False)
    names = fill(store, 8)
    print(names, store.size, file=sys.stderr)
    table = {n: {"len": len(n), "up": n.upper()} for n in names}
    try:
        for n in names:
            assert table[n]["len"] > 3, n
            if store.size > 5 and not argv[1:]:
                removed = store.expire(age=sum(x["len"] for x in table.values()))
                print("removed", removed)
    except ZeroDivisionError as error:
        print(error)
    else:
        print("done")
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv))
