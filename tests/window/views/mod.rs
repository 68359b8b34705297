//! The views, and pictures of each.

mod compare;
mod explore;
mod loops;
mod references;
