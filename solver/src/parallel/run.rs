//! The threads, and the choice among their answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::port::{Counters, Hub, Port};
use super::sink::{SharedLog, SharedSink};
use super::vary::vary;
use super::{Control, Found, Leaves, ParallelError, Settings, Traffic, Worker};
use crate::cdcl::{Answer, Options, Solver, UnknownReason};
use crate::cnf::Cnf;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, NoProof, ProofDag, TrimError};

/// Clauses added between two looks at the interrupt flag.
const POLL_INTERVAL: usize = 4096;

/// Decides whether the formula has a model in which the assumptions are true.
///
/// # Errors
/// If a thread can't be started, or on an internal failure; see [`ParallelError`].
pub fn solve(
    cnf: &Cnf,
    assumptions: &[Lit],
    settings: &Settings,
    control: &Control,
) -> Result<Found, ParallelError> {
    let question = Question {
        cnf,
        assumptions,
        settings,
        control,
        begins: &|_| {},
    };
    question.solve()
}

/// The arguments of [`solve`], and what each thread calls first, with its number.
pub(super) struct Question<'q> {
    pub(super) cnf: &'q Cnf,
    pub(super) assumptions: &'q [Lit],
    pub(super) settings: &'q Settings,
    pub(super) control: &'q Control,
    pub(super) begins: &'q (dyn Fn(usize) + Sync),
}

/// How a search has ended.
pub(super) struct Ended<P> {
    model: Vec<bool>,
    failed: Vec<Lit>,
    root: Option<ClauseId>,
    reason: Option<UnknownReason>,
    report: Worker,
    proof: P,
}

/// What the threads share.
pub(super) struct Team {
    pub(super) hub: Arc<Hub>,
    /// By search.
    pub(super) stops: Vec<Arc<AtomicBool>>,
    conflicts: Vec<Arc<AtomicU64>>,
}

impl Team {
    pub(super) fn new(settings: &Settings) -> Self {
        let n_workers = settings.workers.get();
        Self {
            hub: Arc::new(Hub::new(settings)),
            stops: (0..n_workers).map(|_| Arc::default()).collect(),
            conflicts: (0..n_workers).map(|_| Arc::default()).collect(),
        }
    }

    /// Lets a search be stopped, and tell the conflicts of all.
    pub(super) fn connect<P: SharedSink>(
        &self,
        solver: &mut Solver<P>,
        worker: usize,
        control: &Control,
    ) {
        solver.set_interrupt(Arc::clone(&self.stops[worker]));
        solver.set_progress(Arc::clone(&self.conflicts[worker]));
        let (counts, total) = (self.conflicts.clone(), Arc::clone(&control.conflicts));
        let interrupt = Arc::clone(&control.interrupt);
        solver.set_stop_callback(Some(Box::new(move || {
            let sum = counts.iter().map(|count| count.load(Ordering::Relaxed));
            total.store(sum.sum(), Ordering::Relaxed);
            interrupt.load(Ordering::Relaxed)
        })));
    }

    fn stop_from(&self, first: usize) {
        for stop in &self.stops[first..] {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops all searches, those that wait for others as well.
    fn abort(&self) {
        self.stop_from(0);
        if let Hub::Rounds(rounds) = &*self.hub {
            rounds.abort();
        }
    }
}

/// Tells the others when a search ends, in whichever way.
struct Presence<'t> {
    team: &'t Team,
    worker: usize,
    has_answer: bool,
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            return self.team.abort();
        }
        match &*self.team.hub {
            Hub::Free { .. } if self.has_answer => self.team.stop_from(0),
            Hub::Free { .. } => {}
            Hub::Rounds(rounds) => {
                // Those with smaller numbers finish their round: they win if they have an answer, too.
                if self.has_answer {
                    self.team.stop_from(self.worker + 1);
                }
                rounds.leave(self.has_answer);
            }
        }
    }
}

impl Question<'_> {
    pub(super) fn solve(&self) -> Result<Found, ParallelError> {
        if self.settings.proof {
            self.run::<SharedLog>()
        } else {
            self.run::<NoProof>()
        }
    }

    fn run<P: SharedSink>(&self) -> Result<Found, ParallelError> {
        let n_workers = self.settings.workers.get();
        let team = Team::new(self.settings);
        let team = &team;
        let ended = thread::scope(|scope| {
            let start = |worker| {
                thread::Builder::new()
                    .name(format!("search {worker}"))
                    .spawn_scoped(scope, move || self.search::<P>(worker, team))
            };
            let started: Result<Vec<_>, _> = (0..n_workers).map(start).collect();
            // Those that were started end before the scope does.
            let handles = started.inspect_err(|_| team.abort())?;
            let join = |(worker, handle): (usize, thread::ScopedJoinHandle<'_, Ended<P>>)| {
                (handle.join()).map_err(|_| ParallelError::Panicked(worker))
            };
            // All are waited for, also after one has panicked.
            let ended: Vec<_> = handles.into_iter().enumerate().map(join).collect();
            ended.into_iter().collect::<Result<Vec<_>, _>>()
        })?;
        self.choose(ended)
    }

    /// One search.
    fn search<P: SharedSink>(&self, worker: usize, team: &Team) -> Ended<P> {
        let mut presence = Presence {
            team,
            worker,
            has_answer: false,
        };
        (self.begins)(worker);
        let (variation, options) = vary(worker, &self.settings.options);
        let (mut solver, is_whole) = self.solver::<P>(options, worker, team);
        solver.set_limits(self.settings.limits);
        let counters = Arc::new(Counters::default());
        if variation.is_reversed {
            solver.reverse_queue();
        }
        let interrupts = [&team.stops[worker], &self.control.interrupt].map(Arc::clone);
        let port = Port::new(worker, &team.hub, self.settings, &counters, interrupts);
        solver.set_exchange(Box::new(port));
        let answer = if is_whole {
            solver.solve(self.assumptions)
        } else {
            Answer::Unknown
        };
        presence.has_answer = answer != Answer::Unknown;
        drop(presence);
        let reason = if is_whole {
            solver.unknown_reason()
        } else {
            Some(UnknownReason::Stopped)
        };
        self.ended(solver, variation.name, (answer, reason), &counters)
    }

    /// A search with the formula; with whether it was not stopped before it had all of it.
    pub(super) fn solver<P: SharedSink>(
        &self,
        options: Options,
        worker: usize,
        team: &Team,
    ) -> (Solver<P>, bool) {
        let mut solver = Solver::with_proof(options, P::default());
        team.connect(&mut solver, worker, self.control);
        let is_whole = self.add_formula(&mut solver);
        (solver, is_whole)
    }

    /// How a search has ended.
    pub(super) fn ended<P: SharedSink>(
        &self,
        solver: Solver<P>,
        variation: &'static str,
        (answer, reason): (Answer, Option<UnknownReason>),
        counters: &Counters,
    ) -> Ended<P> {
        Ended {
            model: match answer {
                Answer::Satisfiable => model(&solver),
                _ => Vec::new(),
            },
            failed: solver.failed_assumptions().to_vec(),
            root: solver.refutation(),
            reason,
            report: report(&solver, variation, answer, counters),
            proof: solver.into_proof(),
        }
    }

    /// Adds all clauses, in order, as the join of the proofs expects; `false` if the search was stopped before.
    fn add_formula<P: SharedSink>(&self, solver: &mut Solver<P>) -> bool {
        solver.reserve_vars(self.cnf.n_vars());
        for (index, (clause, label)) in self.cnf.iter().enumerate() {
            if index % POLL_INTERVAL == 0 && solver.is_asked_to_stop() {
                return false;
            }
            solver.add_labelled_clause(clause, label);
        }
        true
    }

    /// The answer of the search with the lowest number that has one, with its evidence.
    pub(super) fn choose<P: SharedSink>(
        &self,
        ended: Vec<Ended<P>>,
    ) -> Result<Found, ParallelError> {
        let has = |answer| ended.iter().any(|own| own.report.answer == answer);
        if has(Answer::Satisfiable) && has(Answer::Unsatisfiable) {
            return Err(ParallelError::Contradiction);
        }
        let winner = (ended.iter()).position(|own| own.report.answer != Answer::Unknown);
        let workers = ended.iter().map(|own| own.report.clone()).collect();
        let mut found = Found::unknown(workers);
        found.winner = winner;
        let Some(winner) = winner else {
            found.reason = reason(ended.iter().filter_map(|own| own.reason));
            return Ok(found);
        };
        let own = &ended[winner];
        if own.report.answer == Answer::Satisfiable {
            self.accept_model(&mut found, winner, &own.model)?;
        } else {
            let (root, failed) = (own.root, own.failed.clone());
            let proofs: Vec<P> = ended.into_iter().map(|own| own.proof).collect();
            let root = root.map(|root| (winner, root));
            self.accept_refutation(&mut found, failed, &proofs, root)?;
        }
        Ok(found)
    }

    /// Answers by the model of a search.
    pub(super) fn accept_model(
        &self,
        found: &mut Found,
        worker: usize,
        model: &[bool],
    ) -> Result<(), ParallelError> {
        let is_true = |lit: &Lit| model[lit.var().index()] != lit.is_negated();
        let is_model = self.assumptions.iter().all(is_true);
        if !is_model || !self.cnf.is_satisfied_by(model) {
            return Err(ParallelError::WrongModel(worker));
        }
        found.answer = Answer::Satisfiable;
        found.model = model[..self.cnf.n_vars()].to_vec();
        Ok(())
    }

    /// Answers by the refutation of assumptions: the clause with this log and number.
    pub(super) fn accept_refutation<P: SharedSink>(
        &self,
        found: &mut Found,
        failed: Vec<Lit>,
        proofs: &[P],
        root: Option<(usize, ClauseId)>,
    ) -> Result<(), ParallelError> {
        match root.map(|root| self.join(proofs, root, &failed)) {
            Some(Err(ParallelError::Proof(TrimError::Stopped))) => {
                found.reason = Some(UnknownReason::Stopped);
                return Ok(());
            }
            Some(joined) => found.refutation = joined?,
            None => {}
        }
        found.answer = Answer::Unsatisfiable;
        found.failed_assumptions = failed;
        Ok(())
    }

    /// The proof of the clause that refutes these assumptions.
    fn join<P: SharedSink>(
        &self,
        proofs: &[P],
        root: (usize, ClauseId),
        failed: &[Lit],
    ) -> Result<Option<ProofDag>, ParallelError> {
        let label = |position: usize| match self.settings.leaves {
            Leaves::Labels => self.cnf.label(position),
            Leaves::Positions => position as u32,
        };
        let is_asked = || self.control.interrupt.load(Ordering::Relaxed);
        let joined = P::join(proofs, root, self.cnf, label, is_asked)?;
        let is_right = joined.as_ref().is_none_or(|dag| {
            let clause = dag.root().map(|root| dag.clause(root));
            clause.is_some_and(|clause| clause.iter().all(|&lit| failed.contains(&!lit)))
        });
        is_right.then_some(joined).ok_or(ParallelError::OtherRoot)
    }
}

/// The values of all variables.
pub(super) fn model<P: SharedSink>(solver: &Solver<P>) -> Vec<bool> {
    let value = |index| solver.value(Var::new(index).positive()).unwrap_or(false);
    (0..solver.n_vars()).map(value).collect()
}

/// What a search has done.
pub(super) fn report<P: SharedSink>(
    solver: &Solver<P>,
    variation: &'static str,
    answer: Answer,
    counters: &Counters,
) -> Worker {
    let [imported, refused] = solver.imports();
    Worker {
        variation,
        answer,
        statistics: *solver.statistics(),
        traffic: Traffic {
            exported: counters.exported.load(Ordering::Relaxed),
            imported,
            refused,
            missed: counters.missed.load(Ordering::Relaxed),
        },
        clause_bytes: solver.clause_bytes(),
    }
}

/// The reason why no search has an answer: what has ended all of them, before what has ended some.
fn reason(reasons: impl Iterator<Item = UnknownReason>) -> Option<UnknownReason> {
    let rank = |reason: &UnknownReason| match reason {
        UnknownReason::Stopped => 2,
        UnknownReason::Memory => 1,
        UnknownReason::Limit => 0,
    };
    reasons.max_by_key(rank)
}
