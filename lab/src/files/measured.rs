//! Reads and writes files of task costs and frame times that the user has measured in a game. The lab saves them as text
//! with one number per line.

use super::export::NamedFile;
use super::export::trace::micros;
use crate::import::{self, Capture, Choice};
pub use crate::import::{COSTS, FRAME_TIMES, Kind};
use crate::sim::recording::Recording;
use crate::sim::settings::Settings;
use crate::text::format;
use std::io::{self, Read};

/// Reads the contents of a file in any supported format. Calls `progress` with the number of bytes read so far.
pub fn read(
    source: impl Read,
    kind: Option<&'static Kind>,
    choice: &Choice,
    progress: impl FnMut(u64),
) -> io::Result<Capture> {
    let mut source = Watched {
        source,
        done: 0,
        progress,
    };
    import::read(&mut source, kind, choice)
}

struct Watched<R, P> {
    source: R,
    done: u64,
    progress: P,
}

impl<R: Read, P: FnMut(u64)> Read for Watched<R, P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const STEP: u64 = 8 << 20;
        let count = self.source.read(buffer)?;
        let before = self.done / STEP;
        self.done += count as u64;
        if self.done / STEP > before {
            (self.progress)(self.done);
        }
        Ok(count)
    }
}

/// Returns the recordings that these settings use.
pub fn of_settings(settings: &Settings) -> impl Iterator<Item = (&'static Kind, &Recording)> {
    let costs = settings.own_costs.iter().map(|own| (&COSTS, own));
    let times = settings.frame_times.iter();
    costs.chain(times.map(|times| (&FRAME_TIMES, times)))
}

impl Kind {
    /// Creates a file with these numbers. [`read`] restores them exactly, to the nanosecond.
    pub fn saved(&self, recording: &Recording) -> NamedFile {
        let (name, unit) = (format::capitalised(self.name), self.unit.words());
        let heading = format!("# {name} in {unit}, from {}.\n", recording.name);
        let lines = recording.all.iter().map(|time| match self {
            _ if *self == COSTS => micros(*time) + "\n",
            _ => format!("{time}\n"),
        });
        NamedFile::new(self.file, heading + &lines.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use timeslicer::time::Nanos;

    proptest! {
        #[test]
        fn saved_times_are_read_back(nanos in prop::collection::vec(10_000..=20_000_000_u64, 1..50)) {
            let all: Vec<Nanos> = nanos.into_iter().map(Nanos::from_nanos).collect();
            let costs = Recording::of_costs("a\nb.csv", all.clone()).expect("costs");
            let again = COSTS.parse(&costs.name, &COSTS.saved(&costs).bytes);
            prop_assert_eq!(again, Ok(costs));
            let times = Recording::of_frame_times("session.txt", all).expect("times");
            let again = FRAME_TIMES.parse(&times.name, &FRAME_TIMES.saved(&times).bytes);
            prop_assert_eq!(again, Ok(times));
        }
    }
}
