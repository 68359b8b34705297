//! The app's state, and what each command does to it.

pub mod command;
pub mod export;
mod frame;
pub mod machine;
pub mod saver;
mod selection;
pub mod side_experiments;
pub mod view;

use super::platform;
use super::platform::IS_PAGE;
use super::platform::event_log::Log;
use super::state::command::Command;
use super::state::machine::WindowMachine;
use super::state::saver::{Saver, Wanted};
use super::state::side_experiments::SideExperiments;
use super::state::view::View;
use super::widgets::ui_scale::Scale;
use crate::experiment::comparison::Comparison;
use crate::history::{History, PastFrame};
use crate::io::url;
use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{FRAME_CAP, Host};
use crate::sim::settings::{FADE, Settings};
use crate::sim::world::ENTITIES;
use crate::stats::MeasuredLane;
use crate::text::format;
use timeslice::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslice::knob::{Knob, KnobValues};
use timeslice::scheduler::TaskId;
use timeslice::strategy::STRATEGIES;
use timeslice::time::Nanos;

/// So many runs of a frame are known by name, at the most: 100 MB of them. A frame of a million entities may have many
/// updates.
const LISTED_RUNS: usize = 1 << 21;

/// How long a warning stays in sight, in game time.
const WARNED_FOR: Nanos = Nanos::from_secs(2);

/// What happened is shown by the picture after it, and what stands where another thing stood then by the
/// one after that; one more leaves the display the time to take it.
const SETTLES_IN: u32 = 4;

/// How game time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// With the clock.
    Running,
    /// It stands.
    Paused,
    /// It stands, after one more frame.
    Stepping,
}

/// All that the program knows while it runs, but for the picture of it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "none of them excludes another"
)]
pub struct State {
    /// The view that is shown.
    pub view: View,
    /// What runs.
    pub lane: MeasuredLane<WindowMachine>,
    /// Its last frames.
    pub history: History,
    /// What the other views show.
    pub others: SideExperiments,
    /// How game time goes.
    pub flow: Flow,
    /// How large the interface is.
    pub scale: Scale,
    /// Whether the panels are shown.
    pub panels: bool,
    /// Whether the timeline is shown instead of the plots.
    pub timeline: bool,
    /// Whether capsules show how stale they are, instead of their flash.
    pub staleness: bool,
    /// Whether the keys are shown.
    pub help: bool,
    /// The entity whose story stays in sight.
    pub pinned: Option<TaskId>,
    /// The number of the past frame that is looked at while game time stands.
    pub looked_at: Option<u64>,
    /// Whether to leave after this frame.
    pub leaving: bool,
    /// What the keys save.
    pub saver: Saver,
    /// Whether the lane is another one than in the last frame.
    pub restarted: bool,
    log: Log,
    /// The number of the entity that is pinned, or was pinned last.
    pinned_number: u64,
    /// When the pinned entity died, where that was the last that happened to a pin.
    lost_pin: Option<Nanos>,
    /// How many frames are made at once at each start, after which game time stands; none where it runs.
    ahead: Option<u64>,
    /// How many pictures it takes until all is shown that was told.
    unsettled: u32,
    /// Game time has stood: the clock is to go on from where it was.
    held: bool,
    /// The lane has begun a frame that is not finished yet.
    under_way: bool,
    /// When its updates were made.
    updated_at: Nanos,
    /// What is known of that frame.
    running: PastFrame,
    /// The cost that was last forgone in a frame, and when, while nothing was changed since.
    forgone: Option<(Nanos, Nanos)>,
}

impl State {
    /// At the start, running, with this view in sight.
    pub fn new(settings: Settings, view: View, log: Log) -> Self {
        Self::on(WindowMachine::Host(Host::new()), settings, view, log)
    }

    /// At rest after so many frames on a simulated machine, none of which is drawn: what is shown then
    /// depends on nothing else, and a restart comes back to it.
    pub fn still(frames: u64, settings: Settings, view: View, log: Log) -> Self {
        let mut state = Self::on(WindowMachine::simulated(), settings, view, log);
        state.ahead = Some(frames);
        state.go_ahead();
        state
    }

    fn on(machine: WindowMachine, settings: Settings, view: View, log: Log) -> Self {
        Self {
            view,
            lane: new_lane(settings, machine),
            history: History::default(),
            others: SideExperiments::default(),
            flow: Flow::Running,
            scale: Scale::USUAL,
            panels: true,
            timeline: false,
            staleness: false,
            help: false,
            pinned: None,
            looked_at: None,
            leaving: false,
            saver: Saver::default(),
            restarted: true,
            log,
            pinned_number: 0,
            lost_pin: None,
            ahead: None,
            unsettled: SETTLES_IN,
            held: true,
            under_way: false,
            updated_at: Nanos::ZERO,
            running: PastFrame::default(),
            forgone: None,
        }
    }

    /// What is wrong, if anything.
    pub fn warning(&self) -> Option<String> {
        let (forgone, time) = self.forgone?;
        (self.lane.now() < time + WARNED_FOR).then(|| {
            format!(
                "one frame's tasks would take {} s on this computer; what is beyond {} s is not worked off, so that the window stays usable",
                format::number((forgone + FRAME_CAP).as_secs_f64()),
                format::number(FRAME_CAP.as_secs_f64())
            )
        })
    }

    /// What is saved of the window is called so: by what it shows, and when.
    pub fn picture_name(&self) -> String {
        if let Some(time) = self.others.time(self.view) {
            let view = self.view.name().to_lowercase();
            return format!("timeslice-lab-{view}-{:.2}s", time.as_secs_f64());
        }
        let strategy = self.lane.settings().strategy.key;
        let frame = self.lane.last_frame().number;
        format!("timeslice-lab-{strategy}-{frame}")
    }

    /// Notes, at the end, how long frames were and what the interface cost in processor time.
    pub fn sum_up(&mut self, interface: Nanos, pictures: u64) {
        let lengths = self.lane.totals().lengths();
        let (median, p99) = (lengths.quantile(0.5), lengths.quantile(0.99));
        let interface = Nanos::from_nanos(interface.as_nanos() / pictures.max(1));
        self.note(format_args!(
            "in all: frames of {median} ms at the median, {p99} ms at p99; the interface took {interface} ms of processor time a picture"
        ));
    }

    /// Notes what happened for those who drive the program from outside.
    pub fn note(&mut self, what: impl std::fmt::Display) {
        let frame = self.next_frame();
        self.log.line(frame, what);
        self.unsettled = SETTLES_IN;
    }

    /// The display has a picture. Where game time stands, the log tells when it is the last one that
    /// differs from those before.
    pub fn shown(&mut self) {
        if self.flow != Flow::Paused || self.unsettled == 0 {
            return;
        }
        self.unsettled -= 1;
        if self.unsettled == 0 {
            self.log.line(self.next_frame(), "settled");
        }
    }

    /// Does what the user said.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::View(view) => {
                self.view = view;
                self.note(format_args!("view {}", view.name().to_lowercase()));
            }
            Command::Strategy(index) if self.view != View::Grid => self.lead_to(index),
            Command::Strategy(index) => self.switch_to(index),
            // These are about what the other views do not show.
            Command::Walk(_) | Command::Timeline | Command::Pin(_) if self.view != View::Grid => {}
            Command::Staleness if self.view == View::Loops => {}
            Command::TurnAll(knob, value) => {
                if let Some(comparison) = &mut self.others.comparison {
                    comparison.set_knob(knob, value);
                    self.note(format_args!("all {} {value}", knob.key));
                }
            }
            Command::SortBy(figure) => {
                self.others.sort_by(figure);
                self.note("sorted");
            }
            Command::OpenLane(lane) => self.open_lane(lane),
            Command::TurnRace(side, knob, value) => {
                if let Some(race) = &mut self.others.race {
                    race.turn(side, knob, value);
                    self.note(format_args!("race {} {value}", knob.key));
                }
            }
            Command::FrameLoop(index) => self.switch_loop_to(index),
            Command::StepFrameLoop(by) => {
                let key = self.frame_loop().key;
                let now = FRAME_LOOPS.iter().position(|entry| entry.key == key);
                self.switch_loop_to(stepped(now.unwrap_or(0), by, FRAME_LOOPS.len()));
            }
            Command::StepStrategy(by) => {
                let key = self.lane.settings().strategy.key;
                let now = STRATEGIES
                    .iter()
                    .position(|entry| entry.key == key)
                    .unwrap_or(0);
                self.apply(Command::Strategy(stepped(now, by, STRATEGIES.len())));
            }
            Command::Pause => {
                let running = self.flow == Flow::Running;
                self.flow = if running { Flow::Paused } else { Flow::Running };
                self.note(if running { "paused" } else { "running" });
            }
            Command::Step => {
                self.flow = Flow::Stepping;
                self.note("step");
            }
            Command::Disturb(disturbance) => self.disturb(disturbance),
            Command::Measure => self.measure_anew(),
            Command::Restart => self.restart(),
            Command::Panels | Command::Help | Command::Timeline | Command::Staleness => {
                self.toggle(command);
            }
            Command::Scale(by) => {
                self.scale = self.scale.stepped(by);
                self.note(format_args!("scale {}", self.scale.factor()));
            }
            Command::Escape if self.help => self.apply(Command::Help),
            Command::Escape if self.pinned.is_some() && self.view == View::Grid => self.pin(None),
            Command::Escape if IS_PAGE => {} // a page is left by closing it
            Command::Escape => {
                self.leaving = true;
                self.note("leaving");
            }
            Command::Screenshot => self.saver.want(Wanted::Picture),
            Command::Export => self.saver.want(Wanted::Folder),
            Command::CopyLink => self.copy_link(),
            Command::Turn(knob, value) => self.turn(knob, value),
            Command::Walk(by) => self.walk(by),
            Command::Pin(place) => self.pin(place),
            Command::Point(pointer) => self.lane.set_pointer(pointer),
            Command::Request(place) => {
                let task = self.lane.world().tasks().at(place);
                // The past asks for nothing.
                if let Some(task) = task.filter(|_| self.looked_at.is_none()) {
                    self.lane.request(task);
                    self.note(format_args!("request {place}"));
                }
            }
        }
    }

    fn copy_link(&mut self) {
        let query = self.link();
        platform::copy_link(&query);
        self.note(format_args!("link ?{query}"));
    }

    /// What a page's address says to show what is shown here, with the settings as they are.
    fn link(&self) -> String {
        let mut settings = self.lane.settings().clone();
        match self.view {
            View::Grid => {}
            View::Compare => {
                let compared = self.others.comparison.as_ref();
                let compared = compared.and_then(|it| it.settings_of(0));
                if let Some(compared) = compared {
                    settings = Settings {
                        strategy: settings.strategy,
                        ..compared.clone()
                    };
                }
            }
            View::Loops => {
                if let Some(race) = &self.others.race {
                    race.give_knobs(&mut settings.knobs);
                }
            }
        }
        url::query(&settings, &self.view.name().to_lowercase())
    }

    /// Shows a part of the picture, or hides it.
    fn toggle(&mut self, command: Command) {
        let (shown, words) = match command {
            Command::Panels => (&mut self.panels, ["panels shown", "panels hidden"]),
            Command::Help => (&mut self.help, ["help shown", "help hidden"]),
            Command::Timeline => (&mut self.timeline, ["timeline shown", "plots shown"]),
            Command::Staleness => (&mut self.staleness, ["staleness shown", "flash shown"]),
            _ => return,
        };
        *shown = !*shown;
        let word = words[usize::from(!*shown)];
        self.note(word);
    }

    /// The number of the frame that what happens now is before.
    fn next_frame(&self) -> u64 {
        self.lane.frames() + u64::from(self.under_way)
    }

    fn switch_to(&mut self, index: usize) {
        let Some(&entry) = STRATEGIES.get(index) else {
            return;
        };
        if entry.key == self.lane.settings().strategy.key {
            return;
        }
        self.lane.set_strategy(entry);
        self.changed(entry.key, entry.name.to_owned());
        self.note(format_args!("strategy {}", entry.key));
    }

    /// Shows what a strategy does, in the main view: where all are compared its lane is opened, as by a click.
    fn lead_to(&mut self, index: usize) {
        let lane = self.others.lane_of(self.view, index);
        if let Some(lane) = lane {
            self.open_lane(lane);
        } else {
            self.apply(Command::View(View::Grid));
            self.apply(Command::Strategy(index));
        }
    }

    /// The frame loop of what is in sight; where all of them are, the main view's, which is framed there.
    fn frame_loop(&self) -> &'static FrameLoopEntry {
        let compared = self.others.compared(self.view);
        compared.map_or(self.lane.settings().frame_loop, |it| {
            it.settings().frame_loop
        })
    }

    fn switch_loop_to(&mut self, index: usize) {
        let Some(&entry) = FRAME_LOOPS.get(index) else {
            return;
        };
        if entry.key == self.frame_loop().key {
            return;
        }
        if let Some(comparison) = self.others.compared_mut(self.view) {
            comparison.set_frame_loop(entry);
            self.note(format_args!("all loop {}", entry.key));
            return;
        }
        self.lane.set_frame_loop(entry);
        self.changed(entry.key, entry.name.to_owned());
        self.note(format_args!("loop {}", entry.key));
    }

    /// Does it to what is in sight: to the lane on this computer, or to all of the race.
    fn disturb(&mut self, disturbance: Disturbance) {
        self.note(format_args!("disturbance {}", disturbance.name()));
        if self.others.disturb(self.view, disturbance) {
            return;
        }
        let Some(label) = self.lane.disturb(disturbance) else {
            return; // nothing was done
        };
        if disturbance.lasts() {
            self.changed(disturbance.name(), label);
        } else {
            let frame = self.next_frame();
            self.history.mark_event(frame, label);
        }
    }

    /// Whether the display of what is in sight has dropped to a lower rate.
    pub fn has_slow_display(&self) -> bool {
        match self.view {
            View::Grid => self.lane.has_slow_display(),
            View::Compare | View::Loops => self.others.has_slow_display(self.view),
        }
    }

    /// Figures begin at zero: of all that is in sight.
    fn measure_anew(&mut self) {
        match self.view {
            View::Grid => {
                self.lane.clear_statistics();
                self.changed("measure", "Measured anew".to_owned());
            }
            View::Compare => self.others.measure_anew(),
            // Its figures are of the last second, whatever was before.
            View::Loops => return,
        }
        self.note("measuring anew");
    }

    /// Other things run from the next frame on.
    fn changed(&mut self, subject: &'static str, label: String) {
        let frame = self.next_frame();
        self.history.mark(frame, subject, label);
        self.history.change(frame, self.lane.now());
        self.forgone = None;
    }

    fn turn(&mut self, knob: &Knob, value: f64) {
        let before = self.lane.settings().knobs.get(knob);
        self.lane.set_knob(knob, value);
        self.let_go_of_the_dead();
        let settings = self.lane.settings();
        let value = settings.knobs.get(knob);
        let concerns = settings.is_concerned_by(knob);
        if value != before {
            let label = format!("{} {}", knob.label, format::knob(knob, value));
            if concerns {
                self.changed(knob.key, label);
            } else {
                self.history.mark(self.next_frame(), knob.key, label);
            }
        }
        self.note(format_args!("knob {} {value}", knob.key));
    }

    fn restart(&mut self) {
        if let Some(restarted) = self.others.restart(self.view) {
            self.note(restarted);
            self.go_ahead();
            return;
        }
        self.begin(self.lane.settings().clone());
        self.note("restarted");
        self.go_ahead();
    }

    /// Shows the main view with the settings of a lane of those that are compared.
    fn open_lane(&mut self, lane: usize) {
        let of_lane = |comparison: &Comparison| comparison.settings_of(lane).cloned();
        if let Some(mut settings) = self.others.comparison.as_ref().and_then(of_lane) {
            // How capsules fade is the picture's, and no matter of the lane.
            let fade_ms = self.lane.settings().knobs.get(&FADE);
            if fade_ms != settings.knobs.get(&FADE) {
                settings.knobs.set(&FADE, fade_ms);
            }
            self.view = View::Grid;
            self.note(format_args!("opened {}", settings.strategy.key));
            self.begin(settings);
            self.go_ahead();
        }
    }

    /// Begins anew with these settings.
    fn begin(&mut self, settings: Settings) {
        let machine = self.lane.machine().clone();
        // The old one goes first: of a million entities both take half a gigabyte, and a page has four.
        let nobody = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 0.0)]),
            ..settings.clone()
        };
        self.lane = new_lane(nobody, machine.clone());
        self.lane = new_lane(settings, machine);
        self.history.restart();
        self.restarted = true;
        self.pinned = None;
        self.lost_pin = None;
        self.looked_at = None;
        self.under_way = false;
        self.forgone = None;
    }
}

/// The place `by` places after `now` among so many, round and round.
fn stepped(now: usize, by: isize, count: usize) -> usize {
    let next = now.cast_signed() + by;
    next.rem_euclid(count.cast_signed()).cast_unsigned()
}

/// A lane that measures all that the window shows.
fn new_lane(settings: Settings, machine: WindowMachine) -> MeasuredLane<WindowMachine> {
    let mut lane = MeasuredLane::new(settings, machine);
    lane.measure_gazes();
    lane.list_runs(LISTED_RUNS);
    lane
}

#[cfg(test)]
pub mod tests;
