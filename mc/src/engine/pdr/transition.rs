//! The model in the query solvers: one copy of the combinational logic, in which the next-state literal of a
//! latch is an existing gate.

use std::sync::{Arc, Mutex};

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_model::Model;
use craig_solver::query::record::Recording;
use craig_solver::{Lit, Var};

use super::lemma::Lemma;
use super::logic::{ConeSolver, Gates};
use super::signals::Signal;
use crate::control::StateClause;

/// The part of a model that one of its bads depends on, encoded.
///
/// Variables: the solver's reserved one, the constant, the latches in the order of the model, the inputs,
/// then gates, then signals ([`Signal`]). To the search, signals are further latches, after those of the model; the model's
/// number of signal `j` is the number of its latches plus `j`.
pub(in crate::engine) struct Transition {
    /// The combinational logic alone: neither constraints nor resets. Solvers load large logic by cone.
    pub(in crate::engine) logic: ConeSolver,
    /// Implied by the bad.
    pub(in crate::engine) bad: Lit,
    /// The constraints of a step; literals that are constantly true are omitted.
    pub(in crate::engine) constraints: Vec<Lit>,
    /// The next-state literal of each latch, then of each signal.
    next: Vec<Lit>,
    /// The number of latches without signals.
    n_plain: usize,
    /// The variable of the first signal.
    first_signal: usize,
    /// Of each latch, the literal of its variable that is false in initial states, if it is initialised.
    /// Indexed like `next`; uninitialised latches have the constant's literal.
    uninitial: Vec<Lit>,
    /// The model's number of each latch.
    latch_numbers: Vec<usize>,
    /// The model's number of each input.
    input_numbers: Vec<usize>,
}

/// Up to this number of variables, solvers load all gates at once.
const MOST_PRELOADED: usize = 30_000;
/// The variable that is always true.
const CONSTANT: usize = 1;
/// The variable of the first latch.
const FIRST_LATCH: usize = 2;

impl Transition {
    /// Encodes the cone of bad number `property` and the constraints. The calls of all clones of its solver
    /// are added to the recording.
    pub(in crate::engine) fn new(
        model: &Model,
        property: usize,
        recording: Option<&Arc<Mutex<Recording>>>,
    ) -> Self {
        Self::with_signals(model, property, &[], [], recording)
    }

    /// As `new`, with signals, whose formulas are edges of the model, and with the cone of some more formulas.
    pub(super) fn with_signals(
        model: &Model,
        property: usize,
        signals: &[Signal],
        more: impl IntoIterator<Item = Edge>,
        recording: Option<&Arc<Mutex<Recording>>>,
    ) -> Self {
        let bad = model.bads[property];
        let of_signals = signals.iter().flat_map(|signal| [signal.now, signal.next]);
        let cone = Cone::new(model, of_signals.chain([bad]).chain(more));
        let mut gates = Gates::default();
        let reserved = gates.add_free();
        debug_assert_eq!(reserved.index(), 0);
        let constant = gates.add_free();
        debug_assert_eq!(constant.index(), CONSTANT);
        let mut literals: Vec<Option<Lit>> = vec![None; model.aig.n_nodes()];
        literals[0] = Some(constant.negative());
        let mut latch_numbers = Vec::new();
        for (number, latch) in model.latches.iter().enumerate() {
            if cone.needed[latch.state.node() as usize] {
                literals[latch.state.node() as usize] = Some(gates.add_free().positive());
                latch_numbers.push(number);
            }
        }
        let mut input_numbers = Vec::new();
        for (number, input) in model.inputs.iter().enumerate() {
            if cone.needed[input.node() as usize] {
                literals[input.node() as usize] = Some(gates.add_free().positive());
                input_numbers.push(number);
            }
        }
        cone.encode(&model.aig, &mut literals, &mut gates);
        let literal = |edge: Edge| {
            literals[edge.node() as usize]
                .expect("every root was encoded")
                .negate_if(edge.is_negated())
        };
        let first_signal = gates.n_vars();
        for signal in signals {
            gates.add_and(&[literal(signal.now)]);
        }
        let mut logic = ConeSolver::new(Arc::new(gates), recording);
        logic.add_clause(&[constant.positive()]);
        let logic = logic.preloaded(MOST_PRELOADED);
        let n_plain = latch_numbers.len();
        let latches = || latch_numbers.iter().map(|&number| &model.latches[number]);
        let next = latches().map(|latch| latch.next);
        let next = next.chain(signals.iter().map(|signal| signal.next));
        let next = next.map(literal).collect();
        let reset = latches().map(|latch| latch.reset.value()).enumerate();
        let reset = reset.map(|(index, value)| (FIRST_LATCH + index, value));
        let of_signals = signals.iter().map(|signal| signal.at_reset).enumerate();
        let of_signals = of_signals.map(|(index, value)| (first_signal + index, value));
        let uninitial = (reset.chain(of_signals))
            .map(|(var, value)| {
                let state = Var::new(var).positive();
                value.map_or(constant.positive(), |value| state.negate_if(value))
            })
            .collect();
        let n_latches = model.latches.len();
        latch_numbers.extend(n_latches..n_latches + signals.len());
        let mut constraints: Vec<Lit> = model.constraints.iter().map(|&c| literal(c)).collect();
        constraints.sort_unstable();
        constraints.dedup();
        constraints.retain(|&lit| lit != constant.positive());
        Self {
            bad: literal(bad),
            constraints,
            next,
            n_plain,
            first_signal,
            uninitial,
            latch_numbers,
            input_numbers,
            logic,
        }
    }

    /// Literals whose disjunction is the bad.
    pub(super) fn bad_parts(&self) -> Vec<Lit> {
        let gates = self.logic.gates();
        let mut parts = Vec::new();
        let mut is_seen = vec![false; 2 * gates.n_vars()];
        let mut stack = vec![self.bad];
        while let Some(part) = stack.pop() {
            if std::mem::replace(&mut is_seen[part.index()], true) {
                continue;
            }
            let var = part.var().index() as u32;
            let operands = gates.operands(var);
            match part.is_negated() && !operands.is_empty() && !gates.is_choice(var) {
                true => stack.extend(operands.iter().map(|&lit| !lit)),
                false => parts.push(part),
            }
        }
        parts.sort_unstable();
        parts
    }

    /// The number of variables of the logic.
    pub(super) fn n_vars(&self) -> usize {
        self.logic.gates().n_vars()
    }

    pub(in crate::engine) fn n_latches(&self) -> usize {
        self.latch_numbers.len()
    }

    /// Whether a literal is one of a latch or a signal.
    #[inline]
    pub(in crate::engine) fn is_latch(&self, lit: Lit) -> bool {
        (FIRST_LATCH..FIRST_LATCH + self.n_plain).contains(&lit.var().index())
            || self.is_signal(lit)
    }

    /// Whether a literal is one of a signal.
    #[inline]
    pub(super) fn is_signal(&self, lit: Lit) -> bool {
        lit.var().index() >= self.first_signal
    }

    /// The positive literals of the signals.
    pub(super) fn signals(&self) -> impl Iterator<Item = Lit> + use<> {
        let vars = self.first_signal..self.first_signal + self.next.len() - self.n_plain;
        vars.map(|var| Var::new(var).positive())
    }

    /// Whether a literal is one of an input.
    #[inline]
    pub(in crate::engine) fn is_input(&self, lit: Lit) -> bool {
        let first = FIRST_LATCH + self.n_plain;
        (first..first + self.input_numbers.len()).contains(&lit.var().index())
    }

    /// The model's number of each latch, by its position.
    pub(in crate::engine) fn latch_numbers(&self) -> &[usize] {
        &self.latch_numbers
    }

    /// The positive literal of the latch at a position.
    pub(in crate::engine) fn latch_literal(&self, position: usize) -> Lit {
        debug_assert!(position < self.n_latches());
        match position.checked_sub(self.n_plain) {
            None => Var::new(FIRST_LATCH + position).positive(),
            Some(signal) => Var::new(self.first_signal + signal).positive(),
        }
    }

    /// The position of a latch's variable among the latches.
    #[inline]
    pub(in crate::engine) fn latch(&self, lit: Lit) -> usize {
        debug_assert!(self.is_latch(lit));
        match self.is_signal(lit) {
            false => lit.var().index() - FIRST_LATCH,
            true => lit.var().index() - self.first_signal + self.n_plain,
        }
    }

    /// The next-state literal of a latch literal, in the step's logic.
    #[inline]
    pub(in crate::engine) fn next(&self, lit: Lit) -> Lit {
        self.next[self.latch(lit)].negate_if(lit.is_negated())
    }

    /// Whether no initial state satisfies a latch's literal.
    #[inline]
    pub(in crate::engine) fn excludes_initial(&self, lit: Lit) -> bool {
        self.uninitial[self.latch(lit)] == lit
    }

    /// Whether some state that agrees with all resets satisfies the cube.
    pub(in crate::engine) fn meets_initial(&self, cube: &[Lit]) -> bool {
        !cube.iter().any(|&lit| self.excludes_initial(lit))
    }

    /// The literals that hold in all initial states.
    pub(in crate::engine) fn initial(&self) -> impl Iterator<Item = Lit> + '_ {
        self.uninitial
            .iter()
            .filter(|lit| lit.var().index() != CONSTANT)
            .map(|&lit| !lit)
    }

    /// The model's number of the latch of a literal.
    pub(in crate::engine) fn latch_number(&self, lit: Lit) -> usize {
        self.latch_numbers[self.latch(lit)]
    }

    /// A lemma as a clause about the model's latches.
    pub(super) fn state_clause(&self, lemma: &Lemma) -> StateClause {
        let lits = lemma.cube.iter();
        lits.map(|&lit| (self.latch_number(lit), lit.is_negated()))
            .collect()
    }

    /// The positive literal of the latch that has a number in the model, if the property depends on it.
    pub(in crate::engine) fn state(&self, number: usize) -> Option<Lit> {
        let index = self.latch_numbers.binary_search(&number).ok()?;
        Some(self.latch_literal(index))
    }

    /// The model's number of the input of a literal.
    pub(in crate::engine) fn input_number(&self, lit: Lit) -> usize {
        debug_assert!(self.is_input(lit));
        self.input_numbers[lit.var().index() - FIRST_LATCH - self.n_plain]
    }
}

/// The nodes that a bad and the constraints depend on, over any number of steps.
struct Cone {
    needed: Vec<bool>,
    /// The number of needed gates and roots that use a node.
    uses: Vec<u32>,
    roots: Vec<NodeId>,
}

impl Cone {
    /// The cone of these roots and the constraints.
    fn new(model: &Model, roots: impl Iterator<Item = Edge>) -> Self {
        let aig = &model.aig;
        let mut latch_at = vec![None; aig.n_nodes()];
        for latch in &model.latches {
            latch_at[latch.state.node() as usize] = Some(latch.next);
        }
        let mut needed = vec![false; aig.n_nodes()];
        let mut uses = vec![0u32; aig.n_nodes()];
        let constraints = model.constraints.iter().copied();
        let roots = constraints.chain(roots).map(Edge::node);
        let mut roots: Vec<NodeId> = roots.collect();
        let mut stack = roots.clone();
        for &root in &roots {
            uses[root as usize] += 1;
        }
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut needed[node as usize], true) {
                continue;
            }
            let mut visit = |edge: Edge| {
                uses[edge.node() as usize] += 1;
                stack.push(edge.node());
            };
            match aig.node(node) {
                Node::Constant => {}
                Node::Input(_) => {
                    if let Some(next) = latch_at[node as usize] {
                        roots.push(next.node());
                        visit(next);
                    }
                }
                Node::And(left, right) => {
                    visit(left);
                    visit(right);
                }
            }
        }
        Self {
            needed,
            uses,
            roots,
        }
    }

    /// Encodes all roots, as wide ANDs and if-then-elses: gates that are used only inside such a shape get no
    /// variable.
    fn encode(&self, aig: &Aig, literals: &mut [Option<Lit>], gates: &mut Gates) {
        let mut wanted = vec![false; aig.n_nodes()];
        for &root in &self.roots {
            wanted[root as usize] = true;
        }
        let mut edges = Vec::new();
        // Operands have smaller numbers: a sweep downwards finds the nodes that need a variable.
        for node in (1..aig.n_nodes() as NodeId).rev() {
            if wanted[node as usize]
                && let Node::And(left, right) = aig.node(node)
            {
                self.shape(aig, left, right, &wanted, &mut edges);
                for edge in &edges {
                    wanted[edge.node() as usize] = true;
                }
            }
        }
        // The shapes are the same now: a private operand is wanted only if its one user found it unfit for the
        // inside of a shape.
        let mut operands: Vec<Lit> = Vec::new();
        for node in 1..aig.n_nodes() as NodeId {
            if !wanted[node as usize] {
                continue;
            }
            if let Node::And(left, right) = aig.node(node) {
                let is_choice = self.shape(aig, left, right, &wanted, &mut edges);
                operands.clear();
                for edge in &edges {
                    let lit = literals[edge.node() as usize];
                    let lit = lit.expect("operands come before their gates");
                    operands.push(lit.negate_if(edge.is_negated()));
                }
                let var = match (is_choice, operands.as_slice()) {
                    (true, &[condition, then, otherwise]) => {
                        gates.add_choice([condition, then, otherwise])
                    }
                    (_, operands) => gates.add_and(operands),
                };
                literals[node as usize] = Some(var.positive());
            }
        }
    }

    /// The function of a gate, seen through operands that have no other user: `true` for an if-then-else with
    /// the operands `edges`, condition first, `false` for their conjunction.
    fn shape(
        &self,
        aig: &Aig,
        left: Edge,
        right: Edge,
        wanted: &[bool],
        edges: &mut Vec<Edge>,
    ) -> bool {
        let private =
            |edge: Edge| self.uses[edge.node() as usize] == 1 && !wanted[edge.node() as usize];
        edges.clear();
        if left.is_negated()
            && right.is_negated()
            && private(left)
            && private(right)
            && let (Node::And(a, b), Node::And(c, d)) =
                (aig.node(left.node()), aig.node(right.node()))
        {
            for (s, t) in [(a, b), (b, a)] {
                for (not_s, e) in [(c, d), (d, c)] {
                    if s == !not_s {
                        edges.extend([s, !t, !e]);
                        return true;
                    }
                }
            }
        }
        let mut stack = [right, left].to_vec();
        while let Some(edge) = stack.pop() {
            match aig.node(edge.node()) {
                Node::And(a, b) if !edge.is_negated() && private(edge) => stack.extend([b, a]),
                _ => edges.push(edge),
            }
        }
        edges.sort_unstable();
        edges.dedup();
        false
    }
}
