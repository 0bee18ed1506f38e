//! What runs before `main`, and unions that stand for their members: gcc's programs end as is asserted here.

use crate::tests::{unrolled_with, unwound};

fn verdict(text: &str) -> Result<char, String> {
    unrolled_with(text, |_| {})
}

#[test]
fn pointers_in_the_section_of_constructors_run_first() {
    let text = "int n; void a(void) { n = n * 10 + 1; } static void b(void) { n = n * 10 + 2; } \
        void (*p)(void) __attribute__((section(\".init_array\"))) = a; \
        void (*const early)(void) __attribute__((section(\".init_array.00200\"))) = &b; \
        __attribute__((constructor(300))) static void k(void) { n = n * 10 + 3; } \
        static void (*used)(void) __attribute__((used, section(\".init_array\"))) = b; \
        int main(void) { __attribute__((unused)) int m = n; assert(n == 2312); return 0; }";
    assert_eq!(verdict(text), Ok('s'));
    assert_eq!(verdict(&text.replace("2312", "2321")), Ok('u'));
    for (from, to, why) in [
        ("used, ", "", "without the attribute `used`"),
        ("constructor(300)", "constructor", "whose order is open"),
        ("(*p)(void)", "(*p[1])(void)", "one pointer to a function"),
        (
            "void a(void) {",
            "void c(void); void (*r)(void) __attribute__((section(\".init_array\"))) = c; void a(void) {",
            "without a body",
        ),
    ] {
        let text = text.replace(from, to);
        let text = match to.starts_with("(*p[") {
            true => text.replace("= a;", "= { a };"),
            false => text,
        };
        let found = verdict(&text);
        assert!(
            found.as_ref().is_err_and(|found| found.contains(why)),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn transparent_unions_take_arguments_of_their_members() {
    for attribute in [
        "typedef union { int *i; const long *l; void *v; } U __attribute__((transparent_union));",
        "union own { int *i; const long *l; void *v; } __attribute__((transparent_union)); typedef union own U;",
    ] {
        let text = format!(
            "{attribute} static int first(U u) {{ return u.i ? *u.i : -1; }} \
             int main(void) {{ int x = 7; long y = 9; U own; own.l = &y; \
             assert(first(&x) == 7 && first(&y) == 9 && first(own) == 9 && first(0) == -1); \
             assert(first((void *)&x) == CLAIM); return 0; }}"
        );
        assert_eq!(unwound(&text.replace("CLAIM", "7")), 's', "{attribute}");
        assert_eq!(unwound(&text.replace("CLAIM", "9")), 'u', "{attribute}");
    }
    let wrong = "typedef union { int *i; long *l; } U __attribute__((transparent_union)); static int f(U u) { return *u.i; } \
        int main(void) { float x = 7; return f(&x); }";
    assert_eq!(unwound(wrong), '?');
}
