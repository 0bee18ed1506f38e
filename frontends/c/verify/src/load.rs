//! Reads a C file and lowers it.

use std::path::Path;

use craig_mc::Control;
use craig_model::threads;

use crate::options::Options;
use crate::report::Failure;
use craig_c_exec::symbolic::unwinding::Caps;
use craig_c_files::property_file::PropertyFile;
use craig_c_lang::cover::has_statement;
use craig_c_lang::ir::Program;
use craig_c_lang::library::Library;
use craig_c_lang::lower::{
    Dialect, Fault, LoweringOptions, Marks, lower_text, lower_units, no_entry,
};
use craig_c_lang::parse::parse;
use craig_c_lang::property::{properties, restricted};
use craig_c_lang::property_name::named_properties;
use craig_c_lang::source::{Preprocessing, Source, is_refused, read, refusal};
use craig_c_lang::syntax::TranslationUnit;

/// The stack size of passes that recurse on the nesting of the source.
pub(crate) const STACK_BYTES: usize = 1 << 29;

/// Runs a pass on a thread with this stack size.
pub(crate) fn on_large_stack<T: Send>(
    path: &Path,
    options: &Options,
    control: Control<'_>,
    work: fn(&Path, &Options, Control<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_large_stack(|| work(path, options, control))
}

/// Runs work on a thread with this stack size.
pub(crate) fn with_large_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("c".into())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::Internal(threads::refusal(&error)))?
            .join()
            .unwrap_or_else(|_| Err(Failure::Internal("the C frontend panicked".into())))
    })
}

/// A file of a program, as text and parsed.
pub(crate) type ParsedFile = (Source, TranslationUnit);

/// A file and the files linked with it, with what the preprocessor is told.
fn files<'a>(path: &'a Path, options: &'a Options) -> Vec<(&'a Path, &'a Preprocessing)> {
    let further = options.linked.iter();
    let further = further.map(|file| (file.path.as_path(), &file.preprocessing));
    std::iter::once((path, &options.preprocessing))
        .chain(further)
        .collect()
}

/// Reads and parses a file and the files linked with it. The inner error is that one is not supported.
pub(crate) fn parsed_files(
    path: &Path,
    options: &Options,
) -> Result<Result<Vec<ParsedFile>, String>, Failure> {
    let mut parsed = Vec::new();
    for (path, preprocessing) in files(path, options) {
        let source = read(path, preprocessing, options.model).map_err(Failure::Input)?;
        match parse(&source) {
            Ok(unit) => parsed.push((source, unit)),
            // The compiler need not be called.
            Err(message) if source.unreadable.is_some() => return Err(Failure::Input(message)),
            Err(message) if is_refused(path, preprocessing, options.model) => {
                return Err(Failure::Input(message));
            }
            Err(message) => return Ok(Err(message)),
        }
    }
    Ok(Ok(parsed))
}

/// What the system's compiler says against a program. It is not asked about what is newer than compilers may
/// be, and in CBMC's dialect, functions may be declared with different types, as for goto-cc.
fn refused(parsed: &[ParsedFile], path: &Path, options: &Options) -> Option<String> {
    let files = files(path, options).into_iter().zip(parsed);
    files
        .filter(|(_, (_, unit))| !unit.is_new)
        .find_map(|((path, preprocessing), _)| {
            refusal(path, preprocessing, options.model, |error| {
                // C23 has this; compilers of today may not.
                error.contains("empty scalar initializer")
                    || options.cbmc.dialect == Dialect::Cbmc
                        && error.contains("conflicting types for")
            })
        })
}

/// The message that a program is not supported, or a failure if the compiler rejects it, too.
pub(crate) fn unsupported(fault: Fault, path: &Path, options: &Options) -> Result<String, Failure> {
    match fault {
        Fault::Link(message) => Err(Failure::Input(message)),
        Fault::NoEntry(name) => Err(Failure::Input(format!(
            "{}: {}",
            path.display(),
            no_entry(&name)
        ))),
        Fault::Unsupported(message) => {
            let is_refused = |(path, preprocessing): &(&Path, &Preprocessing)| {
                is_refused(path, preprocessing, options.model)
            };
            if files(path, options).iter().any(is_refused) {
                return Err(Failure::Input(message));
            }
            Ok(message)
        }
    }
}

/// Reads and lowers a file and the files linked with it. The inner error is that the program is not
/// supported.
pub(crate) fn load(path: &Path, options: &Options) -> Result<Result<Program, String>, Failure> {
    let parsed = match parsed_files(path, options)? {
        Ok(parsed) => parsed,
        Err(message) => return Ok(Err(message)),
    };
    if let Some(message) = refused(&parsed, path, options) {
        return Err(Failure::Input(message));
    }
    let library = Library::of(options.model).map_err(Failure::Internal)?;
    for (file, line) in &options.cover {
        let is_there = |(source, unit): &ParsedFile| has_statement(source, unit, file, *line);
        if !parsed.iter().any(is_there) {
            return Err(Failure::Input(format!(
                "{file}:{line}: no statement starts there"
            )));
        }
    }
    let units: Vec<_> = parsed.iter().map(|(source, unit)| (source, unit)).collect();
    let lowered = match lower_units(&units, library, &lowering_options(options), &[]) {
        Ok((program, _)) => {
            Caps::new(&program, &options.unwinding).map_err(Failure::Input)?;
            Ok(program)
        }
        Err(fault) => Err(unsupported(fault, path, options)?),
    };
    match lowered {
        Ok(program) => Ok(Ok(selected(program, options)?)),
        Err(reason) => Ok(Err(reason)),
    }
}

/// The program with the properties of the property file only, if there is one, and with the one that is named.
///
/// # Errors
/// If no property has that name.
fn selected(program: Program, options: &Options) -> Result<Program, Failure> {
    let program = match &options.property_file {
        Some(file) => Program {
            tells_lost: file.is_about_tracking(),
            ..restricted(&program, &|property| file.keeps(property))
        },
        None => program,
    };
    let Some(name) = &options.property_name else {
        return Ok(program);
    };
    let mut named = named_properties(&program).into_iter();
    let Some(wanted) = named.find(|named| named.name == *name) else {
        return Err(Failure::Input(format!(
            "`{name}` is none of the properties that are checked; `--list` shows their names"
        )));
    };
    Ok(restricted(&program, &|property| {
        *property == wanted.property
    }))
}

/// Lowers preprocessed text. The inner error is that the program is not supported.
pub(crate) fn load_text(
    text: &str,
    name: &str,
    options: &Options,
) -> Result<Result<Program, String>, Failure> {
    let program = match lower_text(text, name, &lowering_options(options)) {
        Ok(program) => program,
        Err(reason) => return Ok(Err(reason)),
    };
    Caps::new(&program, &options.unwinding).map_err(Failure::Input)?;
    Ok(Ok(selected(program, options)?))
}

/// Counts the properties of a program in preprocessed text, without checking them.
///
/// # Errors
/// If the program is not supported; the message has the reason.
pub fn count_properties(text: &str, options: &Options) -> Result<usize, String> {
    let lowered = lower_text(text, "text", &lowering_options(options))?;
    Ok(properties(&lowered).len())
}

pub(crate) fn lowering_options(options: &Options) -> LoweringOptions {
    let file = options.property_file.as_ref();
    let marks = match (file, &options.error_name) {
        (Some(file), _) => {
            (file.error_function()).map_or(Marks::None, |name| Marks::Function(name.to_string()))
        }
        (None, Some(name)) => Marks::Named(name.clone()),
        (None, None) => Marks::Customary,
    };
    let mut checks = file.map_or(options.checks, PropertyFile::checks);
    let assumes_no_overflow = options.assume_no_overflow && !checks.overflow;
    checks.overflow |= assumes_no_overflow;
    LoweringOptions {
        model: options.model,
        marks,
        left_shifts_overflow: !assumes_no_overflow,
        entry: options.entry().to_string(),
        checks,
        cover: options.cover.clone(),
        goals: options.goals,
        malloc_may_fail: options.malloc_may_fail,
        unknown_calls: options.unknown_calls,
        nondet_volatile: options.nondet_volatile,
        assumes_no_overflow,
        cbmc: options.cbmc.clone(),
    }
}
