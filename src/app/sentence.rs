//! What is happening, in one sentence: plain words and the figures that decide, from what was measured.
//!
//! No sentence may be false. So each speaks in the past tense of what [`Observed`] counted; where that does
//! not bear a strong statement ("each of 400") there is a weaker one, and where hardly anything was
//! measured yet there is the strategy's rule. What is wrong, and else what matters most, stands in front:
//! a narrow window cuts off the end.

use super::figure::{self, grouped};
use super::observed::Observed;
use super::pacing::{HITCH, PERIOD};
use timeslice_lab::strategy::max_per_frame;
use timeslice_lab::strategy::stagger_groups::{self, GROUPS};
use timeslice_lab::time::Nanos;
use timeslice_lab::world::{CHURN, COST, COST_SPREAD, REQUESTS};

/// Before so much real time was measured, only the rule is told.
const ENOUGH: Nanos = Nanos::from_millis(500);
/// Of fewer frames than this the hundredth part is no frame: then the longest is told instead.
const FOR_P99: usize = 100;
/// A peak of so many runs, and so many times the mean, is a burst.
const BURST: (u32, f64) = (10, 3.0);

/// Some words, or a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What is said.
    pub text: String,
    /// Whether it is a figure.
    pub figure: bool,
    /// Whether it says what is wrong.
    pub wrong: bool,
}

/// A part of a sentence: pieces that follow one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part(pub Vec<Piece>);

impl Part {
    /// Words with `*figures*` and `!what is wrong!`.
    fn new(text: &str) -> Self {
        let mut part = Self::default();
        let (mut figure, mut wrong) = (false, false);
        for piece in text.split_inclusive(['*', '!']) {
            let words = piece.trim_end_matches(['*', '!']);
            if !words.is_empty() {
                part.0.push(Piece {
                    text: words.to_owned(),
                    figure,
                    wrong,
                });
            }
            figure ^= piece.ends_with('*');
            wrong ^= piece.ends_with('!');
        }
        part
    }

    /// Words as they are.
    fn words(text: String, wrong: bool) -> Self {
        Self(vec![Piece {
            text,
            figure: false,
            wrong,
        }])
    }

    fn is_wrong(&self) -> bool {
        self.0.iter().any(|piece| piece.wrong)
    }
}

/// A sentence: parts, the most important one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Its parts.
    pub parts: Vec<Part>,
}

impl Said {
    /// Whether something is wrong.
    pub fn is_warning(&self) -> bool {
        self.parts.iter().any(Part::is_wrong)
    }

    /// The whole as plain text.
    pub fn text(&self) -> String {
        let plain = |part: &Part| -> String { part.0.iter().map(|p| p.text.as_str()).collect() };
        let parts: Vec<String> = self.parts.iter().map(plain).collect();
        parts.join(" · ")
    }

    fn say(&mut self, text: &str) {
        self.parts.push(Part::new(text));
    }
}

/// What happened in the time that `seen` covers. `warning` says what makes all figures doubtful, if
/// anything: then nothing else is told.
pub fn sentence(seen: &Observed, paused: bool, warning: Option<String>) -> Said {
    let mut said = Said::default();
    if let Some(warning) = warning {
        said.parts.push(Part::words(warning, true));
    }
    if paused {
        said.say("paused");
    }
    if said.is_warning() {
        return said;
    }
    if seen.entities == 0 {
        said.say("no capsules, so nothing runs");
    } else if seen.frames < 2 || seen.span < ENOUGH {
        said.parts
            .push(Part::words(in_a_sentence(seen.strategy.rule), false));
        return said;
    }
    if seen.frames < 2 || seen.span < ENOUGH {
        return said;
    }

    let mut rest = Vec::new();
    if seen.entities > 0 {
        if let Some(cannot) = overload(seen) {
            said.say(&cannot);
        }
        let mut clauses = what_ran(seen).into_iter();
        said.parts
            .extend(clauses.next().map(|clause| Part::new(&clause)));
        rest.extend(clauses);
        rest.extend(too_slow(seen));
        rest.extend(peak(seen));
    }
    rest.push(frame_length(seen));
    rest.push(hitches(seen));
    if seen.left_out > 0 {
        let frames = counted(seen.left_out, "frame");
        rest.push(format!("{frames} held up from outside, left out"));
    }
    let rest = rest.iter().map(|text| Part::new(text));
    let (wrong, calm): (Vec<Part>, Vec<Part>) = rest.partition(Part::is_wrong);
    // Of what is wrong, hitches are what a player feels: they come first, then what leads to them.
    said.parts.extend(wrong.into_iter().rev());
    said.parts.extend(calm);
    said
}

/// `Runs every task.` as a part of a sentence: `runs every task`.
fn in_a_sentence(rule: &str) -> String {
    let mut letters = rule.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

// ---- What ran. -------------------------------------------------------------------------------------

/// The main clause and others that are special to the strategy.
fn what_ran(seen: &Observed) -> Vec<String> {
    if seen.strategy.on_request {
        return requests(seen);
    }
    if seen.runs == 0 {
        return vec![
            format!("nobody ran in {}", span(seen)),
            format!("the stalest has waited {}", stalest(seen)),
        ];
    }
    if all_in_every_frame(seen) {
        return vec![format!("{} ran in every frame", everyone(seen)), load(seen)];
    }
    if let Some(together) = all_in_one_frame(seen) {
        return vec![together];
    }
    let key = seen.strategy.key;
    let lead = if key == stagger_groups::ENTRY.key {
        let groups = seen.knobs.get(&GROUPS);
        format!("one of *{}* groups {}: ", figure::number(groups), per(seen))
    } else if key == max_per_frame::ENTRY.key && one_update_a_frame(seen) {
        let most = grouped(seen.runs_peak.into());
        let always = seen.busy == seen.frames && seen.busy_least == seen.runs_peak;
        let at_most = if always { "" } else { "at most " };
        format!("{at_most}*{most}* a frame: ")
    } else {
        String::new()
    };
    vec![lead + &intervals(seen)]
}

/// Whether each entity ran in each frame: as many runs as there are entities, and none runs twice in an
/// update.
fn all_in_every_frame(seen: &Observed) -> bool {
    let everyone = |runs: u32| runs as usize == seen.entities;
    one_update_a_frame(seen)
        && seen.busy == seen.frames
        && everyone(seen.runs_peak)
        && everyone(seen.busy_least)
}

/// All at once, then none for a while.
fn all_in_one_frame(seen: &Observed) -> Option<String> {
    let everyone_in = |runs: u32| runs as usize == seen.entities;
    let together = one_update_a_frame(seen)
        && seen.entities > 1
        && everyone_in(seen.runs_peak)
        && everyone_in(seen.busy_least);
    let idle = seen.frames - seen.busy;
    together.then(|| match seen.interval {
        Some(interval) => format!(
            "{} ran in one frame every {}",
            everyone(seen),
            spread(interval)
        ),
        None => format!(
            "{} ran in {}, none in the other *{}*",
            everyone(seen),
            counted(seen.busy, "frame"),
            grouped(idle as u64)
        ),
    })
}

/// How often each ran, as strongly as it was measured.
fn intervals(seen: &Observed) -> String {
    let Some((mean, deviation)) = seen.interval else {
        return format!(
            "{} in {}, too early to tell an interval; the stalest has waited {}",
            counted(seen.runs as usize, "run"),
            span(seen),
            stalest(seen)
        );
    };
    let every = spread((mean, deviation));
    let steady = deviation <= 0.2 * mean;
    let churn = seen.knobs.get(&CHURN) > 0.0;
    if churn || !each_measured(seen, mean, deviation) {
        let on_the_mean = if steady { "" } else { " on the mean" };
        let while_churning = if churn { "as some come and go, " } else { "" };
        let count = counted(seen.intervals as usize, "interval");
        return format!("{while_churning}{count} measured, {every}{on_the_mean}");
    }
    let each = if seen.entities == 1 {
        "the one capsule".to_owned()
    } else {
        format!("each of *{}* capsules", grouped(seen.entities as u64))
    };
    if !steady {
        return format!("{each} ran at intervals of {every} on the mean");
    }
    match frames_between(seen, mean) {
        Some(frames) => format!(
            "{each} ran every *{frames}* frames, {every} at *{:.0}* fps",
            seen.fps()
        ),
        None => format!("{each} ran every {every}"),
    }
}

/// Whether the intervals measured speak of each living entity: there are as many, and nobody's last run is
/// further back than they reach, but for a frame that is still to come.
fn each_measured(seen: &Observed, mean: f64, deviation: f64) -> bool {
    let longest_frame = seen.frame_length(1.0).as_secs_f64();
    let reach = mean + 4.0 * deviation + 2.0 * longest_frame;
    seen.intervals as usize >= seen.entities && seen.worst_staleness.as_secs_f64() <= reach
}

/// In stagger groups: how many frames are between two runs, where the frame rate was even enough to say so.
fn frames_between(seen: &Observed, mean: f64) -> Option<f64> {
    let groups = seen.knobs.get(&GROUPS);
    let staggered = seen.strategy.key == stagger_groups::ENTRY.key && one_update_a_frame(seen);
    let even = (mean * seen.fps() / groups - 1.0).abs() < 0.05;
    (staggered && groups > 1.0 && even).then_some(groups)
}

fn one_update_a_frame(seen: &Observed) -> bool {
    seen.updates_most <= 1
}

// ---- Strategies that run on request. ---------------------------------------------------------------

fn requests(seen: &Observed) -> Vec<String> {
    if seen.runs == 0 {
        return vec![if seen.knobs.get(&REQUESTS) > 0.0 {
            format!("no requests in {}", span(seen))
        } else {
            "nobody asks: Requests is *0*, only a drag over capsules makes them ask".to_owned()
        }];
    }
    let most = seen.backlog_most;
    let runs = counted(seen.runs as usize, "run");
    let span = span(seen);
    let none_waited = match seen.runs {
        _ if most > 0 => "",
        1 => ", in the next update",
        _ => ", each in the next update",
    };
    let mut clauses = vec![format!("{runs} on request in {span}{none_waited}")];
    clauses.extend(budget(seen));
    if most > 0 {
        clauses.push(backlog(seen));
    }
    clauses
}

fn budget(seen: &Observed) -> Option<String> {
    let budget = millis(seen.budget?);
    Some(match seen.overrun {
        // The last task of an update may pass the budget by its own length: that is the published rule.
        Some(over) => {
            let mark = if over.as_nanos() * 10 > seen.budget?.as_nanos() {
                "!"
            } else {
                ""
            };
            format!(
                "{mark}budget of {budget} overrun by up to {}{mark}",
                millis(over)
            )
        }
        None if one_update_a_frame(seen) => {
            let most = millis(seen.task_time_most);
            format!("budget of {budget} held, tasks took up to {most}")
        }
        None => {
            let most = millis(seen.task_time_most);
            format!("tasks took up to {most} a frame, budget {budget} an update")
        }
    })
}

fn backlog(seen: &Observed) -> String {
    let (first, last) = seen.backlog;
    let most = seen.backlog_most;
    let [first_figure, last_figure, most] = [first, last, most].map(|n| grouped(n as u64));
    // As many more came than were served. By chance that is about the root of those served.
    let came_faster = last.saturating_sub(first) as f64 > (seen.runs as f64).sqrt();
    // Who waits after an update waits because its budget is spent.
    let always_spent = seen.frames_with_backlog * 10 >= seen.frames * 9;
    if always_spent && came_faster {
        let allows = if seen.budget.is_some() {
            "than the budget allows"
        } else {
            "than they ran"
        };
        format!(
            "!backlog grew from *{first_figure}* to *{last_figure}*: requests came faster {allows}!"
        )
    } else if always_spent && last * 2 >= seen.entities {
        format!(
            "!*{last_figure}* of *{}* still wait!",
            grouped(seen.entities as u64)
        )
    } else {
        format!("backlog *{last_figure}*, at most *{most}*")
    }
}

// ---- What is wrong, or could be. -------------------------------------------------------------------

/// A round of tasks that takes as long as the interval that is wanted, or longer, can't be.
fn overload(seen: &Observed) -> Option<String> {
    let wanted = seen.wanted_interval?;
    let round = seen.utilisation.filter(|&share| share >= 1.0)? * wanted;
    let uneven = seen.knobs.get(&COST_SPREAD) > 0.0;
    // Whose costs are drawn by chance may be cheaper than the mean: then it takes a round that was measured.
    let measured_rounds = seen.runs as f64 / seen.entities as f64;
    let confirmed =
        measured_rounds >= 1.0 && seen.task_time.as_secs_f64() / measured_rounds >= wanted;
    (!uneven || confirmed).then(|| {
        let cost = millis(Nanos::from_micros_f64(seen.knobs.get(&COST)));
        let on_the_mean = if uneven { " on the mean" } else { "" };
        format!(
            "!this machine cannot run {} of {cost}{on_the_mean} every {}, that takes {}!",
            counted(seen.entities, "task"),
            secs(wanted),
            secs(round)
        )
    })
}

/// The time in tasks, where that is the price: it must fit into a frame.
fn load(seen: &Observed) -> String {
    let mean = Nanos::from_nanos(seen.task_time.as_nanos() / seen.frames.max(1) as u64);
    let mean_text = millis(mean);
    if mean > PERIOD {
        let period = millis(PERIOD);
        format!("!tasks took {mean_text} a frame, more than the {period} of one at 60 Hz!")
    } else {
        format!("tasks took {mean_text} a frame")
    }
}

fn too_slow(seen: &Observed) -> Option<String> {
    let wanted = seen.wanted_interval.filter(|&wanted| wanted > 0.0)?;
    let (mean, _) = seen.interval?;
    (mean > 1.05 * wanted)
        .then(|| format!("!intervals of {}, {} was wanted!", secs(mean), secs(wanted)))
}

fn peak(seen: &Observed) -> Option<String> {
    if seen.runs == 0 || all_in_every_frame(seen) {
        return None;
    }
    let (runs, ratio) = (seen.runs_peak, f64::from(seen.runs_peak) / seen.runs_mean);
    let mark = if runs >= BURST.0 && ratio >= BURST.1 {
        "!"
    } else {
        ""
    };
    let ratio = if ratio < 10.0 {
        format!("{ratio:.2}")
    } else {
        format!("{ratio:.0}")
    };
    let tasks = if runs == 1 { "task" } else { "tasks" };
    let peak = grouped(runs.into());
    Some(format!(
        "peak *{peak}* {tasks}/frame, {mark}*{ratio}×* the mean{mark}"
    ))
}

fn frame_length(seen: &Observed) -> String {
    let (name, length) = if seen.frames < FOR_P99 {
        ("longest frame", seen.frame_length(1.0))
    } else {
        ("frame p99", seen.frame_length(0.99))
    };
    let mark = if length > HITCH { "!" } else { "" };
    format!("{mark}{name} *{}* ms{mark}", one_decimal(length))
}

fn hitches(seen: &Observed) -> String {
    let over = one_decimal(HITCH);
    match seen.hitches {
        0 => "no hitches".to_owned(),
        1 => format!("!*1* hitch over *{over}* ms!"),
        more => format!("!*{}* hitches over *{over}* ms!", grouped(more as u64)),
    }
}

/// What was said last, held long enough to be read.
#[derive(Debug, Default)]
pub struct Spoken {
    said: Said,
    at: Nanos,
    about: Option<About>,
}

/// What a sentence is about: another one is said at once when this changes.
pub type About = (&'static str, Option<u64>, bool, bool);

/// How long a sentence stands.
const HELD: Nanos = Nanos::from_millis(250);

impl Spoken {
    /// The sentence that stands at `clock`; `say` makes a new one where it is time for one.
    pub fn hold(&mut self, clock: Nanos, about: About, say: impl FnOnce() -> Said) -> &Said {
        if self.about != Some(about) || clock >= self.at + HELD {
            *self = Self {
                said: say(),
                at: clock,
                about: Some(about),
            };
        }
        &self.said
    }
}

// ---- How it is worded. -----------------------------------------------------------------------------

fn everyone(seen: &Observed) -> String {
    match seen.entities {
        1 => "the one capsule".to_owned(),
        2 => "both capsules".to_owned(),
        all => format!("all *{}* capsules", grouped(all as u64)),
    }
}

fn per(seen: &Observed) -> &'static str {
    if one_update_a_frame(seen) {
        "a frame"
    } else {
        "an update"
    }
}

/// `1 run`, `1,234 runs`.
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("*{}* {what}{plural}", grouped(count as u64))
}

fn span(seen: &Observed) -> String {
    format!("*{:.1}* s", seen.span.as_secs_f64())
}

fn stalest(seen: &Observed) -> String {
    secs(seen.worst_staleness.as_secs_f64())
}

/// Mean and deviation in like units.
fn spread((mean, deviation): (f64, f64)) -> String {
    let (factor, decimals, unit) = unit_of(mean);
    let (mean, deviation) = (mean * factor, deviation * factor);
    format!("*{mean:.decimals$}* {unit} *± {deviation:.decimals$}* {unit}")
}

fn secs(secs: f64) -> String {
    let (factor, decimals, unit) = unit_of(secs);
    format!("*{:.decimals$}* {unit}", secs * factor)
}

/// A time in seconds is told as so many of a unit, to so many decimals: four digits or so.
fn unit_of(secs: f64) -> (f64, usize, &'static str) {
    if secs < 0.1 {
        (1000.0, 1, "ms")
    } else if secs < 10.0 {
        (1.0, 3, "s")
    } else {
        (1.0, 1, "s")
    }
}

fn one_decimal(time: Nanos) -> String {
    format!("{:.1}", time.as_millis_f64())
}

/// Milliseconds in three digits; less than one in whole microseconds, rounded up: there is no overrun of nothing.
fn millis(time: Nanos) -> String {
    if time < Nanos::from_micros(1000) {
        format!("*{}* µs", time.as_nanos().div_ceil(1000))
    } else {
        format!("*{}* ms", figure::number(time.as_millis_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_stands_long_enough_to_be_read_unless_it_is_about_something_else() {
        let mut spoken = Spoken::default();
        let mut said = |at_ms, about, words: &str| {
            let part = Part::new(words);
            let clock = Nanos::from_millis(at_ms);
            spoken
                .hold(clock, about, || Said { parts: vec![part] })
                .text()
        };
        let about = ("every-frame", None, false, false);
        assert_eq!(said(0, about, "one"), "one");
        assert_eq!(said(100, about, "two"), "one");
        assert_eq!(said(250, about, "three"), "three");
        assert_eq!(
            said(260, ("all-at-once", Some(9), false, false), "four"),
            "four"
        );
    }
    use crate::app::history::{History, PastFrame};
    use crate::app::observed::LATELY;
    use timeslice_lab::knob::{Knob, KnobValues};
    use timeslice_lab::lane::Lane;
    use timeslice_lab::machine::{Machine, RENDER_MS, SPEED, Simulated};
    use timeslice_lab::settings::Settings;
    use timeslice_lab::strategy::all_at_once;
    use timeslice_lab::strategy::fixed_interval::INTERVAL;
    use timeslice_lab::strategy::max_per_frame::MAX_TASKS;
    use timeslice_lab::strategy::time_budget::BUDGET;
    use timeslice_lab::strategy::{STRATEGIES, StrategyEntry, by_key};
    use timeslice_lab::world::ENTITIES;

    /// A lane on a simulated machine, and the history that the window would keep of it.
    struct Watched {
        lane: Lane<Simulated>,
        history: History,
    }

    impl Watched {
        fn new(strategy: &str, set: &[(&Knob, f64)]) -> Self {
            let settings = Settings {
                strategy: by_key(strategy).unwrap(),
                knobs: KnobValues::with(set),
                ..Settings::default()
            };
            let machine = Simulated::new(&settings.knobs);
            Self {
                lane: Lane::new(settings, machine),
                history: History::default(),
            }
        }

        /// So many seconds of frames.
        fn watch(mut self, secs: f64) -> Self {
            let end = self.lane.machine().now() + Nanos::from_secs_f64(secs);
            while self.lane.machine().now() < end {
                self.frame();
            }
            self
        }

        fn frame(&mut self) {
            let record = self.lane.frame().clone();
            let mut past = PastFrame {
                record,
                now: self.lane.now(),
                ..PastFrame::default()
            };
            for run in self.lane.runs().iter().filter(|run| !run.first) {
                past.intervals.add(run.elapsed);
            }
            self.history.push(past);
        }

        fn switch(mut self, strategy: &'static StrategyEntry) -> Self {
            self.lane.set_strategy(strategy);
            self.history
                .mark(self.lane.frames(), strategy.key, String::new());
            self
        }

        fn turn(mut self, knob: &'static Knob, value: f64) -> Self {
            self.lane.set_knob(knob, value);
            self.history
                .mark(self.lane.frames(), knob.key, String::new());
            self
        }

        fn seen(&self) -> Observed {
            let settings = self.lane.settings();
            Observed::over(
                &self.history,
                settings.strategy,
                &settings.knobs,
                self.lane.worst_staleness(),
                LATELY,
            )
        }

        fn said(&self) -> Said {
            sentence(&self.seen(), false, None)
        }

        fn text(&self) -> String {
            self.said().text()
        }
    }

    /// What is amber.
    fn wrong(said: &Said) -> String {
        let pieces = said.parts.iter().flat_map(|part| &part.0);
        let wrong = pieces.filter(|piece| piece.wrong);
        wrong.map(|piece| piece.text.as_str()).collect()
    }

    fn three_seconds(strategy: &str, set: &[(&Knob, f64)]) -> Said {
        Watched::new(strategy, set).watch(3.0).said()
    }

    // Each strategy.

    #[test]
    fn fixed_interval_tells_the_interval_of_each_and_how_even_the_load_is() {
        let said = three_seconds("fixed-interval", &[]);
        assert_eq!(
            said.text(),
            "each of 400 capsules ran every 0.500 s ± 0.000 s · peak 14 tasks/frame, 1.05× the mean · frame p99 16.7 ms · no hitches"
        );
        assert!(!said.is_warning());
    }

    #[test]
    fn all_at_once_tells_of_the_frame_in_which_all_ran_and_of_its_hitch_first() {
        let said = three_seconds("all-at-once", &[]);
        let text = said.text();
        let start = "all 400 capsules ran in one frame every 0.498 s ± 0.008 s";
        assert!(text.starts_with(start), "{text}");
        assert!(
            text.contains(" · 4 hitches over 25.0 ms · frame p99 40.0 ms · peak 400 tasks/frame, "),
            "{text}"
        );
        assert!(wrong(&said).ends_with("× the mean"), "{text}");
        assert!(!wrong(&said).contains("peak"), "{text}");
    }

    #[test]
    fn every_frame_tells_that_all_run_and_what_that_takes() {
        let said = three_seconds("every-frame", &[(&COST, 20.0)]);
        assert_eq!(
            said.text(),
            "all 400 capsules ran in every frame · tasks took 8 ms a frame · frame p99 16.7 ms · no hitches"
        );
    }

    #[test]
    fn every_frame_with_more_work_than_a_frame_has_room_for_is_wrong() {
        let said = three_seconds("every-frame", &[]);
        let text = "tasks took 40 ms a frame, more than the 16.7 ms of one at 60 Hz";
        assert!(wrong(&said).contains(text), "{}", said.text());
    }

    #[test]
    fn max_per_frame_tells_how_long_each_waits() {
        let text = Watched::new("max-per-frame", &[]).watch(5.0).text();
        let start = "4 a frame: each of 400 capsules ran every 1.667 s ± 0.000 s · ";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn max_per_frame_with_room_for_all_runs_all() {
        let said = three_seconds("max-per-frame", &[(&MAX_TASKS, 500.0), (&COST, 1.0)]);
        let text = said.text();
        assert!(
            text.starts_with("all 400 capsules ran in every frame"),
            "{text}"
        );
    }

    #[test]
    fn stagger_groups_ties_the_interval_to_the_frame_rate() {
        let text = three_seconds("stagger-groups", &[]).text();
        let start = "one of 30 groups a frame: each of 400 capsules ran every 30 frames, 0.500 s ± 0.000 s at 60 fps · ";
        assert!(text.starts_with(start), "{text}");
        let slow = [(&RENDER_MS, 40.0)];
        let text = Watched::new("stagger-groups", &slow).watch(5.0).text();
        assert!(text.contains(" s at 24 fps"), "{text}");
    }

    #[test]
    fn stagger_groups_names_no_frame_rate_where_it_was_not_the_same_throughout() {
        let mut seen = Watched::new("stagger-groups", &[]).watch(3.0).seen();
        seen.interval = Some((0.7, 0.01));
        let text = sentence(&seen, false, None).text();
        assert!(
            text.contains("ran every 0.700 s ± 0.010 s ·") && !text.contains("fps"),
            "{text}"
        );
    }

    #[test]
    fn a_request_list_serves_each_request_in_the_next_update() {
        let text = three_seconds("request-list", &[]).text();
        assert!(
            text.contains(" runs on request in 2.0 s, each in the next update · "),
            "{text}"
        );
    }

    #[test]
    fn a_budget_that_is_held_says_what_it_was_used_for() {
        let text = three_seconds("time-budget", &[(&COST, 10.0)]).text();
        assert!(
            text.contains(" · budget of 4 ms held, tasks took up to "),
            "{text}"
        );
        assert!(text.contains("each in the next update"), "{text}");
    }

    #[test]
    fn requests_that_come_faster_than_the_budget_allows_make_the_backlog_grow() {
        // 800 a second of 0.4 ms are 0.32 s of work a second; the budget is 4 ms in each of 60 frames.
        let set = [(&COST, 400.0), (&REQUESTS, 2.0)];
        let said = Watched::new("time-budget", &set).watch(1.5).said();
        let text = said.text();
        assert!(
            wrong(&said).contains(": requests came faster than the budget allows"),
            "{text}"
        );
        assert!(!text.contains("each in the next update"), "{text}");
    }

    #[test]
    fn where_most_keep_waiting_that_is_wrong_though_the_backlog_no_longer_grows() {
        let set = [(&COST, 4000.0), (&REQUESTS, 20.0)];
        let said = Watched::new("time-budget", &set).watch(5.0).said();
        assert!(
            wrong(&said).contains("of 400 still wait"),
            "{}",
            said.text()
        );
    }

    #[test]
    fn a_backlog_that_varies_by_chance_is_not_wrong() {
        let mut seen = Watched::new("time-budget", &[(&COST, 10.0)])
            .watch(3.0)
            .seen();
        seen.backlog = (20, 25);
        seen.backlog_most = 30;
        seen.frames_with_backlog = seen.frames;
        let said = sentence(&seen, false, None);
        assert!(
            said.text().contains("backlog 25, at most 30"),
            "{}",
            said.text()
        );
        assert!(!said.is_warning(), "{}", said.text());
    }

    #[test]
    fn an_overrun_is_wrong_only_where_it_is_more_than_a_tenth_of_the_budget() {
        // 0.11 ms: 37 tasks run, and the last ends 0.07 ms late.
        let set = [(&COST, 110.0), (&REQUESTS, 50.0)];
        let said = three_seconds("time-budget", &set);
        let text = said.text();
        assert!(
            text.contains("budget of 4 ms overrun by up to 70 µs"),
            "{text}"
        );
        assert!(!wrong(&said).contains("overrun"), "{text}");
        let set = [(&COST, 110.0), (&REQUESTS, 50.0), (&BUDGET, 0.0)];
        let said = three_seconds("time-budget", &set);
        assert!(
            wrong(&said).contains("overrun by up to 110 µs"),
            "{}",
            said.text()
        );
    }

    #[test]
    fn nobody_asks_where_requests_are_off_and_nobody_may_have_asked_by_chance() {
        for key in ["request-list", "time-budget"] {
            let text = three_seconds(key, &[(&REQUESTS, 0.0)]).text();
            assert!(text.starts_with("nobody asks: Requests is 0"), "{text}");
            let rarely = [(&REQUESTS, 0.01), (&ENTITIES, 1.0)];
            let text = three_seconds(key, &rarely).text();
            assert!(text.starts_with("no requests in 2.0 s"), "{text}");
        }
    }

    #[test]
    fn an_overrun_of_half_the_budget_is_wrong() {
        let set = [(&COST, 150.0), (&REQUESTS, 50.0), (&BUDGET, 0.2)];
        let said = three_seconds("time-budget", &set);
        let text = "budget of 200 µs overrun by up to 100 µs";
        assert!(wrong(&said).contains(text), "{}", said.text());
    }

    #[test]
    fn a_backlog_that_came_in_one_burst_is_no_sign_of_too_small_a_budget() {
        let seen = Watched::new("time-budget", &[(&COST, 10.0)]).watch(3.0);
        let mut seen = seen.seen();
        (seen.backlog, seen.backlog_most) = ((0, 300), 300);
        seen.frames_with_backlog = 1;
        let said = sentence(&seen, false, None);
        let text = said.text();
        assert!(text.contains("backlog 300, at most 300"), "{text}");
        assert!(!said.is_warning(), "{text}");
    }

    #[test]
    fn max_per_frame_says_at_most_where_it_was_not_always_as_many() {
        let mut seen = Watched::new("max-per-frame", &[]).watch(5.0).seen();
        seen.busy -= 1;
        let text = sentence(&seen, false, None).text();
        assert!(text.starts_with("at most 4 a frame: each"), "{text}");
    }

    #[test]
    fn two_are_both_and_one_run_is_no_plural() {
        let two = [(&ENTITIES, 2.0)];
        let text = three_seconds("every-frame", &two).text();
        assert!(text.starts_with("both capsules ran in"), "{text}");
        let mut seen = Watched::new("request-list", &[]).watch(3.0).seen();
        seen.runs = 1;
        let text = sentence(&seen, false, None).text();
        let start = "1 run on request in 2.0 s, in the next update · ";
        assert!(text.starts_with(start), "{text}");
    }

    // Edges.

    #[test]
    fn a_warning_is_told_before_all_else_and_alone() {
        let seen = Watched::new("all-at-once", &[]).watch(3.0).seen();
        let said = sentence(&seen, false, Some("too much! *really*".to_owned()));
        assert_eq!(said.text(), "too much! *really*");
        assert!(said.is_warning());
        let said = sentence(&seen, true, Some("too much".to_owned()));
        assert_eq!(said.text(), "too much · paused");
    }

    #[test]
    fn a_pause_is_told_before_what_was_measured() {
        let watched = Watched::new("fixed-interval", &[]).watch(3.0);
        let text = sentence(&watched.seen(), true, None).text();
        assert_eq!(text, format!("paused · {}", watched.text()));
    }

    #[test]
    fn before_any_frame_and_in_the_first_moments_the_rule_is_told() {
        for entry in STRATEGIES {
            let mut watched = Watched::new(entry.key, &[(&COST, 10.0)]);
            for _ in 0..2 {
                let said = watched.said();
                let rule = in_a_sentence(entry.rule);
                assert_eq!((said.text(), said.is_warning()), (rule, false));
                watched = watched.watch(0.4);
            }
            let text = watched.watch(0.2).text();
            assert!(text.contains("no hitches"), "{text}");
        }
    }

    #[test]
    fn one_frame_is_too_little_however_long_it_was() {
        let set = [(&COST, 2000.0)];
        let mut watched = Watched::new("every-frame", &set);
        watched.frame();
        assert!(watched.seen().span > ENOUGH);
        assert_eq!(watched.text(), "runs every task in every update");
    }

    #[test]
    fn just_switched_nothing_is_told_of_the_strategy_before() {
        for entry in STRATEGIES {
            let watched = Watched::new("all-at-once", &[(&COST, 10.0)]).watch(3.0);
            let watched = watched.switch(entry).watch(0.2);
            assert_eq!(watched.text(), in_a_sentence(entry.rule));
        }
    }

    #[test]
    fn the_first_intervals_after_a_switch_are_not_mixed_with_the_last_ones_before_it() {
        let watched = Watched::new("all-at-once", &[(&COST, 10.0)]).watch(3.3);
        let mut watched = watched.switch(by_key("fixed-interval").unwrap());
        for _ in 0..20 {
            watched = watched.watch(0.1);
            if let Some((mean, _)) = watched.seen().interval {
                assert!((mean - 0.5).abs() < 0.01, "{mean}");
            }
        }
        assert!(
            watched
                .text()
                .starts_with("each of 400 capsules ran every 0.500 s")
        );
    }

    #[test]
    fn a_turned_knob_begins_anew_too() {
        let watched = Watched::new("fixed-interval", &[]).watch(3.0);
        let watched = watched.turn(&INTERVAL, 1.0).watch(1.5);
        let text = watched.text();
        assert!(!text.contains("0.500 s"), "{text}");
        let text = watched.watch(3.0).text();
        assert!(
            text.starts_with("each of 400 capsules ran every 1.000 s"),
            "{text}"
        );
    }

    #[test]
    fn with_no_capsules_nothing_runs_from_the_first_moment() {
        for entry in STRATEGIES {
            let watched = Watched::new(entry.key, &[(&ENTITIES, 0.0)]);
            assert_eq!(watched.text(), "no capsules, so nothing runs");
            assert_eq!(
                watched.watch(3.0).text(),
                "no capsules, so nothing runs · frame p99 16.7 ms · no hitches"
            );
        }
    }

    #[test]
    fn one_capsule_is_not_a_crowd() {
        for entry in STRATEGIES {
            let set = [(&ENTITIES, 1.0), (&REQUESTS, 1.0)];
            let text = three_seconds(entry.key, &set).text();
            for plural in ["1 capsules", "1 runs", "1 tasks", "each of", "all "] {
                assert!(!text.contains(plural), "{text}");
            }
        }
        let text = three_seconds("all-at-once", &[(&ENTITIES, 1.0)]).text();
        assert!(
            text.starts_with("the one capsule ran every 0.500 s"),
            "{text}"
        );
        let text = three_seconds("every-frame", &[(&ENTITIES, 1.0)]).text();
        assert!(
            text.starts_with("the one capsule ran in every frame"),
            "{text}"
        );
    }

    #[test]
    fn work_that_no_interval_has_room_for_is_named() {
        let set = [(&ENTITIES, 4000.0), (&COST, 200.0)];
        for key in ["fixed-interval", "all-at-once"] {
            let said = Watched::new(key, &set).watch(10.0).said();
            let start = "this machine cannot run 4,000 tasks of 200 µs every 0.500 s, that takes 0.800 s · ";
            assert!(said.text().starts_with(start), "{}", said.text());
            assert!(wrong(&said).starts_with("this machine cannot"));
            let slow = "intervals of 0.800 s, 0.500 s was wanted";
            assert!(said.text().contains(slow), "{}", said.text());
        }
        let said = three_seconds("fixed-interval", &[(&ENTITIES, 4000.0), (&COST, 120.0)]);
        assert!(!said.text().contains("cannot"), "{}", said.text());
        let said = three_seconds("max-per-frame", &set);
        assert!(
            !said.text().contains("cannot"),
            "it wants no interval: {}",
            said.text()
        );
    }

    #[test]
    fn uneven_work_is_named_only_where_it_was_measured() {
        // Twice as fast, the machine does in 0.4 s what would take 0.8: that is within the interval.
        let uneven = [(&ENTITIES, 4000.0), (&COST, 200.0), (&COST_SPREAD, 0.4)];
        let said = three_seconds("fixed-interval", &uneven);
        assert!(
            said.text()
                .starts_with("this machine cannot run 4,000 tasks of 200 µs on the mean every"),
            "{}",
            said.text()
        );
        let fast = [uneven.as_slice(), &[(&SPEED, 2.0)]].concat();
        let said = three_seconds("fixed-interval", &fast);
        assert!(!said.text().contains("cannot"), "{}", said.text());
    }

    #[test]
    fn an_interval_shorter_than_a_frame_can_not_be_kept() {
        let said = three_seconds("fixed-interval", &[(&INTERVAL, 0.01), (&COST, 1.0)]);
        assert_eq!(wrong(&said), "intervals of 16.7 ms, 10.0 ms was wanted");
        let said = three_seconds("fixed-interval", &[(&INTERVAL, 0.0), (&COST, 1.0)]);
        assert!(!said.is_warning(), "zero is every update: {}", said.text());
    }

    #[test]
    fn where_nobody_ran_lately_the_stalest_is_told() {
        let watched = Watched::new("all-at-once", &[(&INTERVAL, 10.0), (&COST, 10.0)]);
        let watched = watched.watch(1.0);
        let text = watched.text();
        assert!(
            text.starts_with("all 400 capsules ran in 1 frame, none in the other "),
            "{text}"
        );
        let text = watched.watch(4.0).text();
        let start = "nobody ran in 2.0 s · the stalest has waited 4.983 s · frame p99";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn where_nobody_ran_twice_no_interval_is_told() {
        let text = Watched::new("max-per-frame", &[]).watch(1.0).text();
        assert!(text.starts_with("4 a frame: 240 runs in 1.0 s, too early to tell an interval; the stalest has waited 0."), "{text}");
    }

    #[test]
    fn each_is_said_only_of_as_many_as_were_measured() {
        let set = [(&ENTITIES, 4000.0), (&COST, 10.0)];
        let text = Watched::new("max-per-frame", &set).watch(40.0).text();
        assert!(
            text.starts_with("4 a frame: 480 intervals measured, 16.7 s ± 0.0 s"),
            "{text}"
        );
        let mut seen = Watched::new("fixed-interval", &[]).watch(3.0).seen();
        seen.worst_staleness = Nanos::from_secs(2); // somebody has not run for long
        let text = sentence(&seen, false, None).text();
        assert!(!text.contains("each"), "{text}");
    }

    #[test]
    fn under_churn_nothing_is_said_of_each() {
        let churning = [(&CHURN, 50.0), (&COST, 10.0)];
        let text = three_seconds("fixed-interval", &churning).text();
        assert!(text.starts_with("as some come and go, 1,"), "{text}");
        assert!(
            text.contains(" intervals measured, 0.500 s ± 0.00"),
            "{text}"
        );
        let text = three_seconds("every-frame", &churning).text();
        assert!(
            text.starts_with("all 400 capsules ran in every frame"),
            "{text}"
        );
    }

    #[test]
    fn uneven_intervals_are_told_on_the_mean() {
        let mut seen = Watched::new("fixed-interval", &[]).watch(3.0).seen();
        seen.interval = Some((0.5, 0.2));
        let text = sentence(&seen, false, None).text();
        assert!(
            text.starts_with(
                "each of 400 capsules ran at intervals of 0.500 s ± 0.200 s on the mean"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_frame_with_several_updates_is_not_taken_for_one() {
        let mut seen = Watched::new("every-frame", &[(&COST, 1.0)])
            .watch(3.0)
            .seen();
        seen.updates_most = 2;
        assert!(
            !sentence(&seen, false, None)
                .text()
                .contains("in every frame")
        );
        let mut seen = Watched::new("stagger-groups", &[]).watch(3.0).seen();
        seen.updates_most = 2;
        let text = sentence(&seen, false, None).text();
        assert!(
            text.starts_with("one of 30 groups an update: ") && !text.contains("fps"),
            "{text}"
        );
    }

    #[test]
    fn of_few_frames_the_longest_is_told_and_no_hundredth_part() {
        let text = Watched::new("fixed-interval", &[]).watch(1.0).text();
        assert!(
            text.contains("longest frame 16.7 ms") && !text.contains("p99"),
            "{text}"
        );
    }

    #[test]
    fn one_hitch_is_not_several_and_is_told_before_what_is_right() {
        let mut watched = Watched::new("fixed-interval", &[]).watch(3.0);
        assert!(watched.text().contains("no hitches"));
        let mut past = watched.history.frames().back().unwrap().clone();
        past.record.number += 1;
        past.record.length = Nanos::from_millis(26);
        watched.history.push(past);
        let said = watched.said();
        assert!(
            said.text().contains(" · 1 hitch over 25.0 ms · peak 14"),
            "{}",
            said.text()
        );
        assert_eq!(wrong(&said), "1 hitch over 25.0 ms");
    }

    #[test]
    fn what_was_left_out_is_said() {
        let mut watched = Watched::new("fixed-interval", &[]).watch(3.0);
        let mut held_up = watched.history.frames().back().unwrap().clone();
        held_up.record.number += 1;
        held_up.outside = Nanos::from_secs(3600);
        watched.history.push(held_up);
        let text = watched.text();
        assert!(
            text.ends_with("no hitches · 1 frame held up from outside, left out"),
            "{text}"
        );
    }

    #[test]
    fn a_small_crowds_peaks_are_no_bursts() {
        let said = three_seconds(all_at_once::ENTRY.key, &[(&ENTITIES, 5.0)]);
        assert!(
            said.text().contains("peak 5 tasks/frame, "),
            "{}",
            said.text()
        );
        assert!(!said.is_warning(), "{}", said.text());
    }

    #[test]
    fn figures_are_told_from_words_and_wrong_from_right() {
        let part = Part::new("peak *400* tasks, !*27×* the mean!");
        let pieces: Vec<(&str, bool, bool)> = part
            .0
            .iter()
            .map(|piece| (piece.text.as_str(), piece.figure, piece.wrong))
            .collect();
        assert_eq!(
            pieces,
            [
                ("peak ", false, false),
                ("400", true, false),
                (" tasks, ", false, false),
                ("27×", true, true),
                (" the mean", false, true)
            ]
        );
    }
}
