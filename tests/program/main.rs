//! Tests of the whole program. They are one program, because each further one would be linked with all libraries.

mod command_line;
mod csharp;
mod documents;
mod horde;
mod structure;
#[cfg(target_os = "linux")]
mod window;
