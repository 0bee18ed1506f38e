//! The judges against definitions: small random circuits and evidence, and all values of all variables.
//!
//! Nothing here uses formulas or a solver. A judge that leaves out a condition, or states one wrong, differs from the enumeration in
//! some case; each test counts the judgements of each kind, so that none of them is missing.

mod files;
mod liveness;
mod runs;
mod safety;

use craig_aig::{Edge, Node, Random};
use craig_model::{Certificate, Latch, Model, Reset};

/// How large a random circuit is, at most.
#[derive(Clone, Copy)]
struct Size {
    inputs: usize,
    latches: usize,
    gates: usize,
}

/// An edge of a circuit's graph.
fn any_edge(model: &Model, random: &mut Random) -> Edge {
    Edge::new(random.below(model.aig.n_nodes()) as u32, random.flip())
}

/// A conjunction or an exclusive disjunction of two edges.
fn formula(model: &mut Model, random: &mut Random) -> Edge {
    let [one, other] = [0; 2].map(|_| any_edge(model, random));
    match random.flip() {
        true => model.aig.and(one, other),
        false => model.aig.xor(one, other),
    }
}

/// Some formulas, fewer than `bound`.
fn formulas(model: &mut Model, bound: usize, random: &mut Random) -> Vec<Edge> {
    let n = random.below(bound);
    (0..n).map(|_| formula(model, random)).collect()
}

/// How a latch starts; most functions are of inputs and other latches.
fn any_reset(model: &Model, random: &mut Random) -> Reset {
    match random.below(6) {
        0..3 => Reset::Zero,
        3 => Reset::One,
        4 => Reset::Uninitialised,
        _ => Reset::Function(any_edge(model, random)),
    }
}

/// A circuit with bads, without justice properties. Its reset functions have an order.
fn circuit(size: Size, random: &mut Random) -> Model {
    let mut model = Model::default();
    for _ in 0..random.below(size.inputs + 1) {
        let input = model.aig.add_input();
        model.inputs.push(input);
    }
    let n_latches = random.below(size.latches + 1);
    let states: Vec<Edge> = (0..n_latches).map(|_| model.aig.add_input()).collect();
    for _ in 0..random.below(size.gates + 1) {
        formula(&mut model, random);
    }
    for &state in &states {
        let next = any_edge(&model, random);
        let reset = any_reset(&model, random);
        model.latches.push(Latch { state, next, reset });
    }
    if model.reset_order().is_none() {
        for latch in &mut model.latches {
            latch.reset = Reset::Zero;
        }
    }
    model.constraints = match random.flip() {
        true => formulas(&mut model, 2, random),
        false => Vec::new(),
    };
    model.bads = vec![any_edge(&model, random), formula(&mut model, random)];
    model
}

/// The values of all nodes, if the inputs and then the latches have these values.
fn evaluated(model: &Model, variables: impl IntoIterator<Item = bool>) -> Vec<bool> {
    let mut values = vec![false; model.aig.n_nodes()];
    let states = model.latches.iter().map(|latch| latch.state);
    for (edge, value) in model.inputs.iter().copied().chain(states).zip(variables) {
        values[edge.node() as usize] = value;
    }
    for node in 0..values.len() {
        if let Node::And(left, right) = model.aig.node(node as u32) {
            values[node] = holds(&values, left) && holds(&values, right);
        }
    }
    values
}

/// The value of an edge.
fn holds(values: &[bool], edge: Edge) -> bool {
    values[edge.node() as usize] != edge.is_negated()
}

fn all_hold(values: &[bool], edges: &[Edge]) -> bool {
    edges.iter().all(|&edge| holds(values, edge))
}

/// Whether a latch has the value at which it starts.
fn starts(values: &[bool], latch: &Latch) -> bool {
    match latch.reset {
        Reset::Zero => !holds(values, latch.state),
        Reset::One => holds(values, latch.state),
        Reset::Uninitialised => true,
        Reset::Function(edge) => holds(values, latch.state) == holds(values, edge),
    }
}

/// Both circuits in a step, with one value for what they share: the values of the witness's nodes and of the model's.
struct Moment {
    witness: Vec<bool>,
    model: Vec<bool>,
}

/// All moments.
fn moments(model: &Model, certificate: &Certificate) -> Vec<Moment> {
    let witness = &certificate.witness;
    let n_inputs = witness.inputs.len();
    let n_witness = n_inputs + witness.latches.len();
    // By variable of the model, the variable of the witness that it is shared with.
    let mut shared_with = vec![None; model.inputs.len() + model.latches.len()];
    for (own, shared) in certificate.shared_inputs.iter().enumerate() {
        if let Some(shared) = *shared {
            shared_with[shared] = Some(own);
        }
    }
    for (own, shared) in certificate.shared_latches.iter().enumerate() {
        if let Some(shared) = *shared {
            shared_with[model.inputs.len() + shared] = Some(n_inputs + own);
        }
    }
    let n_free = shared_with.iter().filter(|shared| shared.is_none()).count();
    let moment = |number: usize| {
        let bit = |place: usize| number >> place & 1 == 1;
        let mut next_free = n_witness;
        let of_model = shared_with.iter().map(|shared| {
            shared.map_or_else(
                || {
                    next_free += 1;
                    bit(next_free - 1)
                },
                bit,
            )
        });
        Moment {
            model: evaluated(model, of_model),
            witness: evaluated(witness, (0..n_witness).map(bit)),
        }
    };
    (0..1 << (n_witness + n_free)).map(moment).collect()
}

/// Whether the latches step from one moment to another by a circuit's next states.
fn follows<'a>(latches: impl IntoIterator<Item = &'a Latch>, from: &[bool], to: &[bool]) -> bool {
    let mut latches = latches.into_iter();
    latches.all(|latch| holds(from, latch.next) == holds(to, latch.state))
}

/// The circuit as its own witness, with everything shared.
fn own_witness(model: &Model) -> Certificate {
    Certificate {
        witness: model.clone(),
        shared_inputs: (0..model.inputs.len()).map(Some).collect(),
        shared_latches: (0..model.latches.len()).map(Some).collect(),
    }
}

/// Changes a part of a certificate.
fn change(certificate: &mut Certificate, random: &mut Random) {
    let Certificate {
        witness,
        shared_inputs,
        shared_latches,
    } = certificate;
    let latch = random.below(witness.latches.len().max(1));
    match random.below(9) {
        0 if !witness.latches.is_empty() => {
            witness.latches[latch].reset = any_reset(witness, random);
        }
        1 if !witness.latches.is_empty() => witness.latches[latch].next = any_edge(witness, random),
        2 => {
            let constraint = formula(witness, random);
            witness.constraints.push(constraint);
        }
        3 => witness.constraints.clear(),
        4 => witness.bads = formulas(witness, 3, random),
        5 if !shared_latches.is_empty() => shared_latches[latch] = None,
        6 if !shared_inputs.is_empty() => shared_inputs[0] = None,
        7 => {
            let bad = formula(witness, random);
            witness.bads.push(bad);
        }
        _ if !witness.latches.is_empty() => twin(certificate, latch),
        _ => {}
    }
}

/// Adds a latch that has the value of another one, or the negated one, and a constraint that says so.
fn twin(certificate: &mut Certificate, of: usize) {
    let witness = &mut certificate.witness;
    let Latch {
        state: other,
        next,
        reset,
    } = witness.latches[of];
    let is_negated = of % 2 == 1;
    let state = witness.aig.add_input();
    let reset = match reset {
        Reset::Zero if is_negated => Reset::One,
        Reset::One if is_negated => Reset::Zero,
        Reset::Function(edge) => Reset::Function(edge.negate_if(is_negated)),
        Reset::Uninitialised => Reset::Function(other.negate_if(is_negated)),
        constant => constant,
    };
    let next = next.negate_if(is_negated);
    witness.latches.push(Latch { state, next, reset });
    let same = witness.aig.iff(state, other.negate_if(is_negated));
    witness.constraints.push(same);
    certificate.shared_latches.push(None);
}
