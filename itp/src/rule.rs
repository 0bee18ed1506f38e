//! Labellings that depend on nothing but a proof and its cut: what an engine can be told to use.

use craig_aig::{Aig, Edge};
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Var};

use crate::construct::labelled_interpolant;
use crate::labelling::{random_strong_side, random_variable_side};
use crate::proof_sensitive::{Occurrences, ProofSensitive};
use crate::sequence::{labelled_sequence, sequence_by_cut};
use crate::stop::{Stop, Stopped};
use crate::system::{Labelling, Side, System};

/// A labelling of any proof. Sequences have the path property for each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// One of the three classic systems.
    Classic(System),
    /// Labels by the occurrences of variables in the proof.
    ProofSensitive(ProofSensitive),
    /// A label for each variable, drawn by its number.
    RandomVariables(u64),
    /// The label b or ab for each variable, drawn by its number.
    RandomStrong(u64),
}

impl From<System> for Rule {
    fn from(system: System) -> Self {
        Self::Classic(system)
    }
}

impl Rule {
    /// Whether its interpolants imply those of the symmetric system: no variable has the label a. The interpolants of all parts of
    /// a refutation then contradict each other.
    #[must_use]
    pub fn is_at_least_symmetric(self) -> bool {
        matches!(
            self,
            Self::Classic(System::McMillan | System::Symmetric)
                | Self::ProofSensitive(ProofSensitive::Strong)
                | Self::RandomStrong(_)
        )
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Classic(system) => system.name(),
            Self::ProofSensitive(kind) => kind.name(),
            Self::RandomVariables(_) => "random",
            Self::RandomStrong(_) => "random-strong",
        }
    }

    /// The label of a variable of which A and B both speak. `counts` are the occurrences in the proof.
    #[must_use]
    pub(crate) fn side(self, counts: &Occurrences, in_a: &dyn Fn(Label) -> bool, var: Var) -> Side {
        match self {
            Self::Classic(system) => system.side(),
            Self::ProofSensitive(kind) => counts.side(kind, in_a, var),
            Self::RandomVariables(seed) => random_variable_side(seed, var),
            Self::RandomStrong(seed) => random_strong_side(seed, var),
        }
    }

    /// Calls `use_it` with the labelling of a proof at a cut.
    ///
    /// # Errors
    /// Those of `use_it`, or if `stop` requests the end.
    pub(crate) fn with<R, E: From<Stopped>>(
        self,
        dag: &ProofDag,
        in_a: &dyn Fn(Label) -> bool,
        stop: &Stop,
        use_it: impl FnOnce(&Labelling<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        let counts = match self {
            Self::Classic(system) => return use_it(&Labelling::Uniform(system)),
            Self::ProofSensitive(_) => Occurrences::count(dag, stop)?,
            Self::RandomVariables(_) | Self::RandomStrong(_) => Occurrences::default(),
        };
        use_it(&Labelling::Variables(&|var| self.side(&counts, in_a, var)))
    }

    /// As the function [`interpolant`].
    fn interpolant(
        self,
        dag: &ProofDag,
        in_a: &dyn Fn(Label) -> bool,
        aig: &mut Aig,
        leaf: &mut dyn FnMut(Var) -> Edge,
        stop: &Stop,
    ) -> Result<Edge, Stopped> {
        self.with(dag, in_a, stop, |labelling| {
            labelled_interpolant(dag, in_a, labelling, aig, leaf, stop)
        })
    }

    /// As the function [`sequence`].
    pub(crate) fn sequence(
        self,
        dag: &ProofDag,
        cuts: &[Label],
        aig: &mut Aig,
        leaf: &mut dyn FnMut(usize, Var) -> Edge,
        stop: &Stop,
    ) -> Result<Vec<Edge>, Stopped> {
        if let Self::ProofSensitive(_) = self {
            // Where a variable occurs more often depends on the cut.
            let counts = Occurrences::count(dag, stop)?;
            let side = |index: usize, var| self.side(&counts, &|label| label <= cuts[index], var);
            return sequence_by_cut(dag, cuts, &side, aig, leaf, stop);
        }
        // The other labels do not depend on it.
        self.with(dag, &|_| true, stop, |labelling| {
            labelled_sequence(dag, cuts, labelling, aig, leaf, stop)
        })
    }
}

/// The interpolant of a refutation for one cut, in one of the three classic systems or by another [`Rule`].
///
/// The leaves whose label satisfies `in_a` form A, the others B. `leaf` maps a variable to its edge in `aig`.
/// It is called at most once per variable, and only for variables that occur on both sides and in the
/// interpolant before the simplifications of `aig`.
///
/// # Errors
/// If `stop` requests the end. It is polled as [`Stop`] describes.
///
/// # Panics
/// If `dag` is no refutation ([`ProofDag::is_refutation`]). A proof under assumptions has to be
/// [closed](crate::construct::close) first.
pub fn interpolant(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    rule: impl Into<Rule>,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(Var) -> Edge,
    stop: &Stop,
) -> Result<Edge, Stopped> {
    rule.into().interpolant(dag, in_a, aig, leaf, stop)
}

/// The interpolants of one refutation for several cuts: interpolant `i` has the leaves with labels up to
/// and including `cuts[i]` in A.
///
/// With increasing cuts the result has the path property: interpolant `i - 1`, together with the clauses
/// whose labels lie above `cuts[i - 1]` and not above `cuts[i]`, implies interpolant `i`. This holds because
/// all of them come from one proof by one rule.
///
/// `leaf(i, var)` maps a variable at cut `i` to its edge in `aig`. It is called at most once per cut and
/// variable, and only for variables that occur on both sides of that cut.
///
/// # Errors
/// If `stop` requests the end. It is polled as [`Stop`] describes.
///
/// # Panics
/// If `dag` is no refutation.
pub fn sequence(
    dag: &ProofDag,
    cuts: &[Label],
    rule: impl Into<Rule>,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, Stopped> {
    rule.into().sequence(dag, cuts, aig, leaf, stop)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, refute, table};

    const RULES: [Rule; 8] = [
        Rule::Classic(System::McMillan),
        Rule::Classic(System::Symmetric),
        Rule::Classic(System::InverseMcMillan),
        Rule::ProofSensitive(ProofSensitive::Strong),
        Rule::ProofSensitive(ProofSensitive::Balanced),
        Rule::ProofSensitive(ProofSensitive::Weak),
        Rule::RandomVariables(3),
        Rule::RandomStrong(3),
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Each step of a sequence holds, and the parts of a refutation contradict each other where no label is a.
        #[test]
        fn sequences_and_parts_fit_together(cnf in formulas(), rule in 0..RULES.len()) {
            let Some(dag) = refute(&cnf, &[2, 0, 1, 5, 3, 4]) else {
                return Ok(());
            };
            let rule = RULES[rule];
            let cuts = [0, 1, 2];
            let (mut aig, inputs) = graph();
            let leaf = &mut |_: usize, var: Var| inputs[var.index()];
            let edges = sequence(&dag, &cuts, rule, &mut aig, leaf, &Stop::never()).unwrap();
            let mut before = u64::MAX;
            for (&cut, edge) in cuts.iter().zip(edges) {
                let here = table(&aig, edge);
                prop_assert_eq!(before & clauses_table(&cnf, |label| label == cut) & !here, 0);
                before = here;
            }
            prop_assert_eq!(before & clauses_table(&cnf, |label| label > 2), 0);
            let mut together = u64::MAX;
            for part in 0..=4 {
                let in_a = |label: Label| label == part;
                let leaf = &mut |var: Var| inputs[var.index()];
                let edge = interpolant(&dag, &in_a, rule, &mut aig, leaf, &Stop::never()).unwrap();
                let here = table(&aig, edge);
                prop_assert_eq!(clauses_table(&cnf, in_a) & !here, 0);
                prop_assert_eq!(clauses_table(&cnf, |label| !in_a(label)) & here, 0);
                together &= here;
            }
            prop_assert!(together == 0 || !rule.is_at_least_symmetric());
        }
    }
}
