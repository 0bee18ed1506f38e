//! Random expressions without undefined behaviour and without side effects: the range of each value is
//! tracked, and an operand that could cause an overflow is masked first.

use fastrand::Rng;

use super::types::{INT, Scalar, bits_range};

/// An expression, its type, and a range that holds its value (integers only).
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) ty: Scalar,
    low: i128,
    high: i128,
    /// A bit-field wider than `int`, whose type differs between compilers: operations on it are limited to
    /// those that cannot overflow in fewer bits.
    wide_field: bool,
}

impl Value {
    pub(crate) fn of(text: impl Into<String>, ty: Scalar) -> Self {
        let (low, high) = ty.range();
        Self::between(text, ty, low, high)
    }

    fn between(text: impl Into<String>, ty: Scalar, low: i128, high: i128) -> Self {
        let text = text.into();
        Self {
            text,
            ty,
            low,
            high,
            wide_field: false,
        }
    }

    /// This text with the type after the integer promotions.
    fn promoted(mut self) -> Self {
        self.ty = self.ty.promoted();
        self
    }
}

/// An lvalue that can be read, and written if `writable`.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// `@` is a placeholder for an index, `#` for the mask that keeps it in bounds.
    pub(crate) text: String,
    pub(crate) ty: Scalar,
    /// The width of a bit-field.
    pub(crate) bits: Option<u32>,
    /// The number of elements that each `@` selects from, a power of two.
    pub(crate) elements: u32,
    pub(crate) writable: bool,
}

impl Place {
    pub(crate) fn scalar(text: impl Into<String>, ty: Scalar) -> Self {
        Self {
            text: text.into(),
            ty,
            bits: None,
            elements: 1,
            writable: true,
        }
    }

    fn value(&self, text: String) -> Value {
        let Some(bits) = self.bits else {
            return Value::of(text, self.ty);
        };
        let (low, high) = if self.ty == Scalar::Bool {
            (0, 1)
        } else {
            bits_range(bits, self.ty.is_signed())
        };
        // C11 6.3.1.1: a bit-field whose values fit into `int` is promoted to it, whatever its declared type.
        let fits = bits < 32 || bits == 32 && self.ty.is_signed();
        Value {
            text,
            ty: if fits { INT } else { self.ty },
            low,
            high,
            wide_field: bits > 32,
        }
    }
}

/// Generates expressions over places.
pub(crate) struct Expressions<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) floats: bool,
    pub(crate) places: Vec<Place>,
    /// Constants of enumerations.
    pub(crate) constants: Vec<String>,
}

impl Expressions<'_> {
    pub(crate) fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(..n) == 0
    }

    /// Any scalar expression.
    pub(crate) fn any(&mut self, depth: u32) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        match self.rng.u32(..34) {
            0..4 => self.leaf(),
            4..10 => self.additive(depth),
            10..12 => self.product(depth),
            12..14 => self.quotient(depth),
            14..18 => self.bitwise(depth),
            18..21 => self.shift(depth),
            21..24 => self.comparison(depth),
            24 => self.logical(depth),
            25..27 => self.unary(depth),
            27..29 => self.conditional(depth),
            29..32 => self.cast(depth),
            32 => self.generic(depth),
            _ => self.other(depth),
        }
    }

    /// An integer expression.
    pub(crate) fn integer(&mut self, depth: u32) -> Value {
        let value = self.any(depth);
        Self::as_integer(value)
    }

    /// A text that is an index below `elements`, a power of two.
    fn index(&mut self, elements: u32, depth: u32) -> String {
        let value = self.integer(depth);
        format!("({} & {})", value.text, elements - 1)
    }

    /// The text of a place, with its indices chosen.
    pub(crate) fn reference(&mut self, place: &Place, depth: u32) -> String {
        let mut text = String::new();
        for c in place.text.chars() {
            if c == '@' {
                let index = self.index(place.elements, depth);
                text.push_str(&index);
            } else {
                text.push(c);
            }
        }
        text
    }

    /// A condition.
    pub(crate) fn condition(&mut self, depth: u32) -> String {
        let value = self.any(depth);
        value.text
    }

    fn leaf(&mut self) -> Value {
        if !self.places.is_empty() && !self.one_in(4) {
            let place = self.places[self.rng.usize(..self.places.len())].clone();
            let text = self.reference(&place, 0);
            return place.value(text);
        }
        self.constant()
    }

    pub(crate) fn constant(&mut self) -> Value {
        let small = i128::from(self.rng.u32(..300));
        match self.rng.u32(..14) {
            0 if self.floats => {
                let text = ["0.5", "1.0", "3.25e3", "1e-3", "0x1.8p-4"][self.rng.usize(..5)];
                Value::of(text, Scalar::Double)
            }
            1 if self.floats => Value::of(
                ["0.5f", "2.0f", "1e10f"][self.rng.usize(..3)],
                Scalar::Float,
            ),
            2 if !self.constants.is_empty() => {
                let name = self.constants[self.rng.usize(..self.constants.len())].clone();
                Value::between(name, INT, -70_000, 70_000)
            }
            3 => Value::between(
                ["'a'", "'\\377'", "'\\x80'", "'\\n'"][self.rng.usize(..4)],
                INT,
                -128,
                127,
            ),
            4 => Value::between(
                format!("(\"seven\\201\")[{}]", self.rng.u32(..7)),
                INT,
                -128,
                127,
            ),
            5 => {
                let large = u128::from(self.rng.u32(..));
                Value::of(format!("0x{large:x}u"), Scalar::INTEGER_UNSIGNED)
            }
            6 => {
                let large = self.rng.u64(..);
                Value::of(format!("0x{large:x}ull"), Scalar::LONG_LONG_UNSIGNED)
            }
            7 => {
                let (suffix, ty) = [
                    ("u", Scalar::INTEGER_UNSIGNED),
                    ("ll", Scalar::LONG_LONG),
                    ("ull", Scalar::LONG_LONG_UNSIGNED),
                ][self.rng.usize(..3)];
                Value::between(format!("{small}{suffix}"), ty, small, small)
            }
            8 => {
                let ty = Scalar::random_integer(self.rng);
                let text = format!("({})-{small}", ty.name());
                Value::of(format!("({text})"), ty)
            }
            9 => Value::between(format!("(-{small})"), INT, -small, -small),
            _ => Value::between(small.to_string(), INT, small, small),
        }
    }

    /// A value between 0 and `mask` computed from this one.
    fn masked(value: Value, mask: i128) -> Value {
        let value = Self::as_integer(value);
        let ty = value.ty.common(INT);
        Value::between(format!("({} & {mask})", value.text), ty, 0, mask)
    }

    /// An integer computed from a floating value: 0 if it is too large, or NaN.
    fn as_integer(value: Value) -> Value {
        if !value.ty.is_float() {
            return value;
        }
        let text = &value.text;
        let text = format!("(({text}) > -1e6 && ({text}) < 1e6 ? (int)({text}) : 0)");
        Value::between(text, INT, -1_000_000, 1_000_000)
    }

    fn narrow_mask(&mut self) -> i128 {
        [1, 7, 15, 63, 255, 1023][self.rng.usize(..6)]
    }

    /// A wide bit-field as an operand of arithmetic that may overflow in the bits of the field.
    fn cast_wide(value: Value) -> Value {
        if !value.wide_field {
            return value;
        }
        Value::between(
            format!("(({}){})", value.ty.name(), value.text),
            value.ty,
            value.low,
            value.high,
        )
    }

    fn additive(&mut self, depth: u32) -> Value {
        let mut a = Self::cast_wide(self.any(depth - 1));
        let mut b = Self::cast_wide(self.any(depth - 1));
        let minus = self.rng.bool();
        let op = if minus { "-" } else { "+" };
        let ty = a.ty.common(b.ty);
        if ty.is_float() || !ty.is_signed() {
            return Value::of(format!("({} {op} {})", a.text, b.text), ty);
        }
        let sum = |a: &Value, b: &Value| {
            let (low, high) = if minus {
                (b.high, b.low)
            } else {
                (b.low, b.high)
            };
            if minus {
                Some((a.low.checked_sub(low)?, a.high.checked_sub(high)?))
            } else {
                Some((a.low.checked_add(low)?, a.high.checked_add(high)?))
            }
        };
        let fits = |range: Option<(i128, i128)>| {
            range.filter(|&(low, high)| low >= ty.range().0 && high <= ty.range().1)
        };
        if fits(sum(&a, &b)).is_none() {
            let mask = self.narrow_mask();
            a = Self::masked(a, mask);
            b = Self::masked(b, mask);
        }
        let ty = a.ty.common(b.ty);
        let (low, high) = sum(&a, &b).expect("masked operands are small");
        Value::between(format!("({} {op} {})", a.text, b.text), ty, low, high)
    }

    fn product(&mut self, depth: u32) -> Value {
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        if a.ty.is_float() || b.ty.is_float() {
            return Value::of(format!("({} * {})", a.text, b.text), a.ty.common(b.ty));
        }
        let (m, n) = (self.narrow_mask(), self.narrow_mask());
        let (a, b) = (Self::masked(a, m), Self::masked(b, n));
        Value::between(
            format!("({} * {})", a.text, b.text),
            a.ty.common(b.ty),
            0,
            m * n,
        )
    }

    fn quotient(&mut self, depth: u32) -> Value {
        let a = self.any(depth - 1);
        let b = Self::masked(self.any(depth - 1), 7);
        if a.ty.is_float() {
            return Value::of(format!("({} / ({} | 1))", a.text, b.text), a.ty);
        }
        let a = if a.ty.width() > 16 && !self.one_in(8) {
            Self::masked(a, 1023)
        } else {
            Self::cast_wide(a)
        };
        let op = if self.rng.bool() { "/" } else { "%" };
        let ty = a.ty.common(b.ty);
        Value::of(format!("({} {op} ({} | 1))", a.text, b.text), ty)
    }

    fn bitwise(&mut self, depth: u32) -> Value {
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        let op = ["&", "|", "^"][self.rng.usize(..3)];
        let wide_field = a.wide_field || b.wide_field;
        let mut value = Value::of(format!("({} {op} {})", a.text, b.text), a.ty.common(b.ty));
        value.wide_field = wide_field;
        value
    }

    fn shift(&mut self, depth: u32) -> Value {
        let mut a = self.integer(depth - 1).promoted();
        let b = self.integer(depth - 1);
        let left = self.rng.bool();
        if left && a.ty.is_signed() {
            let a = Self::masked(a, 255);
            return Value::between(
                format!("({} << ({} & 7))", a.text, b.text),
                a.ty,
                0,
                255 << 7,
            );
        }
        // A shift of a wide field uses its own width.
        if a.wide_field && self.rng.bool() {
            a = Self::cast_wide(a);
        }
        let most = if a.wide_field { 31 } else { a.ty.width() - 1 };
        let op = if left { "<<" } else { ">>" };
        let mut value = Value::of(format!("({} {op} ({} & {most}))", a.text, b.text), a.ty);
        value.wide_field = a.wide_field;
        value
    }

    fn comparison(&mut self, depth: u32) -> Value {
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        let op = ["<", ">", "<=", ">=", "==", "!="][self.rng.usize(..6)];
        Value::between(format!("({} {op} {})", a.text, b.text), INT, 0, 1)
    }

    fn logical(&mut self, depth: u32) -> Value {
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        let op = if self.rng.bool() { "&&" } else { "||" };
        Value::between(format!("({} {op} {})", a.text, b.text), INT, 0, 1)
    }

    fn unary(&mut self, depth: u32) -> Value {
        let value = self.any(depth - 1);
        if self.one_in(3) {
            return Value::between(format!("(!{})", value.text), INT, 0, 1);
        }
        if value.ty.is_float() {
            return Value::of(format!("(-{})", value.text), value.ty);
        }
        if self.rng.bool() {
            let ty = value.ty.promoted();
            let mut result = Value::of(format!("(~{})", value.text), ty);
            result.wide_field = value.wide_field;
            return result;
        }
        let value = Self::cast_wide(value).promoted();
        if !value.ty.is_signed() {
            return Value::of(format!("(-{})", value.text), value.ty);
        }
        let value = if value.low > value.ty.range().0 {
            value
        } else {
            Self::masked(value, 1023)
        };
        Value::between(
            format!("(-{})", value.text),
            value.ty,
            -value.high,
            -value.low,
        )
    }

    fn conditional(&mut self, depth: u32) -> Value {
        let condition = self.condition(depth - 1);
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        let ty = a.ty.common(b.ty);
        let text = format!("({condition} ? {} : {})", a.text, b.text);
        let mut value = if ty.is_signed() {
            Value::between(text, ty, a.low.min(b.low), a.high.max(b.high))
        } else {
            Value::of(text, ty)
        };
        value.wide_field = a.wide_field || b.wide_field;
        value
    }

    fn cast(&mut self, depth: u32) -> Value {
        let ty = Scalar::random(self.rng, self.floats);
        let value = self.any(depth - 1);
        let value = if ty.is_float() || ty == Scalar::Bool {
            value
        } else {
            Self::as_integer(value)
        };
        Value::of(format!("(({}){})", ty.name(), value.text), ty)
    }

    /// The number of its type by `_Generic`, which tests conversions and promotions.
    fn generic(&mut self, depth: u32) -> Value {
        let value = self.any(depth - 1);
        let text = format!(
            "_Generic(({}), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, \
             unsigned short: 6, int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, \
             unsigned long long: 12, float: 13, double: 14, default: 15)",
            value.text
        );
        // The type of a wide field differs between compilers.
        if value.wide_field {
            return Value::between("1", INT, 1, 1);
        }
        Value::between(text, INT, 1, 15)
    }

    fn other(&mut self, depth: u32) -> Value {
        match self.rng.u32(..4) {
            0 => {
                let (a, b) = (self.any(depth - 1), self.any(depth - 1));
                Value {
                    text: format!("({}, {})", a.text, b.text),
                    ..b.promoted()
                }
            }
            1 => {
                let value = self.any(depth - 1);
                if value.wide_field {
                    return value;
                }
                let text = format!("sizeof(+{})", value.text);
                Value::between(text, Scalar::LONG_UNSIGNED, 1, 16)
            }
            2 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                let ty = Scalar::random_integer(self.rng);
                let index = self.index(2, 0);
                let name = ty.name();
                Value::of(
                    format!("(({name}[]){{{}, {}}})[{index}]", a.text, b.text),
                    ty,
                )
            }
            _ => {
                let value = self.integer(depth - 1);
                let ty = Scalar::random_integer(self.rng);
                let text = format!("({{ {} t = {}; t; }})", ty.name(), value.text);
                Value::of(text, ty)
            }
        }
    }
}
