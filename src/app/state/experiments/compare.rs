//! Contents of Compare: a lane for each strategy, their latest reports, and what the table shows of them.

use headless::experiment::comparison::{Comparison, Effect};
use headless::sim::settings::Settings;
use headless::stats::{
    Bounds, FIGURES, Figure, MeasuredLane, Recommendation, Report, WeightedStaleness, recommend,
};
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{ClockTime, Nanos};

/// Time between updates of the figures, long enough to read them.
const HELD: Nanos = Nanos::from_millis(250);

/// Keys of the figures that the table shows at first.
const FIRST_FIGURES: [&str; 6] = [
    "per_frame_ms.tasks_p99",
    "hitch_percent",
    "staleness_ms.mean",
    "staleness_ms.worst",
    "looking_wrong_percent.mean",
    "tasks_per_frame.peak_over_mean",
];

/// Order of the rows by a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub figure: &'static Figure,
    /// True if the best comes last.
    pub is_reversed: bool,
}

impl Order {
    /// Returns the order with the best value of `figure` first.
    pub fn by(figure: &'static Figure) -> Self {
        Self {
            figure,
            is_reversed: false,
        }
    }

    /// Returns the order after a click on the heading of `figure` in a table with this order: the best first, or the other
    /// way round if the table is already sorted by it.
    pub fn after_click(before: Option<Self>, figure: &'static Figure) -> Self {
        let is_sorted = |order: Self| order.figure == figure && !order.is_reversed;
        Self {
            figure,
            is_reversed: before.is_some_and(is_sorted),
        }
    }
}

pub struct CompareState {
    pub comparison: Option<Comparison>,
    /// Order of the rows; `None` for the order of the registry.
    pub order: Option<Order>,
    /// Figures that the table shows, from the left.
    pub figures: Vec<&'static Figure>,
    /// Number of restarts and resets of the figures.
    pub epoch: u64,
    /// Latest report of each lane.
    pub reports: Vec<Report>,
    /// Which strategies keep the budget, by the reports.
    pub advice: Recommendation,
    /// Sums for the theoretical bounds, at the time of the reports; `None` before the first.
    pub bounds: Option<Bounds>,
    /// Staleness in the trade-off chart.
    pub staleness: WeightedStaleness,
    /// Effect of the last disturbance on each lane, at the time of the reports.
    pub effects: Vec<Option<Effect>>,
    /// Label of that disturbance.
    pub disturbance: Option<String>,
    selected: Option<usize>,
    reported_at: ClockTime,
    /// Epoch of the comparison and number of lanes in the reports.
    reported: Option<(u64, usize)>,
}

impl Default for CompareState {
    fn default() -> Self {
        let first = |key: &&str| FIGURES.iter().find(|figure| figure.key == *key);
        Self {
            comparison: None,
            order: None,
            figures: FIRST_FIGURES.iter().filter_map(first).collect(),
            epoch: 0,
            reports: Vec::new(),
            advice: recommend(&[], Nanos::ZERO),
            bounds: None,
            staleness: WeightedStaleness::default(),
            effects: Vec::new(),
            disturbance: None,
            selected: None,
            reported_at: ClockTime::START,
            reported: None,
        }
    }
}

impl CompareState {
    /// Advances the comparison, beginning it with `settings` if necessary. Returns true if this computer kept up.
    pub fn advance(&mut self, by: Nanos, settings: &Settings) -> bool {
        let new = || {
            let mut comparison = Comparison::new(settings, STRATEGIES);
            comparison.collect_changed_places();
            comparison
        };
        self.comparison.get_or_insert_with(new).advance(by)
    }

    /// Makes new reports if the old reports were shown long enough, or if the lanes or the last disturbance are new.
    /// `clock` is real time.
    pub fn refresh(&mut self, clock: ClockTime) {
        let Some(comparison) = &self.comparison else {
            return;
        };
        let shown = Some((self.epoch, comparison.lanes().len()));
        let is_new = shown != self.reported;
        let is_disturbed = self.disturbance.as_deref() != comparison.last_disturbance();
        if is_new || is_disturbed || clock >= self.reported_at + HELD {
            self.disturbance = comparison.last_disturbance().map(str::to_owned);
            self.reports = comparison.reports();
            for report in &mut self.reports {
                report.subject.recovery = None; // the column of the disturbance shows it
            }
            self.advice = recommend(&self.reports, budget(comparison));
            // The lanes have the same crowd, except for births and deaths in a frame.
            self.bounds = comparison.lanes().first().map(MeasuredLane::bounds);
            let lanes = 0..comparison.lanes().len();
            self.effects = lanes.map(|lane| comparison.effect(lane)).collect();
            self.reported_at = clock;
            self.reported = shown;
        }
    }

    /// Makes the next call of [`CompareState::refresh`] make new reports.
    pub fn expire_reports(&mut self) {
        self.reported = None;
    }

    /// Returns the lanes in the order of their rows.
    pub fn rows(&self) -> Vec<usize> {
        self.order.map_or_else(
            || (0..self.reports.len()).collect(),
            |order| order.figure.order(&self.reports, order.is_reversed),
        )
    }

    /// Returns the selected lane. If the user has selected none, this is the lane of the Grid view's strategy.
    pub fn selected(&self, settings: &Settings) -> usize {
        let of_grid = || STRATEGIES.iter().position(|it| *it == settings.strategy);
        self.selected.or_else(of_grid).unwrap_or(0)
    }

    pub(in crate::app::state) fn select(&mut self, lane: usize) {
        self.selected = Some(lane);
    }

    /// Selects the lane this many rows below the selected lane. The first and the last row are the limits.
    pub(in crate::app::state) fn step(&mut self, by: isize, settings: &Settings) {
        let rows = self.rows();
        let selected = self.selected(settings);
        let row = rows.iter().position(|lane| *lane == selected).unwrap_or(0);
        let next = row
            .saturating_add_signed(by)
            .min(rows.len().saturating_sub(1));
        self.selected = rows.get(next).copied().or(self.selected);
    }

    /// Shows a figure in the first column, or hides it if it is shown.
    pub(in crate::app::state) fn toggle(&mut self, figure: &'static Figure) {
        let before = self.figures.len();
        self.figures.retain(|shown| *shown != figure);
        if self.figures.len() == before {
            self.figures.insert(0, figure);
        }
    }

    pub fn clear_statistics(&mut self) {
        if let Some(comparison) = &mut self.comparison {
            comparison.clear_statistics();
            self.epoch += 1;
        }
    }

    pub fn restart(&mut self) {
        if let Some(comparison) = &mut self.comparison {
            comparison.restart();
            self.epoch += 1;
        }
    }
}

/// Returns the time that a frame may spend on tasks.
pub fn budget(comparison: &Comparison) -> Nanos {
    Nanos::from_millis_f64(comparison.knobs().get(&BUDGET))
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::sim::disturbance::Disturbance;
    use headless::stats::figure_by_key;
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
        assert_eq!(compare.figures.len(), FIRST_FIGURES.len());
    }

    #[test]
    fn clicks_on_a_heading_sort_both_ways() {
        let [one, other] = [&FIGURES[3], &FIGURES[5]];
        let mut order = None;
        for (figure, is_reversed) in [(one, false), (other, false), (other, true), (other, false)] {
            let expected = Order {
                figure,
                is_reversed,
            };
            order = Some(Order::after_click(order, figure));
            assert_eq!(order, Some(expected));
        }
    }

    #[test]
    fn a_figure_is_shown_first_or_hidden() {
        let mut compare = CompareState::default();
        let figure = figure_by_key("frame_ms.max").unwrap();
        compare.toggle(figure);
        assert_eq!(compare.figures[0], figure);
        assert_eq!(compare.figures.len(), FIRST_FIGURES.len() + 1);
        compare.toggle(figure);
        assert_eq!(compare.figures, CompareState::default().figures);
    }

    #[test]
    fn steps_follow_the_rows_on_screen() {
        let mut compare = begun();
        let settings = Settings::default();
        compare.order = Some(Order::by(figure_by_key("frame_ms.max").unwrap()));
        let rows = compare.rows();
        compare.select(rows[0]);
        for expected in rows.iter().skip(1).chain(rows.last()) {
            compare.step(1, &settings);
            assert_eq!(compare.selected(&settings), *expected);
        }
        compare.step(isize::MIN, &settings);
        assert_eq!(compare.selected(&settings), rows[0]);
        let mut none = CompareState::default();
        none.step(1, &settings);
        assert_eq!(STRATEGIES[none.selected(&settings)], settings.strategy);
    }

    #[test]
    fn a_new_disturbance_is_not_shown_with_an_old_effect() {
        let (mut compare, clock) = (begun(), monotonic());
        compare.refresh(clock);
        for disturbance in [Some(Disturbance::Stall), Some(Disturbance::Births), None] {
            let comparison = compare.comparison.as_mut().expect("it has begun");
            match disturbance {
                Some(disturbance) => comparison.disturb(disturbance),
                None => comparison.clear_statistics(),
            }
            compare.refresh(clock); // all in the same moment
            let comparison = compare.comparison.as_ref().expect("it has begun");
            let present = (0..STRATEGIES.len()).map(|lane| comparison.effect(lane));
            assert!(
                present.eq(compare.effects.iter().cloned()),
                "{disturbance:?}"
            );
            assert_eq!(
                compare.disturbance.as_deref(),
                comparison.last_disturbance()
            );
        }
    }
}
