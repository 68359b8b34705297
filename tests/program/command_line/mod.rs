//! Runs `run`, `compare` and `list`, and checks their output, exit status and errors.

mod any_line;
mod bad_input;
mod compare;
mod corpus;
mod help;
mod lab;
mod list;
mod loops;
mod outputs;
mod rhythm;
mod run;
mod significance;
mod trace;
