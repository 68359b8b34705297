//! The views, and reference pictures of each view.

mod code;
mod compare;
mod explore;
mod loops;
mod references;
