//! The `timeslice-lab` program: on a computer its command line and its window, in a browser a page.

#![deny(unsafe_code)]

#[cfg(feature = "window")]
mod app;
#[cfg(not(all(target_family = "wasm", feature = "window")))]
mod terminal;

#[cfg(not(all(target_family = "wasm", feature = "window")))]
fn main() -> std::process::ExitCode {
    terminal::main()
}

#[cfg(all(target_family = "wasm", feature = "window"))]
fn main() {
    app::open_page();
}
