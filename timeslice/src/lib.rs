//! Distribution game work over frames.
//!
//! Game code that need not run every frame (decisions, sensors, path queries, garbage collection) can run a little at a
//! time. This crate holds the published ways to do that, and the game loops that call them. It has no dependencies.
//!
//! - [`strategy`]: which tasks run in an update. One file each, and a registry.
//! - [`frame_loop`]: when updates happen, and with what time step. One file each, and a registry.
//! - [`scheduler`]: what strategies are written with: task ids, the update context, rings, queues.
//! - [`knob`]: adjustable parameters, declared once.
//! - [`time`]: time in whole nanoseconds.
//!
//! It knows nothing of measuring, drawing, files or threads: Timeslice Lab (crate `timeslice-lab`) does that on top.

#![forbid(unsafe_code)]

pub mod frame_loop;
pub mod knob;
pub mod scheduler;
pub mod strategy;
pub mod time;
