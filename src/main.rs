//! The `timeslice-lab` program: a command line and a window on a computer, or a page in a browser.

#![forbid(unsafe_code)]

#[cfg(not(all(target_family = "wasm", feature = "window")))]
mod terminal;

#[cfg(not(all(target_family = "wasm", feature = "window")))]
fn main() -> std::process::ExitCode {
    terminal::main()
}

#[cfg(all(target_family = "wasm", feature = "window"))]
fn main() {
    timeslice_lab::app::open_page();
}
