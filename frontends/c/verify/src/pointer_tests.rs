//! Pointers that are no addresses of the program's objects, and indices that look like parts of addresses.

use crate::tests::{unrolled_with, unwound, verdicts};
use craig_c_lang::lower::UnknownCalls;

const HEAD: &str = "
    struct entry { int type; int data[4]; };
    extern struct entry *list(void); extern unsigned long nondet_ulong(void);
    extern void assert(int); extern void assume(int);
    struct entry a[4]; int x;
    static unsigned long parts(void *p) {
        unsigned long all = (unsigned long) p, sum = 0;
        for (int i = 0; i < 8; i++) sum |= (all >> (8 * i) & 255) * 3 / 3 << (8 * i);
        return sum;
    }
";

/// The results of unrolling and of the single loop, if functions without body change nothing.
fn pure(text: &str) -> [char; 2] {
    let text = format!("{HEAD}int main(void) {{ {text} return 0; }}");
    let [unwound, looped, _] =
        verdicts(&text, |options| options.unknown_calls = UnknownCalls::Pure);
    [unwound, looped]
}

/// A pointer of the environment plus an index is one as well: what is read is any value, what is written is lost.
#[test]
fn indices_keep_pointers_without_targets() {
    let scan = "struct entry *p = list(); unsigned long i = 0, n = nondet_ulong() & 3; int found = 0;
        while (i < n) { struct entry *q = &p[i]; if (q->type == 7 && q->data[1] == 2) found = 1; q->data[i] = 1; i++; }";
    assert_eq!(
        pure(&format!("{scan} assert(x == 0 && found < 2);")),
        ['s'; 2]
    );
    assert_eq!(pure(&format!("{scan} assert(!found);")), ['u'; 2]);
    let twice = "struct entry *p = list(); unsigned long i = nondet_ulong(), k = nondet_ulong();
        struct entry *q = p + 3 * i; q = q + (k ? 5 * k : 7); q->type = 1;";
    assert_eq!(pure(&format!("{twice} assert(a[1].type == 0);")), ['s'; 2]);
}

/// Whatever is known of an index, a pointer plus it leads into the object of the pointer (C11 6.5.6p8).
#[test]
fn indices_that_may_be_addresses_keep_the_object() {
    let text = |claim: &str| {
        format!(
            "char *p = nondet_ulong() ? (char *) a : (char *) (a + 1); unsigned long i = nondet_ulong();
             if (i == (unsigned long) &x || i > (unsigned long) pure) return 0;
             if (i < 60) p[i] = 5;
             if (i < 60) p[i + 1 > 60 ? i : i + 1] = 5;
             assert({claim});"
        )
    };
    let head = format!("{HEAD}void pure(void) {{}} int main(void) {{");
    let both = |claim: &str| {
        let text = format!("{head} {} return 0; }}", text(claim));
        let [unwound, looped, _] = verdicts(&text, |_| {});
        [unwound, looped]
    };
    assert_eq!(both("x == 0 && (a[0].type & 0xfafafafa) == 0"), ['s'; 2]);
    assert!(both("a[3].type == 0").contains(&'u'));
    assert!(!both("a[3].type == 0").contains(&'s'));
}

/// A pointer in a union with bytes is followed, also where it is stored at one of several places.
#[test]
fn pointers_in_unions_are_followed() {
    let text = |claim: &str| {
        format!(
            "union block {{ union block *next; char data[16]; }}; union block m[3], *first; unsigned nondet_uint(void);
             int main(void) {{ m[0].next = m + 1; m[1].next = m + 2; first = m; unsigned i = nondet_uint() % 3, k = nondet_uint() % 3;
             m[i].next = first; first = m + i; union block *b = first->next; if (k != i) m[k].data[8] = 5;
             b->data[9] = 7; assert({claim}); return 0; }}"
        )
    };
    let both = |claim: &str| {
        let [unwound, looped, _] = verdicts(&text(claim), |_| {});
        [unwound, looped]
    };
    assert_eq!(
        both("b == m && m[0].data[9] == 7 && m[1].data[9] == 0"),
        ['s'; 2]
    );
    assert_eq!(both("m[2].data[8] == 0"), ['u'; 2]);
    // Bytes of the pointer are not those of another object's address.
    let written = text("1").replace("m[k].data[8] = 5", "m[k].data[1] ^= 1; b = m[k].next");
    let [unwound, looped, _] = verdicts(
        &written.replace("assert(1)", "assert(m[0].data[9] == 7)"),
        |_| {},
    );
    assert_ne!([unwound, looped], ['s'; 2]);
}

/// The least number of a signed type is no address.
#[test]
fn large_constants_are_no_functions() {
    let text = |claim: &str| {
        format!(
            "unsigned long i = nondet_ulong(); int *q = nondet_ulong() ? &x : a[1].data;
             if (i == 0x8000000000000000ul || i > 3) return 0;
             *(int *) ((unsigned long) q + i * 4) = 7; assert({claim});"
        )
    };
    assert_eq!(pure(&text("x == 0 || x == 7")), ['s'; 2]);
    assert!(pure(&text("a[1].data[3] == 0")).contains(&'u'));
}

/// If the program compares the pointer with an address, before or after it is moved, it may lead there.
#[test]
fn compared_pointers_may_lead_to_objects() {
    for text in [
        "struct entry *p = list(); unsigned long i = nondet_ulong(); struct entry *q = p + 3 * i;
         if (p == a) q->type = 5;
         assert(a[3].type == 0);",
        "struct entry *p = list(); unsigned long i = nondet_ulong(); struct entry *q = p + 3 * i;
         if (i == 1 && q == a + 3) p->type = 5;
         assert(a[0].type == 0);",
        "struct entry *p = list(); unsigned long i = nondet_ulong();
         if (p != a) return 0;
         p[3 * i].type = 5;
         assert(a[3].type == 0);",
        "struct entry *p = list(); unsigned long i = nondet_ulong(); struct entry *q = p + 3 * i;
         q->type = 5;
         if (q == a + 3) assert(a[3].type == 0);",
    ] {
        let found = pure(text);
        assert!(!found.contains(&'s'), "{found:?} {text}");
    }
}

/// A sum of integers may be an address, also if one of them is a free value, and even if the same sum is formed from
/// a pointer elsewhere.
#[test]
fn sums_of_integers_may_be_addresses() {
    for text in [
        "unsigned long n = nondet_ulong(), m = parts(&x);
         if (n == 0) *(int *) (n + m) = 5;
         assert(x == 0);",
        "unsigned long n = nondet_ulong(), m = parts(&x); int *p = (int *) ((char *) n + m), *q = (int *) (n + m);
         if (n == 0) *q = 5;
         assert(x == 0);",
        "unsigned long n = nondet_ulong(), m = parts(&x); int *q = (int *) (n + m), *p = (int *) ((char *) n + m);
         if (n == 0) *p = 5;
         assert(x == 0);",
    ] {
        let found = pure(text);
        assert!(!found.contains(&'s'), "{found:?} {text}");
    }
}

/// A pointer that a function without body returns may lead anywhere by default, with and without an index.
#[test]
fn returned_pointers_are_not_followed_by_default() {
    let text = format!(
        "{HEAD}int main(void) {{ unsigned long i = nondet_ulong(); list()[3 * i].type = 5; assert(x == 0); return 0; }}"
    );
    let [unwound, looped, _] = verdicts(&text, |_| {});
    assert_eq!([unwound, looped], ['?'; 2]);
}

/// The constant that is added to an address in front of an object, or far from it, and what is left of the address is
/// one of the object's addresses: a store through it is not lost.
#[test]
fn sums_with_constants_keep_their_objects() {
    for text in [
        "if (n != 1) return 0; s[n - 1] = 1;",
        "if (n != 1) return 0; b[n - 1] = 1;",
        "if (n != 1) return 0; int *p = s + n; p[-1] = 1;",
        "if (n != 1) return 0; int *p = s + n; p--; *p = 1;",
        "if (n != 1) return 0; int *p = s - 1; p[n] = 1;",
        "int *p = n == 1 ? s + n : t + 2; p--; *p = 1;",
        "int *p = n == 1 ? s : t; p += n; p -= 1; *p = 1;",
        "if (n != 1) return 0; *(char *)((unsigned long)b + n - 1) = 1;",
        "if (n != 4) return 0; char *p = b + n; while (p > b) { p--; *p = 1; }",
        "if (n != 1000000000) return 0; b[n - 1000000000] = 1;",
        "if (n != -1000000000) return 0; b[n + 1000000000] = 1;",
    ] {
        let objects = "int s[4], t[4]; char b[4]; s[0] = t[0] = b[0] = 0; long n = nondet_ulong();";
        let found = pure(&format!("{objects} {text} assert(s[0] == 0 && b[0] == 0);"));
        assert_eq!(found, ['u'; 2], "{text}");
    }
}

#[test]
fn search_trees_are_followed() {
    // The nodes have an address of many choices each, between which the paths through the tree decide.
    let program = |claim: &str| {
        format!(
            "void *malloc(unsigned long); void exit(int); unsigned char nondet_uchar(void);\n\
             struct node {{ unsigned char key; struct node *left, *right; }};\n\
             static struct node *insert(struct node *node, unsigned char key) {{\n\
             if (!node) {{ node = malloc(sizeof *node); if (!node) exit(1);\n\
             node->key = key; node->left = 0; node->right = 0; return node; }}\n\
             if (key < node->key) node->left = insert(node->left, key);\n\
             else if (key > node->key) node->right = insert(node->right, key);\n\
             return node; }}\n\
             static int find(struct node *node, unsigned char key) {{ while (node) {{\n\
             if (key == node->key) return 1; node = key < node->key ? node->left : node->right; }}\n\
             return 0; }}\n\
             int main(void) {{ struct node *root = 0; unsigned char keys[3];\n\
             for (int i = 0; i < 3; i++) {{ keys[i] = nondet_uchar(); root = insert(root, keys[i]); }}\n\
             unsigned char key = nondet_uchar();\n\
             int is_in = key == keys[0] || key == keys[1] || key == keys[2];\n\
             assert({claim}); return 0; }}\n"
        )
    };
    assert_eq!(unwound(&program("find(root, key) == is_in")), 's');
    assert_eq!(
        unwound(&program(
            "!find(root, key) || key == keys[0] || key == keys[1]"
        )),
        'u'
    );
}

/// An object that a path does not make has any size there: what is read elsewhere is not in it. Nor does what is stored at
/// other members of elements make a number an address.
#[test]
fn reads_are_of_the_objects_that_the_path_has() {
    let head = "typedef unsigned long size_t; void *malloc(size_t); size_t nondet_ulong(void);";
    for (body, right) in [
        (
            "size_t n = nondet_ulong(), i = nondet_ulong(); if (n > 1000 || i >= n) return 0; unsigned char *p = malloc(n); if (!p) return 0;
             unsigned char b = p[i], *d = p; int r = 0; if (nondet_ulong()) r = 1;
             else { size_t m = nondet_ulong(); if (m < 5 || m > 1000) return 0; d = malloc(m); if (!d) return 0; } if (r) assert(d[i] == b);",
            's',
        ),
        (
            "size_t n = nondet_ulong(), x; if (n < 1 || n > 4) return 0; struct { void *base; size_t length; } *v = malloc(n * 16);
             if (!v) return 0; for (int i = 0; i < 2 && i < n; i++) { if (v[i].length > 1000) return 0; v[i].base = &x; }
             assert(v[0].length <= 1000);",
            's',
        ),
        (
            "size_t n = nondet_ulong(), x; if (n < 1 || n > 4) return 0; struct { void *base; size_t length; } *v = malloc(n * 16);
             if (!v) return 0; for (int i = 0; i < 2 && i < n; i++) { if (v[i].length > 1000) return 0; v[i].base = &x; }
             assert(v[0].length <= 999);",
            'u',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        let found = unrolled_with(&text, |options| options.malloc_may_fail = true);
        assert_eq!(found, Ok(right), "{body}");
    }
}

/// A pointer at the start of an object whose length is open is read past a store to the bytes behind it, as the path says where
/// that store may be.
#[test]
fn bounds_of_an_index_keep_stores_apart_from_a_pointer() {
    let text = |most: &str, claim: &str| {
        format!(
            "extern void *malloc(unsigned long); extern void assert(int); extern unsigned long nondet_ulong(void);
             struct s {{ int *p; unsigned long n; char bytes[]; }}; int x;
             int main(void) {{ unsigned long n = nondet_ulong(); if (n >= {most}) return 0;
                struct s *q = malloc(sizeof *q + n + 1); if (!q) return 0;
                q->p = &x; q->n = n; q->bytes[n] = 0; *q->p = 3; assert({claim}); return 0; }}"
        )
    };
    let with = |most: &str, claim: &str| unrolled_with(&text(most, claim), |_| {});
    assert_eq!(with("100000ul", "x == 3 && q->n == n"), Ok('s'));
    assert_eq!(with("100000ul", "x == 4"), Ok('u'));
    // The sum wraps around: the store may be anywhere.
    assert_ne!(with("-8ul", "x == 3"), Ok('s'));
}
