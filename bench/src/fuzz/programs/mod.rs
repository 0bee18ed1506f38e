//! C programs with calls of the library, whose two inputs have few values: gcc's code with the sanitizers is run on all of them, so that
//! each question has one right answer.
//!
//! A program computes a number (`templates.rs`, `fill.rs`). If a run has undefined behaviour, the checks have to find it. Else the
//! question is whether the number differs from that of a table: of the right one, or of one with a wrong entry.

mod ask;
mod fill;
mod native;
mod templates;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use craig_aig::Random;

use super::Subject;
use super::shrink::without_parts;
use super::tally::Tally;
pub(super) use ask::{Door, Native, Question, judged_together};
use fill::Fill;
pub(super) use native::{Folder, Printed, Unit, executed};
use templates::{END, HEAD, LANGUAGE, NUMBERS, TEXT, VARIABLES};

/// The checks whose errors the sanitizers find, too.
const CHECKS: &str = "overflow,div,shift,bounds,pointer";

/// The check of copies. The sanitizers take a copy from an object to itself for none that overlaps, so that it is made where an error is known.
const OVERLAP: &str = ",overlap";

const SANITIZERS: [&str; 4] = [
    "-O0",
    "-fsanitize=address,undefined,float-cast-overflow,bounds-strict",
    "-fno-sanitize=alignment",
    "-fno-sanitize-recover=all",
];

/// Messages about behaviour that no check of craig finds.
const UNCHECKED: [&str; 3] = [
    "outside the range of representable values",
    "which is declared to never be null",
    "load of value",
];

/// How many programs are compiled together.
const BATCH: u64 = 48;

/// What a program that is asked about calls, before its headers.
const MARKS: &str =
    "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n";

/// How many values each of the two inputs has.
const N_VALUES: [usize; 2] = [4, 2];

/// C programs, asked about by a command.
pub(super) struct Programs {
    pub(super) craig: PathBuf,
}

/// How the program gets its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inputs {
    Constant,
    Assumed,
    Masked,
}

/// A program and a question.
#[derive(Clone, Debug)]
pub(super) struct Case {
    declarations: String,
    statements: Vec<String>,
    inputs: Inputs,
    /// Whether the table has a wrong entry, and at which run.
    wrong_entry: Option<usize>,
    /// Whether errors are looked for that no run has.
    is_checked: bool,
    options: Vec<String>,
    door: Door,
}

impl Case {
    /// Numbers of values of the inputs.
    fn n_values(&self) -> [usize; 2] {
        match self.inputs {
            Inputs::Constant => [1, 1],
            _ => N_VALUES,
        }
    }

    /// The function.
    fn program(&self) -> String {
        let statements = self.statements.join("\n  ");
        format!(
            "static word program(unsigned a, unsigned b) {{\n{}  {statements}\n{END}  return sum;\n}}\n",
            self.declarations
        )
    }

    /// The program with a `main` that compares the number with a table.
    fn with_table(&self, table: &[u64]) -> String {
        let input = |name: &str, n: usize| match self.inputs {
            Inputs::Constant => format!("  unsigned {name} = 0;\n"),
            Inputs::Assumed => format!(
                "  unsigned {name} = __VERIFIER_nondet_uint();\n  if ({name} >= {n}) return 0;\n"
            ),
            Inputs::Masked => format!(
                "  unsigned {name} = __VERIFIER_nondet_uint() & {};\n",
                n - 1
            ),
        };
        let [a, b] = self.n_values();
        let inputs = input("a", a) + &input("b", b);
        let (table, error) = match table.is_empty() {
            true => (String::new(), "(void)result;".to_owned()),
            false => {
                let entries: Vec<String> =
                    table.iter().map(|entry| format!("{entry}ull")).collect();
                let table = format!(
                    "  static const word table[] = {{ {} }};\n",
                    entries.join(", ")
                );
                (
                    table,
                    format!("if (result != table[a + {a} * b]) reach_error();"),
                )
            }
        };
        format!(
            "{}int main(void) {{\n{inputs}{table}  \
             word result = program(a, b);\n  {error}\n  return 0;\n}}\n",
            self.program()
        )
    }
}

/// The numbers of all runs; none of those that end by an error.
type Runs = Vec<Option<u64>>;

/// What gcc's code does, or the reason why nothing is asked.
fn runs(case: &Case, printed: &Printed) -> Result<Runs, String> {
    if UNCHECKED.iter().any(|what| printed.stderr.contains(what)) {
        return Err("left out: undefined, without a check".to_owned());
    }
    let runs: Runs = printed
        .stdout
        .lines()
        .map(|line| line.parse().ok())
        .collect();
    let n_errors = runs.iter().filter(|run| run.is_none()).count();
    let is_told = ["runtime error", "AddressSanitizer"]
        .iter()
        .any(|what| printed.stderr.contains(what));
    match runs.len() == case.n_values().iter().product::<usize>() && (n_errors > 0) == is_told {
        true => Ok(runs),
        false => Err("left out: killed".to_owned()),
    }
}

/// What is asked, given what gcc's code does.
fn question(case: &Case, runs: &Runs) -> Question {
    let table: Option<Vec<u64>> = runs.iter().copied().collect();
    let is_undefined = table.is_none();
    // Where a run ends by an error, there is nothing to compare with.
    let mut table = table.unwrap_or_default();
    let is_safe = !is_undefined && case.wrong_entry.is_none();
    if let (Some(entry), false) = (case.wrong_entry, is_undefined) {
        let entry = entry % table.len();
        table[entry] ^= 1;
    }
    let mut options = case.options.clone();
    let is_checked = is_undefined || case.is_checked && is_safe;
    if is_checked {
        let overlap = if is_undefined { OVERLAP } else { "" };
        options.extend(["--check".to_owned(), format!("{CHECKS}{overlap}")]);
    }
    let kind = match (is_undefined, is_safe) {
        (true, _) => "undefined",
        (_, true) => "right table",
        (_, false) => "wrong table",
    };
    let checks = if is_checked { ", checked" } else { "" };
    Question {
        head: format!("{MARKS}{HEAD}"),
        text: case.with_table(&table),
        options,
        kind: format!("{kind}{checks}"),
        is_safe,
    }
}

impl Native for Case {
    fn unit(&self) -> Unit {
        Unit {
            head: HEAD.to_owned(),
            names: &["program"],
            options: &SANITIZERS,
        }
    }

    /// Prints a line for each run: its number, or `bad`.
    fn part(&self) -> String {
        let [a, b] = self.n_values();
        format!(
            "{}int main(void) {{\n  \
             for (unsigned b = 0; b < {b}; b++) for (unsigned a = 0; a < {a}; a++) {{\n    \
             int status = 0;\n    \
             if (!fork()) {{ alarm(3); word r = program(a, b); printf(\"%llu\\n\", r); fflush(stdout); _exit(0); }}\n    \
             wait(&status); if (status) {{ printf(\"bad\\n\"); fflush(stdout); }}\n  }}\n  return 0;\n}}\n",
            self.program()
        )
    }

    fn question(&self, printed: &Printed) -> Result<Question, String> {
        Ok(question(self, &runs(self, printed)?))
    }

    fn door(&self) -> Door {
        self.door
    }
}

impl Subject for Programs {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let n = 1 + random.below(6);
        let kinds = random.below(4);
        let inputs = [Inputs::Constant, Inputs::Assumed, Inputs::Masked][random.below(3)];
        let mut fill = Fill {
            random,
            n_labels: 0,
        };
        let declarations = fill.fill(VARIABLES);
        let mut statements = Vec::new();
        for _ in 0..n {
            let table = match (kinds, fill.random.below(8)) {
                (0, 0..6) => TEXT,
                (1, 0..6) => NUMBERS,
                (2, 0..6) => LANGUAGE,
                (_, kind) => [TEXT, LANGUAGE, NUMBERS][kind % 3],
            };
            let template = table[fill.random.below(table.len())];
            statements.push(fill.fill(template));
        }
        let n_runs = N_VALUES.iter().product::<usize>();
        let engines = [
            &[][..],
            &["--c-engine", "unwind"],
            &["--c-engine", "unwind"],
            &["--c-engine", "model"],
        ];
        Case {
            declarations,
            statements,
            inputs,
            wrong_entry: (random.below(5) < 2).then(|| random.below(n_runs)),
            is_checked: random.below(3) == 0,
            options: engines[random.below(4)]
                .iter()
                .map(|&option| option.to_owned())
                .collect(),
            door: Door::any(random),
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        judged_together(&self.craig, &[case], tally).swap_remove(0)
    }

    fn batch(&self) -> u64 {
        BATCH
    }

    fn judge_all(&self, cases: &[Case], tally: &mut Tally) -> Vec<Result<(), String>> {
        let cases: Vec<&Case> = cases.iter().collect();
        judged_together(&self.craig, &cases, tally)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        let mut found: Vec<Case> = without_parts(&case.statements)
            .into_iter()
            .map(|statements| Case {
                statements,
                ..case.clone()
            })
            .collect();
        if case.inputs != Inputs::Constant {
            found.push(Case {
                inputs: Inputs::Constant,
                ..case.clone()
            });
        }
        found
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        (Native::file(case), "c")
    }
}
