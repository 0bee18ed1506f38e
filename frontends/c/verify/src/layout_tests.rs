//! Random records, with the layout of the native compiler.

use std::fmt::Write as _;
use std::process::Command;

use crate::bounded;
use crate::tests::{Random, letter, lowered, program, unwound};
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_program::line_up::Stages;

/// Random declarations of structs.
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

/// The numbers that gcc puts into a table, read from its assembly, which needs no library for the other
/// machine.
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
                (&Unwinding::default(), &Stages::NONE),
                Alone::new().control(),
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
        struct e { int i; } __attribute__((packed));\n\
        struct f { short s : 13; long long : 0; char c; };\n";
    let check = |sizes: &str, model: DataModel| {
        let text = format!("{text} int main(void) {{ assert({sizes}); return 0; }}");
        // An attribute that the parser drops has to be rejected, never ignored.
        match lowered(&text, model) {
            Ok(program) => letter(&bounded::check(
                &program,
                (&Unwinding::default(), &Stages::NONE),
                Alone::new().control(),
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
         && sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(struct f) == 6",
        DataModel::Ilp32,
    );
    assert!(matches!(answer, 's' | 'r'), "{answer}");
}

/// A record with bit-fields and all variants of packing: its declaration, whether it is a union, and its
/// fields with their widths.
fn packed_record(random: &mut Random, number: u64) -> (String, bool, Vec<(String, u32)>) {
    const BASES: [(&str, u32); 9] = [
        ("signed char", 8),
        ("unsigned char", 8),
        ("short", 16),
        ("unsigned short", 16),
        ("int", 32),
        ("unsigned", 32),
        ("long long", 64),
        ("unsigned long long", 64),
        ("_Bool", 1),
    ];
    let pragma = [0, 0, 1, 2, 4, 8][random.below(6) as usize];
    let is_union = random.below(7) == 0;
    let kind = if is_union { "union" } else { "struct" };
    let mut text = String::new();
    if pragma > 0 {
        let _ = writeln!(text, "#pragma pack(push, {pragma})");
    }
    let _ = write!(text, "{kind} r{number} {{ ");
    let mut fields = Vec::new();
    for field in 0..random.below(6) + 1 {
        let (base, bits) = BASES[random.below(9) as usize];
        let mut attributes = String::new();
        if random.below(4) == 0 {
            attributes += " __attribute__((packed))";
        }
        if random.below(6) == 0 {
            let _ = write!(
                attributes,
                " __attribute__((aligned({})))",
                1 << random.below(4)
            );
        }
        let width = random.below(u64::from(bits)) as u32 + 1;
        let name = format!("f{field}");
        let _ = match random.below(8) {
            0 if base != "_Bool" => {
                write!(text, "{base} : {}; ", random.below(2) * u64::from(width))
            }
            1 => {
                fields.push((name.clone(), bits));
                write!(text, "{base} {name}{attributes}; ")
            }
            _ => {
                fields.push((name.clone(), width));
                write!(text, "{base} {name} : {width}{attributes}; ")
            }
        };
    }
    text += "char last; }";
    fields.push(("last".into(), 8));
    if random.below(5) < 2 {
        text += " __attribute__((packed))";
    }
    if random.below(4) == 0 {
        let _ = write!(text, " __attribute__((aligned({})))", 1 << random.below(5));
    }
    text += ";\n";
    if pragma > 0 {
        text += "#pragma pack(pop)\n";
    }
    (text, is_union, fields)
}

/// The output of a program compiled by gcc; `None` without a compiler.
fn printed(text: &str) -> Option<String> {
    let directory = tempfile::tempdir().ok()?;
    let (source, binary) = (
        directory.path().join("bytes.c"),
        directory.path().join("bytes"),
    );
    std::fs::write(&source, text).ok()?;
    let output = Command::new("cc")
        .arg("-w")
        .arg("-o")
        .arg(&binary)
        .arg(&source)
        .output()
        .ok()?;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = Command::new(&binary).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Each field is set to a different value in turn, all bytes are compared after each, and the fields are read
/// back.
#[test]
fn bytes_of_packed_bit_fields_are_those_of_gcc() {
    let mut random = Random(0x5eed_1234_5678_9abd);
    for _ in 0..8 {
        let (mut records, mut native, mut checked) = (String::new(), String::new(), Vec::new());
        for number in 0..6 {
            let (text, is_union, fields) = packed_record(&mut random, number);
            records += &text;
            let kind = if is_union { "union" } else { "struct" };
            let _ = write!(
                native,
                "{{ {kind} r{number} x; unsigned char *p = (void *)&x; unsigned i; for (i = 0; i < sizeof \
                 x; i++) p[i] = 0x5a;
                 printf(\"%d %d\", (int)sizeof x, (int)_Alignof({kind} r{number}));"
            );
            let mut steps = Vec::new();
            for (name, _) in &fields {
                let value = random.below(1 << 62) << 2 | random.below(4);
                let set = format!("x.{name} = {value}ull;");
                let _ = write!(
                    native,
                    "{set} for (i = 0; i < sizeof x; i++) printf(\" %d\", p[i]); printf(\" %lld\", (long \
                     long)x.{name});"
                );
                steps.push((set, name.clone()));
            }
            native += "printf(\"\\n\"); }\n";
            checked.push((kind, number, steps));
        }
        let Some(output) = printed(&format!(
            "{records} int printf(const char *, ...); int main(void) {{ {native} return 0; }}"
        )) else {
            eprintln!("skipped, there is no compiler");
            return;
        };
        for ((kind, number, steps), line) in checked.into_iter().zip(output.lines()) {
            let mut numbers = line.split(' ');
            let mut next = || numbers.next().expect("gcc printed enough of them");
            let (size, align) = (next(), next());
            let mut body = format!(
                "{kind} r{number} x; unsigned char *p = (void *)&x; for (unsigned i = 0; i < sizeof x; i++) \
                 p[i] = 0x5a;
                 assert(sizeof x == {size} && _Alignof({kind} r{number}) == {align});"
            );
            let n_bytes: u32 = size.parse().expect("a size");
            for (set, name) in steps {
                body += &set;
                for byte in 0..n_bytes {
                    let _ = write!(body, "assert(p[{byte}] == {});", next());
                }
                let _ = writeln!(
                    body,
                    "assert((long long)x.{name} == {}ll);",
                    next().replace("-9223372036854775808", "-9223372036854775807ll - 1")
                );
            }
            let text = format!("{records} int main(void) {{ {body} return 0; }}");
            let answer = unwound(&text);
            assert_eq!(answer, 's', "{text}");
        }
    }
}

#[test]
fn packed_bit_fields_are_read_and_written_across_units() {
    let program = |claim: &str| {
        format!(
            "struct p {{ unsigned a : 5; unsigned long long b : 64; int c : 11; }} __attribute__((packed));
             #pragma pack(push, 4)
             struct q {{ unsigned a : 20, b : 20; }};
             #pragma pack(pop)
             struct m {{ char a; __attribute__((packed)) int i; int j __attribute__((packed)); unsigned k : \
             7; }};
             int main(void) {{ struct p x = {{ 1, 2, -3 }}, y; struct q z;
             unsigned long long n = nondet_ulong(); x.b = n; z.b = n; z.a = 0; y = x; y.c++;
             assert({claim}); return 0; }}"
        )
    };
    for claim in [
        "x.a == 1 && x.b == n && x.c == -3 && y.c == -2 && y.b == n",
        "z.b == (n & 0xfffff) && sizeof x == 10 && sizeof z == 8",
        "sizeof(struct m) == 12 && _Alignof(struct m) == 4",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    for claim in ["x.b != 77", "y.b >> 60 != 9", "z.b < 0xfffff"] {
        assert_eq!(unwound(&program(claim)), 'u', "{claim}");
    }
}
