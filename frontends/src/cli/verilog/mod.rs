//! Designs in Verilog: `yosys` makes a word-level circuit of them.
//!
//! A step of the circuit is a rising edge of the clock, if the design has one, and nothing else changes its state. Else the
//! script uses `clk2fflogic`: every clock is an input that may change in any step, and a flip-flop is written where its
//! clock rises or falls. What the design states is counted in its netlist, and has its line in the circuit, or is an error.

mod lost;
mod netlist;
mod properties;
mod reader;
mod signals;
mod yosys;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::failure::Failure;
use netlist::{FormalCell, Netlist, OnlyClock, Statement};
pub(super) use properties::{Question, Reset};
pub(super) use reader::Frontend;
use reader::Source;
pub(super) use signals::{Signals, plain_path};
use yosys::Yosys;

/// A design as text in BTOR2, and the command that made it.
pub(super) struct Elaborated {
    /// The circuit. The symbols of its bads have the lines of the assertions.
    pub(super) text: String,
    /// What was run.
    pub(super) command: String,
    /// The warnings of `yosys`, and what is not decided.
    pub(super) notes: Vec<String>,
    /// The names by which runs and proofs are told outside.
    pub(super) signals: Signals,
    /// For each bad of the circuit, whether it stands in a process, where registers of `yosys` would show it one step later.
    pub(super) is_sampled: Vec<bool>,
}

/// Whether the file's name is that of a design in Verilog.
pub(super) fn is_verilog(path: &Path) -> bool {
    matches!(
        path.extension().and_then(|it| it.to_str()),
        Some("v" | "sv")
    )
}

/// Where the circuit of a design is written: beside the evidence about it.
pub(super) fn beside(witness: &Path) -> PathBuf {
    witness.with_extension("model.btor2")
}

/// What a step is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Clocking {
    /// A rising edge of the only clock; without one, as [`Clocking::Any`].
    #[default]
    Only,
    /// A rising edge of this input.
    Input(String),
    /// A change of inputs, of which clocks are some.
    Any,
    /// An edge of all clocks at once, and what is asynchronous counts at these edges.
    All,
}

/// A script of `yosys` that reads a design, and marks its top module.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) path: PathBuf,
    /// The folder in which it runs; it is removed in the end.
    pub(super) folder: Arc<TempDir>,
}

/// A design, and how it is read.
#[derive(Clone, Debug)]
pub(super) struct Design {
    /// The files, in this order.
    pub(super) files: Vec<PathBuf>,
    /// The folders of included files.
    pub(super) include: Vec<String>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub(super) define: Vec<String>,
    /// The top module; by default, `yosys` finds it.
    pub(super) top: Option<String>,
    /// Parameters of the top module, and their values.
    pub(super) parameters: Vec<(String, String)>,
    /// Modules whose outputs have any values.
    pub(super) black_boxes: Vec<String>,
    /// What a step is.
    pub(super) clocking: Clocking,
    /// What is active in the first steps.
    pub(super) reset: Option<Reset>,
    /// What is asked.
    pub(super) question: Question,
    /// Whether a warning is an error.
    pub(super) is_strict: bool,
    /// What reads the files.
    pub(super) frontend: Frontend,
    /// What reads it, in the place of the files.
    pub(super) script: Option<Script>,
}

impl Design {
    /// Its name in messages.
    fn name(&self) -> String {
        let first = self.files.first();
        first.map_or_else(
            || "the design".to_owned(),
            |file| file.display().to_string(),
        )
    }

    /// The commands that read the files; with `dumps`, their text is among the messages, as far as there are files. In the
    /// scripts of `yosys`, only names of files may be quoted.
    fn reading(&self, dumps: bool) -> String {
        if let Some(script) = &self.script {
            return format!("script {}", script.path.display());
        }
        let folders = self.include.iter().map(|folder| format!(" -I{folder}"));
        let macros = self.define.iter().map(|name| format!(" -D{name}"));
        let files = self
            .files
            .iter()
            .map(|file| format!(" \"{}\"", file.display()));
        let arguments: String = folders.chain(macros).chain(files).collect();
        let dump = if dumps { " -ppdump" } else { "" };
        format!("read_verilog -sv -formal{dump}{arguments}")
    }

    /// The command that finds the modules below the top module, which is `top`, or the one that `yosys` finds.
    fn hierarchy(&self, top: Option<&str>, parameters: &[(String, String)]) -> String {
        let top = match top {
            Some(top) => format!("-top {top}"),
            None => "-auto-top".to_owned(),
        };
        let parameters = parameters.iter();
        let parameters = parameters.map(|(name, value)| format!(" -chparam {name} {value}"));
        format!("hierarchy -check {top}{}", parameters.collect::<String>())
    }

    /// The commands that make one module of the design.
    fn flattening(&self) -> String {
        let names = self.black_boxes.iter();
        let boxes = names.map(|name| format!("blackbox ={name} =A:hdlname=\\{name}; "));
        // A module that keeps its place in the hierarchy would keep its assertions.
        format!(
            "setattr -mod -unset keep_hierarchy; setattr -unset keep_hierarchy; {}proc; flatten",
            boxes.collect::<String>()
        )
    }

    /// The top module, if parameters of it are given: `yosys` sets those of a module that is named, and of no other.
    fn top_with_parameters(&self, yosys: &mut Yosys) -> Result<Option<String>, Failure> {
        if self.top.is_some() || self.parameters.is_empty() {
            return Ok(self.top.clone());
        }
        yosys.run(&[
            &self.reading(false),
            "hierarchy -auto-top",
            &yosys.list("top.txt", "ls A:top"),
        ])?;
        let listed = yosys.text("top.txt")?;
        let mut names = listed.lines().map(str::trim);
        match names.find(|name| !name.is_empty() && !name.ends_with(':')) {
            Some(top) => Ok(Some(top.to_owned())),
            None => Err(Failure::input(format!(
                "{}: `yosys` finds no top module whose parameters could be set: `--top` names it",
                self.name()
            ))),
        }
    }

    /// Refuses names that the script can't contain.
    fn check_names(&self) -> Result<(), Failure> {
        let parameters = self
            .parameters
            .iter()
            .flat_map(|(name, value)| [name, value]);
        let unquoted = self.top.iter().chain(&self.include).chain(&self.define);
        let mut unquoted = unquoted.chain(&self.black_boxes).chain(parameters);
        let is_wrong = |name: &str| name.is_empty() || name.contains(['"', '\\', ';', '\n']);
        let is_split = |name: &str| name.contains(|it: char| it.is_whitespace() || it == '#');
        let files = self.files.iter().map(|file| file.display().to_string());
        let script = self.script.iter();
        let script = script.map(|script| script.path.display().to_string());
        let wrong_file = files.chain(script).find(|file| is_wrong(file));
        let wrong = wrong_file.or_else(|| {
            let found = unquoted.find(|name| is_wrong(name) || is_split(name));
            found.cloned()
        });
        match wrong {
            Some(name) => Err(Failure::input(format!(
                "{name:?}: `yosys` can't be given this name"
            ))),
            None => Ok(()),
        }
    }
}

/// Runs `yosys` on a design.
///
/// # Errors
/// If `yosys` is missing or rejects the design, if it has a statement that is not translated, or if it does not have the
/// clock, the reset or the black boxes that were named.
pub(super) fn elaborate(design: &Design) -> Result<Elaborated, Failure> {
    let name = design.name();
    let fault = |message: String| Failure::input(format!("{name}: {message}"));
    design.check_names()?;
    for file in &design.files {
        if let Err(error) = std::fs::metadata(file) {
            return Err(Failure::input(format!(
                "{}: can't be read: {error}",
                file.display()
            )));
        }
    }
    let Source {
        mut yosys,
        commands,
        notes: told,
    } = reader::read(design)?;
    let netlist = yosys.netlist("netlist.json")?;
    check_black_boxes(design, &netlist).map_err(fault)?;
    let stated = netlist.formal().map_err(fault)?;
    // A module without anything else is listed, too.
    let listed = yosys.text("flat.txt")?;
    let listed = listed.lines().filter(|line| line.contains('/'));
    if stated.len() != listed.count() {
        return Err(fault(LOST.to_owned()));
    }
    let has_z = yosys.edit("design.il", lost::without_z)?;
    let steps = steps(design, &netlist, &stated).map_err(fault)?;
    let lowering = if netlist.has_checks() {
        "chformal -lower; "
    } else {
        ""
    };
    let cutting = match netlist.black_boxes().is_empty() {
        true => "",
        false => "cutpoint t:* t:$* %d t:$paramod* %u; ",
    };
    let making = format!(
        "{cutting}{steps}; {lowering}dffunmap; rename -enumerate -pattern {}% {FORMAL}",
        properties::UNNAMED
    );
    let map = yosys.file("formal.v");
    std::fs::write(&map, properties::MAP).map_err(Failure::internal)?;
    let making = write_circuit(&mut yosys, making)?;
    let mut cells = yosys.netlist("formal.json")?.formal().map_err(fault)?;
    if steps != EDGES {
        cells.iter_mut().for_each(|cell| cell.is_sampled = false);
    }
    if Netlist::census(&cells) != Netlist::census(&stated) {
        return Err(fault(LOST.to_owned()));
    }
    let circuit = yosys.text("circuit.btor2")?;
    let text = properties::state(&circuit, &cells, design.question, design.reset.as_ref());
    let text = text.map_err(fault)?;
    let mut notes = warnings(design, &yosys).map_err(fault)?;
    notes.extend(told);
    notes.extend(has_z.then(|| Z.to_owned()));
    notes.extend((netlist.has_asynchronous_loads()).then(|| LOADS.to_owned()));
    notes.extend(unasked(design, &cells));
    let command = format!("yosys -q -p '{commands}; {making}; techmap; write_btor'");
    let mut signals = signals::signals(&netlist);
    signals.is_multiclock = steps != EDGES;
    if steps == EDGES {
        signals.clock = match (&design.clocking, netlist.only_clock(true)) {
            (Clocking::Input(clock), _) => Some(clock.clone()),
            (_, OnlyClock::Input(clock)) => Some(clock),
            (_, OnlyClock::None) => None,
            (_, OnlyClock::Not(reason)) => {
                signals.disorder = Some(reason);
                None
            }
        };
    }
    Ok(Elaborated {
        text,
        command,
        notes,
        signals,
        is_sampled: properties::are_sampled(&cells, design.question),
    })
}

/// Makes the circuit with these commands; returns those that have made it.
///
/// Words may depend on each other in circles where no bit of them does: then operations on bits take their place.
fn write_circuit(yosys: &mut Yosys, making: String) -> Result<String, Failure> {
    let mut run = |making: &str| {
        yosys.run(&[
            &yosys.write("read_rtlil", "design.il"),
            making,
            &yosys.write("write_json", "formal.json"),
            &yosys.write("techmap -map", "formal.v"),
            &yosys.write("write_btor", "circuit.btor2"),
        ])
    };
    match run(&making) {
        Err(failure) if failure.message().contains("topological loop") => {
            let kinds = ["not", "and", "or", "xor", "xnor", "mux"];
            let kinds = kinds.map(|kind| format!(" t:${kind}")).concat();
            let with_bits = format!("{making}; simplemap{kinds}");
            run(&with_bits).map(|()| with_bits)
        }
        result => result.map(|()| making),
    }
}

/// Refuses black boxes that are not asked for, and asked ones that are not there.
fn check_black_boxes(design: &Design, netlist: &Netlist) -> Result<(), String> {
    let found = netlist.black_boxes();
    let is_asked = |module: &String| design.black_boxes.contains(module);
    if let Some((instance, module)) = found.iter().find(|(_, module)| !is_asked(module)) {
        return Err(format!(
            "the content of the module {module:?} is not known (instance {instance:?}); `--blackbox {module}` gives its \
             outputs any values"
        ));
    }
    let modules = netlist.module_names();
    match (design.black_boxes.iter()).find(|name| !modules.contains(name)) {
        Some(name) => Err(format!(
            "`--blackbox {name}`: the design has no such module"
        )),
        None => Ok(()),
    }
}

/// The cells with statements.
const FORMAL: &str = "t:$assert t:$assume t:$live t:$fair t:$cover t:$check";

/// What `yosys` warns of if a wire has several drivers.
const CONFLICT: &str = "conflicting drivers";

/// What is said if fewer statements are left than there were.
const LOST: &str = "`yosys` has lost a statement of the design while it translated it";

/// What is said of values of tri-state logic.
const Z: &str = "`z` is read as any value, as `x` is";

/// What is said of asynchronous loads: a simulator takes their values at the edges of what makes them.
const LOADS: &str =
    "an asynchronous load follows its value for as long as it is active, as in hardware";

/// The commands that simplify a flat design. While they run, statements are cells of a kind that `yosys` does not know: it
/// would merge those that are alike, and with them their names.
fn simplification() -> String {
    let kinds = ["assert", "assume", "live", "fair", "cover", "check"];
    let rows = |from: &str, to: &str| -> String {
        let row = |kind: &&str| format!("chtype -map {from}{kind} {to}{kind}; ");
        kinds.iter().map(row).collect()
    };
    let selection: String = kinds.iter().map(|kind| format!(" t:${kind}")).collect();
    format!(
        "setattr -set keep 1{selection}; {}prep -run coarse: -flatten -nordff; {}",
        rows("$", "craig_"),
        rows("craig_", "$").trim_end_matches("; ")
    )
}

/// The command with which a step is an edge of the only clock.
const EDGES: &str = "async2sync";

/// The commands that make a step of the circuit.
fn steps(design: &Design, netlist: &Netlist, stated: &[FormalCell]) -> Result<String, String> {
    let reason = match &design.clocking {
        Clocking::Input(clock) => {
            netlist.check_clock(clock)?;
            None
        }
        Clocking::Any => Some("clocks are inputs".to_owned()),
        Clocking::All => None,
        // What a reset does between two edges is not seen while it stays as it is.
        Clocking::Only => match netlist.only_clock(design.reset.is_some()) {
            OnlyClock::Input(_) | OnlyClock::None => None,
            OnlyClock::Not(reason) => Some(reason),
        },
    };
    let Some(reason) = reason else {
        return Ok(EDGES.to_owned());
    };
    let needs_clock = |what: &str| {
        Err(format!(
            "{what} needs a step to be an edge of one clock, and {reason}: `--clock` names it"
        ))
    };
    let is_timed = |cell: &&FormalCell| matches!(cell.statement, Statement::Live | Statement::Fair);
    match stated.iter().find(is_timed) {
        Some(cell) if design.question == Question::Assertions => {
            needs_clock(&format!("{}: what happens at last", cell.source))
        }
        _ if design.reset.is_some() => needs_clock("`--reset`"),
        _ => Ok("clk2fflogic".to_owned()),
    }
}

/// The warnings of `yosys`.
///
/// # Errors
/// One that makes the circuit another than the design; any, if warnings are errors.
fn warnings(design: &Design, yosys: &Yosys) -> Result<Vec<String>, String> {
    let warnings = yosys.warnings();
    // A script may resolve what it was warned of; what it leaves was checked.
    let is_own = design.script.is_none();
    let is_fatal = |warning: &&String| design.is_strict || is_own && warning.contains(CONFLICT);
    match warnings.iter().find(is_fatal) {
        Some(warning) => Err(format!("`yosys` warns: {warning}")),
        None => {
            let shown = warnings.iter().take(MOST_WARNINGS);
            let mut shown: Vec<String> = shown.map(|it| format!("yosys: {it}")).collect();
            if warnings.len() > MOST_WARNINGS {
                shown.push(format!(
                    "yosys: {} more warnings",
                    warnings.len() - MOST_WARNINGS
                ));
            }
            Ok(shown)
        }
    }
}

/// Warnings that are shown, at most.
const MOST_WARNINGS: usize = 20;

/// What the design states and is not asked.
fn unasked(design: &Design, cells: &[FormalCell]) -> Option<String> {
    let census = Netlist::census(cells);
    let count = |statement| census.get(&statement).copied().unwrap_or(0);
    let n_covers = count(Statement::Cover);
    let n_asserts = count(Statement::Assert) + count(Statement::Live);
    match design.question {
        Question::Assertions if n_covers > 0 => {
            Some(format!("{n_covers} to be covered, which `--cover` decides"))
        }
        Question::Covers if n_asserts > 0 => Some(format!(
            "{n_asserts} assertions, which `--cover` leaves out"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn design() -> Design {
        Design {
            files: vec![PathBuf::from("top.sv")],
            include: Vec::new(),
            define: Vec::new(),
            top: None,
            parameters: Vec::new(),
            black_boxes: Vec::new(),
            clocking: Clocking::Only,
            reset: None,
            question: Question::Assertions,
            is_strict: false,
            frontend: Frontend::Any,
            script: None,
        }
    }

    #[test]
    fn macros_and_folders_reach_yosys() {
        let strings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        let mut design = Design {
            files: vec![PathBuf::from("package one.sv"), PathBuf::from("top.sv")],
            include: strings(&["some/folder"]),
            define: strings(&["BUG", "WIDTH=4"]),
            parameters: vec![("W".to_owned(), "8".to_owned())],
            ..design()
        };
        design.check_names().unwrap();
        let expected =
            "read_verilog -sv -formal -Isome/folder -DBUG -DWIDTH=4 \"package one.sv\" \"top.sv\"";
        assert_eq!(design.reading(false), expected);
        assert_eq!(
            design.hierarchy(design.top.as_deref(), &design.parameters),
            "hierarchy -check -auto-top -chparam W 8"
        );
        // Its scripts would take these for several words, or for commands.
        for wrong in ["X\"; shell ls", "two words", "a#b", ""] {
            design.define = strings(&[wrong]);
            assert!(design.check_names().is_err(), "{wrong}");
        }
    }
}
