//! Replay of a recording.

use super::QuerySolver;
use super::record::{Call, Recording};
use crate::cdcl::Answer;

impl Recording {
    /// Repeats all calls with new solvers, and returns their answers.
    #[must_use]
    pub fn replay(&self) -> Vec<Answer> {
        let mut solvers = vec![QuerySolver::new()];
        let mut answers = Vec::with_capacity(self.answers().len());
        for (number, call) in self.calls() {
            let solver = &mut solvers[number];
            match call {
                Call::NewVar => {
                    solver.new_var();
                }
                Call::Define(var, operands, clauses) => solver.define(var, operands, &clauses),
                Call::AddClause(clause) => solver.add_clause(clause),
                Call::AddLocalClause(guard, lits) => solver.add_local_clause(guard, lits),
                Call::Include(var) => solver.include(var),
                Call::SetTemporary(clauses) => solver.set_temporary(&clauses),
                Call::ClearTemporary => solver.clear_temporary(),
                Call::FixDomain(lits) => solver.fix_domain(lits),
                Call::ReleaseDomain => solver.release_domain(),
                Call::SetPhase(lit) => solver.set_phase(lit),
                Call::Solve(assumptions) => {
                    answers.push(solver.solve(assumptions, &mut || false));
                }
                Call::Clone => {
                    let clone = solver.clone();
                    solvers.push(clone);
                }
            }
        }
        answers
    }
}
