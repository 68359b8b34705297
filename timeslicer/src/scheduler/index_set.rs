//! A set of integers that finds its largest member in constant time.
const BITS: usize = u64::BITS as usize;

/// A set of integers, stored in levels of bitmaps. Each operation takes constant time: it changes at most one word in
/// each level, and six levels are enough for any `u32`.
///
/// In the lowest level, a bit is set if its index is in the set. In a higher level, a bit is set if any bit is set in
/// the corresponding word of the level below. Most operations change only the lowest level.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexSet {
    levels: Vec<Vec<u64>>,
}

impl IndexSet {
    /// Adds an index. Does nothing if the set already contains it.
    pub(super) fn insert(&mut self, index: u32) {
        let mut place = index as usize;
        for level in 0.. {
            if level == self.levels.len() {
                self.add_level();
            }
            let words = &mut self.levels[level];
            let word = place / BITS;
            if word >= words.len() {
                words.resize(word + 1, 0);
            }
            let before = words[word];
            words[word] |= 1 << (place % BITS);
            // The top level has a single word, so no level above it has to be changed.
            if before != 0 || (word == 0 && level + 1 == self.levels.len()) {
                break;
            }
            place = word;
        }
    }

    /// Adds a level on top of the existing ones. The first bit of the new level is 1 if the set has any members, and 0
    /// if it is empty.
    fn add_level(&mut self) {
        let is_used = self.levels.last().and_then(|words| words.first());
        let first = is_used.map_or(0, |&word| u64::from(word != 0));
        self.levels.push(vec![first]);
    }

    /// Removes an index. Does nothing if the set does not contain it.
    pub(super) fn remove(&mut self, index: u32) {
        let mut place = index as usize;
        for words in &mut self.levels {
            let Some(word) = words.get_mut(place / BITS) else {
                break;
            };
            *word &= !(1 << (place % BITS));
            if *word != 0 {
                break;
            }
            place /= BITS;
        }
    }

    /// Returns the largest member, or `None` if the set is empty.
    pub(super) fn last(&self) -> Option<u32> {
        let mut place = 0;
        for words in self.levels.iter().rev() {
            let highest = words.get(place)?.checked_ilog2()?;
            place = place * BITS + highest as usize;
        }
        (!self.levels.is_empty()).then_some(place as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_largest_member_is_known_after_every_change() {
        let mut set = IndexSet::default();
        let mut model = BTreeSet::new();
        assert_eq!(set.last(), None);
        let mut random = 1_u32;
        for step in 0..20_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Few, some or many indices, so that the set grows, becomes empty and grows again.
            let index = (random >> 8) % [3, 70, 5000, 300_000][step / 100 % 4];
            if random >> 31 == 0 || step / 1000 % 2 == 1 {
                set.remove(index);
                model.remove(&index);
            } else {
                set.insert(index);
                model.insert(index);
            }
            if step % 1000 == 999 {
                while let Some(last) = model.pop_last() {
                    assert_eq!(set.last(), Some(last), "{step}");
                    set.remove(last);
                }
            }
            assert_eq!(set.last(), model.last().copied(), "{step}");
        }
    }
}
