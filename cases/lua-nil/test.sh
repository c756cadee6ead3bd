#!/bin/bash
# Interesting: arithmetic on a nil value.
timeout 5 lua5.4 input.lua 2>&1 | grep -q "attempt to perform arithmetic on a nil value (local 'a')"
