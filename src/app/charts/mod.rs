//! Charts, painted by hand because egui has none: the plots and the timeline of recent frames, the card that describes one
//! frame in both, and the trade-off between strategies. They define no figures.

pub mod frame_card;
pub mod plots;
pub mod timeline;
pub mod trade_off;
