var log = [];
function makeHandler(name) {
  return {
    get: function (target, key, receiver) {
      log.push(name + ".get " + String(key));
      return Reflect.get(target, key, receiver);
    },
    ownKeys: function (target) {
      log.push(name + ".ownKeys");
      return ["a", "b", "a"];
    },
    has: function (target, key) {
      return key in target || key === "magic";
    },
    set: function (target, key, value) {
      if (typeof value === "number" && value > 10) { return false; }
      target[key] = value;
      return true;
    }
  };
}
class Shape {
  #sides = 4;
  static count = 0;
  constructor(name, ...rest) { this.name = name; this.rest = rest; Shape.count += 1; }
  get sides() { return this.#sides; }
  *corners() { for (let i = 0; i < this.#sides; i++) yield { i, x: i * 2, y: i ** 2 }; }
  async area(scale = 1) { const [a, b] = this.rest; return a * b * scale; }
}
var square = new Shape("square", 2, 3);
var total = 0;
for (var corner of square.corners()) {
  total += corner.x + (corner.y || 0);
}
var p = new Proxy({ a: 1, b: 2 }, makeHandler("p"));
var text = "x" in p ? "yes" : "no";
label: for (var i = 0; i < 3; i++) {
  for (var j = 0; j < 3; j++) {
    if (i * j > 2) continue label;
    p["k" + i] = j;
  }
}
console.log(text, total, p.a, p.b);
try {
  var copy = { ...square, extra: [1, , 3], [`t${total}`]: /ab+c/gi };
  console.log(Object.keys(copy).length);
  (function (object) {
    var keys = Object.getOwnPropertyNames(object);
    keys.forEach(function (key, n) { console.log(n, key); });
  })(p);
} catch (e) {
  console.log("failed", e.message);
  throw e;
}
