#!/bin/bash
# Interesting: a frozen string is modified.
timeout 5 ruby --disable-gems input.rb 2>&1 | grep -q "can't modify frozen String"
