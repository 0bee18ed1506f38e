//! Programs with one branch, or one entry of a table, for each of some numbers.

use std::fmt::Write;

use super::Kind;

/// What programs begin with.
const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern char __VERIFIER_nondet_char(void);\n\
                    int strcmp(const char *, const char *);\nvoid reach_error(void) {}\n\n";

/// The number of a branch: far apart, and in no order.
fn key(index: usize) -> usize {
    (index * 7_919 + 13) % 1_000_003
}

/// The text of a program of such a kind.
pub(super) fn text(kind: Kind, size: usize, fault: bool) -> String {
    let body = match kind {
        Kind::FallThrough => fall_through(size, fault),
        Kind::Count => count(size, fault),
        Kind::Names => names(size, fault),
        Kind::Words => words(size, fault),
        _ => different_values(size, fault, kind == Kind::Switch),
    };
    format!("{HEAD}{body}")
}

/// One line for each number.
fn lines(size: usize, line: impl Fn(usize) -> String) -> String {
    (0..size).fold(String::new(), |mut text, index| {
        let _ = writeln!(text, "    {}", line(index));
        text
    })
}

/// A function with one branch for each of some numbers, and one of its values that another branch has, too, with a fault.
fn different_values(size: usize, fault: bool, is_switch: bool) -> String {
    let (before, after) = if is_switch {
        ("    switch (key) {\n", "    }\n")
    } else {
        ("", "")
    };
    let branches = lines(size, |index| {
        let value = if fault && index + 1 == size { 0 } else { index };
        let head = if index == 0 { "if" } else { "else if" };
        match is_switch {
            true => format!("case {}: return {value};", key(index)),
            false => format!("{head} (key == {}) return {value};", key(index)),
        }
    });
    format!(
        "int number(int key) {{\n{before}{branches}{after}    return -1;\n}}\n\n\
         int main(void) {{\n    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n    \
         if (a != b && number(a) >= 0 && number(a) == number(b)) reach_error();\n    return 0;\n}}\n"
    )
}

/// Counts the cases from that of a number to the last one: all at most. The limit is one less with a fault.
fn fall_through(size: usize, fault: bool) -> String {
    let cases = lines(size, |index| format!("case {}: n++;", key(index)));
    let most = size + usize::from(!fault);
    format!(
        "int main(void) {{\n    unsigned n = 0;\n    switch (__VERIFIER_nondet_int()) {{\n{cases}    default: n++;\n    }}\n    \
         if (n > {most}) reach_error();\n    return 0;\n}}\n"
    )
}

/// Counts the numbers that another one is equal to: one at most, unless the last is the first with a fault.
fn count(size: usize, fault: bool) -> String {
    let comparisons = lines(size, |index| {
        let other = if fault && index + 1 == size { 0 } else { index };
        format!("if (a == {}) n++;", key(other))
    });
    format!(
        "int main(void) {{\n    int a = __VERIFIER_nondet_int(), n = 0;\n{comparisons}    \
         if (n > 1) reach_error();\n    return 0;\n}}\n"
    )
}

/// Reads the first letter of a name in a table: all have the same one, but the last with a fault.
fn names(size: usize, fault: bool) -> String {
    let entries = lines(size, |index| {
        let letter = if fault && index + 1 == size { 'f' } else { 'e' };
        format!("{{\"{letter}{index}\", {}}},", key(index))
    });
    format!(
        "struct entry {{ const char *name; int value; }};\nstatic const struct entry table[] = {{\n{entries}}};\n\n\
         int main(void) {{\n    unsigned i = (unsigned)__VERIFIER_nondet_int();\n    \
         if (i < {size} && (table[i].name[0] != 'e' || table[i].value < 0)) reach_error();\n    return 0;\n}}\n"
    )
}

/// The number of a word, which is below that of the words; that of the last is not with a fault.
fn words(size: usize, fault: bool) -> String {
    let n_letters = (size.max(2) - 1).ilog2() as usize + 1;
    let comparisons = lines(size, |index| {
        let word: String = (0..n_letters)
            .map(|bit| if index >> bit & 1 == 1 { '1' } else { 'a' })
            .collect();
        let value = if fault && index + 1 == size {
            size
        } else {
            index
        };
        format!("if (strcmp(text, \"{word}\") == 0) return {value};")
    });
    format!(
        "static int number(const char *text) {{\n{comparisons}    return -1;\n}}\n\n\
         int main(void) {{\n    char text[{}];\n    \
         for (int i = 0; i < {n_letters}; i++) text[i] = __VERIFIER_nondet_char();\n    text[{n_letters}] = 0;\n    \
         if (number(text) >= {size}) reach_error();\n    return 0;\n}}\n",
        n_letters + 1
    )
}
