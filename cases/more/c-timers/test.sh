#!/bin/bash
# Interesting: the program prints something else with -O2 than with -O0 (and that is not for lack of an initialization).
timeout 5 gcc -w -O0 input.c -o a0.out >/dev/null 2>&1 || exit 1
timeout 5 gcc -O2 -Wall -Werror=uninitialized -Werror=maybe-uninitialized -Werror=return-type -Werror=implicit input.c -o a2.out >/dev/null 2>&1 || exit 1
timeout 5 ./a0.out >o0.txt 2>&1 || exit 1
timeout 5 ./a2.out >o2.txt 2>&1 || exit 1
! cmp -s o0.txt o2.txt
