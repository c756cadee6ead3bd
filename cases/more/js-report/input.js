const orders = [
  { id: 1041, customer: 'Brandt',  date: '2023-01-14', lines: [['paper', 10, 4.5], ['ink', 2, 31.9]] },
  { id: 1043, customer: 'Brandt',  date: '2023-02-02', lines: [['ink', 1, 31.9]], discount: '5%' },
  { id: 1045, customer: 'Okafor',  date: '2023-03-05', lines: [['paper', 40, 4.2], ['folder', 25, 0.8]], discount: '10' },
  { id: 1046, customer: 'Moreau',  date: '2023-03-29', lines: [['desk', 1, 249]], discount: 'none' },
];

const groupBy = key => list =>
  list.reduce((groups, x) => {
    (groups[key(x)] ||= []).push(x);
    return groups;
  }, {});
const mapValues = f => obj => Object.fromEntries(Object.entries(obj).map(([k, v]) => [k, f(v, k)]));
const sumBy = f => list => list.map(f).reduce((a, b) => a + b, 0);

const parseDiscount = text => {
  if (text === undefined) return 0;
  const amount = parseFloat(text);
  return text.endsWith('%') ? amount / 100 : amount > 1 ? amount / 100 : amount;
};

const subtotal = sumBy(([, quantity, price]) => quantity * price);
const total = order => subtotal(order.lines) * (1 - parseDiscount(order.discount));
const quarter = ({ date }) => 'Q' + Math.ceil(Number(date.slice(5, 7)) / 3);
const money = n => n.toFixed(2).padStart(10);

for (const [q, sum] of Object.entries(mapValues(sumBy(total))(groupBy(quarter)(orders)))) {
  console.log(q.padEnd(15) + money(sum));
}
console.log('TOTAL'.padEnd(15) + money(sumBy(total)(orders)));
