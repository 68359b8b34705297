//! What was observed last, held long enough to be read: sentence, table and plots speak of the same frames.

use super::sentence::sentence;
use super::{FigureTable, History, LATELY, Observed};
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use crate::stats::Recovery;
use crate::text::rich::RichText;
use timeslice::time::{ClockTime, Nanos};

/// How long it stands while time goes on.
const HELD: Nanos = Nanos::from_millis(250);

/// Figures of the last [`LATELY`], in words and as a table.
#[derive(Clone, Debug)]
pub struct Lately {
    /// What was observed.
    pub seen: Observed,
    /// What that means.
    pub said: RichText,
    /// Figures of it.
    pub table: FigureTable,
    about: About,
    at: ClockTime,
}

/// What it speaks of: of another thing it speaks at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct About {
    strategy: &'static str,
    epoch: u64,
    changed_at: u64,
    /// The first frame after what was done to it last.
    disturbed_at: Option<u64>,
    warned: bool,
    /// While game time stands, its last frame.
    stands_at: Option<u64>,
}

impl Lately {
    /// Looks again where it is time to, or where something was changed or stepped; `clock` is any clock that
    /// goes on. `stands` says whether game time does, and `warning` what makes all figures doubtful, if
    /// anything.
    pub fn look<'a, M: Machine>(
        held: &'a mut Option<Self>,
        lane: &MeasuredLane<M>,
        history: &History,
        stands: bool,
        warning: Option<String>,
        clock: ClockTime,
    ) -> &'a Self {
        let about = About {
            strategy: lane.settings().strategy.key,
            epoch: history.epoch(),
            changed_at: history.changed_at(),
            disturbed_at: lane.recovery().map(Recovery::from),
            warned: warning.is_some(),
            stands_at: stands.then(|| lane.last_frame().number),
        };
        let still_good = held
            .take()
            .filter(|old| old.about == about && (stands || clock < old.at + HELD));
        held.insert(still_good.unwrap_or_else(|| {
            let seen = Observed::of(lane, history, LATELY);
            // How it took what was done to it goes first; where something makes figures doubtful, nothing does.
            let recovery = lane.recovery().filter(|_| warning.is_none());
            let mut said: RichText = recovery.map(Recovery::clause).into_iter().collect();
            let sentence = sentence(&seen, stands, warning);
            said.clauses.extend(sentence.clauses);
            Self {
                said,
                table: FigureTable::of(&seen),
                seen,
                about,
                at: clock,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::machine::Simulated;
    use crate::sim::settings::Settings;
    use crate::sim::world::{COST, ENTITIES};
    use timeslice::knob::KnobValues;

    struct Watched {
        lane: MeasuredLane<Simulated>,
        history: History,
        held: Option<Lately>,
    }

    impl Watched {
        fn frames(&mut self, count: u64) {
            for _ in 0..count {
                let record = self.lane.frame().clone();
                let past = self.history.begin(&self.lane);
                self.history.end(past, record);
            }
        }

        /// How many frames the figures are of.
        fn seen_at(&mut self, clock_ms: u64, stands: bool) -> usize {
            let clock = ClockTime::at(Nanos::from_millis(clock_ms));
            let (lane, history) = (&self.lane, &self.history);
            let lately = Lately::look(&mut self.held, lane, history, stands, None, clock);
            lately.seen.frames
        }
    }

    fn watched() -> Watched {
        let settings = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 10.0), (&COST, 0.0)]),
            ..Settings::default()
        };
        let machine = Simulated::new(&settings.knobs);
        Watched {
            lane: MeasuredLane::new(settings, machine),
            history: History::default(),
            held: None,
        }
    }

    #[test]
    fn figures_stand_long_enough_to_be_read_but_never_outlive_a_change() {
        let mut watched = watched();
        watched.frames(1);
        assert_eq!(watched.seen_at(1, false), 1);
        watched.frames(5);
        assert_eq!(watched.seen_at(90, false), 1, "they stand");
        assert_eq!(watched.seen_at(251, false), 6);
        watched.frames(2);
        let (next, now) = (watched.lane.frames(), watched.lane.now());
        watched.history.change(next, now);
        assert_eq!(watched.seen_at(252, false), 0, "they are of the change");
        watched.frames(3);
        assert_eq!(watched.seen_at(260, false), 0);
        assert_eq!(watched.seen_at(503, false), 3);
        watched.history.restart();
        assert_eq!(watched.seen_at(504, false), 0, "another run");
    }

    #[test]
    fn while_game_time_stands_they_change_with_each_step_and_by_nothing_else() {
        let mut watched = watched();
        watched.frames(3);
        assert_eq!(watched.seen_at(1, true), 3);
        watched.frames(1);
        assert_eq!(watched.seen_at(2, true), 4);
        assert_eq!(watched.seen_at(90_000, true), 4);
    }

    #[test]
    fn sentence_and_table_are_of_the_same_frames() {
        let mut watched = watched();
        watched.frames(200);
        watched.seen_at(1, false);
        let lately = watched.held.unwrap();
        assert_eq!(lately.table, FigureTable::of(&lately.seen));
        assert_eq!(lately.said, sentence(&lately.seen, false, None));
    }

    #[test]
    fn how_it_took_what_was_done_to_it_is_said_first_and_not_for_ever() {
        let mut watched = watched();
        watched.frames(100);
        watched.lane.disturb(Disturbance::Stall);
        watched.frames(10);
        watched.seen_at(0, false);
        let said = |watched: &Watched| watched.held.as_ref().map(|it| it.said.to_string());
        let text = said(&watched).unwrap();
        assert!(
            text.starts_with("Stall 500 ms: no hitch after it so far"),
            "{text}"
        );
        let warning = Some("nothing is true".to_owned());
        let (lane, history) = (&watched.lane, &watched.history);
        let mut held = None;
        let warned = Lately::look(&mut held, lane, history, false, warning, ClockTime::START);
        assert_eq!(warned.said.to_string(), "nothing is true");
        watched.frames(1000);
        watched.seen_at(1_000, false);
        let text = said(&watched).unwrap();
        assert!(!text.contains("Stall"), "{text}");
    }
}
