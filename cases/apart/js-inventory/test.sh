#!/bin/bash
# Interesting: an item that is gone from the stock is used.
timeout 5 node input.js 2>&1 | grep -q "^TypeError: Cannot read properties of undefined (reading 'item')"
