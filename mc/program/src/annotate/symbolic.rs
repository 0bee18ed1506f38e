//! Symbolic execution along one path: the symbolic states of the paper's section 2.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};
use craig_word::Term;

use crate::actions::{ActionId, Actions, StateBit, position};

/// The graph is built anew when it has twice as many nodes as after it was last built, and `MAX_GROWTH` more: queries
/// take time in the size of the graph of all paths since.
const MAX_GROWTH: usize = 100_000;

/// An action executed from the current state.
pub(super) struct Step {
    pub(super) action: ActionId,
    /// The guard over the parameters.
    guard: Edge,
    /// The bits that change, with their values over the parameters.
    assigned: Vec<(StateBit, Edge)>,
    /// The action's free choices, and the parameter for each.
    chosen: Vec<(Edge, Edge)>,
}

/// What is restored when the path becomes shorter.
struct Entered {
    action: ActionId,
    guard: Edge,
    chosen: Vec<(Edge, Edge)>,
    /// The values that the action has replaced.
    replaced: Vec<(StateBit, Edge)>,
    n_constraints: usize,
}

/// Why no state of a path is outside of a label.
pub(super) struct Core {
    /// Constraints over the parameters, as positions in [`SymbolicPath::constraints`]. With the values of the
    /// bits they imply that the last action cannot be taken, or leads into the label.
    pub(super) constraints: Vec<usize>,
}

/// A path and the symbolic state at its end: parameters, constraints over them, and the value of each bit as a
/// function of them.
///
/// The graph simplifies what is constant, so that queries may be answered without a solver. That is no ground
/// for a label: labels come from refutations of the original action, which are found separately.
///
/// Invariant: the constraints are satisfiable. Before the first step all bits are 0.
pub(super) struct SymbolicPath<'a> {
    actions: &'a Actions,
    stop: &'a Stop,
    /// Its inputs are the parameters.
    pub(super) aig: Aig,
    solver: Solver,
    encoder: Encoder,
    /// By bit of the state.
    values: Vec<Edge>,
    constraints: Vec<Edge>,
    path: Vec<Entered>,
    model: Model,
    n_nodes_kept: usize,
    pub(super) n_queries: usize,
}

impl<'a> SymbolicPath<'a> {
    pub(super) fn new(actions: &'a Actions, stop: &'a Stop) -> Self {
        Self {
            actions,
            stop,
            aig: Aig::new(),
            solver: new_solver(stop),
            encoder: Encoder::new(),
            values: vec![Edge::FALSE; actions.bits().len()],
            constraints: Vec::new(),
            path: Vec::new(),
            model: Model::default(),
            n_nodes_kept: 0,
            n_queries: 0,
        }
    }

    /// The value of a bit of the state.
    pub(super) fn value(&self, bit: StateBit) -> Edge {
        self.values[bit as usize]
    }

    pub(super) fn constraint(&self, position: usize) -> Edge {
        self.constraints[position]
    }

    /// Executes an action from the current state. Earlier steps that are not entered are no longer valid.
    pub(super) fn step(&mut self, action: ActionId) -> Step {
        if self.aig.n_nodes() > 2 * self.n_nodes_kept + MAX_GROWTH {
            self.rebuild();
        }
        let taken = self.actions.action(action);
        let mut roots = vec![taken.guard];
        roots.extend(taken.assigned.iter().map(|&(_, value)| value));
        let mut chosen = Vec::new();
        let (actions, values) = (self.actions, &self.values);
        let mut parameters: HashMap<u32, Edge> = HashMap::new();
        for &input in &taken.chooses {
            let parameter = self.aig.add_input();
            chosen.push((input, parameter));
            parameters.insert(input.node(), parameter);
        }
        let images = self.aig.copy_cone(&actions.aig, &roots, &mut |node| {
            let place = position(&actions.aig, node) as usize;
            match values.get(place) {
                Some(&value) => value,
                None => parameters[&node],
            }
        });
        let bits = taken.assigned.iter().map(|&(bit, _)| bit);
        Step {
            action,
            guard: images[0],
            assigned: bits.zip(images[1..].iter().copied()).collect(),
            chosen,
        }
    }

    /// Makes the path longer by a step, whose guard is satisfiable together with the constraints.
    pub(super) fn enter(&mut self, step: Step) {
        let n_constraints = self.constraints.len();
        // The operands of conjunctions are constraints of their own, so that cores are small.
        let mut work = vec![step.guard];
        while let Some(edge) = work.pop() {
            match self.aig.node(edge.node()) {
                Node::And(left, right) if !edge.is_negated() => work.extend([left, right]),
                _ if edge == Edge::TRUE => {}
                _ => self.constraints.push(edge),
            }
        }
        let mut replaced = Vec::new();
        for (bit, value) in step.assigned {
            let old = std::mem::replace(&mut self.values[bit as usize], value);
            replaced.push((bit, old));
        }
        self.path.push(Entered {
            action: step.action,
            guard: step.guard,
            chosen: step.chosen,
            replaced,
            n_constraints,
        });
    }

    /// Makes the path shorter by its last step, if it has one, which is returned.
    pub(super) fn leave(&mut self) -> Option<Step> {
        let entered = self.path.pop()?;
        self.constraints.truncate(entered.n_constraints);
        let mut assigned = entered.replaced;
        for (bit, value) in &mut assigned {
            std::mem::swap(value, &mut self.values[*bit as usize]);
        }
        Some(Step {
            action: entered.action,
            guard: entered.guard,
            assigned,
            chosen: entered.chosen,
        })
    }

    /// Whether a state of the path, or of the path and a step if one is given, is outside of a label: nothing if
    /// so, and [`SymbolicPath::found`] gives one; else the reason why not.
    pub(super) fn outside(
        &mut self,
        step: Option<&Step>,
        label: (&Aig, Edge),
    ) -> Result<Option<Core>, UnknownReason> {
        let (from, label) = label;
        let mut guard = Edge::TRUE;
        let mut inside = label;
        if !label.is_constant() {
            let assigned: HashMap<StateBit, Edge> =
                step.map_or_else(HashMap::new, |step| step.assigned.iter().copied().collect());
            let values = &self.values;
            inside = self.aig.copy_cone(from, &[label], &mut |node| {
                let bit = position(from, node);
                (assigned.get(&bit).copied()).unwrap_or(values[bit as usize])
            })[0];
        }
        if let Some(step) = step {
            guard = step.guard;
        }
        let condition = self.aig.and(guard, !inside);
        if condition == Edge::FALSE {
            let constraints = Vec::new();
            return Ok(Some(Core { constraints }));
        }
        self.solve(condition)
    }

    /// Whether the constraints and a condition are satisfiable.
    fn solve(&mut self, condition: Edge) -> Result<Option<Core>, UnknownReason> {
        if let Some(reason) = self.stop.reason() {
            return Err(reason);
        }
        debug_assert!(
            self.constraints
                .iter()
                .all(|&edge| self.model.holds(&self.aig, edge))
        );
        if self.model.holds(&self.aig, condition) {
            return Ok(None);
        }
        let Self { aig, solver, .. } = self;
        let encoder = &mut self.encoder;
        let mut assumptions: Vec<Lit> = Vec::with_capacity(self.constraints.len() + 1);
        for &constraint in self.constraints.iter().chain([&condition]) {
            let lit = match encoder.literal(constraint) {
                Some(lit) => lit,
                None => encoder.encode(aig, constraint, solver),
            };
            assumptions.push(lit);
        }
        self.n_queries += 1;
        match solver.solve(&assumptions) {
            Answer::Satisfiable => {
                self.model.clear();
                for &node in aig.inputs() {
                    let lit = encoder.literal(Edge::new(node, false));
                    let value = lit.and_then(|lit| solver.value(lit)) == Some(true);
                    self.model.inputs.push(value);
                }
                Ok(None)
            }
            Answer::Unknown => Err(why_stopped(self.stop)),
            Answer::Unsatisfiable => {
                let mut failed: Vec<Lit> = solver.failed_assumptions().to_vec();
                failed.sort_unstable();
                let own = assumptions[..self.constraints.len()].iter().enumerate();
                let constraints = own
                    .filter(|(_, lit)| failed.binary_search(lit).is_ok())
                    .map(|(place, _)| place)
                    .collect();
                Ok(Some(Core { constraints }))
            }
        }
    }

    /// The path and a step, with the choices of each action in the model of the last query that found one.
    pub(super) fn found(&self, step: &Step) -> (Vec<ActionId>, Vec<HashMap<Term, u128>>) {
        let before = (self.path.iter()).map(|entered| (entered.action, &entered.chosen));
        let steps = before.chain([(step.action, &step.chosen)]);
        let values = steps.map(|(action, chosen)| {
            let mut values: HashMap<Term, u128> = HashMap::new();
            for &(input, parameter) in chosen {
                if self.model.input(position(&self.aig, parameter.node())) {
                    let (term, bit) = self.actions.chosen(input);
                    *values.entry(term).or_insert(0) |= 1 << bit;
                }
            }
            (action, values)
        });
        values.unzip()
    }

    /// Copies what the path needs to a new graph and a new solver.
    fn rebuild(&mut self) {
        let mut roots: Vec<Edge> = self.values.clone();
        roots.extend(&self.constraints);
        for entered in &self.path {
            roots.push(entered.guard);
            roots.extend(entered.replaced.iter().map(|&(_, old)| old));
            roots.extend(entered.chosen.iter().map(|&(_, parameter)| parameter));
        }
        let old = std::mem::take(&mut self.aig);
        let new = &mut self.aig;
        let inputs = old.support(&roots);
        let inputs: HashMap<u32, Edge> = (inputs.into_iter())
            .map(|node| (node, new.add_input()))
            .collect();
        let images = new.copy_cone(&old, &roots, &mut |node| inputs[&node]);
        let mut model = Model::default();
        model.inputs.resize(new.n_inputs(), false);
        for (&node, &input) in &inputs {
            let value = self.model.input(position(&old, node));
            model.inputs[position(new, input.node()) as usize] = value;
        }
        self.model = model;
        let mut images = images.into_iter();
        let mut next = || images.next().expect("an image of each root");
        self.values.fill_with(&mut next);
        self.constraints.fill_with(&mut next);
        for entered in &mut self.path {
            entered.guard = next();
            for (_, old) in &mut entered.replaced {
                *old = next();
            }
            for (_, parameter) in &mut entered.chosen {
                *parameter = next();
            }
        }
        self.n_nodes_kept = self.aig.n_nodes();
        self.solver = new_solver(self.stop);
        self.encoder = Encoder::new();
    }
}

/// An assignment to the parameters that satisfies the constraints: most conditions that can hold do so in it, and need
/// no query.
#[derive(Default)]
struct Model {
    /// By parameter; later ones are false.
    inputs: Vec<bool>,
    /// By node: its value, if it was computed.
    values: Vec<Option<bool>>,
    stack: Vec<NodeId>,
}

impl Model {
    /// The assignment of all false.
    fn clear(&mut self) {
        self.inputs.clear();
        self.values.clear();
    }

    fn input(&self, position: u32) -> bool {
        self.inputs.get(position as usize).copied().unwrap_or(false)
    }

    /// The value of a formula.
    fn holds(&mut self, aig: &Aig, edge: Edge) -> bool {
        if self.values.len() < aig.n_nodes() {
            self.values.resize(aig.n_nodes(), None);
        }
        debug_assert!(self.stack.is_empty());
        self.stack.push(edge.node());
        while let Some(&node) = self.stack.last() {
            let known = |values: &[Option<bool>], edge: Edge| {
                values[edge.node() as usize].map(|value| value != edge.is_negated())
            };
            let value = match aig.node(node) {
                _ if self.values[node as usize].is_some() => {
                    self.stack.pop();
                    continue;
                }
                Node::Constant => false,
                Node::Input(position) => self.input(position),
                Node::And(left, right) => {
                    match (known(&self.values, left), known(&self.values, right)) {
                        (Some(false), _) | (_, Some(false)) => false,
                        (Some(true), Some(true)) => true,
                        (None, _) => {
                            self.stack.push(left.node());
                            continue;
                        }
                        (_, None) => {
                            self.stack.push(right.node());
                            continue;
                        }
                    }
                }
            };
            self.values[node as usize] = Some(value);
            self.stack.pop();
        }
        self.values[edge.node() as usize] == Some(!edge.is_negated())
    }
}

fn new_solver(stop: &Stop) -> Solver {
    let mut solver = Solver::new();
    listen_in(stop, &mut solver);
    solver
}
