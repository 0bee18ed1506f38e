//! Terms as expressions of C.

use super::machine::to_signed;
use super::op::Op;
use super::term::{Node, Term, Terms};

/// Larger terms are not written; a shared operand counts each time.
const MAX_OPERATORS: usize = 400;

/// How tightly operators of C bind.
mod binding {
    pub(super) const PRIMARY: u8 = 16;
    pub(super) const UNARY: u8 = 14;
    pub(super) const PRODUCT: u8 = 13;
    pub(super) const SUM: u8 = 12;
    pub(super) const SHIFT: u8 = 11;
    pub(super) const ORDER: u8 = 10;
    pub(super) const EQUALITY: u8 = 9;
    pub(super) const AND: u8 = 8;
    pub(super) const XOR: u8 = 7;
    pub(super) const BOTH: u8 = 5;
    pub(super) const EITHER: u8 = 4;
    pub(super) const CHOICE: u8 = 3;
}

/// A variable of C: its name, and whether its type is signed. The width of the type is that of the term.
pub type CVariable = (String, bool);

/// An expression of an integer type of C as wide as its term; of a term of another width, an expression of
/// the type `unsigned` with the term's value.
struct Value {
    text: String,
    binding: u8,
    is_signed: bool,
}

struct Writer<'a> {
    terms: &'a Terms,
    variable: &'a dyn Fn(Term) -> Option<CVariable>,
    left: usize,
}

impl Terms {
    /// An expression of C that is true where the term, of one bit, is. `variable` names the variables.
    /// `None` if a variable has no name, C has no expression for an operator without undefined behaviour, or
    /// the term is large.
    ///
    /// # Panics
    /// If the term has more than one bit.
    #[must_use]
    pub fn c_condition(
        &self,
        term: Term,
        variable: &dyn Fn(Term) -> Option<CVariable>,
    ) -> Option<String> {
        assert_eq!(self.width(term), 1, "a condition has one bit");
        let mut writer = Writer {
            terms: self,
            variable,
            left: MAX_OPERATORS,
        };
        Some(writer.condition(term, false)?.0)
    }
}

fn is_of_c(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64)
}

/// The type of C of that width.
fn type_name(width: u32, is_signed: bool) -> &'static str {
    match (width, is_signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        (_, true) => "int",
        (_, false) => "unsigned",
    }
}

fn literal(value: u128, width: u32, is_signed: bool) -> Value {
    let suffix = match (width, is_signed) {
        (64, true) => "LL",
        (64, false) => "ULL",
        (8 | 16, _) | (_, true) => "",
        (_, false) => "U",
    };
    let number = if is_signed {
        to_signed(value, width)
    } else {
        value as i128
    };
    // The least number has no literal of its own.
    let is_least = is_signed && width >= 32 && number == -(1 << (width - 1));
    let text = match is_least {
        true => format!("({}{suffix} - 1)", number + 1),
        false => format!("{number}{suffix}"),
    };
    Value {
        text,
        binding: if number < 0 && !is_least {
            binding::UNARY
        } else {
            binding::PRIMARY
        },
        is_signed,
    }
}

/// The text of an operand of an operator that binds that tightly.
fn operand((text, own): (&str, u8), binding: u8) -> String {
    match own < binding {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}

impl Value {
    fn of_unsigned(text: String, binding: u8) -> Self {
        Self {
            text,
            binding,
            is_signed: false,
        }
    }

    fn operand(&self, binding: u8) -> String {
        operand((&self.text, self.binding), binding)
    }

    fn cast(self, width: u32, is_signed: bool) -> Self {
        let text = format!(
            "({}){}",
            type_name(width, is_signed),
            self.operand(binding::UNARY)
        );
        Self {
            text,
            binding: binding::UNARY,
            is_signed,
        }
    }
}

impl Writer<'_> {
    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// A truth value, or its negation, with the binding of its operator.
    fn condition(&mut self, term: Term, is_negated: bool) -> Option<(String, u8)> {
        self.spend()?;
        match self.terms.node(term) {
            Node::Const(value) => {
                let is_true = (value == 1) != is_negated;
                Some((u8::from(is_true).to_string(), binding::PRIMARY))
            }
            Node::Not(inner) => self.condition(inner, !is_negated),
            Node::Binary(Op::And, a, b) => {
                let (sign, own) = match is_negated {
                    true => ("||", binding::EITHER),
                    false => ("&&", binding::BOTH),
                };
                let (a, b) = (
                    self.condition(a, is_negated)?,
                    self.condition(b, is_negated)?,
                );
                // Conjunctions in disjunctions have parentheses, for readers.
                let part = |(text, binding): (String, u8)| match binding == own {
                    true => text,
                    false => operand((&text, binding), binding::EQUALITY),
                };
                Some((format!("{} {sign} {}", part(a), part(b)), own))
            }
            Node::Binary(op @ (Op::Eq | Op::Xor), a, b) if self.terms.width(a) == 1 => {
                let is_equal = (op == Op::Eq) != is_negated;
                let (a, b) = (self.condition(a, false)?, self.condition(b, false)?);
                let sign = if is_equal { "==" } else { "!=" };
                let part = |(text, _): (String, u8)| format!("!({text})");
                Some((format!("{} {sign} {}", part(a), part(b)), binding::EQUALITY))
            }
            Node::Binary(Op::Eq, a, b) => self.equality(a, b, is_negated),
            Node::Binary(Op::Ult, a, b) => self.order(a, b, false, is_negated),
            Node::Binary(Op::Slt, a, b) => self.order(a, b, true, is_negated),
            Node::Extract(whole, low) => self.bit(whole, low, is_negated),
            Node::Ite(condition, then, otherwise) => {
                let condition = self.condition(condition, false)?;
                let then = self.condition(then, is_negated)?;
                let otherwise = self.condition(otherwise, is_negated)?;
                let part = |(text, own): &(String, u8)| operand((text, *own), binding::EITHER);
                let text = format!(
                    "{} ? {} : {}",
                    part(&condition),
                    part(&then),
                    part(&otherwise)
                );
                Some((text, binding::CHOICE))
            }
            Node::Var(_) => {
                let (name, _) = (self.variable)(term)?;
                Some(match is_negated {
                    true => (format!("!{name}"), binding::UNARY),
                    false => (name, binding::PRIMARY),
                })
            }
            _ => None,
        }
    }

    fn equality(&mut self, a: Term, b: Term, is_negated: bool) -> Option<(String, u8)> {
        let sign = if is_negated { "!=" } else { "==" };
        let (mut a, mut b) = (a, b);
        if self.terms.is_constant(a) {
            (a, b) = (b, a);
        }
        // The lowest bits are a remainder.
        if let (Node::Extract(whole, 0), Some(0)) =
            (self.terms.node(a), self.terms.constant_value(b))
            && let Some(text) = self.remainder(whole, self.terms.width(a))
        {
            return Some((format!("{text} {sign} 0"), binding::EQUALITY));
        }
        let left = self.value(a)?;
        let right = match self.terms.constant_value(b) {
            Some(value) => literal(value, self.terms.width(b), left.is_signed),
            None => self.value(b)?,
        };
        let (left, right) = if left.is_signed == right.is_signed {
            (left, right)
        } else {
            let width = self.terms.width(a);
            (unsigned(left, width), unsigned(right, width))
        };
        let (left, right) = (left.operand(binding::ORDER), right.operand(binding::ORDER));
        Some((format!("{left} {sign} {right}"), binding::EQUALITY))
    }

    /// `a < b`, or `b <= a`.
    fn order(
        &mut self,
        a: Term,
        b: Term,
        is_signed: bool,
        is_negated: bool,
    ) -> Option<(String, u8)> {
        if is_signed && !is_of_c(self.terms.width(a)) {
            return None;
        }
        let (left, right) = (self.typed(a, is_signed)?, self.typed(b, is_signed)?);
        let (left, right) = (left.operand(binding::SHIFT), right.operand(binding::SHIFT));
        let text = match (is_negated, self.terms.is_constant(a)) {
            (false, false) => format!("{left} < {right}"),
            (false, true) => format!("{right} > {left}"),
            (true, true) => format!("{right} <= {left}"),
            (true, false) if self.terms.is_constant(b) => format!("{left} >= {right}"),
            (true, false) => format!("{right} <= {left}"),
        };
        Some((text, binding::ORDER))
    }

    fn remainder(&mut self, whole: Term, bits: u32) -> Option<String> {
        let width = self.terms.width(whole);
        if !is_of_c(width) || bits >= 31 || bits >= width {
            return None;
        }
        let whole = self.value(whole)?;
        Some(format!(
            "{} % {}",
            whole.operand(binding::PRODUCT),
            1u32 << bits
        ))
    }

    /// One bit of a term.
    fn bit(&mut self, whole: Term, low: u32, is_negated: bool) -> Option<(String, u8)> {
        let width = self.terms.width(whole);
        if low == 0
            && let Some(text) = self.remainder(whole, 1)
        {
            let sign = if is_negated { "==" } else { "!=" };
            return Some((format!("{text} {sign} 0"), binding::EQUALITY));
        }
        if low + 1 == width && is_of_c(width) {
            let text = self.typed(whole, true)?.operand(binding::SHIFT);
            let sign = if is_negated { ">=" } else { "<" };
            return Some((format!("{text} {sign} 0"), binding::ORDER));
        }
        let text = self.typed(whole, false)?.operand(binding::SHIFT);
        let sign = if is_negated { "==" } else { "!=" };
        Some((format!("({text} >> {low} & 1) {sign} 0"), binding::EQUALITY))
    }

    /// A value of the signed or the unsigned type.
    fn typed(&mut self, term: Term, is_signed: bool) -> Option<Value> {
        let width = self.terms.width(term);
        if let Some(value) = self.terms.constant_value(term) {
            return (width <= 64).then(|| literal(value, width, is_signed));
        }
        let value = self.value(term)?;
        Some(match value.is_signed == is_signed {
            true => value,
            false => value.cast(width, is_signed),
        })
    }

    fn value(&mut self, term: Term) -> Option<Value> {
        self.spend()?;
        let width = self.terms.width(term);
        // A result of a narrow type is converted back to it.
        let narrow = |value: Value| match width {
            8 | 16 => value.cast(width, false),
            _ => value,
        };
        if let Node::Extract(whole, low) = self.terms.node(term)
            && is_of_c(self.terms.width(whole))
        {
            return self.extract(whole, low, width);
        }
        if !is_of_c(width) {
            return None;
        }
        match self.terms.node(term) {
            Node::Const(value) => Some(literal(value, width, false)),
            Node::Var(_) => {
                let (text, is_signed) = (self.variable)(term)?;
                Some(Value {
                    text,
                    binding: binding::PRIMARY,
                    is_signed,
                })
            }
            Node::Not(a) => {
                let text = format!("~{}", self.typed(a, false)?.operand(binding::UNARY));
                Some(narrow(Value::of_unsigned(text, binding::UNARY)))
            }
            Node::Binary(op, a, b) => Some(narrow(self.binary(op, a, b)?)),
            Node::Ite(condition, then, otherwise) => {
                let (text, own) = self.condition(condition, false)?;
                let (then, otherwise) = (self.typed(then, false)?, self.typed(otherwise, false)?);
                let text = format!(
                    "{} ? {} : {}",
                    operand((&text, own), binding::EITHER),
                    then.operand(binding::EITHER),
                    otherwise.operand(binding::EITHER)
                );
                Some(narrow(Value::of_unsigned(text, binding::CHOICE)))
            }
            Node::Concat(high, low) if self.terms.is_zero(low) && width >= 32 => {
                self.multiple(high, self.terms.width(low), width)
            }
            Node::ZExt(a) if self.terms.width(a) == 1 => {
                let (text, own) = self.condition(a, false)?;
                let truth = Value::of_unsigned(
                    format!("!!{}", operand((&text, own), binding::UNARY)),
                    binding::UNARY,
                );
                Some(truth.cast(width, false))
            }
            Node::ZExt(a) if is_of_c(self.terms.width(a)) => {
                Some(self.typed(a, false)?.cast(width, false))
            }
            Node::SExt(a) if is_of_c(self.terms.width(a)) => {
                Some(self.typed(a, true)?.cast(width, true))
            }
            _ => None,
        }
    }
    /// Bits of a word of a type of C.
    fn extract(&mut self, whole: Term, low: u32, width: u32) -> Option<Value> {
        let text = self.typed(whole, false)?;
        if low == 0 && is_of_c(width) {
            return Some(text.cast(width, false));
        }
        if width >= 32 {
            return None;
        }
        let text = match low {
            0 => text.operand(binding::EQUALITY),
            _ => format!("{} >> {low}", text.operand(binding::SHIFT)),
        };
        let mask = (1u64 << width) - 1;
        let value = Value::of_unsigned(format!("{text} & {mask}U"), binding::AND);
        Some(value.cast(32, false))
    }

    /// The result of an operator, before it is converted to its type.
    fn binary(&mut self, op: Op, a: Term, b: Term) -> Option<Value> {
        let width = self.terms.width(a);
        let divisor = self.terms.constant_value(b);
        let (sign, own) = match op {
            Op::And => ("&", binding::AND),
            Op::Xor => ("^", binding::XOR),
            Op::Add => ("+", binding::SUM),
            Op::Sub => ("-", binding::SUM),
            // A product of narrow types could overflow the type `int`.
            Op::Mul if width >= 32 => ("*", binding::PRODUCT),
            Op::UDiv if divisor.is_some_and(|value| value != 0) => ("/", binding::PRODUCT),
            Op::URem if divisor.is_some_and(|value| value != 0) => ("%", binding::PRODUCT),
            Op::Shl if width >= 32 && divisor.is_some_and(|by| by < u128::from(width)) => {
                ("<<", binding::SHIFT)
            }
            Op::LShr if divisor.is_some_and(|by| by < u128::from(width)) => (">>", binding::SHIFT),
            _ => return None,
        };
        let (a, b) = (self.typed(a, false)?, self.typed(b, false)?);
        let text = format!("{} {sign} {}", a.operand(own), b.operand(own + 1));
        Some(Value::of_unsigned(text, own))
    }

    /// The low bits of a word, shifted to the left: a multiple by a power of 2.
    fn multiple(&mut self, high: Term, by: u32, width: u32) -> Option<Value> {
        let Node::Extract(whole, 0) = self.terms.node(high) else {
            return None;
        };
        if self.terms.width(whole) != width {
            return None;
        }
        let whole = self.typed(whole, false)?.operand(binding::PRODUCT);
        let factor = literal(1u128 << by, width, false).text;
        Some(Value::of_unsigned(
            format!("{whole} * {factor}"),
            binding::PRODUCT,
        ))
    }
}

fn unsigned(value: Value, width: u32) -> Value {
    match value.is_signed {
        true => value.cast(width, false),
        false => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(build: impl Fn(&mut Terms, Term, Term) -> Term, is_signed: bool) -> Option<String> {
        let mut terms = Terms::new();
        let (x, n) = (terms.variable(32), terms.variable(32));
        let term = build(&mut terms, x, n);
        let name = |term: Term| {
            let name = if term == x { "x" } else { "n" };
            Some((name.to_owned(), is_signed))
        };
        terms.c_condition(term, &name)
    }

    #[test]
    fn comparisons_read_as_in_the_source() {
        let expected = |build: fn(&mut Terms, Term, Term) -> Term, signed: &str, unsigned: &str| {
            assert_eq!(written(build, true).as_deref(), Some(signed));
            assert_eq!(written(build, false).as_deref(), Some(unsigned));
        };
        expected(|t, x, n| t.sle(x, n), "x <= n", "(int)x <= (int)n");
        expected(|t, x, n| t.ult(x, n), "(unsigned)x < (unsigned)n", "x < n");
        expected(|t, x, n| t.eq(x, n), "x == n", "x == n");
        expected(
            |t, x, _| {
                let parity = t.extract(x, 0, 1);
                t.not(parity)
            },
            "x % 2 == 0",
            "x % 2 == 0",
        );
        expected(
            |t, x, _| {
                let low = t.extract(x, 0, 2);
                let zero = t.constant(0, 2);
                t.eq(low, zero)
            },
            "x % 4 == 0",
            "x % 4 == 0",
        );
        expected(
            |t, x, n| {
                let two = t.constant(2, 32);
                let twice = t.mul(n, two);
                t.eq(x, twice)
            },
            "(unsigned)x == (unsigned)n * 2U",
            "x == n * 2U",
        );
        expected(
            |t, x, _| {
                let bound = t.constant(10, 32);
                t.sle(x, bound)
            },
            "x <= 10",
            "(int)x <= 10",
        );
        expected(
            |t, x, _| {
                let zero = t.constant(0, 32);
                let negative = t.slt(x, zero);
                t.not(negative)
            },
            "x >= 0",
            "(int)x >= 0",
        );
    }

    #[test]
    fn combinations_have_parentheses_where_needed() {
        let text = written(
            |t, x, n| {
                let (less, equal) = (t.slt(x, n), t.eq(x, n));
                let zero = t.constant(0, 32);
                let positive = t.slt(zero, n);
                let first = t.and(less, positive);
                t.or(first, equal)
            },
            true,
        );
        let text = text.unwrap();
        assert!(
            text.contains(" || ") && text.contains("&&") && text.contains('('),
            "{text}"
        );
    }

    #[test]
    fn what_has_no_defined_expression_is_not_written() {
        // The divisor may be 0.
        let quotient = |t: &mut Terms, x: Term, n: Term| {
            let quotient = t.udiv(x, n);
            t.eq(quotient, n)
        };
        assert_eq!(written(quotient, true), None);
        // No type of C has 33 bits.
        let wide = |t: &mut Terms, x: Term, n: Term| {
            let (x, n) = (t.sext(x, 33), t.sext(n, 33));
            let sum = t.add(x, n);
            let bound = t.constant(5, 33);
            t.slt(sum, bound)
        };
        assert_eq!(written(wide, true), None);
    }
}
