-- A ledger with double entries; balances are kept by triggers.
PRAGMA foreign_keys = ON;

CREATE TABLE account (
  id       INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  kind     TEXT NOT NULL CHECK (kind IN ('asset', 'income', 'expense')),
  balance  INTEGER NOT NULL DEFAULT 0,
  overdraft INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT solvent CHECK (kind <> 'asset' OR balance >= -overdraft)
);

CREATE TABLE entry (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  day     TEXT NOT NULL,
  debit   INTEGER NOT NULL REFERENCES account (id),
  credit  INTEGER NOT NULL REFERENCES account (id),
  amount  INTEGER NOT NULL CHECK (amount > 0),
  memo    TEXT
);

CREATE INDEX entry_day ON entry (day);

CREATE TABLE standing_order (
  debit   INTEGER NOT NULL REFERENCES account (id),
  credit  INTEGER NOT NULL REFERENCES account (id),
  amount  INTEGER NOT NULL,
  first   TEXT NOT NULL,
  times   INTEGER NOT NULL DEFAULT 12
);

CREATE TRIGGER post AFTER INSERT ON entry
BEGIN
  UPDATE account SET balance = balance + NEW.amount WHERE id = NEW.debit;
  UPDATE account SET balance = balance - NEW.amount WHERE id = NEW.credit;
END;

CREATE TRIGGER unpost AFTER DELETE ON entry
BEGIN
  UPDATE account SET balance = balance - OLD.amount WHERE id = OLD.debit;
  UPDATE account SET balance = balance + OLD.amount WHERE id = OLD.credit;
END;

INSERT INTO account (id, name, kind, overdraft) VALUES
  (1, 'checking', 'asset', 500),
  (2, 'savings', 'asset', 0),
  (3, 'salary', 'income', 0),
  (4, 'rent', 'expense', 0),
  (5, 'food', 'expense', 0);

INSERT INTO standing_order VALUES
  (1, 3, 2400, '2023-01-28', 3),
  (4, 1, 950, '2023-02-01', 3),
  (2, 1, 600, '2023-02-03', 3);

INSERT INTO entry (day, debit, credit, amount, memo) VALUES
  ('2023-01-05', 1, 3, 1800, 'first salary'),
  ('2023-01-07', 5, 1, 85, 'market'),
  ('2023-01-19', 5, 1, 42, NULL);

CREATE VIEW summary AS
  SELECT a.name, a.kind, a.balance,
         (SELECT count(*) FROM entry e WHERE a.id IN (e.debit, e.credit)) AS entries
  FROM account a;

WITH RECURSIVE due (debit, credit, amount, day, rest) AS (
  SELECT debit, credit, amount, first, times FROM standing_order
  UNION ALL
  SELECT debit, credit, amount, date(day, '+1 month'), rest - 1
  FROM due WHERE rest > 1
)
INSERT INTO entry (day, debit, credit, amount, memo)
SELECT day, debit, credit, amount, 'order ' || rest FROM due ORDER BY day;

SELECT kind, sum(balance), max(entries) FROM summary GROUP BY kind ORDER BY 2 DESC;

UPDATE account SET overdraft = CASE WHEN balance > 3000 THEN 1000 ELSE 0 END WHERE id <= 2;

DELETE FROM entry WHERE memo LIKE 'order%' AND debit IN (SELECT id FROM account WHERE kind = 'asset' AND name LIKE '%ing');

SELECT * FROM summary;
