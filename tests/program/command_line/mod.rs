//! Tests that run `run`, `compare`, `sweep` and `list`, and check their output, exit status and errors.

mod any_line;
mod errors;
pub(crate) mod lab;
mod list;
mod run;
mod streams;
mod sweep;
