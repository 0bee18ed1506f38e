//! Rarely used language features, each with an assertion that holds and one that does not.

use crate::refusal_tests::{reason, refusal};
use crate::tests::{looped, unwound, verdicts};
use craig_c_lang::lower::{LoweringOptions, UnknownCalls};

#[test]
fn static_assertions_are_evaluated_wherever_they_stand() {
    let holding = "_Static_assert(sizeof(int) == 4, \"four\"); struct s { int a; _Static_assert(1, \"\"); };
        int f(void); _Static_assert(__builtin_constant_p(f()) || 1, \"what can't be evaluated is the \
        compiler's affair\");
        int main(void) { _Static_assert(sizeof(struct s) == 4, \"one member\"); for (_Static_assert(1, \
        \"\"); 0; ) ; return 0; }";
    assert_eq!(refusal(holding), None);
    for (failing, place) in [
        (
            "int x;\n_Static_assert(sizeof x == 8, \"eight\"); int main(void) { return 0; }",
            "test.c:2",
        ),
        (
            "struct s { int a;\n _Static_assert(sizeof(int) == 2, \"two\"); }; int main(void) { return 0; }",
            "test.c:2",
        ),
        (
            "int main(void) {\n if (0) {\n _Static_assert(1 == 2, \"never\"); } return 0; }",
            "test.c:3",
        ),
    ] {
        let message = refusal(failing).expect("a program in which an assertion fails");
        assert!(
            message.starts_with(place) && message.contains("static assertion failed"),
            "{message}"
        );
    }
}

#[test]
fn rows_of_parameters_have_the_length_that_earlier_parameters_say() {
    let program = |claim: &str| {
        format!(
            "void fill(int n, int m, int a[n][m]) {{ for (int i = 0; i < n; i++) for (int j = 0; j < m; \
             j++) a[i][j] = 10 * i + j; }}
             int get(int m, int (*a)[m + 1], int i) {{ return a[i][m] + (int)sizeof *a; }}
             int last(int n, int m, int k, int a[][m][k]) {{ return a[n - 1][m - 1][k - 1]; }}
             void unused(int n, int a[*][*]);
             int main(void) {{ int a[2][3]; fill(2, 3, a); int b[2][2][2] = {{ {{ {{ 1, 2 }}, {{ 3, 4 }} \
             }}, {{ {{ 5, 6 }}, {{ 7, 8 }} }} }};
               int x = nondet_int(); assert(a[1][2] == 12 && get(2, a, 0) == 2 + 12 && {claim}); return 0; }}"
        )
    };
    assert_eq!(unwound(&program("last(2, 2, 2, b) == 8")), 's');
    assert_eq!(unwound(&program("last(2, 2, 2, b) == x")), 'u');
}

#[test]
fn computed_gotos_go_where_the_value_says() {
    // An interpreter of bytecode with computed `goto`, as in GNU C programs.
    let program = |claim: &str| {
        format!(
            "int main(void) {{ static void *table[] = {{ &&increment, &&twice, &&stop }}; unsigned char \
             code[4]; int x = 1;
               code[0] = nondet_uchar() % 2; code[1] = nondet_uchar() % 2; code[2] = 2; unsigned char *at = \
               code;
               goto *table[*at++]; increment: x++; goto *table[*at++]; twice: x *= 2; goto *table[*at++];
               stop: assert({claim}); void *here = &&stop; assert(here != &&twice && here == table[2]); \
               return 0; }}"
        )
    };
    assert_eq!(unwound(&program("x >= 3 && x <= 4")), 's');
    assert_eq!(unwound(&program("x != 3")), 'u');
    // Labels of the same name in two functions are different.
    let two = "void *other(void) { here: return &&here; } int main(void) { here: assert(other() != &&here); \
               return 0; }";
    assert_eq!(unwound(two), 's');
    let astray = "void *other(void) { here: return &&here; } int main(void) { goto *other(); here: \
                  assert(0); return (long)&&here; }";
    assert_eq!(unwound(astray), '?');
    let endless = "int main(void) { unsigned x = 0; again: x += 2; assert(x % 2 == 0); void *to = \
                   nondet_int() ? &&again : &&end; goto *to; end: return 0; }";
    assert_eq!(looped(endless), 's');
}

#[test]
fn assembly_that_does_nothing_is_passed_over() {
    let program = |assembly: &str| {
        format!("int main(void) {{ int x = 1; {assembly} assert(x == 1); return 0; }}")
    };
    for barrier in [
        "__asm__ volatile (\"\" ::: \"memory\");",
        "asm volatile (\"nop\\n\\tpause\");",
        "asm (\"\" : \"+r\" (x) : \"r\" (x + 1));",
        "asm (\"nop\");",
    ] {
        assert_eq!(unwound(&program(barrier)), 's', "{barrier}");
    }
    assert_eq!(unwound(&program("asm (\"\" :: \"r\" (x++));")), 'u');
    assert_eq!(unwound(&program("asm (\"\" : \"=r\" (x));")), 'u');
    assert_eq!(
        unwound(&program("asm (\"\" : \"=r\" (x) : \"0\" (2 - x));")),
        's'
    );
    assert_eq!(
        unwound(&program(
            "int a[2] = { 0 }, i = 0; asm (\"\" : \"+r\" (a[i++])); x = i;"
        )),
        's'
    );
    for assembly in ["asm volatile (\"inc %0\" : \"+r\" (x));", "asm (\"hlt\");"] {
        assert_eq!(unwound(&program(assembly)), '?', "{assembly}");
    }
}

#[test]
fn types_are_compared() {
    let program = |claim: &str| {
        format!(
            "typedef int number; typedef __builtin_va_list va_list; int main(void) {{ assert({claim}); \
             return 0; }}"
        )
    };
    for holds in [
        "__builtin_types_compatible_p(int, number)",
        "!__builtin_types_compatible_p(va_list, char *)",
        "!__builtin_types_compatible_p(int (*)(int, int), int (*)(int)) && \
         __builtin_types_compatible_p(int[3], int[3])",
    ] {
        assert_eq!(unwound(&program(holds)), 's', "{holds}");
    }
    assert_eq!(
        unwound(&program("__builtin_types_compatible_p(int, unsigned)")),
        'u'
    );
}

#[test]
fn functions_that_do_not_return_end_the_run() {
    for declaration in [
        "void die(int) __attribute__((noreturn));",
        "_Noreturn void die(int);",
        "__attribute__((__noreturn__)) void die(int);",
        "extern void __attribute__((noreturn)) die(int);",
    ] {
        let program = |claim: &str| {
            format!(
                "{declaration} int main(void) {{ int x = nondet_int(); if (x > 3) die(x); assert({claim}); \
                 return 0; }}"
            )
        };
        let pure = |options: &mut LoweringOptions| options.unknown_calls = UnknownCalls::Pure;
        assert_eq!(verdicts(&program("x <= 3"), pure)[0], 's', "{declaration}");
        assert_eq!(verdicts(&program("x < 3"), pure)[0], 'u', "{declaration}");
        assert_eq!(unwound(&program("x <= 3")), '?', "{declaration}");
    }
}

#[test]
fn pragmas_limit_the_alignment_of_members() {
    let program = |claim: &str| {
        format!(
            "#pragma pack(push, 1)\nstruct a {{ char c; int i; }};\n#pragma pack(2)\nstruct b {{ char c; \
             long l; struct a a; }};
             struct d {{ char a; unsigned : 0; char b; }};\n#pragma pack(pop)\nstruct c {{ char c; int i; \
             }}; int main(void) {{ struct a x; x.i = nondet_int(); int *p = &x.i;
             assert((char *)p - (char *)&x == 1 && {claim}); return 0; }}"
        )
    };
    assert_eq!(
        unwound(&program(
            "sizeof(struct a) == 5 && sizeof(struct b) == 16 && sizeof(struct c) == 8"
        )),
        's'
    );
    assert_eq!(unwound(&program("*p != 77")), 'u');
}

#[test]
fn rows_are_followed_whatever_the_form_of_the_index() {
    let program = |index: &str, claim: &str| {
        format!(
            "struct s {{ int a; int m[3][4]; }} t; unsigned nondet_uint(void);
             int main(void) {{ int m[3][4] = {{0}}; unsigned i = nondet_uint(), j = nondet_uint();
             m{index} = 5; t.m{index} = 7; int *p = (int *)((unsigned long)&t.m{index} & ~3ul); assert(*p \
             == 7 && {claim}); return 0; }}"
        )
    };
    for index in [
        "[i % 3][j & 3]",
        "[i & 1][j % 4]",
        "[(i & 1) + 1][j & 3]",
        "[i % 3][2 * (j & 1)]",
    ] {
        let claims = [format!("m{index} == 5"), "m[1][2] == 0".to_string()];
        assert_eq!(unwound(&program(index, &claims[0])), 's', "{index}");
        assert_eq!(unwound(&program(index, &claims[1])), 'u', "{index}");
    }
}

#[test]
fn library_functions_are_called_through_pointers() {
    let program = |claim: &str| {
        format!(
            "int abs(int); void *malloc(unsigned long); void free(void *); unsigned long strlen(const char \
             *); double fabs(double);
             struct allocator {{ void *(*get)(unsigned long); void (*put)(void *); }}; int nondet_int(void);
             int main(void) {{ int (*f)(int) = abs; double (*g)(double) = fabs; unsigned long (*h)(const \
             char *) = strlen;
             struct allocator a = {{ malloc, free }}; int x = nondet_int(); int *p = a.get(sizeof *p); *p = \
             f(x);
             assert((x == -2147483647 - 1 || *p >= 0) && g(-1.5) == 1.5 && h(\"abc\") == 3 && {claim}); \
             a.put(p); return 0; }}"
        )
    };
    assert_eq!(unwound(&program("1")), 's');
    assert_eq!(unwound(&program("*p != 5")), 'u');
}

#[test]
fn offsets_of_members_go_through_indices() {
    let program = |claim: &str| {
        format!(
            "struct s {{ int a; struct {{ char c; short d[4]; }} b[3]; }}; unsigned nondet_uint(void);
             int main(void) {{ unsigned i = nondet_uint() % 3; enum {{ fixed = __builtin_offsetof(struct s, \
             b[1].d[2]) }};
             assert(fixed == 20 && {claim}); return 0; }}"
        )
    };
    assert_eq!(
        unwound(&program(
            "__builtin_offsetof(struct s, b[i].d[1]) == 4 + 10 * i + 4"
        )),
        's'
    );
    assert_eq!(
        unwound(&program("__builtin_offsetof(struct s, b[i].c) != 14")),
        'u'
    );
}

#[test]
fn generic_selections_tell_all_arithmetic_types_apart() {
    let kinds = "_Generic((E), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned \
                 short: 6, int: 7, \
         unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, __int128: 13, \
         float: 14, \
         double: 15, long double: 16, default: 0)";
    let program = |expression: &str, kind: u32| {
        let selected = kinds.replace('E', expression);
        format!(
            "enum e {{ A, B }}; enum n {{ M = -1 }}; enum w {{ W = 1ll << 40 }};
             struct s {{ int f3 : 3; unsigned f8 : 8; long f32 : 32; char c8 : 8; _Bool b : 1; unsigned \
             long f40 : 40; }};
             int main(void) {{ char c = 1; signed char sc = 1; unsigned char uc = 1; _Bool b = 1; short h = 1;
             long l = 1; long long ll = 1; enum e e = A; enum n n = M; enum w w = W; struct s s = {{ 1, 1, \
             1, 1, 1, 1 }};
             char t[2] = \"x\"; const volatile char *p = t; float f = 1; unsigned seven = 7;
             assert({selected} == {kind}); return 0; }}"
        )
    };
    for (expression, kind) in [
        ("c", 2),
        ("*p", 2),
        ("t[0]", 2),
        ("(char)c", 2),
        ("c = 3", 2),
        ("+c", 7),
        ("'x'", 7),
        ("\"x\"[0]", 2),
        ("sc", 3),
        ("(signed char)c", 3),
        ("uc", 4),
        ("b", 1),
        ("!b", 7),
        ("h++", 5),
        ("l", 9),
        ("ll", 11),
        ("l + ll", 11),
        ("1ul + ll", 12),
        ("sizeof l", 10),
        ("A", 7),
        ("e", 8),
        ("n", 7),
        ("w", 10),
        ("W", 10),
        ("s.f3", 0),
        ("s.f8", 4),
        ("s.f32", 7),
        ("s.c8", 2),
        ("s.b", 1),
        ("s.f40", 0),
        ("+s.f3", 7),
        ("(__int128)l", 13),
        ("f * 2", 14),
        ("f * 2.0", 15),
        ("f * 2.0L", 16),
        ("seven ? c : sc", 7),
    ] {
        assert_eq!(unwound(&program(expression, kind)), 's', "{expression}");
        assert_eq!(unwound(&program(expression, 17)), 'u', "{expression}");
    }
}

#[test]
fn integers_of_128_bits_are_converted_to_floats_and_back() {
    let program = |claim: &str| {
        format!(
            "int main(void) {{ __int128 i = (__int128)nondet_long() << 10; unsigned __int128 u = \
             nondet_ulong();
             double d = i; float f = u; long double x = i; assert({claim}); return 0; }}"
        )
    };
    for claim in [
        "(__int128)x == i",
        "d == (double)(long)(i >> 10) * 1024.0",
        "f >= 0.0f && f <= 18446744073709551616.0f",
        "(float)~(unsigned __int128)0 > 3.4028234663852886e38f",
        "(double)(((__int128)1 << 100) + ((__int128)1 << 47)) == 0x1p100",
        "(double)(((__int128)1 << 100) + ((__int128)1 << 47) + 1) > 0x1p100",
        "(__int128)-1e30 == -(__int128)1000000000000000019 * 1000000000000 - 884624838656",
        "(unsigned __int128)0x1.8p127 >> 126 == 3",
        "(__int128)-0x1p127 < 0 && (unsigned __int128)-0.75 == 0",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    for claim in [
        "d != 3072.0",
        "f != 4096.0f",
        "(__int128)d == i",
        "x > -5120.0L",
    ] {
        assert_eq!(unwound(&program(claim)), 'u', "{claim}");
    }
}

#[test]
fn macros_are_kept_and_restored() {
    // The preprocessor handles these pragmas; they may remain in the text.
    let text = "#pragma push_macro(\"A\")\nint main(void) { int n = nondet_int(); assert(n != 3); return 0; \
                }\n#pragma pop_macro(\"A\")\n";
    assert_eq!(unwound(text), 'u');
    assert_eq!(unwound(&text.replace("n != 3", "n == n")), 's');
}

#[test]
fn parameters_may_be_declared_behind_the_list() {
    let program = |claim: &str| {
        format!(
            "struct s {{ int i; }};
             int f(a, b, c, p, q) char a; short b; float c; int *p; unsigned char q[]; {{ return a + b + \
             (int)c + *p + q[0]; }}
             int g() {{ return 3; }}
             struct s k(x, y) struct s x; register int y; {{ x.i += y; return x; }}
             int d(a, b) {{ return a - b; }}
             int main(argc, argv) int argc; char **argv; {{
             int i = 3, n = nondet_int(); unsigned char u[2] = {{ 7, 8 }}; struct s t = {{ 4 }};
             assert({claim}); return 0; }}"
        )
    };
    for claim in [
        "f(300, 70000, 2.5f, &i, u) == 44 + 4464 + 2 + 3 + 7",
        "g() == 3 && k(t, 2).i == 6 && t.i == 4 && d(5, 3) == 2",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    for claim in ["f(n, 0, 0.0f, &i, u) != 137", "d(n, 3) != 9"] {
        assert_eq!(unwound(&program(claim)), 'u', "{claim}");
    }
}

#[test]
fn complex_numbers_are_computed_by_their_parts() {
    let program = |claim: &str| {
        format!(
            "typedef _Complex double C;
             struct s {{ int i; C z; float _Complex f; }};
             static C g = 1.5 + 2.0i; static C list[2] = {{ 3.0, 1i }}; static __complex__ int h = 3 + 4i;
             C add(C a, _Complex float b) {{ return a + b; }}
             C of(double d) {{ return d; }}
             double sum(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); C z = \
             __builtin_va_arg(l, C); return __real__ z + __imag__ z; }}
             double nondet_double(void); int nondet_int(void);
             int main(void) {{
             double x = nondet_double(), y = nondet_double(); int n = nondet_int();
             C z = 2 + 3i, w; struct s t = {{ 1, 2.0, 3.0fi }}, *p = &t; C v = z++;
             __real__ w = x; __imag__ w = y; __builtin_complex(x, y);
             if (!(x > -100 && x < 100 && y > -100 && y < 100)) return 0;
             assert({claim}); return 0; }}"
        )
    };
    for claim in [
        "g == 1.5 + 2.0i && list[0] == 3 && list[1] != 1 && __imag__ list[1] == 1 && h == 3 + 4i",
        "__real__ add(g, 2.0f) == 3.5 && __imag__ add(g, 1.0fi) == 3.0 && of(4) == 4.0",
        "sizeof (C) == 16 && sizeof (_Complex float) == 8 && sizeof (_Complex long double) == 32 && sizeof \
         h == 8",
        "_Generic(z, C: 1, default: 0) && _Generic(z + 1.0f, C: 1, default: 0) && sizeof (__real__ t.f) == 4",
        "v == 2 + 3i && z == 3 + 3i && (z -= 3) == 3i && --z == -1 + 3i && -z == 1 - 3i && ~z == -1 - 3i",
        "z * g == -1.5 + 10.5i",
        "p->z == 2.0 && __imag__ p->f == 3 && (t.z *= 2i, t.z == 4i) && !(t.z - 4i) && (_Bool)t.z",
        "z / 2 == 1.5 + 1.5i && 2 * z == 6 + 6i && z + 1 == 4 + 3i && (int)z == 3 && (double)(1.0 + z) == \
         4.0",
        "(n ? z : 1) == z || n == 0",
        "creal(w) == x && cimag(w) == y && cimag(conj(w)) == -y && __real__ x == x && __imag__ x == 0",
        "sum(1, g) == 3.5 && (C){ 2 } == 2 && (w == w)",
        "h * h == -7 + 24i && h + 1 == 4 + 4i && -h == -3 - 4i",
        "1 / __imag__ (2.0 - (0.0 + 0.0i)) < 0 && 1 / __imag__ ((0.0 + 0.0i) - 2.0) > 0",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    for claim in [
        "w != 2 + 3i",
        "__imag__ w <= 5 || x < 3",
        "n || (n ? z : 1) == z",
    ] {
        assert_eq!(unwound(&program(claim)), 'u', "{claim}");
    }
    for (claim, said) in [
        ("h / h == 1", "a division by a complex number of this type"),
        ("1 / (3.0 + 1i) == 1", "a quotient of complex constants"),
        (
            "(0.1 + 1i) * (0.3 + 1i) == 1",
            "a product of complex constants",
        ),
        ("cabs(z) == 1", "no model for `cabs`"),
    ] {
        let reason = reason(&program(claim));
        assert!(reason.contains(said), "{reason}");
    }
}

#[test]
fn flexible_members_of_static_objects_are_initialised() {
    let program = |claim: &str| {
        format!(
            "struct s {{ int n; short a[]; }} x = {{ 2, {{ 5, 6, 7 }} }}, y = {{ 3 }};
             struct t {{ int n; char a[]; }}; int nondet_int(void);
             int main(void) {{ static struct t z = {{ .a = \"abc\", .n = 4 }}; int i = nondet_int();
             assert({claim}); return 0; }}"
        )
    };
    for claim in [
        "x.a[0] == 5 && x.a[2] == 7 && sizeof x == 4 && y.n == 3",
        "z.a[2] == 'c' && z.a[3] == 0 && z.n == 4",
        "i < 0 || i > 2 || x.a[i] == 5 + i",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    assert_eq!(unwound(&program("i < 0 || i > 2 || x.a[i] != 6")), 'u');
}

#[test]
fn one_argument_is_chosen_by_a_constant() {
    let program = |claim: &str| {
        format!(
            "int nondet_int(void); int main(void) {{ int n = nondet_int(), m = 0;
             char c = 1; int k = __builtin_choose_expr(sizeof (int) == 4, n, ++m);
             assert({claim}); return 0; }}"
        )
    };
    let claim = "k == n && m == 0 && sizeof (__builtin_choose_expr(0, m, c)) == 1";
    assert_eq!(unwound(&program(claim)), 's');
    assert_eq!(unwound(&program("k != 8")), 'u');
}

#[test]
fn functions_that_compilers_replace_are_not_the_program_s() {
    let text =
        "long long llabs(long long b) { return 5; } long long llabs2(long long b) { return 5; }
                int main(void) { assert(NAME(-1) == 5); return 0; }";
    assert_eq!(unwound(&text.replace("NAME", "llabs2")), 's');
    assert!(reason(&text.replace("NAME", "llabs")).contains("the program's own `llabs`"));
}

#[test]
fn vectors_are_computed_by_their_elements() {
    let program = |claim: &str| {
        format!(
            "typedef int V __attribute__((vector_size (16))); typedef float F __attribute__((vector_size \
             (16)));
             typedef unsigned char B __attribute__((vector_size (4))); typedef short S \
             __attribute__((vector_size (8)));
             struct s {{ char c; V v; B b; }}; union u {{ V v; int i[4]; }}; int nondet_int(void);
             V g = {{ 1, 2, 3 }}; V add(V a, V b) {{ return a + b; }}
             int main(void) {{ int n = nondet_int(), i = nondet_int(); if (i < 0 || i > 3) return 0;
             V v = {{ 5, 6, 7, n }}, w = (V){{}}; B b = {{ 250, 1, 2, 3 }}; F f = {{ 1.5f, -2.0f, 0, 4 }}; \
             S s = {{ -8, 1, 2, 3 }};
             struct s t = {{ 1, {{ 2, 3 }}, {{ 4 }} }}; union u u = {{ v }}; V old = v++;
             assert({claim}); return 0; }}"
        )
    };
    let claims = [
        "add(g, v)[0] == 7 && add(g, v)[2] == 11 && w[i] == 0 && g[3] == 0",
        "sizeof (V) == 16 && sizeof (struct s) == 48 && _Alignof (V) == 16 && sizeof v[0] == 4",
        "old[1] == 6 && v[1] == 7 && u.i[2] == 7 && t.v[1] == 3 && t.b[0] == 4 && t.b[3] == 0",
        "(b += 6, b[0] == 0 && b[1] == 7) && (b * b)[1] == 49 && (~b)[0] == 255 && (b << 7)[1] == 128",
        "(f * 2)[0] == 3.0f && (-f)[1] == 2.0f && ((V)f)[0] == 0x3fc00000 && (f > 0)[0] == -1 && (f > 0)[1] \
         == 0",
        "(s >> 1)[0] == -4 && (s / 2)[0] == -4 && (s % 3)[3] == 0 && (s == 2)[2] == -1 && (s - s)[i] == 0",
        "(long long)s == 0x000300020001fff8 && ((S)0x000300020001fff8)[0] == -8",
        "(g + 1)[i] == g[i] + 1 && (10 - g)[1] == 8 && (n ? v : g)[0] == (n ? 6 : 1)",
        "(v[2] = 9, v[2] == 9) && *((int *)&(v) + 1) == 7 && old[3] == n",
    ];
    for claim in claims {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    for claim in ["v[3] != 6", "v[i] != 7", "(v == n)[i] == 0 || i == 3"] {
        assert_eq!(unwound(&program(claim)), 'u', "{claim}");
    }
}

#[test]
fn attributes_of_members_and_parameters_change_their_types() {
    let program = |claim: &str| {
        format!(
            "struct s {{ int a __attribute__((mode(QI))); int b __attribute__((mode(DI))); }};
             int f(int x __attribute__((mode(QI)))) {{ return x; }}
             int local(void) {{ struct p {{ char c; int i; }} __attribute__((packed)); return sizeof \
             (struct p); }}
             struct packed_pair {{ char c; int i; }} __attribute__((packed)); struct packed_other {{ int i; \
             }};
             int unused(void) {{ struct p {{ char c; int i; }} __attribute__((packed)); return sizeof \
             (struct p); }}
             int nondet_int(void); int main(void) {{ int n = nondet_int(); assert({claim}); return 0; }}"
        )
    };
    let claim = "sizeof (struct s) == 16 && f(300) == 44 && f(n) <= 127 && local() == 5";
    assert_eq!(unwound(&program(claim)), 's');
    assert_eq!(unwound(&program("f(n) != 100")), 'u');
}

/// gcc takes lists of any length.
#[test]
fn long_lists_of_labels_and_long_sums_are_read() {
    let program = |wanted: u32| {
        let labels: String = (0..12_000).map(|value| format!("case {value}: ")).collect();
        let sum = vec!["x"; 15_000].join(" + ");
        format!(
            "int f(unsigned x) {{ switch (x) {{ {labels} return 1; default: return 0; }} }}
             int main(void) {{ unsigned x = nondet_uint(); assert(f(x) == (x < {wanted}) && {sum} == 15000 \
             * x); return 0; }}"
        )
    };
    let answers = |wanted: u32| {
        let program = program(wanted);
        let work = std::thread::Builder::new().stack_size(1 << 29);
        let work = work.spawn(move || unwound(&program)).expect("a thread");
        work.join().expect("no panic")
    };
    assert_eq!(answers(12_000), 's');
    assert_eq!(answers(11_999), 'u');
}
