//! The operators: their names, operands and sorts.

use craig_word::Sort;

/// An operator of BTOR2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[rustfmt::skip]
pub enum Operator {
    /// Extension by this number of zeros.
    Uext(u32),
    /// Extension by this number of copies of the sign.
    Sext(u32),
    /// The bits from the first position down to the second, both included.
    Slice(u32, u32),
    /// Bitwise negation.
    Not,
    /// One more.
    Inc,
    /// One less.
    Dec,
    /// Negation in two's complement.
    Neg,
    /// Whether all bits are 1.
    Redand,
    /// Whether some bit is 1.
    Redor,
    /// The parity.
    Redxor,
    /// Equivalence of bits.
    Iff,
    /// Implication of bits.
    Implies,
    /// Equality, also of arrays.
    Eq,
    /// Inequality, also of arrays.
    Neq,
    /// Unsigned, greater.
    Ugt,
    /// Signed, greater.
    Sgt,
    /// Unsigned, greater or equal.
    Ugte,
    /// Signed, greater or equal.
    Sgte,
    /// Unsigned, less.
    Ult,
    /// Signed, less.
    Slt,
    /// Unsigned, less or equal.
    Ulte,
    /// Signed, less or equal.
    Slte,
    /// Bitwise conjunction.
    And,
    /// Negated conjunction.
    Nand,
    /// Negated disjunction.
    Nor,
    /// Bitwise disjunction.
    Or,
    /// Negated exclusive or.
    Xnor,
    /// Exclusive or.
    Xor,
    /// Rotation to the left by the second word, modulo the width.
    Rol,
    /// Rotation to the right.
    Ror,
    /// Shift to the left by the second word; 0 from the width on.
    Sll,
    /// Shift to the right that copies the sign.
    Sra,
    /// Shift to the right.
    Srl,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Unsigned quotient; all ones for divisor 0.
    Udiv,
    /// Signed quotient, rounded towards 0; for divisor 0: 1 if the dividend is negative, else -1.
    Sdiv,
    /// Signed remainder with the sign of the divisor; the dividend for divisor 0.
    Smod,
    /// Unsigned remainder; the dividend for divisor 0.
    Urem,
    /// Signed remainder with the sign of the dividend; the dividend for divisor 0.
    Srem,
    /// Difference.
    Sub,
    /// Whether the unsigned sum does not fit.
    Uaddo,
    /// Whether the signed sum does not fit.
    Saddo,
    /// Whether the signed quotient does not fit: the least number divided by -1.
    Sdivo,
    /// Whether the unsigned product does not fit.
    Umulo,
    /// Whether the signed product does not fit.
    Smulo,
    /// Whether the unsigned difference is negative.
    Usubo,
    /// Whether the signed difference does not fit.
    Ssubo,
    /// The first word above the second.
    Concat,
    /// The element of an array at an index.
    Read,
    /// The second operand if the first is 1, else the third; also of arrays.
    Ite,
    /// The array with the element at an index replaced.
    Write,
}

use Operator as O;

/// The operators without numbers in their lines, with their names.
#[rustfmt::skip]
pub(super) const NAMED: &[(&str, Operator)] = &[
    ("not", O::Not), ("inc", O::Inc), ("dec", O::Dec), ("neg", O::Neg),
    ("redand", O::Redand), ("redor", O::Redor), ("redxor", O::Redxor),
    ("iff", O::Iff), ("implies", O::Implies), ("eq", O::Eq), ("neq", O::Neq),
    ("ugt", O::Ugt), ("sgt", O::Sgt), ("ugte", O::Ugte), ("sgte", O::Sgte),
    ("ult", O::Ult), ("slt", O::Slt), ("ulte", O::Ulte), ("slte", O::Slte),
    ("and", O::And), ("nand", O::Nand), ("nor", O::Nor), ("or", O::Or), ("xnor", O::Xnor), ("xor", O::Xor),
    ("rol", O::Rol), ("ror", O::Ror), ("sll", O::Sll), ("sra", O::Sra), ("srl", O::Srl),
    ("add", O::Add), ("mul", O::Mul), ("udiv", O::Udiv), ("sdiv", O::Sdiv), ("smod", O::Smod),
    ("urem", O::Urem), ("srem", O::Srem), ("sub", O::Sub),
    ("uaddo", O::Uaddo), ("saddo", O::Saddo), ("sdivo", O::Sdivo), ("umulo", O::Umulo),
    ("smulo", O::Smulo), ("usubo", O::Usubo), ("ssubo", O::Ssubo),
    ("concat", O::Concat), ("read", O::Read), ("ite", O::Ite), ("write", O::Write),
];

impl Operator {
    /// The operator's name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Uext(_) => "uext",
            Self::Sext(_) => "sext",
            Self::Slice(..) => "slice",
            _ => NAMED
                .iter()
                .find(|(_, operator)| *operator == self)
                .map_or("", |(name, _)| name),
        }
    }

    /// The number of operands.
    #[must_use]
    pub fn arity(self) -> usize {
        match self {
            Self::Uext(_) | Self::Sext(_) | Self::Slice(..) => 1,
            Self::Not | Self::Inc | Self::Dec | Self::Neg => 1,
            Self::Redand | Self::Redor | Self::Redxor => 1,
            Self::Ite | Self::Write => 3,
            _ => 2,
        }
    }

    /// The sort of the result for operands of these sorts.
    ///
    /// # Errors
    /// If the operator has no such operands: what it expects.
    pub(super) fn result(self, operands: &[Sort]) -> Result<Sort, String> {
        const BIT: Sort = Sort::BitVector(1);
        let word = |operand: usize| match operands[operand] {
            Sort::BitVector(width) => Ok(width),
            sort @ Sort::Array { .. } => Err(format!(
                "operand {} of `{}` has to be a bit-vector, and is {}",
                operand + 1,
                self.name(),
                describe(sort)
            )),
        };
        let same = |first: usize, second: usize| match operands[first] == operands[second] {
            true => Ok(()),
            false => Err(format!(
                "operands {} and {} of `{}` have to be of the same sort, and are {} and {}",
                first + 1,
                second + 1,
                self.name(),
                describe(operands[first]),
                describe(operands[second])
            )),
        };
        let bit = |operand: usize| match operands[operand] == BIT {
            true => Ok(()),
            false => Err(format!(
                "operand {} of `{}` has to be a bit-vector of width 1, and is {}",
                operand + 1,
                self.name(),
                describe(operands[operand])
            )),
        };
        let array = || match operands[0] {
            Sort::Array { index, element } => Ok((index, element)),
            sort @ Sort::BitVector(_) => Err(format!(
                "operand 1 of `{}` has to be an array, and is {}",
                self.name(),
                describe(sort)
            )),
        };
        let part = |operand: usize, what: &str, width: u32| match operands[operand] {
            Sort::BitVector(found) if found == width => Ok(()),
            sort => Err(format!(
                "operand {} of `{}` has to be {what} of the array, {}, and is {}",
                operand + 1,
                self.name(),
                describe(Sort::BitVector(width)),
                describe(sort)
            )),
        };
        let sum = |left: u32, right: u32| {
            left.checked_add(right)
                .filter(|&width| width <= super::MAX_WIDTH)
                .map(Sort::BitVector)
                .ok_or_else(|| format!("the result of `{}` is too wide", self.name()))
        };
        match self {
            Self::Uext(by) | Self::Sext(by) => sum(word(0)?, by),
            Self::Slice(upper, lower) => {
                let width = word(0)?;
                if upper >= width || lower > upper {
                    return Err(format!(
                        "`slice` needs positions u >= l below the operand's width {width}, and has u = {upper}, \
                         l = {lower}"
                    ));
                }
                Ok(Sort::BitVector(upper - lower + 1))
            }
            Self::Not | Self::Inc | Self::Dec | Self::Neg => word(0).map(Sort::BitVector),
            Self::Redand | Self::Redor | Self::Redxor => word(0).map(|_| BIT),
            Self::Iff | Self::Implies => bit(0).and(bit(1)).map(|()| BIT),
            Self::Eq | Self::Neq => same(0, 1).map(|()| BIT),
            Self::Concat => sum(word(0)?, word(1)?),
            Self::Read => {
                let (index, element) = array()?;
                part(1, "an index", index)?;
                Ok(Sort::BitVector(element))
            }
            Self::Write => {
                let (index, element) = array()?;
                part(1, "an index", index)?;
                part(2, "an element", element)?;
                Ok(operands[0])
            }
            Self::Ite => {
                bit(0)?;
                same(1, 2)?;
                Ok(operands[1])
            }
            _ => {
                let width = word(0)?;
                word(1)?;
                same(0, 1)?;
                Ok(match self.is_predicate() {
                    true => BIT,
                    false => Sort::BitVector(width),
                })
            }
        }
    }

    /// Whether it compares two words, or states that a result does not fit.
    fn is_predicate(self) -> bool {
        matches!(
            self,
            O::Ugt | O::Sgt | O::Ugte | O::Sgte | O::Ult | O::Slt | O::Ulte | O::Slte
        ) || matches!(
            self,
            O::Uaddo | O::Saddo | O::Sdivo | O::Umulo | O::Smulo | O::Usubo | O::Ssubo
        )
    }
}

/// A sort in words.
pub(super) fn describe(sort: Sort) -> String {
    match sort {
        Sort::BitVector(width) => format!("a bit-vector of width {width}"),
        Sort::Array { index, element } => {
            format!("an array from width {index} to width {element}")
        }
    }
}
