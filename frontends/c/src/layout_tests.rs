//! Records made at random, laid out as the native compiler does it.

use std::fmt::Write as _;
use std::process::Command;

use craig_mc::Control;

use super::bounded;
use super::tests::{Random, letter, lowered, program};
use super::types::DataModel;
use super::unwinding::Unwinding;

/// Declarations of structs, at random.
fn random_records(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::new();
    for record in 0..6u64 {
        let kind = if random.below(4) == 0 {
            "union"
        } else {
            "struct"
        };
        let _ = write!(text, "{kind} r{record} {{ ");
        for field in 0..random.below(6) + 1 {
            let base = [
                "char",
                "unsigned short",
                "int",
                "long",
                "long long",
                "float",
                "double",
                "void *",
                "_Bool",
                "enum e",
            ][random.below(10) as usize];
            let _ = match random.below(6) {
                0 => write!(text, "{base} f{field}[{}]; ", random.below(4) + 1),
                1 if record > 0 => write!(text, "union {{ char c; {base} d; }} f{field}; "),
                2 => write!(
                    text,
                    "unsigned f{field}b : {}; char f{field}; ",
                    random.below(32) + 1
                ),
                3 => write!(
                    text,
                    "short f{field}b : {}, : {}; char f{field}; ",
                    random.below(16) + 1,
                    random.below(9)
                ),
                4 => write!(
                    text,
                    "long long f{field}b : {}; char f{field}; ",
                    random.below(64) + 1
                ),
                _ => write!(text, "{base} f{field}; "),
            };
        }
        text += "};\n";
    }
    format!("enum e {{ E0, E1 }};\n{text}")
}

/// The numbers that gcc puts into a table, read from its assembly: that needs no library of the machine's.
fn table(text: &str, machine: &str) -> Option<Vec<u64>> {
    let directory = tempfile::tempdir().ok()?;
    let source = directory.path().join("table.c");
    std::fs::write(&source, text).ok()?;
    let output = Command::new("cc")
        .args(["-w", machine, "-S", "-o", "-"])
        .arg(&source)
        .output()
        .ok()?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        eprintln!("skipped, the compiler does not do this here: {message}");
        return None;
    }
    let assembly = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers = assembly
        .lines()
        .filter_map(|line| line.trim().strip_prefix(".long"))
        .filter_map(|rest| rest.trim().parse().ok());
    Some(numbers.collect())
}

#[test]
fn random_records_are_laid_out_as_gcc_does_for_both_machines() {
    for (model, machine) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        for seed in 1..=12 {
            let records = random_records(seed);
            let mut asked: Vec<String> = (0..6)
                .map(|record| format!("sizeof(struct r{record})"))
                .collect();
            for record in 0..6 {
                for field in 0..6 {
                    if records.lines().any(|line| {
                        line.contains(&format!(" r{record} "))
                            && (line.contains(&format!(" f{field};"))
                                || line.contains(&format!(" f{field}[")))
                    }) {
                        asked.push(format!("__builtin_offsetof(struct r{record}, f{field})"));
                    }
                }
            }
            for question in &mut asked {
                for record in 0..6 {
                    if records.contains(&format!("union r{record} ")) {
                        *question = question
                            .replace(&format!("struct r{record}"), &format!("union r{record}"));
                    }
                }
            }
            let text = format!(
                "{records}unsigned table[] = {{ 77, {}, 78 }};\n",
                asked.join(", ")
            );
            let Some(numbers) = table(&text, machine) else {
                continue;
            };
            assert_eq!(numbers.len(), asked.len() + 2, "{numbers:?}");
            let checks: String = asked
                .iter()
                .zip(&numbers[1..])
                .map(|(question, number)| format!("assert({question} == {number});\n"))
                .collect();
            let text = format!("{records}int main(void) {{\n{checks}return 0; }}\n");
            let verdict = bounded::check(
                &program(&text, model),
                &Unwinding::default(),
                &Control::new(),
            );
            assert_eq!(letter(&verdict), 's', "{machine}, seed {seed}:\n{text}");
        }
    }
}

#[test]
fn layouts_are_those_of_gcc() {
    let text = "struct a { char c; double d; short s; };\n\
        struct b { unsigned x : 3; unsigned y : 30; char z; };\n\
        struct __attribute__((packed)) c { char c; int i; };\n\
        struct d { char c; long long l; };\n\
        struct e { int i; } __attribute__((packed));\n";
    let check = |sizes: &str, model: DataModel| {
        let text = format!("{text} int main(void) {{ assert({sizes}); return 0; }}");
        // An attribute that the parser drops has to be refused, never ignored.
        match lowered(&text, model) {
            Ok(program) => letter(&bounded::check(
                &program,
                &Unwinding::default(),
                &Control::new(),
            )),
            Err(_) => 'r',
        }
    };
    let answer = check(
        "sizeof(struct a) == 24 && sizeof(struct b) == 12 && sizeof(struct c) == 5 && sizeof(struct d) == 16",
        DataModel::Lp64,
    );
    assert!(matches!(answer, 's' | 'r'), "{answer}");
    let answer = check(
        "sizeof(struct a) == 16 && sizeof(struct b) == 12 && sizeof(struct c) == 5 && sizeof(struct d) == 12 \
         && sizeof(long) == 4 && sizeof(void *) == 4",
        DataModel::Ilp32,
    );
    assert!(matches!(answer, 's' | 'r'), "{answer}");
}
