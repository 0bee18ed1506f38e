//! The files of a program: those of `--link`, or those of a compilation database (`compile_commands.json`,
//! Clang's "JSON Compilation Database Format Specification").

use std::path::{Path, PathBuf};

use craig_c::{DataModel, LinkedFile, Preprocessing};
use serde::Deserialize;

use super::failure::Failure;
use super::input::InputFormat;
use super::programs::{c_source, is_c};

/// Whether the file's name is that of a compilation database.
pub(super) fn is_database(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json")
}

/// The files of a program that are all compiled alike.
///
/// # Errors
/// If one of them is no C file.
pub(super) fn c_files(
    files: &[PathBuf],
    format: Option<InputFormat>,
    preprocessing: &Preprocessing,
) -> Result<Vec<LinkedFile>, Failure> {
    let linked = |path: &PathBuf| {
        if !format.map_or_else(|| is_c(path), InputFormat::is_program) {
            let name = path.display();
            return Err(Failure::input(format!(
                "{name}: only C files can be linked to a program"
            )));
        }
        Ok(LinkedFile {
            path: c_source(path, format)?,
            preprocessing: preprocessing.clone(),
        })
    };
    files.iter().map(linked).collect()
}

/// An entry of a database: how one file is compiled.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// The files of a compilation database, each with its own arguments for the preprocessor, and then those of
/// the command line.
///
/// # Errors
/// If it is malformed, one of its files is not C, or was compiled for another machine or language variant.
pub(super) fn compilation_database(
    path: &Path,
    preprocessing: &Preprocessing,
    model: DataModel,
) -> Result<Vec<LinkedFile>, Failure> {
    let name = path.display();
    let text = std::fs::read(path)
        .map_err(|error| Failure::input(format!("{name}: can't be read: {error}")))?;
    let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = error.to_string().replace(&place, "");
        Failure::input(format!(
            "{name}:{}:{}: no compilation database: {message}",
            error.line(),
            error.column()
        ))
    })?;
    if entries.is_empty() {
        return Err(Failure::input(format!("{name}: it names no file")));
    }
    let own = path.parent().unwrap_or(Path::new(""));
    let mut seen = Vec::new();
    let mut files = Vec::new();
    for entry in entries {
        let directory = own.join(&entry.directory);
        let file = shown(&directory.join(&entry.file));
        let fault =
            |message: String| Failure::input(format!("{name}: {}: {message}", file.display()));
        if !is_c(&file) {
            return Err(fault("it is no C file".to_owned()));
        }
        let arguments = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => shell_words(&command)
                .ok_or_else(|| fault("its command has a quote without an end".to_owned()))?,
            (None, None) => return Err(fault("it has no `arguments` and no `command`".to_owned())),
        };
        let mut further = preprocessor_arguments(&arguments, model).map_err(fault)?;
        if seen.contains(&(file.clone(), further.clone())) {
            continue;
        }
        seen.push((file.clone(), further.clone()));
        further.extend(command_line(preprocessing));
        files.push(LinkedFile {
            path: file,
            preprocessing: Preprocessing {
                further,
                directory: Some(directory),
                trust: preprocessing.trust,
                ..Preprocessing::default()
            },
        });
    }
    Ok(files)
}

/// The displayed form of a path: below the current directory, relative to it.
fn shown(path: &Path) -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&current).unwrap_or(path).to_owned()
}

/// The preprocessor arguments of the command line. Directories are relative to the current one.
fn command_line(preprocessing: &Preprocessing) -> Vec<String> {
    let directories = preprocessing.include.iter().map(|directory| {
        let absolute = std::path::absolute(directory);
        let absolute =
            absolute.map_or_else(|_| directory.clone(), |path| path.display().to_string());
        format!("-I{absolute}")
    });
    let defines = preprocessing
        .define
        .iter()
        .map(|define| format!("-D{define}"));
    let standard = preprocessing
        .standard
        .iter()
        .map(|standard| format!("-std={standard}"));
    directories.chain(defines).chain(standard).collect()
}

/// The arguments of a compiler on which the preprocessor depends.
///
/// # Errors
/// If one changes the meaning of the program in an unsupported way.
fn preprocessor_arguments(arguments: &[String], model: DataModel) -> Result<Vec<String>, String> {
    /// Arguments with their value in the same or in the next argument.
    const KEPT: [&str; 9] = [
        "-isystem",
        "-iquote",
        "-idirafter",
        "-isysroot",
        "-include",
        "-imacros",
        "-I",
        "-D",
        "-U",
    ];
    const KEPT_ALONE: [&str; 5] = ["-ansi", "-pthread", "-nostdinc", "-undef", "-fno-builtin"];
    /// Ignored together with their values, which are in the next argument.
    const DROPPED: [&str; 15] = [
        "-o",
        "-MF",
        "-MT",
        "-MQ",
        "-x",
        "-L",
        "-l",
        "-T",
        "-u",
        "-z",
        "-e",
        "-B",
        "-Xlinker",
        "-Xassembler",
        "--param",
    ];
    const OTHER_MEANING: [&str; 5] = [
        "-funsigned-char",
        "-fno-signed-char",
        "-fshort-enums",
        "-fshort-wchar",
        "-fpack-struct",
    ];
    let mut kept = Vec::new();
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        let argument = argument.as_str();
        if OTHER_MEANING
            .iter()
            .any(|prefix| argument.starts_with(prefix))
        {
            return Err(format!(
                "it is compiled with `{argument}`, which is not supported"
            ));
        }
        match (argument, model) {
            ("-m32", DataModel::Lp64) => {
                return Err("it is compiled with `-m32`: give `--data-model ilp32`".to_owned());
            }
            ("-m64", DataModel::Ilp32) => {
                return Err("it is compiled with `-m64`: give `--data-model lp64`".to_owned());
            }
            _ => {}
        }
        if KEPT.contains(&argument) {
            kept.push(argument.to_owned());
            let value = rest
                .next()
                .ok_or_else(|| format!("`{argument}` without its value"))?;
            kept.push(value.clone());
        } else if DROPPED.contains(&argument) {
            rest.next();
        } else if KEPT.iter().any(|prefix| argument.starts_with(prefix))
            || KEPT_ALONE.contains(&argument)
            || argument.starts_with("-std=")
        {
            kept.push(argument.to_owned());
        }
    }
    Ok(kept)
}

/// The words of a command by the rules of a POSIX shell, without expansions; `None` if a quote is not closed.
pub(super) fn shell_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), _) if c == open => quote = None,
            (None, '\\') => word.get_or_insert_default().push(chars.next()?),
            (Some('"'), '\\') if matches!(chars.peek(), Some('"' | '\\' | '$' | '`')) => {
                word.get_or_insert_default().push(chars.next()?);
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let split = |text: &str| shell_words(text).map(|words| words.join("|"));
        let text = r#"cc -DNAME=\"a\ b\" '-DX=c d' -D"Y=\"e f\"" "" a.c"#;
        let wanted = r#"cc|-DNAME="a b"|-DX=c d|-DY="e f"||a.c"#;
        assert_eq!(split(text).as_deref(), Some(wanted));
        assert_eq!(split("cc 'a"), None);
        assert_eq!(split("cc \\"), None);
    }

    #[test]
    fn arguments_that_change_the_meaning_are_kept_or_refused() {
        let of = |text: &str, model| preprocessor_arguments(&shell_words(text).unwrap(), model);
        let text = "cc -O2 -Wall -I inc -DX=1 -include a.h -o a.o -MF a.d -std=gnu11 -c a.c";
        let kept = of(text, DataModel::Lp64).unwrap().join(" ");
        assert_eq!(kept, "-I inc -DX=1 -include a.h -std=gnu11");
        assert!(of("cc -m32 a.c", DataModel::Lp64).is_err());
        assert!(of("cc -m32 a.c", DataModel::Ilp32).unwrap().is_empty());
        assert!(of("cc -funsigned-char a.c", DataModel::Lp64).is_err());
        assert!(of("cc a.c -I", DataModel::Lp64).is_err());
    }
}
