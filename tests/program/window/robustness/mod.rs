//! Window sizes, display scales, closing, the title, and random input.

mod closing;
mod monkey;
mod sizes;
mod title;
