#!/bin/bash
# Interesting: athletes cannot be sorted, since some scores have no order.
timeout 5 ruby --disable-gems input.rb 2>&1 | grep -q "comparison of Array with Array failed (ArgumentError)"
