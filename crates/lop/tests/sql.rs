//! SQL in dialects that tree-sitter's grammar does not know.

mod common;
#[path = "common/proposals.rs"]
mod proposals;

use std::sync::Arc;

use common::parse;
use lop::tree::{Format, Tree};
use proposals::proposes;

#[test]
fn statements_of_many_dialects_have_a_tree_without_errors() {
    for statement in STATEMENTS {
        let tree: Tree = parse("sql", statement);
        assert!(!tree.has_errors(), "{statement}");
        let format = Format::named("sql").unwrap();
        assert!(format.accepts(&Arc::new(statement.as_bytes().to_vec())), "{statement}");
    }
}

#[test]
fn what_no_database_accepts_has_errors() {
    for text in [
        "INSERT INTO t(a VALUES (1);",
        "SELECT a FROM;",
        "SELECT CASE WHEN a THEN b;",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1 END;",
        "UPDATE t(a) b = 1;",
    ] {
        assert!(parse("sql", text).has_errors(), "{text}");
        assert!(!Format::named("sql").unwrap().accepts(&Arc::new(text.into())), "{text}");
    }
}

#[test]
fn one_statement_in_a_dialect_spoils_no_other() {
    let text = "CREATE TABLE t(a, b CHECK (b BETWEEN 1 AND 2));\nSELECT * FROM t WHERE a AND b;\n";
    proposes(
        "lift",
        "sql",
        text,
        "CREATE TABLE t(a, b CHECK (1));\nSELECT * FROM t WHERE a AND b;\n",
    );
    proposes(
        "lift",
        "sql",
        text,
        "CREATE TABLE t(a, b CHECK (b BETWEEN 1 AND 2));\nSELECT * FROM t WHERE b;\n",
    );
    let text = "CREATE TABLE t(a, b DEFAULT 0);\nINSERT INTO t VALUES (1, 2);\n";
    proposes("columns", "sql", text, "CREATE TABLE t(a);\nINSERT INTO t VALUES (1);\n");
    // The key is an element of the list, but no column.
    let text = "CREATE TABLE t(a, b, PRIMARY KEY (a));\nINSERT INTO t VALUES (1, 2);\n";
    let fewer = "CREATE TABLE t(a, PRIMARY KEY (a));\nINSERT INTO t VALUES (1);\n";
    proposes("columns", "sql", text, fewer);
}

/// One of each kind, of SQLite first, then of MySQL, PostgreSQL and DuckDB.
#[rustfmt::skip]
const STATEMENTS: &[&str] = &[
    r#"CREATE TABLE t1(a,b,c);"#,
    r#"CREATE TABLE t2(a INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'x', c REAL CHECK (c BETWEEN 1 AND 5), d BLOB UNIQUE);"#,
    r#"CREATE TABLE t3(a INT, b TEXT COLLATE NOCASE, PRIMARY KEY(a,b)) WITHOUT ROWID;"#,
    r#"CREATE TABLE t4(a int references t2(a) on delete cascade, b generated always as (a+1) stored) strict;"#,
    r#"CREATE TABLE IF NOT EXISTS "t 5"([x] INTEGER, `y` VARCHAR(10));"#,
    r#"CREATE TEMP TABLE t6 AS SELECT 1 AS x, 'a' AS y;"#,
    r#"CREATE UNIQUE INDEX i1 ON t1(a DESC, b) WHERE c IS NOT NULL;"#,
    r#"CREATE INDEX i2 ON t1(lower(b), a+1);"#,
    r#"CREATE VIEW v1 AS SELECT a, count(*) AS n FROM t1 GROUP BY a HAVING n > 1 ORDER BY n DESC LIMIT 5 OFFSET 2;"#,
    r#"CREATE TRIGGER tr1 AFTER INSERT ON t1 BEGIN UPDATE t2 SET b = new.b WHERE a = new.a; INSERT INTO t3 VALUES(new.a, 'q'); END;"#,
    r#"CREATE TRIGGER tr2 BEFORE UPDATE OF a ON t1 FOR EACH ROW WHEN new.a > 0 BEGIN SELECT raise(ABORT, 'x'); END;"#,
    r#"CREATE VIRTUAL TABLE ft USING fts5(title, body, tokenize='porter');"#,
    r#"INSERT INTO t1 VALUES(1,2,3),(4,NULL,x'00ff'),(-1.5e3,'it''s',CURRENT_TIMESTAMP);"#,
    r#"INSERT OR REPLACE INTO t2(a,b) SELECT a, b FROM t1 WHERE a IN (1,2,3) AND b NOT LIKE '%x%';"#,
    r#"INSERT INTO t2(a) VALUES(1) ON CONFLICT(a) DO UPDATE SET b = excluded.b;"#,
    r#"REPLACE INTO t1 VALUES(1,2,3);"#,
    r#"UPDATE t1 SET a = CASE WHEN b > 1 THEN 2 ELSE 3 END, b = b || 'x' WHERE c BETWEEN 1 AND 2;"#,
    r#"UPDATE t1 SET a = CASE b WHEN 1 THEN 'a' END FROM t2 WHERE t2.a = t1.a;"#,
    r#"DELETE FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a) RETURNING a;"#,
    r#"SELECT DISTINCT t1.a, x.* FROM t1 LEFT OUTER JOIN t2 AS x ON t1.a = x.a NATURAL JOIN t3 CROSS JOIN v1 USING (a);"#,
    r#"SELECT a, row_number() OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t1 WINDOW w AS (ORDER BY a);"#,
    r#"SELECT sum(a) FILTER (WHERE a > 1) OVER w FROM t1 WINDOW w AS (PARTITION BY b);"#,
    r#"WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n < 10), d AS (SELECT 2) SELECT * FROM c, d;"#,
    r#"SELECT * FROM (VALUES (1,2),(3,4)) AS v(a,b);"#,
    r#"SELECT a FROM t1 UNION SELECT b FROM t2 EXCEPT SELECT 1 INTERSECT SELECT 2 ORDER BY 1;"#,
    r#"SELECT CAST(a AS TEXT), a IS NOT b, a GLOB 'x*', NOT a, ~a, +a, a << 2, a % 3, a <> b, a == b, a ISNULL, a NOTNULL FROM t1;"#,
    r#"SELECT json_extract(a, '$.x'), a->'x', a->>'y', a COLLATE NOCASE FROM t1 INDEXED BY i1;"#,
    r#"SELECT * FROM t1 WHERE (a, b) = (1, 2) AND (a,b) IN (SELECT 1,2);"#,
    r#"SELECT ?1, :name, @v, $x;"#,
    r#"SELECT max(a, b), coalesce(a, 0), iif(a, b, c), printf('%d', a);"#,
    r#"ALTER TABLE t1 ADD COLUMN d INTEGER DEFAULT 0;"#,
    r#"ALTER TABLE t1 RENAME TO t9;"#,
    r#"ALTER TABLE t1 RENAME COLUMN a TO z;"#,
    r#"ALTER TABLE t1 DROP COLUMN c;"#,
    r#"DROP TABLE IF EXISTS t1;"#,
    r#"DROP INDEX i1;"#,
    r#"PRAGMA foreign_keys = ON;"#,
    r#"PRAGMA table_info(t1);"#,
    r#"BEGIN TRANSACTION;"#,
    r#"SAVEPOINT s1;"#,
    r#"RELEASE s1;"#,
    r#"ROLLBACK TO s1;"#,
    r#"COMMIT;"#,
    r#"ATTACH DATABASE ':memory:' AS aux;"#,
    r#"ANALYZE;"#,
    r#"REINDEX t1;"#,
    r#"VACUUM;"#,
    r#"EXPLAIN QUERY PLAN SELECT * FROM t1;"#,
    r#"SELECT group_concat(DISTINCT a), total(b), count(*) FROM t1 GROUP BY 1, 2;"#,
    r#"SELECT * FROM generate_series(1, 10, 2);"#,
    r#"SELECT 1 WHERE NULL IS NULL LIMIT -1;"#,
    r#"SELECT a FROM t1 ORDER BY a COLLATE NOCASE DESC NULLS LAST, b;"#,
    r#"CREATE TABLE m1 (id INT UNSIGNED NOT NULL AUTO_INCREMENT, name VARCHAR(255) CHARACTER SET utf8mb4, ts TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (id), KEY k (name(10))) ENGINE=InnoDB DEFAULT CHARSET=utf8;"#,
    r#"INSERT IGNORE INTO m1 SET name = 'x';"#,
    r#"SELECT * FROM m1 PARTITION (p0) FORCE INDEX (k) WHERE a REGEXP 'x' AND b <=> NULL AND c XOR d FOR UPDATE;"#,
    r#"SET @x = 5, SESSION sql_mode = 'ANSI';"#,
    r#"CREATE PROCEDURE p() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 5 DO SET i = i + 1; END WHILE; END;"#,
    r#"CREATE TABLE p1 (id serial PRIMARY KEY, tags text[], data jsonb, r int4range, CONSTRAINT c CHECK (id > 0)) PARTITION BY RANGE (id);"#,
    r#"SELECT DISTINCT ON (a) a, b::text, ARRAY[1,2,3], '{"a":1}'::jsonb #> '{a}', a[1:2] FROM p1 TABLESAMPLE SYSTEM (10);"#,
    r#"CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS $$ SELECT a + 1 $$;"#,
    r#"SELECT * FROM p1, LATERAL (SELECT 1) l WHERE a ILIKE ANY (ARRAY['x']) GROUP BY GROUPING SETS ((a), (b), ()) ;"#,
    r#"MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN MATCHED THEN UPDATE SET b = 1 WHEN NOT MATCHED THEN INSERT VALUES (1,2,3);"#,
    r#"SELECT a EXCLUDE (b) FROM t1 QUALIFY row_number() OVER () = 1;"#,
    r#"SELECT [1,2,3] AS l, {'a': 1} AS s, x -> x + 1;"#,
    r#"COPY t1 FROM 'x.csv' (HEADER);"#,
    r#"CREATE TYPE mood AS ENUM ('a','b');"#,
    r#"SELECT struct_pack(a := 1), list_transform([1], lambda x: x);"#,
    r#"PIVOT t1 ON a USING sum(b);"#,
    r#"CREATE TABLE t(a DATE, b CHARACTER VARYING(10), c INTERVAL, d TIMESTAMP WITH TIME ZONE, e DOUBLE PRECISION, f ENUM('a','b'), g DECIMAL(10,2));"#,
    r#"SELECT LEFT(a, 1), DATE(b), REPLACE(c, 'x', 'y'), IF(a, b, c), DATE '2020-01-01', 'it\'s', a LIKE 'x\%' ESCAPE '\' FROM a LEFT JOIN b ON a.x = b.x SEMI JOIN c;"#,
    r#"INSERT INTO t(a) VALUES (1) ON DUPLICATE KEY UPDATE a = 2;"#,
    r#"CREATE OR REPLACE FUNCTION f() RETURNS trigger AS $body$ BEGIN NEW.a := 1; RETURN NEW; END; $body$ LANGUAGE plpgsql;"#,
    r#"SELECT (a).b, x[1], m['k'], count(*) OVER w, sum(a) WITHIN GROUP (ORDER BY b) FROM t FETCH FIRST 5 ROWS ONLY;"#,
    r#"START TRANSACTION ISOLATION LEVEL SERIALIZABLE;"#,
    r#"GRANT SELECT ON t TO u;"#,
    r#"LOCK TABLES t WRITE;"#,
    r#"DROP TABLE IF EXISTS `a`;"#,
    r#"CREATE TABLE `a` ( `id` int(11) NOT NULL AUTO_INCREMENT, `name` varchar(255) COLLATE utf8_unicode_ci DEFAULT NULL, `at` datetime(6) DEFAULT CURRENT_TIMESTAMP(6), `j` json DEFAULT NULL, PRIMARY KEY (`id`), UNIQUE KEY `n` (`name`), KEY `x` (`at`) USING BTREE, CONSTRAINT `fk` FOREIGN KEY (`id`) REFERENCES `b` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8 COLLATE=utf8_unicode_ci;"#,
    r#"LOCK TABLES `a` WRITE;"#,
    r#"INSERT INTO `a` VALUES (1,'it\'s','2020-01-01 00:00:00',NULL),(2,'b',NOW(),'{\"x\": 1}');"#,
    r#"UNLOCK TABLES;"#,
    r#"SELECT /*+ NO_INDEX_MERGE(a) */ SQL_NO_CACHE a.`id`, IF(name LIKE 'x%', 1, 0) AS f FROM a STRAIGHT_JOIN b ON a.id <=> b.id WHERE NOT (a.id BETWEEN 1 AND 5) GROUP BY 1 WITH ROLLUP;"#,
    r#"SELECT GROUP_CONCAT(DISTINCT name ORDER BY id DESC SEPARATOR ',') FROM a;"#,
    r#"INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a);"#,
    r#"SET NAMES utf8;"#,
    r#"DELETE a FROM a JOIN b USING (id) WHERE b.x;"#,
    r#"UPDATE a, b SET a.x = b.x WHERE a.id = b.id;"#,
    r#"CREATE TABLE a LIKE b;"#,
    r#"CREATE TABLE p (id int) PARTITION BY RANGE COLUMNS (id) (PARTITION p0 VALUES LESS THAN (5));"#,
    "\\echo psql\nSELECT $1, @@x, a @> b FROM t;",
    "SELECT 1;\n.mode csv\n.headers on\nSELECT 1;\n.quit\n",
];
