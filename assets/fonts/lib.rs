//! The fonts of the interface.
//!
//! This crate replaces egui's `epaint_default_fonts`, because the original fonts would increase the download size of
//! the web page by half. The font Noto Emoji is left out, and the remaining fonts contain only letters and common
//! symbols. The script `subset.sh` creates the font files.

/// The typeface for numbers and code.
pub const HACK_REGULAR: &[u8] = include_bytes!("Hack-Regular.ttf");

/// The typeface for text.
pub const UBUNTU_LIGHT: &[u8] = include_bytes!("Ubuntu-Light.ttf");

/// The font for symbols.
pub const EMOJI_ICON: &[u8] = include_bytes!("emoji-icon-font.ttf");

/// The same font as [`EMOJI_ICON`], because egui also requires a font with this name.
pub const NOTO_EMOJI_REGULAR: &[u8] = EMOJI_ICON;
