//! The panels around the main view, such as the top bar, the settings, the status line and the statistics table.

pub mod bar;
pub mod code_block;
pub mod colour_legend;
pub mod cost_controls;
pub mod knob_control;
pub mod knob_panel;
pub mod stats_table;
pub mod status_line;
pub mod strategy_bar;
pub mod top_bar;
pub mod tour_card;
