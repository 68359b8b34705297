//! The documents (README.md, ARCHITECTURE.md, docs/ and the other Markdown files) against the program and each other.
//!
//! A table that follows from the program is between two comments: `<!-- knobs: begin -->` and `<!-- knobs: end -->`.
//! `UPDATE_DOCUMENTS=1 cargo test --test documents` rewrites all of these.

mod blocks;
mod commands;
mod formats;
mod limits;
mod links;
mod markdown;
mod tables;
