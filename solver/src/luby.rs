//! The Luby sequence, for restarts.

/// The element with the given index, from 0, of the sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair,
/// Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 1993).
pub(crate) fn luby(index: u64) -> u64 {
    let mut index = index + 1;
    loop {
        let bits = u64::BITS - index.leading_zeros();
        if index == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_begins_as_published() {
        let elements: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(elements, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
