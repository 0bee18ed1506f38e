//! Expressions of C mean what their terms mean: gcc's code computes both sides of random conditions.

use std::fmt::Write as _;
use std::process::Command;

use craig_aig::Random;

use super::tests::OPS;
use super::*;

/// The variables of the program: names, widths, and whether their types are signed.
const VARIABLES: [(&str, u32, bool, &str); 9] = [
    ("b", 1, false, "_Bool"),
    ("c8", 8, true, "signed char"),
    ("u8", 8, false, "unsigned char"),
    ("s16", 16, true, "short"),
    ("u16", 16, false, "unsigned short"),
    ("i", 32, true, "int"),
    ("u", 32, false, "unsigned"),
    ("l", 64, true, "long long"),
    ("w", 64, false, "unsigned long long"),
];

const N_RUNS: usize = 24;

/// One of the terms of this width.
fn one(random: &mut Random, terms: &Terms, pool: &[Term], width: u32) -> Term {
    let same: Vec<Term> = (pool.iter().copied())
        .filter(|&term| terms.width(term) == width)
        .collect();
    same[random.below(same.len())]
}

/// A number that programs compare with.
fn number(random: &mut Random, width: u32) -> u128 {
    let value = match random.below(4) {
        0 => random.below(9) as u128,
        1 => 1 << (width - 1),
        2 => (1 << (width - 1)) - 1,
        _ => u128::from(random.word()),
    };
    value & mask(width)
}

/// Adds an operation on terms that are there.
fn grow(random: &mut Random, terms: &mut Terms, pool: &mut Vec<Term>) {
    let a = pool[random.below(pool.len())];
    let width = terms.width(a);
    let b = one(random, terms, pool, width);
    let term = match random.below(14) {
        0 => terms.not(a),
        1 => {
            let condition = one(random, terms, pool, 1);
            terms.ite(condition, a, b)
        }
        2 if width <= 32 => terms.concat(a, b),
        3 => {
            let low = [0, random.below(width as usize) as u32][random.below(2)];
            let part = 1 + random.below((width - low) as usize) as u32;
            terms.extract(a, low, part)
        }
        4 | 5 => {
            let wider = [8, 16, 32, 64].into_iter().find(|&wider| wider > width);
            match (wider, random.flip()) {
                (Some(wider), true) => terms.zext(a, wider),
                (Some(wider), false) => terms.sext(a, wider),
                (None, _) => terms.not(a),
            }
        }
        6 | 7 => {
            let op = OPS[random.below(OPS.len())];
            let value = match op {
                Op::Shl | Op::LShr => random.below(width as usize) as u128,
                _ => number(random, width),
            };
            let constant = terms.constant(value, width);
            terms.binary(op, a, constant)
        }
        8 => {
            let value = number(random, width);
            let constant = terms.constant(value, width);
            terms.slt(constant, a)
        }
        9 => terms.xor(a, b),
        10 => terms.slt(a, b),
        _ => terms.binary(OPS[random.below(OPS.len())], a, b),
    };
    pool.push(term);
}

/// The value of a variable in a run, as a literal of C is converted to it.
fn literal(value: u128) -> String {
    format!("{}ULL", value as u64)
}

/// A program that prints a line of values for each condition, and the right lines.
fn program(random: &mut Random) -> (String, Vec<String>) {
    let inputs: Vec<[u128; 9]> = (0..N_RUNS)
        .map(|_| VARIABLES.map(|(_, width, ..)| number(random, width)))
        .collect();
    let mut text = String::from("#include <stdio.h>\n");
    for (number, (name, _, _, kind)) in VARIABLES.iter().enumerate() {
        let values: Vec<String> = inputs.iter().map(|run| literal(run[number])).collect();
        // The conversion to the type keeps the bits.
        _ = writeln!(text, "static {kind} {name};");
        _ = writeln!(
            text,
            "static const unsigned long long all_{name}[] = {{ {} }};",
            values.join(", ")
        );
    }
    let mut lines = Vec::new();
    let mut body = String::new();
    while lines.len() < 400 {
        let mut terms = Terms::new();
        let variables = VARIABLES.map(|(_, width, ..)| terms.variable(width));
        let mut pool = variables.to_vec();
        for _ in 0..12 {
            grow(random, &mut terms, &mut pool);
        }
        let name = |term: Term| {
            let at = variables.iter().position(|&other| other == term)?;
            let (name, _, is_signed, _) = VARIABLES[at];
            Some((name.to_owned(), is_signed))
        };
        for &term in pool[VARIABLES.len()..].iter().rev() {
            if terms.width(term) != 1 {
                continue;
            }
            let Some(condition) = terms.c_condition(term, &name) else {
                continue;
            };
            _ = writeln!(body, "    putchar(({condition}) ? '1' : '0');");
            let values = (inputs.iter())
                .map(|run| Evaluator::new(&terms, |_, number| run[number as usize]).value(term));
            lines.push(values.map(|value| value.to_string()).collect());
        }
    }
    // A function for each condition would cost the compiler more; one loop for all would need their texts twice.
    _ = writeln!(
        text,
        "int main(void) {{\n  for (int run = 0; run < {N_RUNS}; run++) {{"
    );
    for (name, ..) in VARIABLES {
        _ = writeln!(text, "    {name} = all_{name}[run];");
    }
    _ = writeln!(text, "{body}    putchar('\\n');\n  }}\n  return 0;\n}}");
    (text, lines)
}

#[test]
fn expressions_mean_what_terms_mean() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("craig-expressions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (text, lines) = program(&mut Random::new(11));
    let (file, binary) = (folder.join("all.c"), folder.join("all"));
    std::fs::write(&file, &text).unwrap();
    let compiled = Command::new("gcc")
        .args(["-std=gnu17", "-w", "-O0"])
        .args(["-fsanitize=undefined", "-fno-sanitize-recover=all", "-o"])
        .args([&binary, &file])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{message}");
    let output = Command::new(&binary).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "{message}");
    // By run, then by condition; the right lines are by condition.
    let runs: Vec<&str> = std::str::from_utf8(&output.stdout)
        .unwrap()
        .lines()
        .collect();
    assert_eq!(runs.len(), N_RUNS);
    let conditions = text.lines().filter(|line| line.contains("putchar(("));
    for (number, (line, condition)) in lines.iter().zip(conditions).enumerate() {
        let found: String = runs.iter().map(|run| &run[number..=number]).collect();
        assert_eq!(found, *line, "{condition}");
    }
}

/// The forms of expressions, as a reader sees them.
#[test]
fn expressions_have_the_forms_of_c() {
    let written = |build: &dyn Fn(&mut Terms, &[Term; 9]) -> Term| {
        let mut terms = Terms::new();
        let variables = VARIABLES.map(|(_, width, ..)| terms.variable(width));
        let term = build(&mut terms, &variables);
        let name = |term: Term| {
            let at = variables.iter().position(|&other| other == term)?;
            Some((VARIABLES[at].0.to_owned(), VARIABLES[at].2))
        };
        terms.c_condition(term, &name)
    };
    let is = |build: &dyn Fn(&mut Terms, &[Term; 9]) -> Term, expected: &str| {
        assert_eq!(written(build).as_deref(), Some(expected));
    };
    is(&|t, _| t.boolean(true), "1");
    is(&|t, v| t.not(v[0]), "!b");
    is(&|t, v| t.extract(v[5], 31, 1), "i < 0");
    is(&|t, v| t.extract(v[6], 5, 1), "(u >> 5 & 1) != 0");
    is(
        &|t, v| {
            let least = t.constant(1 << 31, 32);
            t.eq(v[5], least)
        },
        "i == (-2147483647 - 1)",
    );
    is(
        &|t, v| {
            let (one, two) = (t.constant(1, 64), t.constant(2, 64));
            let choice = t.ite(v[0], v[8], one);
            t.ult(choice, two)
        },
        "(b ? w : 1ULL) < 2ULL",
    );
    is(
        &|t, v| {
            let (wide, bound) = (t.zext(v[2], 32), t.constant(9, 32));
            let sum = t.add(wide, v[6]);
            t.ult(sum, bound)
        },
        "u + (unsigned)u8 < 9U",
    );
    is(
        &|t, v| {
            let (x, y) = (t.extract(v[6], 0, 8), t.xor(v[2], v[2]));
            let z = t.or(x, y);
            t.eq(z, v[2])
        },
        "u8 == (unsigned char)u",
    );
    // Variables without a name, and products that could overflow `int`.
    let mut terms = Terms::new();
    let x = terms.variable(1);
    assert_eq!(terms.c_condition(x, &|_| None), None);
    let product = |t: &mut Terms, v: &[Term; 9]| {
        let product = t.mul(v[3], v[4]);
        t.eq(product, v[4])
    };
    assert_eq!(written(&product), None);
}
