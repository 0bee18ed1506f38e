//! Verdicts that depend on where objects are are none.

use std::sync::Arc;

use craig_c_lang::ir::Program;
use craig_c_lang::placement::{Layout, Placement};
use craig_model::UnknownReason;

use crate::bounded::Verdict;

/// The verdict on a program, if it does not depend on its layout in memory: where an execution has used the numbers of
/// addresses, `decide` is asked about the program with its objects elsewhere. A proof must be found there, too. An error is none
/// if there is a proof there; it stays one if nothing is decided, as its path was replayed.
pub(crate) fn placed(
    program: &Program,
    verdict: Verdict,
    decide: impl FnOnce(&Program) -> Verdict,
) -> Verdict {
    if !program.placement.is_observed() || !matches!(verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
    {
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
