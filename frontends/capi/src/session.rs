//! The state between calls: what was added, assumed and found.

use std::fs::File;
use std::path::Path;

use craig_solver::proof::Encoding;
use craig_solver::{Answer, Limits, Lit, Options, Var};

use crate::callbacks::{self, Data, Fixed, Listener, Terminate};
use crate::engine::{Engine, each};
use crate::fault::{Code, Fault};
use crate::proof_file::{Drat, Lrat};
use crate::recorder::{Recorder, ToApplication, Trace, Tracer};

/// The states of IPASIR-2, with their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// No clause was added yet.
    #[default]
    Config = 0,
    /// There is no answer, or something was added since.
    Input = 1,
    /// There is a model.
    Sat = 2,
    /// There are failed assumptions.
    Unsat = 3,
}

/// A solver with what was said to it.
#[derive(Default)]
pub(crate) struct Session {
    options: Options,
    /// Who takes the proof, until there is a solver.
    recorder: Option<Recorder>,
    /// Made when the first clause or assumption comes.
    engine: Option<Engine>,
    clause: Vec<Lit>,
    assumptions: Vec<Lit>,
    /// The assumptions of the last call, and those that failed; both sorted.
    assumed: Vec<Lit>,
    failed: Vec<Lit>,
    state: State,
    /// The last answer, whatever was added since.
    answer: Option<Answer>,
    /// Why the formula is not what the application meant: no call has an answer from then on.
    lost_clause: bool,
    /// Whether the next call lacks an assumption.
    lost_assumption: bool,
    /// Why nothing can be done any more.
    pub(crate) failure: Option<&'static str>,
    conflicts: Option<u64>,
    terminate: Option<(Terminate, Data)>,
    learn: Option<(Listener, Data, usize)>,
    fixed: Option<(Fixed, Data)>,
    n_fixed: usize,
}

/// A literal of the application.
pub(crate) fn literal(number: i32) -> Result<Lit, Fault> {
    Lit::from_dimacs(number.into()).ok_or_else(|| {
        let largest = Var::MAX_INDEX + 1;
        let text = format!("{number} is no literal: these are -{largest}..=-1 and 1..={largest}");
        Fault::argument(text)
    })
}

impl Session {
    /// The solver, with all callbacks.
    fn engine(&mut self) -> &mut Engine {
        if self.engine.is_none() {
            let mut engine = Engine::new(self.options.clone(), self.recorder.take());
            let terminate = self.terminate;
            let learn = self.learn;
            each!(&mut engine, solver => {
                let ask = terminate.map(|(function, data)| callbacks::terminate(function, data));
                solver.set_stop_callback(ask);
                let tell = learn.map(|(listener, data, most)| callbacks::learned(listener, data, most));
                solver.set_learn_callback(tell);
            });
            self.engine = Some(engine);
        }
        self.engine.as_mut().expect("it was just made")
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    /// Adds a literal to the open clause, or ends that with 0.
    pub(crate) fn add(&mut self, number: i32) -> Result<(), Fault> {
        self.state = State::Input;
        if number != 0 {
            let lit = literal(number).inspect_err(|_| self.lost_clause = true)?;
            self.clause.push(lit);
            return Ok(());
        }
        let mut clause = std::mem::take(&mut self.clause);
        each!(self.engine(), solver => solver.add_clause(&clause));
        clause.clear();
        self.clause = clause;
        Ok(())
    }

    /// Adds a clause, or nothing if one of its literals is none.
    pub(crate) fn add_clause(&mut self, numbers: &[i32]) -> Result<(), Fault> {
        if !self.clause.is_empty() {
            return Err(Fault::state("a clause of ipasir_add is not ended by 0"));
        }
        let clause: Result<Vec<Lit>, Fault> = numbers.iter().map(|&lit| literal(lit)).collect();
        let clause = clause?;
        self.state = State::Input;
        each!(self.engine(), solver => solver.add_clause(&clause));
        Ok(())
    }

    /// Assumes a literal in the next call.
    pub(crate) fn assume(&mut self, number: i32) -> Result<(), Fault> {
        let lit = literal(number).inspect_err(|_| self.lost_assumption = true)?;
        self.state = State::Input;
        self.assumptions.push(lit);
        Ok(())
    }

    /// Forgets the assumptions since the last call.
    pub(crate) fn forget_assumptions(&mut self) {
        self.assumptions.clear();
        self.lost_assumption = false;
    }

    /// Solves under the assumptions since the last call, and forgets them.
    pub(crate) fn solve(&mut self) -> Result<Answer, Fault> {
        let assumptions = std::mem::take(&mut self.assumptions);
        let lost_assumption = std::mem::take(&mut self.lost_assumption);
        self.state = State::Input;
        self.answer = None;
        if !self.clause.is_empty() {
            return Err(Fault::state("a clause is not ended by 0"));
        }
        if self.lost_clause || lost_assumption {
            let what = "what was added has a number that is no literal";
            return Err(Fault::new(Code::InvalidArgument, what));
        }
        let limits = Limits {
            conflicts: self.conflicts,
            ..Limits::default()
        };
        let n_fixed = self.n_fixed;
        let fixed = self.fixed;
        let engine = self.engine();
        let (answer, mut failed, n_fixed) = each!(engine, solver => {
            solver.set_limits(limits);
            let answer = solver.solve(&assumptions);
            let all = solver.fixed_literals();
            if let Some((function, data)) = fixed {
                callbacks::tell_fixed(function, data, &all[n_fixed.min(all.len())..]);
            }
            (answer, solver.failed_assumptions().to_vec(), all.len())
        });
        failed.sort_unstable();
        self.failed = failed;
        self.assumed = assumptions;
        self.assumed.sort_unstable();
        if fixed.is_some() {
            self.n_fixed = n_fixed;
        }
        self.answer = Some(answer);
        self.state = match answer {
            Answer::Satisfiable => State::Sat,
            Answer::Unsatisfiable => State::Unsat,
            Answer::Unknown => State::Input,
        };
        Ok(answer)
    }

    /// The literal if it is true in the last model, its negation if that is, 0 if either will do.
    pub(crate) fn value(&self, number: i32) -> Result<i32, Fault> {
        let lit = literal(number)?;
        if self.answer != Some(Answer::Satisfiable) {
            return Err(Fault::state("the last call of solve has found no model"));
        }
        let value = self
            .engine
            .as_ref()
            .and_then(|engine| each!(engine, solver => solver.value(lit)));
        Ok(value.map_or(0, |is_true| if is_true { number } else { -number }))
    }

    /// Whether an assumption of the last call has failed.
    pub(crate) fn has_failed(&self, number: i32) -> Result<bool, Fault> {
        let lit = literal(number)?;
        if self.answer != Some(Answer::Unsatisfiable) {
            return Err(Fault::state(
                "the last call of solve has not found that there is no model",
            ));
        }
        if self.assumed.binary_search(&lit).is_err() {
            return Err(Fault::argument(format!(
                "{number} was not assumed in the last call"
            )));
        }
        Ok(self.failed.binary_search(&lit).is_ok())
    }

    /// Sets or removes the question whether to stop.
    pub(crate) fn set_terminate(&mut self, terminate: Option<(Terminate, Data)>) {
        self.terminate = terminate;
        if let Some(engine) = &mut self.engine {
            let ask = terminate.map(|(function, data)| callbacks::terminate(function, data));
            each!(engine, solver => solver.set_stop_callback(ask));
        }
    }

    /// Sets or removes who takes learned clauses of at most that number of literals.
    pub(crate) fn set_learn(&mut self, learn: Option<(Listener, Data, usize)>) {
        self.learn = learn;
        if let Some(engine) = &mut self.engine {
            let tell = learn.map(|(listener, data, most)| callbacks::learned(listener, data, most));
            each!(engine, solver => solver.set_learn_callback(tell));
        }
    }

    /// Sets or removes who takes literals that are true in all models.
    pub(crate) fn set_fixed(&mut self, fixed: Option<(Fixed, Data)>) {
        self.fixed = fixed;
    }

    /// Limits the conflicts of each later call.
    pub(crate) fn limit_conflicts(&mut self, conflicts: Option<u64>) {
        self.conflicts = conflicts;
    }

    /// Sets the phase that a variable, or each of them if it is 0, is first tried in; 0 changes nothing.
    pub(crate) fn set_phase(&mut self, phase: i64, index: i64) -> Result<(), Fault> {
        let sign = phase.signum();
        match (sign, index) {
            (0, _) => Ok(()),
            (_, 0) => self.set_option(&format!("initial_phase={}", sign > 0)),
            (_, 1..) => {
                let lit = Lit::from_dimacs(sign * index)
                    .ok_or_else(|| Fault::argument(format!("there is no variable {index}")))?;
                each!(self.engine(), solver => solver.set_phase(lit));
                Ok(())
            }
            _ => Err(Fault::argument(format!("there is no variable {index}"))),
        }
    }

    /// Sets an option of the solver, as in `vivify=false`.
    pub(crate) fn set_option(&mut self, assignment: &str) -> Result<(), Fault> {
        self.has_no_solver()?;
        let mut options = self.options.clone();
        if options.set(assignment) {
            self.options = options;
            return Ok(());
        }
        let name = assignment.split('=').next().unwrap_or_default();
        match Options::TABLE.iter().find(|row| row.name == name) {
            Some(row) => {
                let text = format!("{name} takes {}, by default {}", row.range, row.default);
                Err(Fault::new(Code::InvalidOptionValue, text))
            }
            None => {
                let names: Vec<&str> = Options::TABLE.iter().map(|row| row.name).collect();
                let text = format!("there is no option {name}, but {}", names.join(", "));
                Err(Fault::new(Code::UnsupportedOption, text))
            }
        }
    }

    /// Options and proofs are settled when the solver is made.
    fn has_no_solver(&self) -> Result<(), Fault> {
        match self.engine {
            None => Ok(()),
            Some(_) => Err(Fault::state("this has to be said before the first clause")),
        }
    }

    fn add_trace(&mut self, trace: Box<dyn Trace>) -> Result<(), Fault> {
        self.has_no_solver()?;
        self.recorder.get_or_insert_default().traces.push(trace);
        Ok(())
    }

    /// Gives the steps of the proof to the application.
    pub(crate) fn trace_to(&mut self, tracer: Tracer, data: Data) -> Result<(), Fault> {
        self.add_trace(Box::new(ToApplication::new(tracer, data)))
    }

    /// Writes the steps of the proof to a file.
    pub(crate) fn trace_to_file(
        &mut self,
        path: &Path,
        format: &str,
        encoding: Encoding,
    ) -> Result<(), Fault> {
        self.has_no_solver()?;
        if !["drat", "lrat"].contains(&format) {
            let text = format!("a proof is in drat or lrat, and not in {format}");
            return Err(Fault::new(Code::UnsupportedArgument, text));
        }
        let file = File::create(path).map_err(|error| {
            Fault::argument(format!("{}: can't be written: {error}", path.display()))
        })?;
        match format {
            "drat" => self.add_trace(Box::new(Drat::new(file, encoding))),
            _ => self.add_trace(Box::new(Lrat::new(file, encoding))),
        }
    }

    /// Ends the proof, and says whether all of it was written.
    pub(crate) fn finish_proof(&mut self) -> Result<(), Fault> {
        let recorder = match &mut self.engine {
            Some(Engine::Traced(solver)) => Some(solver.proof_mut()),
            Some(Engine::Plain(_)) => None,
            None => self.recorder.as_mut(),
        };
        let Some(recorder) = recorder else {
            return Err(Fault::state("no proof is recorded"));
        };
        recorder
            .finish()
            .map_err(|error| Fault::new(Code::Unknown, format!("the proof is not whole: {error}")))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Who wants to know whether the file is whole calls `finish_proof` before.
        let _ = self.finish_proof();
    }
}
