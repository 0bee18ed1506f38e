//! Small random circuits, in a form of which parts can be left out.

use craig_aig::{Edge, Random};
use craig_model::{Latch, Model, Reset};

use super::shrink::without_parts;

/// A place in the list of all edges so far, counted from its end, and a sign.
pub(super) type Pick = (usize, bool);

/// How a latch starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Zero,
    One,
    Any,
    /// At the value of a gate: of inputs and of latches with a smaller number.
    Function(Pick),
}

/// A circuit.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    pub(super) n_inputs: usize,
    pub(super) latches: Vec<(Start, Pick)>,
    pub(super) gates: Vec<[Pick; 2]>,
    pub(super) constraints: Vec<Pick>,
    pub(super) bads: Vec<Pick>,
    pub(super) justice: Vec<Vec<Pick>>,
    pub(super) fairness: Vec<Pick>,
}

impl Recipe {
    /// A circuit with bads, or with justice properties.
    pub(super) fn new(random: &mut Random, is_live: bool) -> Self {
        let n_latches = 1 + random.below(if is_live { 5 } else { 7 });
        let n_inputs = random.below(3);
        let most = if random.below(4) == 0 { 60 } else { 25 };
        let n_gates = 4 + random.below(most);
        let pick = |random: &mut Random| (random.below(1000), random.flip());
        let has_functions = random.below(4) == 0;
        let latches = (0..n_latches)
            .map(|_| {
                let start = match random.below(if has_functions { 8 } else { 6 }) {
                    0..4 => Start::Zero,
                    4 => Start::One,
                    5 => Start::Any,
                    _ => Start::Function(pick(random)),
                };
                (start, pick(random))
            })
            .collect();
        let some = |random: &mut Random, most: usize| {
            let n = random.below(most + 1);
            (0..n).map(|_| pick(random)).collect::<Vec<Pick>>()
        };
        let gates = (0..n_gates).map(|_| [pick(random), pick(random)]).collect();
        let constraints = if random.below(3) == 0 {
            some(random, 2)
        } else {
            Vec::new()
        };
        let n_properties = 1 + random.below(3);
        let (mut bads, mut justice, mut fairness) = (Vec::new(), Vec::new(), Vec::new());
        match is_live {
            false => bads = (0..n_properties).map(|_| pick(random)).collect(),
            true => {
                justice = (0..n_properties)
                    .map(|_| [vec![pick(random)], some(random, 2)].concat())
                    .collect();
                fairness = some(random, 2);
            }
        }
        Self {
            n_inputs,
            latches,
            gates,
            constraints,
            bads,
            justice,
            fairness,
        }
    }

    /// The model.
    pub(super) fn build(&self) -> Model {
        let mut model = Model::default();
        let mut edges = vec![Edge::FALSE];
        for _ in 0..self.n_inputs {
            let input = model.aig.add_input();
            model.inputs.push(input);
            edges.push(input);
        }
        let states: Vec<Edge> = self.latches.iter().map(|_| model.aig.add_input()).collect();
        let at = |edges: &[Edge], (place, sign): Pick| {
            edges[edges.len() - 1 - place % edges.len()].negate_if(sign)
        };
        // The latches join one by one, so that the start of each depends on those before it only.
        let mut starts = Vec::new();
        for (&state, &(start, _)) in states.iter().zip(&self.latches) {
            starts.push(match start {
                Start::Zero => Reset::Zero,
                Start::One => Reset::One,
                Start::Any => Reset::Uninitialised,
                Start::Function(pick) => {
                    let left = at(&edges, pick);
                    let right = at(&edges, (pick.0 / 7, !pick.1));
                    Reset::Function(model.aig.xor(left, right))
                }
            });
            edges.push(state);
        }
        for &[left, right] in &self.gates {
            let gate = model.aig.and(at(&edges, left), at(&edges, right));
            edges.push(gate);
        }
        for ((&state, &(_, next)), reset) in states.iter().zip(&self.latches).zip(starts) {
            let next = at(&edges, next);
            model.latches.push(Latch { state, next, reset });
        }
        let all = |picks: &[Pick]| {
            picks
                .iter()
                .map(|&pick| at(&edges, pick))
                .collect::<Vec<_>>()
        };
        model.constraints = all(&self.constraints);
        model.bads = all(&self.bads);
        model.justice = self.justice.iter().map(|picks| all(picks)).collect();
        model.fairness = all(&self.fairness);
        model
    }

    /// Circuits with less in them.
    pub(super) fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        let mut push = |change: &dyn Fn(&mut Self)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            if !(smaller.bads.is_empty() && smaller.justice.is_empty()) {
                all.push(smaller);
            }
        };
        for gates in without_parts(&self.gates) {
            push(&|recipe| recipe.gates.clone_from(&gates));
        }
        for latches in without_parts(&self.latches) {
            push(&|recipe| recipe.latches.clone_from(&latches));
        }
        for constraints in without_parts(&self.constraints) {
            push(&|recipe| recipe.constraints.clone_from(&constraints));
        }
        for bads in without_parts(&self.bads) {
            push(&|recipe| recipe.bads.clone_from(&bads));
        }
        for justice in without_parts(&self.justice) {
            push(&|recipe| recipe.justice.clone_from(&justice));
        }
        for fairness in without_parts(&self.fairness) {
            push(&|recipe| recipe.fairness.clone_from(&fairness));
        }
        if self.n_inputs > 0 {
            push(&|recipe| recipe.n_inputs -= 1);
        }
        for latch in 0..self.latches.len() {
            if self.latches[latch].0 != Start::Zero {
                push(&|recipe| recipe.latches[latch].0 = Start::Zero);
            }
        }
        all
    }
}
