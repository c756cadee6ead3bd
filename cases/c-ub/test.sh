#!/bin/bash
# Interesting: the address sanitizer reports a use after free.
timeout 5 gcc -w -g -O0 -fsanitize=address input.c -o a.out >/dev/null 2>&1 || exit 1
timeout 5 ./a.out 2>&1 | grep -q "heap-use-after-free"
