#!/bin/bash
# Interesting: gcc warns that a formatted string may be cut off.
timeout 5 gcc -O2 -Wall -c input.c -o input.o 2>&1 | grep -q "warning: .*directive output may be truncated writing up to 23 bytes into a region of size"
