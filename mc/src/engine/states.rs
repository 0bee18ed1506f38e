//! Sets of states as formulas over the latches that a property depends on.

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_model::{Certificate, Model, Stop, UnknownReason, cone::SequentialCone};
use craig_solver::compact::{compact, compact_until};
use craig_solver::{Answer, Lit, Solver, Var};
use craig_solver::{
    encode::{ClauseSink, Encoder},
    sweep::Budget,
};

use super::why_stopped;
use crate::control::{Control, listen_in};
use crate::exchange::{Reached, StateClause};

/// The budget of compaction of an interpolant that is used in few queries: much less than these cost.
pub(super) const COMPACTION: Budget = Budget {
    conflicts: 2_000,
    conflicts_per_query: 50,
    ticks: 3_000_000,
};

/// Copies a formula of another graph with as many inputs, which mean the same in both, compacted within the budget.
pub(super) fn adopt(
    aig: &mut Aig,
    from: &Aig,
    edge: Edge,
    compaction: Option<Budget>,
    stop: &Stop,
) -> Edge {
    let compacted = compaction.map(|budget| {
        let (aig, edges) = compact_until(from, &[edge], budget, &mut || stop.reason().is_some());
        (aig, edges[0])
    });
    let (from, edge) = compacted
        .as_ref()
        .map_or((from, edge), |(aig, edge)| (aig, *edge));
    let inputs = aig.inputs().to_vec();
    aig.copy_cone(from, &[edge], &mut |node| {
        Edge::new(inputs[position_of(from, node)], false)
    })[0]
}

/// A graph whose input number i is latch number i of a cone.
pub(super) struct States {
    pub(super) aig: Aig,
    /// The states that agree with all resets.
    pub(super) initial: Edge,
    /// The states that satisfy those constraints of the model that are about these latches alone. All others are
    /// irrelevant.
    allowed: Edge,
}

impl States {
    pub(super) fn new(model: &Model, cone: &SequentialCone) -> Self {
        let mut aig = Aig::new();
        let mut literals = Vec::new();
        for &latch in &cone.latches {
            let state = aig.add_input();
            let value = model.latches[latch].reset.value();
            literals.extend(value.map(|value| state.negate_if(!value)));
        }
        let initial = aig.and_all(literals);
        let allowed = allowed(model, cone, &mut aig);
        Self {
            aig,
            initial,
            allowed,
        }
    }

    /// Copies a formula of another graph whose inputs are the same latches, compacted within the budget.
    pub(super) fn adopt(
        &mut self,
        from: &Aig,
        edge: Edge,
        compaction: Option<Budget>,
        stop: &Stop,
    ) -> Edge {
        adopt(&mut self.aig, from, edge, compaction, stop)
    }

    /// The conjunction of the invariants that other engines have shared so far, which is inductive. True if one of them is
    /// about a latch outside of `cone`: without it, the others need not be.
    pub(super) fn shared_invariant(&mut self, cone: &SequentialCone, control: Control<'_>) -> Edge {
        let clauses = control.board.invariants(0);
        self.all_of(cone, &clauses).unwrap_or(Edge::TRUE)
    }

    /// The states that satisfy all clauses; `None` if one is about a latch outside of `cone`.
    fn all_of(&mut self, cone: &SequentialCone, clauses: &[StateClause]) -> Option<Edge> {
        let mut all = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let mut lits = Vec::with_capacity(clause.len());
            for &(latch, value) in clause {
                let place = cone.latches.binary_search(&latch).ok()?;
                lits.push(Edge::new(self.aig.inputs()[place], false).negate_if(!value));
            }
            all.push(self.aig.or_all(lits));
        }
        Some(self.aig.and_all(all))
    }

    /// The conjunction, frame by frame, of the frames that other engines share with `engine` now. Frames with a clause about a
    /// latch outside of `cone` are left out.
    pub(super) fn shared_frames(
        &mut self,
        engine: &'static str,
        cone: &SequentialCone,
        control: Control<'_>,
    ) -> SharedFrames {
        let mut shared = SharedFrames::default();
        for reached in control.board.exchange().frames_for(engine) {
            if let Some(sets) = self.frames_of(cone, &reached) {
                shared.level = shared.level.max(reached.level());
                shared.sequences.push(sets);
            }
        }
        shared
    }

    /// The sets of states of the frames; the last of the sequence is that of all later frames.
    fn frames_of(&mut self, cone: &SequentialCone, reached: &Reached) -> Option<Vec<Edge>> {
        let mut set = self.all_of(cone, &reached.forever)?;
        let mut sets = vec![set];
        for clauses in reached.frames.iter().rev() {
            let own = self.all_of(cone, clauses)?;
            set = self.aig.and(own, set);
            sets.push(set);
        }
        sets.reverse();
        Some(sets)
    }

    /// The edges of the latches, in the order of the cone.
    pub(super) fn latches(&self) -> Vec<Edge> {
        let nodes = self.aig.inputs().iter();
        nodes.map(|&node| Edge::new(node, false)).collect()
    }

    /// The latches, as positions in the cone, that a set depends on, with their nodes.
    pub(super) fn support(&self, set: Edge) -> Vec<(usize, NodeId)> {
        let nodes = self.aig.support(&[set]).into_iter();
        nodes
            .map(|node| (position_of(&self.aig, node), node))
            .collect()
    }

    /// A literal that implies `set`; `latch` returns the literal of the latch at a position.
    pub(super) fn encode_polarity<S: ClauseSink>(
        &self,
        set: Edge,
        sink: &mut S,
        latch: &mut dyn FnMut(usize, &mut S) -> Lit,
    ) -> Lit {
        let mut encoder = Encoder::new();
        for (position, node) in self.support(set) {
            let lit = latch(position, sink);
            encoder.set(node, lit);
        }
        encoder.encode_polarity(&self.aig, set, sink)
    }

    /// States that the latches have values in `set`, with clauses of `sink`; `latch` as for [`States::encode_polarity`].
    pub(super) fn state<S: ClauseSink>(
        &self,
        set: Edge,
        sink: &mut S,
        latch: &mut dyn FnMut(usize, &mut S) -> Lit,
    ) {
        if set != Edge::TRUE {
            let lit = self.encode_polarity(set, sink, latch);
            sink.add_clause(&[lit]);
        }
    }

    /// The union of the first sets of a sequence, up to one whose states in `within` lie in it, if there is one.
    pub(super) fn closed(
        &mut self,
        sets: &[Edge],
        within: Edge,
        stop: &Stop,
    ) -> Result<Option<Edge>, UnknownReason> {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let mut encoder = Encoder::new();
        let within = self.aig.and(within, self.allowed);
        let within = encoder.encode(&self.aig, within, &mut solver);
        solver.add_clause(&[within]);
        for index in 1..sets.len() {
            let before = encoder.encode(&self.aig, sets[index - 1], &mut solver);
            solver.add_clause(&[!before]);
            let set = encoder.encode(&self.aig, sets[index], &mut solver);
            match solver.solve(&[set]) {
                Answer::Satisfiable => {}
                Answer::Unsatisfiable => {
                    return Ok(Some(self.aig.or_all(sets[..index].to_vec())));
                }
                Answer::Unknown => return Err(why_stopped(stop)),
            }
        }
        Ok(None)
    }

    /// The certificate for an inductive invariant.
    pub(super) fn certificate(
        &self,
        model: &Model,
        property: usize,
        cone: &SequentialCone,
        invariant: Edge,
    ) -> Certificate {
        let (small, edges) = compact(&self.aig, &[invariant], Budget::default());
        let mut copy = model.clone();
        let invariant = copy.aig.copy_cone(&small, &edges, &mut |node| {
            model.latches[cone.latches[position_of(&small, node)]].state
        });
        Certificate::from_invariant(&copy, property, invariant[0])
    }
}

/// The conjunction of the constraints that are about latches of a cone alone; input number i of the graph is latch number i of
/// the cone.
fn allowed(model: &Model, cone: &SequentialCone, aig: &mut Aig) -> Edge {
    if model.constraints.is_empty() {
        return Edge::TRUE;
    }
    let mut images = vec![None; model.aig.n_nodes()];
    for (&latch, &state) in cone.latches.iter().zip(aig.inputs()) {
        images[model.latches[latch].state.node() as usize] = Some(Edge::new(state, false));
    }
    let image = |edge: Edge, images: &[Option<Edge>]| match edge {
        Edge::TRUE | Edge::FALSE => Some(edge),
        _ => images[edge.node() as usize].map(|image| image.negate_if(edge.is_negated())),
    };
    for node in model.aig.cone(&model.constraints) {
        if let Node::And(left, right) = model.aig.node(node)
            && let (Some(left), Some(right)) = (image(left, &images), image(right, &images))
        {
            images[node as usize] = Some(aig.and(left, right));
        }
    }
    let constraints = model.constraints.iter();
    let about_latches: Vec<Edge> = constraints
        .filter_map(|&constraint| image(constraint, &images))
        .collect();
    aig.and_all(about_latches)
}

/// Closed sequences of sets of states that other engines have shared ([`Reached`]).
#[derive(Clone, Debug, Default)]
pub(super) struct SharedFrames {
    /// The highest level of them: sets at earlier indices exclude the bad.
    pub(super) level: usize,
    /// None is empty; the last set of each holds at all later indices.
    sequences: Vec<Vec<Edge>>,
}

impl SharedFrames {
    /// The states that may be reachable within `steps` steps, by all sequences.
    pub(super) fn within(&self, steps: usize, aig: &mut Aig) -> Edge {
        let sequences = self.sequences.iter();
        let sets: Vec<Edge> = sequences
            .filter_map(|sets| sets.get(steps).or(sets.last()).copied())
            .collect();
        aig.and_all(sets)
    }
}

/// The variables of one state in a solver, each with the position of its latch in the cone.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// Sorted by variable.
    lits: Vec<(Lit, usize)>,
}

impl Cut {
    pub(super) fn new(mut lits: Vec<(Lit, usize)>) -> Self {
        lits.sort_unstable();
        Self { lits }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Lit, usize)> + '_ {
        self.lits.iter().copied()
    }

    /// The literal of `latches`, one edge for each position, for a variable of the cut.
    pub(super) fn leaf(&self, var: Var, latches: &[Edge]) -> Option<Edge> {
        let place = self
            .lits
            .binary_search_by_key(&var, |&(lit, _)| lit.var())
            .ok()?;
        let (lit, position) = self.lits[place];
        Some(latches[position].negate_if(lit.is_negated()))
    }
}

/// The position of an input node among the inputs of its graph.
pub(super) fn position_of(aig: &Aig, node: NodeId) -> usize {
    match aig.node(node) {
        Node::Input(position) => position as usize,
        other => unreachable!("{other:?} is no input"),
    }
}
