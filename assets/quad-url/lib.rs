//! The only function of the crate `quad-url` that egui's window integration needs. It is called when the user clicks a
//! link.
//!
//! This crate replaces the original, because the interface has no links. The original would add 56 dependencies
//! (counting all platforms) and two scripts on the web page.

/// Does nothing, because the interface has no links.
pub fn link_open(_url: &str, _new_tab: bool) {}
