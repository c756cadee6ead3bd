#!/bin/sh
# Interesting: Python compiles the program, and google-pasta 0.2.0 raises its error about a slash.
here=$(dirname "$0")
"$here/../../target/examples/pasta/bin/python" "$here/parse.py" inventory.py
