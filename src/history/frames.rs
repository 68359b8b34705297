//! The last frames, and what was changed when.

use super::past_frame::{Dearest, PastFrame, PastUpdate, USUAL_PERIOD};
use super::trace_buffer::{FrameTrace, Room};
use crate::sim::lane::FrameRecord;
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use std::collections::VecDeque;
use timeslice::time::{GameTime, Nanos};

/// As many frames as the widest window shows from farthest away, and some: a minute or so.
pub const FRAMES: usize = 4096;

/// So many runs are remembered by name: 32 MB. Older frames than that only know how many ran.
const RUNS: usize = 8_000_000;

/// Changes of one subject within so many frames are one mark.
const ONE_GO: u64 = 60;

/// A change that the plots mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeMark {
    /// The first frame after it.
    pub frame: u64,
    /// The key of what was set; none for what merely happened.
    subject: Option<&'static str>,
    /// What was changed, in a word or two.
    pub label: String,
}

/// The last frames, oldest first, and the changes among them.
#[derive(Clone, Debug)]
pub struct History {
    epoch: u64,
    period: Nanos,
    frames: VecDeque<PastFrame>,
    marks: VecDeque<ChangeMark>,
    /// The last change of what runs: the first frame after it, and game time then.
    changed: Option<(u64, GameTime)>,
    runs: usize,
    traced: Room,
    /// How many marks went with their frames.
    marks_forgotten: u64,
}

impl Default for History {
    fn default() -> Self {
        Self::new(USUAL_PERIOD)
    }
}

impl History {
    /// Of nothing yet, on a display of that period.
    #[must_use]
    pub fn new(period: Nanos) -> Self {
        Self {
            epoch: 0,
            period,
            frames: VecDeque::new(),
            marks: VecDeque::new(),
            changed: None,
            runs: 0,
            traced: Room::default(),
            marks_forgotten: 0,
        }
    }

    /// Forgets everything: the lane begins anew, at frame 0.
    pub fn restart(&mut self) {
        *self = Self {
            epoch: self.epoch + 1,
            ..Self::new(self.period)
        };
    }

    /// How often it was restarted: frames of one number in two epochs are two frames.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The time from picture to picture that frames aim at, the display's period for most: what their length
    /// is judged by.
    #[must_use]
    pub fn period(&self) -> Nanos {
        self.period
    }

    /// From here on frames aim at another time from picture to picture.
    pub fn set_period(&mut self, period: Nanos) {
        self.period = period;
    }

    /// Takes down what the lane's updates did in the frame under way.
    #[must_use]
    pub fn begin<M: Machine>(&self, lane: &MeasuredLane<M>) -> PastFrame {
        let runs = lane.runs();
        let mut ran = Vec::with_capacity(if runs.len() > RUNS { 0 } else { runs.len() });
        let mut past = PastFrame {
            strategy: Some(lane.settings().strategy),
            now: lane.now(),
            period: self.period,
            target: lane.world().target(),
            sight: lane.projectile().sight(),
            entities: lane.world().tasks().len() as u32,
            traced: FrameTrace::of(lane),
            ..PastFrame::default()
        };
        if lane.updates().len() > 1 {
            let in_which_some_ran = lane.updates().iter().filter(|update| update.runs > 0);
            past.updates = in_which_some_ran
                .map(|update| PastUpdate {
                    now: update.time,
                    target: update.target,
                    runs: (update.runs_before + update.runs) as u32,
                })
                .collect();
        }
        if let Some(budget) = lane.strategy().budget() {
            let over = lane.updates().iter().map(|it| it.task_time - budget);
            past.overruns = over.filter(|over| !over.is_zero()).collect();
        }
        let changed = self.changed.map(|(_, now)| now);
        for run in runs {
            if ran.len() < ran.capacity() {
                ran.push(run.task.index);
            }
            if past.dearest.is_none_or(|dearest| run.took > dearest.took) {
                past.dearest = Some(Dearest {
                    entity: run.entity,
                    took: run.took,
                });
            }
            let began = run.time - run.elapsed;
            if changed.is_none_or(|changed| began > changed) {
                past.longest_wait = past.longest_wait.max(run.elapsed);
                if !run.first {
                    past.intervals.add(run.elapsed);
                }
            }
        }
        past.ran = (ran.len() == runs.len() && lane.lists_all_runs()).then_some(ran);
        past
    }

    /// The frame is over; this is its record.
    pub fn end(&mut self, mut past: PastFrame, record: FrameRecord) {
        past.record = record;
        self.push(past);
    }

    /// A frame is over.
    pub fn push(&mut self, mut frame: PastFrame) {
        let named = |past: &PastFrame| past.ran.as_ref().map_or(0, Vec::len);
        if self.frames.len() == FRAMES
            && let Some(old) = self.frames.pop_front()
        {
            self.runs -= named(&old);
            self.traced.let_go(&old.traced);
        }
        self.traced.take_in(&frame.traced, &mut self.frames);
        if named(&frame) > RUNS {
            frame.ran = None;
        }
        self.runs += named(&frame);
        let mut old = self.frames.iter_mut();
        while self.runs > RUNS
            && let Some(old) = old.next()
        {
            // Who ran in an idle frame is known for ever: nobody.
            if named(old) > 0 {
                self.runs -= named(old);
                old.ran = None;
            }
        }
        let first = self
            .frames
            .front()
            .map_or(frame.record.number, |front| front.record.number);
        while self.marks.front().is_some_and(|mark| mark.frame < first) {
            self.marks.pop_front();
            self.marks_forgotten += 1;
        }
        self.frames.push_back(frame);
    }

    /// Something was set to another value before frame `frame`. Changes of one `subject` in one go, as by dragging a
    /// slider, are one mark, where the last of them took effect.
    pub fn mark(&mut self, frame: u64, subject: &'static str, label: String) {
        let again = |last: &ChangeMark| {
            last.subject == Some(subject) && frame.saturating_sub(last.frame) <= ONE_GO
        };
        if self.marks.back().is_some_and(again) {
            self.marks.pop_back();
        }
        self.marks.push_back(ChangeMark {
            frame,
            subject: Some(subject),
            label,
        });
    }

    /// Something happened before frame `frame`: a mark of its own, however often it does.
    pub fn mark_event(&mut self, frame: u64, label: String) {
        self.marks.push_back(ChangeMark {
            frame,
            subject: None,
            label,
        });
    }

    /// From frame `frame` on, before which game time is `now`, other things run than before: figures begin
    /// anew.
    pub fn change(&mut self, frame: u64, now: GameTime) {
        self.changed = Some((frame, now));
    }

    /// The first frame after the last change of what runs; zero where nothing was changed.
    #[must_use]
    pub fn changed_at(&self) -> u64 {
        self.changed.map_or(0, |(frame, _)| frame)
    }

    /// Game time at the last change of what runs; zero where nothing was changed.
    #[must_use]
    pub fn changed_now(&self) -> GameTime {
        self.changed.map_or(GameTime::START, |(_, now)| now)
    }

    /// Whether some of the frames that are remembered came before the last change.
    #[must_use]
    pub fn spans_a_change(&self) -> bool {
        let first = self.frames.front().map(|past| past.record.number);
        first.is_some_and(|first| first < self.changed_at())
    }

    /// The frame of that number, if it is remembered.
    #[must_use]
    pub fn frame(&self, number: u64) -> Option<&PastFrame> {
        let first = self.frames.front()?.record.number;
        self.frames
            .get(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    /// The frame in one of whose updates it was that game time, if it is remembered.
    #[must_use]
    pub fn frame_at(&self, now: GameTime) -> Option<&PastFrame> {
        let index = self.frames.partition_point(|frame| frame.now < now);
        self.frames
            .get(index)
            .filter(|frame| index > 0 || frame.first_update() <= now)
    }

    /// The frames, oldest first.
    #[must_use]
    pub fn frames(&self) -> &VecDeque<PastFrame> {
        &self.frames
    }

    /// The records of the last `count` frames, oldest first.
    #[must_use]
    pub fn last(&self, count: usize) -> impl ExactSizeIterator<Item = &FrameRecord> {
        let from = self.frames.len().saturating_sub(count);
        self.frames.range(from..).map(|frame| &frame.record)
    }

    /// How many marks there were before those that are remembered, since the start.
    #[must_use]
    pub fn marks_forgotten(&self) -> u64 {
        self.marks_forgotten
    }

    /// The marks, oldest first.
    #[must_use]
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = &ChangeMark> {
        self.marks.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::{RENDER_MS, Simulated};
    use crate::sim::settings::Settings;
    use crate::sim::world::Point;
    use crate::sim::world::{COST, ENTITIES};
    use timeslice::frame_loop;
    use timeslice::knob::KnobValues;
    use timeslice::strategy::{STRATEGIES, by_key};

    fn past(number: u64) -> PastFrame {
        PastFrame {
            record: FrameRecord {
                number,
                ..FrameRecord::default()
            },
            ..PastFrame::default()
        }
    }

    fn history(frames: u64) -> History {
        let mut history = History::default();
        for number in 0..frames {
            history.push(past(number));
        }
        history
    }

    #[test]
    fn only_the_last_frames_are_kept() {
        let history = history(9_000);
        assert_eq!(history.frames.len(), FRAMES);
        let numbers: Vec<u64> = history.last(2).map(|frame| frame.number).collect();
        assert_eq!(numbers, [8_998, 8_999]);
        assert_eq!(history.last(9_999_999).len(), FRAMES);
    }

    #[test]
    fn who_ran_is_remembered_as_long_as_there_is_room() {
        let mut history = History::default();
        for number in 0..12 {
            let mut frame = past(number);
            frame.record.runs = 1_000_000;
            frame.ran = Some(vec![7; 1_000_000]);
            history.push(frame);
        }
        assert!(history.runs <= RUNS);
        let known: Vec<bool> = history
            .frames
            .iter()
            .map(|past| !past.has_forgotten())
            .collect();
        assert_eq!(known, [[false; 4].as_slice(), &[true; 8]].concat());
    }

    #[test]
    fn a_mark_goes_with_its_frame() {
        let mut history = history(10);
        history.mark(10, "all-at-once", "All at once".to_owned());
        assert_eq!(history.marks().count(), 1);
        for number in 10..10 + FRAMES as u64 {
            history.push(past(number));
        }
        assert_eq!(history.marks().count(), 1, "its frame is the first one");
        history.push(past(10 + FRAMES as u64));
        history.push(past(11 + FRAMES as u64));
        assert_eq!(history.marks().count(), 0);
    }

    #[test]
    fn dragging_a_slider_makes_one_mark() {
        let mut history = history(10);
        for (frame, value) in [(10, 500), (11, 600), (40, 700)] {
            history.mark(frame, "entities", format!("Entities {value}"));
        }
        history.mark(41, "churn-per-s", "Churn 5 /s".to_owned());
        let marks: Vec<(u64, &str)> = history
            .marks()
            .map(|mark| (mark.frame, mark.label.as_str()))
            .collect();
        assert_eq!(marks, [(40, "Entities 700"), (41, "Churn 5 /s")]);
    }

    #[test]
    fn each_switch_stands_where_it_happened_however_quickly_they_follow() {
        let mut history = history(10);
        for (frame, key) in [
            (10, "all-at-once"),
            (12, "request-list"),
            (15, "all-at-once"),
        ] {
            history.mark(frame, key, key.to_owned());
        }
        let frames: Vec<u64> = history.marks().map(|mark| mark.frame).collect();
        assert_eq!(frames, [10, 12, 15]);
    }

    #[test]
    fn a_change_is_remembered_when_its_mark_and_its_frame_are_long_forgotten() {
        let mut history = history(10);
        history.mark(10, "all-at-once", "All at once".to_owned());
        history.change(10, GameTime::at(Nanos::SECOND));
        assert!(history.spans_a_change());
        for number in 10..12 + FRAMES as u64 {
            history.push(past(number));
        }
        assert_eq!(history.marks().count(), 0);
        assert_eq!(history.changed_at(), 10);
        assert!(!history.spans_a_change());
        history.restart();
        assert_eq!((history.changed_at(), history.epoch()), (0, 1));
    }

    #[test]
    fn a_frame_is_found_by_any_game_time_in_its_updates() {
        let mut history = History::default();
        for (number, now_ms) in [(0, 0), (1, 40), (2, 40), (3, 80)] {
            history.push(PastFrame {
                now: GameTime::at(Nanos::from_millis(now_ms)),
                ..past(number)
            });
        }
        let found = |ms| {
            let past = history.frame_at(GameTime::at(Nanos::from_millis(ms)));
            past.map(|past| past.record.number)
        };
        let times = [0, 20, 40, 60, 80, 81].map(found);
        assert_eq!(times, [Some(0), Some(1), Some(1), Some(3), Some(3), None]);
    }

    #[test]
    fn the_oldest_frame_is_found_by_its_earlier_updates_too() {
        let ms = |millis| GameTime::at(Nanos::from_millis(millis));
        let update = |now_ms, runs| PastUpdate {
            now: ms(now_ms),
            runs,
            target: Point::default(),
        };
        let mut history = History::default();
        history.push(PastFrame {
            updates: vec![update(20, 1), update(60, 3)],
            ran: Some(vec![5, 6, 5]),
            now: ms(60),
            ..past(7)
        });
        let found = |at| history.frame_at(ms(at)).map(|past| past.record.number);
        let times = [0, 20, 40, 60, 80].map(found);
        assert_eq!(times, [None, Some(7), Some(7), Some(7), None]);
    }

    #[test]
    fn a_frame_of_several_updates_keeps_when_and_where_each_one_ran() {
        let settings = Settings {
            strategy: by_key("max-per-frame").unwrap(),
            frame_loop: frame_loop::by_key("fixed-step").unwrap(),
            knobs: KnobValues::with(&[(&ENTITIES, 6.0), (&COST, 0.0), (&RENDER_MS, 60.0)]),
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        let mut history = History::default();
        for _ in 0..5 {
            let record = lane.frame().clone();
            let past = history.begin(&lane);
            let mut kept = Vec::new();
            for (update, ran) in past.updates() {
                kept.extend(ran.iter().map(|place| (*place, update.now)));
            }
            let runs: Vec<(u32, GameTime)> = lane
                .runs()
                .iter()
                .map(|run| (run.task.index, run.time))
                .collect();
            assert_eq!(kept, runs);
            // Whoever has not run again looks where the target was in the update that ran it.
            let last = past.updates().next_back().unwrap();
            for &place in last.1 {
                let task = lane.world().tasks().at(place).unwrap();
                assert_eq!(lane.world().entity(task).unwrap().seen, last.0.target);
                assert_eq!(past.runs_of(place).next_back(), Some(past.now));
            }
            history.end(past, record);
        }
        let last = history.frames().back().unwrap();
        assert_eq!(last.updates.len(), 3);
        assert_eq!(last.first_update(), last.now - Nanos::from_millis(40));
        // Four of six run in each update: place 0 in two of any three.
        assert_eq!(last.runs_of(0).count(), 2);
    }

    #[test]
    fn updates_in_which_nobody_ran_are_not_kept_and_one_alone_is_the_frame() {
        let settings = Settings {
            frame_loop: frame_loop::by_key("fixed-step").unwrap(),
            knobs: KnobValues::with(&[(&ENTITIES, 1.0), (&COST, 0.0), (&RENDER_MS, 60.0)]),
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        let history = History::default();
        let mut ran = 0;
        for _ in 0..50 {
            lane.frame();
            let past = history.begin(&lane);
            assert_eq!(past.updates.len(), lane.runs().len());
            ran += past.updates.len();
        }
        assert!(ran > 3);
        let mut single = past(0);
        assert_eq!(single.updates().count(), 1);
        assert_eq!(single.runs_of(3).count(), 0);
        (single.ran, single.now) = (Some(vec![3]), GameTime::at(Nanos::SECOND));
        let runs: Vec<GameTime> = single.runs_of(3).collect();
        assert_eq!(
            (runs, single.first_update()),
            (vec![single.now], single.now)
        );
    }

    #[test]
    fn only_intervals_that_began_after_the_last_change_are_counted() {
        let settings = Settings {
            strategy: by_key("max-per-frame").unwrap_or(STRATEGIES[0]),
            knobs: KnobValues::with(&[(&ENTITIES, 8.0)]),
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        let mut history = History::default();
        let frame = |lane: &mut MeasuredLane<Simulated>, history: &mut History| {
            let record = lane.frame().clone();
            let past = history.begin(lane);
            let counted = past.intervals.count();
            history.end(past, record);
            counted
        };
        let counts: Vec<u64> = (0..5).map(|_| frame(&mut lane, &mut history)).collect();
        assert_eq!(counts, [0, 0, 4, 4, 4]);
        history.change(lane.frames(), lane.now());
        let counts: Vec<u64> = (0..4).map(|_| frame(&mut lane, &mut history)).collect();
        assert_eq!(counts, [0, 0, 4, 4]);
    }
}
