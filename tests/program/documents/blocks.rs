//! Parts of documents that are generated from the program. Each part is between two comments, such as `<!-- knobs:
//! begin -->` and `<!-- knobs: end -->`.

use crate::documents::markdown::{read, root};
use std::fs;
use std::path::Path;
use std::sync::Mutex;

/// Allows only one update at a time, because tests run in parallel and may update the same file.
static UPDATE: Mutex<()> = Mutex::new(());

/// Checks that a document, or the documentation at the top of a Rust file, has `content` between its comments `name:
/// begin` and `name: end`. If the environment variable `UPDATE_DOCUMENTS` is set, writes `content` there instead.
#[track_caller]
pub fn check(document: &str, name: &str, content: &str) {
    let _one_at_a_time = UPDATE.lock();
    let text = read(document);
    let (begin, end) = (
        format!("<!-- {name}: begin -->"),
        format!("<!-- {name}: end -->"),
    );
    let parts = text.split_once(&begin).and_then(|(before, rest)| {
        let (old, after) = rest.split_once(&end)?;
        Some((before, old, after))
    });
    let (before, old, after) = parts.unwrap_or_else(|| panic!("{document} lacks {begin} or {end}"));
    let mut new = format!("\n\n{}\n\n", content.trim_end());
    if Path::new(document).extension().is_some_and(|it| it == "rs") {
        new = new.replace('\n', "\n//! ").replace("//! \n", "//!\n");
    }
    if old != new && std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        fs::write(
            root().join(document),
            [before, &begin, &new, &end, after].concat(),
        )
        .unwrap();
    } else {
        assert_eq!(
            old, new,
            "{document} is out of date; UPDATE_DOCUMENTS=1 cargo test --test program documents updates it"
        );
    }
}

/// Returns a Markdown table with this heading and these rows.
pub fn table(heading: &str, rows: impl IntoIterator<Item = String>) -> String {
    let columns = heading.matches('|').count() - 1;
    let mut text = format!("{heading}\n|{}\n", "---|".repeat(columns));
    for row in rows {
        text += &row;
        text.push('\n');
    }
    text
}
