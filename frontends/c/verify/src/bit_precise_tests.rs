//! `_BitInt`; clang 14 computes what is asserted here, but for literals, which it does not have.

use crate::refusal_tests::refusal;
use crate::tests::unwound;

const DECLARATIONS: &str = "typedef _BitInt(7) b7; typedef unsigned _BitInt(5) u5; typedef _BitInt(65) b65; typedef unsigned _BitInt(128) u128;
    typedef _BitInt(33) b33; struct s { char c; b65 x; b7 y; }; static b7 g = -3; static u5 arr[3] = { 1, 2, 3 };
    static b7 add(b7 a, b7 *p) { *p += a; return *p; }";

fn claim(body: &str, claim: &str) -> char {
    unwound(&format!(
        "{DECLARATIONS} int main(void) {{ b7 a = 60; u5 b = 31, m = 20; {body} assert({claim}); return 0; }}"
    ))
}

#[test]
fn bit_precise_integers_have_as_many_bits_as_they_say() {
    for (body, holds) in [
        ("b++; a += 3;", "b == 0 && a == 63"),
        (
            "",
            "sizeof(b7) == 1 && sizeof(_BitInt(9)) == 2 && sizeof(b33) == 8 && sizeof(b65) == 16 && sizeof(struct s) == 32",
        ),
        (
            "",
            "_Alignof(b65) == 8 && _Alignof(u128) == 8 && _Alignof(_BitInt(17)) == 4",
        ),
        (
            "",
            "(u5)(m + m) == 8 && m + m == 8 && m * 2 == 40 && m << 1 == 8",
        ),
        ("b7 *p = &a; *p = 5;", "add(3, p) == 8 && a == 8"),
        ("", "add(g, &g) == -6"),
        ("arr[1] = 40;", "arr[0] + arr[1] + arr[2] == 12"),
        (
            "struct s v = { 1, (b65)1 << 63, -5 }; v.x *= 2;",
            "v.x < 0 && (v.x >> 64) == -1 && v.y == -5",
        ),
        (
            "u128 w = ~(u128)0; w = w / 3;",
            "(unsigned long)w == 0x5555555555555555ul && w % 7 == 1",
        ),
        (
            "double d = 8; a = (b7)-9.7; u5 f = 30.9f; d = a;",
            "a == -9 && f == 30 && d == -9.0",
        ),
        (
            "",
            "(b7)200 == -56 && (int)(u5)-1 == 31 && (_Bool)(b7)64 && (long)(b65)-7 == -7 && (unsigned _BitInt(1))3 == 1",
        ),
        (
            "unsigned _BitInt(3) sw = 5; switch (sw) { case 5: break; default: a = 1; }",
            "a == 60",
        ),
    ] {
        assert_eq!(claim(body, holds), 's', "{holds}");
        assert_eq!(claim(body, &format!("!({holds})")), 'u', "{holds}");
    }
}

/// C23 6.3.1.1 and 6.3.1.8: they are not promoted, and standard types of their width have the higher rank.
#[test]
fn bit_precise_integers_keep_their_types() {
    for holds in [
        "_Generic(a + a, b7: 1, int: 2, default: 3) == 1",
        "_Generic(a + 1, b7: 1, int: 2, default: 3) == 2",
        "_Generic(b + a, b7: 1, u5: 2, default: 3) == 1",
        "_Generic((b33)1 + 1, b33: 1, int: 2, default: 3) == 1",
        "_Generic((unsigned _BitInt(32))1 + 1, unsigned: 1, int: 2, default: 3) == 1",
        "_Generic((_BitInt(32))1 + 1, int: 1, default: 3) == 1",
        "_Generic((u5)1 + (_BitInt(5))1, u5: 1, default: 3) == 1",
        "_Generic(~a, b7: 1, default: 2) == 1 && _Generic(a << 2, b7: 1, default: 2) == 1 && _Generic(-b, u5: 1, default: 2) == 1",
        "_Generic(3wb, _BitInt(3): 1, default: 2) == 1 && _Generic(0uwb, unsigned _BitInt(1): 1, default: 2) == 1",
        "_Generic(0wb, _BitInt(2): 1, default: 2) == 1 && 0x1ffffffffffffffffuwb >> 64 == 1",
    ] {
        assert_eq!(claim("", holds), 's', "{holds}");
        assert_eq!(claim("", &format!("!({holds})")), 'u', "{holds}");
    }
    for refused in [
        "_BitInt(129) x; int main(void) { return 0; }",
        "struct s { _BitInt(7) a : 8; } x; int main(void) { return 0; }",
    ] {
        let why = refusal(refused);
        assert!(
            why.as_deref().is_some_and(|why| why.contains("`_BitInt`")),
            "{refused}: {why:?}"
        );
    }
}

/// C23 6.7.3.2p5 and 6.3.1.1p2: the value of such a bit-field has the declared type. It is laid out as one of a standard type of
/// the same size.
#[test]
fn bit_fields_may_be_bit_precise() {
    let text = "struct s { unsigned _BitInt(7) a : 3; _BitInt(20) b : 11; unsigned _BitInt(33) c : 33; char d; };
        struct t { unsigned char a : 3; int b : 11; unsigned long c : 33; char d; };
        int main(void) { struct s v = { 0 }; v.b = -5; v.c = (1ull << 32) | 3; v.d = 7; int n = v.a = 9; v.a += 5; assert(CLAIM); return 0; }";
    for holds in [
        "n == 1 && v.a == 6 && v.b == -5 && v.c == 0x100000003ul && v.d == 7",
        "sizeof(struct s) == sizeof(struct t)",
        "v.a * 25 == 150 - 128 && v.a + v.a == 12",
        "_Generic(v.a + v.a, unsigned _BitInt(7): 1, default: 2) == 1",
        "(v.b -= 1) == -6 && (v.b = 1024) == -1024 && (v.c++ == 0x100000003ul)",
    ] {
        // A product has as many bits as the declared type.
        let holds = holds.replace("v.a * 25", "v.a * (unsigned _BitInt(7))25");
        let with = |claim: &str| unwound(&text.replace("CLAIM", claim));
        assert_eq!(with(&holds), 's', "{holds}");
        assert_eq!(with(&format!("!({holds})")), 'u', "{holds}");
    }
    let text = "unsigned char *p = (unsigned char *)&v; struct t w = { 6, -5, (1ull << 32) | 3, 7 }; unsigned char *q = (unsigned char *)&w;";
    for index in [0, 1, 3, 6] {
        let body = format!(
            "struct t {{ unsigned char a : 3; int b : 11; unsigned long c : 33; char d; }}; {text}"
        );
        let claim = format!("p[{index}] == q[{index}]");
        assert_eq!(
            unwound(&format!(
                "struct s {{ unsigned _BitInt(7) a : 3; _BitInt(20) b : 11; unsigned _BitInt(33) c : 33; char d; }}; \
             int main(void) {{ struct s v = {{ 6, -5, (1ull << 32) | 3, 7 }}; {body} assert({claim}); return 0; }}"
            )),
            's',
            "{claim}"
        );
    }
}
