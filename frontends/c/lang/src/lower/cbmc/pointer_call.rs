//! Calls through pointers that the program leaves open, or that the command line restricts.

use std::sync::Arc;

use crate::ir::{Callee, CheckKind, Expr, ExprNode, Function, FunctionId, Terminator};
use crate::types::{FunctionType, Type};
use craig_word::Op;

use super::super::builder::Builder;
use super::super::function_table::row_of;
use super::super::state::PointerCall;
use super::super::unit::{SEPARATOR, source_name};
use super::super::{Lowering, Result, Symbol, Value};

impl Lowering<'_> {
    /// The pointer of a call: with a restriction, one of its functions, which is checked.
    pub(in crate::lower) fn pointer_to_function(&mut self, callee: &Value) -> Result<Expr> {
        if self.is_without_code {
            return Ok(callee.expr);
        }
        self.builder.n_pointer_calls += 1;
        let number = self.builder.n_pointer_calls;
        let function = self.lowered_function.clone();
        let all = &self.options.cbmc.restrictions;
        let mut fitting = all.iter().filter(|restriction| {
            let exported = self.exported_link(&restriction.function);
            let name = (exported.as_deref()).map_or(restriction.function.as_str(), source_name);
            name == function && restriction.number == number
        });
        let Some(restriction) = fitting.next().cloned() else {
            return Ok(callee.expr);
        };
        let mut chosen: Option<Expr> = None;
        let mut is_one = self.program.constant(0, 1);
        for target in &restriction.targets {
            let is_declared = self.function_symbol(target).is_some();
            if self.definition_of(target).is_none() && !is_declared {
                return Err(format!(
                    "`{target}`, which a call of `{function}` is restricted to, is not declared"
                ));
            }
            let id = self.want(target);
            let width = self.pointer_width();
            let address = self.program.make(ExprNode::Function(id), width);
            let here = self.program.binary(Op::Eq, callee.expr, address);
            is_one = self.or(is_one, here);
            chosen = Some(match chosen {
                Some(other) => self.program.ite(here, address, other),
                None => address,
            });
        }
        self.check(is_one, CheckKind::Assertion);
        Ok(chosen.unwrap_or(callee.expr))
    }

    /// Notes a call through a pointer in the current block.
    pub(in crate::lower) fn note_pointer_call(&mut self, callee: &Callee, ty: &FunctionType) {
        if let Callee::Indirect(_) = callee
            && self.options.cbmc.is_dialect()
        {
            let call = (self.builder.current, Arc::new(ty.clone()));
            self.builder.pointer_calls.push(call);
        }
    }

    /// Notes the calls through pointers of a function that has been lowered.
    pub(in crate::lower) fn keep_pointer_calls(&mut self, function: FunctionId, builder: &Builder) {
        let calls = builder.pointer_calls.iter();
        self.pointer_calls
            .extend(calls.map(|(block, ty)| PointerCall {
                function,
                block: *block,
                ty: ty.clone(),
            }));
    }

    /// The type of a function, by its link name.
    fn type_of_link(&self, link: &str) -> Option<Arc<FunctionType>> {
        let name = source_name(link);
        let of_function = |symbol: &Symbol| match symbol {
            Symbol::Function(_, ty) => Some(ty.clone()),
            _ => None,
        };
        match link.split_once(SEPARATOR) {
            Some((_, unit)) => {
                let scope = self.file_scope(unit.parse().ok()?);
                scope.names.get(name).and_then(of_function)
            }
            None => self.meanings_at_files(name).find_map(of_function),
        }
    }

    /// For each call through a pointer, the functions of its type whose address is taken.
    pub(in crate::lower) fn find_open_callees(&mut self) {
        let mut taken: Vec<FunctionId> = (self.program.exprs.iter())
            .filter_map(|(node, _)| match node {
                ExprNode::Function(id) => Some(*id),
                _ => None,
            })
            .collect();
        taken.sort_unstable();
        taken.dedup();
        let types: Vec<(FunctionId, Option<Arc<FunctionType>>)> = (taken.into_iter())
            .map(|id| (id, self.type_of_link(&self.link_names[id as usize])))
            .collect();
        for call in std::mem::take(&mut self.pointer_calls) {
            let wanted = Type::Function(call.ty);
            let fitting = types.iter().filter_map(|(id, ty)| {
                let ty = Type::Function(ty.clone()?);
                self.are_compatible(&ty, &wanted).then_some(*id)
            });
            let fitting: Vec<FunctionId> = fitting.collect();
            let place = (call.function, call.block);
            self.program.open_callees.insert(place, fitting);
        }
        if !self.program.open_callees.is_empty() {
            self.note(
                "a call through a pointer that is left open is taken to go to any function of its type whose address \
                 is taken"
                    .into(),
            );
        }
    }

    /// A function without a body and without a model whose address is taken: it returns any value.
    pub(in crate::lower) fn any_value_body(&mut self, link: &str) -> Option<Function> {
        let name = source_name(link).to_owned();
        if !self.options.cbmc.is_dialect() || row_of(&name).is_some() {
            return None;
        }
        let ty = self.type_of_link(link)?;
        if ty.variadic || matches!(ty.result, Type::Record(_)) {
            return None;
        }
        let outer = std::mem::replace(&mut self.builder, Builder::new(&name));
        let mut widths = Vec::new();
        for param in &ty.params {
            widths.push(match param {
                Type::Record(_) => Some(self.pointer_width()),
                param => self.scalar_width(param),
            });
        }
        for width in widths.iter().flatten() {
            self.fresh(*width);
        }
        self.builder.function.n_params = widths.len();
        self.builder.function.result_width = self.scalar_width(&ty.result);
        let value = self.any_value(&name, &ty.result);
        let result = value.ok().filter(|_| !ty.result.is_void());
        self.terminate(Terminator::Return(result.map(|value| value.expr)));
        let builder = std::mem::replace(&mut self.builder, outer);
        widths.iter().all(Option::is_some).then_some(())?;
        self.note(format!(
            "no body for `{name}`: it is taken to return any value, and to change nothing"
        ));
        Some(builder.function)
    }
}
