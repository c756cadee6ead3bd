// JavaScript files of npm packages that a linter complains about, or that an older tool rejects. All candidates must be
// accepted by acorn. The protocol is that of worker.py.
"use strict";

const fs = require("fs");
const path = require("path");

// The number of files from which inputs are chosen, and which are learned from.
const MOST = 2500;
const root = path.join(process.cwd(), "node_modules");
const load = (name) => require(path.join(root, name));

function files(dir, found = []) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path.join(dir, entry.name);
    if (entry.isDirectory()) files(name, found);
    else if (/^(?!.*\.min\.js$).*\.js$/.test(entry.name)) {
      const size = fs.statSync(name).size;
      if (size >= 200 && size <= 40000) found.push(name);
    }
  }
  return found;
}

/** Numbers in [0, 1): a linear congruential generator, which is enough to choose files. */
function generator(seed) {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 11n) / 2 ** 53;
  };
}

function shuffle(items, random) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

function parses(text) {
  for (const sourceType of ["script", "module"]) {
    try {
      load("acorn").parse(text, { ecmaVersion: "latest", sourceType, allowHashBang: true });
      return true;
    } catch {}
  }
  return false;
}

/** The messages of a tool that throws on what it does not know. */
function thrown(tool) {
  return (text) => {
    try {
      tool(text);
      return [];
    } catch (error) {
      return [String(error.message).split("\n")[0].replace(/\d+/g, "N")];
    }
  };
}

const RULES = Object.fromEntries(
  ["no-unused-vars", "eqeqeq", "no-shadow", "no-else-return", "no-use-before-define", "consistent-return",
    "no-param-reassign", "no-nested-ternary", "no-loop-func", "prefer-const", "block-scoped-var", "no-empty",
    "no-cond-assign", "no-fallthrough", "no-prototype-builtins", "no-lonely-if", "max-depth"].map((rule) => [rule, 2]));
let linter;

const TOOLS = {
  jshint(text) {
    const { JSHINT } = load("jshint");
    JSHINT(text, { esversion: 6, undef: true, unused: true, latedef: true, shadow: "outer", maxerr: 1000 });
    // Those about punctuation depend on layout.
    return JSHINT.errors.filter((error) => !/^E|W033|W008|W014/.test(error.code)).map((error) => `${error.code} ${error.reason}`.replace(/line '\d+'/, "line N"));
  },
  eslint(text) {
    linter ??= new (load("eslint").Linter)();
    const options = { rules: RULES, parserOptions: { ecmaVersion: "latest", sourceType: "module" } };
    const found = linter.verify(text, options);
    return found.filter((message) => !message.fatal).map((message) => `${message.ruleId} ${message.message}`);
  },
  esprima: thrown((text) => load("esprima").parseModule(text)),
  buble: thrown((text) => load("buble").transform(text)),
  uglify2: thrown((text) => load("uglify2").minify(text, { fromString: true })),
};

function choose(seed, count) {
  const random = generator(seed);
  const all = shuffle(files(root), random).slice(0, MOST);
  const order = all.filter((file) => fs.statSync(file).size >= 2000 && fs.statSync(file).size <= 15000);
  const names = Object.keys(TOOLS);
  const inputs = [];
  const used = new Set();
  while (inputs.length < count && names.length) {
    const kind = names[inputs.length % names.length];
    const file = order.find((file) => {
      if (used.has(file)) return false;
      const text = fs.readFileSync(file, "utf8");
      if (!parses(text)) return false;
      const found = [...new Set(TOOLS[kind](text))].sort();
      if (!found.length) return false;
      // Several messages at once make larger results than one.
      inputs.push({ kind, file, property: [kind, shuffle(found, random).slice(0, 3).sort()] });
      return true;
    });
    if (file) used.add(file);
    else names.splice(names.indexOf(kind), 1);
  }
  const corpus = all.filter((file) => !used.has(file));
  process.stdout.write(JSON.stringify({ inputs, corpus }));
}

function judge(text, [kind, messages]) {
  if (!parses(text)) return false;
  const found = new Set(TOOLS[kind](text));
  return messages.every((message) => found.has(message));
}

function serve(property) {
  let read = Buffer.alloc(0);
  process.stdin.on("data", (chunk) => {
    read = Buffer.concat([read, chunk]);
    for (;;) {
      const end = read.indexOf(10);
      if (end < 0) return;
      const length = Number(read.subarray(0, end));
      if (read.length < end + 1 + length) return;
      const text = read.subarray(end + 1, end + 1 + length).toString("utf8");
      read = read.subarray(end + 1 + length);
      let answer = false;
      try {
        answer = judge(text, property);
      } catch {}
      process.stdout.write(answer ? "1\n" : "0\n");
    }
  });
}

if (process.argv[2] === "list") choose(Number(process.argv[3]), Number(process.argv[4]));
else serve(JSON.parse(process.argv[4]));
