//! The structure of the source tree: layers inside a package, length of files, docs of modules, and names of tests.
//! The compiler checks the layers between packages.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose subfolders are layers, the path of their module, and the layers, lowest first. Each layer may use the
/// ones before it.
const LAYERS: [(&str, &str, &[&str]); 2] = [
    (
        "headless/src",
        "crate::",
        &["text", "sim", "stats", "experiment", "history", "io"],
    ),
    (
        "src/app",
        "crate::app::",
        &[
            "platform", "widgets", "capsules", "charts", "state", "input", "panels", "views",
            "tests",
        ],
    ),
];

/// The folders with Rust code.
const RUST_FOLDERS: [&str; 6] = ["src", "headless", "timeslicer", "tests", "benches", "fuzz"];

const LONGEST_TEST_NAME: usize = 59;
const MOST_LINES: usize = 700;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all Rust files in `top` and in the folders below it, except generated ones, and their text.
fn rust_files(top: &str) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut open = vec![root().join(top)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files
}

/// Returns true if a line of code contains `path`, and not as the start or the end of a longer name.
fn uses(text: &str, path: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut found = code.flat_map(|line| {
        line.match_indices(path)
            .map(move |(at, _)| (&line[..at], &line[at + path.len()..]))
    });
    found.any(|(before, after)| !before.ends_with(is_name) && !after.starts_with(is_name))
}

#[test]
fn a_part_of_a_longer_name_is_not_a_use() {
    assert!(uses("use crate::io::url;", "crate::io"));
    for other in ["use crate::iota;", "use my_crate::io;", "// crate::io"] {
        assert!(!uses(other, "crate::io"), "{other}");
    }
}

#[test]
fn no_layer_uses_one_above_it() {
    for (top, module, layers) in LAYERS {
        for (own, layer) in layers.iter().enumerate() {
            for (file, text) in rust_files(&format!("{top}/{layer}")) {
                for above in &layers[own + 1..] {
                    let path = format!("{module}{above}");
                    assert!(!uses(&text, &path), "{} uses {path}", file.display());
                }
            }
        }
    }
}

#[test]
fn every_folder_is_a_layer() {
    for (top, _, layers) in LAYERS {
        for entry in fs::read_dir(root().join(top)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let is_known = !entry.file_type().unwrap().is_dir() || layers.contains(&&*name);
            assert!(is_known, "{top}/{name}");
        }
    }
}

#[test]
fn files_are_short() {
    let generated = Path::new("timeslicer/tests/documents/snippets_run/generated.rs");
    for (file, text) in RUST_FOLDERS.iter().flat_map(|top| rust_files(top)) {
        let lines = text.lines().count();
        assert!(
            lines <= MOST_LINES || file.ends_with(generated),
            "{} has {lines} lines",
            file.display()
        );
    }
}

#[test]
fn every_module_opens_with_a_doc() {
    let folders = ["src", "headless/src", "timeslicer/src"];
    for (file, text) in folders.iter().flat_map(|top| rust_files(top)) {
        assert!(text.starts_with("//! "), "{}", file.display());
    }
}

/// Returns the names of the tests in a file.
fn test_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut lines = text.lines().map(str::trim_start);
    while lines.any(|line| line.starts_with("#[test]")) {
        // There may be other attributes before the function.
        let function = lines.find_map(|line| line.strip_prefix("fn "));
        names.extend(function.and_then(|name| name.split('(').next()));
    }
    names
}

#[test]
fn tests_have_short_names() {
    let mut count = 0;
    for (file, text) in RUST_FOLDERS.iter().flat_map(|top| rust_files(top)) {
        for name in test_names(&text) {
            count += 1;
            assert!(
                name.len() <= LONGEST_TEST_NAME,
                "{}: {name} has {} characters",
                file.display(),
                name.len()
            );
        }
    }
    assert!(count > 500, "only {count} tests found");
}
