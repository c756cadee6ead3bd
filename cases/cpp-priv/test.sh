#!/bin/bash
# Interesting: something private is used from outside.
timeout 5 g++ -std=c++17 -fsyntax-only input.cpp 2>&1 | grep -q "is private within this context"
