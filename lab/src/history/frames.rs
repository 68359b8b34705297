//! The history of a running simulation: its most recent frames and the setting changes between them.

use super::entity_info::name;
use crate::measure::{FrameSums, MeasuredLane, Subject};
use crate::sim::lane::{FrameRecord, Run, Update};
use crate::sim::machine::Machine;
use crate::sim::world::Point;
use crate::text::format;
use std::collections::VecDeque;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

/// The maximum number of frames in the history, which is about a minute at 60 Hz.
pub const FRAMES: usize = 4096;

/// The frame length on a 60 Hz display. Used if the actual refresh rate is unknown.
pub const TYPICAL_PERIOD: Nanos = Nanos::from_nanos(1_000_000_000 / 60);

/// If the same setting changes again within this many frames, the newer change replaces the older one.
const MERGE_WITHIN: u64 = 60;

#[derive(Clone, Debug)]
pub struct PastFrame {
    pub record: FrameRecord,
    /// The settings and the state of the simulation at the end of this frame, such as its strategy and time budget.
    pub subject: Subject,
    /// The counts, sums and maxima of this frame from which statistics are computed.
    pub sums: FrameSums,
    /// The entity that was waiting longest for its next run when this frame ended. `None` if there were no entities.
    pub stalest: Option<LongestWait>,
    pub updates: Vec<Update>,
    /// All runs of this frame in order. To limit memory usage, this is `None` if too many runs would have to be stored.
    pub runs: Option<Vec<Run>>,
    /// The position of the target at the last update in this frame.
    pub target: Point,
    /// How long the program was interrupted, for example suspended. The length of the frame does not include this.
    pub outside: Nanos,
}

impl PastFrame {
    /// Records the frame that `lane` has just completed. If a frame is in progress, records its updates so far.
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let (record, runs) = (lane.last_frame().clone(), lane.runs());
        Self {
            subject: Subject::of(lane),
            sums: lane.observer().frame.clone(),
            stalest: LongestWait::of(lane),
            updates: lane.updates().to_vec(),
            runs: (runs.len() == record.runs as usize).then(|| runs.to_vec()),
            record,
            target: lane.world().target(),
            outside: Nanos::ZERO,
        }
    }

    /// Returns the runs of this frame in order, or an empty slice if they are not recorded.
    pub fn runs(&self) -> &[Run] {
        self.runs.as_deref().unwrap_or_default()
    }

    /// Returns the target length of this frame.
    pub fn period(&self) -> Nanos {
        self.subject.pacing.target
    }

    /// Returns true if the program was interrupted during this frame. Statistics begin after such a frame.
    pub fn is_interrupted(&self) -> bool {
        !self.outside.is_zero()
    }

    /// Returns true if tasks ran in this frame but their runs are no longer recorded.
    pub fn has_forgotten(&self) -> bool {
        self.runs.is_none() && self.record.runs > 0
    }

    /// Returns true if tasks ran, but the intervals since their previous runs were discarded to save memory.
    pub fn has_forgotten_intervals(&self) -> bool {
        self.sums.intervals.is_empty() && self.record.runs > 0
    }
}

/// The entity that has waited longest since its last run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestWait {
    pub task: TaskId,
    pub number: u64,
    /// The time since the entity's last run or, if it has not run yet, since its birth.
    pub waited: Nanos,
}

impl LongestWait {
    /// Finds the entity that has been waiting longest, in constant time. Returns `None` if there are no entities.
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Option<Self> {
        let world = lane.world();
        let task = world.stalest()?;
        Some(Self {
            task,
            number: world.entity(task)?.number,
            waited: lane.now() - world.tasks().last_run(task)?,
        })
    }

    pub fn name(&self) -> String {
        name(self.number)
    }

    /// Formats the length of the wait, such as `1.2 s`.
    pub fn waited(&self) -> String {
        format!("{} s", format::number(self.waited.as_secs_f64()))
    }
}

/// A limit on how much data of one kind the history stores. When it is exceeded, the oldest frames lose this data.
struct Limit {
    most: usize,
    size: fn(&PastFrame) -> usize,
    /// Removes this kind of data from a frame to free memory.
    forget: fn(&mut PastFrame),
}

const LIMITS: [Limit; 2] = [
    // The runs are stored for replay and traces. They take up to 100 MB of memory.
    Limit {
        most: 2_000_000,
        size: |past| past.runs().len(),
        forget: |past| past.runs = past.runs.take().filter(Vec::is_empty),
    },
    // The groups of intervals are stored for reports. They take up to 44 MB.
    Limit {
        most: 500_000,
        size: |past| past.sums.intervals.len(),
        forget: |past| past.sums.intervals = Vec::new(),
    },
];

/// A setting that the user has changed, or an event such as a stall. The plots mark it, and it is saved together with the
/// results, because the results depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the first frame after the change.
    pub at: u64,
    /// The key of the setting. `None` for an event.
    subject: Option<&'static str>,
    /// One or two words, or a flag with its value.
    pub label: String,
}

/// The most recent frames, and all changes. Both lists start with the oldest.
#[derive(Clone, Debug, Default)]
pub struct History {
    frames: VecDeque<PastFrame>,
    changes: Vec<Change>,
    /// For each of the [`LIMITS`], the amount of stored data, and the number of oldest frames that have lost data.
    stored: [(usize, usize); LIMITS.len()],
}

impl History {
    /// Adds a completed frame. Removes old data if the history has become too large.
    pub fn push(&mut self, frame: PastFrame) {
        let removed = (self.frames.len() == FRAMES)
            .then(|| self.frames.pop_front())
            .flatten();
        self.frames.push_back(frame);
        for (limit, (stored, emptied)) in LIMITS.iter().zip(&mut self.stored) {
            if let Some(removed) = &removed {
                *stored -= (limit.size)(removed);
                *emptied = emptied.saturating_sub(1);
            }
            *stored += self.frames.back().map_or(0, limit.size);
            while *stored > limit.most
                && let Some(oldest) = self.frames.get_mut(*emptied)
            {
                *stored -= (limit.size)(oldest);
                (limit.forget)(oldest);
                *emptied += 1;
            }
        }
    }

    /// Logs a change that takes effect in the frame with the number `at`. `subject` is the key of the setting that was
    /// changed, or `None` for an event. A recent change of the same setting is replaced by the new one, so dragging a
    /// slider logs only one change. An event never replaces another entry.
    pub fn mark(&mut self, at: u64, subject: Option<&'static str>, label: String) {
        self.changes.pop_if(|last| {
            subject.is_some() && last.subject == subject && last.at + MERGE_WITHIN >= at
        });
        self.changes.push(Change { at, subject, label });
    }

    pub fn frame(&self, number: u64) -> Option<&PastFrame> {
        let first = self.frames.front()?.record.number;
        self.frames
            .get(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    pub fn frame_at(&self, now: GameTime) -> Option<&PastFrame> {
        let index = self.frames.partition_point(|frame| frame.record.now < now);
        let frame = self.frames.get(index)?;
        let first_update = frame
            .updates
            .first()
            .map_or(frame.record.now, |update| update.time);
        (index > 0 || first_update <= now).then_some(frame)
    }

    pub fn frames(&self) -> &VecDeque<PastFrame> {
        &self.frames
    }

    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns a line of text for each change.
    pub fn change_lines(&self) -> Vec<String> {
        let line = |change: &Change| format!("before frame {}: {}", change.at, change.label);
        self.changes.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::ENTITIES;
    use crate::testing::{
        lane, lane_of, numbered_frame as past, numbered_frames as history, recorded, runs,
    };

    #[test]
    fn only_the_last_frames_are_kept() {
        let history = history(9_000);
        assert_eq!(history.frames().len(), FRAMES);
        assert_eq!(history.frames().back().unwrap().record.number, 8_999);
        assert_eq!(history.frame(8_998).unwrap().record.runs, 8_998);
        assert!(history.frame(9_000).is_none() && history.frame(8).is_none());
    }

    #[test]
    fn dragging_a_slider_logs_one_change_and_events_are_separate() {
        let mut history = History::default();
        for (value, at) in [0, 6, 60, 120, 181, 540].into_iter().enumerate() {
            history.mark(at, Some("entities"), format!("--entities {value}"));
        }
        for _ in 0..2 {
            history.mark(541, None, "100 births".to_owned());
        }
        history.mark(542, Some("entities"), "--entities 7".to_owned());
        let lines = [
            "before frame 120: --entities 3",
            "before frame 181: --entities 4",
            "before frame 540: --entities 5",
            "before frame 541: 100 births",
            "before frame 541: 100 births",
            "before frame 542: --entities 7",
        ];
        assert_eq!(history.change_lines(), lines);
    }

    #[test]
    fn frame_is_found_by_any_game_time_in_its_updates() {
        let ms = |millis| GameTime::at(Nanos::from_millis(millis));
        let mut lane = lane_of("every-frame", "fixed-step", &[(&RENDER_MS, 60.0)]);
        let frames = recorded(&mut lane, 3); // with updates at 20, 40 and 60 ms, and from 80 ms on
        let mut history = History::default();
        for past in frames.frames().iter().skip(1) {
            history.push(past.clone());
        }
        let found = |at| history.frame_at(at).map(|past| past.record.number);
        let last = frames.frames()[2].record.now;
        let after = last + Nanos::from_nanos(1);
        let times = [ms(0), ms(20), ms(40), ms(60), ms(61), last, after].map(found);
        let expected = [0, 1, 1, 1, 2, 2, 0];
        assert_eq!(
            times,
            expected.map(|number| Some(number).filter(|&number| number > 0))
        );
    }

    /// Returns a frame that stores `count` runs, each in a slot of its own.
    fn past_with_runs(number: u64, count: u32) -> PastFrame {
        let mut past = past(number);
        past.record.runs = count;
        past.runs = runs(&(0..count).collect::<Vec<_>>(), past.record.now);
        past
    }

    #[test]
    fn oldest_runs_are_removed_first() {
        let mut history = History::default();
        for (number, count) in (0..).zip([0, 800_000, 0, 800_000, 800_000]) {
            history.push(past_with_runs(number, count));
        }
        let stored = |history: &History| -> Vec<_> {
            let frames = history.frames().iter();
            frames
                .map(|past| past.runs.as_ref().map(Vec::len))
                .collect()
        };
        let expected = [Some(0), None, Some(0), Some(800_000), Some(800_000)];
        assert_eq!(stored(&history), expected);
        history.push(past_with_runs(5, 2_000_000));
        assert_eq!(stored(&history)[3..], [None, None, Some(2_000_000)]);
        history.push(past_with_runs(6, 2_000_001));
        assert_eq!(stored(&history)[5..], [None, None], "it alone is too large");
    }

    #[test]
    fn removed_frames_free_memory() {
        let mut history = History::default();
        for number in 0..4 * FRAMES as u64 {
            history.push(past_with_runs(number, 400));
        }
        assert!(!history.frames().iter().any(PastFrame::has_forgotten));
    }

    #[test]
    fn longest_wait_is_the_oldest_last_run() {
        let mut crowd = lane("max-per-frame", &[(&ENTITIES, 40.0)]);
        assert!(LongestWait::of(&crowd).is_some(), "newborns wait, too");
        recorded(&mut crowd, 60);
        let wait = LongestWait::of(&crowd).expect("there are entities");
        let tasks = crowd.world().tasks();
        let oldest = tasks.iter().filter_map(|task| tasks.last_run(task)).min();
        assert_eq!(tasks.last_run(wait.task), oldest);
        assert_eq!(wait.waited, crowd.worst_staleness());
        crowd.set_knob(&ENTITIES, 50.0);
        assert_eq!(LongestWait::of(&crowd), Some(wait), "births reset no wait");
        let nobody = lane("every-frame", &[(&ENTITIES, 0.0)]);
        assert_eq!(LongestWait::of(&nobody), None);
    }
}
