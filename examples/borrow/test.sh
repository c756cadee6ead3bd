#!/bin/sh
# Interesting: rustc rejects the candidate because it moves a borrowed value (E0505).
rustc --edition 2021 --crate-type lib --emit metadata -A warnings bank.rs 2>&1 | grep -q 'E0505'
