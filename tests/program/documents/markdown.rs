//! Reads the repository's Markdown files: prose, code, links and headings.

use std::fs;
use std::path::PathBuf;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Reads a file. The path is relative to the root.
#[track_caller]
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the paths of all files with one of these extensions in the root and in `FOLDERS`, relative to the root.
/// Skips generated folders.
pub fn files(extensions: &[&str]) -> Vec<String> {
    const FOLDERS: [&str; 11] = [
        "assets",
        "benches",
        "docs",
        "fuzz",
        "lab",
        "integrations",
        "screenshots",
        "src",
        "tests",
        "timeslicer",
        "web",
    ];
    const GENERATED: [&str; 3] = ["target", "dist", "node_modules"];
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let extension = path.extension().and_then(|it| it.to_str());
            if path.is_dir() {
                let belongs = folder != root() || FOLDERS.contains(&&*name);
                if belongs && !GENERATED.contains(&&*name) {
                    open.push(path);
                }
            } else if extension.is_some_and(|it| extensions.contains(&it)) {
                let path = path.strip_prefix(root()).unwrap();
                found.push(path.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort_unstable();
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

/// Splits a line into its prose and its code spans.
pub fn split_code(text: &str) -> (String, Vec<&str>) {
    let (mut prose, mut code) = (String::new(), Vec::new());
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 0 {
            prose += part;
        } else {
            code.push(part);
        }
    }
    (prose, code)
}

/// Returns the targets of all links and images.
pub fn links(markdown: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in lines(markdown) {
        if let Line::Text(text) = line {
            let (prose, _) = split_code(text);
            let parts = prose.split("](").skip(1);
            targets.extend(parts.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
        }
    }
    targets
}

/// Returns the text of each part in italics.
pub fn italics(markdown: &str) -> Vec<String> {
    let text = lines(markdown).into_iter().filter_map(|line| match line {
        Line::Text(text) => Some(split_code(text).0),
        Line::Code(..) => None,
    });
    let text = text.collect::<Vec<_>>().join(" ");
    // Parts with an odd index are bold.
    let light: Vec<&str> = text.split("**").step_by(2).collect();
    let parts = light
        .iter()
        .flat_map(|part| part.split('*').skip(1).step_by(2));
    parts.map(str::to_owned).collect()
}

/// Returns the anchors that GitHub creates for all headings.
pub fn anchors(markdown: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for line in lines(markdown) {
        let Line::Text(text) = line else { continue };
        let heading = text.trim_start_matches('#');
        if heading.len() == text.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = |c: &char| c.is_alphanumeric() || ['-', '_', ' '].contains(c);
        let anchor: String = heading.trim().chars().filter(kept).collect();
        let anchor = anchor.to_lowercase().replace(' ', "-");
        let earlier = anchors.iter().filter(|it| **it == anchor).count();
        anchors.push(match earlier {
            0 => anchor,
            count => format!("{anchor}-{count}"),
        });
    }
    anchors
}
