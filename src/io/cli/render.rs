//! Command lines that reproduce settings: only the flags that differ from the defaults.

use super::{Invocation, parse};
use crate::experiment::comparison::Comparison;
use crate::experiment::loop_race::{Race, Side, shared_knobs};
use crate::sim::settings::{Owner, Settings, all_knobs};
use std::fmt::Write;
use timeslice::knob::{Knob, KnobValues};
use timeslice::strategy::{STRATEGIES, StrategyEntry};

/// A command line that is being written.
struct CommandLine(String);

impl CommandLine {
    /// The program with these words, the name of a command among them.
    fn new(words: &str) -> Self {
        Self(format!("timeslice-lab{words}"))
    }

    fn flag(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        let _ = write!(self.0, " --{name} {value}"); // a string takes everything
        self
    }

    fn flag_if(self, is_wanted: bool, name: &str, value: impl std::fmt::Display) -> Self {
        if is_wanted {
            self.flag(name, value)
        } else {
            self
        }
    }

    /// Flags for everything in `settings` that differs from the defaults, except the strategy: there may be several.
    fn settings(self, settings: &Settings, defaults: &Settings, owned: fn(Owner) -> bool) -> Self {
        let frame_loop = settings.frame_loop;
        let line = self
            .flag_if(frame_loop != defaults.frame_loop, "loop", frame_loop.key)
            .flag_if(settings.seed != defaults.seed, "seed", settings.seed);
        let all = all_knobs().into_iter().filter(|(owner, _)| owned(*owner));
        line.knobs(&settings.knobs, &defaults.knobs, all.map(|(_, knob)| knob))
    }

    fn knobs(
        self,
        knobs: &KnobValues,
        defaults: &KnobValues,
        all: impl Iterator<Item = &'static Knob>,
    ) -> Self {
        all.fold(self, |line, knob| {
            let value = knobs.get(knob);
            line.flag_if(value != defaults.get(knob), knob.key, value)
        })
    }
}

/// The defaults of a command; those of `run` and the window differ.
fn defaults(command: &[&str]) -> Settings {
    match parse([&["timeslice-lab"], command].concat()) {
        Ok(
            Invocation::Window(settings, _)
            | Invocation::Run(settings, _)
            | Invocation::Compare(settings, _),
        ) => settings,
        _ => Settings::default(), // a test ensures that the commands exist
    }
}

/// Runs these settings on a simulated machine, for `frames` frames.
#[must_use]
pub fn run_line(settings: &Settings, frames: u64) -> String {
    let defaults = defaults(&["run"]);
    let strategy = settings.strategy;
    CommandLine::new(" run")
        .flag_if(strategy != defaults.strategy, "strategy", strategy.key)
        .settings(settings, &defaults, |_| true)
        .flag("frames", frames)
        .0
}

/// Opens the window with these settings, except the machine's: there it is this computer.
#[must_use]
pub fn window_line(settings: &Settings) -> String {
    let defaults = defaults(&[]);
    let strategy = settings.strategy;
    CommandLine::new("")
        .flag_if(strategy != defaults.strategy, "strategy", strategy.key)
        .settings(settings, &defaults, |owner| owner != Owner::Machine)
        .0
}

/// Runs the same comparison, for the same time.
#[must_use]
pub fn compare_line(comparison: &Comparison) -> String {
    let defaults = defaults(&["compare"]);
    let chosen: &[&StrategyEntry] = match comparison.strategies() {
        all if all == STRATEGIES => &[],
        chosen => chosen,
    };
    let line = CommandLine::new(" compare");
    chosen
        .iter()
        .fold(line, |line, entry| line.flag("strategy", entry.key))
        .settings(comparison.settings(), &defaults, |_| true)
        .flag("seconds", comparison.time().in_seconds())
        .0
}

/// Opens the window's view of loops with the loops' knobs and the cost of `race`. Its machines' knobs have no
/// flags.
#[must_use]
pub fn loops_line(race: &Race) -> String {
    let of = |race: &Race| {
        let mut knobs = KnobValues::default();
        for knob in shared_knobs() {
            knobs.set(knob, race.knob(Side::Fast, knob));
        }
        knobs
    };
    CommandLine::new(" --view loops")
        .knobs(&of(race), &of(&Race::default()), shared_knobs())
        .0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::Length;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::settings::FADE;
    use crate::sim::world::{COST, COST_SPREAD, ENTITIES};
    use timeslice::frame_loop;
    use timeslice::frame_loop::knobs::STEP;
    use timeslice::strategy::by_key;
    use timeslice::time::Nanos;

    fn read(line: &str) -> Invocation {
        parse(line.split(' ')).unwrap_or_else(|refusal| panic!("{line}: {}", refusal.text))
    }

    fn settings() -> Settings {
        Settings {
            strategy: by_key("time-budget").unwrap(),
            frame_loop: frame_loop::by_key("fixed-step").unwrap(),
            knobs: KnobValues::with(&[
                (&ENTITIES, 1_000_000.0),
                (&COST_SPREAD, 0.1 + 0.2),
                (&STEP, 1.0 / 3.0),
                (&RENDER_MS, 1e-7),
                (&FADE, 900.0),
            ]),
            seed: u64::MAX,
        }
    }

    fn assert_same(read: &Settings, settings: &Settings, machine: bool) {
        assert_eq!(read.strategy.key, settings.strategy.key);
        assert_eq!(read.frame_loop.key, settings.frame_loop.key);
        assert_eq!(read.seed, settings.seed);
        for (owner, knob) in all_knobs() {
            if machine || owner != Owner::Machine {
                let (read, was) = (read.knobs.get(knob), settings.knobs.get(knob));
                assert_eq!(read, was, "{}", knob.key);
            }
        }
    }

    #[test]
    fn every_setting_comes_back_to_the_last_bit() {
        for settings in [settings(), Settings::default()] {
            let line = run_line(&settings, 512);
            let Invocation::Run(read_back, options) = read(&line) else {
                panic!("{line}");
            };
            assert_same(&read_back, &settings, true);
            assert_eq!(options.length, Length::Frames(512));
            let line = window_line(&settings);
            let Invocation::Window(read_back, _) = read(&line) else {
                panic!("{line}");
            };
            assert_same(&read_back, &settings, false);
        }
    }

    #[test]
    fn only_what_differs_is_said() {
        // A task costs 0.1 ms in the window, and nothing in `run`.
        let line = run_line(&Settings::default(), 3);
        assert_eq!(line, "timeslice-lab run --cost-us 100 --frames 3");
        assert_eq!(window_line(&Settings::default()), "timeslice-lab");
    }

    #[test]
    fn a_comparison_comes_back_with_its_length() {
        let settings = settings();
        for nanos in [0, 1, 16_666_666, 123_456_789_012_345] {
            // Without lanes, so that the longest takes no time; with some the other test has it.
            let mut comparison = Comparison::new(&settings, &[]);
            comparison.advance(Nanos::from_nanos(nanos));
            let line = compare_line(&comparison);
            let Invocation::Compare(read_back, options) = read(&line) else {
                panic!("{line}");
            };
            let strategy = read_back.strategy;
            assert_same(
                &read_back,
                &Settings {
                    strategy,
                    ..settings.clone()
                },
                true,
            );
            assert_eq!(options.length, Length::Time(Nanos::from_nanos(nanos)));
        }
    }

    #[test]
    fn a_comparison_comes_back_with_its_strategies() {
        for strategies in [STRATEGIES, &STRATEGIES[1..], &STRATEGIES[..1]] {
            let comparison = Comparison::new(&settings(), strategies);
            let line = compare_line(&comparison);
            let Invocation::Compare(_, options) = read(&line) else {
                panic!("{line}");
            };
            let keys = |all: &[&StrategyEntry]| all.iter().map(|it| it.key).collect::<Vec<_>>();
            assert_eq!(keys(&options.strategies), keys(strategies), "{line}");
            let all = strategies.len() == STRATEGIES.len();
            assert_eq!(line.contains("--strategy"), !all, "{line}");
        }
    }

    #[test]
    fn a_race_comes_back_but_for_its_machines() {
        assert_eq!(loops_line(&Race::default()), "timeslice-lab --view loops");
        let mut race = Race::default();
        race.set_knob(Side::Fast, &STEP, 7.5);
        // What others have at first is not what it has.
        race.set_knob(Side::Fast, &COST, COST.default);
        let line = loops_line(&race);
        let Invocation::Window(read_back, options) = read(&line) else {
            panic!("{line}");
        };
        assert_eq!(options.view, "loops");
        let again = Race::new(&read_back.knobs);
        for knob in shared_knobs() {
            for side in Side::BOTH {
                assert_eq!(again.knob(side, knob), race.knob(side, knob), "{line}");
            }
        }
    }
}
