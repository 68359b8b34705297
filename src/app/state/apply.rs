//! Executes the user's commands, with [`State::apply_in_grid`] and [`State::apply_in_compare`] for those of the views.

use super::command::{Command, GridCommand};
use super::grid::Language;
use super::saver::{NOTICE_TIME, SaveKind};
use super::{ColourMode, Flow, State};
use crate::CSHARP_LIBRARY;
use crate::app::platform::IS_PAGE;
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::knobs::AS_PUBLISHED;
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::cli::{View, address};
use lab::comparison::loops::LoopComparison;
use lab::sim::disturbance::Disturbance;
use lab::sim::settings::{Setting, Settings};
use lab::sim::world::{ENTITIES, Point};
use lab::text::{csharp, rust};
use timeslicer::time::monotonic;

impl State {
    /// Executes a command. Does nothing if the user has already quit the program.
    pub fn apply(&mut self, command: Command) {
        if self.quits {
            return;
        }
        match command {
            Command::Grid(command) if self.view == View::Grid => self.apply_in_grid(command),
            Command::Compare(command) if self.view == View::Compare => {
                self.apply_in_compare(command);
            }
            Command::Grid(_) | Command::Compare(_) => {}
            Command::View(view) => self.show(view),
            Command::Pause => {
                let running = self.flow == Flow::Running;
                self.flow = if running { Flow::Paused } else { Flow::Running };
                self.note(if running { "paused" } else { "running" });
            }
            Command::Step => {
                self.flow = Flow::Stepping;
                self.note("step");
            }
            Command::Panels => {
                self.interface.panels = !self.interface.panels;
                self.note_shown("panels", self.interface.panels);
            }
            Command::Knobs => {
                let shown = !self.interface.shows_knobs();
                self.interface.panels = true;
                self.interface.knobs = Some(shown);
                self.note_shown("knobs", shown);
            }
            Command::Help => {
                self.interface.help = !self.interface.help;
                self.note_shown("help", self.interface.help);
            }
            Command::Scale(by) => self.set_scale(self.interface.scale + by),
            Command::DefaultScale => self.set_scale(1.0),
            Command::Tour => self.toggle_tour(),
            Command::WalkTour(by) => self.walk_tour(by),
            Command::Quit => {
                self.quits = true;
                self.note("leaving");
            }
            Command::Escape => self.escape(),
            Command::Screenshot => self.saver.request(SaveKind::Screenshot),
            Command::Export => self.saver.request(SaveKind::Export),
            Command::CopyLink => self.copy_link(),
            Command::CopyCode(entry, language) => {
                self.copy_code(entry, language, &self.settings.knobs.clone());
            }
            Command::Strategy(entry) => self.run_strategy(entry),
            Command::StepStrategy(by) => {
                self.run_strategy(stepped(STRATEGIES, self.settings.strategy, by));
            }
            Command::FrameLoop(entry) => self.set(Setting::FrameLoop(entry)),
            Command::NextFrameLoop => {
                let next = stepped(FRAME_LOOPS, self.settings.frame_loop, 1);
                self.set(Setting::FrameLoop(next));
            }
            Command::SetKnob(knob, value) => self.set(Setting::Knob(knob, value)),
            Command::Machines(machines) => {
                self.loop_comparison = LoopComparison::of(machines);
                self.note(format_args!("machines {}", machines.names().join(" and ")));
            }
            Command::SetMachineKnob(side, knob, value) => {
                self.loop_comparison.set_knob(side, knob, value);
                self.note(format_args!("race {} {value}", knob.key));
            }
            Command::ChooseCandidate(index) => self.choose_candidate(index),
            Command::UseCapture => self.use_preview(),
            Command::CancelCapture => self.cancel_opening(),
            Command::CostsByKnobs => self.set(Setting::OwnCosts(None)),
            Command::Disturb(disturbance) => self.disturb(disturbance),
            Command::Restart => self.restart(),
            Command::AsPublished => self.switch_published(),
            Command::ShowStaleness => self.toggle_staleness(),
            Command::PinTarget => self.toggle_target(),
            Command::PinTargetAt(point) => self.pin_target(point),
        }
        self.compare.expire_reports(); // so that they show the effect at once
        self.was_used |= !matches!(command, Command::Grid(GridCommand::Point(_)));
        self.follow_tour(command);
    }

    fn copy_link(&mut self) {
        let link = format!("?{}", self.link());
        self.note(format_args!("link {link}"));
        let sliders = (self.view == View::Loops).then_some("the two machines' sliders");
        let costs = self.settings.own_costs.as_ref();
        let costs = costs.map(|_| "the task costs from your file");
        let left_out: Vec<&str> = sliders.into_iter().chain(costs).collect();
        self.clipboard = Some(format!("{link}\n{}", left_out.join(" and ")));
    }

    fn switch_published(&mut self) {
        let has_published = match self.view {
            View::Grid => self.settings.strategy.published.is_some(),
            View::Compare => true,
            View::Loops => false,
        };
        if has_published {
            let other = 1.0 - self.settings.knobs.get(&AS_PUBLISHED);
            self.set(Setting::Knob(&AS_PUBLISHED, other));
        }
    }

    fn toggle_staleness(&mut self) {
        if self.view != View::Loops {
            let (mode, words) = if self.interface.shows_staleness() {
                (ColourMode::Flash, "flash shown")
            } else {
                (ColourMode::Staleness, "staleness shown")
            };
            self.interface.colours = mode;
            self.note(words);
        }
    }

    fn toggle_target(&mut self) {
        let target = match self.view {
            View::Grid => self.grid.lane.world().target(),
            View::Compare => self.compare.comparison.lanes[0].world().target(),
            View::Loops => return,
        };
        let is_pinned = self.settings.target.is_some();
        self.pin_target((!is_pinned).then_some(target));
    }

    /// Switches to a view, and applies the settings that the user has changed in other views.
    pub(super) fn show(&mut self, view: View) {
        self.view = view;
        self.apply_settings();
        self.begin_experiment();
        self.note(format_args!("view {}", view.key()));
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

    /// Changes a setting that the Grid and Compare views share.
    pub(super) fn set(&mut self, setting: Setting) {
        let what = match &setting {
            Setting::Strategy(entry) => format!("strategy {}", entry.key),
            Setting::FrameLoop(entry) => format!("loop {}", entry.key),
            Setting::Knob(knob, value) => format!("knob {} {}", knob.key, knob.nearest(*value)),
            Setting::Target(Some(_)) => "target pinned".to_owned(),
            Setting::Target(None) => "target released".to_owned(),
            Setting::OwnCosts(Some(own)) => format!("costs {}", own.all.len()),
            Setting::OwnCosts(None) => "costs by knobs".to_owned(),
            Setting::FrameTimes(times) => format!("frame times {}", times.is_some()),
        };
        self.settings.set(setting);
        self.apply_settings();
        self.note(what);
    }

    pub fn report_rejected_input(&mut self, reason: String) {
        self.note(format_args!("refused: {reason}"));
        self.saver.notify(reason, true);
    }

    /// Injects a disturbance into the view on screen, and updates the knob for the number of entities.
    fn disturb(&mut self, disturbance: Disturbance) {
        let sizes = &self.settings.knobs;
        let lanes = match self.view {
            View::Grid => {
                self.grid.disturb(disturbance);
                self.grid.lane.settings()
            }
            View::Compare => {
                self.compare.comparison.disturb(disturbance, sizes);
                self.compare.comparison.settings()
            }
            View::Loops => {
                self.loop_comparison.disturb(disturbance, sizes);
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

    fn restart(&mut self) {
        let what = match self.view {
            View::Grid => {
                self.grid.restart();
                "restarted"
            }
            View::Compare => {
                self.compare.comparison.restart();
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

    fn escape(&mut self) {
        if self.interface.help {
            self.apply(Command::Help);
        } else if self.opening.file_name().is_some() {
            self.cancel_opening();
        } else if self.tour.is_some() {
            self.end_tour();
        } else if self.view == View::Grid && self.grid.pin.is_some() {
            self.apply(Command::Grid(GridCommand::Pin(None)));
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
        self.set(Setting::Strategy(entry));
    }

    /// Runs a strategy in the Grid view. With the flag `--still N`, restarts the game and runs N frames.
    pub(super) fn open_strategy(&mut self, entry: &'static StrategyEntry) {
        self.settings.strategy = entry;
        self.view = View::Grid;
        self.note(format_args!("opened {}", entry.key));
        self.apply_settings();
        if self.still.is_some() {
            self.grid.restart();
            self.make_still_frames();
        }
    }

    /// Enlarges or shrinks the interface. The limits prevent text that is illegible or too large for a large display.
    fn set_scale(&mut self, factor: f32) {
        let factor = factor.clamp(0.75, 3.0);
        self.interface.scale = factor;
        self.note(format_args!("scale {factor}"));
    }

    fn note_shown(&mut self, part: &str, is_shown: bool) {
        let how = if is_shown { "shown" } else { "hidden" };
        self.note(format_args!("{part} {how}"));
    }

    /// Pins the target at a point. `None` releases the target, so that it moves again.
    fn pin_target(&mut self, point: Option<Point>) {
        // Three decimals are finer than a pixel, and keep a link short.
        let rounded = |value: f32| (value * 1e3).round() / 1e3;
        self.set(Setting::Target(point.map(|Point { x, y }| Point {
            x: rounded(x),
            y: rounded(y),
        })));
    }

    /// Copies a code example for a strategy to the clipboard.
    pub(super) fn copy_code(
        &mut self,
        entry: &'static StrategyEntry,
        language: Language,
        knobs: &KnobValues,
    ) {
        let (code, what) = match language {
            Language::Rust => (rust::snippet(entry, knobs), "the code"),
            Language::CSharp => {
                let file = csharp::file(CSHARP_LIBRARY, entry, knobs);
                (file, "Timeslicer.cs and the code")
            }
        };
        self.clipboard = Some(code);
        if !IS_PAGE {
            // On a page, the script shows the message instead, because it knows whether the browser allowed the copy.
            let text = format!("copied {what} for {}", entry.type_name());
            self.saver.notify(text, false);
        }
        self.note(format_args!("copied code of {}", entry.key));
    }

    pub(super) fn link(&self) -> String {
        let limits = &self.compare.best_setting.limits.in_effect;
        address::query(&self.shown_settings(), limits, self.view)
    }

    /// Returns the settings with which the program can be started again to show the same view.
    pub(super) fn shown_settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        if self.view == View::Loops {
            self.loop_comparison.give_knobs(&mut settings.knobs);
        }
        settings
    }

    pub(super) fn unpin_dead_entity(&mut self) {
        let (pin, tasks) = (&mut self.grid.pin, self.grid.lane.world().tasks());
        if pin.take_if(|task| !tasks.contains(*task)).is_some() {
            self.note("unpinned");
        }
    }
}

/// Returns the entry that comes `steps` positions after the current one. Wraps around at both ends of the list.
fn stepped<T: PartialEq>(all: &[&'static T], current: &T, steps: isize) -> &'static T {
    let index = all.iter().position(|entry| *entry == current).unwrap_or(0);
    let next = index.cast_signed() + steps;
    all[next.rem_euclid(all.len().cast_signed()).cast_unsigned()]
}
