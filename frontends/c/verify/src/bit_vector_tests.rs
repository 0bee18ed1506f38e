//! Integers of any number of bits, 1 to 128, against the machine's integers and masks: C23's `_BitInt`, and CBMC's bit-vectors with
//! CBMC 6.6's promotions and sizes.

use std::fmt::Write as _;

use crate::tests::unrolled_with;
use craig_c_lang::lower::Dialect;

/// A type of integers: how many bits, and whether there is a sign.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Int(u32, bool);

impl Int {
    /// The value that the lowest bits of a number are in the type.
    fn wrap(self, value: i128) -> i128 {
        let Int(bits, signed) = self;
        let unused = 128 - bits;
        match signed {
            true => value << unused >> unused,
            false => ((value as u128) << unused >> unused) as i128,
        }
    }

    /// The type in which CBMC computes with it.
    fn promoted(self) -> Self {
        match self.0 {
            0..=16 => Int(32, true),
            17..=32 => Int(32, self.1),
            33..=64 => Int(64, self.1),
            _ => self,
        }
    }

    fn is_less(self, a: i128, b: i128) -> bool {
        if self.1 {
            a < b
        } else {
            (a as u128) < b as u128
        }
    }

    fn divided(self, a: i128, b: i128) -> (i128, i128) {
        match self.1 {
            true => (a.wrapping_div(b), a.wrapping_rem(b)),
            false => {
                let (a, b) = (a as u128, b as u128);
                ((a / b) as i128, (a % b) as i128)
            }
        }
    }
}

/// A number of 128 bits in C.
fn literal(value: i128) -> String {
    let value = value as u128;
    let (high, low) = ((value >> 64) as u64, value as u64);
    format!("((__int128)((unsigned __int128){high:#x}ul << 64 | {low:#x}ul))")
}

/// Claims about a variable `a` and a variable `b` of a type, in whose promotion is computed.
fn claims(ty: Int, in_type: Int, (a, b): (i128, i128), amount: u32) -> String {
    let (quotient, rest) = in_type.divided(a, b);
    let shifted = match in_type.1 {
        true => a >> amount,
        false => (a as u128 >> amount) as i128,
    };
    let mut text = String::new();
    for (term, value) in [
        ("a + b", a.wrapping_add(b)),
        ("a - b", a.wrapping_sub(b)),
        ("a * b", a.wrapping_mul(b)),
        ("a / b", quotient),
        ("a % b", rest),
        ("~a", !a),
        ("-a", a.wrapping_neg()),
        ("a ^ b", a ^ b),
        (&*format!("a << {amount}"), a << amount),
        (&*format!("a >> {amount}"), shifted),
        ("a < b", i128::from(in_type.is_less(a, b))),
        ("a - 1 < 0 && a != a", 0),
    ] {
        let value = match term.contains(" < ") {
            true => value,
            false => in_type.wrap(value),
        };
        let _ = writeln!(text, "assert((__int128)({term}) == {});", literal(value));
        if !term.contains(" < ") {
            let stored = literal(ty.wrap(value));
            let _ = writeln!(text, "t = {term}; assert((__int128)t == {stored});");
            let _ = writeln!(
                text,
                "v.x[1] = {term}; assert((__int128)identity(v.x[1]) == {stored});"
            );
        }
    }
    let _ = writeln!(
        text,
        "assert((__int128)(unsigned char)a == {}); t = a; t++; assert((__int128)t == {});",
        literal(a & 255),
        literal(ty.wrap(a.wrapping_add(1)))
    );
    text
}

/// A program about a type by its name, with some of its values.
fn program(name: &str, ty: Int, in_type: Int, seed: u64) -> String {
    let mut state = seed;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i128::from(state >> 16) << 64 | i128::from(state.rotate_left(29))
    };
    let mut text = format!(
        "typedef {name} T; T identity(T x) {{ return x; }} struct s {{ char c; T x[3]; char d; }}; \
         int main(void) {{ T a, b, t; struct s v; v.c = 1; v.d = 2;\n"
    );
    for (a, b) in [(-1, 1), (random(), random()), (random(), 3)] {
        let (a, b) = (ty.wrap(a), ty.wrap(b));
        let b = if b == 0 { ty.wrap(1) } else { b };
        let _ = writeln!(text, "a = (T){}; b = (T){};", literal(a), literal(b));
        text += &claims(ty, in_type, (a, b), (ty.0 - 1) / 2);
    }
    text + "assert(v.c == 1 && v.d == 2); return 0; }"
}

fn verdict(text: &str, dialect: Dialect) -> Result<char, String> {
    unrolled_with(text, |options| options.cbmc.dialect = dialect)
}

const WIDTHS: [u32; 16] = [
    1, 3, 12, 17, 20, 24, 31, 33, 40, 47, 63, 65, 70, 96, 120, 127,
];

fn name_of(kind: &str, Int(bits, signed): Int) -> String {
    let sign = if signed { "" } else { "unsigned " };
    match kind {
        "_BitInt" => format!("{sign}_BitInt({bits})"),
        _ => format!("{sign}__CPROVER_bitvector[{bits}]"),
    }
}

#[test]
fn arithmetic_is_that_of_the_machine_under_a_mask() {
    for (number, &bits) in WIDTHS.iter().enumerate() {
        for signed in [true, false] {
            let ty = Int(bits, signed);
            // A signed `_BitInt` has two bits at least.
            if !(bits == 1 && signed) {
                // An operand `1` of C23 is an `int`: claims with one are those of wider types.
                let text = program(&name_of("_BitInt", ty), ty, ty, number as u64);
                assert_eq!(verdict(&text, Dialect::C), Ok('s'), "{text}");
            }
            let vector = name_of("__CPROVER_bitvector", ty);
            let text = program(&vector, ty, ty.promoted(), number as u64);
            assert_eq!(verdict(&text, Dialect::Cbmc), Ok('s'), "{text}");
        }
    }
}

/// As CBMC 6.6 computes them: as few bytes as have the bits, and alignments of as many bytes.
#[test]
fn bit_vectors_have_the_sizes_of_cbmc() {
    for (ty, size) in [
        ("unsigned __CPROVER_bitvector[17]", 3),
        ("__CPROVER_bitvector[33]", 5),
        ("__CPROVER_bitvector[65]", 9),
        ("__CPROVER_bitvector[127]", 16),
        (
            "struct { unsigned __CPROVER_bitvector[20] a; unsigned char c; }",
            6,
        ),
        ("struct { unsigned __CPROVER_bitvector[20] a; int c; }", 8),
        ("struct { int c; unsigned __CPROVER_bitvector[70] a; }", 18),
        (
            "struct { __CPROVER_bitvector[24] a; int c; __CPROVER_bitvector[40] d; }",
            15,
        ),
        (
            "struct { unsigned __CPROVER_bitvector[20] a : 7, b : 14; }",
            3,
        ),
        ("union { __CPROVER_bitvector[41] a; char b; }", 6),
    ] {
        let text = format!("int main(void) {{ assert(sizeof({ty}) == {size}); return 0; }}");
        assert_eq!(verdict(&text, Dialect::Cbmc), Ok('s'), "{ty}");
        let wrong = text.replace("==", "!=");
        assert_eq!(verdict(&wrong, Dialect::Cbmc), Ok('u'), "{ty}");
    }
}

/// As CBMC 6.6: one of more than 64 bits decides, an unsigned one of two, and the first of two alike.
#[test]
fn common_types_are_those_of_cbmc() {
    let names = |name: &str| match name {
        "i128" => "__int128".to_owned(),
        "u128" => "unsigned __int128".to_owned(),
        "long" | "unsigned long" => name.to_owned(),
        name => {
            let (sign, bits) = name.split_at(1);
            let sign = if sign == "u" { "unsigned " } else { "" };
            format!("{sign}__CPROVER_bitvector[{bits}]")
        }
    };
    for (a, b, size, is_signed) in [
        ("u65", "u100", 9, false),
        ("u100", "u65", 13, false),
        ("s65", "s100", 9, true),
        ("s65", "u100", 13, false),
        ("u65", "s100", 9, false),
        ("s65", "i128", 9, true),
        ("i128", "s65", 16, true),
        ("i128", "u65", 9, false),
        ("s65", "u128", 16, false),
        ("s100", "unsigned long", 13, true),
        ("u65", "long", 9, false),
        ("u30", "s33", 8, true),
        ("s33", "u64", 8, false),
        ("u33", "long", 8, false),
    ] {
        let text = format!(
            "{} a; {} b; int main(void) {{ a = 0; b = 0; \
             assert(sizeof(a + b) == {size} && (a - b - 1 < 0) == {}); return 0; }}",
            names(a),
            names(b),
            u32::from(is_signed)
        );
        assert_eq!(verdict(&text, Dialect::Cbmc), Ok('s'), "{a} {b}");
    }
}
