//! Labels of locations: conjunctions of formulas over the bits of the state.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node};
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

use super::actions::{ActionId, Actions, StateBit, position};
use super::cfa::LocationId;

/// A label, as a position in [`Labels`]. Equal sets of conjuncts have one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LabelId(u32);

impl LabelId {
    /// The label that is true.
    pub(super) const TRUE: Self = Self(0);
    /// The label that is false.
    pub(super) const FALSE: Self = Self(1);
}

/// An assignment to the bits of the state, 64 to a word.
pub(super) type StateModel = Box<[u64]>;

/// The maximal number of stored models of a label.
const MODELS: usize = 4;
/// The maximal number of conjuncts that a formula is split into; the rest stays one conjunct.
pub(super) const MAX_SPLIT: usize = 256;

/// A solver for queries about one location. It contains the formulas of labels used there, and the guards of
/// its actions.
struct Context {
    solver: Solver,
    labels: Encoder,
    actions: Encoder,
    /// The literal of each bit that a formula of this location reads.
    state: HashMap<StateBit, Lit>,
}

/// Hash-consed labels with memoised entailment.
pub(super) struct Labels {
    /// Input number i is bit i of the state.
    pub(super) aig: Aig,
    /// Sorted conjuncts without constants; `FALSE` alone has one.
    conjuncts: Vec<Box<[Edge]>>,
    ids: HashMap<Box<[Edge]>, LabelId>,
    /// Whether a label entails a conjunct.
    entails: HashMap<(LabelId, Edge), bool>,
    /// Models of labels, which refute most entailments.
    models: HashMap<LabelId, Vec<StateModel>>,
    /// The bits that a conjunct reads.
    supports: HashMap<Edge, Box<[StateBit]>>,
    contexts: Vec<Option<Context>>,
    stop: Stop,
    /// The number of solver queries, for reports.
    pub(super) n_queries: usize,
}

impl Labels {
    pub(super) fn new(actions: &Actions, stop: &Stop) -> Self {
        let mut aig = Aig::new();
        for _ in actions.bits() {
            aig.add_input();
        }
        let conjuncts: Vec<Box<[Edge]>> = vec![Box::new([]), Box::new([Edge::FALSE])];
        let ids = [LabelId::TRUE, LabelId::FALSE];
        Self {
            aig,
            ids: conjuncts.iter().cloned().zip(ids).collect(),
            conjuncts,
            entails: HashMap::new(),
            models: HashMap::new(),
            supports: HashMap::new(),
            contexts: (0..actions.n_locations()).map(|_| None).collect(),
            stop: stop.clone(),
            n_queries: 0,
        }
    }

    /// The conjuncts of a label.
    pub(super) fn conjuncts(&self, label: LabelId) -> &[Edge] {
        &self.conjuncts[label.0 as usize]
    }

    /// The conjuncts of a formula: its operands at conjunctions from the root down.
    pub(super) fn split(&self, formula: Edge) -> Vec<Edge> {
        let mut conjuncts = Vec::new();
        let mut work = vec![formula];
        while let Some(edge) = work.pop() {
            match self.aig.node(edge.node()) {
                Node::And(left, right)
                    if !edge.is_negated() && conjuncts.len() + work.len() + 2 <= MAX_SPLIT =>
                {
                    work.extend([right, left]);
                }
                _ if edge == Edge::TRUE => {}
                _ => conjuncts.push(edge),
            }
        }
        conjuncts
    }

    /// The label with further conjuncts. Models of the old label that satisfy the new one are kept.
    pub(super) fn strengthened(&mut self, label: LabelId, more: &[Edge]) -> LabelId {
        let mut conjuncts = self.conjuncts(label).to_vec();
        conjuncts.extend(more);
        conjuncts.sort_unstable();
        conjuncts.dedup();
        let is_false = conjuncts.contains(&Edge::FALSE)
            || conjuncts.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_false {
            return LabelId::FALSE;
        }
        let conjuncts = conjuncts.into_boxed_slice();
        if let Some(&id) = self.ids.get(&conjuncts) {
            return id;
        }
        let id = LabelId(self.conjuncts.len() as u32);
        self.ids.insert(conjuncts.clone(), id);
        self.conjuncts.push(conjuncts);
        let models = self.models.get(&label).cloned().unwrap_or_default();
        let kept: Vec<StateModel> = (models.into_iter())
            .filter(|model| more.iter().all(|&conjunct| self.holds(conjunct, model)))
            .collect();
        if !kept.is_empty() {
            self.models.insert(id, kept);
        }
        id
    }

    /// Whether one label entails another, at a location.
    pub(super) fn entails(
        &mut self,
        location: LocationId,
        label: LabelId,
        other: LabelId,
    ) -> Result<bool, UnknownReason> {
        if other == LabelId::TRUE || label == LabelId::FALSE || label == other {
            return Ok(true);
        }
        for index in 0..self.conjuncts(other).len() {
            let conjunct = self.conjuncts(other)[index];
            if !self.entails_conjunct(location, label, conjunct)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a label entails a formula, at a location.
    pub(super) fn entails_conjunct(
        &mut self,
        location: LocationId,
        label: LabelId,
        conjunct: Edge,
    ) -> Result<bool, UnknownReason> {
        if conjunct == Edge::TRUE || self.conjuncts(label).binary_search(&conjunct).is_ok() {
            return Ok(true);
        }
        if label == LabelId::FALSE {
            return Ok(true);
        }
        if let Some(&known) = self.entails.get(&(label, conjunct)) {
            return Ok(known);
        }
        let is_refuted = (self.models.get(&label).into_iter().flatten())
            .any(|model| !self.holds(conjunct, model));
        let answer = !is_refuted && self.decide(location, label, conjunct)?;
        self.entails.insert((label, conjunct), answer);
        Ok(answer)
    }

    /// Whether a label holds in a state.
    pub(super) fn label_holds(&self, label: LabelId, state: &StateModel) -> bool {
        let mut conjuncts = self.conjuncts(label).iter();
        conjuncts.all(|&conjunct| self.holds(conjunct, state))
    }

    /// Whether the formula holds in a state.
    fn holds(&self, formula: Edge, model: &StateModel) -> bool {
        let mut values: HashMap<u32, bool> = HashMap::new();
        let value = |values: &HashMap<u32, bool>, edge: Edge| {
            let node = edge.node();
            values.get(&node).copied().unwrap_or(false) != edge.is_negated()
        };
        for node in self.aig.cone(&[formula]) {
            let here = match self.aig.node(node) {
                Node::Constant => false,
                Node::Input(bit) => model[bit as usize / 64] >> (bit % 64) & 1 == 1,
                Node::And(left, right) => value(&values, left) && value(&values, right),
            };
            values.insert(node, here);
        }
        value(&values, formula)
    }

    fn decide(
        &mut self,
        location: LocationId,
        label: LabelId,
        conjunct: Edge,
    ) -> Result<bool, UnknownReason> {
        self.prepare(location, label);
        self.prepare_support(conjunct);
        self.n_queries += 1;
        let context = self.contexts[location.index()].as_mut();
        let context = context.expect("it was made");
        let mut assumptions = Vec::new();
        for &conjunct in &self.conjuncts[label.0 as usize] {
            assumptions.push(context.conjunct(&self.aig, conjunct, &self.supports[&conjunct]));
        }
        assumptions.push(!context.conjunct(&self.aig, conjunct, &self.supports[&conjunct]));
        match context.solver.solve(&assumptions) {
            Answer::Unsatisfiable => Ok(true),
            Answer::Satisfiable => {
                let mut model = vec![0u64; self.aig.n_inputs().div_ceil(64)];
                for (&bit, &lit) in &context.state {
                    if context.solver.value(lit) == Some(true) {
                        model[bit as usize / 64] |= 1 << (bit % 64);
                    }
                }
                let kept = self.models.entry(label).or_default();
                if kept.len() == MODELS {
                    kept.remove(0);
                }
                kept.push(model.into_boxed_slice());
                Ok(false)
            }
            Answer::Unknown => Err(why_stopped(&self.stop)),
        }
    }

    /// Whether an action can be taken in some state of a label.
    pub(super) fn allows(
        &mut self,
        actions: &Actions,
        label: LabelId,
        action: ActionId,
    ) -> Result<bool, UnknownReason> {
        let action = actions.action(action);
        if label == LabelId::FALSE || action.guard == Edge::FALSE {
            return Ok(false);
        }
        self.prepare(action.source, label);
        self.n_queries += 1;
        let context = self.contexts[action.source.index()].as_mut();
        let context = context.expect("it was made");
        let mut assumptions = Vec::new();
        for &conjunct in &self.conjuncts[label.0 as usize] {
            assumptions.push(context.conjunct(&self.aig, conjunct, &self.supports[&conjunct]));
        }
        assumptions.push(context.guard(actions, action.guard, &action.reads));
        match context.solver.solve(&assumptions) {
            Answer::Unsatisfiable => Ok(false),
            Answer::Satisfiable => Ok(true),
            Answer::Unknown => Err(why_stopped(&self.stop)),
        }
    }

    /// Creates the context of a location, and computes the bits that the conjuncts of a label read.
    fn prepare(&mut self, location: LocationId, label: LabelId) {
        for index in 0..self.conjuncts(label).len() {
            let conjunct = self.conjuncts(label)[index];
            self.prepare_support(conjunct);
        }
        let stop = &self.stop;
        self.contexts[location.index()].get_or_insert_with(|| {
            let mut solver = Solver::new();
            listen_in(stop, &mut solver);
            Context {
                solver,
                labels: Encoder::new(),
                actions: Encoder::new(),
                state: HashMap::new(),
            }
        });
    }

    fn prepare_support(&mut self, conjunct: Edge) {
        if !self.supports.contains_key(&conjunct) {
            let support = self.support(conjunct);
            self.supports.insert(conjunct, support);
        }
    }

    /// The bits that a formula reads, in increasing order.
    pub(super) fn support(&self, formula: Edge) -> Box<[StateBit]> {
        let nodes = self.aig.support(&[formula]).into_iter();
        nodes.map(|node| position(&self.aig, node)).collect()
    }
}

impl Context {
    fn bit(&mut self, bit: StateBit) -> Lit {
        let solver = &mut self.solver;
        *(self.state.entry(bit)).or_insert_with(|| solver.new_var().positive())
    }

    /// The literal of a conjunct, which reads these bits.
    fn conjunct(&mut self, aig: &Aig, conjunct: Edge, reads: &[StateBit]) -> Lit {
        if let Some(lit) = self.labels.literal(conjunct) {
            return lit;
        }
        for &bit in reads {
            let lit = self.bit(bit);
            self.labels.set(aig.inputs()[bit as usize], lit);
        }
        self.labels.encode(aig, conjunct, &mut self.solver)
    }

    /// The literal of a guard, which reads at most these bits.
    fn guard(&mut self, actions: &Actions, guard: Edge, reads: &[StateBit]) -> Lit {
        if let Some(lit) = self.actions.literal(guard) {
            return lit;
        }
        for &bit in reads {
            let lit = self.bit(bit);
            self.actions.set(actions.input(bit).node(), lit);
        }
        self.actions.encode(&actions.aig, guard, &mut self.solver)
    }
}
