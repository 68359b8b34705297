//! Generates the file `settings.txt`, which is saved next to other exported files. It contains the commands that
//! reproduce those files, each with a comment above it.

use super::View;
use super::address::parts;
use crate::comparison::strategies::Comparison;
use crate::files::measured;
use crate::recommend::Limits;
use crate::sim::settings::Settings;

/// Returns the contents of `settings.txt`. `length` is how long the view has run. `commands` contains descriptions and
/// command lines. This function adds the command that opens the window. `changes` lists the user's changes.
pub fn text(
    view: View,
    length: &str,
    settings: &Settings,
    limits: &Limits,
    commands: &[(&str, String)],
    changes: &[String],
) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut parts = vec![format!(
        "# Timeslice Lab {version} saved this folder in the {} view after {length}.\n",
        view.name()
    )];
    let files = measured::of_settings(settings).filter(|_| view != View::Loops);
    parts.extend(files.map(|(kind, recording)| {
        let (what, name, saved) = (kind.name, &recording.name, kind.file);
        format!("# The {what} come from {name} and are saved in {saved}, so run the commands in this folder.\n")
    }));
    let window = ("opens the view again", window_line(settings, limits, view));
    let commands = commands.iter().chain([&window]);
    parts.extend(commands.map(|(purpose, line)| format!("# This command {purpose}:\n{line}\n")));
    if !changes.is_empty() {
        let changes = changes.join("\n#   ");
        parts.push(format!(
            "# These changes were made by hand during the run. The settings above are those at its end:\n#   {changes}\n"
        ));
    }
    parts.concat()
}

/// Returns a command line with the flags for `settings`, followed by `others`.
fn line(
    command: &str,
    settings: &Settings,
    others: impl IntoIterator<Item = (&'static str, Option<String>)>,
) -> String {
    let settings = settings.flags().into_iter();
    let settings = settings.map(|(name, value)| (name, Some(value)));
    let flags = settings.chain(others).map(|(name, value)| match value {
        Some(value) => format!(" --{name} {value}"),
        None => format!(" --{name}"),
    });
    format!("timeslice-lab{command}{}", flags.collect::<String>())
}

/// Returns the command that runs these settings on a simulated machine for `frames` frames.
pub fn run_line(settings: &Settings, frames: u64) -> String {
    line(" run", settings, [("frames", Some(frames.to_string()))])
}

pub fn window_line(settings: &Settings, limits: &Limits, view: View) -> String {
    let files = measured::of_settings(settings);
    let files = files.map(|(kind, _)| (kind.flag, Some(kind.file.to_owned())));
    let parts = parts(settings, limits, view).into_iter();
    line("", &Settings::default(), parts.chain(files))
}

/// Returns the command that repeats a comparison of all strategies for as long as it has run so far. If the comparison
/// has not started yet, the command runs for the default time.
pub fn compare_line(comparison: &Comparison, limits: &Limits) -> String {
    let settings = Settings {
        strategy: Settings::default().strategy,
        ..comparison.settings().clone()
    };
    let time = Some(comparison.time()).filter(|time| !time.is_zero());
    let time = time.map(|time| ("seconds", Some(time.in_seconds())));
    line(
        " compare",
        &settings,
        limits.flags().into_iter().chain(time),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::knob::KnobValues;
    use crate::catalog::strategy::STRATEGIES;
    use crate::cli::{Invocation, parse};
    use crate::sim::lane::Length;
    use crate::sim::machine::SPEED;
    use crate::sim::recording::Recording;
    use crate::sim::world::{COST, COST_SPREAD};
    use crate::testing::settings;
    use timeslicer::time::Nanos;

    #[test]
    fn a_text_has_the_command_lines_and_the_changes() {
        let settings = Settings {
            knobs: KnobValues::with(&[(&COST, 7.0), (&SPEED, 2.0)]),
            own_costs: Recording::of_costs("zombies.csv", vec![Nanos::from_micros(30)]),
            ..Settings::default()
        };
        let limits = Limits {
            tasks: Some(Nanos::from_millis(3)),
            longest: Some(Nanos::SECOND),
            ..Limits::default()
        };
        let version = env!("CARGO_PKG_VERSION");
        let text = |view, commands: &[_], changes: &[_]| {
            text(view, "9 frames", &settings, &limits, commands, changes)
        };
        let run = ("runs the same settings", run_line(&settings, 9));
        assert_eq!(
            text(View::Compare, &[run], &["at 1 s: Stall".to_owned()]),
            format!(
                "# Timeslice Lab {version} saved this folder in the Compare view after 9 frames.\n\
                 # The task costs come from zombies.csv and are saved in costs.txt, so run the commands in this folder.\n\
                 # This command runs the same settings:\n\
                 timeslice-lab run --cost-us 7 --speed 2 --costs costs.txt --frames 9\n\
                 # This command opens the view again:\n\
                 timeslice-lab --cost-us 7 --speed 2 --tasks-ms 3 --worst-s 1 --view compare --costs costs.txt\n\
                 # These changes were made by hand during the run. The settings above are those at its end:\n\
                 #   at 1 s: Stall\n"
            )
        );
        let text = text(View::Loops, &[], &[]);
        assert!(!text.contains("zombies.csv"), "{text}");
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn compare_lines_reproduce_settings_and_time() {
        let settings = Settings {
            seed: u64::MAX,
            ..settings("fixed-interval", "fixed-step", &[(&COST_SPREAD, 0.1 + 0.2)])
        };
        let mut comparison = Comparison::new(&settings, STRATEGIES);
        comparison.advance(Nanos::from_nanos(1));
        let line = compare_line(&comparison, &Limits::default());
        let Ok((read_back, Invocation::Compare(options))) = parse(line.split(' ')) else {
            panic!("{line}");
        };
        assert_eq!(read_back.seed, settings.seed, "{line}");
        assert_eq!(read_back.knobs, settings.knobs, "{line}");
        assert_eq!(read_back.frame_loop, settings.frame_loop, "{line}");
        assert_eq!(options.length.length(), Length::Time(comparison.time()));
        assert_eq!(options.strategies, STRATEGIES, "{line}");
    }
}
