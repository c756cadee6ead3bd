#!/bin/bash
# Interesting: SQLite reports a misused aggregate.
timeout 5 python3 -S -c '
import sqlite3
try: sqlite3.connect(":memory:").executescript(open("input.sql").read())
except sqlite3.OperationalError as e:
    raise SystemExit("misuse of aggregate" not in str(e))
raise SystemExit(1)'
