//! The properties and loops of a program, without a decision.

use std::path::Path;

use craig_c_exec::symbolic::loop_heads;
use craig_c_lang::ir::{FunctionId, Location, Program};
use craig_c_lang::property_name::named_properties;
use craig_mc::Control;

use crate::load::{load, on_large_stack};
use crate::options::Options;
use crate::report::Failure;

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedProperty {
    /// Its name, by which it is chosen.
    pub name: String,
    /// Its class.
    pub class: &'static str,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The description of its violation.
    pub text: String,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedLoop {
    /// Its name, by which its iterations are limited.
    pub name: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// What a program can be asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The error marks and checks.
    pub properties: Vec<ListedProperty>,
    /// The loops.
    pub loops: Vec<ListedLoop>,
}

/// Lists the properties and loops of a C file with the files linked with it: of the functions that the program may call.
/// The inner error is that the program is not supported.
///
/// # Errors
/// If the program cannot be read.
pub fn list(
    path: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<Result<Listing, String>, Failure> {
    on_large_stack(path, options, control, |path, options, _| {
        Ok(load(path, options)?.map(|program| listing(&program)))
    })
}

fn listing(program: &Program) -> Listing {
    let file = |at: Location| {
        let name = program.files.get(at.file as usize);
        name.cloned().unwrap_or_default()
    };
    let properties = named_properties(program).into_iter().map(|named| {
        let at = named.property.at;
        ListedProperty {
            name: named.name,
            class: named.class,
            file: file(at),
            line: at.line,
            column: at.column,
            text: named.property.text,
        }
    });
    let mut loops = Vec::new();
    for (id, function) in program.functions.iter().enumerate() {
        if function.blocks.is_empty() {
            continue;
        }
        for (number, &head) in loop_heads(program, id as FunctionId).iter().enumerate() {
            let block = &function.blocks[head as usize];
            let at = block.instrs.first().map_or(block.end_at, |instr| instr.1);
            loops.push(ListedLoop {
                name: format!("{}.{number}", function.name),
                file: file(at),
                line: at.line,
            });
        }
    }
    Listing {
        properties: properties.collect(),
        loops,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::load_text;
    use crate::{Answer, Checks, run_text};
    use craig_mc::Alone;

    const TEXT: &str = "int nondet_int(void); int f(int n) { int s = 0;\n for (int i = 0; i < n; i++) s++; return s; }
        int main(void) { int n = nondet_int(); int k = 3;\n while (k > 0) k--; assert(k == 0);\n assert(n != 5); return f(k) / n; }";

    fn options(property: Option<&str>) -> Options {
        Options {
            checks: Checks {
                division: true,
                ..Checks::default()
            },
            property_name: property.map(str::to_owned),
            ..Options::default()
        }
    }

    #[test]
    fn properties_and_loops_have_names() {
        let program = load_text(TEXT, "a.c", &options(None)).unwrap().unwrap();
        let listing = listing(&program);
        let mut names: Vec<_> = (listing.properties.iter())
            .map(|it| (it.name.as_str(), it.line))
            .collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                ("main.assertion.1", 4),
                ("main.assertion.2", 5),
                ("main.division-by-zero.1", 5)
            ]
        );
        let mut loops: Vec<_> = (listing.loops.iter())
            .map(|it| (it.name.as_str(), it.line))
            .collect();
        loops.sort_unstable();
        assert_eq!(loops, [("f.0", 2), ("main.0", 4)]);
    }

    #[test]
    fn a_property_is_chosen_by_its_name() {
        let verdict = |name: &str| {
            let report = run_text(TEXT, "a.c", &options(Some(name)), Alone::new().control());
            report.map(|report| match report.answer {
                Answer::Safe(_) => 's',
                Answer::Unsafe(_) => 'u',
                Answer::Unknown(_) => '?',
            })
        };
        assert_eq!(verdict("main.assertion.1"), Ok('s'));
        assert_eq!(verdict("main.assertion.2"), Ok('u'));
        let Err(Failure::Input(message)) = verdict("main.assertion.3") else {
            panic!("there is no third assertion");
        };
        assert!(message.contains("`main.assertion.3`"), "{message}");
    }
}
