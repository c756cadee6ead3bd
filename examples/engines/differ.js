// Exits with 0 if a program prints commas in numbers in Node's engine, V8, and none in QuickJS. Engines also differ in how
// they print functions and errors, so any difference would not do.
"use strict";

const fs = require("fs");
const vm = require("vm");
const { getQuickJS } = require("quickjs-emscripten");

const LIMIT = 5000;
const program = fs.readFileSync(process.argv[2], "utf8");

function inV8() {
  const printed = [];
  vm.runInNewContext(program, { print: (text) => void printed.push(String(text)) }, { timeout: LIMIT });
  return printed.join("\n");
}

async function inQuickJS() {
  const vm = (await getQuickJS()).newContext();
  const printed = [];
  const end = Date.now() + LIMIT;
  vm.runtime.setInterruptHandler(() => Date.now() > end);
  const print = vm.newFunction("print", (text) => void printed.push(vm.getString(text)));
  vm.setProp(vm.global, "print", print);
  const result = vm.evalCode(program);
  if (result.error) throw new Error(JSON.stringify(vm.dump(result.error)));
  return printed.join("\n");
}

async function main() {
  const [commas, none] = [inV8(), await inQuickJS()];
  const squeezed = (text) => text.replaceAll(/[ ,]/g, "");
  process.exit(/\d,\d/.test(commas) && !/\d,\d/.test(none) && squeezed(commas) === squeezed(none) ? 0 : 1);
}

main().catch(() => process.exit(1));
