#!/bin/sh
# Interesting: the command prints this message. lop runs this test in a directory of its own, in which the candidate is called @FILE@.
#
# Against slippage (another failure than the one you are after): make the message as long and as particular as possible. What a crash prints first,
# a file name with a line number or the name of a function is better than "error" or "failed".
timeout @SECONDS@ @COMMAND@ >out.txt 2>&1
grep -qF -- @MESSAGE@ out.txt
