#!/bin/bash
# Interesting: an empty array is reduced without an initial value.
timeout 5 node input.js 2>&1 | grep -q "TypeError: Reduce of empty array with no initial value"
