//! Drives many lanes side by side on simulated machines: one for each strategy ([`strategies`]), or each frame loop on a
//! fast and a slow machine ([`loops`]).

mod driver;
pub mod loops;
pub mod strategies;
