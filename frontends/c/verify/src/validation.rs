//! Checks witnesses.
//!
//! The waypoints of a violation witness are lowered into the program, and errors count only after all of them
//! have been passed. The engines then search for a run to such an error, and the interpreter replays it. The
//! invariants of a correctness witness become checks in the program, and the engines prove that neither these
//! nor the property are violated.

use std::collections::BTreeSet;
use std::path::Path;

use craig_mc::Control;
use craig_word::Op;

use crate::load::{ParsedFile, lowering_options, parsed_files, unsupported, with_large_stack};
use crate::options::Options;
use crate::portfolio::decide;
use crate::report::{Decider, Failure};
use crate::tracking::decide_tracking;
use crate::verdict::Found;
use craig_c_exec::concrete::error_path::path_of;
use craig_c_files::property_file::PropertyFile;
use craig_c_files::sha256::sha256;
use craig_c_files::witness_file::{Claim, WaypointKind, WitnessFile};
use craig_c_files::witness_place::named;
use craig_c_lang::given_text::source_bytes;
use craig_c_lang::ir::{
    Block, CheckKind, ExprNode, Instr, Program, Register, StaticId, Terminator,
};
use craig_c_lang::library::Library;
use craig_c_lang::lower::has_effects;
use craig_c_lang::lower::{Fault, Hook, Met, Moment, Purpose, lower_units};
use craig_c_lang::parse::parse;
use craig_c_lang::property::{checked, properties, restricted};
use craig_c_lang::source::Source;
use craig_c_lang::source_place::Place;
use craig_c_lang::syntax::TranslationUnit;

/// The result of the check of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validation {
    /// The witness is valid; what it shows.
    Valid(String),
    /// It is invalid; why.
    Invalid(String),
    /// No engine decided it, or a construct is not supported.
    Unknown(String),
}

/// Checks a witness for a C file. Without a property file in the options, the property is that of the
/// witness.
///
/// # Errors
/// If the file cannot be read, the property is not supported, or an engine's evidence fails its check.
pub fn validate(
    path: &Path,
    witness: &WitnessFile,
    options: &Options,
    control: Control<'_>,
) -> Result<Validation, Failure> {
    with_large_stack(|| judge(path, witness, options.clone(), control))
}

fn judge(
    path: &Path,
    witness: &WitnessFile,
    mut options: Options,
    control: Control<'_>,
) -> Result<Validation, Failure> {
    if let Some(reason) = other_program(path, witness, &options)? {
        return Ok(Validation::Invalid(reason));
    }
    let parsed = match parsed_files(path, &options)? {
        Ok(parsed) => parsed,
        Err(message) => return Ok(Validation::Unknown(message)),
    };
    if options.property_file.is_none() {
        let file = PropertyFile::parse(&witness.specification, "the specification of the witness")
            .map_err(Failure::Input)?;
        // Witnesses for other marks, such as `assert`, name the conventional function, too.
        let has_function = file
            .error_function()
            .is_none_or(|name| parsed.iter().any(|(source, _)| source.text.contains(name)));
        if has_function {
            options.property_file = Some(file);
        }
    }
    let names: Vec<String> = (parsed.iter())
        .flat_map(|(source, _)| source.files.iter().cloned())
        .collect();
    let mut hooks = match hooks(&witness.claim, &names) {
        Ok(hooks) => hooks,
        Err(message) => return Ok(Validation::Unknown(message)),
    };
    let (program, met) = match lowered(&parsed, &options, &mut hooks)? {
        Ok(lowered) => lowered,
        Err(fault) => return unsupported(fault, path, &options).map(Validation::Unknown),
    };
    if let Some(message) = &met.fault {
        return Ok(Validation::Unknown(message.clone()));
    }
    if let Some(index) = (0..hooks.len()).find(|index| !met.places.contains_key(index)) {
        return Ok(unmet(&hooks[index]));
    }
    match &witness.claim {
        Claim::Violation { segments, target } => {
            let n_segments = segments.len() as u32;
            let n_passed = met.n_passed.map(|object| (object, n_segments));
            violation(program, n_passed, target, &options, control)
        }
        Claim::Invariants(_) => correctness(&program, &options, control),
    }
}

/// Why the files of the program are not those that a witness names; `None` if they are, or it names none.
fn other_program(
    path: &Path,
    witness: &WitnessFile,
    options: &Options,
) -> Result<Option<String>, Failure> {
    if witness.hashes.is_empty() {
        return Ok(None);
    }
    let mut found = BTreeSet::new();
    for path in std::iter::once(path).chain(options.linked.iter().map(|file| file.path.as_path())) {
        let fault = |error| Failure::Input(format!("{}: {error}", path.display()));
        let hash = sha256(&source_bytes(path).map_err(fault)?);
        if !witness.hashes.contains(&hash) {
            return Ok(Some(format!(
                "the witness is about another program: the SHA-256 of {} is not one that it names",
                path.display()
            )));
        }
        found.insert(hash);
    }
    let missing = witness.hashes.iter().filter(|hash| !found.contains(*hash));
    Ok(match missing.count() {
        0 => None,
        n_missing => Some(format!(
            "the witness is about a program of more files: {n_missing} of those that it names are not given"
        )),
    })
}

/// The hooks for the claims of a witness.
fn hooks(claim: &Claim, names: &[String]) -> Result<Vec<Hook>, String> {
    let mut hooks = Vec::new();
    match claim {
        Claim::Violation { segments, .. } => {
            for (n_passed, segment) in (0..).zip(segments) {
                let follow = (&segment.follow, Purpose::Follow(n_passed));
                let avoid = segment.avoid.iter();
                let avoid = avoid.map(|waypoint| (waypoint, Purpose::Avoid(n_passed)));
                for (waypoint, purpose) in avoid.chain([follow]) {
                    let (moment, value) = match &waypoint.kind {
                        WaypointKind::Assumption(value) => (Moment::Statement, Some(value)),
                        WaypointKind::Branching(value) => (Moment::Branch(*value), None),
                        WaypointKind::Case(value) => (Moment::Case(*value), None),
                        WaypointKind::FunctionEnter => (Moment::Enter, None),
                        WaypointKind::FunctionReturn(value) => (Moment::Return, Some(value)),
                    };
                    hooks.push(Hook {
                        moment,
                        purpose,
                        unit: expression(value, &waypoint.place)?,
                        place: waypoint.place.clone(),
                        files: named(names.iter(), &waypoint.place.file_name)?,
                        is_of_any_choice: false,
                    });
                }
            }
        }
        Claim::Invariants(invariants) => {
            for invariant in invariants {
                let is_of_loop = invariant.is_of_loop;
                hooks.push(Hook {
                    moment: if is_of_loop {
                        Moment::Loop
                    } else {
                        Moment::Statement
                    },
                    purpose: Purpose::Hold,
                    unit: expression(Some(&invariant.value), &invariant.place)?,
                    place: invariant.place.clone(),
                    files: named(names.iter(), &invariant.place.file_name)?,
                    is_of_any_choice: false,
                });
            }
        }
    }
    Ok(hooks)
}

/// A function that returns the expression.
fn expression(text: Option<&String>, place: &Place) -> Result<Option<TranslationUnit>, String> {
    let Some(text) = text else { return Ok(None) };
    // On one line, so that the text cannot be a directive, and parenthesised as a whole.
    let text = text.replace(['\n', '\r'], " ");
    let fault = || {
        format!(
            "line {} of the program: `{text}` is not supported",
            place.line
        )
    };
    let mut depth = 0i64;
    for c in text.chars() {
        depth += i64::from(c == '(') - i64::from(c == ')');
        if depth < 0 || matches!(c, ';' | '{' | '}' | '#') {
            return Err(fault());
        }
    }
    let function = format!("int witness(void) {{ return ({text}); }}\n");
    let unit = parse(&Source::new(&function, "witness")).map_err(|_| fault())?;
    if has_effects(&unit) {
        let what = "it has side effects, objects of its own, or a division by what may be 0";
        return Err(format!("{}: {what}", fault()));
    }
    Ok(Some(unit))
}

/// Lowers the program with its hooks, less and less exactly where they are. Columns without a matching position
/// are ignored: tools count the columns of expanded macros differently. What is left of the branches is looked
/// for among the conditional expressions of its line.
fn lowered(
    files: &[ParsedFile],
    options: &Options,
    hooks: &mut [Hook],
) -> Result<Result<(Program, Met), Fault>, Failure> {
    let library = Library::of(options.model).map_err(Failure::Internal)?;
    let units: Vec<_> = files.iter().map(|(source, unit)| (source, unit)).collect();
    let lowering = lowering_options(options);
    let mut lowered = lower_units(&units, library, &lowering, hooks);
    for relax in [
        |hook: &mut Hook| hook.place.column.take().is_some(),
        |hook: &mut Hook| {
            matches!(hook.moment, Moment::Branch(_))
                && !std::mem::replace(&mut hook.is_of_any_choice, true)
        },
    ] {
        let Ok((_, met)) = &lowered else { break };
        let is_met = |index: &usize| met.places.contains_key(index);
        let unmet: Vec<usize> = (0..hooks.len()).filter(|index| !is_met(index)).collect();
        let n_relaxed = unmet.into_iter().filter(|&index| relax(&mut hooks[index]));
        if n_relaxed.count() > 0 {
            lowered = lower_units(&units, library, &lowering, hooks);
        }
    }
    Ok(lowered)
}

fn unmet(hook: &Hook) -> Validation {
    let place = format!("{}:{}", hook.place.file_name, hook.place.line);
    match hook.moment {
        Moment::Statement if hook.purpose == Purpose::Hold => Validation::Unknown(format!(
            "no statement that the program may reach starts at {place}"
        )),
        Moment::Statement => Validation::Invalid(format!(
            "no statement that the program may reach starts at {place}"
        )),
        Moment::Enter | Moment::Return => Validation::Invalid(format!(
            "no call that the program may reach ends at {place}"
        )),
        Moment::Branch(_) | Moment::Choice(_) => Validation::Unknown(format!(
            "at {place} is no `if`, `while`, `do`, `for` or `?` with a condition that is not constant"
        )),
        Moment::Case(_) => Validation::Unknown(format!("at {place} is no `switch`")),
        Moment::Loop => Validation::Unknown(format!("at {place} is no `while`, `do` or `for`")),
    }
}

fn violation(
    mut program: Program,
    n_passed: Option<(StaticId, u32)>,
    target: &Place,
    options: &Options,
    control: Control<'_>,
) -> Result<Validation, Failure> {
    let files = program.files.clone();
    let target_files = match named(files.iter(), &target.file_name) {
        Ok(names) => names,
        Err(reason) => return Ok(Validation::Unknown(reason)),
    };
    let is_target = |file: u32, line: u32| {
        let name = files.get(file as usize);
        // An error in a library model is an error at the program's call, which is checked below.
        let is_of_library = name.is_some_and(|name| name.starts_with('<'));
        let is_there = || name.is_some_and(|name| target_files.contains(name));
        is_of_library || line == target.line && is_there()
    };
    let file = options.property_file.as_ref();
    program = restricted(&program, &|property| {
        is_target(property.at.file, property.at.line)
            && file.is_none_or(|file| file.keeps(property))
    });
    program.tells_lost = file.is_some_and(PropertyFile::is_about_tracking);
    if properties(&program).is_empty() {
        return Ok(Validation::Invalid(format!(
            "nothing at line {}, the target, can violate the property",
            target.line
        )));
    }
    if let Some((object, n_passed)) = n_passed {
        guard(&mut program, object, n_passed);
    }
    let (verdict, Decider { engine, .. }) = decide(&program, options, control);
    let verdict = match file {
        Some(file) => decide_tracking(&program, verdict, engine, file),
        None => verdict,
    };
    Ok(match verdict {
        Ok(Found::Unsafe(found)) => {
            let end = path_of(&program, &found).pop();
            match end {
                Some(end) if end.line == target.line && target_files.contains(&end.file) => {
                    let place = format!("{}:{}", end.file, end.line);
                    Validation::Valid(format!("unsafe ({place}: {}; replayed)", found.text))
                }
                _ => Validation::Unknown("an error is reached, but not at the target".into()),
            }
        }
        Ok(Found::Safe(_)) => Validation::Invalid(
            "no run that passes all waypoints reaches an error at the target".into(),
        ),
        Ok(Found::Unknown(reason)) => Validation::Unknown(reason.to_string()),
        Err(error) => return Err(Failure::Internal(error.to_string())),
    })
}

fn correctness(
    program: &Program,
    options: &Options,
    control: Control<'_>,
) -> Result<Validation, Failure> {
    let invariant = CheckKind::Invariant.text();
    let program = match &options.property_file {
        Some(file) => Program {
            tells_lost: file.is_about_tracking(),
            ..restricted(program, &|property| {
                property.text == invariant || file.keeps(property)
            })
        },
        None => program.clone(),
    };
    let (verdict, Decider { engine, .. }) = decide(&program, options, control);
    let verdict = match &options.property_file {
        Some(file) => decide_tracking(&program, verdict, engine, file),
        None => verdict,
    };
    Ok(match verdict {
        Ok(Found::Safe(safety)) => Validation::Valid(format!("safe ({engine}: {})", safety.text)),
        Ok(Found::Unsafe(found)) => {
            let place = program.place(found.at);
            Validation::Invalid(format!("{place}: {}", found.text))
        }
        Ok(Found::Unknown(reason)) => Validation::Unknown(reason.to_string()),
        Err(error) => return Err(Failure::Internal(error.to_string())),
    })
}

/// Makes errors count only if an object holds this number: each check and each error mark gets a branch
/// before it.
fn guard(program: &mut Program, object: StaticId, number: u32) {
    let mut functions = std::mem::take(&mut program.functions);
    let address = program.make(ExprNode::Static(object), program.pointer_width);
    let wanted = program.constant(u128::from(number), 32);
    for function in &mut functions {
        let mut open: Vec<usize> = (0..function.blocks.len()).collect();
        while let Some(index) = open.pop() {
            let instrs = &function.blocks[index].instrs;
            let first = instrs
                .iter()
                .position(|(instr, _)| checked(instr).is_some());
            let is_mark = matches!(function.blocks[index].end, Terminator::Error(_));
            if first.is_none() && !is_mark {
                continue;
            }
            let next = function.blocks.len() as u32;
            let block = &mut function.blocks[index];
            let resume = function.resumes.remove(&(index as u32));
            let (at, with, without) = match first {
                Some(first) => {
                    let mut rest = block.instrs.split_off(first);
                    let (check, at) = rest.remove(0);
                    // If it is not an error yet, a failing assertion still ends the run.
                    if let Instr::Check {
                        condition,
                        what: CheckKind::Assertion,
                    } = check
                    {
                        rest.insert(0, (Instr::Assume { condition }, at));
                    }
                    let without = Block {
                        instrs: rest,
                        end: std::mem::replace(&mut block.end, Terminator::Halt),
                        end_at: block.end_at,
                    };
                    let with = Block {
                        instrs: vec![(check, at)],
                        end: Terminator::Jump(next + 1),
                        end_at: at,
                    };
                    if let Some(resume) = resume {
                        function.resumes.insert(next + 1, resume);
                    }
                    open.push(next as usize + 1);
                    (at, with, without)
                }
                None => {
                    let end = |end| Block {
                        instrs: Vec::new(),
                        end,
                        end_at: block.end_at,
                    };
                    let goes_on = resume.map_or(Terminator::Halt, Terminator::Jump);
                    let without = end(goes_on);
                    let mark = std::mem::replace(&mut block.end, Terminator::Halt);
                    let with = Block {
                        instrs: Vec::new(),
                        end: mark,
                        end_at: block.end_at,
                    };
                    if let Some(resume) = resume {
                        function.resumes.insert(next, resume);
                    }
                    (block.end_at, with, without)
                }
            };
            let reg = function.regs.len() as u32;
            function.regs.push(Register {
                width: 32,
                name: None,
                ty: None,
            });
            let count = program.make(ExprNode::Reg(reg), 32);
            let load = Instr::Load {
                reg,
                address,
                bytes: 4,
            };
            block.instrs.push((load, at));
            block.end = Terminator::Branch {
                condition: program.binary(Op::Eq, count, wanted),
                then: next,
                otherwise: next + 1,
            };
            block.end_at = at;
            function.blocks.extend([with, without]);
        }
    }
    program.functions = functions;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A division by 0 ends the run: an invariant with one would hide the paths on which it does not hold.
    #[test]
    fn expressions_of_witnesses_neither_change_nor_end_a_run() {
        let place = Place {
            file_name: "a.c".into(),
            line: 1,
            column: None,
        };
        for (text, is_fit) in [
            ("x % 2 == 0 && x / 0x3 < 9", true),
            ("1 / (x - 3) < 9", false),
            ("x % 0 == 1", false),
            ("x++ == 1", false),
            ("f(x)", false),
        ] {
            let text = text.to_string();
            assert_eq!(expression(Some(&text), &place).is_ok(), is_fit, "{text}");
        }
    }
}
