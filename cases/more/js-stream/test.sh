#!/bin/bash
# Interesting: nobody handles the rejection of a promise, and its reason is not an error.
timeout 5 node input.js 2>&1 | grep -q 'The promise rejected with the reason "#<Object>"'
