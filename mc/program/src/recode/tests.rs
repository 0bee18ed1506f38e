//! Recoded automata, compared with explicit enumeration of the given ones' states.

use std::collections::{BTreeSet, HashMap, VecDeque};

use craig_aig::Random;
use craig_certify::{certify_certificate, certify_trace};
use craig_mc::Alone;
use craig_mc::engine::pdr;
use craig_model::Verdict;
use craig_word::Terms;

use super::*;
use crate::answer::Answer;
use crate::cfa::LocationId;
use crate::impact;
use crate::to_model::Bad;

const WIDTH: u32 = 3;

/// Three words and two inputs. The first word gets constants and copies, the second one inputs as well, and is compared
/// with constants alone; the third one is any.
fn machine(seed: u64) -> (Cfa, [Term; 3], [Term; 2]) {
    let random = &mut Random::new(seed);
    let mut terms = Terms::new();
    let words = [(); 3].map(|()| terms.variable(WIDTH));
    let inputs = [(); 2].map(|()| terms.variable(WIDTH));
    let mut cfa = Cfa::new(terms);
    for (word, name) in words.into_iter().zip(["few", "compared", "other"]) {
        cfa.add_word(word, name);
    }
    let n_inner = 1 + random.below(2);
    for number in 0..n_inner {
        cfa.add_location(format!("l{number}"), words.to_vec(), words.to_vec());
    }
    let constants = [0, 2, 3, 5, 7];
    let sources: Vec<LocationId> = cfa.sources().collect();
    for &source in &sources {
        let is_start = source == Cfa::START;
        let mut guards = vec![cfa.terms.boolean(true)];
        for _ in 0..1 + random.below(3) {
            let terms = &mut cfa.terms;
            let constant = terms.constant(constants[random.below(5)], WIDTH);
            let among = [words[0], words[1], inputs[0], words[2]];
            let left = if is_start {
                inputs[0]
            } else {
                among[random.below(4)]
            };
            let atom = match random.below(5) {
                0 => terms.ult(left, constant),
                1 => terms.slt(left, constant),
                2 => terms.ult(constant, left),
                3 if !is_start => terms.ult(words[0], words[2]),
                _ => terms.eq(left, constant),
            };
            let other = terms.not(atom);
            let last = guards.pop().expect("one is left");
            guards.push(terms.and(last, atom));
            guards.push(terms.and(last, other));
        }
        let mut targets: Vec<LocationId> = (guards.iter())
            .map(|_| match random.below(8) {
                0 if !is_start => Cfa::ERROR,
                1 if !is_start => Cfa::UNSUPPORTED,
                _ => sources[1 + random.below(n_inner)],
            })
            .collect();
        targets.sort_by_key(|&target| match target {
            Cfa::ERROR => 0,
            Cfa::UNSUPPORTED => 1,
            _ => 2,
        });
        for (&target, &guard) in targets.iter().zip(&guards) {
            let mut assignments = Vec::new();
            let is_inner = target != Cfa::ERROR && target != Cfa::UNSUPPORTED;
            for (place, &word) in words.iter().enumerate().filter(|_| is_inner) {
                if !is_start && random.below(3) == 0 {
                    continue;
                }
                let terms = &mut cfa.terms;
                let constant = terms.constant(constants[random.below(5)], WIDTH);
                let condition = terms.eq(inputs[0], constant);
                let one = terms.constant(1, WIDTH);
                let value = match (place, random.below(4)) {
                    (1, 0) => inputs[0],
                    (1, 1) => terms.ite(condition, constant, inputs[0]),
                    (2, 0) => inputs[1],
                    (2, 1) if !is_start => terms.add(words[2], words[0]),
                    (2, 2) if !is_start => terms.add(words[2], one),
                    (0, 0) if !is_start => terms.ite(condition, constant, words[0]),
                    _ => constant,
                };
                assignments.push(Assignment { word, value });
            }
            cfa.add_edge(source, target, guard, assignments);
        }
    }
    cfa.close_words();
    assert_eq!(cfa.check(), Ok(()));
    (cfa, words, inputs)
}

/// Whether the error, and the unsupported location, are reachable.
fn reached(cfa: &Cfa, words: [Term; 3], inputs: [Term; 2]) -> [bool; 2] {
    let mut seen = BTreeSet::from([(Cfa::START, [0; 3])]);
    let mut queue: VecDeque<(LocationId, [u128; 3])> = seen.iter().copied().collect();
    while let Some((location, state)) = queue.pop_front() {
        for choice in 0..1u128 << (2 * WIDTH) {
            let mut values: HashMap<Term, u128> = words.into_iter().zip(state).collect();
            values.insert(inputs[0], choice & 7);
            values.insert(inputs[1], choice >> WIDTH);
            for &edge in cfa.outgoing(location) {
                if let Some(after) = cfa.follow(edge, &values) {
                    let of = |word: Term| after.get(&word).copied().unwrap_or(0);
                    let next = (cfa.edge(edge).target, words.map(of));
                    if seen.insert(next) {
                        queue.push_back(next);
                    }
                }
            }
        }
    }
    [Cfa::ERROR, Cfa::UNSUPPORTED].map(|end| seen.iter().any(|state| state.0 == end))
}

#[test]
fn recoded_automata_have_the_same_verdicts() {
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for seed in 1..200 {
        let (mut given, words, inputs) = machine(seed);
        let [error, unsupported] = reached(&given, words, inputs);
        let mut recoded = given.recoded_as(true).expect("there are small domains");
        for (bad, is_reached) in [
            (Bad::Error, error),
            (Bad::ErrorOrUnsupported, error || unsupported),
        ] {
            let outer = given.to_model(bad);
            let inner = recoded.cfa.to_model(bad);
            let alone = Alone::new();
            let control = alone.control();
            match pdr::check(&inner.model, 0, &pdr::Options::default(), control).verdict {
                Verdict::Safe(certificate) => {
                    assert!(!is_reached, "{seed} {given}{}", recoded.cfa);
                    let lifted = recoded.certificate(&given, &outer, &inner, &certificate);
                    let lifted = lifted.expect("it has an image");
                    assert_eq!(
                        certify_certificate(&outer.model, 0, &lifted),
                        Ok(()),
                        "{seed} {given}{}",
                        recoded.cfa
                    );
                    n_safe += 1;
                }
                Verdict::Unsafe(trace) => {
                    assert!(is_reached, "{seed} {given}");
                    let lifted = recoded.trace(&outer, &inner, &trace);
                    assert!(
                        certify_trace(&outer.model, 0, &lifted).is_ok(),
                        "{seed} {given}"
                    );
                    n_unsafe += 1;
                }
                Verdict::Unknown(reason) => panic!("{reason}"),
            }
            let answer = impact::check(&recoded.cfa, bad, &impact::Options::default(), control);
            match answer {
                Answer::Safe(invariant) => {
                    let certificate = invariant.certificate(&recoded.cfa, &inner);
                    let lifted = recoded.certificate(&given, &outer, &inner, &certificate);
                    let lifted = lifted.expect("it has an image");
                    let checked = certify_certificate(&outer.model, 0, &lifted);
                    assert_eq!(checked, Ok(()), "{seed} {given}{}", recoded.cfa);
                    assert!(!is_reached);
                }
                Answer::Unsafe(run) => {
                    let run = recoded.run(&given, &run);
                    let run = run.expect("the given automaton allows it");
                    let last = run.path.last().map(|&edge| given.edge(edge).target);
                    let is_bad = last == Some(Cfa::ERROR)
                        || last == Some(Cfa::UNSUPPORTED) && bad == Bad::ErrorOrUnsupported;
                    assert!(is_reached && is_bad, "{seed} {given}");
                }
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
    }
    let counts = (n_safe, n_unsafe);
    assert!(n_safe > 30 && n_unsafe > 50, "{counts:?}");
}

/// A word with constants, one that gets an input and is compared, and one that is added to: two get indices.
#[test]
fn domains_are_found() {
    let mut terms = Terms::new();
    let [few, seen, other, input] = [(); 4].map(|()| terms.variable(32));
    let [low, high] = [8448, 8640].map(|value| terms.constant(value, 32));
    let is_low = terms.eq(few, low);
    let is_large = terms.slt(high, seen);
    let one = terms.constant(1, 32);
    let (next, more) = (terms.ite(is_low, high, low), terms.add(other, one));
    let guard = terms.or(is_low, is_large);
    let (yes, zero) = (terms.boolean(true), terms.constant(0, 32));
    let mut cfa = Cfa::new(terms);
    let words = [few, seen, other];
    for word in words {
        cfa.add_word(word, "word");
    }
    let head = cfa.add_location("head", words.to_vec(), words.to_vec());
    let assign = |values: [Term; 3]| {
        let pairs = words.into_iter().zip(values);
        pairs
            .map(|(word, value)| Assignment { word, value })
            .collect::<Vec<_>>()
    };
    cfa.add_edge(Cfa::START, head, yes, assign([low, zero, zero]));
    cfa.add_edge(head, head, guard, assign([next, input, more]));
    cfa.close_words();
    assert_eq!(cfa.check(), Ok(()));
    let found = domains(&cfa, false);
    assert_eq!(
        (found[&few].values.as_slice(), found[&few].is_exact),
        (&[0, 8448, 8640][..], true)
    );
    let intervals = [0, 8640, 8641, 1 << 31];
    assert_eq!(
        (found[&seen].values.as_slice(), found[&seen].is_exact),
        (&intervals[..], false)
    );
    assert_eq!(found[&input], found[&seen]);
    assert!(!found.contains_key(&other));
}
