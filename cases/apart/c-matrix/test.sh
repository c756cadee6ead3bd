#!/bin/bash
# Interesting: the address sanitizer reports that a double is read behind the end of a heap block.
timeout 5 gcc -w -g -fsanitize=address input.c -o a.out >/dev/null 2>&1 || exit 1
ASAN_OPTIONS=detect_leaks=0 timeout 5 ./a.out >out.txt 2>&1
grep -q "AddressSanitizer: heap-buffer-overflow" out.txt && grep -q "^READ of size 8" out.txt
