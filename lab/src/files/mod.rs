//! Files that the program reads and writes: costs, exports and recordings.

pub mod costs;
pub mod export;
// The web page cannot record, so it need not download the encoder.
#[cfg(not(target_family = "wasm"))]
pub mod gif;
pub mod output;
