// Prints a report about orders.
function Order(customer, items) {
  this.customer = customer;
  this.items = items;
}

Order.prototype.total = function () {
  return this.items.reduce(function (sum, item) {
    return sum + item.price * (item.count || 1);
  }, 0);
};

const orders = [
  new Order("Ada", [{ name: "engine", price: 1250 }, { name: "card", price: 0.25, count: 400 }]),
  new Order("Blaise", [{ name: "wheel", price: 99, count: 8 }]),
  new Order("Grace", [{ name: "moth", price: 3 }, { name: "tape", price: 7.75, count: 12 }]),
];

const discounts = { Ada: 0.1, Grace: 0.05 };

function discounted(order) {
  let total = order.total();
  if (order.customer in discounts) {
    total = Math.round(total * (1 - discounts[order.customer]));
  } else if (total > 500) {
    for (let step = 500; step < total; step += 100) {
      total -= 1;
    }
  }
  return total;
}

function pad(text, width) {
  while (text.length < width) text = " " + text;
  return text;
}

const lines = orders
  .map((order) => ({ name: order.customer, amount: discounted(order) }))
  .sort((left, right) => right.amount - left.amount)
  .map(({ name, amount }, index) => `${index + 1}. ${name}: ${pad(amount.toLocaleString("en"), 10)}`);

try {
  for (const line of lines) print(line);
} finally {
  print("sum: " + orders.map(discounted).reduce((a, b) => a + b));
}
