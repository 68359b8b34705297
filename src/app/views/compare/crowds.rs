//! The capsules of all lanes, in the holes of their cards.

use crate::app::capsules::Colours;
use crate::app::capsules::sync::CrowdPicture;
use crate::experiment::comparison::Comparison;
use crate::stats::MeasuredLane;
use egui::Rect;
use macroquad::math::Rect as Area;

/// With more entities than this in all lanes together, only one lane per picture may update all its capsules.
const UPDATED_TOGETHER: usize = 50_000;

/// Capsules of all lanes.
#[derive(Default)]
pub struct Crowds {
    crowds: Vec<Crowd>,
    /// Lane that may update all its capsules in this picture.
    turn: usize,
}

/// Capsules of a lane.
struct Crowd {
    picture: CrowdPicture,
    /// Place in points.
    place: Rect,
    /// Number of the lane's frames at the last picture.
    frames: u64,
    /// True if the picture has missed some frames.
    is_behind: bool,
}

impl Crowds {
    /// Updates all capsules in the next pictures. Call after the lanes were replaced.
    pub fn renew(&mut self) {
        for crowd in &mut self.crowds {
            crowd.picture.renew();
        }
    }

    /// Hides all capsules.
    pub fn hide(&mut self) {
        for crowd in &mut self.crowds {
            crowd.place = Rect::NOTHING;
        }
    }

    /// Shows the capsules of a lane in `place`, in points.
    pub fn show(&mut self, lane: usize, place: Rect) {
        if let Some(crowd) = self.crowds.get_mut(lane) {
            crowd.place = place;
        }
    }

    /// Draws the displayed capsules.
    ///
    /// # Errors
    /// If the graphics driver rejects their shader.
    pub fn paint(
        &mut self,
        comparison: &mut Comparison,
        pixels_per_point: f32,
        colours: Colours,
        is_paused: bool,
    ) -> Result<(), String> {
        while self.crowds.len() < comparison.lanes().len() {
            self.crowds.push(Crowd {
                picture: CrowdPicture::new()?,
                place: Rect::NOTHING,
                frames: 0,
                is_behind: false,
            });
        }
        let living = |lane: &MeasuredLane<_>| lane.world().tasks().len();
        let all: usize = comparison.lanes().iter().map(living).sum();
        self.turn = (self.turn + 1) % comparison.lanes().len().max(1);
        let lanes = self.crowds.iter_mut().zip(comparison.lanes_mut());
        for (number, (crowd, lane)) in lanes.enumerate() {
            let place = crowd.place * pixels_per_point;
            if !place.is_positive() {
                continue;
            }
            // A lane lists only the changes of its last frame. Large crowds take turns, because updating many capsules
            // takes time.
            let new = lane.frames().saturating_sub(crowd.frames);
            crowd.is_behind |= new > 1 || (new == 1 && !lane.lists_all_runs());
            let may_renew = all <= UPDATED_TOGETHER || self.turn == number;
            if crowd.is_behind && may_renew {
                crowd.picture.renew();
                crowd.is_behind = false;
            }
            crowd.frames = lane.frames();
            let area = Area::new(place.left(), place.top(), place.width(), place.height());
            crowd.picture.follow(lane, area, is_paused);
            crowd.picture.draw(lane.now(), colours);
        }
        Ok(())
    }
}
