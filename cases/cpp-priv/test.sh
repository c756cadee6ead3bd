#!/bin/bash
# Interesting: a private member is used outside of its class.
timeout 5 g++ -std=c++17 -fsyntax-only input.cpp 2>&1 | grep -q "is private within this context"
