var registry = new Map();
class Base {
  constructor(id) { this.id = id; registry.set(id, this); }
  describe() { return "Base " + this.id; }
  static create(id) { return new this(id); }
}
class Middle extends Base {
  constructor(id, extra) {
    super(id);
    this.extra = extra === undefined ? null : extra;
    this.cache = Object.create(null);
  }
  describe() {
    var text = super.describe();
    if (!(text in this.cache)) { this.cache[text] = text.length; }
    return text + "/" + this.cache[text];
  }
}
function mixin(base, ...methods) {
  var result = class extends base {};
  for (var method of methods) {
    Object.defineProperty(result.prototype, method.name, { value: method, writable: true });
  }
  return result;
}
var Loud = mixin(Middle, function shout() { return this.describe().toUpperCase(); });
var bad = { Loud: Loud, Quiet: mixin(Base, function hush() { return ""; }) };
class Leaf extends bad.Loud {
  constructor(id) {
    var early = () => this.id;
    if (id > 100) { super(id, early); }
    this.level = id % 2 ? "odd" : "even";
    if (id <= 100) { super(id); }
  }
}
var out = [];
for (var n of [1, 2, 3]) { out.push(Middle.create(n).describe()); }
console.log(out.join(";"), new bad.Quiet(9).hush().length);
console.log(new Loud(5).shout());
do {
  var leaf = new Leaf(registry.size + 1);
  console.log(leaf.describe());
} while (leaf.level === "odd");
