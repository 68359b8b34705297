//! The panels around a view: the top bar, the knobs, the status line, the table of figures, hints and legends.

pub mod hints;
pub mod knob_control;
pub mod knob_panel;
pub mod staleness_legend;
pub mod stats_table;
pub mod status_line;
pub mod timing_badge;
pub mod top_bar;
