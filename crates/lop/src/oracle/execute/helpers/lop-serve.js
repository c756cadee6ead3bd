// Lets a test in JavaScript stay: `lop --serve` starts it once and hands it one candidate after the other.
//
//     #!/usr/bin/env node
//     const { serve } = require('./lop-serve.js');
//     const tool = require('slow-tool');
//
//     serve((path) => tool.parse(path) === undefined);
//
// Without --serve, the same file is an ordinary test: it judges the candidate that its first argument names.
//
// The check returns true or 0 if the candidate is interesting, else false or another exit code, or a promise of one;
// undefined means 0, as for a script that comes to its end. An exception is exit code 1, with its stack on standard
// error; process.exit() counts, too.
//
// The protocol is described in docs/src/guides/serve.md of lop.

'use strict';

const fs = require('node:fs');

/** Judges the candidates that lop sends, or, without lop, the one that the first argument names. */
async function serve(check) {
  const { LOP_CANDIDATES: candidates, LOP_ANSWERS: answers } = process.env;
  // Programs that the check starts are not served.
  delete process.env.LOP_CANDIDATES;
  delete process.env.LOP_ANSWERS;
  if (candidates === undefined) {
    process.exit(await judge(check, process.argv[2]));
  }
  const home = process.cwd();
  const out = fs.openSync(answers, 'w');
  fs.writeSync(out, 'lop-serve 1\n');
  for (const line of lines(fs.openSync(candidates, 'r'))) {
    const space = line.indexOf(' ');
    process.chdir(home);
    const code = await judge(check, line.slice(space + 1));
    fs.writeSync(out, `${line.slice(0, space)} ${code}\n`);
  }
}

/** The lines of a file, each as soon as it is there. */
function* lines(file) {
  const buffer = Buffer.alloc(65536);
  let text = Buffer.alloc(0);
  for (let read; (read = fs.readSync(file, buffer)) > 0; ) {
    text = Buffer.concat([text, buffer.subarray(0, read)]);
    for (let end; (end = text.indexOf(10)) >= 0; text = text.subarray(end + 1)) {
      yield text.toString('utf8', 0, end);
    }
  }
}

class Exit {
  constructor(code) {
    this.code = code;
  }
}

async function judge(check, path) {
  const exit = process.exit;
  process.exitCode = undefined;
  process.exit = (code) => {
    throw new Exit(code);
  };
  let code;
  try {
    code = await check(path);
  } catch (error) {
    code = error instanceof Exit ? error.code : 1;
    if (!(error instanceof Exit)) console.error(error);
  } finally {
    process.exit = exit;
  }
  if (typeof code === 'boolean') return code ? 0 : 1;
  code = Number(code ?? process.exitCode ?? 0) & 255;
  process.exitCode = undefined;
  return code;
}

module.exports = { serve };
