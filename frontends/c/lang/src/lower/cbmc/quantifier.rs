//! Quantifiers. Over few values they are expanded. Otherwise an arbitrary index stands for all of them in a goal, and
//! for the one that exists in a hypothesis. The arbitrary index of goals is the same in all of a run: a run in which a goal
//! does not hold for some index is among those with that index. A universal hypothesis is known for this index, and
//! not for others, which only allows more runs.

use crate::ir::{Choice, Expr, Instr, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use crate::types::{DataModel, IntType, Type};
use craig_word::{Op, mask, to_signed};

use super::super::state::Side;
use super::super::{Lowering, Place, Result, Symbol};

/// Instances of one quantifier, and of all of a contract, at most.
const MAX_INSTANCES: i128 = 1 << 13;
const MAX_ALL: u64 = 1 << 16;

/// Where each instance of an assumption is looked at, runs are left out in which it has more of them.
const MAX_ASSUMED: u128 = 256;

/// The values that a bound variable can have where the range of the quantifier holds.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: i128,
    /// One more than the largest; `None`: as large as the type allows, or as an expression says.
    end: Option<i128>,
}

/// A bound that the range states: the expression, whether it is the largest value or one more.
#[derive(Clone, Copy)]
struct Limit<'a> {
    /// The whole comparison.
    guard: &'a Node<Expression>,
    expression: &'a Node<Expression>,
    is_strict: bool,
}

/// Looks for a name.
struct Mentions<'n>(&'n str, bool);

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.1 |= identifier.name == self.0;
    }
}

fn mentions(expression: &Node<Expression>, name: &str) -> bool {
    let mut finder = Mentions(name, false);
    finder.visit_expression(&expression.node, &expression.span);
    finder.1
}

/// The operands of nested conjunctions.
fn conjuncts<'a>(expression: &'a Node<Expression>, into: &mut Vec<&'a Node<Expression>>) {
    match &expression.node {
        Expression::BinaryOperator(operation)
            if operation.node.operator.node == BinaryOperator::LogicalAnd =>
        {
            conjuncts(&operation.node.lhs, into);
            conjuncts(&operation.node.rhs, into);
        }
        _ => into.push(expression),
    }
}

fn is_name(expression: &Node<Expression>, name: &str) -> bool {
    matches!(&expression.node, Expression::Identifier(own) if own.node.name == name)
}

/// A comparison of the bound variable with something else: whether the variable is the smaller one, whether it is
/// different from the bound, and the bound.
fn comparison<'a>(
    expression: &'a Node<Expression>,
    name: &str,
) -> Option<(bool, bool, &'a Node<Expression>)> {
    let Expression::BinaryOperator(operation) = &expression.node else {
        return None;
    };
    let operation = &operation.node;
    let (is_less, is_strict) = match operation.operator.node {
        BinaryOperator::Less => (true, true),
        BinaryOperator::LessOrEqual => (true, false),
        BinaryOperator::Greater => (false, true),
        BinaryOperator::GreaterOrEqual => (false, false),
        _ => return None,
    };
    if is_name(&operation.lhs, name) && !mentions(&operation.rhs, name) {
        return Some((is_less, is_strict, &operation.rhs));
    }
    if is_name(&operation.rhs, name) && !mentions(&operation.lhs, name) {
        return Some((!is_less, is_strict, &operation.lhs));
    }
    None
}

/// The arrays and pointers that are indexed by exactly a name.
struct Indexed<'n, 'ast>(&'n str, Vec<&'ast Node<Expression>>);

impl<'ast> Visit<'ast> for Indexed<'_, 'ast> {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        if let Expression::BinaryOperator(operation) = expression
            && operation.node.operator.node == BinaryOperator::Index
            && is_name(&operation.node.rhs, self.0)
        {
            self.1.push(&operation.node.lhs);
        }
        visit::visit_expression(self, expression, span);
    }
}

impl<'a> Lowering<'a> {
    /// One bit: whether a quantified condition holds, as far as the use of the value needs it.
    pub(in crate::lower) fn quantified(
        &mut self,
        quantified: &'a Quantified,
        side: Side,
    ) -> Result<Expr> {
        self.open_scope();
        let value = self.over_variables(quantified, &quantified.variables, side);
        self.scopes.pop();
        value
    }

    /// The value for the remaining bound variables.
    fn over_variables(
        &mut self,
        quantified: &'a Quantified,
        variables: &'a [Node<Declaration>],
        side: Side,
    ) -> Result<Expr> {
        let Some((first, rest)) = variables.split_first() else {
            return self.specified(&quantified.body, side);
        };
        let (name, int) = self.bound_variable(&first.node)?;
        let is_universal = quantified.quantifier == Quantifier::ForAll;
        // The bounds are in terms of what is in scope outside.
        let mut guards = Vec::new();
        match &quantified.body.node {
            Expression::BinaryOperator(operation)
                if is_universal && operation.node.operator.node == BinaryOperator::Implies =>
            {
                conjuncts(&operation.node.lhs, &mut guards);
            }
            _ if !is_universal => conjuncts(&quantified.body, &mut guards),
            _ => {}
        }
        let (mut range, limit) = self.range_of(&guards, &name, int)?;
        if range.end.is_none()
            && let Some(limit) = &limit
        {
            range.end = self.length_of_indexed(&quantified.body, &name, range, limit)?;
        }
        let is_small = range
            .end
            .is_some_and(|end| end - range.least <= MAX_INSTANCES);
        if is_small {
            // The instances have no blocks of their own, in which only what the range admits would be checked.
            let checks = std::mem::take(&mut self.options.checks);
            self.specification.depth += 1;
            let value = self.expanded(quantified, rest, (&name, int), range, side);
            self.specification.depth -= 1;
            self.options.checks = checks;
            return value;
        }
        if is_universal
            && side == Side::Hypothesis
            && self.options.cbmc.assumes_each
            && let Some(limit) = limit
            && range.least >= 0
        {
            return self.each_instance(quantified, rest, (&name, int), (range.least, limit));
        }
        self.specification.n_open += 1;
        let value = self.over_open_range(quantified, rest, (&name, int), side);
        self.specification.n_open -= 1;
        value
    }

    /// Whether a condition that is assumed holds for each value from the least one on, up to a limit. Runs in which these are
    /// many are left out.
    fn each_instance(
        &mut self,
        quantified: &'a Quantified,
        rest: &'a [Node<Declaration>],
        (name, int): (&str, IntType),
        (least, limit): (i128, Limit<'a>),
    ) -> Result<Expr> {
        let checks = std::mem::take(&mut self.options.checks);
        let (all, index) = (self.fresh(1), self.fresh(int.width()));
        let [one, first] = [(1, 1), (least as u128, int.width())]
            .map(|(value, width)| self.program.constant(value, width));
        self.set(all, one);
        self.set(index, first);
        self.bind(name, Symbol::Register(index, Type::Int(int)));
        let [head, body, next, done] = [(); 4].map(|()| self.builder.block());
        self.jump(head, head);
        let is_within = self.plain_condition(limit.guard)?;
        self.branch(is_within, body, done, body);
        let number = self.read(index);
        let most = (least as u128 + MAX_ASSUMED) & mask(int.width());
        let most = self.program.constant(most, int.width());
        let condition = self.program.binary(Op::Ult, number, most);
        self.emit(Instr::Assume { condition });
        let own = self.over_variables(quantified, rest, Side::Hypothesis)?;
        let known = self.read(all);
        let known = self.program.binary(Op::And, known, own);
        self.set(all, known);
        self.jump(next, next);
        let step = self.program.constant(1, int.width());
        let number = self.read(index);
        let following = self.program.binary(Op::Add, number, step);
        self.set(index, following);
        self.jump(head, done);
        self.options.checks = checks;
        Ok(self.read(all))
    }

    /// The value where the range is too large for instances.
    fn over_open_range(
        &mut self,
        quantified: &'a Quantified,
        rest: &'a [Node<Declaration>],
        variable: (&str, IntType),
        side: Side,
    ) -> Result<Expr> {
        let is_universal = quantified.quantifier == Quantifier::ForAll;
        match (is_universal, side) {
            (true, Side::Goal) => self.at_arbitrary_index(quantified, rest, variable, side),
            (true, Side::Denied) | (false, Side::Hypothesis) => {
                self.at_new_index(quantified, rest, variable, side)
            }
            (true, Side::Hypothesis) => {
                self.weaken("an assumption with a quantifier over a range that is not constant");
                self.at_arbitrary_index(quantified, rest, variable, side)
            }
            (false, Side::Goal | Side::Denied) => {
                self.weaken("a condition with a quantifier over a range that is not constant");
                self.at_arbitrary_index(quantified, rest, variable, side)
            }
            // An error path of the program itself would be uncertain from there on.
            (_, Side::Both) if self.specification.mode.is_none() => {
                Err("the value of a quantifier over a range that is not constant".into())
            }
            (_, Side::Both) => {
                self.weaken("the value of a quantifier over a range that is not constant");
                let value = self.at_new_index(quantified, rest, variable, side)?;
                let reg = self.fresh(1);
                self.set(reg, value);
                // If it holds for all, then for the arbitrary one; if for none, then not for that.
                let read = self.read(reg);
                let (value, of_known) = match is_universal {
                    true => (read, Side::Hypothesis),
                    false => (self.program.not(read), Side::Denied),
                };
                let known = self.at_arbitrary_index(quantified, rest, variable, of_known)?;
                let known = if is_universal {
                    known
                } else {
                    self.program.not(known)
                };
                let otherwise = self.program.not(value);
                let condition = self.or(otherwise, known);
                self.emit(Instr::Assume { condition });
                Ok(read)
            }
        }
    }

    /// The body at an index that may be any, and is not that of others.
    fn at_new_index(
        &mut self,
        quantified: &'a Quantified,
        rest: &'a [Node<Declaration>],
        (name, int): (&str, IntType),
        side: Side,
    ) -> Result<Expr> {
        let kind = Choice::Open(format!("the bound variable `{name}`"));
        let index = self.choose(&Type::Int(int), kind)?;
        self.bind_to_value(name, int, index.expr);
        self.over_variables(quantified, rest, side)
    }

    /// Makes the bound variable a register with a value.
    fn bind_to_value(&mut self, name: &str, int: IntType, value: Expr) {
        let reg = self.named(int.width(), None, Some(Type::Int(int)));
        self.set(reg, value);
        self.bind(name, Symbol::Register(reg, Type::Int(int)));
    }

    /// The body at the arbitrary index of the run. What is assumed there is not checked.
    fn at_arbitrary_index(
        &mut self,
        quantified: &'a Quantified,
        rest: &'a [Node<Declaration>],
        (name, int): (&str, IntType),
        side: Side,
    ) -> Result<Expr> {
        let word = IntType::long(DataModel::Lp64, false);
        let width = int.width();
        if width > word.width() {
            return Err("a bound variable of more than 64 bits".into());
        }
        let level = self.specification.n_open;
        while self.arbitrary_indices.len() < level {
            let number = self.arbitrary_indices.len();
            let index =
                self.static_object(&format!("bound variable {number}"), &Type::Int(word), true)?;
            self.arbitrary_indices.push(index);
        }
        let address = self.static_address(self.arbitrary_indices[level - 1]);
        let index = self.load(Place::Memory(address), &Type::Int(word))?;
        let index = self.program.extract(index.expr, 0, width);
        self.bind_to_value(name, int, index);
        let checks = match side {
            Side::Goal => None,
            _ => Some(std::mem::take(&mut self.options.checks)),
        };
        let value = self.over_variables(quantified, rest, side);
        if let Some(checks) = checks {
            self.options.checks = checks;
        }
        value
    }

    /// The conjunction or disjunction of the instances.
    fn expanded(
        &mut self,
        quantified: &'a Quantified,
        rest: &'a [Node<Declaration>],
        (name, int): (&str, IntType),
        range: Range,
        side: Side,
    ) -> Result<Expr> {
        let is_universal = quantified.quantifier == Quantifier::ForAll;
        let neutral = u128::from(is_universal);
        let mut result = self.program.constant(neutral, 1);
        let end = range.end.unwrap_or(range.least);
        for value in range.least..end {
            self.specification.n_instances += 1;
            if self.specification.n_instances > MAX_ALL {
                return Err("quantifiers with too many instances".into());
            }
            self.bind(name, Symbol::Enumerator(value, int));
            let own = self.over_variables(quantified, rest, side)?;
            result = match is_universal {
                true => self.program.binary(Op::And, result, own),
                false => self.or(result, own),
            };
            if self.program.constant_value(result) == Some(1 - neutral) {
                break;
            }
        }
        Ok(result)
    }

    fn bound_variable(&mut self, declaration: &'a Declaration) -> Result<(String, IntType)> {
        let wrong = "a bound variable that is no plain integer";
        let base = self.specifiers(&declaration.specifiers)?.ty.ok_or(wrong)?;
        let [declarator] = declaration.declarators.as_slice() else {
            return Err(wrong.into());
        };
        if declarator.node.initializer.is_some() {
            return Err(wrong.into());
        }
        let lengths = super::super::specifier::Lengths::Constant;
        match self.declarator(base, &declarator.node.declarator, lengths)? {
            (Some(name), Type::Int(int)) if int.rank > 0 => Ok((name, int)),
            _ => Err(wrong.into()),
        }
    }

    /// The values for which the comparisons may hold, and a largest value that is not constant.
    fn range_of(
        &mut self,
        guards: &[&'a Node<Expression>],
        name: &str,
        int: IntType,
    ) -> Result<(Range, Option<Limit<'a>>)> {
        let bits = int.width() - u32::from(int.signed);
        let mut range = Range {
            least: if int.signed { -(1 << bits) } else { 0 },
            end: (bits <= 16).then_some(1 << bits),
        };
        let mut open = None;
        for guard in guards {
            let Some((is_upper, is_strict, bound)) = comparison(guard, name) else {
                continue;
            };
            let value = self.without_code(|lowering| {
                let value = lowering.rvalue(bound)?;
                let ty = value.ty.clone();
                Ok((lowering.program.constant_value(value.expr), ty))
            });
            let Ok((known, Type::Int(of_bound))) = value else {
                continue;
            };
            let Some(known) = known else {
                if is_upper {
                    open = Some(Limit {
                        guard,
                        expression: bound,
                        is_strict,
                    });
                }
                continue;
            };
            let bound = match of_bound.signed {
                true => to_signed(known, of_bound.width()),
                false => known as i128,
            };
            // The comparison is one of unsigned words if one of the types has no sign and is not narrower.
            let is_unsigned = !int.signed && int.width() >= of_bound.width().max(32)
                || !of_bound.signed && of_bound.width() >= int.width().max(32);
            if is_unsigned && bound < 0 {
                continue;
            }
            match is_upper {
                true => {
                    let end = if is_strict { bound } else { bound + 1 };
                    range.end = Some(range.end.map_or(end, |old| old.min(end)));
                    // A negative value is a large one there.
                    if is_unsigned {
                        range.least = range.least.max(0);
                    }
                }
                false if !is_unsigned || !int.signed => {
                    let least = if is_strict { bound + 1 } else { bound };
                    range.least = range.least.max(least);
                }
                false => {}
            }
        }
        Ok((range, open))
    }

    /// The length of an array that the variable indexes, if the limit is not larger: the paths on which it is are
    /// not supported.
    fn length_of_indexed(
        &mut self,
        body: &'a Node<Expression>,
        name: &str,
        range: Range,
        limit: &Limit<'a>,
    ) -> Result<Option<i128>> {
        let mut indexed = Indexed(name, Vec::new());
        indexed.visit_expression(&body.node, &body.span);
        let mut length: Option<i128> = None;
        for array in indexed.1 {
            let ty = self.without_code(|lowering| lowering.type_of(array));
            if let Ok(Type::Array(_, Some(own))) = ty {
                length = Some(length.map_or(i128::from(own), |old| old.max(i128::from(own))));
            }
        }
        let Some(length) = length.filter(|length| length - range.least <= MAX_INSTANCES) else {
            return Ok(None);
        };
        let value = self.rvalue(limit.expression)?;
        let value = self.promote(value)?;
        let Type::Int(int) = value.ty else {
            return Ok(None);
        };
        let most = length - i128::from(!limit.is_strict);
        if most < 0 {
            return Ok(None);
        }
        let most = self.program.constant(most as u128, int.width());
        let less = if int.signed { Op::Slt } else { Op::Ult };
        let beyond = self.program.binary(less, most, value.expr);
        let (outside, inside) = (self.builder.block(), self.builder.block());
        self.branch(beyond, outside, inside, outside);
        let text = "a quantifier over more elements than the array has";
        self.terminate_into(Terminator::Stuck(text.into()), inside);
        Ok(Some(length))
    }

    /// Notes that a condition is not represented, so that an error path may be none.
    fn weaken(&mut self, what: &str) {
        if !self.is_without_code {
            self.program.weakened.get_or_insert_with(|| what.into());
        }
    }
}
