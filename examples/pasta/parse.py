"""Exits with 0 if Python compiles a program and pasta fails on it in the way of the original."""

import sys

import pasta

text = open(sys.argv[1]).read()
compile(text, sys.argv[1], "exec")
try:
    pasta.parse(text)
except pasta.base.annotate.AnnotationError as error:
    sys.exit(0 if "Expected '/' but found ','" in str(error) else 1)
sys.exit(1)
