//! Reads and writes files of numbers that the user has measured in a game: task costs in microseconds, and frame times in
//! milliseconds. They are text files with one number per line. Blank lines and lines that begin with # are ignored.

use super::export::NamedFile;
use super::export::trace::micros;
use crate::catalog::knob::Knob;
use crate::sim::recording::{FRAME_TIME, Recording};
use crate::sim::settings::Settings;
use crate::sim::world::COST;
use crate::text::format::{self, grouped};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use timeslicer::time::Nanos;

pub const MOST_NUMBERS: usize = 1_000_000;
pub const MOST_BYTES: usize = 16 << 20;
const MAX_QUOTED_CHARS: usize = 32;

/// Reads a file of numbers. Of a file that is too large (or has no end), it reads enough for the parser to reject it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What the numbers in a file are.
pub struct Kind {
    /// The flag that takes the file, without the dashes.
    pub flag: &'static str,
    /// The name of the file in which they are saved.
    pub file: &'static str,
    pub name: &'static str,
    one: &'static str,
    unit: &'static str,
    knob: Knob,
    make: fn(&str, Vec<Nanos>) -> Option<Recording>,
    format: fn(&Nanos) -> String,
}

pub static COSTS: Kind = Kind {
    flag: "costs",
    file: "costs.txt",
    name: "task costs",
    one: "cost",
    unit: "microseconds",
    knob: COST,
    make: Recording::of_costs,
    format: |cost| micros(*cost),
};

pub static FRAME_TIMES: Kind = Kind {
    flag: "frame-times",
    file: "frame-times.txt",
    name: "frame times",
    one: "frame time",
    unit: "milliseconds",
    knob: FRAME_TIME,
    make: Recording::of_frame_times,
    format: Nanos::to_string,
};

/// Returns the recordings that these settings use.
pub fn of_settings(settings: &Settings) -> impl Iterator<Item = (&'static Kind, &Recording)> {
    let costs = settings.own_costs.iter().map(|own| (&COSTS, own));
    let times = settings.frame_times.iter();
    costs.chain(times.map(|times| (&FRAME_TIMES, times)))
}

impl Kind {
    fn allowed(&self) -> String {
        let Self { one, unit, .. } = self;
        let (min, max) = (self.knob.min, self.knob.max);
        format!("a {one} must be a number of {unit} from {min} to {max}")
    }

    /// Parses the contents of a file. `name` is the name of the file.
    ///
    /// # Errors
    ///
    /// If the contents are not valid. The error names the invalid line, its value and what is allowed.
    pub fn parse(&self, name: &str, bytes: &[u8]) -> Result<Recording, String> {
        (self.make)(name, self.numbers(bytes)?).ok_or_else(|| {
            let (one, several) = (self.one, format::things(0, self.one));
            let allowed = self.allowed();
            format!("the file contains no {several}; write one {one} per line ({allowed})")
        })
    }

    fn numbers(&self, bytes: &[u8]) -> Result<Vec<Nanos>, String> {
        const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";
        const UTF_16_MARKS: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];
        if bytes.len() > MOST_BYTES {
            let most = grouped(MOST_BYTES as u64);
            return Err(format!(
                "the file is too large: at most {most} bytes are allowed"
            ));
        }
        if UTF_16_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
            return Err("the file is encoded as UTF-16; save it as UTF-8".to_owned());
        }
        let bytes = bytes.strip_prefix(UTF_8_MARK).unwrap_or(bytes);
        let mut numbers = Vec::new();
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let place = index + 1;
            let Some(number) = self.number(line) else {
                let (allowed, line) = (self.allowed(), quoted(line));
                return Err(format!("line {place}: {allowed}, not '{line}'"));
            };
            if numbers.len() == MOST_NUMBERS {
                let most = format::counted(MOST_NUMBERS as u64, self.one);
                return Err(format!("line {place}: at most {most} are allowed"));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// Parses a number, such as `12.5` or `1e3`. Unlike the values of flags, it must not have a unit, a suffix or a
    /// comma. A comma would be ambiguous, because `1,500` means 1500 in some countries and 1.5 in others.
    fn number(&self, line: &[u8]) -> Option<Nanos> {
        let number: f64 = str::from_utf8(line).ok()?.parse().ok()?;
        self.knob.takes(number).then(|| self.knob.span(number))
    }

    /// Creates a file with these numbers. [`Kind::parse`] restores them exactly, to the nanosecond.
    pub fn saved(&self, recording: &Recording) -> NamedFile {
        let (name, unit) = (format::capitalised(self.name), self.unit);
        let heading = format!("# {name} in {unit}, from {}.\n", recording.name());
        let lines = recording.all().iter().map(|it| (self.format)(it) + "\n");
        NamedFile::new(self.file, heading + &lines.collect::<String>())
    }
}

/// Returns the beginning of a line, with escapes for unprintable characters.
fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(MAX_QUOTED_CHARS).collect();
    let rest = if letters.next().is_some() { "..." } else { "" };
    format!("{}{rest}", start.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nanos(text: impl AsRef<[u8]>) -> Vec<u64> {
        let costs = COSTS
            .parse("costs.txt", text.as_ref())
            .unwrap_or_else(|why| panic!("{why}"));
        costs.all().iter().map(|cost| cost.as_nanos()).collect()
    }

    fn error(text: impl AsRef<[u8]>) -> String {
        COSTS
            .parse("costs.txt", text.as_ref())
            .expect_err("no costs")
    }

    #[test]
    fn each_line_has_a_cost_in_microseconds() {
        assert_eq!(nanos("3\n1.5\n20000\n0"), [0, 1500, 3000, 20_000_000]);
        assert_eq!(
            nanos("1e3\n+2\n.5\n5.\n-0\n"),
            [0, 500, 2000, 5000, 1_000_000]
        );
        assert_eq!(nanos("0.0004\n0.0006"), [0, 1], "rounded to nanoseconds");
        assert_eq!(nanos("7"), [7000]);
    }

    #[test]
    fn remarks_blanks_and_platform_habits_are_ignored() {
        let windows = "\u{feff}# zone\r\n\r\n 12.5 \r\n\t# rest\r\n80\t\r\n";
        assert_eq!(nanos(windows), [12_500, 80_000]);
        assert_eq!(nanos(b"# caf\xe9, in Latin-1\n4"), [4000]);
    }

    #[test]
    fn a_bad_line_is_named_with_its_value_and_what_is_allowed() {
        for bad in [
            "many",
            "-1",
            "10000000.1",
            "nan",
            "inf",
            "-inf",
            "1e999",
            "0x10",
            "12.5 µs",
            "1,500",
            "1.5k",
            "1 2",
            "--",
        ] {
            let expected = format!(
                "line 3: a cost must be a number of microseconds from 0 to 10000000, not '{}'",
                bad.escape_debug()
            );
            assert_eq!(error(format!("# costs\r\n5\r\n{bad}\r\n6")), expected);
        }
        assert!(error("1\r2").contains(r"'1\r2'"));
        assert!(error(b"\x7fELF\0\x01\xff\n").starts_with("line 1: "));
        assert!(error("x".repeat(9999)).len() < 120);
        assert!(error(b"\xff\xfe1\0").contains("UTF-16"));
    }

    #[test]
    fn a_file_without_costs_and_one_that_is_too_long_are_refused() {
        for none in ["", "\n\n", "# nothing\n", "\u{feff}"] {
            assert!(error(none).contains("contains no costs"), "{none:?}");
        }
        assert_eq!(nanos("1\n".repeat(MOST_NUMBERS)).len(), MOST_NUMBERS);
        let many = error("1\n".repeat(MOST_NUMBERS + 1));
        assert_eq!(many, "line 1000001: at most 1,000,000 costs are allowed");
        let large = error(vec![b'\n'; MOST_BYTES + 1]);
        assert!(large.contains("16,777,216 bytes"), "{large}");
    }

    proptest! {
        #[test]
        fn any_lines_are_costs_in_range_or_an_error(
            lines in prop::collection::vec("[0-9.eE+-]{1,8}|[#\\PC]{0,9}", 0..9),
        ) {
            check(lines.join("\n").as_bytes());
        }

        #[test]
        fn saved_costs_are_read_back(nanos in prop::collection::vec(0..=20_000_000_u64, 1..50)) {
            let all = nanos.into_iter().map(Nanos::from_nanos).collect();
            let costs = Recording::of_costs("a\nb.csv", all).expect("costs");
            let again = COSTS.parse(costs.name(), &COSTS.saved(&costs).bytes);
            prop_assert_eq!(again, Ok(costs));
        }
    }

    #[test]
    fn frame_times_are_in_milliseconds_and_keep_their_order() {
        let times = FRAME_TIMES
            .parse("session.txt", b"# 60 Hz\n16.7\n33.3\n16.6\n")
            .expect("times");
        let micros = [16_700, 33_300, 16_600].map(Nanos::from_micros);
        assert_eq!((times.all(), times.median()), (&micros[..], micros[0]));
        let again = FRAME_TIMES.parse(times.name(), &FRAME_TIMES.saved(&times).bytes);
        assert_eq!(again.as_ref(), Ok(&times));
        assert_eq!(
            FRAME_TIMES
                .parse("session.txt", b"16.7\n0")
                .expect_err("no frame takes no time"),
            "line 2: a frame time must be a number of milliseconds from 0.01 to 60000, not '0'"
        );
    }

    fn check(bytes: &[u8]) {
        match COSTS.parse("any", bytes) {
            Ok(costs) => {
                let (least, most) = (costs.all()[0], costs.all()[costs.all().len() - 1]);
                assert!(costs.all().is_sorted() && most <= COST.span(COST.max));
                assert!((least..=most).contains(&costs.mean()));
            }
            Err(why) => assert!(!why.contains('\n') && why.len() < 300, "{why:?}"),
        }
    }
}
