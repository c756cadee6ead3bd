#!/bin/bash
# Interesting: the total in the last row of the table is not a number.
timeout 5 node input.js 2>/dev/null | grep -q "^TOTAL  *NaN$"
