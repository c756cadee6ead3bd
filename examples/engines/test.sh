#!/bin/sh
# Interesting: both engines run the program to its end, and one of them prints numbers without commas.
here=$(dirname "$0")
NODE_PATH="$here/../../target/examples/engines/node_modules" exec node "$here/differ.js" report.js
