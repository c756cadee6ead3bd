#!/usr/bin/env python3
"""Interesting: black formats the program without a style error, and yapf, given what black made of it, introduces one."""

import subprocess
import sys


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True)


black = run(["black", "-q", "-"], open(sys.argv[1]).read())
if black.returncode or not black.stdout:
    sys.exit("black does not take it")
# E501 is about long lines, which no formatter can do much about; E741 and E731 are about what is written, not how.
style = ["pycodestyle", "--ignore=E501,E741,E731,W503,W504,E203", "-"]
if run(style, black.stdout).stdout:
    sys.exit("black makes a style error")
yapf = run(["yapf"], black.stdout)
if yapf.returncode:
    sys.exit("yapf does not take it")
errors = run(style, yapf.stdout).stdout
print(errors)
sys.exit(0 if errors else 1)
