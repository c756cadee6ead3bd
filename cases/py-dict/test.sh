#!/bin/bash
# Interesting: a dictionary changes while it is iterated over.
timeout 5 python3 -S input.py 2>&1 | grep -q "^RuntimeError: dictionary changed size during iteration"
