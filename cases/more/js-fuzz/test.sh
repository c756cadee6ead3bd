#!/bin/bash
# Interesting: an array whose buffer is detached is read with at().
timeout 5 node input.js 2>&1 | grep -q "^TypeError: Cannot perform %TypedArray%.prototype.at on a detached ArrayBuffer"
