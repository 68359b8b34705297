//! The capsules of all lanes, in the places that the cards leave free.

use crate::app::capsules::Colours;
use crate::app::capsules::sync::CrowdPicture;
use crate::experiment::comparison::Comparison;
use crate::stats::MeasuredLane;
use egui::Rect;
use macroquad::math::Rect as Area;

/// Above this many entities in all lanes together, all capsules of only one lane are updated in a picture.
const UPDATED_TOGETHER: usize = 50_000;

/// The capsules of all lanes.
#[derive(Default)]
pub struct Crowds {
    crowds: Vec<Crowd>,
    /// The lane whose capsules may all be updated in this picture.
    turn: usize,
}

/// A lane's capsules.
struct Crowd {
    picture: CrowdPicture,
    /// Its place, in points.
    place: Rect,
    /// Number of frames that its lane had made in the last picture.
    frames: u64,
    /// Whether the picture has missed some of them.
    is_behind: bool,
}

impl Crowds {
    /// Updates all capsules with the next pictures. Call after the lanes were replaced.
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

    /// Draws the capsules that are shown.
    ///
    /// # Errors
    /// Returns what the graphics driver reports about their shader.
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
            // A lane lists the changes of its last frame only. Updating many capsules takes time, so that large
            // crowds take turns.
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
