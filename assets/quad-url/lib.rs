//! A replacement for the `quad-url` crate, which opens links. The interface has no links, so the function does nothing.
//!
//! The original crate would add 56 dependencies (counting all platforms), and the web page would have to load two more
//! scripts.

/// Does nothing, because the interface has no links.
pub fn link_open(_url: &str, _new_tab: bool) {}
