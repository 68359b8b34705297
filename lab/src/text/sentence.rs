//! Sentences that consist of clauses, some of which are warnings.

use std::fmt::{self, Display, Formatter};

/// A part of a sentence, which is either normal or a warning. If space is short, it can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub words: String,
    is_warning: bool,
}

impl Clause {
    pub fn new(words: impl Into<String>, is_warning: bool) -> Self {
        Self {
            words: words.into(),
            is_warning,
        }
    }

    pub fn normal(words: impl Into<String>) -> Self {
        Self::new(words, false)
    }

    pub fn warning(words: impl Into<String>) -> Self {
        Self::new(words, true)
    }

    pub fn is_warning(&self) -> bool {
        self.is_warning
    }
}

impl Display for Clause {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        to.write_str(&self.words)
    }
}

/// A sentence that consists of clauses. The most important clause comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    pub clauses: Vec<Clause>,
}

impl FromIterator<Clause> for Sentence {
    fn from_iter<I: IntoIterator<Item = Clause>>(clauses: I) -> Self {
        Self {
            clauses: clauses.into_iter().collect(),
        }
    }
}

impl Sentence {
    pub fn is_warning(&self) -> bool {
        self.clauses.iter().any(Clause::is_warning)
    }

    /// Moves the warnings to the front. Otherwise, the order stays the same.
    pub fn warnings_first(&mut self) {
        self.clauses.sort_by_key(|clause| !clause.is_warning());
    }
}

/// Writes the clauses, separated by ` · `.
impl Display for Sentence {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let clauses: Vec<&str> = self.clauses.iter().map(|it| &*it.words).collect();
        to.write_str(&clauses.join(" · "))
    }
}
