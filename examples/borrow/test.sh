#!/bin/sh
# Interesting: rustc rejects the candidate for moving out of something that is borrowed.
rustc --edition 2021 --crate-type lib --emit metadata -A warnings bank.rs 2>&1 | grep -q 'E0505'
