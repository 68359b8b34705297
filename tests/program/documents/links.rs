//! Checks that links between documents are not broken, and that the files that documents name exist.

use crate::documents::markdown::{files, prose, read, root};

/// Returns the targets of all links and images in a line, except those in code spans.
fn links(line: &str) -> Vec<&str> {
    let outside_code = line.split('`').step_by(2);
    let targets = outside_code.flat_map(|text| text.split("](").skip(1));
    targets.filter_map(|rest| rest.split(')').next()).collect()
}

/// Returns true if one of the headings has this anchor, which GitHub creates from the heading's words.
fn has_anchor(markdown: &str, anchor: &str) -> bool {
    let headings = prose(markdown).filter(|line| line.starts_with('#'));
    let mut anchors = headings.map(|heading| {
        let kept = |c: &char| c.is_alphanumeric() || ['-', '_', ' '].contains(c);
        let words: String = heading.chars().filter(kept).collect();
        words.trim().to_lowercase().replace(' ', "-")
    });
    anchors.any(|other| other == anchor)
}

#[test]
fn every_link_between_documents_resolves() {
    let mut checked = 0;
    for name in files() {
        let text = read(&name);
        let file = root().join(&name);
        for target in prose(&text).flat_map(links) {
            if target.starts_with("https://") || target.starts_with("http://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let linked = match path {
                "" => file.clone(),
                path => file.with_file_name(path),
            };
            assert!(linked.exists(), "{target} in {name}");
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&linked).unwrap();
                assert!(has_anchor(&text, anchor), "{target} in {name}");
            }
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} links");
}

#[test]
fn every_file_that_a_document_names_exists() {
    let folders = [
        "src/",
        "lab/",
        "timeslicer/",
        "tests/",
        "docs/",
        "examples/",
    ];
    let mut checked = 0;
    for name in files() {
        let text = read(&name);
        let code_spans = prose(&text).flat_map(|line| line.split('`').skip(1).step_by(2));
        for path in code_spans.filter(|span| folders.iter().any(|it| span.starts_with(it))) {
            let from_root = root().join(path);
            let from_document = root().join(&name).with_file_name(path);
            assert!(
                from_root.exists() || from_document.exists(),
                "{path} in {name}"
            );
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} files");
}
