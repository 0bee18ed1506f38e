//! Signals that are equal, opposite or constant in every step under the constraints, by simulation and
//! induction.
//!
//! C. van Eijk, "Sequential equivalence checking based on structural similarities", 2000: start from the
//! coarsest partition that simulation from the resets leaves, then assume all its equalities in one step and
//! search for one that fails in the next; a failure splits classes. At the fixpoint, all equalities together
//! are inductive. (A. Mishchenko et al., "Scalable and scalably-verifiable sequential synthesis", 2008, on
//! speculative reduction: in the first step, a signal is replaced by its assumed representative.)
//!
//! The constraints are assumed in the first step, and not in the second; see [`super`] for why.

use craig_aig::{Aig, Edge, Node, NodeId, Random};
use craig_model::{Model, Stop};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use super::partition::Partition;
use super::pass::{Pass, Task};
use super::rebuild::Substitution;
use super::reduced::Reduced;
use crate::circuit::patterns::{self, Run};
use crate::control::listen_in;

/// Which signals to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Candidates {
    /// Latches, with one another and with constants.
    Latches,
    /// Latches and gates.
    Signals,
}

/// Compares latches.
pub(super) struct LatchCorrespondence;

impl Pass for LatchCorrespondence {
    fn name(&self) -> &'static str {
        "latches"
    }

    fn text(&self) -> &'static str {
        "Equal, opposite and constant latches, by induction"
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        merge(Candidates::Latches, "latch correspondence", reduced, task)
    }
}

/// Merges equal latches and gates.
pub(super) struct SignalCorrespondence;

impl Pass for SignalCorrespondence {
    fn name(&self) -> &'static str {
        "signals"
    }

    fn text(&self) -> &'static str {
        "Equal, opposite and constant signals, by induction"
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        merge(Candidates::Signals, "signal correspondence", reduced, task)
    }
}

/// Finds equalities between candidates and applies them. Returns whether there are any.
fn merge(candidates: Candidates, title: &str, reduced: &mut Reduced, task: &Task<'_>) -> bool {
    let equalities = find(&reduced.model, candidates, task.control.stop);
    let is_smaller =
        !equalities.is_identity() && reduced.apply(&equalities, task.scope, task.control.stop);
    task.note_size(title, reduced);
    is_smaller
}

/// Steps of each random run.
const N_STEPS: usize = 32;
/// Random runs of 64 sequences each.
const N_RUNS: usize = 4;
/// Conflicts of a query, after which its signal is removed from its class.
const MAX_CONFLICTS: u64 = 300;
/// The work of the whole pass, in ticks: nodes built, literals propagated, and nodes simulated, 64 patterns at a time (in
/// large models each [`NODES_PER_TICK`] of these). Large models have [`TICKS_PER_NODE`] ticks for each node.
const MAX_TICKS: u64 = 25_000_000;
const TICKS_PER_NODE: u64 = 8;
/// The ticks for each node of a large model if latches alone are compared: there are fewer of them, so that most of the work
/// is in the steps, which have to
/// be built once for each round of refinement.
const TICKS_PER_NODE_FOR_LATCHES: u64 = 32;
/// To simulate a node is a few instructions in the order of memory; to build one or to propagate a literal takes some
/// misses of a cache. In smaller models, where all is in the caches, more rounds of refinement cost more than they find.
const NODES_PER_TICK: u64 = 8;
/// The control is asked whether to stop each time that about `TICKS_PER_POLL` ticks were spent.
const TICKS_PER_POLL: u64 = 1 << 16;
/// The nodes of a step that are built between two such polls.
const NODES_PER_POLL: NodeId = 1 << 16;
/// When the work is exhausted, the equalities that were shown in the last step are tried once more on their own,
/// `MAX_RETRIES` times, each with half of the work before.
const MAX_RETRIES: u32 = 1;

/// Finds equalities that hold in the reset states and that, together with the constraints, imply themselves in the next step, and
/// replaces signals accordingly.
fn find(model: &Model, candidates: Candidates, stop: &Stop) -> Substitution {
    let mut substitution = Substitution::identity(model);
    let mut members: Vec<NodeId> = vec![0];
    members.extend(model.latches.iter().map(|latch| latch.state.node()));
    if candidates == Candidates::Signals {
        let nodes = 0..model.aig.n_nodes() as NodeId;
        members.extend(nodes.filter(|&node| matches!(model.aig.node(node), Node::And(..))));
    }
    members.sort_unstable();
    let ticks_per_node = match candidates {
        Candidates::Latches => TICKS_PER_NODE_FOR_LATCHES,
        Candidates::Signals => TICKS_PER_NODE,
    };
    let max_ticks = MAX_TICKS.max(ticks_per_node * model.aig.n_nodes() as u64);
    let mut search = Search::new(model, members, max_ticks, stop);
    search.simulate_runs();
    if search.base().is_some() {
        let mut n_retries = 0;
        loop {
            let is_fixpoint = search.step();
            if is_fixpoint.is_none() {
                if n_retries == MAX_RETRIES || stop.reason().is_some() {
                    break;
                }
                // A subset of equalities that hold in all reset states holds there, too.
                n_retries += 1;
                search.ticks_left = search.max_ticks >> n_retries;
                let shown = std::mem::take(&mut search.shown);
                search.partition.retain(|node| shown[node as usize]);
            }
            if is_fixpoint == Some(true) {
                for node in search.partition.represented() {
                    if let Some(image) = search.partition.representative(node) {
                        substitution.replace(node, image);
                    }
                }
                break;
            }
        }
    }
    substitution
}

struct Search<'a> {
    model: &'a Model,
    stop: &'a Stop,
    partition: Partition,
    random: Random,
    max_ticks: u64,
    ticks_left: u64,
    /// By node: whether it is a first member of a class, or was shown to equal it in the current step.
    shown: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, members: Vec<NodeId>, max_ticks: u64, stop: &'a Stop) -> Self {
        let mut search = Self {
            model,
            stop,
            partition: Partition::new(Vec::new(), &[]),
            random: Random::new(2),
            max_ticks,
            ticks_left: max_ticks,
            shown: Vec::new(),
        };
        let words = Run::new(model, &mut search.random).values(&mut search.random);
        search.partition = Partition::new(members, &words);
        search
    }

    /// Subtracts from the work budget; `None` if it is exhausted or the control stops the pass, which is asked now and
    /// then.
    fn spend(&mut self, ticks: u64) -> Option<()> {
        let before = self.ticks_left / TICKS_PER_POLL;
        self.ticks_left = self.ticks_left.saturating_sub(ticks);
        let is_time = self.ticks_left / TICKS_PER_POLL != before;
        let is_stopped = is_time && self.stop.reason().is_some();
        (self.ticks_left > 0 && !is_stopped).then_some(())
    }

    /// The ticks for simulating `n_nodes` nodes.
    fn simulated(&self, n_nodes: u64) -> u64 {
        match self.max_ticks > MAX_TICKS {
            true => 1 + n_nodes / NODES_PER_TICK,
            false => n_nodes,
        }
    }

    // ---- simulation

    /// Splits classes by random runs from the resets. A step is used if the constraints held before it.
    fn simulate_runs(&mut self) {
        let n_nodes = self.model.aig.n_nodes() as u64;
        for _ in 0..N_RUNS {
            let mut run = Run::new(self.model, &mut self.random);
            for _ in 0..N_STEPS {
                if run.mask == 0 || self.ticks_left < self.max_ticks / 2 {
                    break;
                }
                let words = run.values(&mut self.random);
                self.partition.refine(&words, run.mask);
                run.advance(&words);
                // Simulation takes less than half of the budget. A step is evaluated, and compared with the classes.
                if self.spend(self.simulated(2 * n_nodes)).is_none() {
                    return;
                }
            }
        }
    }

    // ---- induction

    /// Makes the equalities hold in the first step of all runs. `None` if the work budget is exhausted.
    fn base(&mut self) -> Option<()> {
        let mut frames = Frames::new(self.stop);
        let latches = self.model.latches.iter();
        let states = latches.map(|latch| match latch.reset.value() {
            Some(value) => Edge::FALSE.negate_if(value),
            None => frames.aig.add_input(),
        });
        let states = states.collect();
        frames.begin_now(self.model, states);
        self.check_now(&mut frames).map(|_| ())
    }

    /// Assumes the equalities in one step and checks them in the next. `true` if they all hold; otherwise
    /// classes have been split. `None` if the work budget is exhausted.
    fn step(&mut self) -> Option<bool> {
        if self.stop.reason().is_some() {
            return None;
        }
        let mut frames = Frames::new(self.stop);
        self.assume_before(&mut frames)?;
        let latches = self.model.latches.iter();
        let states = latches.map(|latch| latch.next.image(&frames.before));
        let states = states.collect();
        frames.begin_now(self.model, states);
        self.check_now(&mut frames)
    }

    /// Builds the first step, in which all equalities and constraints hold. `None` if the control stops the pass.
    fn assume_before(&self, frames: &mut Frames) -> Option<()> {
        frames.before = vec![Edge::FALSE; self.model.aig.n_nodes()];
        frames.aig.reserve(2 * self.model.aig.n_nodes());
        for node in 1..self.model.aig.n_nodes() as NodeId {
            if node % NODES_PER_POLL == 0 && self.stop.reason().is_some() {
                return None;
            }
            let representative = self
                .partition
                .representative(node)
                .map(|edge| edge.image(&frames.before));
            let image = match (self.model.aig.node(node), representative) {
                // A latch, if it has a representative: inputs have none.
                (Node::Input(_), Some(edge)) => edge,
                (Node::Input(_), None) => frames.aig.add_input(),
                (Node::And(left, right), representative) => {
                    let (left, right) = (left.image(&frames.before), right.image(&frames.before));
                    let own = frames.aig.and(left, right);
                    if let Some(edge) = representative {
                        frames.assume([own, edge]);
                    }
                    representative.unwrap_or(own)
                }
                (Node::Constant, _) => Edge::FALSE,
            };
            frames.before[node as usize] = image;
        }
        for &constraint in &self.model.constraints {
            let image = constraint.image(&frames.before);
            frames.assume([image, Edge::TRUE]);
        }
        Some(())
    }

    /// Checks the equalities in the current step, whose latches have been set. `true` if no class was split.
    fn check_now(&mut self, frames: &mut Frames) -> Option<bool> {
        // Including the first members of classes, with which the others are compared.
        let members = self.partition.members();
        let members: Vec<Edge> = members.map(|node| Edge::new(node, false)).collect();
        let mut nothing_split = true;
        self.shown.clear();
        self.shown.resize(self.model.aig.n_nodes(), false);
        // The constant has no gate.
        self.shown[0] = true;
        for node in self.model.aig.cone(&members) {
            if let Node::And(left, right) = self.model.aig.node(node) {
                let (left, right) = (left.image(&frames.now), right.image(&frames.now));
                frames.now[node as usize] = frames.aig.and(left, right);
            }
            self.spend(2)?;
            if self.partition.representative(node).is_none() {
                self.shown[node as usize] = true;
            }
            while let Some(representative) = self.partition.representative(node) {
                let own = frames.now[node as usize];
                let other = representative.image(&frames.now);
                if own == other {
                    self.shown[node as usize] = true;
                    break;
                }
                match self.differ(frames, own, other)? {
                    Answer::Unsatisfiable => {
                        frames.state_equality([own, other]);
                        frames.now[node as usize] = other;
                        self.shown[node as usize] = true;
                        break;
                    }
                    Answer::Satisfiable => {
                        nothing_split = false;
                        self.learn_from_difference(frames)?;
                        if self.partition.representative(node) == Some(representative) {
                            debug_assert!(false, "a counterexample splits its pair");
                            self.partition.remove(node);
                        }
                    }
                    Answer::Unknown => {
                        nothing_split = false;
                        self.partition.remove(node);
                    }
                }
            }
        }
        Some(nothing_split)
    }

    /// Whether two edges of the frames can differ. `None` if the work budget is exhausted.
    fn differ(&mut self, frames: &mut Frames, left: Edge, right: Edge) -> Option<Answer> {
        let n_vars = frames.solver.n_vars();
        let left = frames.encode(left);
        let right = frames.encode(right);
        self.spend(4 * (frames.solver.n_vars() - n_vars) as u64)?;
        for assumptions in [[left, !right], [!left, right]] {
            let before = frames.solver.statistics().propagations;
            frames.solver.set_limits(Limits {
                conflicts: Some(MAX_CONFLICTS),
                propagations: Some(self.ticks_left),
            });
            let answer = frames.solver.solve(&assumptions);
            self.spend(1 + frames.solver.statistics().propagations - before)?;
            if answer != Answer::Unsatisfiable {
                return Some(answer);
            }
        }
        Some(Answer::Unsatisfiable)
    }

    /// Splits classes by the solver's model and by nearby patterns that satisfy the assumptions.
    fn learn_from_difference(&mut self, frames: &Frames) -> Option<()> {
        let words = frames.words_near_model(&mut self.random);
        let mask = frames.mask(&words);
        debug_assert_eq!(mask & 1, 1, "the model satisfies what is assumed");
        let states: Vec<u64> = frames.states.iter().map(|edge| edge.word(&words)).collect();
        let inputs: Vec<u64> = frames.inputs.iter().map(|edge| edge.word(&words)).collect();
        let words = patterns::values(self.model, &states, &inputs);
        self.partition.refine(&words, mask);
        let n_nodes = frames.aig.n_nodes() + 2 * self.model.aig.n_nodes();
        self.spend(self.simulated(n_nodes as u64))
    }
}

/// The steps of an induction, or the first steps of a run, as one combinational graph.
struct Frames {
    aig: Aig,
    solver: Solver,
    encoder: Encoder,
    /// The assumptions of the solver: pairs of equal edges.
    assumed: Vec<[Edge; 2]>,
    /// Images of the model's nodes in the last step in which the equalities are assumed, if there is one.
    before: Vec<Edge>,
    /// Images in the current step, after merging of equal nodes.
    now: Vec<Edge>,
    /// Images of the model's latches in the current step.
    states: Vec<Edge>,
    /// Images of the model's inputs in the current step.
    inputs: Vec<Edge>,
}

impl Frames {
    fn new(stop: &Stop) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        Self {
            aig: Aig::new(),
            solver,
            encoder: Encoder::new(),
            assumed: Vec::new(),
            before: Vec::new(),
            now: Vec::new(),
            states: Vec::new(),
            inputs: Vec::new(),
        }
    }

    /// Sets the latches of the current step, and makes its inputs free.
    fn begin_now(&mut self, model: &Model, states: Vec<Edge>) {
        self.now = vec![Edge::FALSE; model.aig.n_nodes()];
        for (latch, &state) in model.latches.iter().zip(&states) {
            self.now[latch.state.node() as usize] = state;
        }
        self.states = states;
        self.inputs = model.inputs.iter().map(|_| self.aig.add_input()).collect();
        for (input, &edge) in model.inputs.iter().zip(&self.inputs) {
            self.now[input.node() as usize] = edge;
        }
    }

    fn encode(&mut self, edge: Edge) -> Lit {
        self.encoder.encode(&self.aig, edge, &mut self.solver)
    }

    fn assume(&mut self, pair: [Edge; 2]) {
        if pair[0] != pair[1] {
            self.state_equality(pair);
            self.assumed.push(pair);
        }
    }

    /// Adds the equality of two edges to the solver.
    fn state_equality(&mut self, pair: [Edge; 2]) {
        let [left, right] = pair.map(|edge| self.encode(edge));
        self.solver.add_clause(&[left, !right]);
        self.solver.add_clause(&[!left, right]);
    }

    /// The values of all nodes in the solver's model, which is the first pattern, and in nearby patterns:
    /// half of them differ in the inputs of the current step, the other half in some other variables, too.
    fn words_near_model(&self, random: &mut Random) -> Vec<u64> {
        let mut is_input = vec![false; self.aig.n_nodes()];
        for input in &self.inputs {
            is_input[input.node() as usize] = true;
        }
        let inputs: Vec<u64> = self
            .aig
            .inputs()
            .iter()
            .map(|&node| {
                let lit = self.encoder.literal(Edge::new(node, false));
                let value = lit.and_then(|lit| self.solver.value(lit));
                let bit = value.unwrap_or_else(|| random.word() & 1 == 1);
                let word = 0_u64.wrapping_sub(u64::from(bit));
                if is_input[node as usize] {
                    word ^ random.word() & !1
                } else {
                    word ^ (random.word() & random.word() & random.word()) & !0xffff_ffff
                }
            })
            .collect();
        self.aig.simulate(&inputs)
    }

    /// The patterns that satisfy the assumptions.
    fn mask(&self, words: &[u64]) -> u64 {
        self.assumed.iter().fold(u64::MAX, |mask, [left, right]| {
            mask & !(left.word(words) ^ right.word(words))
        })
    }
}
