//! Reads and writes settings in the address of a web page. For example, `?strategy=stagger-groups&entities=5000` means
//! `--strategy stagger-groups --entities 5000`.
//!
//! Addresses are parsed like command lines, so both have the same flags, ranges and defaults.

use super::{Invocation, View, WindowOptions};
use crate::catalog::knob::switch;
use crate::catalog::strategy::knobs::BUDGET;
use crate::cli;
use crate::recommend::Limits;
use crate::sim::machine::JITTER_MS;
use crate::sim::settings::{Owner, Setting, Settings, all_knobs};

pub struct PageSettings {
    /// The settings in the page's address. All other settings have their default values.
    pub settings: Settings,
    pub options: WindowOptions,
    /// A sentence for each part of the address that was ignored.
    pub complaints: Vec<String>,
}

/// Flags that have no effect on a web page.
const WINDOW_ONLY: [&str; 5] = ["size", "vsync", "frames", "screenshot", "record"];

/// Flags that take no value on a command line. In an address, their value says whether they are on.
const SWITCHES: [&str; 3] = ["no-budget-limit", "allow-slow-frames", "on-request"];

/// The maximum number of frames that a link can make the page simulate before it shows anything. At 60 frames per
/// second, this is a minute of game time. Without a maximum, a link could block the page.
const MAX_STILL: u64 = 3600;

/// Parses the query string of a URL. Invalid parameters are ignored and reported.
pub fn parse(query: &str) -> PageSettings {
    let mut complaints = Vec::new();
    let mut keys = Vec::new();
    let mut flags = Vec::new();
    let mut parsed = parse_flags(&flags);
    for (key, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
        if keys.contains(&key) {
            let twice = format!("The address sets '{key}' twice, so only the first value is used.");
            complaints.push(on_one_line(&twice));
            continue;
        }
        let state = switch(&value).filter(|_| SWITCHES.contains(&&*key));
        if state == Some(false) {
            continue;
        }
        flags.push(match state {
            Some(_) => format!("--{key}"),
            None => format!("--{key}={value}"),
        });
        let added = check(&key).and_then(|()| parse_flags(&flags));
        match added {
            Ok(_) => {
                keys.push(key);
                parsed = added;
            }
            Err(why) => {
                flags.pop();
                complaints.push(on_one_line(&why));
            }
        }
    }
    let (settings, options) = parsed.expect("only flags with valid values were added");
    PageSettings {
        settings,
        options,
        complaints,
    }
}

/// Checks that a web page supports the flag with this key. The error is a sentence that explains why it does not.
fn check(key: &str) -> Result<(), String> {
    if key.contains('=') {
        // Otherwise, part of the key would be parsed as the value of a flag.
        return Err(format!(
            "'{key}' in the address is not the name of a setting, so it is ignored."
        ));
    }
    if key == "costs" {
        return Err(
            "'costs' in the address is ignored, because an address cannot contain files. Drop the file onto the page \
                instead.".to_owned(),
        );
    }
    if WINDOW_ONLY.contains(&key) {
        return Err(format!(
            "'{key}' in the address is ignored, because it applies only to the desktop window."
        ));
    }
    Ok(())
}

/// Parses flags like those on a command line. The error is a sentence that names an invalid flag.
fn parse_flags(flags: &[String]) -> Result<(Settings, WindowOptions), String> {
    let words = std::iter::once("timeslice-lab").chain(flags.iter().map(String::as_str));
    match cli::parse(words) {
        Ok((settings, Invocation::Window(options))) => match options.still {
            Some(still) if still > MAX_STILL => Err(format!(
                "'still' in the address takes a whole number from 0 to {MAX_STILL}, not '{still}', so it is ignored."
            )),
            _ => Ok((settings, options)),
        },
        Err(exit) if exit.status != 0 => Err(format!(
            "{}, so this part of the address is ignored.",
            reason(&exit.to_string())
        )),
        _ => Err("The flags --help and --version are available only in a terminal.".to_owned()),
    }
}

/// Returns the first paragraph of a command line error, on one line. The later paragraphs are hints for terminal users.
fn reason(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    on_one_line(text.split("\n\n").next().unwrap_or_default())
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn query(settings: &Settings, limits: &Limits, view: View) -> String {
    let parts = parts(settings, limits, view).into_iter();
    let pairs = parts.map(|(key, value)| (key, value.unwrap_or_else(|| "1".to_owned())));
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    query.replace("%2C", ",") // a comma needs no escape, and is easier to read
}

/// Returns the keys and values for a link that restores these settings and this view. They also serve as the flags of a
/// command line that opens the window. A switch has no value.
///
/// A knob is included if it has been set, and any other setting if it differs from the default. The limits and the
/// knobs of the simulated machine are included only for the Compare view. For the Loops view, the jitter is included,
/// but no other knob of its machines. Files are never included.
pub(super) fn parts(
    settings: &Settings,
    limits: &Limits,
    view: View,
) -> Vec<(&'static str, Option<String>)> {
    let default = Settings::default();
    let knobs = all_knobs().into_iter();
    // Include a knob that was set to its default, too, because the Loops view has other defaults.
    let knobs = knobs.filter(|(owner, knob)| {
        let is_jitter = view == View::Loops && **knob == JITTER_MS;
        let is_included = *owner != Owner::Machine || view == View::Compare || is_jitter;
        is_included && settings.knobs.given(knob).is_some()
    });
    let knobs = knobs.map(|(_, knob)| Setting::Knob(knob, settings.knobs.get(knob)));
    let others = [
        Setting::Strategy(settings.strategy),
        Setting::FrameLoop(settings.frame_loop),
        Setting::Target(settings.target),
    ];
    let others = others.into_iter().filter(|setting| !default.have(setting));
    let mut pairs: Vec<_> = others.chain(knobs).filter_map(|it| it.flag()).collect();
    if settings.seed != default.seed {
        pairs.push(("seed", settings.seed.to_string()));
    }
    let tasks = limits.tasks.filter(|_| view == View::Compare);
    if let Some(tasks) = tasks.filter(|tasks| *tasks != settings.knobs.span(&BUDGET)) {
        pairs.push(("tasks-ms", tasks.as_millis_f64().to_string()));
    }
    let pairs = pairs.into_iter().map(|(key, value)| (key, Some(value)));
    let limits = limits.flags().into_iter();
    let limits = limits.filter(|_| view == View::Compare);
    let view = (view != View::Grid).then(|| ("view", Some(view.key())));
    pairs.chain(limits).chain(view).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::frame_loop::FRAME_LOOPS;
    use crate::catalog::strategy::STRATEGIES;
    use crate::catalog::strategy::knobs::{GROUPS, PREDICT};
    use crate::sim::world::{CHURN, ENTITIES, Point};
    use proptest::prelude::*;
    use timeslicer::time::Nanos;

    #[test]
    fn an_address_sets_options_and_opens_the_tour() {
        for query in ["", "&", "&&", "tour=0"] {
            let page = parse(query);
            assert_eq!(page.complaints, [""; 0]);
            assert_eq!(page.settings, Settings::default());
            assert!(!page.options.tour && page.options.log.is_none());
        }
        let page = parse("entities=7k&predict=off&view=loops&log=-&tour=yes");
        assert_eq!(page.complaints, [""; 0]);
        assert_eq!(page.settings.knobs.get(&ENTITIES), 7000.0);
        assert_eq!(page.settings.knobs.get(&PREDICT), 0.0);
        assert_eq!(page.options.view, View::Loops);
        assert!(page.options.log.is_some() && page.options.tour);
        assert_eq!(
            query(&Settings::default(), &Limits::default(), View::Grid),
            ""
        );
    }

    #[test]
    fn invalid_parts_are_reported_and_the_rest_is_used() {
        let page = parse("entities=2000000&groups=7&strategy=fastest&churn-per-s=3");
        assert_eq!(page.settings.knobs.get(&ENTITIES), 400.0);
        assert_eq!(page.settings.knobs.get(&GROUPS), 7.0);
        assert_eq!(page.settings.knobs.get(&CHURN), 3.0);
        assert_eq!(page.settings.strategy.key, "fixed-interval");
        let [entities, strategy] = [0, 1].map(|index| &*page.complaints[index]);
        let reason = ENTITIES.parse("2000000").unwrap_err();
        assert_eq!(
            entities,
            format!("{reason}, so this part of the address is ignored.")
        );
        assert!(strategy.contains("'fastest'") && strategy.contains("every-frame"));
        assert!(!strategy.contains("--help") && !strategy.contains('\n'));
    }

    #[test]
    fn each_invalid_part_is_reported_in_one_sentence() {
        for query in [
            "entities=",
            "entities",
            "=5",
            "entitys=5",
            "run",
            "help",
            "size=900x600",
            "tour=maybe",
            "--entities=5",
            "%00=%ff",
            "still=-1",
            "costs=costs.txt",
            "entities=5&entities=6",
            "entities=%0A5%0AUsage:%0A",
            "log%3D-=-",
            "target=0.5,0.6",
        ] {
            let complaints = parse(query).complaints;
            assert_eq!(complaints.len(), 1, "{query}: {complaints:?}");
            let sentence = &complaints[0];
            assert!(
                sentence.ends_with('.') && !sentence.contains('\n'),
                "{sentence}"
            );
        }
        assert_eq!(
            parse("entities=5&entities=6").settings.knobs.get(&ENTITIES),
            5.0
        );
        assert!(parse("still=3601").complaints[0].contains("to 3600, not '3601'"));
    }

    #[test]
    fn escapes_are_decoded_and_commas_are_not_escaped() {
        assert_eq!(parse("entit%69es=%35").settings.knobs.get(&ENTITIES), 5.0);
        assert!(parse("strategy=a%20b+%zz").complaints[0].contains("'a b %zz'"));
        let settings = Settings {
            target: Some(Point { x: 0.5, y: 0.25 }),
            ..Settings::default()
        };
        let query = query(&settings, &Limits::default(), View::Grid);
        assert_eq!(query, "target=0.5,0.25");
        for query in [&*query, "target=0.5%2C0.25"] {
            assert_eq!(parse(query).settings.target, settings.target);
        }
    }

    proptest! {
        #[test]
        fn queries_reproduce_settings(
            strategy in 0..STRATEGIES.len(),
            frame_loop in 0..FRAME_LOOPS.len(),
            seed: u64,
            target in prop::option::of((0.0..=1.0_f32, 0.0..=0.5_f32)),
            view in prop::sample::select(&View::ALL[..]),
            at in prop::collection::vec(prop::option::of(0.0..=1.0_f64), all_knobs().len()),
            exact: bool,
            near in prop::option::of(0..=60_000_000_000_u64),
            longest in prop::option::of(0..=600_000_000_000_u64),
            wait in prop::option::of(100_000..=600_000_000_000_u64),
            on_request: bool,
        ) {
            let mut settings = Settings {
                strategy: STRATEGIES[strategy],
                frame_loop: FRAME_LOOPS[frame_loop],
                seed,
                target: target.map(|(x, y)| Point { x, y }),
                ..Settings::default()
            };
            for ((owner, knob), at) in all_knobs().into_iter().zip(at) {
                let is_included = owner != Owner::Machine || view == View::Compare;
                if let Some(at) = at.filter(|_| is_included) {
                    let value = knob.min + at * (knob.max - knob.min);
                    settings.knobs.set(knob, if exact { value } else { value.round() });
                }
            }
            let [near, longest, wait] = [near, longest, wait].map(|it| it.map(Nanos::from_nanos));
            let limits = if on_request {
                Limits { wait, on_request, ..Limits::default() }
            } else {
                Limits { near, longest, ..Limits::default() }
            };
            let query = query(&settings, &limits, view);
            let page = parse(&query);
            prop_assert_eq!(page.complaints, Vec::<String>::new());
            prop_assert_eq!(&page.settings, &settings, "{}", query);
            prop_assert_eq!(page.options.view, view);
            if view == View::Compare {
                prop_assert_eq!(page.options.limits(&page.settings), limits);
            }
        }

        #[test]
        fn any_text_is_a_valid_address(query in "\\PC{0,60}") {
            let page = parse(&query);
            for complaint in page.complaints {
                prop_assert!(complaint.ends_with('.') && !complaint.contains('\n'));
            }
        }
    }
}
