//! Floats whose bits are read as those of another type. A NaN that an operation gives has a sign of which nothing is promised
//! (IEEE 754 6.3), so that the one in memory is open where a program may look at it.

use craig_word::Op;

use crate::ir::Expr;
use crate::types::{FloatType, Type};

use super::floating::landmarks;
use super::{Lowering, Result};

impl Lowering<'_> {
    /// Whether a float in memory may be read as another type.
    fn reads_float_bits(&self) -> bool {
        let is_float = |ty: &Type| match ty {
            Type::Array(element, _) => matches!(**element, Type::Float(_)),
            _ => matches!(ty, Type::Float(_)),
        };
        self.reads_bytes
            || self.types.records.iter().any(|record| {
                let fields = || record.fields.iter().map(|field| &field.ty);
                record.is_union && fields().any(is_float) && !fields().all(is_float)
            })
    }

    /// A float as it is stored: of a NaN, with any sign if the program may look at it.
    pub(super) fn stored_float(&mut self, format: FloatType, value: Expr) -> Result<Expr> {
        let is_small = matches!(format, FloatType::Single | FloatType::Double);
        if !is_small || !self.is_own_code() || !self.reads_float_bits() {
            return Ok(value);
        }
        let (width, infinity, _) = landmarks(format)?;
        let program = &mut self.program;
        let keep = program.constant((1 << (width - 1)) - 1, width);
        let magnitude = program.binary(Op::And, value, keep);
        let infinity = program.constant(infinity, width);
        let is_nan = program.binary(Op::Ult, infinity, magnitude);
        let zero = program.constant(0, width);
        let own = program.binary(Op::Slt, value, zero);
        let negative = self.open_if_nan(is_nan, own);
        if negative == own {
            return Ok(value);
        }
        let program = &mut self.program;
        let sign = program.constant(1 << (width - 1), width);
        let bit = program.ite(negative, sign, zero);
        Ok(program.binary(Op::Xor, magnitude, bit))
    }
}
