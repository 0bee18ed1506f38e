//! The cells of objects.

use std::sync::Arc;

/// The cells of an object: see `Types::cells`.
#[derive(Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of bytes.
    pub size: u64,
    /// The offsets and sizes of its cells, in order; they cover it.
    pub cells: Vec<(u64, u32)>,
    /// The common size of all cells, if there is one.
    pub uniform: Option<u32>,
}

impl Shape {
    /// A shape with these cells.
    pub fn new(size: u64, cells: Vec<(u64, u32)>) -> Arc<Self> {
        debug_assert_eq!(
            cells.iter().map(|cell| u64::from(cell.1)).sum::<u64>(),
            size
        );
        let first = cells.first().map(|cell| cell.1);
        let uniform = first.filter(|&bytes| cells.iter().all(|cell| cell.1 == bytes));
        Arc::new(Self {
            size,
            cells,
            uniform,
        })
    }

    /// An object that is too large for cells; it cannot be read or written.
    pub fn opaque(size: u64) -> Arc<Self> {
        Arc::new(Self {
            size,
            cells: Vec::new(),
            uniform: None,
        })
    }

    /// Whether it has bytes and no cells.
    pub fn is_opaque(&self) -> bool {
        self.cells.is_empty() && self.size > 0
    }

    /// Bytes.
    pub fn bytes(size: u64) -> Arc<Self> {
        Self::new(size, (0..size).map(|offset| (offset, 1)).collect())
    }

    /// As many copies of this shape as fit, and bytes for the rest.
    pub fn repeated(&self, size: u64) -> Arc<Self> {
        let mut cells = Vec::new();
        let mut at = 0;
        while self.size > 0 && at + self.size <= size {
            cells.extend(
                self.cells
                    .iter()
                    .map(|&(offset, bytes)| (at + offset, bytes)),
            );
            at += self.size;
        }
        cells.extend((at..size).map(|offset| (offset, 1)));
        Self::new(size, cells)
    }

    /// The number of the cell that holds the byte.
    pub fn cell_at(&self, offset: u64) -> usize {
        match self.uniform {
            Some(bytes) => (offset / u64::from(bytes)) as usize,
            None => self.cells.partition_point(|cell| cell.0 <= offset) - 1,
        }
    }
}
