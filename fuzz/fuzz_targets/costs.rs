//! Fuzz target that parses arbitrary bytes as a file of task costs.

#![no_main]

use lab::files::measured::{parse_costs, saved_costs};
use lab::sim::world::COST;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match parse_costs("costs.txt", bytes) {
    Ok(costs) => {
        assert!(costs.sorted().is_sorted() && costs.most() <= COST.span(COST.max));
        assert_eq!(parse_costs("costs.txt", &saved_costs(&costs).bytes), Ok(costs));
    }
    Err(why) => assert!(!why.contains('\n'), "{why:?}"),
});
