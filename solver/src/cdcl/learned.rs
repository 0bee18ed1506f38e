//! Learned clauses told to a callback.

use crate::lit::Lit;

/// Takes a learned clause.
pub type LearnCallback = Box<dyn FnMut(&[Lit]) + Send>;

/// Who takes learned clauses. A clone has nobody.
#[derive(Default)]
pub(super) struct Learned {
    pub(super) callback: Option<LearnCallback>,
}

impl Clone for Learned {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Learned {
    /// Tells a clause, unless it was derived with temporary clauses.
    #[inline]
    pub(super) fn tell(&mut self, clause: &[Lit], tainted: bool) {
        if let Some(callback) = &mut self.callback
            && !tainted
        {
            callback(clause);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use crate::{Answer, Lit, Solver};

    #[test]
    fn learned_clauses_are_implied() {
        let clauses = [[1, 2], [1, -2], [-1, 3], [-1, -3]];
        let lits = |numbers: &[i64]| -> Vec<Lit> {
            numbers
                .iter()
                .map(|&number| Lit::from_dimacs(number).unwrap())
                .collect()
        };
        let told: Arc<Mutex<Vec<Vec<Lit>>>> = Arc::default();
        let mut solver = Solver::new();
        let take = Arc::clone(&told);
        solver.set_learn_callback(Some(Box::new(move |clause| {
            take.lock().unwrap().push(clause.to_vec());
        })));
        // Units from lucky phases would leave nothing to learn.
        let assumptions = lits(&[4]);
        for clause in clauses {
            solver.add_clause(&lits(&clause));
        }
        assert_eq!(solver.solve(&assumptions), Answer::Unsatisfiable);
        let told = told.lock().unwrap();
        assert!(!told.is_empty());
        for clause in told.iter() {
            let mut other = Solver::new();
            for clause in clauses {
                other.add_clause(&lits(&clause));
            }
            let negated: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
            assert_eq!(other.solve(&negated), Answer::Unsatisfiable);
        }
    }
}
