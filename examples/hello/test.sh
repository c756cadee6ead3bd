#!/bin/sh
# Interesting: it can be built, and prints the message and nothing else, to the last line end.
cc -w -o hello helloworld.c 2>/dev/null && ./hello > said && echo 'Hello world!' | cmp -s - said
