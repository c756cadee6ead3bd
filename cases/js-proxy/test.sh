#!/bin/bash
# Interesting: a proxy's trap returns a key twice.
timeout 5 node input.js 2>&1 | grep -q "^TypeError: 'ownKeys' on proxy: trap returned duplicate entries"
