//! Writing circuits. Both encodings are written from the same ordered form: inputs, then latches, then the
//! used gates, numbered consecutively.

use std::io::{self, Write};

use craig_aig::{Edge, Node};
use flussab::DeferredWriter;
use flussab_aiger::aig::{OrderedAig, OrderedAndGate, OrderedLatch, Symbol, SymbolTarget};
use flussab_aiger::{ascii, binary};

use super::model::AigerModel;

/// Writes a circuit as text.
///
/// # Errors
/// If `output` can't be written to.
pub fn write_ascii(circuit: &AigerModel, output: &mut dyn Write) -> io::Result<()> {
    let (ordered, functions) = order(circuit);
    let before = 1 + circuit.model.inputs.len();
    let mut output = LatchResets::new(functions, before, output);
    let mut writer = DeferredWriter::from_write(&mut output);
    ascii::Writer::<u32>::new(&mut writer).write_ordered_aig(&ordered);
    writer.flush_defer_err();
    writer.check_io_error()
}

/// Writes a circuit in the binary encoding.
///
/// # Errors
/// If `output` can't be written to.
pub fn write_binary(circuit: &AigerModel, output: &mut dyn Write) -> io::Result<()> {
    let (ordered, functions) = order(circuit);
    let mut output = LatchResets::new(functions, 1, output);
    let mut writer = binary::Writer::<u32>::new(DeferredWriter::from_write(&mut output));
    writer.write_ordered_aig(&ordered);
    writer.writer.flush_defer_err();
    writer.writer.check_io_error()
}

/// Passes on what the library writes, with the reset functions, of which the library has none: it writes
/// these latches as uninitialised, with the latch's own literal at the end of the line.
struct LatchResets<'a> {
    output: &'a mut dyn Write,
    /// The lines that get another last literal, by their numbers in the file, increasing, and that literal.
    lines: std::iter::Peekable<std::vec::IntoIter<(usize, u32)>>,
    /// The number of the current line, and the bytes of its last word, if it gets another one.
    line: usize,
    last_word: Vec<u8>,
}

impl<'a> LatchResets<'a> {
    /// `functions` are the literals of the latches that have one, by their positions; `before` is the number
    /// of lines before the latches.
    fn new(functions: Vec<(usize, u32)>, before: usize, output: &'a mut dyn Write) -> Self {
        let lines = functions
            .into_iter()
            .map(|(latch, literal)| (before + latch, literal));
        let lines: Vec<(usize, u32)> = lines.collect();
        Self {
            output,
            lines: lines.into_iter().peekable(),
            line: 0,
            last_word: Vec::new(),
        }
    }
}

impl Write for LatchResets<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(&(line, literal)) = self.lines.peek() {
            let Some(&byte) = rest.first() else {
                return Ok(bytes.len());
            };
            if line > self.line {
                let end = rest.iter().position(|&byte| byte == b'\n');
                let n_bytes = end.map_or(rest.len(), |end| end + 1);
                self.output.write_all(&rest[..n_bytes])?;
                self.line += usize::from(end.is_some());
                rest = &rest[n_bytes..];
                continue;
            }
            rest = &rest[1..];
            match byte {
                b' ' => {
                    self.output.write_all(&self.last_word)?;
                    self.output.write_all(b" ")?;
                    self.last_word.clear();
                }
                b'\n' => {
                    writeln!(self.output, "{literal}")?;
                    self.last_word.clear();
                    self.line += 1;
                    self.lines.next();
                }
                _ => self.last_word.push(byte),
            }
        }
        self.output.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The circuit in the library's form, and the literals of reset functions, by the positions of their latches.
fn order(circuit: &AigerModel) -> (OrderedAig<u32>, Vec<(usize, u32)>) {
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
    let functions = model.reset_functions();
    let functions = functions.map(|(latch, edge)| (latch, literal(edge)));
    let functions: Vec<(usize, u32)> = functions.collect();
    let ordered = OrderedAig {
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
    };
    (ordered, functions)
}

/// A literal for each node of the graph (0 for unused nodes), and the gates in order.
fn number(circuit: &AigerModel) -> (Vec<u32>, Vec<OrderedAndGate<u32>>) {
    let model = &circuit.model;
    let mut needed = vec![false; model.aig.n_nodes()];
    let roots = model.latches.iter().map(|latch| &latch.next);
    let functions: Vec<Edge> = model.reset_functions().map(|(_, edge)| edge).collect();
    let roots = roots.chain(&functions);
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
