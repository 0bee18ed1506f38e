//! Large operators by inputs: an over-approximation, refined by runs of it that the system does not have.
//!
//! Each multiplication, division or remainder whose gates are many becomes an input, with what is cheap to say
//! about it (`facts.rs`): its value for operands 0 and 1, low bits, ranges. A proof of the abstraction is one of
//! the system, with the operation itself in place of the input ([`Derived`]). A run of the abstraction is
//! replayed on the circuit of bits of the system; if the bad is not reached there, an operation is found whose
//! value was wrong and decided (`refine.rs`). It gets a constraint that equal operands give equal results, where
//! that excludes the run, or else its gates.
//!
//! After Bryant et al., "Deciding bit-vector arithmetic with abstraction", TACAS 2007, with the operations as
//! uninterpreted functions of Andraus, Liffiton and Sakallah, "Refinement strategies for verification methods
//! based on datapath abstraction", ASP-DAC 2006.

pub(super) mod facts;
mod refine;

use std::collections::{HashMap, HashSet};

use craig_aig::Aig;
use craig_model::{Model, Outcome, Stop};
use craig_word::{Blaster, Node, Op, Term, Terms};

use super::blast::Blasted;
use super::derive::Derived;
use super::reduce;
use super::refinement::{self, AbstractRun, Abstraction, Decided, Question, Refined};
use super::system::WordSystem;

/// An operation with fewer gates is not replaced.
pub const LEAST_GATES: usize = 800;
/// The operations that are replaced have at least one in `LEAST_SHARE` of the gates of the circuit.
const LEAST_SHARE: usize = 8;
/// Wider operations are replaced without counting their gates.
const MOST_COUNTED_WIDTH: u32 = 128;
/// Refinements, at most.
const MOST_ROUNDS: usize = 200;
/// Refinements that add one operation each; later ones add all that a run has wrong.
const FEW_ROUNDS: usize = 12;

/// An operation that became an input.
#[derive(Clone, Copy, Debug)]
struct Instance {
    /// The operation, in the system.
    term: Term,
    op: Op,
    /// In the abstraction.
    operands: [Term; 2],
    /// The input.
    input: Term,
}

/// What the refinements have added.
#[derive(Clone, Debug, Default)]
struct Refinement {
    /// Operations that keep their gates.
    exact: HashSet<Term>,
    /// Pairs of operations that have equal results for equal operands.
    pairs: HashSet<(Term, Term)>,
}

/// Whether an operator has gates quadratic in its width.
fn is_large(op: Op) -> bool {
    matches!(op, Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem)
}

/// The operations of a system that have many gates, outside of `init`, with their gates.
fn large_operations(system: &WordSystem, least_gates: usize) -> Vec<(Term, usize)> {
    let terms = &system.terms;
    let nexts = system.states.iter().filter_map(|state| state.next);
    let roots: Vec<Term> = nexts.chain(system.properties()).collect();
    let is_operation = |&term: &Term| match terms.node(term) {
        Node::Binary(op, ..) => is_large(op),
        _ => false,
    };
    let cone = terms.cone(&roots, |_| false);
    let operations = cone.into_iter().filter(is_operation);
    let mut known: HashMap<(Op, u32, [Option<Term>; 2]), usize> = HashMap::new();
    let with_gates = operations.map(|term| {
        let Node::Binary(op, a, b) = terms.node(term) else {
            return (term, 0);
        };
        let constants = [a, b].map(|operand| Some(operand).filter(|&it| terms.is_constant(it)));
        let key = (op, terms.width(term), constants);
        (
            term,
            *known
                .entry(key)
                .or_insert_with(|| gates(terms, term, [a, b])),
        )
    });
    with_gates
        .filter(|&(_, gates)| gates >= least_gates)
        .collect()
}

/// The number of gates of an operation whose operands that are no constants are inputs.
fn gates(terms: &Terms, term: Term, operands: [Term; 2]) -> usize {
    let width = terms.width(term);
    if width > MOST_COUNTED_WIDTH {
        return width as usize * width as usize;
    }
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    for (place, &operand) in operands.iter().enumerate() {
        if !terms.is_constant(operand) && (place == 0 || operand != operands[0]) {
            let inputs: Vec<_> = (0..width).map(|_| aig.add_input()).collect();
            blaster.set(operand, &inputs);
        }
    }
    blaster.blast(terms, &mut aig, term, &mut |_, _| Vec::new());
    aig.n_nodes() - 1 - aig.n_inputs()
}

/// The abstraction, and the operations that it replaces.
fn abstracted(
    base: &Derived,
    operations: &[Term],
    refinement: &Refinement,
) -> (Derived, Vec<Instance>) {
    let mut derived = base.clone();
    let mut images: HashMap<Term, Term> = HashMap::new();
    let mut instances: Vec<Instance> = Vec::new();
    let mut known: HashMap<(Op, [Term; 2]), Term> = HashMap::new();
    // In increasing order: operands may contain operations with smaller numbers.
    for &term in operations {
        let Node::Binary(op, a, b) = base.system.terms.node(term) else {
            continue;
        };
        if refinement.exact.contains(&term) {
            continue;
        }
        let terms = &mut derived.system.terms;
        let operands = [a, b].map(|operand| terms.substitute(operand, &mut images));
        if let Some(&image) = known.get(&(op, operands)) {
            images.insert(term, image);
            continue;
        }
        let input = derived.add_operation(term);
        let terms = &mut derived.system.terms;
        let image = facts::known_values(terms, op, operands, input);
        images.insert(term, image);
        known.insert((op, operands), image);
        instances.push(Instance {
            term,
            op,
            operands,
            input,
        });
        let ranges = facts::ranges(terms, op, operands, input);
        derived.system.constraints.extend(ranges);
    }
    for (at, one) in instances.iter().enumerate() {
        for two in &instances[at + 1..] {
            if refinement.pairs.contains(&(one.term, two.term)) {
                let terms = &mut derived.system.terms;
                let both = [one.operands, two.operands];
                let inputs = [one.input, two.input];
                let consistent = facts::consistent(terms, one.op, both, inputs);
                derived.system.constraints.push(consistent);
            }
        }
    }
    if !derived.system.names.constraints.is_empty() {
        let n_constraints = derived.system.constraints.len();
        derived
            .system
            .names
            .constraints
            .resize(n_constraints, String::new());
    }
    // Constraints about inputs are terms of the abstraction already, of which nothing is replaced.
    derived.replace(&mut images, base.system.constraints.len());
    (derived, instances)
}

/// Decides a bad of a system by abstractions of its operations with at least `least_gates` gates. `full` is
/// the circuit of bits of the system, on which the evidence is; `search` decides bad 0 of a model. `None` if
/// the abstraction would not be much smaller than the circuit.
///
/// # Errors
/// Those of `search`.
pub fn decide<E>(
    system: &WordSystem,
    full: &Blasted,
    bad: usize,
    least_gates: usize,
    stop: &Stop,
    search: &mut dyn FnMut(&Model) -> Result<Outcome, E>,
) -> Result<Option<Decided>, E> {
    if large_operations(system, least_gates).is_empty() {
        return Ok(None);
    }
    let mut base = Derived::new(system, bad);
    reduce::run(&mut base, stop);
    let operations = large_operations(&base.system, least_gates);
    let n_gates: usize = operations.iter().map(|&(_, gates)| gates).sum();
    let whole = &full.model.aig;
    if n_gates == 0 || n_gates * LEAST_SHARE < whole.n_nodes() - whole.n_inputs() {
        return Ok(None);
    }
    let operations: Vec<Term> = operations.into_iter().map(|(term, _)| term).collect();
    let question = Question { system, full, bad };
    let operators = Operators {
        question,
        base,
        operations,
        added: Refinement::default(),
        instances: Vec::new(),
    };
    refinement::decide(operators, question, stop, search)
}

/// The abstractions of a system by its large operations.
struct Operators<'a> {
    question: Question<'a>,
    base: Derived,
    operations: Vec<Term>,
    added: Refinement,
    /// The inputs of the last abstraction.
    instances: Vec<Instance>,
}

impl Abstraction for Operators<'_> {
    const MOST_ROUNDS: usize = MOST_ROUNDS;
    const WHAT: &'static str = "large operators";

    fn next(&mut self) -> Option<(Derived, usize)> {
        let (derived, instances) = abstracted(&self.base, &self.operations, &self.added);
        self.instances = instances;
        let n_inputs = self.instances.len();
        (n_inputs > 0).then_some((derived, n_inputs))
    }

    fn refine(&mut self, run: &AbstractRun<'_>, stop: &Stop) -> Refined {
        let found = run.derived.trace(self.question.full, run.own, run.trace);
        if let Some(found) = self.question.reaching(found) {
            return Refined::Run(found);
        }
        let words = run.own.lift(&run.trace.initial, &run.trace.inputs);
        let is_refined = refine::refine(
            &run.derived.system,
            &self.instances,
            &words,
            run.round > FEW_ROUNDS,
            &mut self.added,
            &mut stop.poll(),
        );
        match is_refined == Some(true) || stop.reason().is_some() {
            true => Refined::Again,
            false => Refined::Stuck,
        }
    }
}
