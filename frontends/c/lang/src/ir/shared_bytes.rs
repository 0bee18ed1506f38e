//! How string literals may lie over each other: they need not be distinct, provided that their bytes have the right values (C11 6.4.5p7).

/// The distances of the start of a literal from that of another one at which they share bytes, and agree in all that they share.
pub fn distances(first: &[u8], second: &[u8]) -> Vec<i64> {
    let (before, behind) = (second.len() as i64, first.len() as i64);
    (1 - before..behind)
        .filter(|&distance| agree_at(first, second, distance))
        .collect()
}

/// Whether two literals share bytes, and agree in all that they share, where the second one starts that far behind the start of
/// the first one.
pub fn agree_at(first: &[u8], second: &[u8], distance: i64) -> bool {
    let from_first = first.iter().skip(distance.max(0) as usize);
    let from_second = second.iter().skip(distance.min(0).unsigned_abs() as usize);
    let mut shared = from_first.zip(from_second).peekable();
    shared.peek().is_some() && shared.all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::{agree_at, distances};

    #[test]
    fn literals_lie_where_their_bytes_agree() {
        assert_eq!(distances(b"abc\0", b"bc\0"), [1]);
        assert_eq!(distances(b"bc\0", b"abc\0"), [-1]);
        assert_eq!(distances(b"abc\0", b"abc\0"), [0]);
        assert_eq!(distances(b"abc\0", b"abd\0"), [0; 0]);
        // The zero at the end of one is that in the other one.
        assert_eq!(distances(b"a\0", b"\0x\0"), [1]);
        assert!(!agree_at(b"a\0", b"a\0", 2));
        assert!(!agree_at(b"a\0", b"a\0", -2));
    }
}
