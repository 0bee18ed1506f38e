//! From files to systems over terms.

use craig_mc::word_system::{WordState, WordSystem};
use craig_model::Names;
use craig_word::{Sort, Term, Terms};

use super::model::{Argument, Btor2, Kind, Line};
use super::operator::Operator;

/// The system of a file. Inputs, states and properties keep their numbers.
#[must_use]
pub fn system_of(model: &Btor2) -> WordSystem {
    let mut system = WordSystem::default();
    let terms = &mut system.terms;
    let mut images: Vec<Term> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let operands: Vec<Term> = (node.arguments().iter())
            .map(|&argument| image(terms, &images, argument))
            .collect();
        images.push(match (&node.kind, node.sort) {
            (Kind::Constant(constant), Sort::BitVector(width)) => {
                terms.bit_vector(&constant.value(width))
            }
            (Kind::Apply(operator, _), _) => apply(terms, *operator, &operands),
            (_, sort) => terms.variable_of(sort),
        });
    }
    let inputs = model.inputs.iter().map(|&input| images[input as usize]);
    system.inputs = inputs.collect();
    for state in &model.states {
        let sort = model.nodes[state.node as usize].sort;
        let init = state.init.map(|init| {
            let init = image(terms, &images, init);
            match sort {
                Sort::Array { index, .. } if !terms.is_array(init) => {
                    terms.constant_array(index, init)
                }
                _ => init,
            }
        });
        system.states.push(WordState {
            state: images[state.node as usize],
            init,
            next: state.next.map(|next| image(terms, &images, next)),
        });
    }
    let mut all = |lines: &[Line]| -> Vec<Term> {
        lines
            .iter()
            .map(|line| image(terms, &images, line.value))
            .collect()
    };
    system.constraints = all(&model.constraints);
    system.bads = all(&model.bads);
    system.fairness = all(&model.fairness);
    let justice = model.justice.iter().map(|property| {
        let values = property.values.iter();
        values.map(|&value| image(terms, &images, value)).collect()
    });
    system.justice = justice.collect();
    system.names = names(model);
    system
}

fn names(model: &Btor2) -> Names {
    let of_nodes = model.names();
    let of = |node: u32| of_nodes[node as usize].clone();
    let of_lines = |lines: &[Line]| lines.iter().map(|line| line.symbol.clone()).collect();
    Names {
        inputs: model.inputs.iter().map(|&input| of(input)).collect(),
        latches: model.states.iter().map(|state| of(state.node)).collect(),
        bads: of_lines(&model.bads),
        constraints: of_lines(&model.constraints),
        fairness: of_lines(&model.fairness),
        justice: (model.justice.iter().map(|property| property.symbol.clone())).collect(),
    }
}

fn image(terms: &mut Terms, images: &[Term], argument: Argument) -> Term {
    let term = images[argument.node as usize];
    match argument.is_negated {
        true => terms.not(term),
        false => term,
    }
}

/// The term of an operator.
fn apply(terms: &mut Terms, operator: Operator, operands: &[Term]) -> Term {
    use Operator as O;
    let a = operands[0];
    let b = operands.get(1).copied().unwrap_or(a);
    match operator {
        O::Read => return terms.select(a, b),
        O::Write => return terms.store(a, b, operands[2]),
        O::Ite => return terms.ite(a, b, operands[2]),
        O::Eq => return terms.eq(a, b),
        O::Neq => {
            let equal = terms.eq(a, b);
            return terms.not(equal);
        }
        _ => {}
    }
    let width = terms.width(a);
    match operator {
        O::Uext(0) | O::Sext(0) => a,
        O::Uext(by) => terms.zext(a, width + by),
        O::Sext(by) => terms.sext(a, width + by),
        O::Slice(upper, lower) => terms.extract(a, lower, upper - lower + 1),
        O::Not => terms.not(a),
        O::Inc => {
            let one = terms.constant(1, width);
            terms.add(a, one)
        }
        O::Dec => {
            let one = terms.constant(1, width);
            terms.sub(a, one)
        }
        O::Neg => terms.neg(a),
        O::Redand => {
            let a = terms.not(a);
            let zero = terms.constant(0, width);
            terms.eq(a, zero)
        }
        O::Redor => {
            let zero = terms.constant(0, width);
            let none = terms.eq(a, zero);
            terms.not(none)
        }
        O::Redxor => parity(terms, a),
        O::Iff => terms.eq(a, b),
        O::Implies => {
            let not = terms.not(a);
            terms.or(not, b)
        }
        O::Ugt => terms.ult(b, a),
        O::Sgt => terms.slt(b, a),
        O::Ugte => terms.ule(b, a),
        O::Sgte => terms.sle(b, a),
        O::Ult => terms.ult(a, b),
        O::Slt => terms.slt(a, b),
        O::Ulte => terms.ule(a, b),
        O::Slte => terms.sle(a, b),
        O::And => terms.and(a, b),
        O::Nand => {
            let and = terms.and(a, b);
            terms.not(and)
        }
        O::Or => terms.or(a, b),
        O::Nor => {
            let or = terms.or(a, b);
            terms.not(or)
        }
        O::Xor => terms.xor(a, b),
        O::Xnor => {
            let xor = terms.xor(a, b);
            terms.not(xor)
        }
        O::Rol | O::Ror => rotate(terms, a, b, operator == O::Rol),
        O::Sll => terms.shl(a, b),
        O::Srl => terms.lshr(a, b),
        O::Sra => terms.ashr(a, b),
        O::Add => terms.add(a, b),
        O::Sub => terms.sub(a, b),
        O::Mul => terms.mul(a, b),
        O::Udiv => terms.udiv(a, b),
        O::Urem => terms.urem(a, b),
        O::Sdiv => terms.sdiv(a, b),
        O::Srem => terms.srem(a, b),
        O::Smod => modulo(terms, a, b),
        O::Concat => terms.concat(a, b),
        _ => overflow(terms, operator, a, b),
    }
}

/// The parity, by halves.
fn parity(terms: &mut Terms, a: Term) -> Term {
    let mut word = a;
    let mut odd: Option<Term> = None;
    loop {
        let width = terms.width(word);
        if width % 2 == 1 {
            let top = terms.extract(word, width - 1, 1);
            odd = Some(match odd {
                Some(odd) => terms.xor(odd, top),
                None => top,
            });
        }
        if width == 1 {
            break;
        }
        let half = width / 2;
        let (high, low) = (
            terms.extract(word, half, half),
            terms.extract(word, 0, half),
        );
        word = terms.xor(high, low);
    }
    odd.unwrap_or(word)
}

/// A rotation: one for each bit of the amount, by 2^bit modulo the width.
fn rotate(terms: &mut Terms, a: Term, amount: Term, to_left: bool) -> Term {
    let width = terms.width(a);
    let rotated = |terms: &mut Terms, word: Term, by: u32| {
        // To the left: the highest `by` bits become the lowest.
        let by = if to_left { by } else { width - by };
        let high = terms.extract(word, 0, width - by);
        let low = terms.extract(word, width - by, by);
        terms.concat(high, low)
    };
    let by_constant = terms.constant_bits(amount).map(|amount| {
        let bits = (0..width).rev();
        bits.fold(0, |rest, bit| {
            (2 * rest + u64::from(amount.bit(bit))) % u64::from(width)
        })
    });
    match by_constant {
        Some(0) => return a,
        Some(by) => return rotated(terms, a, by as u32),
        None => {}
    }
    let mut word = a;
    let mut by = 1 % width;
    for bit in 0..width {
        if by == 0 {
            break;
        }
        let is_set = terms.extract(amount, bit, 1);
        let turned = rotated(terms, word, by);
        word = terms.ite(is_set, turned, word);
        by = (2 * u64::from(by) % u64::from(width)) as u32;
    }
    word
}

/// The remainder with the sign of the divisor.
fn modulo(terms: &mut Terms, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let remainder = terms.srem(a, b);
    let zero = terms.constant(0, width);
    let is_zero = terms.eq(remainder, zero);
    let signs = [remainder, b].map(|term| terms.extract(term, width - 1, 1));
    let is_same = terms.eq(signs[0], signs[1]);
    let stays = terms.or(is_zero, is_same);
    let sum = terms.add(remainder, b);
    terms.ite(stays, remainder, sum)
}

/// Whether a result does not fit.
fn overflow(terms: &mut Terms, operator: Operator, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    match operator {
        Operator::Uaddo => {
            let sum = terms.add(a, b);
            terms.ult(sum, a)
        }
        Operator::Usubo => terms.ult(a, b),
        Operator::Saddo | Operator::Ssubo => {
            let [a, b] = [a, b].map(|term| terms.sext(term, width + 1));
            let exact = match operator {
                Operator::Saddo => terms.add(a, b),
                _ => terms.sub(a, b),
            };
            let top = terms.extract(exact, width, 1);
            let sign = terms.extract(exact, width - 1, 1);
            terms.xor(top, sign)
        }
        Operator::Umulo => {
            let [a, b] = [a, b].map(|term| terms.zext(term, 2 * width));
            let exact = terms.mul(a, b);
            let high = terms.extract(exact, width, width);
            let zero = terms.constant(0, width);
            let fits = terms.eq(high, zero);
            terms.not(fits)
        }
        Operator::Smulo => {
            let [a, b] = [a, b].map(|term| terms.sext(term, 2 * width));
            let exact = terms.mul(a, b);
            let low = terms.extract(exact, 0, width);
            let extended = terms.sext(low, 2 * width);
            let fits = terms.eq(extended, exact);
            terms.not(fits)
        }
        // The least number divided by -1.
        _ => {
            let one = terms.constant(1, width);
            let shift = terms.constant(u128::from(width - 1), width);
            let least = terms.shl(one, shift);
            let is_least = terms.eq(a, least);
            let zero = terms.constant(0, width);
            let ones = terms.not(zero);
            let is_negative = terms.eq(b, ones);
            terms.and(is_least, is_negative)
        }
    }
}
