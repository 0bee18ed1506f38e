//! The library's models, floats in every rounding mode and newer parts of the language, compared with
//! compiled C: the same program prints its values there, and is proved to have them here.

use std::fmt::Write as _;

use crate::bounded;
use crate::native_tests::printed;
use crate::tests::{program, unwound};
use crate::verdict::{Found, Verdict};
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_program::line_up::Stages;

/// The values of expressions of type `unsigned long long` in compiled C; `None` without a compiler.
fn natively(declarations: &str, expressions: &[String]) -> Option<Vec<u64>> {
    let mut text = format!("int printf(const char *, ...);\n{declarations}int main(void) {{\n");
    for expression in expressions {
        let _ = writeln!(
            text,
            "printf(\"%llu\\n\", (unsigned long long)({expression}));"
        );
    }
    text += "return 0; }\n";
    let text = printed(&text, &["-w", "-O0", "-frounding-math", "-fno-builtin"])?;
    Some(
        text.lines()
            .map(|line| line.parse().expect("a number"))
            .collect(),
    )
}

pub(crate) fn verdict(text: &str) -> Verdict {
    let program = program(text, DataModel::Lp64);
    bounded::check(
        &program,
        (&Unwinding::default(), &Stages::NONE),
        Alone::new().control(),
    )
}

/// Compares the values of all expressions, and checks that another value of one is refuted.
pub(crate) fn agree(declarations: &str, expressions: &[String]) {
    let Some(values) = natively(declarations, expressions) else {
        println!("skipped: there is no C compiler here");
        return;
    };
    assert_eq!(values.len(), expressions.len());
    for (expressions, values) in expressions.chunks(40).zip(values.chunks(40)) {
        let mut text = format!("{declarations}int main(void) {{\n");
        for (expression, value) in expressions.iter().zip(values) {
            let _ = writeln!(
                text,
                "__CPROVER_assert((unsigned long long)({expression}) == {value}ull, \"\");"
            );
        }
        text += "return 0; }\n";
        match verdict(&text) {
            Ok(Found::Safe(_)) => {}
            Ok(Found::Unsafe(found)) => {
                let line = text.lines().nth(found.at.line as usize - 1);
                panic!("compiled C says otherwise: {}", line.unwrap_or("?"));
            }
            Ok(Found::Unknown(reason)) => panic!("{reason}\n{text}"),
            Err(error) => panic!("{error}"),
        }
    }
    let wrong = format!(
        "{declarations}int main(void) {{ __CPROVER_assert((unsigned long long)({}) != {}ull, \"\"); return \
         0; }}\n",
        expressions[0], values[0]
    );
    assert!(matches!(verdict(&wrong), Ok(Found::Unsafe(_))));
}

const BITS: &str = "
static unsigned long long d(double x) { union { double f; unsigned long long u; } v; v.f = x; return x != x \
? 1 : v.u; }
static unsigned long long s(float x) { union { float f; unsigned u; } v; v.f = x; return x != x ? 1 : v.u; }
static unsigned long long l(long double x) {
  union { long double f; unsigned long long u[2]; } v; v.f = x; return x != x ? 1 : v.u[0] ^ (v.u[1] & \
  0xffff) * 0x10001;
}
";

const NUMBERS: [&str; 16] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "2.5",
    "0.49999999999999994",
    "-3.75",
    "7.0",
    "1e10",
    "-123456.789",
    "4503599627370497.5",
    "1e-310",
    "5e-324",
    "1.7976931348623157e308",
    "(1.0 / 0.0)",
    "(0.0 / 0.0)",
];

#[test]
fn functions_on_floats_give_what_libm_gives() {
    let mut text = BITS.to_string();
    let one = [
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fabs",
        "sqrt",
        "logb",
    ];
    let two = [
        "fmod",
        "remainder",
        "copysign",
        "nextafter",
        "fmax",
        "fmin",
        "fdim",
    ];
    for name in one {
        let _ = writeln!(text, "double {name}(double); float {name}f(float);");
    }
    for name in two {
        let _ = writeln!(
            text,
            "double {name}(double, double); float {name}f(float, float);"
        );
    }
    text += "double frexp(double, int *); double modf(double, double *); int ilogb(double);\n\
             long double sqrtl(long double); long double floorl(long double);\n\
             long lrint(double); long long llround(double);\n\
             static int exponent(double x) { int e; frexp(x, &e); return e; }\n\
             static double mantissa(double x) { int e; return frexp(x, &e); }\n\
             static double whole(double x) { double w; modf(x, &w); return w; }\n\
             static double part(double x) { double w; return modf(x, &w); }\n";
    let mut calls = Vec::new();
    for x in NUMBERS {
        for name in one {
            calls.push(format!("d({name}({x}))"));
            calls.push(format!("s({name}f((float)({x})))"));
        }
        for name in ["mantissa", "whole", "part"] {
            calls.push(format!("d({name}({x}))"));
        }
        calls.push(format!("ilogb({x})"));
        calls.push(format!("l(sqrtl({x}))"));
        calls.push(format!("l(floorl({x}))"));
        if x.len() < 8 {
            calls.push(format!("lrint({x})"));
            calls.push(format!("llround({x})"));
        }
        if !x.starts_with('(') {
            calls.push(format!("exponent({x})"));
        }
    }
    for (index, x) in NUMBERS.iter().enumerate() {
        for y in NUMBERS.iter().skip(index % 3).step_by(3) {
            for name in two {
                // For zeros of different signs, libm may return either.
                if name.starts_with("fm")
                    && name != "fmod"
                    && x.ends_with("0.0")
                    && y.ends_with("0.0")
                {
                    continue;
                }
                // The sign of a NaN is not kept.
                if name == "copysign" && *y == "(0.0 / 0.0)" {
                    continue;
                }
                calls.push(format!("d({name}({x}, {y}))"));
                calls.push(format!("s({name}f((float)({x}), (float)({y})))"));
            }
        }
    }
    agree(&text, &calls);
}

/// Products and quotients of complex numbers, also of infinities, of subnormal parts, and of parts that overflow.
#[test]
fn complex_numbers_are_multiplied_and_divided_as_libgcc_does() {
    let text = format!(
        "{BITS}static double parts[9] = {{ 0.0, -0.0, 1.5, -3.0, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 1e-310, 1.5e308 }};
         static double more[4] = {{ 0.1, 1e-17, -7e-200, 1.1e300 }};
         static double part(int i) {{ return i < 9 ? parts[i] : more[i - 9]; }}
         static _Complex double z(int i, int j) {{ return __builtin_complex(part(i), part(j)); }}
         static _Complex float f(int i, int j) {{
           float x = i == 7 ? 1e-40f : i == 8 ? 3e38f : part(i), y = j == 7 ? 1e-40f : j == 8 ? 3e38f : part(j);
           return __builtin_complex(x, y); }}
         static unsigned long long both(_Complex double z) {{ return d(__real__ z) * 31 + d(__imag__ z); }}
         static unsigned long long single(_Complex float z) {{ return s(__real__ z) * 31 + s(__imag__ z); }}
         static unsigned long long of(int operator, int i, int j, int k, int l) {{
           _Complex double v = z(i, j), w = z(k, l); _Complex float x = f(i, j), y = f(k, l);
           switch (operator) {{
           case 0: return both(z(i, j) * z(k, l)); case 1: return both(v / w); case 2: return both(part(i) / w);
           case 3: return single(x * y); default: return single(x / y); }} }}\n"
    );
    let mut calls = Vec::new();
    for index in 0..260_u32 {
        let mixed = index.wrapping_mul(2_654_435_761);
        let [i, j, k, l] = [4, 10, 16, 22].map(|shift| (mixed >> shift) % 13);
        for operator in 0..5 {
            calls.push(format!("of({operator}, {i}, {j}, {k}, {l})"));
        }
    }
    agree(&text, &calls);
}

#[test]
fn floats_are_rounded_as_the_program_asks() {
    let text = format!(
        "{BITS}int fesetround(int); int fegetround(void); double rint(double); double sqrt(double);\n\
         static double run(int mode, int op, double x, double y) {{\n\
           double r = 0;\n\
           fesetround(mode);\n\
           switch (op) {{\n\
             case 0: r = x + y; break;\n\
             case 1: r = x - y; break;\n\
             case 2: r = x * y; break;\n\
             case 3: r = x / y; break;\n\
             case 4: r = sqrt(x * x + y); break;\n\
             case 5: r = (float)x; break;\n\
             case 6: r = rint(x); break;\n\
             case 7: r = (double)((long double)x / (long double)y); break;\n\
             case 8: r = (double)(long)(x + y); break;\n\
             case 9: r = (float)16777219 + (float)(long)x; break;\n\
           }}\n\
           if (fegetround() != mode) r = -1;\n\
           fesetround(0);\n\
           return r;\n\
         }}\n"
    );
    let mut calls = Vec::new();
    for mode in [0, 0x400, 0x800, 0xc00] {
        for op in 0..10 {
            for (x, y) in [
                ("1.0", "3.0"),
                ("-1.1", "0.3"),
                ("0.1", "0.1"),
                ("1e308", "1e308"),
                ("-1e308", "1e308"),
                ("5e-324", "-3.0"),
                ("2.5", "-2.5"),
            ] {
                if op == 8 && x.contains("308") || op == 9 && x.contains("308") {
                    continue;
                }
                calls.push(format!("d(run({mode}, {op}, {x}, {y}))"));
            }
        }
    }
    calls.push("fesetround(1)".into());
    agree(&text, &calls);
}

#[test]
fn long_doubles_compute_as_x87_does() {
    let text = format!(
        "{BITS}static long double a = 0.1L, b = 3.0L, c = 1e4000L, t = 0x1.8p-16400L;\n\
         struct pair {{ char tag; long double value; }} pair;\n\
         static long double twice(long double x) {{ return x + x; }}\n"
    );
    let calls = [
        "l(a)",
        "l(b / a)",
        "l(a * a - b)",
        "l(c * c)",
        "l(t * 0.75L)",
        "l(-t)",
        "l(a + 1)",
        "l((long double)0.1f)",
        "d((double)(a * 3))",
        "s((float)(b / 7.0L))",
        "l((long double)18446744073709551615ull)",
        "(unsigned long long)(c > b) + (a < b) * 2 + (a == 0.1) * 4",
        "(unsigned long long)18446744073709551615.0L",
        "(long long)-9223372036854775808.0L",
        "(int)(b * -1.9L)",
        "sizeof(long double) + sizeof(struct pair)",
        "l((pair.value = b, twice(pair.value)))",
        "!c + 2 * !(b - 3)",
    ]
    .map(String::from);
    agree(&text, &calls);
}

#[test]
fn newer_parts_of_the_language_mean_what_they_do_for_gcc() {
    let text = r#"
typedef int wchar_t;
unsigned long wcslen(const wchar_t *); int wcscmp(const wchar_t *, const wchar_t *);
int strcasecmp(const char *, const char *); char *strsep(char **, const char *);
char *strtok_r(char *, const char *, char **);
static const wchar_t wide[] = L"ab\x1234z";
static const unsigned short sixteen[] = u"\U0001F600";
struct inner { int a, b; }; struct outer { int x; struct inner in[2]; int y; };
static struct outer made = { .in[0].b = 1, 2, 3, 4 };
static struct outer other = { .x = 1, .in = { [1].a = 5, 6 }, 7 };
struct __attribute__((packed)) close { char c; int i; };
struct __attribute__((aligned(32))) wide_apart { char c; };
struct apart { char c; _Alignas(16) int i; };
static int calls;
static int next(void) { return ++calls; }
static int shared = 40;
static unsigned swap(unsigned from, unsigned to) {
  unsigned expected = from;
  _Bool did = __atomic_compare_exchange_n(&shared, &expected, to, 0, 5, 5);
  return expected * 2 + did;
}
static int loaded(void) { __auto_type p = &shared; int r; __atomic_load(p, &r, 5); return r; }
static char text[] = "a,b"; static char *rest = text;
#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, double: 4, long double: 5, char *: 6, default: 7)
"#
    .replace(
        "#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, double: 4, long double: 5, char *: 6, \
         default: 7)\n",
        "",
    );
    let kind = |x: &str| {
        format!(
            "_Generic(({x}), int: 1, unsigned: 2, long: 3, double: 4, long double: 5, char *: 6, default: 7)"
        )
    };
    let mut calls: Vec<String> = [
        "wcslen(wide) + sizeof wide",
        "wide[2] + sizeof(L'x') + L'\\x80'",
        "sixteen[0] * 65536ull + sixteen[1]",
        "wcscmp(L\"ab\", L\"b\") < 0",
        "made.x + made.in[0].a * 10 + made.in[0].b * 100 + made.in[1].a * 1000 + made.in[1].b * 10000 + \
         made.y * 100000",
        "other.x + other.in[0].a * 10 + other.in[1].a * 100 + other.in[1].b * 1000 + other.y * 10000",
        "sizeof(struct close) + 100 * sizeof(struct wide_apart) + 10000 * sizeof(struct apart)",
        "({ int n = next() ?: 7; n * 10 + calls + ((calls - 1) ?: 9) * 1000; })",
        "({ unsigned n = swap(40, 41); n + shared * 1000; })",
        "({ unsigned n = swap(1, 2); n + shared * 1000; })",
        "({ long long n = __atomic_fetch_nand(&shared, 3, 5); n + shared * 100ll; })",
        "({ int n = __sync_val_compare_and_swap(&shared, shared, 9); n + shared; })",
        "({ int n = __sync_and_and_fetch(&shared, 8); n += 10 * __atomic_fetch_and(&shared, 1, 5); n + \
         shared; })",
        "({ int n = __atomic_exchange_n(&shared, 77, 5); n + loaded(); })",
        "strcasecmp(\"HeLLo\", \"hEllO\") == 0",
        "({ int n = *strsep(&rest, \",\"); n + *rest + (rest == text + 2); })",
    ]
    .map(String::from)
    .to_vec();
    calls.extend(["1", "1u", "2l", "1.0", "1.0L", "text", "&shared", "1.0f"].map(kind));
    agree(&text, &calls);
}

#[test]
fn integers_of_128_bits_compute_as_gcc_s_code_does() {
    let text = "
typedef unsigned __int128 wide;
static __int128 a = -5; static wide b = (wide)1 << 100; static __uint128_t c = 12345678901234567ull;
struct holder { char tag; __int128 value; } holder;
static unsigned long long fold(wide x) { return (unsigned long long)(x >> 64) * 3 ^ (unsigned long long)x; }
static __int128 twice(__int128 x) { holder.value = x; return holder.value + x; }
";
    let calls = [
        "fold(a)",
        "fold(b * 7 + c)",
        "fold(c * c / 97)",
        "fold(a % 3)",
        "fold(-b >> 3)",
        "fold(a >> 1)",
        "fold(twice(a << 70))",
        "(a < 0) + 2 * (b > c) + 4 * (a > (int)b)",
        "sizeof a + sizeof(struct holder) * 100",
        "fold((__int128)c * -1) + (unsigned)c",
    ]
    .map(String::from);
    agree(text, &calls);
}

#[test]
fn transcendental_functions_are_exact_or_within_bounds() {
    let program = |claim: &str| {
        format!(
            "double sin(double), cos(double), exp(double), log(double), pow(double, double), exp2(double), \
             log2(double), atan(double), erf(double), tanh(double);
             float sinf(float), powf(float, float), expf(float), logf(float); double nondet_double(void);
             int main(void) {{ double x = nondet_double(); if (!(x >= 0 && x <= 4)) return 0; \
             assert({claim}); return 0; }}"
        )
        .replace("INF", "__builtin_inf()")
    };
    for claim in [
        "sin(0) == 0 && 1 / sin(-0.0) < 0 && cos(0) == 1 && exp(0) == 1 && log(1) == 0 && exp(-INF) == 0",
        "log(0) == -INF && log(-1) != log(-1) && sin(INF) != sin(INF) && atan(0) == 0 && erf(INF) == 1 && \
         tanh(-INF) == -1",
        "pow(2, 10) == 1024 && pow(3, 4) == 81 && pow(-3, 3) == -27 && pow(x, 0) == 1 && pow(1, x) == 1 && \
         pow(2, -3) == 0.125",
        "pow(10, 15) == 1e15 && powf(5, 3) == 125 && sinf(0) == 0 && expf(0) == 1 && logf(1) == 0 && \
         exp2(5) == 32 && log2(8) == 3",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    assert_eq!(unwound(&program("pow(x, 1) != 3 && pow(2, 3) == 8")), 'u');
    for claim in [
        "sin(x) <= 1 && cos(x) >= -1 && exp(x) >= 1 && atan(x) < 2",
        "x > 1 || log(x) <= 0",
        "x > 1 || x == 0 || pow(x, 2.5) <= 1",
        "pow(2, 0.5) < 1.4142136 && pow(2, 0.5) > 1.4142135 && powf(257, 4) > 4e9f",
        "exp(1) > 2.7182818 && log2(3) > 1.58 && logf(2) < 0.7f && sinf(1) != 0",
        "pow(0, -3) == INF && pow(-0.0, -3) == -INF && pow(-8, 1.0 / 3) != pow(-8, 1.0 / 3) && pow(-1, INF) \
         == 1",
        "pow(-INF, 3) == -INF && pow(-INF, -2) == 0 && pow(0.5, INF) == 0 && pow(INF, -0.5) == 0",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    // The error is one with the results of this machine's library.
    for claim in ["exp(1) < 2.7", "sin(1) > 1", "x != 1 || sin(x) > 0.9"] {
        assert_eq!(unwound(&program(claim)), 'u', "{claim}");
    }
    // It holds, but not for every result within the bounds; the replay finds no error.
    for claim in ["sin(x) <= 0.9999999999 || x > 1", "exp(x) >= x"] {
        assert_eq!(unwound(&program(claim)), '?', "{claim}");
    }
}

#[test]
fn magnitudes_and_searches_without_a_bound() {
    let declarations = "long imaxabs(long); void *rawmemchr(const void *, int);\n\
                        char text[] = \"a\\377bca\";\n";
    let expressions = [
        "imaxabs(-5L)",
        "imaxabs(-0x7fffffffffffffffL)",
        "imaxabs(7)",
        "(char *)rawmemchr(text, 'b') - text",
        "(char *)rawmemchr(text, 0xff) - text",
        "(char *)rawmemchr(text + 1, 'a' + 256) - text",
        "(char *)rawmemchr(text, 0) - text",
    ]
    .map(String::from);
    agree(declarations, &expressions);
}

/// `difftime` rounds the exact difference once, also where the difference of two `long` overflows.
/// The members of broken-down times, as a program sees them.
const TIMES: &str = "struct tm { int part[9]; long offset; const char *zone; }; typedef long time_t;
    struct tm *gmtime_r(const time_t *, struct tm *); struct tm *gmtime(const time_t *); struct tm *localtime(const time_t *);
    time_t timegm(struct tm *); time_t time(time_t *); time_t mktime(struct tm *); char *asctime(const struct tm *);
    char *ctime(const time_t *); int strcmp(const char *, const char *);
    int part(time_t t, int i) { struct tm r; gmtime_r(&t, &r); return r.part[i]; }
    time_t joined(int year, int month, int day, int hour) { struct tm r = { { 59, 61, hour, day, month, year } }; time_t t = timegm(&r); return t + r.part[3]; }
    ";

#[test]
fn broken_down_times_are_those_of_compiled_c() {
    let expressions: Vec<String> = [
        "part(951782400, 3) + 100 * part(951782400, 7)",
        "part(-1, 3) + 100 * part(-1, 6)",
        "part(4107542399, 4) + 100 * part(253402300799, 5)",
        "part(1700000000, 0) + 100 * part(1700000000, 2)",
        "joined(124, 13, 0, 0)",
        "joined(0, -14, 400, -30)",
    ]
    .map(String::from)
    .to_vec();
    agree(TIMES, &expressions);
    let text = "int same(void) { struct tm r = { { 20, 13, 22, 4, 10, 123, 2, 307 } }; return strcmp(asctime(&r), \"Sat Nov  4 22:13:20 2023\\n\"); }
                int other(void) { struct tm r = { { 20, 13, 22, 14, 10, 123, 6, 317 } }; return strcmp(asctime(&r), \"Sat Nov 14 22:13:20 2023\\n\") == 0; }";
    agree(
        &format!("{TIMES}{text}"),
        &["same() != 0", "other()"].map(String::from),
    );
}

/// Where the clock and the time zone are open, members are in their ranges, and nothing else is known.
#[test]
fn local_times_are_in_their_ranges() {
    for (right, claim) in [
        (
            's',
            "m->part[4] >= 0 && m->part[4] < 12 && m->part[3] > 0 && m->part[3] < 32 && m->part[6] < 7 && m->part[7] < 366",
        ),
        ('u', "m->part[2] != 23"),
        ('u', "m->part[8] == 0"),
    ] {
        let text = format!(
            "{TIMES}int main(void) {{ time_t t = time(0); struct tm *m = localtime(&t); assert({claim}); return 0; }}"
        );
        assert_eq!(unwound(&text), right, "{claim}");
    }
    // One object holds the results of all calls.
    let shared = format!(
        "{TIMES}int main(void) {{ time_t t = 0, u = 86400; struct tm *m = gmtime(&t); gmtime(&u); assert(m->part[3] == 2); return 0; }}"
    );
    assert_eq!(unwound(&shared), 's');
}

#[test]
fn differences_of_times_are_those_of_compiled_c() {
    let text = "double difftime(long, long);
        static unsigned long long d(double x) { union { double x; unsigned long long n; } u = { x }; return u.n; }
        static const long T[] = { 0, 1, -1, 9007199254740993, 1700000000, -9223372036854775807 - 1,
            9223372036854775807, 4611686018427387905 };\n";
    let pairs = (0..8).flat_map(|a| (0..8).map(move |b| (a, b)));
    let calls: Vec<String> = pairs
        .map(|(a, b)| format!("d(difftime(T[{a}], T[{b}]))"))
        .collect();
    agree(text, &calls);
}

/// The only thread ends with the program, after the handlers of `atexit`.
#[test]
fn the_end_of_the_only_thread_is_that_of_the_program() {
    let text = |test: &str| {
        format!(
            "extern void pthread_exit(void *); extern int atexit(void (*)(void)); extern void abort(void);
             extern void reach_error(void); extern int nondet(void); int n;
             static void end(void) {{ if ({test}) reach_error(); }}
             int main(void) {{ int i = nondet(); atexit(end);
                 if (i == 100) {{ n = 1; pthread_exit(0); n = 2; }} if (i == 100) n = 3; return 0; }}"
        )
    };
    assert!(matches!(verdict(&text("n > 1")), Ok(Found::Safe(_))));
    assert!(matches!(verdict(&text("n == 1")), Ok(Found::Unsafe(_))));
}
