//! A set of entity numbers.

/// A set of entity numbers, one bit each. If a million entities starve in every frame, a hash set takes most of the time
/// of a run.
#[derive(Clone, Debug, Default)]
pub(in crate::stats) struct NumberSet {
    words: Vec<u64>,
    len: u64,
}

impl NumberSet {
    /// Adds a number. No effect if the set contains it.
    pub(in crate::stats) fn insert(&mut self, number: u64) {
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.len += u64::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    /// Returns true if the set contains the number.
    pub(in crate::stats) fn contains(&self, number: u64) -> bool {
        let word = self.words.get((number / 64) as usize);
        word.is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Returns how many numbers the set contains.
    pub(in crate::stats) fn len(&self) -> u64 {
        self.len
    }

    /// Removes all numbers.
    pub(in crate::stats) fn clear(&mut self) {
        self.words.clear();
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_counted_once() {
        let mut numbers = NumberSet::default();
        for number in [130, 0, 63, 64, 1_000_000, 0, 130] {
            numbers.insert(number);
        }
        assert_eq!(numbers.len(), 5);
        assert!(numbers.contains(64) && !numbers.contains(65) && !numbers.contains(u64::MAX));
        numbers.clear();
        assert!(numbers.len() == 0 && !numbers.contains(64));
    }
}
