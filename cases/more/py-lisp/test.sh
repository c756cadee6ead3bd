#!/bin/bash
# Interesting: an iteration of the interpreted program never ends.
timeout 5 python3 -S input.py 2>&1 | grep -q "^RecursionError: maximum recursion depth exceeded"
