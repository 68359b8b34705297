//! Which texels changed since the last upload, as few rectangles to send.

/// Starting another rectangle of an upload costs about as much as sending so many texels more.
const TEXELS_OF_A_CALL: u32 = 4096;

/// Texels that changed in one row: from `first` up to, not including, `past`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub first: u16,
    pub past: u16,
}

impl Span {
    const NOTHING: Span = Span {
        first: u16::MAX,
        past: 0,
    };

    const fn is_empty(self) -> bool {
        self.first >= self.past
    }

    fn with(self, other: Span) -> Span {
        Span {
            first: self.first.min(other.first),
            past: self.past.max(other.past),
        }
    }

    /// Texels in it.
    pub fn len(self) -> u32 {
        u32::from(self.past.saturating_sub(self.first))
    }
}

/// A rectangle of texels: a span of the rows from `top` up to, not including, `bottom`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub span: Span,
    pub top: u32,
    pub bottom: u32,
}

impl Part {
    /// Texels in it.
    pub fn texels(&self) -> u32 {
        self.span.len() * (self.bottom - self.top)
    }
}

/// What has changed since the last upload: one span a row, and the rows that have any.
#[derive(Debug)]
pub(super) struct Changes {
    spans: Vec<Span>,
    top: u32,
    bottom: u32,
}

impl Changes {
    /// No change yet in so many rows.
    pub fn none(rows: u32) -> Changes {
        Changes {
            spans: vec![Span::NOTHING; rows as usize],
            top: rows,
            bottom: 0,
        }
    }

    /// Notes that a texel changed.
    pub fn add(&mut self, column: u32, row: u32) {
        let span = &mut self.spans[row as usize];
        *span = span.with(Span {
            first: column as u16,
            past: column as u16 + 1,
        });
        self.top = self.top.min(row);
        self.bottom = self.bottom.max(row + 1);
    }

    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.spans.fill(Span::NOTHING);
        self.top = self.spans.len() as u32;
        self.bottom = 0;
    }

    /// Takes the next rectangle to send, from the top. Neighbouring spans join into one rectangle where
    /// the unchanged texels between them cost less than a call of their own.
    pub fn take_part(&mut self) -> Option<Part> {
        let mut part: Option<Part> = None;
        while self.top < self.bottom {
            let row = self.top;
            let span = self.spans[row as usize];
            if !span.is_empty() {
                let alone = Part {
                    span,
                    top: row,
                    bottom: row + 1,
                };
                part = Some(match part {
                    None => alone,
                    Some(so_far) => {
                        let joined = Part {
                            span: so_far.span.with(span),
                            top: so_far.top,
                            bottom: row + 1,
                        };
                        let apart = so_far.texels() + alone.texels() + TEXELS_OF_A_CALL;
                        if joined.texels() > apart {
                            return part;
                        }
                        joined
                    }
                });
                self.spans[row as usize] = Span::NOTHING;
            }
            self.top += 1;
        }
        self.top = self.spans.len() as u32;
        self.bottom = 0;
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every rectangle that an upload would send.
    fn parts(changes: &mut Changes) -> Vec<Part> {
        std::iter::from_fn(|| changes.take_part()).collect()
    }

    #[test]
    fn one_change_sends_one_texel_once() {
        let mut changes = Changes::none(700);
        changes.add(1_400, 699);
        let span = Span {
            first: 1_400,
            past: 1_401,
        };
        let part = Part {
            span,
            top: 699,
            bottom: 700,
        };
        assert_eq!(parts(&mut changes), [part]);
        assert_eq!(parts(&mut changes), []);
    }

    #[test]
    fn neighbouring_rows_go_together_and_distant_ones_apart() {
        let mut changes = Changes::none(4_000);
        for row in 100..120 {
            for column in [0, 1_439] {
                changes.add(column, row);
            }
        }
        changes.add(7, 3_999);
        let sent: Vec<_> = parts(&mut changes)
            .iter()
            .map(|p| (p.top, p.bottom))
            .collect();
        assert_eq!(sent, [(100, 120), (3_999, 4_000)]);
    }

    #[test]
    fn every_change_is_in_some_rectangle() {
        let mut changes = Changes::none(600);
        let mut scattered = Vec::new();
        let mut state = 1_u32;
        for _ in 0..300 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (column, row) = ((state >> 8) % 1_600, (state >> 20) % 600);
            changes.add(column, row);
            scattered.push((column, row));
        }
        let sent = parts(&mut changes);
        for (column, row) in scattered {
            assert!(sent.iter().any(|part| {
                (part.top..part.bottom).contains(&row)
                    && (u32::from(part.span.first)..u32::from(part.span.past)).contains(&column)
            }));
        }
    }
}
