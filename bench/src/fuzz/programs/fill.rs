//! Random parts of a template.

use craig_aig::Random;

/// Integer variables that a statement may change.
const INTEGERS: [&str; 10] = ["x", "y", "c8", "u8", "s16", "u16", "l", "w", "v[1]", "pr.z"];
/// Types of casts.
const TYPES: [&str; 10] = [
    "int",
    "unsigned",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "long",
    "word",
    "_Bool",
    "char",
];
/// Texts, which fit into 12 bytes.
const TEXTS: [&str; 22] = [
    "", "a", "ab,c", " 12", "-7x", "0x1F", "aXbXa", "hello", "a b c", "077", "1,2,3", "b%c",
    "z\\n", "9", "+3-4", "AbC", "\\tq", "abcabc", "1e2", ".5", "\\377z", "0b11",
];
/// Texts of numbers.
const NUMERALS: [&str; 30] = [
    "0",
    "42",
    " -17",
    "+5",
    "0x1f",
    "0X",
    "0xg",
    "077",
    "08",
    "zz",
    "2147483647",
    "2147483648",
    "-2147483649",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "-18446744073709551616",
    "",
    "  ",
    "- 3",
    "1.5",
    "-.25e1",
    "3e",
    "1e+",
    "0x1p3",
    "inf",
    "nan",
    "1e400",
];
const FLOATS: [&str; 16] = [
    "0.0",
    "-0.0",
    "0.5",
    "1.5",
    "-2.5",
    "1e300",
    "3.999",
    "-0.49",
    "1.0 / 3",
    "1e-310",
    "(0.1 + 0.2)",
    "INFINITY",
    "NAN",
    "4503599627370497.5",
    "-7.25",
    "2.0",
];

/// Fills templates with parts from random numbers.
pub(super) struct Fill<'r> {
    pub(super) random: &'r mut Random,
    /// The number of labels so far.
    pub(super) n_labels: usize,
}

impl Fill<'_> {
    /// One of these.
    fn one<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.random.below(all.len())]
    }

    /// The template with each `$x` replaced by a part. `$d`, `$s`, `$v` and `$u` stand for the same throughout one statement.
    pub(super) fn fill(&mut self, template: &str) -> String {
        let target = self.one(&["s0", "s1"]);
        let source = match self.random.below(6) {
            0 => target,
            _ => "s2",
        };
        let variable = self.one(&INTEGERS);
        self.n_labels += 1;
        let mut text = String::new();
        let mut rest = template.chars();
        while let Some(c) = rest.next() {
            if c != '$' {
                text.push(c);
                continue;
            }
            let part = match rest.next() {
                Some('d') => target.to_owned(),
                Some('s') => source.to_owned(),
                Some('v') => variable.to_owned(),
                Some('u') => self.n_labels.to_string(),
                Some('k') => self.random.below(20).to_string(),
                Some('i') => self.below(4),
                Some('a') => format!(
                    "(int)(a * {} + b * {} - {})",
                    self.random.below(90),
                    self.random.below(20),
                    self.random.below(50)
                ),
                Some('j') => self
                    .one(&["(int)a", "(int)b + 2", "7", "0", "5"])
                    .to_owned(),
                Some('n') => self.below(8),
                Some('e') => self.expression(2),
                Some('f') => self.float(),
                Some('q') => format!("\"{}\"", self.one(&TEXTS)),
                Some('z') => format!("\"{}\"", self.one(&NUMERALS)),
                Some('b') => self
                    .one(&["0", "10", "10", "16", "8", "2", "36", "(8 + $c * 2)"])
                    .replace("$c", "(int)(a & 3)"),
                Some('h') => self.character(),
                Some('p') => self.printed(),
                Some('r') => self.scanned_text(),
                Some('g') => self.scanned(),
                other => unreachable!("$ before {other:?} in a template"),
            };
            text.push_str(&part);
        }
        text
    }

    /// A number below `bound`, a power of two; an input more often than not.
    fn below(&mut self, bound: usize) -> String {
        match self.random.below(6) {
            0 | 1 => self.random.below(bound).to_string(),
            2 => format!("(int)(a & {})", bound - 1),
            3 => format!("(int)(b & {})", bound - 1),
            4 => format!("(int)((a * 2 + b) & {})", bound - 1),
            _ => format!("(int)({} & {})", self.one(&INTEGERS), bound - 1),
        }
    }

    fn character(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("('0' + {})", self.below(8)),
            1 => format!("('a' + {})", self.below(8)),
            2 => format!("\"1 aX-+.,\"[{}]", self.below(8)),
            3 => self.random.below(128).to_string(),
            _ => self
                .one(&["'a'", "'X'", "' '", "'1'", "','", "'\\0'"])
                .to_owned(),
        }
    }

    /// An integer expression; most cannot overflow.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return match self.random.below(5) {
                0 => self.random.below(300).to_string(),
                1 => self
                    .one(&[
                        "-1",
                        "0x80000000u",
                        "0x7fffffff",
                        "65535",
                        "-128",
                        "1ul << 40",
                        "0xffffffffffull",
                    ])
                    .to_owned(),
                2 => self.one(&["(int)a", "(int)b", "a", "b"]).to_owned(),
                _ => self.one(&INTEGERS).to_owned(),
            };
        }
        let left = self.expression(depth - 1);
        let right = self.expression(depth - 1);
        match self.random.below(12) {
            0..4 => format!(
                "((unsigned)({left}) {} (unsigned)({right}))",
                self.one(&["+", "-", "*", "^"])
            ),
            4 => format!(
                "(({left}) {} ({right}))",
                self.one(&["&", "|", "^", "<", "==", ">=", "!=", "&&", "||"])
            ),
            5 => format!("(({left}) / (({right}) & 7 | 1))"),
            6 => format!(
                "((word)({left}) {} (({right}) & 7))",
                self.one(&["<<", ">>"])
            ),
            7 => format!("(({left}) >> (({right}) & 3))"),
            8 | 9 => format!("(({})({left}))", self.one(&TYPES)),
            10 => format!("(({left}) > ({right}) ? ({left}) : ({right}))"),
            _ => format!(
                "(({left}) {} ({right}))",
                self.one(&["+", "-", "*", "%", "<<"])
            ),
        }
    }

    fn float(&mut self) -> String {
        match self.random.below(7) {
            0 => "d".to_owned(),
            1 => format!("({} * 0.75 - 2)", self.below(8)),
            2 => "(x + 0.5)".to_owned(),
            _ => self.one(&FLOATS).to_owned(),
        }
    }

    /// A format of `printf` with its arguments.
    fn printed(&mut self) -> String {
        let (mut format, mut arguments) = (String::new(), String::new());
        for _ in 0..1 + self.random.below(3) {
            format.push_str(self.one(&["", "", "a", "-", "%%", " "]));
            format.push('%');
            format.push_str(self.one(&["", "", "", "-", "0", "+", " ", "#", "-0", "+0", "0#"]));
            let width = self.one(&["", "", "", "1", "3", "6", "*"]);
            format.push_str(width);
            if width == "*" {
                arguments.push_str(&format!(", {} - 3", self.below(8)));
            }
            let precision = self.one(&["", "", "", ".0", ".", ".2", ".5", ".*"]);
            format.push_str(precision);
            if precision == ".*" {
                arguments.push_str(&format!(", {} - 1", self.below(4)));
            }
            self.conversion(&mut format, &mut arguments);
        }
        format!("\"{format}\"{arguments}")
    }

    fn conversion(&mut self, format: &mut String, arguments: &mut String) {
        let kind = self.one(&[
            "d", "d", "i", "u", "x", "X", "o", "c", "s", "s", "f", "e", "g", "n", "a",
        ]);
        let argument = match kind {
            "c" => self.character(),
            "s" => self.one(&["s2", "t", "\"txt\"", "s2 + (a & 3)"]).to_owned(),
            "f" | "e" | "g" | "a" => self.float(),
            // A width or flag of `%n` is undefined.
            "n" => {
                format.push('c');
                "'q'".to_owned()
            }
            _ => {
                let length = self.one(&["", "", "hh", "h", "l", "ll", "j", "z", "t"]);
                format.push_str(length);
                let ty = match length {
                    "l" => "long",
                    "ll" => "long long",
                    "j" => "intmax_t",
                    "z" => "size_t",
                    "t" => "ptrdiff_t",
                    _ => "int",
                };
                format!("({ty})({})", self.expression(1))
            }
        };
        if kind != "n" {
            format.push_str(kind);
        }
        arguments.push_str(", ");
        arguments.push_str(&argument);
    }

    /// A text and a format of `sscanf` with its arguments.
    fn scanned_text(&mut self) -> String {
        let text = match self.random.below(3) {
            0 => self.one(&NUMERALS),
            1 => self.one(&TEXTS),
            _ => self.one(&[
                "12 34",
                "a=5,b=-6",
                "0x12 077",
                "  xyz 9",
                "1.5e1 7",
                "2024-01-31",
                "12345678",
                "ab12cd",
                "-0x1",
                "+8 +",
            ]),
        };
        format!("\"{text}\", {}", self.scanned())
    }

    fn scanned(&mut self) -> String {
        let (mut format, mut arguments) = (String::new(), String::new());
        for _ in 0..1 + self.random.below(3) {
            format.push_str(self.one(&["", "", " ", "a", ",", "-", "a=", "%%"]));
            let (conversion, argument) = match self.random.below(18) {
                0 => ("%d", "&x"),
                1 => ("%i", "&x"),
                2 => ("%u", "&y"),
                3 => ("%x", "&y"),
                4 => ("%o", "&y"),
                5 => ("%2d", "&x"),
                6 => ("%3i", "&x"),
                7 => ("%hhd", "&c8"),
                8 => ("%hu", "&u16"),
                9 => ("%ld", "&l"),
                10 => ("%5llx", "&w"),
                11 => ("%c", "&bytes[2]"),
                12 => ("%2c", "&bytes[3]"),
                13 => ("%3s", "s3"),
                14 => ("%4[a-z]", "s3"),
                15 => ("%5[^,]", "s3"),
                16 => ("%*d", ""),
                _ => ("%lf", "&d"),
            };
            format.push_str(conversion);
            if !argument.is_empty() {
                arguments.push_str(", ");
                arguments.push_str(argument);
            }
            if self.random.below(4) == 0 {
                format.push_str("%n");
                arguments.push_str(", &at");
            }
        }
        format!("\"{format}\"{arguments}")
    }
}
