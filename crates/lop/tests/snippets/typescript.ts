import fs, { type Stats } from "node:fs";
import type { Tool } from "./tools";

// The states of a job.
export enum State {
  Waiting = 1,
  Running,
  Done = "done",
}

type Name = string | undefined;
type Pair<A, B = A> = readonly [first: A, second?: B];
type Part<T> = { readonly [K in keyof T]?: T[K] };
type Inner<T> = T extends Array<infer U> ? U : never;
type Key = `job-${number}`;

interface Job<T extends object = {}> extends Tool {
  id: number;
  data?: T;
  [extra: string]: unknown;
  run(input: T, ...rest: number[]): Promise<void>;
  new (id: number): Job<T>;
}

declare module "tools" {
  export function make(name: string): Tool;
}

namespace Text {
  export const quote = (text: string): string => `"${text}"\n`;
}

function log(target: any, key?: string) {
  console.log("made \"it\"", target, key);
}

@log
abstract class Queue<T> implements Iterable<T> {
  private static count = 0;
  protected items: T[] = [];
  declare label: string;

  constructor(public readonly name: Name, private limit: number = 0x10) {
    Queue.count++;
  }

  abstract check(item: T): boolean;

  get size(): number {
    return this.items.length;
  }

  push(item: T): asserts item is NonNullable<T> {
    if (this.size >= this.limit || !this.check(item)) {
      throw new Error("full");
    } else {
      this.items.push(item!);
    }
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const item of this.items) yield item;
  }
}

function size(value: string): number;
function size(value: number[]): number;
function size(value: any): number {
  switch (typeof value) {
    case "string":
      return value.length;
    default:
      return (value as number[]).reduce((a, b) => a + b, 0);
  }
}

const limits = { low: 1, high: 1.5e3 } satisfies Record<string, number>;
let pair: Pair<number> = [1, 2];
for (let i = 0; i < pair[0]; i += 1) {
  if (i in limits) continue;
  try {
    const stats: Stats = await fs.promises.stat(`${i}.txt`);
    console.log(stats?.size ?? size("none"), /a+\/b/g.test("a"));
  } catch (error) {
    while (i < 3) i++;
  }
}

export type { Job, Part, Inner, Key };
export default Queue;
