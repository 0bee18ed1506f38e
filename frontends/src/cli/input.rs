//! Files that the command reads.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use craig_formula::dimacs::decompress;
use craig_hardware::aiger::{self, AigerModel};
use craig_hardware::blif;
use craig_hardware::btor2::{self, WordCircuit};
use craig_hardware::witness::{self, Witness};
use craig_smt::vmt;

use super::circuits::without_compression;
use super::failure::Failure;
use super::json::note_stdin;

/// The bytes of a file, which may be compressed by gzip or xz; `-` is standard input.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable =
        |error: io::Error| Failure::input(format!("{}: can't be read: {error}", path.display()));
    let mut stdin = Vec::new();
    let input: Box<dyn Read> = if path == Path::new("-") {
        io::stdin().read_to_end(&mut stdin).map_err(unreadable)?;
        note_stdin(&stdin);
        Box::new(stdin.as_slice())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut bytes = Vec::new();
    decompress(input)
        .and_then(|mut input| input.read_to_end(&mut bytes))
        .map_err(unreadable)?;
    Ok(bytes)
}

/// The format of an input whose name does not tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum InputFormat {
    /// A circuit in AIGER, as text.
    Aag,
    /// A circuit in AIGER, in its binary encoding.
    Aig,
    /// A circuit in BTOR2.
    Btor2,
    /// A transition system in VMT-LIB.
    Vmt,
    /// A C program.
    C,
    /// A C program after its preprocessing.
    I,
}

impl InputFormat {
    /// Whether it is that of a C program.
    pub(super) fn is_program(self) -> bool {
        matches!(self, Self::C | Self::I)
    }

    /// What a file in this format begins with, if that is fixed.
    fn magic(self) -> &'static str {
        match self {
            Self::Aag => "aag ",
            Self::Aig => "aig ",
            Self::Btor2 | Self::Vmt | Self::C | Self::I => "",
        }
    }
}

/// A circuit of either kind.
pub(super) enum CircuitInput {
    /// In AIGER.
    Bits(Box<AigerModel>),
    /// In BTOR2, or in VMT-LIB, which becomes that.
    Words(Box<WordCircuit>),
}

/// Languages that are not read, by the extensions of their files.
const FOREIGN: [(&[&str], &str); 9] = [
    (&["cpp", "cc", "cxx", "hpp", "C"], "C++"),
    (&["h"], "a C header by itself"),
    (&["rs"], "Rust"),
    (&["java"], "Java"),
    (&["py"], "Python"),
    (&["vhd", "vhdl"], "VHDL"),
    (&["smv"], "SMV"),
    (
        &["smt2"],
        "a script in SMT-LIB (of transition systems, only VMT-LIB: `--format vmt`)",
    ),
    (&["bench"], "this netlist format"),
];

/// Refuses a file whose name or content shows that it is no circuit.
fn refuse_foreign(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = path.display();
    let extension = without_compression(path).extension();
    let extension = extension
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    let foreign = FOREIGN
        .iter()
        .find(|(extensions, _)| extensions.contains(&extension));
    if let Some((_, language)) = foreign {
        return Err(Failure::input(format!(
            "{name}: {language} is not supported"
        )));
    }
    let is_named = matches!(extension, "aag" | "aig");
    let is_cnf = extension == "cnf" || bytes.starts_with(b"p cnf ");
    if is_cnf {
        return Err(Failure::input(format!(
            "{name}: a formula in DIMACS: `craig sat` decides it"
        )));
    }
    if !is_named && !bytes.starts_with(b"aag ") && !bytes.starts_with(b"aig ") {
        return Err(Failure::input(format!(
            "{name}: expected an AIGER header or a line of BTOR2; designs in Verilog have names that end in .v or .sv, \
             transition systems in VMT-LIB .vmt, C programs .c or .i, or else `--format c`"
        )));
    }
    Ok(())
}

/// Reads a circuit in AIGER or BTOR2.
pub(super) fn read_circuit(path: &Path) -> Result<CircuitInput, Failure> {
    read_circuit_in(path, None)
}

/// Reads a circuit in this format; if none is given, in the one that its name or else its content tells.
pub(super) fn read_circuit_in(
    path: &Path,
    format: Option<InputFormat>,
) -> Result<CircuitInput, Failure> {
    let bytes = read_file(path)?;
    let name = path.display().to_string();
    if let Some(words) = read_words(path, &bytes, format)? {
        return Ok(CircuitInput::Words(Box::new(words)));
    }
    if format.is_none() && is_named(path, "blif") {
        let model = blif::read(&bytes, &name).map_err(Failure::input)?;
        return Ok(CircuitInput::Bits(Box::new(model)));
    }
    match format.map(InputFormat::magic) {
        None => refuse_foreign(path, &bytes)?,
        Some(magic) if bytes.starts_with(magic.as_bytes()) => {}
        Some(magic) => {
            return Err(Failure::input(format!(
                "{name}:1: expected the header of AIGER, which begins with `{}`",
                magic.trim_end()
            )));
        }
    }
    let model = aiger::read(&bytes, &name).map_err(Failure::input)?;
    Ok(CircuitInput::Bits(Box::new(model)))
}

/// The circuit over words in a file that is one: in BTOR2 or VMT-LIB, by the format, or else by its name or content.
///
/// # Errors
/// If the file is malformed.
pub(super) fn read_words(
    path: &Path,
    bytes: &[u8],
    format: Option<InputFormat>,
) -> Result<Option<WordCircuit>, Failure> {
    let name = path.display().to_string();
    let (is_words, is_vmt) = match format {
        Some(format) => (format == InputFormat::Btor2, format == InputFormat::Vmt),
        None => (is_btor2(path, bytes), is_named(path, "vmt")),
    };
    if is_vmt {
        let file = vmt::read(bytes, &name).map_err(Failure::input)?;
        let mut lines = Vec::new();
        btor2::write(&file, &mut lines).map_err(Failure::internal)?;
        return WordCircuit::read(&lines, &name)
            .map(Some)
            .map_err(Failure::internal);
    }
    match is_words {
        true => WordCircuit::read(bytes, &name)
            .map(Some)
            .map_err(Failure::input),
        false => Ok(None),
    }
}

/// Whether a file's name has this extension, before one of compression.
fn is_named(path: &Path, own: &str) -> bool {
    let extension = without_compression(path).extension();
    extension.is_some_and(|it| it == own)
}

/// Reads a circuit as bits.
///
/// # Errors
/// As [`read_circuit`], or if a circuit in BTOR2 is too large as bits.
pub(super) fn read_model(path: &Path) -> Result<AigerModel, Failure> {
    match read_circuit(path)? {
        CircuitInput::Bits(model) => Ok(*model),
        CircuitInput::Words(words) => words.bits().cloned().map_err(Failure::input),
    }
}

/// Reads a trace or a witness circuit for a circuit.
pub(super) fn read_witness(path: &Path, model: &AigerModel) -> Result<Witness, Failure> {
    let bytes = read_file(path)?;
    witness::read(&bytes, &path.display().to_string(), model).map_err(Failure::input)
}

/// Whether a file is in BTOR2: by its name, or if that is not the name of a circuit in AIGER, because its
/// first line that is no comment defines a sort.
pub(super) fn is_btor2(path: &Path, bytes: &[u8]) -> bool {
    let path = without_compression(path);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("btor" | "btor2") => true,
        Some("aag" | "aig") => false,
        _ => {
            let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            let mut lines = lines.filter(|line| !matches!(line.first(), None | Some(b';')));
            let first = lines.next().unwrap_or_default();
            first.split(|&byte| byte == b' ').nth(1) == Some(b"sort")
        }
    }
}
