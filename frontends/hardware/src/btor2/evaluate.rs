//! The meaning of a circuit on values: runs, step by step. Arrays are sparse.

use std::sync::Arc;

use craig_word::{ArrayValue, BitVector, Op, Sort, Value};

use super::model::{Argument, Btor2, Kind, Node};
use super::operator::Operator;
use super::trace::{Step, Trace, zero};

/// The values of one step of a run, in the order of the file's lists.
#[derive(Clone, Debug)]
pub struct StepValues {
    /// The states.
    pub states: Vec<Value>,
    /// The inputs.
    pub inputs: Vec<Value>,
    /// Which constraints hold.
    pub constraints: Vec<bool>,
    /// Which bads hold. A bad counts only if every constraint holds in this step and in all before it.
    pub bads: Vec<bool>,
    /// Which fairness values hold.
    pub fairness: Vec<bool>,
    /// Which values of the justice properties hold.
    pub justice: Vec<Vec<bool>>,
}

/// Executes a circuit.
#[derive(Clone, Debug)]
pub struct Simulator<'a> {
    model: &'a Btor2,
    /// The values of the states with a `next` at the beginning of the coming step.
    coming: Vec<Option<Value>>,
    /// A value for each node, as of the last step.
    values: Vec<Value>,
    is_first: bool,
}

impl<'a> Simulator<'a> {
    /// A run before its first step.
    #[must_use]
    pub fn new(model: &'a Btor2) -> Self {
        Self {
            model,
            coming: vec![None; model.states.len()],
            values: Vec::with_capacity(model.nodes.len()),
            is_first: true,
        }
    }

    /// Takes a step. Inputs and free states without a value are 0.
    ///
    /// # Errors
    /// If a state is given another value than it has, or a value of another sort: a message.
    pub fn step(&mut self, given: &Step) -> Result<StepValues, String> {
        let model = self.model;
        self.values.clear();
        for node in &model.nodes {
            let value = match node.kind {
                Kind::Input(number) => free(node, given.inputs.get(&(number as usize)))?,
                Kind::State(number) => {
                    let number = number as usize;
                    let init = model.states[number].init.filter(|_| self.is_first);
                    let fixed = match init {
                        Some(init) => Some(self.initial(node.sort, init)),
                        None => self.coming[number].take(),
                    };
                    match (fixed, given.states.get(&number)) {
                        (Some(fixed), Some(given)) if fixed != *given => {
                            return Err(format!("state {number} has another value"));
                        }
                        (Some(fixed), _) => fixed,
                        (None, given) => free(node, given)?,
                    }
                }
                _ => self.value(node),
            };
            self.values.push(value);
        }
        self.is_first = false;
        for (state, coming) in model.states.iter().zip(&mut self.coming) {
            *coming = state.next.map(|next| argument(&self.values, next));
        }
        Ok(self.step_values())
    }

    /// The value of the `next` of each state in the last step, for those that have one.
    #[must_use]
    pub fn coming(&self) -> &[Option<Value>] {
        &self.coming
    }

    /// Replaces an element of the value that an array has in the coming step.
    pub(super) fn store_coming(&mut self, state: usize, at: &BitVector, element: &BitVector) {
        if let Some(Some(Value::Array(array))) = self.coming.get_mut(state) {
            Arc::make_mut(array).store(at.clone(), element.clone());
        }
    }

    /// The value of an argument in the last step.
    #[must_use]
    pub fn argument(&self, of: Argument) -> Value {
        argument(&self.values, of)
    }

    fn step_values(&self) -> StepValues {
        let model = self.model;
        let value = |&node: &u32| self.values[node as usize].clone();
        let holds = |of: Argument| !self.argument(of).bits().is_zero();
        let all = |lines: &[super::Line]| lines.iter().map(|line| holds(line.value)).collect();
        let justice = model.justice.iter();
        StepValues {
            states: (model.states.iter().map(|state| value(&state.node))).collect(),
            inputs: model.inputs.iter().map(value).collect(),
            constraints: all(&model.constraints),
            bads: all(&model.bads),
            fairness: all(&model.fairness),
            justice: justice
                .map(|property| property.values.iter().map(|&of| holds(of)).collect())
                .collect(),
        }
    }

    /// The value that `init` gives to a state.
    fn initial(&self, sort: Sort, init: Argument) -> Value {
        match (sort, argument(&self.values, init)) {
            (Sort::Array { index, .. }, Value::Bits(element)) => {
                Value::Array(Arc::new(ArrayValue::new(index, element)))
            }
            (_, value) => value,
        }
    }

    /// The value of a constant or of an operator.
    fn value(&self, node: &Node) -> Value {
        let bits = |operand: usize| match argument(&self.values, node.arguments()[operand]) {
            Value::Bits(bits) => bits,
            Value::Array(_) => unreachable!("the reader has checked the sorts"),
        };
        let any = |operand: usize| argument(&self.values, node.arguments()[operand]);
        match &node.kind {
            Kind::Constant(constant) => match node.sort {
                Sort::BitVector(width) => Value::Bits(constant.value(width)),
                Sort::Array { .. } => unreachable!("the reader has checked the sorts"),
            },
            Kind::Apply(operator, _) => match operator {
                Operator::Eq => Value::Bits(bit(any(0) == any(1))),
                Operator::Neq => Value::Bits(bit(any(0) != any(1))),
                Operator::Ite => any(if bits(0).is_zero() { 2 } else { 1 }),
                Operator::Read => Value::Bits(any(0).array().select(&bits(1)).clone()),
                Operator::Write => {
                    let mut array = any(0).array().clone();
                    array.store(bits(1), bits(2));
                    Value::Array(Arc::new(array))
                }
                _ if operator.arity() == 1 => Value::Bits(unary(*operator, &bits(0))),
                _ => Value::Bits(binary(*operator, &bits(0), &bits(1))),
            },
            Kind::Input(_) | Kind::State(_) => unreachable!("leaves are given"),
        }
    }
}

fn argument(values: &[Value], argument: Argument) -> Value {
    match &values[argument.node as usize] {
        Value::Bits(bits) if argument.is_negated => Value::Bits(bits.not()),
        value => value.clone(),
    }
}

/// The value of a leaf that may have any.
fn free(node: &Node, given: Option<&Value>) -> Result<Value, String> {
    let Some(given) = given else {
        return Ok(zero(node.sort));
    };
    let sort = match given {
        Value::Bits(bits) => Sort::BitVector(bits.width()),
        Value::Array(array) => Sort::Array {
            index: array.index_width(),
            element: array.default_element().width(),
        },
    };
    match sort == node.sort {
        true => Ok(given.clone()),
        false => Err("a value has another width than its input or state".to_owned()),
    }
}

fn bit(value: bool) -> BitVector {
    BitVector::new(u128::from(value), 1)
}

fn sign(a: &BitVector) -> bool {
    a.bit(a.width() - 1)
}

/// The value of an operator on one word.
#[must_use]
pub fn unary(operator: Operator, a: &BitVector) -> BitVector {
    let width = a.width();
    let one = BitVector::new(1, width);
    match operator {
        Operator::Uext(by) => a.zext(width + by),
        Operator::Sext(by) => a.sext(width + by),
        Operator::Slice(upper, lower) => a.extract(lower, upper - lower + 1),
        Operator::Not => a.not(),
        Operator::Inc => BitVector::binary(Op::Add, a, &one),
        Operator::Dec => BitVector::binary(Op::Sub, a, &one),
        Operator::Neg => a.neg(),
        Operator::Redand => bit(a.is_ones()),
        Operator::Redor => bit(!a.is_zero()),
        Operator::Redxor => bit((0..width).filter(|&at| a.bit(at)).count() % 2 == 1),
        _ => unreachable!("{operator:?} has more operands"),
    }
}

/// The value of an operator on two words.
#[must_use]
pub fn binary(operator: Operator, a: &BitVector, b: &BitVector) -> BitVector {
    let width = a.width();
    let with = |op: Op| BitVector::binary(op, a, b);
    let is_less = |op: Op, a: &BitVector, b: &BitVector| !BitVector::binary(op, a, b).is_zero();
    // The exact signed and unsigned result of addition, subtraction or multiplication has to fit the width.
    let overflows = |op: Op, is_signed: bool| {
        let wide = 2 * width + 1;
        let extend = |word: &BitVector| match is_signed {
            true => word.sext(wide),
            false => word.zext(wide),
        };
        let exact = BitVector::binary(op, &extend(a), &extend(b));
        let low = exact.extract(0, width);
        bit(extend(&low) != exact)
    };
    let rotate = |to_left: bool| {
        let modulus = BitVector::new(u128::from(width), width.max(32) + 1);
        let amount = BitVector::binary(Op::URem, &b.zext(width.max(32) + 1), &modulus);
        let amount = amount.to_u128().unwrap_or(0) as u32;
        let from = |at: u32| match to_left {
            true => (at + width - amount) % width,
            false => (at + amount) % width,
        };
        let mut limbs = vec![0_u64; width.div_ceil(64) as usize];
        for at in (0..width).filter(|&at| a.bit(from(at))) {
            limbs[at as usize / 64] |= 1 << (at % 64);
        }
        BitVector::from_limbs(&limbs, width)
    };
    match operator {
        Operator::Iff | Operator::Eq => bit(a == b),
        Operator::Neq => bit(a != b),
        Operator::Implies => bit(a.is_zero() || !b.is_zero()),
        Operator::Ugt => bit(is_less(Op::Ult, b, a)),
        Operator::Sgt => bit(is_less(Op::Slt, b, a)),
        Operator::Ugte => bit(!is_less(Op::Ult, a, b)),
        Operator::Sgte => bit(!is_less(Op::Slt, a, b)),
        Operator::Ult => bit(is_less(Op::Ult, a, b)),
        Operator::Slt => bit(is_less(Op::Slt, a, b)),
        Operator::Ulte => bit(!is_less(Op::Ult, b, a)),
        Operator::Slte => bit(!is_less(Op::Slt, b, a)),
        Operator::And => with(Op::And),
        Operator::Nand => with(Op::And).not(),
        Operator::Or => BitVector::binary(Op::And, &a.not(), &b.not()).not(),
        Operator::Nor => BitVector::binary(Op::And, &a.not(), &b.not()),
        Operator::Xor => with(Op::Xor),
        Operator::Xnor => with(Op::Xor).not(),
        Operator::Rol => rotate(true),
        Operator::Ror => rotate(false),
        Operator::Sll => with(Op::Shl),
        Operator::Srl => with(Op::LShr),
        Operator::Sra => with(Op::AShr),
        Operator::Add => with(Op::Add),
        Operator::Sub => with(Op::Sub),
        Operator::Mul => with(Op::Mul),
        Operator::Udiv => with(Op::UDiv),
        Operator::Urem => with(Op::URem),
        Operator::Sdiv => with(Op::SDiv),
        Operator::Srem => with(Op::SRem),
        Operator::Smod => {
            let remainder = with(Op::SRem);
            match remainder.is_zero() || b.is_zero() || sign(&remainder) == sign(b) {
                true => remainder,
                false => BitVector::binary(Op::Add, &remainder, b),
            }
        }
        Operator::Uaddo => overflows(Op::Add, false),
        Operator::Saddo => overflows(Op::Add, true),
        Operator::Usubo => bit(is_less(Op::Ult, a, b)),
        Operator::Ssubo => overflows(Op::Sub, true),
        Operator::Umulo => overflows(Op::Mul, false),
        Operator::Smulo => overflows(Op::Mul, true),
        Operator::Sdivo => {
            let lowest = sign(a) && (0..width - 1).all(|at| !a.bit(at));
            bit(lowest && b.is_ones())
        }
        Operator::Concat => a.concat(b),
        _ => unreachable!("{operator:?} has no two words as operands"),
    }
}

/// Replays a run: the values in each of its steps. The caller checks what they show.
///
/// # Errors
/// If a state is given another value than it has, or a value has the wrong sort: a message with the step.
pub fn replay(model: &Btor2, trace: &Trace) -> Result<Vec<StepValues>, String> {
    let mut simulator = Simulator::new(model);
    let steps = trace.steps.iter().enumerate();
    steps
        .map(|(number, step)| {
            (simulator.step(step)).map_err(|message| format!("step {number}: {message}"))
        })
        .collect()
}

/// The first step in which bad number `property` holds and every constraint has held so far, that step
/// included.
#[must_use]
pub fn first_bad_step(steps: &[StepValues], property: usize) -> Option<usize> {
    steps
        .iter()
        .take_while(|step| step.constraints.iter().all(|&holds| holds))
        .position(|step| step.bads[property])
}

/// Checks that justice property number `property` fails on a run that repeats its steps from `loop_start` on:
/// constraints hold in all steps, each fairness value and each value of the property in some step of the
/// loop, and all states on which these depend have their values of `loop_start` again after the last step.
///
/// # Errors
/// What is not so.
pub fn check_lasso(
    model: &Btor2,
    trace: &Trace,
    property: usize,
    loop_start: usize,
) -> Result<(), String> {
    Ended::replay(model, trace)?.is_loop(property, &cone(model, property), loop_start)
}

/// The most steps of a run whose loop is repeated.
#[cfg(feature = "verify")]
const MOST_STEPS: usize = 1024;

/// A run whose steps from `loop_start` on are repeated until all states on which justice property number `property` depends return, and
/// the step to which they do. `None` if they do not within some steps.
///
/// A circuit of bits may not have all of these states: a formula that reads one may have the same value for each of its values. Then a loop
/// of bits is none of words yet, but repeats itself while such a state goes on to one of its own.
#[cfg(feature = "verify")]
#[must_use]
pub(super) fn closed_lasso(
    model: &Btor2,
    run: &Trace,
    property: usize,
    loop_start: usize,
) -> Option<(Trace, usize)> {
    let in_cone = cone(model, property);
    let mut simulator = Simulator::new(model);
    let mut run = run.clone();
    let pass = run.steps.get(loop_start..).filter(|pass| !pass.is_empty());
    let mut pass = pass?.to_vec();
    // What is given to a state with a `next` is its value in the first step.
    for step in &mut pass {
        step.states
            .retain(|&number, _| model.states[number].next.is_none());
    }
    // The states at the starts of the passes.
    let mut starts: Vec<Vec<Value>> = Vec::new();
    let mut step = 0;
    loop {
        while step < run.steps.len() {
            let values = simulator.step(&run.steps[step]).ok()?;
            if step >= loop_start && (step - loop_start).is_multiple_of(pass.len()) {
                starts.push(values.states);
            }
            step += 1;
        }
        let returns = |start: &Vec<Value>| {
            let mut states = model.states.iter().zip(simulator.coming()).zip(start);
            states.all(|((state, coming), first)| {
                let is_free = !in_cone[state.node as usize];
                is_free || coming.as_ref().is_none_or(|coming| coming == first)
            })
        };
        if let Some(number) = starts.iter().position(returns) {
            return Some((run, loop_start + number * pass.len()));
        }
        if run.steps.len() + pass.len() > MOST_STEPS {
            return None;
        }
        run.steps.extend(pass.iter().cloned());
    }
}

/// The earliest step from which a run can be repeated such that justice property number `property` fails, as
/// [`check_lasso`] checks it.
///
/// # Errors
/// If there is none.
pub fn find_loop(model: &Btor2, trace: &Trace, property: usize) -> Result<usize, String> {
    let ended = Ended::replay(model, trace)?;
    let in_cone = cone(model, property);
    let mut starts = 0..ended.steps.len();
    let found = starts.find(|&start| ended.is_loop(property, &in_cone, start).is_ok());
    found.ok_or_else(|| format!("no loop at the end of the run shows that j{property} fails"))
}

/// A run, and the states after its last step.
struct Ended<'a> {
    simulator: Simulator<'a>,
    steps: Vec<StepValues>,
}

impl<'a> Ended<'a> {
    fn replay(model: &'a Btor2, trace: &Trace) -> Result<Self, String> {
        let mut simulator = Simulator::new(model);
        let steps = trace.steps.iter().map(|step| simulator.step(step));
        let steps: Vec<StepValues> = steps.collect::<Result<_, String>>()?;
        if !(steps.iter()).all(|step| step.constraints.iter().all(|&it| it)) {
            return Err("a constraint is violated".to_owned());
        }
        Ok(Self { simulator, steps })
    }

    /// Checks the loop from a step on; `in_cone` is the cone of the property.
    fn is_loop(&self, property: usize, in_cone: &[bool], start: usize) -> Result<(), String> {
        let Some(first) = self.steps.get(start) else {
            return Err("the loop starts after the last step".to_owned());
        };
        let model = self.simulator.model;
        for (number, coming) in self.simulator.coming().iter().enumerate() {
            if let Some(coming) = coming
                && in_cone[model.states[number].node as usize]
                && *coming != first.states[number]
            {
                return Err(format!("state {number} differs at the end of the loop"));
            }
        }
        let steps = &self.steps[start..];
        let fairness = (0..model.fairness.len()).all(|at| steps.iter().any(|it| it.fairness[at]));
        let own = model.justice[property].values.len();
        let justice = (0..own).all(|at| steps.iter().any(|it| it.justice[property][at]));
        match fairness && justice {
            true => Ok(()),
            false => Err(
                "a value of the property or of fairness holds in no step of the loop".to_owned(),
            ),
        }
    }
}

/// The nodes on which a justice property depends over any number of steps.
pub(super) fn cone(model: &Btor2, property: usize) -> Vec<bool> {
    let lines = model.constraints.iter().chain(&model.fairness);
    let values = lines
        .map(|line| line.value)
        .chain(model.justice[property].values.iter().copied());
    let mut stack: Vec<u32> = values.map(|value| value.node).collect();
    let mut is_in = vec![false; model.nodes.len()];
    while let Some(number) = stack.pop() {
        if std::mem::replace(&mut is_in[number as usize], true) {
            continue;
        }
        let node = &model.nodes[number as usize];
        stack.extend(node.arguments().iter().map(|argument| argument.node));
        if let Kind::State(state) = node.kind {
            let state = &model.states[state as usize];
            stack.extend(
                [state.init, state.next]
                    .into_iter()
                    .flatten()
                    .map(|it| it.node),
            );
        }
    }
    is_in
}
