//! A sentence: its parts, and which of its words are figures or say what is wrong.

use super::format::{grouped, things};

/// Some words, or a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What is said.
    pub text: String,
    /// Whether it is a figure.
    pub figure: bool,
    /// Whether it says what is wrong.
    pub wrong: bool,
}

/// A part of a sentence: pieces that follow one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part(pub Vec<Piece>);

impl Part {
    /// Words with `*figures*` and `!what is wrong!`.
    pub(crate) fn new(text: &str) -> Self {
        let mut part = Self::default();
        let (mut figure, mut wrong) = (false, false);
        for piece in text.split_inclusive(['*', '!']) {
            let words = piece.trim_end_matches(['*', '!']);
            if !words.is_empty() {
                part.0.push(Piece {
                    text: words.to_owned(),
                    figure,
                    wrong,
                });
            }
            figure ^= piece.ends_with('*');
            wrong ^= piece.ends_with('!');
        }
        part
    }

    /// Words as they are.
    pub(crate) fn words(text: String, wrong: bool) -> Self {
        Self(vec![Piece {
            text,
            figure: false,
            wrong,
        }])
    }

    pub(crate) fn is_wrong(&self) -> bool {
        self.0.iter().any(|piece| piece.wrong)
    }
}

/// A sentence: parts, the most important one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Its parts.
    pub parts: Vec<Part>,
}

impl Said {
    /// Whether something is wrong.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        self.parts.iter().any(Part::is_wrong)
    }

    /// The whole as plain text.
    #[must_use]
    pub fn text(&self) -> String {
        let plain = |part: &Part| -> String { part.0.iter().map(|p| p.text.as_str()).collect() };
        let parts: Vec<String> = self.parts.iter().map(plain).collect();
        parts.join(" · ")
    }

    /// Adds a part: words with `*figures*` and `!what is wrong!`.
    pub fn say(&mut self, text: &str) {
        self.parts.push(Part::new(text));
    }
}

/// A count of things, with its mark: `*1* run`, `*1,234* runs`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    format!("*{}* {}", grouped(count), things(count, thing))
}
