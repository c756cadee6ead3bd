const { setTimeout: sleep } = require("timers/promises");

async function* ticker(count, ms = 0) {
  for (let i = 1; i <= count; i++) {
    if (ms) await sleep(ms);
    yield i;
  }
}

async function* map(source, fn) {
  for await (const value of source) yield await fn(value);
}

async function* take(source, limit) {
  if (limit <= 0) return;
  for await (const value of source) {
    yield value;
    if (--limit === 0) break;
  }
}

async function* chunk(source, size) {
  let batch = [];
  for await (const value of source) {
    batch.push(value);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length) yield batch;
}

class Queue {
  constructor(concurrency) {
    this.concurrency = concurrency;
    this.running = 0;
    this.waiting = [];
    this.done = 0;
  }

  push(job) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, resolve, reject });
      this.pump();
    });
  }

  pump() {
    while (this.running < this.concurrency && this.waiting.length > 0) {
      const { job, resolve, reject } = this.waiting.shift();
      this.running++;
      Promise.resolve()
        .then(job)
        .then(resolve, reject)
        .finally(() => {
          this.running--;
          this.done++;
          this.pump();
        });
    }
  }
}

function check(batch) {
  const total = batch.reduce((a, b) => a + b, 0);
  if (total % 7 === 0) {
    return Promise.reject({ code: "E_BATCH", batch, total });
  }
  return { total, size: batch.length };
}

async function retry(times, action) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt);
    } catch (e) {
      if (attempt >= times) throw e;
    }
  }
}

async function main() {
  const queue = new Queue(2);
  const numbers = take(map(ticker(40), (n) => n * n), 18);
  const results = [];
  for await (const batch of chunk(numbers, 3)) {
    const result = queue.push(() => retry(2, () => check(batch)));
    result.then((r) => results.push(r));
  }
  await queue.push(() => "flush");
  console.log(`${queue.done} jobs, ${results.map((r) => r.total).join("+")}`);
}

main().catch((e) => {
  console.error("failed:", e);
  process.exitCode = 2;
});
