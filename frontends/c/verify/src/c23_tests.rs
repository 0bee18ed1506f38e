//! Headers and literals of C23, read from files as the command reads them. gcc 12 has none of these: what is claimed is what the
//! standard says.

use craig_mc::Alone;

use crate::check::run;
use crate::options::{Engine, Options};
use crate::report::Answer;
use craig_c_lang::source::Preprocessing;

/// The verdict of unrolling on a file: 's', 'u' or '?'.
fn verdict(text: &str) -> char {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("a file");
    let options = Options {
        preprocessing: Preprocessing {
            standard: Some("c2x".into()),
            ..Preprocessing::default()
        },
        engine: Engine::Unwind,
        ..Options::default()
    };
    let report = run(&path, &options, Alone::new().control()).expect("the file is read");
    match report.answer {
        Answer::Safe(_) => 's',
        Answer::Unsafe(_) => 'u',
        Answer::Unknown(_) => '?',
    }
}

/// True claims about a function's body, whose negation must be refuted together.
fn hold(head: &str, body: &str, claims: &[&str]) {
    let all = claims.join(" && ");
    for (claim, right) in [(all.clone(), 's'), (format!("!({all})"), 'u')] {
        let text = format!(
            "{head}\nint main(void) {{ {body} __CPROVER_assert({claim}, \"\"); return 0; }}\n"
        );
        assert_eq!(verdict(&text), right, "{text}");
    }
}

/// C23 7.20: whether the exact result is none of the type of the object, which gets it wrapped around.
#[test]
fn checked_operations_say_whether_the_result_fits() {
    hold(
        "#include <stdckdint.h>\n#include <limits.h>",
        "int i, j; unsigned char c, d, e; long l; short s;
         _Bool a = ckd_add(&i, INT_MAX, 1), b = ckd_sub(&c, 300, 45), f = ckd_mul(&d, 16u, 16), g = ckd_sub(&e, 1u, 2);
         _Bool h = ckd_mul(&l, 4000000000u, 2), k = ckd_add(&s, -40000l, 7232), m = ckd_sub(&j, -1, UINT_MAX);",
        &[
            "a && i == INT_MIN && !b && c == 255 && f && d == 0 && g && e == 255",
            "!h && l == 8000000000 && !k && s == -32768 && m && j == 0",
            "_Generic(ckd_add(&i, 1, 1), _Bool: 1, default: 0) == 1 && __STDC_VERSION_STDCKDINT_H__ == 202311",
        ],
    );
}

/// C23 7.18.3 to 7.18.16, of each type, by the definitions there: positions of bits are counted.
#[test]
fn functions_on_bits_are_those_of_the_standard() {
    let head = "#include <stdbit.h>
        static unsigned lz(unsigned long long v, unsigned w) { unsigned n = 0; while (n < w && !(v >> (w - 1 - n) & 1)) n++; return n; }
        static unsigned tz(unsigned long long v, unsigned w) { unsigned n = 0; while (n < w && !(v >> n & 1)) n++; return n; }
        #define IS(claim) __CPROVER_assert(claim, \"\")
        #define ALL(type) do { type v = (type)x, o = (type)~v; unsigned w = sizeof(type) * 8, n = 0; \\
            IS(stdc_leading_zeros(v) == lz(v, w) && stdc_leading_ones(v) == lz(o, w)); \\
            IS(stdc_trailing_zeros(v) == tz(v, w) && stdc_trailing_ones(v) == tz(o, w)); \\
            IS(stdc_first_leading_zero(v) == (lz(o, w) + 1) % (w + 1) && stdc_first_leading_one(v) == (lz(v, w) + 1) % (w + 1)); \\
            IS(stdc_first_trailing_zero(v) == (tz(o, w) + 1) % (w + 1) && stdc_first_trailing_one(v) == (tz(v, w) + 1) % (w + 1)); \\
            for (unsigned i = 0; i < w; i++) n += v >> i & 1; \\
            IS(stdc_count_ones(v) == n && stdc_count_zeros(v) == w - n && stdc_has_single_bit(v) == (n == 1)); \\
            IS(stdc_bit_width(v) == w - lz(v, w) && stdc_bit_floor(v) == (v ? 1ull << (w - 1 - lz(v, w)) : 0)); \\
            if (v <= 1ull << (w - 1)) { type c = stdc_bit_ceil(v); IS(c >= v && stdc_has_single_bit(c) && (c == 1 || c / 2 < v)); } \\
            IS(sizeof(stdc_bit_floor(v)) == sizeof v); } while (0)";
    let body = "unsigned long long values[] = { 0, 1, 5, 0x80, 0xff, 0xff7f, 0x7fffffff, ~0ull, 1ull << 63, 0x123456789abcdefull };
        for (int i = 0; i < 10; i++) { unsigned long long x = values[i];
            ALL(unsigned char); ALL(unsigned short); ALL(unsigned); ALL(unsigned long); ALL(unsigned long long); }";
    hold(
        head,
        body,
        &[
            "stdc_leading_zeros_uc(1) == 7 && stdc_bit_ceil_us(3) == 4 && __STDC_ENDIAN_NATIVE__ == __STDC_ENDIAN_LITTLE__",
        ],
    );
    // 7.18.16p3: what does not fit is undefined.
    let text = "#include <stdbit.h>\nint main(void) { return stdc_bit_ceil_uc(129); }\n";
    assert_eq!(verdict(text), '?');
}

/// C23 6.4.5p6 and 6.4.4.4p12: elements of UTF-8 literals have the type `char8_t`, which has no sign.
#[test]
fn elements_of_utf_8_literals_have_no_sign() {
    hold(
        "#include <uchar.h>",
        "const char8_t *s = u8\"\\u00e4b\"; char8_t a[] = u8\"xyz\"; char c[] = u8\"\\xff\" \"z\";",
        &[
            "s[0] == 0xc3 && s[1] == 0xa4 && s[2] == 'b' && s[3] == 0 && sizeof a == 4 && a[2] == 'z'",
            "u8\"\\xff\"[0] == 255 && u8'\\xff' == 255 && sizeof u8'a' == 1 && c[0] == -1 && sizeof c == 3",
            "_Generic(u8\"a\" \"b\", char8_t *: 1, default: 2) == 1 && _Generic(u8'a', char8_t: 1, default: 2) == 1",
        ],
    );
}
