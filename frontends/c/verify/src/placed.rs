//! Verdicts that depend on where objects are are none.

use std::sync::Arc;

use craig_c_lang::ir::Program;
use craig_c_lang::placement::{Layout, Placement};
use craig_model::UnknownReason;

use crate::bounded::Verdict;

/// The verdict on a program, if it does not depend on its layout in memory: where an execution has used the numbers of
/// addresses, `decide` is asked about the program with its objects elsewhere. A proof must be found there, too. An error stays
/// one if its path, or another one, ends in an error there.
pub(crate) fn placed(
    program: &Program,
    verdict: Verdict,
    decide: impl FnOnce(&Program) -> Verdict,
) -> Verdict {
    if !program.placement.is_observed() || !matches!(verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
    {
        return verdict;
    }
    if matches!(&verdict, Verdict::Unsafe(found) if found.holds_elsewhere) {
        return verdict;
    }
    let moved = Program {
        placement: Arc::new(Placement::new(Layout::Moved)),
        ..program.clone()
    };
    match (verdict, decide(&moved)) {
        (Verdict::Safe(_), Verdict::Unsafe(_)) | (Verdict::Unsafe(_), Verdict::Safe(_)) => {
            Verdict::Unknown(UnknownReason::Unsupported(
                "the answer depends on the addresses of objects, of which C promises nothing"
                    .into(),
            ))
        }
        (Verdict::Unsafe(_), Verdict::Unknown(_)) => {
            Verdict::Unknown(UnknownReason::Unsupported(
                "a path to an error was found, but it depends on the addresses of objects, of which C promises nothing"
                    .into(),
            ))
        }
        (Verdict::Safe(_), Verdict::Unknown(reason)) => Verdict::Unknown(match reason {
            UnknownReason::Unsupported(text) | UnknownReason::Bound(text) => {
                UnknownReason::Unsupported(format!("with objects at other addresses: {text}"))
            }
            reason => reason,
        }),
        (_, Verdict::Internal(message)) => Verdict::Internal(message),
        (verdict, _) => verdict,
    }
}

#[cfg(test)]
mod tests {
    use craig_mc::Alone;

    use crate::{Answer, Options, run_text};

    fn verdict(declarations: &str, body: &str) -> char {
        let text = format!(
            "typedef unsigned long ulong; void *memcpy(void *, const void *, ulong);
             void __assert_fail(const char *, const char *, unsigned, const char *);
             {declarations} int main(void) {{ {body} return 0; }}"
        );
        let text = text.replace("assert(", "craig_assert(");
        let text = format!(
            "void reach_error(void); void craig_assert(int c) {{ if (!c) reach_error(); }} {text}"
        );
        let report = run_text(
            &text,
            "placed.c",
            &Options::default(),
            Alone::new().control(),
        );
        match report.expect("the program is read").answer {
            Answer::Safe(_) => 's',
            Answer::Unsafe { .. } => 'u',
            Answer::Unknown { .. } => '?',
        }
    }

    #[test]
    fn facts_of_one_layout_are_no_proofs() {
        let x = "int x, y, nondet_int(void); int f(void) { return 1; }";
        for body in [
            // A mark above the bits of an address.
            "ulong n = (ulong)&x | 1ul << 63; assert((n & 63) == 0);",
            // A half of a pointer.
            "int *p = &x; unsigned half; memcpy(&half, &p, 4); assert((half & 63) == 0);",
            "int *p = &x; unsigned half; memcpy(&half, &p, 4); assert(half == 0);",
            // How far objects are apart.
            "long n = &x - &y; assert(n != 5);",
            "int *p = &x, *q = &y; if (nondet_int()) p = q; assert(p - q < 5);",
            // Bits that no function's address has in a process.
            "ulong n = (ulong)f; assert(n >> 47 == 0);",
            "ulong n = (ulong)f; assert(n >> 47 != 0);",
        ] {
            assert_eq!(verdict(x, body), '?', "{body}");
        }
        for body in [
            "ulong n = (ulong)&x | 1ul << 63; assert((n & 3) == 0);",
            "ulong n = (ulong)&x ^ 1; assert((n & 3) == 1);",
            "int *p = &x, *q = &y; if (nondet_int()) p = q; if (p == q) assert(p - q == 0);",
            "int *p = &x; unsigned half; memcpy(&half, &p, 4); assert((half & 3) == 0);",
        ] {
            assert_eq!(verdict(x, body), 's', "{body}");
        }
    }

    /// What the library copies of an address, and what is read of one in a large array, are no numbers of one layout, nor of
    /// two: `0x40` is a byte of an address in neither.
    #[test]
    fn pieces_of_addresses_that_were_copied_are_open() {
        let x = "int x, y, nondet_int(void); int *p, *t[1000]; unsigned char b[8]; unsigned short h[4];";
        for body in [
            "p = nondet_int() ? &x : &y; memcpy(b, &p, 8); assert(b[0] != 0x40);",
            "p = &x; memcpy(b, &p, 8); b[5] = 0; assert(b[0] != 0x40);",
            "p = &x; memcpy(b, &p, 3); assert(b[0] != 0x40);",
            "p = &x; memcpy(h, &p, 2); assert(h[0] != 0x40);",
            "int n = nondet_int(); while (n-- > 0) { p = nondet_int() ? &x : &y; memcpy(b, &p, 8); } assert(b[0] != 0x40);",
            "unsigned i = nondet_int(); if (i >= 1000) return 0; t[i] = &x; assert(*((unsigned char *)&t[i]) != 0x40);",
            "unsigned i = nondet_int(); if (i >= 1000) return 0; t[i] = &x; memcpy(b, &t[i], 1); assert(b[0] != 0x40);",
        ] {
            assert_eq!(verdict(x, body), '?', "{body}");
        }
        for body in [
            "p = nondet_int() ? &x : &y; memcpy(b, &p, 8); assert((b[0] & 3) == 0);",
            "p = &x; memcpy(b, &p, 8); b[0] |= 1; assert(b[0] & 1);",
            "unsigned i = nondet_int(); if (i >= 1000) return 0; t[i] = &x; assert((*((unsigned char *)&t[i]) & 3) == 0);",
        ] {
            assert_eq!(verdict(x, body), 's', "{body}");
        }
    }

    /// An error whose path depends on where objects are is none, although nothing is decided elsewhere.
    #[test]
    fn errors_of_one_layout_are_no_errors() {
        let x = "int x, nondet_int(void); int *p; unsigned char b[8];";
        let body = "p = &x; for (int i = 0; i < 8; i++) b[i] = ((unsigned char *)&p)[i]; int n = nondet_int();
            if (n > 5 && (b[0] & 63) == 0 && b[1] == 0) assert(n * n != 49);";
        assert_eq!(verdict(x, body), '?');
        // Nothing but the address itself is used.
        let body = "p = &x; for (int i = 0; i < 8; i++) b[i] = ((unsigned char *)&p)[i]; int n = nondet_int();
            int *q; memcpy(&q, b, 8); *q = 3; if (n > 5) assert(n * n != 49 * x / 3);";
        assert_eq!(verdict(x, body), 'u');
    }

    /// The bytes of an address are all there before the last of them, which are 0, are copied.
    #[test]
    fn pointers_are_copied_into_memory_of_zeros() {
        let record = "struct s { int *p; int n; } a, b; int x, *from, *to;";
        for (body, right) in [
            (
                "from = &x; memcpy(&to, &from, sizeof to); assert(to == &x);",
                's',
            ),
            (
                "from = &x; memcpy(&to, &from, sizeof to); assert(to != &x);",
                'u',
            ),
            (
                "a.p = &x; a.n = 3; memcpy(&b, &a, sizeof a); *b.p = 4; assert(x == 4 && b.n == 3);",
                's',
            ),
            (
                "a.p = &x; a.n = 3; memcpy(&b, &a, sizeof a); *b.p = 4; assert(x != 4);",
                'u',
            ),
            (
                "from = &x; for (int i = 0; i < 8; i++) ((char *)&to)[i] = ((char *)&from)[i]; assert(to == &x);",
                's',
            ),
        ] {
            assert_eq!(verdict(record, body), right, "{body}");
        }
    }
}
