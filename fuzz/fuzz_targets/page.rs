//! Fuzz target that parses arbitrary text as the query of the page's address.

#![no_main]

use lab::cli::address;
use lab::sim::settings::all_knobs;

libfuzzer_sys::fuzz_target!(|query: &str| {
    let page = address::parse(query);
    for (_, knob) in all_knobs() {
        let value = page.settings.knobs.get(knob);
        assert!(
            (knob.min..=knob.max).contains(&value),
            "{} {value}",
            knob.key
        );
    }
    for complaint in page.complaints {
        assert!(
            complaint.ends_with('.') && !complaint.contains('\n'),
            "{complaint:?} of {query:?}"
        );
    }
});
