//! What the strategies are compared by.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The mean staleness over all entities and over time, in which entities with larger weights count more.
    #[default]
    WeightedMean,
    /// The largest product of an entity's weight and its staleness.
    WeightedWorst,
    /// The longest wait of any entity, regardless of its weight.
    Worst,
}

impl Objective {
    pub const WEIGHTED: [Self; 2] = [Self::WeightedMean, Self::WeightedWorst];

    pub fn name(self) -> &'static str {
        match self {
            Self::WeightedMean => "mean weighted staleness",
            Self::WeightedWorst => "worst weighted staleness",
            Self::Worst => "longest wait",
        }
    }
}
