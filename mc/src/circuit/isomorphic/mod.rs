//! Arithmetic operations that a circuit has twice, by inputs with equal values for equal operands.
//!
//! A circuit of gates does not say which of them are a multiplication. But where two of them are compared, the
//! circuit often has two isomorphic blocks of gates with few bits going in and out (`matching.rs`). Here the
//! outputs of both become inputs, under a constraint: if the two blocks read equal values, they have equal
//! outputs. That is an over-approximation, the block as an uninterpreted function, whatever it computes.
//!
//! Outputs whose cone in the block is small keep their gates: the low bits of a product are cheap, and matter
//! most.
//!
//! * A run of the abstraction to the bad is replayed on the model, with several values for inputs that do not
//!   matter in the abstraction. If it does not reach the bad there, more outputs keep their gates.
//! * A proof of the abstraction is one of the model: the outputs are the gates again. The witness circuit states
//!   for every two corresponding gates that they are equal if the leaves are, so that a judge can prove each
//!   from those before it, and need not know that two multiplications are equal.
//!
//! After Andraus, Liffiton and Sakallah, "Refinement strategies for verification methods based on datapath
//! abstraction", ASP-DAC 2006, with blocks that are found in the gates.

mod matching;

use std::collections::HashSet;

use craig_aig::{Aig, Edge, Node, NodeId, Poll, Random};
use craig_model::{
    Certificate, Latch, Model, Outcome, Stop, Trace, Verdict,
    certificate::WitnessBuilder,
    simulate::{first_bad_step, replay},
};

use self::matching::Block;

pub use matching::Limits;

/// The number of choices of the values that do not matter in a run with which it is replayed.
const REPLAYS: u64 = 16;

/// The result of [`decide`].
pub struct Decided {
    /// About the bad of the model; `None` if its abstractions give no answer.
    pub outcome: Option<Outcome>,
    /// The gates in isomorphic blocks.
    pub n_gates: usize,
    /// The bits that go into and out of these blocks.
    pub n_bits: usize,
    /// The number of abstractions that were searched.
    pub n_rounds: usize,
}

/// Decides a bad of a model by abstractions of its isomorphic blocks; `search` decides bad 0 of another model.
/// `None` if there are no such blocks, if a latch has a reset function, or if `control` ends the search for blocks.
///
/// # Errors
/// Those of `search`.
pub fn decide<E>(
    model: &Model,
    property: usize,
    limits: &Limits,
    stop: &Stop,
    search: &mut dyn FnMut(&Model) -> Result<Outcome, E>,
) -> Result<Option<Decided>, E> {
    if model.has_reset_functions() {
        return Ok(None);
    }
    let poll = &mut stop.poll();
    let blocks = matching::blocks(model, property, limits, poll);
    let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty()) else {
        return Ok(None);
    };
    let mut decided = Decided {
        outcome: None,
        n_gates: blocks.iter().map(|block| 2 * block.gates.len()).sum(),
        n_bits: blocks.iter().map(|block| 2 * block.n_bits()).sum(),
        n_rounds: 0,
    };
    for cheap_gates in limits.cheap_gates {
        let abstraction = Abstraction::new(model, property, &blocks, cheap_gates, poll);
        let Some(abstraction) = abstraction else {
            break;
        };
        decided.n_rounds += 1;
        let outcome = search(&abstraction.model)?;
        let verdict = match &outcome.verdict {
            Verdict::Unknown(_) => break,
            Verdict::Safe(certificate) => {
                Verdict::Safe(Box::new(abstraction.lift_certificate(certificate)))
            }
            Verdict::Unsafe(trace) => match abstraction.lift_trace(trace, poll) {
                Some(trace) => Verdict::Unsafe(trace),
                None => continue,
            },
        };
        let depth = match &verdict {
            Verdict::Unsafe(trace) => trace.depth(),
            _ => outcome.depth,
        };
        decided.outcome = Some(Outcome {
            verdict,
            depth,
            ..outcome
        });
        break;
    }
    Ok(Some(decided))
}

/// An abstraction of a model.
struct Abstraction<'a> {
    original: &'a Model,
    property: usize,
    blocks: &'a [Block],
    /// The gates that are inputs, in the order of these inputs.
    outputs: Vec<NodeId>,
    /// The abstraction: bad 0 is the property's. Its inputs are those of the original and then the outputs; its
    /// latches are those of the original.
    model: Model,
}

impl<'a> Abstraction<'a> {
    /// `None` if `poll` ends it.
    fn new(
        original: &'a Model,
        property: usize,
        blocks: &'a [Block],
        cheap_gates: usize,
        poll: &mut Poll<'_>,
    ) -> Option<Self> {
        let mut outputs: Vec<NodeId> = Vec::new();
        for block in blocks {
            outputs.extend(expensive(&original.aig, block, cheap_gates, poll)?);
        }
        outputs.sort_unstable();
        outputs.dedup();
        let mut aig = Aig::new();
        let mut map = vec![Edge::FALSE; original.aig.n_nodes()];
        let mut inputs: Vec<NodeId> = original.inputs.iter().map(|edge| edge.node()).collect();
        inputs.extend(&outputs);
        for &node in &inputs {
            map[node as usize] = aig.add_input();
        }
        for latch in &original.latches {
            map[latch.state.node() as usize] = aig.add_input();
        }
        let mut is_output = vec![false; original.aig.n_nodes()];
        for &node in &outputs {
            is_output[node as usize] = true;
        }
        for node in needed(original, property, blocks, &is_output, poll)? {
            poll.step()?;
            if let Node::And(left, right) = original.aig.node(node) {
                map[node as usize] = aig.and(left.image(&map), right.image(&map));
            }
        }
        let latches = original.latches.iter().map(|latch| Latch {
            state: latch.state.image(&map),
            next: latch.next.image(&map),
            reset: latch.reset,
        });
        let image = |node: NodeId| map[node as usize];
        let mut constraints: Vec<Edge> = (original.constraints.iter())
            .map(|edge| edge.image(&map))
            .collect();
        for block in blocks {
            let premise = equal(&mut aig, &block.leaves, image);
            let conclusion = equal(&mut aig, &block.outputs, image);
            constraints.push(aig.implies(premise, conclusion));
        }
        let model = Model {
            inputs: inputs.iter().map(|&node| image(node)).collect(),
            latches: latches.collect(),
            constraints,
            bads: vec![original.bads[property].image(&map)],
            aig,
            ..Model::default()
        };
        Some(Self {
            original,
            property,
            blocks,
            outputs,
            model,
        })
    }

    /// A run of the original with the inputs of one of the abstraction, if it reaches the bad. `None` as well if `poll` ends
    /// the search for one, between two replays.
    fn lift_trace(&self, trace: &Trace, poll: &mut Poll<'_>) -> Option<Trace> {
        let mut trace = trace.clone();
        trace.property = self.property;
        let n_inputs = self.original.inputs.len();
        trace
            .inputs
            .iter_mut()
            .for_each(|inputs| inputs.truncate(n_inputs));
        (0..REPLAYS).find_map(|round| {
            if poll.ask() {
                return None;
            }
            // Values that do not matter in the abstraction may matter here.
            let mut random = Random::new(round);
            let mut run = trace.clone();
            let values = run.inputs.iter_mut().flatten().chain(&mut run.initial);
            for value in values {
                *value = value.or_else(|| Some(round > 0 && random.below(2) == 1));
            }
            let steps = replay(self.original, &run).ok()?;
            let last = first_bad_step(&steps, self.property)?;
            run.inputs.truncate(last + 1);
            Some(run)
        })
    }

    fn lift_certificate(&self, certificate: &Certificate) -> Certificate {
        let mut extended = self.original.clone();
        for block in self.blocks {
            let aig = &mut extended.aig;
            let premise = equal(aig, &block.leaves, positive);
            for &[one, two] in &block.gates {
                let conclusion = aig.iff(positive(one), positive(two));
                extended.constraints.push(aig.implies(premise, conclusion));
            }
        }
        let outputs = self.outputs.iter().map(|&node| positive(node));
        let inputs: Vec<Edge> = extended.inputs.iter().copied().chain(outputs).collect();
        let latches: Vec<Edge> = extended.latches.iter().map(|latch| latch.state).collect();
        let roots = inputs.iter().chain(&latches).chain(&extended.constraints);
        let roots: Vec<Edge> = roots.copied().collect();
        let mut copy = WitnessBuilder::new(&extended, roots);
        let (bads, constraints) = copy.add_part_of(certificate, &inputs, &latches);
        // The witness circuit's constraints for the abstraction follow from the gates' equalities.
        copy.add_constraints(constraints);
        copy.set_bads(&bads);
        copy.finish()
    }
}

/// The outputs of both blocks whose cone in its block has at least `least_gates` gates. `None` if `poll` ends it.
fn expensive(
    aig: &Aig,
    block: &Block,
    least_gates: usize,
    poll: &mut Poll<'_>,
) -> Option<Vec<NodeId>> {
    let within: HashSet<NodeId> = block.gates.iter().map(|&[one, _]| one).collect();
    let is_expensive = |gate: NodeId| {
        let mut cone = vec![gate];
        let mut next = 0;
        while next < cone.len() && cone.len() < least_gates {
            if let Node::And(left, right) = aig.node(cone[next]) {
                for node in [left.node(), right.node()] {
                    if within.contains(&node) && !cone.contains(&node) {
                        cone.push(node);
                    }
                }
            }
            next += 1;
        }
        cone.len() >= least_gates
    };
    let mut outputs = Vec::new();
    for pair in &block.outputs {
        poll.steps(least_gates)?;
        if is_expensive(pair[0]) {
            outputs.extend(pair);
        }
    }
    Some(outputs)
}

/// The positive edge of a node.
fn positive(node: NodeId) -> Edge {
    Edge::new(node, false)
}

/// Whether the nodes of all pairs are equal.
fn equal(aig: &mut Aig, pairs: &[[NodeId; 2]], image: impl Fn(NodeId) -> Edge) -> Edge {
    let equalities: Vec<Edge> = (pairs.iter())
        .map(|&[one, two]| aig.iff(image(one), image(two)))
        .collect();
    aig.and_all(equalities)
}

/// The gates that the abstraction has, in topological order: those that its latches, its bad, its constraints and
/// the leaves and outputs of blocks depend on, without what became an input. `None` if `poll` ends it.
fn needed(
    model: &Model,
    property: usize,
    blocks: &[Block],
    is_output: &[bool],
    poll: &mut Poll<'_>,
) -> Option<impl Iterator<Item = NodeId> + use<>> {
    let latches = model.latches.iter().map(|latch| latch.next);
    let roots = latches.chain(model.constraints.iter().copied());
    let borders = (blocks.iter()).flat_map(|block| block.leaves.iter().chain(&block.outputs));
    let mut open: Vec<NodeId> = (roots.chain([model.bads[property]]))
        .map(Edge::node)
        .chain(borders.flatten().copied())
        .collect();
    let mut is_needed = vec![false; model.aig.n_nodes()];
    while let Some(node) = open.pop() {
        poll.step()?;
        if is_output[node as usize] || std::mem::replace(&mut is_needed[node as usize], true) {
            continue;
        }
        if let Node::And(left, right) = model.aig.node(node) {
            open.extend([left.node(), right.node()]);
        }
    }
    let nodes = 0..model.aig.n_nodes() as NodeId;
    Some(nodes.filter(move |&node| is_needed[node as usize]))
}
