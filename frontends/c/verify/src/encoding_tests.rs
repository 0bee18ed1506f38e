//! The transition systems of some programs: what holds of every encoding.

use craig_model::{Model, Stop};
use craig_program::line_up::Stages;
use craig_program::{Bad, Blocks};

use crate::automaton::{Automaton, Extent};
use crate::tests::program;
use craig_c_lang::types::DataModel;

/// With the number of cuts: one for each loop, and context in which its function is called, whose rounds are not counted while
/// the program is executed.
const PROGRAMS: [(&str, usize, &str); 12] = [
    (
        "count",
        1,
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { unsigned i = 0, n = nondet(); while (i < n) { i++; if (i == 7) n = 7; }
         if (i > n) reach_error(); return 0; }",
    ),
    (
        "nested",
        2,
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int s = 0; for (int i = 0; i < nondet(); i++) {
         int j = i; while (j > 0) { s += j; j -= 2; } }
         if (s < 0) reach_error(); return s; }",
    ),
    (
        "array",
        1,
        "extern int nondet(void); extern void reach_error(void);
         int a[6]; int main(void) { int i = 0; while (nondet()) { a[i % 6] = i; i = (i + 1) & 63; }
         if (a[3] > 64) reach_error(); return 0; }",
    ),
    (
        "pointer",
        1,
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int x = 0, y = 1; int *p = &x; while (nondet()) { *p += 1; p = p == &x ? &y : &x; }
         if (x > y) reach_error(); return 0; }",
    ),
    (
        "calls",
        4,
        "extern int nondet(void); extern void reach_error(void);
         static int loop(int n) { int s = 0; while (n > 0) { s += n & 1; n >>= 1; } return s; }
         int main(void) { int a = loop(nondet()); int b = loop(a); while (b > 1) { b = loop(b); }
         if (b > 1) reach_error(); return 0; }",
    ),
    (
        "structure",
        1,
        "extern int nondet(void); extern void reach_error(void);
         struct s { char c; short t; long l; }; struct s g;
         int main(void) { struct s v = {1, 2, 3}; do { v.t = v.c + nondet(); g = v; v.l ^= g.t;
         } while (nondet() > 3);
         if (g.l == v.t) reach_error(); return 0; }",
    ),
    (
        "heap",
        0,
        "extern int nondet(void); extern void reach_error(void); extern void *malloc(unsigned long);
         struct n { struct n *next; int v; };
         int main(void) { struct n *head = 0; for (int i = 0; i < 2; i++) { struct n *f = malloc(sizeof *f);
         if (!f) return 0; f->v = i; f->next = head; head = f; }
         while (head) { if (head->v > 1) reach_error(); head = head->next; } return 0; }",
    ),
    (
        "heap in a cut loop",
        1,
        "extern int nondet(void); extern void reach_error(void); extern void *malloc(unsigned long);
         int main(void) { int *last = 0; while (nondet()) { int *f = malloc(4); if (!f) return 0;
         *f = last ? *last + 1 : 0; last = f; } if (last && *last > 5) reach_error(); return 0; }",
    ),
    (
        "unsupported",
        1,
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int x = nondet(); while (x > 3) { x -= 3; if (x == 17) __asm__(\"hlt\"); }
         if (x == 3) reach_error(); return 0; }",
    ),
    (
        "wide and signed",
        0,
        "extern int nondet(void); extern long nondet_long(void); extern void reach_error(void);
         int main(void) { long p = 1; int k = 0; while (k < 9) { p *= 3; k++; if (nondet()) p = -p / 2; }
         if (p % 2 == 0 && p < -5) reach_error(); return 0; }",
    ),
    (
        "machine",
        1,
        "extern int nondet(void); extern void reach_error(void);
         int main(void) { int s = 0; unsigned char c = 0; for (;;) {
         switch (s) { case 0: s = nondet() ? 1 : 2; break;
         case 1: c++; s = 0; break; case 2: c += 2; s = c > 200 ? 3 : 0; break;
         default: if (c == 201) reach_error(); return 0; } } }",
    ),
    (
        "function pointer",
        1,
        "extern int nondet(void); extern void reach_error(void);
         static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }
         int main(void) { int (*f)(int) = up; int x = 0; while (x < 5 && x > -5)
         { f = nondet() ? up : down; x = f(x); }
         if (x == -6) reach_error(); return 0; }",
    ),
];

/// All of a model except its names, as text.
fn written(model: &Model) -> String {
    let nodes = 0..model.aig.n_nodes() as u32;
    let nodes: Vec<_> = nodes.map(|node| model.aig.node(node)).collect();
    let Model {
        inputs,
        latches,
        constraints,
        bads,
        ..
    } = model;
    format!("{nodes:?} {inputs:?} {latches:?} {constraints:?} {bads:?}")
}

/// A program is cut at its loop heads and nowhere else, its circuits are models, the names are those of the latches, and another encoding
/// of it is equal: nothing depends on the order of a hash table.
#[test]
fn programs_are_cut_at_loop_heads_and_have_one_encoding() {
    for (name, n_cuts, text) in PROGRAMS {
        let program = program(text, DataModel::Lp64);
        let mut automata = [(); 2].map(|()| {
            Automaton::new(
                &program,
                Extent::new(&Stages::NONE, Blocks::Large),
                &Stop::new(),
            )
            .expect("a system")
        });
        for automaton in &automata {
            assert_eq!(automaton.cfa.sources().count() - 1, n_cuts, "{name}");
        }
        for bad in [Bad::ErrorOrUnsupported, Bad::Error] {
            let [first, second] = automata.each_mut().map(|automaton| {
                let encoded = automaton.cfa.to_model(bad);
                assert_eq!(encoded.model.validate(), Ok(()), "{name}");
                let names = automaton.latch_names(&encoded);
                assert_eq!(names.len(), encoded.model.latches.len(), "{name}");
                let words = &encoded.vocabulary;
                let vocabulary = format!("{:?} {:?} {:?}", words.words, words.at, words.constants);
                (written(&encoded.model), vocabulary, names)
            });
            assert_eq!(first, second, "{name}");
        }
    }
}
