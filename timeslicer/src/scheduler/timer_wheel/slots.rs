//! The slots of a [`TimerWheel`](super::TimerWheel) hold unsorted entries, grouped by the digits of their keys.

/// A task's entry in the wheel. It is stale if the task has left or moved since.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) index: u32,
    /// The task's stamp when the entry was added. The entry is stale if the task's record has another stamp now.
    pub(super) stamp: u32,
}

impl Entry {
    /// Returns a number that orders entries by key, and then by task index.
    pub(super) fn order(self) -> u128 {
        (u128::from(self.key) << INDEX_BITS) | u128::from(self.index)
    }

    /// Returns a number that orders entries like [`Entry::order`] but is faster to compute, because it needs no shift.
    /// It cannot be split into digits.
    pub(super) fn rank(self) -> u128 {
        (u128::from(self.key) << 64) | u128::from(self.index)
    }
}

const DIGIT_BITS: u32 = 6;
const SLOTS: usize = 1 << DIGIT_BITS;
/// Number of digits of a task index in an [`Entry::order`].
const INDEX_LEVELS: usize = 6;
/// Number of bits of a task index in an [`Entry::order`]. 32 bits would be enough, but then one digit would be part
/// index and part key.
const INDEX_BITS: u32 = INDEX_LEVELS as u32 * DIGIT_BITS;
/// Number of digits of an [`Entry::order`]: 36 bits of index and 64 bits of key.
const LEVELS: usize = INDEX_LEVELS + 11;
/// A slot with more entries is split instead of sorted.
pub(super) const SHORT: usize = 64;

/// The entries, in levels of 64 slots each. The slot of an entry depends on the highest digit, in base 64, in which its
/// order differs from `base`: the position of the digit is the level, and the value of the digit is the slot. So every
/// entry of a level comes before every entry of the levels above, and the slots of a level are in order, too.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The lowest order that an entry can have.
    base: u128,
    levels: Vec<[Vec<Entry>; SLOTS]>,
    /// For each level, a bitmap of the slots; a set bit means that the slot has entries.
    used: [u64; LEVELS],
    /// A bitmap of the levels that have entries.
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
    /// Returns the lowest order that an entry can have.
    pub(super) fn base(&self) -> u128 {
        self.base
    }

    /// Adds an entry, whose order must be at least the base.
    #[inline]
    pub(super) fn insert(&mut self, entry: Entry) {
        debug_assert!(entry.order() >= self.base);
        let (level, slot) = self.place(entry);
        self.levels[level][slot].push(entry);
        self.used[level] |= 1 << slot;
        self.used_levels |= 1 << level;
    }

    /// Returns the level and the slot of an entry.
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

    /// Moves the entries of the first slot to `target`, which must be empty, and advances the base to that slot. While
    /// the first slot has more than [`SHORT`] entries, it is split. Returns false if no entry with a key up to `limit`
    /// is left, because there are no entries or the first slot begins after `limit`.
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

    /// Moves the base back to `base`, so that earlier entries can be inserted.
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

    /// Removes and returns the entries of all levels below `end`.
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

/// Returns the position of the highest base-64 digit that is not zero, or 0 if all digits are zero.
fn level_of(difference: u128) -> usize {
    (difference | 1).ilog2() as usize / DIGIT_BITS as usize
}
