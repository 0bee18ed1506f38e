//! A C file that reproduces an error: the program, with functions that return the input values.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use craig_c_exec::concrete::error_path::PathStep;
use craig_c_exec::concrete::interpret::AllocatedMemory;
use craig_c_lang::given_text::source_bytes;
use craig_c_lang::ir::{CheckKind, Convention, Role};
use craig_c_lang::lower::is_same_file;
use craig_c_lang::source::{LinkedFile, Preprocessing};
use craig_c_lang::types::DataModel;

/// The beginning of names of functions that the object file knows by the rest of the name.
const RENAMED: &str = "craig_driver_";

/// The linker's option that lets the driver give contents to memory of the heap.
const WRAP: &str = "-Wl,--wrap=malloc";

/// A test driver.
#[derive(Clone, Debug)]
pub struct TestDriver {
    /// The C file.
    pub text: String,
    /// How it is compiled.
    pub compilation: Compilation,
    /// The other files of the program, each compiled by itself and linked with the driver.
    pub others: Vec<(PathBuf, Compilation)>,
    /// What the driver cannot reproduce.
    pub limits: Vec<String>,
}

/// How a file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compilation {
    /// The compiler's working directory, if it is not the current one.
    pub directory: Option<PathBuf>,
    /// The compiler's flags in addition to the files.
    pub flags: Vec<String>,
}

/// An error of a program, with what the program is made of.
#[derive(Clone, Copy, Debug)]
pub struct Failing<'a> {
    /// The file.
    pub file: &'a Path,
    /// What its preprocessor is told.
    pub preprocessing: &'a Preprocessing,
    /// The other files of the program.
    pub linked: &'a [LinkedFile],
    /// The machine.
    pub model: DataModel,
    /// The function in which the program starts.
    pub entry: &'a str,
    /// What happens at the end of the path.
    pub error: &'a str,
    /// The path; the last step is the error.
    pub path: &'a [PathStep],
    /// The functions with a conventional meaning in the program.
    pub conventions: &'a BTreeMap<String, Convention>,
}

/// Creates a driver for an unsafe program.
///
/// # Errors
/// If a driver is impossible, for the reason in the message.
pub fn test_driver(failing: &Failing<'_>) -> Result<TestDriver, String> {
    let Failing {
        error,
        path,
        conventions,
        ..
    } = *failing;
    if failing.entry != "main" {
        return Err(format!(
            "the program starts in `{}`, a compiled one in `main`",
            failing.entry
        ));
    }
    let Parts {
        file,
        preprocessing,
        others,
    } = parts(failing);
    let bytes = source_bytes(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let source = String::from_utf8_lossy(&bytes);
    let mut limits = Vec::new();
    let values = chosen_values(failing, &mut limits);
    let (source, unset) = with_initialisers(&marked(&source, file, error, path.last()), file, path);
    limits.extend(unset);
    for step in path.iter().filter(|step| step.is_open) {
        limits.push(format!("not set: {}", step.text));
    }
    let (before, mut after) = definitions(conventions, values, !others.is_empty(), &mut limits);
    let blocks: Vec<&AllocatedMemory> = path.iter().flat_map(|step| &step.allocated).collect();
    if !blocks.is_empty() {
        after.push_str(&allocator(&blocks));
    }
    limits.sort_unstable();
    limits.dedup();
    let compilation = |file: &Path, preprocessing: &Preprocessing| Compilation {
        directory: preprocessing.directory.clone(),
        flags: flags(file, preprocessing, failing.model, error),
    };
    let others: Vec<(PathBuf, Compilation)> = others
        .iter()
        .map(|(path, preprocessing)| (path.to_path_buf(), compilation(path, preprocessing)))
        .collect();
    let mut compilation = compilation(file, preprocessing);
    if !blocks.is_empty() {
        compilation.flags.push(WRAP.into());
    }
    let mut text = format!(
        "/* {}: {}.\n{}\n   ends in the error.",
        comment(&file.display().to_string()),
        comment(error),
        comment(&commands(&compilation, &others))
    );
    for limit in &limits {
        let _ = write!(text, "\n   Beware: {}.", comment(limit));
    }
    text.push_str(" */\n");
    text.push_str(&before);
    let _ = writeln!(text, "#line 1 \"{}\"", file.display());
    text.push_str(&source);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = writeln!(text, "#line 1 \"driver\"{after}");
    Ok(TestDriver {
        text,
        compilation,
        others,
        limits,
    })
}

/// The file that the driver includes, and those that are compiled separately.
struct Parts<'a> {
    file: &'a Path,
    preprocessing: &'a Preprocessing,
    others: Vec<(&'a Path, &'a Preprocessing)>,
}

/// The driver includes the file with the error.
fn parts<'a>(failing: &Failing<'a>) -> Parts<'a> {
    let linked = failing.linked.iter();
    let linked = linked.map(|file| (file.path.as_path(), &file.preprocessing));
    let mut others: Vec<(&Path, &Preprocessing)> = linked.collect();
    let (mut file, mut preprocessing) = (failing.file, failing.preprocessing);
    if let Some(end) = failing.path.last() {
        let is_end = |path: &Path| is_same_file(&end.file, &path.display().to_string());
        if !is_end(file)
            && let Some(other) = others.iter_mut().find(|other| is_end(other.0))
        {
            std::mem::swap(&mut other.0, &mut file);
            std::mem::swap(&mut other.1, &mut preprocessing);
        }
    }
    Parts {
        file,
        preprocessing,
        others,
    }
}

/// The values that functions with a conventional meaning return on the path, in their order, by function.
fn chosen_values<'a>(
    failing: &Failing<'a>,
    limits: &mut Vec<String>,
) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for chosen in failing.path.iter().filter_map(|step| step.chosen.as_ref()) {
        match &chosen.function {
            Some(name) if failing.conventions.contains_key(name) => {
                values.entry(name).or_default().push(&chosen.literal);
            }
            Some(name) => limits.push(format!("what `{name}` gives is not set")),
            None => {}
        }
    }
    values
}

/// The definitions of the functions with a conventional meaning: what stands before the program's text, and after it.
fn definitions(
    conventions: &BTreeMap<String, Convention>,
    mut values: BTreeMap<&str, Vec<&str>>,
    has_others: bool,
    limits: &mut Vec<String>,
) -> (String, String) {
    let (mut before, mut after) = (String::new(), String::new());
    for (name, convention) in conventions {
        let Some(head) = &convention.head else {
            limits.push(format!("`{name}` is not defined: its type has no name"));
            continue;
        };
        let values = values.remove(name.as_str()).unwrap_or_default();
        let body = body(convention.role, head, &values);
        if convention.is_declared && head.contains('*') {
            // What pointers lead to may be qualified in the declaration, so that another definition of this name
            // would not be compatible. It has another name in C, and this one in the object file.
            let head = head.replacen(&format!("{name}("), &format!("{RENAMED}{name}("), 1);
            let _ = writeln!(after, "\n{head} __asm__(\"{name}\");\n{head}\n{{\n{body}}}");
            continue;
        }
        // Another file may be the one that declares it.
        if !convention.is_declared || has_others {
            let _ = writeln!(before, "{head};");
        }
        let _ = writeln!(after, "\n{head}\n{{\n{body}}}");
    }
    (before, after)
}

/// Blocks of memory that get contents, at most; later ones are 0.
const MAX_BLOCKS: usize = 10_000;

/// The definition of what calls of `malloc` become with [`WRAP`]: the memory is 0, but for the bytes that the path
/// has chosen. A block is that of the next allocation of its size, so that those of other functions (`realloc`) may
/// be missing.
fn allocator(blocks: &[&AllocatedMemory]) -> String {
    let mut sizes = String::new();
    let mut bytes = String::new();
    for (number, block) in blocks.iter().take(MAX_BLOCKS).enumerate() {
        let _ = write!(sizes, "{}, ", block.size);
        for (offset, byte) in &block.bytes {
            let _ = write!(bytes, "{{{number}, {offset}, {byte}}}, ");
        }
    }
    let n = blocks.len().min(MAX_BLOCKS);
    format!(
        "\nextern void *__real_malloc(__SIZE_TYPE__) __attribute__((weak));\n\
         void *__wrap_malloc(__SIZE_TYPE__ size)\n{{\n\
         \x20 static const __SIZE_TYPE__ sizes[] = {{{sizes}0}};\n\
         \x20 static const __SIZE_TYPE__ bytes[][3] = {{{bytes}{{{n}, 0, 0}}}};\n\
         \x20 static __SIZE_TYPE__ next, byte;\n\
         \x20 unsigned char *memory = __real_malloc(size);\n\
         \x20 if (!memory)\n    return memory;\n\
         \x20 __builtin_memset(memory, 0, size);\n\
         \x20 __SIZE_TYPE__ block = next;\n\
         \x20 while (block < {n} && sizes[block] != size)\n    block++;\n\
         \x20 if (block == {n})\n    return memory;\n\
         \x20 next = block + 1;\n\
         \x20 for (; bytes[byte][0] <= block && bytes[byte][0] < {n}; byte++)\n\
         \x20   if (bytes[byte][0] == block)\n      memory[bytes[byte][1]] = bytes[byte][2];\n\
         \x20 return memory;\n}}\n"
    )
}

/// The shell commands that compile the driver, `THIS_FILE`, with the other files, and run it.
fn commands(own: &Compilation, others: &[(PathBuf, Compilation)]) -> String {
    if own.directory.is_none() && others.iter().all(|(_, other)| other == own) {
        let files = others.iter().map(|(path, _)| path.display().to_string());
        let arguments: Vec<String> = own.flags.iter().cloned().chain(files).collect();
        return format!(
            "   cc {} -o test THIS_FILE -lm && ./test",
            quoted(&arguments)
        );
    }
    let mut text = String::from("   here=$PWD");
    let mut objects = String::new();
    let mut command = |compilation: &Compilation, file: &str, object: &str| {
        let directory = (compilation.directory.as_ref())
            .map(|directory| format!("cd {} && ", quoted(&[directory.display().to_string()])));
        let _ = write!(
            text,
            "\n   ({}cc {} -c -o \"$here\"/{object} {file})",
            directory.unwrap_or_default(),
            quoted(&compilation.flags),
        );
        let _ = write!(objects, " {object}");
    };
    for (index, (path, compilation)) in others.iter().enumerate() {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let file = quoted(&[path.display().to_string()]);
        command(compilation, &file, &format!("part{index}.o"));
    }
    command(own, "\"$here\"/THIS_FILE", "driver.o");
    let linking: Vec<String> = (own.flags.iter())
        .filter(|flag| flag.starts_with("-fsanitize") || *flag == "-m32" || *flag == WRAP)
        .cloned()
        .collect();
    let _ = write!(
        text,
        "\n   cc {}{objects} -lm -o test && ./test",
        quoted(&linking)
    );
    text
}

/// Arguments for a shell.
fn quoted(arguments: &[String]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c);
    let quoted = arguments.iter().map(|argument| {
        if !argument.is_empty() && argument.chars().all(is_plain) {
            return argument.clone();
        }
        format!("'{}'", argument.replace('\'', "'\\''"))
    });
    quoted.collect::<Vec<String>>().join(" ")
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

fn body(role: Role, head: &str, values: &[&str]) -> String {
    match role {
        Role::Error => "  __builtin_abort();\n".into(),
        Role::Assertion => "  if (!p0)\n    __builtin_abort();\n".into(),
        Role::Assumption => "  if (!p0)\n    __builtin_exit(0);\n".into(),
        Role::Input if head.starts_with("void ") && !head.starts_with("void *") => String::new(),
        Role::Input => {
            let mut text = String::from("  static unsigned long call;\n  switch (call++) {\n");
            for (index, value) in values.iter().enumerate() {
                let _ = writeln!(text, "  case {index}:\n    return {value};");
            }
            text + "  default:\n    return 0;\n  }\n"
        }
    }
}

/// The flags of a file of the program, or of a driver in its place.
fn flags(file: &Path, preprocessing: &Preprocessing, model: DataModel, error: &str) -> Vec<String> {
    let mut flags: Vec<String> = vec!["-w".into(), "-g".into()];
    if model == DataModel::Ilp32 {
        flags.push("-m32".into());
    }
    // The machine ignores violations of checks; sanitizers detect them.
    let checks = [
        (CheckKind::Overflow, "undefined"),
        (CheckKind::Shift, "undefined"),
        (CheckKind::NegativeShift, "undefined"),
        (CheckKind::Unreachable, "undefined"),
        (CheckKind::DivisionByZero, "undefined"),
        (CheckKind::Index, "undefined,address"),
        (CheckKind::Outside, "undefined,address"),
        (CheckKind::Null, "undefined,address"),
        (CheckKind::Dangling, "undefined,address"),
        (CheckKind::Constant, "undefined,address"),
        (CheckKind::Overlap, "address"),
        (CheckKind::Free, "address"),
        (CheckKind::Leak, "address,leak"),
    ];
    match checks.iter().find(|(kind, _)| kind.text() == error) {
        Some((_, sanitizers)) => {
            flags.push(format!("-fsanitize={sanitizers}"));
            flags.push("-fno-sanitize-recover=all".into());
            // The sanitizer sees the arguments of a call, not of what the compiler puts in its place.
            if error == CheckKind::Overlap.text() {
                flags.push("-fno-builtin".into());
            }
        }
        // Signed arithmetic wraps, as in the model, unless overflow is checked.
        None => flags.push("-fwrapv".into()),
    }
    // A driver is elsewhere than the file whose text it contains.
    let own = file.parent().filter(|path| !path.as_os_str().is_empty());
    let own = own.unwrap_or(Path::new("."));
    let own = match &preprocessing.directory {
        Some(_) => std::path::absolute(own).unwrap_or_else(|_| own.to_path_buf()),
        None => own.to_path_buf(),
    };
    flags.push(format!("-iquote{}", own.display()));
    flags.extend(preprocessing.arguments());
    flags
}

/// The program's text with an exit at the error mark: a label has no effect by itself, and the program's own
/// function of that name may do anything.
fn marked(source: &str, file: &Path, error: &str, step: Option<&PathStep>) -> String {
    let label = error
        .strip_prefix("the label `")
        .and_then(|rest| rest.strip_suffix("` is reached"));
    let call = error
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix("` is called"));
    let unchanged = || source.to_string();
    let (Some(name), Some(step)) = (label.or(call), step) else {
        return unchanged();
    };
    if !is_same_file(&step.file, &file.display().to_string()) {
        return unchanged();
    }
    let Some((start, line)) = line_of(source, step.line) else {
        return unchanged();
    };
    // A macro before it on the line shifts the columns.
    let own = step.column.saturating_sub(1) as usize;
    let column = match line.get(own..) {
        Some(rest) if rest.starts_with(name) => own,
        _ => match word_in(line, name) {
            Some(column) => column,
            None => return unchanged(),
        },
    };
    let (at, insertion) = if label.is_some() {
        let behind = start + column + name.len();
        match source[behind..].find(':') {
            Some(colon) => (behind + colon + 1, " __builtin_abort();"),
            None => return unchanged(),
        }
    } else {
        (start + column, "__builtin_abort(), ")
    };
    format!("{}{insertion}{}", &source[..at], &source[at..])
}

/// The source with initialisers for variables that have a value on the path without one being assigned; and what is not
/// set as it is on the path.
fn with_initialisers(source: &str, file: &Path, path: &[PathStep]) -> (String, Vec<String>) {
    let mut limits = Vec::new();
    // By line and name: the value, if it is always the same.
    let mut wanted: BTreeMap<(u32, &str), Option<&str>> = BTreeMap::new();
    for step in path {
        let Some(chosen) = step.chosen.as_ref().filter(|own| own.function.is_none()) else {
            continue;
        };
        let Some(name) = &chosen.variable else {
            limits.push("variables without a value are not set".to_string());
            continue;
        };
        let is_here = is_same_file(&step.file, &file.display().to_string());
        let literal = is_here.then_some(chosen.literal.as_str());
        let known = wanted.entry((step.line, name)).or_insert(literal);
        if *known != literal {
            *known = None;
        }
    }
    let mut text = source.to_string();
    for ((line, name), literal) in wanted {
        let place =
            literal.and_then(|literal| Some((end_of_declarator(&text, line, name)?, literal)));
        limits.push(match place {
            Some((at, literal)) => {
                text.insert_str(at, &format!(" = {literal}"));
                format!("`{name}` has its value in line {line} whenever it is declared")
            }
            None => format!("`{name}`, which has no value in line {line}, is not set"),
        });
    }
    (text, limits)
}

/// The end of a name that is declared on a line without an initialiser, as a number and not as a pointer.
fn end_of_declarator(source: &str, line: u32, name: &str) -> Option<usize> {
    let (start, line) = line_of(source, line)?;
    let column = word_in(line, name)?;
    let end = column + name.len();
    let before = line[..column].trim_end().chars().next_back()?;
    let is_declared = before.is_ascii_alphanumeric() || before == '_' || before == ',';
    let is_bare = line[end..].trim_start().starts_with([';', ',']);
    (is_declared && is_bare && !line[..column].contains(['(', '*', '='])).then_some(start + end)
}

/// The first place of a name on a line that is not a part of a longer name.
fn word_in(line: &str, name: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut places = line.match_indices(name).map(|(place, _)| place);
    places.find(|&place| {
        let after = &line[place + name.len()..];
        !is_part(line[..place].chars().next_back()) && !is_part(after.chars().next())
    })
}

/// Where a line starts, and its text.
fn line_of(source: &str, number: u32) -> Option<(usize, &str)> {
    let mut start = 0;
    for (index, line) in source.split_inclusive('\n').enumerate() {
        if index + 1 == number as usize {
            return Some((start, line));
        }
        start += line.len();
    }
    None
}
