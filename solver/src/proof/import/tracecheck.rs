//! Reading TraceCheck files.

use super::error::{Fault, ImportError, Place};
use super::input::Input;
use super::replay::{Replay, of_reasons};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::proof::check::CheckError;
use crate::proof::id_table::IdTable;
use crate::proof::{ChainError, ProofDag, VertexId};
use std::io::Read;

/// The refutation in a TraceCheck file as a DAG of resolutions, reduced to the steps that derive the empty
/// clause. Its leaves are clauses of `cnf` with their labels; if the formula contains a clause more than
/// once, its first occurrence counts.
///
/// Steps may be in any order, and so may the antecedents of a step, unless its literals are given as `*`:
/// then the antecedents are resolved in the given order.
///
/// # Errors
/// The first error in a needed step, or that the empty clause is never derived.
pub fn import_tracecheck(cnf: &Cnf, reader: impl Read) -> Result<ProofDag, ImportError> {
    let trace = Trace::read(cnf.n_vars(), reader)?;
    let root = trace.root().ok_or(ImportError::NoRefutation)?;
    let dag = trace.replay(cnf, root)?;
    if dag.is_refutation() {
        Ok(dag)
    } else {
        Err(ImportError::NoRefutation)
    }
}

/// The steps of a file, in its order.
#[derive(Default)]
struct Trace {
    /// For each step its literals' codes and the numbers of its antecedents.
    words: Vec<u32>,
    steps: Vec<Step>,
    /// Positions of steps, plus one.
    positions: IdTable,
}

struct Step {
    id: u32,
    /// Whether the literals are not given.
    is_open: bool,
    lits_end: u32,
    antecedents_end: u32,
    place: Place,
}

impl Trace {
    fn read(n_vars: usize, reader: impl Read) -> Result<Self, ImportError> {
        let mut input = Input::new(reader);
        let mut trace = Self::default();
        while input.skip_blanks_and_comments()?.is_some() {
            let number = input.decimal()?;
            let id = input.clause_number(number)?;
            if trace.positions.get(id) != 0 {
                return Err(input.fault(Fault::Duplicate(id)));
            }
            let is_open = input.skip_blanks()? == Some(b'*');
            if is_open {
                input.skip();
            } else {
                trace.lits(&mut input, n_vars)?;
            }
            let too_large = |_| ImportError::TooLarge;
            let lits_end = u32::try_from(trace.words.len()).map_err(too_large)?;
            loop {
                match input.decimal()? {
                    0 => break,
                    number => trace.words.push(input.clause_number(number)?),
                }
            }
            trace.steps.push(Step {
                id,
                is_open,
                lits_end,
                antecedents_end: u32::try_from(trace.words.len()).map_err(too_large)?,
                place: input.place(),
            });
            let position = u32::try_from(trace.steps.len()).map_err(too_large)?;
            trace.positions.insert(id, position);
        }
        Ok(trace)
    }

    fn lits(&mut self, input: &mut Input<impl Read>, n_vars: usize) -> Result<(), ImportError> {
        loop {
            match input.decimal()? {
                0 => return Ok(()),
                number => match Lit::from_dimacs(number) {
                    Some(lit) if lit.var().index() < n_vars => self.words.push(lit.code()),
                    _ => return Err(input.fault(Fault::UnknownVariable(number))),
                },
            }
        }
    }

    fn lits_of(&self, step: usize) -> Vec<Lit> {
        let start = match step {
            0 => 0,
            _ => self.steps[step - 1].antecedents_end,
        };
        let codes = &self.words[start as usize..self.steps[step].lits_end as usize];
        codes.iter().map(|&code| Lit::from_code(code)).collect()
    }

    fn antecedents(&self, step: usize) -> &[u32] {
        let Step {
            lits_end,
            antecedents_end,
            ..
        } = self.steps[step];
        &self.words[lits_end as usize..antecedents_end as usize]
    }

    fn position(&self, user: usize, id: u32) -> Result<usize, ImportError> {
        match self.positions.get(id) {
            0 => Err(ImportError::Syntax {
                place: self.steps[user].place,
                fault: Fault::UnknownClause(id),
            }),
            position => Ok(position as usize - 1),
        }
    }

    /// The first step that states the empty clause, or else the last step if it does not state its literals.
    fn root(&self) -> Option<usize> {
        let stated = (0..self.steps.len())
            .find(|&step| !self.steps[step].is_open && self.lits_of(step).is_empty());
        let last = self.steps.len().checked_sub(1);
        stated.or_else(|| last.filter(|&last| self.steps[last].is_open))
    }

    /// Adds the steps that `root` depends on, antecedents first.
    fn replay(&self, cnf: &Cnf, root: usize) -> Result<ProofDag, ImportError> {
        let known = sorted_clauses(cnf);
        let mut dag = ProofDag::new();
        let mut replay = Replay::default();
        let mut state = vec![State::New; self.steps.len()];
        // Open steps, each with the number of its antecedents visited so far.
        state[root] = State::Open;
        let mut path = vec![(root, 0)];
        while let Some((step, n_visited)) = path.last_mut() {
            let step = *step;
            if let Some(&id) = self.antecedents(step).get(*n_visited) {
                *n_visited += 1;
                let antecedent = self.position(step, id)?;
                match state[antecedent] {
                    State::New => {
                        state[antecedent] = State::Open;
                        path.push((antecedent, 0));
                    }
                    State::Open => return Err(ImportError::Cycle(id)),
                    State::Done(_) => {}
                }
            } else {
                let vertex = self.add(step, cnf, &known, &state, &mut dag, &mut replay)?;
                state[step] = State::Done(vertex);
                path.pop();
            }
        }
        if let State::Done(Some(vertex)) = state[root] {
            dag.set_root(vertex);
        }
        Ok(dag)
    }

    /// Adds one step whose antecedents have been added; `None` for a tautology.
    fn add(
        &self,
        step: usize,
        cnf: &Cnf,
        known: &[(Vec<Lit>, usize)],
        state: &[State],
        dag: &mut ProofDag,
        replay: &mut Replay,
    ) -> Result<Option<VertexId>, ImportError> {
        let Step {
            id, place, is_open, ..
        } = self.steps[step];
        let lits = self.lits_of(step);
        let mut hints: Vec<VertexId> = Vec::new();
        for &antecedent in self.antecedents(step) {
            if let State::Done(Some(vertex)) = state[self.position(step, antecedent)?] {
                hints.push(vertex);
            }
        }
        if self.antecedents(step).is_empty() && !is_open {
            let set = as_set(&lits);
            let index = known.partition_point(|(clause, _)| *clause < set);
            return match known.get(index) {
                Some((clause, original)) if *clause == set => {
                    let leaf = dag.try_add_leaf(&set, cnf.label(*original));
                    Ok(Some(leaf.map_err(|error| of_reasons(&error))?))
                }
                _ => Err(ImportError::Syntax {
                    place,
                    fault: Fault::NoSuchClause(id),
                }),
            };
        }
        let failed = |error| ImportError::Step { place, error };
        if is_open {
            let vertex = dag.add_antecedents(&hints);
            return vertex
                .map(Some)
                .map_err(|error| failed(as_check_error(id, &hints, &error)));
        }
        let chain = replay.chain(dag, id, &lits, &hints).map_err(failed)?;
        if chain.is_empty() {
            return Ok(None);
        }
        let vertex = dag.add_antecedents(chain);
        Ok(Some(vertex.map_err(|error| of_reasons(&error))?))
    }
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done(Option<VertexId>),
}

fn as_check_error(step: u32, hints: &[VertexId], error: &ChainError) -> CheckError {
    match *error {
        ChainError::TooLarge => CheckError::TooLarge,
        ChainError::Tautology { step: number, lit } => CheckError::TwoClashes {
            step,
            antecedent: hints[(number + 1).min(hints.len() - 1)],
            lit,
        },
        _ => CheckError::NoAntecedent(step),
    }
}

/// The clauses of a formula as sets, sorted, with their positions.
fn sorted_clauses(cnf: &Cnf) -> Vec<(Vec<Lit>, usize)> {
    let clauses = cnf.iter().enumerate();
    let mut known: Vec<_> = clauses
        .map(|(index, (clause, _))| (as_set(clause), index))
        .collect();
    known.sort_unstable();
    known
}

fn as_set(clause: &[Lit]) -> Vec<Lit> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}
