#!/bin/sh
# Interesting: the command takes longer than @SECONDS@ seconds on @FILE@. 124 is what timeout says then.
#
# Against slippage: choose a time that is well above what a good run takes, and well below what the original takes.
timeout @SECONDS@ @COMMAND@ >/dev/null 2>&1
test $? -eq 124
