//! The cheapest set of links that refutes a path.
//!
//! Whether a set of links refutes a path is monotone: more links refute more. A model of the path under some
//! links violates others, and every refuting set contains one of these. So each refuting set hits all sets of
//! violated links that were seen, and a cheapest hitting set that refutes the path is a cheapest refuting set
//! (the implicit hitting sets of J. Davies and F. Bacchus, "Solving MAXSAT by solving a sequence of simpler
//! SAT instances", CP 2011). The violated sets are the cache of what does not suffice, and the best core is
//! that of what does: a query is only posed if neither answers it.

/// What a query about some links says.
pub(super) enum Reply {
    /// These of the links refute the path.
    Refuted(Vec<usize>),
    /// The path has a model with the links that violates these others: at least one.
    Violated(Vec<usize>),
    /// The query was given up.
    Open,
}

/// A set of links that refutes the path.
pub(super) struct Choice {
    /// In increasing order.
    pub(super) links: Vec<usize>,
    /// Whether no cheaper set refutes the path.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests compare with enumeration")
    )]
    pub(super) is_cheapest: bool,
}

/// Limit of the search for one hitting set, in nodes of its tree.
const MAX_NODES: usize = 2_000;

/// A set of links that refutes the path: the cheapest one, unless `limit` queries or the limit on hitting
/// sets do not suffice to find it. `sufficient` refutes the path.
///
/// # Errors
/// Those of a query.
pub(super) fn cheapest<E>(
    costs: &[u32],
    sufficient: Vec<usize>,
    limit: usize,
    ask: &mut dyn FnMut(&[usize]) -> Result<Reply, E>,
) -> Result<Choice, E> {
    let total = |links: &[usize]| {
        links
            .iter()
            .map(|&link| u64::from(costs[link]))
            .sum::<u64>()
    };
    let choice = |mut links: Vec<usize>, is_cheapest| {
        links.sort_unstable();
        links.dedup();
        Ok(Choice { links, is_cheapest })
    };
    let mut best = sufficient;
    let mut violated: Vec<Vec<usize>> = Vec::new();
    let mut n_queries = 0;
    loop {
        let (mut trial, is_exact) = hitting_set(costs, &violated);
        if total(&trial) >= total(&best) {
            return choice(best, is_exact);
        }
        let mut is_least = is_exact;
        loop {
            if n_queries == limit {
                return choice(best, false);
            }
            n_queries += 1;
            match ask(&trial)? {
                Reply::Open => return choice(best, false),
                Reply::Refuted(core) => {
                    debug_assert!(core.iter().all(|link| trial.contains(link)));
                    if total(&core) < total(&best) {
                        best = core;
                    }
                    if is_least || !is_exact {
                        return choice(best, is_least);
                    }
                    break;
                }
                Reply::Violated(links) => {
                    debug_assert!(!links.is_empty());
                    debug_assert!(links.iter().all(|link| !trial.contains(link)));
                    // The set grows until it refutes the path, which bounds the cost from above; the violated
                    // sets found on the way bound it from below.
                    trial.extend(links.iter().copied().min_by_key(|&link| costs[link]));
                    violated.push(links);
                    is_least = false;
                    if total(&trial) >= total(&best) {
                        break;
                    }
                }
            }
        }
    }
}

/// A set that contains an element of each of the sets, and whether no cheaper one does.
fn hitting_set(costs: &[u32], sets: &[Vec<usize>]) -> (Vec<usize>, bool) {
    let mut search = HittingSet {
        costs,
        sets,
        best: greedy(costs, sets),
        chosen: Vec::new(),
        excluded: vec![false; costs.len()],
        n_nodes: 0,
    };
    search.branch(0);
    (search.best, search.n_nodes <= MAX_NODES)
}

/// A hitting set by the ratio of sets to cost.
fn greedy(costs: &[u32], sets: &[Vec<usize>]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        let mut n_hit = vec![0u64; costs.len()];
        for set in sets.iter().filter(|set| is_missed(set, &chosen)) {
            for &link in set {
                n_hit[link] += 1;
            }
        }
        // Compares n / cost without division.
        let better = |&a: &usize, &b: &usize| {
            let (left, right) = (
                n_hit[a] * u64::from(costs[b].max(1)),
                n_hit[b] * u64::from(costs[a].max(1)),
            );
            left.cmp(&right).then(b.cmp(&a))
        };
        let candidates = (0..costs.len()).filter(|&link| n_hit[link] > 0);
        match candidates.max_by(|a, b| better(a, b)) {
            Some(link) => chosen.push(link),
            None => return chosen,
        }
    }
}

fn is_missed(set: &&Vec<usize>, chosen: &[usize]) -> bool {
    !set.iter().any(|link| chosen.contains(link))
}

/// A branch and bound search. Its depth is at most the number of sets.
struct HittingSet<'a> {
    costs: &'a [u32],
    sets: &'a [Vec<usize>],
    best: Vec<usize>,
    chosen: Vec<usize>,
    /// Links of which the search has tried all sets that extend the present one.
    excluded: Vec<bool>,
    n_nodes: usize,
}

impl HittingSet<'_> {
    fn branch(&mut self, cost: u64) {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            return;
        }
        let missed: Vec<&Vec<usize>> = (self.sets.iter())
            .filter(|set| is_missed(set, &self.chosen))
            .collect();
        let total = |links: &[usize]| -> u64 {
            let own = links.iter().map(|&link| u64::from(self.costs[link]));
            own.sum()
        };
        if cost + self.least(&missed) >= total(&self.best) {
            return;
        }
        let open = |set: &&&Vec<usize>| set.iter().filter(|&&link| !self.excluded[link]).count();
        let Some(&set) = missed.iter().min_by_key(open) else {
            self.best.clone_from(&self.chosen);
            return;
        };
        let mut links: Vec<usize> = (set.iter().copied())
            .filter(|&link| !self.excluded[link])
            .collect();
        links.sort_unstable_by_key(|&link| (self.costs[link], link));
        for &link in &links {
            self.chosen.push(link);
            self.branch(cost + u64::from(self.costs[link]));
            self.chosen.pop();
            self.excluded[link] = true;
        }
        for link in links {
            self.excluded[link] = false;
        }
    }

    /// A lower bound on the cost of hitting these sets: the least costs of disjoint ones of them.
    fn least(&self, missed: &[&Vec<usize>]) -> u64 {
        let mut seen = vec![false; self.costs.len()];
        let mut bound = 0;
        for set in missed {
            let open = set.iter().filter(|&&link| !self.excluded[link]);
            let Some(cost) = open.map(|&link| u64::from(self.costs[link])).min() else {
                return u64::MAX / 2;
            };
            if set.iter().all(|&link| !seen[link]) {
                bound += cost;
                for &link in *set {
                    seen[link] = true;
                }
            }
        }
        bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;
    use proptest::prelude::*;

    /// A path is refuted by the supersets of some sets of links, one of them full.
    fn problem(seed: u64) -> (Vec<u32>, Vec<Vec<usize>>) {
        let random = &mut Random::new(seed);
        let n = 1 + random.below(9);
        let costs = (0..n).map(|_| 1 + random.below(9) as u32).collect();
        let mut cores = vec![(0..n).collect::<Vec<usize>>()];
        for _ in 0..random.below(6) {
            cores.push((0..n).filter(|_| random.below(3) == 0).collect());
        }
        (costs, cores)
    }

    fn reply(n: usize, cores: &[Vec<usize>], trial: &[usize]) -> Reply {
        let is_in = |links: &[usize], core: &[usize]| core.iter().all(|link| links.contains(link));
        match cores.iter().find(|core| is_in(trial, core)) {
            Some(core) => Reply::Refuted(core.clone()),
            None => {
                // A model satisfies as many links as possible, in an arbitrary order.
                let mut satisfied = trial.to_vec();
                for link in 0..n {
                    satisfied.push(link);
                    if cores.iter().any(|core| is_in(&satisfied, core)) {
                        satisfied.pop();
                    }
                }
                let violated = (0..n).filter(|link| !satisfied.contains(link));
                Reply::Violated(violated.collect())
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

        #[test]
        fn the_choice_is_the_cheapest_of_all(seed in 1u64..) {
            let (costs, cores) = problem(seed);
            let total = |links: &[usize]| links.iter().map(|&link| costs[link]).sum::<u32>();
            let expected = cores.iter().map(|core| total(core)).min();
            let n = costs.len();
            let all: Vec<usize> = (0..n).collect();
            let mut ask = |trial: &[usize]| Ok::<_, ()>(reply(n, &cores, trial));
            let found = cheapest(&costs, all, usize::MAX, &mut ask).ok().unwrap();
            prop_assert!(found.is_cheapest);
            prop_assert_eq!(Some(total(&found.links)), expected);
        }

        /// With few queries the choice refutes the path, and is never called the cheapest wrongly.
        #[test]
        fn a_bounded_search_returns_a_refuting_set(seed in 1u64.., limit in 0usize..6) {
            let (costs, cores) = problem(seed);
            let total = |links: &[usize]| links.iter().map(|&link| costs[link]).sum::<u32>();
            let n = costs.len();
            let all: Vec<usize> = (0..n).collect();
            let mut n_queries = 0;
            let mut ask = |trial: &[usize]| {
                n_queries += 1;
                Ok::<_, ()>(reply(n, &cores, trial))
            };
            let found = cheapest(&costs, all, limit, &mut ask).ok().unwrap();
            prop_assert!(n_queries <= limit);
            prop_assert!(cores.iter().any(|core| core.iter().all(|link| found.links.contains(link))));
            if found.is_cheapest {
                let least = cores.iter().map(|core| total(core)).min();
                prop_assert_eq!(Some(total(&found.links)), least);
            }
        }
    }

    #[test]
    fn a_query_that_is_given_up_keeps_the_best_set() {
        let mut ask = |_: &[usize]| Ok::<_, ()>(Reply::Open);
        let found = cheapest(&[1, 1], vec![0, 1], 9, &mut ask).ok().unwrap();
        assert_eq!(found.links, [0, 1]);
        assert!(!found.is_cheapest);
    }

    /// A path that needs no link at all has the empty core.
    #[test]
    fn the_empty_set_may_refute() {
        let mut ask = |_: &[usize]| Ok::<_, ()>(Reply::Refuted(Vec::new()));
        let found = cheapest(&[3], vec![0], 9, &mut ask).ok().unwrap();
        assert!(found.links.is_empty() && found.is_cheapest);
    }
}
