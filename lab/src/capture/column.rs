//! Recognises the column with the numbers, and their unit, by the names of the columns. Chooses zones by their names.

use super::{COSTS, Capture, Choice, FRAME_TIMES, Kind, quoted};
use crate::text::format::{counted, listed};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::{fmt, io};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Ns,
    Us,
    Ms,
    S,
}

impl Unit {
    pub fn name(self) -> &'static str {
        ["ns", "µs", "ms", "s"][self as usize]
    }

    pub fn words(self) -> &'static str {
        ["nanoseconds", "microseconds", "milliseconds", "seconds"][self as usize]
    }

    /// Finds a unit by a word such as `us`, `usec` or `microseconds`. Case is ignored.
    pub fn by_name(word: &str) -> Option<Self> {
        let word = word.to_lowercase().replace(['µ', 'μ'], "u");
        let all = [Self::Ns, Self::Us, Self::Ms, Self::S].into_iter();
        let words = [
            "ns nsec nanoseconds",
            "us usec microseconds",
            "ms msec milliseconds",
            "s sec seconds",
        ];
        let mut all = all.zip(words);
        let found = all.find(|(_, words)| words.split(' ').any(|it| it == word));
        found.map(|(unit, _)| unit)
    }

    /// Returns the factor that converts a number in this unit to another unit.
    pub(super) fn over(self, other: Self) -> f64 {
        let nanos = |unit| [1.0, 1e3, 1e6, 1e9][unit as usize];
        nanos(self) / nanos(other)
    }
}

/// Names of columns as [`name_of`] returns them. Of several columns in this list, the one with the highest rank is used.
/// Columns without a kind may contain either.
static NAMES: [(&str, Option<&Kind>, u8); 12] = [
    ("dur", None, 5),                           // Chrome traces
    ("exectime", None, 5),                      // Tracy
    ("betweenpresents", Some(&FRAME_TIMES), 5), // PresentMon 1, OCAT, CapFrameX
    ("frametime", Some(&FRAME_TIMES), 5),       // PresentMon 2, MangoHud, Unreal, Unity
    ("frametimes", Some(&FRAME_TIMES), 5),
    ("frame", Some(&FRAME_TIMES), 3),
    ("wholeupdate", Some(&FRAME_TIMES), 3), // Factorio
    ("cost", Some(&COSTS), 4),
    ("costs", Some(&COSTS), 4),
    ("tasktime", Some(&COSTS), 4),
    ("duration", None, 3),
    ("durations", None, 3),
];

/// Parts of the names of columns that contain moments.
const MOMENTS: [&str; 5] = ["start", "since", "elapsed", "timestamp", "timein"];

/// The least rank in the list.
pub(super) const KNOWN: u8 = 3;
/// The rank of columns that the user has chosen.
const CHOSEN: u8 = 9;

/// Splits the name of a column into its unit and the rest, in lower case and without separators.
fn parts(name: &str) -> (Option<Unit>, String) {
    let mut spaced = String::new();
    let mut is_after_small = false;
    for letter in name.chars() {
        if is_after_small && letter.is_uppercase() {
            spaced.push(' ');
        }
        is_after_small = letter.is_lowercase();
        spaced.push(if letter.is_alphanumeric() {
            letter
        } else {
            ' '
        });
    }
    let mut words: Vec<&str> = spaced.split_whitespace().collect();
    let at = words.iter().position(|word| Unit::by_name(word).is_some());
    let unit = at.and_then(|at| Unit::by_name(words.remove(at)));
    (unit, words.concat().to_lowercase())
}

/// Returns the name of a column without its unit, in lower case and without separators.
pub(super) fn name_of(column: &str) -> String {
    parts(column).1
}

/// Guesses the unit from the median. Costs without a unit are in the unit of files with one number per line.
pub(super) fn plausible_unit(kind: &Kind, median: f64) -> Unit {
    match median {
        _ if *kind == COSTS => COSTS.unit,
        ..0.1 => Unit::S, // few games reach 10,000 fps
        ..1000.0 => Unit::Ms,
        ..100_000.0 => Unit::Us,
        _ => Unit::Ns,
    }
}

/// Returns how a column with this name tells how long the game waited in a frame. With the result `[a, b]`, the game
/// waited for `a * frame + b * value`.
pub(super) fn wait(name: &str) -> Option<[f64; 2]> {
    match &*name_of(name) {
        "cpuwait" | "inpresentapi" => Some([0.0, 1.0]),
        "cpubusy" | "gamethreadtime" => Some([1.0, -1.0]),
        _ => None,
    }
}

/// Collects the numbers of the column that fits best.
pub(super) struct Columns<'a> {
    kind: Option<&'static Kind>,
    choice: &'a Choice,
    names: BTreeSet<String>,
    /// The name of the column that fits best so far, and its rank.
    best: Option<(String, u8)>,
    is_tie: bool,
    pub capture: Capture,
    /// How often each zone or application occurs, and whether it is chosen.
    zones: BTreeMap<String, (u64, bool)>,
}

/// The maximum number of columns, and of zones.
const MOST_NAMES: usize = 10_000;

impl<'a> Columns<'a> {
    pub(super) fn new(kind: Option<&'static Kind>, choice: &'a Choice) -> Self {
        let kind_of_plain = kind.unwrap_or(&COSTS);
        let unit = choice.unit.unwrap_or(kind_of_plain.unit);
        Self {
            kind,
            choice,
            names: BTreeSet::new(),
            best: None,
            is_tie: false,
            capture: Capture::new(kind_of_plain, String::new(), Some(unit)),
            zones: BTreeMap::new(),
        }
    }

    /// Judges a column by its name. Returns what it contains, its rank, and its unit, unless only the values can tell.
    pub(super) fn fit(&self, name: &str) -> (&'static Kind, u8, Option<Unit>) {
        let (unit, rest) = parts(name);
        let known = NAMES.iter().find(|it| it.0 == rest);
        let known = known.filter(|_| unit.is_some() || rest != "frame"); // a frame number has no unit
        let of_name = known.and_then(|it| it.1);
        let usual = match &*rest {
            "dur" => Some(Unit::Us),
            _ => rest.ends_with("update").then_some(Unit::Ns), // Factorio's parts of an update
        };
        let unit = unit.or(self.choice.unit).or(usual);
        let is_moment = MOMENTS.iter().any(|moment| rest.contains(moment));
        let is_other = of_name.is_some() && self.kind.is_some_and(|kind| of_name != Some(kind));
        let mut chosen = self.choice.columns.iter();
        let rank = match known {
            _ if chosen.any(|chosen| chosen.eq_ignore_ascii_case(name)) => CHOSEN,
            _ if is_other || is_moment => 0,
            Some(known) => known.2,
            None => u8::from(unit.is_some()),
        };
        let kind = self.kind.or(of_name).unwrap_or(&COSTS);
        (kind, rank, unit)
    }

    /// Adds a column to choose from. If it fits better than those before, its numbers are collected.
    pub(super) fn add(&mut self, name: &str) {
        if self.names.contains(name) || self.names.len() == MOST_NAMES {
            return;
        }
        self.names.insert(name.to_owned());
        let (kind, rank, unit) = self.fit(name);
        let best = self.best.as_ref().map(|best| best.1);
        self.is_tie |= best == Some(rank);
        if best.is_none_or(|best| best < rank) {
            let source = match name {
                "" => "an array".to_owned(),
                _ => format!("column {}", quoted(name)),
            };
            self.capture = Capture::new(kind, source, unit);
            self.best = Some((name.to_owned(), rank));
            self.is_tie = false;
            self.zones.clear();
        }
    }

    pub(super) fn is_best(&self, name: &str) -> bool {
        self.best.as_ref().is_some_and(|best| best.0 == name)
    }

    /// Counts a zone or an application, and returns whether it is chosen.
    pub(super) fn is_chosen(&mut self, zone: &str) -> bool {
        if let Some((count, is_chosen)) = self.zones.get_mut(zone) {
            *count += 1;
            return *is_chosen;
        }
        let wanted = &self.choice.names;
        let is_chosen = wanted.is_empty() || wanted.iter().any(|wanted| matches(wanted, zone));
        if self.zones.len() < MOST_NAMES {
            self.zones.insert(zone.to_owned(), (1, is_chosen));
        }
        is_chosen
    }

    /// Returns the numbers, unless another column, zone or application could be meant as well.
    pub(super) fn finish(mut self) -> io::Result<Capture> {
        if self.is_tie {
            let names = self.names.iter().filter(|it| !it.is_empty());
            let names: Vec<(String, u64)> = names.map(|it| (it.clone(), 0)).collect();
            let (several, listed) = (
                self.capture.kind.several,
                shortened(names.iter().map(|(it, _)| quoted(it))),
            );
            let words = format!(
                "it has the columns {listed}; choose the one with the {several} with --column NAME"
            );
            return Err(Candidates::error(false, names, words));
        }
        let chosen = self.zones.iter().filter(|(_, (_, is_chosen))| *is_chosen);
        let chosen: Vec<String> = chosen.map(|(name, _)| quoted(name)).collect();
        if self.zones.is_empty() {
            return Ok(self.capture);
        }
        if chosen.is_empty() || chosen.len() > 1 && self.choice.names.is_empty() {
            let zones = self.zones.into_iter();
            let zones: Vec<(String, u64)> = zones.map(|(name, (count, _))| (name, count)).collect();
            let listed = zones
                .iter()
                .map(|(name, count)| format!("{} ({})", quoted(name), counted(*count, "time")));
            let words = format!(
                "it has the names {}; choose one with --name NAME (* stands for any text)",
                shortened(listed)
            );
            return Err(Candidates::error(true, zones, words));
        }
        let names = shortened(chosen.into_iter());
        self.capture.source = format!("{} of {names}", self.capture.source);
        Ok(self.capture)
    }
}

/// The error that more than one column, zone or application of a file could be meant.
#[derive(Debug)]
pub struct Candidates {
    /// Whether the names are those of zones or applications, instead of columns.
    pub are_zones: bool,
    /// The names, and how often each zone occurs.
    pub names: Vec<(String, u64)>,
    words: String,
}

impl Candidates {
    fn error(are_zones: bool, names: Vec<(String, u64)>, words: String) -> io::Error {
        let candidates = Self {
            are_zones,
            names,
            words,
        };
        io::Error::new(io::ErrorKind::InvalidData, candidates)
    }

    /// Returns the candidates that are the reason of an error. If there are none, returns the error.
    pub fn of(error: io::Error) -> Result<Self, io::Error> {
        error.downcast()
    }

    /// Chooses one of the names.
    pub fn choose(&self, name: String, choice: &mut Choice) {
        if self.are_zones {
            choice.names = vec![name];
        } else {
            choice.columns = vec![name];
        }
    }
}

impl fmt::Display for Candidates {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.words)
    }
}

impl Error for Candidates {}

/// Lists names, but not too many.
fn shortened(names: impl Iterator<Item = String>) -> String {
    const MOST_LISTED: usize = 12;
    let mut names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(MOST_LISTED);
    names.truncate(MOST_LISTED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    listed(&names)
}

/// Returns true if a name matches a pattern, in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    // If more text and another `*` follow, the first place where that text occurs is as good as any later one.
    match rest.split_once('*') {
        None => name.ends_with(rest),
        Some((middle, _)) => name
            .find(middle)
            .is_some_and(|at| matches(rest, &name[at..])),
    }
}
