//! The state of the Compare view: the latest report of each strategy, and the sorting of the table.

use super::State;
use super::best_setting::BestSetting;
use super::command::CompareCommand;
use super::game_limits::{GameLimits, key_of};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::comparison::strategies::Comparison;
use lab::measure::{Objective, Report};
use lab::recommend::{Change, Choice, Limit, Limits, Outcome, Recommendation, Setting};
use lab::sim::settings::{self, Settings};
use lab::sim::world::ENTITIES;
use timeslicer::time::{ClockTime, Nanos};

const METRICS_UPDATE_PERIOD: Nanos = Nanos::from_millis(250);

/// A value in the table, by which the strategies can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeValue {
    /// The mean staleness near the target.
    Near,
    /// The mean staleness of all other entities.
    Others,
    Longest,
    /// The mean wait of requests.
    MeanWait,
    /// The longest wait of any request.
    LongestWait,
    /// The longest task time of a frame.
    Tasks,
    /// The longest wait or frame after the last disturbance, which has a column of its own.
    Effect,
}

impl OutcomeValue {
    /// Returns the values that describe work that is done again and again, or only on request.
    pub fn shown(on_request: bool) -> &'static [Self] {
        if on_request {
            &[Self::MeanWait, Self::LongestWait, Self::Tasks]
        } else {
            &[Self::Near, Self::Others, Self::Longest, Self::Tasks]
        }
    }

    fn of(self, outcome: &Outcome) -> Option<Nanos> {
        let (staleness, waits) = (outcome.staleness, outcome.request_wait);
        match self {
            Self::Near => staleness?.near,
            Self::Others => Some(staleness?.others.unwrap_or(staleness?.mean)),
            Self::Longest => Some(staleness?.worst),
            Self::MeanWait => Some(waits?.mean),
            Self::LongestWait => Some(waits?.max),
            Self::Tasks => outcome.is_known.then_some(outcome.tasks.max),
            Self::Effect => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    TradeOff,
    Crossovers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The best setting of the strategy at this index.
    Strategy(usize),
    /// A change to the game and the setting that then keeps all limits. This is an index of [`Recommendation::ways`].
    Way(usize),
}

pub struct CompareState {
    /// The simulated games of all strategies, created when Compare is first shown because they may need much memory.
    pub comparison: Comparison,
    /// The value by which the rows are sorted, and whether in reverse. `None` is the order of the recommendation.
    pub order: Option<(OutcomeValue, bool)>,
    pub reports: Vec<Report>,
    pub best_setting: BestSetting,
    /// Whether the strategies are compared by their mean or their worst weighted staleness. If the work is done only on
    /// request, they are compared by the mean or the longest wait instead ([`CompareState::objective`]).
    staleness: Objective,
    pub selected: Option<usize>,
    /// The real time at which the reports were created, or `None` if they are out of date.
    reported_at: Option<ClockTime>,
}

impl CompareState {
    pub fn new(limits: Limits) -> Self {
        Self {
            comparison: Comparison::new(&Settings::default(), &[]),
            order: None,
            reports: Vec::new(),
            best_setting: BestSetting::new(GameLimits::new(limits)),
            staleness: Objective::default(),
            selected: None,
            reported_at: None,
        }
    }

    /// Advances the comparison, or creates it. Returns true if this computer could simulate it in real time.
    pub fn advance(&mut self, duration: Nanos, settings: &Settings) -> bool {
        if self.comparison.lanes.is_empty() {
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
        let mut reports = self.comparison.reports();
        if !self.on_request() {
            let settled = reports.into_iter().map(Report::after_first_round);
            reports = settled.collect();
        }
        for report in &mut reports {
            report.subject.recoveries.clear(); // the disturbance column shows it
        }
        self.reports = reports;
        self.reported_at = Some(clock);
    }

    /// Returns true if the work is done only when it is requested.
    pub fn on_request(&self) -> bool {
        self.best_setting.limits.in_effect.on_request
    }

    /// Returns what the strategies are compared by.
    pub fn objective(&self) -> Objective {
        if self.on_request() {
            self.staleness.of_requests()
        } else {
            self.staleness
        }
    }

    /// Marks the reports as out of date, so that the next call to [`CompareState::refresh`] creates new ones.
    pub fn expire_reports(&mut self) {
        self.reported_at = None;
    }

    /// Returns a value of the strategy at its best setting, or the effect of the last disturbance. `None` if no setting
    /// keeps the limits, or if the value is not known.
    pub fn value(&self, lane: usize, value: OutcomeValue) -> Option<Nanos> {
        if value == OutcomeValue::Effect {
            return Some(self.comparison.last_recovery(lane)?.mean_and_longest()?[1]);
        }
        let choice = self.best_setting.recommendation()?.choices.get(lane)?;
        value.of(&choice.outcome).filter(|_| choice.holds())
    }

    /// Returns the recommendation, the setting that it offers, and the change that comes with this setting, if any.
    pub fn offered(&self, offer: Offer) -> Option<(&Recommendation, &Choice, Option<Change>)> {
        let all = self.best_setting.recommendation()?;
        Some(match offer {
            Offer::Strategy(lane) => (all, all.choices.get(lane)?, None),
            Offer::Way(index) => {
                let way = all.ways.get(index)?;
                (all, &way.choice, Some(way.change))
            }
        })
    }

    /// Returns the indices of the strategies in the order of the table's rows.
    pub fn rows(&self) -> Vec<usize> {
        let answer = self.best_setting.recommendation();
        let order = answer.map(Recommendation::order);
        let order = order.filter(|order| order.len() == self.reports.len());
        let mut rows = order.unwrap_or_else(|| (0..self.reports.len()).collect());
        if let Some((sorted_by, is_reversed)) = self.order {
            rows.sort_by_cached_key(|&lane| {
                let value = self.value(lane, sorted_by);
                let nanos = value.map_or(0, |time| time.as_nanos().cast_signed());
                // Strategies without a value come last in either order.
                (value.is_none(), if is_reversed { -nanos } else { nanos })
            });
        }
        rows
    }

    pub fn sort(&mut self, value: Option<OutcomeValue>) {
        let last = self.order;
        self.order = value.map(|value| (value, last == Some((value, false))));
    }

    /// Returns the index of the selected strategy. The default is the strategy of the Grid view or, if that strategy
    /// cannot do the work, the recommended one.
    pub fn selected(&self, settings: &Settings) -> usize {
        let of_grid = || STRATEGIES.iter().position(|it| *it == settings.strategy);
        let of_grid = || of_grid().filter(|lane| self.considers(*lane));
        let best = || self.best_setting.recommendation()?.best;
        self.selected.or_else(of_grid).or_else(best).unwrap_or(0)
    }

    /// Returns true if a strategy can do the work. Work on request requires a strategy that runs tasks on request.
    pub fn considers(&self, lane: usize) -> bool {
        !self.on_request() || STRATEGIES[lane].on_request()
    }

    /// Returns the strategy `steps` rows below the selected one, or above if negative, within the table.
    pub fn stepped(&self, steps: isize, settings: &Settings) -> usize {
        let (rows, selected) = (self.rows(), self.selected(settings));
        let row = rows.iter().position(|lane| *lane == selected).unwrap_or(0);
        let last = rows.len().saturating_sub(1);
        let next = rows.get(row.saturating_add_signed(steps).min(last));
        next.copied().unwrap_or(selected)
    }
}

/// Returns the values of those knobs of a strategy that must change to apply a setting of the recommendation, in which
/// the other knobs of the strategy have their defaults.
pub fn knobs_to_set(
    strategy: &'static StrategyEntry,
    setting: &Setting,
    current: &Settings,
) -> Vec<(&'static Knob, f64)> {
    let tried = setting.applied_to(strategy, &Settings::default());
    let values = strategy.own_knobs();
    let values = values.map(|knob| (knob, tried.knobs.get(knob)));
    let changed = values.filter(|(knob, value)| current.knobs.get(knob) != *value);
    changed.collect()
}

impl State {
    pub(super) fn apply_in_compare(&mut self, command: CompareCommand) {
        match command {
            CompareCommand::OpenSelected => {
                let lane = self.compare.selected(&self.settings);
                self.open_strategy(STRATEGIES[lane]);
            }
            CompareCommand::TradeOff => {
                let compare = &mut self.compare;
                let [mean, worst] = Objective::WEIGHTED;
                compare.staleness = if compare.staleness == mean {
                    worst
                } else {
                    mean
                };
                self.note(format_args!("{} shown", self.compare.objective().name()));
            }
            CompareCommand::OnRequest => {
                let limits = &mut self.compare.best_setting.limits.in_effect;
                limits.on_request = !limits.on_request;
                let is_on = limits.on_request;
                self.compare.order = None;
                let how = if is_on { "on" } else { "off" };
                self.note(format_args!("on-request {how}"));
            }
            CompareCommand::SwitchLimit(limit) => {
                self.compare.best_setting.limits.switch(limit);
                self.limit_changed(limit);
            }
            CompareCommand::SetLimit(limit, value) => {
                self.compare.best_setting.limits.set(limit, Some(value));
                self.limit_changed(limit);
            }
            CompareCommand::SwitchChart => {
                let (chart, what) = match self.compare.best_setting.chart {
                    Chart::Crossovers => (Chart::TradeOff, "trade-off shown"),
                    Chart::TradeOff => (Chart::Crossovers, "crossovers shown"),
                };
                self.compare.best_setting.chart = chart;
                self.note(what);
            }
            CompareCommand::Over(knob) => {
                self.compare.best_setting.over = knob;
                self.note(format_args!("crossovers over {}", knob.key));
            }
            CompareCommand::Apply(offer) => {
                if self.compare.best_setting.is_final() {
                    self.apply_offer(offer);
                }
            }
            CompareCommand::CopyOffer(offer, language) => {
                if let Some((all, choice, _)) = self.compare.offered(offer) {
                    let (entry, knobs) = (choice.strategy, all.settings(choice).knobs);
                    self.copy_code(entry, language, &knobs);
                }
            }
            CompareCommand::SelectLane(lane) => self.select(lane),
            CompareCommand::StepLane(by) => {
                self.select(self.compare.stepped(by, &self.settings));
            }
            CompareCommand::Sort(value) => {
                self.compare.sort(value);
                self.note("sorted");
            }
        }
    }

    /// Applies a setting that the recommendation offers, in all lanes and in the Grid view, and selects its strategy.
    fn apply_offer(&mut self, offer: Offer) {
        let Some((all, choice, change)) = self.compare.offered(offer) else {
            return;
        };
        let (lane, strategy) = (choice.lane, choice.strategy);
        let sets = knobs_to_set(strategy, &choice.setting, &self.settings);
        match change {
            None => {}
            Some(Change::Entities(entities)) => {
                self.set(settings::Setting::Knob(&ENTITIES, entities.into()));
            }
            Some(Change::Relax(broken)) => {
                let allowed = all.limits.relaxed(&broken).allowed(broken.limit);
                let limits = &mut self.compare.best_setting.limits;
                limits.set(broken.limit, allowed);
                self.limit_changed(broken.limit);
            }
        }
        for (knob, value) in sets {
            self.set(settings::Setting::Knob(knob, value));
        }
        self.settings.strategy = strategy;
        self.select(lane);
    }

    fn limit_changed(&mut self, limit: Limit) {
        let limits = self.compare.best_setting.limits;
        let key = key_of(limit);
        let is_on = limits.is_on(limit);
        if is_on && !limit.is_about_frame_rate() {
            let value = limit.in_unit(limits.value(limit));
            self.note(format_args!("limit {key} {value}"));
        } else {
            let how = if is_on { "on" } else { "off" };
            self.note(format_args!("limit {key} {how}"));
        }
    }

    fn select(&mut self, lane: usize) {
        self.compare.selected = Some(lane);
        self.note(format_args!("selected {}", STRATEGIES[lane].key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::time::monotonic;

    #[test]
    fn steps_follow_the_rows_on_screen() {
        let mut compare = CompareState::new(Limits::default());
        compare.advance(Nanos::from_millis(90), &Settings::default());
        compare.refresh(monotonic());
        let settings = Settings::default();
        compare.sort(Some(OutcomeValue::Tasks));
        let rows = compare.rows();
        compare.selected = Some(rows[0]);
        for expected in rows.iter().skip(1).chain(rows.last()) {
            compare.selected = Some(compare.stepped(1, &settings));
            assert_eq!(compare.selected, Some(*expected));
        }
        assert_eq!(compare.stepped(isize::MIN, &settings), rows[0]);
        let none = CompareState::new(Limits::default()).stepped(1, &settings);
        assert_eq!(STRATEGIES[none], settings.strategy);
    }
}
