//! Any text as the part of a page's address behind its question mark.

#![no_main]

use timeslice_lab::io::url;
use timeslice_lab::sim::settings::all_knobs;

libfuzzer_sys::fuzz_target!(|query: &str| {
    let asked = url::read(query);
    for (_, knob) in all_knobs() {
        let value = asked.settings.knobs.get(knob);
        assert!((knob.min..=knob.max).contains(&value), "{} {value}", knob.key);
    }
    for complaint in asked.complaints {
        assert!(complaint.ends_with('.') && !complaint.contains('\n'), "{complaint:?} of {query:?}");
    }
});
