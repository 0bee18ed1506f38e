//! Allocations: failure, and allocations of no bytes (C11 7.22.3).

use craig_word::Op;

use super::function_model::NamedCall;
use super::{Lowering, Result, Value};
use crate::address_space::HEAP_ALIGN;
use crate::ir::{Choice, Expr, Instr, Storage};
use crate::types::Type;

/// The kinds of allocating functions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Allocator {
    /// `malloc`: a number of bytes.
    Bytes,
    /// `calloc`: a number of elements of a size, zeroed.
    Elements,
    /// `alloca`: bytes that live until the function returns.
    Frame,
    /// The library's own, whose size is not 0.
    Library,
    /// A number of bytes from a multiple of the second argument on, a constant.
    Aligned,
}

impl<'a> Lowering<'a> {
    /// The address of a new object, or null: if the size is too large, if it is 0 and the implementation
    /// chooses null, and, if requested, at any time.
    pub(super) fn allocation(
        &mut self,
        call: &NamedCall<'a, '_>,
        allocator: Allocator,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let width = self.pointer_width();
        let mut size =
            self.resized(values.first().ok_or("an allocation without a size")?, width)?;
        let zeroed = allocator == Allocator::Elements;
        let mut too_large = self.program.constant(0, 1);
        if zeroed {
            let each = self.resized(values.get(1).ok_or("an allocation without a size")?, width)?;
            (size, too_large) = self.product(size, each);
        }
        let on_frame = allocator == Allocator::Frame;
        if !zeroed && !on_frame {
            let most = self.largest_size(size, allocator);
            let most = self.program.constant(most, width);
            too_large = self.program.binary(Op::Ult, most, size);
        }
        let mut is_null = too_large;
        if !on_frame {
            let zero = self.program.constant(0, width);
            let no_bytes = self.program.binary(Op::Eq, size, zero);
            let may_fail = self.options.malloc_may_fail;
            let is_known = self.program.constant_value(no_bytes) == Some(0);
            if may_fail {
                let what = Choice::Open("an allocation fails".into());
                let open = self.choose(&Type::INT, what)?;
                let fails = self.program.truth(open.expr);
                is_null = self.or(is_null, fails);
            } else if !is_known && allocator != Allocator::Library {
                let fails = self.fresh(1);
                let none = self.program.constant(0, 1);
                self.set(fails, none);
                let (empty, next) = (self.builder.block(), self.builder.block());
                self.branch(no_bytes, empty, next, empty);
                let what = Choice::Open("an allocation of no bytes gives null".into());
                let open = self.choose(&Type::INT, what)?;
                let truth = self.program.truth(open.expr);
                self.set(fails, truth);
                self.jump(next, next);
                let fails = self.read(fails);
                is_null = self.or(is_null, fails);
            }
        }
        let align = match (allocator, values.get(1)) {
            (Allocator::Aligned, Some(align)) => self.program.constant_value(align.expr),
            (Allocator::Frame, _) => Some(1),
            _ => Some(u128::from(HEAP_ALIGN)),
        };
        let align = align.ok_or("an alignment that is not constant")? as u64;
        let element = (call.element)
            .and_then(|ty| self.shape(ty).ok())
            .filter(|shape| shape.size > 0 && !shape.is_opaque());
        let reg = self.fresh(width);
        let (some, none, join) = (
            self.builder.block(),
            self.builder.block(),
            self.builder.block(),
        );
        self.branch(is_null, none, some, none);
        let null = self.program.constant(0, width);
        self.set(reg, null);
        self.jump(join, some);
        self.emit(Instr::Allocate {
            reg,
            size,
            element,
            zeroed,
            storage: if on_frame {
                Storage::Frame
            } else {
                Storage::Heap
            },
            align,
        });
        self.jump(join, join);
        let (expr, ty) = (self.read(reg), Type::Void.pointer_to());
        Ok(Some(Value { expr, ty }))
    }

    /// The largest size that is allocated. In CBMC's dialect, sizes that are not constant are limited to what objects
    /// of unknown size can have, which is an assumption.
    fn largest_size(&mut self, size: Expr, allocator: Allocator) -> u128 {
        let most = self.program.largest_allocation();
        if !self.options.cbmc.is_dialect()
            || self.program.constant_value(size).is_some()
            || allocator == Allocator::Frame
        {
            return most;
        }
        let most = most.min(self.largest_object());
        self.note(format!(
            "an allocation of unknown size of more than {most} bytes is assumed to give null"
        ));
        most
    }

    /// The largest size of an object of unknown size in CBMC's dialect.
    pub(super) fn largest_object(&self) -> u128 {
        let width = self.pointer_width();
        let most: u128 = if width == 64 {
            (1 << 40) - 1
        } else {
            (1 << 22) - 1
        };
        most.min(self.options.cbmc.largest_allocation(width))
    }

    /// The product of two sizes, and whether it is more than can be allocated, one bit.
    fn product(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        let width = self.program.width(a);
        let product = self.program.binary(Op::Mul, a, b);
        let most = self.largest_size(product, Allocator::Elements);
        let too_large = match (
            self.program.constant_value(a),
            self.program.constant_value(b),
        ) {
            (Some(0), _) | (_, Some(0)) => self.program.constant(0, 1),
            (Some(factor), _) | (_, Some(factor)) => {
                let other = if self.program.constant_value(a).is_some() {
                    b
                } else {
                    a
                };
                let limit = self.program.constant(most / factor, width);
                self.program.binary(Op::Ult, limit, other)
            }
            _ => {
                let (x, y) = (
                    self.program.resize(a, 2 * width, false),
                    self.program.resize(b, 2 * width, false),
                );
                let exact = self.program.binary(Op::Mul, x, y);
                let limit = self.program.constant(most, 2 * width);
                self.program.binary(Op::Ult, limit, exact)
            }
        };
        (product, too_large)
    }
}
