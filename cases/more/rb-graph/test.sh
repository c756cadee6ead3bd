#!/bin/bash
# Interesting: a key is added to a hash while it is iterated over.
timeout 5 ruby --disable-gems input.rb 2>&1 | grep -q "can't add a new key into hash during iteration (RuntimeError)"
