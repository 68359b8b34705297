//! A frame of the lane on this computer in its parts, and what goes on beside it.

use super::grid::FrameInProgress;
use super::view::View;
use super::{Flow, State};
use crate::app::platform::vsync::PERIOD;
use crate::history::PastFrame;
use crate::sim::lane;
use crate::sim::machine::{HELD_UP, Machine};
use timeslice::frame_loop::{EARLY, Pace};
use timeslice::time::{ClockTime, Nanos, monotonic};

/// Drawing that takes longer than this was held up by something outside: no picture takes a second.
const LONGEST_DRAWING: Nanos = Nanos::SECOND;

/// A picture whose updates are made. [`State::drawn`] takes it.
///
/// The tokens of a picture cannot be copied, so that its parts come once and in order. The lane may be replaced until the
/// picture is drawn, so its frame is kept next to it.
#[must_use = "give it to `State::drawn`"]
pub struct PictureUpdated(());

/// A picture that is drawn. [`State::wait`] takes it.
#[must_use = "give it to `State::wait`"]
pub struct PictureDrawn {
    /// The lane's frame; none if the lane rests.
    frame: Option<(lane::Drawn, PastFrame)>,
}

impl PictureDrawn {
    /// Whether the lane on this computer rests: then something else has to pace the pictures.
    pub fn lane_rests(&self) -> bool {
        self.frame.is_none()
    }
}

/// A picture that has waited for what the frame loop waits for. [`State::finish`] takes it.
#[must_use = "give it to `State::finish`"]
pub struct PictureWaited {
    frame: Option<(lane::Waited, PastFrame)>,
    /// How long to hold the next picture back if the machine cannot wait itself.
    pub hold: Nanos,
}

impl State {
    /// Makes the first frames without a picture, where that is wanted, and stops game time.
    pub(super) fn go_ahead(&mut self) {
        let Some(frames) = self.still else {
            return;
        };
        self.flow = Flow::Running;
        for _ in 0..frames {
            let updated = self.update();
            let drawn = self.drawn(updated);
            let waited = self.wait(drawn);
            self.finish(waited, Nanos::ZERO);
        }
        self.flow = Flow::Paused;
    }

    /// Makes the updates of what is shown for the next picture, unless the game is paused.
    pub fn update(&mut self) -> PictureUpdated {
        match self.view {
            View::Grid => {
                self.experiment_clock.rest();
                if self.flow == Flow::Paused {
                    self.grid.was_paused = true;
                } else {
                    self.update_lane();
                }
            }
            View::Compare | View::Loops => {
                self.grid.was_paused = true;
                self.advance_experiment(monotonic());
            }
        }
        PictureUpdated(())
    }

    /// Begins a frame of the lane on this computer.
    fn update_lane(&mut self) {
        let grid = &mut self.grid;
        let last = grid.lane.last_frame();
        let end = last.start + last.length;
        let start = match self.flow {
            _ if grid.lane.frames() == 0 => Some(ClockTime::START),
            // A step is one frame of game time, however long the pause before it was.
            Flow::Stepping => Some(match grid.lane.pace() {
                Pace::Until(due) => due.max(last.start),
                Pace::Display | Pace::Nothing => last.start + PERIOD,
            }),
            _ if grid.was_paused => Some(end),
            _ => None,
        };
        if self.flow == Flow::Stepping {
            self.flow = Flow::Paused;
        }
        grid.selection.looked_at = None;
        grid.was_paused = false;
        let machine = grid.lane.machine_mut();
        machine.start_frame();
        let updated = if let Some(start) = start {
            machine.set_clock(start);
            grid.lane.begin_frame_at(start)
        } else {
            let idle = machine.clock() - end;
            if idle > HELD_UP {
                machine.leave_out(idle);
            }
            grid.lane.begin_frame()
        };
        let updated_at = grid.lane.machine().clock();
        grid.history.set_period(grid.lane.target_period());
        let past = grid.history.begin(&grid.lane);
        grid.in_progress = Some(FrameInProgress {
            updated,
            updated_at,
            past,
        });
        let forgone = grid.lane.machine().forgone();
        if !forgone.is_zero() {
            grid.forgone = Some((forgone, grid.lane.now()));
        }
        self.drop_dead_pin();
    }

    /// Sets the measured period of the display.
    pub fn set_display_period(&mut self, period: Nanos) {
        self.grid.lane.set_display_period(period);
    }

    /// Advances the experiment that is shown.
    fn advance_experiment(&mut self, clock: ClockTime) {
        let step = match self.flow {
            Flow::Paused => Some(Nanos::ZERO),
            Flow::Stepping => Some(PERIOD),
            Flow::Running if self.still.is_some() => Some(PERIOD),
            Flow::Running => None, // as far as the clock
        };
        if self.flow == Flow::Stepping {
            self.flow = Flow::Paused;
        }
        let is_running = self.flow == Flow::Running;
        let settings = self.grid.lane.settings();
        let (view, compare, loops) = (self.view, &mut self.compare, &mut self.loops);
        let advance = |by| match view {
            View::Compare => compare.advance(by, settings),
            View::Loops => loops.advance(by, settings),
            View::Grid => true,
        };
        self.experiment_clock
            .advance(step, is_running, clock, advance);
    }

    /// Call when the picture is drawn.
    pub fn drawn(&mut self, _updated: PictureUpdated) -> PictureDrawn {
        let frame = self.grid.in_progress.take().map(|frame| {
            let lane = &mut self.grid.lane;
            let machine = lane.machine_mut();
            let drawing = machine.clock() - frame.updated_at;
            if drawing > LONGEST_DRAWING {
                machine.leave_out(drawing);
            }
            machine.render();
            (lane.drawn(frame.updated), frame.past)
        });
        PictureDrawn { frame }
    }

    /// Waits for what the frame loop waits for.
    pub fn wait(&mut self, drawn: PictureDrawn) -> PictureWaited {
        let lane = &mut self.grid.lane;
        let frame = drawn.frame.map(|(drawn, past)| (lane.wait(drawn), past));
        let hold = if frame.is_some() {
            lane.machine_mut().left_to_wait() - EARLY
        } else {
            Nanos::ZERO
        };
        PictureWaited { frame, hold }
    }

    /// Ends the frame after the display has taken the picture in time `swap`.
    pub fn finish(&mut self, waited: PictureWaited, swap: Nanos) {
        let Some((waited, mut past)) = waited.frame else {
            return;
        };
        let grid = &mut self.grid;
        let machine = grid.lane.machine_mut();
        if swap > HELD_UP {
            machine.leave_out(swap - PERIOD);
        }
        past.outside = machine.left_out();
        if !past.outside.is_zero() {
            let what = format_args!("left out {} ms", past.outside);
            self.journal.line(grid.lane.frames(), what);
        }
        let frame = grid.lane.finish(waited).clone();
        self.journal.line(
            frame.number,
            format_args!(
                "frame delta {} runs {} backlog {} entities {}",
                frame.delta,
                frame.runs,
                frame.backlog,
                grid.lane.world().tasks().len()
            ),
        );
        grid.history.end(past, frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::platform::event_log::Log;
    use crate::app::state::command::Command;
    use crate::app::state::tests::{frame, state};
    use crate::sim::settings::Settings;
    use crate::sim::world::ENTITIES;
    use timeslice::frame_loop::constant_fps;
    use timeslice::frame_loop::constant_fps::LOOP_FPS;
    use timeslice::knob::KnobValues;

    #[test]
    fn a_step_is_exactly_one_frame_of_game_time() {
        let mut state = state();
        frame(&mut state);
        for _ in 0..3 {
            state.apply(Command::Step);
            let before = state.grid.lane.now();
            frame(&mut state);
            frame(&mut state); // game time stands again
            assert_eq!(state.grid.lane.now() - before, PERIOD);
            assert_eq!(state.flow, Flow::Paused);
        }
    }

    #[test]
    fn a_still_stands_after_its_frames_and_a_restart_comes_back_to_it() {
        let settings = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 100.0)]),
            ..Settings::default()
        };
        let mut state = State::still(30, settings, View::Grid, Log::default());
        let shown = |state: &State| {
            let frames = state.grid.history.frames().iter();
            let records: Vec<_> = frames.map(|past| past.record.clone()).collect();
            (state.grid.lane.now(), records)
        };
        let first = shown(&state);
        assert_eq!(first.1.len(), 30);
        frame(&mut state);
        assert!(shown(&state) == first, "it stands");
        for _ in 0..3 {
            state.apply(Command::Step);
            frame(&mut state);
        }
        assert_eq!(state.grid.lane.now() - first.0, PERIOD + PERIOD + PERIOD);
        state.apply(Command::Restart);
        assert!(shown(&state) == first, "it is the same again");
        assert_eq!(state.flow, Flow::Paused);
    }

    #[test]
    fn a_step_of_a_loop_with_deadlines_goes_to_the_next_one() {
        let mut state = state();
        state.apply(Command::Turn(&LOOP_FPS, 25.0));
        state.apply(Command::FrameLoop(&constant_fps::ENTRY));
        frame(&mut state);
        for _ in 0..20 {
            state.apply(Command::Step);
            frame(&mut state);
            assert_eq!(state.grid.lane.projectile().error_nanos(), 0);
        }
        let delta = state.grid.lane.last_frame().delta;
        assert_eq!(delta, Nanos::from_millis(40));
    }

    #[test]
    fn a_pause_is_no_time_for_the_game() {
        let mut state = state();
        frame(&mut state);
        state.apply(Command::Pause);
        let frames = state.grid.lane.frames();
        for _ in 0..5 {
            frame(&mut state);
        }
        assert_eq!(state.grid.lane.frames(), frames);
        let end = state.grid.lane.last_frame().start + state.grid.lane.last_frame().length;
        state.apply(Command::Pause);
        frame(&mut state);
        let start = state.grid.lane.last_frame().start;
        assert!(
            start >= end && start - end < Nanos::from_millis(100),
            "{start} after {end}"
        );
    }

    /// One more frame, with an hour's sleep before the part of it that `sleeps` names.
    fn frame_with_a_sleep(state: &mut State, sleeps: &str) {
        let hour = Nanos::from_secs(3600);
        let sleep = |state: &mut State, part: &str| {
            if sleeps == part {
                let now = state.grid.lane.machine().clock();
                state.grid.lane.machine_mut().set_clock(now + hour);
            }
        };
        sleep(state, "update");
        let updated = state.update();
        sleep(state, "drawing");
        let drawn = state.drawn(updated);
        let waited = state.wait(drawn);
        sleep(state, "swap");
        state.finish(waited, if sleeps == "swap" { hour } else { Nanos::ZERO });
    }

    #[test]
    fn an_hours_sleep_is_no_time_for_the_game_wherever_it_happens() {
        for sleeps in ["update", "drawing", "swap"] {
            let mut state = state();
            frame(&mut state);
            frame_with_a_sleep(&mut state, sleeps);
            let past = state.grid.history.frames().back().unwrap();
            assert!(past.outside > Nanos::from_secs(3599), "{sleeps}");
            assert!(past.record.length < HELD_UP, "{sleeps}");
            assert!(past.record.delta < HELD_UP, "{sleeps}");
            frame(&mut state);
            assert!(state.grid.lane.last_frame().delta < HELD_UP, "{sleeps}");
            let past = state.grid.history.frames().back().unwrap();
            assert!(past.outside.is_zero(), "{sleeps}");
        }
    }
}
