//! What the capsules show of a lane: who ran, who looks where, who came and went.

use super::capsules::{Capsules, Look};
use egui::{Pos2, pos2};
use macroquad::math::{Rect as Area, Vec2, vec2 as area_vec2};
use timeslice_lab::lane::{Change, Lane};
use timeslice_lab::machine::Machine;
use timeslice_lab::observe::History;
use timeslice_lab::scheduler::TaskId;
use timeslice_lab::time::Nanos;
use timeslice_lab::world::Point;

/// How long a newborn takes to appear, as in `assets/capsules.frag`.
const APPEARING_MS: u32 = 250;

/// The capsules' clock goes round in 2.3 hours; all looks are made anew four times as often, and none is
/// shown older than that, so that no stale one is ever taken for a fresh one.
const RENEWED_EACH_MS: u64 = 1 << 21;

/// The picture of a lane's entities.
pub struct CrowdPicture {
    capsules: Capsules,
    renewed: Option<u64>,
    /// The past frame that is shown, if it is not the present.
    recalled: Option<u64>,
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
    /// While game time `stands`, a newborn does not appear softly: it would never come to an end.
    pub fn follow<M: Machine>(&mut self, lane: &mut Lane<M>, area: Area, stands: bool) {
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
                    Change::Died(task) => {
                        let at_ms = millis(lane.now()) as u32;
                        self.capsules.set(task.index, Look::Died { at_ms });
                    }
                }
            }
            for run in lane.runs() {
                self.show(lane, run.task, stands);
            }
        }
        lane.clear_news();
        self.capsules.upload();
    }

    /// Shows the capsules as they were in a past frame, as far as the history tells: who lives now, when each
    /// had last run then, and where it looked. The next [`CrowdPicture::follow`] shows the present again.
    pub fn recall<M: Machine>(
        &mut self,
        lane: &Lane<M>,
        history: &History,
        number: u64,
        area: Area,
    ) {
        if self.recalled == Some(number) && self.capsules.grid().area() == area {
            return;
        }
        self.renew();
        self.recalled = Some(number);
        self.capsules.arrange(lane.world().tasks().end(), area);
        let Some(then) = history.frame(number).map(|past| past.now) else {
            return;
        };
        let stale = then - Nanos::from_millis(RENEWED_EACH_MS);
        let mut unknown = vec![true; self.capsules.grid().places() as usize];
        for past in history
            .frames()
            .iter()
            .rev()
            .filter(|past| past.record.number <= number)
        {
            for place in past.ran() {
                if let Some(unknown) = unknown.get_mut(place as usize)
                    && std::mem::take(unknown)
                {
                    self.show_run(place, past.now, past.target);
                }
            }
        }
        let tasks = lane.world().tasks();
        for place in (0..)
            .zip(unknown)
            .filter_map(|(place, unknown)| unknown.then_some(place))
        {
            let task = tasks.at(place);
            let entity = task.and_then(|task| lane.world().entity(task));
            let last_run = task.and_then(|task| tasks.last_run(task));
            match entity.zip(last_run) {
                None => self.capsules.set(place, Look::Empty),
                // It has not run since.
                Some((entity, last_run)) if entity.runs > 0 && last_run <= then => {
                    self.show_run(place, last_run, entity.seen);
                }
                // It has, and when it did before that is forgotten.
                Some((entity, _)) => self.show_run(place, stale, entity.seen),
            }
        }
        self.capsules.upload();
    }

    fn show_run(&mut self, place: u32, at: Nanos, seen: Point) {
        let grid = self.capsules.grid();
        let gaze = in_area(grid.area(), seen) - grid.center(place);
        let look = Look::Ran {
            at_ms: millis(at) as u32,
            gaze: gaze.y.atan2(gaze.x),
        };
        self.capsules.set(place, look);
    }

    /// Shows a task's entity as it is now, a newborn whole where it is `settled`; nothing where it has
    /// died.
    fn show<M: Machine>(&mut self, lane: &Lane<M>, task: TaskId, settled: bool) {
        let world = lane.world();
        let (Some(entity), Some(last_run)) = (world.entity(task), world.tasks().last_run(task))
        else {
            return;
        };
        let oldest = millis(lane.now()).saturating_sub(RENEWED_EACH_MS);
        let at_ms = millis(last_run).max(oldest) as u32;
        if entity.runs > 0 {
            self.show_run(
                task.index,
                last_run.max(Nanos::from_millis(oldest)),
                entity.seen,
            );
        } else {
            // Looks' times go round, so there is a time before zero.
            let at_ms = if settled {
                at_ms.wrapping_sub(APPEARING_MS)
            } else {
                at_ms
            };
            self.capsules.set(task.index, Look::Born { at_ms });
        }
    }

    /// Queues the picture as it looks at `now`. A flash takes `fade_ms` to cool, and a capsule twice that
    /// to grey.
    pub fn draw(&self, now: Nanos, fade_ms: f32) {
        self.capsules
            .draw(millis(now) as u32, fade_ms, 2.0 * fade_ms);
    }

    /// The place under a point of the window, in pixels.
    pub fn place_at(&self, x: f32, y: f32) -> Option<u32> {
        self.capsules.grid().at(area_vec2(x, y))
    }

    /// Where a place's capsule is, and its radius, in points.
    pub fn capsule(&self, place: u32, scale: f32) -> (Pos2, f32) {
        let grid = self.capsules.grid();
        let center = grid.center(place) / scale;
        (pos2(center.x, center.y), grid.radius() / scale)
    }

    /// A step, in pixels, that skips no capsule that is larger than a pixel on a way across them.
    pub fn stride(&self) -> f32 {
        self.capsules.grid().radius().max(1.0)
    }
}

fn millis(time: Nanos) -> u64 {
    time.as_nanos() / 1_000_000
}

fn in_area(area: Area, point: Point) -> Vec2 {
    area_vec2(area.x + point.x * area.w, area.y + point.y * area.h)
}
