//! Checks the crate's README and the snippets of Rust that the strategies show.

mod readme;
mod snippets_are_current;
mod snippets_run;
