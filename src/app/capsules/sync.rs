//! What the capsules show of a lane: who ran, who looks where, who came and went.

use super::{Capsules, Colours, Look};
use crate::history::{History, PastFrame, Recalled, Then};
use crate::sim::lane::Change;
use crate::sim::machine::Machine;
use crate::sim::world::Point;
use crate::stats::MeasuredLane;
use egui::{Pos2, pos2};
use macroquad::math::{Rect as Area, Vec2, vec2 as area_vec2};
use timeslice::scheduler::TaskId;
use timeslice::time::Nanos;

/// How long a newborn takes to appear, as in `assets/capsules.frag`.
const APPEARING_MS: u32 = 250;

/// The capsules' clock goes round in 2.3 hours; all looks are made anew four times as often, and none is
/// shown older than that, so that no stale one is ever taken for a fresh one.
const RENEWED_EACH_MS: u64 = 1 << 21;

/// The picture of a lane's entities.
pub struct CrowdPicture {
    capsules: Capsules,
    renewed: Option<u64>,
    /// The past that is shown, if it is not the present.
    recalled: Option<Shown>,
}

/// All that the picture of a past frame depends on.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    epoch: u64,
    frame: u64,
    area: Area,
    places: u32,
    population: usize,
    born_so_far: u64,
}

impl Shown {
    fn of<M: Machine>(
        lane: &MeasuredLane<M>,
        history: &History,
        past: &PastFrame,
        area: Area,
    ) -> Self {
        let world = lane.world();
        Self {
            epoch: history.epoch(),
            frame: past.record.number,
            area,
            places: world.tasks().end(),
            population: world.tasks().len(),
            born_so_far: world.born_so_far(),
        }
    }
}

impl CrowdPicture {
    /// Compiles the capsules' shader.
    ///
    /// # Errors
    /// A sentence with the driver's complaint.
    pub fn new() -> Result<Self, String> {
        Ok(Self {
            capsules: Capsules::new()?,
            renewed: None,
            recalled: None,
        })
    }

    /// All looks are to be made anew: the lane is another one.
    pub fn renew(&mut self) {
        self.renewed = None;
    }

    /// Brings the capsules up to date with the lane's news, which it takes in, and fits them into `area`, in
    /// pixels. Looks at those who ran, came or went, and at all of them only where the grid has changed.
    /// While game time `stands`, a newborn does not appear softly, and nobody goes softly: it would never come
    /// to an end.
    pub fn follow<M: Machine>(&mut self, lane: &mut MeasuredLane<M>, area: Area, stands: bool) {
        self.recalled = None;
        let period = millis(lane.now()) / RENEWED_EACH_MS;
        let rearranged = self.capsules.arrange(lane.world().tasks().end(), area);
        if rearranged || self.renewed != Some(period) {
            self.renewed = Some(period);
            for index in 0..self.capsules.grid().places() {
                self.capsules.set(index, Look::Empty);
            }
            for task in lane.world().tasks().iter() {
                self.show(lane, task, true);
            }
        } else {
            for change in lane.changes() {
                match *change {
                    Change::Born(task) => self.show(lane, task, stands),
                    Change::Died(task) => self.capsules.set(task.index, gone(lane.now(), stands)),
                }
            }
            for run in lane.runs() {
                self.show(lane, run.task, stands);
            }
        }
        lane.clear_news();
        self.capsules.upload();
    }

    /// Shows the capsules as they were in a past frame, as far as is known. The next [`CrowdPicture::follow`]
    /// shows the present again.
    pub fn recall<M: Machine>(
        &mut self,
        lane: &MeasuredLane<M>,
        history: &History,
        past: &PastFrame,
        area: Area,
    ) {
        let shown = Shown::of(lane, history, past, area);
        if self.recalled.as_ref() == Some(&shown) {
            return;
        }
        self.recalled = Some(shown);
        self.renew();
        let world = lane.world();
        self.capsules.arrange(world.tasks().end(), area);
        let places = self.capsules.grid().places();
        for (place, recalled) in (0..).zip(history.recall_all(world, past, places)) {
            let look = past_look(recalled, past.now, |seen| self.gaze(place, seen));
            self.capsules.set(place, look);
        }
        self.capsules.upload();
    }

    /// Shows a task's entity as it is now, a newborn whole where it is `settled`; nothing where it has
    /// died.
    fn show<M: Machine>(&mut self, lane: &MeasuredLane<M>, task: TaskId, settled: bool) {
        let (world, now) = (lane.world(), lane.now());
        let (Some(entity), Some(last_run)) = (world.entity(task), world.tasks().last_run(task))
        else {
            return;
        };
        let look = if entity.runs > 0 {
            Look::Ran {
                at_ms: stamp(last_run, now),
                gaze: self.gaze(task.index, entity.seen),
            }
        } else {
            newborn(last_run, now, settled)
        };
        self.capsules.set(task.index, look);
    }

    /// The direction from a place to a point of the world.
    fn gaze(&self, place: u32, seen: Point) -> f32 {
        let grid = self.capsules.grid();
        let way = in_area(grid.area(), seen) - grid.center(place);
        way.y.atan2(way.x)
    }

    /// Queues the picture as it looks at `now`.
    pub fn draw(&self, now: Nanos, colours: Colours) {
        self.capsules.draw(millis(now) as u32, colours);
    }

    /// How many entities' places there are on a pixel of the grid.
    pub fn per_pixel(&self) -> f32 {
        let cell = self.capsules.grid().cell();
        1.0 / (cell.x * cell.y).max(f32::MIN_POSITIVE)
    }

    /// The place under a point of the window, in pixels.
    pub fn place_at(&self, x: f32, y: f32) -> Option<u32> {
        self.capsules.grid().at(area_vec2(x, y))
    }

    /// Where a place's capsule is, in points; none where the grid has no such place.
    pub fn center(&self, place: u32, scale: f32) -> Option<Pos2> {
        let grid = self.capsules.grid();
        let center = grid.center(place) / scale;
        (place < grid.places()).then(|| pos2(center.x, center.y))
    }

    /// A capsule's radius, in points.
    pub fn radius(&self, scale: f32) -> f32 {
        self.capsules.grid().radius() / scale
    }

    /// A step, in pixels, that skips no capsule that is larger than a pixel on a way across them.
    pub fn stride(&self) -> f32 {
        self.capsules.grid().radius().max(1.0)
    }
}

/// A past game time on the capsules' clock as it is `now`: no older than what the clock can tell from a fresh
/// one.
fn stamp(at: Nanos, now: Nanos) -> u32 {
    let age = millis(now).saturating_sub(millis(at)).min(RENEWED_EACH_MS);
    before(now, age)
}

/// So many milliseconds before `now` on the capsules' clock. It goes round, so there is a time before zero.
fn before(now: Nanos, age_ms: u64) -> u32 {
    (millis(now) as u32).wrapping_sub(age_ms as u32)
}

/// One that has not run yet, whole where it is `settled`.
fn newborn(born: Nanos, now: Nanos, settled: bool) -> Look {
    let at_ms = stamp(born, now);
    Look::Born {
        at_ms: if settled {
            at_ms.wrapping_sub(APPEARING_MS)
        } else {
            at_ms
        },
    }
}

/// A place whose entity has just died: it empties softly, or at once while game time `stands`.
fn gone(now: Nanos, stands: bool) -> Look {
    if stands {
        Look::Empty
    } else {
        Look::Died {
            at_ms: stamp(now, now),
        }
    }
}

/// How a place is shown of which that is `recalled`, in a frame that is over. `gaze` is the direction to a
/// point.
fn past_look(recalled: Recalled, now: Nanos, gaze: impl Fn(Point) -> f32) -> Look {
    let (Recalled::Resident(then) | Recalled::Other(then)) = recalled else {
        return Look::Empty;
    };
    match then {
        Then::NotRun(born) => newborn(born.unwrap_or(now), now, true),
        Then::Ran(run) => Look::Ran {
            at_ms: stamp(run.at, now),
            gaze: gaze(run.seen),
        },
        // Never red: nobody knows that it ran just then.
        Then::Forgotten => Look::Forgotten {
            at_ms: before(now, RENEWED_EACH_MS),
        },
    }
}

fn millis(time: Nanos) -> u64 {
    time.as_nanos() / 1_000_000
}

fn in_area(area: Area, point: Point) -> Vec2 {
    area_vec2(area.x + point.x * area.w, area.y + point.y * area.h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::PastRun;
    use crate::sim::machine::Simulated;
    use crate::sim::settings::Settings;
    use crate::sim::world::ENTITIES;
    use timeslice::knob::KnobValues;

    const SEEN: Point = Point { x: 1.0, y: 2.0 };

    fn look(recalled: Recalled, then: Nanos) -> Look {
        past_look(recalled, then, |seen| seen.x + seen.y)
    }

    /// How old the shader takes a look to be, in milliseconds: times count modulo 2^23.
    fn age(look: Look, now: Nanos) -> u32 {
        let (Look::Ran { at_ms, .. }
        | Look::Forgotten { at_ms }
        | Look::Born { at_ms }
        | Look::Died { at_ms }) = look
        else {
            panic!("nobody is there");
        };
        (millis(now) as u32).wrapping_sub(at_ms) % (1 << 23)
    }

    #[test]
    fn a_run_that_is_remembered_is_as_old_in_the_past_as_it_was_there() {
        // In the first second, when the clock of 32 bits goes round, and when the texels' does.
        for then in [900, (1 << 23) + 5, (1 << 32) + 5].map(Nanos::from_millis) {
            let run = PastRun {
                at: then - Nanos::from_millis(800),
                seen: SEEN,
            };
            for recalled in [Recalled::Resident, Recalled::Other].map(|of| of(Then::Ran(run))) {
                let look = look(recalled, then);
                assert!(matches!(look, Look::Ran { gaze: 3.0, .. }), "{look:?}");
                assert_eq!(age(look, then), 800);
            }
        }
    }

    #[test]
    fn a_run_of_an_hour_ago_never_looks_fresh() {
        let (then, at) = (Nanos::from_secs(8400), Nanos::from_secs(11));
        let look = look(
            Recalled::Resident(Then::Ran(PastRun { at, seen: SEEN })),
            then,
        );
        assert_eq!(u64::from(age(look, then)), RENEWED_EACH_MS);
    }

    #[test]
    fn a_run_that_is_forgotten_flashes_at_no_time_of_the_session() {
        for then_ms in [0, 5, 60_000, 1 << 21, 1 << 32] {
            let then = Nanos::from_millis(then_ms);
            let look = look(Recalled::Other(Then::Forgotten), then);
            assert!(matches!(look, Look::Forgotten { .. }), "{look:?}");
            assert_eq!(u64::from(age(look, then)), RENEWED_EACH_MS, "at {then}");
        }
    }

    #[test]
    fn those_who_had_not_run_yet_are_whole_with_their_visors_closed() {
        for born_ms in [Some(0), Some(100), None] {
            let (born, then) = (born_ms.map(Nanos::from_millis), Nanos::from_millis(100));
            let look = look(Recalled::Resident(Then::NotRun(born)), then);
            assert!(matches!(look, Look::Born { .. }), "{look:?}");
            assert!(age(look, then) >= APPEARING_MS);
        }
    }

    #[test]
    fn a_place_where_nobody_was_is_empty() {
        assert_eq!(look(Recalled::Nobody, Nanos::SECOND), Look::Empty);
    }

    #[test]
    fn while_game_time_stands_nobody_comes_or_goes_softly() {
        let now = Nanos::SECOND;
        assert_eq!(gone(now, true), Look::Empty);
        assert_eq!(gone(now, false), Look::Died { at_ms: 1000 });
        assert_eq!(age(newborn(now, now, true), now), APPEARING_MS);
        assert_eq!(age(newborn(now, now, false), now), 0);
    }

    #[test]
    fn a_past_picture_is_made_anew_when_anything_that_it_shows_has_changed() {
        let knobs = KnobValues::with(&[(&ENTITIES, 10.0)]);
        let settings = Settings {
            knobs,
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        let mut history = History::default();
        let mut pasts = Vec::new();
        for _ in 0..2 {
            let record = lane.frame().clone();
            let past = history.begin(&lane);
            pasts.push(PastFrame { record, ..past });
        }
        let area = Area::new(0.0, 0.0, 100.0, 100.0);
        let first = Shown::of(&lane, &history, &pasts[0], area);
        assert_eq!(first, Shown::of(&lane, &history, &pasts[0], area));
        assert_ne!(first, Shown::of(&lane, &history, &pasts[1], area));
        let wide = Area::new(0.0, 0.0, 200.0, 100.0);
        assert_ne!(first, Shown::of(&lane, &history, &pasts[0], wide));
        lane.set_knob(&ENTITIES, 9.0);
        let fewer = Shown::of(&lane, &history, &pasts[0], area);
        assert_ne!(first, fewer);
        lane.set_knob(&ENTITIES, 10.0); // others than at first
        assert_ne!(first, Shown::of(&lane, &history, &pasts[0], area));
        history.restart();
        assert_ne!(
            fewer.epoch,
            Shown::of(&lane, &history, &pasts[0], area).epoch
        );
    }
}
