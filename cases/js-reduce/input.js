"use strict";
function Queue(limit) {
  this.items = [];
  this.limit = limit || 16;
}
Queue.prototype.push = function (item) {
  if (this.items.length >= this.limit) {
    throw new Error("full: " + this.limit);
  }
  this.items.push({ value: item, at: Date.now() % 7 });
  return this;
};
Queue.prototype.drain = function (callback) {
  var taken = 0;
  while (this.items.length > 0) {
    var next = this.items.shift();
    callback(next.value, taken++);
  }
  return taken;
};
function weigh(values, start) {
  var sum = 0;
  for (var i = start; i < values.length; i++) {
    sum += values[i] * (i + 1);
  }
  try {
    return values.slice(start).reduce(function (left, right) {
      return left > right ? left : right;
    });
  } finally {
    sum = -1;
  }
}
const config = { depth: 3, names: ["a", "b", "c"], nested: { on: true, rate: 0.25 } };
const q = new Queue(config.names.length + 2);
for (const name of config.names) {
  q.push(name.toUpperCase());
}
let seen = [];
q.drain((value, index) => {
  seen.push(`${index}:${value}`);
});
switch (seen.length) {
  case 0:
    console.log("none");
    break;
  case 3:
    console.log(seen.join(","));
    for (let k = 0; k < config.depth; k++) {
      if (config.nested.on && k === 2) {
        console.log(weigh([1, 2, 3], k + 1));
      } else {
        console.log(weigh([4, 5, 6, k], k));
      }
    }
    break;
  default:
    console.log("some");
}
