//! Variables of Python and variables of the solver: constraints have further ones that Python does not see.

use craig_solver::{Lit, Var};

/// The variables of both by those of the other. As long as there are no hidden ones, both are equal, whatever their number.
#[derive(Clone, Default)]
pub(crate) struct Names(Option<Tables>);

#[derive(Clone, Default)]
struct Tables {
    /// By variable of Python, increasing.
    of_python: Vec<Var>,
    /// By variable of the solver; `None` for a hidden one.
    of_solver: Vec<Option<Var>>,
}

impl Names {
    /// Whether there are variables that Python does not see.
    pub(crate) fn has_hidden(&self) -> bool {
        self.0.is_some()
    }

    /// A new variable of the solver, which has `n_vars`, that Python does not see.
    pub(crate) fn hidden(&mut self, n_vars: usize) -> Var {
        let tables = self.0.get_or_insert_default();
        while tables.of_solver.len() < n_vars {
            tables.see();
        }
        let var = Var::new(tables.of_solver.len());
        tables.of_solver.push(None);
        var
    }

    /// The solver's literals for those of Python.
    pub(crate) fn solver(&mut self, lits: Vec<Lit>) -> Vec<Lit> {
        let Some(tables) = &mut self.0 else {
            return lits;
        };
        lits.into_iter().map(|lit| tables.solver(lit)).collect()
    }

    /// Python's literals for those of the solver that it sees.
    pub(crate) fn python(&self, lits: &[Lit]) -> Vec<Lit> {
        match &self.0 {
            None => lits.to_vec(),
            Some(tables) => lits.iter().filter_map(|&lit| tables.python(lit)).collect(),
        }
    }

    /// The variables that Python sees of the first `n_vars` of the solver, in their order, as the solver's.
    pub(crate) fn seen(&self, n_vars: usize) -> Vec<Var> {
        match &self.0 {
            None => (0..n_vars).map(Var::new).collect(),
            Some(tables) => {
                let seen = tables.of_python.iter().copied();
                seen.take_while(|var| var.index() < n_vars).collect()
            }
        }
    }
}

impl Tables {
    /// A new variable of both.
    fn see(&mut self) {
        let var = Var::new(self.of_solver.len());
        self.of_solver.push(Some(Var::new(self.of_python.len())));
        self.of_python.push(var);
    }

    fn solver(&mut self, lit: Lit) -> Lit {
        while self.of_python.len() <= lit.var().index() {
            self.see();
        }
        let var = self.of_python[lit.var().index()];
        var.positive().negate_if(lit.is_negated())
    }

    fn python(&self, lit: Lit) -> Option<Lit> {
        let var = self.of_solver.get(lit.var().index()).copied()??;
        Some(var.positive().negate_if(lit.is_negated()))
    }
}
