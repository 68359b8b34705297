//! Rules: each is a function from a report to a clause. A clause states only what the figures support.
//!
//! [`super::verdict()`] and [`super::status()`] each apply a list of these rules. The exact words of a rule are tested
//! at the foot of its file, and nowhere else.

pub(super) mod activity;
pub(super) mod backlog;
pub(super) mod budget;
pub(super) mod burst;
pub(super) mod frames;
pub(super) mod freshness;
pub(super) mod game_speed;
pub(super) mod overload;
pub(super) mod phrasing;
pub(super) mod promises;
pub(super) mod published;
pub(super) mod requests;
pub(super) mod round;
pub(super) mod scheduling;

#[cfg(test)]
pub(super) mod test_report;

use super::Report;
use crate::text::rich::Clause;

/// A rule: returns a clause about a report, or `None` if the rule does not apply.
pub(super) type Rule = fn(&Report) -> Option<Clause>;
