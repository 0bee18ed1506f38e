//! Types, constants and operators.

use super::all_hold;
use crate::tests::unwound;

#[test]
fn bit_fields_are_promoted_by_their_width() {
    let record =
        "struct s { unsigned three : 3; signed char low : 4; unsigned whole : 32; unsigned long \
                  thirty : 30, wide : 40;
        long below : 40; long word : 32; _Bool flag : 1; unsigned long all : 64; };
        int two(int a, ...) { __builtin_va_list l; __builtin_va_start(l, a); return \
        (int)__builtin_va_arg(l, long); }";
    all_hold(
        record,
        "struct s s = { 0 }; int yes = nondet_int() | 1;",
        &[
            "s.three - 1 < 0",
            "~s.three < 0 && -(s.three + 1) < 0",
            "(s.three = 9) - 2 < 0",
            "(s.three += 1) - 2 < 0 && s.three++ - 2 < 0 && --s.three - 2 < 0",
            "(0, s.three) - 1 < 0",
            "(yes ? s.three : s.three) - 1 < 0",
            "(s.three = 1) << 31 < 0",
            "s.thirty - 1 < 0",
            "s.whole - 1 > 0",
            "s.flag - 1 < 0",
            "s.all - 1 > 0",
            "s.word - 1 < 0 && (s.word = 1) << 31 < 0",
            "_Generic(s.three + 0, int: 1, default: 0) && _Generic(+s.whole, unsigned: 1, default: 0)",
            "_Generic(s.three, unsigned: 0, default: 1) && _Generic(s.wide, unsigned long: 0, default: 1)",
            "_Generic(s.wide + 1l, long: 1, default: 0) && _Generic(s.word, int: 1, default: 0)",
        ],
    );
    all_hold(
        record,
        "struct s s = { 0 }; s.wide = -1; s.below = -1;",
        &[
            "s.wide + 1 == 0",
            "s.wide + 1l != 0 && s.wide + 1ul != 0",
            "s.wide << 8 == 0xffffffff00",
            "(unsigned long)s.wide << 8 == 0xffffffffff00",
            "(s.wide = 0xffffffffff) * 2 == 0xfffffffffe",
            "s.below < 0 && s.below < 0u && !(s.below < s.wide)",
            "s.below + 0u == -1 && sizeof(s.wide + 1) == 8",
            "(1 ? s.wide : 0) + 1 == 0",
            "two(1, s.below) == -1",
        ],
    );
}

#[test]
fn declarators_in_parentheses_keep_their_parameters() {
    let declarations = "int (twice)(int a) { return a + a; } static long (*(pick)(int k))(long); static \
                        long same(long x) { return x; }
        static long (*(pick)(int k))(long) { return k ? same : 0; } int ((deep))(int a, int b) { return a - \
        b; }
        int (old)(a, b) int a; char b; { return a * b; } int (number) = 4, (*(pointer)) = &number;";
    all_hold(
        declarations,
        "int n = nondet_int(); if (n < 0 || n > 9) return 0;",
        &[
            "(twice)(n) == n * 2 && deep(n, 1) == n - 1",
            "pick(1)(n) == n && pick(0) == 0",
            "old(n, 3) == 3 * n && *pointer == 4",
        ],
    );
}

#[test]
fn sizes_of_array_parameters_are_evaluated() {
    let declarations = "int calls; int length(void) { return ++calls; }
        int first(int n, int a[n += 2]) { return n; } int second(int n, int (*a)[n++], char b[length()][n]) \
        { return n; }
        int third(int n, int [n--]) { return n; } int plain(int n, int a[n + 1], int b[static 2]) { return \
        n; }";
    all_hold(
        declarations,
        "int e[9]; char c[9][9];",
        &[
            "first(5, e) == 7",
            "second(3, (void *)e, c) == 4 && calls == 1",
            "third(1, e) == 0",
            "plain(1, e, e) == 1",
        ],
    );
}

#[test]
fn an_error_mark_is_a_label_in_capitals() {
    let program = |label: &str| {
        format!(
            "int main(void) {{ if (nondet_int() == 7) goto {label}; return 0; {label}: return 1; }}"
        )
    };
    assert_eq!(unwound(&program("ERROR")), 'u');
    for label in ["error", "Error", "err", "ERROR_2"] {
        assert_eq!(unwound(&program(label)), 's', "{label}");
    }
}

#[test]
fn what_the_compiler_can_tell_is_constant() {
    all_hold(
        "enum { three = 3 }; int g;",
        "int x = nondet_int();",
        &[
            "__builtin_constant_p(three * 2) && __builtin_constant_p(1.5) && __builtin_constant_p(\"text\")",
            "!__builtin_constant_p(x) && !__builtin_constant_p(g++) && g == 0",
            "__builtin_constant_p(sizeof(x))",
        ],
    );
}

#[test]
fn counts_in_zeros_are_open() {
    let program = |claim: &str| {
        format!(
            "int main(void) {{ unsigned x = nondet_uint(); unsigned long y = nondet_ulong(); \
             assert({claim}); return 0; }}"
        )
    };
    for open in [
        "x > 1 || x == 1 || __builtin_clz(x) == 32",
        "x || __builtin_ctz(x) >= 0",
        "y || __builtin_clzl(y) == __builtin_clzl(y)",
    ] {
        assert_eq!(unwound(&program(open)), 'u', "{open}");
    }
    for specified in [
        "x != 1 || __builtin_clz(x) == 31",
        "!x || x >> __builtin_ctz(x) & 1",
        "!y || __builtin_clzl(y) < 64",
        "__builtin_ffs(0) == 0 && __builtin_popcount(0) == 0",
    ] {
        assert_eq!(unwound(&program(specified)), 's', "{specified}");
    }
}
