use craig_word::{Evaluator, Terms};

use super::*;

const FORMATS: [FloatType; 3] = [FloatType::Single, FloatType::Double, FloatType::Extended];

const BINARY: [FloatOp; 7] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Div,
    FloatOp::Equal,
    FloatOp::Less,
    FloatOp::LessOrEqual,
];

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Floats with many corner cases: zeros, infinities, NaNs, subnormals, small integers, halves, neighbours.
fn operand(state: &mut u64, ty: FloatType, near: u128) -> u128 {
    let format = Format::of(ty);
    let places = format.significand - 1;
    let choice = random(state) % 14;
    let bits = u128::from(random(state)) << 64 | u128::from(random(state));
    let sign = bits >> 127 == 1;
    let fraction = bits & mask(places);
    let biased = bits >> 64 & mask(format.exponent);
    let plain = match choice {
        0 => 0,
        1 => mask(format.exponent) << places,
        2 => return format.nan() | u128::from(sign) << (format.width() - 1),
        3 => fraction,
        4 | 5 => {
            let number = (random(state) % 4000) as f64 / 2.0;
            return from_double(ty, if sign { -number } else { number });
        }
        6 => 1 << places | bits & 3,
        7 => mask(format.exponent) << places | mask(places),
        8 => {
            let width = format.width();
            let flipped = near ^ (bits & 7);
            return if format.is_explicit {
                // The leading bit is unchanged.
                flipped & mask(width)
            } else {
                flipped
            };
        }
        // Exponents around 0, and nearly full or empty fractions.
        9 | 10 => (format.bias() as u128 + bits % 140 - 70) << places | fraction,
        11 => biased << places | (fraction & 7),
        12 => biased << places | (mask(places) - (fraction & 7)),
        _ => biased << places | fraction,
    };
    // With the largest exponent, only one fraction is generated here.
    let plain = if plain >= mask(format.exponent) << places {
        mask(format.exponent) << places
    } else {
        plain
    };
    format.pack(sign, plain)
}

fn result_width(op: FloatOp, width: u32) -> u32 {
    if matches!(op, FloatOp::Equal | FloatOp::Less | FloatOp::LessOrEqual) {
        1
    } else {
        width
    }
}

/// Compares terms with integers, and both with the machine where it has the operation.
fn compare(op: FloatOp, ty: FloatType, operand_width: u32, width: u32, inputs: &[(u128, u128)]) {
    let mut terms = Terms::new();
    let (a, b) = (terms.variable(operand_width), terms.variable(operand_width));
    let mode = terms.variable(Rounding::BITS);
    let root = build(&mut terms, op, ty, (a, b), mode, width);
    for (number, &rounding) in Rounding::ALL.iter().enumerate() {
        // The constant mode makes other terms than the free one.
        let constant = terms.constant(number as u128, Rounding::BITS);
        let fixed = build(&mut terms, op, ty, (a, b), constant, width);
        for &(x, y) in inputs {
            let mut evaluator = Evaluator::new(&terms, |_, variable| match variable {
                0 => x,
                1 => y,
                _ => number as u128,
            });
            let format = Format::of(ty);
            let exact = exact::evaluate(op, format, rounding, (x, y), operand_width, width);
            let say = format!("{op:?} {ty:?} {rounding:?} {x:#x} {y:#x} {width}");
            assert_eq!(evaluator.value(fixed), exact, "{say}, a constant mode");
            assert_eq!(evaluator.value(root), exact, "{say}, a free mode");
            if is_native(op, ty, width, rounding) {
                let machine = native(op, ty, x, y, operand_width, width);
                assert_eq!(machine, exact, "{say}, the machine");
            }
        }
    }
}

/// Constants that leave an operand as it is but for sign and exponent, and some beside them.
fn special_constants(ty: FloatType) -> Vec<u128> {
    let format = Format::of(ty);
    let places = format.significand - 1;
    let bias = format.bias() as u128;
    let largest = mask(format.exponent);
    let exponents = [
        0,
        1,
        2,
        bias - 1,
        bias,
        bias + 1,
        bias + 7,
        largest - 2,
        largest - 1,
    ];
    let powers = exponents.iter().map(|&biased| biased << places);
    let others = [
        1,
        bias << places | 1,
        largest << places,
        (bias + 1) << places | 1 << (places - 1),
    ];
    let mut constants = vec![format.nan()];
    for plain in powers.chain(others) {
        constants.extend([false, true].map(|sign| format.pack(sign, plain)));
    }
    constants
}

#[test]
fn constant_operands_make_the_same_values() {
    let mut state = 0x0f1e_2d3c_4b5a_6978;
    for ty in FORMATS {
        let width = Format::of(ty).width();
        let constants = special_constants(ty);
        let mut inputs = constants.clone();
        inputs.extend((0..12).map(|_| operand(&mut state, ty, 0)));
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
            for &constant in &constants {
                let mut terms = Terms::new();
                let variable = terms.variable(width);
                let mode = terms.variable(Rounding::BITS);
                let fixed = terms.constant(constant, width);
                let on_the_right = build(&mut terms, op, ty, (variable, fixed), mode, width);
                let on_the_left = build(&mut terms, op, ty, (fixed, variable), mode, width);
                let with_itself = build(&mut terms, op, ty, (variable, variable), mode, width);
                for (number, &rounding) in Rounding::ALL.iter().enumerate() {
                    for &x in &inputs {
                        let mut evaluator = Evaluator::new(&terms, |_, variable| match variable {
                            0 => x,
                            _ => number as u128,
                        });
                        let exact = |operands| {
                            exact::evaluate(op, Format::of(ty), rounding, operands, width, width)
                        };
                        let say = format!("{op:?} {ty:?} {rounding:?} {x:#x} {constant:#x}");
                        assert_eq!(evaluator.value(on_the_right), exact((x, constant)), "{say}");
                        assert_eq!(evaluator.value(on_the_left), exact((constant, x)), "{say}");
                        assert_eq!(evaluator.value(with_itself), exact((x, x)), "{say}");
                    }
                }
            }
        }
    }
}

#[test]
fn terms_integers_and_the_machine_agree() {
    let mut state = 0x1357_9bdf_2468_aceb;
    for ty in FORMATS {
        let width = Format::of(ty).width();
        let mut inputs = Vec::new();
        for _ in 0..120 {
            let x = operand(&mut state, ty, 0);
            inputs.push((x, operand(&mut state, ty, x)));
        }
        for op in BINARY {
            compare(op, ty, width, result_width(op, width), &inputs);
        }
        let unary: Vec<_> = inputs.iter().flat_map(|&(x, y)| [(x, x), (y, y)]).collect();
        for op in [FloatOp::Sqrt, FloatOp::Integral] {
            compare(op, ty, width, width, &unary);
        }
        for to in FORMATS {
            if to != ty {
                compare(FloatOp::Convert, ty, width, Format::of(to).width(), &unary);
            }
        }
        for integer in [8, 16, 32, 64, 128] {
            for op in [FloatOp::ToSigned, FloatOp::ToUnsigned] {
                compare(op, ty, width, integer, &unary);
            }
            let numbers: Vec<_> = (0..80)
                .map(|_| {
                    let x = u128::from(random(&mut state)) << 64 | u128::from(random(&mut state));
                    let x = x >> (random(&mut state) % 128);
                    // Runs of ones and zeros cause ties, and values next to them.
                    let x = match random(&mut state) % 3 {
                        0 => x | mask((random(&mut state) % 128) as u32),
                        1 => {
                            x & !mask((random(&mut state) % 128) as u32)
                                | u128::from(random(&mut state) & 1)
                        }
                        _ => x,
                    };
                    let x = x & mask(integer);
                    (x, x)
                })
                .collect();
            for op in [FloatOp::FromSigned, FloatOp::FromUnsigned] {
                compare(op, ty, integer, width, &numbers);
            }
        }
    }
}

/// A million inputs of the terms themselves, which takes minutes: `cargo test --release -p craig --lib --
/// --ignored`.
#[test]
#[ignore = "takes minutes"]
fn terms_and_the_machine_agree_on_a_million_inputs() {
    let mut state = 0x2468_1357_ace0_bdf1;
    for ty in [FloatType::Single, FloatType::Double] {
        let width = Format::of(ty).width();
        for op in BINARY.into_iter().chain([FloatOp::Sqrt, FloatOp::Integral]) {
            let to = result_width(op, width);
            let mut terms = Terms::new();
            let (a, b) = (terms.variable(width), terms.variable(width));
            let nearest = (Rounding::ALL.iter())
                .position(|&rounding| rounding == Rounding::NearestEven)
                .expect("it is one of them");
            let mode = terms.constant(nearest as u128, Rounding::BITS);
            let root = build(&mut terms, op, ty, (a, b), mode, to);
            for _ in 0..60_000 {
                let x = operand(&mut state, ty, 0);
                let y = operand(&mut state, ty, x);
                let mut evaluator =
                    Evaluator::new(&terms, |_, variable| if variable == 0 { x } else { y });
                let machine = native(op, ty, x, y, width, to);
                assert_eq!(
                    evaluator.value(root),
                    machine,
                    "{op:?} {ty:?} {x:#x} {y:#x}"
                );
            }
        }
    }
}

/// Millions of inputs: arithmetic on integers against the machine's, rounding to the nearest.
#[test]
fn integers_and_the_machine_agree_on_many_inputs() {
    let mut state = 0x0f0f_1234_5678_9abc;
    for ty in [FloatType::Single, FloatType::Double] {
        let format = Format::of(ty);
        let width = format.width();
        for _ in 0..120_000 {
            let x = operand(&mut state, ty, 0);
            let y = operand(&mut state, ty, x);
            let ops = BINARY.into_iter().chain([FloatOp::Sqrt, FloatOp::Integral]);
            for op in ops {
                let to = result_width(op, width);
                let exact = exact::evaluate(op, format, Rounding::NearestEven, (x, y), width, to);
                let machine = native(op, ty, x, y, width, to);
                assert_eq!(machine, exact, "{op:?} {ty:?} {x:#x} {y:#x}");
            }
        }
    }
}

#[test]
fn literals_are_those_of_the_machine() {
    let mut state = 0x2222_3333_4444_5555;
    for _ in 0..3000 {
        let bits = random(&mut state);
        let value = f64::from_bits(bits & (u64::MAX >> 1));
        if !value.is_finite() {
            continue;
        }
        let text = format!("{value:e}");
        assert_eq!(
            literal(FloatType::Double, &text),
            Some(u128::from(value.to_bits())),
            "{text}"
        );
        let text = format!("{}.{}e{}", bits >> 40, bits & 0xffff, bits as i64 % 60);
        let single: f32 = text.parse().unwrap();
        assert_eq!(
            literal(FloatType::Single, &text),
            Some(u128::from(single.to_bits())),
            "{text}"
        );
    }
    let ext = |text| literal(FloatType::Extended, text);
    assert_eq!(ext("1"), Some(0x3fff << 64 | 1 << 63));
    assert_eq!(ext("0x1.8p1"), Some(0x4000 << 64 | 3 << 62));
    assert_eq!(ext("0.1"), Some(0x3ffb << 64 | 0xcccc_cccc_cccc_cccd));
    assert_eq!(
        ext("1e5000"),
        Some(Format::of(FloatType::Extended).infinity())
    );
    assert_eq!(ext("0.000"), Some(0));
    assert_eq!(ext("1e"), None);
    assert_eq!(ext("."), None);
}

#[test]
fn extended_floats_are_shown() {
    assert_eq!(show_extended(0x3fff << 64 | 3 << 62), "1.5");
    let tenth = literal(FloatType::Extended, "0.1").unwrap();
    let shown = show_extended(tenth);
    assert_eq!(literal(FloatType::Extended, &shown), Some(tenth), "{shown}");
}

/// A C program that reads operations from standard input and writes the machine's results.
const MACHINE: &str = r#"
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef unsigned long long word;
static const int modes[4] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
#define RUN(T, SQRT, RINT) { \
  volatile T x, y, z = 0; \
  T a, b; \
  memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); \
  memcpy(&a, p, sizeof a < 10 ? sizeof a : 10); memcpy(&b, q, sizeof b < 10 ? sizeof b : 10); \
  x = a; y = b; \
  fesetround(modes[mode]); \
  switch (op) { \
    case 0: z = x + y; break; \
    case 1: z = x - y; break; \
    case 2: z = x * y; break; \
    case 3: z = x / y; break; \
    case 4: z = SQRT(x); break; \
    case 5: z = RINT(x); break; \
  } \
  fesetround(FE_TONEAREST); \
  a = z; \
  memcpy(r, &a, sizeof a < 10 ? sizeof a : 10); \
  isnan = z != z; }
int main(void)
{
  int op, format, mode;
  word p[2], q[2], r[2];
  while (scanf("%d %d %d %llx %llx %llx %llx", &op, &format, &mode, p, p + 1, q, q + 1) == 7) {
    int isnan = 0;
    r[0] = r[1] = 0;
    if (format == 0) RUN(float, sqrtf, rintf)
    else if (format == 1) RUN(double, sqrt, rint)
    else RUN(long double, sqrtl, rintl)
    if (isnan) puts("nan"); else printf("%llx %llx\n", r[0], r[1]);
  }
  return 0;
}
"#;

/// Every rounding mode that the machine has, in every format, as compiled C computes.
#[test]
fn all_modes_agree_with_compiled_c() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    if !cfg!(target_arch = "x86_64") {
        println!("skipped: the formats are those of x86-64");
        return;
    }
    let directory = std::env::temp_dir().join(format!("craig-floats-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (source, program) = (directory.join("machine.c"), directory.join("machine"));
    std::fs::write(&source, MACHINE).unwrap();
    let compiled = Command::new("cc")
        .args(["-O1", "-frounding-math", "-w", "-o"])
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        println!("skipped: there is no `cc` that compiles the other side");
        return;
    }
    let ops = [
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::Sqrt,
        FloatOp::Integral,
    ];
    let mut state = 0x9876_5432_1234_5678;
    let mut cases = Vec::new();
    let mut text = String::new();
    for _ in 0..8000 {
        for (format, ty) in FORMATS.into_iter().enumerate() {
            let x = operand(&mut state, ty, 0);
            // Near operands of x87's may have a leading bit that contradicts the exponent: not compared.
            let near = if ty == FloatType::Extended { 0 } else { x };
            let mut y = operand(&mut state, ty, near);
            if ty == FloatType::Extended && y >> 63 & 1 == 0 && y >> 64 & 0x7fff != 0 {
                y |= 1 << 63;
            }
            let (op, mode) = (random(&mut state) % 6, random(&mut state) % 4);
            text += &format!(
                "{op} {format} {mode} {:x} {:x} {:x} {:x}\n",
                x as u64,
                (x >> 64) as u64,
                y as u64,
                (y >> 64) as u64
            );
            cases.push((ops[op as usize], ty, Rounding::ALL[mode as usize], x, y));
        }
    }
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.lines().count(), cases.len());
    for ((op, ty, rounding, x, y), line) in cases.into_iter().zip(output.lines()) {
        let format = Format::of(ty);
        let width = format.width();
        let ours = exact::evaluate(op, format, rounding, (x, y), width, width);
        let machine = match line.split_once(' ') {
            Some((low, high)) => {
                let word = |text| u128::from(u64::from_str_radix(text, 16).unwrap());
                (word(high) << 64 | word(low)) & mask(width)
            }
            None => format.nan(),
        };
        assert_eq!(ours, machine, "{op:?} {ty:?} {rounding:?} {x:#x} {y:#x}");
    }
}
