//! The entry for [`RequestList`].

use super::knobs::AS_PUBLISHED;
use super::published::{Published, timeslice_update};
use super::{Family, Inspect, StrategyEntry};
use timeslicer::strategy::RequestList;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "request-list",
    name: "Request list",
    family: Family::OnRequest,
    rule: "Runs every requested task once, in the next update.",
    use_when: "Use it when the work is triggered by events, such as a noise that a sentry hears, because tasks without \
        a request cost nothing.",
    avoid_when: "Avoid it when many requests can arrive at once or tasks are expensive, because the next update runs \
        all of them.",
    work: "all requests",
    guarantee: "a request is served in the next update",
    source: "\"Sweet Snippet: Timeslice Update\" (article in Chinese), the first version",
    knobs: &[AS_PUBLISHED],
    make: || Box::new(RequestList::new()),
    published: Some(Published {
        make: || Box::new(timeslice_update::RequestList::default()),
        knobs: &[],
        defect: "Each request searches the whole list, so the cost of a request grows with the number of requests.",
    }),
    options: &[],
};

impl Inspect for RequestList {}
