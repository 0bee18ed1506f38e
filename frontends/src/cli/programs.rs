//! Functions shared by the subcommands for C programs.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use craig_c::{DataModel, PropertyFile, UnknownCalls, give_text};

use super::circuits::{PropertyId, without_compression};
use super::failure::Failure;
use super::input::{InputFormat, read_file};

/// Whether the file's name is that of a C program, which may be compressed.
pub(super) fn is_c(path: &Path) -> bool {
    (without_compression(path).extension())
        .is_some_and(|extension| extension == "c" || extension == "i")
}

/// The path by which the reader of C programs knows an input. What it can't read by itself is read here: standard input,
/// which has the name `stdin.c`, compressed files, and those that are C by the format that is given.
pub(super) fn c_source(path: &Path, format: Option<InputFormat>) -> Result<PathBuf, Failure> {
    let inner = without_compression(path);
    let is_compressed = inner != path;
    let is_plain = path != Path::new("-") && !is_compressed && format.is_none();
    if is_plain {
        return Ok(path.to_owned());
    }
    let is_preprocessed = match format {
        Some(format) => format == InputFormat::I,
        None => inner.extension().is_some_and(|extension| extension == "i"),
    };
    let name = match path == Path::new("-") {
        true if is_preprocessed => Path::new("stdin.i"),
        true => Path::new("stdin.c"),
        false => path,
    };
    give_text(name, read_file(path)?, is_preprocessed);
    Ok(name.to_owned())
}

/// The value of `--property`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PropertyChoice {
    /// A property of a circuit.
    Number(PropertyId),
    /// A property file of SV-COMP.
    File(PathBuf),
    /// The name of a property of a program, such as `main.assertion.1`.
    Name(String),
}

impl FromStr for PropertyChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) => Ok(Self::Number(number)),
            Err(_) if Path::new(text).extension().is_some_and(|it| it == "prp") => {
                Ok(Self::File(text.into()))
            }
            Err(_) if is_property_name(text) => Ok(Self::Name(text.to_owned())),
            Err(_) => Err(
                "expected a number, `j` and a number, a property file (`.prp`), or a name as `main.assertion.1`"
                    .to_owned(),
            ),
        }
    }
}

/// Whether a text has the form of the name of a program's property: a function, a class and a number.
fn is_property_name(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let is_word = |part: &str| {
        let mut characters = part.chars();
        !part.is_empty() && characters.all(|c| c.is_alphanumeric() || "_-$".contains(c))
    };
    matches!(parts[..], [function, class, number]
        if is_word(function) && is_word(class) && number.parse::<u32>().is_ok())
}

/// Reads a property file of SV-COMP.
pub(super) fn read_property_file(path: &Path) -> Result<PropertyFile, Failure> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::input(format!("{name}: can't be read: {error}")))?;
    PropertyFile::parse(&String::from_utf8_lossy(&bytes), &name).map_err(Failure::Input)
}

/// The machine of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Machine {
    /// x86-64.
    #[default]
    Lp64,
    /// i386.
    Ilp32,
}

/// The effect of a function that has neither body nor model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum UnknownEffect {
    /// It changes all objects reachable from its arguments, except through pointers to `const`.
    Havoc,
    /// It changes nothing (the convention of SV-COMP).
    Pure,
    /// A path that calls it is not supported.
    Refuse,
}

impl UnknownEffect {
    /// For the C reader.
    pub(super) fn of_calls(self) -> UnknownCalls {
        match self {
            Self::Havoc => UnknownCalls::Havoc,
            Self::Pure => UnknownCalls::Pure,
            Self::Refuse => UnknownCalls::Refuse,
        }
    }
}

impl Machine {
    /// The data model of the C reader.
    pub(super) fn data_model(self) -> DataModel {
        match self {
            Self::Lp64 => DataModel::Lp64,
            Self::Ilp32 => DataModel::Ilp32,
        }
    }
}
