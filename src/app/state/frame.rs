//! A frame of the lane on this computer in its parts, and what goes on beside it.

use super::view::View;
use super::{Flow, State};
use crate::app::platform::vsync::PERIOD;
use crate::sim::machine::{HELD_UP, Machine};
use timeslice::frame_loop::Pace;
use timeslice::frame_loop::constant_fps::EARLY;
use timeslice::time::{Nanos, monotonic};

/// Drawing that takes longer than this was held up by something outside: no picture takes a second.
const LONGEST_DRAWING: Nanos = Nanos::SECOND;

impl State {
    /// Makes the first frames without a picture, where that is wanted, and stops game time.
    pub(super) fn go_ahead(&mut self) {
        let Some(frames) = self.ahead else {
            return;
        };
        self.flow = Flow::Running;
        for _ in 0..frames {
            self.update();
            self.drawn();
            self.wait();
            self.finish(Nanos::ZERO);
        }
        self.flow = Flow::Paused;
    }

    /// Makes the lane's updates for the next picture, unless game time stands.
    pub fn update(&mut self) {
        self.advance_others(monotonic());
        self.under_way = self.flow != Flow::Paused && self.view == View::Grid;
        if !self.under_way {
            self.held = true;
            return;
        }
        let last = self.lane.last_frame();
        let end = last.start + last.length;
        let start = match self.flow {
            _ if self.lane.frames() == 0 => Some(Nanos::ZERO),
            // A step is one frame of game time, however long anybody waited before.
            Flow::Stepping => Some(match self.lane.pace() {
                Pace::Until(due) => due.max(last.start),
                Pace::Display | Pace::Nothing => last.start + PERIOD,
            }),
            _ if self.held => Some(end),
            _ => None,
        };
        if self.flow == Flow::Stepping {
            self.flow = Flow::Paused;
        }
        self.looked_at = None;
        self.held = false;
        let machine = self.lane.machine_mut();
        machine.start_frame();
        if let Some(start) = start {
            machine.set_clock(start);
            self.lane.update_at(start);
        } else {
            let idle = machine.now() - end;
            if idle > HELD_UP {
                machine.leave_out(idle);
            }
            self.lane.update();
        }
        self.let_go_of_the_dead();
        self.updated_at = self.lane.machine().now();
        self.history.set_period(self.lane.aimed_length());
        self.running = self.history.begin(&self.lane);
        let forgone = self.lane.machine().forgone();
        if !forgone.is_zero() {
            self.forgone = Some((forgone, self.lane.now()));
        }
    }

    /// The display turned out to have this period.
    pub fn set_display_period(&mut self, period: Nanos) {
        self.lane.set_display_period(period);
    }

    /// Whether the lane on this computer rests: the picture has to be paced by somebody else.
    pub fn lane_rests(&self) -> bool {
        !self.under_way
    }

    /// Lets what the other views show go on, while it is looked at.
    fn advance_others(&mut self, clock: Nanos) {
        if self.view == View::Grid {
            self.others.rest();
            return;
        }
        let by = match self.flow {
            Flow::Paused => Some(Nanos::ZERO),
            Flow::Stepping => Some(PERIOD),
            Flow::Running if self.ahead.is_some() => Some(PERIOD),
            Flow::Running => None, // as the clock has
        };
        if self.flow == Flow::Stepping {
            self.flow = Flow::Paused;
        }
        let (runs, settings) = (self.flow == Flow::Running, self.lane.settings());
        self.others.advance(self.view, by, runs, settings, clock);
    }

    /// The picture is drawn.
    pub fn drawn(&mut self) {
        if self.under_way {
            let machine = self.lane.machine_mut();
            let drawing = machine.now() - self.updated_at;
            if drawing > LONGEST_DRAWING {
                machine.leave_out(drawing);
            }
            machine.render();
            self.lane.drawn();
        }
    }

    /// Waits for what the frame loop waits for.
    pub fn wait(&mut self) {
        if self.under_way {
            self.lane.wait();
        }
    }

    /// How long the next frame is to be held back where the machine cannot wait itself.
    pub fn left_to_wait(&mut self) -> Nanos {
        if self.under_way {
            self.lane.machine_mut().left_to_wait() - EARLY
        } else {
            Nanos::ZERO
        }
    }

    /// The display has taken the picture, which took it `swap`: the frame is over.
    pub fn finish(&mut self, swap: Nanos) {
        if !std::mem::take(&mut self.under_way) {
            return;
        }
        let machine = self.lane.machine_mut();
        if swap > HELD_UP {
            machine.leave_out(swap - PERIOD);
        }
        let mut past = std::mem::take(&mut self.running);
        past.outside = machine.left_out();
        if !past.outside.is_zero() {
            let what = format_args!("left out {} ms", past.outside);
            self.log.line(self.lane.frames(), what);
        }
        let frame = self.lane.finish().clone();
        self.log.line(
            frame.number,
            format_args!(
                "frame delta {} runs {} backlog {} entities {}",
                frame.delta,
                frame.runs,
                frame.backlog,
                self.lane.world().tasks().len()
            ),
        );
        self.history.end(past, frame);
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
    use timeslice::frame_loop::FRAME_LOOPS;
    use timeslice::frame_loop::constant_fps::LOOP_FPS;
    use timeslice::knob::KnobValues;

    #[test]
    fn a_step_is_exactly_one_frame_of_game_time() {
        let mut state = state();
        frame(&mut state);
        for _ in 0..3 {
            state.apply(Command::Step);
            let before = state.lane.now();
            frame(&mut state);
            frame(&mut state); // game time stands again
            assert_eq!(state.lane.now() - before, PERIOD);
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
            let frames = state.history.frames().iter();
            let records: Vec<_> = frames.map(|past| past.record.clone()).collect();
            (state.lane.now(), records)
        };
        let first = shown(&state);
        assert_eq!(first.1.len(), 30);
        frame(&mut state);
        assert!(shown(&state) == first, "it stands");
        for _ in 0..3 {
            state.apply(Command::Step);
            frame(&mut state);
        }
        assert_eq!(state.lane.now() - first.0, PERIOD + PERIOD + PERIOD);
        state.apply(Command::Restart);
        assert!(shown(&state) == first, "it is the same again");
        assert_eq!(state.flow, Flow::Paused);
    }

    #[test]
    fn a_step_of_a_loop_with_deadlines_goes_to_the_next_one() {
        let mut state = state();
        state.apply(Command::Turn(&LOOP_FPS, 25.0));
        let index = FRAME_LOOPS
            .iter()
            .position(|entry| entry.key == "constant-fps");
        state.apply(Command::FrameLoop(index.unwrap()));
        frame(&mut state);
        for _ in 0..20 {
            state.apply(Command::Step);
            frame(&mut state);
            assert_eq!(state.lane.projectile().error_nanos(), 0);
        }
        let delta = state.lane.last_frame().delta;
        assert_eq!(delta, Nanos::from_millis(40));
    }

    #[test]
    fn a_pause_is_no_time_for_the_game() {
        let mut state = state();
        frame(&mut state);
        state.apply(Command::Pause);
        let frames = state.lane.frames();
        for _ in 0..5 {
            frame(&mut state);
        }
        assert_eq!(state.lane.frames(), frames);
        let end = state.lane.last_frame().start + state.lane.last_frame().length;
        state.apply(Command::Pause);
        frame(&mut state);
        let start = state.lane.last_frame().start;
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
                let now = state.lane.machine().now();
                state.lane.machine_mut().set_clock(now + hour);
            }
        };
        sleep(state, "update");
        state.update();
        sleep(state, "drawing");
        state.drawn();
        state.wait();
        sleep(state, "swap");
        state.finish(if sleeps == "swap" { hour } else { Nanos::ZERO });
    }

    #[test]
    fn an_hours_sleep_is_no_time_for_the_game_wherever_it_happens() {
        for sleeps in ["update", "drawing", "swap"] {
            let mut state = state();
            frame(&mut state);
            frame_with_a_sleep(&mut state, sleeps);
            let past = state.history.frames().back().unwrap();
            assert!(past.outside > Nanos::from_secs(3599), "{sleeps}");
            assert!(past.record.length < HELD_UP, "{sleeps}");
            assert!(past.record.delta < HELD_UP, "{sleeps}");
            frame(&mut state);
            assert!(state.lane.last_frame().delta < HELD_UP, "{sleeps}");
            let past = state.history.frames().back().unwrap();
            assert!(past.outside.is_zero(), "{sleeps}");
        }
    }
}
