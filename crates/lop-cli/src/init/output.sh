#!/bin/sh
# Interesting: two programs, or two builds of one, print different things for @FILE@.
#
# Against slippage: a candidate that neither of them accepts prints nothing twice, and one whose behaviour is undefined may print anything.
# So both must succeed, and the guards below must have nothing to say.
@GUARDS@timeout @SECONDS@ @COMMAND@ >one.txt 2>/dev/null || exit 1
timeout @SECONDS@ @AGAINST@ >two.txt 2>/dev/null || exit 1
! cmp -s one.txt two.txt
