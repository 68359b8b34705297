//! Fuzz target that parses arbitrary bytes as a file of task costs.

#![no_main]

use lab::files::measured::COSTS;
use lab::sim::world::COST;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match COSTS.parse("costs.txt", bytes) {
    Ok(costs) => {
        assert!(costs.all().is_sorted() && costs.all().last() <= Some(&COST.span(COST.max)));
        assert_eq!(COSTS.parse("costs.txt", &COSTS.saved(&costs).bytes), Ok(costs));
    }
    Err(why) => assert!(!why.contains('\n'), "{why:?}"),
});
