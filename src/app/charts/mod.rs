//! Charts of recent frames, painted by hand because egui has none: the plots, the timeline, and the card that describes
//! one frame in both. They only read the history and define no figures.

pub mod frame_card;
pub mod plots;
pub mod timeline;
