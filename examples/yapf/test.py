#!/usr/bin/env python3
"""Interesting: black formats the program without a style error, and yapf, applied to black's output, adds one."""

import subprocess
import sys


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True)


black = run(["black", "-q", "-"], open(sys.argv[1]).read())
if black.returncode or not black.stdout:
    sys.exit("black rejects the program")
# Ignored: E501, long lines, which formatters can hardly avoid; E741 and E731, which concern content, not layout.
style = ["pycodestyle", "--ignore=E501,E741,E731,W503,W504,E203", "-"]
if run(style, black.stdout).stdout:
    sys.exit("black makes a style error")
yapf = run(["yapf"], black.stdout)
if yapf.returncode:
    sys.exit("yapf rejects the program")
errors = run(style, yapf.stdout).stdout
print(errors)
sys.exit(0 if errors else 1)
