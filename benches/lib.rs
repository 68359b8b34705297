//! A package of benches, without a library. `README.md` lists them.
