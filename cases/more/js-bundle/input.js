"use strict";
var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res) => function __init() {
  return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
};
var __commonJS = (cb, mod) => function __require() {
  return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
};
var __export = (target, all) => {
  for (var name in all) Object.defineProperty(target, name, { get: all[name], enumerable: true });
};

// src/util/ids.js
var require_ids = __commonJS({
  "src/util/ids.js"(exports, module) {
    let last = 0;
    module.exports = { nextId: (prefix) => prefix + "-" + (++last).toString(36), reset() { last = 0; } };
  }
});

// src/model/node.js
var node_exports = {};
__export(node_exports, { TreeNode: () => TreeNode, isNode: () => isNode });
function isNode(value) {
  return value instanceof TreeNode;
}
var import_ids, TreeNode;
var init_node = __esm({
  "src/model/node.js"() {
    import_ids = require_ids();
    init_registry();
    TreeNode = class {
      constructor(label, children = []) {
        this.id = import_ids.nextId("n");
        this.label = label;
        this.children = children.filter(isNode);
      }
      walk(visit, depth = 0) {
        visit(this, depth);
        for (const child of this.children) child.walk(visit, depth + 1);
      }
      get size() {
        return this.children.reduce((n, child) => n + child.size, 1);
      }
    };
    register("node", TreeNode);
  }
});

// src/model/leaf.js
var Leaf, leaf_default;
var init_leaf = __esm({
  "src/model/leaf.js"() {
    init_node();
    Leaf = class extends TreeNode {
      constructor(label, payload) {
        super(label);
        this.payload = payload;
      }
      get size() {
        return 1;
      }
    };
    leaf_default = Leaf;
  }
});

// src/model/registry.js
function register(kind, type) {
  if (kinds.has(kind)) throw new Error("kind " + kind + " is taken");
  kinds.set(kind, type);
}
function create(kind, ...args) {
  const Type = kinds.get(kind);
  return new Type(...args);
}
var kinds;
var init_registry = __esm({
  "src/model/registry.js"() {
    kinds = /* @__PURE__ */ new Map();
    init_leaf();
    register("leaf", leaf_default);
  }
});

// src/format.js
var format_exports = {};
__export(format_exports, { outline: () => outline });
function outline(root) {
  const lines = [];
  root.walk((node, depth) => lines.push("  ".repeat(depth) + node.label));
  return lines.join("\n");
}
var init_format = __esm({
  "src/format.js"() {
  }
});

// src/index.js
init_format();
init_node();
init_registry();
var root = create("node", "root", [
  create("leaf", "a", 1),
  create("node", "b", [create("leaf", "c", 2)])
]);
console.log(outline(root), root.size);
