//! Large blocks, sections and basic blocks give automata with the same verdict, and paths that replay.

use craig_mc::Alone;
use craig_mc::engine::pdr;
use craig_model::{Stop, Verdict};
use craig_program::line_up::Stages;
use craig_program::{Bad, Blocks, Cfa};

use super::{Automaton, Extent};
use crate::tests::program;
use craig_c_exec::concrete::machine::End;
use craig_c_exec::concrete::replay::replay;
use craig_c_lang::ir::Program;
use craig_c_lang::types::DataModel;

/// The result of the engine on an automaton: safe; unsafe, with a path that is replayed; or an unsupported
/// location is reached.
fn letter(program: &Program, automaton: &mut Automaton<'_>, bad: Bad) -> char {
    let alone = Alone::new();
    let control = alone.control();
    let encoded = automaton.cfa.to_model(bad);
    match pdr::check(&encoded.model, 0, &pdr::Options::default(), control).verdict {
        Verdict::Safe(_) => 's',
        Verdict::Unsafe(trace) => {
            let cfa = &automaton.cfa;
            let last = encoded.visits(cfa, &trace).pop().expect("a step");
            let from = last.location.expect("the run goes on");
            let mut edges = cfa.outgoing(from).iter();
            let edge = edges.find(|&&edge| cfa.follow(edge, &last.values).is_some());
            if cfa.edge(*edge.expect("an edge is taken")).target == Cfa::UNSUPPORTED {
                return '?';
            }
            let facts = automaton.facts_of(encoded.visits(&automaton.cfa, &trace));
            match replay(program, facts, control.stop).expect("the path replays") {
                (End::Error { .. }, _) => 'u',
                (other, _) => panic!("the replay ends otherwise: {other:?}\n{cfa}"),
            }
        }
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

/// Checks the verdict on both automata.
fn agree(expected: char, body: &str) {
    verdicts(expected, expected, body);
}

/// Checks the verdicts on the automaton of large and on that of basic blocks, and that sections have one of the two.
fn verdicts(large: char, basic: char, body: &str) {
    let text = format!(
        "extern unsigned char byte(void); extern int nondet(void); extern void reach_error(void);
         extern void *malloc(unsigned long);
         static void check(int c) {{ if (!c) reach_error(); }}\n{body}"
    );
    let program = program(&text, DataModel::Lp64);
    for (blocks, expected) in [
        (Blocks::Large, large),
        (Blocks::Sections, large),
        (Blocks::Basic, basic),
    ] {
        let mut automaton =
            Automaton::new(&program, Extent::new(&Stages::NONE, blocks), &Stop::new())
                .expect("an automaton");
        assert_eq!(automaton.cfa.check(), Ok(()));
        assert_eq!(automaton.cfa.overlap(&Stop::new()), Ok(None), "{body}");
        let bad = Bad::ErrorOrUnsupported;
        let found = letter(&program, &mut automaton, bad);
        let cfa = &automaton.cfa;
        assert_eq!(found, expected, "{blocks:?}\n{body}\n{cfa}");
        // Slicing preserves the verdict.
        let mut sliced = cfa.sliced();
        let encoded = sliced.to_model(bad);
        let verdict = pdr::check(
            &encoded.model,
            0,
            &pdr::Options::default(),
            Alone::new().control(),
        );
        let is_safe = matches!(verdict.verdict, Verdict::Safe(_));
        assert_eq!(
            is_safe,
            expected == 's',
            "{blocks:?}, sliced\n{body}\n{sliced}"
        );
    }
}

#[test]
fn loops_and_branches_have_one_verdict() {
    agree(
        's',
        "int main(void) { unsigned char i = 0; while (i < 10) i++; check(i == 10); return 0; }",
    );
    agree(
        'u',
        "int main(void) { unsigned char i = 0, n = byte(); while (i < n) i++; check(i != 3); return 0; }",
    );
    agree(
        's',
        "int main(void) { unsigned char s = 0; for (unsigned char i = 0; i < byte(); i++) {
         if (i == 4) break; if (i & 1) continue; s++; } check(s <= 2); return 0; }",
    );
    agree(
        'u',
        "int main(void) { unsigned char a = byte(), b = byte(); if (a < 5 && (b > 7 || a == 2))
         { a = b ? a : b; } else a = 9; check(a != 2); return 0; }",
    );
    agree(
        's',
        "int main(void) { unsigned char s = 0; for (;;) { switch (s) { case 0: s = nondet() ? 1 : 2; break;
         case 1: s = 3; break; case 2: s = 0; break; default: check(s == 3); return 0; } } }",
    );
    // A loop with two entries.
    agree(
        'u',
        "int main(void) { unsigned char i = 0; if (nondet()) goto middle; top: i += 2; middle: i += 1;
         if (i < 6) goto top; check(i != 7); return 0; }",
    );
}

/// Sections end where all iterations of a loop pass and paths meet: not at a branch, not within one, and not in a loop that is
/// unrolled.
#[test]
fn sections_follow_each_other() {
    let text = "extern int nondet(void); extern void reach_error(void);
        static void twice(int *x) { if (nondet()) *x += 1; if (nondet()) *x += 2; }
        int main(void) { int a = 0, b = 0, c = 0;
        while (1) {
            if (nondet()) break;
            if (nondet()) a = 1;
            if (nondet()) { if (nondet()) b = 1; b += 1; }
            if (nondet()) { twice(&c); continue; }
            for (int i = 0; i < 2; i++) if (nondet()) c = i;
            if (a == 7) reach_error();
        } return 0; }";
    let program = program(text, DataModel::Lp64);
    let cuts = |blocks| {
        let automaton = Automaton::new(&program, Extent::new(&Stages::NONE, blocks), &Stop::new())
            .expect("an automaton");
        automaton.cfa.sources().skip(1).count()
    };
    // The head, and the ends of the second and third statement. All that follows, `continue` passes by.
    assert_eq!((cuts(Blocks::Large), cuts(Blocks::Sections)), (1, 3));
}

#[test]
fn calls_have_one_verdict() {
    agree(
        's',
        "static unsigned char cap(unsigned char x) { if (x > 9) return 9; return x; }
         int main(void) { unsigned char a = cap(byte()), b = cap(a + 1); while (b > 5) b = cap(b - 1);
         check(b <= 5 && a <= 9); return 0; }",
    );
    agree(
        'u',
        "static int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }
         int main(void) { int n = byte() & 3; check(down(n) != 3); return 0; }",
    );
    agree(
        's',
        "static int up(int x) { return x + 1; } static int same(int x) { return x; }
         int main(void) { int (*f)(int) = nondet() ? up : same; int x = f(3);
         check(x == 3 || x == 4); return 0; }",
    );
}

#[test]
fn memory_has_one_verdict() {
    agree(
        's',
        "int main(void) { unsigned char x = 0, y = 0; unsigned char *p = &x; while (nondet()) {
         *p = 1; p = p == &x ? &y : &x; } check(x >= y); return 0; }",
    );
    agree(
        'u',
        "unsigned char a[4]; int main(void) { unsigned char i = 0; while (i < 4) { a[i] = byte(); i++; }
         check(a[2] != 77); return 0; }",
    );
    // With basic blocks, the condition that `f` is not null is lost at a cut.
    verdicts(
        's',
        '?',
        "struct n { struct n *next; unsigned char v; };
         int main(void) { struct n *f = malloc(sizeof *f), *g = malloc(sizeof *g); if (!f || !g) return 0;
         f->v = 1; f->next = g; g->v = 2; g->next = 0; unsigned char s = 0;
         while (f) { s += f->v; f = f->next; } check(s == 3); return 0; }",
    );
}

#[test]
fn what_is_unsupported_is_reached_or_not() {
    let body = |limit: u32| {
        format!(
            "int main(void) {{ unsigned char i = 0; while (i < {limit}) i++;
             if (i == 7) __asm__(\"hlt\"); return 0; }}"
        )
    };
    agree('?', &body(7));
    agree('s', &body(8));
}
