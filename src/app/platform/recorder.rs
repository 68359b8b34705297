//! Encoding of recordings, on another thread, so that frames do not wait for it.

use super::screen::Shot;
use headless::io::animation::{Animation, Picture};
use std::sync::mpsc::Receiver;
use timeslicer::time::Nanos;

/// Returns an animation of all pictures, once their sender is gone and the `length` of the recording is known. The size
/// of the first picture is the size of the recording; pictures of a resized window are fitted to it.
pub fn encode(shots: &Receiver<Shot>, length: &Receiver<Nanos>) -> Result<Vec<u8>, String> {
    let failed = |error| format!("cannot encode the recording: {error}");
    let mut animation: Option<Animation> = None;
    for (screen, at) in shots {
        let size = (screen.width, screen.height);
        let recorded = animation.as_ref().map(Animation::size);
        let Some(to) = recorded.or_else(|| Picture::recorded_size(size)) else {
            continue;
        };
        let picture = Picture::of_screen(&screen.bytes, size, to);
        match &mut animation {
            Some(animation) => animation.add(&picture, at).map_err(failed)?,
            None => animation = Some(Animation::begin(picture).map_err(failed)?),
        }
    }
    let animation = animation.ok_or("nothing was recorded: the window has no pixels")?;
    let ended = length.recv();
    let length = ended.map_err(|_| "the recording ended unexpectedly".to_owned())?;
    animation.finish(length).map_err(failed)
}
