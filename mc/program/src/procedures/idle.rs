//! Words at the entry of procedures that have no effect: they are passed on to calls, and nothing else.

use std::collections::BTreeSet;

use craig_word::Term;

use super::Procedures;

/// The words at the entry on which neither the calls that are made, nor the end of any call, nor a word at its exit
/// depends. Conditions on them say nothing about a call.
pub(super) fn idle_words(problem: &Procedures) -> BTreeSet<Term> {
    let words = problem.procedures.iter();
    let mut idle: BTreeSet<Term> = words
        .flat_map(|procedure| procedure.entry.iter().map(|word| word.term))
        .collect();
    loop {
        let before = idle.len();
        for procedure in &problem.procedures {
            let body = &procedure.body;
            let mut roots = vec![body.returns, body.fails];
            roots.extend(&body.exit);
            for call in &body.calls {
                roots.push(call.guard);
                let callee = problem.procedures[call.callee].entry.iter();
                let passed = callee.zip(&call.entry);
                roots
                    .extend(passed.filter_map(|(word, &value)| {
                        (!idle.contains(&word.term)).then_some(value)
                    }));
            }
            for term in problem.terms.cone(&roots, |_| false) {
                idle.remove(&term);
            }
        }
        if idle.len() == before {
            return idle;
        }
    }
}
