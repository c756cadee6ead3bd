#!/bin/bash
# Interesting: Python crashes, since it reads a string from the address 1.
timeout 5 python3 -S input.py >/dev/null 2>&1
[ $? -eq 139 ]
