//! Checks the documents (README.md, ARCHITECTURE.md, docs/ and the other Markdown files) against the program and
//! against each other.
//!
//! Some tables are generated from the program. Each is between two comments, such as `<!-- knobs: begin -->` and `<!--
//! knobs: end -->`. `UPDATE_DOCUMENTS=1 cargo test --test program documents` rewrites all of these tables.

mod blocks;
mod commands;
mod links;
mod markdown;
mod tables;
