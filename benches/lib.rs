//! A package that contains only benches. `README.md` lists them.
