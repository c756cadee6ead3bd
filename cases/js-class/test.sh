#!/bin/bash
# Interesting: a constructor uses `this` before it calls `super`.
timeout 5 node input.js 2>&1 | grep -q "^ReferenceError: Must call super constructor in derived class"
