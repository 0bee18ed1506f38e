//! Verdicts that depend on where objects are are none.

use std::sync::Arc;

use craig_c_lang::ir::Program;
use craig_c_lang::placement::{Layout, Placement};
use craig_model::UnknownReason;

use crate::verdict::{Found, Verdict, unknown};

/// The verdict on a program, if it does not depend on its layout in memory: where an execution has used the numbers of
/// addresses, `decide` is asked about the program with its objects elsewhere. A proof must be found there, too. An error stays
/// one if its path, or another one, ends in an error there.
pub(crate) fn placed(
    program: &Program,
    verdict: Verdict,
    decide: impl FnOnce(&Program) -> Verdict,
) -> Verdict {
    let depends = match &verdict {
        Ok(Found::Safe(_)) => program.placement.is_observed(),
        Ok(Found::Unsafe(_)) => program.placement.may_matter_to_errors(),
        Ok(Found::Unknown(_)) | Err(_) => false,
    };
    if !depends {
        return verdict;
    }
    if matches!(&verdict, Ok(Found::Unsafe(found)) if found.holds_elsewhere) {
        return verdict;
    }
    let moved = Program {
        placement: Arc::new(Placement::new(Layout::Moved)),
        ..program.clone()
    };
    match (verdict, decide(&moved)) {
        (Ok(Found::Safe(_)), Ok(Found::Unsafe(_))) | (Ok(Found::Unsafe(_)), Ok(Found::Safe(_))) => {
            unknown(UnknownReason::Unsupported(
                "the answer depends on the addresses of objects, of which C promises nothing"
                    .into(),
            ))
        }
        (Ok(Found::Unsafe(_)), Ok(Found::Unknown(_))) => {
            unknown(UnknownReason::Unsupported(
                "a path to an error was found, but it depends on the addresses of objects, of which C promises nothing"
                    .into(),
            ))
        }
        (Ok(Found::Safe(_)), Ok(Found::Unknown(reason))) => unknown(match reason {
            UnknownReason::Unsupported(text) | UnknownReason::Bound(text) => {
                UnknownReason::Unsupported(format!("with objects at other addresses: {text}"))
            }
            reason => reason,
        }),
        (_, Err(error)) => Err(error),
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
            Answer::Unsafe(_) => 'u',
            Answer::Unknown(_) => '?',
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

    /// What a loop has stored are addresses later on, too: byte number 2 of one may be 7.
    #[test]
    fn bytes_of_addresses_that_loops_store_are_open() {
        let x = "int x, y, v, nondet_int(void); struct __attribute__((packed)) u { int *p; }; unsigned char buf[16], big[5000];
            int *p; struct n { struct n *next; int v; } *l; void *malloc(ulong);";
        let i = "unsigned i = nondet_int(); if (i >= 500) return 0;";
        let loops = [
            "p = &x; WHILE assert(((unsigned char *)&p)[2] != 7);",
            "while (nondet_int()) p = &x; assert(((unsigned char *)&p)[2] != 7);",
            "while (nondet_int()) p = nondet_int() ? &x : &y; assert(((unsigned char *)&p)[2] != 7);",
            "while (nondet_int()) ((struct u *)(buf + 1))->p = &x; assert(buf[3] != 7);",
            "while (nondet_int()) *(int **)buf = &x; assert(buf[2] != 7);",
            "*(int **)(big + 8 * i) = &x; assert(big[8 * i + 2] != 7);",
            "*(int **)(big + 8 * i) = &x; WHILE assert(big[8 * i + 2] != 7);",
            "while (nondet_int()) *(int **)(big + 8 * i) = &x; assert(big[8 * i + 2] != 7);",
            "while (nondet_int()) { struct n *o = malloc(16); o->next = l; l = o; } \
             if (l) assert(((unsigned char *)&l->next)[2] != 7);",
        ];
        for body in loops.map(|body| body.replace("WHILE", "while (nondet_int()) v++;")) {
            assert_eq!(verdict(x, &format!("{i} {body}")), '?', "{body}");
        }
        let used = "while (nondet_int()) p = &x; if (p) *p = 3; assert(!p || x == 3);";
        assert_eq!(verdict(x, used), 's');
    }

    /// Bytes of addresses that do not stand where their size says are open, too: in packed records, in arrays of bytes, in large
    /// arrays, and in words that are read across them.
    #[test]
    fn pieces_of_unaligned_addresses_are_open() {
        let x = "int x, y, v, nondet_int(void); struct __attribute__((packed)) r { char c; int *p; } s, t[1000]; unsigned short h;
            struct __attribute__((packed)) u { int *p; }; unsigned char c, b[9], buf[16], big[5000]; ulong n;";
        let i = "unsigned i = nondet_int(); if (i >= 500) return 0;";
        for body in [
            "((struct u *)(buf + 1))->p = &x; assert(buf[1] != 0x40);",
            "((struct u *)(buf + 1))->p = &x; memcpy(&c, buf + 1, 1); assert(c != 0x40);",
            "((struct u *)(buf + 1))->p = &x; n = *(ulong *)buf; assert((n >> 8 & 255) != 0x40);",
            "*(int **)buf = nondet_int() ? &x : &y; assert(buf[0] != 0x40);",
            "s.p = &x; memcpy(b, &s, 9); assert(b[1] != 0x40);",
            "s.c = 1; s.p = &x; memcpy(&h, &s, 2); assert((h >> 8) != 0x40);",
            "s.c = 1; s.p = &x; n = *(ulong *)&s; assert((n >> 8 & 255) != 0x40);",
            "s.c = 1; s.p = &x; memcpy(&n, &s, 8); assert((n >> 8 & 255) != 0x40);",
            "t[5].p = &x; v = t[i].c; c = ((unsigned char *)&t[5].p)[0]; assert(c != 0x40);",
            "t[i].p = &x; c = ((unsigned char *)&t[i])[1]; assert(c != 0x40);",
            "t[i].p = &x; t[i].c = 0; n = *(ulong *)&t[i]; assert((n >> 8 & 255) != 0x40);",
            "t[3].p = &x; v = t[i].c; n = *(ulong *)&t[3]; assert((n >> 8 & 255) != 0x40);",
            "((struct u *)(big + 1))->p = &x; v = big[i]; assert(big[1] != 0x40);",
            "((struct u *)(big + 1))->p = &x; v = big[i]; memcpy(&h, big + 1, 2); assert((h & 255) != 0x40);",
            "((struct u *)(big + 4 + 8 * i))->p = &x; n = *(ulong *)(big + 8 * i); assert((n >> 32 & 255) != 0x40);",
        ] {
            assert_eq!(verdict(x, &format!("{i} {body}")), '?', "{body}");
        }
        for body in [
            "((struct u *)(buf + 1))->p = &x; *((struct u *)(buf + 1))->p = 3; assert(x == 3 && (buf[1] & 3) == 0);",
            "t[i].p = &x; *t[i].p = 3; assert(x == 3);",
            "t[5].p = &x; t[i].c = 7; *t[5].p = 3; assert(x == 3 && t[i].c == 7);",
            "s.p = &x; t[7] = s; *t[7].p = 3; assert(x == 3);",
            "((struct u *)(big + 4 + 8 * i))->p = &x; *((struct u *)(big + 4 + 8 * i))->p = 3; assert(x == 3);",
        ] {
            assert_eq!(verdict(x, &format!("{i} {body}")), 's', "{body}");
        }
    }

    /// What was stored over a byte of an address stays, when the next one is stored.
    #[test]
    fn bytes_over_those_of_an_address_stay() {
        let head = "struct b { ulong n; int *p; } a, b; void *malloc(ulong); int nondet_int(void), x; unsigned char *c; int *input(void);";
        let fill = "c = (unsigned char *)&b; for (int i = 0; i < sizeof b; i++) c[i] = 0;";
        for (body, right) in [
            (
                "b.p = nondet_int() ? malloc(4) : input(); FILL assert(!b.p && !b.n);",
                's',
            ),
            ("b.p = nondet_int() ? &x : input(); FILL assert(b.p);", 'u'),
            (
                "a.p = &x; b.p = input(); if (nondet_int()) b = a; FILL b.n = 1; assert(!b.p && b.n == 1);",
                's',
            ),
        ] {
            let body = body.replace("FILL", fill);
            assert_eq!(verdict(head, &body), right, "{body}");
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
