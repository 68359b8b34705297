//! The function of crate `quad-url` that egui's bindings to the window call when a link is clicked.
//!
//! This crate takes the place of `quad-url`, because the interface has no links. The original needs 56 more crates over all
//! platforms, and two more scripts on the page.

/// Does nothing.
pub fn link_open(_url: &str, _new_tab: bool) {}
