#!/bin/bash
# Interesting: a StopIteration escapes from a generator.
timeout 5 python3 input.py 2>&1 | grep -q "^RuntimeError: generator raised StopIteration"
