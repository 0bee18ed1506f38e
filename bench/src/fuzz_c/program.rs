//! Random programs: declarations, functions, statements.

use fastrand::Rng;

use super::arrays::Array;
use super::expression::{Expressions, Place};
use super::lines::{Item, write};
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
pub(crate) struct Record {
    pub(crate) tag: String,
    pub(crate) members: Vec<Place>,
    /// A member that covers all bytes; writing it gives every other member a value.
    pub(crate) initialiser: String,
}

/// A function that can be called.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) result: Scalar,
    pub(crate) params: Vec<Scalar>,
    /// The first parameter is a decreasing counter of calls.
    pub(crate) recursive: bool,
    /// A record that is passed by value, as the last parameter.
    pub(crate) record: Option<usize>,
}

pub(crate) struct Generator<'r> {
    pub(crate) expressions: Expressions<'r>,
    pub(crate) records: Vec<Record>,
    /// Variables of record types, with the number of the record.
    pub(crate) record_variables: Vec<(String, usize)>,
    pub(crate) functions: Vec<Function>,
    /// Pointers to scalars, with their targets' type.
    pub(crate) pointers: Vec<(String, Scalar)>,
    /// Objects that pointers may point to: addresses and types. They have static storage duration.
    pub(crate) targets: Vec<(String, Scalar)>,
    /// Arrays that pointers are computed into.
    pub(crate) arrays: Vec<Array>,
    pub(crate) checksum: Vec<Item>,
    pub(crate) n_names: u32,
    pub(crate) loop_depth: u32,
}

const MIX: &str = "static unsigned long long sum = 1; \
    static void mix(unsigned long long v) { sum = (sum << 7 | sum >> 57) ^ v; }";
const FLOAT_BITS: &str = "static unsigned long long bits(double v) { union { double d; unsigned long long \
                          n; } u; \
    u.d = v; return v != v ? 7 : u.n; }";

/// The program of a seed.
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
        arrays: Vec::new(),
        checksum: Vec::new(),
        n_names: 0,
        loop_depth: 0,
    };
    let items = generator.program();
    Program { items, inputs }
}

impl Generator<'_> {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.expressions.rng.u32(..n)
    }

    pub(crate) fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    pub(crate) fn scalar(&mut self) -> Scalar {
        let floats = self.expressions.floats;
        Scalar::random(self.expressions.rng, floats)
    }

    /// A constant that converts to a type without undefined behaviour.
    pub(crate) fn constant(&mut self, ty: Scalar) -> String {
        loop {
            let value = self.expressions.constant();
            if ty.is_float() || !value.ty.is_float() {
                return value.text;
            }
        }
    }

    pub(crate) fn program(&mut self) -> Vec<Item> {
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
        if self.one_in(3)
            && let Some(array) = self.record_array()
        {
            items.push(Item::Line(array));
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

    pub(crate) fn function(&mut self) -> Item {
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
    pub(crate) fn argument(&mut self, ty: Scalar) -> String {
        let depth = 2;
        if ty.is_float() || ty == Scalar::Bool {
            self.expressions.any(depth).text
        } else {
            self.expressions.integer(depth).text
        }
    }

    /// Declarations of locals, and statements. The locals are places only within this body.
    pub(crate) fn body(&mut self, n: u32) -> Vec<Item> {
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
}
