//! Changes to files that know what files are made of: lines, words, and numbers at the edges of what readers hold.

use craig_aig::Random;

/// Numbers at which something may overflow, be negative, or be missing.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "127",
    "255",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "99999999999999999999999999",
];

/// A list of parts, each with the byte that ends it.
pub(super) fn pieces(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> Vec<Vec<u8>> {
    let split = bytes.split_inclusive(|&byte| is_end(byte));
    split.map(<[u8]>::to_vec).collect()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The words of a text, as ranges.
fn words(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut begin = None;
    for place in 0..=bytes.len() {
        let is_in = bytes.get(place).is_some_and(|&byte| is_word(byte));
        match (is_in, begin) {
            (true, None) => begin = Some(place),
            (false, Some(from)) => {
                found.push((from, place));
                begin = None;
            }
            _ => {}
        }
    }
    found
}

fn replaced(bytes: &[u8], (from, to): (usize, usize), with: &[u8]) -> Vec<u8> {
    [&bytes[..from], with, &bytes[to..]].concat()
}

/// A file with one change; `other` is a file of the same format.
pub(super) fn mutated(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    if bytes.is_empty() {
        return other.to_vec();
    }
    match random.below(10) {
        0..4 => word_changed(bytes, other, random),
        4..7 => lines_changed(bytes, other, random),
        7 => bytes[..random.below(bytes.len())].to_vec(),
        8 => {
            let mut changed = bytes.to_vec();
            let place = random.below(changed.len());
            changed[place] ^= 1 << random.below(8);
            changed
        }
        _ => {
            let place = random.below(bytes.len() + 1);
            let added = [b" ", b"\n", b"\0", b"\xff", b"(", b"\"", b"-", b"9"][random.below(8)];
            replaced(bytes, (place, place), &added.repeat(1 + random.below(3)))
        }
    }
}

/// Another word in the place of one: a neighbour of the number, one at an edge, or a word from elsewhere.
fn word_changed(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let own = words(bytes);
    if own.is_empty() {
        return other.to_vec();
    }
    let (from, to) = own[random.below(own.len())];
    let number: Option<i64> = std::str::from_utf8(&bytes[from..to])
        .ok()
        .and_then(|word| word.parse().ok());
    let with = match (number, random.below(4)) {
        (Some(number), 0 | 1) => {
            let near = [-2, -1, 1, 2][random.below(4)];
            number.saturating_add(near).to_string().into_bytes()
        }
        (Some(_), 2) => NUMBERS[random.below(NUMBERS.len())].as_bytes().to_vec(),
        _ => {
            let theirs = words(other);
            match theirs.is_empty() {
                true => Vec::new(),
                false => {
                    let (from, to) = theirs[random.below(theirs.len())];
                    other[from..to].to_vec()
                }
            }
        }
    };
    replaced(bytes, (from, to), &with)
}

/// A line removed, repeated, exchanged with another, or taken from another file.
fn lines_changed(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let is_end = |byte| byte == b'\n' || byte == b';';
    let mut lines = pieces(bytes, is_end);
    let place = random.below(lines.len());
    match random.below(5) {
        0 => drop(lines.remove(place)),
        1 => {
            let line = lines[place].clone();
            let times = if random.below(20) == 0 { 200 } else { 1 };
            lines.splice(place..place, std::iter::repeat_n(line, times));
        }
        2 => {
            let with = random.below(lines.len());
            lines.swap(place, with);
        }
        3 => {
            let theirs = pieces(other, is_end);
            if !theirs.is_empty() {
                lines.insert(place, theirs[random.below(theirs.len())].clone());
            }
        }
        _ => {
            // The head of one file and the tail of another.
            let theirs = pieces(other, is_end);
            let cut = random.below(theirs.len() + 1);
            lines.truncate(place);
            lines.extend_from_slice(&theirs[cut..]);
        }
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lines_are_found() {
        assert_eq!(words(b"p cnf -3 (x_1)"), [(0, 1), (2, 5), (6, 8), (10, 13)]);
        assert_eq!(
            pieces(b"a\nb", |byte| byte == b'\n'),
            [b"a\n".to_vec(), b"b".to_vec()]
        );
    }

    #[test]
    fn changes_are_of_many_kinds() {
        let mut random = Random::new(7);
        let (file, other) = (b"p cnf 2 2\n1 2 0\n-1 0\n", b"p cnf 9 1\n7 8 9 0\n");
        let all: std::collections::BTreeSet<Vec<u8>> = (0..400)
            .map(|_| mutated(file, other, &mut random))
            .collect();
        assert!(all.len() > 150, "{}", all.len());
        for part in ["9223372036854775807", "7 8 9 0", "-1 0\n-1 0"] {
            let has = |bytes: &Vec<u8>| bytes.windows(part.len()).any(|it| it == part.as_bytes());
            assert!(all.iter().any(has), "{part}");
        }
        assert_eq!(mutated(b"", other, &mut random), other);
    }
}
