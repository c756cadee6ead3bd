#!/bin/bash
# Interesting: an actor that has stopped gets a message.
timeout 5 lua5.4 input.lua 2>&1 | grep -q "cannot resume dead coroutine"
