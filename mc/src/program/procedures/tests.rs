//! Small problems over words of 8 bits, without a program in C.

use craig_word::{Op, Terms};

use super::*;
use crate::control::Control;

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
    let control = Control::new();
    let mut search = Search::new(problem, "test", 3, &control);
    if !uses_templates {
        search = search.without_templates();
    }
    search.step(problem, &control).expect("nothing stops it")
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
