//! What a lane's last frames tell: each frame as it was, figures over some of them, and what these mean in
//! plain words.
//!
//! [`History`] remembers frames, each a [`PastFrame`], and changes. [`Observed`] makes figures of the last ones, [`sentence`] says
//! in one line what they mean, [`FigureTable`] lists them, [`Lately`] holds both; [`hitch`] tells why a frame was long, [`recall`]
//! how a place looked in a past frame, and [`entity_info`] what a single entity has been through.

pub mod entity_info;
mod frames;
pub mod hitch;
mod past_frame;
mod recent;
mod replay;
pub mod sentence;
pub mod table;
mod trace_buffer;
mod window_stats;

pub use entity_info::EntityInfo;
pub use frames::{ChangeMark, FRAMES, History};
pub use past_frame::{Dearest, Intervals, PastFrame, PastUpdate, USUAL_PERIOD};
pub use recent::Lately;
pub use replay::{Known, PastRun, Recalled, Resident, Then, recall};
pub use table::{Cell, FigureTable, Row};
pub use trace_buffer::{FrameTrace, TraceRun};
pub use window_stats::{LATELY, Observed};
