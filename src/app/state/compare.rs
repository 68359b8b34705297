//! Contents of Compare: a lane for each strategy, their latest reports, and what the table shows of them.

use super::best_setting::{BestSetting, MOST_ENTITIES, RANGES};
use super::game_limits::GameLimits;
use headless::experiment::comparison::Comparison;
use headless::experiment::sweep::{Broken, Card, Choice, Limit, Outcome, Sweep};
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

/// Time between updates of the figures, long enough to read them.
const HELD: Nanos = Nanos::from_millis(250);

/// Keys of the figures that the table shows at first.
const FIRST_METRICS: [&str; 6] = [
    "per_frame_ms.tasks_max",
    "hitch_percent",
    "staleness_ms.near",
    "staleness_ms.worst",
    "staleness_ms.weighted_mean",
    "times_minimum",
];

/// The charts below the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    TradeOff,
    Crossovers,
}

pub struct CompareState {
    /// Has no lanes before its view is first shown, because they may need much memory.
    pub comparison: Comparison,
    /// Metric by which the rows are ordered, and true if the best comes last; `None` for the order of the registry.
    pub order: Option<(&'static Metric, bool)>,
    /// Figures that the table shows, from the left.
    pub metrics: Vec<&'static Metric>,
    /// Number of restarts and resets of the figures.
    pub epoch: u64,
    /// Latest report of each lane.
    pub reports: Vec<Report>,
    /// The limits of the game that each lane breaks, at the time of the reports.
    pub broken: Vec<Vec<Broken>>,
    pub best_setting: BestSetting,
    pub chart: Chart,
    /// Whether the trade-off chart shows times instead of multiples.
    pub is_absolute: bool,
    /// The knob over which crossovers are sought while they are shown.
    pub over: &'static Knob,
    /// Sums for the theoretical bounds, at the time of the reports; `None` before the first.
    pub bounds: Option<Bounds>,
    /// Staleness by which the strategies are compared.
    pub staleness: WeightedStaleness,
    /// Effect of the last disturbance on each lane, at the time of the reports.
    pub effects: Vec<Option<Clause>>,
    pub selected: Option<usize>,
    /// Real time of the reports; `None` if they are out of date.
    reported_at: Option<ClockTime>,
}

impl Default for CompareState {
    fn default() -> Self {
        Self::new(GameLimits::new(BUDGET.default_span(), None, None))
    }
}

impl CompareState {
    pub fn new(limits: GameLimits) -> Self {
        let metrics = FIRST_METRICS.iter().filter_map(|key| metric_by_key(key));
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

    /// Advances the comparison, beginning it with `settings` if necessary. Returns true if this computer kept up.
    pub fn advance(&mut self, by: Nanos, settings: &Settings) -> bool {
        if self.comparison.lanes().is_empty() {
            self.comparison = Comparison::new(settings, STRATEGIES);
        }
        self.comparison.advance(by)
    }

    /// Makes new reports if the old reports are out of date or were shown long enough. `clock` is real time.
    pub fn refresh(&mut self, clock: ClockTime) {
        if self.reported_at.is_some_and(|at| clock < at + HELD) {
            return;
        }
        let comparison = &self.comparison;
        let reports = comparison.reports().into_iter();
        self.reports = reports.map(Report::after_first_round).collect();
        for report in &mut self.reports {
            report.subject.recovery = None; // the column of the disturbance shows it
        }
        let limits = &self.best_setting.limits;
        let broken = |of: &Report| match of.frames {
            0 => Vec::new(),
            _ => limits.broken(&Outcome::of_lane(of)),
        };
        self.broken = self.reports.iter().map(broken).collect();
        // The lanes have the same crowd, except for births and deaths in a frame.
        self.bounds = comparison
            .lanes()
            .first()
            .map(|lane| lane.bounds(MOST_SAMPLED));
        let lanes = 0..comparison.lanes().len();
        self.effects = lanes.map(|lane| comparison.effect(lane)).collect();
        self.reported_at = Some(clock);
    }

    /// Makes the next call of [`CompareState::refresh`] make new reports.
    pub fn expire_reports(&mut self) {
        self.reported_at = None;
    }

    /// Returns the lane of the best setting, or else of the one that is closest to keeping the limits.
    pub fn advised(&self) -> Option<usize> {
        let advised = self.best_setting.answer()?.advised()?;
        Some(advised.curve).filter(|lane| *lane < self.reports.len())
    }

    /// Says what to use, or why that is not known.
    pub fn status(&self, settings: &Settings) -> RichText {
        if let Some(answer) = self.best_setting.answer() {
            let mut text = answer.text();
            if let Some(why) = self.best_setting.provisional()
                && let Some(first) = text.clauses.first_mut()
            {
                first.words = phrase!("{}: {}", why, first.words.clone());
            }
            return text;
        }
        if settings.knobs.get(&ENTITIES) <= MOST_ENTITIES {
            return phrase!("trying settings of every strategy").normal().into();
        }
        let most = phrase!(
            "settings are tried for up to {} entities",
            MOST_ENTITIES as u64
        );
        // A lane that has not run every task may break a limit yet.
        let lanes = self.reports.iter().zip(&self.broken);
        let kept = lanes.filter(|(report, broken)| report.has_run_all() && broken.is_empty());
        let kept = kept.count();
        let as_set = phrase!(
            "as set, {} of {} strategies have kept your limits",
            kept,
            self.broken.len()
        );
        [most.normal(), as_set.warning_if(kept == 0)]
            .into_iter()
            .collect()
    }

    /// Returns the knobs that a card sets, and their values: those of its setting, and those of its strategy that differ from
    /// the trials by now.
    pub fn sets(&self, card: &Card, settings: &Settings) -> Vec<(&'static Knob, f64)> {
        let strategy = card.choice.strategy;
        let tried = self.tried_with(&card.choice);
        let is_offered = |knob: &Knob| card.choice.values().any(|(it, _)| it == knob);
        let differs = |knob: &Knob| settings.knobs.get(knob) != tried.get(knob);
        let knobs = strategy.knobs.iter();
        let knobs = knobs.filter(|knob| is_offered(knob) || differs(knob));
        knobs.map(|knob| (knob, tried.get(knob))).collect()
    }

    /// Returns the knobs with which a choice was tried.
    pub fn tried_with(&self, choice: &Choice) -> KnobValues {
        let tried = self.best_setting.sweep().map(Sweep::question);
        let mut knobs = tried.map_or_else(KnobValues::default, |it| it.settings.knobs.clone());
        for (knob, value) in choice.values() {
            knobs.set(knob, value);
        }
        knobs
    }

    /// Returns the choice whose code is shown: the one that is set, of the selected strategy if several are; or else the
    /// advised one.
    pub fn shown_choice(&self, settings: &Settings) -> Option<Choice> {
        let answer = self.best_setting.answer()?;
        let cards = answer.cards().into_iter();
        let set = cards.filter(|card| self.is_set(card, settings));
        let set = set.map(|card| card.choice);
        let selected = self.selected(settings);
        let shown = set.min_by_key(|choice| choice.curve != selected);
        shown.or(answer.advised().cloned())
    }

    /// Returns true if all that a card offers is set.
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

    /// Returns the limits that a card relaxes. All others stay what the user has made them since.
    pub fn relaxed(&self, card: &Card) -> impl Iterator<Item = Limit> {
        let asked = self.best_setting.answer().map(|answer| answer.limits);
        let asked = asked.unwrap_or(card.limits);
        let to = card.limits;
        Limit::ALL.into_iter().filter(move |limit| match limit {
            Limit::Hitches => asked.no_hitches != to.no_hitches,
            _ => asked.allowed(*limit) != to.allowed(*limit),
        })
    }

    /// Returns the lanes in the order of their rows.
    pub fn rows(&self) -> Vec<usize> {
        self.order.map_or_else(
            || (0..self.reports.len()).collect(),
            |(metric, is_reversed)| metric.order(&self.reports, is_reversed),
        )
    }

    /// Sorts the rows by a figure, the best first, or the other way round if they are already sorted so. `None` restores the
    /// order of the registry.
    pub fn sort(&mut self, metric: Option<&'static Metric>) {
        let last = self.order;
        self.order = metric.map(|metric| (metric, last == Some((metric, false))));
    }

    /// Returns the selected lane. If the user has selected none, this is the lane of the Grid view's strategy.
    pub fn selected(&self, settings: &Settings) -> usize {
        let of_grid = || STRATEGIES.iter().position(|it| *it == settings.strategy);
        self.selected.or_else(of_grid).unwrap_or(0)
    }

    /// Returns the lane this many rows below the selected lane. The first and the last row are the limits.
    pub fn stepped(&self, by: isize, settings: &Settings) -> usize {
        let (rows, selected) = (self.rows(), self.selected(settings));
        let row = rows.iter().position(|lane| *lane == selected).unwrap_or(0);
        let last = rows.len().saturating_sub(1);
        let next = rows.get(row.saturating_add_signed(by).min(last));
        next.copied().unwrap_or(selected)
    }

    /// Compares by the other staleness, in the columns too.
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

    /// Shows a figure in the first column, or hides it if it is shown.
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
    fn every_first_figure_is_registered() {
        let compare = CompareState::default();
        assert_eq!(compare.metrics.len(), FIRST_METRICS.len());
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
    fn a_figure_is_shown_first_or_hidden() {
        let mut compare = CompareState::default();
        let metric = metric_by_key("frame_ms.max").unwrap();
        compare.toggle(metric);
        assert_eq!(compare.metrics[0], metric);
        assert_eq!(compare.metrics.len(), FIRST_METRICS.len() + 1);
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
