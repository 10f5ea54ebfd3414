//! See docs/fuzzing.md.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| torchgen_rs::fuzzing::run(data));
