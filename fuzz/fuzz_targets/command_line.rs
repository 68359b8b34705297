//! Fuzz target that parses arbitrary bytes as a command line, with one argument per line.

#![no_main]

#[path = "../../tests/program/command_line/any_line.rs"]
mod any_line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_line::check(bytes));
