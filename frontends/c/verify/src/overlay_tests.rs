//! Objects with overlays, compared with the representation by cells and with the native compiler.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::native_tests::printed;
use crate::tests::{Random, blankly, lazily, unwound};

/// More positions than any object has: no overlays.
const NEVER: u64 = 1 << 13;

/// The objects of the programs.
const OBJECTS: &str = "struct record { short a; int b; unsigned char c[3]; } records[5];\n\
                       int matrix[3][4];\n\
                       unsigned char raw[16];\n\
                       long longs[4] = {1, -2, 3};\n\
                       int *links[3] = {&matrix[0][1], &matrix[2][3], &matrix[1][0]};\n";

/// Generates C that accesses its objects at unknown indices, with accesses of all sizes.
struct Writer(Random);

impl Writer {
    fn input(&mut self) -> &'static str {
        ["x", "y", "z", "(x + 1)", "(y ^ z)"][self.0.below(5) as usize]
    }

    fn place(&mut self) -> String {
        let (i, j) = (self.input(), self.input());
        match self.0.below(10) {
            0 => format!("records[{i} % 5].a"),
            1 => format!("records[{i} % 5].b"),
            2 => format!("records[{i} % 5].c[{j} % 3]"),
            3 => format!("matrix[{i} % 3][{}]", self.0.below(4)),
            4 => format!("(&matrix[0][0])[{i} % 3 * 4 + ({j} & 3)]"),
            5 => format!("raw[{i} & 15]"),
            6 => format!("longs[{i} & 3]"),
            7 => format!("*links[{i} % 3]"),
            8 => format!("*(unsigned short *)(raw + {i} % 15)"),
            _ => format!("*(int *)((char *)matrix + {i} % 45)"),
        }
    }

    fn known_place(&mut self) -> String {
        match self.0.below(5) {
            0 => format!("records[{}].b", self.0.below(5)),
            1 => format!("matrix[{}][{}]", self.0.below(3), self.0.below(4)),
            2 => format!("raw[{}]", self.0.below(16)),
            3 => format!("*(int *)(raw + {})", self.0.below(12)),
            _ => format!("longs[{}]", self.0.below(4)),
        }
    }

    fn any_place(&mut self) -> String {
        if self.0.below(3) == 0 {
            self.known_place()
        } else {
            self.place()
        }
    }

    fn value(&mut self) -> String {
        match self.0.below(4) {
            0 => format!("{}", self.0.below(1000)),
            1 => self.input().into(),
            2 => {
                let (a, b) = (self.any_place(), self.any_place());
                format!("{a} + 3 * {b}")
            }
            _ => self.any_place(),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        match self.0.below(if depth == 0 { 6 } else { 9 }) {
            0..=3 => {
                let (to, value) = (self.any_place(), self.value());
                format!("{to} = {value};\n")
            }
            4 => {
                let (i, j) = (self.input(), self.input());
                format!("memcpy(raw + {i} % 8, (char *)records + {j} % 40, 5);\n")
            }
            5 => match self.0.below(3) {
                0 => format!(
                    "memset(&matrix[{} % 3], {}, 7);\n",
                    self.input(),
                    self.0.below(256)
                ),
                1 => format!(
                    "records[{} % 5] = records[{} % 5];\n",
                    self.input(),
                    self.input()
                ),
                _ => format!(
                    "links[{} % 3] = &matrix[{} % 3][1];\n",
                    self.input(),
                    self.input()
                ),
            },
            6 => {
                let body = self.statement(depth - 1) + &self.statement(depth - 1);
                format!("for (int i = 0; i < 3; i++) {{ x++;\n{body}}}\n")
            }
            _ => {
                let (a, b) = (self.any_place(), self.value());
                let (then, otherwise) = (self.statement(depth - 1), self.statement(depth - 1));
                let otherwise = match self.0.below(2) {
                    0 => String::new(),
                    _ => otherwise,
                };
                format!("if ({a} < {b}) {{\n{then}}} else {{\n{otherwise}}}\n")
            }
        }
    }
}

/// A body that sets `result`.
fn body(seed: u64) -> String {
    let mut writer = Writer(Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    let mut text = String::new();
    for _ in 0..6 {
        text += &writer.statement(2);
    }
    for _ in 0..4 {
        let place = writer.any_place();
        let _ = writeln!(text, "result = 31 * result + (unsigned char){place};");
    }
    text
}

fn inputs(seed: u64) -> [u64; 3] {
    let mut random = Random(seed * 77 + 5);
    [random.below(100), random.below(100), random.below(100)]
}

/// The results of gcc's code; `None` without a compiler.
fn natively(seeds: &[u64]) -> Option<Vec<u64>> {
    let mut results = Vec::new();
    for &seed in seeds {
        let [x, y, z] = inputs(seed);
        let text = format!(
            "#include <stdio.h>\n#include <string.h>\n{OBJECTS}int main(void) {{ unsigned result = 0;\n\
             unsigned x = {x}, y = {y}, z = {z};\n{}printf(\"%u\\n\", result); return 0; }}\n",
            body(seed)
        );
        let text = printed(&text, &["-w", "-fwrapv", "-fno-strict-aliasing"])?;
        results.push(text.trim().parse().expect("a number"));
    }
    Some(results)
}

/// The program of a seed, with an assertion on its result. Its inputs are free up to their assumption at the
/// end.
fn checked(seed: u64, assertion: &str) -> String {
    let [x, y, z] = inputs(seed);
    format!(
        "unsigned nondet_uint(void);\n{OBJECTS}int main(void) {{ unsigned result = 0;\n\
         unsigned x = nondet_uint(), y = nondet_uint(), z = nondet_uint(), p = x, q = y, r = z;\n{}\
         __VERIFIER_assume(p == {x} && q == {y} && r == {z});\nassert({assertion}); return 0; }}\n",
        body(seed)
    )
}

#[test]
fn lazy_reads_find_what_gcc_s_code_finds() {
    let seeds: Vec<u64> = (1..=8).collect();
    let Some(expected) = natively(&seeds) else {
        eprintln!("there is no C compiler here");
        return;
    };
    for (&seed, result) in seeds.iter().zip(expected) {
        let right = checked(seed, &format!("result == {result}u"));
        let off = checked(seed, &format!("result != {result}u"));
        for above in [0, 4, NEVER] {
            assert_eq!(
                lazily(above, &right),
                's',
                "above {above}, seed {seed}:\n{right}"
            );
            assert_eq!(
                lazily(above, &off),
                'u',
                "above {above}, seed {seed}:\n{off}"
            );
        }
        for text in [&right, &off] {
            let expected = if text == &right { 's' } else { 'u' };
            assert_eq!(blankly(text), expected, "seed {seed}:\n{text}");
            let heap = allocated(text, "calloc");
            assert_eq!(blankly(&heap), expected, "seed {seed}:\n{heap}");
        }
    }
}

/// The program `text` with its objects on the heap, with space for an unknown number of further elements.
fn allocated(text: &str, how: &str) -> String {
    let objects = "void *calloc(unsigned long, unsigned long); void *malloc(unsigned long);\n\
                   struct record { short a; int b; unsigned char c[3]; } *records;\n\
                   int (*matrix)[4]; unsigned char *raw; long *longs; int **links;\n";
    let allocation = |n: u32, element: &str| match how {
        "calloc" => format!("calloc({n} + nondet_uint() % 3, sizeof({element}))"),
        _ => format!("malloc(({n} + nondet_uint() % 3) * sizeof({element}))"),
    };
    let start = format!(
        "int main(void) {{ records = (struct record *){};\nmatrix = (int (*)[4]){};\n\
         raw = (unsigned char *){};\nlongs = (long *){};\nlinks = (int **){};\n\
         longs[0] = 1; longs[1] = -2; longs[2] = 3;\n\
         links[0] = &matrix[0][1]; links[1] = &matrix[2][3]; links[2] = &matrix[1][0];\n",
        allocation(5, "struct record"),
        allocation(3, "int[4]"),
        allocation(16, "unsigned char"),
        allocation(4, "long"),
        allocation(3, "int *"),
    );
    let text = text.replace(OBJECTS, objects);
    assert!(text.contains(objects) && text.contains("int main(void) {"));
    text.replace("int main(void) {", &start)
}

/// With all inputs free, assertions that hold in all runs and in some.
#[test]
fn lazy_and_spelled_out_reads_have_the_same_verdicts() {
    let mut n_of: HashMap<char, u32> = HashMap::new();
    for seed in 100..108 {
        let mut random = Random(seed | 1);
        // Few results have all six bits of the larger mask, and most have one.
        for mask in [63, 1] {
            let text = format!(
                "unsigned nondet_uint(void);\n{OBJECTS}int main(void) {{ unsigned result = 0;\n\
                 unsigned x = nondet_uint() & 7, y = nondet_uint() & 3, z = nondet_uint() & 1;\n{}\
                 assert((result & {mask}) != {}); return 0; }}\n",
                body(seed),
                random.below(mask + 1)
            );
            let expected = lazily(NEVER, &text);
            assert_ne!(expected, '?', "seed {seed}:\n{text}");
            *n_of.entry(expected).or_default() += 1;
            for above in [0, 4] {
                assert_eq!(
                    lazily(above, &text),
                    expected,
                    "above {above}, seed {seed}:\n{text}"
                );
            }
            assert_eq!(blankly(&text), expected, "seed {seed}:\n{text}");
            let heap = allocated(&text, "calloc");
            assert_eq!(blankly(&heap), expected, "seed {seed}:\n{heap}");
            // Uninitialised contents are handled equally in both.
            let heap = allocated(&text, "malloc");
            let expected = lazily(NEVER, &heap);
            assert_ne!(expected, '?', "seed {seed}:\n{heap}");
            assert_eq!(blankly(&heap), expected, "seed {seed}:\n{heap}");
        }
    }
    for verdict in ['s', 'u'] {
        assert!(n_of.get(&verdict).is_some_and(|&n| n >= 3), "{n_of:?}");
    }
}

#[test]
fn lazy_objects_have_their_known_answers() {
    // The answer, declarations, and the body of `main`.
    let cases = [
        // Initial contents: zeros, initialisers, arbitrary but fixed values.
        ('s', "int a[9];", "assert(a[p % 9] == 0);"),
        (
            's',
            "int a[9] = {1, 2, 3};",
            "assert(a[p % 9] <= 3); assert(a[p % 3] == (int)(p % 3) + 1);",
        ),
        ('u', "int a[9] = {1, 2, 3};", "assert(a[p % 9] < 3);"),
        (
            's',
            "",
            "int a[9]; assert(p % 9 != q % 9 || a[p % 9] == a[q % 9]);",
        ),
        ('u', "", "int a[9]; assert(a[p % 9] == a[q % 9]);"),
        (
            'u',
            "",
            "int a[9]; if (a[4] == 5 && p < 9 && p > 3) assert(a[p] != 5);",
        ),
        // The last write determines the value.
        (
            's',
            "int a[9];",
            "a[p % 9] = 3; a[q % 9] = 4; a[2] = 5; assert(a[2] == 5); assert(a[q % 9] >= 4);",
        ),
        (
            'u',
            "int a[9];",
            "a[p % 9] = 3; a[q % 9] = 4; assert(a[p % 9] == 3);",
        ),
        (
            's',
            "int a[9];",
            "a[p % 9] = 3; a[p % 9] = 4; assert(a[p % 9] == 4);",
        ),
        (
            's',
            "int a[9];",
            "a[p % 9]++; a[q % 9]++; assert(a[r % 9] <= 2); assert(a[r % 9] < 2 || p % 9 == q % 9);",
        ),
        (
            'u',
            "int a[9];",
            "a[p % 9]++; a[q % 9]++; assert(a[r % 9] < 2);",
        ),
        // Mergers of paths.
        (
            's',
            "int a[9];",
            "if (q > 5) a[p % 9] = 1; else a[p % 9] = 2; assert(a[p % 9] == (q > 5 ? 1 : 2));",
        ),
        (
            's',
            "int a[9];",
            "if (q > 5) a[p % 9] = 1; if (r > 5) a[3] = 2; assert(q > 5 || r > 5 || a[3] == 0);",
        ),
        (
            'u',
            "int a[9];",
            "if (q > 5) a[p % 9] = 1; if (r > 5) a[3] = 2; assert(a[3] != 1 || r > 5);",
        ),
        (
            's',
            "int a[9];",
            "for (int i = 0; i < 3; i++) if (nondet_uint() & 1) a[nondet_uint() % 9] = i; assert(a[r % 9] < \
             3);",
        ),
        (
            'u',
            "int a[9];",
            "for (int i = 0; i < 3; i++) if (nondet_uint() & 1) a[nondet_uint() % 9] = i; assert(a[r % 9] < \
             2);",
        ),
        // Records in records, rows, parts of elements.
        (
            's',
            "struct { char c; struct { short s[3]; long l; } in[2]; } t[4];",
            "t[p & 3].in[q & 1].s[1] = 7; t[p & 3].in[q & 1].l = 9; assert(t[p & 3].in[q & 1].s[1] == 7); \
             assert(t[r & 3].c == 0);",
        ),
        (
            'u',
            "struct { char c; struct { short s[3]; long l; } in[2]; } t[4];",
            "t[p & 3].in[q & 1].s[1] = 7; assert(t[r & 3].in[0].s[1] == 0);",
        ),
        (
            's',
            "int m[3][4];",
            "m[p % 3][2] = 5; m[1][q & 3] = 6; assert(m[1][2] == ((q & 3) == 2 ? 6 : p % 3 == 1 ? 5 : 0));",
        ),
        (
            's',
            "int a[9];",
            "a[p % 9] = 0x01020304; unsigned char *b = (unsigned char *)a; assert(b[p % 9 * 4 + 1] == 3);",
        ),
        (
            's',
            "unsigned char b[9];",
            "b[p & 7] = 1; b[(p & 7) + 1] = 2; assert(*(unsigned short *)(b + (p & 7)) == 0x201);",
        ),
        // Addresses in elements.
        (
            's',
            "int x, y, *a[9];",
            "a[p % 9] = &x; a[q % 9] = &y; *a[q % 9] = 5; assert(y == 5 && x == 0);",
        ),
        (
            'u',
            "int x, y, *a[9];",
            "a[p % 9] = &x; a[q % 9] = &y; *a[p % 9] = 5; assert(x == 5);",
        ),
        (
            's',
            "struct n { struct n *next; int v; } n[6];",
            "n[p % 6].next = &n[q % 6]; n[p % 6].next->v = 4; assert(n[q % 6].v == 4);",
        ),
        // Block operations on memory.
        (
            's',
            "char a[20], b[20];",
            "memset(a + p % 9, 7, 5); memcpy(b, a, 20); assert(b[p % 9 + 4] == 7); assert(b[19] == 0);",
        ),
        (
            'u',
            "char a[20], b[20];",
            "memset(a + p % 9, 7, 5); memcpy(b + q % 9, a, 6); assert(b[r % 20] == 0);",
        ),
        (
            's',
            "",
            "int *a = malloc(9 * sizeof(int)); a[p % 9] = 3; a[q % 9] = 4; assert(a[q % 9] == 4); free(a);",
        ),
        (
            's',
            "",
            "int *a = calloc(9, sizeof(int)); a[p % 9] = 3; assert(a[q % 9] == 0 || a[q % 9] == 3);",
        ),
        // Outside of the object reads return any value, and writes have no effect.
        ('s', "int a[9], b[9];", "a[p] = 3; assert(b[q % 9] == 0);"),
        ('u', "int a[9];", "assert(a[p] == 0);"),
    ];
    for (expected, declarations, body) in cases {
        let text = format!(
            "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);\n\
             unsigned nondet_uint(void);\n{declarations}\n\
             int main(void) {{ unsigned p = nondet_uint(), q = nondet_uint(), r = nondet_uint();\n{body} \
             return 0; }}\n"
        );
        for above in [0, NEVER] {
            assert_eq!(
                lazily(above, &text),
                expected,
                "above {above}: {declarations} {body}"
            );
        }
        assert_eq!(
            blankly(&text),
            expected,
            "without pieces: {declarations} {body}"
        );
    }
}

/// Objects of unknown or large size: the answers are known, and the errors are replayed.
#[test]
fn objects_without_pieces_have_their_known_answers() {
    let cases = [
        // Initial contents are fixed, with accesses of all sizes.
        (
            's',
            "int *a = malloc(n * sizeof(int)); assert(p != q || a[p] == a[q]);",
        ),
        (
            'u',
            "int *a = malloc(n * sizeof(int)); assert(a[p] == a[q]);",
        ),
        (
            's',
            "unsigned *a = malloc(n * 4ul); unsigned char *b = (unsigned char *)a;\
             assert((unsigned char)(a[p] >> 8) == b[4ul * q + 1] || p != q);",
        ),
        (
            'u',
            "unsigned *a = malloc(n * 4ul); unsigned char *b = (unsigned char *)a;\
             if (a[p] == 0x01020304 && b[q] == 3) assert(q == 4ul * p + 1);",
        ),
        (
            's',
            "unsigned char *b = malloc(n); unsigned short x = *(unsigned short *)(b + p);\
             unsigned y = *(unsigned *)(b + q); assert(q + 1 != p || (unsigned short)(y >> 8) == x);",
        ),
        // Elements that are partly written.
        (
            's',
            "unsigned char *b = malloc(n); unsigned x = *(unsigned *)(b + p); b[q] = 5; b[q + 1] = 6;\
             unsigned y = *(unsigned *)(b + p); assert(q != p + 1 || (y ^ x) < 1u << 24 && (y ^ x) % 256 == \
             0);\
             assert(q <= p + 3 || x == y);",
        ),
        (
            's',
            "unsigned char *b = malloc(n); b[q] = 5; unsigned y = *(unsigned *)(b + p); unsigned char z = \
             b[r];\
             unsigned v = *(unsigned *)(b + p + 1); assert(r != p + 2 || (unsigned char)(y >> 16) == z);\
             assert((y >> 8) == (v & 0xffffff));",
        ),
        (
            'u',
            "unsigned char *b = malloc(n); b[q] = 5; unsigned y = *(unsigned *)(b + p);\
             if (r == p + 2 && y == 0x01020305 && q != r) assert(b[r] != 2);",
        ),
        // Zeros.
        (
            's',
            "int *a = calloc(n, sizeof(int)); a[p] = 3; assert(a[q] == 0 || p == q && a[q] == 3);",
        ),
        (
            'u',
            "int *a = calloc(n, sizeof(int)); a[p] = 3; a[q] = 4; assert(a[p] == 3);",
        ),
        (
            's',
            "large[p] = 3; large[90000001] = 4; assert(large[q] == 0 || p == q); assert(large[90000001] == \
             4);",
        ),
        (
            'u',
            "large[p] = 3; large[90000001] = 4; assert(large[q * 2] == 0);",
        ),
        // Arrays of variable length, and large local ones.
        (
            's',
            "int a[n]; a[n / 2] = 3; assert(a[n / 2] == 3); assert(sizeof(a) == n * sizeof(int));",
        ),
        (
            's',
            "int a[1 << 24]; a[p] = 3; a[q] = 4; assert(a[p] == (p == q ? 4 : 3));",
        ),
        (
            'u',
            "int a[1 << 24]; if (a[p] == 3 && a[q] == 4 && a[7] == 5) assert(p < q);",
        ),
        // Each iteration has an object of its own.
        (
            'u',
            "int x = 0; for (int i = 0; i < 3; i++) { int a[n]; if (a[p] == i) x++; } assert(x < 3);",
        ),
        // Mergers of paths.
        (
            's',
            "int *a = r > 5 ? malloc(n * 4ul) : calloc(n, 4); assert(r > 5 || a[p] == 0);\
             if (q > 7) a[p] = 1; else a[q] = 2; assert(q <= 7 || a[p] == 1); free(a);",
        ),
        (
            'u',
            "int *a = r > 5 ? malloc(n * 4ul) : calloc(n, 4); assert(a[p] == 0);",
        ),
        (
            's',
            "unsigned m = n; if (r > 5) m = n + r; int *a = malloc(m * 4ul); int b = a[p];\
             if (q > 7) a[r % n] = b; assert(a[p] == b);",
        ),
        // Outside of an object reads return any value, and writes have no effect.
        ('u', "int *a = calloc(n, sizeof(int)); assert(a[n] == 0);"),
        (
            'u',
            "int *a = calloc(n, sizeof(int)); a[n] = 3; assert(a[n] == 3);",
        ),
        (
            's',
            "int *a = calloc(n, sizeof(int)); a[n - 1] = 3; assert(a[n - 1] == 3);",
        ),
        // Addresses in elements.
        (
            's',
            "int x = 0, y = 0, **a = malloc(n * sizeof(int *)); a[p] = &x; a[q] = &y; *a[q] = 5; assert(y \
             == 5 && x == 0);",
        ),
        (
            's',
            "struct s { int v; struct s *next; } *a = malloc(n * sizeof(struct s));\
             a[p].next = &a[q]; a[q].v = 4; assert(a[p].next->v == 4);",
        ),
        // Repeated requests of a size.
        (
            's',
            "__VERIFIER_assume(n == 51); char *a = malloc(n); a[50] = 7; a = realloc(a, n + 3); \
             assert(a[50] == 7);",
        ),
    ];
    for (expected, body) in cases {
        let text = format!(
            "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);\n\
             void *realloc(void *, unsigned long); unsigned nondet_uint(void); char large[1 << 28];\n\
             int main(void) {{ unsigned n = nondet_uint(), p = nondet_uint(), q = nondet_uint(), r = \
             nondet_uint();\n\
             __VERIFIER_assume(n > 50 && p < n - 8 && q < n - 8 && r < n - 8 && n < 1 << 24);\n{body} \
             return 0; }}\n"
        );
        assert_eq!(unwound(&text), expected, "{body}");
        assert_eq!(blankly(&text), expected, "without pieces: {body}");
    }
}

/// Allocations beyond the capacity of objects of unknown size are unknown.
#[test]
fn more_than_the_capacity_is_unknown() {
    let text = |more: &str| {
        format!(
            "void *malloc(unsigned long); unsigned long nondet_ulong(void);\n\
             int main(void) {{ unsigned long n = nondet_ulong(), p = nondet_ulong(); __VERIFIER_assume(p < \
             n{more});\n\
             char *a = malloc(n); if (!a) return 0; a[p] = 3; assert(a[p] == 3); return 0; }}\n"
        )
    };
    assert_eq!(unwound(&text("")), '?');
    assert_eq!(unwound(&text(" && n >> 63 == 1")), 's');
    assert_eq!(unwound(&text(" && n < (1ul << 40) - 1")), 's');
}
