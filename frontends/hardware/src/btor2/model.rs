//! The content of a file.

use craig_word::Sort;

use super::constant::Constant;
use super::operator::Operator;

/// A node as an operand: its value, or the bitwise negation of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Argument {
    /// The position in [`Btor2::nodes`].
    pub node: u32,
    /// Whether it is negated; never for arrays.
    pub is_negated: bool,
}

impl Argument {
    /// A node's own value.
    #[must_use]
    pub fn of(node: u32) -> Self {
        Self {
            node,
            is_negated: false,
        }
    }

    /// The bitwise negation; not for arrays.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            is_negated: !self.is_negated,
            ..self
        }
    }
}

/// What a node is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A constant.
    Constant(Constant),
    /// An input: a position in [`Btor2::inputs`].
    Input(u32),
    /// A state: a position in [`Btor2::states`].
    State(u32),
    /// An operator and its operands; as many count as its arity.
    Apply(Operator, [Argument; 3]),
}

/// A value: a line with a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The sort.
    pub sort: Sort,
    /// The definition.
    pub kind: Kind,
    /// The symbol, or an empty string.
    pub symbol: String,
    /// The identifier in the file; 0 if the node is from no file.
    pub identifier: u64,
}

impl Node {
    /// The operands; none for leaves.
    #[must_use]
    pub fn arguments(&self) -> &[Argument] {
        match &self.kind {
            Kind::Apply(operator, arguments) => &arguments[..operator.arity()],
            _ => &[],
        }
    }
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Its node.
    pub node: u32,
    /// Its value in the first step: any if there is none. For an array it may be a constant of the sort of
    /// the elements, which is then stored at every index. No input occurs in it, and only states with smaller
    /// numbers.
    pub init: Option<Argument>,
    /// Its value one step later. Without one, the state has any value in every step (in the first, that of
    /// `init` if there is one).
    pub next: Option<Argument>,
}

/// A line about a value of one bit (or an output, of any width).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The value.
    pub value: Argument,
    /// The symbol, or an empty string.
    pub symbol: String,
}

/// A justice property: its values must not all be 1 infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Justice {
    /// The values, of one bit each.
    pub values: Vec<Argument>,
    /// The symbol, or an empty string.
    pub symbol: String,
}

/// A word-level circuit. All sorts agree, and arguments refer to nodes with smaller numbers.
///
/// Semantics: a bad counts in step k if all constraints hold in steps 0 to k.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Btor2 {
    /// The values, operands first.
    pub nodes: Vec<Node>,
    /// The nodes of the inputs.
    pub inputs: Vec<u32>,
    /// The states.
    pub states: Vec<State>,
    /// The outputs.
    pub outputs: Vec<Line>,
    /// The bads.
    pub bads: Vec<Line>,
    /// The invariant constraints.
    pub constraints: Vec<Line>,
    /// What holds infinitely often on the runs against justice properties.
    pub fairness: Vec<Line>,
    /// The justice properties.
    pub justice: Vec<Justice>,
}

impl Btor2 {
    /// The node of an argument.
    #[must_use]
    pub fn node(&self, argument: Argument) -> &Node {
        &self.nodes[argument.node as usize]
    }

    /// The name of each node: its symbol, or for inputs and states the symbol of a node that repeats its
    /// value (yosys writes such nodes to give names) or of an output that is it, or an empty string.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.nodes.iter().map(|node| node.symbol.clone()).collect();
        for node in &self.nodes {
            if let Kind::Apply(Operator::Uext(0), [of, ..]) = node.kind
                && !of.is_negated
                && !node.symbol.is_empty()
                && names[of.node as usize].is_empty()
                && matches!(self.node(of).kind, Kind::Input(_) | Kind::State(_))
            {
                names[of.node as usize].clone_from(&node.symbol);
            }
        }
        for output in &self.outputs {
            let of = output.value;
            if !of.is_negated
                && names[of.node as usize].is_empty()
                && matches!(self.node(of).kind, Kind::Input(_) | Kind::State(_))
            {
                names[of.node as usize].clone_from(&output.symbol);
            }
        }
        names
    }
}
