//! Bounded model checking over words, with memories of any size as chains of their writes.
//!
//! Arrays never become bits. In the unrolled system an array is a term: what is free or constant in the first
//! step, and the writes since then. A read of it compares its address with that of each write, the last one
//! first, and ends at a constant or at a free array; reads of a free array at equal addresses have equal values
//! (M. K. Ganai, A. Gupta, P. Ashar, "Efficient modeling of embedded memories in bounded model checking", CAV
//! 2004). Its size is that of the reads times the writes, and does not depend on that of the memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use craig_aig::{Aig, Edge};
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};
use craig_word::{ArrayValue, BitVector, Blaster, Evaluator, Node, Op, Sort, Term, Terms, Value};

use super::lift::WordStep;
use super::system::WordSystem;
use crate::control::{Control, listen_in};
use crate::engine::why_stopped;

/// The name under which the search reports.
pub const NAME: &str = "chains";
/// The most nodes of the graph.
const MOST_NODES: usize = 40_000_000;
/// The most reads that are built between two looks at whether to stop.
const READS_PER_LOOK: usize = 4096;

/// The bounds of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The last step whose bad is asked for.
    pub last: Option<usize>,
    /// The propagated literals after which a query lets one about a later step go first; half as many again
    /// each time. Without it, the run is a shortest one. Conflicts are no measure of the effort: where a step
    /// has 70,000 gates, fewer than 5,000 took a minute.
    pub propagations: Option<u64>,
}

/// Searches for a run to a bad. The run gives values to all inputs, and to the states that are free in a step.
///
/// A longer run may be easier to find than the proof that there is no shorter one. So a second unrolling goes
/// ahead while a query of the first one is too hard, and has as much effort. It leaves steps out, and can't ask
/// for them again: it has constraints of later steps, which a run to an earlier bad need not meet.
///
/// # Errors
/// Why none was found. There is no proof that there is none.
///
/// # Panics
/// If there is no such bad.
pub fn search(
    system: &WordSystem,
    bad: usize,
    bounds: Bounds,
    control: Control<'_>,
) -> Result<Vec<WordStep>, UnknownReason> {
    let mut chains = Chains::new(system, bad, control.stop);
    let mut ahead: Option<Chains<'_>> = None;
    let mut limit = bounds.propagations;
    let is_over = |depth: usize| bounds.last.is_some_and(|last| depth > last);
    loop {
        let depth = chains.steps.len();
        if chains.open.is_none() {
            if is_over(depth) {
                return Err(UnknownReason::Bound(format!(
                    "no bad in the first {depth} steps"
                )));
            }
            chains.extend()?;
        }
        match chains.ask(limit)? {
            Some(true) => return Ok(chains.run()),
            Some(false) => {
                control.report_depth(NAME, chains.steps.len());
                continue;
            }
            None => limit = limit.map(|limit| limit + limit / 2 + 1),
        }
        let other = match &mut ahead {
            Some(other) => other,
            // The one that has learned something goes ahead.
            none => {
                let mut fresh = Chains::new(system, bad, control.stop);
                fresh.follow(&chains)?;
                none.insert(std::mem::replace(&mut chains, fresh))
            }
        };
        let result = other.overtake(&chains, is_over, limit);
        match result {
            Ok(true) => return Ok(other.run()),
            Ok(false) | Err(UnknownReason::Bound(_)) => {}
            Err(reason) => return Err(reason),
        }
    }
}

/// The variables of a step, over which its values are read.
#[derive(Default)]
struct Step {
    /// Inputs by number.
    inputs: Vec<(usize, Term)>,
    /// Free states by number.
    states: Vec<(usize, Term)>,
}

/// A system that is unrolled step by step.
struct Chains<'a> {
    system: &'a WordSystem,
    stop: &'a Stop,
    /// The inputs and states of the cone.
    inputs: Vec<usize>,
    states: Vec<usize>,
    bad: Term,
    /// Those of the system, and those of the unrolled steps.
    terms: Terms,
    /// What the terms of the system are in the last step.
    images: HashMap<Term, Term>,
    steps: Vec<Step>,
    /// What the read of an array at an address is, without arrays.
    reads: HashMap<(Term, Term), Term>,
    /// Of each free array, the addresses at which it is read, and the values.
    words: HashMap<Term, Vec<(Term, Term)>>,
    /// Equal values at equal addresses, not yet given to the solver.
    congruences: Vec<Term>,
    n_reads: usize,
    aig: Aig,
    blaster: Blaster,
    encoder: Encoder,
    solver: Solver,
    /// The bad of the last step, if it is not known whether it can hold.
    open: Option<Lit>,
}

impl<'a> Chains<'a> {
    fn new(system: &'a WordSystem, bad: usize, stop: &'a Stop) -> Self {
        let bad = system.bads[bad];
        let mut question = system.clone();
        question.bads = vec![bad];
        question.justice.clear();
        question.fairness.clear();
        let cone = question.cone();
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        Self {
            system,
            stop,
            images: HashMap::new(),
            inputs: cone.inputs,
            states: cone.states,
            bad,
            terms: system.terms.clone(),
            steps: Vec::new(),
            reads: HashMap::new(),
            words: HashMap::new(),
            congruences: Vec::new(),
            n_reads: 0,
            aig: Aig::new(),
            blaster: Blaster::new(),
            // Lemmas use nodes of the queries before them.
            encoder: Encoder::by_node(),
            solver,
            open: None,
        }
    }

    /// Adds a step. Its bad is open, unless it is false by its form.
    fn extend(&mut self) -> Result<(), UnknownReason> {
        let system = self.system;
        let is_first = self.steps.is_empty();
        let mut before = std::mem::take(&mut self.images);
        let mut images: HashMap<Term, Term> = HashMap::new();
        let mut step = Step::default();
        for &number in &self.inputs {
            let input = system.inputs[number];
            let own = self.terms.variable_of(system.terms.sort(input));
            images.insert(input, own);
            step.inputs.push((number, own));
        }
        for position in 0..self.states.len() {
            let number = self.states[position];
            let state = system.states[number];
            let definition = match is_first {
                true => state.init.map(|init| self.image(init, &mut images)),
                false => state.next.map(|next| self.image(next, &mut before)),
            };
            let value = match definition {
                Some(value) => value?,
                None => {
                    let own = self.terms.variable_of(system.terms.sort(state.state));
                    step.states.push((number, own));
                    own
                }
            };
            images.insert(state.state, value);
        }
        self.steps.push(step);
        for &constraint in &system.constraints {
            let constraint = self.image(constraint, &mut images)?;
            self.require(constraint)?;
        }
        let bad = self.image(self.bad, &mut images)?;
        self.images = images;
        for congruence in std::mem::take(&mut self.congruences) {
            self.require(congruence)?;
        }
        let bad = self.edge(bad)?;
        self.open = match bad {
            Edge::FALSE => None,
            bad => Some(self.encoder.encode(&self.aig, bad, &mut self.solver)),
        };
        self.stop.reason().map_or(Ok(()), Err)
    }

    /// Whether the bad of the last step can hold: then the solver has a model. `None` if the query took more
    /// than these propagations.
    fn ask(&mut self, propagations: Option<u64>) -> Result<Option<bool>, UnknownReason> {
        let Some(bad) = self.open else {
            return Ok(Some(false));
        };
        self.solver.set_limits(Limits {
            propagations,
            ..Limits::default()
        });
        match self.solver.solve(&[bad]) {
            Answer::Satisfiable => Ok(Some(true)),
            Answer::Unsatisfiable => {
                self.open = None;
                self.solver.add_clause(&[!bad]);
                match self.solver.is_inconsistent() {
                    true => Err(UnknownReason::Bound(
                        "the constraints allow no longer run".to_owned(),
                    )),
                    false => Ok(Some(false)),
                }
            }
            Answer::Unknown => match (self.stop.reason(), propagations) {
                (None, Some(_)) => Ok(None),
                _ => Err(why_stopped(self.stop)),
            },
        }
    }

    /// The steps of another unrolling, whose bads were refuted, except that of the last one.
    fn follow(&mut self, other: &Self) -> Result<(), UnknownReason> {
        while self.steps.len() < other.steps.len() {
            self.extend()?;
            if self.steps.len() < other.steps.len()
                && let Some(bad) = self.open.take()
            {
                self.solver.add_clause(&[!bad]);
            }
        }
        Ok(())
    }

    /// Asks for the bad of one step more than before, which is a later one than the last of another unrolling.
    /// Returns whether it can hold; without an answer the step is left out.
    fn overtake(
        &mut self,
        other: &Self,
        is_over: impl Fn(usize) -> bool,
        propagations: Option<u64>,
    ) -> Result<bool, UnknownReason> {
        self.follow(other)?;
        if is_over(self.steps.len()) {
            return Ok(false);
        }
        self.extend()?;
        Ok(self.ask(propagations)? == Some(true))
    }

    /// A term of the system over the variables of the unrolled steps. It has no reads; arrays are chains.
    fn image(
        &mut self,
        root: Term,
        images: &mut HashMap<Term, Term>,
    ) -> Result<Term, UnknownReason> {
        let system = self.system;
        for term in system
            .terms
            .cone(&[root], |term| images.contains_key(&term))
        {
            let image = match system.terms.node(term) {
                Node::Select(array, index) => self.read(images[&array], images[&index])?,
                Node::Binary(Op::Eq, left, right) if system.terms.is_array(left) => {
                    let equal = self.terms.eq(images[&left], images[&right]);
                    if self.terms.constant_value(equal).is_none() {
                        return Err(UnknownReason::Unsupported(
                            "memories are compared with each other".to_owned(),
                        ));
                    }
                    equal
                }
                _ => self.terms.substitute(term, images),
            };
            images.insert(term, image);
        }
        Ok(images[&root])
    }

    /// The value of an array at an address, without arrays.
    fn read(&mut self, array: Term, index: Term) -> Result<Term, UnknownReason> {
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            if self.reads.contains_key(&(top, index)) {
                stack.pop();
                continue;
            }
            let known = |from: Term| self.reads.get(&(from, index)).copied();
            let value = match self.terms.node(top) {
                Node::Store(from, at, value) => {
                    let hit = self.terms.eq(at, index);
                    match (self.terms.is_true(hit), known(from)) {
                        (true, _) => Some(value),
                        (false, Some(before)) => Some(self.terms.ite(hit, value, before)),
                        (false, None) => {
                            stack.push(from);
                            None
                        }
                    }
                }
                Node::Ite(condition, then, otherwise) => match (known(then), known(otherwise)) {
                    (Some(then), Some(otherwise)) => {
                        Some(self.terms.ite(condition, then, otherwise))
                    }
                    (then_value, _) => {
                        stack.push(if then_value.is_none() {
                            then
                        } else {
                            otherwise
                        });
                        None
                    }
                },
                Node::ConstArray(value) => Some(value),
                _ => Some(self.free_word(top, index)),
            };
            if let Some(value) = value {
                self.reads.insert((top, index), value);
                self.n_reads += 1;
                if self.n_reads.is_multiple_of(READS_PER_LOOK) {
                    self.look()?;
                }
            }
        }
        Ok(self.reads[&(array, index)])
    }

    /// The value of a free array at an address at which it has not been read.
    fn free_word(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array { element, .. } = self.terms.sort(array) else {
            unreachable!("the term is an array");
        };
        let value = self.terms.variable(element);
        let words = self.words.entry(array).or_default();
        for &(other, other_value) in words.iter() {
            let terms = &mut self.terms;
            let (same_index, same_value) = (terms.eq(other, index), terms.eq(other_value, value));
            let differs = terms.not(same_index);
            let congruence = terms.or(differs, same_value);
            if !terms.is_true(congruence) {
                self.congruences.push(congruence);
            }
        }
        words.push((index, value));
        value
    }

    fn look(&self) -> Result<(), UnknownReason> {
        if self.aig.n_nodes().max(self.terms.n_terms()) > MOST_NODES {
            return Err(UnknownReason::Bound(format!(
                "{} unrolled steps have more than {MOST_NODES} gates",
                self.steps.len()
            )));
        }
        self.stop.reason().map_or(Ok(()), Err)
    }

    /// The edge of a term of one bit without arrays.
    fn edge(&mut self, term: Term) -> Result<Edge, UnknownReason> {
        self.look()?;
        let terms = &self.terms;
        let mut free =
            |aig: &mut Aig, term: Term| (0..terms.width(term)).map(|_| aig.add_input()).collect();
        Ok(self.blaster.blast(terms, &mut self.aig, term, &mut free)[0])
    }

    /// Adds a term of one bit as a clause.
    fn require(&mut self, term: Term) -> Result<(), UnknownReason> {
        let edge = self.edge(term)?;
        if edge != Edge::TRUE {
            let lit = self.encoder.encode(&self.aig, edge, &mut self.solver);
            self.solver.add_clause(&[lit]);
        }
        Ok(())
    }

    /// The run in the solver's model.
    fn run(&self) -> Vec<WordStep> {
        let mut values = Evaluator::new(&self.terms, |_, _| 0);
        let mut variables: Vec<Term> = Vec::new();
        for step in &self.steps {
            let of = step.inputs.iter().chain(&step.states);
            variables.extend(of.map(|&(_, variable)| variable));
        }
        let words = self.words.values().flatten();
        variables.extend(words.map(|&(_, value)| value));
        for variable in variables {
            if !self.terms.is_array(variable) {
                values.set_value(variable, Value::Bits(self.value(variable)));
            }
        }
        let mut value_of = |variable: Term| match self.terms.sort(variable) {
            Sort::BitVector(_) => values.value_of(variable),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::new(index, BitVector::new(0, element));
                for &(address, word) in self.words.get(&variable).into_iter().flatten() {
                    let address = values.value_of(address).bits().clone();
                    let word = values.value_of(word).bits().clone();
                    debug_assert!(
                        array.entries().get(&address).is_none_or(|old| *old == word),
                        "a memory has two values at one address"
                    );
                    array.store(address, word);
                }
                Value::Array(Arc::new(array))
            }
        };
        let steps = self.steps.iter().map(|step| {
            let mut all = |list: &[(usize, Term)]| -> BTreeMap<usize, Value> {
                let pairs = list.iter();
                pairs
                    .map(|&(number, variable)| (number, value_of(variable)))
                    .collect()
            };
            WordStep {
                states: all(&step.states),
                inputs: all(&step.inputs),
            }
        });
        steps.collect()
    }

    /// The value of a bit-vector in the solver's model; bits that no query has are 0.
    fn value(&self, variable: Term) -> BitVector {
        let width = self.terms.width(variable);
        let mut limbs = vec![0_u64; width.div_ceil(64) as usize];
        let edges = self.blaster.get(&self.terms, variable).unwrap_or_default();
        for (position, &edge) in edges.iter().enumerate() {
            let lit = self.encoder.literal(edge);
            if lit.and_then(|lit| self.solver.value(lit)) == Some(true) {
                limbs[position / 64] |= 1 << (position % 64);
            }
        }
        BitVector::from_limbs(&limbs, width)
    }
}
