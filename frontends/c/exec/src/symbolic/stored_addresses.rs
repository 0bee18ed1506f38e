//! Where an object holds addresses.

use craig_word::{Term, Terms};

/// Where addresses, or pieces of them, were stored in an object.
#[derive(Clone)]
pub(crate) struct StoredAddresses {
    /// The offsets, and how many bytes. `None`: anywhere.
    pub(super) places: Option<Vec<(Term, u32)>>,
    /// Whether all addresses start at multiples of their size.
    pub(super) is_aligned: bool,
}

impl Default for StoredAddresses {
    fn default() -> Self {
        Self {
            places: Some(Vec::new()),
            is_aligned: true,
        }
    }
}

impl StoredAddresses {
    /// Where addresses of some size may start that share bytes with a read.
    pub(super) fn around(&self, terms: &Terms, (offset, bytes): (u64, u32), size: u32) -> Vec<u64> {
        let size = u64::from(size);
        let end = offset + u64::from(bytes);
        let first = (offset + 1).saturating_sub(size);
        let known = self.places.as_ref().and_then(|places| {
            let starts = places.iter().map(|&(start, _)| terms.constant_value(start));
            starts.collect::<Option<Vec<u128>>>()
        });
        match known {
            Some(starts) => (starts.into_iter())
                .map(|start| start as u64)
                .filter(|start| (first..end).contains(start))
                .collect(),
            None => (first..end)
                .filter(|start| !self.is_aligned || start.is_multiple_of(size))
                .collect(),
        }
    }
}
