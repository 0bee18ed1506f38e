//! Random circuits for tests.

use std::fmt::Write as _;

use craig_aig::Random;

use super::operator::NAMED;

/// A random circuit in BTOR2 with all operators, arrays, initial values of all kinds, constraints and bads.
pub(super) fn random_circuit(seed: u64) -> String {
    let mut maker = Maker {
        random: Random::new(seed),
        text: String::new(),
        last: 0,
        sorts: Vec::new(),
        values: Vec::new(),
        can_init: Vec::new(),
    };
    maker.make();
    maker.text
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Bits(u32),
    Array(u32, u32),
}

struct Maker {
    random: Random,
    text: String,
    last: usize,
    sorts: Vec<(Shape, usize)>,
    /// The values so far, with their sorts and identifiers.
    values: Vec<(Shape, usize)>,
    /// Those that may be the value of an `init`: no input occurs in them.
    can_init: Vec<bool>,
}

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn line(&mut self, text: &str) -> usize {
        self.last += 1 + self.below(2);
        let _ = writeln!(self.text, "{} {text}", self.last);
        self.last
    }

    fn sort(&mut self, shape: Shape) -> usize {
        if let Some(&(_, identifier)) = self.sorts.iter().find(|(own, _)| *own == shape) {
            return identifier;
        }
        let identifier = match shape {
            Shape::Bits(width) => self.line(&format!("sort bitvec {width}")),
            Shape::Array(index, element) => {
                let (index, element) = (
                    self.sort(Shape::Bits(index)),
                    self.sort(Shape::Bits(element)),
                );
                self.line(&format!("sort array {index} {element}"))
            }
        };
        self.sorts.push((shape, identifier));
        identifier
    }

    fn add(&mut self, shape: Shape, text: &str, can_init: bool) {
        let identifier = self.line(text);
        self.values.push((shape, identifier));
        self.can_init.push(can_init);
    }

    /// A value of a shape: its text, and whether it may be the value of an `init`.
    fn pick(&mut self, shape: Shape) -> Option<(String, bool)> {
        let of: Vec<usize> = (0..self.values.len())
            .filter(|&at| self.values[at].0 == shape)
            .collect();
        if of.is_empty() {
            return None;
        }
        // The later half is preferred.
        let skip = if self.below(2) == 0 { of.len() / 2 } else { 0 };
        let at = of[skip + self.below(of.len() - skip)];
        let sign = match shape {
            Shape::Bits(_) if self.below(4) == 0 => "-",
            _ => "",
        };
        Some((format!("{sign}{}", self.values[at].1), self.can_init[at]))
    }

    fn make(&mut self) {
        let widths = [1, 1 + self.below(4) as u32, 1 + self.below(6) as u32];
        let arrays = [
            Shape::Array(1 + self.below(2) as u32, widths[1]),
            Shape::Array(widths[1].min(3), widths[2]),
        ];
        let mut shapes: Vec<Shape> = widths.iter().map(|&width| Shape::Bits(width)).collect();
        let mut index_shapes = vec![];
        for array in arrays {
            shapes.push(array);
            if let Shape::Array(index, element) = array {
                index_shapes.push(Shape::Bits(index));
                index_shapes.push(Shape::Bits(element));
            }
        }
        shapes.extend(index_shapes);
        for &shape in &shapes {
            let sort = self.sort(shape);
            if let Shape::Bits(width) = shape {
                let digits: String = (0..width)
                    .map(|_| if self.below(2) == 0 { '0' } else { '1' })
                    .collect();
                self.add(shape, &format!("const {sort} {digits}"), true);
                if self.below(2) == 0 {
                    self.add(shape, &format!("input {sort} in{}", self.last), false);
                }
            } else if self.below(4) == 0 {
                self.add(shape, &format!("input {sort}"), false);
            }
        }
        let mut states = Vec::new();
        for _ in 0..2 + self.below(4) {
            // A few values first, for initial values.
            for _ in 0..self.below(4) {
                self.apply(&shapes);
            }
            let shape = shapes[self.below(shapes.len())];
            let sort = self.sort(shape);
            let scalar = match shape {
                Shape::Array(_, element) if self.below(2) == 0 => {
                    let element = self.sort(Shape::Bits(element));
                    let tag = ["zero", "one", "ones"][self.below(3)];
                    Some((format!("{}", self.line(&format!("{tag} {element}"))), true))
                }
                _ => None,
            };
            let init = scalar.or_else(|| self.pick(shape));
            self.add(shape, &format!("state {sort}"), true);
            let state = self.values[self.values.len() - 1].1;
            if let Some((init, true)) = init
                && self.below(3) > 0
            {
                self.line(&format!("init {sort} {state} {init}"));
            }
            states.push((shape, sort, state));
        }
        for _ in 0..10 + self.below(25) {
            self.apply(&shapes);
        }
        for (shape, sort, state) in states {
            if self.below(8) > 0
                && let Some((next, _)) = self.pick(shape)
            {
                self.line(&format!("next {sort} {state} {next}"));
            }
        }
        for _ in 0..1 + self.below(2) {
            if let Some((bad, _)) = self.pick(Shape::Bits(1)) {
                self.line(&format!("bad {bad}"));
            }
        }
        if self.below(3) == 0
            && let Some((constraint, _)) = self.pick(Shape::Bits(1))
        {
            self.line(&format!(
                "constraint {constraint} name{} ; a comment",
                self.last
            ));
        }
    }

    /// A random operator on random values, where there are any.
    fn apply(&mut self, shapes: &[Shape]) {
        let shape = shapes[self.below(shapes.len())];
        match self.below(8) {
            0 => self.ternary(shape, shapes),
            1 => self.indexed(shape),
            _ => {
                let (name, operator) = NAMED[self.below(NAMED.len())];
                let of = match name {
                    "iff" | "implies" => Shape::Bits(1),
                    _ => shape,
                };
                let result = match (operator.arity(), name, of) {
                    (3, ..) => return self.ternary(shape, shapes),
                    (_, "eq" | "neq", _) => Shape::Bits(1),
                    (_, "read", Shape::Array(index, element)) => {
                        let (Some(array), Some(at)) =
                            (self.pick(of), self.pick(Shape::Bits(index)))
                        else {
                            return;
                        };
                        let element = Shape::Bits(element);
                        let sort = self.sort(element);
                        let text = format!("read {sort} {} {}", array.0, at.0);
                        return self.add(element, &text, array.1 && at.1);
                    }
                    (_, _, Shape::Array(..)) | (_, "read", _) => return,
                    (_, "concat", Shape::Bits(width)) => Shape::Bits(2 * width),
                    (1, name, _) if name.starts_with("red") => Shape::Bits(1),
                    (2, name, _) if name.ends_with('o') => Shape::Bits(1),
                    (2, "ugt" | "sgt" | "ult" | "slt", _) => Shape::Bits(1),
                    (2, name, _) if name.ends_with("te") => Shape::Bits(1),
                    (2, "iff" | "implies", _) => Shape::Bits(1),
                    (_, _, Shape::Bits(width)) => Shape::Bits(width),
                };
                let operands: Vec<(String, bool)> = (0..operator.arity())
                    .filter_map(|_| self.pick(of))
                    .collect();
                if operands.len() < operator.arity() {
                    return;
                }
                let sort = self.sort(result);
                let mut text = format!("{name} {sort}");
                for (operand, _) in &operands {
                    text += &format!(" {operand}");
                }
                self.add(
                    result,
                    &text,
                    operands.iter().all(|&(_, can_init)| can_init),
                );
            }
        }
    }

    fn ternary(&mut self, shape: Shape, shapes: &[Shape]) {
        let arrays = shapes
            .iter()
            .filter(|shape| matches!(shape, Shape::Array(..)));
        let arrays: Vec<Shape> = arrays.copied().collect();
        let array = arrays[self.below(arrays.len())];
        if self.below(2) == 0
            && let Shape::Array(index, element) = array
        {
            let operands = [array, Shape::Bits(index), Shape::Bits(element)];
            self.apply_to("write", array, operands);
        } else {
            self.apply_to("ite", shape, [Shape::Bits(1), shape, shape]);
        }
    }

    fn apply_to(&mut self, name: &str, result: Shape, operands: [Shape; 3]) {
        let [Some(a), Some(b), Some(c)] = operands.map(|shape| self.pick(shape)) else {
            return;
        };
        let sort = self.sort(result);
        let text = format!("{name} {sort} {} {} {}", a.0, b.0, c.0);
        self.add(result, &text, a.1 && b.1 && c.1);
    }

    fn indexed(&mut self, shape: Shape) {
        let (Shape::Bits(width), Some((of, can_init))) = (shape, self.pick(shape)) else {
            return;
        };
        let (result, text) = match self.below(3) {
            0 => {
                let upper = self.below(width as usize) as u32;
                let lower = self.below(upper as usize + 1) as u32;
                (
                    upper - lower + 1,
                    format!("slice SORT {of} {upper} {lower}"),
                )
            }
            1 => (width + 2, format!("sext SORT {of} 2")),
            _ => (width + 1, format!("uext SORT {of} 1")),
        };
        let sort = self.sort(Shape::Bits(result)).to_string();
        self.add(Shape::Bits(result), &text.replace("SORT", &sort), can_init);
    }
}
