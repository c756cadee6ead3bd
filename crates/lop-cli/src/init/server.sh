#!/bin/sh
# Interesting: a server, or a browser without a window, prints this message when it gets @FILE@. Each run has a server of its own, which ends with the test.
#
# Against slippage: look for the assertion itself, not for "the connection was refused", which any failure to start says, too.
# Several tests run at the same time, so choose a port that is free: 0 lets most servers do so.
@COMMAND@ >log.txt 2>&1 &
server=$!
# Wait until it has read the candidate, at most @SECONDS@ seconds.
for _ in $(seq @SECONDS@); do
  grep -qF -- @MESSAGE@ log.txt && break
  kill -0 $server 2>/dev/null || break
  sleep 1
done
kill $server 2>/dev/null
grep -qF -- @MESSAGE@ log.txt
