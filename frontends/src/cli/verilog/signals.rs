//! The signals of a design, by which a run or a proof about its circuit is told outside.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::netlist::{Netlist, Pins};

/// A port of the top module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Port {
    pub(in crate::cli) name: String,
    /// In bits.
    pub(in crate::cli) width: usize,
    /// Its direction: `input`, `output` or `inout`.
    pub(in crate::cli) direction: String,
}

/// What is known of the names of a design.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Signals {
    /// The top module.
    pub(in crate::cli) top: String,
    /// Its ports, by their names.
    pub(in crate::cli) ports: Vec<Port>,
    /// The signals that flip-flops drive, and no others do: their names in the circuit.
    pub(in crate::cli) registers: Vec<String>,
    /// The memories: their names in the circuit.
    pub(in crate::cli) memories: Vec<String>,
    /// The index of the first word of those memories where it is not 0.
    first_words: HashMap<String, u128>,
    /// The clock whose rising edges are the steps; without one, clocks are inputs, or nothing changes.
    pub(in crate::cli) clock: Option<String>,
    /// The inputs that are clocks of flip-flops.
    pub(in crate::cli) clock_inputs: Vec<String>,
    /// Whether a step is a change of inputs.
    pub(in crate::cli) is_multiclock: bool,
    /// Why a simulator may order changes within a step in another way than the circuit does.
    pub(in crate::cli) disorder: Option<String>,
    /// The places in the hierarchy of those names that were made when the hierarchy was flattened.
    paths: HashMap<String, Vec<String>>,
}

impl Signals {
    /// The names that yosys has for the parts of a path: the instances on the way to a signal, and itself.
    pub(in crate::cli) fn path(&self, name: &str) -> Vec<String> {
        match self.paths.get(name) {
            Some(path) => path.iter().map(|part| format!("\\{part}")).collect(),
            None => plain_path(name),
        }
    }

    /// The index that the first word of a memory has in the design.
    pub(in crate::cli) fn first_word(&self, memory: &str) -> u128 {
        self.first_words.get(memory).copied().unwrap_or(0)
    }

    /// A name in the text of a design that is no path: of a module, or of a port.
    pub(in crate::cli) fn identifier(name: &str) -> String {
        match name.contains(['.', '[']) {
            true => format!("\\{name} "),
            false => escaped(name),
        }
    }

    /// A signal in the text of a design, seen from the top module: its parts are identifiers with indices, or are escaped.
    pub(in crate::cli) fn reference(name: &str) -> String {
        let parts: Vec<String> = name.split('.').map(escaped).collect();
        parts.join(".")
    }

    /// A port.
    pub(in crate::cli) fn port(&self, name: &str) -> Option<&Port> {
        self.ports.iter().find(|port| port.name == name)
    }
}

/// The path of a signal of a flat design, by its name in the circuit.
pub(in crate::cli) fn plain_path(name: &str) -> Vec<String> {
    match name.starts_with('$') {
        true => vec![name.to_owned()],
        false => vec![format!("\\{name}")],
    }
}

/// Words that are names for yosys, or with an escape, and keywords of SystemVerilog.
const KEYWORDS: [&str; 48] = [
    "alias",
    "before",
    "bind",
    "bins",
    "cell",
    "chandle",
    "checker",
    "class",
    "clocking",
    "config",
    "constraint",
    "context",
    "cross",
    "design",
    "dist",
    "edge",
    "event",
    "expect",
    "export",
    "extends",
    "extern",
    "final",
    "force",
    "global",
    "ignore_bins",
    "implements",
    "import",
    "include",
    "inside",
    "instance",
    "join",
    "let",
    "liblist",
    "library",
    "local",
    "new",
    "null",
    "program",
    "pure",
    "randomize",
    "ref",
    "release",
    "sequence",
    "solve",
    "super",
    "this",
    "use",
    "virtual",
];

/// An identifier, with indices of generated blocks, or an escaped one.
fn escaped(part: &str) -> String {
    let (word, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
    let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '$';
    let is_plain = word.chars().all(is_letter)
        && !word.starts_with(|it: char| it.is_ascii_digit() || it == '$')
        && !word.is_empty();
    let has_indices = (indices.chars()).all(|it| it.is_ascii_digit() || matches!(it, '[' | ']'));
    match is_plain && has_indices {
        true if KEYWORDS.contains(&word) => format!("\\{word} {indices}"),
        true => part.to_owned(),
        false => format!("\\{part} "),
    }
}

/// The signals of a netlist; the caller says what a step is.
pub(super) fn signals(netlist: &Netlist) -> Signals {
    let module = netlist.top();
    let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let ports = object(&module["ports"]);
    let width = |port: &Value| port["bits"].as_array().map_or(0, Vec::len);
    let ports: BTreeMap<String, Port> = (ports.into_iter())
        .map(|(name, port)| {
            let direction = port["direction"].as_str().unwrap_or_default().to_owned();
            let width = width(&port);
            (
                name.clone(),
                Port {
                    name,
                    width,
                    direction,
                },
            )
        })
        .collect();
    let cells: Vec<&Value> = netlist.cells().map(|(_, cell)| cell).collect();
    let kind = |cell: &Value| cell["type"].as_str().unwrap_or_default().to_owned();
    let is_flip_flop = |cell: &&&Value| !cell["connections"]["Q"].is_null();
    let flip_flops = cells.iter().filter(is_flip_flop);
    let driven: HashSet<&Value> = flip_flops
        .flat_map(|cell| cell["connections"]["Q"].as_array().into_iter().flatten())
        .collect();
    let is_memory = |cell: &&&Value| kind(cell).starts_with("$mem");
    let memory = |cell: &&Value| {
        let name = cell["parameters"]["MEMID"].as_str().unwrap_or_default();
        name.trim_start_matches('\\').to_owned()
    };
    let first_word = |cell: &&Value| {
        let offset = &cell["parameters"]["OFFSET"];
        let bits = offset
            .as_str()
            .and_then(|bits| u128::from_str_radix(bits, 2).ok());
        bits.or_else(|| offset.as_u64().map(u128::from))
    };
    let first_words = cells.iter().filter(is_memory);
    let first_words = first_words.filter_map(|cell| Some((memory(cell), first_word(cell)?)));
    let mut signals = Signals {
        first_words: first_words.filter(|(_, first)| *first > 0).collect(),
        top: netlist.top_name(),
        ports: ports.into_values().collect(),
        memories: cells.iter().filter(is_memory).map(memory).collect(),
        ..Signals::default()
    };
    for (name, wire) in object(&module["netnames"]) {
        if wire["hide_name"] == 1 {
            continue;
        }
        let mut bits = wire["bits"].as_array().into_iter().flatten();
        if bits.all(|bit| driven.contains(bit)) {
            signals.registers.push(name.clone());
        }
        if let Some(path) = wire["attributes"]["hdlname"].as_str() {
            let path = path.split(' ').map(ToOwned::to_owned).collect();
            signals.paths.insert(name, path);
        }
    }
    let latch = ["$dlatch", "$adlatch", "$dlatchsr", "$sr"];
    if cells.iter().any(|cell| latch.contains(&&*kind(cell))) {
        signals.disorder = Some("the design has latches".to_owned());
    }
    if netlist.has_asynchronous_loads() {
        signals.disorder = Some("the design has asynchronous loads".to_owned());
    }
    for pin in cells.iter().flat_map(|cell| Pins::of(cell)) {
        match netlist.input_of(pin.bit) {
            Some(input) if signals.clock_inputs.contains(input) => {}
            Some(input) => signals.clock_inputs.push(input.clone()),
            None => signals.disorder = Some("a clock of the design is no input".to_owned()),
        }
    }
    signals
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_told_in_the_hierarchy() {
        let text = json!({"modules": {"top": {
            "attributes": {"top": "1"},
            "ports": {"clk": {"direction": "input", "bits": [2]}, "d": {"direction": "input", "bits": [3, 4]}},
            "cells": {
                "r": {"type": "$dff", "connections": {"CLK": [2], "Q": [5, 6]}},
                "m": {"type": "$mem_v2", "parameters": {"MEMID": "\\u.words", "WR_CLK_ENABLE": "1", "OFFSET": "00100"},
                      "connections": {"WR_CLK": [2]}},
            },
            "netnames": {
                "cell[0].u.q": {"hide_name": 0, "bits": [5, 6], "attributes": {"hdlname": "cell[0].u q"}},
                "half": {"hide_name": 0, "bits": [6, 3], "attributes": {}},
                "$auto$1": {"hide_name": 1, "bits": [5], "attributes": {}},
            },
        }}});
        let signals = signals(&Netlist::read(&text.to_string()).unwrap());
        assert_eq!(signals.registers, ["cell[0].u.q"]);
        assert_eq!(signals.memories, ["u.words"]);
        assert_eq!(signals.first_word("u.words"), 4);
        assert_eq!(signals.first_word("other"), 0);
        assert_eq!(signals.clock_inputs, ["clk"]);
        assert_eq!(signals.port("d").map(|port| port.width), Some(2));
        assert_eq!(signals.disorder, None);
        assert_eq!(signals.path("cell[0].u.q"), ["\\cell[0].u", "\\q"]);
        assert_eq!(signals.path("half"), ["\\half"]);
        assert_eq!(plain_path("$auto$1"), ["$auto$1"]);
        assert_eq!(Signals::reference("part[0].u.q"), "part[0].u.q");
        assert_eq!(Signals::reference("a.b-c"), "a.\\b-c ");
        assert_eq!(Signals::identifier("top.x"), "\\top.x ");
        assert_eq!(Signals::identifier("a[0]"), "\\a[0] ");
        assert_eq!(Signals::identifier("clk"), "clk");
        assert_eq!(Signals::reference("cell[1].u"), "\\cell [1].u");
    }
}
