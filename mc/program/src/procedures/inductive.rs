//! The greatest inductive subset of candidates, and the part of it that proves the program.

use std::collections::{BTreeSet, HashMap};

use craig_aig::{Aig, Edge};
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};
use craig_word::{Blaster, Term};

use super::{Procedures, Summary};

/// What a candidate is a condition on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// The entry of all calls.
    Requires,
    /// Entry and exit of the calls that return.
    Ensures,
}

/// A condition of a procedure that may hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Candidate {
    pub(super) procedure: usize,
    pub(super) kind: Kind,
    pub(super) condition: Term,
}

/// The graph of all bodies.
pub(super) struct Circuit {
    pub(super) aig: Aig,
    blaster: Blaster,
    /// The variables that have inputs, in the order in which they got them.
    pub(super) variables: Vec<(Term, Vec<Edge>)>,
}

impl Circuit {
    pub(super) fn new() -> Self {
        Self {
            aig: Aig::new(),
            blaster: Blaster::new(),
            variables: Vec::new(),
        }
    }

    /// The bits of a term; each variable has inputs of its own.
    pub(super) fn bits(&mut self, problem: &Procedures, term: Term) -> Vec<Edge> {
        let terms = &problem.terms;
        let variables = &mut self.variables;
        let mut variable = |aig: &mut Aig, term: Term| {
            let width = terms.width(term);
            let bits: Vec<Edge> = (0..width).map(|_| aig.add_input()).collect();
            variables.push((term, bits.clone()));
            bits
        };
        self.blaster
            .blast(terms, &mut self.aig, term, &mut variable)
    }

    /// The bit of a condition.
    pub(super) fn condition(&mut self, problem: &Procedures, term: Term) -> Edge {
        self.bits(problem, term)[0]
    }
}

/// The queries about one body.
///
/// Each assumption of a candidate is a literal: it implies the condition where the body may rely on it. Each duty of
/// the body for a candidate is a literal as well, which is true where the body violates the candidate.
struct Queries {
    of: Option<usize>,
    solver: Solver,
    encoder: Encoder,
    fails: Lit,
    /// By candidate.
    assumptions: HashMap<usize, Lit>,
    duties: Vec<(usize, Lit)>,
}

/// The candidates, and which of them are in the subset.
pub(super) struct Inductive {
    circuit: Circuit,
    queries: Vec<Queries>,
    candidates: Vec<Candidate>,
    known: BTreeSet<(usize, bool, Term)>,
    is_kept: Vec<bool>,
    /// The condition of a procedure with the words of a call, by procedure and place: the body and the number of its
    /// call, or the number of calls for its exit.
    images: HashMap<(usize, Option<usize>, usize), HashMap<Term, Term>>,
}

impl Inductive {
    pub(super) fn new(problem: &Procedures, stop: &Stop) -> Self {
        let mut circuit = Circuit::new();
        let mut queries = Vec::new();
        for (of, body) in problem.bodies() {
            let mut solver = Solver::new();
            listen_in(stop, &mut solver);
            let mut encoder = Encoder::new();
            let fails = circuit.condition(problem, body.fails);
            let fails = encoder.encode(&circuit.aig, fails, &mut solver);
            queries.push(Queries {
                of,
                solver,
                encoder,
                fails,
                assumptions: HashMap::new(),
                duties: Vec::new(),
            });
        }
        Self {
            circuit,
            queries,
            candidates: Vec::new(),
            known: BTreeSet::new(),
            is_kept: Vec::new(),
            images: HashMap::new(),
        }
    }

    pub(super) fn n_candidates(&self) -> usize {
        self.candidates.len()
    }

    /// Adds a candidate, unless it is known or trivial.
    pub(super) fn add(&mut self, problem: &mut Procedures, candidate: Candidate) {
        let Candidate {
            procedure,
            kind,
            condition,
        } = candidate;
        let key = (procedure, kind == Kind::Ensures, condition);
        if problem.terms.is_true(condition) || !self.known.insert(key) {
            return;
        }
        let id = self.candidates.len();
        self.candidates.push(candidate);
        self.is_kept.push(true);
        for index in 0..self.queries.len() {
            let of = self.queries[index].of;
            if of == Some(procedure) {
                match kind {
                    Kind::Requires => self.assume(problem, index, id, None, condition),
                    Kind::Ensures => {
                        let body = problem.body(of);
                        let (place, returns) = (body.calls.len(), body.returns);
                        let own = self.image(problem, candidate, of, place);
                        self.oblige(problem, index, id, returns, own);
                    }
                }
            }
            for place in 0..problem.body(of).calls.len() {
                let call = &problem.body(of).calls[place];
                if call.callee != procedure {
                    continue;
                }
                let (guard, returns) = (call.guard, call.returns);
                let condition = self.image(problem, candidate, of, place);
                match kind {
                    Kind::Requires => self.oblige(problem, index, id, guard, condition),
                    Kind::Ensures => self.assume(problem, index, id, Some(returns), condition),
                }
            }
        }
    }

    /// The condition of a candidate with the words of a call, or of the exit of its own body.
    fn image(
        &mut self,
        problem: &mut Procedures,
        candidate: Candidate,
        of: Option<usize>,
        place: usize,
    ) -> Term {
        let procedure = candidate.procedure;
        let images = self
            .images
            .entry((procedure, of, place))
            .or_insert_with(|| {
                let (words, body) = (&problem.procedures[procedure], problem.body(of));
                let entry = words.entry.iter().map(|word| word.term);
                let exit = words.exit.iter().map(|word| word.term);
                match body.calls.get(place) {
                    Some(call) => (entry.zip(call.entry.iter().copied()))
                        .chain(exit.zip(call.exit.iter().copied()))
                        .collect(),
                    None => exit.zip(body.exit.iter().copied()).collect(),
                }
            });
        problem.terms.substitute(candidate.condition, images)
    }

    /// A body may rely on a condition where `when` holds.
    fn assume(
        &mut self,
        problem: &Procedures,
        index: usize,
        id: usize,
        when: Option<Term>,
        condition: Term,
    ) {
        let condition = self.circuit.condition(problem, condition);
        let when = when.map(|term| self.circuit.condition(problem, term));
        let Queries {
            solver,
            encoder,
            assumptions,
            ..
        } = &mut self.queries[index];
        let aig = &self.circuit.aig;
        let assumption = *(assumptions.entry(id)).or_insert_with(|| solver.new_var().positive());
        let mut clause = vec![!assumption, encoder.encode(aig, condition, solver)];
        clause.extend(when.map(|edge| !encoder.encode(aig, edge, solver)));
        solver.add_clause(&clause);
    }

    /// A body has to satisfy a condition where `when` holds.
    fn oblige(
        &mut self,
        problem: &Procedures,
        index: usize,
        id: usize,
        when: Term,
        condition: Term,
    ) {
        let condition = self.circuit.condition(problem, condition);
        let when = self.circuit.condition(problem, when);
        let violated = self.circuit.aig.and(when, !condition);
        let queries = &mut self.queries[index];
        let lit = (queries.encoder).encode(&self.circuit.aig, violated, &mut queries.solver);
        queries.duties.push((id, lit));
    }

    /// Drops candidates until each duty for those that are left is met under the assumption of all that are left.
    /// Candidates that were dropped before are tried again.
    pub(super) fn shrink(&mut self, stop: &Stop) -> Result<(), UnknownReason> {
        self.is_kept.fill(true);
        loop {
            let mut has_changed = false;
            for queries in &mut self.queries {
                has_changed |= queries.drop_violated(&mut self.is_kept, stop)?;
            }
            if !has_changed {
                return Ok(());
            }
        }
    }

    /// An inductive subset of the candidates that are left, under which no body fails; `None` if they are not enough.
    pub(super) fn proof(
        &mut self,
        problem: &Procedures,
        stop: &Stop,
    ) -> Result<Option<Vec<Summary>>, UnknownReason> {
        let mut needed = BTreeSet::new();
        for queries in &mut self.queries {
            let fails = queries.fails;
            match queries.refute(fails, &self.is_kept, stop)? {
                None => return Ok(None),
                Some(core) => needed.extend(core),
            }
        }
        // What the duties for the needed ones rely on is needed, too.
        let mut done: BTreeSet<usize> = BTreeSet::new();
        while let Some(&id) = needed.difference(&done).next() {
            done.insert(id);
            for queries in &mut self.queries {
                let duties = queries.duties.iter().filter(|&&(of, _)| of == id);
                for lit in duties.map(|&(_, lit)| lit).collect::<Vec<Lit>>() {
                    let core = queries.refute(lit, &self.is_kept, stop)?;
                    debug_assert!(core.is_some(), "a candidate that is kept is violated");
                    needed.extend(core.into_iter().flatten());
                }
            }
        }
        let mut summaries = vec![Summary::default(); problem.procedures.len()];
        for id in needed {
            let candidate = self.candidates[id];
            let summary = &mut summaries[candidate.procedure];
            match candidate.kind {
                Kind::Requires => summary.requires.push(candidate.condition),
                Kind::Ensures => summary.ensures.push(candidate.condition),
            }
        }
        Ok(Some(summaries))
    }
}

impl Queries {
    fn assumed(&self, is_kept: &[bool]) -> Vec<Lit> {
        let mut assumed: Vec<(usize, Lit)> = (self.assumptions.iter())
            .filter(|&(&id, _)| is_kept[id])
            .map(|(&id, &lit)| (id, lit))
            .collect();
        assumed.sort_unstable();
        assumed.into_iter().map(|(_, lit)| lit).collect()
    }

    /// Drops candidates that this body violates; whether there were any.
    fn drop_violated(&mut self, is_kept: &mut [bool], stop: &Stop) -> Result<bool, UnknownReason> {
        let mut has_changed = false;
        loop {
            let duties = self.duties.iter().filter(|&&(id, _)| is_kept[id]);
            let mut clause: Vec<Lit> = duties.map(|&(_, lit)| lit).collect();
            if clause.is_empty() {
                return Ok(has_changed);
            }
            let some = self.solver.new_var().positive();
            clause.push(!some);
            self.solver.add_clause(&clause);
            let mut assumed = self.assumed(is_kept);
            assumed.push(some);
            let answer = self.solver.solve(&assumed);
            match answer {
                Answer::Unknown => return Err(why_stopped(stop)),
                Answer::Unsatisfiable => {
                    self.solver.add_clause(&[!some]);
                    return Ok(has_changed);
                }
                Answer::Satisfiable => {}
            }
            for &(id, lit) in &self.duties {
                is_kept[id] &= self.solver.value(lit) != Some(true);
            }
            self.solver.add_clause(&[!some]);
            has_changed = true;
        }
    }

    /// The candidates whose assumption excludes a literal; `None` if it is not excluded.
    fn refute(
        &mut self,
        lit: Lit,
        is_kept: &[bool],
        stop: &Stop,
    ) -> Result<Option<Vec<usize>>, UnknownReason> {
        let mut assumed = self.assumed(is_kept);
        let mut core: Option<Vec<usize>> = None;
        // A second query under the core often has a smaller one.
        for _ in 0..2 {
            assumed.push(lit);
            match self.solver.solve(&assumed) {
                Answer::Unknown => return Err(why_stopped(stop)),
                Answer::Satisfiable => return Ok(core),
                Answer::Unsatisfiable => {}
            }
            let failed: BTreeSet<Lit> = self.solver.failed_assumptions().iter().copied().collect();
            let mut ids: Vec<usize> = (self.assumptions.iter())
                .filter(|&(&id, lit)| is_kept[id] && failed.contains(lit))
                .map(|(&id, _)| id)
                .collect();
            ids.sort_unstable();
            assumed = ids.iter().map(|id| self.assumptions[id]).collect();
            core = Some(ids);
        }
        Ok(core)
    }
}
