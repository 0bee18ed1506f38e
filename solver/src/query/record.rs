//! Recorded queries: all calls to a solver and its clones, in order, for replay.
//!
//! A change to the solver also changes the models and cores that it returns, and thereby the next queries of
//! PDR, so that two runs of PDR can't be compared. A recording is the same work for every solver with this
//! interface.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cdcl::Answer;
use crate::lit::{Lit, Var};

/// One call of [`Recording::calls`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call<'a> {
    /// [`QuerySolver::new_var`](super::QuerySolver::new_var).
    NewVar,
    /// [`QuerySolver::define`](super::QuerySolver::define): the variable, its operands, the clauses.
    Define(Var, &'a [Var], Vec<&'a [Lit]>),
    /// [`QuerySolver::add_clause`](super::QuerySolver::add_clause).
    AddClause(&'a [Lit]),
    /// [`QuerySolver::add_local_clause`](super::QuerySolver::add_local_clause): the guard, the other literals.
    AddLocalClause(Option<Lit>, &'a [Lit]),
    /// [`QuerySolver::include`](super::QuerySolver::include).
    Include(Var),
    /// [`QuerySolver::set_temporary`](super::QuerySolver::set_temporary).
    SetTemporary(Vec<&'a [Lit]>),
    /// [`QuerySolver::clear_temporary`](super::QuerySolver::clear_temporary).
    ClearTemporary,
    /// [`QuerySolver::fix_domain`](super::QuerySolver::fix_domain).
    FixDomain(&'a [Lit]),
    /// [`QuerySolver::release_domain`](super::QuerySolver::release_domain).
    ReleaseDomain,
    /// [`QuerySolver::set_phase`](super::QuerySolver::set_phase).
    SetPhase(Lit),
    /// [`QuerySolver::solve`](super::QuerySolver::solve) with these assumptions.
    Solve(&'a [Lit]),
    /// The solver was cloned; its clone gets the next free number.
    Clone,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    NewVar,
    Define,
    AddClause,
    AddLocalClause,
    Include,
    SetTemporary,
    ClearTemporary,
    FixDomain,
    ReleaseDomain,
    SetPhase,
    Solve,
    Clone,
}

/// A call in the flat store. Its lists are adjacent in `lits`; each entry of `list_ends` is one past the last
/// literal of a list.
#[derive(Clone, Copy, Debug)]
struct Entry {
    solver: u32,
    kind: Kind,
    var: u32,
    operands_end: u32,
    lits_end: u32,
    lists_end: u32,
}

/// All calls to a solver and its clones. Solver 0 is the first one; clones are numbered in the order of their
/// creation.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    entries: Vec<Entry>,
    operands: Vec<Var>,
    lits: Vec<Lit>,
    /// One past the last literal of each list.
    list_ends: Vec<u32>,
    answers: Vec<Answer>,
    n_solvers: u32,
}

impl Recording {
    /// The number of solvers.
    #[must_use]
    pub fn n_solvers(&self) -> usize {
        self.n_solvers as usize
    }

    /// The answer of each [`Call::Solve`], in order. The last ones are missing if the caller was stopped
    /// during them.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The calls in order, each with the number of its solver.
    pub fn calls(&self) -> impl Iterator<Item = (usize, Call<'_>)> {
        let (mut operand, mut lit, mut list) = (0, 0, 0);
        self.entries.iter().map(move |entry| {
            let var = Var::new(entry.var as usize);
            let operands = &self.operands[operand..entry.operands_end as usize];
            let lits = &self.lits[lit..entry.lits_end as usize];
            let mut start = lit;
            let lists = self.list_ends[list..entry.lists_end as usize]
                .iter()
                .map(|&end| {
                    let slice = &self.lits[start..end as usize];
                    start = end as usize;
                    slice
                });
            let call = match entry.kind {
                Kind::NewVar => Call::NewVar,
                Kind::Define => Call::Define(var, operands, lists.collect()),
                Kind::AddClause => Call::AddClause(lits),
                Kind::AddLocalClause => {
                    let mut lists = lists;
                    let mut next = || lists.next().unwrap_or_default();
                    Call::AddLocalClause(next().first().copied(), next())
                }
                Kind::Include => Call::Include(var),
                Kind::SetTemporary => Call::SetTemporary(lists.collect()),
                Kind::ClearTemporary => Call::ClearTemporary,
                Kind::FixDomain => Call::FixDomain(lits),
                Kind::ReleaseDomain => Call::ReleaseDomain,
                Kind::SetPhase => Call::SetPhase(lits[0]),
                Kind::Solve => Call::Solve(lits),
                Kind::Clone => Call::Clone,
            };
            operand = entry.operands_end as usize;
            lit = entry.lits_end as usize;
            list = entry.lists_end as usize;
            (entry.solver as usize, call)
        })
    }

    fn push(&mut self, solver: u32, kind: Kind, var: u32) {
        self.entries.push(Entry {
            solver,
            kind,
            var,
            operands_end: self.operands.len() as u32,
            lits_end: self.lits.len() as u32,
            lists_end: self.list_ends.len() as u32,
        });
    }

    fn push_lists(&mut self, lists: &[&[Lit]]) {
        for list in lists {
            self.lits.extend_from_slice(list);
            self.list_ends.push(self.lits.len() as u32);
        }
    }
}

/// Records the calls to one solver. When cloned with the solver, it records that, too, and the clone records
/// under a new number.
#[derive(Debug)]
pub(super) struct Recorder {
    recording: Arc<Mutex<Recording>>,
    solver: u32,
}

impl Clone for Recorder {
    fn clone(&self) -> Self {
        let mut recording = self.lock();
        recording.push(self.solver, Kind::Clone, 0);
        let solver = recording.n_solvers;
        recording.n_solvers += 1;
        Self {
            recording: Arc::clone(&self.recording),
            solver,
        }
    }
}

impl Recorder {
    /// Begins an empty recording about solver 0.
    pub(super) fn new(recording: &Arc<Mutex<Recording>>) -> Self {
        let recorder = Self {
            recording: Arc::clone(recording),
            solver: 0,
        };
        *recorder.lock() = Recording {
            n_solvers: 1,
            ..Recording::default()
        };
        recorder
    }

    // A thread that panicked while it held the lock left complete entries, or lists that belong to no entry
    // yet.
    fn lock(&self) -> MutexGuard<'_, Recording> {
        self.recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn new_var(&self) {
        self.lock().push(self.solver, Kind::NewVar, 0);
    }

    pub(super) fn define(&self, var: Var, operands: &[Var], clauses: &[&[Lit]]) {
        let mut recording = self.lock();
        recording.operands.extend_from_slice(operands);
        recording.push_lists(clauses);
        recording.push(self.solver, Kind::Define, var.index() as u32);
    }

    pub(super) fn add_clause(&self, lits: &[Lit]) {
        self.lits(Kind::AddClause, lits);
    }

    pub(super) fn add_local_clause(&self, guard: Option<Lit>, lits: &[Lit]) {
        let mut recording = self.lock();
        recording.push_lists(&[guard.as_slice(), lits]);
        recording.push(self.solver, Kind::AddLocalClause, 0);
    }

    pub(super) fn include(&self, var: Var) {
        self.lock()
            .push(self.solver, Kind::Include, var.index() as u32);
    }

    pub(super) fn set_temporary(&self, clauses: &[&[Lit]]) {
        let mut recording = self.lock();
        recording.push_lists(clauses);
        recording.push(self.solver, Kind::SetTemporary, 0);
    }

    pub(super) fn clear_temporary(&self) {
        self.lock().push(self.solver, Kind::ClearTemporary, 0);
    }

    pub(super) fn fix_domain(&self, lits: &[Lit]) {
        self.lits(Kind::FixDomain, lits);
    }

    pub(super) fn release_domain(&self) {
        self.lock().push(self.solver, Kind::ReleaseDomain, 0);
    }

    pub(super) fn set_phase(&self, lit: Lit) {
        self.lits(Kind::SetPhase, &[lit]);
    }

    pub(super) fn solve(&self, assumptions: &[Lit]) {
        self.lits(Kind::Solve, assumptions);
    }

    pub(super) fn answer(&self, answer: Answer) {
        self.lock().answers.push(answer);
    }

    fn lits(&self, kind: Kind, lits: &[Lit]) {
        let mut recording = self.lock();
        recording.lits.extend_from_slice(lits);
        recording.push(self.solver, kind, 0);
    }
}
