//! Formatted output into memory, and conversions of text to numbers, compared with the machine's C library.

use crate::library_tests::{agree, verdict};
use crate::verdict::Found;

const DECLARATIONS: &str = "
int snprintf(char *, unsigned long, const char *, ...); int sprintf(char *, const char *, ...);
int asprintf(char **, const char *, ...); double strtod(const char *, char **); double ldexp(double, int); \
float ldexpf(float, int);
long strtol(const char *, char **, int); int *__errno_location(void);
typedef struct { int quot; int rem; } div_t; div_t div(int, int); typedef struct { long quot; long rem; } \
ldiv_t; ldiv_t ldiv(long, long);
static unsigned long long h(const char *s, int n) { unsigned long long v = n; while (*s) v = v * 31 + \
(unsigned char)*s++; return v; }
static unsigned long long d(double x) { union { double f; unsigned long long u; } v; v.f = x; return x != x \
? 1 : v.u; }
static unsigned long long s(float x) { union { float f; unsigned u; } v; v.f = x; return x != x ? 1 : v.u; }
";

#[test]
fn formats_give_what_the_machine_s_library_gives() {
    let mut expressions = Vec::new();
    for conversion in [
        "d", "i", "u", "x", "X", "o", "5d", "-5d|", "05d", "+d", " d", "+05d", "#x", "#o", "#10x",
        "#010X", ".3d", "8.3d", "-8.3d|", ".0d", ".0x", "hd", "hhd", "hu", "hhx", "3u", "08.3d",
    ] {
        for value in [
            "0",
            "7",
            "-42",
            "300",
            "-70000",
            "2147483647",
            "-2147483647 - 1",
        ] {
            expressions.push(format!(
                "({{ char b[40]; int n = snprintf(b, sizeof b, \"<%{conversion}>\", {value}); h(b, n); }})"
            ));
        }
    }
    for (format, arguments) in [
        ("%ld %lu %lx", "-5000000000l, 18446744073709551615ul, 255ul"),
        ("%lld %llX %zu %jd", "-1ll, 1ull << 63, 12ul, 3l"),
        (
            "%s|%5s|%-5s|%.2s|%c%%",
            "\"a\", \"bc\", \"de\", \"fghi\", 'z'",
        ),
        ("%*d|%-*d|%.*s|%*s", "4, 7, 4, 8, 1, \"xyz\", -3, \"p\""),
        ("%3c|%-3c|plain", "'a', 'b'"),
        ("%d%n", "12345, &k"),
    ] {
        for room in [0, 1, 5, 64] {
            expressions.push(format!(
                "({{ int k = 0; char b[64] = \"x\"; int n = snprintf({room} ? b : (char *)0, {room}, \
                 \"{format}\", {arguments}); h(b, n + k * 1000); }})"
            ));
        }
    }
    expressions.push("({ char b[40]; int n = sprintf(b, \"%d-%s\", 42, \"x\"); h(b, n); })".into());
    expressions
        .push("({ char *b; int n = asprintf(&b, \"%d-%s\", 42, \"xyz\"); h(b, n); })".into());
    agree(DECLARATIONS, &expressions);
}

#[test]
fn formats_of_any_number_are_followed() {
    let program = |claim: &str| {
        format!(
            "int snprintf(char *, unsigned long, const char *, ...); unsigned char nondet_uchar(void);
             int main(void) {{ unsigned char x = nondet_uchar(); char b[8]; int n = snprintf(b, sizeof b, \
             \"%u\", x);
             __CPROVER_assert({claim}, \"\"); return 0; }}"
        )
    };
    assert!(matches!(
        verdict(&program(
            "n <= 3 && (x < 100 || (n == 3 && b[0] == '0' + x / 100 && b[3] == 0))"
        )),
        Ok(Found::Safe(_))
    ));
    assert!(matches!(
        verdict(&program("b[1] != '4' || n != 2")),
        Ok(Found::Unsafe(_))
    ));
}

#[test]
fn floats_are_printed_as_the_machine_s_library_does_it() {
    let mut expressions = Vec::new();
    let conversions = [
        "f", "e", "g", "G", "E", "10.2f", "-10.2f|", "010.3f", "+.1e", " .0f", "#.0f", "#g", ".0e",
        ".10g", "#.3g", "08.2e", ".40f", "+012g", ".0g", "F", ".3f",
    ];
    let values = [
        "0.0",
        "-0.0",
        "1.0",
        "0.5",
        "1.5",
        "2.5",
        "0.125",
        "0.375",
        "1234567.0",
        "12345678.0",
        "0.0001",
        "0.00001234",
        "-3.14159265358979",
        "1e100",
        "5e-324",
        "99999.95",
        "999999.5",
        "(1.0 / 0.0)",
        "(-1.0 / 0.0)",
    ];
    for (number, conversion) in conversions.iter().enumerate() {
        // Every value with a few conversions, every conversion with a few values.
        for value in values.iter().skip(number % 3).step_by(3) {
            expressions.push(format!(
                "({{ char b[200]; int n = snprintf(b, sizeof b, \"<%{conversion}>\", {value}); h(b, n); }})"
            ));
        }
    }
    for call in [
        "sprintf(b, \"%Lf %d %Lg\", 1.5L, 7, -0.25L)",
        "snprintf(b, 4, \"%f\", 123.456)",
        "sprintf(b, \"%*.*f|%-*g\", 9, 2, 2.71828, 8, 1e-7)",
        "sprintf(b, \"%p %p\", (void *)0, (char *)0)",
    ] {
        expressions.push(format!(
            "({{ char b[200] = \"\"; int n = {call}; h(b, n); }})"
        ));
    }
    agree(DECLARATIONS, &expressions);
}

#[test]
fn texts_of_any_float_and_of_pointers_are_bounded() {
    let program = |claim: &str| {
        format!(
            "int sprintf(char *, const char *, ...); double nondet_double(void); int strcmp(const char *, \
             const char *);
             int main(void) {{ double x = nondet_double(); char b[500], c[32]; int k;
             if (!(x > 0.5 && x < 0.75)) return 0;
             {claim} return 0; }}"
        )
    };
    let says = |claim: &str| match verdict(&program(claim)) {
        Ok(Found::Safe(_)) => 's',
        Ok(Found::Unsafe(_)) => 'u',
        _ => '?',
    };
    let pointer = "sprintf(c, \"%p\", (void *)&k);";
    assert_eq!(
        says(&format!(
            "{pointer} __CPROVER_assert(c[0] == '0' && c[1] == 'x' && c[2] != '0', \"\");"
        )),
        's'
    );
    // Which number it is depends on where the object lies.
    assert_eq!(
        says(&format!(
            "{pointer} __CPROVER_assert(strcmp(c, \"0x1234\") != 0, \"\");"
        )),
        '?'
    );
    assert_eq!(
        says(&format!("{pointer} __CPROVER_assert(c[2] == 'q', \"\");")),
        'u'
    );
}

#[test]
fn what_is_not_formatted_is_said() {
    for (call, reason) in [
        (
            "snprintf(b, 8, \"%a\", 1.0)",
            "formatted output of a float in hexadecimal digits",
        ),
        (
            "snprintf(b, 8, \"%.*f\", 9000, 1.0)",
            "formatted output of a float with more than 2000 digits",
        ),
        (
            "snprintf(b, 8, \"%f\", 0.0 / zero)",
            "formatted output of what is no number",
        ),
        (
            "snprintf(b, 8, \"%.20p\", b)",
            "formatted output of a pointer with digits that are asked for",
        ),
        (
            "snprintf(b, 8, \"%y\", 1)",
            "an unknown conversion in a format",
        ),
        (
            "(int)strtod(\"0x1p3\", 0)",
            "a float from a text that is no decimal number",
        ),
        (
            "(int)strtod(\"1e100\", 0)",
            "a float from a decimal number with a large exponent",
        ),
    ] {
        let text = format!(
            "{DECLARATIONS}int main(void) {{ char b[8]; double zero = 0; return {call}; }}"
        );
        match verdict(&text) {
            // The reported position is in the program, not in the library.
            Ok(Found::Unknown(said)) => {
                let said = said.to_string();
                assert!(
                    said.contains(reason) && said.starts_with("test.c:"),
                    "{said}"
                );
            }
            _ => panic!("{call} is not modelled"),
        }
    }
}

#[test]
fn numbers_are_read_and_scaled_as_the_machine_s_library_does_it() {
    let mut expressions = Vec::new();
    for text in [
        "2.5",
        "1e22",
        "-0.1",
        " 3.7e-5x",
        "123456789012345",
        ".5",
        "5.",
        "-0",
        "",
        "abc",
        "+17e",
        "1e+2",
        "0.000123",
        "1.e1.5",
        ". 5",
        "-",
        "33e-1",
        "inf",
        " -Infinity+",
        "infinit",
        "in",
    ] {
        expressions.push(format!(
                "({{ const char *t = \"{text}\"; char *e; double x = strtod(t, &e); d(x) * 31 + (e - t); }})"
            ));
    }
    for number in [
        "0.0",
        "-1.5",
        "1.0",
        "5e-324",
        "-1e-310",
        "1.7976931348623157e308",
        "0.1",
        "3.0",
        "(1.0 / 0.0)",
    ] {
        for power in [
            0,
            1,
            -1,
            52,
            -53,
            1023,
            1074,
            -1022,
            -1023,
            -1074,
            -1075,
            -1100,
            2000,
            -2000,
            2_000_000_000,
            -2_000_000_000,
        ] {
            expressions.push(format!("d(ldexp({number}, {power}))"));
        }
        for power in [0, 3, -126, -149, -150, 127, 128] {
            expressions.push(format!("s(ldexpf((float)({number}), {power}))"));
        }
    }
    expressions.push(
        "({ *__errno_location() = 0; strtol(\"12\", (char **)0, 10); int a = *__errno_location(); \
         strtol(\"99999999999999999999\", (char **)0, 10); a * 100 + *__errno_location(); })"
            .into(),
    );
    for (a, b) in [("7", "-2"), ("-7", "2"), ("0", "5")] {
        expressions.push(format!("div({a}, {b}).quot * 100 + div({a}, {b}).rem"));
        expressions.push(format!("ldiv({a}, {b}).quot * 100 + ldiv({a}, {b}).rem"));
    }
    agree(DECLARATIONS, &expressions);
}

#[test]
fn what_is_read_is_any_text() {
    let program = |call: &str, claim: &str| {
        format!(
            "char *fgets(char *, int, void *); long read(int, void *, unsigned long); unsigned long \
             fread(void *, unsigned long, unsigned long, void *);
             int getchar(void); int rand(void); int scanf(const char *, ...); unsigned long strlen(const \
             char *);
             int printf(const char *, ...); int main(void) {{ char b[4] = \"xyz\"; int k = 0; long r = \
             (long)({call}); __CPROVER_assert({claim}, \"\"); return 0; }}"
        )
    };
    for (call, holds, fails) in [
        (
            "fgets(b, 4, 0)",
            "r == 0 || strlen(b) <= 3 && (b[0] != '\\n' || strlen(b) <= 1)",
            "b[1] != 'q'",
        ),
        (
            "read(0, b, 2)",
            "r >= -1 && r <= 2 && b[2] == 'z'",
            "b[1] != 'q'",
        ),
        (
            "fread(b, 1, 2, 0)",
            "r <= 2 && b[2] == 'z' && (r > 0 || b[0] == 'x')",
            "b[0] != 'q'",
        ),
        ("getchar()", "r >= -1 && r <= 255", "r != 255"),
        ("rand()", "r >= 0", "r != 2147483647"),
        ("scanf(\"%d%%\", &k)", "b[0] == 'x'", "k != 5"),
    ] {
        assert!(
            matches!(verdict(&program(call, holds)), Ok(Found::Safe(_))),
            "{call}"
        );
        assert!(
            matches!(verdict(&program(call, fails)), Ok(Found::Unsafe(_))),
            "{call}"
        );
    }
    for call in ["scanf(\"%3s\", b)", "scanf(\"%d %c\", &k, b)"] {
        assert!(
            matches!(verdict(&program(call, "b[0] == 'x'")), Ok(Found::Unsafe(_))),
            "{call}"
        );
    }
}
