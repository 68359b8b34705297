//! Reads and writes files of task costs. They are text files with one cost in microseconds per line. Blank lines and
//! lines that begin with # are ignored.

use super::export::NamedFile;
use super::export::trace::micros;
use crate::sim::settings::SAVED_COSTS;
use crate::sim::world::{COST, OwnCosts};
use crate::text::format::grouped;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use timeslicer::time::Nanos;

pub const MOST_COSTS: usize = 1_000_000;
pub const MOST_BYTES: usize = 16 << 20;
const MAX_QUOTED_CHARS: usize = 32;

/// Reads a file of task costs. If it is too large, only its beginning is read, even if it has no end. [`parse`] then
/// rejects it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Parses the contents of a file with task costs. `name` is the name of the file.
///
/// # Errors
///
/// If the contents are not valid costs. The error names the invalid line, its value and what is allowed.
pub fn parse(name: &str, bytes: &[u8]) -> Result<OwnCosts, String> {
    const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";
    const UTF_16_MARKS: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];
    let (min, max) = (COST.min, COST.max);
    let allowed = format!("a cost must be a number of microseconds from {min} to {max}");
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
    let mut costs = Vec::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let number = index + 1;
        let Some(cost) = cost(line) else {
            return Err(format!("line {number}: {allowed}, not '{}'", quoted(line)));
        };
        if costs.len() == MOST_COSTS {
            let most = grouped(MOST_COSTS as u64);
            return Err(format!("line {number}: at most {most} costs are allowed"));
        }
        costs.push(cost);
    }
    OwnCosts::new(name, costs)
        .ok_or_else(|| format!("the file contains no costs; write one cost per line ({allowed})"))
}

/// Parses a cost in microseconds, such as `12.5` or `1e3`. Unlike the values of flags, costs must not have a unit, a
/// suffix or a comma. A comma would be ambiguous, because `1,500` means 1500 in some countries and 1.5 in others.
fn cost(line: &[u8]) -> Option<Nanos> {
    let micros: f64 = str::from_utf8(line).ok()?.parse().ok()?;
    COST.takes(micros).then(|| COST.span(micros))
}

/// Returns the beginning of a line, with escapes for unprintable characters.
fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(MAX_QUOTED_CHARS).collect();
    let rest = if letters.next().is_some() { "..." } else { "" };
    format!("{}{rest}", start.escape_debug())
}

/// Creates a file with these costs. [`parse`] restores them exactly, to the nanosecond.
pub fn saved(costs: &OwnCosts) -> NamedFile {
    let mut text = format!("# Task costs in microseconds, from {}.\n", costs.name());
    for cost in costs.sorted() {
        text += &(micros(*cost) + "\n");
    }
    NamedFile::new(SAVED_COSTS, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nanos(text: impl AsRef<[u8]>) -> Vec<u64> {
        let costs = parse("costs.txt", text.as_ref()).unwrap_or_else(|why| panic!("{why}"));
        costs.sorted().iter().map(|cost| cost.as_nanos()).collect()
    }

    fn error(text: impl AsRef<[u8]>) -> String {
        parse("costs.txt", text.as_ref()).expect_err("no costs")
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
            "many", "-1", "20000.1", "nan", "inf", "-inf", "1e999", "0x10", "12.5 µs", "1,500",
            "1.5k", "1 2", "--",
        ] {
            let expected = format!(
                "line 3: a cost must be a number of microseconds from 0 to 20000, not '{}'",
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
        assert_eq!(nanos("1\n".repeat(MOST_COSTS)).len(), MOST_COSTS);
        let many = error("1\n".repeat(MOST_COSTS + 1));
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
            let costs = OwnCosts::new("a\nb.csv", all).expect("costs");
            let again = parse(costs.name(), &saved(&costs).bytes);
            prop_assert_eq!(again, Ok(costs));
        }
    }

    fn check(bytes: &[u8]) {
        match parse("any", bytes) {
            Ok(costs) => {
                assert!(costs.sorted().is_sorted() && costs.most() <= COST.span(COST.max));
                assert!((costs.least()..=costs.most()).contains(&costs.mean()));
            }
            Err(why) => assert!(!why.contains('\n') && why.len() < 300, "{why:?}"),
        }
    }
}
