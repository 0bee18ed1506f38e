//! Texts of open length: what is proved, and that it holds character by character.

use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::ir::Program;
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_program::line_up::Stages;

use super::super::with_open_copies;
use crate::bounded;
use crate::tests::{letter, lowered_with};

fn lowered(body: &str) -> Program {
    lowered_for(body, true)
}

fn lowered_for(body: &str, overlap: bool) -> Program {
    let text = format!(
        "typedef unsigned long size_t; void *malloc(size_t); size_t nondet_ulong(void); size_t strlen(const char *);
         char *strcpy(char *, const char *); int strcmp(const char *, const char *); char *strchr(const char *, int);
         int atoi(const char *); long strtol(const char *, char **, int); double strtod(const char *, char **); int *__errno_location(void);
         char *strrchr(const char *, int); char *strdup(const char *); int puts(const char *); char *getenv(const char *);
         int main(int argc, char **argv) {{
             size_t n = nondet_ulong(); if (n > 1000000 || n < 1) return 0;
             char *s = malloc(n); s[n - 1] = 0; {body} return 0;
         }}"
    );
    let program = lowered_with(&text, DataModel::Lp64, |options| {
        options.checks.bounds = true;
        options.checks.pointer = true;
        options.checks.overlap = overlap;
    });
    program.expect("the program is lowered")
}

fn verdict(program: &Program, most: Option<u32>) -> char {
    let unwinding = Unwinding {
        most,
        ..Unwinding::default()
    };
    letter(&bounded::check(
        program,
        (&unwinding, &Stages::NONE),
        Alone::new().control(),
    ))
}

fn open(body: &str) -> char {
    let open = with_open_copies(&lowered(body)).expect("there is a text of open length");
    verdict(&open, Some(4))
}

#[test]
fn texts_of_open_length_end_unrolling() {
    for body in [
        "size_t k = strlen(s); assert(k < n && s[k] == 0);",
        "if (n > 3) assert(strlen(s + 3) < n - 3);",
        "puts(s);",
        "char *d = malloc(n); strcpy(d, s);",
        "char *d = strdup(s); if (strlen(s) > 2) d[2] = 'x';",
        "char *c = strchr(s, 'c'); if (c) assert(*c == 'c' && c - s < n); assert(strchr(s, 0));",
        "char *c = strrchr(s, 'c'); if (c) *c = 'd';",
        "if (strcmp(s, s + n - 1) == 0) assert(s[0] == 0);",
        "if (argc > 1) { puts(argv[1]); assert(argv[1][strlen(argv[1])] == 0); }",
        "char *d = malloc(strlen(s) + 1); strcpy(d, s);",
        "size_t k = strlen(s); if (k > 2) assert(s[1] && s[2] && s[k - 1]);",
        "int v = atoi(s); char a[4] = \"\"; if (v >= 0 && v < 4) a[v] = 'c';",
        "char *e; long v = strtol(s, &e, 10); assert(e >= s && e < s + n); if (e == s) assert(v == 0);",
        "char *e; double v = strtod(s, &e); if (*e) assert(e != s + n - 1);",
        "*__errno_location() = 0; strtol(s, 0, 10); int v = *__errno_location(); assert(v == 0 || v == 22 || v == 34);",
        "char *home = getenv(\"HOME\"); if (home) { char *d = malloc(strlen(home) + 1); strcpy(d, home); }",
    ] {
        assert_eq!(open(body), 's', "{body}");
    }
    for body in [
        "if (n > 1) assert(strlen(s) != 1);",
        "s[n - 1] = 1; strlen(s);",
        "if (n > 1) strlen(s + n);",
        "char *d = malloc(n - 1); strcpy(d, s);",
        "char *d = malloc(strlen(s)); strcpy(d, s);",
        "char *d = malloc(strlen(s) + 1); if (n > 1) s[0] = 'c'; strcpy(d, s);",
        "size_t k = strlen(s); if (n > 1 && k < n - 1) s[k] = 'c'; assert(strlen(s) == k);",
        "char *d = malloc(n); strcpy(d + 1, s);",
        "char *d = malloc(n); strcpy(s, s); d[0] = 1;",
        "char *c = strchr(s, 'c'); *c = 'd';",
        "if (n > 1) assert(strcmp(s, s + 1));",
        "if (argc > 1) { puts(argv[1]); assert(argv[1][0]); }",
        "size_t k = strlen(s); if (n > 3) assert(s[k / 2] && s[2]);",
        "if (n > 1) assert(atoi(s) != 7);",
        "s[n - 1] = 1; atoi(s);",
        "char *e; strtol(s, &e, 10); assert(e == s);",
        "strtol(s, (char **)8, 10);",
        "*__errno_location() = 0; strtol(s, 0, 10); assert(*__errno_location() == 0);",
    ] {
        assert_ne!(open(body), 's', "{body}");
    }
}

/// The end of a text that is copied to behind its start is overwritten before it is read.
#[test]
fn texts_that_overlap_are_copied_character_by_character() {
    for (right, body) in [
        ('s', "char *d = malloc(n); strcpy(d, s);"),
        ('u', "if (n > 1) strcpy(s + 1, s);"),
    ] {
        let open = with_open_copies(&lowered_for(body, false)).expect("there is a text");
        let found = verdict(&open, Some(4));
        assert_eq!(found == 's', right == 's', "{body}: {found}");
    }
}

/// What is proved with texts of open length also holds character by character.
#[test]
fn what_texts_of_open_length_prove_holds_character_by_character() {
    let mut n_proved = 0;
    for seed in 0..32 {
        let mut random = craig_aig::Random::new(seed);
        let mut pick = |from: &[&str]| from[random.below(from.len())].to_string();
        let mut body = String::from(
            "if (n > 3) return 0; size_t k = nondet_ulong(), l = 0; if (k >= n) return 0; char *d = malloc(4), *c = s; d[3] = 0; ",
        );
        for _ in 0..2 {
            let (text, other) = (pick(&["s", "s + k", "d", "c"]), pick(&["s", "d", "s + k"]));
            body += &match pick(&["length", "copy", "find", "compare", "store"]).as_str() {
                "length" => format!("l = strlen({text}); "),
                "copy" => format!("strcpy(d, {text}); "),
                "find" => format!("c = strchr({other}, 'c'); if (!c) c = s; "),
                "compare" => format!("l = strcmp({text}, {other}) == 0; "),
                _ => "d[k] = 'c'; ".to_string(),
            };
        }
        let left = pick(&["l", "strlen(d)", "(c - s)", "d[k]", "s[l]", "*c"]);
        let right = pick(&["n", "1", "4", "k", "0", "'c'"]);
        let relation = pick(&["!=", "==", "<=", "<"]);
        body += &format!("if (l < n) assert({left} {relation} {right});");
        let program = lowered(&body);
        let Some(open) = with_open_copies(&program) else {
            continue;
        };
        if verdict(&open, Some(8)) == 's' {
            assert_eq!(verdict(&program, Some(8)), 's', "{seed}: {body}");
            n_proved += 1;
        }
    }
    assert!(n_proved > 2, "{n_proved}");
}
