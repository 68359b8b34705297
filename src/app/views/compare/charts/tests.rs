//! Tests of the charts, without a display.
