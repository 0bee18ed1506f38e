//! Every choice of a derivation: its interpolants, sequences, labels and names.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use craig_aig::{Aig, Edge};
use craig_solver::proof::ProofDag;
use craig_solver::{Cnf, Label, Limits, Var};
use proptest::prelude::*;

use crate::choice::{Choice, Cut};
use crate::fixtures::{clauses_table, formulas, graph, occurs, refute, table};
use crate::labelling::VariableLabels;
use crate::proof_sensitive::{Occurrences, ProofSensitive};
use crate::prove::{NoRefutation, prove};
use crate::rule::Rule;
use crate::stop::{Stop, Stopped};
use crate::system::{Labelling, Side, System};
use crate::transform::Reduction;
use crate::verify::{CheckedSearch, Judge, NoAnswer};

/// Every choice that is not from a file; the last one has no sequences.
fn choices() -> Vec<Choice> {
    let rules = [
        Rule::from(System::McMillan),
        Rule::from(System::Symmetric),
        Rule::from(System::InverseMcMillan),
        Rule::RandomVariables(5),
        Rule::RandomStrong(5),
    ];
    let kinds = [
        ProofSensitive::Strong,
        ProofSensitive::Balanced,
        ProofSensitive::Weak,
    ];
    let mut all: Vec<Choice> = rules.map(Choice::from).to_vec();
    all.extend(kinds.map(Choice::from));
    all.extend([Choice::Clausewise, Choice::RandomOccurrences(5)]);
    all
}

/// Labels for all cuts, and labels that get weaker from cut to cut.
fn files() -> [Choice; 2] {
    let parse = |text: &str| VariableLabels::parse(text).unwrap();
    let alike = parse("1 a\n2 b\n3 ab\n");
    let weaker = "cut 0 1 b\ncut 1 1 ab\ncut 2 1 a\ncut 3 1 a\ncut 3 2 a\n";
    [("alike", alike), ("weaker", parse(weaker))]
        .map(|(name, labels)| Choice::Labels(name.to_owned(), labels))
}

/// A stop that asks for the end at question number `at`, and how often it was asked.
fn stop_at(at: usize) -> (Stop, Arc<AtomicUsize>) {
    let n_asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&n_asked);
    let stop = Stop::when(move || count.fetch_add(1, Ordering::Relaxed) >= at);
    (stop, n_asked)
}

#[test]
fn names_tell_choices_apart() {
    let all: Vec<Choice> = choices().into_iter().chain(files()).collect();
    let names: BTreeSet<String> = all.iter().map(Choice::name).collect();
    assert_eq!(names.len(), all.len(), "{names:?}");
    let other = Choice::from(Rule::RandomVariables(6));
    assert!(!names.contains(&other.name()));
    for name in ["pss", "ps", "psw", "random-5", "clausewise", "weaker"] {
        assert!(names.contains(name), "{name}");
    }
    for reduction in Reduction::EVERY {
        assert_eq!(Reduction::from_name(reduction.name()), Some(reduction));
    }
    assert_eq!(Reduction::from_name("none"), None);
    let stops = [Stop::never(), Stop::when(|| false)].map(|stop| format!("{stop:?}"));
    assert_eq!(stops, ["Stop(never)", "Stop"]);
}

/// The sequence of a choice as truth tables.
fn sequence(choice: &Choice, cnf: &Cnf, dag: &ProofDag, stop: &Stop) -> Result<Vec<u64>, Stopped> {
    let (mut aig, inputs) = graph();
    let leaf = &mut |_: usize, var: Var| inputs[var.index()];
    let edges = choice.sequence((cnf, dag), &[0, 1, 2, 3], &mut aig, leaf, stop)?;
    Ok(edges.iter().map(|&edge| table(&aig, edge)).collect())
}

/// The interpolant of a choice at a cut.
fn interpolant(choice: &Choice, at: &Cut<'_>) -> Result<(Aig, Edge), Stopped> {
    let (mut aig, inputs) = graph();
    let edge = choice.interpolant(at, &mut aig, &mut |var: Var| inputs[var.index()])?;
    Ok((aig, edge))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_choice_gives_interpolants_and_sequences(cnf in formulas(), number in 0..4_usize) {
        let Some(dag) = refute(&cnf, &[3, 1, 4, 0, 5, 2]) else {
            return Ok(());
        };
        let in_a = |label: Label| label <= number as Label;
        let [a, b] = [true, false].map(|side| clauses_table(&cnf, |label| in_a(label) == side));
        let at = Cut { cnf: &cnf, dag: &dag, in_a: &in_a, number, stop: &Stop::never() };
        for choice in choices().into_iter().chain(files()) {
            let (aig, edge) = interpolant(&choice, &at)?;
            prop_assert_eq!(a & !table(&aig, edge), 0, "{}", choice.name());
            prop_assert_eq!(b & table(&aig, edge), 0, "{}", choice.name());
            if matches!(choice, Choice::RandomOccurrences(_)) {
                continue;
            }
            let tables = sequence(&choice, &cnf, &dag, &Stop::never())?;
            let mut before = u64::MAX;
            for (cut, &here) in tables.iter().enumerate() {
                let step = clauses_table(&cnf, |label| label == cut as Label);
                prop_assert_eq!(before & step & !here, 0, "{} at {}", choice.name(), cut);
                before = here;
            }
            prop_assert_eq!(before & clauses_table(&cnf, |label| label > 3), 0, "{}", choice.name());
            // But for clauses, each element is the interpolant of its cut.
            if choice != Choice::Clausewise {
                prop_assert_eq!(tables[number], table(&aig, edge), "{}", choice.name());
            }
        }
    }

    /// The label that is told of a variable is the one that the labelling has.
    #[test]
    fn labels_are_those_of_the_labelling(cnf in formulas(), number in 0..4_usize) {
        let Some(dag) = refute(&cnf, &[0, 1, 2, 3, 4, 5]) else {
            return Ok(());
        };
        let in_a = |label: Label| label <= number as Label;
        let at = Cut { cnf: &cnf, dag: &dag, in_a: &in_a, number, stop: &Stop::never() };
        let counts = Occurrences::count(&dag, &Stop::never())?;
        for choice in choices().into_iter().chain(files()) {
            for index in 0..6 {
                let var = Var::new(index);
                let is_shared = occurs(&cnf, var, in_a) && occurs(&cnf, var, |it| !in_a(it));
                let told = choice.side(&counts, &in_a, number, var);
                let own: Result<Option<Side>, Stopped> = choice.with(&at, |labelling| {
                    Ok(match labelling {
                        Labelling::Uniform(System::McMillan) => Some(Side::B),
                        Labelling::Uniform(System::Symmetric) => Some(Side::Both),
                        Labelling::Uniform(System::InverseMcMillan) => Some(Side::A),
                        Labelling::Variables(side) => Some(side(var)),
                        Labelling::Occurrences(_) => None,
                    })
                });
                let own = own?.filter(|_| choice != Choice::Clausewise);
                if is_shared {
                    prop_assert_eq!(told, own, "{} {}", choice.name(), index);
                }
            }
        }
    }
}

/// Six pigeons in five holes, the clauses of each hole in a part of its own.
fn pigeons() -> Cnf {
    let var = |pigeon: usize, hole: usize| Var::new(5 * pigeon + hole);
    let mut cnf = Cnf::new();
    for pigeon in 0..6 {
        let clause: Vec<_> = (0..5).map(|hole| var(pigeon, hole).positive()).collect();
        cnf.add_labelled_clause(&clause, 0);
        for other in 0..pigeon {
            for hole in 0..5 {
                let both = [var(pigeon, hole), var(other, hole)];
                cnf.add_labelled_clause(&both.map(Var::negative), hole as Label);
            }
        }
    }
    cnf
}

/// Whether what a run gives is right; none if it was stopped.
type Run<'r> = &'r dyn Fn(&Stop) -> Option<bool>;

/// Whatever is stopped at any question has no answer, and is not asked again.
#[test]
fn what_is_stopped_at_any_time_has_no_answer() {
    let cnf = pigeons();
    let dag = prove(&cnf, 0, Limits::default(), &Stop::never()).unwrap();
    let easy = {
        let mut easy = Cnf::new();
        easy.add_labelled_clause(cnf.clause(0), 0);
        easy
    };
    let runs: [Run<'_>; 4] = [
        &|stop| match CheckedSearch.is_satisfiable(&cnf, stop) {
            Err(NoAnswer::Undecided) => None,
            other => Some(other == Ok(false)),
        },
        &|stop| match CheckedSearch.is_satisfiable(&easy, stop) {
            Err(NoAnswer::Undecided) => None,
            other => Some(other == Ok(true)),
        },
        &|stop| match prove(&cnf, 0, Limits::default(), stop) {
            Err(NoRefutation::Unknown) => None,
            other => Some(other.is_ok_and(|dag| dag.is_refutation())),
        },
        &|stop| {
            let (mut aig, mut inputs) = (Aig::new(), Vec::new());
            inputs.resize_with(cnf.n_vars(), || aig.add_input());
            let leaf = &mut |_: usize, var: Var| inputs[var.index()];
            let sequence = Choice::Clausewise.sequence((&cnf, &dag), &[0, 2], &mut aig, leaf, stop);
            sequence.ok().map(|edges| edges.len() == 2)
        },
    ];
    for (number, run) in runs.iter().enumerate() {
        let (never, n_asked) = stop_at(usize::MAX);
        assert_eq!(run(&never), Some(true), "{number}");
        let n_questions = n_asked.load(Ordering::Relaxed);
        // A search asks many times; all questions of the others, and some of it.
        for at in (0..n_questions).step_by(1 + n_questions / 60) {
            let (stop, _) = stop_at(at);
            assert_eq!(run(&stop), None, "{number}: {at} of {n_questions}");
        }
        let last = n_questions.saturating_sub(1);
        if n_questions > 0 {
            assert_eq!(run(&stop_at(last).0), None, "{number}: {last}");
        }
    }
}
