//! The views, and reference pictures of each view.

mod compare;
mod explore;
mod loops;
mod references;
