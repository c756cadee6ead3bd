import heapq
import itertools
from dataclasses import dataclass, field


@dataclass
class Task:
    name: str
    cost: float
    needs: list = field(default_factory=list)
    state: str = "new"

    def __str__(self):
        return f"{self.name}[{self.state}]"


@dataclass(order=True)
class Event:
    time: float
    seq: int = field(default_factory=itertools.count().__next__)
    action: object = field(default=None, compare=False)


class Clock:
    def __init__(self):
        self.now = 0.0
        self._events = []

    def after(self, delay, action):
        heapq.heappush(self._events, Event(self.now + delay, action=action))

    def run(self, until=float("inf")):
        while self._events and self._events[0].time <= until:
            event = heapq.heappop(self._events)
            self.now = event.time
            event.action()


class Scheduler:
    def __init__(self, clock, workers=2):
        self.clock = clock
        self.free = workers
        self.ready = []
        self.tasks = {}
        self.trace = []

    def add(self, name, cost, *needs):
        task = self.tasks[name] = Task(name, cost, list(needs))
        if not needs:
            self.enqueue(task)
        return task

    def priority(self, task):
        # tasks that many others wait for come first
        blocked = sum(task.name in other.needs for other in self.tasks.values())
        return -blocked, task.cost

    def enqueue(self, task):
        task.state = "ready"
        heapq.heappush(self.ready, (self.priority(task), task))

    def dispatch(self):
        while self.free and self.ready:
            _, task = heapq.heappop(self.ready)
            task.state = "running"
            self.free -= 1
            self.clock.after(task.cost, lambda task=task: self.finish(task))

    def finish(self, task):
        task.state = "done"
        self.free += 1
        self.trace.append((self.clock.now, str(task)))
        for other in self.tasks.values():
            if task.name in other.needs:
                other.needs.remove(task.name)
                if not other.needs:
                    self.enqueue(other)
        self.dispatch()


def build():
    clock = Clock()
    scheduler = Scheduler(clock)
    scheduler.add("fetch", 3)
    scheduler.add("configure", 1.5)
    scheduler.add("compile", 8, "fetch", "configure")
    scheduler.add("docs", 4, "fetch")
    scheduler.add("test", 6, "compile")
    scheduler.add("lint", 2, "fetch")
    scheduler.add("bench", 6, "compile")
    scheduler.add("package", 1, "test", "bench", "docs", "lint")
    scheduler.dispatch()
    clock.run()
    return scheduler.trace


if __name__ == "__main__":
    for time, what in build():
        print(f"{time:6.1f}  {what}")
