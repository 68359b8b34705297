//! The recorded frames of a lane: replay, details of an entity, and statistics of the last seconds.
//!
//! [`History`] remembers frames, each a [`PastFrame`], and changes. [`WindowStats`] makes a report of the last ones, which
//! [`RecentStats`] holds together with its sentence and its [`StatsTable`]; [`past_frame_text`] tells of one frame, and
//! [`hitch`] why it was long; [`replay`] tells how a place looked in a past frame, and [`entity_info`] what an
//! entity has been through. Figures and their meaning are in [`crate::stats`].

pub mod entity_info;
mod frames;
pub mod hitch;
mod past_frame;
mod past_frame_text;
mod recent_stats;
mod replay;
mod stats_table;
mod trace_buffer;
mod window_stats;

#[cfg(test)]
mod test_history;

pub use entity_info::EntityInfo;
pub use frames::{ChangeMark, FRAMES, History};
pub use past_frame::{Dearest, IntervalSums, PastFrame, PastUpdate, USUAL_PERIOD};
pub use past_frame_text::past_frame_text;
pub use recent_stats::RecentStats;
pub use replay::{LastRun, Occupant, PastPlace, PastRun, PastState, replay};
pub use stats_table::{Cell, LENGTHS_HELP, Row, StatsTable};
pub use trace_buffer::{FrameTrace, TraceRun};
pub use window_stats::{WINDOW, WindowStats};
