"use strict";
import fs, { readFile as read } from "node:fs";
import * as path from "node:path";

// How many items one page shows.
const PAGE = 10;
let { width, height: rows = 5, ...rest } = { width: 80, depth: 0x1f };
var counter;

/** A queue with a limit. */
class Queue extends Array {
  static #made = 0;
  limit = PAGE;

  constructor(limit, ...items) {
    super(...items);
    this.limit = limit ?? PAGE;
    Queue.#made++;
  }

  get full() {
    return this.length >= this.limit;
  }

  async *drain(delay = 10) {
    while (this.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      yield this.shift();
    }
  }

  static [Symbol.species]() {}
}

function parse(text, { strict = false } = {}) {
  const found = /^(\w+)\s*=\s*"([^"\\]|\\.)*"$/giu.exec(text);
  if (!found && strict) {
    throw new TypeError(`bad line: ${text.slice(0, 20)}\n`);
  } else if (found === null) {
    return undefined;
  }
  const [, name, value] = found;
  return { name, value, ["x" + name]: [1, 2.5e3, , 10n], size() { return 1; } };
}

outer: for (let i = 0, j = 9; i < j; i += 1, j--) {
  for (const key in rest) {
    if (key === "depth" || !(i % 2)) continue outer;
    break;
  }
}

function* numbers(max) {
  let n = 0;
  do {
    yield n ** 2;
  } while (++n < max);
}

switch (typeof counter) {
  case "undefined":
  case "object":
    counter = 1;
    break;
  default:
    delete rest.depth;
}

try {
  const queue = new Queue(3, "a", 'it\'s');
  for (const n of numbers(4)) queue.push(n);
  for await (const item of queue.drain()) console.log(item, item?.name ?? "none");
} catch ({ message }) {
  console.error(message);
} finally {
  read(path.join("a", "b"), (error, data) => (error ? null : parse(`${data}`)));
}

export const double = (x) => x * 2;
export default async function load(file) {
  return JSON.parse(await fs.promises.readFile(file, "utf8"));
}
export { parse, Queue as Line };
