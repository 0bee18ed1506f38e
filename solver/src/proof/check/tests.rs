use craig_aig::Random;

use super::*;
use crate::lit::Lit;
use crate::proof::example::{lits, random_cnf, refute};
use crate::proof::sink::ClauseId;
use crate::proof::{Origin, ProofDag, ProofLog, ProofSink, Step};

/// A sink that keeps everything.
#[derive(Default)]
struct Steps(Vec<(ClauseId, Vec<Lit>, Option<Vec<ClauseId>>)>);

impl ProofSink for Steps {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit], _: u32) {
        self.0.push((id, lits.to_vec(), None));
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.0.push((id, lits.to_vec(), Some(antecedents.to_vec())));
    }

    fn deleted(&mut self, _: ClauseId, _: &[Lit]) {}
}

/// Runs all three checkers over refutations, and over refutations with one thing changed. The
/// changed ones may be right by luck, but then all that they derive follows from the formula.
#[test]
fn proofs_pass_and_mutations_are_caught() {
    let mut random = Random::new(7);
    let (mut n_refuted, mut n_caught) = (0, 0);
    for round in 0..400 {
        let n_vars = 3 + round % 8;
        let cnf = random_cnf(&mut random, n_vars, 5 * n_vars);
        let mut log = ProofLog::new();
        let seed = random.below(1 << 30) as u64 + 1;
        let Some(root) = refute(&cnf, &mut Random::new(seed), &mut log) else {
            continue;
        };
        n_refuted += 1;
        let mut sink = CheckingSink::new();
        let mut steps = Steps::default();
        refute(&cnf, &mut Random::new(seed), &mut sink);
        refute(&cnf, &mut Random::new(seed), &mut steps);
        assert_eq!(sink.finish(), Ok(()));
        assert!(sink.n_derived() > 0);
        let dag = log.trim(root);
        assert!(dag.is_refutation());
        assert_eq!(check_dag(&dag), Ok(()));
        assert_eq!(check_leaves(&dag, &cnf), Ok(()));
        assert_eq!(check_rup(&cnf, &steps), Ok(true));

        if mutate(&mut random, &mut steps).is_none() {
            continue;
        }
        let mut sink = CheckingSink::new();
        for (id, clause, antecedents) in &steps.0 {
            match antecedents {
                None => sink.original(*id, clause, 0),
                Some(antecedents) => sink.derived(*id, clause, antecedents),
            }
        }
        if check_rup(&cnf, &steps).is_ok() {
            assert!(all_follow(&cnf, &steps));
        }
        match sink.finish() {
            Ok(()) => assert!(all_follow(&cnf, &steps)),
            Err(_) => n_caught += 1,
        }
    }
    assert!(n_refuted > 200 && n_caught > 150, "{n_refuted} {n_caught}");
}

fn check_rup(cnf: &crate::Cnf, steps: &Steps) -> Result<bool, CheckError> {
    let mut checker = RupChecker::for_cnf(cnf)?;
    for (id, clause, antecedents) in &steps.0 {
        if let Some(antecedents) = antecedents {
            checker.derived(*id, clause, antecedents.iter().rev().copied())?;
        }
    }
    Ok(checker.is_refuted())
}

/// Drops, swaps or replaces an antecedent, or flips, drops or adds a literal.
fn mutate(random: &mut Random, steps: &mut Steps) -> Option<()> {
    let derived: Vec<_> = (0..steps.0.len())
        .filter(|&index| {
            steps.0[index]
                .2
                .as_ref()
                .is_some_and(|chain| chain.len() > 1)
        })
        .collect();
    let index = *derived.get(random.below(derived.len().max(1)))?;
    let (id, clause, antecedents) = &mut steps.0[index];
    let antecedents = antecedents.as_mut()?;
    let position = random.below(antecedents.len());
    match random.below(5) {
        0 => {
            antecedents.remove(position);
        }
        1 => antecedents[position] = 1 + random.below(*id as usize + 3) as u32,
        2 => clause.push(Lit::from_code(random.below(6) as u32)),
        3 => {
            clause.pop()?;
        }
        _ => {
            let lit = clause.first_mut()?;
            *lit = !*lit;
        }
    }
    Some(())
}

/// Whether every derived clause follows from the formula, by trying all assignments.
fn all_follow(cnf: &crate::Cnf, steps: &Steps) -> bool {
    let n_vars = cnf.n_vars();
    (0..1u32 << n_vars).all(|bits| {
        let assignment: Vec<_> = (0..n_vars).map(|v| bits >> v & 1 == 1).collect();
        !cnf.is_satisfied_by(&assignment)
            || steps.0.iter().all(|(_, clause, _)| {
                clause
                    .iter()
                    .any(|lit| assignment[lit.var().index()] != lit.is_negated())
            })
    })
}

#[test]
fn the_sink_names_what_is_wrong() {
    type Report = fn(&mut CheckingSink);
    let cases: [(Report, CheckError); 11] = [
        (|s| s.derived(9, &[], &[]), CheckError::NoAntecedent(9)),
        (
            |s| s.derived(9, &lits(&[2]), &[1, 8]),
            CheckError::UnknownClause { step: 9, clause: 8 },
        ),
        (
            |s| s.derived(9, &lits(&[1, 2]), &[1, 3]),
            CheckError::NoClash {
                step: 9,
                antecedent: 3,
            },
        ),
        (
            |s| s.derived(9, &[], &[1, 4]),
            CheckError::TwoClashes {
                step: 9,
                antecedent: 4,
                lit: lits(&[-2])[0],
            },
        ),
        (
            |s| s.derived(9, &lits(&[1]), &[1, 2]),
            CheckError::OtherClause(9),
        ),
        (
            |s| s.derived(9, &lits(&[2, 3]), &[1, 2]),
            CheckError::OtherClause(9),
        ),
        (
            |s| s.derived(9, &lits(&[1, 2]), &[1, 5]),
            CheckError::Tautology {
                step: 9,
                antecedent: 5,
            },
        ),
        (
            |s| s.derived(5, &lits(&[2]), &[1, 2]),
            CheckError::DuplicateClause(5),
        ),
        (|s| s.deleted(8, &[]), CheckError::DeletesUnknownClause(8)),
        (
            |s| s.deleted(1, &lits(&[1])),
            CheckError::DeletesOtherLiterals(1),
        ),
        (
            |s| {
                s.deleted(1, &lits(&[2, 1]));
                s.derived(9, &lits(&[2]), &[1, 2]);
            },
            CheckError::UnknownClause { step: 9, clause: 1 },
        ),
    ];
    for (report, error) in cases {
        let mut sink = CheckingSink::new();
        sink.original(1, &lits(&[1, 2]), 0);
        sink.original(2, &lits(&[-1, 2, 2]), 0);
        sink.original(3, &lits(&[4]), 0);
        sink.original(4, &lits(&[-1, -2]), 0);
        sink.original(5, &lits(&[1, -1]), 0);
        sink.derived(6, &lits(&[2]), &[1, 2]);
        sink.deleted(6, &lits(&[2]));
        assert_eq!(sink.finish(), Ok(()));
        report(&mut sink);
        assert_eq!(sink.finish(), Err(error));
    }
}

#[test]
fn hints_must_be_unit_until_the_conflict() {
    let mut checker = RupChecker::new(4);
    checker.original(1, &lits(&[1, 2])).unwrap();
    checker.original(2, &lits(&[-1, 2])).unwrap();
    checker.original(3, &lits(&[-2, 3, 3])).unwrap();
    checker.original(4, &lits(&[-2, -3])).unwrap();
    assert_eq!(
        checker.derived(5, &lits(&[2]), [1]),
        Err(CheckError::NoConflict(5))
    );
    assert_eq!(
        checker.derived(5, &[], [1]),
        Err(CheckError::NotUnit { step: 5, hint: 1 })
    );
    assert_eq!(
        checker.derived(5, &lits(&[2]), [1, 1, 2]),
        Err(CheckError::NotUnit { step: 5, hint: 1 })
    );
    assert_eq!(
        checker.derived(5, &lits(&[5]), [1]),
        Err(CheckError::UnknownVariable {
            clause: 5,
            lit: lits(&[5])[0]
        })
    );
    checker.derived(5, &lits(&[2]), [1, 2]).unwrap();
    checker.derived(6, &lits(&[4, -4]), []).unwrap();
    checker.deleted(1).unwrap();
    assert_eq!(checker.deleted(1), Err(CheckError::DeletesUnknownClause(1)));
    assert_eq!(
        checker.derived(7, &lits(&[2]), [1, 2]),
        Err(CheckError::UnknownClause { step: 7, clause: 1 })
    );
    assert!(!checker.is_refuted());
    checker.derived(7, &[], [5, 3, 4]).unwrap();
    assert!(checker.is_refuted());
}

#[test]
fn leaves_belong_to_the_formula_with_their_labels() {
    let mut cnf = crate::Cnf::new();
    cnf.add_labelled_clause(&lits(&[1, 2, 1]), 3);
    cnf.add_labelled_clause(&lits(&[-1]), 4);
    let mut dag = ProofDag::new();
    let first = dag.add_leaf(&lits(&[2, 1]), 3);
    let second = dag.add_leaf(&lits(&[-1]), 4);
    let step = Step {
        pivot: lits(&[1])[0],
        antecedent: second,
    };
    dag.add_chain(first, &[step]).unwrap();
    assert!(matches!(dag.origin(2), Origin::Chain { .. }));
    assert_eq!(check_leaves(&dag, &cnf), Ok(()));
    dag.add_leaf(&lits(&[-1]), 3);
    assert_eq!(check_leaves(&dag, &cnf), Err(CheckError::NoSuchLeaf(3)));
}

#[test]
fn a_refutation_ends_in_the_empty_clause() {
    let mut sink = CheckingSink::new();
    sink.original(1, &lits(&[1]), 0);
    sink.original(2, &lits(&[-1]), 1);
    sink.derived(3, &lits(&[]), &[1, 2]);
    assert_eq!(sink.finish(), Ok(()));
    assert!(sink.is_empty_clause(3));
    assert!(!sink.is_empty_clause(1) && !sink.is_empty_clause(4));
}
