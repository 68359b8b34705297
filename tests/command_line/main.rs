//! The program as others meet it: `run`, `compare` and `list`, their output, their exit status, their complaints.

mod any_line;
mod bad_input;
mod compare;
mod corpus;
mod lab;
mod list;
mod loops;
mod outputs;
mod rhythm;
mod run;
mod trace;
