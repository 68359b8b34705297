//! Declares the options of the `sweep` command, and converts them to a [`Question`].

use crate::catalog::frame_loop::FRAME_LOOPS;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::StrategyEntry;
use crate::catalog::strategy::knobs::BUDGET;
use crate::cli::{LengthOptions, LimitOptions, values};
use crate::measure::Objective;
use crate::recommend::{OVER, Question, STEPS, has_effect};
use crate::sim::machine::DISPLAY_HZ;
use crate::sim::settings::Settings;
use crate::sim::world::{COST, TARGET_SPEED};
use crate::text::format;
use clap::Args;

#[derive(Clone, Debug, Args)]
pub struct SweepOptions {
    /// Sweep only this strategy. This flag can be repeated [default: all].
    #[arg(id = "strategy", long, value_name = "KEY", help_heading = "Lane")]
    #[arg(value_parser = values::strategy())]
    pub strategies: Vec<&'static StrategyEntry>,
    #[command(flatten)]
    pub length: LengthOptions,
    /// Number of settings to print for each strategy, with values over the whole range of its main knob. This does not
    /// affect the recommendation.
    #[arg(long, value_name = "N", default_value_t = STEPS.into())]
    #[arg(value_parser = values::whole("steps", 2..=1000))]
    pub steps: u64,
    #[arg(long, value_name = "KNOB=A..B", value_parser = parse_over, help = over_help())]
    pub over: Option<Over>,
    /// Minimise the longest wait of any entity instead of the mean weighted staleness or, with --on-request, the longest
    /// wait of any request instead of the mean one.
    #[arg(long)]
    pub worst: bool,
    /// Print the results as JSON, including the best settings.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// The knob that `--over` varies, and the range of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Over {
    pub knob: &'static Knob,
    pub from: f64,
    pub to: f64,
}

/// Returns the keys of the knobs that `--over` takes, such as `entities, cost-us or budget-ms`.
fn over_keys() -> String {
    let keys: Vec<&str> = OVER.iter().map(|(knob, _)| knob.key).collect();
    let (last, others) = keys.split_last().unwrap_or((&"", &[]));
    format!("{} or {last}", others.join(", "))
}

fn over_help() -> String {
    format!(
        "Repeat the sweep at several values of another knob, from A to B, and report the range in which each \
            strategy is best. KNOB is {}",
        over_keys()
    )
}

fn parse_over(text: &str) -> Result<Over, String> {
    let (key, range) = text.split_once('=').unwrap_or((text, ""));
    let Some((knob, _)) = OVER.iter().find(|(knob, _)| knob.key == key) else {
        let keys = over_keys();
        return Err(format!(
            "--over takes KNOB=A..B, where KNOB is {keys} (for example entities=100..100000), not '{text}'"
        ));
    };
    let value = |text| knob.read(text, knob.unit).filter(|it| knob.takes(*it));
    let ends = range.split_once("..");
    let ends = ends.and_then(|(from, to)| value(from).zip(value(to)));
    let over = ends.map(|(from, to)| Over { knob, from, to });
    over.filter(|it| it.from < it.to).ok_or_else(|| {
        let kind = if knob.whole { "whole numbers" } else { "numbers" };
        let range = knob.range();
        format!("--over takes {key}=A..B, where A and B are {kind} from {range} and A is less than B, not '{text}'")
    })
}

impl SweepOptions {
    /// Checks that the options can be combined with each other and with the settings of the simulation.
    ///
    /// # Errors
    ///
    /// If another flag makes the knob of `--over` meaningless. For example, `--costs` replaces the knob for the task
    /// cost, and some frame loops have no fixed step.
    pub fn check(&self, settings: &Settings) -> Result<(), String> {
        self.limits.check(settings, &self.strategies)?;
        let over = |knob| self.over.is_some_and(|over| *over.knob == knob);
        if over(BUDGET) && self.limits.no_budget_limit {
            let words = "--over budget-ms cannot be used with --no-budget-limit, because it varies that limit";
            return Err(words.to_owned());
        }
        if over(COST) && settings.own_costs.is_some() {
            let words =
                "--over cost-us cannot be used with --costs, because the file replaces that knob";
            return Err(words.to_owned());
        }
        if over(TARGET_SPEED) && settings.target.is_some() {
            let words = "--over target-speed cannot be used with --target, because --target keeps the target at rest";
            return Err(words.to_owned());
        }
        if over(DISPLAY_HZ) && settings.frame_times.is_some() {
            let words = "--over display-hz cannot be used with --frame-times, because the file replaces the display";
            return Err(words.to_owned());
        }
        if let Some(Over { knob, .. }) = self.over
            && !has_effect(knob, settings)
        {
            let mut other = settings.clone();
            let loops = FRAME_LOOPS.iter().filter(|entry| {
                other.frame_loop = entry;
                has_effect(knob, &other)
            });
            let loops: Vec<&str> = loops.map(|entry| entry.key).collect();
            return Err(format!(
                "--over {} cannot be used with --loop {}, which ignores that knob; it has an effect with {}",
                knob.key,
                settings.frame_loop.key,
                format::listed(&loops)
            ));
        }
        Ok(())
    }

    pub fn question(&self, settings: &Settings) -> Question {
        let question = Question::new(settings.clone(), self.limits.limits(settings));
        let objective = match (self.worst, question.limits.on_request) {
            (false, _) => question.objective,
            (true, false) => Objective::Worst,
            (true, true) => Objective::LongestWait,
        };
        Question {
            strategies: self.strategies.clone(),
            steps: self.steps as u32,
            curve_length: self.length.length(),
            objective,
            // With `--over`, only the best settings are printed, so explanations are not needed.
            explains: self.over.is_none(),
            ..question
        }
    }
}
