//! Recorded frames of a lane: replay, details of an entity, and statistics of the last seconds.
//!
//! [`History`] stores each frame as a [`PastFrame`], and marks of changes. [`WindowStats`] is a report on the last
//! frames. [`RecentStats`] holds this report together with a status and a [`StatsTable`]. [`past_frame_text()`] describes
//! one frame, and [`mod@hitch`] explains the length of a frame. [`History::replay`] restores places in a past frame, and
//! [`mod@entity_info`] lists the details of an entity. Figures and their definitions are in [`crate::stats`].

pub mod entity_info;
mod frames;
pub mod hitch;
mod recent_stats;
mod replay;
mod stats_table;

pub use entity_info::EntityInfo;
pub use frames::{ChangeMark, FRAMES, History, LongestWait, PastFrame, TYPICAL_PERIOD};
pub use hitch::past_frame_text;
pub use recent_stats::{RecentStats, WINDOW, WindowStats};
pub use replay::{PastRun, PastSlot, PastState};
pub use stats_table::{Cell, LENGTHS_HELP, Row, StatsTable};
