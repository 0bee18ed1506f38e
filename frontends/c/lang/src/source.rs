//! Reading C files: preprocessing, and the origin of each byte of the preprocessed text.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::check_kind::CheckKind;
use crate::check_pragma::{DisabledChecks, disabled_checks, wrong_check_pragma};
use crate::given_text::{Given, given_text, source_bytes};
use crate::ir::Location;
use crate::loop_pragma::{LoopBound, loop_bounds};
use crate::nesting::unreadable;
use crate::pragma_attribute::{PackLimit, pack_limits, unknown_pragma};
use crate::shown_text::ShownText;
use crate::tokens::blank;
use crate::types::DataModel;

/// Preprocessed text with its origin.
pub struct Source {
    /// The text that the preprocessor returned; comments, directives and spliced lines are blanked.
    pub text: String,
    /// The names of the files that it comes from.
    pub files: Vec<String>,
    /// Start of each line of the text, with the file and line that it came from.
    lines: Vec<(usize, u32, u32)>,
    /// The `#pragma pack` limits with the bytes from which they apply.
    packs: Vec<(usize, PackLimit)>,
    /// The checks that `#pragma CPROVER check` switches off, with the bytes from which on it does.
    disabled: Vec<(usize, DisabledChecks)>,
    /// The pragmas before loops that say how many rounds they have, with their bytes.
    bounds: Vec<(usize, LoopBound)>,
    /// The first pragma that is not supported, with its byte.
    pub(crate) unknown_meaning: Option<(usize, String)>,
    /// Of which files messages show text.
    pub(crate) shown: ShownText,
    /// Whether the program is read as C23, in which the elements of UTF-8 literals have no sign (6.4.5p6).
    pub(crate) is_c23: bool,
    /// Why the text cannot be a program, with the byte; the text is empty then.
    pub unreadable: Option<(usize, String)>,
}

/// The options of the preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessing {
    /// Directories of included files (`-I`).
    pub include: Vec<String>,
    /// Macros, as `NAME` or `NAME=VALUE` (`-D`).
    pub define: Vec<String>,
    /// The language standard (`--std`), such as `gnu11`.
    pub standard: Option<String>,
    /// Further arguments of the compiler that affect the preprocessor, in their order.
    pub further: Vec<String>,
    /// The compiler's working directory, to which its arguments are relative.
    pub directory: Option<PathBuf>,
    /// Whether messages show text of all files that are included, not of the file alone that is read (`--trust`).
    pub trust: bool,
}

impl Preprocessing {
    /// Of which files messages about a file show text.
    fn shown(&self, path: &Path) -> ShownText {
        match (self.trust, &self.directory) {
            (true, _) => ShownText::All,
            (false, None) => ShownText::Of(path.display().to_string()),
            // The file was named by a database, not by the user.
            (false, Some(_)) => ShownText::Of(String::new()),
        }
    }

    /// Whether the language standard is C23, under one of its names for gcc; without a name it is an earlier one.
    fn is_c23(&self) -> bool {
        let mut standards = self
            .further
            .iter()
            .filter_map(|argument| argument.strip_prefix("-std="));
        let standard = standards.next_back().or(self.standard.as_deref());
        standard
            .is_some_and(|name| ["c2x", "c23", "gnu2x", "gnu23", "iso9899:2024"].contains(&name))
    }

    /// The compiler's arguments, relative to the directory.
    pub fn arguments(&self) -> impl Iterator<Item = String> {
        let directories = self
            .include
            .iter()
            .map(|directory| format!("-I{directory}"));
        let defines = self.define.iter().map(|define| format!("-D{define}"));
        let standard = (self.standard.iter()).map(|standard| format!("-std={standard}"));
        let further = self.further.iter().cloned();
        directories.chain(defines).chain(standard).chain(further)
    }
}

/// Reads a file, through the system's preprocessor if it has directives.
pub fn read(
    path: &Path,
    preprocessing: &Preprocessing,
    model: DataModel,
) -> Result<Source, String> {
    let bytes = source_bytes(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if bytes.contains(&0) {
        return Err(format!(
            "{}: there is a zero byte in it: it is no text",
            path.display()
        ));
    }
    let raw = decode(&bytes);
    let is_preprocessed = match given_text(path) {
        Some(given) => given.is_preprocessed,
        None => path.extension().is_some_and(|extension| extension == "i"),
    };
    let has_directives = raw.lines().any(|line| {
        let line = line.trim_start();
        line.strip_prefix('#').is_some_and(|rest| {
            let rest = rest.trim_start();
            !rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.starts_with("pragma")
        })
    });
    let wants_macros = !preprocessing.define.is_empty() || !preprocessing.further.is_empty();
    let includes = !is_preprocessed && (has_directives || wants_macros);
    let text = if includes {
        preprocess(path, preprocessing, model)?
    } else {
        raw
    };
    let mut source = Source::new(&text, &path.display().to_string());
    source.is_c23 = preprocessing.is_c23();
    if includes || preprocessing.directory.is_some() {
        source.shown = preprocessing.shown(path);
    }
    Ok(source)
}

/// The offset from a byte that is not part of UTF-8 to its character in Unicode's private use area.
const LOOSE_BYTES: u32 = 0xf700;

/// Decodes UTF-8 with embedded bytes of other encodings: each of these becomes one character, from which
/// `loose_byte` recovers the byte. So do the bytes of such characters themselves.
pub fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let escape = |byte: u8| char::from_u32(LOOSE_BYTES + u32::from(byte)).unwrap_or('?');
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if loose_byte(character).is_some() {
                let mut buffer = [0; 4];
                text.extend(character.encode_utf8(&mut buffer).bytes().map(escape));
            } else {
                text.push(character);
            }
        }
        text.extend(chunk.invalid().iter().map(|&byte| escape(byte)));
    }
    text
}

/// The byte of a character of decoded text, if it is not a character of the source.
pub(crate) fn loose_byte(character: char) -> Option<u8> {
    let byte = u32::from(character).checked_sub(LOOSE_BYTES)?;
    u8::try_from(byte).ok().filter(|byte| !byte.is_ascii())
}

/// The headers that a program is read with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Headers {
    /// Those that the compiler finds.
    Own,
    /// Those of the host for another machine of its family, which differ by macros of the compiler alone.
    Hosts,
}

/// A directory with headers that compilers or C libraries may not have: those that are new in C23, and the only one of glibc that
/// depends on the machine and is absent without its library.
fn further_headers() -> std::io::Result<tempfile::TempDir> {
    let directory = tempfile::Builder::new()
        .prefix("craig-headers-")
        .tempdir()?;
    let path = directory.path();
    std::fs::create_dir(path.join("gnu"))?;
    for (name, text) in [
        ("gnu/stubs-32.h", ""),
        ("stdbit.h", include_str!("headers/stdbit.h")),
        ("stdckdint.h", include_str!("headers/stdckdint.h")),
    ] {
        std::fs::write(path.join(name), text)?;
    }
    Ok(directory)
}

/// The system's compiler on a file, for the machine.
fn compiler(
    what: &[&str],
    path: &Path,
    options: &Preprocessing,
    machine: DataModel,
    headers: Headers,
) -> std::io::Result<Output> {
    let mut command = Command::new("cc");
    // For a text that is not C, the first error suffices; there may be millions.
    command.args(what).args(["-w", "-Wfatal-errors"]);
    command.arg(match machine {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    let further = further_headers()?;
    command.arg("-idirafter").arg(further.path());
    if headers == Headers::Hosts {
        let host = Command::new("cc").arg("-print-multiarch").output()?;
        let host = String::from_utf8_lossy(&host.stdout).trim().to_string();
        command
            .arg("-idirafter")
            .arg(Path::new("/usr/include").join(host));
    }
    command.args(options.arguments());
    if let Some(directory) = &options.directory {
        command.current_dir(directory);
    }
    if let Some(given) = given_text(path) {
        return compile_given(command, &given, path);
    }
    match &options.directory {
        Some(_) => command.arg(std::path::absolute(path)?),
        None => command.arg(path),
    };
    command.stdin(Stdio::null()).output()
}

/// Runs the compiler on a text that was given, by its standard input.
fn compile_given(mut command: Command, given: &Given, path: &Path) -> std::io::Result<Output> {
    let language = match given.is_preprocessed {
        true => "cpp-output",
        false => "c",
    };
    let name = path.display().to_string();
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let folder = std::path::absolute(path)?;
    let folder = folder.parent().unwrap_or(Path::new("/"));
    command
        .arg("-iquote")
        .arg(folder)
        .args(["-x", language, "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let input = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A compiler that ends at an error need not have read all.
            let _ = input.map(|mut input| {
                writeln!(input, "# 1 \"{name}\"")?;
                input.write_all(&given.bytes)
            });
        });
        child.wait_with_output()
    })
}

/// Whether the system's compiler rejects a file; `false` without a compiler.
pub fn is_refused(path: &Path, options: &Preprocessing, model: DataModel) -> bool {
    refusal(path, options, model, |_| false).is_some()
}

/// The first error of the system's compiler about a file, without those that are passed over; `None` without a
/// compiler.
pub fn refusal(
    path: &Path,
    options: &Preprocessing,
    model: DataModel,
    is_passed_over: impl Fn(&str) -> bool,
) -> Option<String> {
    // What newer compilers refuse is a declaration that C once did not need.
    let check = [
        "-fsyntax-only",
        "-Wno-error=implicit-function-declaration",
        "-Wno-error=implicit-int",
        "-Wno-error=int-conversion",
        "-Wno-error=incompatible-pointer-types",
    ];
    let mut first = None;
    for headers in [Headers::Own, Headers::Hosts] {
        let output = compiler(&check, path, options, model, headers).ok()?;
        if output.status.success() {
            return None;
        }
        let message = String::from_utf8_lossy(&output.stderr);
        let mut errors = (message.lines().filter(|line| line.contains("error:"))).peekable();
        let has_errors = errors.peek().is_some();
        let error = errors.find(|error| !is_passed_over(error));
        if has_errors && error.is_none() {
            return None;
        }
        let error = error.unwrap_or("the compiler refuses the file");
        first = Some(match path.extension() {
            // All of its text stands in the file itself, whatever its line markers say.
            Some(extension) if extension == "i" && options.directory.is_none() => error.to_string(),
            _ => options.shown(path).compiler_error(error),
        });
    }
    first
}

fn preprocess(path: &Path, options: &Preprocessing, model: DataModel) -> Result<String, String> {
    let run = |headers| compiler(&["-E", "-D__CRAIG__"], path, options, model, headers);
    let no_compiler = |error: std::io::Error| {
        format!(
            "{}: it has preprocessor directives, and `cc` could not be started ({error}); install a C \
             compiler or give a preprocessed file (.i)",
            path.display()
        )
    };
    let mut output = run(Headers::Own).map_err(no_compiler)?;
    if !output.status.success() {
        // The headers of the other machine are often not installed.
        output = run(Headers::Hosts).map_err(no_compiler)?;
    }
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message
            .lines()
            .find(|line| line.contains("error"))
            .unwrap_or("no message");
        let first = options.shown(path).compiler_error(first);
        return Err(format!("the preprocessor failed: {first}"));
    }
    Ok(decode(&output.stdout))
}

/// A further file of a program.
#[derive(Clone, Debug)]
pub struct LinkedFile {
    /// The file.
    pub path: PathBuf,
    /// For the preprocessor.
    pub preprocessing: Preprocessing,
}

impl Source {
    /// Reads preprocessed text, its line markers included.
    pub fn new(text: &str, name: &str) -> Self {
        let mut files = vec![name.to_string()];
        let mut numbers: HashMap<String, u32> = HashMap::from([(name.to_string(), 0)]);
        let mut lines = Vec::new();
        let (mut start, mut file, mut line) = (0, 0, 1);
        for content in text.split_inclusive('\n') {
            lines.push((start, file, line));
            line += 1;
            if let Some((number, name)) = marker(content) {
                line = number;
                if let Some(name) = name {
                    file = *numbers.entry(name.to_string()).or_insert_with(|| {
                        files.push(name.to_string());
                        files.len() as u32 - 1
                    });
                }
            }
            start += content.len();
        }
        let (blanked, directives) = blank(text);
        if let Some(found) = unreadable(&blanked).or_else(|| wrong_check_pragma(&directives)) {
            return Self {
                text: String::new(),
                files,
                lines,
                packs: Vec::new(),
                disabled: Vec::new(),
                bounds: Vec::new(),
                unknown_meaning: None,
                shown: ShownText::All,
                is_c23: false,
                unreadable: Some(found),
            };
        }
        let unknown_meaning = unknown_pragma(&directives);
        let packs = pack_limits(&directives);
        let disabled = disabled_checks(&directives);
        Self {
            text: String::from_utf8_lossy(&blanked).into_owned(),
            files,
            lines,
            packs,
            disabled,
            bounds: loop_bounds(&directives),
            unknown_meaning,
            shown: ShownText::All,
            is_c23: false,
            unreadable: None,
        }
    }

    /// The largest alignment of members that `#pragma pack` allows at a byte.
    ///
    /// # Errors
    /// If the last such pragma has an unsupported form.
    pub(crate) fn pack_limit(&self, offset: usize) -> Result<Option<u64>, String> {
        let index = self.packs.partition_point(|entry| entry.0 <= offset);
        match index.checked_sub(1).map(|index| self.packs[index].1) {
            None => Ok(None),
            Some(PackLimit::Set(limit)) => Ok(limit),
            Some(PackLimit::Unknown) => Err("a `#pragma pack` of an unknown form".into()),
        }
    }

    /// Whether a `#pragma CPROVER check` says that errors of a kind are not looked for at a byte.
    pub(crate) fn disables(&self, offset: usize, kind: CheckKind) -> bool {
        let index = self.disabled.partition_point(|entry| entry.0 <= offset);
        index > 0 && self.disabled[index - 1].1.contains(kind)
    }

    /// What a pragma says about the loop that starts at a byte: nothing stands between them but other pragmas.
    pub(crate) fn loop_bound(&self, start: usize) -> Option<LoopBound> {
        let index = self.bounds.partition_point(|entry| entry.0 <= start);
        let (line, bound) = self.bounds[..index].last()?;
        let between = self.text.as_bytes().get(*line..start)?;
        (between.iter())
            .all(u8::is_ascii_whitespace)
            .then_some(*bound)
    }

    /// The origin of a byte.
    pub(crate) fn location(&self, offset: usize) -> Location {
        let index = self
            .lines
            .partition_point(|line| line.0 <= offset)
            .saturating_sub(1);
        let &(start, file, line) = self.lines.get(index).unwrap_or(&(0, 0, 1));
        Location {
            file,
            line,
            column: (offset - start.min(offset)) as u32 + 1,
        }
    }
}

/// The line number and file that a line marker (`# 1 "name"`, `#line 1 "name"`) sets.
pub(crate) fn marker(line: &str) -> Option<(u32, Option<&str>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..]
        .trim()
        .strip_prefix('"')
        .and_then(|rest| rest.split('"').next());
    Some((number, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_set_the_place() {
        let source = Source::new("int a;\n# 7 \"b.h\" 1\nint b;\nint c;\n", "a.c");
        let place = |needle: &str| {
            let location = source.location(source.text.find(needle).unwrap());
            (
                source.files[location.file as usize].as_str(),
                location.line,
                location.column,
            )
        };
        assert_eq!(place("int a"), ("a.c", 1, 1));
        assert_eq!(place("int b"), ("b.h", 7, 1));
        assert_eq!(place("c;"), ("b.h", 8, 5));
    }

    /// A text with directives reaches the compiler by its standard input, and keeps its name and lines; files that it
    /// includes are beside the file that it is about.
    #[test]
    fn a_given_text_is_read_in_the_place_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("three.h"), "#define THREE 3\n").unwrap();
        let path = folder.path().join("packed.c.gz");
        let text = b"#include \"three.h\"\n#ifdef MORE\nint a = THREE;\n#endif\n";
        crate::given_text::give_text(&path, text.to_vec(), false);
        let options = Preprocessing {
            define: vec!["MORE".to_owned()],
            ..Preprocessing::default()
        };
        let source = read(&path, &options, DataModel::Lp64).unwrap();
        let place = source.location(source.text.find("int a = 3;").unwrap());
        let name = &source.files[place.file as usize];
        assert_eq!((Path::new(name), place.line), (path.as_path(), 3));
        assert_eq!(source_bytes(&path).unwrap(), text);
        assert!(source_bytes(&folder.path().join("missing.c")).is_err());
    }
}
