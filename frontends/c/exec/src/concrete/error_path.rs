//! The path to an error in the source.

use std::collections::HashMap;
use std::path::Path;

use crate::concrete::interpret::{AllocatedMemory, Line};
use crate::concrete::replay::Counterexample;
use craig_c_lang::c_literal::{literal, number, type_name};
use craig_c_lang::given_text::source_bytes;
use craig_c_lang::ir::{Choice, Location, Program};

/// A line of a path through the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
    /// The column, from 1; 0 where there is none.
    pub column: u32,
    /// The function.
    pub function: String,
    /// The event.
    pub text: String,
    /// The line of the source, without the blanks around it.
    pub source: Option<String>,
    /// The input value of this step.
    pub chosen: Option<InputValue>,
    /// Whether the step takes contents of memory that no function returns.
    pub is_open: bool,
    /// Memory of the heap that was allocated near the step, in the order of the run.
    pub allocated: Vec<AllocatedMemory>,
}

/// An input value of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputValue {
    /// The function that returned it; a variable without a value has none.
    pub function: Option<String>,
    /// The variable that has the value without one being assigned.
    pub variable: Option<String>,
    /// As a C expression.
    pub literal: String,
    /// As a plain number.
    pub number: String,
    /// The C type.
    pub ty: &'static str,
    /// The line and column of the closing parenthesis of the call.
    pub end: Option<(u32, u32)>,
}

/// The name of the file of a position; empty if there is none.
pub fn file_name(program: &Program, at: Location) -> String {
    let name = program.files.get(at.file as usize);
    name.cloned().unwrap_or_default()
}

/// The path to an error, for reports.
pub fn path_of(program: &Program, found: &Counterexample) -> Vec<PathStep> {
    let mut sources: HashMap<u32, Vec<String>> = HashMap::new();
    let mut source_line = |at: Location| {
        let lines = sources.entry(at.file).or_insert_with(|| {
            let text = source_bytes(Path::new(&file_name(program, at))).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let index = (at.line as usize).checked_sub(1);
        index.and_then(|index| lines.get(index).cloned())
    };
    let mut path: Vec<PathStep> = Vec::new();
    for line in &found.lines {
        // The call of the entry function is not part of the path.
        if line.function == program.start && line.text.starts_with("call of ") {
            continue;
        }
        path.push(PathStep {
            file: file_name(program, line.at),
            line: line.at.line,
            column: line.at.column,
            function: program.functions[line.function as usize].name.clone(),
            text: line.text.clone(),
            source: source_line(line.at),
            chosen: chosen(program, line),
            is_open: line.is_open,
            allocated: line.allocated.clone(),
        });
    }
    // An error in a library model is reported at the program's call of the function.
    let own = |at: &Location| !file_name(program, *at).starts_with('<');
    let mut places = found.lines.iter().rev().map(|line| line.at);
    let at = if own(&found.at) {
        found.at
    } else {
        places.find(own).unwrap_or(found.at)
    };
    path.push(PathStep {
        file: file_name(program, at),
        line: at.line,
        column: at.column,
        function: String::new(),
        text: found.text.clone(),
        source: source_line(at),
        chosen: None,
        is_open: false,
        allocated: Vec::new(),
    });
    path
}

fn chosen(program: &Program, line: &Line) -> Option<InputValue> {
    let input = line.input.as_ref()?;
    let (value, width, ty) = (input.value, input.width, input.ty.as_ref());
    let function = match &input.choice {
        Choice::Input(name) | Choice::Unknown(name) => Some(name.clone()),
        Choice::Uninitialised | Choice::Open(_) => None,
    };
    let end = program.call_ends.get(&line.at);
    let variable = match &input.choice {
        Choice::Uninitialised => input.variable.clone(),
        _ => None,
    };
    Some(InputValue {
        function,
        variable,
        literal: literal(value, width, ty),
        number: number(value, width, ty),
        ty: type_name(ty),
        end: end.map(|end| (end.line, end.column)),
    })
}
