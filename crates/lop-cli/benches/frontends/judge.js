// Judges scripts: reads the length of each on a line of its own, then the script, and answers 1 if the property holds, else 0.
// With `throws`, the script is run, and its error contains a text; with `has`, it is compiled, and contains these words.
"use strict";

const vm = require("vm");
const [how, ...parts] = process.argv.slice(2);

function holds(text) {
  const quiet = new Proxy({}, { get: () => () => {} });
  try {
    const script = new vm.Script(text);
    if (how === "has") return parts.every((part) => text.includes(part));
    script.runInNewContext({ console: quiet }, { timeout: 200, microtaskMode: "afterEvaluate" });
  } catch (error) {
    return how === "throws" && String(error).includes(parts[0]);
  }
  return false;
}

let waiting = Buffer.alloc(0);
process.stdin.on("data", (data) => {
  waiting = Buffer.concat([waiting, data]);
  for (;;) {
    const end = waiting.indexOf(10);
    if (end < 0) return;
    const length = Number(waiting.subarray(0, end));
    if (waiting.length < end + 1 + length) return;
    const text = waiting.subarray(end + 1, end + 1 + length).toString();
    waiting = waiting.subarray(end + 1 + length);
    process.stdout.write(holds(text) ? "1\n" : "0\n");
  }
});
