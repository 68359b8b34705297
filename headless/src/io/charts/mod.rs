//! Charts of sweeps as SVG files, for a README or for print.
//!
//! - `trade_off`: every strategy over its main knob; `crossovers`: which strategy is best where
//! - `frame`: the white card, its title, and the sentences that describe the workload
//! - `axis`: scales and ticks; `labels`: the column that names the curves; `style`: colours, dashes and marks
//! - `drawing`: lines, texts and marks as SVG elements; `clip`: a curve inside the plot
//!
//! Coordinates have one decimal and logarithms are those of `libm`, so a chart has the same bytes on every platform.

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

pub use crossovers::crossovers;
pub use trade_off::trade_off;

/// A multiple of the minimum or of the best above this is not drawn: the curve leaves the chart at the top.
const MOST_TIMES: f64 = 4.0;
