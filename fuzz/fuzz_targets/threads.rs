//! The `threads` target of `scrollback_testkit::fuzz` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| scrollback_testkit::fuzz::run("threads", bytes));
