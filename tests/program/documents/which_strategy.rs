//! The page "Which strategy?": its commands, its charts, and the numbers in its sentences. `docs/which-strategy.sh`
//! generates the charts and the parts between comments. These tests check what can be checked without the sweeps.

use crate::documents::commands::arguments;
use crate::documents::markdown::{Line, lines, links, read, root};
use lab::cli::{Invocation, parse};
use lab::sim::world::ENTITIES;
use lab::text::format::grouped;
use std::collections::BTreeSet;
use std::path::Path;

pub const PAGE: &str = "docs/which-strategy.md";
const CHARTS: &str = "docs/which-strategy";

/// Asserts that elements nest correctly and that all text is escaped.
fn assert_well_formed(svg: &str, name: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect(name);
        let element = tag.split([' ', '/']).next().unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{name}");
        } else if !tag.ends_with('/') {
            open.push(element);
        }
        for entity in text.split('&').skip(1) {
            assert!(entity.contains(';'), "{name}: &{entity}");
        }
    }
    assert!(open.is_empty() && svg.starts_with("<svg "), "{name}");
}

/// Returns the texts in a chart.
fn words(svg: &str) -> String {
    let texts = svg.split("<text ").skip(1);
    let texts = texts.filter_map(|text| text.split_once('>')?.1.split('<').next());
    texts.map(|text| text.trim().to_owned() + " ").collect()
}

#[test]
fn the_commands_of_the_page_draw_its_charts() {
    let page = read(PAGE);
    let linked: BTreeSet<String> = links(&page).into_iter().collect();
    let mut drawn = BTreeSet::new();
    for line in lines(&page) {
        let Line::Code(code, "sh") = line else {
            continue;
        };
        let words_of_command = arguments(code).expect(code);
        let parsed = parse(std::iter::once("timeslice-lab").chain(words_of_command));
        let Ok((settings, Invocation::Sweep(options))) = parsed else {
            panic!("{code}");
        };
        let path = options.svg.expect(code);
        let svg = read(path.to_str().expect("text"));
        let name = path.file_name().and_then(|name| name.to_str()).expect(code);
        assert_well_formed(&svg, name);
        let words = words(&svg);
        let is_over = |key| options.over.is_some_and(|over| over.knob.key == key);
        let entities = grouped(settings.knobs.get(&ENTITIES) as u64) + " entities";
        assert!(words.contains(&entities) != is_over("entities"), "{name}");
        let title = match options.over {
            Some(over) => format!(
                "Best strategy for each value of {}",
                over.knob.label.to_lowercase()
            ),
            None => "All strategies at all values of their main knobs".to_owned(),
        };
        assert!(words.starts_with(&title), "{name}: {words}");
        assert!(linked.contains(&format!("which-strategy/{name}")), "{name}");
        drawn.insert(name.to_owned());
    }
    let files = std::fs::read_dir(root().join(CHARTS)).expect(CHARTS);
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.collect::<BTreeSet<_>>(), drawn);
    assert_eq!(drawn.len(), 6);
}

/// Returns the numbers in a text, each with its unit if it has one.
fn metrics(text: &str) -> BTreeSet<String> {
    const UNITS: [&str; 3] = ["ms", "µs", "s"];
    let bare = |word: &str| {
        let is_outside = |c: char| !c.is_alphanumeric() && c != '×' && c != '%';
        word.trim_matches(is_outside).to_owned()
    };
    let words: Vec<String> = text.split_whitespace().map(bare).collect();
    let mut found = BTreeSet::new();
    for (place, word) in words.iter().enumerate() {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let unit = words
                .get(place + 1)
                .filter(|it| UNITS.contains(&it.as_str()));
            found.insert(unit.map_or_else(|| word.clone(), |unit| format!("{word} {unit}")));
        }
    }
    found
}

#[test]
fn the_sentences_have_the_figures_of_the_sweeps() {
    let page = read(PAGE);
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), 3);
    for section in sections {
        let (mut sentences, mut made) = (String::new(), String::new());
        for (place, part) in section.split(": begin -->").enumerate() {
            let (block, prose) = match part.split_once(": end -->") {
                Some(parts) if place > 0 => parts,
                _ => ("", part),
            };
            made += block;
            sentences += prose;
        }
        for link in links(section) {
            if Path::new(&link).extension().is_some_and(|it| it == "svg") {
                made += &words(&read(&format!("docs/{link}")));
            }
        }
        let (said, known) = (metrics(&sentences), metrics(&made));
        assert!(said.len() > 4, "{said:?}");
        let unknown: Vec<_> = said.difference(&known).collect();
        assert!(unknown.is_empty(), "{unknown:?} in {sentences}");
    }
}
