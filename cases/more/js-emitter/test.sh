#!/bin/bash
# Interesting: the events of the two models cause each other without end.
timeout 5 node --stack-size=300 input.js 2>&1 | grep -q "^RangeError: Maximum call stack size exceeded"
