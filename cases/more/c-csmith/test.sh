#!/bin/bash
# Interesting: the undefined behaviour sanitizer reports a shift by too many bits.
timeout 5 gcc -w -O0 -fsanitize=undefined input.c -o a.out >/dev/null 2>&1 || exit 1
timeout 5 ./a.out 2>&1 | grep -q "runtime error: shift exponent 35 is too large for 32-bit type"
