#!/bin/bash
# Interesting: a class is derived from one that its module, in a cycle of modules, has not defined yet.
timeout 5 node input.js 2>&1 | grep -q "^TypeError: Class extends value undefined is not a constructor or null"
