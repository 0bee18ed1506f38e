//! Addresses, and pointers that are put together from numbers or bytes.

use super::{all_hold, judge};
use crate::tests::{looped, unwound, verdicts};
use craig_c_lang::types::DataModel;

#[test]
fn addresses_under_masks_of_all_bits_or_none_are_followed() {
    let text = "unsigned long nondet_ulong(void); unsigned char b[4]; \
                int main(void) { unsigned long n = nondet_ulong(), mask = n < 4 ? ~0ul : MASK; \
                unsigned char *p = (unsigned char *) ((unsigned long) b & mask); \
                if (p) p[n & 3] = 1; assert(CLAIM); return 0; }";
    let with = |mask: &str, claim: &str| {
        crate::tests::unrolled_with(&text.replace("MASK", mask).replace("CLAIM", claim), |_| {})
    };
    assert_eq!(with("0", "n < 4 || !p && b[n & 3] == 0"), Ok('s'));
    assert_eq!(with("0", "b[2] == 0"), Ok('u'));
    // What other masks leave depends on where the object is.
    assert_eq!(with("255", "n < 4 || (unsigned long) p < 256"), Ok('?'));
}

#[test]
fn addresses_may_be_given_out_again() {
    let declarations = "void *malloc(unsigned long); void free(void *); void *realloc(void *, unsigned long);
        int *local(void) { int x = 1; int *p = &x; return p; } int *other(void) { int y = 2; int *p = &y; \
        return p; }";
    for (body, right) in [
        (
            "char *p = malloc(8); free(p); char *q = malloc(8); assert(p != q); free(q);",
            '?',
        ),
        (
            "char *p = malloc(8), *q = malloc(8); assert(p != q); free(p); free(q);",
            's',
        ),
        (
            "long p = (long)malloc(8), q; free((void *)p); q = (long)malloc(8); assert(q - p != 0); \
             free((void *)q);",
            '?',
        ),
        (
            "char *p = malloc(8), *q = realloc(p, 9); assert(p != q);",
            '?',
        ),
        (
            "char *p = malloc(8), *q = malloc(8); free(q); assert(p && q);",
            's',
        ),
        ("assert(local() != other());", '?'),
        (
            "char *p = malloc(2), *q; q = p + 1; free(p); p = malloc(1); assert(p != 0); free(p);",
            's',
        ),
        (
            "int k = nondet_int(); if (k < 1 || k > 3) return 0; char *l[3];
             for (int i = 0; i < k; i++) { l[i] = malloc(8); if (!l[i]) return 0; }
             for (int i = 0; i < k; i++) free(l[i]);
             for (int i = 0; i < k; i++) { char *q = malloc(8); if (!q) return 0; assert(q != l[i]); }",
            '?',
        ),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

/// Nodes are freed only after the last one was made, whatever the number of iterations. With each further bound on these,
/// nodes are made that an execution with a smaller bound did not have.
#[test]
fn objects_freed_with_fewer_iterations_end_before_none_of_the_others() {
    let head =
        "void *malloc(unsigned long); void free(void *); struct n { int v; struct n *p, *x; };";
    let make = "struct n h = { 0, &h, &h }; int k = nondet_int(), d = nondet_int(); if (k < 1 || k > 3) return 0;
        for (int i = 0; i < k; i++) {
            struct n *e = malloc(sizeof *e); if (!e) return 0;
            e->v = i; e->p = h.p; e->x = &h; h.p->x = e; h.p = e;
        }";
    for (claim, right) in [("e->v != d && e->x->p == e", 's'), ("e->v != 2", 'u')] {
        let text = format!(
            "{head} int main(void) {{ {make}
            for (struct n *e = h.x, *y; e != &h; e = y) {{
                y = e->x;
                if (e->v == d) {{ e->p->x = y; y->p = e->p; free(e); }}
            }}
            for (struct n *e = h.p; e != &h; e = e->p) assert({claim});
            return 0; }}"
        );
        assert_eq!(unwound(&text), right, "{text}");
    }
}

#[test]
fn pointers_put_together_from_pieces_are_not_lost() {
    let declarations = "void *memcpy(void *, const void *, unsigned long); int g, h, k[4]; unsigned char large[4000];";
    let start = "int *p = nondet_int() ? &g : &h; unsigned char b[8]; memcpy(b, &p, 8); unsigned long n = 0; int i;";
    let many = "int *t[6] = { &g, &h, k, (int *)large, &g, &h }; p = t[nondet_int() & 1];";
    let turn = "int m = nondet_int(); for (i = 0; i != m; i++) { unsigned char t = b[0]; for (int k = 0; k < 7; k++) b[k] = b[k + 1]; b[7] = t; }
        if (m & 7) return 0;";
    for body in [
        "for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) n += (unsigned long)b[i] << 8 * i; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) n = n * 256 + b[7 - i]; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) b[i] = (unsigned long)p >> 8 * i & 255; for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i;
            *(int *)n = 5;".to_string(),
        "for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n += 1ul << i; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i; int *q = nondet_int() ? (int *)n : k + 1; *q = 5;".to_string(),
        format!("{many} for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n ^= 1ul << i; *(int *)n = 5;"),
        format!("{many} for (i = 0; i < 64; i++) n += ((unsigned long)p >> i & 1) << i; *(int *)n = 5;"),
        format!("{many} for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n |= 1ul << i; *(int *)n = 5;"),
        "for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n |= 1ul << i; *(int *)n = 5;".to_string(),
        "n = -1ul; for (i = 0; i < 64; i++) if (!((unsigned long)p >> i & 1)) n &= ~(1ul << i); *(int *)n = 5;".to_string(),
        format!("{turn} for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i; *(int *)n = 5;"),
        "unsigned j = nondet_int(); if (j > 3000) return 0; for (i = 0; i < 8; i++) large[j + i] = b[i];
            int *q; unsigned char *t = (unsigned char *)&q; for (i = 0; i < 8; i++) t[i] = large[j + i]; *q = 5;".to_string(),
    ] {
        let text = format!("{declarations} int main(void) {{ {start} {body} assert(g == 0 && h == 0); return 0; }}");
        let found = verdicts(&text, |_| {});
        assert!(!found.contains(&'s'), "{found:?}: {text}");
    }
}

#[test]
fn indices_that_are_masked_are_followed() {
    all_hold(
        "double f[2][2] = { { 1, 2 }, { 3, 4 } }; struct s { int a; long b[4]; } r[4] = { [3] = { 5, { 6, 7, 8, 9 } } };",
        "signed char c = nondet_int(); double d = 1.0 - c; float e = c * 0.5f; int at = (int)d & 1;",
        &[
            "f[1][(int)d & 1] >= 3 && f[1][at] <= 4",
            "f[(d > 0 ? (int)d : 0) & 1][1] != 3",
            "r[3].b[(int)e & 3] >= 6",
            "*(long *)((char *)&r[3].b + (((unsigned)e & 3) << 3)) <= 9",
        ],
    );
}

/// A pointer in memory that was never written has no target, whatever the elements of the memory are.
#[test]
fn uninitialised_pointers_in_allocated_memory_have_no_targets() {
    for element in ["char", "short", "void", "struct s"] {
        let text = format!(
            "void *malloc(unsigned); struct s {{ int a; int *p; }}; int g;
            int main(void) {{ {element} *m = malloc(sizeof(struct s)); struct s *q = (void *)m; *q->p = 5; assert(g == 1); return 0; }}"
        );
        let found = verdicts(&text, |options| options.model = DataModel::Ilp32);
        assert_eq!(found[0], 'u', "{element}");
        assert_eq!(found[1], 'u', "{element}");
    }
}

/// Free bytes that are compared with those of an address may be an address; so may an input, also one that is
/// compared after the program has written through it.
#[test]
fn free_values_that_are_compared_with_addresses_are_not_lost() {
    let head = "int g; int *p = &g; unsigned char nondet_uchar(void); long nondet_long(void);";
    for body in [
        "unsigned char b[8]; for (int i = 0; i < 8; i++) { b[i] = nondet_uchar(); if (b[i] != ((unsigned char *)&p)[i]) return 0; }
            int **q = (int **)b; **q = 5;",
        "int *q = (int *)nondet_long(); *q = 5; if (q != &g) return 0;",
        "int *q = (int *)nondet_long(); for (long i = nondet_long(); i > 0; i--) *q = 5; if (q != &g) return 0;",
        "int *q = (int *)nondet_long(); if (q != &g) return 0; *q = 5;",
    ] {
        let text = format!("{head} int main(void) {{ {body} assert(g == 0); return 0; }}");
        let found = verdicts(&text, |_| {});
        assert!(!found.contains(&'s'), "{found:?}: {text}");
    }
}

/// C promises of an address only that it is aligned as its type and its declaration say.
#[test]
fn bits_of_addresses_are_taken_as_far_as_they_are_promised() {
    let program = |claim: &str| {
        format!(
            "struct s {{ long a; char b; }}; int x, y; int nondet_int(void); void *malloc(unsigned long);
             int main(void) {{ struct s s, *p = &s; _Alignas(32) char t[3]; char *c = malloc(8), *d = &s.b; \
             unsigned long n = (unsigned long)p, m = (unsigned long)&x; assert({claim}); return 0; }}"
        )
    };
    for claim in [
        "(n & 7) == 0 && n % 8 == 0 && (m & 3) == 0 && ((unsigned long)(p + 1) & 7) == 0",
        "((struct s *)(n | 1) != p) && (struct s *)((n | 1) - 1) == p && (struct s *)(n & ~7ul) == p",
        "n == (unsigned long)&s && n + 8 - n == 8 && (unsigned long)d - n == 8 && (n ^ n) == 0",
        "n < (unsigned long)-4095 && n > 4095 && n >> 47 == 0",
        "((int *)m)[0] == 0 && *(int *)(n - n + m) == 0",
        "((n + 4) & 7) == 4 && ((n + 2) & 7) == 2 && ((m + 2) & 3) == 2",
        "((unsigned long)c & 15) == 0 && ((unsigned long)t & 31) == 0 && (unsigned long)(t + 1) % 32 == 1",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    for claim in [
        "(n & 15) == 0",
        "((unsigned long)c & 63) == 0",
        "((unsigned long)t & 63) == 0",
        "(m & 7) == 0",
        "n % 3 == 1",
        "n >> 4 != 5",
        "(unsigned)m * 2654435761u >> 28 == 0",
        "m * 31 != 5",
        "(n & (nondet_int() | 255)) != 255",
        "(n & (nondet_int() & 255)) == 0",
    ] {
        let text = program(claim);
        assert_eq!(unwound(&text), '?', "{claim}");
    }
    // The object is aligned, so that its member at 8 is as well. All bits of an address, or none of them.
    assert_eq!(unwound(&program("((unsigned long)d & ~7ul) == n")), 'u');
    assert_eq!(unwound(&program("(n & nondet_int()) == 0")), 'u');
}

/// The place of an object is open wherever the number of its address came from, and so are the bytes of a pointer; copies of
/// them are not.
#[test]
fn places_of_objects_are_open_behind_memory_and_calls() {
    let head =
        "void *memcpy(void *, const void *, unsigned long); typedef unsigned long word; word g;
        struct s { word u; } s; union u { int *p; word n; unsigned char b[8]; } u;
        word low(word n) { return n & 63; } void set(void *p) { g = (word)p; }";
    for (body, right) in [
        ("char c[3]; assert(low((word)c) == 0);", '?'),
        (
            "char c; struct s t; s.u = (word)&c; t = s; assert(t.u % 16 == 0);",
            '?',
        ),
        ("char c; set(&c); assert(g >> 40 != 0);", '?'),
        (
            "char c, *p = &c; word n; memcpy(&n, &p, 8); assert((n & 7) == 0);",
            '?',
        ),
        ("int x; u.p = &x; assert((u.n >> 2 & 1) == 0);", '?'),
        ("int x; u.p = &x; assert(u.b[1] == 0);", '?'),
        // Not all bytes of an address are 0, and those of null are.
        (
            "int x, z = 1; u.p = &x; for (int i = 0; i < 8; i++) if (u.b[i]) z = 0; assert(!z);",
            's',
        ),
        (
            "int x, z = 1; u.p = nondet_int() ? &x + 1 : 0; for (int i = 0; i < 8; i++) z &= u.b[i] == 0; assert(z == (u.p == 0));",
            's',
        ),
        (
            "int x, z = 1; u.p = nondet_int() ? &x : 0; for (int i = 0; i < 8; i++) z &= u.b[i] == 0; assert(!z);",
            'u',
        ),
        (
            "int x; u.p = &x; assert(u.b[0] % 4 == 0 && u.b[7] == 0);",
            's',
        ),
        (
            "int x, y; int *p = &x, *q = &y; assert(*(char *)&p == *(char *)&q || 1);",
            's',
        ),
        (
            "int x, *p = &x; unsigned char *b = (unsigned char *)&p; assert(b[7] || b[5]);",
            '?',
        ),
        (
            "int x, *p = &x; unsigned char b[8]; memcpy(b, &p, 8); int n = 0; for (int i = 0; i < 8; i++) n = n * 31 + b[i]; \
             assert(n % 7 != 3);",
            '?',
        ),
        ("int x, y; assert((word)&x - (word)&y != 4);", '?'),
        ("int x, y; g = (word)&x; assert(g < (word)&y);", '?'),
        (
            "int x[4]; g = (word)x; assert(g < (word)&x[1] && g <= (word)x);",
            's',
        ),
        (
            "int x = 4, y, *p = &x, *q = &y; for (int i = 0; i < 8; i++) ((char *)&q)[i] = ((char *)&p)[i]; *q = 5; \
             assert(x == 5);",
            's',
        ),
        (
            "int x = 4, y = 3, *p = &x, *q = &y; char *a = (char *)&p, *b = (char *)&q; for (int i = 0; i < 8; i++) { char t = \
             a[i]; a[i] = b[i]; b[i] = t; } assert(*p == 3 && *q == 4);",
            's',
        ),
        ("int x; set(&x); assert(g % 4 == 0 && (int *)g == &x);", 's'),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

/// What two addresses are together is open, bit by bit and as a sum; so is their order, that of a number that an address may
/// have and an address among them.
#[test]
fn numbers_of_two_addresses_are_open() {
    let head = "typedef unsigned long word; word g, h; int nondet_int(void); int popcount(word n) { return __builtin_popcountl(n); }
        word mix(word a, word b) { return a ^ b; }";
    for (body, right) in [
        ("int a, b; assert(((word)&a ^ (word)&b) != 32);", '?'),
        ("int a, b; assert(((word)&a | (word)&b) >> 40 != 5);", '?'),
        ("int a, b; assert(((word)&a & (word)&b) != 32);", '?'),
        ("int a, b; assert((word)&a + (word)&b != 32);", '?'),
        ("int a, b; assert(mix((word)&a, (word)&b) != 32);", '?'),
        ("int a; assert((word)&a * 3 != 32);", '?'),
        ("int a; assert(-(word)&a != 32);", '?'),
        ("int a; g = 7; assert(g - (word)&a != 32);", '?'),
        ("int a; assert(100 - (word)&a != 32);", '?'),
        ("int a[2]; assert(((word)&a[0] ^ (word)&a[1]) == 4);", '?'),
        (
            "long a; char *p = (char *)&a; assert(((word)p ^ (word)(p + 5)) == 5);",
            's',
        ),
        (
            "int a; g = (word)&a; assert((g ^ (word)&a) == 0 && (g | (word)&a) == g && (g & (word)&a) == g);",
            's',
        ),
        ("int a; assert((double)(word)&a != 32);", '?'),
        ("int a; assert((unsigned __int128)(word)&a * 5 != 32);", '?'),
        ("int a; assert(popcount((word)&a) != 2);", '?'),
        ("int a, b; int *p = &a, *q = &b; assert(p < q);", '?'),
        ("int a, b; int *p = &a, *q = &b; assert(p > q);", '?'),
        ("int a, b; int *p = &a, *q = &b; assert(p < q && 0);", '?'),
        ("static int a; static int b; assert(&a < &b);", '?'),
        (
            "int a, b, n = nondet_int(); int *p = n ? &a : &b; assert(p <= &a);",
            '?',
        ),
        ("int a; assert((word)&a > 100000);", '?'),
        ("assert((word)mix < (word)popcount);", '?'),
        (
            "int a; assert((word)&a >> 47 == 0 && (word)&a < 1ul << 47);",
            's',
        ),
        ("assert(((word)mix & 1) == 0);", '?'),
        ("assert(mix != (void *)popcount && (word)mix != 0);", 's'),
        (
            "int a; assert((word)&a > 4000 && (word)&a < (word)-4000);",
            's',
        ),
        (
            "int a[4], n = nondet_int(); if (n < 0 || n > 4) return 0; int *p = a + n; assert(a <= p && p <= a + 4 && p - a == n);",
            's',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

/// On i386, too, where every `int` may be the number of an address.
#[test]
fn numbers_of_addresses_are_open_on_i386() {
    let head =
        "typedef unsigned word; word g; struct s { word u; } s; word low(word n) { return n & 63; }
        void set(void *p) { g = (word)p; }";
    for (body, right) in [
        ("char c[3]; assert(low((word)c) == 0);", '?'),
        ("char c; set(&c); assert(g >> 14 != 0);", '?'),
        (
            "int c; s.u = (word)&c; assert(s.u * 2654435761u >> 28 != 3);",
            '?',
        ),
        (
            "int c; unsigned long long n = (word)&c; assert(n * 31 != 62);",
            '?',
        ),
        (
            "int c; s.u = (word)&c; assert((unsigned short)s.u != 4);",
            '?',
        ),
        ("int c; set(&c); assert(g % 4 == 0);", 's'),
        (
            "word n = 1000000; for (int i = 0; i < 3; i++) n = n * 3 + (n & 255); assert(n % 2 == 1 || n > 5);",
            's',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        let found = verdicts(&text, |options| options.model = DataModel::Ilp32);
        judge(&text, found, right);
    }
}

/// Each byte of a pointer is open, wherever a loop has put it; all of them together are the pointer.
#[test]
fn bytes_of_pointers_are_open_wherever_they_were_copied() {
    let head = "int nondet_int(void); unsigned char b[8], one; int x = 4, y = 3;";
    for (body, right) in [
        (
            "int *p = &x; for (int i = 0; i < 8; i++) b[i] = ((unsigned char *)&p)[i]; assert(b[1] == 0);",
            '?',
        ),
        (
            "int *p = &x; for (int i = 0; i < 4; i++) b[i] = ((unsigned char *)&p)[i]; assert(b[1] == 0);",
            '?',
        ),
        (
            "int *p = &x; one = *(unsigned char *)&p; assert((one & 64) == 0);",
            '?',
        ),
        (
            "int *p = nondet_int() ? &x : &y; for (int i = 0; i < 8; i++) b[i] = ((unsigned char *)&p)[i]; assert(b[2] == 0);",
            '?',
        ),
        (
            "int *p = &x, *q; for (int i = 0; i < 8; i++) b[i] = ((unsigned char *)&p)[i]; \
             for (int i = 0; i < 8; i++) ((unsigned char *)&q)[i] = b[i]; *q = 5; assert(x == 5);",
            's',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

/// Of an address whose bytes were all overwritten, one by one, nothing is left, whatever pointers it was chosen from.
#[test]
fn addresses_that_are_overwritten_byte_by_byte_are_gone() {
    let head = "int nondet_int(void); unsigned long nondet_ulong(void); unsigned char a[8], b[8];";
    let put = "unsigned long v = VALUE; for (int i = 0; i < 8; i++) ((unsigned char *)&p)[i] = v >> 8 * i;";
    for pointer in [
        "nondet_int() ? (nondet_int() ? a : 0) : (nondet_int() ? b : 0)",
        "a + (nondet_int() & 7)",
    ] {
        for value in ["0", "0x7fff12345678ul", "~0ul", "nondet_ulong()"] {
            let put = put.replace("VALUE", value);
            for (claim, right) in [("== v", 's'), ("!= v", 'u')] {
                let text = format!(
                    "{head} int main(void) {{ unsigned char *p = {pointer}; {put} \
                     assert((unsigned long)p {claim}); return 0; }}"
                );
                judge(&text, verdicts(&text, |_| {}), right);
            }
        }
    }
}

/// C23 7.24.3.1: the address of what `aligned_alloc` gives is a multiple of the alignment; nothing is known of the bits above.
#[test]
fn allocated_memory_is_aligned_as_it_is_asked_for() {
    let head = "void *aligned_alloc(unsigned long, unsigned long); int posix_memalign(void **, unsigned long, unsigned long);
        void *memalign(unsigned long, unsigned long); unsigned long nondet_ulong(void); int nondet_int(void);";
    for (body, right) in [
        (
            "char *p = aligned_alloc(64, 128); assert(((unsigned long)p & 63) == 0);",
            's',
        ),
        (
            "char *p = aligned_alloc(64, 128); assert(((unsigned long)(p + 70) & 63) == 6);",
            's',
        ),
        (
            "char *p = aligned_alloc(64, 128); assert(((unsigned long)p & 127) == 0);",
            '?',
        ),
        (
            "char *p = aligned_alloc(64, 128); if (!p) return 0; p[127] = 1; assert(p[127] == 2);",
            'u',
        ),
        (
            "char *p = aligned_alloc(nondet_int() ? 32 : 64, 128); assert(((unsigned long)p & 31) == 0);",
            's',
        ),
        (
            "void *p; if (posix_memalign(&p, 256, 10)) return 0; assert((unsigned long)p % 256 == 0);",
            's',
        ),
        (
            "void *p = memalign(100, 10); assert((unsigned long)p % 128 == 0);",
            's',
        ),
        (
            "void *p = aligned_alloc(8192, 8192); assert((unsigned long)p % 4096 == 0);",
            's',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

/// Where programs are cut at loops, the cells that a misplaced address covers hold any value, and so do parts of an address that are
/// read: what does not depend on them is proved, and errors that do are found, or at least not proved away.
#[test]
fn addresses_over_several_cells_do_not_stop_the_loop() {
    let head = "unsigned nondet_uint(void); int g, h; struct { int *f[2]; int x, y; } d;
        union { int *p; struct { int low, high; } half; } u;";
    for (body, right) in [
        (
            "d.x = 1; while (nondet_uint()) { unsigned i = nondet_uint(); if (i > 2) return 0; d.f[i] = &g;
                if (i == 2) d.x = 1; } assert(d.x == 1);",
            's',
        ),
        (
            "d.x = 1; while (nondet_uint()) { unsigned i = nondet_uint(); if (i > 2) return 0; d.f[i] = &g; }
             assert(d.x == 1);",
            'u',
        ),
        (
            "while (nondet_uint()) { d.f[2] = &h; unsigned i = nondet_uint(); if (i > 1) return 0; d.f[i] = &g;
                assert(d.f[i] == &g); }",
            's',
        ),
        (
            "while (nondet_uint()) { unsigned i = nondet_uint(); if (i > 2) return 0; d.f[i] = &g; }
             assert(*(int **)&d.x != &g);",
            'u',
        ),
        (
            "unsigned n = 0, odd = 0; while (n < 1000) { u.p = n & 1 ? &h : &g; if (u.half.low & 64) odd++; n++;
                assert(odd <= n); }",
            's',
        ),
        (
            "unsigned n = 0; while (nondet_uint()) { u.p = n & 1 ? &h : &g; n = u.half.low & 4095; assert(n != 64); }",
            '?',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        assert_eq!(looped(&text), right, "{text}");
    }
}
