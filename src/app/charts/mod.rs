//! Charts that are painted by hand: the plots over the last frames, and the timeline.

pub mod plots;
pub mod timeline;
