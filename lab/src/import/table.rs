//! Reads text with one number per line, and delimited tables with a header.

use super::column::{CHOSEN, Columns, KNOWN, Origin, name_of, start, wait};
use super::{Capture, FRAME_TIMES, at, invalid, quoted};
use std::io::{self, BufRead, Read};
use std::ops::Range;

struct Header {
    delimiter: u8,
    line: u64,
    names: Vec<String>,
}

/// Reads the numbers in a text file. `head` is the beginning of the text, in which the header is searched for.
pub(super) fn read(
    mut text: impl BufRead,
    head: &[u8],
    mut columns: Columns,
) -> io::Result<Capture> {
    const ZONES: [&str; 5] = ["name", "zone", "application", "process", "marker"];
    let header = find_header(head, &columns);
    let is_table = header.is_some();
    let header = header.unwrap_or(Header {
        delimiter: b'\n',
        line: 0,
        names: Vec::new(),
    });
    for name in header.names.iter().filter(|name| !name.is_empty()) {
        columns.add(name);
    }
    let mut names = header.names.iter();
    let column = names.position(|name| columns.is_best(name)).unwrap_or(0);
    let mut names = header.names.iter();
    let zone = names.position(|name| ZONES.contains(&&*name_of(name)));
    let waits = header.names.iter().map(|name| wait(name)).enumerate();
    let mut waits = waits.filter(|_| *columns.capture.kind == FRAME_TIMES);
    let wait = waits.find_map(|(at, wait)| Some((at, wait?)));
    let header_name = header.names.get(column).map_or("", |name| &**name);
    let mut names = header.names.iter();
    let thread = names.position(|name| name_of(name).starts_with("thread"));
    let unit = columns.capture.unit();
    let starts = header.names.iter().map(|name| start(name, unit));
    let start = starts
        .enumerate()
        .find_map(|(at, factor)| Some((at, factor?)));
    let (mut buffer, mut cells, mut line) = (Vec::new(), Vec::new(), 0);
    while next_line(&mut text, &mut buffer, &mut line)? {
        let row = buffer.trim_ascii_end();
        split(row, header.delimiter, &mut cells);
        let is_whole = is_table && cells.len() >= header.names.len();
        let is_call = is_whole && zone.is_some(); // whose zone may begin with a bracket
        if line <= header.line || !is_call && is_skipped(row, is_table) {
            continue;
        }
        let cell = |at: usize| cells.get(at).map(|cell| &row[cell.clone()]);
        let number = |at: usize| number(cell(at)?, header.delimiter);
        let value = number(column);
        let text = |at: Option<usize>| Some(String::from_utf8_lossy(cell(at?)?));
        let (zone, thread) = (text(zone), text(thread));
        let found = text(Some(column)).filter(|it| !["", "NA", header_name].contains(&&**it));
        if let (None, true, Some(found)) = (value, is_whole, found)
            && zone
                .as_deref()
                .is_none_or(|zone| columns.chosen_zone(zone).is_some())
        {
            let text = format!("'{}'", quoted(&found));
            columns.capture.leave_out(line, || text);
        }
        if let Some(value) = value {
            let free = wait.and_then(|(at, [a, b])| Some(a * value + b * number(at)?));
            let from = Origin {
                zone: zone.as_deref(),
                thread: thread.as_deref().unwrap_or_default(),
                start: start.and_then(|(at, factor)| Some(number(at)? * factor)),
                line,
            };
            columns.collect(value, free, from)?;
        }
        if !is_table && (value.is_none() || columns.capture.left_out > 0) {
            let (at, allowed) = (at(line), columns.capture.kind.allowed());
            let row = quoted(&String::from_utf8_lossy(row));
            let has_cells = row.contains([',', ';', '\t']) && row.contains(char::is_alphabetic);
            let hint = has_cells.then_some("; choose a column of a table with --column");
            let why = format!("{at}{allowed}, not '{row}'");
            return Err(invalid(why + hint.unwrap_or_default()));
        }
    }
    columns.finish()
}

/// Reads the next line. Returns false at the end of the text.
fn next_line(text: &mut impl BufRead, line: &mut Vec<u8>, number: &mut u64) -> io::Result<bool> {
    const MOST_BYTES: u64 = 1 << 20;
    line.clear();
    *number += 1;
    let mut text = text.take(MOST_BYTES + 1);
    let count = text.read_until(b'\n', line)? as u64;
    if count > MOST_BYTES {
        let words = format!("{}at most {MOST_BYTES} bytes are allowed", at(*number));
        return Err(invalid(words));
    }
    Ok(count > 0)
}

/// Returns true if a line contains nothing or a comment, or if a line of a table contains metadata.
fn is_skipped(line: &[u8], is_table: bool) -> bool {
    let line = line.trim_ascii_start();
    let is_metadata = line.starts_with(b"//") || line.starts_with(b"[");
    line.is_empty() || line.starts_with(b"#") || is_table && is_metadata
}

/// Parses a number such as `12.5` or `1e3` or, in a table whose delimiter is not a comma, `12,5`. With one number
/// per line, a comma would be ambiguous, because `1,500` means 1500 in some countries and 1.5 in others.
fn number(cell: &[u8], delimiter: u8) -> Option<f64> {
    let text = str::from_utf8(cell).ok()?;
    let has_decimal_commas = matches!(delimiter, b';' | b'\t') && !text.contains('.');
    match text.parse() {
        Err(_) if has_decimal_commas => text.replacen(',', ".", 1).parse().ok(),
        parsed => parsed.ok(),
    }
}

/// Splits a line into cells. Leaves out quotes and the spaces around cells.
fn split(line: &[u8], delimiter: u8, cells: &mut Vec<Range<usize>>) {
    cells.clear();
    let (mut start, mut is_quoted) = (0, false);
    for at in 0..=line.len() {
        let byte = line.get(at).copied();
        is_quoted ^= byte == Some(b'"');
        if byte.is_some() && (byte != Some(delimiter) || is_quoted) {
            continue;
        }
        let is_outside = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'"';
        let cell = &line[start..at];
        let first = cell.iter().position(|byte| !is_outside(byte));
        let last = cell.iter().rposition(|byte| !is_outside(byte));
        cells.push(match first.zip(last) {
            Some((first, last)) => start + first..start + last + 1,
            None => start..start,
        });
        start = at + 1;
    }
}

/// Finds the header of a table. This is the first line that contains a known column name. If there is none, it is the
/// first line above a row of the same width that contains numbers.
fn find_header(head: &[u8], columns: &Columns) -> Option<Header> {
    /// The header is searched for in this number of lines.
    const MOST_BEFORE: u64 = 200;
    let lines = head
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let lines = (1..=MOST_BEFORE).zip(lines);
    let (mut last, mut followed): (Option<Header>, Option<Header>) = (None, None);
    let mut cells = Vec::new();
    for (at, line) in lines.filter(|(_, line)| !is_skipped(line, true)) {
        let count = |delimiter: &u8| line.split(|byte| byte == delimiter).count();
        let delimiter = b",;\t".iter().copied().max_by_key(count)?;
        split(line, delimiter, &mut cells);
        let row: Vec<&[u8]> = cells.iter().map(|cell| &line[cell.clone()]).collect();
        let has_number = row.iter().any(|cell| number(cell, delimiter).is_some());
        if has_number && row.len() == 1 && last.is_none() && followed.is_none() {
            return None; // one number per line
        }
        if let Some(last) = last.take_if(|last| has_number && last.names.len() == row.len()) {
            followed.get_or_insert(last);
        }
        let names = row.iter().map(|name| String::from_utf8_lossy(name).into());
        let names: Vec<String> = names.collect();
        let is_name = |name: &String| name.is_empty() || name.starts_with(char::is_alphabetic);
        let rank = names.iter().map(|name| columns.fit(name).1).max();
        if rank != Some(CHOSEN) && (has_number || !names.iter().all(is_name)) {
            continue;
        }
        let is_known = rank >= Some(KNOWN);
        let header = Header {
            delimiter,
            line: at,
            names,
        };
        if is_known {
            return Some(header);
        }
        last = Some(header);
    }
    followed
}
