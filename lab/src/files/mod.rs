//! Files that the program reads and writes: measured costs and frame times, exports and recordings.

pub mod export;
// The web page cannot record, so it need not download the encoder.
#[cfg(not(target_family = "wasm"))]
pub mod gif;
pub mod measured;
pub mod output;
