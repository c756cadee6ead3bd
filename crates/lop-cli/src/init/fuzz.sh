#!/bin/sh
# Interesting: the fuzz target fails on @FILE@ with this message, such as the first line of a stack trace or the summary of a sanitizer.
#
# Against slippage: the line with the function in which it fails is better than the kind of the error, which other bugs have, too.
# `lop tmin @FILE@ -- TARGET {}` is another way for targets that decode their bytes as choices.
timeout @SECONDS@ @COMMAND@ >out.txt 2>&1 && exit 1
grep -qF -- @MESSAGE@ out.txt
