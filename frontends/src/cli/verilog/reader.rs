//! How `yosys` reads the files of a design: with its own reader, or with slang, where that is part of it or a plugin.
//!
//! slang reads more of SystemVerilog, carries `bind` out, and refuses what it does not translate, with the exceptions that
//! [`slang_loses`] looks for in its syntax tree.

use serde::Deserialize;

use super::yosys::Yosys;
use super::{Design, lost};
use crate::cli::failure::Failure;

/// What reads the files of a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) enum Frontend {
    /// The reader of `yosys`, and slang for what that one refuses.
    #[default]
    Any,
    /// The reader of `yosys`.
    Yosys,
    /// slang.
    Slang,
}

/// A design that was read: its modules are one, and the files of [`read_by`] are in the folder.
pub(super) struct Source {
    /// The folder.
    pub(super) yosys: Yosys,
    /// The commands that read it.
    pub(super) commands: String,
    /// What is to be told of it.
    pub(super) notes: Vec<String>,
}

/// A reader, with the command that loads it.
#[derive(Clone, Copy)]
enum Reader {
    Own,
    Slang(&'static str),
}

/// Reads a design.
///
/// # Errors
/// If it is rejected, or has what would be lost.
pub(super) fn read(design: &Design) -> Result<Source, Failure> {
    let slang = || slang(design).map(|load| load.map(Reader::Slang));
    match design.frontend {
        Frontend::Slang if design.script.is_none() => match slang()? {
            Some(reader) => read_by(design, reader),
            None => Err(Failure::input(format!(
                "{}: `yosys` has no command `read_slang`, nor a plugin `slang` that has it",
                design.name()
            ))),
        },
        Frontend::Any if design.script.is_none() => {
            let failure = match read_by(design, Reader::Own) {
                Ok(source) => return Ok(source),
                Err(failure) => failure,
            };
            let Ok(Some(reader)) = slang() else {
                return Err(failure);
            };
            let own = failure.message().to_owned();
            let own = own.strip_prefix(&format!("{}: ", design.name()));
            let own = own.unwrap_or(failure.message());
            match read_by(design, reader) {
                Ok(mut source) => {
                    let note = format!("read by slang, as the reader of `yosys` does not: {own}");
                    source.notes.push(note);
                    Ok(source)
                }
                Err(other) => {
                    let message = other.message();
                    Err(Failure::input(format!("{message}; without slang: {own}")))
                }
            }
        }
        _ => read_by(design, Reader::Own),
    }
}

/// The command that loads slang, which is empty if it is part of `yosys`. `None` if it is not there.
fn slang(design: &Design) -> Result<Option<&'static str>, Failure> {
    let mut yosys = Yosys::new(&design.name(), None)?;
    for load in ["", "plugin -i slang; "] {
        let help = yosys.list("help.txt", "help read_slang");
        let has_run = yosys.run(&[&format!("{load}{help}")]).is_ok();
        if has_run && yosys.text("help.txt")?.contains("read_slang [") {
            return Ok(Some(load));
        }
    }
    Ok(None)
}

/// Reads a design, and makes one module of it. Writes `netlist.json`, `design.il`, and in `flat.txt` its statements.
fn read_by(design: &Design, reader: Reader) -> Result<Source, Failure> {
    let name = design.name();
    let fault = |message: String| match message.starts_with(&format!("{name}:")) {
        true => Failure::input(message),
        false => Failure::input(format!("{name}: {message}")),
    };
    let folder = design.script.as_ref().map(|script| script.folder.path());
    let mut yosys = Yosys::new(&name, folder)?;
    let (reading, shown, hierarchy) = match reader {
        Reader::Own => {
            let top = design.top_with_parameters(&mut yosys)?;
            let parameters = design.parameters.as_slice();
            (
                design.reading(false),
                design.reading(true),
                design.hierarchy(top.as_deref(), parameters),
            )
        }
        Reader::Slang(load) => {
            let mut files = design.files.iter().map(|file| file.display().to_string());
            let is_split =
                |name: &String| name.contains(|it: char| it.is_whitespace() || it == '#');
            if let Some(name) = files.find(is_split) {
                return Err(fault(format!("slang can't be given the name {name:?}")));
            }
            let reading = |more| format!("{load}read_slang{more}{}", slang_arguments(design));
            (
                reading(""),
                reading(" --dump-ast"),
                design.hierarchy(design.top.as_deref(), &[]),
            )
        }
    };
    let (flattening, simplification) = (design.flattening(), super::simplification());
    let list = format!("select -list {}", super::FORMAL);
    yosys.run(&[
        &yosys.log("source.txt", &shown),
        &yosys.list("stated.txt", &list),
        &hierarchy,
        &yosys.list("modules.txt", "ls"),
        &yosys.list("instances.txt", "dump t:* t:$* %d t:$paramod* %u"),
        &yosys.list("interfaces.txt", "ls A:is_interface"),
        &flattening,
        &yosys.list("flat.txt", &list),
        &yosys.list("compared.txt", "dump t:$eqx t:$nex"),
        &yosys.list("checked.txt", "check"),
        &simplification,
        &yosys.write("write_json", "netlist.json"),
        &yosys.write("write_rtlil", "design.il"),
    ])?;
    let (instances, interfaces) = (yosys.text("instances.txt")?, yosys.text("interfaces.txt")?);
    if let Some(message) = lost::new_wire(yosys.warnings(), &instances, &interfaces) {
        return Err(fault(message));
    }
    let checked = yosys.text("checked.txt")?;
    if let Some(line) = checked.lines().find(|line| line.contains(super::CONFLICT)) {
        let line = line.trim().trim_start_matches("Warning: ");
        return Err(fault(format!("`yosys` warns: {line}")));
    }
    if let Some(message) = lost::comparison_with_x(&yosys.text("compared.txt")?) {
        return Err(fault(message));
    }
    let is_own = matches!(reader, Reader::Own);
    if !is_own {
        if let Some(warning) = (yosys.warnings().iter()).find(|it| it.contains(UNSYNTHESIZED)) {
            return Err(fault(format!("slang warns: {warning}")));
        }
        slang_loses(yosys.printed(), design).map_err(fault)?;
    }
    let unused = lost::check(design, &yosys, is_own).map_err(fault)?;
    Ok(Source {
        yosys,
        commands: format!("{reading}; {hierarchy}; {flattening}; {simplification}"),
        notes: unused.into_iter().collect(),
    })
}

/// The arguments of `read_slang`. By default, it leaves out what is not for synthesis, where assertions often are.
fn slang_arguments(design: &Design) -> String {
    let mut words = vec![
        "--no-synthesis-define".to_owned(),
        "--no-default-translate-off-format".to_owned(),
        "-D FORMAL=1".to_owned(),
    ];
    words.extend(design.include.iter().map(|folder| format!("-I {folder}")));
    words.extend(design.define.iter().map(|name| format!("-D {name}")));
    words.extend(design.top.iter().map(|top| format!("--top {top}")));
    let parameters = design.parameters.iter();
    words.extend(parameters.map(|(name, value)| format!("-G {name}={value}")));
    let boxes = design.black_boxes.iter();
    words.extend(boxes.map(|name| format!("--blackboxed-module {name}")));
    let files = design.files.iter();
    words.extend(files.map(|file| file.display().to_string()));
    words.iter().map(|word| format!(" {word}")).collect()
}

/// What slang warns of where it passes over a statement, such as `expect`.
const UNSYNTHESIZED: &str = "will not be synthesized";

/// Looks in the syntax tree that slang prints for what it passes over: assertions in `final` blocks, and parameters that no
/// module has.
fn slang_loses(tree: &str, design: &Design) -> Result<(), String> {
    let mut lines = tree.lines().peekable();
    let mut parameters: Vec<&str> = design.parameters.iter().map(|(name, _)| &**name).collect();
    // The depth of the block that is final.
    let mut is_final = None;
    while let Some(line) = lines.next() {
        let depth = line.len() - line.trim_start().len();
        if is_final.is_some_and(|block| depth < block) {
            is_final = None;
        }
        let key = line.trim().trim_end_matches(',');
        match key {
            "\"procedureKind\": \"Final\"" => is_final = Some(depth),
            "\"kind\": \"ImmediateAssertion\"" | "\"kind\": \"ConcurrentAssertion\""
                if is_final.is_some() =>
            {
                return Err("slang passes over an assertion in a `final` block".to_owned());
            }
            _ => {}
        }
        let next = lines.peek().map(|next| next.trim());
        if next.is_some_and(|next| next.starts_with("\"kind\": \"Parameter\"")) {
            parameters.retain(|name| key != format!("\"name\": \"{name}\""));
        }
    }
    match parameters.first() {
        Some(name) => Err(format!("the top module has no parameter {name:?}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::design;
    use super::*;

    const TREE: &str = "{\n  \"name\": \"W\",\n  \"kind\": \"Parameter\",\n  \"members\": [\n    {\n      \
        \"procedureKind\": \"Final\",\n      \"body\": {\n        \"kind\": \"Empty\"\n      }\n    },\n    {\n      \
        \"procedureKind\": \"Always\",\n      \"body\": {\n        \"kind\": \"ImmediateAssertion\",\n      }\n";

    #[test]
    fn what_slang_passes_over_is_found() {
        let mut design = design();
        assert_eq!(slang_loses(TREE, &design), Ok(()));
        let tree = TREE.replace("Empty", "ImmediateAssertion");
        let message = slang_loses(&tree, &design).unwrap_err();
        assert!(message.contains("`final`"), "{message}");
        design.parameters = vec![("W".to_owned(), "3".to_owned())];
        assert_eq!(slang_loses(TREE, &design), Ok(()));
        design.parameters.push(("V".to_owned(), "3".to_owned()));
        let message = slang_loses(TREE, &design).unwrap_err();
        assert!(message.contains("no parameter \"V\""), "{message}");
    }

    #[test]
    fn slang_is_told_what_the_design_is() {
        let design = Design {
            include: vec!["inc".to_owned()],
            define: vec!["N=2".to_owned()],
            top: Some("top".to_owned()),
            parameters: vec![("W".to_owned(), "3".to_owned())],
            black_boxes: vec!["vendor".to_owned()],
            ..design()
        };
        let arguments = slang_arguments(&design);
        let end = " -I inc -D N=2 --top top -G W=3 --blackboxed-module vendor top.sv";
        assert!(arguments.ends_with(end), "{arguments}");
        assert!(arguments.contains(" --no-synthesis-define "), "{arguments}");
    }
}
