//! Executes the user's commands. Some commands, such as quitting, do the same in every view. The others depend on the
//! view on screen.

use super::command::Command;
use super::compare::{Chart, Offer};
use super::game_limits::{in_unit, key_of, knob_of};
use super::grid::{Language, LowerTab};
use super::interface::UiScale;
use super::saver::{NOTICE_TIME, SaveKind};
use super::view::View;
use super::{ColourMode, Flow, State};
use crate::app::capsules::Zoom;
use crate::app::platform::IS_PAGE;
use crate::app::platform::dropped_files::DroppedFile;
use headless::experiment::loop_comparison::Side;
use headless::io::{costs_file, url};
use headless::judge::Limit;
use headless::sim::disturbance::Disturbance;
use headless::sim::world::{ENTITIES, OwnCosts, Point, WEIGHT_RULE};
use headless::text::{csharp, format};
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::knobs::AS_PUBLISHED;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::monotonic;

impl State {
    /// Executes a command. Does nothing if the user has already quit the program.
    #[expect(clippy::too_many_lines, reason = "one arm for each command")]
    pub fn apply(&mut self, command: Command) {
        use View::{Compare, Grid, Loops};
        if self.quits {
            return;
        }
        match (command, self.view) {
            (Command::View(view), _) => self.show(view),
            (Command::Pause, _) => {
                let running = self.flow == Flow::Running;
                self.flow = if running { Flow::Paused } else { Flow::Running };
                self.note(if running { "paused" } else { "running" });
            }
            (Command::Step, _) => {
                self.flow = Flow::Stepping;
                self.note("step");
            }
            (Command::Panels, _) => {
                self.interface.panels = !self.interface.panels;
                self.note_shown("panels", self.interface.panels);
            }
            (Command::Knobs, _) => {
                let shown = !self.interface.shows_knobs();
                self.interface.panels = true;
                self.interface.knobs = Some(shown);
                self.note_shown("knobs", shown);
            }
            (Command::Projectile, _) => {
                let shown = !self.shows_projectile();
                self.interface.projectile = Some(shown);
                self.note_shown("projectile", shown);
            }
            (Command::Help, _) => {
                self.interface.help = !self.interface.help;
                self.note_shown("help", self.interface.help);
            }
            (Command::Scale(by), _) => self.set_scale(self.interface.scale.stepped(by)),
            (Command::DefaultScale, _) => self.set_scale(UiScale::USUAL),
            (Command::Tour, _) => self.toggle_tour(),
            (Command::WalkTour(by), _) => self.walk_tour(by),
            (Command::Quit, _) => {
                self.quits = true;
                self.note("leaving");
            }
            (Command::Escape, _) => self.escape(),
            (Command::Screenshot, _) => self.saver.request(SaveKind::Screenshot),
            (Command::Record, _) => self.toggle_recording(),
            (Command::Export, _) => self.saver.request(SaveKind::Export),
            (Command::CopyLink, _) => {
                let link = format!("?{}", self.link());
                self.note(format_args!("link {link}"));
                let lacks = [
                    (self.view == Loops, "the two machines' sliders"),
                    (
                        self.settings.own_costs.is_some(),
                        "the task costs from your file",
                    ),
                ];
                let lacks = lacks.iter().filter(|(is_lacking, _)| *is_lacking);
                let lacks: Vec<_> = lacks.map(|(_, what)| *what).collect();
                self.clipboard = Some(format!("{link}\n{}", lacks.join(" and ")));
            }
            (Command::CopyCode(entry, language), _) => self.copy_code(entry, language),
            (Command::Strategy(entry), _) => self.run_strategy(entry),
            (Command::StepStrategy(by), _) => {
                self.run_strategy(stepped(STRATEGIES, self.settings.strategy, by));
            }
            (Command::FrameLoop(entry), _) => self.run_frame_loop(entry),
            (Command::StepFrameLoop(by), _) => {
                self.run_frame_loop(stepped(FRAME_LOOPS, self.settings.frame_loop, by));
            }
            // In the Loops view, a knob that does not belong to a machine changes on both machines.
            (Command::SetKnob(knob, value), Loops) => {
                self.set_machine_knob(Side::Fast, knob, value);
            }
            (Command::SetMachineKnob(side, knob, value), Loops) => {
                self.set_machine_knob(side, knob, value);
            }
            (Command::SetKnob(knob, value), _) => self.set_knob(knob, value),
            (Command::CostsByKnobs, _) => self.set_own_costs(None),
            (Command::Disturb(disturbance), _) => self.disturb(disturbance),
            (Command::Measure, _) => self.clear_statistics(),
            (Command::Restart, _) => self.restart(),

            (Command::AsPublished, Grid) if self.settings.strategy.published.is_none() => {}
            (Command::AsPublished, Grid | Compare) => {
                let other = 1.0 - self.settings.knobs.get(&AS_PUBLISHED);
                self.set_knob(&AS_PUBLISHED, other);
            }
            (Command::Colours(mode), Grid | Compare) => {
                let is_shown = self.colours == mode;
                self.colours = if is_shown { ColourMode::Flash } else { mode };
                self.note(format!("{:?} shown", self.colours).to_lowercase());
            }
            (Command::PinTarget, Grid | Compare) => {
                let target = match self.view {
                    Compare => self.compare.comparison.lanes()[0].world().target(),
                    _ => self.grid.lane.world().target(),
                };
                let is_pinned = self.settings.target.is_some();
                self.pin_target((!is_pinned).then_some(target));
            }

            (Command::LowerTab(tab), Grid) => {
                let is_shown = self.grid.lower == tab;
                self.grid.lower = if is_shown { LowerTab::Plots } else { tab };
                self.note(format!("{:?} shown", self.grid.lower).to_lowercase());
            }
            (Command::Language(language), Grid) => {
                self.grid.language = language;
                self.note(format_args!("code in {}", language.name()));
            }
            (Command::Zoom(zoom), Grid) if zoom != self.grid.zoom => {
                self.grid.zoom = zoom;
                self.note(format_args!("magnified {:.2}", zoom.factor));
            }
            (Command::Home, Grid) if self.grid.zoom.is_magnified() => {
                self.apply(Command::Zoom(Zoom::ALL));
            }
            (Command::Home, Grid) => self.apply(Command::Walk(i64::MIN)),
            (Command::Walk(by), Grid) if self.flow != Flow::Running => {
                let shown = self.grid.selection.walk(by, &self.grid.history);
                self.note_look(shown);
            }
            (Command::LookAt(number), Grid) => {
                if self.flow != Flow::Paused {
                    self.flow = Flow::Paused;
                    self.note("paused");
                }
                let shown = self.grid.selection.look_at(number, &self.grid.history);
                self.note_look(shown);
            }
            (Command::Pin(place), Grid) => {
                let world = self.grid.lane.world();
                match self.grid.selection.toggle_pin(place, world) {
                    Some(number) => self.note(format_args!("pinned {number}")),
                    None => self.note("unpinned"),
                }
            }
            (Command::Point(pointer), Grid) => self.grid.lane.set_pointer(pointer),
            (Command::PinTargetAt(point), Grid) => self.pin_target(point),
            (Command::Request(place), Grid) if self.grid.request(place) => {
                self.note(format_args!("request {place}"));
            }

            (Command::OpenSelected, Compare) => {
                let lane = self.compare.selected(&self.settings);
                self.open_strategy(STRATEGIES[lane]);
            }
            (Command::TradeOff, Compare) => {
                self.compare.switch_staleness();
                self.note(format_args!("{} shown", self.compare.staleness.name()));
            }
            (Command::SwitchLimit(limit), Compare) => {
                self.compare.best_setting.limits.switch(limit);
                self.limit_changed(limit);
            }
            (Command::SetLimit(limit, value), Compare) => {
                self.compare.best_setting.limits.set(limit, value);
                self.limit_changed(limit);
            }
            (Command::Chart(chart), Compare) => {
                let is_shown = self.compare.chart == chart;
                self.compare.chart = if is_shown { Chart::TradeOff } else { chart };
                self.note(match self.compare.chart {
                    Chart::TradeOff => "trade-off shown",
                    Chart::Crossovers => "crossovers shown",
                });
            }
            (Command::Absolute, Compare) => {
                self.compare.is_absolute = !self.compare.is_absolute;
                let absolute = self.compare.is_absolute;
                self.note(if absolute {
                    "times shown"
                } else {
                    "multiples shown"
                });
            }
            (Command::Over(knob), Compare) => {
                self.compare.best_setting.over = knob;
                self.note(format_args!("crossovers over {}", knob.key));
            }
            (Command::Apply(offer), Compare) if self.compare.best_setting.is_final() => {
                self.apply_offer(offer);
            }
            (Command::CopyOffer(offer, language), Compare) => self.copy_offer(offer, language),
            (Command::SelectLane(lane), Compare) => self.select(lane),
            (Command::StepLane(by), Compare) => {
                self.select(self.compare.stepped(by, &self.settings));
            }
            (Command::Sort(metric), Compare) => {
                self.compare.sort(metric);
                self.note("sorted");
            }
            (Command::ToggleMetric(metric), Compare) => {
                self.compare.toggle(metric);
                self.note(format_args!("columns {}", self.compare.metrics.len()));
            }
            _ => {}
        }
        self.was_used |= !matches!(command, Command::Point(_));
        self.follow_tour(command);
    }

    /// Applies a setting that the recommendation offers, in all lanes and in the Grid view, and selects its strategy.
    fn apply_offer(&mut self, offer: Offer) {
        let Some(recommendation) = self.compare.best_setting.recommendation() else {
            return;
        };
        let Some(choice) = offer.choice(recommendation) else {
            return;
        };
        let (lane, strategy) = (choice.lane, choice.strategy);
        let sets = self.compare.sets(choice, &self.settings);
        let entities = offer.entities(recommendation);
        let relaxed = offer.relaxation(recommendation);
        let relaxed = relaxed.map(|it| (it.limit, it.limits(&recommendation.limits)));
        if let Some((limit, to)) = relaxed {
            let limits = &mut self.compare.best_setting.limits;
            match to.allowed(limit) {
                Some(value) => limits.set(limit, value),
                None if limits.is_on(limit) => limits.switch(limit),
                None => {}
            }
            self.limit_changed(limit);
        }
        for (knob, value) in sets {
            self.set_knob(knob, value);
        }
        if let Some(entities) = entities {
            self.set_knob(&ENTITIES, entities.into());
        }
        self.settings.strategy = strategy;
        self.select(lane);
        self.compare.expire_reports();
    }

    /// Copies code for a setting that the recommendation offers.
    fn copy_offer(&mut self, offer: Offer, language: Language) {
        let recommendation = self.compare.best_setting.recommendation();
        let Some((all, choice)) = recommendation.and_then(|it| Some((it, offer.choice(it)?)))
        else {
            return;
        };
        let (entry, knobs) = (choice.strategy, all.settings(choice).knobs);
        self.copy_code_with(entry, language, &knobs);
    }

    fn limit_changed(&mut self, limit: Limit) {
        let limits = self.compare.best_setting.limits;
        let key = key_of(limit);
        let is_on = limits.is_on(limit);
        if let Some(knob) = knob_of(limit).filter(|_| is_on) {
            let value = in_unit(knob, limits.value(limit));
            self.note(format_args!("limit {key} {value}"));
        } else {
            let how = if is_on { "on" } else { "off" };
            self.note(format_args!("limit {key} {how}"));
        }
        self.compare.expire_reports();
    }

    fn select(&mut self, lane: usize) {
        self.compare.selected = Some(lane);
        self.note(format_args!("selected {}", STRATEGIES[lane].key));
    }

    /// Switches to a view, and applies the settings that the user has changed in other views.
    pub(super) fn show(&mut self, view: View) {
        self.view = view;
        self.apply_settings();
        self.begin_experiment();
        self.note(format_args!("view {}", view.name().to_lowercase()));
    }

    fn apply_settings(&mut self) {
        if self.view == View::Compare {
            self.compare.comparison.follow(&self.settings);
        } else {
            // This is also needed in the Loops view, which highlights the frame loop of the Grid view.
            self.grid.apply_settings(&self.settings);
            self.unpin_dead_entity();
        }
    }

    fn set_knob(&mut self, knob: &'static Knob, value: f64) {
        self.settings.knobs.set(knob, value);
        self.apply_settings();
        let value = self.settings.knobs.get(knob);
        let in_compare = self.view == View::Compare;
        let lanes = if in_compare { "all" } else { "knob" };
        self.note(format_args!("{lanes} {} {value}", knob.key));
    }

    /// Replaces the cost of each task. If `None`, the knobs determine the costs.
    fn set_own_costs(&mut self, costs: Option<OwnCosts>) {
        let count = costs.as_ref().map(|costs| costs.sorted().len());
        self.settings.own_costs = costs;
        self.apply_settings();
        match count {
            Some(count) => self.note(format_args!("costs {count}")),
            None => self.note("costs by knobs"),
        }
    }

    /// Loads task costs from a file that the user has dropped onto the window. If this fails, shows a message and
    /// changes nothing.
    pub fn open_dropped(&mut self, files: &[DroppedFile]) {
        let [file] = files else {
            if !files.is_empty() {
                let count = files.len();
                let text =
                    format!("drop only one file of task costs at a time, instead of {count} files");
                self.note(format_args!("not opened: {text}"));
                self.saver.notify(text, true);
            }
            return;
        };
        match costs_file::parse(&file.name, &file.bytes) {
            Ok(own) => {
                let count = format::counted(own.sorted().len() as u64, "task cost");
                let views = match self.view {
                    View::Loops => ", which only Grid and Compare use",
                    _ => "",
                };
                let text = format!("loaded {count} from {}{views}", own.name());
                self.set_own_costs(Some(own));
                self.saver.notify(text, false);
            }
            Err(why) => {
                let text = format!("{}: {why}", file.name);
                self.note(format_args!("not opened: {text}"));
                self.saver.notify(text, true);
            }
        }
        self.was_used = true;
    }

    pub fn report_rejected_input(&mut self, reason: String) {
        self.note(format_args!("refused: {reason}"));
        self.saver.notify(reason, true);
    }

    fn set_machine_knob(&mut self, side: Side, knob: &'static Knob, value: f64) {
        self.loop_comparison.set_knob(side, knob, value);
        self.note(format_args!("race {} {value}", knob.key));
    }

    /// Injects a disturbance into the view on screen. If the disturbance adds or removes entities, the knob for the
    /// number of entities changes, too.
    fn disturb(&mut self, disturbance: Disturbance) {
        let lanes = match self.view {
            View::Grid => {
                self.grid.disturb(disturbance);
                self.grid.lane.settings()
            }
            View::Compare => {
                self.compare.disturb(disturbance);
                self.compare.comparison.settings()
            }
            View::Loops => {
                self.loop_comparison.disturb(disturbance);
                &self.settings
            }
        };
        let entities = lanes.knobs.get(&ENTITIES);
        // A link contains each knob that was set, so leave the knob alone if nothing was born and nothing died.
        if entities != self.settings.knobs.get(&ENTITIES) {
            self.settings.knobs.set(&ENTITIES, entities);
        }
        self.note(format_args!("disturbance {}", disturbance.key()));
    }

    fn clear_statistics(&mut self) {
        match self.view {
            View::Grid => self.grid.clear_statistics(),
            View::Compare => self.compare.clear_statistics(),
            View::Loops => return, // the metrics of Loops cover only the last second
        }
        self.note("measuring anew");
    }

    fn restart(&mut self) {
        let what = match self.view {
            View::Grid => {
                self.grid.restart();
                "restarted"
            }
            View::Compare => {
                self.compare.restart();
                "comparison restarted"
            }
            View::Loops => {
                self.loop_comparison.restart();
                "race restarted"
            }
        };
        self.note(what);
        self.make_still_frames();
    }

    /// Handles the Escape key. Closes the help if it is open, or else ends the tour, or else unpins the entity. If
    /// there is nothing to close, asks the user to press Escape again to quit.
    fn escape(&mut self) {
        if self.interface.help {
            self.apply(Command::Help);
        } else if self.tour.is_some() {
            self.end_tour();
        } else if self.view == View::Grid && self.grid.selection.pin.is_some() {
            self.apply(Command::Pin(None));
        } else if !IS_PAGE {
            let clock = monotonic();
            if clock < self.escape_quits_until {
                return self.apply(Command::Quit);
            }
            self.escape_quits_until = clock + NOTICE_TIME;
            let question = "press Esc again to quit".to_owned();
            self.saver.notify(question, false);
            self.note("asked to quit");
        }
    }

    /// Runs a strategy in the Grid view. Switches to this view if another view is on screen.
    fn run_strategy(&mut self, entry: &'static StrategyEntry) {
        match self.view {
            View::Grid => {}
            View::Compare => return self.open_strategy(entry),
            View::Loops => self.show(View::Grid),
        }
        if entry != self.settings.strategy {
            self.settings.strategy = entry;
            self.apply_settings();
            self.note(format_args!("strategy {}", entry.key));
        }
    }

    fn run_frame_loop(&mut self, entry: &'static FrameLoopEntry) {
        if entry != self.settings.frame_loop {
            self.settings.frame_loop = entry;
            self.apply_settings();
            let in_compare = self.view == View::Compare;
            let all = if in_compare { "all " } else { "" };
            self.note(format_args!("{all}loop {}", entry.key));
        }
    }

    /// Switches from the Compare view to the Grid view and runs a strategy there. If the program was started with the
    /// flag `--still N`, restarts the game and runs N frames.
    fn open_strategy(&mut self, entry: &'static StrategyEntry) {
        self.settings.strategy = entry;
        self.view = View::Grid;
        self.note(format_args!("opened {}", entry.key));
        self.apply_settings();
        if self.still.is_some() {
            self.grid.restart();
            self.make_still_frames();
        }
    }

    fn set_scale(&mut self, scale: UiScale) {
        self.interface.scale = scale;
        self.note(format_args!("scale {}", scale.factor()));
    }

    fn note_look(&mut self, frame: Option<u64>) {
        if let Some(frame) = frame {
            self.note(format_args!("look {frame}"));
        }
    }

    fn note_shown(&mut self, part: &str, is_shown: bool) {
        let how = if is_shown { "shown" } else { "hidden" };
        self.note(format_args!("{part} {how}"));
    }

    /// Pins the target at a point. `None` releases the target, so that it moves again.
    fn pin_target(&mut self, point: Option<Point>) {
        // Three decimals are finer than a pixel, and keep a link short.
        let rounded = |value: f32| (value * 1e3).round() / 1e3;
        self.settings.target = point.map(|Point { x, y }| Point {
            x: rounded(x),
            y: rounded(y),
        });
        self.apply_settings();
        let how = if point.is_some() {
            "pinned"
        } else {
            "released"
        };
        self.note(format_args!("target {how}"));
    }

    /// Copies a code example for a strategy to the clipboard, with the current knob values. Does nothing if the
    /// strategy has no code in this language.
    fn copy_code(&mut self, entry: &'static StrategyEntry, language: Language) {
        let knobs = self.settings.knobs.clone();
        self.copy_code_with(entry, language, &knobs);
    }

    fn copy_code_with(
        &mut self,
        entry: &'static StrategyEntry,
        language: Language,
        knobs: &KnobValues,
    ) {
        let (code, what) = match language {
            Language::Rust => (Some(entry.snippet(knobs, &WEIGHT_RULE).text), "the code"),
            Language::CSharp => (csharp::file(entry, knobs), "Timeslicer.cs and the code"),
        };
        if let Some(code) = code {
            self.copy(entry, code, what);
        }
    }

    fn copy(&mut self, entry: &'static StrategyEntry, code: String, what: &str) {
        self.clipboard = Some(code);
        if !IS_PAGE {
            // On a page, the script shows the message instead, because it knows whether the browser allowed the copy.
            let text = format!("copied {what} for {}", entry.type_name());
            self.saver.notify(text, false);
        }
        self.note(format_args!("copied code of {}", entry.key));
    }

    /// Returns the query string of a link that opens the current view with its current settings.
    pub(super) fn link(&self) -> String {
        let mut settings = self.settings.clone();
        if self.view == View::Loops {
            self.loop_comparison.give_knobs(&mut settings.knobs);
        }
        let limits = &self.compare.best_setting.limits;
        url::query(&settings, limits, &self.view.name().to_lowercase())
    }

    pub(super) fn unpin_dead_entity(&mut self) {
        let (pin, tasks) = (&mut self.grid.selection.pin, self.grid.lane.world().tasks());
        if pin.take_if(|task| !tasks.contains(*task)).is_some() {
            self.note("unpinned");
        }
    }
}

/// Returns the entry that comes `steps` positions after the current one. Wraps around at both ends of the list.
fn stepped<T: PartialEq>(all: &[&'static T], current: &T, steps: isize) -> &'static T {
    let place = all.iter().position(|entry| *entry == current).unwrap_or(0);
    let next = place.cast_signed() + steps;
    all[next.rem_euclid(all.len().cast_signed()).cast_unsigned()]
}
