//! The threads, and their answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::board::{Board, End, Outcome, Task};
use super::lookahead::{Choice, Lookahead};
use super::split::first_cubes;
use super::tree::Tree;
use super::{Settings, Tally};
use crate::cdcl::{Answer, Limits, Solver, UnknownReason};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::parallel::port::{Counters, Port};
use crate::parallel::run::{Question, Team, model, report};
use crate::parallel::sink::{SharedLog, SharedSink};
use crate::parallel::{Control, Found, ParallelError};
use crate::proof::{NoProof, Source};

/// Decides whether the formula has a model in which the assumptions are true, cube by cube.
///
/// # Errors
/// If a thread can't be started, or on an internal failure; see [`ParallelError`].
pub fn solve(
    cnf: &Cnf,
    assumptions: &[Lit],
    settings: &Settings,
    control: &Control,
) -> Result<(Found, Tally), ParallelError> {
    let conquest = Conquest {
        question: Question {
            cnf,
            assumptions,
            settings: &settings.team,
            control,
            begins: &|_| {},
        },
        settings,
    };
    if settings.team.proof {
        conquest.run::<SharedLog>()
    } else {
        conquest.run::<NoProof>()
    }
}

pub(super) struct Conquest<'q> {
    pub(super) question: Question<'q>,
    pub(super) settings: &'q Settings,
}

/// One of the searches.
struct Search<P: SharedSink> {
    number: usize,
    solver: Solver<P>,
    lookahead: Lookahead,
    counters: Arc<Counters>,
    answer: Answer,
}

/// Ends all searches if one panics.
struct Presence<'b, P: SharedSink>(&'b Board<P>);

impl<P: SharedSink> Drop for Presence<'_, P> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.abort();
        }
    }
}

impl Conquest<'_> {
    pub(super) fn run<P: SharedSink>(&self) -> Result<(Found, Tally), ParallelError> {
        let team = Team::new(&self.settings.team);
        let options = self.settings.team.options.clone();
        let (mut solver, is_whole) = self.question.solver::<P>(options, 0, &team);
        let budget = self.settings.team.limits;
        solver.set_limits(Limits {
            conflicts: Some(
                self.settings
                    .warm_up
                    .min(budget.conflicts.unwrap_or(u64::MAX)),
            ),
            ..budget
        });
        let answer = match is_whole {
            true => solver.solve(self.question.assumptions),
            false => Answer::Unknown,
        };
        let is_spent = is_spent(&solver, budget);
        let reason = match solver.unknown_reason() {
            _ if !is_whole => Some(UnknownReason::Stopped),
            Some(UnknownReason::Limit) if !is_spent => None,
            reason => reason,
        };
        if answer != Answer::Unknown || reason.is_some() {
            return self.answer_alone(solver, answer, reason);
        }
        solver.keep_variables();
        let clauses = solver.open_clauses();
        let mut lookahead = Lookahead::new(solver.n_vars(), clauses.iter().map(Vec::as_slice));
        let mut tree = Tree::new(self.question.cnf);
        let is_asked = || self.question.control.interrupt.load(Ordering::Relaxed);
        let assumptions = self.question.assumptions;
        let n_cubes = self.settings.cubes;
        let Some(open) = first_cubes(&mut tree, &mut lookahead, assumptions, n_cubes, is_asked)
        else {
            return self.answer_alone(solver, Answer::Unknown, Some(UnknownReason::Stopped));
        };
        let is_deterministic = self.settings.team.deterministic;
        let board = Board::new(tree, open, team.stops.clone(), is_deterministic);
        let searches = self.searches(solver, &lookahead, &team);
        let ended = self.conquer(searches, &board, &team)?;
        self.answer(ended, board)
    }

    /// Copies of the first search, connected to each other.
    fn searches<P: SharedSink>(
        &self,
        first: Solver<P>,
        lookahead: &Lookahead,
        team: &Team,
    ) -> Vec<Search<P>> {
        let n_workers = self.settings.team.workers.get();
        let copies = (1..n_workers).map(|_| first.clone()).collect::<Vec<_>>();
        let all = std::iter::once(first).chain(copies).enumerate();
        all.map(|(number, mut solver)| {
            team.connect(&mut solver, number, self.question.control);
            let counters = Arc::new(Counters::default());
            if n_workers > 1 && !self.settings.team.deterministic {
                let interrupts = [
                    Arc::clone(&team.stops[number]),
                    Arc::clone(&self.question.control.interrupt),
                ];
                let settings = &self.settings.team;
                let port = Port::new(number, &team.hub, settings, &counters, interrupts);
                solver.set_exchange(Box::new(port));
            }
            Search {
                number,
                solver,
                lookahead: lookahead.clone(),
                counters,
                answer: Answer::Unknown,
            }
        })
        .collect()
    }

    fn conquer<P: SharedSink>(
        &self,
        searches: Vec<Search<P>>,
        board: &Board<P>,
        team: &Team,
    ) -> Result<Vec<Search<P>>, ParallelError> {
        thread::scope(|scope| {
            let start = |search: Search<P>| {
                thread::Builder::new()
                    .name(format!("cubes {}", search.number))
                    .spawn_scoped(scope, move || self.search(search, board, team))
            };
            let started: Result<Vec<_>, _> = searches.into_iter().map(start).collect();
            // Those that were started end before the scope does.
            let handles = started.inspect_err(|_| board.abort())?;
            let join = |(worker, handle): (usize, thread::ScopedJoinHandle<'_, Search<P>>)| {
                (handle.join()).map_err(|_| ParallelError::Panicked(worker))
            };
            // All are waited for, also after one has panicked.
            let ended: Vec<_> = handles.into_iter().enumerate().map(join).collect();
            ended.into_iter().collect()
        })
    }

    /// One search: cube after cube.
    fn search<P: SharedSink>(
        &self,
        mut search: Search<P>,
        board: &Board<P>,
        team: &Team,
    ) -> Search<P> {
        let presence = Presence(board);
        let stop = &*team.stops[search.number];
        (self.question.begins)(search.number);
        while let Some(task) = board.take(search.number) {
            let outcome = self.attempt(&mut search, &task, stop);
            board.settle(search.number, task, outcome);
        }
        drop(presence);
        search
    }

    /// Decides a cube, or finds how to split it.
    fn attempt<P: SharedSink>(
        &self,
        search: &mut Search<P>,
        task: &Task,
        stop: &AtomicBool,
    ) -> Outcome {
        let budget = self.settings.team.limits;
        let solver = &mut search.solver;
        let left = |limit: Option<u64>, spent: u64| limit.map(|limit| limit.saturating_sub(spent));
        let conflicts = left(budget.conflicts, solver.statistics().conflicts);
        let own = if task.is_final {
            u64::MAX
        } else {
            self.settings.conflicts
        };
        solver.set_limits(Limits {
            conflicts: Some(conflicts.unwrap_or(u64::MAX).min(own)),
            propagations: left(budget.propagations, solver.statistics().propagations),
        });
        let cube = [self.question.assumptions, &task.cube].concat();
        match solver.solve(&cube) {
            Answer::Satisfiable => {
                search.answer = Answer::Satisfiable;
                Outcome::Model(model(solver))
            }
            Answer::Unsatisfiable => {
                let lits = solver.failed_assumptions().iter().map(|&lit| !lit);
                let lits: Vec<Lit> = lits.collect();
                let id = solver.refutation().unwrap_or(0);
                // Before the next call, which deletes the clause.
                solver.proof_mut().share(id);
                let worker = search.number as u32;
                Outcome::Refuted(lits, Source { worker, id })
            }
            Answer::Unknown => match solver.unknown_reason() {
                Some(UnknownReason::Limit) if !is_spent(solver, budget) => {
                    self.split(search, &cube, stop)
                }
                Some(UnknownReason::Stopped) if !self.is_interrupted() => Outcome::Left,
                reason => Outcome::Stopped(reason.unwrap_or(UnknownReason::Stopped)),
            },
        }
    }

    fn is_interrupted(&self) -> bool {
        self.question.control.interrupt.load(Ordering::Relaxed)
    }

    /// How to split a cube that has taken too many conflicts.
    fn split<P: SharedSink>(
        &self,
        search: &mut Search<P>,
        cube: &[Lit],
        stop: &AtomicBool,
    ) -> Outcome {
        let known = [search.solver.fixed_literals(), cube].concat();
        let is_asked = || stop.load(Ordering::Relaxed) || self.is_interrupted();
        match search.lookahead.choose(&known, is_asked) {
            Choice::Split { first, .. } => Outcome::Split(first),
            Choice::Refuted | Choice::Open => Outcome::Final,
            Choice::Stopped if self.is_interrupted() => Outcome::Stopped(UnknownReason::Stopped),
            Choice::Stopped => Outcome::Left,
        }
    }

    /// The answer of the search before the formula was split.
    fn answer_alone<P: SharedSink>(
        &self,
        solver: Solver<P>,
        answer: Answer,
        reason: Option<UnknownReason>,
    ) -> Result<(Found, Tally), ParallelError> {
        let ended = self.question.ended(
            solver,
            "before cubes",
            (answer, reason),
            &Counters::default(),
        );
        Ok((self.question.choose(vec![ended])?, Tally::default()))
    }

    /// The answer of the searches.
    fn answer<P: SharedSink>(
        &self,
        ended: Vec<Search<P>>,
        board: Board<P>,
    ) -> Result<(Found, Tally), ParallelError> {
        let (tree, end, tally) = board.into_result();
        let report = |own: &Search<P>| report(&own.solver, "cubes", own.answer, &own.counters);
        let workers = ended.iter().map(report).collect();
        let mut found = Found::unknown(workers);
        match end {
            Some(End::Contradiction) => return Err(ParallelError::Contradiction),
            Some(End::Model(worker, model)) => {
                found.winner = Some(worker);
                self.question.accept_model(&mut found, worker, &model)?;
            }
            Some(End::Refuted) => {
                let clause = tree.refutation().map(|refuted| refuted.lits.clone());
                let failed: Vec<Lit> = clause.unwrap_or_default().iter().map(|&lit| !lit).collect();
                let (log, root) = tree.into_log();
                let mut proofs: Vec<P> = ended
                    .into_iter()
                    .map(|own| own.solver.into_proof())
                    .collect();
                proofs.push(log);
                let root = root.map(|id| (proofs.len() - 1, id));
                self.question
                    .accept_refutation(&mut found, failed, &proofs, root)?;
            }
            Some(End::Stopped(reason)) => found.reason = Some(reason),
            // A panic was reported by its thread.
            Some(End::Aborted) | None => found.reason = Some(UnknownReason::Stopped),
        }
        Ok((found, tally))
    }
}

/// Whether a search has reached a limit of the caller.
fn is_spent<P: SharedSink>(solver: &Solver<P>, budget: Limits) -> bool {
    let is_reached = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
    let counters = solver.statistics();
    is_reached(budget.conflicts, counters.conflicts)
        || is_reached(budget.propagations, counters.propagations)
}
