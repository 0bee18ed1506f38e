//! Small random models, explicit-state reachability on them, and checks of an engine's answer by both.

use std::fmt;

use craig_aig::{Edge, Node, Random};
use craig_certify::{certify_certificate, certify_trace};
use craig_itp::proof_sensitive::ProofSensitive;
use craig_itp::{Rule, System};
use craig_mc::engine::options::Settings;
use craig_mc::engine::registry::ENGINES;
use craig_mc::portfolio::Entry;
use craig_model::{Certificate, Latch, Model, Outcome, Reset, Trace, Verdict};
use proptest::prelude::*;

/// A portfolio of all engines with their default options.
pub(crate) fn all_engines() -> Vec<Entry> {
    let engines = ENGINES.iter();
    let entries = engines.map(|engine| {
        let run = (engine.build)(&Settings::default());
        Entry::new(engine.name, move |model, property, control| {
            run(model, property, control)
        })
    });
    entries.collect()
}

/// The labellings that symmetric interpolants may have.
pub(crate) fn strong_labellings() -> Vec<Rule> {
    vec![
        System::McMillan.into(),
        System::Symmetric.into(),
        Rule::ProofSensitive(ProofSensitive::Strong),
        Rule::RandomStrong(1),
    ]
}

/// The labellings that engines can be told to use.
pub(crate) fn labellings() -> Vec<Rule> {
    let mut all = strong_labellings();
    all.extend([
        System::InverseMcMillan.into(),
        Rule::ProofSensitive(ProofSensitive::Balanced),
        Rule::ProofSensitive(ProofSensitive::Weak),
        Rule::RandomVariables(1),
    ]);
    all
}

/// The description of a random model; it shrinks well, and its debug output can be pasted into a regression
/// test.
#[derive(Clone)]
pub(crate) struct Recipe {
    /// How many inputs.
    pub(crate) n_inputs: usize,
    /// Operands of each gate, as indices into all nodes defined so far (modulo their number), with signs.
    pub(crate) gates: Vec<[(usize, bool); 2]>,
    /// Reset and next state of each latch; the index covers all gates.
    pub(crate) latches: Vec<(Reset, (usize, bool))>,
    /// The constraints.
    pub(crate) constraints: Vec<(usize, bool)>,
    /// The bads.
    pub(crate) bads: Vec<(usize, bool)>,
}

impl fmt::Debug for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            n_inputs,
            gates,
            latches,
            constraints,
            bads,
        } = self;
        write!(
            f,
            "Recipe {{ n_inputs: {n_inputs}, gates: vec!{gates:?}, latches: vec!["
        )?;
        for (reset, next) in latches {
            write!(f, "(Reset::{reset:?}, {next:?}), ")?;
        }
        write!(
            f,
            "], constraints: vec!{constraints:?}, bads: vec!{bads:?} }}"
        )
    }
}

impl Recipe {
    /// The model. Index 0 is the constant false, then come inputs, latches and gates.
    pub(crate) fn build(&self) -> Model {
        let mut model = Model::default();
        let mut defined = vec![Edge::FALSE];
        for _ in 0..self.n_inputs {
            let input = model.aig.add_input();
            model.inputs.push(input);
            defined.push(input);
        }
        for &(reset, _) in &self.latches {
            let state = model.aig.add_input();
            model.latches.push(Latch {
                state,
                next: Edge::FALSE,
                reset,
            });
            defined.push(state);
        }
        for operands in &self.gates {
            let [left, right] =
                operands.map(|(index, sign)| defined[index % defined.len()].negate_if(sign));
            let gate = model.aig.and(left, right);
            defined.push(gate);
        }
        // Counted from the end, so that late gates, which depend on most, are used most.
        let pick = |&(index, sign): &(usize, bool)| {
            defined[defined.len() - 1 - index % defined.len()].negate_if(sign)
        };
        for (latch, (_, next)) in model.latches.iter_mut().zip(&self.latches) {
            latch.next = pick(next);
        }
        model.constraints = self.constraints.iter().map(pick).collect();
        model.bads = self.bads.iter().map(pick).collect();
        model
    }
}

/// Models with up to 2 inputs, 4 latches, 2 constraints and 3 bads; also ones with none of the first three.
pub(crate) fn recipe() -> impl Strategy<Value = Recipe> {
    recipe_up_to(2, 4, 20)
}

/// Models with up to 3 inputs and 8 latches: their runs are long enough for several frames.
pub(crate) fn large_recipe() -> impl Strategy<Value = Recipe> {
    recipe_up_to(3, 8, 60)
}

fn recipe_up_to(
    n_inputs: usize,
    n_latches: usize,
    n_gates: usize,
) -> impl Strategy<Value = Recipe> {
    let reset = prop_oneof![
        3 => Just(Reset::Zero),
        1 => Just(Reset::One),
        1 => Just(Reset::Uninitialised),
    ];
    let operand = move || (0..n_gates + n_gates / 2 + 2, any::<bool>());
    (
        0..=n_inputs,
        prop::collection::vec(
            (operand(), operand()).prop_map(|(left, right)| [left, right]),
            0..n_gates,
        ),
        prop::collection::vec((reset, operand()), 0..=n_latches),
        prop_oneof![
            2 => Just(Vec::new()),
            1 => prop::collection::vec(operand(), 1..=2),
        ],
        prop::collection::vec(operand(), 1..=3),
    )
        .prop_map(|(n_inputs, gates, latches, constraints, bads)| Recipe {
            n_inputs,
            gates,
            latches,
            constraints,
            bads,
        })
}

/// The answer for one property, found by enumeration. States and inputs are bit sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// The states that some step of a run can begin in (constraints hold in the steps before it).
    Safe(Vec<u32>),
    /// The first step in which the bad can hold.
    Unsafe(usize),
}

/// Values of all nodes for one state and one input vector.
fn evaluate(model: &Model, state: u32, input: u32) -> Vec<bool> {
    let mut values = vec![false; model.aig.n_nodes()];
    for (bit, edge) in model.inputs.iter().enumerate() {
        values[edge.node() as usize] = input >> bit & 1 == 1;
    }
    for (bit, latch) in model.latches.iter().enumerate() {
        values[latch.state.node() as usize] = state >> bit & 1 == 1;
    }
    for node in 0..values.len() {
        if let Node::And(left, right) = model.aig.node(node as u32) {
            values[node] = at(&values, left) && at(&values, right);
        }
    }
    values
}

fn at(values: &[bool], edge: Edge) -> bool {
    values[edge.node() as usize] != edge.is_negated()
}

/// Breadth-first search over all states of a small model.
pub(crate) fn explore(model: &Model, property: usize) -> Truth {
    let n_states = 1_u32 << model.latches.len();
    // Reset functions may read the inputs of the first step.
    let starts_with = |state: u32, values: &[bool]| {
        model.latches.iter().enumerate().all(|(bit, latch)| {
            let value = state >> bit & 1 == 1;
            match latch.reset {
                Reset::Zero => !value,
                Reset::One => value,
                Reset::Uninitialised => true,
                Reset::Function(edge) => value == at(values, edge),
            }
        })
    };
    let n_inputs = 1_u32 << model.inputs.len();
    let starts = (0..n_states).filter(|&state| {
        (0..n_inputs).any(|input| starts_with(state, &evaluate(model, state, input)))
    });
    // The first layer is not marked: in a later step, all inputs are allowed in the same states.
    let mut seen = vec![false; n_states as usize];
    let mut layer: Vec<u32> = starts.collect();
    let first_states = layer.clone();
    let mut depth = 0;
    while !layer.is_empty() {
        let mut next_layer = Vec::new();
        for &state in &layer {
            for input in 0..n_inputs {
                let values = evaluate(model, state, input);
                let is_step = depth > 0 || starts_with(state, &values);
                if !is_step || !model.constraints.iter().all(|&edge| at(&values, edge)) {
                    continue;
                }
                if at(&values, model.bads[property]) {
                    return Truth::Unsafe(depth);
                }
                let mut next = 0;
                for (bit, latch) in model.latches.iter().enumerate() {
                    next |= u32::from(at(&values, latch.next)) << bit;
                }
                if !std::mem::replace(&mut seen[next as usize], true) {
                    next_layer.push(next);
                }
            }
        }
        layer = next_layer;
        depth += 1;
    }
    for state in first_states {
        seen[state as usize] = true;
    }
    Truth::Safe(
        (0..n_states)
            .filter(|&state| seen[state as usize])
            .collect(),
    )
}

/// The states of a model without reset functions that are reached within `steps` steps under the constraints.
pub(crate) fn states_within(model: &Model, steps: usize) -> Vec<u32> {
    let n_states = 1_u32 << model.latches.len();
    let is_reset = |state: u32| {
        model.latches.iter().enumerate().all(|(bit, latch)| {
            let value = latch.reset.value();
            value.is_none_or(|value| value == (state >> bit & 1 == 1))
        })
    };
    let mut states: Vec<u32> = (0..n_states).filter(|&state| is_reset(state)).collect();
    for _ in 0..steps {
        let mut all = states.clone();
        for &state in &states {
            for input in 0..1_u32 << model.inputs.len() {
                let values = evaluate(model, state, input);
                if model.constraints.iter().all(|&edge| at(&values, edge)) {
                    let next = model.latches.iter().enumerate();
                    all.push(next.fold(0, |next, (bit, latch)| {
                        next | u32::from(at(&values, latch.next)) << bit
                    }));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        states = all;
    }
    states
}

/// The formula that holds in exactly the given states.
pub(crate) fn characteristic(model: &mut Model, states: &[u32]) -> Edge {
    let mut cubes = Vec::new();
    for state in states {
        let bits: Vec<Edge> = model
            .latches
            .iter()
            .enumerate()
            .map(|(bit, latch)| latch.state.negate_if(state >> bit & 1 == 0))
            .collect();
        cubes.push(model.aig.and_all(bits));
    }
    model.aig.or_all(cubes)
}

/// Checks an engine's answer: it has to be definite, right, at the right depth if `shortest`, with valid
/// evidence.
pub(crate) fn judge(
    model: &Model,
    property: usize,
    outcome: &Outcome,
    shortest: bool,
) -> Result<(), String> {
    match (&outcome.verdict, explore(model, property)) {
        (Verdict::Safe(certificate), Truth::Safe(_)) => {
            certify_certificate(model, property, certificate).map_err(|error| error.to_string())
        }
        (Verdict::Unsafe(trace), Truth::Unsafe(depth)) => {
            judge_trace(model, property, trace, shortest.then_some(depth))
        }
        (verdict, truth) => Err(format!("{verdict:?} but the truth is {truth:?}")),
    }
}

/// Checks a trace, and its length if that is known.
pub(crate) fn judge_trace(
    model: &Model,
    property: usize,
    trace: &Trace,
    depth: Option<usize>,
) -> Result<(), String> {
    let shown = certify_trace(model, property, trace).map_err(|error| error.to_string())?;
    if trace.property != property {
        return Err(format!("the trace is about property {}", trace.property));
    }
    if shown != trace.depth() || depth.is_some_and(|depth| depth != shown) {
        return Err(format!(
            "shown in step {shown}, the trace ends in {}, the shortest in {depth:?}",
            trace.depth()
        ));
    }
    Ok(())
}

/// Runs `engine` on each property of the recipe's model and checks its answers.
pub(crate) fn judge_engine(
    recipe: &Recipe,
    shortest: bool,
    engine: impl Fn(&Model, usize) -> Outcome,
) -> Result<(), TestCaseError> {
    let model = recipe.build();
    for property in 0..model.bads.len() {
        let outcome = engine(&model, property);
        judge(&model, property, &outcome, shortest)
            .map_err(|why| TestCaseError::fail(format!("property {property}: {why}")))?;
    }
    Ok(())
}

/// A new latch that keeps its value.
pub(crate) fn latch(model: &mut Model, reset: Reset) -> Edge {
    let state = model.aig.add_input();
    model.latches.push(Latch {
        state,
        next: state,
        reset,
    });
    state
}

/// A new input.
pub(crate) fn input(model: &mut Model) -> Edge {
    let edge = model.aig.add_input();
    model.inputs.push(edge);
    edge
}

/// A counter of `bits` bits that counts if `enable` holds.
pub(crate) fn counter(model: &mut Model, bits: usize, enable: Edge) -> Vec<Edge> {
    let first = model.latches.len();
    let states: Vec<Edge> = (0..bits).map(|_| latch(model, Reset::Zero)).collect();
    let mut carry = enable;
    for (index, &state) in states.iter().enumerate() {
        model.latches[first + index].next = model.aig.xor(state, carry);
        carry = model.aig.and(carry, state);
    }
    states
}

/// An engine that enumerates states, and returns a wrong verdict if `lie`.
fn enumerate(model: &Model, property: usize, lie: bool) -> Outcome {
    let (safe, depth, states) = match explore(model, property) {
        Truth::Safe(states) => (true, 0, states),
        Truth::Unsafe(depth) => (false, depth, Vec::new()),
    };
    let verdict = if safe != lie {
        let mut copy = model.clone();
        let invariant = characteristic(&mut copy, &states);
        Verdict::Safe(Box::new(Certificate::from_invariant(
            &copy, property, invariant,
        )))
    } else {
        Verdict::Unsafe(shortest_trace(model, property, depth))
    };
    Outcome {
        verdict,
        engine: "enumerate",
        depth,
    }
}

/// Some run of the given depth that ends in the bad, if there is one; else any run.
fn shortest_trace(model: &Model, property: usize, depth: usize) -> Trace {
    let n_inputs = model.inputs.len();
    let n_latches = model.latches.len();
    let word = |bits: usize, count: usize| -> Vec<Option<bool>> {
        (0..count).map(|bit| Some(bits >> bit & 1 == 1)).collect()
    };
    let mut trace = Trace {
        property,
        initial: vec![None; n_latches],
        inputs: vec![vec![None; n_inputs]; depth + 1],
    };
    // There are few: a trace of a 4-latch model has at most 16 steps, and most have one or two.
    let n_runs = 1_usize << (n_latches + n_inputs * (depth + 1)).min(16);
    for run in 0..n_runs {
        trace.initial = word(run, n_latches);
        for (step, inputs) in trace.inputs.iter_mut().enumerate() {
            *inputs = word(
                run.checked_shr((n_latches + step * n_inputs) as u32)
                    .unwrap_or(0),
                n_inputs,
            );
        }
        if certify_trace(model, property, &trace).is_ok() {
            break;
        }
    }
    trace
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_judge_tells_truth_from_lies(recipe in recipe()) {
        let model = recipe.build();
        let short = (0..model.bads.len()).all(|property| match explore(&model, property) {
            Truth::Safe(_) => true,
            Truth::Unsafe(depth) => depth < 4,
        });
        if short {
            judge_engine(&recipe, true, |model, property| enumerate(model, property, false))?;
        }
        for property in 0..model.bads.len() {
            let lie = enumerate(&model, property, true);
            prop_assert!(judge(&model, property, &lie, true).is_err());
        }
    }
}

/// A model with random formulas over its latches in its graph, of which some read an input.
pub(crate) fn with_formulas(model: &Model, random: &mut Random) -> (Model, Vec<Edge>) {
    let mut model = model.clone();
    let mut leaves: Vec<Edge> = model.latches.iter().map(|latch| latch.state).collect();
    let mut found = vec![Edge::TRUE];
    if leaves.is_empty() {
        return (model, found);
    }
    if random.below(4) == 0 {
        leaves.extend(model.inputs.iter().copied());
    }
    for _ in 0..random.below(8) {
        let mut pick = || leaves[random.below(leaves.len())].negate_if(random.flip());
        let (left, right) = (pick(), pick());
        let formula = match random.below(3) {
            0 => model.aig.and(left, right),
            1 => model.aig.iff(left, right),
            _ => model.aig.or(left, right),
        };
        leaves.push(formula);
        found.push(formula);
    }
    (model, found)
}

/// Two counters of `bits` bits of which the first never passes the second, which is bad; and the formulas that it is less,
/// and that it is greater.
pub(crate) fn ordered_counters(bits: usize) -> (Model, Vec<Edge>) {
    let mut model = Model::default();
    let (enable, both) = (input(&mut model), input(&mut model));
    let states: Vec<Vec<Edge>> = (0..2).map(|_| counter(&mut model, bits, enable)).collect();
    let mut less = Edge::FALSE;
    for (&x, &y) in states[0].iter().zip(&states[1]) {
        let equal = model.aig.iff(x, y);
        let here = model.aig.and(!x, y);
        let kept = model.aig.and(equal, less);
        less = model.aig.or(here, kept);
    }
    let full = model.aig.and_all(states[1].iter().copied());
    let moves = [model.aig.and(less, both), !full];
    for (number, moves) in moves.into_iter().enumerate() {
        for bit in 0..bits {
            let latch = &model.latches[bits * number + bit];
            let (state, next) = (latch.state, latch.next);
            model.latches[bits * number + bit].next = model.aig.ite(moves, next, state);
        }
    }
    let mut greater = Edge::FALSE;
    for (&x, &y) in states[0].iter().zip(&states[1]) {
        let equal = model.aig.iff(x, y);
        let here = model.aig.and(x, !y);
        let kept = model.aig.and(equal, greater);
        greater = model.aig.or(here, kept);
    }
    model.bads.push(greater);
    (model, vec![less, greater])
}
