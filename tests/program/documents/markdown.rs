//! Reads the repository's Markdown files: prose, code, links and headings.

use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Reads a file. The path is relative to the root.
#[track_caller]
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the paths of all Markdown files, relative to the root. Skips generated and hidden folders.
pub fn files() -> Vec<String> {
    const GENERATED: [&str; 3] = ["target", "dist", "node_modules"];
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() {
                if !name.starts_with('.') && !GENERATED.contains(&&*name) {
                    open.push(entry.path());
                }
            } else if Path::new(&name).extension().is_some_and(|it| it == "md") {
                let path = entry.path().strip_prefix(root()).unwrap().to_owned();
                found.push(path.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found
}

/// A line of a Markdown file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Text, a heading or a table row.
    Text(&'a str),
    /// A line of a fenced code block, and the block's language.
    Code(&'a str, &'a str),
}

/// Returns the lines of a Markdown text, without the lines that open or close a code block.
pub fn lines(markdown: &str) -> Vec<Line<'_>> {
    let mut language = None;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        match (line.trim_start().strip_prefix("```"), language) {
            (Some(_), Some(_)) => language = None,
            (Some(opened), None) => language = Some(opened.trim()),
            (None, Some(language)) => lines.push(Line::Code(line, language)),
            (None, None) => lines.push(Line::Text(line)),
        }
    }
    assert!(language.is_none(), "a block does not end");
    lines
}

/// Returns the lines that are not in a code block.
pub fn prose(markdown: &str) -> impl Iterator<Item = &str> {
    lines(markdown).into_iter().filter_map(|line| match line {
        Line::Text(text) => Some(text),
        Line::Code(..) => None,
    })
}
