//! Finds the column that contains the times, and its unit, by the names of the columns. Chooses zones by their names.

use super::{COSTS, Capture, Choice, FRAME_TIMES, Kind, invalid, quoted};
use crate::text::format::{counted, grouped, listed};
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
            "ns nsec nanos nanoseconds",
            "us usec micros microseconds",
            "ms msec millis milliseconds",
            "s sec seconds",
        ];
        let mut all = all.zip(words);
        let found = all.find(|(_, words)| words.split(' ').any(|it| it == word));
        found.map(|(unit, _)| unit)
    }

    /// Returns the factor that converts a number from this unit to the unit `other`.
    pub(super) fn over(self, other: Self) -> f64 {
        let nanos = |unit| [1.0, 1e3, 1e6, 1e9][unit as usize];
        nanos(self) / nanos(other)
    }
}

/// Known column names, in the singular and as [`name_of`] returns them. Each has a kind, which is `None` if such a
/// column can contain task costs or frame times, and a rank. If a file has several of these columns, the highest rank is
/// used.
static NAMES: [(&str, Option<&Kind>, u8); 11] = [
    ("dur", None, 5),                          // Chrome traces
    ("exectime", None, 5),                     // Tracy
    ("betweenpresent", Some(&FRAME_TIMES), 5), // PresentMon 1, OCAT, CapFrameX
    ("frametime", Some(&FRAME_TIMES), 5),      // PresentMon 2, MangoHud, Unreal, Unity
    ("betweenappstart", Some(&FRAME_TIMES), 4),
    ("cpuframetime", Some(&FRAME_TIMES), 4),
    ("frame", Some(&FRAME_TIMES), 3),
    ("wholeupdate", Some(&FRAME_TIMES), 3), // Factorio
    ("cost", Some(&COSTS), 4),
    ("tasktime", Some(&COSTS), 4),
    ("duration", None, 3),
];

/// Words in the names of columns that contain timestamps instead of durations.
const MOMENTS: [&str; 5] = ["start", "since", "elapsed", "timestamp", "timein"];

/// The lowest rank in [`NAMES`].
pub(super) const KNOWN: u8 = 3;
/// The rank of a column that the user has chosen. It is higher than any rank in [`NAMES`].
pub(super) const CHOSEN: u8 = 9;

/// Splits a column name into its unit and the remaining words, which are in lower case and joined without separators.
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
    let at = words.iter().rposition(|word| Unit::by_name(word).is_some());
    let unit = at.and_then(|at| Unit::by_name(words.remove(at)));
    (unit, words.concat().to_lowercase())
}

/// Returns the name of a column without its unit, in lower case and without separators.
pub(super) fn name_of(column: &str) -> String {
    parts(column).1
}

/// Guesses the unit of frame times from their median. Costs without a unit are always in microseconds.
pub(super) fn plausible_unit(kind: &Kind, median: f64) -> Unit {
    match median {
        _ if *kind == COSTS => COSTS.unit,
        ..0.1 => Unit::S, // few games reach 10,000 fps
        ..1000.0 => Unit::Ms,
        ..100_000.0 => Unit::Us,
        _ => Unit::Ns,
    }
}

/// If a column with this name says how long the game waited in a frame, returns the factors `[a, b]` to compute it from
/// the frame time and the value in the column: the game waited for `a * frame + b * value`.
pub(super) fn wait(name: &str) -> Option<[f64; 2]> {
    match &*name_of(name) {
        "cpuwait" => Some([0.0, 1.0]),
        "cpubusy" | "gamethreadtime" => Some([1.0, -1.0]),
        _ => None,
    }
}

/// If a column with this name contains the start times of zones, returns the factor that converts them to `unit`.
pub(super) fn start(name: &str, unit: Unit) -> Option<f64> {
    let (own_unit, rest) = parts(name);
    let is_start = ["sincestart", "start", "starttime", "timestamp", "ts"].contains(&&*rest);
    is_start.then(|| own_unit.map_or(1.0, |own| own.over(unit)))
}

/// Collects the times in the column whose name fits best.
pub(super) struct Columns<'a> {
    kind: Option<&'static Kind>,
    choice: &'a Choice,
    names: BTreeSet<String>,
    /// The name of the column that fits best so far, and its rank.
    best: Option<(String, u8)>,
    is_tie: bool,
    pub capture: Capture,
    zones: BTreeMap<String, Zone>,
    threads: BTreeMap<String, usize>,
    /// The zone calls collected so far, if several zones are chosen. The zones of one task are then added up.
    calls: Vec<Call>,
}

/// A zone of a trace (a named section of code that a profiler measures), or an application in a frame-time log.
struct Zone {
    index: usize,
    count: u64,
    is_chosen: bool,
}

/// A measured call of a zone. Its times are in the unit of the column.
struct Call {
    zone: usize,
    thread: usize,
    /// `NaN` if the file does not contain start times.
    start: f64,
    duration: f64,
}

/// Where a measured number comes from: its line in the file, its zone, and the start of the call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin<'a> {
    /// The zone of a trace, or the application in a frame-time log.
    pub zone: Option<&'a str>,
    pub thread: &'a str,
    /// When the measured call began, in the unit of the measured number.
    pub start: Option<f64>,
    /// The line number, or zero in JSON, where lines are not numbered because they can have any length.
    pub line: u64,
}

/// The maximum numbers of columns, zones and threads that are told apart.
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
            threads: BTreeMap::new(),
            calls: Vec::new(),
        }
    }

    /// Judges a column by its name. Returns what it contains, its rank, and its unit, if the name reveals the unit.
    pub(super) fn fit(&self, name: &str) -> (&'static Kind, u8, Option<Unit>) {
        let (unit, rest) = parts(name);
        let rest = rest.strip_suffix('s').unwrap_or(&rest);
        let known = NAMES.iter().find(|it| it.0 == rest);
        let known = known.filter(|_| unit.is_some() || rest != "frame"); // a frame number has no unit
        let of_name = known.and_then(|it| it.1);
        let usual = match rest {
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

    /// Adds a column to choose from. If its name fits better than all earlier ones, its numbers are collected.
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
            self.calls.clear();
        }
    }

    pub(super) fn is_best(&self, name: &str) -> bool {
        self.best.as_ref().is_some_and(|best| best.0 == name)
    }

    /// Collects a number if its zone or application is chosen. `free` is how long the game waited in the frame.
    pub(super) fn collect(
        &mut self,
        value: f64,
        free: Option<f64>,
        from: Origin,
    ) -> io::Result<()> {
        const MOST_CALLS: usize = 2_000_000;
        let Some(name) = from.zone else {
            return self.capture.add(from.line, value, free);
        };
        let Some(zone) = self.chosen_zone(name) else {
            return Ok(());
        };
        let wanted = &self.choice.names;
        let may_be_several = wanted.len() > 1 || wanted.iter().any(|name| name.contains('*'));
        if !may_be_several || *self.capture.kind != COSTS {
            return self.capture.add(from.line, value, free);
        }
        if self.calls.len() == MOST_CALLS {
            let words = format!(
                "at most {} calls of several zones can be added up; choose one zone with --name",
                grouped(MOST_CALLS as u64)
            );
            return Err(invalid(words));
        }
        let next = self.threads.len().min(MOST_NAMES);
        let thread = *self.threads.entry(from.thread.to_owned()).or_insert(next);
        self.calls.push(Call {
            zone,
            thread,
            start: from.start.unwrap_or(f64::NAN),
            duration: value,
        });
        Ok(())
    }

    /// Counts a zone or an application, and returns its index if it is chosen.
    pub(super) fn chosen_zone(&mut self, name: &str) -> Option<usize> {
        if let Some(zone) = self.zones.get_mut(name) {
            zone.count += 1;
            return zone.is_chosen.then_some(zone.index);
        }
        let wanted = &self.choice.names;
        let index = self.zones.len();
        // The names may be meant for the user's other file. If this file has only one zone, it is therefore chosen.
        let is_only = index == 0 && !self.choice.is_for_one_file;
        let is_wanted = |name: &str| wanted.iter().any(|wanted| matches(wanted, name));
        let is_chosen = wanted.is_empty() || is_only || is_wanted(name);
        if let Some((first, zone)) = self.zones.iter_mut().next().filter(|_| index == 1)
            && zone.is_chosen
            && !wanted.is_empty()
            && !is_wanted(first)
        {
            zone.is_chosen = false;
            self.calls.clear();
            let Capture { kind, unit, .. } = self.capture;
            let source = std::mem::take(&mut self.capture.source);
            self.capture = Capture::new(kind, source, unit);
        }
        let zone = Zone {
            index,
            count: 1,
            is_chosen,
        };
        if index < MOST_NAMES {
            self.zones.insert(name.to_owned(), zone);
        }
        is_chosen.then_some(index)
    }

    /// Adds up the calls of several zones that are parts of one task. A task begins when a zone is called that the task
    /// has already called. Zones within other zones are left out, because the outer zone's time includes theirs.
    fn add_up(&mut self) -> io::Result<()> {
        let mut calls = std::mem::take(&mut self.calls);
        if calls.iter().all(|call| !call.start.is_nan()) {
            calls.sort_by(|call, other| {
                let order = call.start.total_cmp(&other.start);
                order.then(other.duration.total_cmp(&call.duration))
            });
        }
        calls.sort_by_key(|call| call.thread);
        for calls in calls.chunk_by(|call, next| call.thread == next.thread) {
            let (mut sum, mut end, mut zones) = (0.0, f64::NEG_INFINITY, BTreeSet::new());
            for call in calls {
                // Skip zones within other zones. Times are rounded, so successive zones can overlap a little, too.
                if call.start + call.duration / 2.0 < end {
                    continue;
                }
                if !zones.insert(call.zone) {
                    self.capture.add(0, sum, None)?;
                    sum = 0.0;
                    zones = BTreeSet::from([call.zone]);
                }
                sum += call.duration;
                end = call.start + call.duration;
            }
            self.capture.add(0, sum, None)?;
        }
        Ok(())
    }

    /// Returns the collected numbers, or an error if it is unclear which column, zone or application the user means.
    pub(super) fn finish(mut self) -> io::Result<Capture> {
        let has_chosen = self.best.as_ref().is_some_and(|best| best.1 == CHOSEN);
        let is_missing = self.choice.is_for_one_file && !self.choice.columns.is_empty();
        if self.is_tie || is_missing && !has_chosen && !self.names.is_empty() {
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
        let chosen = self.zones.iter().filter(|(_, zone)| zone.is_chosen);
        let chosen: Vec<String> = chosen.map(|(name, _)| quoted(name)).collect();
        if self.zones.is_empty() {
            return Ok(self.capture);
        }
        if chosen.is_empty() || chosen.len() > 1 && self.choice.names.is_empty() {
            let zones = self.zones.into_iter();
            let zones: Vec<(String, u64)> = zones.map(|(name, zone)| (name, zone.count)).collect();
            let listed = zones
                .iter()
                .map(|(name, count)| format!("{} ({})", quoted(name), counted(*count, "time")));
            let words = format!(
                "it has the names {}; choose one with --name NAME (* matches any text)",
                shortened(listed)
            );
            return Err(Candidates::error(true, zones, words));
        }
        let is_sum = chosen.len() > 1 && *self.capture.kind == COSTS;
        self.add_up()?;
        let names = shortened(chosen.into_iter());
        let added_up = if is_sum { ", added up per call" } else { "" };
        self.capture.source = format!("{} of {names}{added_up}", self.capture.source);
        Ok(self.capture)
    }
}

/// The error for a file in which it is unclear which column, zone or application the user means.
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

    /// Returns the candidates if they are the cause of an error. Otherwise, returns the error itself.
    pub fn of(error: io::Error) -> Result<Self, io::Error> {
        error.downcast()
    }

    /// Stores the chosen name in `choice`, as a zone or as a column.
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

/// Lists the first few names, and the number of further ones.
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

/// Returns true if a name matches a pattern, in which `*` matches any text.
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
