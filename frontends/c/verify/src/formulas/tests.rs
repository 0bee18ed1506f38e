//! Tests of decisions and proofs: the size of formulas, and proofs without records.

use super::*;
use craig_c_exec::symbolic::Policy;
use craig_c_exec::symbolic::unwinding::{Caps, Unwinding};
use craig_mc::Alone;

/// A factor that is small on the paths to a product makes the product small: the proof is of sums of a few rows.
#[test]
fn products_by_bounded_factors_are_small() {
    let text = "unsigned long nondet_ulong(void); void reach_error(void);
        _Bool is_bounded(unsigned long n, unsigned long m) { _Bool small = m <= 2; _Bool few = n <= 1000; return small && few; }
        int main(void) { unsigned long n = nondet_ulong(), m = nondet_ulong(); __CPROVER_assume(is_bounded(n, m));
        if (n * m > 2000 || (m && n * m / m != n)) reach_error(); return 0; }";
    let program = crate::tests::program(text, craig_c_lang::types::DataModel::Lp64);
    let mut executor = Executor::new(&program).expect("an executor");
    let (position, state) = executor.start();
    let policy = Policy::Unwind {
        open: 1,
        closed: 1,
        recursion: 1,
        caps: Arc::new(Caps::new(&program, &Unwinding::default()).expect("no caps")),
    };
    let alone = Alone::new();
    let control = alone.control();
    let ran = executor.run(position, state, &policy, control.stop);
    ran.expect("it is executed");
    let error = disjunction(&mut executor.terms, &executor.log.errors);
    let mut decider = Formulas::new(control.stop);
    decider.edge(&executor.terms, error);
    assert!(decider.aig.n_nodes() < 4000, "{}", decider.aig.n_nodes());
    let found = decider.decide(&mut executor, error, None, control.stop);
    assert!(matches!(found, Decided::Refuted));
}

/// The records of the search are the proof; if they are dropped, there is one all the same.
#[test]
fn what_is_refuted_is_proved_with_and_without_records() {
    let mut terms = Terms::new();
    let [x, y] = [6, 6].map(|width| terms.variable(width));
    let (sum, apart, both) = (terms.add(x, y), terms.xor(x, y), terms.and(x, y));
    let twice = terms.add(both, both);
    let other = terms.add(apart, twice);
    let equal = terms.eq(sum, other);
    let differ = terms.not(equal);
    for (limit, is_kept) in [(1 << 20, true), (64, false)] {
        let alone = Alone::new();
        let control = alone.control();
        let mut decider = Formulas::with(Recorder::with_limit(limit), control.stop);
        let edge = decider.edge(&terms, differ);
        assert_ne!(edge, Edge::FALSE, "it is not known without a search");
        assert_eq!(decider.solve(edge), Answer::Unsatisfiable);
        assert_eq!(decider.solver.recorded().is_some(), is_kept);
        let proved = decider
            .prove(edge, control.stop)
            .expect("a proof that is right");
        let (cnf, dag) = proved.expect("a proof");
        assert_eq!(check::check_dag(&dag), Ok(()));
        assert_eq!(check::check_leaves(&dag, &cnf), Ok(()));
    }
}
