//! Values of a circuit as expressions of Verilog: one wire for each value, over signals that have names there.
//!
//! A state without such a name is a register of its own in the text, which its user declares and steps ([`Wires::own`]).

use std::fmt::Write as _;

use craig_word::Sort;

use super::model::{Argument, Btor2, Kind};
use super::operator::Operator;

/// Wires that compute values.
#[derive(Clone, Debug, Default)]
pub struct Wires {
    /// Their declarations, operands first.
    pub text: String,
    /// The states that are registers named [`own_register`].
    pub own: Vec<usize>,
}

/// The name of the register that stands for a state.
#[must_use]
pub fn own_register(state: usize) -> String {
    format!("craig_s{state}")
}

/// The name of the wire of a node.
fn wire(node: u32) -> String {
    format!("craig_n{node}")
}

/// A word as a constant.
#[must_use]
pub fn constant(bits: &craig_word::BitVector) -> String {
    format!("{}'b{}", bits.width(), super::trace::binary(bits))
}

/// A range of bits, as it is declared.
#[must_use]
pub fn range(width: u32) -> String {
    format!("[{}:0]", width - 1)
}

/// A value that [`Wires`] compute.
#[must_use]
pub fn value(of: Argument) -> String {
    match of.is_negated {
        true => format!("(~{})", wire(of.node)),
        false => wire(of.node),
    }
}

/// A signal of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its name in the text.
    pub name: String,
    /// Of a memory, the index of its first word, which is 0 in the circuit.
    pub first: u128,
}

/// Writes the wires on which values depend. `signal` is the name of a node that is a signal of the design; what is before it
/// is not written.
///
/// # Errors
/// What has no expression: an operator, or an input without a name.
pub fn wires(
    model: &Btor2,
    values: impl IntoIterator<Item = Argument>,
    signal: &dyn Fn(u32) -> Option<Signal>,
) -> Result<Wires, String> {
    let mut is_needed = vec![false; model.nodes.len()];
    let mut stack: Vec<u32> = values.into_iter().map(|value| value.node).collect();
    let mut wires = Wires::default();
    while let Some(number) = stack.pop() {
        if std::mem::replace(&mut is_needed[number as usize], true) || signal(number).is_some() {
            continue;
        }
        let node = &model.nodes[number as usize];
        stack.extend(node.arguments().iter().map(|argument| argument.node));
        if let Kind::State(state) = node.kind {
            wires.own.push(state as usize);
            stack.extend(
                model.states[state as usize]
                    .next
                    .map(|argument| argument.node),
            );
        }
    }
    wires.own.sort_unstable();
    for number in (0..model.nodes.len() as u32).filter(|&number| is_needed[number as usize]) {
        let width = match (model.nodes[number as usize].sort, signal(number)) {
            (Sort::BitVector(width), _) => width,
            // Its elements are read where they are used.
            (Sort::Array { .. }, Some(_)) => continue,
            (Sort::Array { .. }, None) => {
                return Err("a memory that is no memory of the design".to_owned());
            }
        };
        let text = match signal(number) {
            Some(signal) => signal.name,
            None => expression(model, number, signal)?,
        };
        let _ = writeln!(
            wires.text,
            "  wire {} {} = {text};",
            range(width),
            wire(number)
        );
    }
    Ok(wires)
}

/// What the wire of a node is.
fn expression(
    model: &Btor2,
    number: u32,
    signal: &dyn Fn(u32) -> Option<Signal>,
) -> Result<String, String> {
    let node = &model.nodes[number as usize];
    match &node.kind {
        Kind::Constant(of) => match node.sort {
            Sort::BitVector(width) => Ok(constant(&of.value(width))),
            Sort::Array { .. } => Err("a constant memory".to_owned()),
        },
        Kind::Input(input) => Err(format!(
            "input {input} of the circuit, which is no port of the design"
        )),
        Kind::State(state) => Ok(own_register(*state as usize)),
        Kind::Apply(Operator::Read, [array, index, _]) => match signal(array.node) {
            Some(Signal { name, first: 0 }) => Ok(format!("{name}[{}]", value(*index))),
            Some(Signal { name, first }) => Ok(format!("{name}[{first} + {}]", value(*index))),
            None => Err("a memory that is no memory of the design".to_owned()),
        },
        Kind::Apply(operator, arguments) => {
            let is_array = |argument: &Argument| {
                matches!(model.nodes[argument.node as usize].sort, Sort::Array { .. })
            };
            if node.arguments().iter().any(is_array) {
                return Err(format!("`{}` of memories", operator.name()));
            }
            let width = |argument: Argument| match model.nodes[argument.node as usize].sort {
                Sort::BitVector(width) => width,
                Sort::Array { .. } => 0,
            };
            applied(*operator, arguments, width(arguments[0]))
                .ok_or_else(|| format!("`{}`, which Verilog does not have", operator.name()))
        }
    }
}

/// An operator on words, of which the first has some width.
fn applied(operator: Operator, arguments: &[Argument; 3], width: u32) -> Option<String> {
    use Operator as O;
    let a = value(arguments[0]);
    // Read only for operators with two and with three operands.
    let (b, c) = (value(arguments[1]), value(arguments[2]));
    let between = |symbol: &str| Some(format!("{a} {symbol} {b}"));
    let negated = |symbol: &str| Some(format!("~({a} {symbol} {b})"));
    let signed = |symbol: &str| Some(format!("$signed({a}) {symbol} $signed({b})"));
    // A range of bits is one of a wire, and no expression has one.
    let bits = |upper: u32, lower: u32| {
        let sign = if arguments[0].is_negated { "~" } else { "" };
        format!("{sign}{}[{upper}:{lower}]", wire(arguments[0].node))
    };
    let sign_of = |at: usize| {
        let sign = if arguments[at].is_negated { "~" } else { "" };
        format!("{sign}{}[{}]", wire(arguments[at].node), width - 1)
    };
    let magnitude =
        |word: &str, at: usize| format!("((({}) == 1'b1) ? -{word} : {word})", sign_of(at));
    let ones = format!("{{{width}{{1'b1}}}}");
    match operator {
        O::Uext(0) | O::Sext(0) => Some(a),
        O::Uext(by) => Some(format!("{{{{{by}{{1'b0}}}}, {a}}}")),
        O::Sext(by) => Some(format!("{{{{{by}{{{}}}}}, {a}}}", sign_of(0))),
        O::Slice(upper, lower) => Some(bits(upper, lower)),
        O::Not => Some(format!("~{a}")),
        O::Inc => Some(format!("{a} + {width}'d1")),
        O::Dec => Some(format!("{a} - {width}'d1")),
        O::Neg => Some(format!("-{a}")),
        O::Redand => Some(format!("&{a}")),
        O::Redor => Some(format!("|{a}")),
        O::Redxor => Some(format!("^{a}")),
        O::Iff | O::Eq => between("=="),
        O::Neq => between("!="),
        O::Implies => Some(format!("~{a} | {b}")),
        O::Ugt => between(">"),
        O::Ugte => between(">="),
        O::Ult => between("<"),
        O::Ulte => between("<="),
        O::Sgt => signed(">"),
        O::Sgte => signed(">="),
        O::Slt => signed("<"),
        O::Slte => signed("<="),
        O::And => between("&"),
        O::Nand => negated("&"),
        O::Or => between("|"),
        O::Nor => negated("|"),
        O::Xor => between("^"),
        O::Xnor => negated("^"),
        O::Sll => between("<<"),
        O::Srl => between(">>"),
        O::Sra => Some(format!("$signed({a}) >>> {b}")),
        O::Add => between("+"),
        O::Sub => between("-"),
        O::Mul => between("*"),
        // Division by 0 is defined here, and gives no value in Verilog.
        O::Udiv => Some(format!("({b} == {width}'d0) ? {ones} : {a} / {b}")),
        O::Urem => Some(format!("({b} == {width}'d0) ? {a} : {a} % {b}")),
        O::Sdiv => {
            let quotient = format!("({} / {})", magnitude(&a, 0), magnitude(&b, 1));
            let differ = format!("({} != {})", sign_of(0), sign_of(1));
            let by_zero = format!("({} ? {width}'d1 : {ones})", sign_of(0));
            Some(format!(
                "({b} == {width}'d0) ? {by_zero} : {differ} ? -{quotient} : {quotient}"
            ))
        }
        O::Srem => {
            let remainder = format!("({} % {})", magnitude(&a, 0), magnitude(&b, 1));
            Some(format!(
                "({b} == {width}'d0) ? {a} : {} ? -{remainder} : {remainder}",
                sign_of(0)
            ))
        }
        O::Concat => Some(format!("{{{a}, {b}}}")),
        O::Ite => Some(format!("{a} ? {b} : {c}")),
        O::Smod
        | O::Rol
        | O::Ror
        | O::Uaddo
        | O::Saddo
        | O::Sdivo
        | O::Umulo
        | O::Smulo
        | O::Usubo
        | O::Ssubo
        | O::Read
        | O::Write => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor2::read;

    const CIRCUIT: &str = "1 sort bitvec 4\n2 sort bitvec 1\n3 input 1 d\n4 state 1 q\n5 state 1\n6 add 1 4 3\n\
        7 next 1 4 6\n8 next 1 5 4\n9 slice 2 -5 3 3\n10 smod 1 4 3\n11 redor 2 10\n12 bad 9\n13 bad 11\n";

    #[test]
    fn values_are_wires_over_names() {
        let model = read(CIRCUIT.as_bytes(), "text").unwrap();
        let names = model.names();
        let signal = |node: u32| {
            let name = names[node as usize].clone();
            (!name.is_empty()).then_some(Signal { name, first: 0 })
        };
        let written = wires(&model, [model.bads[0].value], &signal).unwrap();
        let expected = "  wire [3:0] craig_n1 = q;\n  wire [3:0] craig_n2 = craig_s1;\n  wire [0:0] craig_n4 = \
                        ~craig_n2[3:3];\n";
        assert_eq!(written.text, expected);
        assert_eq!(written.own, [1]);
        let refused = wires(&model, [model.bads[1].value], &signal).unwrap_err();
        assert_eq!(refused, "`smod`, which Verilog does not have");
        let memory = "1 sort bitvec 2\n2 sort array 1 1\n3 input 1 at\n4 state 2 m\n5 read 1 4 3\n6 sort bitvec 1\n7 redor 6 5\n8 bad 7\n";
        let memory = read(memory.as_bytes(), "text").unwrap();
        let names = memory.names();
        let signal = |node: u32| {
            let name = names[node as usize].clone();
            (!name.is_empty()).then_some(Signal { name, first: 4 })
        };
        let written = wires(&memory, [memory.bads[0].value], &signal).unwrap();
        assert!(
            written.text.contains("= m[4 + craig_n0];"),
            "{}",
            written.text
        );
        let nothing = |_: u32| None;
        let refused = wires(&model, [model.bads[0].value], &nothing).unwrap_err();
        assert!(refused.contains("input 0"), "{refused}");
    }
}
