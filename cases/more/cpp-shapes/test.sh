#!/bin/bash
# Interesting: a pure virtual function is called while an object is destroyed.
timeout 5 g++ -w -std=c++17 input.cpp -o a.out >/dev/null 2>&1 || exit 1
timeout 5 ./a.out 2>&1 | grep -q "^pure virtual method called"
