//! Copies of open length: what is proved, and that it holds byte by byte.

use super::*;
use crate::tests::{letter, lowered_with};
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_program::line_up::Stages;

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void *memcpy(void *, const void *, size_t); size_t nondet_ulong(void);
    void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t);
    struct s { int *p; size_t n; }; int x, y;";

/// The program with open copies and what unrolling says about it; `None` if it has no such copies.
fn open(body: &str) -> Option<char> {
    let text = format!(
        "{HEAD} int main(void) {{ size_t n = nondet_ulong(); if (n > 1000000 || n < 1) return 0; {body} return 0; }}"
    );
    let program = lowered_with(&text, DataModel::Lp64, |options| {
        options.checks.bounds = true;
        options.checks.pointer = true;
    });
    let open = with_open_copies(&program.expect("the program is lowered"))?;
    let verdict = bounded::check(
        &open,
        (&Unwinding::default(), &Stages::NONE),
        Alone::new().control(),
    );
    Some(letter(&verdict))
}

#[test]
fn copies_of_open_length_end_unrolling() {
    for body in [
        "char *s = malloc(n), *d = malloc(n + 1); memcpy(d, s, n); d[n] = 3; assert(d[n] == 3 && n <= 1000000);",
        "char *s = malloc(n), *d = malloc(n); memset(s, 0, n); memmove(d, s, n); assert(memcmp(s, d, n) || n > 0);",
        "struct t { size_t n; int *p; char text[]; } *t = malloc(sizeof(struct t) + n); char *s = malloc(n); t->n = 5; t->p = &x;
         memcpy(t->text, s, n); *t->p = 7; assert(x == 7 && t->n == 5);",
        "char s[9] = \"8 bytes\"; char *d = malloc(n + 8); __builtin_memcpy(d, s, 8); memset(d + 8, 0, n); assert(s[0] == '8');",
    ] {
        assert_eq!(open(body), Some('s'), "{body}");
    }
    // All accesses count.
    for body in [
        "char *s = malloc(n), *d = malloc(n / 2); memcpy(d, s, n);",
        "char *s = malloc(n), *d = malloc(n); memcpy(d, s + 1, n);",
        "char *s = malloc(n), *d = 0; memcpy(d, s, n);",
        "char *s = malloc(n); memset(\"text\", 0, n);",
        "struct s a = { &x, 1 }, *b = malloc(16 * n); memcpy(b, &a, n < 2 ? 16 : 8); *b->p = 5; assert(x != 5);",
    ] {
        assert!(matches!(open(body), Some('u' | '?')), "{body}");
    }
    assert_eq!(
        open(
            "struct s a = { &x, 1 }, b; __builtin_memcpy(&b, &a, sizeof b); memset(&a, 0, 8); assert(b.p == &x);"
        ),
        None
    );
}

/// What is copied is known, wherever it comes from, and nothing else has changed.
#[test]
fn copies_of_open_length_hold_what_is_copied() {
    let index = "size_t i = nondet_ulong(); if (i >= n) return 0;";
    for body in [
        "char *s = malloc(n), *d = malloc(n + 1); d[0] = 4; memcpy(d + 1, s, n); assert(d[0] == 4 && d[i + 1] == s[i]);",
        "char *s = malloc(n), *d = malloc(n); memset(s, 7, n); memcpy(d, s, n); assert(d[i] == 7);",
        "char *s = malloc(n + 1), c = s[i]; memmove(s + 1, s, n); assert(s[i + 1] == c);",
        "char *s = malloc(n), *d = malloc(n), c; memcpy(d, s, n); c = s[i]; s[i] = c + 1; assert(d[i] == c);",
        "char *s = malloc(n), *d = malloc(n); s[i] = 3; if (i & 1) memcpy(d, s, n); else memset(d, 3, n); assert(d[i] == 3);",
        "int *s = malloc(4 * n), *d = malloc(4 * n); s[i] = 70000; memcpy(d, s, 4 * n); assert(d[i] == 70000);",
        "struct s *a = malloc(16 * n), *b = malloc(16 * n); a[i].p = &x; memcpy(b, a, 16 * n); *b[i].p = 5; assert(x == 5);",
        "char a[300], b[300], c = a[i % 8]; if (n < 8 || n > 300) return 0; memcpy(b, a, n); assert(b[i % 8] == c);",
    ] {
        assert_eq!(open(&format!("{index} {body}")), Some('s'), "{body}");
    }
    for body in [
        "char *s = malloc(n), *d = malloc(n + 1); memcpy(d + 1, s, n); assert(d[i] == s[i]);",
        "char *s = malloc(n), *d = malloc(n + 1); d[n] = 1; memcpy(d, s, n); assert(d[i + 1] == s[i + 1 < n ? i + 1 : 0]);",
        "char *s = malloc(n + 1); s[0] = 1; s[i] = 2; memmove(s + 1, s, n); assert(s[i] == 2);",
        "char *s = malloc(n), *d = malloc(n); memcpy(d, s, n); s[i] = d[i] + 1; assert(d[i] == s[i]);",
        "char *s = malloc(n), *d = malloc(n); if (i & 1) memcpy(d, s, n); assert(d[i] == s[i]);",
        "int *s = malloc(4 * n), *d = malloc(4 * n); s[i] = 1; memcpy(d, s, 4 * n - 1); assert(d[n - 1] == s[n - 1]);",
        "struct s *a = malloc(16 * n), *b = malloc(16 * n); a[i].p = &x; b[i].p = &y; memcpy(b, a, 8 * n); *b[i].p = 5; assert(x == 5);",
        "char a[300], b[300], c = a[(i + 1) % 9]; if (n < 8 || n > 300) return 0; memcpy(b, a, n); assert(b[(i + 1) % 9] == c);",
    ] {
        assert!(
            matches!(open(&format!("{index} {body}")), Some('u' | '?')),
            "{body}"
        );
    }
}

/// Sequences of copies of open length within two short arrays: what is proved with them also holds byte by byte.
#[test]
fn what_copies_of_open_length_prove_holds_byte_by_byte() {
    let mut n_proved = 0;
    for seed in 0..24 {
        let mut random = craig_aig::Random::new(seed);
        let mut pick = |from: &[&str]| from[random.below(from.len())].to_string();
        let mut body = String::from(
            "if (n > 4) return 0; size_t m = nondet_ulong(), k = nondet_ulong(); if (m < 1 || m > 3 || k > 2) return 0;
             char a[6] = { 1, 2, 3, 4, 5, 6 }, b[6] = { 6, 5, 4, 3, 2, 1 }; ",
        );
        for _ in 0..3 {
            let (to, from) = (pick(&["a", "b"]), pick(&["a", "b"]));
            let (at, start) = (pick(&["0", "k", "1", "2"]), pick(&["0", "k", "1"]));
            let length = pick(&["m", "n", "m"]);
            body += &match pick(&["move", "set", "store"]).as_str() {
                "move" => format!("memmove({to} + {at}, {from} + {start}, {length}); "),
                "set" => format!("memset({to} + {at}, 7, {length}); "),
                _ => format!("{to}[{at}] = {from}[{start}]; "),
            };
        }
        let (x, y) = (
            pick(&["a[k]", "b[0]", "a[3]", "b[m]"]),
            pick(&["a[5]", "b[5]", "7", "a[k]"]),
        );
        let relation = pick(&["!=", "==", "<="]);
        body += &format!("assert({x} {relation} {y});");
        let text = format!(
            "{HEAD} int main(void) {{ size_t n = nondet_ulong(); if (n < 1) return 0; {body} return 0; }}"
        );
        let program = lowered_with(&text, DataModel::Lp64, |options| {
            options.checks.bounds = true;
            options.checks.pointer = true;
        });
        let program = program.expect("the program is lowered");
        let Some(open) = with_open_copies(&program) else {
            continue;
        };
        let decide = |program: &Program| {
            letter(&bounded::check(
                program,
                (&Unwinding::default(), &Stages::NONE),
                Alone::new().control(),
            ))
        };
        let (open, exact) = (decide(&open), decide(&program));
        // The arrays are short, so that all that holds is proved.
        assert_eq!(open == 's', exact == 's', "{seed}: {body}");
        n_proved += usize::from(open == 's');
    }
    assert!(n_proved > 2, "{n_proved}");
}
