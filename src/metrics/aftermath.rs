//! How a lane took what was done to it last.

use super::FrameRecord;
use super::verdict::{at_most, counted, time};
use crate::shock::Shock;
use crate::time::Nanos;

/// It is watched for so long, of the machine's time.
pub const WATCHED: Nanos = Nanos::from_secs(3);
/// It is told of for so long.
const TOLD: Nanos = Nanos::from_secs(8);
/// Hitches so close to the end of the watch are not over.
const CALM: Nanos = Nanos::from_millis(500);

/// What came of a [`Shock`] in the frames after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aftermath {
    shock: Shock,
    /// Whether most frames before it were hitches.
    rough_before: bool,
    /// How much time has passed since.
    passed: Nanos,
    hitches: u32,
    longest: Nanos,
    /// How long after the shock the last hitch was over.
    last: Nanos,
    peak_runs: u32,
    backlog: usize,
}

impl Aftermath {
    pub(crate) fn new(shock: Shock, rough_before: bool) -> Self {
        Self {
            shock,
            rough_before,
            passed: Nanos::ZERO,
            hitches: 0,
            longest: Nanos::ZERO,
            last: Nanos::ZERO,
            peak_runs: 0,
            backlog: 0,
        }
    }

    /// The next frame is over, `stall` of which the shock itself took. One that lasts longer than `hitch` apart
    /// from that is a hitch.
    pub(crate) fn frame(&mut self, frame: &FrameRecord, stall: Nanos, hitch: Nanos) {
        let length = frame.length - stall;
        let is_watched = self.passed < WATCHED;
        self.passed += length;
        if !is_watched {
            return;
        }
        self.peak_runs = self.peak_runs.max(frame.runs);
        self.backlog = self.backlog.max(frame.backlog);
        if length > hitch {
            self.hitches += 1;
            self.longest = self.longest.max(length);
            self.last = self.passed;
        }
    }

    /// Whether it is so long ago that nobody asks any more.
    pub(crate) fn is_over(&self) -> bool {
        self.passed >= TOLD
    }

    /// What came of it, in words; as [`crate::observe::sentence::Said::say`] takes them.
    #[must_use]
    pub fn text(&self) -> String {
        let ran = match self.peak_runs {
            0 => "nothing ran".to_owned(),
            most => format!("at most {} a frame", counted(most.into(), "task")),
        };
        let waited = match self.backlog {
            0 => String::new(),
            some => format!(", {} waiting", counted(some as u64, "task")),
        };
        let text = format!(
            "{}: {}, {ran}{waited}",
            self.name(),
            self.hitches_in_words()
        );
        if self.is_rough() {
            format!("!{text}!")
        } else {
            text
        }
    }

    /// What was done to it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.shock.name()
    }

    /// Whether any frame after it was a hitch.
    #[must_use]
    pub fn is_rough(&self) -> bool {
        self.hitches > 0
    }

    /// The hitches after it, in words: `one hitch of 40 ms, smooth again after 90 ms`.
    #[must_use]
    pub fn hitches_in_words(&self) -> String {
        let so_far = if self.passed < WATCHED { " so far" } else { "" };
        let hitches = match self.hitches {
            0 => return format!("no hitch{so_far}"),
            1 => format!("one hitch of {}", time(self.longest)),
            some => format!(
                "{}, the longest {}",
                counted(some.into(), "hitch"),
                time(self.longest)
            ),
        };
        let is_calm = self.passed >= self.last + CALM;
        if !is_calm && self.rough_before {
            format!("{hitches}, as before")
        } else if !is_calm && self.passed < WATCHED {
            format!("{hitches} so far")
        } else if self.last + CALM > WATCHED {
            format!("{hitches}, not over after {}", time(WATCHED))
        } else {
            format!("{hitches}, smooth again after {}", at_most(self.last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::Lane;
    use crate::machine::Simulated;
    use crate::settings::Settings;
    use crate::strategy::{STRATEGIES, by_key};

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn text(after: &Aftermath) -> String {
        after.text().replace(['*', '!'], "")
    }

    fn after(lengths_ms: &[u64]) -> Aftermath {
        let mut after = Aftermath::new(Shock::Births, false);
        for &ms in lengths_ms {
            let frame = FrameRecord {
                length: MS(ms),
                runs: 5,
                ..FrameRecord::default()
            };
            after.frame(&frame, Nanos::ZERO, MS(25));
        }
        after
    }

    #[test]
    fn a_smooth_one_is_told_as_such() {
        let so_far = text(&after(&[16; 10]));
        assert_eq!(
            so_far,
            "100 births: no hitch so far, at most 5 tasks a frame"
        );
        let whole = text(&after(&[16; 200]));
        assert_eq!(whole, "100 births: no hitch, at most 5 tasks a frame");
    }

    #[test]
    fn hitches_are_counted_until_it_is_smooth_again() {
        let lengths = |hitches: usize, calm: usize| [vec![100; hitches], vec![16; calm]].concat();
        for (hitches, calm, words) in [
            (1, 2, "one hitch of 100 ms so far"),
            (1, 40, "one hitch of 100 ms, smooth again after 100 ms"),
            (
                2,
                200,
                "2 hitches, the longest 100 ms, smooth again after 200 ms",
            ),
            (28, 30, "28 hitches, the longest 100 ms, not over after 3 s"),
            (
                40,
                200,
                "30 hitches, the longest 100 ms, not over after 3 s",
            ),
        ] {
            let told = text(&after(&lengths(hitches, calm)));
            let expected = format!("100 births: {words}, at most 5 tasks a frame");
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn the_stall_itself_is_no_hitch_but_what_it_leaves_behind_is() {
        let lane = |key: &str| {
            let settings = Settings {
                strategy: by_key(key).unwrap(),
                ..Settings::default()
            };
            let mut lane = Lane::new(settings.clone(), Simulated::new(&settings.knobs));
            (0..100).for_each(|_| drop(lane.frame().clone()));
            lane.shock(Shock::Stall);
            (0..200).for_each(|_| drop(lane.frame().clone()));
            text(&lane.report().aftermath.unwrap())
        };
        // 4 tasks of 0.1 ms a frame, whatever time has passed; and 400 that are due at once.
        assert_eq!(
            lane("max-per-frame"),
            "Stall 500 ms: no hitch, at most 4 tasks a frame"
        );
        assert!(
            lane("fixed-interval")
                .starts_with("Stall 500 ms: one hitch of 40 ms, smooth again after"),
            "{}",
            lane("fixed-interval")
        );
    }

    #[test]
    fn it_is_told_until_something_else_is_changed_or_it_is_long_ago() {
        for entry in STRATEGIES {
            let settings = Settings {
                strategy: entry,
                ..Settings::default()
            };
            let mut lane = Lane::new(settings.clone(), Simulated::new(&settings.knobs));
            lane.frame();
            assert!(lane.report().aftermath.is_none());
            for shock in Shock::ALL {
                lane.shock(shock);
                assert!(lane.report().aftermath.is_some(), "{}", shock.name());
                lane.frame();
            }
            lane.set_knob(&crate::world::COST, 1.0);
            assert!(lane.report().aftermath.is_none());
            lane.shock(Shock::Stall);
            (0..900).for_each(|_| drop(lane.frame().clone()));
            assert!(lane.report().aftermath.is_none());
        }
    }
}
