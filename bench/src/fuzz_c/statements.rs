//! Statements.

use super::expression::Place;
use super::lines::Item;
use super::program::{Function, Generator};
use super::types::{INT, Scalar};

impl Generator<'_> {
    pub(crate) fn writable(&mut self) -> Option<Place> {
        let places = &self.expressions.places;
        let writable: Vec<usize> = (0..places.len()).filter(|&k| places[k].writable).collect();
        let choice = *writable.get(self.expressions.rng.usize(..writable.len().max(1)))?;
        Some(self.expressions.places[choice].clone())
    }

    pub(crate) fn statements(&mut self, depth: u32) -> Vec<Item> {
        let places = self.expressions.places.len();
        let mut items = Vec::new();
        if self.one_in(4) {
            let name = self.fresh("b");
            let ty = self.scalar();
            let value = self.argument(ty);
            items.push(Item::Line(format!("{} {name} = {value};", ty.name())));
            self.expressions.places.push(Place::scalar(name, ty));
        }
        for _ in 0..1 + self.below(3) {
            items.append(&mut self.statement(depth));
        }
        self.expressions.places.truncate(places);
        items
    }

    pub(crate) fn statement(&mut self, depth: u32) -> Vec<Item> {
        if depth == 0 {
            return self.assignment();
        }
        match self.below(22) {
            20..22 => self.computed_pointer(),
            0..3 => self.conditional(depth),
            3..6 => self.repeat(depth),
            6 => self.switch(depth),
            7 => self.forward_jump(depth),
            8..11 => self.call(),
            11 => self.retarget(),
            12 => self.copy_record(),
            13 if self.loop_depth > 0 => {
                let condition = self.expressions.condition(2);
                let word = if self.expressions.rng.bool() {
                    "break"
                } else {
                    "continue"
                };
                vec![Item::Line(format!("if ({condition}) {word};"))]
            }
            14 => self.bytes(),
            _ => self.assignment(),
        }
    }

    pub(crate) fn assignment(&mut self) -> Vec<Item> {
        let Some(place) = self.writable() else {
            return Vec::new();
        };
        let target = self.expressions.reference(&place, 1);
        let unsigned = !place.ty.is_signed() && place.bits.is_none() && !place.ty.is_float();
        let narrow = place.ty.width() < 32 && place.bits.is_none() && !place.ty.is_float();
        let line = match self.below(10) {
            0 if unsigned || narrow => {
                let op = ["++", "--"][self.expressions.rng.usize(..2)];
                if self.expressions.rng.bool() {
                    format!("{target}{op};")
                } else {
                    format!("{op}{target};")
                }
            }
            1 if unsigned && place.ty != Scalar::Bool => {
                let op = ["+=", "-=", "^=", ">>=", "<<="][self.expressions.rng.usize(..5)];
                let value = self.expressions.integer(2).text;
                let value = if op.len() == 3 {
                    format!("({value} & 7)")
                } else {
                    value
                };
                format!("{target} {op} {value};")
            }
            2 if !place.ty.is_float() => {
                let op = ["^=", "|=", "&="][self.expressions.rng.usize(..3)];
                format!("{target} {op} {};", self.expressions.integer(2).text)
            }
            3 if !place.ty.is_float() => {
                let op = ["/=", "%="][self.expressions.rng.usize(..2)];
                format!(
                    "{target} {op} (({} & 7) | 1);",
                    self.expressions.integer(1).text
                )
            }
            // The value of an assignment is that of its target after it.
            4 if !place.ty.is_float() => {
                let name = self.fresh("t");
                let ty = Scalar::random_integer(self.expressions.rng);
                let value = self.expressions.integer(2).text;
                let op = ["^ 5", ">> 3", "< 2", "== -1", "& 1023"][self.expressions.rng.usize(..5)];
                let declaration = format!("{} {name} = ({target} = {value}) {op};", ty.name());
                let mix = format!("mix({name});");
                return vec![Item::block(
                    "{",
                    vec![Item::Line(declaration), Item::Line(mix)],
                )];
            }
            5 if place.ty.is_float() => {
                let op = ["+=", "-=", "*="][self.expressions.rng.usize(..3)];
                format!("{target} {op} {};", self.expressions.any(1).text)
            }
            _ => {
                let value = self.argument(place.ty);
                format!("{target} = {value};")
            }
        };
        vec![Item::Line(line)]
    }

    pub(crate) fn conditional(&mut self, depth: u32) -> Vec<Item> {
        let condition = self.expressions.condition(3);
        let then = self.statements(depth - 1);
        if self.expressions.rng.bool() {
            return vec![Item::block(format!("if ({condition}) {{"), then)];
        }
        // One construct with both branches, so that the shrinker removes them together.
        let otherwise = self.statements(depth - 1);
        let branches = vec![
            Item::block("{", then),
            Item::Line("} else {".into()),
            Item::block("{", otherwise),
        ];
        vec![Item::block(format!("if ({condition}) {{"), branches)]
    }

    pub(crate) fn repeat(&mut self, depth: u32) -> Vec<Item> {
        let name = self.fresh("i");
        let bound = if self.one_in(3) {
            format!("(int)({} & 3)", self.expressions.integer(1).text)
        } else {
            (1 + self.below(4)).to_string()
        };
        let bound_name = self.fresh("n");
        self.loop_depth += 1;
        let place = Place {
            writable: false,
            ..Place::scalar(name.clone(), INT)
        };
        self.expressions.places.push(place);
        let body = self.statements(depth - 1);
        self.expressions.places.pop();
        self.loop_depth -= 1;
        // `continue` must not skip the step, so the step is in the condition of `while` and `do`.
        let head = match self.below(3) {
            0 => {
                return vec![Item::block(
                    "{",
                    vec![
                        Item::Line(format!("int {name} = 0, {bound_name} = {bound};")),
                        Item::block(format!("while ({name}++ < {bound_name}) {{"), body),
                    ],
                )];
            }
            1 => {
                return vec![Item::block(
                    "{",
                    vec![
                        Item::Line(format!("int {name} = 0, {bound_name} = {bound};")),
                        Item::Block {
                            head: "do {".into(),
                            body,
                            tail: format!("}} while (++{name} < {bound_name});"),
                        },
                    ],
                )];
            }
            _ => format!(
                "for (int {name} = 0, {bound_name} = {bound}; {name} < {bound_name}; {name}++) {{"
            ),
        };
        vec![Item::block(head, body)]
    }

    pub(crate) fn switch(&mut self, depth: u32) -> Vec<Item> {
        let selector = self.expressions.integer(2).text;
        let mut body = Vec::new();
        // A `break` inside a switch leaves the switch and not the loop, which is equally harmless.
        for label in ["case 0:", "case 2 ... 4:", "default:", "case 7:"] {
            if self.one_in(4) {
                continue;
            }
            body.push(Item::Line(format!("{label};")));
            body.push(Item::block("{", self.statements(depth - 1)));
            if !self.one_in(3) {
                body.push(Item::Line("break;".into()));
            }
        }
        vec![Item::block(format!("switch ({selector} & 7) {{"), body)]
    }

    pub(crate) fn forward_jump(&mut self, depth: u32) -> Vec<Item> {
        let label = self.fresh("L");
        let condition = self.expressions.condition(2);
        let skipped = self.statements(depth - 1);
        vec![
            Item::Line(format!("if ({condition}) goto {label};")),
            Item::block("{", skipped),
            Item::Line(format!("{label}:;")),
        ]
    }

    pub(crate) fn call(&mut self) -> Vec<Item> {
        if self.functions.is_empty() {
            return self.assignment();
        }
        let choice = self.expressions.rng.usize(..self.functions.len());
        let Function {
            name,
            result,
            params,
            recursive,
            record,
        } = &self.functions[choice];
        let (mut callee, result, params) = (name.clone(), *result, params.clone());
        let (recursive, record) = (*recursive, *record);
        let mut args = Vec::new();
        if recursive {
            args.push(format!("(int)({} & 3)", self.expressions.integer(1).text));
        }
        for &ty in &params {
            args.push(self.argument(ty));
        }
        if let Some(record) = record {
            let variable = self.record_variables.iter().find(|(_, r)| *r == record);
            let Some((variable, _)) = variable else {
                return self.assignment();
            };
            args.push(variable.clone());
        }
        let mut items = Vec::new();
        if record.is_none() && self.one_in(3) {
            let pointer = self.fresh("q");
            let mut types: Vec<&str> = params.iter().map(|ty| ty.name()).collect();
            if recursive {
                types.insert(0, "int");
            }
            let declaration = format!(
                "{} (*{pointer})({}) = {callee};",
                result.name(),
                types.join(", ")
            );
            items.push(Item::Line(declaration));
            callee = pointer;
        }
        let name = self.fresh("t");
        items.push(Item::Line(format!(
            "{} {name} = {callee}({});",
            result.name(),
            args.join(", ")
        )));
        items.push(Item::Line(Self::mixed(
            &Place::scalar(name.clone(), result),
            &name,
        )));
        vec![Item::block("{", items)]
    }

    /// Assigns another target to a pointer.
    pub(crate) fn retarget(&mut self) -> Vec<Item> {
        if self.pointers.is_empty() {
            return self.assignment();
        }
        let (name, ty) = self.pointers[self.expressions.rng.usize(..self.pointers.len())].clone();
        let targets: Vec<String> = self
            .targets
            .iter()
            .filter(|(_, other)| *other == ty)
            .map(|(target, _)| target.clone())
            .collect();
        let [a, b] = [0; 2].map(|_| targets[self.expressions.rng.usize(..targets.len())].clone());
        let condition = self.expressions.condition(1);
        vec![Item::Line(format!("{name} = {condition} ? {a} : {b};"))]
    }

    /// Copies a structure by assignment or by its bytes.
    pub(crate) fn copy_record(&mut self) -> Vec<Item> {
        if self.record_variables.is_empty() {
            return self.assignment();
        }
        let n = self.record_variables.len();
        let (a, record) = self.record_variables[self.expressions.rng.usize(..n)].clone();
        let (b, other) = self.record_variables[self.expressions.rng.usize(..n)].clone();
        let line = if record != other || a == b {
            format!("memset(&{a}, 0, sizeof {a});")
        } else if self.one_in(3) {
            format!("memcpy(&{a}, &{b}, sizeof {b});")
        } else {
            format!("{a} = {b};")
        };
        vec![Item::Line(line)]
    }

    /// Reads a byte of an object.
    pub(crate) fn bytes(&mut self) -> Vec<Item> {
        let targets: Vec<String> = self
            .targets
            .iter()
            .filter(|(_, ty)| !ty.is_float())
            .map(|(target, _)| target.clone())
            .collect();
        if targets.is_empty() {
            return self.assignment();
        }
        let target = &targets[self.expressions.rng.usize(..targets.len())];
        vec![Item::Line(format!("mix(*(unsigned char *){target});"))]
    }
}
