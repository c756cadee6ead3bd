#!/bin/bash
# Interesting: the recursive function is not bound in its own body.
timeout 5 node input.js 2>&1 | grep -q "^Unbound: unbound variable gcd, known here: a b limit"
