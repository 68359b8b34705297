//! The state of the Compare view, which runs all strategies side by side: the latest report of each strategy, and the
//! sorting and the columns of the table.

use super::best_setting::{BestSetting, MOST_ENTITIES, RANGES};
use super::game_limits::GameLimits;
use headless::experiment::comparison::Comparison;
use headless::judge::{Broken, Card, Choice, Limit, Outcome, Sweep};
use headless::phrase;
use headless::sim::disturbance::Disturbance;
use headless::sim::settings::Settings;
use headless::sim::world::ENTITIES;
use headless::stats::{Bounds, MOST_SAMPLED, Metric, Report, WeightedStaleness, metric_by_key};
use headless::text::rich::{Clause, RichText};
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{ClockTime, Nanos};

const METRICS_UPDATE_PERIOD: Nanos = Nanos::from_millis(250);

const DEFAULT_METRICS: [&str; 6] = [
    "per_frame_ms.tasks_max",
    "hitch_percent",
    "staleness_ms.near",
    "staleness_ms.worst",
    "staleness_ms.weighted_mean",
    "times_minimum",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    TradeOff,
    Crossovers,
}

pub struct CompareState {
    /// The simulated games of all strategies. They are created when the Compare view is first shown, because they may
    /// need a lot of memory.
    pub comparison: Comparison,
    /// The metric by which the rows are sorted. The second field is true if their order is reversed. If `None`, the
    /// rows are in their original order.
    pub order: Option<(&'static Metric, bool)>,
    pub metrics: Vec<&'static Metric>,
    /// The number of times that the comparison was restarted or its statistics were reset.
    pub epoch: u64,
    pub reports: Vec<Report>,
    /// For each strategy, the limits of the user's game that the strategy exceeds according to its latest report.
    pub broken: Vec<Vec<Broken>>,
    pub best_setting: BestSetting,
    pub chart: Chart,
    /// Whether the trade-off chart shows absolute times instead of multiples of the theoretical minimum.
    pub is_absolute: bool,
    pub over: &'static Knob,
    /// The theoretical bounds for the current crowd, or `None` until there are reports.
    pub bounds: Option<Bounds>,
    /// Whether the strategies are compared by their mean or their worst weighted staleness.
    pub staleness: WeightedStaleness,
    /// For each strategy, a description of the effect of the last disturbance.
    pub effects: Vec<Option<Clause>>,
    pub selected: Option<usize>,
    /// The real time at which the reports were created, or `None` if they are out of date.
    reported_at: Option<ClockTime>,
}

impl Default for CompareState {
    fn default() -> Self {
        Self::new(GameLimits::new(BUDGET.default_span(), None, None))
    }
}

impl CompareState {
    pub fn new(limits: GameLimits) -> Self {
        let metrics = DEFAULT_METRICS.iter().filter_map(|key| metric_by_key(key));
        Self {
            comparison: Comparison::new(&Settings::default(), &[]),
            order: None,
            metrics: metrics.collect(),
            epoch: 0,
            reports: Vec::new(),
            broken: Vec::new(),
            best_setting: BestSetting::new(limits),
            chart: Chart::TradeOff,
            is_absolute: false,
            over: RANGES[0].0,
            bounds: None,
            staleness: WeightedStaleness::default(),
            effects: Vec::new(),
            selected: None,
            reported_at: None,
        }
    }

    /// Advances the comparison by a duration. Creates the comparison if it does not exist yet. Returns true if this
    /// computer was fast enough to simulate the comparison in real time.
    pub fn advance(&mut self, duration: Nanos, settings: &Settings) -> bool {
        if self.comparison.lanes().is_empty() {
            self.comparison = Comparison::new(settings, STRATEGIES);
        }
        self.comparison.advance(duration)
    }

    /// Creates new reports if the current ones are out of date or have been shown long enough to be read. `clock` is
    /// the current real time.
    pub fn refresh(&mut self, clock: ClockTime) {
        if self
            .reported_at
            .is_some_and(|at| clock < at + METRICS_UPDATE_PERIOD)
        {
            return;
        }
        let comparison = &self.comparison;
        let reports = comparison.reports().into_iter();
        self.reports = reports.map(Report::after_first_round).collect();
        for report in &mut self.reports {
            report.subject.recovery = None; // the disturbance column shows it
        }
        let limits = &self.best_setting.limits;
        let broken = |of: &Report| match of.frames {
            0 => Vec::new(),
            _ => limits.broken(&Outcome::of_lane(of)),
        };
        self.broken = self.reports.iter().map(broken).collect();
        // All lanes have the same crowd, except for births and deaths within a frame.
        self.bounds = comparison
            .lanes()
            .first()
            .map(|lane| lane.bounds(MOST_SAMPLED));
        let lanes = 0..comparison.lanes().len();
        self.effects = lanes.map(|lane| comparison.effect(lane)).collect();
        self.reported_at = Some(clock);
    }

    /// Marks the reports as out of date, so that the next call to [`CompareState::refresh`] creates new ones.
    pub fn expire_reports(&mut self) {
        self.reported_at = None;
    }

    /// Returns the index of the recommended strategy. If every strategy exceeds a limit, this is the one that exceeds
    /// the limits the least.
    pub fn recommended(&self) -> Option<usize> {
        let recommended = self.best_setting.recommendation()?.recommended()?;
        Some(recommended.curve).filter(|lane| *lane < self.reports.len())
    }

    /// Returns a message that says which strategy to use, or why there is no recommendation yet.
    pub fn status(&self, settings: &Settings) -> RichText {
        if let Some(recommendation) = self.best_setting.recommendation() {
            let mut text = recommendation.text();
            if let Some(why) = self.best_setting.provisional()
                && let Some(first) = text.clauses.first_mut()
            {
                first.words = phrase!("{}: {}", why, first.words.clone());
            }
            return text;
        }
        if settings.knobs.get(&ENTITIES) <= MOST_ENTITIES {
            return phrase!("trying out settings of every strategy")
                .normal()
                .into();
        }
        let most = phrase!(
            "the search for the best setting supports up to {} entities",
            MOST_ENTITIES as u64
        );
        // A lane that has not run every task may still exceed a limit.
        let lanes = self.reports.iter().zip(&self.broken);
        let kept = lanes.filter(|(report, broken)| report.has_run_all() && broken.is_empty());
        let kept = kept.count();
        let as_set = phrase!(
            "with the current settings, {} of {} strategies have met your limits",
            kept,
            self.broken.len()
        );
        [most.normal(), as_set.warning_if(kept == 0)]
            .into_iter()
            .collect()
    }

    /// Returns the knob values to set when the user applies an advice card. These are the recommended values, and the
    /// values that the search used for the strategy's other knobs. The latter are left out if the knobs still have
    /// these values.
    pub fn sets(&self, card: &Card, settings: &Settings) -> Vec<(&'static Knob, f64)> {
        let strategy = card.choice.strategy;
        let tried = self.tried_with(&card.choice);
        let is_offered = |knob: &Knob| card.choice.values().any(|(it, _)| it == knob);
        let differs = |knob: &Knob| settings.knobs.get(knob) != tried.get(knob);
        let knobs = strategy.knobs.iter();
        let knobs = knobs.filter(|knob| is_offered(knob) || differs(knob));
        knobs.map(|knob| (knob, tried.get(knob))).collect()
    }

    /// Returns the values that all knobs had when the search tried `choice`.
    pub fn tried_with(&self, choice: &Choice) -> KnobValues {
        let tried = self.best_setting.sweep().map(Sweep::question);
        let mut knobs = tried.map_or_else(KnobValues::default, |it| it.settings.knobs.clone());
        for (knob, value) in choice.values() {
            knobs.set(knob, value);
        }
        knobs
    }

    /// Returns the strategy and the knob values for which the program shows code. They are taken from the advice card
    /// that the user has applied. If no card has been applied, they are taken from the recommendation.
    pub fn shown_choice(&self, settings: &Settings) -> Option<Choice> {
        let recommendation = self.best_setting.recommendation()?;
        let cards = recommendation.cards().into_iter();
        let set = cards.filter(|card| self.is_set(card, settings));
        let set = set.map(|card| card.choice);
        let selected = self.selected(settings);
        let shown = set.min_by_key(|choice| choice.curve != selected);
        shown.or(recommendation.recommended().cloned())
    }

    /// Returns true if the current settings match everything that an advice card offers.
    pub fn is_set(&self, card: &Card, settings: &Settings) -> bool {
        let knobs = &settings.knobs;
        let limits = &self.best_setting.limits;
        let entities = card
            .entities
            .map_or_else(|| knobs.get(&ENTITIES), f64::from);
        let mut values = self.sets(card, settings).into_iter();
        values.all(|(knob, value)| knobs.get(knob) == value)
            && knobs.get(&ENTITIES) == entities
            && self.relaxed(card).all(|limit| match limit {
                Limit::Hitches => !limits.no_hitches,
                _ => limits.allowed(limit) == card.limits.allowed(limit),
            })
    }

    /// Returns the limits that an advice card would relax.
    pub fn relaxed(&self, card: &Card) -> impl Iterator<Item = Limit> {
        let asked = self
            .best_setting
            .recommendation()
            .map(|recommendation| recommendation.limits);
        let asked = asked.unwrap_or(card.limits);
        let to = card.limits;
        Limit::ALL.into_iter().filter(move |limit| match limit {
            Limit::Hitches => asked.no_hitches != to.no_hitches,
            _ => asked.allowed(*limit) != to.allowed(*limit),
        })
    }

    /// Returns the indices of the strategies in the order of the table's rows.
    pub fn rows(&self) -> Vec<usize> {
        self.order.map_or_else(
            || (0..self.reports.len()).collect(),
            |(metric, is_reversed)| metric.order(&self.reports, is_reversed),
        )
    }

    /// Sorts the rows by a metric, with the best row first. If they are already sorted that way, reverses the order.
    /// `None` restores the original order.
    pub fn sort(&mut self, metric: Option<&'static Metric>) {
        let last = self.order;
        self.order = metric.map(|metric| (metric, last == Some((metric, false))));
    }

    /// Returns the index of the selected strategy. If the user has not selected one, returns the strategy of the Grid
    /// view.
    pub fn selected(&self, settings: &Settings) -> usize {
        let of_grid = || STRATEGIES.iter().position(|it| *it == settings.strategy);
        self.selected.or_else(of_grid).unwrap_or(0)
    }

    /// Returns the strategy that is `steps` rows below the selected row, or above it if negative. Stops at the first
    /// and the last row.
    pub fn stepped(&self, steps: isize, settings: &Settings) -> usize {
        let (rows, selected) = (self.rows(), self.selected(settings));
        let row = rows.iter().position(|lane| *lane == selected).unwrap_or(0);
        let last = rows.len().saturating_sub(1);
        let next = rows.get(row.saturating_add_signed(steps).min(last));
        next.copied().unwrap_or(selected)
    }

    /// Switches the chart and the table's columns between the mean and the worst weighted staleness.
    pub fn switch_staleness(&mut self) {
        self.staleness = match self.staleness {
            WeightedStaleness::Mean => WeightedStaleness::Worst,
            WeightedStaleness::Worst => WeightedStaleness::Mean,
        };
        let pairs = [
            ["staleness_ms.weighted_mean", "staleness_ms.weighted_worst"],
            ["times_minimum", "worst_times_minimum"],
        ];
        for pair in pairs.map(|keys| keys.map(metric_by_key)) {
            let (mean, worst) = (pair[0], pair[1]);
            let (from, to) = match self.staleness {
                WeightedStaleness::Mean => (worst, mean),
                WeightedStaleness::Worst => (mean, worst),
            };
            if let Some((from, to)) = from.zip(to).filter(|(_, to)| !self.metrics.contains(to)) {
                let shown = self.metrics.iter_mut().filter(|metric| **metric == from);
                shown.for_each(|metric| *metric = to);
            }
        }
        self.expire_reports();
    }

    /// Adds a metric as the first column of the table, or removes its column if there is one.
    pub fn toggle(&mut self, metric: &'static Metric) {
        if self.metrics.contains(&metric) {
            self.metrics.retain(|shown| *shown != metric);
        } else {
            self.metrics.insert(0, metric);
        }
    }

    pub fn disturb(&mut self, disturbance: Disturbance) {
        self.comparison.disturb(disturbance);
        self.expire_reports();
    }

    pub fn clear_statistics(&mut self) {
        self.comparison.clear_statistics();
        self.epoch += 1;
        self.expire_reports();
    }

    pub fn restart(&mut self) {
        self.comparison.restart();
        self.epoch += 1;
        self.expire_reports();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::stats::METRICS;
    use timeslicer::time::monotonic;

    fn begun() -> CompareState {
        let mut compare = CompareState::default();
        compare.advance(Nanos::from_millis(90), &Settings::default());
        compare.refresh(monotonic());
        compare
    }

    #[test]
    fn every_first_metric_is_registered() {
        let compare = CompareState::default();
        assert_eq!(compare.metrics.len(), DEFAULT_METRICS.len());
    }

    #[test]
    fn clicks_on_a_heading_sort_both_ways() {
        let [one, other] = [&METRICS[3], &METRICS[5]];
        let mut compare = CompareState::default();
        for (metric, is_reversed) in [(one, false), (other, false), (other, true), (other, false)] {
            compare.sort(Some(metric));
            assert_eq!(compare.order, Some((metric, is_reversed)));
        }
        compare.sort(None);
        assert_eq!(compare.order, None);
    }

    #[test]
    fn a_metric_is_shown_first_or_hidden() {
        let mut compare = CompareState::default();
        let metric = metric_by_key("frame_ms.max").unwrap();
        compare.toggle(metric);
        assert_eq!(compare.metrics[0], metric);
        assert_eq!(compare.metrics.len(), DEFAULT_METRICS.len() + 1);
        compare.toggle(metric);
        assert_eq!(compare.metrics, CompareState::default().metrics);
    }

    #[test]
    fn one_switch_turns_the_goal_and_columns_to_the_worst_staleness_and_back() {
        let (mut compare, first) = (begun(), CompareState::default().metrics);
        let keys = |compare: &CompareState| -> Vec<&str> {
            compare.metrics.iter().map(|metric| metric.key).collect()
        };
        compare.switch_staleness();
        assert_eq!(compare.staleness, WeightedStaleness::Worst);
        assert!(keys(&compare).contains(&"staleness_ms.weighted_worst"));
        assert!(!keys(&compare).contains(&"times_minimum"));
        compare.switch_staleness();
        assert_eq!(compare.metrics, first);
    }

    #[test]
    fn steps_follow_the_rows_on_screen() {
        let mut compare = begun();
        let settings = Settings::default();
        compare.sort(metric_by_key("frame_ms.max"));
        let rows = compare.rows();
        compare.selected = Some(rows[0]);
        for expected in rows.iter().skip(1).chain(rows.last()) {
            compare.selected = Some(compare.stepped(1, &settings));
            assert_eq!(compare.selected, Some(*expected));
        }
        assert_eq!(compare.stepped(isize::MIN, &settings), rows[0]);
        let none = CompareState::default().stepped(1, &settings);
        assert_eq!(STRATEGIES[none], settings.strategy);
    }

    #[test]
    fn a_new_disturbance_is_shown_with_its_effect_at_once() {
        let (mut compare, clock) = (begun(), monotonic());
        compare.refresh(clock);
        for disturbance in [Some(Disturbance::Stall), Some(Disturbance::Births), None] {
            match disturbance {
                Some(disturbance) => compare.disturb(disturbance),
                None => compare.clear_statistics(),
            }
            compare.refresh(clock);
            let present = (0..STRATEGIES.len()).map(|lane| compare.comparison.effect(lane));
            assert!(
                present.eq(compare.effects.iter().cloned()),
                "{disturbance:?}"
            );
        }
    }
}
