//! Keeps the recorded frames of a lane, replays them, and computes statistics of the last few seconds.
//!
//! [`History`] stores each frame as a [`PastFrame`], and a [`Change`] for each setting change.
//! [`WindowStats`] is a report on recent frames, and [`mod@stats_table`] shows its metrics in a table. [`RecentStats`]
//! refreshes it only a few times per second, so that the numbers can be read.
//! [`past_frame_text()`] describes one frame, and [`mod@hitch`] explains why a frame was long. [`History::replay`] restores
//! the state of entities in a past frame, and [`mod@entity_info`] lists the details of one entity. The metrics themselves
//! are defined in [`crate::measure`].

pub mod entity_info;
mod frames;
pub mod hitch;
mod recent_stats;
mod replay;
pub mod stats_table;

pub use entity_info::EntityInfo;
pub use frames::{Change, FRAMES, History, LongestWait, PastFrame, TYPICAL_PERIOD};
pub use hitch::past_frame_text;
pub use recent_stats::{RecentStats, WINDOW, WindowStats};
pub use replay::{PastRun, PastSlot, PastState};
