//! The proof that a model is equivalent to the circuit of its file.
//!
//! Readers build a model in the graph package that the engines also use, and that simplifies formulas at
//! construction. With a wrong rule there, engines and certifier would agree on a circuit that differs from
//! the file. Hence a reader keeps the gates of the file with the edge of each, and the certifier checks gate
//! by gate that the edge is the conjunction of its operands' edges. By induction over the gates, each edge is
//! the file's function. Nothing here simplifies.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_model::{Model, Reset};

use super::error::CertifyError;
use super::gates::Gates;
use super::source::{Circuit, Literal, Source};
use super::valuation::{Cone, Valuation};

/// The model of a circuit, after a check that it is one, and against its source.
pub(super) fn checked_model<C: Circuit + ?Sized>(circuit: &C) -> Result<&Model, CertifyError> {
    let model = circuit.model();
    model.validate()?;
    if let Some(source) = circuit.source() {
        source.check(model)?;
    }
    Ok(model)
}

/// Checks a model against the file that it was read from, if there is one.
///
/// # Errors
/// If they are different circuits.
pub fn certify_source<C: Circuit + ?Sized>(circuit: &C) -> Result<(), CertifyError> {
    checked_model(circuit).map(|_| ())
}

/// The bad with a number.
pub(super) fn bad_of(model: &Model, property: usize) -> Result<Edge, CertifyError> {
    let bad = model.bads.get(property).copied();
    bad.ok_or_else(|| CertifyError::Shape(format!("the model has no bad {property}")))
}

/// Levels of gates compared before the solver is used.
const MOST_LEVELS: usize = 4;
/// With more variables than this the solver is used: a truth table has a bit for each assignment.
const MOST_VARIABLES: usize = 12;

impl Source {
    /// Checks that `model` is this circuit.
    ///
    /// # Errors
    /// If a part of the model differs from the file.
    pub(super) fn check(&self, model: &Model) -> Result<(), CertifyError> {
        self.check_order()?;
        self.check_variables(model)?;
        for (number, gate) in self.gates.iter().enumerate() {
            let [left, right] = gate.operands.map(|operand| self.image(operand));
            let output = self.images[gate.output as usize];
            if !is_conjunction(&model.aig, output, left, right)? {
                return Err(CertifyError::Source(format!("gate {number}")));
            }
        }
        let nexts = self.latches.iter().map(|latch| latch.next);
        let model_nexts = model.latches.iter().map(|latch| latch.next);
        self.compare("a next state", nexts, model_nexts)?;
        let constraints = model.constraints.iter().copied();
        self.compare(
            "a constraint",
            self.constraints.iter().copied(),
            constraints,
        )?;
        let bads = model.bads.iter().copied();
        self.compare("a bad", self.bads.iter().copied(), bads)?;
        let fairness = model.fairness.iter().copied();
        self.compare(
            "a fairness literal",
            self.fairness.iter().copied(),
            fairness,
        )?;
        if self.justice.len() != model.justice.len() {
            return Err(CertifyError::Source("a justice property".to_owned()));
        }
        for (given, built) in self.justice.iter().zip(&model.justice) {
            let built = built.iter().copied();
            self.compare("a justice property", given.iter().copied(), built)?;
        }
        Ok(())
    }

    /// Each signal is defined once, and before a gate uses it: the induction over the gates requires both.
    fn check_order(&self) -> Result<(), CertifyError> {
        let wrong = |signal: u32| Err(CertifyError::Source(format!("signal {signal}")));
        let mut is_defined = vec![false; self.images.len()];
        let define = |is_defined: &mut Vec<bool>, signal: u32| {
            let place = is_defined.get_mut(signal as usize);
            place.is_some_and(|is_defined| !std::mem::replace(is_defined, true))
        };
        let is_known = |is_defined: &[bool], literal: Literal| {
            is_defined.get((literal >> 1) as usize) == Some(&true)
        };
        let states = self.latches.iter().map(|latch| latch.state);
        let variables = self.inputs.iter().copied().chain(states);
        for signal in [0].into_iter().chain(variables) {
            if !define(&mut is_defined, signal) {
                return wrong(signal);
            }
        }
        for gate in &self.gates {
            let operands = gate.operands.iter();
            if !operands
                .into_iter()
                .all(|&operand| is_known(&is_defined, operand))
                || !define(&mut is_defined, gate.output)
            {
                return wrong(gate.output);
            }
        }
        let nexts = self.latches.iter().map(|latch| latch.next);
        let nexts = nexts.chain(self.latches.iter().map(|latch| latch.reset));
        let safety = self.constraints.iter().chain(&self.bads);
        let liveness = self.justice.iter().flatten().chain(&self.fairness);
        let properties = safety.chain(liveness).copied();
        match nexts
            .chain(properties)
            .find(|&literal| !is_known(&is_defined, literal))
        {
            Some(literal) => wrong(literal >> 1),
            None => Ok(()),
        }
    }

    /// Inputs and latches are different variables of the graph, and the constant is the constant.
    fn check_variables(&self, model: &Model) -> Result<(), CertifyError> {
        let wrong = |what: &str| Err(CertifyError::Source(what.to_string()));
        if self.images.first() != Some(&Edge::FALSE) {
            return wrong("the constant");
        }
        let literals = |signals: &mut dyn Iterator<Item = u32>| -> Vec<Literal> {
            signals.map(|signal| 2 * signal).collect()
        };
        let inputs = literals(&mut self.inputs.iter().copied());
        self.compare("an input", inputs.into_iter(), model.inputs.iter().copied())?;
        let states = literals(&mut self.latches.iter().map(|latch| latch.state));
        let model_states = model.latches.iter().map(|latch| latch.state);
        self.compare("a latch", states.into_iter(), model_states)?;
        for (latch, given) in model.latches.iter().zip(&self.latches) {
            let reset = match given.reset {
                0 => Reset::Zero,
                1 => Reset::One,
                own if own == 2 * given.state => Reset::Uninitialised,
                other => Reset::Function(self.image(other)),
            };
            if latch.reset != reset {
                return wrong("a reset");
            }
        }
        let states = model.latches.iter().map(|latch| latch.state);
        let mut variables: Vec<Edge> = model.inputs.iter().copied().chain(states).collect();
        variables.sort_unstable();
        let is_variable = |edge: &Edge| {
            !edge.is_negated() && matches!(model.aig.node(edge.node()), Node::Input(_))
        };
        if !variables.iter().all(is_variable) || variables.windows(2).any(|pair| pair[0] == pair[1])
        {
            return wrong("the variables");
        }
        Ok(())
    }

    fn image(&self, literal: Literal) -> Edge {
        self.images[(literal >> 1) as usize].negate_if(literal & 1 == 1)
    }

    fn compare(
        &self,
        what: &str,
        given: impl ExactSizeIterator<Item = Literal>,
        built: impl ExactSizeIterator<Item = Edge>,
    ) -> Result<(), CertifyError> {
        let same_length = given.len() == built.len();
        if same_length && given.map(|literal| self.image(literal)).eq(built) {
            return Ok(());
        }
        Err(CertifyError::Source(what.to_string()))
    }
}

/// Whether `output` is the conjunction of `left` and `right`.
fn is_conjunction(aig: &Aig, output: Edge, left: Edge, right: Edge) -> Result<bool, CertifyError> {
    if let Node::And(first, second) = aig.node(output.node())
        && !output.is_negated()
        && ([first, second] == [left, right] || [first, second] == [right, left])
    {
        return Ok(true);
    }
    let roots = [output, left, right];
    for levels in 0..=MOST_LEVELS {
        match Window::new(aig, &roots, levels).tables(&roots) {
            None => break,
            Some([output, left, right]) => {
                let both = left.iter().zip(&right).map(|(left, right)| left & right);
                if output.iter().copied().eq(both) {
                    return Ok(true);
                }
            }
        }
    }
    // The window does not decide it: compare whole cones.
    let mut gates = Gates::new();
    let cone = Cone::of(aig, roots);
    let values = Valuation::new(&mut gates, aig, &cone, []);
    let both = gates.and(values.at(left), values.at(right));
    let same = gates.iff(values.at(output), both);
    let differ = gates.satisfiable(&[same ^ 1], &[Gates::TRUE]);
    differ.map(|differ| !differ).map_err(CertifyError::Solver)
}

/// A few levels of gates below some edges. The nodes below them are free variables: an equality under this
/// abstraction is an equality.
struct Window<'a> {
    aig: &'a Aig,
    /// The gates of the window. Node numbers are topological.
    gates: Vec<NodeId>,
    variables: Vec<NodeId>,
}

impl<'a> Window<'a> {
    fn new(aig: &'a Aig, roots: &[Edge], levels: usize) -> Self {
        let mut gates: Vec<NodeId> = Vec::new();
        let mut border: Vec<NodeId> = roots.iter().map(|root| root.node()).collect();
        for _ in 0..levels {
            border.sort_unstable();
            border.dedup();
            for node in std::mem::take(&mut border) {
                match aig.node(node) {
                    Node::And(left, right) if !gates.contains(&node) => {
                        gates.push(node);
                        border.extend([left.node(), right.node()]);
                    }
                    Node::And(..) => {}
                    Node::Constant | Node::Input(_) => border.push(node),
                }
            }
        }
        border.sort_unstable();
        border.dedup();
        border.retain(|node| *node != 0 && !gates.contains(node));
        gates.sort_unstable();
        Self {
            aig,
            gates,
            variables: border,
        }
    }

    /// The truth tables of the roots over the variables; `None` if there are too many variables.
    fn tables(&self, roots: &[Edge; 3]) -> Option<[Vec<u64>; 3]> {
        let n_variables = self.variables.len();
        if n_variables > MOST_VARIABLES {
            return None;
        }
        let n_words = 1 << n_variables.saturating_sub(6);
        let mut tables: HashMap<NodeId, Vec<u64>> = HashMap::new();
        tables.insert(0, vec![0; n_words]);
        for (number, &variable) in self.variables.iter().enumerate() {
            let bit = |row: usize| row >> number & 1 == 1;
            let word = |word: usize| {
                (0..64).fold(0, |bits, row| bits | u64::from(bit(64 * word + row)) << row)
            };
            tables.insert(variable, (0..n_words).map(word).collect());
        }
        let table = |tables: &HashMap<NodeId, Vec<u64>>, edge: Edge| -> Vec<u64> {
            let flip = 0_u64.wrapping_sub(u64::from(edge.is_negated()));
            tables[&edge.node()]
                .iter()
                .map(|word| word ^ flip)
                .collect()
        };
        for &gate in &self.gates {
            if let Node::And(left, right) = self.aig.node(gate) {
                let (left, right) = (table(&tables, left), table(&tables, right));
                let both = left.iter().zip(&right).map(|(left, right)| left & right);
                tables.insert(gate, both.collect());
            }
        }
        Some(roots.map(|root| table(&tables, root)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceGate;

    /// A library user's model with an edge of another graph is one error, and no index out of bounds.
    #[test]
    fn a_model_that_is_none_is_refused() {
        let model = Model {
            bads: vec![Edge::new(7, false)],
            ..Model::default()
        };
        let error = certify_source(&model).expect_err("it is no model");
        assert!(matches!(error, CertifyError::Model(_)), "{error}");
    }

    /// The induction would be circular for a gate that is its own operand.
    #[test]
    fn gates_are_defined_once_and_before_they_are_used() {
        let mut model = Model::default();
        let input = model.aig.add_input();
        model.inputs.push(input);
        model.bads.push(input);
        let source = |operands: [Literal; 2], output| Source {
            images: vec![Edge::FALSE, input, input],
            inputs: vec![1],
            gates: vec![SourceGate { output, operands }],
            bads: vec![4],
            ..Source::default()
        };
        assert_eq!(source([2, 2], 2).check(&model), Ok(()));
        let wrong = |signal: u32| Err(CertifyError::Source(format!("signal {signal}")));
        assert_eq!(source([4, 4], 2).check(&model), wrong(2));
        assert_eq!(source([2, 2], 1).check(&model), wrong(1));
        assert_eq!(source([2, 2], 3).check(&model), wrong(3));
        assert_eq!(source([2, 9], 2).check(&model), wrong(2));
        let mut unknown = source([2, 2], 2);
        unknown.bads = vec![7];
        assert_eq!(unknown.check(&model), wrong(3));
    }

    #[test]
    fn inputs_are_different_variables() {
        let mut model = Model::default();
        let [a, b] = [0; 2].map(|_| model.aig.add_input());
        let gate = model.aig.and(a, b);
        let judged = |inputs: [Edge; 2]| {
            let mut model = model.clone();
            model.inputs = inputs.to_vec();
            let source = Source {
                images: [vec![Edge::FALSE], inputs.to_vec()].concat(),
                inputs: vec![1, 2],
                ..Source::default()
            };
            source.check(&model)
        };
        assert_eq!(judged([a, b]), Ok(()));
        let wrong = Err(CertifyError::Source("the variables".to_owned()));
        for inputs in [[a, a], [a, !b], [gate, a]] {
            assert_eq!(judged(inputs), wrong);
        }
    }

    /// Formulas of more variables than a truth table has go to the solver.
    #[test]
    fn conjunctions_of_many_variables_are_compared() {
        let mut aig = Aig::new();
        let mut inputs: Vec<Edge> = (0..40).map(|_| aig.add_input()).collect();
        let mut chain = |inputs: &[Edge]| {
            let start = Edge::TRUE;
            inputs.iter().fold(start, |all, &input| aig.and(all, input))
        };
        let forwards = chain(&inputs);
        inputs.reverse();
        let backwards = chain(&inputs);
        let most = chain(&inputs[1..]);
        assert_ne!(forwards, backwards);
        let check = |output, left, right| is_conjunction(&aig, output, left, right);
        assert_eq!(check(backwards, forwards, inputs[0]), Ok(true));
        assert_eq!(check(backwards, most, most), Ok(false));
    }

    /// Random formulas of seven variables: some are conjunctions of others, most are not.
    #[test]
    fn conjunctions_are_those_of_truth_tables() {
        let mut random = craig_aig::Random::new(9);
        let mut counts = [0; 2];
        for _ in 0..60 {
            let mut aig = Aig::new();
            let mut edges: Vec<Edge> = (0..7).map(|_| aig.add_input()).collect();
            for _ in 0..20 {
                let [one, other] =
                    [0; 2].map(|_| edges[random.below(edges.len())].negate_if(random.flip()));
                edges.push(aig.and(one, other));
            }
            let rows: Vec<Vec<bool>> = (0..128_u32)
                .map(|row| {
                    let inputs: Vec<bool> = (0..7).map(|place| row >> place & 1 == 1).collect();
                    aig.evaluate(&inputs, &edges)
                })
                .collect();
            for output in 0..edges.len() {
                for _ in 0..20 {
                    let [left, right] = [0; 2].map(|_| random.below(edges.len()));
                    let expected = rows
                        .iter()
                        .all(|row| row[output] == (row[left] && row[right]));
                    let found = is_conjunction(&aig, edges[output], edges[left], edges[right]);
                    assert_eq!(found, Ok(expected));
                    counts[usize::from(expected)] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }

    #[test]
    fn conjunctions_are_told_from_what_is_none() {
        let mut aig = Aig::new();
        let [a, b, c] = [0; 3].map(|_| aig.add_input());
        let ab = aig.and(a, b);
        let abc = aig.and(ab, c);
        let either = aig.or(a, b);
        let check = |output, left, right| is_conjunction(&aig, output, left, right).unwrap();
        assert!(check(ab, a, b) && check(ab, b, a) && !check(!ab, a, b));
        assert!(check(ab, ab, a), "absorption");
        assert!(check(Edge::FALSE, ab, !a), "contradiction");
        assert!(!check(Edge::FALSE, ab, a));
        assert!(check(abc, ab, c) && !check(abc, a, c));
        assert!(check(abc, abc, either), "two levels apart");
        assert!(!check(ab, either, a) && check(a, either, a));
        assert!(check(Edge::TRUE, Edge::TRUE, Edge::TRUE));
    }
}
