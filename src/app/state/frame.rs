//! Advances the game from one rendered frame to the next. In the Grid view, each frame passes through four stages:
//! update, draw, wait and finish. The other views advance a simulated comparison once per frame.

use super::{Flow, State};
use crate::app::platform::vsync::PERIOD;
use lab::cli::View;
use lab::history::PastFrame;
use lab::recommend::Recommendation;
use lab::sim::lane;
use lab::sim::machine::{INTERRUPTED_FROM, Machine};
use timeslicer::frame_loop::{EARLY, Pace};
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// The longest time that a comparison simulates per rendered frame. After longer frames, it falls behind real time.
const MAX_ADVANCE: Nanos = Nanos::from_millis(100);

/// If drawing takes longer than this, something has interrupted the program. For example, the computer was asleep.
const MAX_DRAWING_TIME: Nanos = Nanos::SECOND;

/// The frame of the Grid view that is in progress, and the last stage that it has completed. It is dropped together
/// with its game, because a command may replace the game before the frame ends.
pub(super) enum FrameInProgress {
    /// The updates ended at this clock time.
    Updated(lane::Updated, PastFrame, ClockTime),
    Drawn(lane::Drawn, PastFrame),
    Waited(lane::Waited, PastFrame),
}

impl State {
    /// With the flag `--still N`, runs N frames without drawing them, and then pauses.
    pub(super) fn make_still_frames(&mut self) {
        let Some(frames) = self.still else {
            return;
        };
        self.flow = Flow::Running;
        for _ in 0..frames {
            self.frame();
        }
        self.flow = Flow::Paused;
        self.compare.expire_reports(); // the image must show the final frame, not the reports of an earlier one
    }

    /// Runs a whole frame without drawing it.
    pub(super) fn frame(&mut self) {
        self.update();
        self.drawn();
        self.wait();
        self.finish(Nanos::ZERO);
    }

    /// Advances the view on screen by one frame, unless the game is paused.
    pub fn update(&mut self) {
        self.continue_opening();
        let in_grid = self.view == View::Grid;
        let makes_frame = in_grid && self.flow != Flow::Paused;
        if makes_frame {
            self.update_lane();
        }
        self.grid.was_paused = !makes_frame;
        if in_grid {
            self.advanced_at = None;
        } else {
            self.advance_experiment(monotonic());
        }
        if self.flow == Flow::Stepping {
            self.flow = Flow::Paused;
        }
    }

    fn update_lane(&mut self) {
        let grid = &mut self.grid;
        let last = grid.lane.last_frame();
        let end = last.start + last.length;
        let start = match self.flow {
            _ if grid.lane.frames() == 0 => Some(ClockTime::START),
            _ if grid.lane.machine().is_simulated() => None, // its clock stops during a pause
            // A step is one frame of game time, however long the pause before it was.
            Flow::Stepping => Some(match grid.lane.pace() {
                Pace::Until(due) => due.max(last.start),
                Pace::Display | Pace::Nothing => last.start + PERIOD,
            }),
            _ if grid.was_paused => Some(end),
            _ => None,
        };
        grid.displayed_frame = None;
        let machine = grid.lane.machine_mut();
        if let Some(host) = machine.host() {
            host.start_frame();
        }
        let updated = if let Some(start) = start {
            machine.set_clock(start);
            grid.lane.begin_frame_at(start)
        } else {
            let idle = machine.clock().saturating_since(end);
            if idle > INTERRUPTED_FROM {
                machine.leave_out(idle);
            }
            grid.lane.begin_frame()
        };
        let clock = grid.lane.machine().clock();
        let past = PastFrame::of(&grid.lane);
        grid.in_progress = Some(FrameInProgress::Updated(updated, past, clock));
        self.unpin_dead_entity();
    }

    /// Creates the comparison on screen if it does not exist yet, and updates its reports.
    pub(super) fn begin_experiment(&mut self) {
        self.advance_by(Nanos::ZERO);
        if self.view == View::Compare {
            self.compare.refresh(monotonic());
        }
    }

    fn advance_by(&mut self, time: Nanos) -> bool {
        match self.view {
            View::Grid => true,
            View::Compare => self.compare.advance(time, &self.settings),
            View::Loops => self.loop_comparison.advance(time),
        }
    }

    /// Returns how much simulated time passes per single step and, with the `--still` option, per frame.
    fn time_per_frame(&self) -> Nanos {
        match self.view {
            // Subtract a nanosecond, because periods are rounded up, and the first frame of the next period must not
            // begin.
            View::Compare => self.compare.comparison.target_period() - Nanos::from_nanos(1),
            View::Grid | View::Loops => PERIOD,
        }
    }

    fn advance_experiment(&mut self, clock: ClockTime) {
        let is_running = self.flow == Flow::Running;
        let last = std::mem::replace(&mut self.advanced_at, is_running.then_some(clock));
        let since_last = last.map_or(Nanos::ZERO, |last| clock.saturating_since(last));
        let by = match self.flow {
            Flow::Paused => Nanos::ZERO,
            Flow::Stepping => self.time_per_frame(),
            Flow::Running if self.still.is_some() => self.time_per_frame(),
            Flow::Running => since_last.min(MAX_ADVANCE),
        };
        let kept_up = self.advance_by(by);
        self.advances += u64::from(!by.is_zero());
        // A slow frame delays the experiment, too. A much longer gap means that the window was hidden.
        let held_back = since_last > MAX_ADVANCE && since_last < INTERRUPTED_FROM;
        self.lags = !by.is_zero() && (!kept_up || held_back);
        if self.view == View::Compare {
            self.compare.refresh(clock);
            let makes_still_image = self.still.is_some_and(|it| it > 0);
            // With `--still`, only the image after the last frame is shown, so earlier frames need no search.
            if !makes_still_image || self.flow != Flow::Running {
                self.seek_best_setting(makes_still_image && !self.was_used);
            }
        }
    }

    /// Continues the search for the best settings. If `wait_for_results` is true, returns only when there are results.
    fn seek_best_setting(&mut self, wait_for_results: bool) {
        let objective = self.compare.objective();
        let search = &mut self.compare.best_setting;
        let was_final = search.is_final();
        search.advance(&self.settings, objective, wait_for_results);
        if search.is_final() && !was_final {
            let best = search.recommendation().and_then(Recommendation::best);
            let key = best.map_or("nothing", |choice| choice.strategy.key);
            self.note(format_args!("recommended {key}"));
        }
    }

    /// Ends the drawing stage of the current frame. Call when everything has been drawn.
    pub fn drawn(&mut self) {
        let grid = &mut self.grid;
        if let Some(FrameInProgress::Updated(updated, past, at)) = grid.in_progress.take() {
            let machine = grid.lane.machine_mut();
            let drawing = machine.clock().saturating_since(at);
            if drawing > MAX_DRAWING_TIME {
                machine.leave_out(drawing);
            }
            machine.render();
            grid.in_progress = Some(FrameInProgress::Drawn(grid.lane.drawn(updated), past));
        }
    }

    /// Returns true if no frame of the Grid view's game is in progress, so that the caller must limit the frame rate.
    pub fn is_lane_idle(&self) -> bool {
        self.grid.in_progress.is_none()
    }

    /// Waits until the frame loop allows the next frame. On a page, returns how long to delay it instead.
    pub fn wait(&mut self) -> Nanos {
        let grid = &mut self.grid;
        let Some(FrameInProgress::Drawn(drawn, past)) = grid.in_progress.take() else {
            return Nanos::ZERO;
        };
        grid.in_progress = Some(FrameInProgress::Waited(grid.lane.wait(drawn), past));
        let host = grid.lane.machine_mut().host();
        let left = host.and_then(|host| Some(host.take_due()?.saturating_since(host.clock())));
        left.unwrap_or(Nanos::ZERO).saturating_sub(EARLY)
    }

    /// Ends the current frame after the buffer swap. `swap_time` is how long the swap took.
    pub fn finish(&mut self, swap_time: Nanos) {
        let grid = &mut self.grid;
        let Some(FrameInProgress::Waited(waited, mut past)) = grid.in_progress.take() else {
            return;
        };
        let machine = grid.lane.machine_mut();
        if swap_time > INTERRUPTED_FROM {
            machine.leave_out(swap_time - PERIOD);
        }
        if let Some(host) = machine.host() {
            past.outside = host.left_out;
        }
        if !past.outside.is_zero() {
            let what = format_args!("left out {} ms", past.outside);
            self.log.line(grid.lane.frames(), what);
        }
        past.record = grid.lane.finish(waited).clone();
        let frame = &past.record;
        self.log.line(
            frame.number,
            format_args!(
                "frame delta {} runs {} backlog {} entities {}",
                frame.delta,
                frame.runs,
                frame.backlog,
                grid.lane.world().tasks().len()
            ),
        );
        grid.history.push(past);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::platform::event_log::Log;
    use crate::app::state::command::Command;
    use crate::app::state::tests::{state, still};
    use lab::catalog::frame_loop::constant_fps::LOOP_FPS;
    use lab::catalog::frame_loop::{FRAME_LOOPS, constant_fps};
    use lab::catalog::knob::{Knob, KnobValues};
    use lab::measure::MeasuredLane;
    use lab::recommend::Limits;
    use lab::sim::machine::{DISPLAY_HZ, RENDER_MS, SPEED, Simulated};
    use lab::sim::settings::Settings;
    use lab::sim::world::{COST, ENTITIES};

    #[test]
    fn a_step_is_one_frame_of_game_time() {
        let usual = Settings::default().frame_loop;
        for (entry, period) in [
            (usual, PERIOD),
            (&constant_fps::ENTRY, Nanos::from_millis(40)),
        ] {
            let mut state = state();
            state.apply(Command::SetKnob(&LOOP_FPS, 25.0));
            state.apply(Command::FrameLoop(entry));
            state.frame();
            for _ in 0..20 {
                state.apply(Command::Step);
                let before = state.grid.lane.now();
                state.frame();
                state.frame(); // paused again
                assert_eq!(state.grid.lane.now() - before, period);
                assert_eq!(state.flow, Flow::Paused);
            }
        }
    }

    #[test]
    fn still_stays_paused_and_a_restart_returns_to_it() {
        let mut state = still(30, View::Grid, &[(&ENTITIES, 100.0)]);
        let shown = |state: &State| {
            let frames = state.grid.history.frames().iter();
            let records: Vec<_> = frames.map(|past| past.record.clone()).collect();
            (state.grid.lane.now(), records)
        };
        let first = shown(&state);
        assert_eq!(first.1.len(), 30);
        state.frame();
        assert!(shown(&state) == first, "paused");
        for _ in 0..3 {
            state.apply(Command::Step);
            state.frame();
        }
        assert_eq!(state.grid.lane.now() - first.0, Nanos::from_millis(50));
        state.apply(Command::Restart);
        assert!(shown(&state) == first, "the restart repeats it");
        assert_eq!(state.flow, Flow::Paused);
    }

    #[test]
    fn a_still_has_the_frames_of_the_command_run() {
        const MACHINES: [&[(&Knob, f64)]; 2] = [
            &[(&DISPLAY_HZ, 59.94), (&RENDER_MS, 20.0), (&COST, 300.0)],
            &[(&DISPLAY_HZ, 144.0), (&SPEED, 0.1), (&COST, 300.0)],
        ];
        for knobs in MACHINES {
            for &frame_loop in FRAME_LOOPS {
                let settings = Settings {
                    frame_loop,
                    knobs: KnobValues::with(knobs),
                    ..Settings::default()
                };
                let mut lane = MeasuredLane::new(settings.clone(), Simulated::default());
                lane.measure_gazes();
                lane.list_runs(usize::MAX);
                let (limits, log) = (Limits::default(), Log::default());
                let mut state = State::new(settings, Some(90), limits, View::Grid, log);
                state.apply(Command::Step);
                state.frame();
                for past in state.grid.history.frames() {
                    assert_eq!(past.record, *lane.frame(), "{} {knobs:?}", frame_loop.key);
                    assert_eq!(past.period(), lane.target_period());
                }
                assert_eq!(state.grid.lane.frames(), 91);
            }
        }
    }

    #[test]
    fn a_step_of_compare_is_one_frame_of_its_displays() {
        for hz in [30.0, 59.94, 144.0] {
            let mut state = still(19, View::Compare, &[(&DISPLAY_HZ, hz), (&COST, 1.0)]);
            state.apply(Command::Step);
            state.frame();
            for lane in &state.compare.comparison.lanes {
                assert_eq!(lane.frames(), 20, "{hz} Hz");
            }
        }
    }

    #[test]
    fn slow_frames_make_an_experiment_lag_and_pauses_do_not() {
        let mut state = state();
        state.apply(Command::View(View::Loops));
        let mut clock = ClockTime::START;
        let mut picture = |state: &mut State, millis| {
            clock += Nanos::from_millis(millis);
            state.advance_experiment(clock);
            (state.lags, state.loop_comparison.time())
        };
        for (millis, lags, time_ms) in [
            (0, false, 0),
            (90, false, 90),
            (200, true, 190),
            (10, false, 200),
            (60_000, false, 300), // the window was hidden
        ] {
            let expected = (lags, Nanos::from_millis(time_ms));
            assert_eq!(picture(&mut state, millis), expected, "{millis} ms");
        }
        for (flow, millis, time_ms) in [
            (Flow::Paused, 16, 300),
            (Flow::Paused, 500, 300),
            (Flow::Running, 16, 300),
            (Flow::Running, 16, 316),
        ] {
            state.flow = flow;
            let expected = (false, Nanos::from_millis(time_ms));
            assert_eq!(picture(&mut state, millis), expected, "{flow:?}");
        }
    }

    #[test]
    fn pause_takes_no_game_time() {
        let mut state = state();
        state.frame();
        state.apply(Command::Pause);
        let frames = state.grid.lane.frames();
        state.frame();
        assert_eq!(state.grid.lane.frames(), frames);
        let end = state.grid.lane.last_frame().start + state.grid.lane.last_frame().length;
        state.apply(Command::Pause);
        state.frame();
        let start = state.grid.lane.last_frame().start;
        assert!(
            start >= end && start - end < Nanos::from_millis(100),
            "{start} after {end}"
        );
    }

    /// Makes a frame. The machine sleeps for an hour before the stage named `sleep_before`.
    fn frame_with_a_sleep(state: &mut State, sleep_before: &str) {
        let hour = Nanos::from_secs(3600);
        let sleep = |state: &mut State, stage: &str| {
            if sleep_before == stage {
                let now = state.grid.lane.machine().clock();
                state.grid.lane.machine_mut().set_clock(now + hour);
            }
        };
        sleep(state, "update");
        state.update();
        sleep(state, "drawing");
        state.drawn();
        state.wait();
        sleep(state, "swap");
        let swap = if sleep_before == "swap" {
            hour
        } else {
            Nanos::ZERO
        };
        state.finish(swap);
    }

    #[test]
    fn hour_of_sleep_in_any_part_takes_no_game_time() {
        for sleep_before in ["update", "drawing", "swap"] {
            let mut state = state();
            state.frame();
            frame_with_a_sleep(&mut state, sleep_before);
            let past = state.grid.history.frames().back().unwrap();
            assert!(past.outside > Nanos::from_secs(3599), "{sleep_before}");
            assert!(past.record.length < INTERRUPTED_FROM, "{sleep_before}");
            assert!(past.record.delta < INTERRUPTED_FROM, "{sleep_before}");
            state.frame();
            assert!(
                state.grid.lane.last_frame().delta < INTERRUPTED_FROM,
                "{sleep_before}"
            );
            let past = state.grid.history.frames().back().unwrap();
            assert!(past.outside.is_zero(), "{sleep_before}");
        }
    }
}
