//! Tests of the whole program. They are a single test program, because every further one would have to be linked with
//! all libraries.

mod command_line;
mod csharp;
mod documents;
mod horde;
mod structure;
mod tools;
#[cfg(target_os = "linux")]
mod window;
