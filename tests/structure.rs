//! The structure of the source tree: layers, sizes of files and folders, docs of modules, and names of tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the lab's `src`, lowest first. Each may use the ones before it.
const LAYERS: &[&str] = &["text", "sim", "stats", "experiment", "history", "io", "app"];

/// The folders of `src/app`, lowest first.
const APP_LAYERS: &[&str] = &[
    "platform", "widgets", "capsules", "charts", "state", "input", "panels", "views",
];

/// The folders with Rust code.
const RUST_FOLDERS: [&str; 5] = ["src", "timeslice", "tests", "benches", "fuzz"];

const LONGEST_TEST_NAME: usize = 59;
const MOST_LINES: usize = 450;
const MOST_FILES_IN_A_FOLDER: usize = 16;
const MOST_LOOSE_FILES_IN_SRC: usize = 4;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder and the files directly in it.
struct Folder {
    path: PathBuf,
    files: Vec<PathBuf>,
}

/// Returns `top` and all folders below it, except generated ones.
fn folders(top: &Path) -> Vec<Folder> {
    let mut all = Vec::new();
    let mut open = vec![top.to_owned()];
    while let Some(path) = open.pop() {
        let entries =
            fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut files = Vec::new();
        for entry in entries.map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            let is_generated =
                name.starts_with('.') || ["target", "dist", "node_modules"].contains(&&*name);
            if is_generated {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
        all.push(Folder { path, files });
    }
    all
}

fn repository() -> Vec<Folder> {
    let tops = [
        "src",
        "timeslice",
        "tests",
        "benches",
        "fuzz",
        "web",
        "screenshots",
        "assets",
    ];
    let tops = tops.map(|top| folders(&root().join(top)));
    tops.into_iter().flatten().collect()
}

fn rust_files(top: &str) -> Vec<PathBuf> {
    let all = folders(&root().join(top))
        .into_iter()
        .flat_map(|folder| folder.files);
    all.filter(|file| file.extension().is_some_and(|it| it == "rs"))
        .collect()
}

/// Returns the module path of a file: `["app", "charts"]` for `src/app/charts/mod.rs`.
fn module_of(file: &Path) -> Vec<String> {
    let below = file
        .strip_prefix(root().join("src"))
        .unwrap()
        .with_extension("");
    let mut module: Vec<String> = below
        .iter()
        .map(|part| part.to_str().unwrap().to_owned())
        .collect();
    module.pop_if(|last| last == "mod");
    module
}

/// Returns the module paths in a file that begin with `crate` or `super`, resolved from the crate's root. Lines of
/// comments are skipped.
fn modules_used_by(file: &Path) -> Vec<Vec<String>> {
    let module = module_of(file);
    let text = fs::read_to_string(file).unwrap();
    let mut used = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        for (at, _) in line
            .match_indices("crate::")
            .chain(line.match_indices("super::"))
        {
            let is_in_a_longer_word =
                line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            if is_in_a_longer_word {
                continue;
            }
            // An indented `use super` is in an inline module, usually `tests`.
            let mut base = module.clone();
            if line.starts_with([' ', '\t']) && line.trim_start().starts_with("use super") {
                base.push("tests".to_owned());
            }
            let mut parts = line[at..]
                .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
                .next()
                .unwrap_or_default()
                .split("::")
                .peekable();
            while let Some(part) = parts.next_if(|part| ["crate", "super"].contains(part)) {
                if part == "crate" {
                    base.clear();
                } else {
                    base.pop();
                }
            }
            base.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
            used.push(base);
        }
    }
    used
}

/// Lists where a file in folder `below` uses a higher layer than its own.
fn upward_uses(below: &[&str], layers: &[&str]) -> Vec<String> {
    let floor = |module: &[String]| {
        let inside = module.iter().zip(below).all(|(part, outer)| part == outer);
        let name = module.get(below.len()).filter(|_| inside)?;
        layers.iter().position(|layer| layer == name)
    };
    let top = ["src"]
        .iter()
        .chain(below)
        .copied()
        .collect::<Vec<_>>()
        .join("/");
    let mut up = Vec::new();
    for file in rust_files(&top) {
        let Some(own) = floor(&module_of(&file)) else {
            continue;
        };
        for used in modules_used_by(&file) {
            if floor(&used).is_some_and(|it| it > own) {
                up.push(format!("{} uses {}", file.display(), used.join("::")));
            }
        }
    }
    up
}

#[test]
fn no_layer_uses_one_above_it() {
    assert_eq!(upward_uses(&[], LAYERS), Vec::<String>::new());
}

#[test]
fn no_part_of_the_window_uses_one_above_it() {
    assert_eq!(upward_uses(&["app"], APP_LAYERS), Vec::<String>::new());
}

#[test]
fn every_folder_of_src_is_a_layer() {
    for (top, layers) in [("src", LAYERS), ("src/app", APP_LAYERS)] {
        let mut names: Vec<String> = fs::read_dir(root().join(top))
            .unwrap()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().unwrap().is_dir())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        let mut listed = layers.to_vec();
        names.sort_unstable();
        listed.sort_unstable();
        assert_eq!(names, listed, "{top}");
    }
}

#[test]
fn only_the_window_uses_macroquad_and_egui() {
    for file in rust_files("src") {
        let in_the_window = module_of(&file).first().is_some_and(|it| it == "app");
        let text = fs::read_to_string(&file).unwrap();
        for library in ["macroquad::", "egui::"] {
            assert!(
                in_the_window || !text.contains(library),
                "{} uses {library}",
                file.display()
            );
        }
    }
}

#[test]
fn files_are_short() {
    let files = RUST_FOLDERS.iter().flat_map(|top| rust_files(top));
    let generated = "timeslice/tests/snippets/generated.rs";
    for file in files.filter(|file| !file.ends_with(generated)) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", file.display());
    }
}

#[test]
fn folders_are_small() {
    for Folder { path, files } in repository() {
        let most = if path == root().join("src") {
            MOST_LOOSE_FILES_IN_SRC
        } else {
            MOST_FILES_IN_A_FOLDER
        };
        assert!(
            files.len() <= most,
            "{} has {} files",
            path.display(),
            files.len()
        );
    }
}

#[test]
fn every_module_opens_with_a_doc() {
    for file in ["src", "timeslice/src"]
        .iter()
        .flat_map(|top| rust_files(top))
    {
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.starts_with("//! "),
            "{} opens without a doc",
            file.display()
        );
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
    for file in RUST_FOLDERS.iter().flat_map(|top| rust_files(top)) {
        let text = fs::read_to_string(&file).unwrap();
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
