//! Abstractions of circuits with tiny memories, of which the exact circuit of bits is the judge.

use craig_aig::Random;
use craig_mc::Alone;
use craig_mc::engine::options::Settings;
use craig_mc::engine::registry;
use craig_mc::word_system::blast;
use craig_model::{Model, Verdict};

use super::{Abstraction, Address, MOST_EXACT_BITS, Replayed, TrackedWord};
use crate::btor2::certify::{certify, certify_with, witness_of};
use crate::btor2::evaluate::{first_bad_step, replay};
use crate::btor2::generate::random_circuit;
use crate::btor2::trace::{Step, Trace};
use crate::btor2::{Btor2, read, system_of, write};

fn model(text: &str) -> Btor2 {
    read(text.as_bytes(), "model").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn decide(model: &Model, engine: &str) -> Verdict {
    let engine = registry::find(engine).unwrap();
    (engine.build)(&Settings::default())(model, 0, Alone::new().control()).verdict
}

enum Answer {
    Safe(Btor2),
    Unsafe(Vec<Step>),
    Open,
}

/// The answer about the first bad, and the tracked words.
fn answer(circuit: &Btor2, most_bits: u64) -> (Answer, Vec<TrackedWord>) {
    let mut words = Vec::new();
    for _ in 0..8 {
        let Ok(abstraction) = Abstraction::new(circuit, 0, &words, most_bits) else {
            return (Answer::Open, words);
        };
        let bits = blast(&system_of(&abstraction.model)).unwrap();
        match decide(&bits.model, "pdr") {
            Verdict::Safe(certificate) => {
                let witness = witness_of(&abstraction.model, &bits, &certificate);
                let witness = abstraction.lift_witness(circuit, &witness);
                let mut bytes = Vec::new();
                write(&witness, &mut bytes).unwrap();
                let witness = model(std::str::from_utf8(&bytes).unwrap());
                return (Answer::Safe(witness), words);
            }
            Verdict::Unsafe(trace) => {
                let run = bits.lift(&trace.initial, &trace.inputs);
                match abstraction.replay(circuit, &run, most_bits) {
                    Ok(Replayed::Run(steps)) => return (Answer::Unsafe(steps), words),
                    Ok(Replayed::Spurious(word)) => {
                        assert!(!words.contains(&word));
                        words.push(word);
                    }
                    Err(_) => return (Answer::Open, words),
                }
            }
            Verdict::Unknown(_) => return (Answer::Open, words),
        }
    }
    (Answer::Open, words)
}

/// A random circuit about one or two memories of four words, registers and inputs of two bits.
fn with_memories(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text =
        "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 2\n4 zero 2\n5 one 2\n".to_owned();
    let mut last = 5;
    let mut line = |text: &mut String, parts: &str| -> usize {
        last += 1;
        *text += &format!("{last} {parts}\n");
        last
    };
    let mut words = vec![4, 5];
    let mut memories = Vec::new();
    let mut states = Vec::new();
    for _ in 0..1 + random.below(2) {
        let memory = line(&mut text, "state 3");
        if random.below(2) == 0 {
            let init = 4 + random.below(2);
            line(&mut text, &format!("init 3 {memory} {init}"));
        }
        memories.push(memory);
        states.push((memory, 3));
    }
    for _ in 0..2 + random.below(2) {
        let word = line(&mut text, "state 2");
        if random.below(3) > 0 {
            let init = 4 + random.below(2);
            line(&mut text, &format!("init 2 {word} {init}"));
        }
        words.push(word);
        states.push((word, 2));
    }
    for _ in 0..1 + random.below(2) {
        words.push(line(&mut text, "input 2"));
    }
    let mut bits = vec![line(&mut text, "input 1")];
    for _ in 0..4 + random.below(8) {
        let [x, y] = [0; 2].map(|_| words[random.below(words.len())]);
        let [m, n] = [0; 2].map(|_| memories[random.below(memories.len())]);
        let bit = bits[random.below(bits.len())];
        match random.below(8) {
            0 | 1 => words.push(line(&mut text, &format!("read 2 {m} {x}"))),
            2 | 3 => memories.push(line(&mut text, &format!("write 3 {m} {x} {y}"))),
            4 => memories.push(line(&mut text, &format!("ite 3 {bit} {m} {n}"))),
            5 => words.push(line(&mut text, &format!("or 2 {x} {y}"))),
            6 => bits.push(line(&mut text, &format!("eq 1 {x} {y}"))),
            _ if random.below(4) == 0 => bits.push(line(&mut text, &format!("neq 1 {m} {n}"))),
            _ => words.push(line(&mut text, &format!("ite 2 {bit} {x} {y}"))),
        }
    }
    for (state, sort) in states {
        let list = if sort == 3 { &memories } else { &words };
        let next = match random.below(6) {
            0 => state,
            1 if sort == 2 => continue,
            _ => list[list.len() - 1 - random.below(list.len().min(4))],
        };
        line(&mut text, &format!("next {sort} {state} {next}"));
    }
    let [x, y] = [0; 2].map(|_| words[words.len() - 1 - random.below(words.len().min(4))]);
    let differs = line(&mut text, &format!("ugt 1 {x} {y}"));
    let bit = bits[random.below(bits.len())];
    let both = line(&mut text, &format!("and 1 {differs} {bit}"));
    let bad = if random.below(2) == 0 { both } else { differs };
    line(&mut text, &format!("bad {bad}"));
    if random.below(4) == 0 {
        line(&mut text, &format!("constraint -{bit}"));
    }
    text
}

/// All arrays are abstracted, however small: no verdict differs from the exact one, proofs hold for the file,
/// and runs reach the bad on it.
#[test]
fn abstractions_of_tiny_memories_agree_with_the_exact_circuit() {
    let (mut n_safe, mut n_unsafe, mut n_refined, mut n_open) = (0, 0, 0, 0);
    for seed in 0..900 {
        let circuit = match seed % 3 {
            0 => model(&random_circuit(seed)),
            _ => model(&with_memories(seed)),
        };
        if circuit.bads.is_empty() {
            continue;
        }
        let exact = decide(&blast(&system_of(&circuit)).unwrap().model, "pdr");
        let (answer, words) = answer(&circuit, 0);
        n_refined += usize::from(!words.is_empty());
        match answer {
            Answer::Safe(witness) => {
                assert!(matches!(exact, Verdict::Safe(_)), "seed {seed}");
                assert_eq!(certify(&circuit, &[0], &witness), Ok(()), "seed {seed}");
                let symbolic = certify_with(&circuit, &[0], &witness, 0);
                assert_eq!(symbolic, Ok(()), "seed {seed}");
                n_safe += 1;
            }
            Answer::Unsafe(steps) => {
                assert!(matches!(exact, Verdict::Unsafe(_)), "seed {seed}");
                let trace = Trace {
                    steps,
                    ..Trace::default()
                };
                let values = replay(&circuit, &trace).unwrap();
                assert!(first_bad_step(&values, 0).is_some(), "seed {seed}");
                n_unsafe += 1;
            }
            Answer::Open => n_open += 1,
        }
    }
    assert!(
        n_safe > 100 && n_unsafe > 100 && n_refined > 50,
        "{n_safe} {n_unsafe} {n_refined}"
    );
    assert!(n_open * 5 < n_safe + n_unsafe, "{n_open}");
}

/// What was written at an address is read there, with 2^32 words of a byte.
const LARGE: &str = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n5 zero 3\n\
    6 state 4 memory\n7 state 2 watched\n8 next 2 7 7\n9 state 3 shadow\n10 zero 1\n11 state 1 is_known\n\
    12 init 1 11 10\n13 input 2 at\n14 input 3 data\n15 input 1 enable\n16 write 4 6 13 14\n17 ite 4 15 16 6\n\
    18 next 4 6 17\n19 eq 1 13 7\n20 and 1 19 15\n21 ite 3 20 14 9\n22 next 3 9 21\n23 or 1 11 20\n\
    24 next 1 11 23\n25 read 3 6 7\n26 neq 1 25 9\n27 and 1 26 11\n28 bad 27\n";

#[test]
fn a_large_memory_keeps_what_is_written() {
    let circuit = model(LARGE);
    let (answer, words) = answer(&circuit, MOST_EXACT_BITS);
    let Answer::Safe(witness) = answer else {
        panic!("no proof");
    };
    assert_eq!(words.len(), 1);
    assert_eq!(certify(&circuit, &[0], &witness), Ok(()));
    // The shadow follows another address.
    let wrong = model(&LARGE.replace("19 eq 1 13 7", "19 eq 1 13 -7"));
    assert!(certify(&wrong, &[0], &witness).is_err());
    let (found, _) = self::answer(&wrong, MOST_EXACT_BITS);
    assert!(matches!(found, Answer::Unsafe(_)));
}

/// All words are odd, and so is what was read two steps ago, at an address that is new in each step.
#[test]
fn reads_before_the_bad_are_tracked() {
    let text = "1 sort bitvec 1\n2 sort bitvec 40\n3 sort bitvec 4\n4 sort array 2 3\n5 one 3\n6 state 4 memory\n\
        7 init 4 6 5\n8 input 2 at\n9 input 2 other\n10 read 3 6 9\n11 input 3\n12 or 3 11 5\n\
        13 write 4 6 8 12\n14 next 4 6 13\n15 state 3 first\n16 init 3 15 5\n17 next 3 15 10\n\
        18 state 3 second\n19 init 3 18 5\n20 next 3 18 15\n21 slice 1 18 0 0\n22 bad -21\n";
    let circuit = model(text);
    let (found, words) = answer(&circuit, MOST_EXACT_BITS);
    let Answer::Safe(witness) = found else {
        panic!("no proof");
    };
    assert!(
        words
            .iter()
            .any(|word| matches!(word.address, Address::OfRead { delay: 2, .. })),
        "{words:?}"
    );
    assert_eq!(certify(&circuit, &[0], &witness), Ok(()));
    let wrong = model(&text.replace("12 or 3 11 5", "12 xor 3 11 5"));
    assert!(certify(&wrong, &[0], &witness).is_err());
    let (found, _) = answer(&wrong, MOST_EXACT_BITS);
    assert!(matches!(found, Answer::Unsafe(_)));
}
