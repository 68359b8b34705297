//! Reads JSON as a stream: arrays of numbers, arrays of objects, and Chrome traces.

use super::column::{Columns, Origin};
use super::{Capture, invalid};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

/// Returns true if a file with this beginning contains JSON.
pub(super) fn is_json(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let after = text.strip_prefix(b"{").or_else(|| text.strip_prefix(b"["));
    let next = after.and_then(|after| after.trim_ascii_start().first());
    next.is_some_and(|next| b"{[\"]}-0123456789".contains(next))
}

pub(super) fn read(text: impl Read, columns: Columns) -> io::Result<Capture> {
    let mut reader = Reader {
        columns,
        open: HashMap::new(),
        open_count: 0,
        failure: None,
    };
    let mut json = serde_json::Deserializer::from_reader(text);
    loop {
        let value = Value {
            reader: &mut reader,
            name: "",
            row: None,
        };
        let result = value.deserialize(&mut json);
        match (result, reader.failure.take()) {
            (_, Some(failure)) => return Err(failure),
            // A trace may end anywhere, because the game may have been killed.
            (Err(error), _) if error.is_eof() && reader.columns.is_best("dur") => break,
            (Err(error), _) if error.is_io() => return Err(error.into()),
            (Err(error), _) => return Err(invalid(format!("the JSON is not valid: {error}"))),
            (Ok(()), _) if json.end().is_ok() => break,
            (Ok(()), _) => {} // another value follows, as in JSON Lines
        }
    }
    reader.columns.finish()
}

struct Reader<'a> {
    columns: Columns<'a>,
    /// For each thread, a stack of the zones that have begun but not ended, with their start times.
    open: HashMap<String, Vec<(String, Option<f64>)>>,
    open_count: usize,
    /// The error if the numbers cannot be used although the JSON is valid.
    failure: Option<io::Error>,
}

/// The values in a JSON object that describe a frame or a call.
#[derive(Default)]
struct Row {
    zone: Option<String>,
    phase: String,
    start: Option<f64>,
    thread: String,
    numbers: Vec<(String, f64)>,
}

impl Reader<'_> {
    /// If `result` is an error, stores it in `failure` and stops the deserializer.
    fn check<E: de::Error>(&mut self, result: io::Result<()>) -> Result<(), E> {
        result.map_err(|failure| {
            self.failure = Some(failure);
            E::custom("stopped")
        })
    }

    /// Adds a number from an array or from a member of an object.
    fn number(&mut self, name: &str, value: f64) -> io::Result<()> {
        self.columns.add(name);
        if self.columns.is_best(name) {
            self.columns.capture.add(0, value, None)?;
        }
        Ok(())
    }

    /// Adds an object: an event of a trace, or a row of numbers.
    fn row(&mut self, mut row: Row) -> io::Result<()> {
        /// The maximum number of zones that have begun but not ended.
        const MOST_OPEN: usize = 100_000;
        match (&*row.phase, &mut row.zone) {
            ("B", zone) => {
                self.open_count += 1;
                if self.open_count > MOST_OPEN {
                    return Err(invalid(format!("more than {MOST_OPEN} zones have no end")));
                }
                let begun = (zone.take().unwrap_or_default(), row.start);
                self.open.entry(row.thread).or_default().push(begun);
                return Ok(());
            }
            ("E", zone) => {
                let begun = self.open.get_mut(&row.thread).and_then(Vec::pop);
                let Some((name, start)) = begun else {
                    return Ok(());
                };
                self.open_count -= 1;
                if self.open[&row.thread].is_empty() {
                    self.open.remove(&row.thread);
                }
                *zone = Some(name);
                let times = row.start.zip(start);
                let duration = times.map(|(end, start)| ("dur".to_owned(), end - start));
                row.numbers = duration.into_iter().collect();
                row.start = start;
            }
            ("X", _) => row.numbers.retain(|(name, _)| name == "dur"),
            ("", _) => {}
            _ => return Ok(()), // an event without a duration
        }
        for (name, _) in &row.numbers {
            self.columns.add(name);
        }
        let mut numbers = row.numbers.iter();
        let Some((_, value)) = numbers.find(|(name, _)| self.columns.is_best(name)) else {
            return Ok(());
        };
        let from = Origin {
            zone: row.zone.as_deref(),
            thread: &row.thread,
            start: row.start,
            line: 0,
        };
        self.columns.collect(*value, None, from)
    }
}

/// Reads a JSON value. `name` is the key of the member or array that contains it, and `row` is the object around it.
struct Value<'a, 'b> {
    reader: &'a mut Reader<'b>,
    name: &'a str,
    row: Option<&'a mut Row>,
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, words: &mut fmt::Formatter) -> fmt::Result {
        words.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        const MOST_NUMBERS: usize = 1000;
        match (self.row, self.name) {
            (None, name) => {
                let result = self.reader.number(name, value);
                return self.reader.check(result);
            }
            (Some(row), "ts") => row.start = Some(value),
            (Some(row), "pid" | "tid") => row.thread = format!("{} {value}", row.thread),
            (Some(row), name) if row.numbers.len() < MOST_NUMBERS => {
                row.numbers.push((name.to_owned(), value));
            }
            _ => {}
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        match (self.row, self.name) {
            (Some(row), "name") => row.zone = Some(text.to_owned()),
            (Some(row), "ph") => text.clone_into(&mut row.phase),
            (Some(row), "pid" | "tid") => row.thread += text,
            _ => {}
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let Self { reader, name, .. } = self;
        let mut is_next = Some(());
        while is_next.is_some() {
            let reader = &mut *reader;
            let row = None;
            is_next = values.next_element_seed(Value { reader, name, row })?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut row = Row::default();
        while let Some(name) = members.next_key::<String>()? {
            if name == "args" {
                members.next_value::<IgnoredAny>()?; // of an event
                continue;
            }
            members.next_value_seed(Value {
                reader: &mut *self.reader,
                name: &name,
                row: Some(&mut row),
            })?;
        }
        let result = self.reader.row(row);
        self.reader.check(result)
    }
}
