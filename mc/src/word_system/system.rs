//! The system.

use std::collections::HashMap;

use craig_model::Names;
use craig_word::{Node, Term, Terms};

/// A state.
#[derive(Clone, Copy, Debug)]
pub struct WordState {
    /// The variable.
    pub state: Term,
    /// Its value in the first step: any if there is none. A term over the states before this one.
    pub init: Option<Term>,
    /// Its value one step later, over states and inputs. Without one, the state has any value in every step
    /// but
    /// the first, and in the first if there is no `init`.
    pub next: Option<Term>,
}

/// A transition system over words and arrays.
///
/// Semantics as of a [`Model`](craig_model::Model): a bad counts in step k if all constraints hold in steps 0 to k.
#[derive(Clone, Default)]
pub struct WordSystem {
    /// The terms.
    pub terms: Terms,
    /// The free variables of a step.
    pub inputs: Vec<Term>,
    /// The states.
    pub states: Vec<WordState>,
    /// The invariant constraints, of one bit.
    pub constraints: Vec<Term>,
    /// The bads, of one bit.
    pub bads: Vec<Term>,
    /// The justice properties: terms of one bit that must not all hold infinitely often.
    pub justice: Vec<Vec<Term>>,
    /// What holds infinitely often on the runs against justice properties.
    pub fairness: Vec<Term>,
    /// The names; `latches` has those of the states.
    pub names: Names,
}

/// The inputs and states on which the properties depend over any number of steps, in increasing order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cone {
    pub(super) inputs: Vec<usize>,
    pub(super) states: Vec<usize>,
}

impl WordSystem {
    /// The terms of the properties, the constraints included.
    pub(super) fn properties(&self) -> impl Iterator<Item = Term> + '_ {
        let lists = [&self.constraints, &self.bads, &self.fairness];
        let lists = lists.into_iter().flatten();
        lists.chain(self.justice.iter().flatten()).copied()
    }

    /// The sequential cone of all properties and constraints.
    pub(super) fn cone(&self) -> Cone {
        let states: HashMap<Term, usize> = (self
            .states
            .iter()
            .enumerate()
            .map(|(number, state)| (state.state, number)))
        .collect();
        let inputs: HashMap<Term, usize> = (self
            .inputs
            .iter()
            .enumerate()
            .map(|(number, &input)| (input, number)))
        .collect();
        let mut is_seen = vec![false; self.terms.n_terms()];
        let mut stack: Vec<Term> = self.properties().collect();
        let mut cone = Cone::default();
        while let Some(term) = stack.pop() {
            if std::mem::replace(&mut is_seen[term.index()], true) {
                continue;
            }
            self.terms.operands(term, |operand| stack.push(operand));
            if !matches!(self.terms.node(term), Node::Var(_)) {
                continue;
            }
            if let Some(&number) = states.get(&term) {
                let state = &self.states[number];
                cone.states.push(number);
                stack.extend([state.init, state.next].into_iter().flatten());
            } else if let Some(&number) = inputs.get(&term) {
                cone.inputs.push(number);
            }
        }
        cone.states.sort_unstable();
        cone.inputs.sort_unstable();
        cone
    }
}
