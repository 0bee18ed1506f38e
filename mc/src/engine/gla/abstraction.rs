//! What is visible, and the model in which everything else is free.

use craig_aig::{Edge, Node, NodeId};
use craig_model::{Latch, Model, Reset, cone::SequentialCone};

/// Each refinement adds at least one part for each `LEAST_SHARE` visible ones.
const LEAST_SHARE: usize = 50;

/// A part of a model that can be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// A gate, or the next state and the reset of the latch that has this node.
    Node(NodeId),
    /// A constraint, by its number. It is visible in the abstraction if it is stated there.
    Constraint(usize),
}

/// Which parts of a model are visible.
pub(super) struct Visible<'a> {
    pub(super) model: &'a Model,
    pub(super) property: usize,
    /// Everything that the bad and the constraints depend on.
    pub(super) cone: SequentialCone,
    /// By node: whether it is a gate or a latch with its definition. Inputs and the constant have none.
    nodes: Vec<bool>,
    constraints: Vec<bool>,
    /// By node: the number of its latch, plus one; 0 for others.
    latch_of: Vec<u32>,
    /// By node: whether more than one gate, latch, constraint or bad of the cone depends on it directly.
    is_shared: Vec<bool>,
    n_gates: usize,
    n_latches: usize,
}

/// A model with the visible parts alone.
///
/// Its latches have the numbers of the original's; hidden ones are in no cone. Its inputs are the original's
/// inputs and then one for each of `hidden`.
pub(super) struct Abstraction {
    pub(super) model: Model,
    /// The hidden nodes on which visible parts depend.
    pub(super) hidden: Vec<NodeId>,
}

impl<'a> Visible<'a> {
    /// Nothing is visible but the bad itself, as a free value.
    pub(super) fn new(model: &'a Model, property: usize) -> Self {
        let n_nodes = model.aig.n_nodes();
        let mut latch_of = vec![0; n_nodes];
        for (number, latch) in model.latches.iter().enumerate() {
            latch_of[latch.state.node() as usize] = number as u32 + 1;
        }
        let cone = SequentialCone::of_property(model, property);
        Self {
            is_shared: shared(model, property, &cone),
            model,
            property,
            cone,
            nodes: vec![false; n_nodes],
            constraints: vec![false; model.constraints.len()],
            latch_of,
            n_gates: 0,
            n_latches: 0,
        }
    }

    /// The number of the latch that has this node.
    pub(super) fn latch(&self, node: NodeId) -> Option<usize> {
        let number = self.latch_of[node as usize].checked_sub(1)?;
        Some(number as usize)
    }

    /// Whether a gate or a latch is visible. Inputs are not.
    pub(super) fn is_visible(&self, node: NodeId) -> bool {
        self.nodes[node as usize]
    }

    /// Makes parts visible, and with a gate those on which nothing else depends; if these are few compared with what
    /// is visible already, also those next to them. Returns how many were hidden.
    ///
    /// A run that is excluded by one gate is often followed by one that the gate next to it excludes, as along the
    /// carries of an adder.
    pub(super) fn show(&mut self, mut parts: Vec<Part>) -> usize {
        let enough = (self.n_gates + self.n_latches) / LEAST_SHARE;
        let mut more = 0;
        // The hidden operands of what has become visible.
        let mut next = Vec::new();
        loop {
            while let Some(part) = parts.pop() {
                more += usize::from(self.show_part(part, &mut parts, &mut next));
            }
            if more >= enough || next.is_empty() {
                return more;
            }
            parts.extend(next.drain(..).map(Part::Node));
        }
    }

    /// Makes a part visible; returns whether it was hidden. The operands on which nothing else depends go to `own`,
    /// the other ones to `next`.
    fn show_part(&mut self, part: Part, own: &mut Vec<Part>, next: &mut Vec<NodeId>) -> bool {
        let node = match part {
            Part::Constraint(number) => {
                return !std::mem::replace(&mut self.constraints[number], true);
            }
            Part::Node(node) => node,
        };
        if std::mem::replace(&mut self.nodes[node as usize], true) {
            return false;
        }
        match (self.latch(node), self.model.aig.node(node)) {
            (Some(number), _) => {
                self.n_latches += 1;
                // A delay shows its whole chain.
                let next = self.model.latches[number].next.node();
                own.extend(self.latch(next).map(|_| Part::Node(next)));
            }
            (None, Node::And(left, right)) => {
                self.n_gates += 1;
                for operand in [left.node(), right.node()] {
                    match self.model.aig.node(operand) {
                        Node::And(..) if !self.is_shared[operand as usize] => {
                            own.push(Part::Node(operand));
                        }
                        Node::And(..) => next.push(operand),
                        Node::Constant | Node::Input(_) => {}
                    }
                }
            }
            (None, Node::Constant | Node::Input(_)) => {}
        }
        true
    }

    /// How much is visible.
    pub(super) fn describe(&self) -> String {
        let constraints = self.constraints.iter().filter(|&&it| it).count();
        format!(
            "{} of {} gates, {} of {} latches, {constraints} of {} constraints",
            self.n_gates,
            self.cone.ands.len(),
            self.n_latches,
            self.cone.latches.len(),
            self.constraints.len()
        )
    }

    /// The model with the visible parts alone, whose only bad is that of the property.
    pub(super) fn abstraction(&self) -> Abstraction {
        let mut model = Model::default();
        let mut images: Vec<Option<Edge>> = vec![None; self.nodes.len()];
        images[0] = Some(Edge::FALSE);
        for &input in &self.model.inputs {
            let edge = model.aig.add_input();
            images[input.node() as usize] = Some(edge);
            model.inputs.push(edge);
        }
        for latch in &self.model.latches {
            let state = model.aig.add_input();
            if self.is_visible(latch.state.node()) {
                images[latch.state.node() as usize] = Some(state);
            }
            model.latches.push(Latch {
                state,
                next: Edge::FALSE,
                reset: Reset::Zero,
            });
        }
        let mut hidden = Vec::new();
        let mut image = |model: &mut Model, images: &mut [Option<Edge>], edge: Edge| {
            let node = edge.node();
            let own = *images[node as usize].get_or_insert_with(|| {
                hidden.push(node);
                let edge = model.aig.add_input();
                model.inputs.push(edge);
                edge
            });
            own.negate_if(edge.is_negated())
        };
        // In topological order, so that a visible operand has its image before.
        for &node in &self.cone.ands {
            if let (true, Node::And(left, right)) =
                (self.is_visible(node), self.model.aig.node(node))
            {
                let left = image(&mut model, &mut images, left);
                let right = image(&mut model, &mut images, right);
                images[node as usize] = Some(model.aig.and(left, right));
            }
        }
        for &number in &self.cone.latches {
            let latch = &self.model.latches[number];
            if self.is_visible(latch.state.node()) {
                model.latches[number].next = image(&mut model, &mut images, latch.next);
                model.latches[number].reset = latch.reset;
            }
        }
        for (&constraint, _) in (self.model.constraints.iter())
            .zip(&self.constraints)
            .filter(|(_, visible)| **visible)
        {
            let constraint = image(&mut model, &mut images, constraint);
            model.constraints.push(constraint);
        }
        let bad = image(&mut model, &mut images, self.model.bads[self.property]);
        model.bads.push(bad);
        Abstraction { model, hidden }
    }
}

/// By node, whether several parts of the cone depend on it directly.
fn shared(model: &Model, property: usize, cone: &SequentialCone) -> Vec<bool> {
    let mut uses = vec![0_u8; model.aig.n_nodes()];
    let gates = cone.ands.iter().map(|&node| model.aig.node(node));
    let operands = gates.flat_map(|gate| match gate {
        Node::And(left, right) => [Some(left), Some(right)],
        _ => [None; 2],
    });
    let next = cone.latches.iter().map(|&latch| model.latches[latch].next);
    let roots = model.constraints.iter().chain([&model.bads[property]]);
    for edge in operands.flatten().chain(next).chain(roots.copied()) {
        let uses = &mut uses[edge.node() as usize];
        *uses = uses.saturating_add(1);
    }
    uses.into_iter().map(|uses| uses > 1).collect()
}
