//! `craig certify`: checks evidence.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use craig_c::{Options, Preprocessing, Validation, WitnessFile, validate};
use craig_certify::{
    CertifyError, certify_all, certify_certificate, certify_lasso, certify_live, certify_trace,
};
use craig_hardware::aiger::AigerModel;
use craig_hardware::witness::{TraceFile, Witness};
use craig_mc::Alone;
use craig_model::Certificate;
use serde::Serialize;

use super::certify_words::{certify_run, certify_words};
use super::circuits::{Kind, PropertyId};
use super::failure::Failure;
use super::input::{CircuitInput, InputFormat, is_btor2, read_circuit_in, read_file, read_witness};
use super::json::print_object;
use super::output::remember_inputs;
use super::program_files::{c_files, compilation_database, is_database};
use super::programs::{PropertyChoice, is_c, read_property_file};
use super::terminal::{leave, print};
use super::watch::{End, Limits, parse_seconds, watch};

/// Check a trace or a witness circuit against a circuit, with a solver other than craig's own; or a witness
/// in SV-COMP's format 2.0 against a C program, which may have several files.
///
/// Prints `valid safe`, `valid unsafe (b0 at step 7)` or `INVALID` and the reason. Exit codes: 0 if the
/// evidence is valid, 1 if not, 2 if a file is malformed; 30, after `UNKNOWN`, if the check of a C program is
/// undecided.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The circuit, in AIGER or BTOR2, or the files of a C program (`.c`, `.i`, or a compilation database, `.json`);
    /// and last the trace (AIGER witness format; for BTOR2, that of `btorsim`) or the witness circuit (AIGER; for
    /// BTOR2, over words, or about the circuit of bits that `convert` writes), for a C program the witness in YAML.
    #[arg(value_names = ["MODEL", "WITNESS"], num_args = 2.., required = true)]
    files: Vec<PathBuf>,
    /// The format of the circuit or program, if its name does not tell it.
    #[arg(long, value_name = "FORMAT", visible_alias = "input-format")]
    format: Option<InputFormat>,
    /// The property that a witness circuit has to prove: a bad, counted from 0 (by default, all of them), or `j`
    /// and the number of a justice property. For a C program: a property file of SV-COMP (`.prp`); by default, the property in the witness.
    #[arg(long, value_name = "N|jN|FILE.prp")]
    property: Option<PropertyChoice>,
    /// For a C program: stop after this time.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// For a C program: also search included files in this directory.
    #[arg(short = 'I', value_name = "DIRECTORY")]
    include: Vec<String>,
    /// For a C program: define a macro for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// For a C program: show text of all files in error messages, also of those that the program includes.
    #[arg(long)]
    trust: bool,
    /// Print one JSON object instead.
    #[arg(long)]
    json: bool,
}

/// What the judge says.
enum Judgement {
    Valid(String),
    Invalid(String),
    Unknown(String),
}

/// The fields of `craig certify --json`.
#[derive(Serialize)]
struct Body<'a> {
    /// What the evidence shows.
    shown: Option<&'a str>,
    reason: Option<&'a str>,
}

impl Judgement {
    /// Prints it; returns the exit code.
    fn tell(&self, arguments: &Arguments, start: Instant) -> Result<u8, Failure> {
        let (word, code, text) = match self {
            Self::Valid(text) => ("valid", 0, text),
            Self::Invalid(text) => ("INVALID", 1, text),
            Self::Unknown(text) => ("UNKNOWN", 30, text),
        };
        if !arguments.json {
            print(&format!("{word} {text}\n"));
            return Ok(code);
        }
        let body = match code {
            0 => Body {
                shown: Some(text),
                reason: None,
            },
            _ => Body {
                shown: None,
                reason: Some(text),
            },
        };
        let word = word.to_lowercase();
        print_object((&word, code), start.elapsed().as_secs_f64(), &body)?;
        Ok(code)
    }
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let start = Instant::now();
    remember_inputs(arguments.files.iter().map(PathBuf::as_path));
    judge(arguments)?.tell(arguments, start)
}

fn judge(arguments: &Arguments) -> Result<Judgement, Failure> {
    let Some((witness, models)) = arguments.files.split_last() else {
        return Err(Failure::input("expected a model and a witness"));
    };
    let [model_file] = models else {
        return certify_program(arguments, models, witness);
    };
    let is_program = arguments.format.map_or_else(
        || is_c(model_file) || is_database(model_file),
        InputFormat::is_program,
    );
    if is_program {
        return certify_program(arguments, models, witness);
    }
    for (is_given, option) in [
        (arguments.timeout.is_some(), "--timeout"),
        (!arguments.include.is_empty(), "-I"),
        (!arguments.define.is_empty(), "-D"),
        (arguments.trust, "--trust"),
    ] {
        if is_given {
            return Err(Failure::input(format!(
                "`{option}` is for C programs, and {} is a circuit",
                model_file.display()
            )));
        }
    }
    let property = match &arguments.property {
        Some(PropertyChoice::Number(number)) => Some(*number),
        Some(PropertyChoice::Name(name)) => {
            return Err(Failure::input(format!(
                "`--property {name}`: a circuit's properties have numbers"
            )));
        }
        Some(PropertyChoice::File(path)) => {
            return Err(Failure::input(format!(
                "{}: property files are for C programs; a circuit's properties have numbers",
                path.display()
            )));
        }
        None => None,
    };
    let model = match read_circuit_in(model_file, arguments.format)? {
        CircuitInput::Bits(model) => *model,
        CircuitInput::Words(words) => {
            if let Some(property) = property {
                property.check(&words.bits.model).map_err(Failure::input)?;
            }
            let bytes = read_file(witness)?;
            let name = witness.display().to_string();
            let judgement = if bytes.trim_ascii_start().starts_with(b"sat") {
                Some(certify_run(&words, &bytes, &name, property)?)
            } else if is_btor2(witness, &bytes) {
                Some(certify_words(&words, &bytes, &name, property)?)
            } else {
                None
            };
            if let Some(judgement) = judgement {
                return Ok(match judgement {
                    Ok(text) => Judgement::Valid(text),
                    Err(reason) => Judgement::Invalid(reason),
                });
            }
            words.bits().map_err(Failure::input)?.clone()
        }
    };
    if let Some(property) = property {
        property.check(&model.model).map_err(Failure::input)?;
    }
    let judgement = match read_witness(witness, &model)? {
        Witness::Trace(trace) => certify_trace_of(&model, &trace, property),
        Witness::Certificate(certificate) => certify_invariant(&model, &certificate, property),
        Witness::Liveness(certificate) => {
            let property = justice_property(&model, property)?;
            certify_live(&model, property, &certificate)
                .map(|()| format!("safe (j{property}: the justice property holds)"))
        }
    };
    match judgement {
        Ok(text) => Ok(Judgement::Valid(text)),
        Err(CertifyError::Solver(message)) => Err(Failure::internal(message)),
        Err(error) => Ok(Judgement::Invalid(error.to_string())),
    }
}

/// The number of the property that a witness circuit with justice properties is about.
fn justice_property(model: &AigerModel, property: Option<PropertyId>) -> Result<usize, Failure> {
    match (property, model.model.justice.len()) {
        (
            Some(PropertyId {
                kind: Kind::Justice,
                number,
            }),
            _,
        ) => Ok(number),
        (Some(bad), _) => Err(Failure::input(format!(
            "the witness circuit is about a justice property, not about {bad}"
        ))),
        (None, 1) => Ok(0),
        (None, 0) => Err(Failure::input(
            "the witness circuit is about a justice property, but the circuit has none",
        )),
        (None, n_properties) => Err(Failure::input(format!(
            "the circuit has {n_properties} justice properties, and a witness circuit is about one: \
             expected `--property jN`"
        ))),
    }
}

/// Checks a witness for a C program of these files.
fn certify_program(
    arguments: &Arguments,
    models: &[PathBuf],
    witness: &Path,
) -> Result<Judgement, Failure> {
    let start = Instant::now();
    let limits = Limits::new(start, arguments.timeout, None);
    let property_file = match &arguments.property {
        Some(PropertyChoice::File(path)) => Some(read_property_file(path)?),
        Some(PropertyChoice::Number(_) | PropertyChoice::Name(_)) => {
            return Err(Failure::input(
                "the property of a C program is a property file (`.prp`)",
            ));
        }
        None => None,
    };
    let text = read_file(witness)?;
    let name = witness.display().to_string();
    let witness = WitnessFile::parse(&String::from_utf8_lossy(&text), &name);
    let witness = witness.map_err(Failure::Input)?;
    let preprocessing = Preprocessing {
        include: arguments.include.clone(),
        define: arguments.define.clone(),
        trust: arguments.trust,
        ..Preprocessing::default()
    };
    let mut files = match models {
        [database] if arguments.format.is_none() && is_database(database) => {
            compilation_database(database, &preprocessing, witness.data_model)?
        }
        _ => c_files(models, arguments.format, &preprocessing)?,
    }
    .into_iter();
    let Some(first) = files.next() else {
        return Err(Failure::input("the program has no file"));
    };
    let options = Options {
        model: witness.data_model,
        preprocessing: first.preprocessing,
        linked: files.collect(),
        property_file,
        deadline: limits.deadline,
        ..Options::default()
    };
    let own = Alone::until(limits.stop());
    let (asked, path) = (own.stop.clone(), first.path);
    let end = watch(
        limits,
        move |stop| stop.tell(&asked),
        move || validate(&path, &witness, &options, own.control()),
    )?;
    match end {
        End::Finished(Ok(Validation::Valid(text))) => Ok(Judgement::Valid(text)),
        End::Finished(Ok(Validation::Invalid(reason))) => Ok(Judgement::Invalid(reason)),
        End::Finished(Ok(Validation::Unknown(reason))) => Ok(Judgement::Unknown(reason)),
        End::Finished(Err(craig_c::Failure::Input(message))) => Err(Failure::Input(message)),
        End::Finished(Err(failure)) => Err(Failure::Internal(failure.to_string())),
        End::Abandoned(stop) => {
            let judgement = Judgement::Unknown(stop.reason().to_owned());
            leave(judgement.tell(arguments, start)?);
        }
    }
}

/// Checks a trace for every property that it names.
fn certify_trace_of(
    model: &AigerModel,
    trace: &TraceFile,
    property: Option<PropertyId>,
) -> Result<String, CertifyError> {
    let names = |property: PropertyId| match property.kind {
        Kind::Bad => trace.bads.contains(&property.number),
        Kind::Justice => trace.justice.contains(&property.number),
    };
    if let Some(property) = property
        && !names(property)
    {
        return Err(CertifyError::Shape(format!(
            "the trace does not name property {property}"
        )));
    }
    let mut shown = Vec::new();
    for &bad in &trace.bads {
        let step = certify_trace(model, bad, &trace.prefix(bad, trace.inputs.len()))?;
        shown.push(format!("b{bad} at step {step}"));
    }
    for &property in &trace.justice {
        let lasso = trace.lasso(property, &model.model).ok_or_else(|| {
            let text = "no state is the one after the last step";
            CertifyError::Lasso(text.to_owned())
        })?;
        certify_lasso(model, &lasso)?;
        shown.push(format!(
            "j{property} in the loop from step {}",
            lasso.loop_start
        ));
    }
    Ok(format!("unsafe ({})", shown.join(", ")))
}

fn certify_invariant(
    model: &AigerModel,
    certificate: &Certificate,
    property: Option<PropertyId>,
) -> Result<String, CertifyError> {
    if let Some(property) = property {
        if property.kind == Kind::Justice {
            return Err(CertifyError::Shape(format!(
                "the witness circuit has no justice property, and says nothing about {property}"
            )));
        }
        certify_certificate(model, property.number, certificate)?;
        return Ok(format!("safe ({property})"));
    }
    certify_all(model, certificate)?;
    Ok("safe".to_owned())
}
