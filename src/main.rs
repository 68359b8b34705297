//! The entry point of `timeslice-lab`, both as a desktop program and as a page in a browser.

#![forbid(unsafe_code)]

#[cfg(not(target_family = "wasm"))]
mod terminal;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    terminal::main()
}

#[cfg(target_family = "wasm")]
fn main() {
    timeslice_lab::app::open_page();
}
