#!/bin/sh
# Interesting: rustc rejects the candidate because it moves a borrowed value (E0505), and for no other reason.
errors=$(rustc --edition 2021 --crate-type lib --emit metadata -A warnings bank.rs 2>&1 |
    grep '^error' | grep -v '^error: aborting')
case $errors in
*"
"*) exit 1 ;;
'error[E0505]'*) exit 0 ;;
*) exit 1 ;;
esac
