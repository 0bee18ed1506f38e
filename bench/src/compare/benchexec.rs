//! Run definitions and tasks for BenchExec.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::problem::{Kind, Problem, Selection, problems};
use crate::answer::Answer;

/// Arguments of `craig-bench benchexec`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// The folder of the problems, with an `index.csv` where answers are known.
    folder: PathBuf,
    /// The folder for `craig.xml` and the tasks; it is made if it isn't there.
    output: PathBuf,
    /// A run definition for each: `portfolio`, or the name of an engine.
    #[arg(long, value_delimiter = ' ', num_args = 1.., default_value = "portfolio", value_name = "NAME")]
    engines: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    /// Processor seconds for each run.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    limit: u64,
    /// Memory for each run, in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
}

/// What a C program has to satisfy, as SV-COMP writes it.
const UNREACHABLE: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// For programs that state what they have to satisfy by assertions, error functions of other names, or labels: the command knows them.
const ASSERTIONS: &str = "No assertion of the program fails.\n";

/// For circuits, whose file has the properties.
const PROPERTIES: &str = "All properties of the circuit hold.\n";

/// Runs the subcommand.
///
/// # Errors
/// If problems can't be read, files can't be written, or no problem is for BenchExec.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    let problems = problems(&arguments.folder, &arguments.selection)?;
    // A task has all properties of a file, and formulas are not what `craig check` reads.
    let fit = |problem: &&Problem| !matches!(problem.kind, Kind::Live | Kind::Formulas);
    let problems: Vec<&Problem> = problems.iter().filter(fit).collect();
    if problems.is_empty() {
        return Err(io::Error::other(format!(
            "{}: there are no circuits and no C programs",
            arguments.folder.display()
        )));
    }
    let tasks = arguments.output.join("tasks");
    fs::create_dir_all(&tasks)?;
    fs::write(tasks.join("unreach-call.prp"), UNREACHABLE)?;
    fs::write(tasks.join("assertions.prp"), ASSERTIONS)?;
    fs::write(tasks.join("properties.prp"), PROPERTIES)?;
    for (number, problem) in problems.iter().enumerate() {
        let folder = match problem.kind {
            Kind::C => tasks.join("programs"),
            _ => tasks.join("circuits"),
        };
        fs::create_dir_all(&folder)?;
        let name: String = problem.name.chars().map(plain).collect();
        fs::write(
            folder.join(format!("{number:05}-{name}.yml")),
            task(problem)?,
        )?;
    }
    fs::write(
        arguments.output.join("craig.xml"),
        definition(arguments, &problems),
    )
}

fn plain(character: char) -> char {
    match character.is_ascii_alphanumeric() || "._-".contains(character) {
        true => character,
        false => '_',
    }
}

/// A text in YAML.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "''"))
}

/// The definition of a task.
fn task(problem: &Problem) -> io::Result<String> {
    let file = problem.file.canonicalize()?;
    let property = match problem.kind {
        Kind::C if problem.field("error_names") == "reach_error" => "../unreach-call.prp",
        Kind::C => "../assertions.prp",
        _ => "../properties.prp",
    };
    let mut text = format!(
        "format_version: '2.0'\ninput_files: {}\nproperties:\n  - property_file: {property}\n",
        quoted(&file)
    );
    match problem.expected {
        Answer::Good => text += "    expected_verdict: true\n",
        Answer::Bad => text += "    expected_verdict: false\n",
        Answer::Unknown | Answer::Failed => {}
    }
    if problem.kind == Kind::C {
        let model = match problem.field("data_model") {
            "32" => "ILP32",
            _ => "LP64",
        };
        let _ = writeln!(text, "options:\n  language: C\n  data_model: {model}");
        // Other labels are found by their names.
        if let Some(number) = problem.field("error_names").strip_prefix("label:error_") {
            let _ = writeln!(text, "  error_label: error_{number}");
        }
    }
    Ok(text)
}

fn definition(arguments: &Arguments, problems: &[&Problem]) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<!-- Made by `craig-bench benchexec`. The tool-info module is in contrib/benchexec. -->\n\
         <benchmark tool=\"craig_benchexec.craig\" timelimit=\"{} s\" memlimit=\"{} MB\" cpuCores=\"1\">\n  \
         <option name=\"--threads\">1</option>\n",
        arguments.limit, arguments.memory
    );
    for engine in &arguments.engines {
        let _ = match engine.as_str() {
            "portfolio" => writeln!(text, "  <rundefinition name=\"portfolio\"/>"),
            engine => writeln!(
                text,
                "  <rundefinition name=\"{engine}\">\n    <option name=\"--engine\">{engine}</option>\n  </rundefinition>"
            ),
        };
    }
    for (kind, is_of, names) in [
        ("programs", true, &["unreach-call", "assertions"][..]),
        ("circuits", false, &["properties"]),
    ] {
        if problems
            .iter()
            .any(|problem| (problem.kind == Kind::C) == is_of)
        {
            // A set of tasks for each property: of a task with another one, it takes nothing.
            for name in names {
                let _ = writeln!(
                    text,
                    "  <tasks name=\"{kind}-{name}\">\n    <include>tasks/{kind}/*.yml</include>\n    \
                     <propertyfile>tasks/{name}.prp</propertyfile>\n  </tasks>"
                );
            }
        }
    }
    text + "  <columns>\n    <column title=\"engine\">engine</column>\n    <column title=\"depth\">depth</column>\n    \
            <column title=\"certified\">certified</column>\n  </columns>\n</benchmark>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_becomes_tasks_and_run_definitions() {
        let folder = tempfile::tempdir().unwrap();
        let index = "file,expected,data_model,error_names\na.aag,safe,,\nb's.c,unsafe,32,reach_error\nc.cnf,unsat,,\n\
                     d.c,safe,64,label:error_5\n";
        fs::write(folder.path().join("index.csv"), index).unwrap();
        for name in ["a.aag", "b's.c", "c.cnf", "d.c"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let output = folder.path().join("out");
        let arguments = Arguments {
            folder: folder.path().into(),
            output: output.clone(),
            engines: vec!["portfolio".into(), "pdr".into()],
            selection: Selection::default(),
            limit: 10,
            memory: 1000,
        };
        run(&arguments).unwrap();
        let read = |name: &str| fs::read_to_string(output.join(name)).unwrap();
        let circuit = read("tasks/circuits/00000-a.aag.yml");
        assert!(circuit.contains("expected_verdict: true\n"), "{circuit}");
        let program = read("tasks/programs/00001-b_s.c.yml");
        for part in [
            "b''s.c'",
            "expected_verdict: false",
            "data_model: ILP32",
            "../unreach-call.prp",
        ] {
            assert!(program.contains(part), "{program}");
        }
        let program = read("tasks/programs/00002-d.c.yml");
        for part in [
            "../assertions.prp",
            "error_label: error_5\n",
            "verdict: true",
        ] {
            assert!(program.contains(part), "{program}");
        }
        let definition = read("craig.xml");
        for part in [
            "<option name=\"--engine\">pdr</option>",
            "tasks/circuits/*.yml",
            "tasks/assertions.prp",
            "timelimit=\"10 s\"",
        ] {
            assert!(definition.contains(part), "{definition}");
        }
    }
}
