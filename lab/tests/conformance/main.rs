//! A test suite that runs over every registered strategy and frame loop. A new one is tested as soon as it is
//! registered.
//!
//! A [`test_game`] tests a strategy alone, with tasks that kill, give birth and make requests while they run, and checks
//! every run against a [`record`]. A [`checked_lane`] tests a strategy in a lane on a simulated machine.

mod account;
mod budgets;
mod checked_lane;
mod lanes;
mod loops;
mod pasted;
mod published_forms;
mod record;
mod steps;
mod stops;
mod tasks;
mod test_game;
mod values;
