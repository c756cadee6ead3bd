"use strict";
/* Makes a JavaScript program that knows nothing of lop draw its random numbers from lop.
 *
 *     NODE_OPTIONS='--require ./lop_hook.js' LOP_CHOICES=choices LOP_EVENTS=events node generator.js
 *
 * If LOP_CHOICES is set, `Math.random` and the random functions of `crypto` draw from lop. How lop and a generator talk is described in
 * docs/src/reference/protocol.md.
 *
 * Spans come from the stack, as they do for programs in C: at each draw it is compared with the stack at the draw before. A function that
 * is still running is a span that is still open, and one that calls from the same place as before has begun another iteration of a loop.
 *
 * The first process that draws is the generator, and takes LOP_CHOICES out of its environment, so that programs which it starts draw
 * real random numbers; so do its worker threads.
 */

const fs = require("fs");
const { isMainThread } = require("worker_threads");

if (process.env.LOP_CHOICES && isMainThread) install();

function install() {
    const crypto = require("crypto");
    Math.random = function random() {
        return drawUnit();
    };
    crypto.randomInt = function randomInt(low, high, callback) {
        if (high === undefined || typeof high === "function") [low, high, callback] = [0, low, high];
        if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || high <= low) {
            throw new RangeError(`there is no integer from ${low} to below ${high}`);
        }
        const value = Number(drawInteger(BigInt(low), BigInt(high) - 1n));
        return callback ? void setImmediate(callback, null, value) : value;
    };
    crypto.randomFillSync = function randomFillSync(buffer, offset = 0, size) {
        const width = buffer.BYTES_PER_ELEMENT || 1;
        const bytes = ArrayBuffer.isView(buffer)
            ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
            : new Uint8Array(buffer);
        const from = offset * width;
        fill(bytes.subarray(from, size === undefined ? bytes.length : from + size * width));
        return buffer;
    };
    crypto.randomFill = function randomFill(buffer, ...rest) {
        const callback = rest.pop();
        crypto.randomFillSync(buffer, ...rest);
        setImmediate(callback, null, buffer);
    };
    crypto.randomBytes = crypto.pseudoRandomBytes = function randomBytes(size, callback) {
        const bytes = crypto.randomFillSync(Buffer.alloc(size));
        return callback ? void setImmediate(callback, null, bytes) : bytes;
    };
    crypto.randomUUID = function randomUUID() {
        const bytes = crypto.randomBytes(16);
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    };
    if (crypto.webcrypto) {
        const instead = { getRandomValues: (array) => crypto.randomFillSync(array), randomUUID: () => crypto.randomUUID() };
        const prototype = Object.getPrototypeOf(crypto.webcrypto);
        for (const [name, value] of Object.entries(instead)) {
            Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: true });
        }
    }
    // A module that is imported by name has copies of the functions.
    require("module").syncBuiltinESMExports();
    process.on("exit", flush);
    // A program that ends this way runs no handlers.
    const exit = process.reallyExit;
    process.reallyExit = function reallyExit(code) {
        flush();
        return exit.call(process, code);
    };
}

// ---- Choices and events ----

let choices = null;
let next = 0;
let most = Infinity;
let seed = null;
let file = -1;
let buffer = "";

function open(variable, flags) {
    const place = process.env[variable];
    if (!place) return -1;
    return place.startsWith("fd:") ? Number(place.slice(3)) : fs.openSync(place, flags);
}

function begin() {
    const source = open("LOP_CHOICES", "r");
    choices = [];
    for (const line of fs.readFileSync(source, "latin1").split("\n")) {
        const [word, value] = line.trim().split(" ");
        if (word === "end") break;
        else if (word === "most") most = Number(value);
        else if (word === "seed") seed = BigInt(value);
        else if (/^[-+]?\d+$/.test(word)) choices.push(BigInt(word));
    }
    file = open("LOP_EVENTS", "w");
    delete process.env.LOP_CHOICES;
}

function put(text) {
    buffer += text;
    if (buffer.length > 1 << 16) flush();
}

function flush() {
    const text = buffer;
    buffer = "";
    if (file >= 0 && text) fs.writeSync(file, text);
}

const WORD = (1n << 64n) - 1n;

/* splitmix64 */
function freshBits() {
    let z = (seed = (seed + 0x9e3779b97f4a7c15n) & WORD);
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
    return z ^ (z >> 31n);
}

/* The next choice if it is allowed, or else the simplest one, or a fresh one. */
function draw(kind, allows, simplest, fresh) {
    if (choices === null) begin();
    follow();
    let value;
    if (next < most && next < choices.length) value = allows(choices[next]) ? choices[next] : simplest;
    else if (next < most && seed !== null) value = fresh();
    else {
        put(`? ${kind}\n`);
        flush();
        process.reallyExit(120);
    }
    next++;
    put(`${kind} ${value}\n`);
    return value;
}

function drawInteger(low, high) {
    if (low === high) return low;
    const target = low > 0n ? low : high < 0n ? high : 0n;
    const fresh = () => {
        const bits = BigInt((high - low).toString(2).length);
        for (;;) {
            const value = freshBits() & ((1n << bits) - 1n);
            if (value <= high - low) return low + value;
        }
    };
    return draw(`i ${low} ${high} ${target}`, (it) => low <= it && it <= high, target, fresh);
}

/* Bytes, eight at a time: few programs draw bytes to use them one by one. */
function fill(bytes) {
    for (let at = 0; at < bytes.length; at += 8) {
        const count = Math.min(8, bytes.length - at);
        let value = drawInteger(0n, (1n << BigInt(8 * count)) - 1n);
        for (let byte = 0; byte < count; byte++, value >>= 8n) bytes[at + byte] = Number(value & 255n);
    }
}

const PARTS = 1n << 53n;

/* A number from 0 to less than 1. Programs multiply it by a count, or compare it, so less is simpler, and fewer digits are not. */
function drawUnit() {
    return Number(drawInteger(0n, PARTS - 1n)) / Number(PARTS);
}

// ---- Spans ----

// The functions that were running at the draw before, from the outermost. Each has marks: from where it has called what drew, and how many choices
// there were before.
const frames = [];
// The open spans. A span is written when a second choice is drawn in it, as one that the choice before belongs to as well: what has
// one choice only says nothing.
const spans = [];
let written = 0;

function stack() {
    const { stackTraceLimit, prepareStackTrace } = Error;
    Error.stackTraceLimit = Infinity;
    Error.prepareStackTrace = (_, sites) => sites;
    const holder = {};
    Error.captureStackTrace(holder, stack);
    const sites = holder.stack;
    Object.assign(Error, { stackTraceLimit, prepareStackTrace });
    const present = [];
    for (const site of sites) {
        const name = site.getFileName();
        // Those of this module and of Node are no part of the program.
        if (!name || name === __filename || name.startsWith("node:")) continue;
        const line = site.getEnclosingLineNumber ? `${site.getEnclosingLineNumber()}:${site.getEnclosingColumnNumber()}` : "";
        const label = `${site.getFunctionName() || "function"} ${name.replace(/^.*\//, "").replace(/\s/g, "_")}:${line}`;
        present.push({ label, at: site.getPosition() });
    }
    return present.reverse();
}

function write(count) {
    for (; written < count; written++) put(`( ${spans[written].label}\t1\n`);
}

function end(left) {
    // An iteration with one choice is worth a span, since its neighbours may have more. Those that go on begin before it.
    const single = spans.find((span, at) => at >= Math.max(left, written) && span.mark !== undefined);
    if (single) {
        write(left);
        put(`+ ${single.label}\t1\n`);
    }
    while (spans.length > left) {
        spans.pop();
        if (written > spans.length) {
            written = spans.length;
            put(")\n");
        }
    }
}

/* A function calls from a place once more: ends the loops inside of that which the place is in, and begins the next iteration. */
function iterate(frame, mark) {
    const label = `iteration ${frame.label} ${frame.at}`;
    let isFirst = true;
    while (spans.length > frame.outside + 1 && spans[spans.length - 1].mark >= mark) {
        if (spans[spans.length - 1].mark === mark) isFirst = false;
        end(spans.length - 1);
    }
    write(spans.length);
    // Only now is it known that there is a loop; what was drawn since the first call from that place is its first iteration.
    if (isFirst) put(`+ ${label}\t${next - frame.marks[mark].next}\n`);
    frame.marks.length = mark + 1;
    spans.push({ label, mark });
}

function follow() {
    const present = stack();
    const isAt = (at) => at < frames.length && at < present.length && frames[at].label === present[at].label;
    let same = 0;
    while (isAt(same) && frames[same].at === present[same].at) same++;
    // The next function was called from the same place. If it is the same one, it is taken for the same call.
    if (isAt(same)) {
        frames[same].at = present[same].at;
        same++;
    }
    if (same < frames.length) end(frames[same].outside);
    frames.length = same;
    if (same > 0) {
        const frame = frames[same - 1];
        const mark = frame.marks.map((mark) => mark.at).lastIndexOf(frame.at);
        if (mark >= 0) {
            iterate(frame, mark);
        } else {
            write(spans.length);
            frame.marks.push({ at: frame.at, next });
        }
    }
    for (const { label, at } of present.slice(same)) {
        frames.push({ label, at, outside: spans.length, marks: [{ at, next }] });
        spans.push({ label });
    }
}
