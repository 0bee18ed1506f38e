//! What is refused has a name and a place, and bytes of the source keep their values.

use crate::bounded;
use crate::tests::{lowered, program, unwound};
use crate::verdict::Found;
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::library::Library;
use craig_c_lang::parse::parse;
use craig_c_lang::source::{Source, decode};
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_program::line_up::Stages;

/// The reason for which lowering rejects a program.
pub(crate) fn refusal(text: &str) -> Option<String> {
    lowered(text, DataModel::Lp64).err()
}

/// The reason for which unrolling is undecided.
pub(crate) fn reason(text: &str) -> String {
    let program = program(text, DataModel::Lp64);
    match bounded::check(
        &program,
        (&Unwinding::default(), &Stages::NONE),
        Alone::new().control(),
    ) {
        Ok(Found::Unknown(reason)) => reason.to_string(),
        _ => panic!("a verdict: {text}"),
    }
}

#[test]
fn what_is_not_supported_has_a_name_and_a_line() {
    for statement in [
        "if (n > 3 && (_Float128)n > 2) n = 1;",
        "if (n > 3 || (_Float128)n > 2) n = 1; else n = 2;",
        "n = n ? n : (_Float128)n + 1;",
        "n = n ?: (_Float128)n + 1;",
        "while (n > 3 && (_Float128)n > 2) n++;",
        "do n++; while (n > 3 && (_Float128)n > 2);",
        "for (int i = 0; i < n && (_Float128)i < 2; i++) n++;",
        "switch (n > 3 && (_Float128)n > 2) { case 1: n = 3; }",
        "if (n) goto in; while (n > 3 && (_Float128)n > 2) { in: n = 2; }",
        "if (n == 5) { int k = ({ int n = 3; n + (_Float128)2; }); }",
    ] {
        let text = format!(
            "int main(void) {{ int n = nondet_int();\n{statement}\nassert(n != 5); return 0; }}"
        );
        let reason = reason(&text);
        assert!(reason.contains("test.c:2"), "{statement}: {reason}");
        assert!(
            reason.contains("_Float128") || reason.contains("the label `in`"),
            "{statement}: {reason}"
        );
    }
}

#[test]
fn names_of_blocks_that_are_not_supported_end_with_them() {
    let program = |claim: &str| {
        format!(
            "int main(void) {{ int n = 1, m = nondet_int(); if (m) goto out;
             {{ int k = ({{ int n = 2; n + (_Float128)2; }}); }}
             out: assert({claim}); return 0; }}"
        )
    };
    assert_eq!(unwound(&program("n == 2")), 'u');
    assert_ne!(unwound(&program("n == 1")), 'u');
}

#[test]
fn what_the_parser_cannot_read_has_its_name() {
    let refusal = |text: &str| {
        let source = Source::new(text, "test.c");
        assert!(Library::of(DataModel::Lp64).is_ok());
        parse(&source).err().unwrap_or_default()
    };
    for (text, said) in [
        (
            "int main(void) { int n = 3;\nint g(int y) { return y + n; }\nreturn g(1); }",
            "test.c:2:14: the nested function `g` is not supported",
        ),
        (
            "int f(void)\n{ return 1 1; }",
            "test.c:2:12: expected `;`, found `1`",
        ),
    ] {
        let refusal = refusal(text);
        assert!(refusal.contains(said), "{refusal}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_keep_their_values() {
    let program = |claim: &str| {
        let mut bytes =
            b"/* \xfc */ char s[] = \"\xe4\xff\xc3\xa4\xef\x9e\x80\"; int t[] = L\"\xc3\xa4\"; \
                          // \xdf\n"
                .to_vec();
        bytes.extend(b"int main(void) { char c = '\xe4'; int n = nondet_int(); assert(");
        bytes.extend(claim.bytes());
        bytes.extend(b"); return 0; }");
        decode(&bytes)
    };
    for claim in [
        "sizeof s == 8 && s[0] == (char)0xe4 && s[1] == (char)0xff && c == (char)0xe4",
        "s[2] == (char)0xc3 && s[3] == (char)0xa4 && t[0] == 0xe4 && !t[1]",
        "s[4] == (char)0xef && s[5] == (char)0x9e && s[6] == (char)0x80",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
        assert_eq!(
            unwound(&program(&format!("!({claim}) || n"))),
            'u',
            "{claim}"
        );
    }
    let wide = decode(b"int main(void) { return L\"\xe4\"[0]; }");
    assert!(reason(&wide).contains("a wide literal"));
}

#[test]
fn attributes_and_pragmas_that_change_the_meaning_are_refused() {
    let main = "int main(void) { return 0; }";
    for (text, reason) in [
        (
            "int x; __attribute__((strange)) void f(void) { x = 5; }",
            "the attribute `strange`",
        ),
        (
            "void f(void) __attribute__((__ifunc__(\"g\")));",
            "the attribute `ifunc`",
        ),
        ("#pragma weak f\nint f(void);", "`#pragma weak`"),
        (
            "#pragma pack(3)\nstruct s { int i; };",
            "a `#pragma pack` of an unknown form",
        ),
    ] {
        let refusal = refusal(&format!("{text} {main}"));
        assert!(
            refusal.as_deref().is_some_and(|why| why.contains(reason)),
            "{text}: {refusal:?}"
        );
    }
    let used = |text: &str| {
        unwound(&format!(
            "{text} int main(void) {{ assert(use() == 1); return 0; }}"
        ))
    };
    let misaligned = "typedef int far __attribute__((aligned(8)));";
    assert_eq!(
        used(&format!(
            "{misaligned} int use(void) {{ return sizeof(struct {{ char c; far i; }}) == 8; }}"
        )),
        '?'
    );
    assert_eq!(
        used(&format!("{misaligned} int use(void) {{ return 1; }}")),
        's'
    );
    assert_eq!(
        used(
            "typedef long far __attribute__((aligned(8))); int use(void) { return sizeof(struct { char c; \
             far i; }) == 16; }"
        ),
        's'
    );
    let far = "typedef struct { char c; int i; } far __attribute__((aligned(16)));";
    assert_eq!(
        used(&format!(
            "{far} int use(void) {{ return sizeof(far) == 8 && _Alignof(far) == 16 && sizeof(struct {{ char \
             c; far f; }}) == 32; }}"
        )),
        's'
    );
    let weak = "extern int f(void) __attribute__((weak));";
    assert_eq!(
        used(&format!("{weak} int use(void) {{ return f ? 1 : 0; }}")),
        '?'
    );
    assert_eq!(
        used(&format!(
            "{weak} int f(void) {{ return 1; }} int use(void) {{ return f ? f() : 0; }}"
        )),
        's'
    );
    assert_eq!(
        used("int f(void) __asm__(\"g\"); int g(void) { return 1; } int use(void) { return f(); }"),
        '?'
    );
}
