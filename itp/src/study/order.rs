//! The implication order of several formulas.

use craig_aig::{Aig, Edge, Random};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use crate::extract::extract;
use crate::stop::Stop;

/// The implication order of several formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Row `i`, column `j`: whether formula `i` implies formula `j`; `None` if that is undecided.
    pub implies: Vec<Vec<Option<bool>>>,
    /// The formulas, by position, in classes of equivalent ones; a class that implies another comes before
    /// it.
    pub classes: Vec<Vec<usize>>,
    /// The Hasse diagram: pairs of classes, the stronger first, with no class between them.
    pub covers: Vec<(usize, usize)>,
}

impl Order {
    /// The order of `n_formulas` formulas of which no pair was compared.
    #[must_use]
    pub fn undecided(n_formulas: usize) -> Self {
        let row = |left| {
            (0..n_formulas)
                .map(|right| (left == right).then_some(true))
                .collect()
        };
        Self {
            implies: (0..n_formulas).map(row).collect(),
            classes: (0..n_formulas).map(|formula| vec![formula]).collect(),
            covers: Vec::new(),
        }
    }
}

/// Words of 64 random assignments that are simulated before the first SAT call.
const SIMULATED_WORDS: usize = 16;

/// Compares each of the formulas with each other. Random simulation and the solver's models refute most
/// implications. The others are decided by SAT calls of at most `conflicts` conflicts each. Implications
/// still open when `stop` requests the end stay undecided.
#[must_use]
pub fn order(aig: &Aig, edges: &[Edge], conflicts: Option<u64>, stop: &Stop) -> Order {
    let mut comparison = Comparison::new(aig, edges);
    comparison.simulate();
    comparison.decide(conflicts, stop);
    let implies = comparison.implies;
    let (classes, covers) = diagram(&implies);
    Order {
        implies,
        classes,
        covers,
    }
}

struct Comparison {
    aig: Aig,
    roots: Vec<Edge>,
    n_inputs: usize,
    implies: Vec<Vec<Option<bool>>>,
}

impl Comparison {
    fn new(aig: &Aig, edges: &[Edge]) -> Self {
        let (aig, roots, support) = extract(aig, edges);
        let implies = roots
            .iter()
            .map(|left| {
                let known = |right: &Edge| (left == right).then_some(true);
                roots.iter().map(known).collect()
            })
            .collect();
        Self {
            aig,
            roots,
            n_inputs: support.len(),
            implies,
        }
    }

    /// Refutes the implications of which one of these 64 assignments is a counterexample.
    fn refute(&mut self, inputs: &[u64]) {
        let values = self.aig.simulate(inputs);
        let words: Vec<u64> = self.roots.iter().map(|root| root.word(&values)).collect();
        for (row, &left) in self.implies.iter_mut().zip(&words) {
            for (entry, &right) in row.iter_mut().zip(&words) {
                if left & !right != 0 {
                    debug_assert_ne!(*entry, Some(true), "an implication has a counterexample");
                    *entry = Some(false);
                }
            }
        }
    }

    fn simulate(&mut self) {
        let mut random = Random::new(0);
        let mut inputs = vec![0; self.n_inputs];
        for _ in 0..SIMULATED_WORDS {
            inputs.fill_with(|| random.word());
            self.refute(&inputs);
        }
    }

    fn decide(&mut self, conflicts: Option<u64>, stop: &Stop) {
        let mut solver = Solver::new();
        stop.install(&mut solver);
        let mut encoder = Encoder::new();
        let inputs: Vec<Lit> = self
            .aig
            .inputs()
            .iter()
            .map(|&node| {
                let lit = solver.new_var().positive();
                encoder.set(node, lit);
                lit
            })
            .collect();
        let lits: Vec<Lit> = self
            .roots
            .iter()
            .map(|&root| encoder.encode(&self.aig, root, &mut solver))
            .collect();
        solver.set_limits(Limits {
            conflicts,
            ..Limits::default()
        });
        let mut random = Random::new(1);
        for left in 0..lits.len() {
            for right in 0..lits.len() {
                if stop.is_asked() {
                    return;
                }
                if self.implies[left][right].is_some() {
                    continue;
                }
                if self.follows(left, right) {
                    self.implies[left][right] = Some(true);
                    continue;
                }
                match solver.solve(&[lits[left], !lits[right]]) {
                    Answer::Unsatisfiable => self.implies[left][right] = Some(true),
                    Answer::Unknown => {}
                    Answer::Satisfiable => {
                        // The model, and 63 assignments near it that may refute more.
                        let near: Vec<u64> = inputs
                            .iter()
                            .map(|&lit| {
                                let model = solver.value(lit) == Some(true);
                                let flips = random.word() & random.word() & random.word() & !1;
                                0_u64.wrapping_sub(u64::from(model)) ^ flips
                            })
                            .collect();
                        self.refute(&near);
                        debug_assert_eq!(self.implies[left][right], Some(false));
                    }
                }
            }
        }
    }

    /// Whether the implication follows by transitivity from two decided ones.
    fn follows(&self, left: usize, right: usize) -> bool {
        (0..self.roots.len()).any(|between| {
            self.implies[left][between] == Some(true) && self.implies[between][right] == Some(true)
        })
    }
}

/// The classes of equivalent formulas, strongest first, and the covering pairs between them.
fn diagram(implies: &[Vec<Option<bool>>]) -> (Vec<Vec<usize>>, Vec<(usize, usize)>) {
    let holds = |left: usize, right: usize| implies[left][right] == Some(true);
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for formula in 0..implies.len() {
        let equal = |class: &&mut Vec<usize>| holds(class[0], formula) && holds(formula, class[0]);
        match classes.iter_mut().find(equal) {
            Some(class) => class.push(formula),
            None => classes.push(vec![formula]),
        }
    }
    // Classes that imply a class also imply all that it implies: sorting by their number is a topological
    // order.
    let n_below = |class: &[usize]| {
        let below = |other: &&Vec<usize>| holds(other[0], class[0]);
        classes.iter().filter(below).count()
    };
    let mut ranked: Vec<(usize, Vec<usize>)> = classes
        .iter()
        .map(|class| (n_below(class), class.clone()))
        .collect();
    ranked.sort();
    let classes: Vec<Vec<usize>> = ranked.into_iter().map(|(_, class)| class).collect();
    let below =
        |left: usize, right: usize| left != right && holds(classes[left][0], classes[right][0]);
    let mut covers = Vec::new();
    for left in 0..classes.len() {
        for right in 0..classes.len() {
            let between = |middle| below(left, middle) && below(middle, right);
            if below(left, right) && !(0..classes.len()).any(between) {
                covers.push((left, right));
            }
        }
    }
    (classes, covers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{graph, table};
    use proptest::prelude::*;

    #[test]
    fn a_small_lattice_has_its_diagram() {
        let (mut aig, [a, b, ..]) = graph();
        let and = aig.and(a, b);
        let or = aig.or(a, b);
        let other = {
            let xor = aig.xor(a, b);
            aig.or(xor, and)
        };
        let order = order(&aig, &[or, a, and, b, other], None, &Stop::never());
        assert_eq!(order.classes, [vec![2], vec![1], vec![3], vec![0, 4]]);
        assert_eq!(order.covers, [(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert_eq!(order.implies[2][0], Some(true));
        assert_eq!(order.implies[0][2], Some(false));
    }

    proptest! {
        #[test]
        fn implications_agree_with_truth_tables(
            gates in prop::collection::vec((any::<u16>(), any::<u16>(), any::<bool>()), 12),
        ) {
            let (mut aig, inputs) = graph();
            let mut pool = inputs.to_vec();
            for (left, right, negated) in gates {
                let pick = |at: u16| pool[at as usize % pool.len()];
                let gate = aig.and(pick(left), pick(right).negate_if(negated));
                pool.push(gate.negate_if(left & 1 == 1));
            }
            let edges = &pool[6..];
            let order = order(&aig, edges, None, &Stop::never());
            let tables: Vec<u64> = edges.iter().map(|&edge| table(&aig, edge)).collect();
            for (row, &left) in order.implies.iter().zip(&tables) {
                for (&entry, &right) in row.iter().zip(&tables) {
                    prop_assert_eq!(entry, Some(left & !right == 0));
                }
            }
            // The diagram's paths are the strict implications between classes.
            let n = order.classes.len();
            let mut reach = vec![vec![false; n]; n];
            for _ in 0..n {
                for &(low, high) in &order.covers {
                    reach[low][high] = true;
                    for row in &mut reach {
                        row[high] |= row[low];
                    }
                }
            }
            for (low, row) in reach.iter().enumerate() {
                for (high, &reached) in row.iter().enumerate() {
                    let [left, right] = [low, high].map(|class| tables[order.classes[class][0]]);
                    prop_assert_eq!(reached, low != high && left & !right == 0);
                }
            }
        }
    }
}
