#!/bin/bash
# Interesting: a trigger makes an account insolvent.
timeout 5 python3 -S -c '
import sqlite3
try: sqlite3.connect(":memory:").executescript(open("input.sql").read())
except sqlite3.IntegrityError as e:
    raise SystemExit("CHECK constraint failed: solvent" not in str(e))
raise SystemExit(1)' 2>/dev/null
