//! A testbench in Verilog that replays a run on the design itself, and checks what the circuit says of it: the registers in
//! each step, the assumptions, and at last that the property fails.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use craig_hardware::btor2::evaluate::{Simulator, StepValues};
use craig_hardware::btor2::trace::Trace;
use craig_hardware::btor2::verilog::{Signal, constant, own_register, range, value, wires};
use craig_hardware::btor2::{Argument, Btor2, Kind};
use craig_word::{Sort, Value};

use crate::cli::verilog::{Design, Signals};

/// The name of the design in the testbench.
const DUT: &str = "craig_dut";

/// A register of the design with its values in the run.
struct Register {
    name: String,
    reference: String,
    /// Its value in each step.
    values: Vec<String>,
    /// Its value after the last step, where the circuit has it as a state.
    last: Option<String>,
}

/// A memory of the design with the words that it begins with.
struct Memory {
    reference: String,
    /// What is stored where nothing else is.
    default: String,
    /// The index of the first word in the design.
    first: u128,
    size: u128,
    /// Whether the design gives words their values.
    is_initialised: bool,
    words: Vec<(u128, String)>,
}

/// A run, and what is known of it.
struct Bench<'a> {
    model: &'a Btor2,
    design: &'a Design,
    signals: &'a Signals,
    steps: Vec<StepValues>,
    registers: Vec<Register>,
    memories: Vec<Memory>,
    names: Vec<String>,
    /// The names in the circuit of what is a signal of the design.
    known: HashSet<String>,
    /// The inputs of the circuit that are driven, by number.
    inputs: Vec<(usize, String)>,
}

/// The text of a testbench. `property` is the bad that fails, or is reached, with its name; a run against a justice property
/// has none.
///
/// # Errors
/// Why there is none for this run.
pub(in crate::cli) fn text(
    model: &Btor2,
    run: &Trace,
    property: (Option<Argument>, &str),
    design: &Design,
    signals: &Signals,
) -> Result<String, String> {
    if let Some(reason) = &signals.disorder {
        return Err(format!(
            "{reason}, and a simulator may order changes in another way"
        ));
    }
    let mut bench = Bench {
        model,
        design,
        signals,
        steps: Vec::new(),
        registers: Vec::new(),
        memories: Vec::new(),
        names: model.names(),
        known: (signals.registers.iter().chain(&signals.memories).cloned()).collect(),
        inputs: Vec::new(),
    };
    bench.find_inputs()?;
    bench.replay(run)?;
    bench.write(property.0, property.1)
}

/// A name within a string of Verilog.
fn shown(name: &str) -> String {
    name.replace('%', "%%").replace(['"', '\\'], "'")
}

/// A reference below the design.
fn below(name: &str) -> String {
    format!("{DUT}.{}", Signals::reference(name))
}

impl Bench<'_> {
    /// Finds what drives the circuit.
    fn find_inputs(&mut self) -> Result<(), String> {
        if let Some(port) = (self.signals.ports.iter()).find(|port| port.direction == "inout") {
            return Err(format!(
                "the port {:?} is an input and an output at once",
                port.name
            ));
        }
        for (number, &node) in self.model.inputs.iter().enumerate() {
            let name = &self.names[node as usize];
            let is_port = (self.signals.port(name)).is_some_and(|port| port.direction == "input");
            // Values that the circuit adds are for properties alone.
            if name.is_empty() {
                continue;
            }
            match is_port {
                true => {
                    self.known.insert(name.clone());
                    self.inputs.push((number, name.clone()));
                }
                false => {
                    return Err(format!(
                        "{name:?} has any value, and is no port of the design"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Takes the values of registers and memories.
    fn replay(&mut self, run: &Trace) -> Result<(), String> {
        let model = self.model;
        // A state has its name before the node that repeats it.
        let mut node_of: HashMap<&String, u32> = HashMap::new();
        for (name, node) in self.names.iter().zip(0..) {
            node_of.entry(name).or_insert(node);
        }
        let found = self.signals.registers.iter();
        let found = found.filter_map(|name| Some((name.clone(), *node_of.get(name)?)));
        let found: Vec<(String, u32)> = found.collect();
        self.registers = (found.iter())
            .map(|(name, _)| Register {
                reference: below(name),
                name: name.clone(),
                values: Vec::new(),
                last: None,
            })
            .collect();
        let mut simulator = Simulator::new(model);
        for step in &run.steps {
            self.steps.push(simulator.step(step)?);
            for (register, (_, node)) in self.registers.iter_mut().zip(&found) {
                let value = simulator.argument(Argument::of(*node));
                register.values.push(constant(value.bits()));
            }
        }
        for (register, (_, node)) in self.registers.iter_mut().zip(&found) {
            if let Kind::State(state) = model.nodes[*node as usize].kind
                && let Some(Value::Bits(bits)) = &simulator.coming()[state as usize]
            {
                register.last = Some(constant(bits));
            }
        }
        for (number, state) in model.states.iter().enumerate() {
            let Sort::Array { index, .. } = model.nodes[state.node as usize].sort else {
                continue;
            };
            let name = &self.names[state.node as usize];
            if !self.signals.memories.contains(name) {
                continue;
            }
            let array = self.steps[0].states[number].array();
            let words = array.entries().iter();
            let words = words.map(|(at, word)| (at.to_u128().unwrap_or_default(), constant(word)));
            self.memories.push(Memory {
                reference: below(name),
                default: constant(array.default_element()),
                first: self.signals.first_word(name),
                size: 1 << index.min(64),
                is_initialised: state.init.is_some(),
                words: words.collect(),
            });
        }
        Ok(())
    }

    /// The name of a node as a signal of the design.
    fn signal(&self, node: u32) -> Option<Signal> {
        let name = &self.names[node as usize];
        let is_port = self.signals.port(name).is_some();
        let reference = match is_port {
            true => format!("{DUT}.{}", Signals::identifier(name)),
            false => below(name),
        };
        self.known.contains(name).then_some(Signal {
            name: reference,
            first: self.signals.first_word(name),
        })
    }

    fn write(&self, bad: Option<Argument>, name: &str) -> Result<String, String> {
        let constraints = self.model.constraints.iter().map(|line| line.value);
        let roots: Vec<Argument> = constraints.clone().chain(bad).collect();
        let signal = |node| self.signal(node);
        let wires =
            wires(self.model, roots, &signal).map_err(|what| format!("it depends on {what}"))?;
        let mut text = self.head(name);
        let own: Vec<usize> = wires.own.clone();
        for &state in &own {
            let bits = self.steps[0].states[state].bits();
            let (range, register) = (range(bits.width()), own_register(state));
            let _ = writeln!(text, "  reg {range} {register} = {};", constant(bits));
        }
        text += &wires.text;
        let held: Vec<String> = constraints
            .map(|constraint| format!("({} === 1'b1)", value(constraint)))
            .collect();
        text += "\n  initial begin\n    #1;\n";
        self.write_initial(&mut text);
        for number in 0..self.steps.len() {
            if number > 0 {
                self.write_step(&mut text, number, &own);
            }
            let _ = writeln!(text, "    #1; // step {number}");
            for register in &self.registers {
                write_check(&mut text, number, register, &register.values[number]);
            }
            if !held.is_empty() {
                let _ = writeln!(
                    text,
                    "    if (!({})) begin $display(\"step {number}: an assumption does not hold\"); craig_faults = \
                     craig_faults + 1; end",
                    held.join(" && ")
                );
            }
        }
        self.write_end(&mut text, bad, name);
        Ok(text)
    }

    /// What it is, and the design.
    fn head(&self, name: &str) -> String {
        let files: Vec<String> = (self.design.files.iter())
            .map(|file| file.display().to_string())
            .collect();
        let defines = self.design.define.iter().map(|name| format!(" -D{name}"));
        let folders = self.design.include.iter().map(|it| format!(" -I{it}"));
        let options: String = defines.chain(folders).collect();
        let mut text = format!(
            "// A run of {} steps, for {name}.\n// To replay it, with the name of this file for TB.v:\n//   iverilog -g2012 \
             -gno-assertions{options} -s craig_testbench -o tb TB.v {} && vvp -n tb\n// If registers of the design are within `ifdef FORMAL, add -DFORMAL.\n\
             `timescale 1ns/1ns\nmodule craig_testbench;\n  integer craig_faults = 0;\n",
            self.steps.len(),
            files.join(" ")
        );
        let mut connections = Vec::new();
        for port in &self.signals.ports {
            let name = Signals::identifier(&port.name);
            if port.direction != "input" {
                continue;
            }
            let width = range(port.width as u32);
            let initial = self.initial(&port.name);
            let _ = writeln!(text, "  reg {width} {name} = {initial};");
            connections.push(format!(".{name}({name})"));
        }
        let parameters = self.design.parameters.iter();
        let parameters: Vec<String> = parameters
            .map(|(name, value)| format!(".{name}({value})"))
            .collect();
        let parameters = match parameters.is_empty() {
            true => String::new(),
            false => format!(" #({})", parameters.join(", ")),
        };
        let _ = writeln!(
            text,
            "  {}{parameters} {DUT}({});",
            Signals::identifier(&self.signals.top),
            connections.join(", ")
        );
        text
    }

    /// The value of an input of the design in the first step. A clock whose edges are the steps is 0 between them.
    fn initial(&self, port: &str) -> String {
        let input = self.inputs.iter().find(|(_, name)| name == port);
        match input {
            Some(_) if self.signals.clock.as_deref() == Some(port) => "1'b0".to_owned(),
            Some((number, _)) => constant(self.steps[0].inputs[*number].bits()),
            None => "0".to_owned(),
        }
    }

    /// Gives the registers and memories that the design leaves open the values of the run. A register keeps what it was forced
    /// to, and other signals go back to their drivers.
    fn write_initial(&self, text: &mut String) {
        for register in &self.registers {
            let (name, value) = (&register.reference, &register.values[0]);
            // An element of an array can't be forced.
            let line = match name.ends_with(']') {
                true => format!("{name} = {value};"),
                false => format!("begin force {name} = {value}; #0 release {name}; end"),
            };
            let _ = writeln!(text, "    if ((^{name}) === 1'bx) {line}");
        }
        for memory in &self.memories {
            let name = &memory.reference;
            for (at, word) in &memory.words {
                let element = format!("{name}[{}]", at + memory.first);
                let line = match memory.is_initialised {
                    true => format!("if ((^{element}) === 1'bx) {element} = {word};"),
                    false => format!("{element} = {word};"),
                };
                let _ = writeln!(text, "    {line}");
            }
            if memory.size <= 1 << 16 {
                let _ = writeln!(
                    text,
                    "    for (integer at = {}; at < {}; at = at + 1) if ((^{name}[at]) === 1'bx) {name}[at] = {};",
                    memory.first,
                    memory.first + memory.size,
                    memory.default
                );
            }
        }
    }

    /// Goes from a step to the next one.
    fn write_step(&self, text: &mut String, number: usize, own: &[usize]) {
        for &state in own {
            if let Some(next) = self.model.states[state].next {
                let _ = writeln!(text, "    {} <= {};", own_register(state), value(next));
            }
        }
        match &self.signals.clock {
            Some(clock) => {
                let clock = Signals::identifier(clock);
                let _ = writeln!(text, "    {clock} = 1'b1; #1 {clock} = 1'b0;");
            }
            // What flip-flops take is what was there before the step.
            None => {
                self.write_inputs(text, number, true);
                *text += "    #1;\n";
            }
        }
        self.write_inputs(text, number, false);
    }

    /// Drives the inputs that change: clocks, or others.
    fn write_inputs(&self, text: &mut String, number: usize, are_clocks: bool) {
        for (input, name) in &self.inputs {
            let is_clock = self.signals.clock_inputs.contains(name);
            let [before, now] =
                [number - 1, number].map(|step| self.steps[step].inputs[*input].bits().clone());
            let is_driven = self.signals.clock.as_ref() != Some(name);
            if is_driven && is_clock == are_clocks && before != now {
                let _ = writeln!(
                    text,
                    "    {} = {};",
                    Signals::identifier(name),
                    constant(&now)
                );
            }
        }
    }

    /// The verdict of the testbench.
    fn write_end(&self, text: &mut String, bad: Option<Argument>, name: &str) {
        let (last, name) = (self.steps.len() - 1, shown(name));
        match (bad, &self.signals.clock) {
            (Some(bad), _) => {
                let _ = writeln!(
                    text,
                    "    if ({} !== 1'b1) begin $display(\"step {last}: {name} does not show\"); craig_faults = \
                     craig_faults + 1; end",
                    value(bad)
                );
            }
            (None, Some(clock)) => {
                let clock = Signals::identifier(clock);
                let _ = writeln!(text, "    {clock} = 1'b1; #1; // the end of the loop");
                for register in &self.registers {
                    if let Some(value) = &register.last {
                        write_check(text, last + 1, register, value);
                    }
                }
            }
            (None, None) => {}
        }
        let _ = writeln!(
            text,
            "    if (craig_faults != 0) $fatal(1, \"FAIL: the design does not behave as the run says\");\n    \
             $display(\"PASS: {name} shows in step {last}\");\n    $finish;\n  end\nendmodule"
        );
    }
}

/// Compares a register with its value in the run.
fn write_check(text: &mut String, step: usize, register: &Register, value: &str) {
    let (name, reference) = (shown(&register.name), &register.reference);
    let _ = writeln!(
        text,
        "    if ({reference} !== {value}) begin $display(\"step {step}: {name} is %b, expected {value}\", {reference}); \
         craig_faults = craig_faults + 1; end"
    );
}
