//! The fonts of the interface.
//!
//! This crate replaces egui's `epaint_default_fonts`, whose fonts would increase the download of the web page by half.
//! It leaves out Noto Emoji, and the other fonts contain only letters and common symbols. The script `subset.sh`
//! creates the font files.

/// The typeface for numbers and code.
pub const HACK_REGULAR: &[u8] = include_bytes!("Hack-Regular.ttf");

/// The typeface for text.
pub const UBUNTU_LIGHT: &[u8] = include_bytes!("Ubuntu-Light.ttf");

/// The font for symbols.
pub const EMOJI_ICON: &[u8] = include_bytes!("emoji-icon-font.ttf");

/// The font for symbols again, because egui also requires a font with this name.
pub const NOTO_EMOJI_REGULAR: &[u8] = EMOJI_ICON;
