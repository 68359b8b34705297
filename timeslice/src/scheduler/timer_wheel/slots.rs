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
}

const INDEX_BITS: u32 = 32;
const DIGIT_BITS: u32 = 6;
const SLOTS: usize = 1 << DIGIT_BITS;
/// Number of digits of an [`Entry::order`]: 64 bits of key and 32 bits of index.
const LEVELS: usize = 16;
/// Number of entries in a chunk.
pub(super) const CHUNK: usize = 64;
/// Index of no chunk.
const NONE: u32 = u32::MAX;

/// A piece of the list of entries in a slot.
#[derive(Clone, Debug)]
struct Chunk {
    entries: [Entry; CHUNK],
    len: usize,
    /// The next chunk of the slot, or of the free chunks.
    next: u32,
}

/// Levels of 64 slots each. The slot of an entry depends on the highest digit, in base 64, in which its order differs
/// from `base`: the position of the digit is the level, and its value the slot. So every entry of a level comes before
/// every entry of the levels above, and the slots of a level are in order, too.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// No entry comes before this order.
    base: u128,
    /// The first chunk of each slot.
    heads: Vec<[u32; SLOTS]>,
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
            heads: vec![[NONE; SLOTS]; LEVELS],
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
        let order = entry.order();
        debug_assert!(order >= self.base);
        let level = level_of(order ^ self.base);
        let slot = digit(order, level);
        let mut head = self.heads[level][slot];
        if head == NONE {
            self.used[level] |= 1 << slot;
            self.used_levels |= 1 << level;
        }
        if head == NONE || self.chunks[head as usize].len == CHUNK {
            head = self.new_chunk(head);
            self.heads[level][slot] = head;
        }
        let chunk = &mut self.chunks[head as usize];
        chunk.entries[chunk.len] = entry;
        chunk.len += 1;
    }

    /// Moves the entries of the first slot to `target`, which is empty, and advances the base to that slot. First splits
    /// the slot, again and again, until it has at most [`CHUNK`] entries. Returns false if no entry is left, or if the
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
            if level == 0 || self.chunks[head as usize].next == NONE {
                self.drain(head, |_, entry| target.push(entry));
                return true;
            }
            self.drain(head, Self::insert);
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

    /// Empties the slot and returns its first chunk.
    fn detach(&mut self, level: usize, slot: usize) -> u32 {
        self.used[level] &= !(1 << slot);
        if self.used[level] == 0 {
            self.used_levels &= !(1 << level);
        }
        std::mem::replace(&mut self.heads[level][slot], NONE)
    }

    /// Empties the slots of all levels below `end`, and returns the first chunk of each.
    fn detach_below(&mut self, end: usize) -> Vec<u32> {
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
    fn drain(&mut self, head: u32, mut take: impl FnMut(&mut Self, Entry)) {
        let mut next = head;
        while next != NONE {
            let current = next as usize;
            for at in 0..self.chunks[current].len {
                let entry = self.chunks[current].entries[at];
                take(self, entry);
            }
            let chunk = &mut self.chunks[current];
            chunk.len = 0;
            let freed = std::mem::replace(&mut next, chunk.next);
            chunk.next = std::mem::replace(&mut self.free, freed);
        }
    }

    /// Returns an empty chunk that precedes the chunk `next`.
    fn new_chunk(&mut self, next: u32) -> u32 {
        if self.free == NONE {
            self.chunks.push(Chunk {
                entries: [Entry::default(); CHUNK],
                len: 0,
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

fn digit(order: u128, level: usize) -> usize {
    (order >> (level as u32 * DIGIT_BITS)) as usize % SLOTS
}
