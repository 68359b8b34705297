//! Draws charts of sweeps as SVG files, for a README or for print. The window draws the same charts, and shares the
//! axes.
//!
//! - `trade_off`: the chart of all strategies, each with different values of its main knob
//! - `crossovers`: the chart of the best strategy for each value of another knob
//! - `frame`: the white card, its title, and the sentences that describe the workload
//! - `axis`: scales and ticks; `labels`: the column that names the curves; `style`: the colours, dashes and marks of
//!   strategies
//! - `drawing`: lines, text and marks as SVG elements; `clip`: cuts curves at the edges of the plot
//!
//! Coordinates have one decimal and logarithms are computed by `libm`, so a chart has the same bytes on every platform.

mod axis;
mod clip;
mod crossovers;
mod drawing;
mod frame;
mod labels;
mod style;
#[cfg(test)]
mod tests;
mod trade_off;

pub use axis::Axis;
pub use crossovers::crossovers;
pub use frame::times_axis;
pub use trade_off::trade_off;

/// The largest value on the vertical axis of a chart. The axis shows staleness as a multiple of the theoretical minimum
/// or of the best setting. A curve with larger values leaves the chart at the top.
const MOST_TIMES: f64 = 4.0;
