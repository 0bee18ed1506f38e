//! Attributes that change what a program does: `cleanup` and `alias`. gcc's code does what is asserted here.

use crate::refusal_tests::{reason, refusal};
use crate::tests::unwound;

const LOG: &str = "static int log_[8], n; static void f(int *p) { log_[n++] = *p; }";

fn cleaned(functions: &str, body: &str) -> char {
    unwound(&format!(
        "{LOG} {functions} int main(void) {{ {body} return 0; }}"
    ))
}

#[test]
fn variables_are_cleaned_up_where_control_leaves_their_scope() {
    for (functions, body) in [
        // In the reverse order, behind the evaluation of the result.
        (
            "int g(void) { __attribute__((cleanup(f))) int a = 1; int b __attribute__((__cleanup__(f))) = 2; return a++ + b; }",
            "int r = g(); assert(r == 3 && n == 2 && log_[0] == 2 && log_[1] == 2);",
        ),
        (
            "",
            "for (int i = 0; i < 3; i++) { int c __attribute__((cleanup(f))) = i; if (i == 1) continue; if (i == 2) break; c += 10; }
             assert(n == 3 && log_[0] == 10 && log_[1] == 1 && log_[2] == 2);",
        ),
        // By jumps forward, backward before the declaration, and within the scope.
        (
            "void g(int k) { int turn = 0; again:; { int a __attribute__((cleanup(f))) = k + turn; within: if (k == 1) goto out;
               if (k == 2 && turn++ == 0) goto again; if (k == 3 && turn++ < 2) goto within; } out:; }",
            "g(1); assert(n == 1 && log_[0] == 1); g(2); assert(n == 3 && log_[1] == 2 && log_[2] == 3); g(3); assert(n == 4 && log_[3] == 3);",
        ),
        (
            "void g(int k) { switch (k) { int a __attribute__((cleanup(f))); case 1: a = 5; break; case 2: a = 6; } }",
            "g(1); g(2); assert(n == 2 && log_[0] == 5 && log_[1] == 6);",
        ),
        (
            "struct r { int a, b; }; void h(struct r *p) { p->a = 9; } struct r g(void) { struct r v __attribute__((cleanup(h))) = { 1, 2 }; return v; }",
            "struct r v = g(); assert(v.a == 1 && v.b == 2);",
        ),
        (
            "int g(void) { int r = ({ int a __attribute__((cleanup(f))) = 4; a + n; }); return r + n; }",
            "assert(g() == 5);",
        ),
        (
            "typedef int *place; void h(void *p) { *(int *)p = 0; n++; } static int s __attribute__((cleanup(f)));",
            "{ int a __attribute__((cleanup(h))) = 1; int k = a; assert(k == 1); } { static int a __attribute__((cleanup(f))); } assert(n == 1);",
        ),
    ] {
        assert_eq!(cleaned(functions, body), 's', "{body}");
        let wrong = body.replacen("== ", "== 1 + ", 1);
        assert_eq!(cleaned(functions, &wrong), 'u', "{wrong}");
    }
}

#[test]
fn cleanups_that_are_not_followed_are_refused() {
    let main = "int main(void) { g(); return 0; }";
    for functions in [
        "void f(int *p); void g(void) { __attribute__((cleanup(f))) int k = 3; }",
        "void f(int (*p)[]) { } void g(void) { int m = 2; int a[m] __attribute__((cleanup(f))); }",
        "void f(int *p) { } void g(void) { void *t = &&l; l:; int a __attribute__((cleanup(f))) = 1; if (a) goto *t; }",
    ] {
        let why = reason(&format!("{functions} {main}"));
        assert!(why.contains("`cleanup`"), "{functions}: {why}");
    }
}

#[test]
fn an_alias_is_another_name_of_a_function() {
    let alias = |claim: &str| {
        unwound(&format!(
            "int before(int) __attribute__((alias(\"f\"))); static int f(int x) {{ return x + 1; }}
             extern int behind(int) __attribute__((weak, __alias__(\"f\")));
             int main(void) {{ int (*p)(int) = behind; assert({claim}); return 0; }}"
        ))
    };
    assert_eq!(
        alias("before(2) == 3 && p(3) == 4 && p == f && before == behind"),
        's'
    );
    assert_eq!(alias("before(2) == 4"), 'u');
    for declarations in [
        "int v; extern int w __attribute__((alias(\"v\")));",
        "int f(void) { return 1; } long g(void) __attribute__((alias(\"f\")));",
        "int g(void) __attribute__((alias(\"f\")));",
    ] {
        let refused = refusal(&format!("{declarations} int main(void) {{ return 0; }}"));
        assert!(
            refused
                .as_deref()
                .is_some_and(|why| why.contains("the attribute `alias`")),
            "{declarations}: {refused:?}"
        );
    }
}

/// C23 6.7.11p11; gcc 12 does not have it.
#[test]
fn an_empty_initialiser_of_a_scalar_is_zero() {
    let text = |claim: &str| {
        format!(
            "int *q = {{}}; int main(void) {{ int x = {{}}; double d = {{}}; struct {{ int a, b; }} s = {{ .b = {{}} }}; assert({claim}); return 0; }}"
        )
    };
    assert_eq!(unwound(&text("x == 0 && !q && d == 0 && s.b == 0")), 's');
    assert_eq!(unwound(&text("x == 1")), 'u');
}
