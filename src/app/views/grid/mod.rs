//! What lies over the capsules in the main view.

pub mod highlight;
pub mod inspector;
pub mod overlay;
pub mod projectile_strip;
pub mod target;
