#!/bin/bash
# Interesting: an iteration diverges until a power overflows.
timeout 5 python3 -S input.py 2>&1 | grep -q "^OverflowError: (34, 'Numerical result out of range')"
