//! The program as others meet it: `run` and `list`, their output, their exit status, their complaints.

mod bad_input;
mod lab;
mod list;
mod loops;
mod outputs;
mod rhythm;
mod run;
