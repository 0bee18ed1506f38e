//! Random programs, compared with the native compiler.

use std::fmt::Write as _;

use crate::native_tests::printed;
use crate::tests::{Random, lazily, ran, unwound};

const GLOBALS: [(&str, &str); 8] = [
    ("g0", "int"),
    ("g1", "unsigned int"),
    ("g2", "signed char"),
    ("g3", "unsigned char"),
    ("g4", "short"),
    ("g5", "unsigned short"),
    ("g6", "long"),
    ("g7", "unsigned long"),
];

/// Generates C without undefined behaviour, given that signed arithmetic wraps.
struct Writer {
    random: Random,
    out: String,
    loops: usize,
}

impl Writer {
    fn place(&mut self) -> String {
        match self.random.below(19) {
            n @ 0..=7 => GLOBALS[n as usize].0.to_string(),
            8 => format!("array[{}]", self.random.below(4)),
            9 => {
                let index = self.expression(1);
                format!("array[({index}) & 3]")
            }
            10 => "record.low".into(),
            11 => "record.high".into(),
            12 => "pointer->part".into(),
            13 => "both.word".into(),
            14 => format!("both.bytes[{}]", self.random.below(4)),
            15 => "*number".into(),
            16 => "both.bits.middle".into(),
            17 => format!("number[{}]", self.random.below(2)),
            _ => "local".into(),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(5) {
                0 => format!("{}", self.random.below(300)),
                1 => format!("{}u", self.random.below(1 << 32)),
                2 => format!("-{}L", self.random.below(1 << 40)),
                _ => self.place(),
            };
        }
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        match self.random.below(23) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            // Positive divisors: neither a trap nor an overflow.
            3 => format!("({a} / (({b} & 0x7f) + 1))"),
            4 => format!("({a} % (({b} & 0x7f) + 1))"),
            5 => format!("({a} & {b})"),
            6 => format!("({a} | {b})"),
            7 => format!("({a} ^ {b})"),
            8 => format!("({a} << ({b} & 7))"),
            9 => format!("({a} >> ({b} & 7))"),
            10 => format!("({a} < {b})"),
            11 => format!("({a} >= {b})"),
            12 => format!("({a} == {b})"),
            13 => format!("({a} && {b})"),
            14 => format!("({a} || !{b})"),
            15 => format!("({a} ? {b} : {a})"),
            16 => format!("(~{a})"),
            17 => format!("(short)({a})"),
            18 => format!("(unsigned char)({b})"),
            // Floats stay small, so that converting them back is defined.
            19 => "((int)ratio)".into(),
            20 => format!("(ratio < (double)(short)({a}))"),
            21 => format!("(single * 2.0f > (float)(short)({b}))"),
            _ => format!("mix({a}, {b})"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let place = self.place();
        match self.random.below(if depth == 0 { 10 } else { 14 }) {
            0..=2 => {
                let value = self.expression(2);
                let _ = writeln!(self.out, "  {place} = {value};");
            }
            3 => {
                let value = self.expression(1);
                let op = ["+=", "-=", "*=", "^=", "|=", "&="][self.random.below(6) as usize];
                let _ = writeln!(self.out, "  {place} {op} {value};");
            }
            4 => {
                let op = ["++", "--"][self.random.below(2) as usize];
                let _ = writeln!(self.out, "  {place}{op};");
            }
            5 => {
                let _ = writeln!(self.out, "  pointer = &records[{}];", self.random.below(3));
            }
            6 => {
                let index = self.expression(1);
                let _ = writeln!(self.out, "  number = &array[({index}) & 1];");
            }
            7 => {
                let value = self.expression(1);
                let _ = writeln!(self.out, "  ratio = ratio * 0.5 + (short)({value});");
            }
            8 => {
                let value = self.expression(1);
                let _ = writeln!(
                    self.out,
                    "  single = single * 0.25f - (signed char)({value}) / 8.0f;"
                );
            }
            9 => {
                let from = ["record", "*pointer", "records[1]"][self.random.below(3) as usize];
                let to = ["record", "*pointer", "records[2]"][self.random.below(3) as usize];
                let _ = writeln!(self.out, "  {to} = twist({from}, &g5);");
            }
            10 | 11 => {
                let condition = self.expression(2);
                let _ = writeln!(self.out, "  if ({condition}) {{");
                self.statement(depth - 1);
                let _ = writeln!(self.out, "  }} else {{");
                self.statement(depth - 1);
                let _ = writeln!(self.out, "  }}");
            }
            12 => {
                self.loops += 1;
                let name = format!("i{}", self.loops);
                let turns = self.random.below(4) + 1;
                let _ = writeln!(
                    self.out,
                    "  for (int {name} = 0; {name} < {turns}; {name}++) {{"
                );
                self.statement(depth - 1);
                let stop = self.expression(1);
                let _ = writeln!(
                    self.out,
                    "  if ({stop}) {};",
                    ["break", "continue"][self.random.below(2) as usize]
                );
                self.statement(depth - 1);
                let _ = writeln!(self.out, "  }}");
            }
            _ => {
                let value = self.expression(1);
                let _ = writeln!(self.out, "  switch (({value}) & 3) {{\n  case 0:");
                self.statement(depth - 1);
                let _ = writeln!(self.out, "  case 1:");
                self.statement(depth - 1);
                let _ = writeln!(self.out, "  break;\n  default:");
                self.statement(depth - 1);
                let _ = writeln!(self.out, "  }}");
            }
        }
    }
}

const PRELUDE: &str = "struct pair { unsigned int low : 5; int high : 11; long part; };\n\
    int array[4]; struct pair record; struct pair records[3]; struct pair *pointer;\n\
    union both { unsigned int word; unsigned char bytes[4]; struct { int low : 7; unsigned middle : 9; } \
    bits; } both;\n\
    int *number; double ratio; float single;\n\
    static struct pair twist(struct pair p, unsigned short *count) { p.part += p.low; p.high -= 3; \
    ++*count; return p; }\n\
    static int mix(long a, unsigned char b) { return a > b ? (int)(a - b) : b + 1; }\n";

/// The expressions observed at the end.
const OBSERVED: [&str; 22] = [
    "g0",
    "g1",
    "g2",
    "g3",
    "g4",
    "g5",
    "g6",
    "g7",
    "array[0]",
    "array[1]",
    "array[2]",
    "array[3]",
    "record.low",
    "record.high",
    "records[0].part",
    "records[1].part",
    "records[2].part",
    "both.word",
    "both.bits.low",
    "number - array",
    // The bits of the floats.
    "*(unsigned long *)&ratio",
    "*(unsigned int *)&single",
];

fn declarations() -> String {
    let mut text = String::new();
    for (name, ty) in GLOBALS {
        let _ = writeln!(text, "{ty} {name};");
    }
    text + PRELUDE
}

/// The body of a function that computes from two inputs.
fn random_body(seed: u64) -> String {
    let mut writer = Writer {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        out: String::new(),
        loops: 0,
    };
    for _ in 0..7 {
        writer.statement(2);
    }
    writer.out
}

/// The inputs of a program, as numbers.
fn inputs(seed: u64) -> (u64, u64) {
    let mut random = Random(seed | 1);
    (random.below(u64::MAX), random.below(1 << 20))
}

/// The results of gcc's code, for several bodies at once; `None` without a compiler.
fn natively(seeds: &[u64]) -> Option<Vec<Vec<i128>>> {
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\n");
    text += &declarations();
    for &seed in seeds {
        let (a, b) = inputs(seed);
        let _ = writeln!(
            text,
            "void f{seed}(void) {{ long local = 1; pointer = &records[0]; number = &array[2]; g6 = \
             (long){a}ul; g1 = {b}u;\n{}}}",
            random_body(seed)
        );
    }
    text += "int main(void) {\n";
    for &seed in seeds {
        for (name, _) in GLOBALS {
            let _ = writeln!(text, "{name} = 0;");
        }
        text += "memset(array, 0, sizeof array); memset(&record, 0, sizeof record); memset(records, 0, \
                 sizeof records); both.word = 0; ratio = 0; single = 0;\n";
        let _ = writeln!(text, "f{seed}();");
        for place in OBSERVED {
            let format = "%ld";
            let _ = writeln!(text, "printf(\"{format} \", (long)({place}));");
        }
        text += "puts(\"\");\n";
    }
    text += "return 0; }\n";
    let text = printed(&text, &["-w", "-O1", "-fwrapv", "-fno-strict-aliasing"])?;
    Some(
        text.lines()
            .map(|line| {
                line.split_whitespace()
                    .map(|word| word.parse().expect("a number"))
                    .collect()
            })
            .collect(),
    )
}

#[test]
fn random_programs_compute_what_gcc_s_code_computes() {
    let seeds: Vec<u64> = (1..=60).collect();
    let Some(expected) = natively(&seeds) else {
        eprintln!("there is no C compiler here");
        return;
    };
    for (&seed, values) in seeds.iter().zip(&expected) {
        let (a, b) = inputs(seed);
        // The inputs stay free up to the assumption, so that no constant is folded before the solver.
        let mut text = declarations();
        let _ = write!(
            text,
            "unsigned long nondet_ulong(void); unsigned nondet_uint(void);\n\
             int main(void) {{ unsigned long a = nondet_ulong(); unsigned b = nondet_uint();\n\
             long local = 1; pointer = &records[0]; number = &array[2]; g6 = (long)a; g1 = b;\n{}\
             __VERIFIER_assume(a == {a}ul && b == {b}u);\n",
            random_body(seed)
        );
        let wrong = seed as usize % OBSERVED.len();
        let mut checks = String::new();
        for (place, value) in OBSERVED.iter().zip(values) {
            let _ = writeln!(
                checks,
                "assert((unsigned long)({place}) == {}ul);",
                *value as u64
            );
        }
        let right = format!("{text}{checks}return 0; }}\n");
        assert_eq!(unwound(&right), 's', "seed {seed}:\n{right}");
        let place = OBSERVED[wrong];
        let off = format!(
            "{text}assert((unsigned long)({place}) != {}ul);return 0; }}\n",
            values[wrong] as u64
        );
        assert_eq!(unwound(&off), 'u', "seed {seed}:\n{off}");
        for above in [0, 2] {
            assert_eq!(lazily(above, &right), 's', "lazily, seed {seed}:\n{right}");
            assert_eq!(lazily(above, &off), 'u', "lazily, seed {seed}:\n{off}");
        }
        // With constant inputs there is one run.
        let known = |text: &str| {
            let text = text.replace("= nondet_ulong()", &format!("= {a}ul"));
            text.replace("= nondet_uint()", &format!("= {b}u"))
        };
        assert_eq!(ran(&known(&right)), 's', "run, seed {seed}:\n{right}");
        assert_eq!(ran(&known(&off)), 'u', "run, seed {seed}:\n{off}");
    }
}
