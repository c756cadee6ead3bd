#!/bin/sh
# Interesting: the validator covers at least the lines that it covers for the original. The first run records these.
here=$(dirname "$0") place=$(dirname "$0")/../../target/examples/coverage
exec "$here/../../scripts/covers" "$place/lines.json" -- "$place/bin/python" "$here/coverage_of.py" catalog.xml
