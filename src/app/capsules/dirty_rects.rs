//! Texels that changed since the last upload, in a few rectangles.

/// Cost of uploading another rectangle, as a number of texels.
const TEXELS_OF_A_CALL: u32 = 4096;

/// Changed texels of one row: columns `first..past`.
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

    pub fn len(self) -> u32 {
        u32::from(self.past.saturating_sub(self.first))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DirtyRect {
    pub span: Span,
    pub top: u32,
    pub bottom: u32,
}

impl DirtyRect {
    pub fn texels(&self) -> u32 {
        self.span.len() * (self.bottom - self.top)
    }
}

/// Changes since the last upload: one span per row, and the range of changed rows.
#[derive(Debug)]
pub(super) struct DirtyRects {
    spans: Vec<Span>,
    top: u32,
    bottom: u32,
}

impl DirtyRects {
    /// Returns no changes, for a texture with this number of rows.
    pub fn none(rows: u32) -> DirtyRects {
        DirtyRects {
            spans: vec![Span::NOTHING; rows as usize],
            top: rows,
            bottom: 0,
        }
    }

    pub fn add(&mut self, column: u32, row: u32) {
        let span = &mut self.spans[row as usize];
        *span = span.with(Span {
            first: column as u16,
            past: column as u16 + 1,
        });
        self.top = self.top.min(row);
        self.bottom = self.bottom.max(row + 1);
    }

    pub fn clear(&mut self) {
        self.spans.fill(Span::NOTHING);
        self.top = self.spans.len() as u32;
        self.bottom = 0;
    }

    /// Takes the next rectangle to upload, from the top. Neighbouring spans are joined if the unchanged texels between
    /// them cost less than another upload.
    pub fn take_rect(&mut self) -> Option<DirtyRect> {
        let mut rect: Option<DirtyRect> = None;
        while self.top < self.bottom {
            let row = self.top;
            let span = self.spans[row as usize];
            if !span.is_empty() {
                let alone = DirtyRect {
                    span,
                    top: row,
                    bottom: row + 1,
                };
                rect = Some(match rect {
                    None => alone,
                    Some(so_far) => {
                        let joined = DirtyRect {
                            span: so_far.span.with(span),
                            top: so_far.top,
                            bottom: row + 1,
                        };
                        let apart = so_far.texels() + alone.texels() + TEXELS_OF_A_CALL;
                        if joined.texels() > apart {
                            return rect;
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
        rect
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rects(dirty: &mut DirtyRects) -> Vec<DirtyRect> {
        std::iter::from_fn(|| dirty.take_rect()).collect()
    }

    #[test]
    fn only_neighbouring_rows_are_joined() {
        let mut dirty = DirtyRects::none(4_000);
        for row in 100..120 {
            for column in [0, 1_439] {
                dirty.add(column, row);
            }
        }
        dirty.add(7, 3_999);
        let sent: Vec<_> = rects(&mut dirty)
            .iter()
            .map(|p| (p.top, p.bottom))
            .collect();
        assert_eq!(sent, [(100, 120), (3_999, 4_000)]);
    }

    #[test]
    fn every_change_is_uploaded() {
        let mut dirty = DirtyRects::none(600);
        let mut scattered = Vec::new();
        let mut state = 1_u32;
        for _ in 0..300 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (column, row) = ((state >> 8) % 1_600, (state >> 20) % 600);
            dirty.add(column, row);
            scattered.push((column, row));
        }
        let sent = rects(&mut dirty);
        for (column, row) in scattered {
            assert!(sent.iter().any(|rect| {
                (rect.top..rect.bottom).contains(&row)
                    && (u32::from(rect.span.first)..u32::from(rect.span.past)).contains(&column)
            }));
        }
    }
}
