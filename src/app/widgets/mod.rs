//! Widgets that are used by several panels, functions for painting, and the colour theme.

pub mod buttons;
pub mod paint;
pub mod row;
pub mod scope;
pub mod theme;
pub mod tooltip;
pub mod value;
pub mod wheel;
