//! Random programs: declarations, functions, statements.

use fastrand::Rng;

use super::expression::{Expressions, Place};
use super::statement::{Item, write};
use super::types::{INPUTS, Scalar};

/// A program that computes a number from its inputs.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Types, globals and functions; the last one is `program`, which returns the number.
    pub(crate) items: Vec<Item>,
    pub(crate) inputs: Vec<(Scalar, &'static str)>,
}

impl Program {
    /// The text without a `main`.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (k, (ty, _)) in self.inputs.iter().enumerate() {
            text.push_str(&format!("static {} in{k};\n", ty.name()));
        }
        write(&self.items, 0, &mut text);
        text
    }
}

/// A structure or union that the program declares.
struct Record {
    tag: String,
    members: Vec<Place>,
    /// A member that covers all bytes; writing it gives every other member a value.
    initialiser: String,
}

/// A function that can be called.
struct Function {
    name: String,
    result: Scalar,
    params: Vec<Scalar>,
    /// The first parameter counts calls down.
    recursive: bool,
    /// A record that is passed by value, as the last parameter.
    record: Option<usize>,
}

struct Generator<'r> {
    expressions: Expressions<'r>,
    records: Vec<Record>,
    /// Variables of record types, with the number of the record.
    record_variables: Vec<(String, usize)>,
    functions: Vec<Function>,
    /// Pointers to scalars, with their targets' type.
    pointers: Vec<(String, Scalar)>,
    /// Objects that pointers may point to: addresses and types. They live as long as the program.
    targets: Vec<(String, Scalar)>,
    checksum: Vec<Item>,
    n_names: u32,
    loop_depth: u32,
}

const MIX: &str = "static unsigned long long sum = 1; \
    static void mix(unsigned long long v) { sum = (sum << 7 | sum >> 57) ^ v; }";
const FLOAT_BITS: &str = "static unsigned long long bits(double v) { union { double d; unsigned long long n; } u; \
    u.d = v; return v != v ? 7 : u.n; }";

/// The program that a seed stands for.
pub(crate) fn generate(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let floats = rng.u32(..5) == 0;
    let n_inputs = rng.usize(1..4);
    let inputs: Vec<_> = (0..n_inputs)
        .map(|_| INPUTS[rng.usize(..INPUTS.len())])
        .collect();
    let places = inputs
        .iter()
        .enumerate()
        .map(|(k, &(ty, _))| Place {
            writable: false,
            ..Place::scalar(format!("in{k}"), ty)
        })
        .collect();
    let mut generator = Generator {
        expressions: Expressions {
            rng: &mut rng,
            floats,
            places,
            constants: Vec::new(),
        },
        records: Vec::new(),
        record_variables: Vec::new(),
        functions: Vec::new(),
        pointers: Vec::new(),
        targets: Vec::new(),
        checksum: Vec::new(),
        n_names: 0,
        loop_depth: 0,
    };
    let items = generator.program();
    Program { items, inputs }
}

impl Generator<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.expressions.rng.u32(..n)
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    fn scalar(&mut self) -> Scalar {
        let floats = self.expressions.floats;
        Scalar::random(self.expressions.rng, floats)
    }

    /// A constant that converts to a type without undefined behaviour.
    fn constant(&mut self, ty: Scalar) -> String {
        loop {
            let value = self.expressions.constant();
            if ty.is_float() || !value.ty.is_float() {
                return value.text;
            }
        }
    }

    fn program(&mut self) -> Vec<Item> {
        let mut items: Vec<Item> = [
            MIX,
            FLOAT_BITS,
            "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);",
        ]
        .map(|line| Item::Line(line.into()))
        .into();
        if self.one_in(3) {
            let name = self.fresh("E");
            let [a, b, c] = ["a", "b", "c"].map(|k| format!("{name}{k}"));
            items.push(Item::Line(format!(
                "enum {name} {{ {a} = -3, {b}, {c} = 70000 }};"
            )));
            self.expressions.constants.extend([a, b, c]);
        }
        for _ in 0..self.below(4) {
            let record = if self.one_in(3) {
                self.union()
            } else {
                self.structure()
            };
            items.push(record);
        }
        for _ in 0..2 + self.below(5) {
            let global = self.global();
            items.push(Item::Line(global));
        }
        for _ in 0..self.below(3) {
            if let Some(pointer) = self.pointer() {
                items.push(Item::Line(format!("static {pointer}")));
            }
        }
        let globals = self.expressions.places.len();
        for _ in 0..self.below(4) {
            let function = self.function();
            items.push(function);
            self.expressions.places.truncate(globals);
        }
        let n = 3 + self.below(6);
        let mut body = self.body(n);
        body.append(&mut self.checksum);
        body.push(Item::Line("return sum;".into()));
        items.push(Item::block(
            "static unsigned long long program(void) {",
            body,
        ));
        items
    }

    /// A structure, often of bit-fields.
    fn structure(&mut self) -> Item {
        let tag = self.fresh("struct S");
        let mut members = Vec::new();
        let mut body = Vec::new();
        for k in 0..1 + self.below(5) {
            let name = format!("m{k}");
            match self.below(6) {
                0..3 => {
                    let ty = Scalar::random_integer(self.expressions.rng);
                    let most = if ty == Scalar::Bool { 1 } else { ty.width() };
                    let bits = 1 + self.below(most);
                    body.push(Item::Line(format!("{} {name} : {bits};", ty.name())));
                    members.push(Place {
                        bits: Some(bits),
                        ..Place::scalar(name, ty)
                    });
                    if self.one_in(8) {
                        body.push(Item::Line(
                            ["int : 0;", "int : 3;", "long : 0;"][k as usize % 3].into(),
                        ));
                    }
                }
                3 => {
                    let ty = self.scalar();
                    body.push(Item::Line(format!("{} {name}[4];", ty.name())));
                    members.push(Place {
                        elements: 4,
                        ..Place::scalar(format!("{name}[@]"), ty)
                    });
                }
                4 if self
                    .records
                    .iter()
                    .any(|record| record.tag.starts_with("struct")) =>
                {
                    let inner = self
                        .records
                        .iter()
                        .find(|record| record.tag.starts_with("struct"))
                        .expect("there is one");
                    body.push(Item::Line(format!("{} {name};", inner.tag)));
                    let nested = inner.members.iter().map(|member| Place {
                        text: format!("{name}.{}", member.text),
                        ..member.clone()
                    });
                    members.extend(nested.collect::<Vec<_>>());
                }
                _ => {
                    let ty = self.scalar();
                    body.push(Item::Line(format!("{} {name};", ty.name())));
                    members.push(Place::scalar(name, ty));
                }
            }
        }
        let packed = if self.one_in(6) {
            " __attribute__((packed))"
        } else {
            ""
        };
        self.records.push(Record {
            tag: tag.clone(),
            members,
            initialiser: "{0}".into(),
        });
        Item::Block {
            head: format!("{tag} {{"),
            body,
            tail: format!("}}{packed};"),
        }
    }

    fn union(&mut self) -> Item {
        let tag = self.fresh("union U");
        let body = [
            "unsigned long long w;",
            "signed char c[8];",
            "unsigned short h[4];",
            "struct { unsigned lo : 12, mid : 15; int hi : 5; } s;",
            "int n;",
        ];
        let unsigned_short = Scalar::Integer {
            rank: 2,
            signed: false,
            plain: false,
        };
        let signed_char = Scalar::Integer {
            rank: 1,
            signed: true,
            plain: false,
        };
        let field = |text: &str, ty, bits| Place {
            bits: Some(bits),
            ..Place::scalar(text, ty)
        };
        let members = vec![
            Place::scalar("w", Scalar::LONG_LONG_UNSIGNED),
            Place {
                elements: 8,
                ..Place::scalar("c[@]", signed_char)
            },
            Place {
                elements: 4,
                ..Place::scalar("h[@]", unsigned_short)
            },
            field("s.lo", Scalar::INTEGER_UNSIGNED, 12),
            field("s.mid", Scalar::INTEGER_UNSIGNED, 15),
            field("s.hi", super::types::INT, 5),
            Place::scalar("n", super::types::INT),
        ];
        self.records.push(Record {
            tag: tag.clone(),
            members,
            initialiser: "{ 0x8123456789abcdefull }".into(),
        });
        let body = body.map(|line| Item::Line(line.into())).into();
        Item::Block {
            head: format!("{tag} {{"),
            body,
            tail: "};".into(),
        }
    }

    /// What adds a place to the number that the program computes.
    fn mixed(place: &Place, text: &str) -> String {
        if place.ty.is_float() {
            format!("mix(bits({text}));")
        } else if place.ty.width() > 64 {
            format!("mix({text}); mix({text} >> 64);")
        } else {
            format!("mix({text});")
        }
    }

    /// Adds a place, and the number that it has in the end.
    fn add_global(&mut self, place: Place) {
        for element in 0..place.elements {
            let text = place.text.replace('@', &element.to_string());
            self.checksum.push(Item::Line(Self::mixed(&place, &text)));
        }
        if place.bits.is_none() && !place.text.contains('.') {
            self.targets
                .push((format!("&{}", place.text.replace('@', "0")), place.ty));
        }
        self.expressions.places.push(place);
    }

    fn members_of(&self, record: usize, variable: &str) -> Vec<Place> {
        let members = self.records[record].members.iter();
        members
            .map(|member| Place {
                text: format!("{variable}{}", member.text),
                ..member.clone()
            })
            .collect()
    }

    fn global(&mut self) -> String {
        let name = self.fresh("g");
        let choice = self.below(7);
        if choice < 3 && !self.records.is_empty() {
            let record = self.expressions.rng.usize(..self.records.len());
            for place in self.members_of(record, &format!("{name}.")) {
                self.add_global(place);
            }
            self.record_variables.push((name.clone(), record));
            let Record {
                tag, initialiser, ..
            } = &self.records[record];
            return format!("static {tag} {name} = {initialiser};");
        }
        let ty = self.scalar();
        if choice == 3 {
            let values: Vec<String> = (0..3).map(|_| self.constant(ty)).collect();
            self.add_global(Place {
                elements: 4,
                ..Place::scalar(format!("{name}[@]"), ty)
            });
            return format!(
                "static {} {name}[4] = {{{}}};",
                ty.name(),
                values.join(", ")
            );
        }
        if choice == 4 {
            self.add_global(Place {
                elements: 2,
                ..Place::scalar(format!("{name}[1][@]"), ty)
            });
            let value = self.constant(ty);
            return format!(
                "static {} {name}[2][2] = {{[1] = {{[1] = {value}}}}};",
                ty.name()
            );
        }
        let qualifier = if self.one_in(6) { "const " } else { "" };
        let value = self.constant(ty);
        self.add_global(Place {
            writable: qualifier.is_empty(),
            ..Place::scalar(name.clone(), ty)
        });
        if !qualifier.is_empty() {
            self.targets.pop();
        }
        format!("static {qualifier}{} {name} = {value};", ty.name())
    }

    /// A pointer to an object that lives as long as the program.
    fn pointer(&mut self) -> Option<String> {
        let name = self.fresh("p");
        if self.one_in(2) && !self.record_variables.is_empty() {
            let (variable, record) = self.record_variables
                [self.expressions.rng.usize(..self.record_variables.len())]
            .clone();
            let members = self.members_of(record, &format!("{name}->"));
            self.expressions.places.extend(members);
            let tag = &self.records[record].tag;
            return Some(format!("{tag} *{name} = &{variable};"));
        }
        if self.targets.is_empty() {
            return None;
        }
        let (target, ty) = self.targets[self.expressions.rng.usize(..self.targets.len())].clone();
        self.expressions
            .places
            .push(Place::scalar(format!("(*{name})"), ty));
        self.pointers.push((name.clone(), ty));
        Some(format!("{} *{name} = {target};", ty.name()))
    }

    fn function(&mut self) -> Item {
        let name = self.fresh("f");
        let result = self.scalar();
        let recursive = self.one_in(4);
        let record = (self.one_in(4) && !self.records.is_empty())
            .then(|| self.expressions.rng.usize(..self.records.len()));
        let params: Vec<Scalar> = (0..1 + self.below(3)).map(|_| self.scalar()).collect();
        let mut declared = Vec::new();
        if recursive {
            declared.push("int depth".to_string());
        }
        for (k, ty) in params.iter().enumerate() {
            declared.push(format!("{} x{k}", ty.name()));
            self.expressions
                .places
                .push(Place::scalar(format!("x{k}"), *ty));
        }
        if let Some(record) = record {
            declared.push(format!("{} r", self.records[record].tag));
            let members = self.members_of(record, "r.");
            self.expressions.places.extend(members);
        }
        let head = format!(
            "static {} {name}({}) {{",
            result.name(),
            declared.join(", ")
        );
        let pointers = self.pointers.len();
        let mut body = Vec::new();
        if recursive {
            let value = self.constant(result);
            body.push(Item::Line(format!("if (depth <= 0) return {value};")));
        }
        let n = 1 + self.below(4);
        body.append(&mut self.body(n));
        if recursive {
            let mut args = vec!["depth - 1".to_string()];
            for &ty in &params {
                args.push(self.argument(ty));
            }
            if record.is_some() {
                args.push("r".into());
            }
            let again = format!("{} again = {name}({});", result.name(), args.join(", "));
            body.push(Item::Line(again));
            let place = Place::scalar("again", result);
            body.push(Item::Line(Self::mixed(&place, "again")));
        }
        let value = self.argument(result);
        body.push(Item::Line(format!("return {value};")));
        self.pointers.truncate(pointers);
        self.functions.push(Function {
            name,
            result,
            params,
            recursive,
            record,
        });
        Item::block(head, body)
    }

    /// An expression that converts to a type without undefined behaviour.
    fn argument(&mut self, ty: Scalar) -> String {
        let depth = 2;
        if ty.is_float() || ty == Scalar::Bool {
            self.expressions.any(depth).text
        } else {
            self.expressions.integer(depth).text
        }
    }

    /// Declarations of locals, and statements. What they declare is no longer a place behind them.
    fn body(&mut self, n: u32) -> Vec<Item> {
        let mut items = Vec::new();
        for _ in 0..1 + self.below(3) {
            let name = self.fresh("v");
            let ty = self.scalar();
            let value = self.argument(ty);
            let storage = if self.one_in(8) { "static " } else { "" };
            let value = if storage.is_empty() {
                value
            } else {
                self.constant(ty)
            };
            items.push(Item::Line(format!(
                "{storage}{} {name} = {value};",
                ty.name()
            )));
            self.expressions.places.push(Place::scalar(name, ty));
        }
        if self.one_in(3)
            && let Some(pointer) = self.pointer()
        {
            items.push(Item::Line(pointer));
        }
        for _ in 0..n {
            items.append(&mut self.statement(2));
        }
        items
    }

    fn writable(&mut self) -> Option<Place> {
        let places = &self.expressions.places;
        let writable: Vec<usize> = (0..places.len()).filter(|&k| places[k].writable).collect();
        let choice = *writable.get(self.expressions.rng.usize(..writable.len().max(1)))?;
        Some(self.expressions.places[choice].clone())
    }

    fn statements(&mut self, depth: u32) -> Vec<Item> {
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

    fn statement(&mut self, depth: u32) -> Vec<Item> {
        if depth == 0 {
            return self.assignment();
        }
        match self.below(20) {
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

    fn assignment(&mut self) -> Vec<Item> {
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
            // The value of an assignment is that of its target behind it.
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

    fn conditional(&mut self, depth: u32) -> Vec<Item> {
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

    fn repeat(&mut self, depth: u32) -> Vec<Item> {
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
            ..Place::scalar(name.clone(), super::types::INT)
        };
        self.expressions.places.push(place);
        let body = self.statements(depth - 1);
        self.expressions.places.pop();
        self.loop_depth -= 1;
        // `continue` must not skip the step: it stands in the condition of `while` and `do`.
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

    fn switch(&mut self, depth: u32) -> Vec<Item> {
        let selector = self.expressions.integer(2).text;
        let mut body = Vec::new();
        // A `break` of the switch is no `break` of the loop around it, but as harmless.
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

    fn forward_jump(&mut self, depth: u32) -> Vec<Item> {
        let label = self.fresh("L");
        let condition = self.expressions.condition(2);
        let skipped = self.statements(depth - 1);
        vec![
            Item::Line(format!("if ({condition}) goto {label};")),
            Item::block("{", skipped),
            Item::Line(format!("{label}:;")),
        ]
    }

    fn call(&mut self) -> Vec<Item> {
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

    /// Lets a pointer point elsewhere.
    fn retarget(&mut self) -> Vec<Item> {
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
    fn copy_record(&mut self) -> Vec<Item> {
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
    fn bytes(&mut self) -> Vec<Item> {
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
