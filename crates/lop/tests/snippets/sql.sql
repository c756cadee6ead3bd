-- A small shop.
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL,
    price NUMERIC(10, 2) DEFAULT 1.50,
    added DATE,
    UNIQUE (name)
);

CREATE TABLE IF NOT EXISTS orders (
    id INT NOT NULL,
    item_id INT REFERENCES items (id) ON DELETE CASCADE,
    amount INT DEFAULT 1,
    note TEXT,
    PRIMARY KEY (id, item_id)
);

CREATE UNIQUE INDEX order_index ON orders (item_id, amount DESC);

ALTER TABLE items ADD COLUMN weight FLOAT;

INSERT INTO items (id, name, price)
VALUES
    (1, 'spade', 12.5),
    (2, 'it''s a rake', 8),
    (3, 'hoe', NULL);

INSERT INTO orders (id, item_id)
SELECT i.id, i.id + 1 FROM items i WHERE i.price > 5;

UPDATE items
SET price = price * 1.1, name = upper(name)
WHERE id IN (1, 2) AND NOT (price IS NULL);

DELETE FROM orders WHERE amount = 0 OR note LIKE '%old%';

/* What was sold, and how often. */
CREATE VIEW sales AS
SELECT
    i.name,
    count(*) AS times,
    sum(o.amount * i.price) AS total
FROM items AS i
LEFT JOIN orders AS o ON o.item_id = i.id
WHERE i.price BETWEEN 1 AND 100
GROUP BY i.name
HAVING count(*) > 1
ORDER BY total DESC, i.name
LIMIT 10;

WITH cheap AS (
    SELECT id, name FROM items WHERE price < 10
), dear AS (
    SELECT id, name FROM items WHERE price >= 10
)
SELECT id, name FROM cheap
UNION ALL
SELECT id, name FROM dear;

SELECT DISTINCT
    name,
    CASE
        WHEN price IS NULL THEN 'unknown'
        WHEN price > 10 THEN 'dear'
        ELSE 'cheap'
    END AS kind,
    CAST(price AS INTEGER),
    coalesce(weight, -1.5) || ' kg',
    row_number() OVER (PARTITION BY added ORDER BY price)
FROM items
WHERE EXISTS (SELECT 1 FROM orders WHERE orders.item_id = items.id)
    AND id <> 7;

DROP TABLE IF EXISTS old_items;
