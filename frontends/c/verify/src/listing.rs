//! The properties and loops of a program, without a decision.

use std::path::Path;

use craig_c_exec::symbolic::loop_heads;
use craig_c_exec::symbolic::unwinding::{Caps, Unwinding};
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
    /// The rounds with which unrolling starts, if an option or a pragma in the source says more than none.
    pub at_first: Option<u32>,
    /// The most rounds that are unrolled, by an option.
    pub most: Option<u32>,
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
        Ok(load(path, options)?.and_then(|program| listing(&program, &options.unwinding)))
    })
}

/// An error if a limit is about a loop that there is not.
fn listing(program: &Program, unwinding: &Unwinding) -> Result<Listing, String> {
    let caps = Caps::new(program, unwinding)?;
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
                at_first: Some(caps.at_first(id as FunctionId, head)).filter(|&rounds| rounds > 0),
                most: caps.of_loop(id as FunctionId, head),
            });
        }
    }
    Ok(Listing {
        properties: properties.collect(),
        loops,
    })
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
        let listing = listing(&program, &Unwinding::default()).unwrap();
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

    /// The hint of an option counts in place of that of a pragma; a limit counts beside it.
    #[test]
    fn loops_have_bounds() {
        let text = "int nondet_int(void); int main(void) { int s = 0;
            \n#pragma unroll 6\n for (int i = 0; i < 5; i++) s++;
            \n#pragma GCC unroll 4\n\n#pragma CPROVER check push\n while (s > 0) s--;
            \n#pragma clang loop unroll_count(300)\n do s++; while (s < 7);
            \n#pragma unroll 3\n s = 0; while (s < 3) s++; return s; }";
        let program = load_text(text, "a.c", &options(None)).unwrap().unwrap();
        let with = |unwinding: Unwinding| {
            let loops = listing(&program, &unwinding).unwrap().loops;
            let bounds: Vec<_> = loops.iter().map(|it| (it.at_first, it.most)).collect();
            bounds
        };
        let of_source = [
            (Some(6), None),
            (Some(4), None),
            (Some(128), None),
            (None, None),
        ];
        assert_eq!(with(Unwinding::default()), of_source);
        let hints = vec!["main.1:3".parse().unwrap()];
        let single = vec!["main.0:2".parse().unwrap()];
        let found = with(Unwinding {
            most: None,
            single,
            hints,
        });
        assert_eq!(found[..2], [(Some(6), Some(2)), (Some(2), None)]);
        let single = vec!["main.9:2".parse().unwrap()];
        assert!(
            listing(
                &program,
                &Unwinding {
                    single,
                    ..Unwinding::default()
                }
            )
            .is_err()
        );
    }

    /// A pragma bounds nothing: what needs more rounds is found, and what holds in all is proved.
    #[test]
    fn bounds_in_the_source_are_hints() {
        let verdict = |text: &str| {
            let report = run_text(text, "a.c", &options(None), Alone::new().control());
            report.map(|report| match report.answer {
                Answer::Safe(_) => 's',
                Answer::Unsafe(_) => 'u',
                Answer::Unknown(_) => '?',
            })
        };
        let text = "int main(void) { int s = 0;\n#pragma unroll 3\n for (int i = 0; i < 9; i++) s++; assert(s CLAIM 9); return 0; }";
        assert_eq!(verdict(&text.replace("CLAIM", "==")), Ok('s'));
        assert_eq!(verdict(&text.replace("CLAIM", "!=")), Ok('u'));
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
