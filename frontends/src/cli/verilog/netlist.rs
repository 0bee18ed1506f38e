//! What is read of the netlist that `yosys` writes in JSON: formal cells, instances of black boxes, clocks.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

/// What a formal cell states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Statement {
    /// Always, if enabled.
    Assert,
    /// The rest is about runs on which this always holds.
    Assume,
    /// Each time it is enabled, it holds then or later.
    Live,
    /// The rest is about runs on which, each time it is enabled, it holds then or later.
    Fair,
    /// It holds once.
    Cover,
}

impl Statement {
    /// All, with the cells that have them.
    pub(super) const ALL: [(Self, &'static str); 5] = [
        (Self::Assert, "assert"),
        (Self::Assume, "assume"),
        (Self::Live, "live"),
        (Self::Fair, "fair"),
        (Self::Cover, "cover"),
    ];

    /// Its name in the types of cells.
    pub(super) fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(other, _)| *other == self);
        found.map_or("", |(_, name)| name)
    }

    fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, other)| *other == name);
        found.map(|&(statement, _)| statement)
    }
}

/// A formal cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormalCell {
    /// Its name.
    pub(super) name: String,
    /// What it states.
    pub(super) statement: Statement,
    /// Where it stands in the source.
    pub(super) source: String,
    /// Whether registers that are not in the source sample it at the edge of a clock.
    pub(super) is_sampled: bool,
}

/// What a step of the circuit is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OnlyClock {
    /// The rising edges of this input are all that changes the state.
    Input(String),
    /// There is no state.
    None,
    /// Neither; the reason.
    Not(String),
}

/// The top module after flattening.
pub(super) struct Netlist {
    module: Value,
    modules: Map<String, Value>,
}

impl Netlist {
    /// Reads the text.
    ///
    /// # Errors
    /// If it is no netlist.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut netlist: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Value::Object(modules) = netlist["modules"].take() else {
            return Err("it has no modules".to_owned());
        };
        let is_top = |module: &&Value| !module["attributes"]["top"].is_null();
        let module = modules.values().find(is_top);
        let module = module.or_else(|| modules.values().next());
        let module = module.ok_or("it has no modules")?.clone();
        Ok(Self { module, modules })
    }

    /// The top module.
    pub(super) fn top(&self) -> &Value {
        &self.module
    }

    /// The name of the top module in the source.
    pub(super) fn top_name(&self) -> String {
        let is_top = |(_, module): &(&String, &Value)| **module == self.module;
        let found = self.modules.iter().find(is_top);
        found.map_or_else(String::new, |(name, _)| self.source_name(name))
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.module["cells"].as_object().into_iter().flatten()
    }

    /// The formal cells.
    ///
    /// # Errors
    /// If one is of a kind that is not known.
    pub(super) fn formal(&self) -> Result<Vec<FormalCell>, String> {
        let mut formal = Vec::new();
        let [signals, enables] = ["_CHECK", "_EN"].map(|ending| self.sampled(ending));
        for (name, cell) in self.cells() {
            let kind = cell["type"].as_str().unwrap_or_default();
            let source = cell["attributes"]["src"].as_str().unwrap_or_default();
            let statement = match kind {
                "$check" => {
                    let flavor = cell["parameters"]["FLAVOR"].as_str().unwrap_or_default();
                    let statement = Statement::named(flavor.trim());
                    Some(statement.ok_or_else(|| {
                        format!("{source}: a check of the kind {flavor:?} is not supported")
                    })?)
                }
                _ => kind.strip_prefix('$').and_then(Statement::named),
            };
            if let Some(statement) = statement {
                formal.push(FormalCell {
                    name: name.clone(),
                    statement,
                    source: source.to_owned(),
                    is_sampled: signals.contains(&cell["connections"]["A"][0])
                        || enables.contains(&cell["connections"]["EN"][0]),
                });
            }
        }
        formal.sort_by(|a: &FormalCell, b: &FormalCell| {
            places(&a.source)
                .cmp(&places(&b.source))
                .then_with(|| a.name.cmp(&b.name))
        });
        Ok(formal)
    }

    /// The bits of the wires that `yosys` makes for statements in processes: their signals, or their enables. Newer versions
    /// make registers for both when they lower a statement with a trigger.
    fn sampled(&self, ending: &str) -> HashSet<&Value> {
        let wires = self.module["netnames"].as_object().into_iter().flatten();
        let wires = wires.filter(|(name, _)| name.contains("$formal$") && name.ends_with(ending));
        let registers = self.cells();
        let registers = registers.filter(|(name, _)| name.contains("$auto$async2sync.cc:"));
        let outputs = registers.map(|(_, cell)| &cell["connections"]["Q"][0]);
        let bits = wires.map(|(_, wire)| &wire["bits"][0]).chain(outputs);
        bits.filter(|bit| bit.is_number()).collect()
    }

    /// Whether a flip-flop takes a value that is no constant at another time than at the edge of its clock.
    pub(super) fn has_asynchronous_loads(&self) -> bool {
        self.cells()
            .any(|(_, cell)| matches!(cell["type"].as_str(), Some("$aldff" | "$aldffe")))
    }

    /// Whether formal cells have their trigger with them, which newer versions of `yosys` lower later.
    pub(super) fn has_checks(&self) -> bool {
        self.cells().any(|(_, cell)| cell["type"] == "$check")
    }

    /// The instances of modules whose content is not known: each with its name and that of the module.
    pub(super) fn black_boxes(&self) -> Vec<(String, String)> {
        let of_module = |kind: &str| !kind.starts_with('$') || kind.starts_with("$paramod");
        let kinds = (self.cells()).filter_map(|(name, cell)| Some((name, cell["type"].as_str()?)));
        let boxes = kinds.filter(|(_, kind)| of_module(kind));
        boxes
            .map(|(name, kind)| (name.clone(), self.source_name(kind)))
            .collect()
    }

    /// The names of the modules in the source.
    pub(super) fn module_names(&self) -> Vec<String> {
        let names = self.modules.keys();
        names.map(|name| self.source_name(name)).collect()
    }

    /// The name that a module has in the source.
    fn source_name(&self, module: &str) -> String {
        let name = self.modules.get(module);
        let name = name.and_then(|module| module["attributes"]["hdlname"].as_str());
        name.unwrap_or(module).trim_start_matches('\\').to_owned()
    }

    /// The input of one bit that this is, if it is one.
    pub(super) fn input_of(&self, bit: &Value) -> Option<&String> {
        let mut ports = self.module["ports"].as_object()?.iter();
        let is_it = |port: &Value| {
            port["direction"] == "input"
                && port["bits"]
                    .as_array()
                    .is_some_and(|it| *it == [bit.clone()])
        };
        ports.find(|(_, port)| is_it(port)).map(|(name, _)| name)
    }

    /// The only clock, if each state changes at its rising edges alone, and nothing else depends on it. Asynchronous
    /// sets and resets are changes at other times, unless `allows_asynchronous`.
    pub(super) fn only_clock(&self, allows_asynchronous: bool) -> OnlyClock {
        let mut clock: Option<&Value> = None;
        let mut has_global = false;
        for (name, cell) in self.cells() {
            let kind = cell["type"].as_str().unwrap_or_default();
            match kind {
                "$dlatch" | "$adlatch" | "$dlatchsr" | "$sr" => {
                    return OnlyClock::Not(format!("{name} is a latch"));
                }
                "$adff" | "$adffe" | "$aldff" | "$aldffe" | "$dffsr" | "$dffsre"
                    if !allows_asynchronous =>
                {
                    return OnlyClock::Not(format!("{name} has an asynchronous input"));
                }
                "$ff" => has_global = true,
                _ => {}
            }
            if Pins::of(cell).any(|pin| !pin.is_rising) {
                return OnlyClock::Not(format!("{name} is not written at a rising edge"));
            }
            for pin in Pins::of(cell) {
                match clock {
                    Some(clock) if clock != pin.bit => {
                        return OnlyClock::Not("there are several clocks".to_owned());
                    }
                    _ => clock = Some(pin.bit),
                }
            }
        }
        let Some(clock) = clock else {
            return OnlyClock::None;
        };
        if has_global {
            return OnlyClock::Not("the global clock is another one".to_owned());
        }
        match self.input_of(clock) {
            Some(_) if self.is_read(clock) => {
                OnlyClock::Not("the clock is read as a signal".to_owned())
            }
            Some(input) => OnlyClock::Input(input.clone()),
            None => OnlyClock::Not("the clock is no input".to_owned()),
        }
    }

    /// Whether a bit is more than a clock: an input of logic, or an output.
    fn is_read(&self, bit: &Value) -> bool {
        let has = |bits: &Value| bits.as_array().is_some_and(|bits| bits.contains(bit));
        let clocks = ["CLK", "WR_CLK", "RD_CLK", "TRG"];
        let of_cell = |cell: &Value| {
            let pins = cell["connections"].as_object().into_iter().flatten();
            pins.filter(|(pin, _)| !clocks.contains(&pin.as_str()))
                .any(|(_, bits)| has(bits))
        };
        let mut ports = self.module["ports"].as_object().into_iter().flatten();
        self.cells().any(|(_, cell)| of_cell(cell))
            || ports.any(|(_, port)| port["direction"] != "input" && has(&port["bits"]))
    }

    /// Checks that each state changes at the rising edge of an input.
    ///
    /// # Errors
    /// The state that does not.
    pub(super) fn check_clock(&self, clock: &str) -> Result<(), String> {
        let port = &self.module["ports"][clock]["bits"][0];
        if port.is_null() {
            return Err(format!(
                "the design has no port {clock:?} that could be its clock"
            ));
        }
        for (name, cell) in self.cells() {
            if Pins::of(cell).any(|pin| !pin.is_rising || pin.bit != port) {
                return Err(format!(
                    "{name} is not written at the rising edge of {clock:?}; with `--multiclock`, all edges of all \
                     clocks are considered"
                ));
            }
        }
        Ok(())
    }

    /// The number of formal cells of each kind.
    pub(super) fn census(cells: &[FormalCell]) -> BTreeMap<Statement, usize> {
        let mut census = BTreeMap::new();
        for cell in cells {
            *census.entry(cell.statement).or_default() += 1;
        }
        census
    }
}

/// The places that a source names, from the instance of the outermost module inwards: file, line and column of each.
fn places(source: &str) -> Vec<(&str, u32, u32)> {
    (source.split('|'))
        .map(|place| {
            let (file, position) = place.rsplit_once(':').unwrap_or((place, ""));
            let begin = position.split('-').next().unwrap_or_default();
            let (line, column) = begin.split_once('.').unwrap_or((begin, "0"));
            let [line, column] = [line, column].map(|number| number.parse().unwrap_or(0));
            (file, line, column)
        })
        .collect()
}

/// A pin for a clock.
pub(super) struct Pin<'a> {
    pub(super) bit: &'a Value,
    pub(super) is_rising: bool,
}

/// The pins for clocks of a cell.
pub(super) struct Pins;

impl Pins {
    pub(super) fn of(cell: &Value) -> impl Iterator<Item = Pin<'_>> {
        let rows = [
            ("CLK", "CLK_POLARITY", ""),
            ("WR_CLK", "WR_CLK_POLARITY", "WR_CLK_ENABLE"),
            ("RD_CLK", "RD_CLK_POLARITY", "RD_CLK_ENABLE"),
            ("TRG", "TRG_POLARITY", "TRG_ENABLE"),
        ];
        rows.into_iter().flat_map(|(pins, polarity, enable)| {
            let bits = cell["connections"][pins].as_array().into_iter().flatten();
            let parameters = &cell["parameters"];
            // A triggered cell has one enable for all of its pins.
            let is_shared = pins == "TRG";
            bits.enumerate().filter_map(move |(index, bit)| {
                let enable_at = if is_shared { 0 } else { index };
                let is_clocked = enable.is_empty() || is_set(&parameters[enable], enable_at);
                let is_rising = is_set(&parameters[polarity], index);
                // A memory's port without a clock is written in every step, which no clock of another is.
                let is_port = pins == "WR_CLK";
                (is_clocked || is_port).then_some(Pin {
                    bit,
                    is_rising: is_rising && is_clocked,
                })
            })
        })
    }
}

/// A bit of a parameter, which is a text of binary digits, the highest first, or a number. What is missing is set.
fn is_set(parameter: &Value, index: usize) -> bool {
    match parameter {
        Value::String(bits) => bits.as_bytes().iter().rev().nth(index) == Some(&b'1'),
        Value::Number(number) => number
            .as_u64()
            .is_some_and(|bits| bits >> index.min(63) & 1 != 0),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn netlist(cells: &Value) -> Netlist {
        let text = json!({"modules": {"top": {
            "attributes": {"top": "1"},
            "ports": {
                "clk": {"direction": "input", "bits": [2]},
                "other": {"direction": "input", "bits": [3]},
                "q": {"direction": "output", "bits": [4]},
            },
            "cells": cells,
        }}});
        Netlist::read(&text.to_string()).unwrap()
    }

    fn flip_flop(kind: &str, pin: u32, polarity: &str) -> Value {
        json!({"type": kind, "parameters": {"CLK_POLARITY": polarity}, "connections": {"CLK": [pin], "Q": [4]}})
    }

    #[test]
    fn other_clocks_are_found() {
        let of = |pin, polarity| netlist(&json!({"register": flip_flop("$dff", pin, polarity)}));
        assert_eq!(of(2, "1").check_clock("clk"), Ok(()));
        let wrong = of(3, "1").check_clock("clk").unwrap_err();
        assert!(wrong.contains("register"), "{wrong}");
        let wrong = of(2, "00000").check_clock("clk").unwrap_err();
        assert!(wrong.contains("rising edge"), "{wrong}");
        let wrong = of(2, "1").check_clock("none").unwrap_err();
        assert!(wrong.contains("no port"), "{wrong}");
    }

    /// A port of a memory without a clock is written in every step.
    #[test]
    fn ports_of_memories_have_clocks() {
        let memory = |enable: &str| {
            netlist(&json!({"m": {
                "type": "$mem_v2",
                "parameters": {"WR_CLK_ENABLE": enable, "WR_CLK_POLARITY": "11", "RD_CLK_ENABLE": "0"},
                "connections": {"WR_CLK": [2, 2], "RD_CLK": ["x"]},
            }}))
        };
        assert_eq!(memory("11").check_clock("clk"), Ok(()));
        assert_eq!(
            memory("11").only_clock(false),
            OnlyClock::Input("clk".to_owned())
        );
        assert!(memory("10").check_clock("clk").is_err());
        assert!(matches!(memory("10").only_clock(false), OnlyClock::Not(_)));
    }

    #[test]
    fn the_only_clock_is_found() {
        let input = |name: &str| OnlyClock::Input(name.to_owned());
        let one = json!({"a": flip_flop("$dff", 3, "1")});
        assert_eq!(netlist(&one).only_clock(false), input("other"));
        assert_eq!(netlist(&json!({})).only_clock(false), OnlyClock::None);
        let several = json!({"a": flip_flop("$dff", 2, "1"), "b": flip_flop("$dff", 3, "1")});
        let falling = json!({"a": flip_flop("$dff", 2, "0")});
        let latch = json!({"a": {"type": "$dlatch"}});
        let read = json!({
            "a": flip_flop("$dff", 2, "1"),
            "b": {"type": "$not", "connections": {"A": [2], "Y": [9]}},
        });
        let global = json!({"a": flip_flop("$dff", 2, "1"), "b": {"type": "$ff"}});
        let derived = json!({"a": flip_flop("$dff", 9, "1")});
        for cells in [several, falling, latch, read, global, derived] {
            let found = netlist(&cells).only_clock(false);
            assert!(matches!(found, OnlyClock::Not(_)), "{cells} {found:?}");
        }
        let asynchronous = netlist(&json!({"a": flip_flop("$adff", 2, "1")}));
        assert!(matches!(asynchronous.only_clock(false), OnlyClock::Not(_)));
        assert_eq!(asynchronous.only_clock(true), input("clk"));
    }

    #[test]
    fn formal_cells_and_black_boxes_are_listed() {
        let text = json!({"modules": {
            "top": {"attributes": {"top": "1"}, "cells": {
                "live": {"type": "$live", "attributes": {"src": "a.sv:3"}},
                "c": {"type": "$check", "parameters": {"FLAVOR": "assume"}, "connections": {"A": [5], "EN": [6]}},
                "u": {"type": "$paramod\\box\\W=4"},
                "n": {"type": "$not"},
            }, "netnames": {"$flatten\\u.$formal$a.sv:3$1_CHECK": {"bits": [5]}, "en": {"bits": [6]}}},
            "$paramod\\box\\W=4": {"attributes": {"hdlname": "\\box"}},
        }});
        let netlist = Netlist::read(&text.to_string()).unwrap();
        let formal = netlist.formal().unwrap();
        let kinds: Vec<(&str, Statement)> = formal
            .iter()
            .map(|cell| (&*cell.name, cell.statement))
            .collect();
        assert_eq!(kinds, [("c", Statement::Assume), ("live", Statement::Live)]);
        assert!(places("a.sv:9.1-9.5|b.sv:3.2") < places("a.sv:10.1-10.5"));
        assert!(places("a.sv:9.12-9.15") > places("a.sv:9.2-9.5"));
        let sampled: Vec<bool> = formal.iter().map(|cell| cell.is_sampled).collect();
        assert_eq!(sampled, [true, false]);
        assert_eq!(netlist.black_boxes(), [("u".to_owned(), "box".to_owned())]);
        let text = text.to_string().replace("\"assume\"", "\"other\"");
        assert!(Netlist::read(&text).unwrap().formal().is_err());
    }

    /// Newer versions of `yosys` make registers without names of the source.
    #[test]
    fn registers_that_sample_statements_are_found() {
        let statement =
            |bit: u32| json!({"type": "$assert", "connections": {"A": [bit], "EN": ["1"]}});
        let netlist = netlist(&json!({
            "first": statement(5),
            "second": statement(6),
            "$auto$async2sync.cc:116:execute$14":
                {"type": "$dff", "connections": {"CLK": [2], "D": [4], "Q": [5]}},
            "$auto$async2sync.cc:111:execute$13":
                {"type": "$dff", "connections": {"CLK": [2], "D": [], "Q": []}},
            "register": flip_flop("$dff", 2, "1"),
        }));
        let formal = netlist.formal().unwrap();
        let sampled: Vec<bool> = formal.iter().map(|cell| cell.is_sampled).collect();
        assert_eq!(sampled, [true, false]);
    }
}
