//! The word-level circuit of a transition system.

use std::collections::HashMap;

use super::read::{Claim, TransitionSystem};
use craig_word::{Node, Op, Sort, Term, Terms};

use super::formula::{conjuncts, definitions};
use super::relation::{Functions, functions};
use craig_hardware::btor2::{Argument, Btor2, Justice, Line, Operator};

/// A constant array has an element that depends on variables.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct VariableElement;

/// The circuit of a system.
pub(super) fn circuit(mut system: TransitionSystem) -> Result<Btor2, VariableElement> {
    let Functions { next, rest, inputs } = functions(&mut system);
    let initial = initial(&mut system);
    let mut builder = Builder {
        circuit: Btor2::default(),
        images: HashMap::new(),
    };
    for (name, input) in &system.inputs {
        builder.add_input(&system.terms, *input, name);
    }
    for (name, input) in inputs {
        builder.add_input(&system.terms, input, &name);
    }
    // The value of `init` has to come before its state.
    for (state, init) in system.states.iter().zip(&initial.values) {
        let init = match *init {
            None => None,
            Some(init) => Some(builder.initial(&system.terms, init)?),
        };
        let sort = system.terms.sort(state.current);
        let node = builder.circuit.add_state(sort, init, None);
        builder.name(node, &state.name);
        builder.images.insert(state.current, Argument::of(node));
    }
    for (number, &value) in next.iter().enumerate() {
        let next = builder.term(&system.terms, value)?;
        builder.circuit.states[number].next = Some(next);
    }
    if !initial.rest.is_empty() {
        let first = builder.flag(true, "initial");
        builder.circuit.states[first.1].next = Some(builder.bit(false));
        for formula in initial.rest {
            let formula = builder.term(&system.terms, formula)?;
            let holds = builder.operation(Operator::Implies, &[first.0, formula]);
            builder.circuit.constraints.push(Line {
                value: holds,
                symbol: String::new(),
            });
        }
    }
    let is_run = match rest.is_empty() {
        true => None,
        false => Some(builder.run_so_far(&system.terms, &rest)?),
    };
    for property in &system.properties {
        let holds = builder.term(&system.terms, property.term)?;
        let symbol = symbol(&property.name);
        match property.claim {
            Claim::Always => {
                let value = match is_run {
                    None => holds.negated(),
                    Some(is_run) => builder.operation(Operator::And, &[is_run, holds.negated()]),
                };
                builder.circuit.bads.push(Line { value, symbol });
            }
            Claim::FinallyAlways => {
                let values = std::iter::once(holds.negated()).chain(is_run).collect();
                builder.circuit.justice.push(Justice { values, symbol });
            }
        }
    }
    Ok(builder.circuit)
}

/// What holds in the first step.
struct Initial {
    /// By state: its value, a constant.
    values: Vec<Option<Term>>,
    rest: Vec<Term>,
}

fn initial(system: &mut TransitionSystem) -> Initial {
    let numbers: HashMap<Term, usize> = (system.states.iter().zip(0..))
        .map(|(state, number)| (state.current, number))
        .collect();
    let mut found = Initial {
        values: vec![None; system.states.len()],
        rest: Vec::new(),
    };
    for conjunct in conjuncts(&system.terms, &system.initial) {
        let terms = &mut system.terms;
        let defined = definitions(terms, conjunct)
            .into_iter()
            .find(|(variable, value)| {
                let is_open = |&number: &usize| found.values[number].is_none();
                is_fixed(terms, *value) && numbers.get(variable).is_some_and(is_open)
            });
        match defined {
            Some((variable, value)) => found.values[numbers[&variable]] = Some(value),
            None => found.rest.push(conjunct),
        }
    }
    found
}

/// Whether a term is a constant, or an array that has a constant everywhere.
fn is_fixed(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::ConstArray(element) => terms.is_constant(element),
        _ => terms.is_constant(term),
    }
}

/// A name as a symbol of BTOR2, which has no blanks and begins no comment.
fn symbol(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c == ';', "_")
}

struct Builder {
    circuit: Btor2,
    images: HashMap<Term, Argument>,
}

impl Builder {
    fn name(&mut self, node: u32, name: &str) {
        self.circuit.nodes[node as usize].symbol = symbol(name);
    }

    fn add_input(&mut self, terms: &Terms, variable: Term, name: &str) {
        let node = self.circuit.add_input(terms.sort(variable));
        self.name(node, name);
        self.images.insert(variable, Argument::of(node));
    }

    fn operation(&mut self, operator: Operator, operands: &[Argument]) -> Argument {
        self.circuit
            .add_operation(operator, Sort::BitVector(1), operands)
    }

    fn bit(&mut self, value: bool) -> Argument {
        self.circuit
            .add_constant(&craig_word::BitVector::new(u128::from(value), 1))
    }

    /// A state of one bit without next value, and its number.
    fn flag(&mut self, init: bool, name: &str) -> (Argument, usize) {
        let init = self.bit(init);
        let node = self.circuit.add_state(Sort::BitVector(1), Some(init), None);
        self.name(node, name);
        (Argument::of(node), self.circuit.states.len() - 1)
    }

    /// Whether these formulas held in all steps before.
    fn run_so_far(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
    ) -> Result<Argument, VariableElement> {
        let (flag, number) = self.flag(true, "transitions");
        let mut all = flag;
        for &formula in formulas {
            let formula = self.term(terms, formula)?;
            all = self.operation(Operator::And, &[all, formula]);
        }
        self.circuit.states[number].next = Some(all);
        Ok(flag)
    }

    /// The first value of a state; of an array, the element that it has everywhere.
    fn initial(&mut self, terms: &Terms, value: Term) -> Result<Argument, VariableElement> {
        match terms.node(value) {
            Node::ConstArray(element) => self.term(terms, element),
            _ => self.term(terms, value),
        }
    }

    /// The node of a term.
    fn term(&mut self, terms: &Terms, root: Term) -> Result<Argument, VariableElement> {
        for term in terms.cone(&[root], |term| self.images.contains_key(&term)) {
            let image = self.image(terms, term)?;
            self.images.insert(term, image);
        }
        Ok(self.images[&root])
    }

    /// The node of a term whose operands have theirs.
    fn image(&mut self, terms: &Terms, term: Term) -> Result<Argument, VariableElement> {
        let sort = terms.sort(term);
        let mut operands = Vec::new();
        terms.operands(term, |operand| operands.push(self.images[&operand]));
        let widening = |of: Term| terms.width(term) - terms.width(of);
        let operator = match terms.node(term) {
            Node::Const(_) | Node::Wide(_) => {
                let value = terms.constant_bits(term).expect("the node is a constant");
                return Ok(self.circuit.add_constant(&value));
            }
            // All variables of a system are states, inputs or next values, which have images; a parameter of a definition
            // occurs in no term of the system.
            Node::Var(_) => {
                debug_assert!(false, "a variable has no image");
                return Ok(Argument::of(self.circuit.add_input(sort)));
            }
            Node::Not(_) => return Ok(operands[0].negated()),
            Node::ConstArray(element) => {
                if !terms.is_constant(element) {
                    return Err(VariableElement);
                }
                let node = self.circuit.add_state(sort, Some(operands[0]), None);
                let number = self.circuit.states.len() - 1;
                self.circuit.states[number].next = Some(Argument::of(node));
                return Ok(Argument::of(node));
            }
            Node::Binary(op, ..) => of_op(op),
            Node::Ite(..) => Operator::Ite,
            Node::Concat(..) => Operator::Concat,
            Node::Extract(_, low) => Operator::Slice(low + terms.width(term) - 1, low),
            Node::ZExt(of) => Operator::Uext(widening(of)),
            Node::SExt(of) => Operator::Sext(widening(of)),
            Node::Select(..) => Operator::Read,
            Node::Store(..) => Operator::Write,
        };
        Ok(self.circuit.add_operation(operator, sort, &operands))
    }
}

fn of_op(op: Op) -> Operator {
    match op {
        Op::And => Operator::And,
        Op::Xor => Operator::Xor,
        Op::Add => Operator::Add,
        Op::Sub => Operator::Sub,
        Op::Mul => Operator::Mul,
        Op::UDiv => Operator::Udiv,
        Op::URem => Operator::Urem,
        Op::SDiv => Operator::Sdiv,
        Op::SRem => Operator::Srem,
        Op::Shl => Operator::Sll,
        Op::LShr => Operator::Srl,
        Op::AShr => Operator::Sra,
        Op::Eq => Operator::Eq,
        Op::Ult => Operator::Ult,
        Op::Slt => Operator::Slt,
    }
}
