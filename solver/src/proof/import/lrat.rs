//! Reading LRAT files, text and binary.

use super::error::{Fault, ImportError};
use super::input::Input;
use super::replay::{Replay, of_reasons};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::proof::check::{RatHint, RupChecker};
use crate::proof::id_table::IdTable;
use crate::proof::{ProofDag, VertexId};
use std::io::Read;

/// One step of an LRAT file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LratStep {
    /// Whether clauses are deleted; otherwise one is added.
    pub is_deletion: bool,
    /// The number of the added clause.
    pub id: u32,
    /// The literals of the added clause.
    pub lits: Vec<Lit>,
    /// The hints of the added clause in the order in which they propagate, or the deleted clauses.
    pub clauses: Vec<u32>,
    /// The clauses that a RAT step resolves with.
    pub candidates: Vec<RatHint>,
}

/// Reads the steps of an LRAT file one by one. The first byte determines whether the file is binary.
#[derive(Debug)]
pub struct LratReader<R> {
    input: Input<R>,
    /// The variables of the formula, and one for each addition so far if a RAT step may mention a new one.
    n_vars: usize,
    allows_rat: bool,
}

impl<R: Read> LratReader<R> {
    /// A reader of a proof about a formula over the first `n_vars` variables. It buffers its input.
    ///
    /// # Errors
    /// If the first byte can't be read.
    pub fn new(reader: R, n_vars: usize) -> Result<Self, ImportError> {
        let mut input = Input::new(reader);
        // No text file starts with either of these two bytes.
        input.is_binary = matches!(input.peek()?, Some(b'a' | b'd'));
        Ok(Self {
            input,
            n_vars,
            allows_rat: false,
        })
    }

    /// The reader, for which RAT steps and the variables that they define are no errors.
    #[must_use]
    pub fn allowing_rat(mut self) -> Self {
        self.allows_rat = true;
        self
    }

    /// Reads the next step into `step`; `false` at the end of the file.
    ///
    /// # Errors
    /// If the file can't be read or does not follow the format, with the place.
    pub fn next_step(&mut self, step: &mut LratStep) -> Result<bool, ImportError> {
        step.lits.clear();
        step.clauses.clear();
        step.candidates.clear();
        let first = if self.input.is_binary {
            self.input.peek()?
        } else {
            self.input.skip_blanks_and_comments()?
        };
        let Some(first) = first else {
            return Ok(false);
        };
        if self.input.is_binary {
            step.is_deletion = match first {
                b'a' => false,
                b'd' => true,
                _ => return Err(self.input.unexpected("'a' or 'd'")),
            };
            self.input.skip();
            if !step.is_deletion {
                step.id = self.clause_number()?;
            }
        } else {
            // The number of a deletion is that of the clause before it, which may be 0.
            let number = self.input.decimal()?;
            step.is_deletion = self.input.skip_blanks()? == Some(b'd');
            if step.is_deletion {
                self.input.skip();
            } else {
                step.id = self.input.clause_number(number)?;
            }
        }
        if !step.is_deletion {
            self.n_vars += usize::from(self.allows_rat);
            loop {
                match self.input.number()? {
                    0 => break,
                    number => step.lits.push(self.literal(number)?),
                }
            }
        }
        loop {
            match self.input.number()? {
                0 => return Ok(true),
                ..0 if !self.allows_rat => return Err(self.input.fault(Fault::RatStep)),
                number @ ..0 if !step.is_deletion => step.candidates.push(RatHint {
                    clause: self.input.clause_number(number.saturating_neg())?,
                    hints: Vec::new(),
                }),
                number => {
                    let clause = self.input.clause_number(number)?;
                    match step.candidates.last_mut() {
                        Some(candidate) => candidate.hints.push(clause),
                        None => step.clauses.push(clause),
                    }
                }
            }
        }
    }

    fn clause_number(&mut self) -> Result<u32, ImportError> {
        let number = self.input.number()?;
        self.input.clause_number(number)
    }

    fn literal(&self, number: i64) -> Result<Lit, ImportError> {
        match Lit::from_dimacs(number) {
            Some(lit) if lit.var().index() < self.n_vars => Ok(lit),
            _ => Err(self.input.fault(Fault::UnknownVariable(number))),
        }
    }
}

/// Checks an LRAT file against a formula, in one pass, storing only the clauses that are not deleted. Returns
/// the number of added clauses up to the empty one, where reading stops.
///
/// # Errors
/// The first error, or that the empty clause is never derived.
pub fn check_lrat(cnf: &Cnf, reader: impl Read) -> Result<u64, ImportError> {
    let mut reader = LratReader::new(reader, cnf.n_vars())?.allowing_rat();
    let mut step = LratStep::default();
    let mut checker = RupChecker::for_cnf(cnf).map_err(|_| ImportError::TooLarge)?;
    let mut n_added = 0;
    while !checker.is_refuted() && reader.next_step(&mut step)? {
        let result = if step.is_deletion {
            step.clauses.iter().try_for_each(|&id| checker.deleted(id))
        } else {
            n_added += 1;
            checker.added(step.id, &step.lits, &step.clauses, &step.candidates)
        };
        result.map_err(|error| ImportError::Step {
            place: reader.input.place(),
            error,
        })?;
    }
    if checker.is_refuted() {
        Ok(n_added)
    } else {
        Err(ImportError::NoRefutation)
    }
}

/// The refutation in an LRAT file as a DAG of resolutions, reduced to the steps that derive the empty clause.
/// Its leaves are clauses of `cnf` with their labels.
///
/// This accepts more than [`check_lrat`]: deletions are ignored, and hints need not be in order.
///
/// # Errors
/// The first error in a needed step, or that the empty clause is never derived.
pub fn import_lrat(cnf: &Cnf, reader: impl Read) -> Result<ProofDag, ImportError> {
    let n_originals = u32::try_from(cnf.n_clauses()).map_err(|_| ImportError::TooLarge)?;
    if let Some(index) = (0..cnf.n_clauses()).find(|&index| cnf.clause(index).is_empty()) {
        let mut dag = ProofDag::new();
        dag.add_leaf(&[], cnf.label(index));
        return Ok(dag);
    }
    let steps = Steps::read(cnf, n_originals, reader)?;
    steps.replay(cnf, n_originals, &steps.needed(n_originals))
}

/// The additions of a file up to the empty clause. Clauses are named by their positions: first those of the
/// formula, then the additions.
#[derive(Default)]
struct Steps {
    /// For each addition its literals' codes and the positions of its hints.
    words: Vec<u32>,
    ends: Vec<Ends>,
}

struct Ends {
    id: u32,
    lits: u32,
    hints: u32,
    place: super::error::Place,
}

impl Steps {
    fn read(cnf: &Cnf, n_originals: u32, reader: impl Read) -> Result<Self, ImportError> {
        let mut reader = LratReader::new(reader, cnf.n_vars())?;
        let mut step = LratStep::default();
        let mut steps = Self::default();
        // Positions of additions, plus one.
        let mut positions = IdTable::default();
        let mut last = n_originals;
        while reader.next_step(&mut step)? {
            if step.is_deletion {
                continue;
            }
            if step.id <= last {
                return Err(reader.input.fault(Fault::NotIncreasing(step.id)));
            }
            last = step.id;
            let too_large = |_| ImportError::TooLarge;
            steps.words.extend(step.lits.iter().map(|lit| lit.code()));
            let lits = u32::try_from(steps.words.len()).map_err(too_large)?;
            for &hint in &step.clauses {
                let position = if hint <= n_originals {
                    hint - 1
                } else {
                    match positions.get(hint) {
                        0 => return Err(reader.input.fault(Fault::UnknownClause(hint))),
                        position => position - 1,
                    }
                };
                steps.words.push(position);
            }
            steps.ends.push(Ends {
                id: step.id,
                lits,
                hints: u32::try_from(steps.words.len()).map_err(too_large)?,
                place: reader.input.place(),
            });
            let position = n_originals as usize + steps.ends.len();
            positions.insert(step.id, u32::try_from(position).map_err(too_large)?);
            if step.lits.is_empty() {
                return Ok(steps);
            }
        }
        Err(ImportError::NoRefutation)
    }

    fn start(&self, step: usize) -> usize {
        match step {
            0 => 0,
            _ => self.ends[step - 1].hints as usize,
        }
    }

    fn hints(&self, step: usize) -> &[u32] {
        &self.words[self.ends[step].lits as usize..self.ends[step].hints as usize]
    }

    /// By position: whether the last addition depends on the clause.
    fn needed(&self, n_originals: u32) -> Vec<bool> {
        let n_originals = n_originals as usize;
        let mut needed = vec![false; n_originals + self.ends.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for step in (0..self.ends.len()).rev() {
            if needed[n_originals + step] {
                for &hint in self.hints(step) {
                    needed[hint as usize] = true;
                }
            }
        }
        needed
    }

    fn replay(
        &self,
        cnf: &Cnf,
        n_originals: u32,
        needed: &[bool],
    ) -> Result<ProofDag, ImportError> {
        const NONE: VertexId = VertexId::MAX;
        let n_originals = n_originals as usize;
        let mut dag = ProofDag::new();
        let mut vertex_of = vec![NONE; needed.len()];
        for index in 0..n_originals {
            if needed[index] {
                vertex_of[index] = dag
                    .try_add_leaf(cnf.clause(index), cnf.label(index))
                    .map_err(|error| of_reasons(&error))?;
            }
        }
        let mut replay = Replay::default();
        let mut target: Vec<Lit> = Vec::new();
        let mut hints: Vec<VertexId> = Vec::new();
        for (step, ends) in self.ends.iter().enumerate() {
            if !needed[n_originals + step] {
                continue;
            }
            let codes = &self.words[self.start(step)..ends.lits as usize];
            target.clear();
            target.extend(codes.iter().map(|&code| Lit::from_code(code)));
            hints.clear();
            let vertices = self
                .hints(step)
                .iter()
                .map(|&hint| vertex_of[hint as usize]);
            // Clauses without a vertex are tautologies, which no step needs.
            hints.extend(vertices.filter(|&vertex| vertex != NONE));
            let chain = replay
                .chain(&dag, ends.id, &target, &hints)
                .map_err(|error| ImportError::Step {
                    place: ends.place,
                    error,
                })?;
            if !chain.is_empty() {
                let vertex = dag.add_antecedents(chain);
                vertex_of[n_originals + step] = vertex.map_err(|error| of_reasons(&error))?;
            }
        }
        // The last addition is empty, so it is no tautology.
        let root = vertex_of[needed.len() - 1];
        dag.set_root(root);
        Ok(dag)
    }
}
