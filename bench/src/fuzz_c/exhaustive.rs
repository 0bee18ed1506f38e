//! The results of a program of branches for all values of its inputs, and the questions they answer.

use std::fmt::Write;

use super::branches::{Kind, Program};
use super::judge::{Inputs, Question};

/// What the program does for all values of its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The result of each run; the first input is the least significant digit of its number.
    pub(crate) results: Vec<u64>,
    /// The sites that some run passes, as a set of bits.
    pub(crate) reached: u64,
}

impl Outcome {
    /// From the numbers that the native program prints: the results, then the sites.
    pub(crate) fn from_output(mut numbers: Vec<u64>) -> Option<Self> {
        let reached = numbers.pop()?;
        Some(Self {
            results: numbers,
            reached,
        })
    }
}

/// The program with a `main` that prints the results of all runs and the sites that they pass.
pub(crate) fn native_source(program: &Program) -> String {
    let mut text = String::from("#include <stdio.h>\nstatic unsigned long long sites;\n");
    for site in 0..program.n_sites {
        _ = writeln!(text, "#define SITE_{site}() (sites |= 1ull << {site})");
    }
    text.push_str(&program.text());
    text.push_str("int main(void) {\n");
    for input in program.inputs.iter().rev() {
        let (name, n) = (input.name, input.n_values);
        _ = writeln!(text, "  for (unsigned {name} = 0; {name} < {n}; {name}++)");
    }
    let names: Vec<&str> = program.inputs.iter().map(|input| input.name).collect();
    _ = writeln!(
        text,
        "    x = y = z = 0, p = &x, printf(\"%u\\n\", program({}));",
        names.join(", ")
    );
    text.push_str("  printf(\"%llu\\n\", sites);\n  return 0;\n}\n");
    text
}

/// The program with an error that is reached, or not. `choice` selects the run or the site of an error that is
/// reached. `None` if there is no such site.
pub(crate) fn question_source(
    program: &Program,
    outcome: &Outcome,
    question: Question,
    choice: u64,
) -> Option<String> {
    let all = u64::MAX.checked_shr(64 - program.n_sites).unwrap_or(0);
    let (errors, error) = if question.inputs == Inputs::Table {
        let run = choice % outcome.results.len() as u64;
        let text = match question.is_unsafe {
            true => format!("run == {run} && result == table[run]"),
            false => "result != table[run]".into(),
        };
        (0, text)
    } else if question.is_unsafe {
        let reached: Vec<u32> = (0..program.n_sites)
            .filter(|site| outcome.reached >> site & 1 != 0)
            .collect();
        if reached.is_empty() {
            return None;
        }
        (1 << reached[choice as usize % reached.len()], String::new())
    } else {
        (all & !outcome.reached, String::new())
    };
    let mut text = String::from(
        "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n\
         extern _Bool __VERIFIER_nondet_bool(void);\n",
    );
    for site in 0..program.n_sites {
        let what = match errors >> site & 1 {
            0 => "((void)0)",
            _ => "reach_error()",
        };
        _ = writeln!(text, "#define SITE_{site}() {what}");
    }
    text.push_str(&program.text());
    if !error.is_empty() {
        let results: Vec<String> = outcome.results.iter().map(u64::to_string).collect();
        let results = results.join(", ");
        _ = writeln!(text, "static const unsigned table[] = {{{results}}};");
    }
    text.push_str("int main(void) {\n");
    for input in &program.inputs {
        let (name, n) = (input.name, input.n_values);
        let read = "__VERIFIER_nondet_uint()";
        _ = match input.kind {
            Kind::Bool => writeln!(text, "  _Bool {name} = __VERIFIER_nondet_bool();"),
            Kind::Reduced => writeln!(text, "  unsigned {name} = {read} % {n};"),
            Kind::Assumed => {
                writeln!(
                    text,
                    "  unsigned {name} = {read};\n  if ({name} >= {n}) return 0;"
                )
            }
            Kind::Wide => writeln!(text, "  unsigned {name} = {read};"),
        };
    }
    let names: Vec<&str> = program.inputs.iter().map(|input| input.name).collect();
    _ = writeln!(text, "  unsigned result = program({});", names.join(", "));
    if !error.is_empty() {
        text.push_str("  unsigned run = 0;\n");
        for input in program.inputs.iter().rev() {
            let (name, n, last) = (input.name, input.n_values, input.n_values - 1);
            _ = writeln!(
                text,
                "  run = {n} * run + ({name} < {last} ? {name} : {last});"
            );
        }
        _ = writeln!(text, "  if ({error}) reach_error();");
    }
    text.push_str("  return 0;\n}\n");
    Some(text)
}
