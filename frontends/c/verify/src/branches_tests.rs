//! Programs with many branches, or many entries of a table: the verdicts of unrolling and of the single loop.

use std::fmt::Write;

use craig_c_lang::lower::Checks;

use crate::tests::verdicts;

const HEAD: &str =
    "extern void assert(int); extern int nondet_int(void); extern unsigned nondet_uint(void);\n";

/// The text of a program, with one line for each number, between what comes before and after.
fn lines(before: &str, line: impl Fn(usize) -> String, after: &str) -> String {
    let mut text = format!("{HEAD}{before}\n");
    for number in 0..90 {
        let _ = writeln!(text, "{}", line(number));
    }
    text + after
}

fn decided(text: &str) -> [char; 2] {
    let [unwound, looped, _] = verdicts(text, |options| options.checks = Checks::ALL);
    [unwound, looped]
}

/// A function without two equal values has different values for different numbers; with two, it has not.
#[test]
fn values_of_a_switch_are_compared() {
    for (last, expected) in [(89, 's'), (3, 'u')] {
        let case = |number: usize| {
            let value = if number == 89 { last } else { number };
            format!("case {}: return {value};", number * 37 % 1009)
        };
        let text = lines(
            "static int of(int key) { switch (key) {",
            case,
            "} return -1; } int main(void) { int a = nondet_int(), b = nondet_int();
             assert(a == b || of(a) < 0 || of(a) != of(b)); return 0; }",
        );
        assert_eq!(decided(&text), [expected; 2]);
    }
}

/// At most one of different numbers is equal to a word; and cases that go on with the next one count all from the first on.
#[test]
fn branches_are_counted() {
    for (limit, expected) in [(1, 's'), (0, 'u')] {
        let text = lines(
            "int main(void) { int a = nondet_int(), n = 0;",
            |number| format!("if (a == {}) n++;", number * 37 % 1009),
            &format!("assert(n <= {limit}); return 0; }}"),
        );
        assert_eq!(decided(&text), [expected; 2]);
    }
    for (limit, expected) in [(91, 's'), (90, 'u')] {
        let text = lines(
            "int main(void) { unsigned n = 0; switch (nondet_int()) {",
            |number| format!("case {}: n++;", number * 37 % 1009),
            &format!("default: n++; }} assert(n <= {limit}); return 0; }}"),
        );
        assert_eq!(decided(&text), [expected; 2]);
    }
}

/// What names in a table begin with, also behind the table and where an entry has none.
#[test]
fn names_of_a_table_are_read() {
    for (what, index, expected) in [
        ("t[i].name[0] == 'e'", "i < 90", 's'),
        ("t[i].name[0] == 'e'", "i < 91", 'u'),
        ("t[i].name[1] == '0'", "i < 90", 'u'),
        ("t[i].name[3] == 0", "i > 9 && i < 90", 's'),
        ("t[i].name[2] == 0 || t[i].name[3] == 0", "i < 90", 's'),
        ("t[i].name[4] == 0", "i < 90", 'u'),
        ("i == 90 || t[i].name[0] == 'e'", "i < 91", 's'),
        ("t[i].other[0] == 'o'", "i < 90", 'u'),
        ("i == 7 || t[i].other[0] == 'o'", "i < 90", 's'),
    ] {
        let entry = |number: usize| match number {
            7 => "{\"e7\", 0},".to_owned(),
            _ => format!("{{\"e{number}\", \"o\"}},"),
        };
        let text = lines(
            "static const struct { const char *name, *other; } t[] = {",
            entry,
            &format!(
                "}}; int main(void) {{ unsigned i = nondet_uint(); if ({index}) assert({what}); return 0; }}"
            ),
        );
        assert_eq!(decided(&text), [expected; 2], "{what}, {index}");
    }
}
