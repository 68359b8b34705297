//! Parts of documents that follow from the program, between comments such as `<!-- knobs: begin -->` and
//! `<!-- knobs: end -->`.

use crate::markdown::{read, root};
use std::fs;
use std::sync::Mutex;

/// Tests run at the same time, but update one file after another.
static UPDATE: Mutex<()> = Mutex::new(());

/// Checks that the document has `content` between its comments `name: begin` and `name: end`, or updates it.
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
    let new = format!("\n\n{}\n\n", content.trim_end());
    if old != new && std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        fs::write(
            root().join(document),
            [before, &begin, &new, &end, after].concat(),
        )
        .unwrap();
    } else {
        assert_eq!(
            old, new,
            "{document} is out of date; UPDATE_DOCUMENTS=1 cargo test --test documents updates it"
        );
    }
}

/// A table with a heading and rows.
pub fn table(heading: &str, rows: impl IntoIterator<Item = String>) -> String {
    let columns = heading.matches('|').count() - 1;
    let mut text = format!("{heading}\n|{}\n", "---|".repeat(columns));
    for row in rows {
        text += &row;
        text.push('\n');
    }
    text
}
