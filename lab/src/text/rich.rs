//! A rich text is a sentence whose numbers and warnings are marked, so that a user interface can highlight them without
//! parsing the text.
//!
//! The `phrase!` macro creates a [`Phrase`], which can be turned into a [`Clause`] that is normal or a warning:
//!
//! ```
//! use lab::phrase;
//! use lab::text::rich::RichText;
//!
//! let clause = phrase!("backlog grew from {} to {}", 3_u64, 40_u64).warning();
//! let text = RichText::from(clause);
//! assert_eq!(text.to_string(), "backlog grew from 3 to 40");
//! assert!(text.is_warning());
//! ```

use super::format::{grouped, number, things};
use std::fmt::{self, Display, Formatter};
use timeslicer::time::Nanos;

/// A piece of text in a single font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    /// Whether the text is a number, which is drawn in a monospaced font.
    pub is_strong: bool,
}

/// A part of a sentence, made of words and numbers. It becomes a [`Clause`] when it is marked as normal or as a
/// warning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    pub spans: Vec<Span>,
}

/// Creates a [`Phrase`] from a template and replaces each `{}` with a value, such as words, a time, a count, or a
/// number from [`strong`](crate::text::rich::strong).
#[macro_export]
macro_rules! phrase {
    ($template:literal $(, $part:expr)* $(,)?) => {{
        const PARTS: &[&str] = &[$(stringify!($part)),*];
        const { assert!($crate::text::rich::gaps($template) == PARTS.len()) };
        $crate::text::rich::Phrase::fill($template, [$($crate::text::rich::Phrase::from($part)),*])
    }};
}

/// Returns the number of `{}` in a template.
pub const fn gaps(template: &str) -> usize {
    let mut rest = template.as_bytes();
    let mut count = 0;
    while let [first, after @ ..] = rest {
        count += matches!((first, after), (b'{', [b'}', ..])) as usize;
        rest = after;
    }
    count
}

pub fn strong(value: impl Display) -> Phrase {
    Phrase::span(value.to_string(), true)
}

/// Formats a ratio, such as `2×`.
pub fn multiple(ratio: f64) -> Phrase {
    strong(format!("{}×", number(ratio)))
}

/// Formats a number with a noun, such as `1 run` or `1,234 runs`.
pub fn counted(count: u64, thing: &str) -> Phrase {
    phrase!("{} {}", count, things(count, thing))
}

/// Joins phrases, with `separator` between them.
pub fn joined(phrases: &[Phrase], separator: &str) -> Phrase {
    let mut words = Phrase::default();
    for (nth, phrase) in phrases.iter().enumerate() {
        if nth > 0 {
            words.push(separator);
        }
        words.push(phrase.clone());
    }
    words
}

/// Formats a time with three digits in a suitable unit, such as `41.8 µs` or `16.7 ms`.
pub fn time(time: Nanos) -> Phrase {
    let (nanos_per_unit, unit) = match time.as_nanos() {
        1..1_000 => (1.0, "ns"),
        1_000..100_000 => (1e3, "µs"),
        0 | 100_000..999_500_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    let value = time.as_nanos() as f64 / nanos_per_unit;
    phrase!("{} {}", strong(number(value)), unit)
}

impl From<Nanos> for Phrase {
    fn from(nanos: Nanos) -> Self {
        time(nanos)
    }
}

/// Formats the number with its digits in groups of three, such as `1,234`.
impl From<u64> for Phrase {
    fn from(count: u64) -> Self {
        strong(grouped(count))
    }
}

impl From<usize> for Phrase {
    fn from(count: usize) -> Self {
        (count as u64).into()
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self::span(text, false)
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Phrase {
    fn span(text: String, is_strong: bool) -> Self {
        let spans = vec![Span { text, is_strong }];
        Self { spans }
    }

    /// Replaces each `{}` in `template` with one of `parts`, in order.
    pub fn fill(template: &str, parts: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = parts.into_iter();
        let mut phrase = Self::default();
        for words in template.split("{}") {
            phrase.push(words);
            phrase.push(parts.next().unwrap_or_default());
        }
        phrase
    }

    /// Appends a part, and merges adjacent spans of words.
    pub fn push(&mut self, part: impl Into<Self>) {
        for span in part.into().spans {
            match self.spans.last_mut() {
                _ if span.text.is_empty() => {}
                Some(last) if !last.is_strong && !span.is_strong => last.text += &span.text,
                _ => self.spans.push(span),
            }
        }
    }

    /// Returns the phrase with a capital letter at its beginning.
    #[must_use]
    pub fn with_capital(&self) -> Self {
        let mut phrase = self.clone();
        if let Some(span) = phrase.spans.first_mut() {
            let mut letters = span.text.chars();
            let first = letters.next().map(char::to_uppercase);
            span.text = first.into_iter().flatten().chain(letters).collect();
        }
        phrase
    }

    pub fn normal(self) -> Clause {
        self.warning_if(false)
    }

    pub fn warning(self) -> Clause {
        self.warning_if(true)
    }

    pub fn warning_if(self, is_warning: bool) -> Clause {
        let words = self;
        Clause { words, is_warning }
    }
}

impl Display for Phrase {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let mut spans = self.spans.iter();
        spans.try_for_each(|span| to.write_str(&span.text))
    }
}

/// A part of a sentence that can be left out if there is not enough space, and that is either normal or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub words: Phrase,
    is_warning: bool,
}

impl Clause {
    pub fn is_warning(&self) -> bool {
        self.is_warning
    }
}

impl Display for Clause {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        self.words.fmt(to)
    }
}

/// A sentence that consists of clauses. The most important clause comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichText {
    pub clauses: Vec<Clause>,
}

impl From<Clause> for RichText {
    fn from(clause: Clause) -> Self {
        Self {
            clauses: vec![clause],
        }
    }
}

impl FromIterator<Clause> for RichText {
    fn from_iter<I: IntoIterator<Item = Clause>>(clauses: I) -> Self {
        Self {
            clauses: clauses.into_iter().collect(),
        }
    }
}

impl RichText {
    /// Returns true if at least one clause is a warning.
    pub fn is_warning(&self) -> bool {
        self.clauses.iter().any(Clause::is_warning)
    }

    pub fn push(&mut self, clause: Clause) {
        self.clauses.push(clause);
    }

    /// Moves the warnings to the front. Otherwise, the order stays the same.
    pub fn warnings_first(&mut self) {
        self.clauses.sort_by_key(|clause| !clause.is_warning());
    }
}

/// Writes the clauses without styling, separated by ` · `.
impl Display for RichText {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let clauses: Vec<String> = self.clauses.iter().map(Clause::to_string).collect();
        to.write_str(&clauses.join(" · "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_words_are_one_span() {
        let phrase = phrase!("at {} {} a frame{}", "most", counted(1234, "task"), "");
        let spans: Vec<_> = phrase
            .spans
            .iter()
            .map(|it| (&*it.text, it.is_strong))
            .collect();
        let expected = [
            ("at most ", false),
            ("1,234", true),
            (" tasks a frame", false),
        ];
        assert_eq!(spans, expected);
        assert_eq!(phrase.to_string(), "at most 1,234 tasks a frame");
    }

    #[test]
    fn times_have_a_unit_and_three_digits() {
        for (nanos, text) in [
            (0, "0 ms"),
            (1, "1 ns"),
            (41_800, "41.8 µs"),
            (10_416_666, "10.4 ms"),
            (16_610_001, "16.6 ms"),
            (16_666_667, "16.7 ms"),
            (100_000_001, "100 ms"),
            (4_060_000_001, "4.06 s"),
        ] {
            assert_eq!(time(Nanos::from_nanos(nanos)).to_string(), text);
        }
    }
}
