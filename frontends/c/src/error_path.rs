//! The path to an error in the source.

use std::collections::HashMap;

use super::c_literal::{literal, number, type_name};
use super::interpret::Line;
use super::ir::{Choice, Location, Program};
use super::replay::Counterexample;
use super::report::{InputValue, PathStep};

/// The name of the file of a position; empty if there is none.
pub(crate) fn file_name(program: &Program, at: Location) -> String {
    let name = program.files.get(at.file as usize);
    name.cloned().unwrap_or_default()
}

/// The path to an error, for reports.
pub(crate) fn path_of(program: &Program, found: &Counterexample) -> Vec<PathStep> {
    let mut sources: HashMap<u32, Vec<String>> = HashMap::new();
    let mut source_line = |at: Location| {
        let lines = sources.entry(at.file).or_insert_with(|| {
            let text = std::fs::read(file_name(program, at)).unwrap_or_default();
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
