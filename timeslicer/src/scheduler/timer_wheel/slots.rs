//! The part of a [`TimerWheel`](super::TimerWheel) that holds unsorted entries. They are stored in slots, and the
//! digits of an entry's key determine its slot.

/// The entry of a task in the queue. It becomes outdated when the task leaves the queue or gets another key.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) index: u32,
    /// The stamp of the task when the entry was added. If the task's stamp is different now, the entry is outdated.
    pub(super) stamp: u16,
}

impl Entry {
    /// Returns a number by which entries can be sorted: first by key, and then by task index.
    pub(super) fn order(self) -> u128 {
        (u128::from(self.key) << INDEX_BITS) | u128::from(self.index)
    }

    /// Returns a number that sorts entries in the same order as [`Entry::order`], but is faster to compute. It is only
    /// for comparisons, and not for finding an entry's slot, because the slot depends on the digits of
    /// [`Entry::order`].
    pub(super) fn rank(self) -> u128 {
        (u128::from(self.key) << 64) | u128::from(self.index)
    }
}

const DIGIT_BITS: u32 = 6;
const SLOTS: usize = 1 << DIGIT_BITS;
/// The number of base-64 digits that an [`Entry::order`] uses for the task index.
const INDEX_LEVELS: usize = 6;
/// The number of bits that an [`Entry::order`] uses for the task index. An index has only 32 bits, but the number of
/// bits is rounded up to whole digits. As a result, no digit contains bits of both the index and the key.
const INDEX_BITS: u32 = INDEX_LEVELS as u32 * DIGIT_BITS;
/// The number of base-64 digits of an [`Entry::order`], which contains 36 bits for the index and 64 bits for the key.
const LEVELS: usize = INDEX_LEVELS + 11;
/// A slot with at most this many entries is sorted as a whole. The entries of a larger slot are first distributed among
/// the slots of lower levels.
pub(super) const SHORT: usize = 64;

/// Entries in several levels of 64 slots each. An entry's place depends on the highest base-64 digit in which its
/// [`Entry::order`] differs from `base`. The position of this digit is the entry's level, and the value of this digit
/// is the entry's slot. As a result, the entries of a lower level come before the entries of a higher level. Within a
/// level, the entries of a lower slot come before the entries of a higher slot.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// A lower bound for the [`Entry::order`] of all entries. An entry with a lower order cannot be inserted.
    base: u128,
    levels: Vec<[Vec<Entry>; SLOTS]>,
    /// For each level, a bitmap of its slots. A set bit means that the slot has entries.
    used: [u64; LEVELS],
    /// A bitmap of the levels. A set bit means that the level has entries.
    used_levels: u32,
}

impl Default for Slots {
    fn default() -> Self {
        Self {
            base: 0,
            levels: vec![[const { Vec::new() }; SLOTS]; LEVELS],
            used: [0; LEVELS],
            used_levels: 0,
        }
    }
}

impl Slots {
    /// Returns a lower bound for the [`Entry::order`] of all entries. An entry with a lower order cannot be inserted.
    pub(super) fn base(&self) -> u128 {
        self.base
    }

    /// Adds an entry. Its [`Entry::order`] must not be lower than [`Slots::base`].
    #[inline]
    pub(super) fn insert(&mut self, entry: Entry) {
        debug_assert!(entry.order() >= self.base);
        let (level, slot) = self.place(entry);
        self.levels[level][slot].push(entry);
        self.used[level] |= 1 << slot;
        self.used_levels |= 1 << level;
    }

    /// Returns the level and the slot that an entry belongs to.
    #[inline]
    fn place(&self, entry: Entry) -> (usize, usize) {
        let base = (self.base >> INDEX_BITS) as u64;
        if entry.key == base {
            let order = entry.order();
            let level = level_of(order ^ self.base);
            let slot = (order >> (level as u32 * DIGIT_BITS)) as usize % SLOTS;
            return (level, slot);
        }
        // The keys differ, so they decide alone. That is faster than a calculation with 128 bits.
        let level = (entry.key ^ base).ilog2() / DIGIT_BITS;
        let slot = (entry.key >> (level * DIGIT_BITS)) as usize % SLOTS;
        (INDEX_LEVELS + level as usize, slot)
    }

    /// Moves the entries of the first nonempty slot to `target`, which must be empty, and raises the base to the
    /// beginning of this slot. If the slot has more than [`SHORT`] entries, they are first distributed among the slots
    /// of lower levels. If the result is false, there are no entries, or all entries have keys greater than `limit`.
    pub(super) fn take_first(&mut self, limit: u64, target: &mut Vec<Entry>) -> bool {
        while self.used_levels != 0 {
            let level = self.used_levels.trailing_zeros() as usize;
            let slot = self.used[level].trailing_zeros() as usize;
            let shift = level as u32 * DIGIT_BITS;
            let above = self.base >> (shift + DIGIT_BITS) << DIGIT_BITS;
            let start = (above | slot as u128) << shift;
            if start >> INDEX_BITS > u128::from(limit) {
                return false;
            }
            self.mark_empty(level, slot);
            self.base = start;
            let entries = &mut self.levels[level][slot];
            if level == 0 || entries.len() <= SHORT {
                std::mem::swap(entries, target); // the slot keeps the memory of the target
                return true;
            }
            for entry in std::mem::take(entries) {
                self.insert(entry);
            }
        }
        false
    }

    /// Lowers the base, so that entries with a lower [`Entry::order`] can be inserted.
    pub(super) fn lower_base(&mut self, base: u128) {
        let moved = self.take_below(level_of(base ^ self.base));
        self.base = base;
        for entry in moved {
            self.insert(entry);
        }
    }

    /// Deletes the entries for which `is_kept` returns false.
    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(Entry) -> bool) {
        for entry in self.take_below(LEVELS) {
            if is_kept(entry) {
                self.insert(entry);
            }
        }
    }

    fn mark_empty(&mut self, level: usize, slot: usize) {
        self.used[level] &= !(1 << slot);
        if self.used[level] == 0 {
            self.used_levels &= !(1 << level);
        }
    }

    /// Removes and returns all entries in the levels below `end`.
    fn take_below(&mut self, end: usize) -> Vec<Entry> {
        let mut taken = Vec::new();
        for level in 0..end {
            while self.used[level] != 0 {
                let slot = self.used[level].trailing_zeros() as usize;
                self.mark_empty(level, slot);
                taken.append(&mut self.levels[level][slot]);
            }
        }
        taken
    }
}

/// Returns the position of the highest nonzero base-64 digit of `difference`, or 0 if `difference` is zero.
fn level_of(difference: u128) -> usize {
    (difference | 1).ilog2() as usize / DIGIT_BITS as usize
}
