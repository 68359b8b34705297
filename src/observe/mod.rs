//! What a lane's last frames tell: each frame as it was, figures over some of them, and what these mean in
//! plain words.
//!
//! [`History`] remembers frames, each a [`PastFrame`], and changes. [`Observed`] makes figures of the last ones, [`sentence`] says
//! in one line what they mean, [`FigureTable`] lists them, [`Lately`] holds both; [`hitch`] tells why a frame was long, [`recall`]
//! how a place looked in a past frame, and [`story`] what a single entity has been through.

mod history;
pub mod hitch;
mod lately;
mod observed;
mod past_frame;
mod recall;
pub mod sentence;
pub mod story;
pub mod table;
mod traced;

pub use history::{FRAMES, History, Mark};
pub use lately::Lately;
pub use observed::{LATELY, Observed};
pub use past_frame::{Dearest, Intervals, PastFrame, PastUpdate, USUAL_PERIOD};
pub use recall::{Known, PastRun, Recalled, Resident, Then, recall};
pub use story::Story;
pub use table::{Cell, FigureTable, Row};
pub use traced::{Traced, TracedRun};
