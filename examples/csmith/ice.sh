#!/bin/sh
# Interesting: gcc 3.4.6 for the H8/300 (Debian: gcc-h8300-hms) reports its internal error in byte_reg, and no other error.
here=$(dirname "$(readlink -f "$0")")
h8300-hitachi-coff-gcc -w -O2 -I"$here/include" -I/usr/include/csmith -S "$1" -o out.s 2>log
grep -q 'internal compiler error: in byte_reg' log && ! grep 'error:' log | grep -qv 'internal compiler error'
