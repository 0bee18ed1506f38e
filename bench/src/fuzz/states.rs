//! The graph of all states of a small system: the truth about its properties, by code that shares nothing with the engines and judges.
//!
//! A vertex is a step: a state and the values of the inputs. It has edges to all steps in the next state.

use craig_aig::{Edge, Node};
use craig_model::{Latch, Model, Reset};

/// What a step of a system is.
pub(super) struct Step {
    /// The state after it.
    pub(super) next: usize,
    /// Whether a run may start with it.
    pub(super) is_first: bool,
    /// Whether all constraints hold in it.
    pub(super) is_allowed: bool,
    /// By bad, whether it holds.
    pub(super) bads: Vec<bool>,
    /// By justice property, whether each of its literals holds, and each fairness literal.
    pub(super) justice: Vec<Vec<bool>>,
}

/// The steps of a system, by the number whose low bits are the state and whose high bits are the inputs.
pub(super) struct Steps {
    n_state_bits: usize,
    n_input_bits: usize,
    steps: Vec<Step>,
}

impl Steps {
    /// Evaluates all steps; there are at most 20 bits.
    pub(super) fn new(
        n_state_bits: usize,
        n_input_bits: usize,
        step: impl FnMut(usize) -> Step,
    ) -> Self {
        let n_steps = 1_usize << (n_state_bits + n_input_bits);
        Self {
            n_state_bits,
            n_input_bits,
            steps: (0..n_steps).map(step).collect(),
        }
    }

    /// Those of a model.
    pub(super) fn of_model(model: &Model) -> Self {
        Self::new(model.latches.len(), model.inputs.len(), |number| {
            step_of(model, number)
        })
    }

    /// The steps that follow a step.
    fn after(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        let inputs = 0..1_usize << self.n_input_bits;
        inputs.map(move |inputs| self.steps[step].next | inputs << self.n_state_bits)
    }

    /// By step, in how many steps a run of allowed steps reaches it.
    fn depths(&self) -> Vec<Option<usize>> {
        let mut depths = vec![None; self.steps.len()];
        let mut frontier: Vec<usize> = (0..self.steps.len())
            .filter(|&step| self.steps[step].is_first && self.steps[step].is_allowed)
            .collect();
        let mut depth = 0;
        for &step in &frontier {
            depths[step] = Some(0);
        }
        while !frontier.is_empty() {
            depth += 1;
            let mut reached = Vec::new();
            for &step in &frontier {
                for after in self.after(step) {
                    if depths[after].is_none() && self.steps[after].is_allowed {
                        depths[after] = Some(depth);
                        reached.push(after);
                    }
                }
            }
            frontier = reached;
        }
        depths
    }

    /// By bad, the number of the first step in which it can hold.
    pub(super) fn bads(&self) -> Vec<Option<usize>> {
        let depths = self.depths();
        let n_bads = self.steps[0].bads.len();
        let first = |bad: usize| {
            let steps = self.steps.iter().zip(&depths);
            let steps = steps.filter(|(step, _)| step.bads[bad]);
            steps.filter_map(|(_, &depth)| depth).min()
        };
        (0..n_bads).map(first).collect()
    }

    /// By justice property, whether a run meets all of its literals for ever: the greatest set of steps from each of which every
    /// literal can be met again within the set (E. A. Emerson and C.-L. Lei, "Efficient model checking in fragments of the
    /// propositional mu-calculus", 1986).
    pub(super) fn justice_fails(&self) -> Vec<bool> {
        let depths = self.depths();
        let n_properties = self.steps[0].justice.len();
        let fails = |property: usize| {
            let n_literals = self.steps[0].justice[property].len();
            let mut set: Vec<bool> = depths.iter().map(Option::is_some).collect();
            loop {
                let before = set.clone();
                // A run goes on for ever, also if no literal has to be met: the literal after the last one is true.
                for literal in 0..=n_literals {
                    let holds = |step: usize| {
                        let own = &self.steps[step].justice[property];
                        own.get(literal).copied().unwrap_or(true)
                    };
                    let meets = (0..set.len()).map(|step| set[step] && holds(step));
                    let can_meet = self.before(&self.reaching(&set, meets.collect()));
                    for (is_in, can_meet) in set.iter_mut().zip(can_meet) {
                        *is_in &= can_meet;
                    }
                }
                if set == before {
                    return set.contains(&true);
                }
            }
        };
        (0..n_properties).map(fails).collect()
    }

    /// The steps with a successor in a set.
    fn before(&self, set: &[bool]) -> Vec<bool> {
        let has_one = |step: usize| self.after(step).any(|after| set[after]);
        (0..set.len()).map(has_one).collect()
    }

    /// The steps of `within` from which a run in `within` reaches `set`.
    fn reaching(&self, within: &[bool], mut set: Vec<bool>) -> Vec<bool> {
        loop {
            let before = self.before(&set);
            let mut has_grown = false;
            for step in 0..set.len() {
                if within[step] && before[step] && !set[step] {
                    set[step] = true;
                    has_grown = true;
                }
            }
            if !has_grown {
                return set;
            }
        }
    }
}

/// A step of a model.
fn step_of(model: &Model, number: usize) -> Step {
    let mut values = vec![false; model.aig.n_nodes()];
    let latches = model.latches.iter().map(|latch| latch.state);
    for (place, edge) in latches.chain(model.inputs.iter().copied()).enumerate() {
        values[edge.node() as usize] = number >> place & 1 == 1;
    }
    for node in 0..model.aig.n_nodes() {
        if let Node::And(left, right) = model.aig.node(node as u32) {
            let holds = |edge: Edge| values[edge.node() as usize] != edge.is_negated();
            values[node] = holds(left) && holds(right);
        }
    }
    let holds = |&edge: &Edge| values[edge.node() as usize] != edge.is_negated();
    let starts = |latch: &Latch| match latch.reset {
        Reset::Zero => !holds(&latch.state),
        Reset::One => holds(&latch.state),
        Reset::Uninitialised => true,
        Reset::Function(edge) => holds(&latch.state) == holds(&edge),
    };
    let bit = |(place, latch): (usize, &Latch)| usize::from(holds(&latch.next)) << place;
    let fairness: Vec<bool> = model.fairness.iter().map(holds).collect();
    let literals = |own: &Vec<Edge>| {
        own.iter()
            .map(holds)
            .chain(fairness.iter().copied())
            .collect()
    };
    Step {
        next: model.latches.iter().enumerate().map(bit).sum(),
        is_first: model.latches.iter().all(starts),
        is_allowed: model.constraints.iter().all(holds),
        bads: model.bads.iter().map(holds).collect(),
        justice: model.justice.iter().map(literals).collect(),
    }
}
