//! The capsules of all lanes, in their places in the table.

use crate::app::capsules::screen_map::pixels;
use crate::app::capsules::sync::CrowdPicture;
use crate::app::capsules::{Colours, Zoom};
use egui::Rect;
use headless::experiment::comparison::Comparison;
use headless::sim::lane::ChangedPlaces;

#[derive(Default)]
pub struct Crowds {
    crowds: Vec<Crowd>,
}

struct Crowd {
    picture: CrowdPicture,
    /// Place in points.
    place: Rect,
}

impl Crowds {
    /// Updates all capsules in the next pictures. Call after the lanes were replaced.
    pub fn renew(&mut self) {
        for crowd in &mut self.crowds {
            crowd.picture.renew();
        }
    }

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
        comparison: &Comparison,
        changed: &mut [ChangedPlaces],
        pixels_per_point: f32,
        colours: Colours,
        is_paused: bool,
    ) -> Result<(), String> {
        while self.crowds.len() < comparison.lanes().len() {
            let picture = match self.crowds.first() {
                Some(first) => first.picture.sharing_shaders(),
                None => CrowdPicture::new()?,
            };
            self.crowds.push(Crowd {
                picture,
                place: Rect::NOTHING,
            });
        }
        let lanes = comparison.lanes().iter().zip(changed);
        for (crowd, (lane, changed)) in self.crowds.iter_mut().zip(lanes) {
            if !crowd.place.is_positive() {
                crowd.picture.renew(); // it misses these changes
                continue;
            }
            let area = pixels(crowd.place, pixels_per_point);
            crowd.picture.follow(lane, changed, area, is_paused);
            let target = lane.world().target();
            crowd.picture.draw(lane.now(), target, colours, Zoom::ALL);
        }
        Ok(())
    }
}
