//! The part of a circuit on which one property depends, in a form that does not depend on the rest of the circuit, nor on
//! the places of its source: circuits with equal parts have equal texts.

use std::collections::HashMap;

use super::model::{Argument, Btor2, Justice, Kind, Line, Node, State};
use super::trace::Trace;

/// A part of a circuit, with one property.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The circuit. Its property has no symbol, and names that tools made are left out.
    pub model: Btor2,
    /// The inputs of the whole circuit that its inputs are.
    pub inputs: Vec<usize>,
    /// The states of the whole circuit that its states are.
    pub states: Vec<usize>,
}

/// The property of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// A bad.
    Bad(usize),
    /// A justice property.
    Justice(usize),
}

impl Slice {
    /// The part on which a property depends, with all constraints and, for a justice property, all fairness.
    #[must_use]
    pub fn of(whole: &Btor2, property: Property) -> Self {
        let mut slicer = Slicer {
            whole,
            slice: Self {
                model: Btor2::default(),
                inputs: Vec::new(),
                states: Vec::new(),
            },
            images: vec![None; whole.nodes.len()],
            known: HashMap::new(),
            names: whole.names(),
            open: Vec::new(),
        };
        let unnamed = |value| Line {
            value,
            symbol: String::new(),
        };
        match property {
            Property::Bad(number) => {
                let value = slicer.argument(whole.bads[number].value);
                slicer.slice.model.bads.push(unnamed(value));
            }
            Property::Justice(number) => {
                let values = whole.justice[number].values.iter();
                let values = values.map(|&value| slicer.argument(value)).collect();
                slicer.slice.model.justice.push(Justice {
                    values,
                    symbol: String::new(),
                });
                for line in &whole.fairness {
                    let value = slicer.argument(line.value);
                    slicer.slice.model.fairness.push(unnamed(value));
                }
            }
        }
        for line in &whole.constraints {
            let value = slicer.argument(line.value);
            slicer.slice.model.constraints.push(unnamed(value));
        }
        slicer.close();
        slicer.slice
    }

    /// A run of the whole circuit that is this run of the slice. What the slice does not have is 0.
    #[must_use]
    pub fn lift(&self, run: &Trace, property: Property) -> Trace {
        let steps = run.steps.iter().map(|step| super::trace::Step {
            inputs: (step.inputs.iter())
                .map(|(&number, value)| (self.inputs[number], value.clone()))
                .collect(),
            states: (step.states.iter())
                .map(|(&number, value)| (self.states[number], value.clone()))
                .collect(),
        });
        let (bads, justice) = match property {
            Property::Bad(number) => (vec![number], Vec::new()),
            Property::Justice(number) => (Vec::new(), vec![number]),
        };
        Trace {
            bads,
            justice,
            steps: steps.collect(),
        }
    }
}

/// Copies nodes in the order in which the property reaches them.
struct Slicer<'a> {
    whole: &'a Btor2,
    slice: Slice,
    /// The copies of nodes.
    images: Vec<Option<u32>>,
    /// The copies of nodes that are no leaves, by what they are.
    known: HashMap<String, u32>,
    names: Vec<String>,
    /// States whose next values are not copied.
    open: Vec<(usize, usize)>,
}

impl Slicer<'_> {
    fn image(&self, of: Argument) -> Option<Argument> {
        let node = self.images[of.node as usize]?;
        Some(Argument { node, ..of })
    }

    /// Copies a value with all that it depends on in its step.
    fn argument(&mut self, of: Argument) -> Argument {
        let mut stack = vec![of.node];
        while let Some(&number) = stack.last() {
            if self.images[number as usize].is_some() {
                stack.pop();
                continue;
            }
            let node = &self.whole.nodes[number as usize];
            // The initial value of a state has to be defined before it.
            let init = match node.kind {
                Kind::State(state) => self.whole.states[state as usize].init,
                _ => None,
            };
            let needed: Vec<u32> = (node.arguments().iter().copied().chain(init))
                .map(|argument| argument.node)
                .filter(|&argument| self.images[argument as usize].is_none())
                .collect();
            match needed.is_empty() {
                false => stack.extend(needed.into_iter().rev()),
                true => {
                    self.copy(number);
                    stack.pop();
                }
            }
        }
        let node = self.images[of.node as usize].unwrap_or_default();
        Argument { node, ..of }
    }

    /// Copies a node whose operands are copied.
    fn copy(&mut self, number: u32) {
        let node = &self.whole.nodes[number as usize];
        let model = &self.slice.model;
        let kind = match &node.kind {
            Kind::Constant(constant) => Kind::Constant(constant.clone()),
            Kind::Input(_) => Kind::Input(model.inputs.len() as u32),
            Kind::State(_) => Kind::State(model.states.len() as u32),
            Kind::Apply(operator, arguments) => {
                let n_own = operator.arity();
                let mut own = [Argument::of(0); 3];
                for (own, &argument) in own.iter_mut().zip(&arguments[..n_own]) {
                    *own = self.image(argument).unwrap_or(argument);
                }
                Kind::Apply(*operator, own)
            }
        };
        let key = format!("{:?} {kind:?}", node.sort);
        let is_leaf = matches!(kind, Kind::Input(_) | Kind::State(_));
        if let Some(&known) = self.known.get(&key) {
            self.images[number as usize] = Some(known);
            return;
        }
        let copy = model.nodes.len() as u32;
        let name = &self.names[number as usize];
        let symbol = match is_leaf && !name.starts_with('$') {
            true => name.clone(),
            false => String::new(),
        };
        match node.kind {
            Kind::Input(input) => {
                self.slice.inputs.push(input as usize);
                self.slice.model.inputs.push(copy);
            }
            Kind::State(state) => {
                let init = self.whole.states[state as usize].init;
                let init = init.and_then(|init| self.image(init));
                self.open.push((self.slice.states.len(), state as usize));
                self.slice.states.push(state as usize);
                self.slice.model.states.push(State {
                    node: copy,
                    init,
                    next: None,
                });
            }
            _ => {
                self.known.insert(key, copy);
            }
        }
        self.slice.model.nodes.push(Node {
            sort: node.sort,
            kind,
            symbol,
            identifier: u64::from(copy) + 1,
        });
        self.images[number as usize] = Some(copy);
    }

    /// Copies the next values of states, until no state is left.
    fn close(&mut self) {
        let mut done = 0;
        while let Some(&(own, state)) = self.open.get(done) {
            let next = self.whole.states[state].next;
            self.slice.model.states[own].next = next.map(|next| self.argument(next));
            done += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor2::{evaluate, read, trace, write};

    fn text(circuit: &str, property: Property) -> String {
        let whole = read(circuit.as_bytes(), "text").unwrap();
        let mut text = Vec::new();
        write(&Slice::of(&whole, property).model, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    const CIRCUIT: &str = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 1 other\n4 state 1 s\n5 zero 1\n6 state 1 q\n\
        7 init 1 6 5\n8 input 1 d\n9 add 1 6 8\n10 next 1 6 9\n11 next 1 4 3\n12 redand 2 6\n13 redor 2 4\n\
        14 bad 12 q:top.sv:9\n15 bad 13 s:top.sv:10\n";

    #[test]
    fn equal_cones_have_equal_texts() {
        let first = text(CIRCUIT, Property::Bad(0));
        assert!(
            !first.contains("other") && !first.contains("top.sv"),
            "{first}"
        );
        let read_again = read(first.as_bytes(), "slice").unwrap();
        assert_eq!((read_again.inputs.len(), read_again.states.len()), (1, 1));
        // What the property does not depend on has changed, and what it depends on has another place.
        let other = CIRCUIT
            .replace(
                "3 input 1 other\n4 state 1 s\n",
                "3 state 1 s\n4 input 1 other\n",
            )
            .replace("11 next 1 4 3", "11 next 1 3 5")
            .replace("13 redor 2 4", "13 redor 2 3")
            .replace("top.sv:9", "top.sv:12");
        assert_eq!(text(&other, Property::Bad(0)), first);
        assert_ne!(
            text(&other, Property::Bad(1)),
            text(CIRCUIT, Property::Bad(1))
        );
        let changed = CIRCUIT.replace("9 add", "9 sub");
        assert_ne!(text(&changed, Property::Bad(0)), first);
    }

    #[test]
    fn runs_are_those_of_the_whole() {
        let whole = read(CIRCUIT.as_bytes(), "text").unwrap();
        let slice = Slice::of(&whole, Property::Bad(0));
        let run = "sat\nb0\n#0\n@0\n0 11 d@0\n@1\n0 00 d@1\n.\n";
        let run = trace::read(run.as_bytes(), "run", &slice.model).unwrap();
        let lifted = slice.lift(&run, Property::Bad(0));
        let steps = evaluate::replay(&whole, &lifted).unwrap();
        assert_eq!(evaluate::first_bad_step(&steps, 0), Some(1));
    }
}
