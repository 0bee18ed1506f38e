//! On every input, the reader returns a result or an error.

use proptest::prelude::*;

use super::{Checks, DataModel, Options, count_properties};

const PROGRAM: &str = "typedef unsigned long size_t; struct s { int a : 3; struct { char c[2]; } d; } g = { \
                       1, { { 'a', '\\n' } } };\n\
    enum e { A = 1, B }; union u { int i; float f; }; static int t[3] = { [1] = 2, 3 }; extern void \
    *malloc(size_t);\n\
    int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int r = __builtin_va_arg(l, int); \
    __builtin_va_end(l); return r; }\n\
    k(a, b) int a; char b; { switch (a) { case 1 ... 3: return b; default: ; } return sizeof(struct s) + \
    t[a & 1]; }\n\
    int main(void) { int x = nondet_int(), *p = malloc(sizeof *p * 2), v[x & 7]; for (int i = 0; i < 3; \
    i++) { if (i == x) continue; \
    *p += i ? g.d.c[0] : (int)1.5f; } do { x--; } while (x > 0x10u && !p[1]); while (1) { if (x) goto out; \
    else break; }\n\
    out: __sync_fetch_and_add(p, 1); p = ({ int y = x; &t[y % 3]; }); x = f(2, 3, \"s\\x41\") + k(A, 'c') + \
    v[0]; assert(x != B); free(p); return (x, 0); }\n";

/// The tokens of the text.
fn pieces() -> Vec<&'static str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in PROGRAM.char_indices() {
        if !(c.is_ascii_alphanumeric() || c == '_') {
            if start < at {
                pieces.push(&PROGRAM[start..at]);
            }
            pieces.push(&PROGRAM[at..=at]);
            start = at + 1;
        }
    }
    pieces
}

fn options(model: DataModel) -> Options {
    Options {
        model,
        checks: Checks::ALL,
        ..Options::default()
    }
}

#[test]
fn the_program_that_is_mutated_is_understood() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let n_properties = count_properties(PROGRAM, &options(model)).expect("it is a program");
        assert!(n_properties > 20, "{n_properties}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn programs_with_pieces_out_of_place_are_answered(
        edits in prop::collection::vec((0..1000usize, 0..1000usize, 0..4u8), 1..5),
        large in any::<bool>(),
    ) {
        let mut pieces = pieces();
        for (at, other, kind) in edits {
            let (at, other) = (at % pieces.len(), other % pieces.len());
            match kind {
                0 => { pieces.remove(at); }
                1 => { let piece = pieces[other]; pieces.insert(at, piece); }
                2 => pieces.swap(at, other),
                _ => pieces[at] = pieces[other],
            }
        }
        let model = if large { DataModel::Lp64 } else { DataModel::Ilp32 };
        // Any result is accepted, but no panic.
        let _ = count_properties(&pieces.concat(), &options(model));
    }

    #[test]
    fn programs_with_bytes_out_of_place_are_answered(
        edits in prop::collection::vec((0..4000usize, any::<u8>()), 1..4),
        cut in 0..4000usize,
    ) {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        for (at, byte) in edits {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        if cut < bytes.len() {
            bytes.truncate(cut);
        }
        let _ = count_properties(&String::from_utf8_lossy(&bytes), &options(DataModel::Lp64));
    }
}

#[test]
fn lists_of_arguments_are_asked_of_lists_alone() {
    let variadic = "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); ";
    for wrong in [
        "return __builtin_va_arg(n, int); }",
        "__builtin_va_copy(n, l); return 0; }",
        "__builtin_va_copy(l, n); return 0; }",
        "__builtin_va_start(n, n); return 0; }",
    ] {
        let text = format!("{variadic}{wrong} int main(void) {{ return f(1, 2); }}");
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let answer = count_properties(&text, &options(model));
            assert!(answer.is_ok(), "{text}: {answer:?}");
        }
    }
}
