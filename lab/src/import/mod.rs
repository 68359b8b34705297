//! Reads the task costs and frame times that profilers and other tools have measured in a game. The input is a stream of
//! bytes. Files, flags and terminals are the concern of the layers above.
//!
//! - this file: the kinds of captures, and the numbers of one capture
//! - `column`: the column with the numbers, their unit, and the zones of a trace
//! - `table`: text with one number per line, and delimited tables
//! - `json`: JSON and Chrome traces
//! - `summary`: the summary of a capture

mod column;
mod json;
mod summary;
mod table;

pub use column::{Candidates, Unit};
pub use summary::{Summary, tail_words};

use crate::catalog::knob::Knob;
use crate::sim::random::{Rng, Stream};
use crate::sim::recording::{FRAME_TIME, Recording};
use crate::sim::world::COST;
use crate::text::format::{counted, grouped};
use column::{Columns, plausible_unit};
use std::io::{self, BufReader, Read, Take};
use timeslicer::time::Nanos;

pub const MOST_BYTES: u64 = 512 << 20;
const MOST_UTF_16_BYTES: u64 = 32 << 20;
pub const MOST_ROWS: u64 = 50_000_000;
/// The maximum number of measured times that are kept in memory.
pub const MOST_KEPT: usize = 1_000_000;
/// The number of bytes at the start of a file from which its format is recognised.
const HEAD_BYTES: u64 = 1 << 20;

/// Whether the numbers in a file are task costs or frame times, and what the program needs to know about this kind.
pub struct Kind {
    /// The flag that takes the file, without the dashes.
    pub flag: &'static str,
    /// The name of the file in which exports save the numbers.
    pub file: &'static str,
    pub name: &'static str,
    one: &'static str,
    several: &'static str,
    pub unit: Unit,
    knob: Knob,
    make: fn(&str, Vec<Nanos>) -> Option<Recording>,
}

pub static COSTS: Kind = Kind {
    flag: "costs",
    file: "costs.txt",
    name: "task costs",
    one: "cost",
    several: "costs",
    unit: Unit::Us,
    knob: COST,
    make: Recording::of_costs,
};

pub static FRAME_TIMES: Kind = Kind {
    flag: "frame-times",
    file: "frame-times.txt",
    name: "frame times",
    one: "frame time",
    several: "frame times",
    unit: Unit::Ms,
    knob: FRAME_TIME,
    make: Recording::of_frame_times,
};

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.flag == other.flag
    }
}

impl Kind {
    fn allowed(&self) -> String {
        let Self { one, unit, .. } = self;
        let (min, max, unit) = (self.knob.min, self.knob.max, unit.words());
        format!("a {one} must be a number of {unit} from {min} to {max}")
    }
}

/// What the user has chosen to read, for files with several possible columns, units or zones.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of columns. From each file, the column with one of these names is read.
    pub columns: Vec<String>,
    /// The unit of columns whose name does not state it.
    pub unit: Option<Unit>,
    /// Names of zones in a trace, or of applications in a frame-time log. `*` matches any text.
    pub names: Vec<String>,
    /// Whether the user reads only one file, which must then contain the chosen columns and names.
    pub is_for_one_file: bool,
}

/// Returns an error for contents that cannot be used. Its kind distinguishes it from errors while reading the file.
fn invalid(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

/// Reads a file in any supported format. If `kind` is `None`, the column names decide whether the file contains frame
/// times or task costs. Without such names, it contains task costs.
///
/// # Errors
///
/// With [`io::ErrorKind::InvalidData`] if the contents are not valid, or with another kind if reading fails.
pub fn read(
    source: &mut dyn Read,
    kind: Option<&'static Kind>,
    choice: &Choice,
) -> io::Result<Capture> {
    let mut source = source.take(MOST_BYTES + 1);
    let mut head = Vec::new();
    source.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
    let unit: fn([u8; 2]) -> u16 = match head[..] {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => {
            let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head);
            let text = BufReader::new(head.chain(source.by_ref()));
            let columns = Columns::new(kind, choice);
            let capture = if json::is_json(head) {
                json::read(text, columns)?
            } else {
                table::read(text, head, columns)?
            };
            check_size(&source)?;
            return capture.checked();
        }
    };
    // Files in UTF-16 are small, so they are decoded in one piece.
    source.set_limit(MOST_UTF_16_BYTES);
    source.read_to_end(&mut head)?;
    check_size(&source)?;
    let (units, _) = head.as_chunks();
    let units: Vec<u16> = units.iter().map(|it| unit(*it)).skip(1).collect();
    let text = String::from_utf16_lossy(&units);
    read(&mut text.as_bytes(), kind, choice)
}

fn check_size<R>(source: &Take<R>) -> io::Result<()> {
    if source.limit() > 0 {
        return Ok(());
    }
    let [most, utf_16] = [MOST_BYTES, MOST_UTF_16_BYTES].map(grouped);
    let words =
        format!("the file is too large: at most {most} bytes are allowed ({utf_16} in UTF-16)");
    Err(invalid(words))
}

/// The times that were read from a file, and what is known about them.
pub struct Capture {
    pub kind: &'static Kind,
    /// Where the numbers come from, such as `column dur of think`. Empty if the file contains nothing but numbers.
    pub source: String,
    /// `None` if the unit has to be guessed and there are not enough values yet.
    unit: Option<Unit>,
    /// The arguments of earlier calls of [`Self::add`], which are repeated once the unit is known.
    pending: Vec<(u64, f64, Option<f64>)>,
    count: u64,
    sum_ns: u128,
    longest: Nanos,
    /// All times in order or, if there are too many, a random sample of the costs or the first of the frame times.
    kept: Vec<Nanos>,
    /// How long the game waited in each of the kept frames. Empty if the file does not say so.
    free: Vec<Nanos>,
    /// The number of values that are out of range or not numbers. `first_left_out` has the line and the text of one.
    left_out: u64,
    first_left_out: (u64, String),
    sample: Rng,
}

impl Capture {
    fn new(kind: &'static Kind, source: String, unit: Option<Unit>) -> Self {
        Self {
            kind,
            source,
            unit,
            pending: Vec::new(),
            count: 0,
            sum_ns: 0,
            longest: Nanos::ZERO,
            kept: Vec::new(),
            free: Vec::new(),
            left_out: 0,
            first_left_out: (0, String::new()),
            sample: Rng::new(0, Stream::Costs),
        }
    }

    /// Adds a value. `line` is its line number, or zero in JSON. `free` is how long the game waited in it.
    fn add(&mut self, line: u64, value: f64, free: Option<f64>) -> io::Result<()> {
        const ENOUGH: usize = 1000;
        let Some(unit) = self.unit else {
            self.pending.push((line, value, free));
            return if self.pending.len() < ENOUGH {
                Ok(())
            } else {
                self.guess_unit()
            };
        };
        let factor = unit.over(self.kind.unit);
        if self.count + self.left_out == MOST_ROWS {
            let (most, several) = (grouped(MOST_ROWS), self.kind.several);
            return Err(invalid(format!(
                "{}at most {most} {several} are allowed",
                at(line)
            )));
        }
        let knob = &self.kind.knob;
        if !knob.takes(value * factor) {
            self.leave_out(line, || format!("{value:?} {}", unit.name()));
            return Ok(());
        }
        let time = knob.span(value * factor);
        self.count += 1;
        self.sum_ns += u128::from(time.as_nanos());
        self.longest = self.longest.max(time);
        if self.kept.len() < MOST_KEPT {
            self.kept.push(time);
            self.free.extend(free.map(|free| knob.span(free * factor)));
        } else if *self.kind == COSTS {
            // Every cost is kept with the same probability (reservoir sampling).
            let index = self.sample.below(self.count as usize);
            if let Some(kept) = self.kept.get_mut(index) {
                *kept = time;
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, line: u64, text: impl FnOnce() -> String) {
        if self.left_out == 0 {
            self.first_left_out = (line, text());
        }
        self.left_out += 1;
    }

    fn guess_unit(&mut self) -> io::Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        let mut values: Vec<f64> = pending.iter().map(|it| it.1).collect();
        values.sort_unstable_by(f64::total_cmp);
        let median = values.get(values.len() / 2).copied().unwrap_or_default();
        self.unit = Some(plausible_unit(self.kind, median));
        let mut pending = pending.drain(..);
        pending.try_for_each(|(line, value, free)| self.add(line, value, free))
    }

    /// Returns an error if there are no numbers, or if so many are out of range that the unit must be wrong.
    fn checked(mut self) -> io::Result<Self> {
        if self.unit.is_none() {
            self.guess_unit()?;
        }
        let Kind { one, several, .. } = self.kind;
        let (total, allowed) = (self.count + self.left_out, self.kind.allowed());
        // Tolerate up to 1 % of unusable values or, in a short file, up to three of them, but no more than a tenth.
        if self.left_out > (total / 100).max(3).min(total / 10) {
            let (line, text) = &self.first_left_out;
            return Err(invalid(format!(
                "{}{allowed}, not {text}; {} of {total} cannot be used, so choose another column or unit with --column or \
                 --unit",
                at(*line),
                self.left_out
            )));
        }
        if self.count == 0 {
            let words =
                format!("the file contains no {several}; write one {one} per line ({allowed})");
            return Err(invalid(words));
        }
        Ok(self)
    }

    pub fn unit(&self) -> Unit {
        self.unit.unwrap_or(self.kind.unit)
    }

    /// Returns what was recognised, such as `column MsBetweenPresents, in ms: 5,402 frame times`. Empty if the file
    /// contains nothing but numbers.
    pub fn note(&self) -> String {
        if self.source.is_empty() {
            return String::new();
        }
        let counted = counted(self.count, self.kind.name.trim_end_matches('s'));
        let left_out = match self.left_out {
            0 => String::new(),
            all => format!(", without {} that cannot be used", grouped(all)),
        };
        format!(
            "{}, in {}: {counted}{left_out}",
            self.source,
            self.unit().name()
        )
    }

    /// Creates the recording that lanes use. `name` is the name of the file.
    pub fn recording(self, name: &str) -> Recording {
        let note = self.note();
        let mut recording =
            (self.kind.make)(name, self.kept).expect("a checked capture has numbers");
        recording.note = note.into();
        recording
    }
}

/// Returns the beginning of an error message, such as `line 7: `, or nothing if the line is not known.
fn at(line: u64) -> String {
    match line {
        0 => String::new(),
        line => format!("line {line}: "),
    }
}

/// Returns the beginning of a line or a name, with escapes for unprintable characters.
fn quoted(text: &str) -> String {
    const MOST_CHARS: usize = 32;
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(MOST_CHARS).collect();
    let rest = if letters.next().is_some() { "..." } else { "" };
    format!("{}{rest}", start.escape_debug())
}

#[cfg(test)]
mod tests;
