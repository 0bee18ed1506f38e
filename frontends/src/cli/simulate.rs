//! `craig simulate`: replays a trace and prints it with the circuit's names.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use craig_certify::certify_lasso;
use craig_hardware::btor2::Btor2;
use craig_hardware::btor2::{evaluate, trace};
use craig_hardware::witness::Witness;
use craig_model::{
    Model,
    simulate::{StepValues, first_bad_step, replay},
};
use serde::Serialize;

use super::circuits::name_of;
use super::dump::{self, Dump, Format, Scope};
use super::failure::Failure;
use super::input::{CircuitInput, read_circuit, read_file, read_witness};
use super::json::print_object;
use super::output::{Output, claim, write_file};
use super::simulate_words;
use super::terminal::print;
use super::waves::{self, Waves};

/// Replay a trace on its circuit and print each step with the circuit's names.
///
/// A run against a justice property is shown as its stem and its loop. A value that the trace leaves open is
/// the latch's reset, or 0. Exit codes: 0 if each property that the
/// trace names fails in the replay, 1 if not, 2 if a file is malformed.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER or BTOR2.
    model: PathBuf,
    /// The trace, in the AIGER witness format; for BTOR2, in that of `btorsim`.
    witness: PathBuf,
    /// Write the signals to a file in VCD.
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Write the signals to a file in FST, GTKWave's compressed format.
    #[arg(long, value_name = "FILE")]
    fst: Option<PathBuf>,
    /// Print one JSON object instead: the value of each signal in each step.
    #[arg(long)]
    json: bool,
}

/// What the replay shows about a property that the trace names.
#[derive(Serialize)]
struct Shown {
    name: String,
    /// Whether it fails in the run.
    shown: bool,
    /// The step in which the bad holds, or in which the loop starts.
    step: Option<usize>,
    #[serde(skip)]
    is_loop: bool,
}

impl Shown {
    fn line(&self) -> String {
        let name = &self.name;
        match (self.is_loop, self.step) {
            (true, Some(step)) => format!("{name} fails in the loop from step {step}\n"),
            (true, None) => format!("{name} does NOT fail in this run\n"),
            (false, Some(step)) => format!("{name} is bad at step {step}\n"),
            (false, None) => format!("{name} does NOT show in this run\n"),
        }
    }

    /// A bad, and the first step in which it holds.
    fn bad(name: String, step: Option<usize>) -> Self {
        Self {
            name,
            shown: step.is_some(),
            step,
            is_loop: false,
        }
    }
}

/// The fields of `craig simulate --json`.
#[derive(Serialize)]
struct Body<'a> {
    properties: &'a [Shown],
    #[serde(flatten)]
    waves: Waves,
}

/// Prints what the replay shows, after `text` about its steps; returns the exit code.
fn tell(
    arguments: &Arguments,
    start: Instant,
    properties: &[Shown],
    text: impl FnOnce() -> String,
    waves: impl FnOnce() -> Waves,
) -> Result<u8, Failure> {
    let code = u8::from(!properties.iter().all(|property| property.shown));
    if arguments.json {
        let word = if code == 0 { "valid" } else { "invalid" };
        let body = Body {
            properties,
            waves: waves(),
        };
        print_object((word, code), start.elapsed().as_secs_f64(), &body)?;
    } else {
        let lines: String = properties.iter().map(Shown::line).collect();
        print(&(text() + &lines));
    }
    Ok(code)
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    let inputs = [arguments.model.as_path(), &arguments.witness];
    let outputs = [
        Output::file("--vcd", arguments.vcd.as_deref()),
        Output::file("--fst", arguments.fst.as_deref()),
    ];
    claim(inputs, &outputs)?;
    let circuit = match read_circuit(&arguments.model)? {
        CircuitInput::Bits(circuit) => *circuit,
        CircuitInput::Words(words) => {
            let bytes = read_file(&arguments.witness)?;
            if bytes.trim_ascii_start().starts_with(b"sat") {
                return run_words(arguments, start, &words.file, &bytes);
            }
            words.bits().map_err(Failure::input)?.clone()
        }
    };
    let Witness::Trace(trace) = read_witness(&arguments.witness, &circuit)? else {
        return Err(Failure::input(format!(
            "{}: this is a witness circuit; only a trace can be replayed",
            arguments.witness.display()
        )));
    };
    let model = &circuit.model;
    let steps = replay(model, &trace.prefix(0, trace.inputs.len()))
        .map_err(|error| Failure::input(format!("{}: {error}", arguments.witness.display())))?;
    // The loop does not depend on the property.
    let lasso = (trace.justice.first()).and_then(|&property| trace.lasso(property, model));
    let loop_start = lasso.map(|lasso| lasso.loop_start);
    let of_justice = |&property: &usize| {
        let lasso = trace.lasso(property, model);
        let lasso = lasso.filter(|lasso| certify_lasso(model, lasso).is_ok());
        Shown {
            name: name_of(&model.names.justice, 'j', property),
            shown: lasso.is_some(),
            step: lasso.map(|lasso| lasso.loop_start),
            is_loop: true,
        }
    };
    let of_bad = |&bad: &usize| {
        let name = name_of(&model.names.bads, 'b', bad);
        Shown::bad(name, first_bad_step(&steps, bad))
    };
    let justice = trace.justice.iter().map(of_justice);
    let shown: Vec<Shown> = justice.chain(trace.bads.iter().map(of_bad)).collect();
    let code = tell(
        arguments,
        start,
        &shown,
        || describe(model, &steps, loop_start),
        || waves::of_bits(model, &steps, loop_start),
    )?;
    let bits = Bits {
        model,
        steps: &steps,
        loop_start,
    };
    write_waves(arguments, &bits)?;
    Ok(code)
}

/// Replays a run over words.
fn run_words(
    arguments: &Arguments,
    start: Instant,
    model: &Btor2,
    bytes: &[u8],
) -> Result<u8, Failure> {
    let name = arguments.witness.display().to_string();
    let run = trace::read(bytes, &name, model).map_err(Failure::input)?;
    let steps = evaluate::replay(model, &run)
        .map_err(|message| Failure::input(format!("{name}: {message}")))?;
    let of_bad = |&bad: &usize| {
        let name = simulate_words::bad_name(model, bad);
        Shown::bad(name, evaluate::first_bad_step(&steps, bad))
    };
    let shown: Vec<Shown> = run.bads.iter().map(of_bad).collect();
    let code = tell(
        arguments,
        start,
        &shown,
        || simulate_words::describe(model, &steps),
        || simulate_words::waves(model, &steps),
    )?;
    write_waves(arguments, &simulate_words::Words::new(model, &steps))?;
    Ok(code)
}

/// A paragraph for each step: all values, then the constraints that fail and the bads that hold. The steps
/// before the loop of a lasso are its stem.
fn describe(model: &Model, steps: &[StepValues], loop_start: Option<usize>) -> String {
    let mut text = String::new();
    for (number, step) in steps.iter().enumerate() {
        let part = match loop_start {
            Some(start) if number == start => ", where the loop starts",
            Some(start) if number > start => " of the loop",
            Some(_) => " of the stem",
            None => "",
        };
        let _ = writeln!(text, "step {number}{part}");
        let mut list = |title: &str, names: &[String], kind: char, values: &[bool]| {
            if !values.is_empty() {
                let _ = write!(text, "  {title:<8}");
                for (index, &value) in values.iter().enumerate() {
                    let _ = write!(text, " {}={}", name_of(names, kind, index), u8::from(value));
                }
                text.push('\n');
            }
        };
        list("latches", &model.names.latches, 'l', &step.latches);
        list("inputs", &model.names.inputs, 'i', &step.inputs);
        for (index, _) in step
            .constraints
            .iter()
            .enumerate()
            .filter(|(_, holds)| !**holds)
        {
            let _ = writeln!(
                text,
                "  violated constraint {}",
                name_of(&model.names.constraints, 'c', index)
            );
        }
        for (index, _) in step.bads.iter().enumerate().filter(|(_, holds)| **holds) {
            let _ = writeln!(text, "  BAD {}", name_of(&model.names.bads, 'b', index));
        }
    }
    text
}

/// Writes the files of waves that are asked for.
fn write_waves(arguments: &Arguments, run: &dyn Dump) -> Result<(), Failure> {
    for (path, format) in [(&arguments.vcd, Format::Vcd), (&arguments.fst, Format::Fst)] {
        if let Some(path) = path {
            write_file(path, |output| dump::write(run, format, output))?;
        }
    }
    Ok(())
}

/// A run of a circuit of bits. For a lasso, a signal `loop` is 1 in the steps of its loop.
pub(super) struct Bits<'a> {
    pub(super) model: &'a Model,
    pub(super) steps: &'a [StepValues],
    pub(super) loop_start: Option<usize>,
}

impl Dump for Bits<'_> {
    fn scopes(&self) -> Vec<Scope> {
        let (model, names) = (self.model, &self.model.names);
        let scope = |name, names: &[String], kind, count: usize| Scope {
            name,
            signals: (0..count)
                .map(|index| (name_of(names, kind, index), 1))
                .collect(),
        };
        let mut scopes = vec![
            scope("latches", &names.latches, 'l', model.latches.len()),
            scope("inputs", &names.inputs, 'i', model.inputs.len()),
            scope(
                "constraints",
                &names.constraints,
                'c',
                model.constraints.len(),
            ),
            scope("bads", &names.bads, 'b', model.bads.len()),
        ];
        if self.loop_start.is_some() {
            let signals = vec![("loop".to_owned(), 1)];
            scopes.push(Scope {
                name: "lasso",
                signals,
            });
        }
        scopes
    }

    fn n_steps(&self) -> usize {
        self.steps.len()
    }

    fn digits(&self, signal: usize, step: usize, digits: &mut Vec<u8>) {
        let values = &self.steps[step];
        let mut rest = signal;
        for list in [
            &values.latches,
            &values.inputs,
            &values.constraints,
            &values.bads,
        ] {
            if let Some(&value) = list.get(rest) {
                return digits.push(b'0' + u8::from(value));
            }
            rest -= list.len();
        }
        let is_in_loop = self.loop_start.is_some_and(|start| step >= start);
        digits.push(b'0' + u8::from(is_in_loop));
    }
}
