//! The transition systems of some programs, compared with stored digests.
//!
//! A change that preserves the encoding preserves these digests. A change of the semantics or of the
//! simplifications may replace them: run the test and copy its output, after comparing the verdicts.

use std::fmt::Write as _;

use craig_model::{Model, Stop};
use craig_program::{Bad, Blocks};

use crate::automaton::Automaton;
use crate::tests::program;
use craig_c_files::sha256::sha256;
use craig_c_lang::types::DataModel;

const PROGRAMS: [(&str, &str); 12] = [
    (
        "count",
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { unsigned i = 0, n = nondet(); while (i < n) { i++; if (i == 7) n = 7; }
         if (i > n) reach_error(); return 0; }",
    ),
    (
        "nested",
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int s = 0; for (int i = 0; i < nondet(); i++) {
         int j = i; while (j > 0) { s += j; j -= 2; } }
         if (s < 0) reach_error(); return s; }",
    ),
    (
        "array",
        "extern int nondet(void); extern void reach_error(void);
         int a[6]; int main(void) { int i = 0; while (nondet()) { a[i % 6] = i; i = (i + 1) & 63; }
         if (a[3] > 64) reach_error(); return 0; }",
    ),
    (
        "pointer",
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int x = 0, y = 1; int *p = &x; while (nondet()) { *p += 1; p = p == &x ? &y : &x; }
         if (x > y) reach_error(); return 0; }",
    ),
    (
        "calls",
        "extern int nondet(void); extern void reach_error(void);
         static int loop(int n) { int s = 0; while (n > 0) { s += n & 1; n >>= 1; } return s; }
         int main(void) { int a = loop(nondet()); int b = loop(a); while (b > 1) { b = loop(b); }
         if (b > 1) reach_error(); return 0; }",
    ),
    (
        "structure",
        "extern int nondet(void); extern void reach_error(void);
         struct s { char c; short t; long l; }; struct s g;
         int main(void) { struct s v = {1, 2, 3}; do { v.t = v.c + nondet(); g = v; v.l ^= g.t;
         } while (nondet() > 3);
         if (g.l == v.t) reach_error(); return 0; }",
    ),
    (
        "heap",
        "extern int nondet(void); extern void reach_error(void); extern void *malloc(unsigned long);
         struct n { struct n *next; int v; };
         int main(void) { struct n *head = 0; for (int i = 0; i < 2; i++) { struct n *f = malloc(sizeof *f);
         if (!f) return 0; f->v = i; f->next = head; head = f; }
         while (head) { if (head->v > 1) reach_error(); head = head->next; } return 0; }",
    ),
    (
        "heap in a cut loop",
        "extern int nondet(void); extern void reach_error(void); extern void *malloc(unsigned long);
         int main(void) { int *last = 0; while (nondet()) { int *f = malloc(4); if (!f) return 0;
         *f = last ? *last + 1 : 0; last = f; } if (last && *last > 5) reach_error(); return 0; }",
    ),
    (
        "unsupported",
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int x = nondet(); while (x > 3) { x -= 3; if (x == 17) __asm__(\"hlt\"); }
         if (x == 3) reach_error(); return 0; }",
    ),
    (
        "wide and signed",
        "extern int nondet(void); extern long nondet_long(void); extern void reach_error(void);
         int main(void) { long p = 1; int k = 0; while (k < 9) { p *= 3; k++; if (nondet()) p = -p / 2; }
         if (p % 2 == 0 && p < -5) reach_error(); return 0; }",
    ),
    (
        "machine",
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int s = 0; unsigned char c = 0; for (;;) {
         switch (s) { case 0: s = nondet() ? 1 : 2; break;
         case 1: c++; s = 0; break; case 2: c += 2; s = c > 200 ? 3 : 0; break;
         default: if (c == 201) reach_error(); return 0; } } }",
    ),
    (
        "function pointer",
        "extern int nondet(void); extern void reach_error(void);
         static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }
         int main(void) { int (*f)(int) = up; int x = 0; while (x < 5 && x > -5)
         { f = nondet() ? up : down; x = f(x); }
         if (x == -6) reach_error(); return 0; }",
    ),
];

/// All of a model except its names, as text.
fn written(model: &Model) -> String {
    let mut text = String::new();
    for node in 0..model.aig.n_nodes() {
        let _ = writeln!(text, "{:?}", model.aig.node(node as u32));
    }
    let _ = writeln!(
        text,
        "{:?}\n{:?}\n{:?}\n{:?}",
        model.inputs, model.latches, model.constraints, model.bads
    );
    text
}

/// The size of the system and a digest, with and without unsupported locations among the bads.
fn digests(text: &str) -> String {
    let program = program(text, DataModel::Lp64);
    let mut automaton = Automaton::new(&program, Blocks::Large, &Stop::new()).expect("a system");
    let mut lines = String::new();
    for bad in [Bad::ErrorOrUnsupported, Bad::Error] {
        let encoded = automaton.cfa.to_model(bad);
        let model = &encoded.model;
        let words = &encoded.vocabulary;
        let vocabulary = format!(
            "{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
            words.counter, words.words, words.inputs, words.at, words.constants
        );
        let names = automaton.latch_names(&encoded);
        let short = |text: &str| sha256(text.as_bytes())[..16].to_owned();
        let _ = writeln!(
            lines,
            "{} {} {} {} {} {} {}",
            automaton.n_cuts(),
            model.latches.len(),
            model.inputs.len(),
            model.aig.n_nodes(),
            short(&written(model)),
            short(&vocabulary),
            short(&names.join("\n")),
        );
    }
    lines
}

#[test]
fn transition_systems_are_as_they_were() {
    let mut found = String::new();
    for (name, text) in PROGRAMS {
        let _ = writeln!(found, "{name}");
        found.push_str(&digests(text));
    }
    let pinned = include_str!("pinned_models.txt");
    assert_eq!(found, pinned, "found:\n{found}");
}
