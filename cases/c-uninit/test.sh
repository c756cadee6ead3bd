#!/bin/bash
# Interesting: gcc warns that something may be used uninitialized.
timeout 5 gcc -O2 -Wall -c input.c -o input.o 2>&1 | grep -q "may be used uninitialized"
