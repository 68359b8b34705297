//! What the program asks of what it runs on, beyond a window and its input: this computer, or a page in a browser. Both
//! offer the same; nothing else in the program has to know which of them it is, but for the words of a sentence.

#[cfg(target_family = "wasm")]
mod imports;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod page;

#[cfg(not(target_family = "wasm"))]
pub use native::*;
#[cfg(target_family = "wasm")]
pub use page::*;

/// Whether the program is a page in a browser: it takes some keys for itself, and shows pictures when it likes.
pub const IS_PAGE: bool = cfg!(target_family = "wasm");
