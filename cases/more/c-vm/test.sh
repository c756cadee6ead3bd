#!/bin/bash
# Interesting: the undefined behaviour sanitizer reports an index out of the bounds of the frames.
timeout 5 gcc -w -O0 -fsanitize=bounds input.c -o a.out >/dev/null 2>&1 || exit 1
timeout 5 ./a.out 2>&1 | grep -q "runtime error: index 6 out of bounds for type 'uint16_t \[6\]'"
