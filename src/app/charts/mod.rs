//! Charts of the last frames, painted by hand because egui has none: the plots, the timeline, and the card that
//! describes one frame in both. They read the history; what the figures mean is not decided here.

pub mod frame_card;
pub mod plots;
pub mod timeline;
