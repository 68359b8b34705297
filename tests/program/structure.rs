//! Checks the layers inside each package. The compiler checks the layers between packages.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose subfolders are layers: the folder, the path of its module, and the layers, lowest first. Each
/// layer may use only the layers before it.
const LAYERS: [(&str, &str, &str); 2] = [
    (
        "lab/src",
        "crate::",
        "catalog text sim measure import recommend comparison history files cli",
    ),
    (
        "src/app",
        "crate::app::",
        "platform widgets crowd plots state input panels views tests",
    ),
];

fn paths_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the repository");
    entries.map(|entry| entry.expect("a readable entry").path())
}

/// Asserts that no file in the folder uses a path that begins with one of `forbidden`. Test files may use such paths,
/// because some tests check one layer against another.
fn assert_uses_none(folder: &Path, forbidden: &[String]) {
    for path in paths_in(folder) {
        if path.ends_with("tests") || path.ends_with("tests.rs") {
            continue;
        }
        if path.is_dir() {
            assert_uses_none(&path, forbidden);
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let used = forbidden.iter().find(|it| line.contains(&***it));
            assert_eq!(used, None, "{}: {line}", path.display());
        }
    }
}

#[test]
fn no_layer_uses_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (top, module, layers) in LAYERS {
        let layers: Vec<&str> = layers.split(' ').collect();
        for (own, layer) in layers.iter().enumerate() {
            let above = layers[own + 1..].iter();
            let above: Vec<String> = above.map(|above| format!("{module}{above}")).collect();
            assert_uses_none(&root.join(top).join(layer), &above);
        }
        let top = root.join(top);
        let folders = paths_in(&top).filter(|path| path.is_dir());
        assert_eq!(
            folders.count(),
            layers.len(),
            "every folder in {} is a layer",
            top.display()
        );
    }
}
