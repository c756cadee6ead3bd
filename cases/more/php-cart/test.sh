#!/bin/bash
# Interesting: a readonly property is modified.
timeout 5 php -n -d display_errors=1 input.php 2>&1 | grep -q "Uncaught Error: Cannot modify readonly property .*Money::\$cents"
