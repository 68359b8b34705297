//! The views, and how each of them looks.

mod compare;
mod explore;
mod loops;
mod references;
