//! The only function that egui's bindings to the window need from the crate `quad-url`. They call it when a link is
//! clicked.
//!
//! This crate replaces the original, because the interface has no links. The original needs 56 more crates over all
//! platforms, and two more scripts on the page.

/// Does nothing, because the interface has no links.
pub fn link_open(_url: &str, _new_tab: bool) {}
