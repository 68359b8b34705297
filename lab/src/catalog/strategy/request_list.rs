use super::knobs::AS_PUBLISHED;
use super::published::{Published, timeslice_update};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::{Knob, KnobValues};
use timeslicer::strategy::RequestList;

pub const MAX_REQUESTS: Knob = Knob {
    key: "max-requests",
    label: "Requests per frame",
    min: 0.0,
    max: 100_000.0,
    help: "Maximum number of requested tasks that run in one update, oldest request first. 0 sets no limit, as in the \
        original article.",
    ..Knob::COUNT
};

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "request-list",
    name: "Request list",
    family: Family::OnRequest,
    rule: "Runs each requested task once: all of them in the next update, or a limited number in each update.",
    use_when: "Use it when the work is triggered by events, such as a noise that a sentry hears, because tasks without \
        a request cost nothing.",
    avoid_when: "Avoid it when costs differ and frames must stay short, because a limit on the number of tasks does \
        not limit their time.",
    work: "all requests, or the oldest ones up to the limit",
    guarantee: "a request is served after (earlier requests / limit) updates, or in the next update without a limit",
    source: "\"Sweet Snippet: Timeslice Update\" (article in Chinese), the first version",
    knobs: &[MAX_REQUESTS, AS_PUBLISHED],
    make: || Box::new(RequestList::new()),
    published: Some(Published {
        make: || Box::new(timeslice_update::RequestList::default()),
        knobs: &[],
        defect: "Each request searches the whole list, so the cost of a request grows with the number of requests.",
    }),
    options: &[("max_requests", &[MAX_REQUESTS])],
};

impl Inspect for RequestList {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_max_requests(knobs.get(&MAX_REQUESTS) as usize);
    }
}
