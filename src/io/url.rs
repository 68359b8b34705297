//! Settings in the address of a page: `?strategy=stagger-groups&entities=5000` says what
//! `--strategy stagger-groups --entities 5000` says on the command line, and is read by the same parser, so that flags,
//! ranges and defaults are the same.

use super::cli;
use super::cli::{Invocation, WindowOptions};
use crate::sim::settings::{Owner, Settings, all_knobs};

/// The settings in an address.
#[derive(Clone, Debug)]
pub struct PageSettings {
    /// What runs; defaults for everything that the address does not set.
    pub settings: Settings,
    /// How the page is opened.
    pub options: WindowOptions,
    /// A sentence for each part of the address that is ignored.
    pub complaints: Vec<String>,
}

/// Flags that have no meaning on a page, and why.
const WINDOW_ONLY: [(&str, &str); 4] = [
    ("size", "the page is as large as the browser's window"),
    ("vsync", "a browser always shows a picture a refresh"),
    ("frames", "a page is left by closing it"),
    ("screenshot", "a key saves a picture here"),
];

/// The most frames that are made before a page shows anything: a minute of game time. No link may block its page.
const MOST_STILL: u64 = 3600;

/// Parses the part of an address behind its question mark. Invalid parts are ignored and reported.
#[must_use]
pub fn parse(query: &str) -> PageSettings {
    let mut complaints = Vec::new();
    let mut accepted: Vec<(String, String)> = Vec::new();
    for (key, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
        if accepted.iter().any(|(earlier, _)| *earlier == key) {
            complaints.push(format!(
                "{key} is given twice in the address: the first one holds."
            ));
        } else if let Err(why) = check(&key, &value) {
            complaints.push(on_one_line(&why));
        } else {
            accepted.push((key, value));
        }
    }
    let (settings, options) = match parse_pairs(&accepted) {
        Ok(all) => all,
        Err(text) => {
            // Each was accepted by itself: the combination is invalid.
            complaints.push(reason(&text));
            Default::default()
        }
    };
    PageSettings {
        settings,
        options,
        complaints,
    }
}

/// Checks one part of an address. Returns why it is invalid, in a sentence.
fn check(key: &str, value: &str) -> Result<(), String> {
    let is_flag = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    if key.is_empty() || !key.chars().all(is_flag) || key.starts_with('-') {
        return Err(format!(
            "'{key}' in the address is the name of no setting: it is left out."
        ));
    }
    if let Some((_, why)) = WINDOW_ONLY.iter().find(|(flag, _)| *flag == key) {
        return Err(format!(
            "{key} in the address means nothing here, for {why}: it is left out."
        ));
    }
    if key == "log" && value != "-" {
        return Err(format!(
            "log in the address takes - only, which is the browser's console, not '{value}': it is left out."
        ));
    }
    match parse_pairs(&[(key.to_owned(), value.to_owned())]) {
        Ok((_, options)) if options.still > Some(MOST_STILL) => Err(format!(
            "still in the address takes a whole number from 0 to {MOST_STILL}, not '{value}': it is left out."
        )),
        Ok(_) => Ok(()),
        Err(text) => Err(format!("{}: the default holds.", reason(&text))),
    }
}

/// Parses the pairs as flags of the command line.
fn parse_pairs(pairs: &[(String, String)]) -> Result<(Settings, WindowOptions), String> {
    let flags = pairs.iter().map(|(key, value)| format!("--{key}={value}"));
    match cli::parse(std::iter::once("timeslice-lab".to_owned()).chain(flags)) {
        Ok(Invocation::Window(settings, options)) => Ok((settings, options)),
        Ok(_) => Err("an address opens the window and nothing else".to_owned()),
        Err(exit) if exit.status == 0 => {
            Err("the address asks for what only a terminal shows".to_owned())
        }
        Err(exit) => Err(exit.text),
    }
}

/// The reason in a message of the command line, without its hints.
fn reason(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let ends = ["\nUsage:", "\nFor more information"];
    // Search from the end: a given value may contain the same words.
    let end = ends.iter().filter_map(|end| text.rfind(end)).min();
    on_one_line(&text[..end.unwrap_or(text.len())])
}

/// Joins the lines of a text.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the query that [`parse`] reads as these settings, with that view (one of [`cli::VIEWS`]): only what differs
/// from the defaults. The simulated machine's knobs are those of the view that compares; the machines of the view of
/// loops are not part of an address.
#[must_use]
pub fn query(settings: &Settings, view: &str) -> String {
    let default = Settings::default();
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    if settings.strategy != default.strategy {
        pairs.append_pair("strategy", settings.strategy.key);
    }
    if settings.frame_loop != default.frame_loop {
        pairs.append_pair("loop", settings.frame_loop.key);
    }
    for (owner, knob) in all_knobs() {
        let value = settings.knobs.get(knob);
        // A given value counts even if it is the default: the race has other defaults.
        let is_set = value != knob.default || settings.knobs.given(knob).is_some();
        if is_set && (owner != Owner::Machine || view == "compare") {
            pairs.append_pair(knob.key, &value.to_string());
        }
    }
    if settings.seed != default.seed {
        pairs.append_pair("seed", &settings.seed.to_string());
    }
    if view != cli::VIEWS[0] {
        pairs.append_pair("view", view);
    }
    pairs.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{CHURN, ENTITIES};
    use proptest::prelude::*;
    use timeslice::frame_loop::FRAME_LOOPS;
    use timeslice::strategy::STRATEGIES;
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::strategy::stagger_groups::GROUPS;

    fn complaints(query: &str) -> Vec<String> {
        parse(query).complaints
    }

    #[test]
    fn an_address_says_what_the_command_line_says() {
        let asked =
            parse("strategy=stagger-groups&entities=5000&groups=20&view=loops&seed=7&log=-");
        assert!(asked.complaints.is_empty(), "{:?}", asked.complaints);
        assert_eq!(asked.settings.strategy.key, "stagger-groups");
        assert_eq!(asked.settings.knobs.get(&ENTITIES), 5000.0);
        assert_eq!(asked.settings.knobs.get(&GROUPS), 20.0);
        assert_eq!(asked.settings.seed, 7);
        assert_eq!(asked.options.view, "loops");
        assert!(asked.options.log.is_some());
    }

    #[test]
    fn without_anything_the_defaults_hold() {
        for query in ["", "&", "&&"] {
            let asked = parse(query);
            assert_eq!(asked.complaints, [""; 0]);
            assert_eq!(asked.settings.strategy.key, "fixed-interval");
            assert_eq!(asked.options, WindowOptions::default());
        }
    }

    #[test]
    fn what_is_bad_is_told_and_left_out_and_the_rest_holds() {
        let asked = parse("entities=2000000&groups=7&strategy=nobody&churn-per-s=3");
        assert_eq!(asked.settings.knobs.get(&ENTITIES), 400.0);
        assert_eq!(asked.settings.knobs.get(&GROUPS), 7.0);
        assert_eq!(asked.settings.knobs.get(&CHURN), 3.0);
        assert_eq!(asked.settings.strategy.key, "fixed-interval");
        let [entities, strategy] = &asked.complaints[..] else {
            panic!("{:?}", asked.complaints);
        };
        assert_eq!(
            entities,
            "--entities takes a whole number from 0 to 1000000, not '2000000': the default holds."
        );
        assert!(strategy.contains("'nobody'") && strategy.contains("every-frame"));
        assert!(!strategy.contains("--help") && !strategy.contains('\n'));
    }

    #[test]
    fn each_kind_of_nonsense_is_one_sentence() {
        for query in [
            "entities=",
            "entities",
            "entities=%zz",
            "=5",
            "entitys=5",
            "run",
            "help",
            "version=1",
            "size=900x600",
            "vsync=off",
            "frames=3",
            "screenshot=a.png",
            "log=/etc/passwd",
            "--entities=5",
            "%00=%ff",
            "still=-1",
            "display-hz=0",
            "still=3601",
            "json",
            "entities=5&entities=6",
            "a%0Ab=5",
            "%0AUsage:=5",
            "entities=%0A5%0AUsage:%0A",
        ] {
            let complaints = complaints(query);
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
    }

    #[test]
    fn escapes_are_undone_and_bad_ones_stay() {
        for (written, meant) in [
            ("a%20b+c", "a b c"),
            ("1%2E5", "1.5"),
            ("%c3%A9", "é"),
            ("100%", "100%"),
            ("%4", "%4"),
            ("%zz%+1", "%zz% 1"),
            ("%ff", "\u{fffd}"),
            ("%%34", "%4"),
            ("a=b", "a=b"),
        ] {
            let complaints = complaints(&format!("strategy={written}"));
            let quoted = format!("'{meant}'");
            assert!(complaints[0].contains(&quoted), "{written}: {complaints:?}");
        }
        assert_eq!(parse("interval-s=1%2e5").settings.knobs.get(&INTERVAL), 1.5);
        assert_eq!(parse("entit%69es=5").settings.knobs.get(&ENTITIES), 5.0);
    }

    #[test]
    fn a_link_to_the_defaults_says_nothing() {
        assert_eq!(query(&Settings::default(), cli::VIEWS[0]), "");
    }

    proptest! {
        #[test]
        fn a_link_leads_back_to_the_same_settings(
            strategy in 0..STRATEGIES.len(),
            frame_loop in 0..FRAME_LOOPS.len(),
            seed: u64,
            view in 0..cli::VIEWS.len(),
            at in prop::collection::vec(prop::option::of(0.0..=1.0_f64), all_knobs().len()),
            exact: bool,
        ) {
            let mut settings = Settings {
                strategy: STRATEGIES[strategy],
                frame_loop: FRAME_LOOPS[frame_loop],
                seed,
                ..Settings::default()
            };
            for ((owner, knob), at) in all_knobs().into_iter().zip(at) {
                let said = owner != Owner::Machine || cli::VIEWS[view] == "compare";
                if let Some(at) = at.filter(|_| said) {
                    // As a slider sets it, or as it may be typed.
                    let typed = knob.nearest(knob.min + at * (knob.max - knob.min));
                    settings.knobs.set(knob, if exact { typed } else { knob.at_fraction(at) });
                }
            }
            let query = query(&settings, cli::VIEWS[view]);
            let asked = parse(&query);
            prop_assert_eq!(asked.complaints, Vec::<String>::new());
            prop_assert_eq!(asked.settings.strategy.key, settings.strategy.key);
            prop_assert_eq!(asked.settings.frame_loop.key, settings.frame_loop.key);
            prop_assert_eq!(asked.settings.seed, seed);
            prop_assert_eq!(asked.options.view, cli::VIEWS[view]);
            for (_, knob) in all_knobs() {
                let (set, read) = (settings.knobs.get(knob), asked.settings.knobs.get(knob));
                prop_assert!(set.to_bits() == read.to_bits(), "{} {set} {read}: {query}", knob.key);
            }
        }

        #[test]
        fn no_address_is_too_strange(query in "\\PC{0,60}") {
            let asked = parse(&query);
            for complaint in asked.complaints {
                prop_assert!(complaint.ends_with('.') && !complaint.contains('\n'));
            }
        }
    }
}
