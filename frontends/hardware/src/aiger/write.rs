//! Writing circuits. Both encodings are written from the same ordered form: inputs, then latches, then the
//! used gates, numbered consecutively.

use std::io::{self, Write};

use craig_solver::aig::{Edge, Node};
use flussab::DeferredWriter;
use flussab_aiger::aig::{OrderedAig, OrderedAndGate, OrderedLatch, Symbol, SymbolTarget};
use flussab_aiger::{ascii, binary};

use super::model::AigerModel;

/// Writes a circuit as text.
///
/// # Errors
/// If `output` can't be written to.
pub fn write_ascii(circuit: &AigerModel, output: &mut dyn Write) -> io::Result<()> {
    let ordered = order(circuit);
    let mut writer = DeferredWriter::from_write(output);
    ascii::Writer::<u32>::new(&mut writer).write_ordered_aig(&ordered);
    writer.flush_defer_err();
    writer.check_io_error()
}

/// Writes a circuit in the binary encoding.
///
/// # Errors
/// If `output` can't be written to.
pub fn write_binary(circuit: &AigerModel, output: &mut dyn Write) -> io::Result<()> {
    let ordered = order(circuit);
    let mut writer = binary::Writer::<u32>::new(DeferredWriter::from_write(output));
    writer.write_ordered_aig(&ordered);
    writer.writer.flush_defer_err();
    writer.writer.check_io_error()
}

/// The circuit in the library's form.
fn order(circuit: &AigerModel) -> OrderedAig<u32> {
    let model = &circuit.model;
    let (literals, and_gates) = number(circuit);
    let literal = |edge: Edge| literals[edge.node() as usize] ^ u32::from(edge.is_negated());
    let list = |edges: &[Edge]| {
        edges
            .iter()
            .map(|&edge| literal(edge))
            .collect::<Vec<u32>>()
    };
    let latches = model.latches.iter().map(|latch| OrderedLatch {
        next_state: literal(latch.next),
        initialization: latch.reset.value(),
    });
    let (outputs, bads) = if circuit.bads_are_outputs {
        (list(&model.bads), Vec::new())
    } else {
        (list(&circuit.outputs), list(&model.bads))
    };
    OrderedAig {
        max_var_index: model.inputs.len() + model.latches.len() + and_gates.len(),
        input_count: model.inputs.len(),
        latches: latches.collect(),
        outputs,
        bad_state_properties: bads,
        invariant_constraints: list(&model.constraints),
        justice_properties: model.justice.iter().map(|edges| list(edges)).collect(),
        fairness_constraints: list(&model.fairness),
        and_gates,
        symbols: symbols(circuit),
        comment: circuit.comment.clone(),
    }
}

/// A literal for each node of the graph (0 for unused nodes), and the gates in order.
fn number(circuit: &AigerModel) -> (Vec<u32>, Vec<OrderedAndGate<u32>>) {
    let model = &circuit.model;
    let mut needed = vec![false; model.aig.n_nodes()];
    let roots = model.latches.iter().map(|latch| &latch.next);
    let roots = roots.chain(&circuit.outputs).chain(&model.bads);
    let roots = roots.chain(&model.constraints).chain(&model.fairness);
    for edge in roots.chain(model.justice.iter().flatten()) {
        needed[edge.node() as usize] = true;
    }
    for node in (0..model.aig.n_nodes()).rev() {
        if needed[node]
            && let Node::And(left, right) = model.aig.node(node as u32)
        {
            needed[left.node() as usize] = true;
            needed[right.node() as usize] = true;
        }
    }
    let mut literals = vec![0; model.aig.n_nodes()];
    let mut next = 2;
    let states = model.latches.iter().map(|latch| &latch.state);
    for edge in model.inputs.iter().chain(states) {
        literals[edge.node() as usize] = next;
        next += 2;
    }
    let mut gates = Vec::new();
    for node in 0..model.aig.n_nodes() {
        if needed[node]
            && let Node::And(left, right) = model.aig.node(node as u32)
        {
            let operand =
                |edge: Edge| literals[edge.node() as usize] ^ u32::from(edge.is_negated());
            let mut inputs = [left, right].map(operand);
            inputs.sort_unstable_by(|left, right| right.cmp(left));
            gates.push(OrderedAndGate { inputs });
            literals[node] = next;
            next += 2;
        }
    }
    (literals, gates)
}

fn symbols(circuit: &AigerModel) -> Vec<Symbol<'static>> {
    let names = &circuit.model.names;
    let mut symbols = Vec::new();
    let mut add = |names: &[String], target: fn(usize) -> SymbolTarget| {
        for (index, name) in names.iter().enumerate() {
            if !name.is_empty() {
                // A line end in a name would end the symbol.
                let name = name.replace(['\n', '\r'], " ").into();
                let target = target(index);
                symbols.push(Symbol { target, name });
            }
        }
    };
    add(&names.inputs, SymbolTarget::Input);
    add(&names.latches, SymbolTarget::Latch);
    if circuit.bads_are_outputs {
        add(&names.bads, SymbolTarget::Output);
    } else {
        add(&circuit.output_names, SymbolTarget::Output);
        add(&names.bads, SymbolTarget::BadStateProperty);
    }
    add(&names.constraints, SymbolTarget::InvariantConstraint);
    add(&names.justice, SymbolTarget::JusticeProperty);
    add(&names.fairness, SymbolTarget::FairnessConstraint);
    symbols
}
