//! Small problems over words of 8 bits, without a program in C.

use craig_mc::Alone;
use craig_word::{Op, Terms};

use super::*;

/// `f(n) = n == 0 ? 0 : f(n - 1) + step`, called with any parameter behind an inlined first call; it fails where the
/// lowest bit of the result is set.
fn problem(step: u128) -> Procedures {
    let mut terms = Terms::new();
    let body = |terms: &mut Terms, n: Term| {
        let zero = terms.constant(0, 8);
        let is_base = terms.eq(n, zero);
        let guard = terms.not(is_base);
        let one = terms.constant(1, 8);
        let next = terms.binary(Op::Sub, n, one);
        let (returns, result) = (terms.variable(1), terms.variable(8));
        let step = terms.constant(step, 8);
        let sum = terms.binary(Op::Add, result, step);
        let value = terms.ite(is_base, zero, sum);
        let returned = terms.or(is_base, returns);
        let call = CallEdge {
            callee: 0,
            guard,
            entry: vec![next],
            returns,
            exit: vec![result],
        };
        (call, returned, value)
    };
    let word = |term: Term| SummaryWord {
        term,
        is_signed: false,
    };
    let (n, m, result) = (terms.variable(8), terms.variable(8), terms.variable(8));
    let (call, returns, value) = body(&mut terms, n);
    let low = terms.extract(value, 0, 1);
    let fails = terms.and(returns, low);
    let root = Body {
        calls: vec![call],
        returns: terms.boolean(false),
        exit: Vec::new(),
        fails,
        is_complete: true,
    };
    let (call, returns, value) = body(&mut terms, m);
    let procedure = Procedure {
        entry: vec![word(m)],
        exit: vec![word(result)],
        body: Body {
            calls: vec![call],
            returns,
            exit: vec![value],
            fails: terms.boolean(false),
            is_complete: true,
        },
    };
    Procedures {
        terms,
        root,
        procedures: vec![procedure],
        constants: vec![(step, 8)],
    }
}

/// The first result with calls nested at most so deep.
fn found(problem: &mut Procedures, uses_templates: bool) -> Found {
    let alone = Alone::new();
    let control = alone.control();
    let mut search = Search::new(problem, "test", 3, control.stop);
    if !uses_templates {
        search = search.without_templates();
    }
    search.step(problem, control).expect("nothing stops it")
}

/// Whether conditions hold for these values.
fn holds(problem: &Procedures, conditions: &[Term], entry: u128, exit: u128) -> bool {
    let procedure = &problem.procedures[0];
    let mut evaluator = craig_word::Evaluator::new(&problem.terms, |_, _| 0);
    evaluator.set(procedure.entry[0].term, entry);
    evaluator.set(procedure.exit[0].term, exit);
    conditions
        .iter()
        .all(|&condition| evaluator.value(condition) == 1)
}

/// All calls with their results satisfy the summary, and it excludes odd results of calls from the root.
#[test]
fn interpolants_and_templates_find_the_parity() {
    for uses_templates in [false, true] {
        let mut problem = problem(2);
        let Found::Summaries(summaries) = found(&mut problem, uses_templates) else {
            panic!("no summaries");
        };
        let Summary { requires, ensures } = &summaries[0];
        for n in 0..=255_u128 {
            let result = 2 * n % 256;
            assert!(holds(&problem, requires, n, 0), "{n}");
            assert!(holds(&problem, ensures, n, result), "{n}");
            // The root calls it where n < 255, and adds 2.
            let is_odd_excluded = !holds(&problem, ensures, n, 1) || n == 255;
            assert!(is_odd_excluded, "{n}");
        }
    }
}

/// An odd result is found at the depth at which it occurs.
#[test]
fn failures_have_no_summaries() {
    for uses_templates in [false, true] {
        let mut problem = problem(1);
        match found(&mut problem, uses_templates) {
            Found::Failure(1) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// The runs of the annotation end in the root's failure, and nest as deep as the failure needs; where no run fails,
/// the summaries are like those of the other search.
#[test]
fn annotation_finds_a_deep_failure() {
    // The root fails where the result is 40: 41 calls, each of which adds 1.
    let mut problem = problem(1);
    let Procedures { terms, root, .. } = &mut problem;
    let (call, forty) = (&root.calls[0], terms.constant(40, 8));
    let is_forty = terms.eq(call.exit[0], forty);
    let returned = terms.and(call.guard, call.returns);
    root.fails = terms.and(returned, is_forty);
    let alone = Alone::new();
    let control = alone.control();
    let mut annotation = Annotation::new(&problem, "test", control.stop);
    let runs = loop {
        match annotation.step(&mut problem, control) {
            Ok(Annotated::Bounded(fuel)) => assert!(fuel <= 60),
            Ok(Annotated::Run(found)) => break found.runs,
            other => panic!("{other:?}"),
        }
    };
    let last = runs.last().expect("there is a run of the root");
    assert_eq!(last.of, None);
    let (mut depth, mut run) = (0, last);
    while let [Some(next)] = run.calls[..] {
        assert_eq!(runs[next].of, Some(0));
        (depth, run) = (depth + 1, &runs[next]);
    }
    assert_eq!(depth, 41);
}

/// `f` may fail itself: `f(n)` fails at `n == 5`, and adds 2 otherwise.
#[test]
fn annotation_proves_that_calls_do_not_fail() {
    for bad in [5_u128, 6] {
        let mut problem = problem(2);
        // Parameters of odd numbers alone.
        let Procedures {
            terms,
            root,
            procedures,
            ..
        } = &mut problem;
        let (two, one) = (terms.constant(2, 8), terms.constant(1, 8));
        let entry = procedures[0].entry[0].term;
        let body = &mut procedures[0].body;
        body.calls[0].entry[0] = terms.binary(Op::Sub, entry, two);
        let value = terms.constant(bad, 8);
        body.fails = terms.eq(entry, value);
        let number = terms.variable(8);
        let double = terms.binary(Op::Mul, number, two);
        root.calls[0].guard = terms.boolean(true);
        root.calls[0].entry[0] = terms.binary(Op::Add, double, if bad == 5 { two } else { one });
        root.fails = terms.boolean(false);
        let alone = Alone::new();
        let control = alone.control();
        let mut annotation = Annotation::new(&problem, "test", control.stop);
        let found = loop {
            match annotation.step(&mut problem, control) {
                Ok(Annotated::Bounded(fuel)) => assert!(fuel <= 300),
                other => break other.expect("nothing stops it"),
            }
        };
        // Even parameters never meet 5, nor odd ones 6.
        let Annotated::Summaries(summaries) = found else {
            panic!("{bad}: {found:?}");
        };
        let requires = &summaries[0].requires;
        assert!(!requires.is_empty());
        for n in 0..=255_u128 {
            let is_made = n % 2 != bad % 2;
            assert!(!is_made || holds(&problem, requires, n, 0), "{n}");
        }
        assert!(!holds(&problem, requires, bad, 0));
    }
}

/// A small random number.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Bodies with two calls of each other over words of 4 bits, against all states that calls reach.
#[test]
fn annotation_agrees_with_all_runs_of_random_procedures() {
    let seed = std::env::var("CRAIG_TEST_SEED").map_or(1, |text| text.parse().unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed << 20));
    let (mut n_failing, mut n_safe) = (0, 0);
    for round in 0..40 {
        let mut problem = random_problem(&mut random);
        let expected = fails(&problem);
        let alone = Alone::new();
        let control = alone.control();
        let mut annotation = Annotation::new(&problem, "test", control.stop);
        let found = loop {
            match annotation.step(&mut problem, control) {
                Ok(Annotated::Bounded(fuel)) if fuel < 200 => {}
                other => break other.expect("nothing stops it"),
            }
        };
        match found {
            Annotated::Run(_) => assert!(expected, "{seed} {round}: a run that is none"),
            Annotated::Summaries(_) => assert!(!expected, "{seed} {round}: a run is missed"),
            Annotated::Bounded(_) => assert!(!expected, "{seed} {round}: a run is not found"),
            Annotated::TooMany => panic!("{seed} {round}: small problems have few labels"),
        }
        n_failing += u32::from(expected);
        n_safe += u32::from(!expected);
    }
    assert!(n_failing >= 5 && n_safe >= 5, "{n_failing}, {n_safe}");
}

const WIDTH: u32 = 4;

fn random_term(terms: &mut Terms, random: &mut Random, words: &[Term]) -> Term {
    let mut pick = |terms: &mut Terms| match random.below(4) {
        0 => terms.constant(u128::from(random.below(16)), WIDTH),
        _ => words[random.below(words.len() as u64) as usize],
    };
    let (left, right) = (pick(terms), pick(terms));
    match random.below(5) {
        0 => left,
        1 => terms.binary(Op::Add, left, right),
        2 => terms.binary(Op::Sub, left, right),
        3 => terms.binary(Op::And, left, right),
        _ => terms.binary(Op::Xor, left, right),
    }
}

fn random_condition(terms: &mut Terms, random: &mut Random, words: &[Term]) -> Term {
    let left = random_term(terms, random, words);
    let right = match random.below(2) {
        0 => terms.constant(u128::from(random.below(16)), WIDTH),
        _ => random_term(terms, random, words),
    };
    match random.below(3) {
        0 => terms.eq(left, right),
        1 => terms.ult(left, right),
        _ => {
            let equal = terms.eq(left, right);
            terms.not(equal)
        }
    }
}

/// A body with calls one after the other, each under a condition, and what it returns.
fn random_body(
    terms: &mut Terms,
    random: &mut Random,
    entry: &[Term],
    (n_procedures, n_calls): (u64, u64),
) -> Body {
    let mut words = entry.to_vec();
    if random.below(2) == 0 || words.is_empty() {
        words.push(terms.variable(WIDTH));
    }
    let mut alive = terms.boolean(true);
    let mut calls = Vec::new();
    for _ in 0..n_calls {
        let condition = random_condition(terms, random, &words);
        let guard = terms.and(alive, condition);
        let arguments = vec![
            random_term(terms, random, &words),
            random_term(terms, random, &words),
        ];
        let (returns, result) = (terms.variable(1), terms.variable(WIDTH));
        let skipped = terms.not(condition);
        let goes_on = terms.or(skipped, returns);
        alive = terms.and(alive, goes_on);
        let zero = terms.constant(0, WIDTH);
        let value = terms.ite(condition, result, zero);
        words.push(value);
        calls.push(CallEdge {
            callee: random.below(n_procedures) as usize,
            guard,
            entry: arguments,
            returns,
            exit: vec![result],
        });
    }
    let wrong = random_condition(terms, random, &words);
    let rare = random_condition(terms, random, &words);
    let mut fails = terms.and(wrong, rare);
    fails = terms.and(fails, alive);
    if random.below(3) != 0 {
        fails = terms.boolean(false);
    }
    let fine = terms.not(fails);
    Body {
        calls,
        returns: terms.and(alive, fine),
        exit: vec![random_term(terms, random, &words)],
        fails,
        is_complete: true,
    }
}

fn random_problem(random: &mut Random) -> Procedures {
    let mut terms = Terms::new();
    let n_procedures = 1 + random.below(2);
    let mut root = random_body(&mut terms, random, &[], (n_procedures, 1));
    root.exit = Vec::new();
    let mut procedures = Vec::new();
    for _ in 0..n_procedures {
        let word = |term: Term| SummaryWord {
            term,
            is_signed: false,
        };
        let entry = [terms.variable(WIDTH), terms.variable(WIDTH)];
        let n_calls = 1 + random.below(2);
        let body = random_body(&mut terms, random, &entry, (n_procedures, n_calls));
        procedures.push(Procedure {
            entry: entry.into_iter().map(word).collect(),
            exit: vec![word(terms.variable(WIDTH))],
            body,
        });
    }
    Procedures {
        terms,
        root,
        procedures,
        constants: Vec::new(),
    }
}

/// What calls can do, by procedure and entry: their exits, and whether they fail.
type Behaviour = Vec<Vec<(std::collections::BTreeSet<u128>, bool)>>;

/// Whether a run fails: all that calls can do is computed from that of their calls until nothing is new.
fn fails(problem: &Procedures) -> bool {
    let mut known: Behaviour = (problem.procedures.iter())
        .map(|_| vec![Default::default(); 256])
        .collect();
    loop {
        let mut has_changed = false;
        for (index, procedure) in problem.procedures.iter().enumerate() {
            for entry in 0..256_u128 {
                let values = [entry & 15, entry >> 4];
                let words: Vec<(Term, u128)> = (procedure.entry.iter())
                    .map(|word| word.term)
                    .zip(values)
                    .collect();
                let found = behaviour(problem, &procedure.body, &words, &known);
                let own = &mut known[index][entry as usize];
                has_changed |= found.1 && !own.1 || !found.0.is_subset(&own.0);
                own.0.extend(found.0);
                own.1 |= found.1;
            }
        }
        if !has_changed {
            return behaviour(problem, &problem.root, &[], &known).1;
        }
    }
}

/// What one body can do where its calls do what is known.
fn behaviour(
    problem: &Procedures,
    body: &Body,
    entry: &[(Term, u128)],
    known: &Behaviour,
) -> (std::collections::BTreeSet<u128>, bool) {
    let mut found = (std::collections::BTreeSet::new(), false);
    // Variables that are no entry and no exit of a call are inputs: there is at most one.
    let mut all = vec![body.returns, body.fails];
    all.extend(body.exit.iter().copied());
    for call in &body.calls {
        all.push(call.guard);
        all.extend(call.entry.iter().copied());
    }
    let of_calls = |term: Term| {
        let mut calls = body.calls.iter();
        calls.any(|call| call.returns == term || call.exit.contains(&term))
    };
    let inputs: Vec<Term> = (problem.terms.cone(&all, |_| false).into_iter())
        .filter(|&term| matches!(problem.terms.node(term), craig_word::Node::Var(_)))
        .filter(|&term| !of_calls(term) && !entry.iter().any(|&(own, _)| own == term))
        .collect();
    assert!(inputs.len() <= 1);
    for input in 0..16 {
        let mut words = entry.to_vec();
        words.extend(inputs.iter().map(|&term| (term, input)));
        let mut open = vec![(0, words)];
        while let Some((place, words)) = open.pop() {
            let mut evaluator = craig_word::Evaluator::new(&problem.terms, |_, _| 0);
            for &(term, value) in &words {
                evaluator.set(term, value);
            }
            let Some(call) = body.calls.get(place) else {
                found.1 |= evaluator.value(body.fails) == 1;
                if evaluator.value(body.returns) == 1
                    && let Some(&exit) = body.exit.first()
                {
                    found.0.insert(evaluator.value(exit));
                }
                continue;
            };
            if evaluator.value(call.guard) == 0 {
                open.push((place + 1, words));
                continue;
            }
            let arguments = evaluator.value(call.entry[0]) | evaluator.value(call.entry[1]) << 4;
            let (exits, can_fail) = &known[call.callee][arguments as usize];
            found.1 |= can_fail;
            for &exit in exits {
                let mut next = words.clone();
                next.extend([(call.returns, 1), (call.exit[0], exit)]);
                open.push((place + 1, next));
            }
        }
    }
    found
}

/// A word that is passed on and nothing else is idle, one that decides whether a call is made is not.
#[test]
fn words_without_effect_are_idle() {
    let mut problem = problem(2);
    let Procedures {
        terms, procedures, ..
    } = &mut problem;
    let (first, second) = (terms.variable(8), terms.variable(8));
    let word = |term: Term| SummaryWord {
        term,
        is_signed: false,
    };
    let own = &mut procedures[0];
    own.entry.extend([word(first), word(second)]);
    // They are exchanged in each call.
    own.body.calls[0].entry.extend([second, first]);
    let zero = terms.constant(0, 8);
    problem.root.calls[0].entry.extend([zero, zero]);
    let idle = idle::idle_words(&problem);
    assert_eq!(idle.into_iter().collect::<Vec<Term>>(), [first, second]);
    let own = &mut problem.procedures[0];
    own.body.exit[0] = problem.terms.binary(Op::Add, own.body.exit[0], second);
    assert!(idle::idle_words(&problem).is_empty());
}

/// Calls that are evaluated do what the procedure does, and the equality that is fitted to them holds of all.
#[test]
fn samples_are_calls_and_equalities_fit_them() {
    let mut problem = problem(3);
    let alone = Alone::new();
    let control = alone.control();
    let samples = samples::samples(&problem, control.stop);
    assert!(samples[0].len() > 10);
    for (entry, exit) in &samples[0] {
        assert_eq!(exit[0], 3 * entry[0] % 256);
    }
    let candidates = fitted::candidates(&mut problem, control.stop);
    let entry = problem.procedures[0].entry[0].term;
    let exit = problem.procedures[0].exit[0].term;
    let three = problem.terms.constant(3, 8);
    let product = problem.terms.mul(entry, three);
    let wanted = problem.terms.eq(exit, product);
    let is_wanted = |candidate: &inductive::Candidate| {
        let condition = candidate.condition;
        let same =
            [(0, 0), (1, 3), (100, 44), (200, 88), (5, 14)]
                .iter()
                .all(|&(before, behind)| {
                    let mut evaluator = craig_word::Evaluator::new(&problem.terms, |_, _| 0);
                    evaluator.set(entry, before);
                    evaluator.set(exit, behind);
                    evaluator.value(condition) == evaluator.value(wanted)
                });
        candidate.kind == inductive::Kind::Ensures && same
    };
    assert!(candidates.iter().any(is_wanted));
}
