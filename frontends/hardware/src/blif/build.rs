//! The model of a netlist.

use std::collections::HashMap;

use craig_aig::Edge;
use craig_model::{Latch, Model, Reset};

use super::{Fault, Netlist, Table, fault};

/// What drives a signal.
#[derive(Clone, Copy, Debug)]
enum Driver {
    /// An input, a latch, or a table that is built.
    Edge(Edge),
    /// A table, by its place in the list.
    Table(usize),
    /// A table whose inputs are being built.
    Open(usize),
}

struct Builder<'a> {
    netlist: &'a Netlist<'a>,
    model: Model,
    drivers: HashMap<&'a str, Driver>,
}

/// Builds the model. The signal of the clock stays an input, if it is one.
pub(super) fn model(netlist: &Netlist<'_>) -> Result<Model, Fault> {
    let mut builder = Builder {
        netlist,
        model: Model::default(),
        drivers: HashMap::new(),
    };
    builder.add_leaves()?;
    for latch in 0..netlist.latches.len() {
        let line = &netlist.latches[latch];
        builder.model.latches[latch].next = builder.signal(line.input, line.line)?;
    }
    for &(line, name) in &netlist.outputs {
        let bad = builder.signal(name, line)?;
        builder.model.bads.push(bad);
        builder.model.names.bads.push(name.to_owned());
    }
    Ok(builder.model)
}

impl<'a> Builder<'a> {
    fn drive(&mut self, name: &'a str, driver: Driver, line: usize) -> Result<(), Fault> {
        match self.drivers.insert(name, driver) {
            None => Ok(()),
            Some(_) => fault(line, format!("{name:?} is driven twice")),
        }
    }

    fn add_leaves(&mut self) -> Result<(), Fault> {
        let netlist = self.netlist;
        for &(line, name) in &netlist.inputs {
            let input = self.model.aig.add_input();
            self.model.inputs.push(input);
            self.model.names.inputs.push(name.to_owned());
            self.drive(name, Driver::Edge(input), line)?;
        }
        for latch in &netlist.latches {
            let state = self.model.aig.add_input();
            self.model.latches.push(Latch {
                state,
                next: state,
                reset: match latch.initial {
                    None => Reset::Uninitialised,
                    Some(false) => Reset::Zero,
                    Some(true) => Reset::One,
                },
            });
            self.model.names.latches.push(latch.output.to_owned());
            self.drive(latch.output, Driver::Edge(state), latch.line)?;
        }
        for (number, (name, table)) in netlist.tables.iter().enumerate() {
            self.drive(name, Driver::Table(number), table.line)?;
        }
        Ok(())
    }

    /// The value of a signal that is used in a line. Tables are built before those that use them, without recursion.
    fn signal(&mut self, name: &'a str, line: usize) -> Result<Edge, Fault> {
        let mut stack = vec![(name, line)];
        while let Some(&(name, line)) = stack.last() {
            match self.drivers.get(name).copied() {
                None => return fault(line, format!("nothing drives {name:?}")),
                Some(Driver::Edge(_)) => {
                    stack.pop();
                }
                Some(Driver::Table(number)) => {
                    self.drivers.insert(name, Driver::Open(number));
                    let table = &self.netlist.tables[number].1;
                    for &input in &table.inputs {
                        if let Some(Driver::Open(_)) = self.drivers.get(input) {
                            return fault(table.line, format!("{input:?} depends on itself"));
                        }
                        stack.push((input, table.line));
                    }
                }
                Some(Driver::Open(number)) => {
                    let edge = self.table(&self.netlist.tables[number].1)?;
                    self.drivers.insert(name, Driver::Edge(edge));
                    stack.pop();
                }
            }
        }
        match self.drivers.get(name) {
            Some(Driver::Edge(edge)) => Ok(*edge),
            _ => fault(line, format!("{name:?} depends on itself")),
        }
    }

    /// The function of a table whose inputs are built: of its rows, or of none of them where their output is 0.
    fn table(&mut self, table: &Table<'_>) -> Result<Edge, Fault> {
        let is_one = table.rows.first().is_none_or(|(.., output)| *output);
        let mut rows = Vec::new();
        for (line, row, output) in &table.rows {
            if *output != is_one {
                return fault(
                    *line,
                    "the rows of a table have one output, and this is another",
                );
            }
            let mut literals = Vec::new();
            for (name, digit) in table.inputs.iter().zip(row.bytes()) {
                let Some(Driver::Edge(edge)) = self.drivers.get(name) else {
                    return fault(table.line, format!("{name:?} depends on itself"));
                };
                match digit {
                    b'1' => literals.push(*edge),
                    b'0' => literals.push(!*edge),
                    _ => {}
                }
            }
            rows.push(self.model.aig.and_all(literals));
        }
        let any = self.model.aig.or_all(rows);
        Ok(any.negate_if(!is_one))
    }
}
