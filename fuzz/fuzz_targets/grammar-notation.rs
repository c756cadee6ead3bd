#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lop_fuzz::run("grammar-notation", bytes));
