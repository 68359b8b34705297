//! The places that changed since the last picture.

/// A set of places, one bit each. Its size depends on the population, not on the number of frames between two pictures.
#[derive(Clone, Debug, Default)]
pub struct ChangedPlaces {
    words: Vec<u64>,
}

impl ChangedPlaces {
    /// Adds a place.
    pub fn insert(&mut self, place: u32) {
        let (word, bit) = (place as usize / 64, place % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    /// Removes all places and passes each to `take`, in ascending order.
    pub fn drain(&mut self, mut take: impl FnMut(u32)) {
        for (word, first) in self.words.iter_mut().zip((0_u32..).step_by(64)) {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                take(first + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    /// Removes all places.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(places: &mut ChangedPlaces) -> Vec<u32> {
        let mut all = Vec::new();
        places.drain(|place| all.push(place));
        all
    }

    #[test]
    fn each_place_is_drained_once_in_order() {
        let mut places = ChangedPlaces::default();
        for place in [130, 0, 63, 64, 999_999, 0, 130] {
            places.insert(place);
        }
        assert_eq!(drained(&mut places), [0, 63, 64, 130, 999_999]);
        assert!(drained(&mut places).is_empty());
    }

    #[test]
    fn clear_removes_all_places() {
        let mut places = ChangedPlaces::default();
        (0..200).for_each(|place| places.insert(place));
        places.clear();
        assert!(drained(&mut places).is_empty());
    }
}
