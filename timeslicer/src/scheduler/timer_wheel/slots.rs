//! The slots of a [`TimerWheel`](super::TimerWheel): unsorted entries, grouped by the digits of their keys.

/// A task in the wheel. An entry is stale if the task has left or moved since.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) index: u32,
    /// The entry is stale unless the task's record has the same stamp.
    pub(super) stamp: u32,
}

impl Entry {
    /// Position in the order of the wheel: by key, then by task index.
    pub(super) fn order(self) -> u128 {
        (u128::from(self.key) << INDEX_BITS) | u128::from(self.index)
    }

    /// Returns another number with the same order. It has no digits, but takes no shift: each half is in a register.
    pub(super) fn rank(self) -> u128 {
        (u128::from(self.key) << 64) | u128::from(self.index)
    }
}

const DIGIT_BITS: u32 = 6;
const SLOTS: usize = 1 << DIGIT_BITS;
/// Number of digits of an index in an [`Entry::order`].
const INDEX_LEVELS: usize = 6;
/// 32 bits would do, but then a digit would be part index and part key.
const INDEX_BITS: u32 = INDEX_LEVELS as u32 * DIGIT_BITS;
/// Number of digits of an [`Entry::order`]: 36 bits of index and 64 bits of key.
const LEVELS: usize = INDEX_LEVELS + 11;
/// Number of entries in a chunk.
pub(super) const CHUNK: usize = 64;
/// A slot with more entries is split instead of sorted.
pub(super) const SHORT: usize = 2 * CHUNK;
/// Index of no chunk.
const NONE: u32 = u32::MAX;

/// A piece of the list of entries in a slot. All chunks of a slot but the first are full.
#[derive(Clone, Debug)]
struct Chunk {
    entries: [Entry; CHUNK],
    /// The next chunk of the slot, or of the free chunks.
    next: u32,
}

/// The first chunk of a slot, and the number of its entries.
#[derive(Clone, Copy, Debug)]
struct Head {
    chunk: u32,
    len: u32,
}

/// The head of an empty slot. Like a full chunk, it has no room for an entry.
const EMPTY: Head = Head {
    chunk: NONE,
    len: CHUNK as u32,
};

/// Levels of 64 slots each. The slot of an entry depends on the highest digit, in base 64, in which its order differs
/// from `base`: the position of the digit is the level, and its value the slot. So every entry of a level comes before
/// every entry of the levels above, and the slots of a level are in order, too.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// No entry comes before this order.
    base: u128,
    heads: Vec<[Head; SLOTS]>,
    /// One bit per slot that has entries, by level.
    used: [u64; LEVELS],
    /// One bit per level that has entries.
    used_levels: u32,
    chunks: Vec<Chunk>,
    /// The first free chunk.
    free: u32,
}

impl Default for Slots {
    fn default() -> Self {
        Self {
            base: 0,
            heads: vec![[EMPTY; SLOTS]; LEVELS],
            used: [0; LEVELS],
            used_levels: 0,
            chunks: Vec::new(),
            free: NONE,
        }
    }
}

impl Slots {
    /// Returns the order before which no entry can be inserted.
    pub(super) fn base(&self) -> u128 {
        self.base
    }

    /// Adds an entry that does not come before the base.
    #[inline]
    pub(super) fn insert(&mut self, entry: Entry) {
        debug_assert!(entry.order() >= self.base);
        let (level, slot) = self.place(entry);
        let mut head = self.heads[level][slot];
        if head.len == CHUNK as u32 {
            self.used[level] |= 1 << slot;
            self.used_levels |= 1 << level;
            head.chunk = self.new_chunk(head.chunk);
            head.len = 0;
        }
        self.chunks[head.chunk as usize].entries[head.len as usize] = entry;
        head.len += 1;
        self.heads[level][slot] = head;
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
        // The same for the key alone, which is faster than 128 bits.
        let level = (entry.key ^ base).ilog2() / DIGIT_BITS;
        let slot = (entry.key >> (level * DIGIT_BITS)) as usize % SLOTS;
        (INDEX_LEVELS + level as usize, slot)
    }

    /// Moves the entries of the first slot to `target`, which is empty, and advances the base to that slot. First splits
    /// the slot, again and again, until it has at most [`SHORT`] entries. Returns false if no entry is left, or if the
    /// first slot begins after `limit`; then no entry with a key up to `limit` is left.
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
            let head = self.detach(level, slot);
            self.base = start;
            if level == 0 || self.is_short(head) {
                self.drain(head, |_, entry| target.push(entry));
                return true;
            }
            self.drain(head, Self::insert);
        }
        false
    }

    /// Returns true if a detached slot has at most [`SHORT`] entries, rounded up to whole chunks.
    fn is_short(&self, head: Head) -> bool {
        let mut last = head.chunk;
        for _ in 0..SHORT / CHUNK {
            last = self.chunks[last as usize].next;
            if last == NONE {
                return true;
            }
        }
        false
    }

    /// Moves the base back to `base`, so that entries after it can be inserted.
    pub(super) fn lower_base(&mut self, base: u128) {
        let level = level_of(base ^ self.base);
        let moved = self.detach_below(level);
        self.base = base;
        for head in moved {
            self.drain(head, Self::insert);
        }
    }

    /// Deletes the entries for which `is_kept` returns false.
    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(Entry) -> bool) {
        for head in self.detach_below(LEVELS) {
            self.drain(head, |slots, entry| {
                if is_kept(entry) {
                    slots.insert(entry);
                }
            });
        }
    }

    /// Empties the slot and returns its head.
    fn detach(&mut self, level: usize, slot: usize) -> Head {
        self.used[level] &= !(1 << slot);
        if self.used[level] == 0 {
            self.used_levels &= !(1 << level);
        }
        std::mem::replace(&mut self.heads[level][slot], EMPTY)
    }

    /// Empties the slots of all levels below `end`, and returns their heads.
    fn detach_below(&mut self, end: usize) -> Vec<Head> {
        let mut heads = Vec::new();
        for level in 0..end {
            while self.used[level] != 0 {
                let slot = self.used[level].trailing_zeros() as usize;
                heads.push(self.detach(level, slot));
            }
        }
        heads
    }

    /// Passes each entry of a detached slot to `take`, and frees the slot's chunks.
    #[inline]
    fn drain(&mut self, head: Head, mut take: impl FnMut(&mut Self, Entry)) {
        let Head {
            chunk: mut next,
            mut len,
        } = head;
        while next != NONE {
            let current = next as usize;
            for at in 0..len as usize {
                let entry = self.chunks[current].entries[at];
                take(self, entry);
            }
            len = CHUNK as u32;
            let chunk = &mut self.chunks[current];
            let freed = std::mem::replace(&mut next, chunk.next);
            chunk.next = std::mem::replace(&mut self.free, freed);
        }
    }

    /// Returns an empty chunk that precedes the chunk `next`.
    fn new_chunk(&mut self, next: u32) -> u32 {
        if self.free == NONE {
            self.chunks.push(Chunk {
                entries: [Entry::default(); CHUNK],
                next,
            });
            return self.chunks.len() as u32 - 1;
        }
        let chunk = &mut self.chunks[self.free as usize];
        std::mem::replace(&mut self.free, std::mem::replace(&mut chunk.next, next))
    }

    /// Returns the number of chunks, used and free.
    #[cfg(test)]
    pub(super) fn chunks(&self) -> usize {
        self.chunks.len()
    }
}

/// Returns the position of the highest digit that is not zero; 0 if all digits are zero.
fn level_of(difference: u128) -> usize {
    (difference | 1).ilog2() as usize / DIGIT_BITS as usize
}
