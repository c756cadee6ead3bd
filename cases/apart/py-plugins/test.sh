#!/bin/bash
# Interesting: a class is instantiated that lacks a method.
timeout 5 python3 input.py 2>&1 | grep -q "^TypeError: Can't instantiate abstract class PrettyHtmlExporter with abstract method row"
