//! The counters of the search.

/// Counters since the solver was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Calls of `solve`.
    pub solves: u64,
    /// Conflicts, that is, falsified clauses.
    pub conflicts: u64,
    /// Decisions, without assumptions.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// An estimate of the cache lines that propagation has touched: the measure of effort.
    pub ticks: u64,
    /// Restarts.
    pub restarts: u64,
    /// Restarts that kept part of the trail.
    pub reused_trails: u64,
    /// Switches between focused and stable mode.
    pub mode_switches: u64,
    /// Changes of all saved phases.
    pub rephasings: u64,
    /// 1 if a lucky phase found a model without search, else 0.
    pub lucky: u64,
    /// Walks, that is, local searches for phases.
    pub walks: u64,
    /// Steps of all walks, about as many as clauses visited.
    pub walk_steps: u64,
    /// The fewest falsified clauses that the last walk reached.
    pub walk_minimum: u64,
    /// Original clauses added.
    pub original_clauses: u64,
    /// Clauses learned from conflicts, units included.
    pub learned_clauses: u64,
    /// Literals of learned clauses, after minimisation.
    pub learned_literals: u64,
    /// Literals that minimisation took out of learned clauses.
    pub minimized_literals: u64,
    /// Literals that shrinking took out of learned clauses.
    pub shrunken_literals: u64,
    /// Reductions of the learned clauses.
    pub reductions: u64,
    /// Rounds of level-0 simplification.
    pub simplifications: u64,
    /// Clauses replaced by a part of themselves.
    pub strengthened_clauses: u64,
    /// Rounds of inprocessing.
    pub inprocessings: u64,
    /// Ticks of probing, which [`Statistics::ticks`] includes.
    pub probe_ticks: u64,
    /// Literals that were assumed by probing.
    pub probed_literals: u64,
    /// Literals that probing found to be false.
    pub failed_literals: u64,
    /// Binary clauses from hyper-binary resolution.
    pub hyper_binaries: u64,
    /// Binary clauses that were removed because others imply them.
    pub transitive_clauses: u64,
    /// Ticks of vivification, which [`Statistics::ticks`] includes.
    pub vivify_ticks: u64,
    /// Clauses that vivification tried.
    pub vivified_clauses: u64,
    /// Clauses that vivification shortened.
    pub vivify_shortened: u64,
    /// Redundant clauses that vivification found to be implied by others.
    pub vivify_implied: u64,
    /// Irredundant clauses removed because others subsume them.
    pub subsumed_clauses: u64,
    /// Redundant clauses that others subsume, found by inprocessing.
    pub subsumed_redundant: u64,
    /// Recent learned clauses that a new one subsumes.
    pub subsumed_learned: u64,
    /// Variables eliminated.
    pub eliminated_variables: u64,
    /// Those of them that some of the clauses defined as a gate.
    pub eliminated_gates: u64,
    /// Variables that factoring added.
    pub added_variables: u64,
    /// Clauses that factoring replaced.
    pub factored_clauses: u64,
    /// Gates that congruence closure found at the beginning of its rounds.
    pub gates: u64,
    /// Gates that turned out to have the same inputs as another one of the same function.
    pub congruent_gates: u64,
    /// Variables substituted by equal literals.
    pub substituted_variables: u64,
    /// Environments of variables that sweeping has decided.
    pub swept_environments: u64,
    /// Pairs of literals that sweeping found to be equal.
    pub swept_equivalences: u64,
    /// Units that sweeping found.
    pub swept_units: u64,
    /// Restorations of the eliminated variables, substituted ones included.
    pub restorations: u64,
    /// Clauses removed.
    pub deleted_clauses: u64,
}
