//! A proof about a design as assertions in SystemVerilog, over the names of the design: they hold together with the
//! properties by induction over one step, in any tool that reads them.

use std::fmt::Write as _;

use craig_hardware::btor2::verilog::{Signal, constant, own_register, range, value, wires};
use craig_hardware::btor2::{Argument, Btor2, Kind};
use craig_word::{BitVector, Sort};

use crate::cli::verilog::Signals;

/// The assertions. `witness` is the witness circuit of a proof about `model`, in which the nodes of the model come first.
///
/// # Errors
/// Why there are none for this proof.
pub(in crate::cli) fn text(
    model: &Btor2,
    witness: &Btor2,
    property: &str,
    signals: &Signals,
) -> Result<String, String> {
    if signals.is_multiclock {
        return Err("clocks are inputs of this circuit, and assertions are about the edges of one: `--clock` names it"
            .to_owned());
    }
    let names = model.names();
    let is_input = |name: &String| {
        signals
            .port(name)
            .is_some_and(|port| port.direction == "input")
    };
    let signal = |node: u32| {
        let name = names.get(node as usize)?;
        let is_known =
            is_input(name) || signals.registers.contains(name) || signals.memories.contains(name);
        is_known.then(|| Signal {
            name: match is_input(name) {
                true => Signals::identifier(name),
                false => local(name, signals),
            },
            first: signals.first_word(name),
        })
    };
    // Constraints without a name are those of the command line, which the design does not state.
    let added = model.constraints.iter();
    let added = added
        .filter(|line| line.symbol.is_empty())
        .map(|line| line.value);
    let bads = witness.bads.iter().map(|line| line.value);
    let bads = bads.filter(|&bad| !is_never(witness, bad));
    let (added, bads): (Vec<Argument>, Vec<Argument>) = (added.collect(), bads.collect());
    let wires = wires(witness, added.iter().chain(&bads).copied(), &signal)
        .map_err(|what| format!("the proof depends on {what}"))?;
    let mut text = format!(
        "// An invariant of the module {}, for {property}. Before its `endmodule`, these assertions hold\n// together with \
         it by induction over one step.\n",
        signals.top
    );
    if !added.is_empty() {
        text += "// It is about the steps after the reset: before them, the property is to be disabled in the design.\n";
    }
    text += &aliases(&wires.text, model, &names, signals)?;
    for &state in &wires.own {
        let own = &witness.states[state];
        let Sort::BitVector(width) = witness.nodes[own.node as usize].sort else {
            return Err("the proof depends on a memory that the design does not have".to_owned());
        };
        // A register of the text would begin with another value than the circuit's.
        if own.init.is_none() && (own.node as usize) < model.nodes.len() {
            return Err(
                "the proof depends on a value that is chosen once and is no register of the design"
                    .to_owned(),
            );
        }
        let register = own_register(state);
        let _ = writeln!(text, "  reg {} {register};", range(width));
        if let Some(init) = own.init {
            let bits = initial(witness, init, width)
                .ok_or("the proof has a register that does not begin with a constant")?;
            let _ = writeln!(text, "  initial {register} = {};", constant(&bits));
        }
    }
    text += &wires.text;
    let clock = signals.clock.as_deref().map(Signals::identifier);
    for &state in &wires.own {
        match (witness.states[state].next, &clock) {
            (Some(next), Some(clock)) => {
                let register = own_register(state);
                let _ = writeln!(
                    text,
                    "  always @(posedge {clock}) {register} <= {};",
                    value(next)
                );
            }
            _ => return Err("the proof has a register without a clock".to_owned()),
        }
    }
    for (number, &of) in added.iter().enumerate() {
        text += &statement("assume", "assumed", number, &value(of), clock.as_deref());
    }
    for (number, &of) in bads.iter().enumerate() {
        let holds = value(Argument {
            is_negated: !of.is_negated,
            ..of
        });
        text += &statement("assert", "invariant", number, &holds, clock.as_deref());
    }
    Ok(text)
}

/// A statement about each step. Yosys reads properties without clocks, and others with them.
fn statement(kind: &str, label: &str, number: usize, holds: &str, clock: Option<&str>) -> String {
    match clock {
        Some(clock) => format!(
            "`ifdef YOSYS\n  craig_{label}_{number}: {kind} property ({holds});\n`else\n  craig_{label}_{number}: {kind} \
             property (@(posedge {clock}) {holds});\n`endif\n"
        ),
        None => format!("  always @* {kind} ({holds});\n"),
    }
}

/// Whether a bad is the constant 0.
fn is_never(witness: &Btor2, bad: Argument) -> bool {
    match &witness.nodes[bad.node as usize].kind {
        Kind::Constant(of) => of.value(1).is_zero() != bad.is_negated,
        _ => false,
    }
}

/// The constant with which a state begins.
fn initial(witness: &Btor2, init: Argument, width: u32) -> Option<BitVector> {
    match &witness.nodes[init.node as usize].kind {
        Kind::Constant(of) if init.is_negated => Some(of.value(width).not()),
        Kind::Constant(of) => Some(of.value(width)),
        _ => None,
    }
}

/// Whether a signal is one of an instance.
fn is_below(name: &str, signals: &Signals) -> bool {
    signals.path(name).len() > 1
}

/// A signal as the module itself names it.
fn local(name: &str, signals: &Signals) -> String {
    match is_below(name, signals) {
        true => alias(name),
        false => Signals::reference(name),
    }
}

/// The wire that stands for a signal of an instance.
fn alias(name: &str) -> String {
    let letter = |it: char| if it.is_ascii_alphanumeric() { it } else { '_' };
    let word: String = name.chars().map(letter).collect();
    format!("craig_of_{word}")
}

/// The wires for signals of instances: Yosys joins a wire with the signal whose name it has, and others read its path.
fn aliases(
    text: &str,
    model: &Btor2,
    names: &[String],
    signals: &Signals,
) -> Result<String, String> {
    let mut found = String::new();
    let known = signals.registers.iter().chain(&signals.memories);
    for name in known.filter(|name| is_below(name, signals)) {
        let alias = alias(name);
        if !text.contains(&format!("= {alias};")) && !text.contains(&format!("= {alias}[")) {
            continue;
        }
        let node = names.iter().position(|other| other == name);
        let Some(Sort::BitVector(width)) = node.map(|node| model.nodes[node].sort) else {
            return Err(format!(
                "the proof depends on the memory {name:?} of an instance"
            ));
        };
        // The joined wire keeps its own attributes, and the value that the register begins with is one.
        let state = node.and_then(|node| match model.nodes[node].kind {
            Kind::State(state) => model.states[state as usize].init,
            _ => None,
        });
        let init = state.and_then(|init| initial(model, init, width));
        let init = init.map_or_else(String::new, |bits| format!(", init = {}", constant(&bits)));
        let range = range(width);
        let reference = Signals::reference(name);
        let _ = writeln!(
            found,
            "`ifdef YOSYS\n  (* hierconn{init} *) wire {range} \\{name} ;\n  wire {range} {alias} = \\{name} ;\n`else\n  wire \
             {range} {alias} = {reference};\n`endif"
        );
    }
    Ok(found)
}
