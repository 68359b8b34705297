//! What the main view shows: the lane on this computer, its history, and what is selected in it.

use super::machine::WindowMachine;
use super::selection::Selection;
use crate::history::{History, PastFrame};
use crate::sim::disturbance::Disturbance;
use crate::sim::lane::Updated;

use crate::sim::machine::FRAME_CAP;
use crate::sim::settings::{FADE, Settings};
use crate::sim::world::ENTITIES;
use crate::stats::MeasuredLane;
use crate::text::format;
use timeslice::frame_loop::FrameLoopEntry;
use timeslice::knob::{Knob, KnobValues};
use timeslice::strategy::StrategyEntry;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// The most runs of a frame that are listed one by one: 100 MB. A frame of a million entities may have many updates.
pub(super) const LISTED_RUNS: usize = 1 << 21;

/// How long a warning stays visible, in game time.
const WARNED_FOR: Nanos = Nanos::from_secs(2);

/// What is drawn below the capsules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chart {
    /// Tasks and times of the last frames.
    #[default]
    Plots,
    /// A row for each entity, a column for each frame.
    Timeline,
}

impl Chart {
    /// The one that is not this one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Plots => Self::Timeline,
            Self::Timeline => Self::Plots,
        }
    }

    /// Its name in the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plots => "plots",
            Self::Timeline => "timeline",
        }
    }
}

/// The lane on this computer, and how it is shown.
pub struct GridState {
    /// The lane.
    pub lane: MeasuredLane<WindowMachine>,
    /// Its last frames.
    pub history: History,
    /// What is drawn below the capsules.
    pub chart: Chart,
    /// The selected frame and entity.
    pub selection: Selection,
    /// Whether the lane was replaced since the last picture.
    pub is_new: bool,
    /// The frame that has made its updates and is not drawn yet.
    pub(super) in_progress: Option<FrameInProgress>,
    /// Whether the game was paused: its clock continues from the end of the last frame.
    pub(super) was_paused: bool,
    /// Task cost that was last left out of a frame, and when; none after a change.
    pub(super) forgone: Option<(Nanos, GameTime)>,
}

/// A frame that has made its updates.
pub(super) struct FrameInProgress {
    /// Its lane's token.
    pub updated: Updated,
    /// When its updates were made.
    pub updated_at: ClockTime,
    /// What is known of it.
    pub past: PastFrame,
}

impl GridState {
    /// A new lane with these settings.
    pub fn new(settings: Settings, machine: WindowMachine) -> Self {
        Self {
            lane: new_lane(settings, machine),
            history: History::default(),
            chart: Chart::default(),
            selection: Selection::default(),
            is_new: true,
            in_progress: None,
            was_paused: true,
            forgone: None,
        }
    }

    /// Starts again with these settings.
    pub fn begin(&mut self, settings: Settings) {
        let machine = self.lane.machine().clone();
        // Free the old lane first: with a million entities each takes half a gigabyte, and a page has four.
        let empty = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 0.0)]),
            ..settings.clone()
        };
        self.lane = new_lane(empty, machine.clone());
        self.lane = new_lane(settings, machine);
        self.history.restart();
        self.is_new = true;
        self.selection = Selection::default();
        self.in_progress = None;
        self.forgone = None;
    }

    /// Starts again with another lane's settings. The fading of capsules belongs to the picture and stays.
    pub fn adopt(&mut self, mut settings: Settings) {
        let fade_ms = self.lane.settings().knobs.get(&FADE);
        if fade_ms != settings.knobs.get(&FADE) {
            settings.knobs.set(&FADE, fade_ms);
        }
        self.begin(settings);
    }

    /// Number of the frame that a change made now precedes.
    pub fn next_frame(&self) -> u64 {
        self.lane.frames_begun()
    }

    /// The past frame that is shown.
    pub fn past(&self) -> Option<&PastFrame> {
        self.history.frame(self.selection.looked_at?)
    }

    /// The number of the pinned entity that has died within the last seconds.
    pub fn lost_pin(&self) -> Option<u64> {
        self.selection.lost_pin(self.lane.now())
    }

    /// Unpins an entity that has died. Returns whether there was one.
    pub(super) fn drop_dead_pin(&mut self) -> bool {
        let (world, now) = (self.lane.world(), self.lane.now());
        self.selection.drop_dead_pin(world, now)
    }

    /// Why the figures are not to be trusted, if they are not.
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

    /// Runs another strategy. Returns false if it runs already.
    pub(super) fn set_strategy(&mut self, entry: &'static StrategyEntry) -> bool {
        if entry == self.lane.settings().strategy {
            return false;
        }
        self.lane.set_strategy(entry);
        self.changed(entry.key, entry.name.to_owned());
        true
    }

    /// Runs another frame loop. Returns false if it runs already.
    pub(super) fn set_frame_loop(&mut self, entry: &'static FrameLoopEntry) -> bool {
        if entry == self.lane.settings().frame_loop {
            return false;
        }
        self.lane.set_frame_loop(entry);
        self.changed(entry.key, entry.name.to_owned());
        true
    }

    /// Sets a knob. Returns the value that it has then.
    pub(super) fn set_knob(&mut self, knob: &Knob, value: f64) -> f64 {
        let before = self.lane.settings().knobs.get(knob);
        self.lane.set_knob(knob, value);
        let settings = self.lane.settings();
        let value = settings.knobs.get(knob);
        if value != before {
            let label = format!("{} {}", knob.label, format::knob(knob, value));
            if settings.is_concerned_by(knob) {
                self.changed(knob.key, label);
            } else {
                self.history.mark(self.next_frame(), knob.key, label);
            }
        }
        value
    }

    /// Disturbs the lane.
    pub(super) fn disturb(&mut self, disturbance: Disturbance) {
        let Some(label) = self.lane.disturb(disturbance) else {
            return; // it had no effect
        };
        if disturbance.lasts() {
            self.changed(disturbance.name(), label);
        } else {
            let frame = self.next_frame();
            self.history.mark_event(frame, label);
        }
    }

    /// Sets all figures to zero.
    pub(super) fn clear_statistics(&mut self) {
        self.lane.clear_statistics();
        self.changed("measure", "Measured anew".to_owned());
    }

    /// Requests a run for the entity at `place`. Returns false if there is none, or if the past is shown.
    pub(super) fn request(&mut self, place: u32) -> bool {
        let task = self.lane.world().tasks().at(place);
        let task = task.filter(|_| self.selection.looked_at.is_none());
        if let Some(task) = task {
            self.lane.request(task);
        }
        task.is_some()
    }

    /// Marks a change of what runs: figures of the last seconds start from here.
    fn changed(&mut self, subject: &'static str, label: String) {
        let frame = self.next_frame();
        self.history.mark(frame, subject, label);
        self.history.change(frame, self.lane.now());
        self.forgone = None;
    }
}

/// A lane that measures everything that the window shows.
fn new_lane(settings: Settings, machine: WindowMachine) -> MeasuredLane<WindowMachine> {
    let mut lane = MeasuredLane::new(settings, machine);
    lane.measure_gazes();
    lane.list_runs(LISTED_RUNS);
    lane
}
