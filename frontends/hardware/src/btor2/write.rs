//! Writing a circuit in a normal form: identifiers 1, 2, 3, and so on, each sort once and before its first
//! use, no values that nothing uses, and the properties at the end.

use std::collections::HashMap;
use std::io::{self, Write};

use craig_word::Sort;

use super::constant::{Base, Constant};
use super::model::{Argument, Btor2, Kind, Line};
use super::operator::Operator;

/// Writes a circuit in the normal form. Reading it gives a circuit with the same inputs, states and
/// properties,
/// and writing that gives the same bytes.
///
/// # Errors
/// If `output` can't be written to.
pub fn write(model: &Btor2, output: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer {
        output,
        last: 0,
        sorts: HashMap::new(),
        identifiers: vec![0; model.nodes.len()],
    };
    let names = model.names();
    for (number, is_used) in used(model).into_iter().enumerate() {
        if is_used {
            writer.node(model, number, &names[number])?;
        }
    }
    for (tag, of) in [
        (
            "init",
            (|state| state.init) as fn(&super::State) -> Option<Argument>,
        ),
        ("next", |state| state.next),
    ] {
        for state in &model.states {
            if let Some(value) = of(state) {
                let sort = writer.sort(model.nodes[state.node as usize].sort)?;
                let state = writer.identifiers[state.node as usize];
                let value = writer.argument(value);
                writer.line(&format!("{tag} {sort} {state} {value}"), "")?;
            }
        }
    }
    let lists = [
        ("output", &model.outputs),
        ("bad", &model.bads),
        ("constraint", &model.constraints),
        ("fair", &model.fairness),
    ];
    for (tag, lines) in lists {
        for Line { value, symbol } in lines {
            let value = writer.argument(*value);
            writer.line(&format!("{tag} {value}"), symbol)?;
        }
    }
    for property in &model.justice {
        let values = property.values.iter();
        let values: Vec<String> = values.map(|&value| writer.argument(value)).collect();
        let text = format!("justice {} {}", values.len(), values.join(" "));
        writer.line(&text, &property.symbol)?;
    }
    Ok(())
}

/// Which nodes are written: inputs, states, and those on which a line depends.
fn used(model: &Btor2) -> Vec<bool> {
    let mut is_used = vec![false; model.nodes.len()];
    let assignments = model.states.iter();
    let assignments = assignments.flat_map(|state| [state.init, state.next]);
    let lines = [
        &model.outputs,
        &model.bads,
        &model.constraints,
        &model.fairness,
    ];
    let lines = lines.into_iter().flatten().map(|line| line.value);
    let justice = model.justice.iter().flat_map(|property| &property.values);
    let leaves = model.states.iter().map(|state| state.node);
    let leaves = leaves.chain(model.inputs.iter().copied());
    let roots = assignments.flatten().chain(lines).chain(justice.copied());
    for node in roots.map(|argument| argument.node).chain(leaves) {
        is_used[node as usize] = true;
    }
    for (number, node) in model.nodes.iter().enumerate().rev() {
        if is_used[number] {
            for argument in node.arguments() {
                is_used[argument.node as usize] = true;
            }
        }
    }
    is_used
}

struct Writer<'a> {
    output: &'a mut dyn Write,
    /// The last identifier used.
    last: u64,
    sorts: HashMap<Sort, u64>,
    /// Of each node; 0 for those that are not written.
    identifiers: Vec<u64>,
}

impl Writer<'_> {
    /// Writes a line with the next identifier, which is returned.
    fn line(&mut self, text: &str, symbol: &str) -> io::Result<u64> {
        self.last += 1;
        match symbol {
            "" => writeln!(self.output, "{} {text}", self.last)?,
            symbol => writeln!(self.output, "{} {text} {symbol}", self.last)?,
        }
        Ok(self.last)
    }

    /// The identifier of a sort.
    fn sort(&mut self, sort: Sort) -> io::Result<u64> {
        if let Some(&identifier) = self.sorts.get(&sort) {
            return Ok(identifier);
        }
        let text = match sort {
            Sort::BitVector(width) => format!("sort bitvec {width}"),
            Sort::Array { index, element } => {
                let index = self.sort(Sort::BitVector(index))?;
                let element = self.sort(Sort::BitVector(element))?;
                format!("sort array {index} {element}")
            }
        };
        let identifier = self.line(&text, "")?;
        self.sorts.insert(sort, identifier);
        Ok(identifier)
    }

    fn argument(&self, argument: Argument) -> String {
        let identifier = self.identifiers[argument.node as usize];
        match argument.is_negated {
            true => format!("-{identifier}"),
            false => identifier.to_string(),
        }
    }

    fn node(&mut self, model: &Btor2, number: usize, name: &str) -> io::Result<()> {
        let node = &model.nodes[number];
        let sort = self.sort(node.sort)?;
        let text = match &node.kind {
            Kind::Constant(Constant::Zero) => format!("zero {sort}"),
            Kind::Constant(Constant::One) => format!("one {sort}"),
            Kind::Constant(Constant::Ones) => format!("ones {sort}"),
            Kind::Constant(Constant::Digits(base, digits)) => {
                let tag = match base {
                    Base::Binary => "const",
                    Base::Decimal => "constd",
                    Base::Hexadecimal => "consth",
                };
                format!("{tag} {sort} {digits}")
            }
            Kind::Input(_) => format!("input {sort}"),
            Kind::State(_) => format!("state {sort}"),
            Kind::Apply(operator, _) => {
                let mut text = format!("{} {sort}", operator.name());
                for &argument in node.arguments() {
                    text += &format!(" {}", self.argument(argument));
                }
                match operator {
                    Operator::Uext(by) | Operator::Sext(by) => text += &format!(" {by}"),
                    Operator::Slice(upper, lower) => text += &format!(" {upper} {lower}"),
                    _ => {}
                }
                text
            }
        };
        self.identifiers[number] = self.line(&text, name)?;
        Ok(())
    }
}
