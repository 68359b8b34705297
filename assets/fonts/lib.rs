//! The fonts of the interface.
//!
//! This crate takes the place of egui's `epaint_default_fonts`, whose fonts would make the page's download half as large
//! again. It has no Noto Emoji, and of the other fonts only letters and common signs: `subset.sh` makes them.

/// Typeface of figures and code.
pub const HACK_REGULAR: &[u8] = include_bytes!("Hack-Regular.ttf");

/// Typeface of text.
pub const UBUNTU_LIGHT: &[u8] = include_bytes!("Ubuntu-Light.ttf");

/// Symbols.
pub const EMOJI_ICON: &[u8] = include_bytes!("emoji-icon-font.ttf");

/// egui asks for a second font of symbols, by this name.
pub const NOTO_EMOJI_REGULAR: &[u8] = EMOJI_ICON;
