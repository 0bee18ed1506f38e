//! What a user may set.

/// How the search goes about its work. None of it changes an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where random choices start from. The same seed gives the same search. Default 0.
    pub seed: u64,
    /// The phase that a variable is first tried in. Default `true`.
    pub initial_phase: bool,
    /// Whether to switch between focused and stable mode; otherwise the search stays focused. Default `true`.
    pub stable: bool,
    /// Conflicts until the clauses are first worked on between phases of search; later gaps are a little longer. With 0,
    /// that is done before the search and after each conflict. Default 2000.
    pub inprocess_interval: u64,
    /// Whether to look for literals that lead to a conflict by propagation. Default `true`.
    pub probe: bool,
    /// Whether probing adds binary clauses for what literals imply through longer ones. Does nothing without
    /// [`Options::probe`]. Default `true`.
    pub hyper_binary: bool,
    /// Whether to remove binary clauses that others imply. Default `true`.
    pub transitive: bool,
    /// Whether to shorten clauses by propagation. Default `true`.
    pub vivify: bool,
    /// Whether to replace the literals that a learned clause has of a level by one that implies them. Default `true`.
    pub shrink: bool,
    /// Whether to bump the variables in the reasons of what was learned. Default `true`.
    pub bump_reasons: bool,
    /// Whether to hold each learned clause against the last ones, to remove those that it subsumes. Default `true`.
    pub subsume_learned: bool,
    /// Whether the first call without assumptions begins with trying some simple assignments. Default `true`.
    pub lucky: bool,
    /// Whether rephasing sometimes takes its phases from local search. Default `true`.
    pub walk: bool,
    /// Whether to look for subsumed clauses. Default `true`.
    pub subsume: bool,
    /// Whether looking for subsumed clauses includes learned ones that are likely to be kept. Does nothing without
    /// [`Options::subsume`]. Default `true`.
    pub subsume_redundant: bool,
    /// Whether to eliminate variables. They come back, all at once, when a clause or an assumption mentions one, so
    /// this pays where most of the formula is there from the start. Default `false`.
    pub eliminate: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            initial_phase: true,
            stable: true,
            inprocess_interval: 2000,
            shrink: true,
            bump_reasons: true,
            probe: true,
            hyper_binary: true,
            transitive: true,
            vivify: true,
            subsume_learned: true,
            lucky: true,
            walk: true,
            subsume: true,
            subsume_redundant: true,
            eliminate: false,
        }
    }
}

impl Options {
    /// Sets an option by name, as in `stable=false`; `false` if there is no such option or the value makes no sense.
    pub fn set(&mut self, assignment: &str) -> bool {
        let Some((name, value)) = assignment.split_once('=') else {
            return false;
        };
        let number = match name {
            "seed" => Some(&mut self.seed),
            "inprocess_interval" => Some(&mut self.inprocess_interval),
            _ => None,
        };
        if let Some(number) = number {
            return value.parse().map(|value| *number = value).is_ok();
        }
        let option = match name {
            "initial_phase" => &mut self.initial_phase,
            "stable" => &mut self.stable,
            "shrink" => &mut self.shrink,
            "bump_reasons" => &mut self.bump_reasons,
            "hyper_binary" => &mut self.hyper_binary,
            "transitive" => &mut self.transitive,
            "probe" => &mut self.probe,
            "vivify" => &mut self.vivify,
            "subsume_learned" => &mut self.subsume_learned,
            "lucky" => &mut self.lucky,
            "walk" => &mut self.walk,
            "subsume_redundant" => &mut self.subsume_redundant,
            "subsume" => &mut self.subsume,
            "eliminate" => &mut self.eliminate,
            _ => return false,
        };
        value.parse().map(|value| *option = value).is_ok()
    }
}

/// How much one call of [`Solver::solve`](super::Solver::solve) may do before it answers
/// [`Answer::Unknown`](super::Answer::Unknown). `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The number of conflicts.
    pub conflicts: Option<u64>,
    /// The number of propagated literals; looked at between propagations, so a call may do a few more.
    pub propagations: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_name() {
        let mut options = Options::default();
        assert!(options.set("seed=7") && options.set("stable=false"));
        assert_eq!((options.seed, options.stable), (7, false));
        for wrong in ["stable", "stable=maybe", "nothing=true", "seed=-1", ""] {
            assert!(!options.set(wrong), "{wrong}");
        }
    }
}
