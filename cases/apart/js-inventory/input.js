'use strict';

const TAX = { food: 0.07, books: 0.07, default: 0.19 };

class Item {
  #sku;
  constructor(sku, name, category, price) {
    this.#sku = sku;
    this.name = name;
    this.category = category;
    this.price = price;
  }

  get sku() {
    return this.#sku;
  }

  gross() {
    const rate = TAX[this.category] ?? TAX.default;
    return Math.round(this.price * (1 + rate) * 100) / 100;
  }

  toString() {
    return `${this.sku}: ${this.name}`;
  }
}

class Warehouse {
  constructor(city) {
    this.city = city;
    this.stock = new Map();
    this.log = [];
  }

  receive(item, quantity) {
    const entry = this.stock.get(item.sku);
    if (entry) {
      entry.quantity += quantity;
    } else {
      this.stock.set(item.sku, { item, quantity, reserved: 0 });
    }
    this.log.push({ type: 'in', sku: item.sku, quantity });
    return this;
  }

  ship(sku, quantity) {
    const entry = this.stock.get(sku);
    if (!entry || entry.quantity - entry.reserved < quantity) {
      return false;
    }
    entry.quantity -= quantity;
    if (entry.quantity === 0) {
      this.stock.delete(sku);
    }
    this.log.push({ type: 'out', sku, quantity });
    return true;
  }

  *lowStock(limit = 5) {
    for (const [sku, { item, quantity }] of this.stock) {
      if (quantity < limit) yield { sku, name: item.name, quantity };
    }
  }
}

class Planner {
  constructor(...warehouses) {
    this.warehouses = warehouses;
  }

  locate(sku) {
    return this.warehouses.filter(w => w.stock.has(sku));
  }

  transfer(sku, quantity, from, to) {
    const source = this.warehouses.find(w => w.city === from);
    const target = this.warehouses.find(w => w.city === to);
    if (!source.ship(sku, quantity)) {
      throw new RangeError(`${from} has too little of ${sku}`);
    }
    target.receive(source.stock.get(sku).item, quantity);
  }

  value() {
    let total = 0;
    for (const { stock } of this.warehouses) {
      for (const { item, quantity } of stock.values()) {
        total += item.gross() * quantity;
      }
    }
    return total;
  }
}

const items = [
  new Item('B-100', 'Atlas', 'books', 39.9),
  new Item('F-220', 'Honey', 'food', 6.5),
  new Item('T-001', 'Hammer', 'tools', 18),
];

const leipzig = new Warehouse('Leipzig');
const ulm = new Warehouse('Ulm');
items.forEach((item, i) => leipzig.receive(item, 4 + 3 * i));
ulm.receive(items[1], 12).receive(items[1], 3);

const planner = new Planner(leipzig, ulm);
planner.transfer('F-220', 5, 'Ulm', 'Leipzig');
console.log('value', planner.value().toFixed(2));
for (const { sku, name, quantity } of leipzig.lowStock(8)) {
  console.log(`low: ${sku} ${name} (${quantity})`);
  for (const other of planner.locate(sku)) {
    if (other.city === 'Leipzig') {
      planner.transfer(sku, quantity, 'Leipzig', 'Ulm');
    }
  }
}
console.log(planner.locate('B-100').map(w => w.city).join());
