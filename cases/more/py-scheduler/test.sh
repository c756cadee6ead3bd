#!/bin/bash
# Interesting: the heap compares two tasks, which have no order.
timeout 5 python3 input.py 2>&1 | grep -q "^TypeError: '<' not supported between instances of 'Task' and 'Task'"
