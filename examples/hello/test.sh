#!/bin/sh
# Interesting: the program compiles, and prints exactly the message, including the last line end.
cc -w -o hello helloworld.c 2>/dev/null && ./hello > said && echo 'Hello world!' | cmp -s - said
