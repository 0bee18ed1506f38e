//! Large objects, and many objects, in programs with cuts: their contents are left out, and no error is lost.

use crate::loop_engines;
use crate::tests::{Random, letter, program, unrolled_up_to};
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_verify::AutomatonSearch;

const HEAD: &str = "
    extern int nondet(void); extern void reach_error(void); extern void *malloc(unsigned long);
    extern void *calloc(unsigned long, unsigned long);
    static void check(int c) { if (!c) reach_error(); }
    static void wait(void) { while (nondet()) ; }
    typedef struct node { int val; struct node *next; } Node;
";

/// The result of the circuit engines.
fn of_loops(text: &str) -> char {
    let program = program(&format!("{HEAD}{text}"), DataModel::Lp64);
    letter(&loop_engines::check(
        &program,
        &AutomatonSearch::portfolio(2),
        Alone::new().control(),
    ))
}

/// The result of unrolling.
fn unrolled(text: &str) -> char {
    unrolled_up_to(9, &format!("{HEAD}{text}"))
}

/// A pointer that is kept in an array without cells still points to its target behind a loop.
#[test]
fn pointers_in_large_arrays_are_followed() {
    let kept = |test: &str| {
        format!(
            "int *all[5000000]; int x;
             int main(void) {{ wait(); all[5] = &x; wait(); *all[5] = 1; wait(); check({test}); return 0; }}"
        )
    };
    assert_eq!(of_loops(&kept("x == 0")), 'u');
    // What is read from the array is any pointer.
    assert_eq!(of_loops(&kept("x == 1")), '?');
    assert_eq!(of_loops(&kept("x == 0 || x == 1")), 's');
}

/// Pointers in an allocation of unknown size, also stored by bytes, still point to their targets.
#[test]
fn pointers_in_allocations_of_unknown_size_are_followed() {
    let kept = |store: &str, test: &str| {
        format!(
            "int x, y;
             int main(void) {{
                 unsigned n = nondet();
                 if (n < 100) return 0;
                 int **all = malloc(8ul * n);
                 wait();
                 {store}
                 wait();
                 *all[5] = 1;
                 wait();
                 check({test}); return 0; }}"
        )
    };
    let by_bytes =
        "int *p = &x; for (int i = 0; i < 8; i++) ((char *)(all + 5))[i] = ((char *)&p)[i];";
    assert_ne!(of_loops(&kept("all[5] = &x;", "x == 0")), 's');
    assert_ne!(of_loops(&kept(by_bytes, "x == 0")), 's');
    assert_eq!(of_loops(&kept("all[5] = &x;", "y == 0")), 's');
    assert_ne!(of_loops(&kept("all[5] = &x; all[6] = &y;", "y == 0")), 'u');
}

/// Proofs that need no contents are found for any size of an allocation, and for any number.
#[test]
fn what_depends_on_no_contents_is_proved() {
    let text = "int main(void) {
        unsigned n = nondet(), i, sum = 0;
        char *p = malloc(n), *q = malloc(2ul * n + 7);
        for (i = 0; i < n; i++) { p[i] = 1; q[2 * i] = p[i]; if (q[i] < 5) sum += 2; }
        check(sum % 2 == 0); return 0; }";
    assert_eq!(of_loops(text), 's');
    let text = "int main(void) {
        Node *list = 0; unsigned length = 0;
        while (nondet()) { Node *p = malloc(sizeof *p); p->next = list; p->val = length; list = p; length += 2; }
        if (list && list->val == 3) length += 2;
        check(length % 2 == 0); return 0; }";
    assert_eq!(of_loops(text), 's');
}

/// Of the contents, nothing is believed.
#[test]
fn contents_are_any() {
    let first = |allocated: &str, test: &str| {
        format!(
            "int main(void) {{
                 unsigned n = nondet();
                 if (n < 1000) return 0;
                 int *p = {allocated};
                 wait(); p[1] = 3; p[n - 1] = 4; wait();
                 check({test}); return 0; }}"
        )
    };
    for allocated in ["malloc(4ul * n)", "calloc(n, 4)"] {
        assert_ne!(of_loops(&first(allocated, "p[1] == 3")), 'u');
        assert_ne!(of_loops(&first(allocated, "p[1] != 3")), 's');
        assert_ne!(of_loops(&first(allocated, "p[n - 1] != 4")), 's');
        assert_ne!(of_loops(&first(allocated, "p[2] == 0")), 's');
    }
}

/// Objects of one allocation may be the same, or not.
#[test]
fn many_objects_are_distinct_or_not() {
    let pairs = |size: &str, test: &str| {
        format!(
            "int main(void) {{
                 char *a = 0, *b = 0; unsigned n = nondet();
                 for (unsigned i = 0; i < 9; i++) {{ a = b; b = malloc({size}); if (nondet()) break; }}
                 wait();
                 check({test}); return 0; }}"
        )
    };
    for size in ["8", "n + 1ul"] {
        assert_ne!(of_loops(&pairs(size, "a == b")), 's');
        assert_eq!(of_loops(&pairs(size, "b != 0")), 's');
    }
    // The error needs a seventh object.
    let later = "int main(void) {
        Node *list = 0; int n = 0;
        while (nondet()) { Node *p = malloc(sizeof *p); p->next = list; p->val = n++; list = p; if (n == 7) break; }
        wait();
        for (Node *p = list; p; p = p->next) check(p->val < 6);
        return 0; }";
    assert_ne!(of_loops(later), 's');
}

/// A store far behind the start of a large object affects no other object, and one through a pointer to either
/// may.
#[test]
fn large_objects_reach_into_no_other() {
    let far = |test: &str| {
        format!(
            "int x;
             int main(void) {{
                 unsigned long n = (unsigned)nondet();
                 if (n < 20000000) return 0;
                 char *p = malloc(n), *q = (char *)&x;
                 wait();
                 if (nondet()) q = p + (n - 1);
                 *q = 1; p[n - 2] = 1;
                 wait();
                 check({test}); return 0; }}"
        )
    };
    assert_eq!(of_loops(&far("x == 0 || x == 1")), 's');
    assert_ne!(of_loops(&far("x == 0")), 's');
    assert_ne!(of_loops(&far("x == 1")), 's');
}

/// A program that stores and reads in large objects, with the values and targets in a few variables.
fn random_program(random: &mut Random) -> String {
    let mut body = String::new();
    let statements = [
        "p[1] = 3;",
        "p[nondet() & 7] = x;",
        "x = p[nondet() & 7] & 3;",
        "if (p[2] == 1) y = 2;",
        "all[1] = &x;",
        "all[1] = &y;",
        "all[nondet() & 3] = &z;",
        "all[1] = all[2];",
        "if (set) *all[1] = 2;",
        "if (set && all[1] == &x) x = 3;",
        "if (set && all[1] == &y) z = 3; else x = 1;",
        "q = p;",
        "q = &y;",
        "q = p + 2;",
        "*q = 1;",
        "if (*q == 1) x = 2;",
        "if (q == p) y = 1; else z = 1;",
        "p = malloc(n);",
        "p = malloc(40); q = p;",
        "for (int i = 0; i < 4; i++) all[i] = &z;",
        "for (int i = 0; i < 3; i++) { q = p; p = malloc(n); if (q != p) y++; }",
        "while (nondet()) x ^= 1;",
        "while (nondet()) { z = y; if (nondet()) break; y = 1; }",
    ];
    for _ in 0..3 + random.below(6) {
        body.push_str(statements[random.below(statements.len() as u64) as usize]);
        body.push('\n');
    }
    let tests = [
        "x < 2",
        "x == 0",
        "y == 0",
        "z == 0",
        "x != 3",
        "y < 3",
        "x <= 3",
        "z <= y + 3",
        "x + y + z < 9",
    ];
    let test = tests[random.below(tests.len() as u64) as usize];
    format!(
        "int x, y, z;
         int main(void) {{
             unsigned long n = (unsigned char)nondet() + 64;
             int *p = malloc(n), *q = p, set = 1;
             int **all = malloc(n);
             for (int i = 0; i < 8; i++) all[i] = &z;
             {body} check({test}); return 0; }}\n"
    )
}

/// No error is lost: what is safe without contents is safe when all loops are unrolled. Some are proved.
#[test]
fn random_programs_lose_no_error() {
    let mut random = Random(5);
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for _ in 0..80 {
        let text = random_program(&mut random);
        let exact = unrolled(&text);
        let found = of_loops(&text);
        assert!(exact != 'u' || found != 's', "{text}");
        assert!(exact != 's' || found != 'u', "{text}");
        n_safe += u32::from(found == 's');
        n_unsafe += u32::from(exact == 'u');
    }
    assert!(n_safe >= 10 && n_unsafe >= 10, "{n_safe} {n_unsafe}");
}

/// More than half of the address space is no object: the program may count on null.
#[test]
fn no_object_has_more_than_half_of_the_address_space() {
    let asked = |test: &str| {
        format!(
            "int main(void) {{
                 unsigned long n = (unsigned)nondet() * 4294967296ul + (unsigned)nondet();
                 char *p = malloc(n);
                 wait();
                 check({test}); return 0; }}"
        )
    };
    assert_eq!(of_loops(&asked("n >> 63 == 0 || p == 0")), 's');
    assert_eq!(of_loops(&asked("n >> 63 == 1 || n == 0 || p != 0")), 's');
    assert_eq!(of_loops(&asked("n == 0 || p != 0")), 'u');
    assert_eq!(of_loops(&asked("n >> 63 == 1 || p != 0")), 'u');
    let text = "int main(void) {
        unsigned long n = nondet();
        if (n < 1000) return 0;
        char *p = malloc(n);
        wait();
        check(n >> 63 == 1 || p != 0); check(p != 0); return 0; }";
    assert_ne!(of_loops(text), 's');
}
