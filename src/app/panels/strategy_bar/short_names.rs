//! Short names of strategies, for a narrow window.

/// Returns for each name its first words, as few as distinguish it from all other names.
pub fn short_names<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let short = |name: &&'a str| {
        let is_own = |end: &usize| {
            let short = &name[..*end];
            let begins_so = |other: &&&str| other.starts_with(short);
            names.iter().filter(begins_so).count() == 1
        };
        let mut ends = name.match_indices(' ').map(|(end, _)| end);
        ends.find(is_own).map_or(*name, |end| &name[..end])
    };
    names.iter().map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use timeslicer::strategy::STRATEGIES;

    #[test]
    fn the_first_words_are_enough_if_no_other_name_has_them() {
        let names = ["Every frame", "Every other frame", "Max per frame", "Solo"];
        let short = ["Every frame", "Every other", "Max", "Solo"];
        assert_eq!(short_names(&names), short);
    }

    #[test]
    fn short_names_of_all_strategies_differ() {
        let names: Vec<&str> = STRATEGIES.iter().map(|entry| entry.name).collect();
        let short = short_names(&names);
        let different: HashSet<&str> = short.iter().copied().collect();
        assert_eq!(different.len(), names.len());
    }
}
