//! SHA-256 (FIPS 180-4), which identifies programs in witnesses and test suites.

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
fn constants() -> [u32; 64] {
    let mut constants = [0; 64];
    for (constant, prime) in constants.iter_mut().zip(primes()) {
        *constant = fraction(prime, 3);
    }
    constants
}

fn primes() -> impl Iterator<Item = u128> {
    (2u128..).filter(|&number| {
        (2..number)
            .take_while(|d| d * d <= number)
            .all(|d| number % d != 0)
    })
}

/// The first 32 bits of the fractional part of a number's root: the low bits of the largest integer whose
/// power is at most the number, scaled.
fn fraction(number: u128, degree: u32) -> u32 {
    let scaled = number << (32 * degree);
    let (mut low, mut high) = (0u128, 1u128 << 37);
    while low + 1 < high {
        let middle = u128::midpoint(low, high);
        if middle
            .checked_pow(degree)
            .is_some_and(|power| power <= scaled)
        {
            low = middle;
        } else {
            high = middle;
        }
    }
    low as u32
}

/// The hash of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let constants = constants();
    let mut state = [0u32; 8];
    for (word, prime) in state.iter_mut().zip(primes()) {
        *word = fraction(prime, 2);
    }
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for chunk in message.chunks_exact(64) {
        compress(&mut state, chunk, &constants);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn compress(state: &mut [u32; 8], chunk: &[u8], constants: &[u32; 64]) {
    let mut schedule = [0u32; 64];
    for (word, bytes) in schedule.iter_mut().zip(chunk.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for index in 16..64 {
        let (early, late) = (schedule[index - 15], schedule[index - 2]);
        let small0 = early.rotate_right(7) ^ early.rotate_right(18) ^ early >> 3;
        let small1 = late.rotate_right(17) ^ late.rotate_right(19) ^ late >> 10;
        schedule[index] = schedule[index - 16]
            .wrapping_add(small0)
            .wrapping_add(schedule[index - 7])
            .wrapping_add(small1);
    }
    let mut work = *state;
    for (&word, &constant) in schedule.iter().zip(constants) {
        let [a, b, c, d, e, f, g, h] = work;
        let large1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let first = h
            .wrapping_add(large1)
            .wrapping_add(choice)
            .wrapping_add(constant)
            .wrapping_add(word);
        let large0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b ^ a & c ^ b & c;
        let second = large0.wrapping_add(majority);
        work = [
            first.wrapping_add(second),
            a,
            b,
            c,
            d.wrapping_add(first),
            e,
            f,
            g,
        ];
    }
    for (word, own) in state.iter_mut().zip(work) {
        *word = word.wrapping_add(own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_are_those_of_the_standard() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            sha256(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        // Two blocks.
        assert_eq!(
            sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }
}
