//! Checks that links between documents are not broken.

use crate::documents::markdown::{anchors, files, links, read, root};
use std::path::Path;

/// Returns the reason if a link from a file in `folder` is broken. `target` is a path, with or without an anchor.
fn broken(folder: &Path, target: &str) -> Option<String> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    };
    let file = folder.join(path);
    if !file.exists() {
        return Some(format!("{} does not exist", file.display()));
    }
    let anchor = anchor?;
    let text = std::fs::read_to_string(&file).ok()?;
    let missing = !anchors(&text).iter().any(|it| it == anchor);
    missing.then(|| format!("{} has no heading #{anchor}", file.display()))
}

#[test]
fn every_link_between_documents_resolves() {
    let mut checked = 0;
    for name in files(&["md"]) {
        let text = read(&name);
        let file = root().join(&name);
        for target in links(&text) {
            if target.starts_with("https://") || target.starts_with("http://") {
                continue;
            }
            // A target that is only an anchor refers to the same file.
            let (folder, target) = match target.strip_prefix('#') {
                Some(_) => (root(), format!("{name}{target}")),
                None => (file.parent().unwrap().to_owned(), target),
            };
            assert_eq!(broken(&folder, &target), None, "a link in {name}");
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} links");
}
