#!/bin/bash
# Interesting: an object whose member cannot be copied is copied.
timeout 5 g++ -std=c++17 -fsyntax-only input.cpp >out.txt 2>&1
grep -q "error: use of deleted function" out.txt && grep -q "is implicitly deleted because the default definition would be ill-formed" out.txt
