//! The quantities that strategies are compared by. Lower values are better.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The mean staleness over all entities and over time, in which entities with larger weights count more.
    #[default]
    WeightedMean,
    /// The largest product of an entity's weight and its staleness.
    WeightedWorst,
    /// The longest wait of any entity, regardless of its weight.
    Worst,
    /// The mean time from a request until its task runs.
    MeanWait,
    /// The longest time from a request until its task runs.
    LongestWait,
}

impl Objective {
    pub const WEIGHTED: [Self; 2] = [Self::WeightedMean, Self::WeightedWorst];

    /// Returns the corresponding objective for work that is done only on request: the mean or the longest wait.
    #[must_use]
    pub fn of_requests(self) -> Self {
        match self {
            Self::WeightedMean | Self::MeanWait => Self::MeanWait,
            Self::WeightedWorst | Self::Worst | Self::LongestWait => Self::LongestWait,
        }
    }

    pub fn is_of_requests(self) -> bool {
        matches!(self, Self::MeanWait | Self::LongestWait)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::WeightedMean => "mean weighted staleness",
            Self::WeightedWorst => "worst weighted staleness",
            Self::Worst => "longest wait",
            Self::MeanWait => "mean wait of requests",
            Self::LongestWait => "longest wait of requests",
        }
    }
}
