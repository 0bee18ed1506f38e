//! Decides a formula by a search with the requested recording of its proof.
//!
//! The solver is generic over its [`ProofSink`]. It is instantiated here, once for each way of recording, and
//! not in the crate that calls [`decide`], which reduces that crate's compile time.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};

use craig_solver::cdcl::Statistics;
use craig_solver::parallel::cubes::Tally;
use craig_solver::parallel::{ParallelError, Worker};
use craig_solver::proof::check::{CheckError, CheckingSink};
use craig_solver::proof::drat::DratWriter;
use craig_solver::proof::lrat::LratWriter;
use craig_solver::proof::tracecheck::TracecheckWriter;
use craig_solver::proof::{ClauseId, NoProof, ProofDag, ProofLog, ProofSink, Traced, TrimError};
use craig_solver::{Answer, Cnf, Limits, Lit, Options, Solver, UnknownReason, Var};

use crate::refutation::RefutationFile;

/// The recording of a proof.
pub enum Recording<'w> {
    /// Nothing: recording is compiled away.
    Nothing,
    /// Keeps it in memory.
    Memory,
    /// Each step is checked when it is made, by a checker that shares no code with the search.
    Checked,
    /// Writes each step when it is made.
    File(RefutationFile<'w>),
}

/// The proof after a search.
#[derive(Debug)]
pub enum Recorded {
    /// None, or the formula has no refutation, or a literal and its negation fail, which needs none.
    Nothing,
    /// The part of the proof on which its end depends: the empty clause, or that of the negated failed assumptions.
    Refutation(ProofDag),
    /// The number of steps, each of which was accepted.
    Checked(u64),
    /// The file holds all steps. They are a refutation if the answer is [`Answer::Unsatisfiable`].
    Written,
    /// The file could not be written, for this reason. The answer does not depend on it.
    Lost(io::Error),
}

/// The result of a search.
#[derive(Debug)]
pub struct Decision {
    /// The answer.
    pub answer: Answer,
    /// The values of the variables of clauses and assumptions, by number; of a satisfiable formula.
    pub model: Vec<bool>,
    /// Assumptions that can't hold together, of a formula that is unsatisfiable under assumptions only.
    pub failed: Vec<Lit>,
    /// Why there is no answer.
    pub reason: Option<UnknownReason>,
    /// The counters of the search.
    pub statistics: Statistics,
    /// The size of the clauses at the end, in bytes.
    pub clause_bytes: usize,
    /// The proof.
    pub recorded: Recorded,
    /// The searches, if there was more than one.
    pub workers: Vec<Worker>,
    /// What has become of the cubes, if the formula was split.
    pub cubes: Option<Tally>,
}

/// Why a search has no proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecideError {
    /// The proof in memory has no refutation although the answer is unsatisfiable: an internal failure.
    #[error(transparent)]
    Trim(#[from] TrimError),
    /// The checker rejected a step: an internal failure.
    #[error(transparent)]
    Rejected(#[from] CheckError),
    /// The checker accepted all steps, but the last one is neither the empty clause nor that of the negated failed
    /// assumptions: an internal failure.
    #[error("the proof does not end in the empty clause, nor in negated failed assumptions")]
    NotARefutation,
    /// Several searches have failed.
    #[error(transparent)]
    Parallel(#[from] ParallelError),
    /// The formula has more clauses than the format can number.
    #[error("the formula has too many clauses for LRAT")]
    TooManyClauses,
}

impl DecideError {
    /// Whether this is an error of this program, and not of the input or the output.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        match self {
            Self::TooManyClauses => false,
            Self::Parallel(error) => !matches!(error, ParallelError::Thread(_)),
            _ => true,
        }
    }
}

/// What is asked of a formula.
#[derive(Clone, Debug)]
pub struct Question {
    /// The options of the search.
    pub options: Options,
    /// Limits on the search.
    pub limits: Limits,
    /// What is assumed. A proof then ends in the clause of negated failed assumptions.
    pub assumptions: Vec<Lit>,
}

impl Default for Question {
    /// Without assumptions and limits; equal variables are merged and variables are eliminated, as no clause follows.
    fn default() -> Self {
        Self {
            options: Options {
                congruence: true,
                sweep: true,
                eliminate: true,
                ..Options::default()
            },
            limits: Limits::default(),
            assumptions: Vec::new(),
        }
    }
}

/// Decides the formula as [`decide_question`] with the default question.
///
/// # Errors
/// If there is no proof, see [`DecideError`].
pub fn decide(cnf: &Cnf, recording: Recording<'_>, watch: &Watch) -> Result<Decision, DecideError> {
    decide_question(cnf, &Question::default(), recording, watch)
}

/// Decides the formula, until `interrupt` is set. Clause number `i` gets label `i`.
///
/// # Errors
/// If there is no proof, see [`DecideError`].
pub fn decide_question(
    cnf: &Cnf,
    question: &Question,
    recording: Recording<'_>,
    watch: &Watch,
) -> Result<Decision, DecideError> {
    match recording {
        Recording::Nothing => Ok(search(cnf, question, NoProof, watch).decision(Recorded::Nothing)),
        Recording::Memory => {
            let found = search(cnf, question, ProofLog::new(), watch);
            let recorded = match found.refutation {
                Some(root) => Recorded::Refutation(found.proof.try_trim(root)?),
                None => Recorded::Nothing,
            };
            Ok(found.decision(recorded))
        }
        Recording::Checked => {
            let mut checker = CheckingSink::new();
            let found = search(cnf, question, Traced::new(&mut checker), watch).without_proof();
            checker.finish()?;
            if found.answer == Answer::Unsatisfiable
                && !ends_in_failed(&checker, found.refutation, &found.failed)
            {
                return Err(DecideError::NotARefutation);
            }
            let recorded = Recorded::Checked(checker.n_derived());
            Ok(found.decision(recorded))
        }
        Recording::File(file) => decide_to_file(cnf, question, file, watch),
    }
}

/// Whether the proof ends in the clause of the negated failed assumptions, which is empty if there are none. A literal and its
/// negation among them fail without a proof.
pub(crate) fn ends_in_failed(
    checker: &CheckingSink,
    end: Option<ClauseId>,
    failed: &[Lit],
) -> bool {
    match (end, failed) {
        (None, &[first, second]) => first == !second,
        (None, _) => false,
        (Some(id), _) => {
            let negated: Vec<Lit> = failed.iter().map(|&lit| !lit).collect();
            checker.is_clause(id, &negated)
        }
    }
}

/// What other threads share with a search.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Ends the search when it is set.
    pub interrupt: Arc<AtomicBool>,
    /// The conflicts so far.
    pub conflicts: Arc<AtomicU64>,
    /// All counters of the search at its last restart.
    pub counters: Arc<Mutex<Statistics>>,
}

/// Decides the formula and writes the proof during the search.
fn decide_to_file(
    cnf: &Cnf,
    question: &Question,
    file: RefutationFile<'_>,
    watch: &Watch,
) -> Result<Decision, DecideError> {
    use crate::refutation::RefutationFormat::{Drat, Lrat, Tracecheck};

    let RefutationFile {
        format,
        encoding,
        output: writer,
    } = file;
    let (found, written) = match format {
        // A search for DRAT collects no antecedents.
        Drat => {
            let (found, writer) =
                search(cnf, question, DratWriter::new(writer, encoding), watch).split();
            (found, writer.finish().map(drop))
        }
        Lrat => {
            let n_clauses =
                u32::try_from(cnf.n_clauses()).map_err(|_| DecideError::TooManyClauses)?;
            let mut writer = LratWriter::new(writer, encoding, n_clauses);
            let found = search(cnf, question, Traced::new(&mut writer), watch).without_proof();
            (found, writer.finish().map(drop))
        }
        Tracecheck => {
            let mut writer = TracecheckWriter::new(writer);
            let found = search(cnf, question, Traced::new(&mut writer), watch).without_proof();
            (found, writer.finish().map(drop))
        }
    };
    let recorded = match written {
        Ok(()) => Recorded::Written,
        Err(error) => Recorded::Lost(error),
    };
    Ok(found.decision(recorded))
}

/// The result of a search, with the sink.
struct Found<P> {
    answer: Answer,
    model: Vec<bool>,
    failed: Vec<Lit>,
    reason: Option<UnknownReason>,
    statistics: Statistics,
    clause_bytes: usize,
    refutation: Option<ClauseId>,
    proof: P,
}

impl<P> Found<P> {
    fn split(self) -> (Found<()>, P) {
        let Self {
            answer,
            model,
            failed,
            reason,
            statistics,
            clause_bytes,
            refutation,
            proof,
        } = self;
        (
            Found {
                answer,
                model,
                failed,
                reason,
                statistics,
                clause_bytes,
                refutation,
                proof: (),
            },
            proof,
        )
    }

    fn without_proof(self) -> Found<()> {
        self.split().0
    }

    fn decision(self, recorded: Recorded) -> Decision {
        Decision {
            answer: self.answer,
            model: self.model,
            failed: self.failed,
            reason: self.reason,
            statistics: self.statistics,
            clause_bytes: self.clause_bytes,
            recorded,
            workers: Vec::new(),
            cubes: None,
        }
    }
}

fn search<P: ProofSink>(cnf: &Cnf, question: &Question, sink: P, watch: &Watch) -> Found<P> {
    let mut solver = Solver::with_proof(question.options.clone(), sink);
    solver.set_limits(question.limits);
    solver.set_interrupt(Arc::clone(&watch.interrupt));
    solver.set_progress(Arc::clone(&watch.conflicts));
    solver.set_counters(Arc::clone(&watch.counters));
    solver.reserve_vars(cnf.n_vars());
    for (index, (clause, _)) in cnf.iter().enumerate() {
        // The flag stays set, so the call below ends without an answer.
        if index % 4096 == 0 && solver.is_asked_to_stop() {
            break;
        }
        solver.add_labelled_clause(clause, index as u32);
    }
    for lit in &question.assumptions {
        solver.reserve_vars(lit.var().index() + 1);
    }
    solver.close_variables();
    let answer = solver.solve(&question.assumptions);
    let assumed = question.assumptions.iter().map(|lit| lit.var().index() + 1);
    let n_vars = cnf.n_vars().max(assumed.max().unwrap_or(0));
    let value = |index| solver.value(Var::new(index).positive()).unwrap_or(false);
    Found {
        answer,
        model: match answer {
            Answer::Satisfiable => (0..n_vars).map(value).collect(),
            _ => Vec::new(),
        },
        failed: solver.failed_assumptions().to_vec(),
        reason: solver.unknown_reason(),
        statistics: *solver.statistics(),
        clause_bytes: solver.clause_bytes(),
        refutation: solver.refutation(),
        proof: solver.into_proof(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimacs;
    use crate::refutation::{ENCODINGS, FORMATS};

    /// Two pigeons in one hole, and a formula with the model "first false, second true".
    const FORMULAS: [(&str, Answer); 2] = [
        ("p cnf 2 3\n1 0\n2 0\n-1 -2 0\n", Answer::Unsatisfiable),
        ("p cnf 2 2\n1 2 0\n-1 0\n", Answer::Satisfiable),
    ];

    fn run(text: &str, recording: Recording<'_>) -> Decision {
        let cnf = dimacs::read(&mut text.as_bytes(), "formula").unwrap();
        decide(&cnf, recording, &Watch::default()).unwrap()
    }

    #[test]
    fn each_way_of_recording_finds_the_answer_and_keeps_what_it_should() {
        for (text, answer) in FORMULAS {
            let is_unsatisfiable = answer == Answer::Unsatisfiable;
            let nothing = run(text, Recording::Nothing);
            assert_eq!(nothing.answer, answer);
            assert!(matches!(nothing.recorded, Recorded::Nothing));
            if !is_unsatisfiable {
                assert_eq!(nothing.model, [false, true]);
            }
            let memory = run(text, Recording::Memory);
            assert_eq!(memory.answer, answer);
            assert_eq!(
                matches!(memory.recorded, Recorded::Refutation(_)),
                is_unsatisfiable
            );
            let checked = run(text, Recording::Checked);
            assert_eq!(checked.answer, answer);
            assert!(matches!(checked.recorded, Recorded::Checked(n) if n > 0 || !is_unsatisfiable));
            for format in FORMATS {
                for encoding in ENCODINGS {
                    let mut bytes = Vec::new();
                    let file = RefutationFile {
                        format,
                        encoding,
                        output: &mut bytes,
                    };
                    let written = run(text, Recording::File(file));
                    assert_eq!(written.answer, answer);
                    assert!(matches!(written.recorded, Recorded::Written));
                    assert!(!bytes.is_empty() || !is_unsatisfiable, "{format:?}");
                }
            }
        }
    }

    #[test]
    fn a_checked_proof_ends_in_the_negated_failed_assumptions() {
        let lits = |numbers: &[i64]| -> Vec<Lit> {
            let lits = numbers.iter().map(|&number| Lit::from_dimacs(number));
            lits.collect::<Option<_>>().unwrap()
        };
        let cnf = dimacs::read(&mut "p cnf 3 2\n-1 2 0\n-2 -3 0\n".as_bytes(), "formula").unwrap();
        for assumptions in [&[1, 3][..], &[3, 1], &[2, -2]] {
            let question = Question {
                assumptions: lits(assumptions),
                ..Question::default()
            };
            let watch = Watch::default();
            let checked = decide_question(&cnf, &question, Recording::Checked, &watch).unwrap();
            assert_eq!(checked.answer, Answer::Unsatisfiable);
            assert_eq!(checked.failed.len(), 2);
        }
        let question = |numbers: &[i64]| Question {
            assumptions: lits(numbers),
            ..Question::default()
        };
        let keep = |numbers: &[i64]| {
            let watch = Watch::default();
            decide_question(&cnf, &question(numbers), Recording::Memory, &watch).unwrap()
        };
        let Recorded::Refutation(proof) = keep(&[1, 3]).recorded else {
            panic!("the proof is kept");
        };
        let mut end = proof.clause(proof.root().unwrap()).to_vec();
        end.sort_unstable();
        assert_eq!(end, lits(&[-1, -3]));
        assert!(matches!(keep(&[2, -2]).recorded, Recorded::Nothing));
        let mut checker = CheckingSink::new();
        checker.original(1, &lits(&[-1, -3]), 0);
        assert!(ends_in_failed(&checker, Some(1), &lits(&[3, 1])));
        for (end, failed) in [
            (Some(1), &[1][..]),
            (Some(1), &[1, -3]),
            (Some(1), &[]),
            (Some(2), &[1, 3]),
            (None, &[1, 3]),
            (None, &[]),
        ] {
            assert!(!ends_in_failed(&checker, end, &lits(failed)));
        }
        assert!(ends_in_failed(&checker, None, &lits(&[2, -2])));
    }

    #[test]
    fn a_full_disk_does_not_cost_the_answer() {
        struct Full;
        impl io::Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let cnf = dimacs::read(&mut FORMULAS[0].0.as_bytes(), "formula").unwrap();
        for format in FORMATS {
            let file = RefutationFile {
                format,
                encoding: ENCODINGS[0],
                output: &mut Full,
            };
            let found = decide(&cnf, Recording::File(file), &Watch::default()).unwrap();
            assert_eq!(found.answer, Answer::Unsatisfiable);
            assert!(matches!(found.recorded, Recorded::Lost(_)), "{format:?}");
        }
    }

    #[test]
    fn a_search_that_is_asked_to_stop_has_no_answer() {
        let cnf = dimacs::read(&mut FORMULAS[1].0.as_bytes(), "formula").unwrap();
        let watch = Watch {
            interrupt: Arc::new(AtomicBool::new(true)),
            ..Watch::default()
        };
        let decision = decide(&cnf, Recording::Memory, &watch).unwrap();
        assert_eq!(decision.answer, Answer::Unknown);
        assert!(matches!(decision.recorded, Recorded::Nothing));
    }
}
