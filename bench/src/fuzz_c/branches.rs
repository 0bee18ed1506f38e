//! Random programs of branches: conditions over few inputs are stored in variables and asked again in parts, and
//! the paths leave each other early and meet again, some of them where they cannot be taken. The inputs have so
//! few values that all runs can be enumerated.

use fastrand::Rng;

use super::lines::{Item, write};

/// How the program gets an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A `_Bool`.
    Bool,
    /// A word, reduced to the range of the input.
    Reduced,
    /// A word; the program ends if it is not in the range.
    Assumed,
    /// Any word. The program only compares it with constants below the last value of its range, so that this
    /// value stands for all greater ones.
    Wide,
}

/// An input with the values below a small number.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) n_values: u32,
    pub(crate) kind: Kind,
}

/// A program that computes a number from its inputs and passes sites, where questions put errors.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Functions; the last one is `program`, which takes the inputs as parameters.
    pub(crate) items: Vec<Item>,
    pub(crate) inputs: Vec<Input>,
    /// The sites are `SITE_0()`, `SITE_1()`, ...; at most 64.
    pub(crate) n_sites: u32,
}

impl Program {
    /// The text without a `main` and without the definitions of the sites.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("static unsigned x, y, z, *p = &x;\n");
        write(&self.items, 0, &mut text);
        text
    }
}

const MOST_RUNS: u32 = 64;
const MOST_SITES: u32 = 64;
const MOST_STATEMENTS: u32 = 60;
/// Variables that store conditions, and variables that store numbers.
const FLAGS: [&str; 3] = ["s", "t", "u"];
const NUMBERS: [&str; 3] = ["x", "y", "z"];

struct Generator<'r> {
    rng: &'r mut Rng,
    inputs: Vec<Input>,
    /// The conditions asked before, to be asked again; most of them about inputs.
    asked: Vec<String>,
    n_sites: u32,
    n_labels: u32,
    n_statements: u32,
    /// Whether a loop or `switch` can be left, and whether a loop can be continued.
    can_break: bool,
    can_continue: bool,
    has_helper: bool,
}

/// The program of a seed.
pub(crate) fn generate(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let mut inputs = Vec::new();
    let mut n_runs = 1;
    let most = rng.usize(2..5);
    for name in ["a", "b", "c", "d"].into_iter().take(most) {
        let kind = [
            Kind::Bool,
            Kind::Reduced,
            Kind::Assumed,
            Kind::Wide,
            Kind::Wide,
        ][rng.usize(..5)];
        let n_values = if kind == Kind::Bool { 2 } else { rng.u32(2..5) };
        n_runs *= n_values;
        if n_runs <= MOST_RUNS {
            inputs.push(Input {
                name,
                n_values,
                kind,
            });
        } else {
            break;
        }
    }
    let mut generator = Generator {
        rng: &mut rng,
        inputs,
        asked: Vec::new(),
        n_sites: 0,
        n_labels: 0,
        n_statements: 0,
        can_break: false,
        can_continue: false,
        has_helper: false,
    };
    let items = generator.program();
    Program {
        items,
        n_sites: generator.n_sites,
        inputs: generator.inputs,
    }
}

fn line(text: impl Into<String>) -> Item {
    Item::Line(text.into())
}

impl Generator<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.rng.u32(..n)
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn program(&mut self) -> Vec<Item> {
        let parameters: Vec<String> = (self.inputs.iter())
            .map(|input| match input.kind {
                Kind::Bool => format!("_Bool {}", input.name),
                _ => format!("unsigned {}", input.name),
            })
            .collect();
        let parameters = parameters.join(", ");
        let mut items = Vec::new();
        let flag = ["int", "_Bool", "unsigned", "unsigned char"][self.rng.usize(..4)];
        if self.one_in(3) {
            let mut body = vec![line(format!("{flag} s = 0, t = 0, u = 0;"))];
            body.extend(self.statements(2));
            body.push(line("return z + t;"));
            items.push(Item::block(
                format!("static unsigned helper({parameters}) {{"),
                body,
            ));
            self.has_helper = true;
            self.n_statements = 0;
        }
        let mut body = vec![line(format!("{flag} s = 0, t = 0, u = 0;"))];
        for _ in 0..2 + self.below(3) {
            if self.one_in(2) {
                body.extend(self.stored());
            } else {
                body.extend(self.statements(3));
            }
        }
        body.push(line(
            "return x + 5 * y + 25 * z + 125 * s + 1000 * t + 8000 * u;",
        ));
        items.push(Item::block(
            format!("static unsigned program({parameters}) {{"),
            body,
        ));
        items
    }

    // ---- conditions --------------------------------------------------------------------------------

    /// A condition about one or two inputs, or about a variable.
    fn new_atom(&mut self) -> String {
        if self.one_in(4) {
            return match self.below(3) {
                0 => {
                    let number = NUMBERS[self.rng.usize(..3)];
                    let op = ["==", "!=", "<", ">="][self.rng.usize(..4)];
                    format!("{number} {op} {}", 1 + self.below(3))
                }
                _ => FLAGS[self.rng.usize(..3)].into(),
            };
        }
        let Input {
            name,
            n_values,
            kind,
        } = self.inputs[self.rng.usize(..self.inputs.len())].clone();
        if self.one_in(3) && kind != Kind::Wide {
            let other = self.inputs[self.rng.usize(..self.inputs.len())].clone();
            if other.kind != Kind::Wide && other.name != name {
                let op = ["<", "==", "!=", "<=", "&", "^"][self.rng.usize(..6)];
                return format!("({name} {op} {})", other.name);
            }
            return format!("({name} & {})", 1 + self.below(2));
        }
        // Values from `n_values - 1` on are not distinguished.
        let value = self.below(n_values - 1);
        match self.below(6) {
            0 | 1 => format!("!!{name}"),
            2 => format!("({name} == {value})"),
            3 => format!("({name} != {value})"),
            4 => format!("({name} <= {value})"),
            _ => format!("({name} > {value})"),
        }
    }

    fn atom(&mut self) -> String {
        let atom = if self.asked.is_empty() || self.one_in(4) {
            let atom = self.new_atom();
            self.asked.push(atom.clone());
            atom
        } else {
            self.asked[self.rng.usize(..self.asked.len())].clone()
        };
        match self.below(4) {
            0 => format!("!({atom})"),
            1 => format!("!!({atom})"),
            _ => format!("({atom})"),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 || self.one_in(3) {
            return self.atom();
        }
        let a = self.condition(depth - 1);
        let b = self.condition(depth - 1);
        match self.below(8) {
            0 => format!("({a} ? {b} : {})", self.condition(depth - 1)),
            1 => format!("({a} == {b})"),
            2 => format!("!({a} && {b})"),
            3 => format!("({a} & {b})"),
            4 | 5 => format!("({a} && {b})"),
            _ => format!("({a} || {b})"),
        }
    }

    /// A small number.
    fn number(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 3 } else { 7 }) {
            0 | 1 => self.below(5).to_string(),
            2 => NUMBERS[self.rng.usize(..3)].into(),
            3 => format!("({} & 3)", self.number(depth - 1)),
            4 => format!("(unsigned)({})", self.condition(1)),
            _ => {
                let condition = self.condition(depth);
                let [a, b] = [0; 2].map(|_| self.number(depth - 1));
                format!("({condition} ? {a} : {b})")
            }
        }
    }

    // ---- statements --------------------------------------------------------------------------------

    /// A condition is stored under another one, and both are asked again under the stored one.
    fn stored(&mut self) -> Vec<Item> {
        let [outer, inner] = [0; 2].map(|_| self.new_atom());
        let flag = FLAGS[self.rng.usize(..3)];
        let store = match self.below(4) {
            0 => format!("{flag} = ({outer}) && ({inner});"),
            1 => format!("{flag} = ({outer}) ? !!({inner}) : 0;"),
            2 => format!("{flag} = !({outer}) || !({inner});"),
            _ => format!("if ({outer}) {flag} = !!({inner});"),
        };
        // Only these three are asked.
        let parts = match self.below(3) {
            0 => format!("({outer}) && ({inner})"),
            _ => format!("!({outer}) || !({inner})"),
        };
        let before = std::mem::replace(&mut self.asked, vec![outer, inner, flag.into()]);
        let not = if self.one_in(4) { "!" } else { "" };
        let mut body = Vec::new();
        if self.one_in(2) {
            let [then, otherwise] = [0; 2].map(|_| Item::block("{", self.statements(1)));
            let branches = vec![then, line("} else {"), otherwise];
            body.push(Item::block(format!("if ({parts}) {{"), branches));
        }
        body.extend(self.statements(1));
        self.asked.truncate(3);
        self.asked.extend(before);
        vec![
            line(store),
            Item::block(format!("if ({not}{flag}) {{"), body),
        ]
    }

    fn statements(&mut self, depth: u32) -> Vec<Item> {
        let mut items = Vec::new();
        for _ in 0..1 + self.below(3) {
            self.n_statements += 1;
            if self.n_statements > MOST_STATEMENTS {
                break;
            }
            let choice = if depth == 0 {
                self.below(9)
            } else {
                self.below(20)
            };
            items.extend(match choice {
                0 | 1 => self.flag(),
                2..=4 => self.assignment(),
                5 => self.site(),
                6 => self.leave(),
                7 => self.pointer(),
                8 => self.call(),
                9..=13 => self.branch(depth),
                14 | 15 => self.switch(depth),
                16 => self.block_left_by_jump(depth),
                17 => self.once(depth),
                18 => self.repeat(depth),
                _ => self.stored(),
            });
        }
        items
    }

    fn flag(&mut self) -> Vec<Item> {
        let flag = FLAGS[self.rng.usize(..3)];
        let condition = self.condition(2);
        vec![line(match self.below(6) {
            0 => format!("if ({condition}) {flag} = {};", self.atom()),
            1 => format!("{flag} = {flag} || {condition};"),
            2 => format!("{flag} = {flag} && {condition};"),
            3 => format!("{flag} = !{flag};"),
            _ => format!("{flag} = {condition};"),
        })]
    }

    fn assignment(&mut self) -> Vec<Item> {
        let number = NUMBERS[self.rng.usize(..3)];
        let value = self.number(2);
        vec![line(format!("{number} = {value};"))]
    }

    fn site(&mut self) -> Vec<Item> {
        if self.n_sites == MOST_SITES {
            return Vec::new();
        }
        let condition = self.condition(2);
        self.n_sites += 1;
        vec![line(format!(
            "if ({condition}) SITE_{}();",
            self.n_sites - 1
        ))]
    }

    /// Leaves the function, the loop or the `switch`.
    fn leave(&mut self) -> Vec<Item> {
        let condition = self.condition(1);
        let how = match self.below(4) {
            0 | 1 if self.can_break => "break".into(),
            2 if self.can_continue => "continue".into(),
            _ => format!("return {}", 100_000 + self.below(4)),
        };
        vec![line(format!("if ({condition}) {how};"))]
    }

    fn pointer(&mut self) -> Vec<Item> {
        let condition = self.condition(1);
        vec![line(match self.below(3) {
            0 => format!("p = {condition} ? &y : &z;"),
            1 => format!("if ({condition}) p = &x;"),
            _ => format!("*p = {};", self.number(1)),
        })]
    }

    fn call(&mut self) -> Vec<Item> {
        if !self.has_helper {
            return self.assignment();
        }
        let arguments: Vec<&str> = self.inputs.iter().map(|input| input.name).collect();
        let number = NUMBERS[self.rng.usize(..3)];
        vec![line(format!(
            "{number} = helper({}) & 7;",
            arguments.join(", ")
        ))]
    }

    fn branch(&mut self, depth: u32) -> Vec<Item> {
        let condition = self.condition(2);
        let then = self.statements(depth - 1);
        if self.one_in(2) {
            return vec![Item::block(format!("if ({condition}) {{"), then)];
        }
        let otherwise = self.statements(depth - 1);
        let branches = vec![
            Item::block("{", then),
            line("} else {"),
            Item::block("{", otherwise),
        ];
        vec![Item::block(format!("if ({condition}) {{"), branches)]
    }

    fn switch(&mut self, depth: u32) -> Vec<Item> {
        let input = self.rng.usize(..self.inputs.len());
        let Input {
            name,
            n_values,
            kind,
        } = self.inputs[input].clone();
        // The last value of a wide input stands for all greater ones, too.
        let (selector, n_labels) = match self.below(4) {
            0 => (NUMBERS[self.rng.usize(..3)], 4),
            1 => (FLAGS[self.rng.usize(..3)], 2),
            _ if kind == Kind::Wide => (name, n_values - 1),
            _ => (name, n_values),
        };
        let mut labels: Vec<String> = (0..n_labels).map(|k| format!("case {k}:")).collect();
        labels.push("default:".into());
        self.rng.shuffle(&mut labels);
        let can_break = std::mem::replace(&mut self.can_break, true);
        let mut body = Vec::new();
        for label in labels {
            if self.one_in(4) {
                continue;
            }
            body.push(line(format!("{label};")));
            body.push(Item::block("{", self.statements(depth - 1)));
            if !self.one_in(3) {
                body.push(line("break;"));
            }
        }
        self.can_break = can_break;
        vec![Item::block(format!("switch ({selector}) {{"), body)]
    }

    fn block_left_by_jump(&mut self, depth: u32) -> Vec<Item> {
        self.n_labels += 1;
        let label = format!("L{}", self.n_labels);
        let mut body = Vec::new();
        for _ in 0..2 {
            let condition = self.condition(2);
            let mut jump = vec![line(format!("if ({condition}) goto {label};"))];
            if self.one_in(2) {
                let condition = self.condition(1);
                jump = vec![Item::block(format!("if ({condition}) {{"), jump)];
            }
            body.extend(jump);
            body.extend(self.statements(depth - 1));
        }
        vec![Item::block("{", body), line(format!("{label}:;"))]
    }

    /// A body that is executed once and may be left before its end.
    fn once(&mut self, depth: u32) -> Vec<Item> {
        let before = (self.can_break, self.can_continue);
        (self.can_break, self.can_continue) = (true, true);
        let mut body = self.statements(depth - 1);
        body.extend(self.leave());
        body.extend(self.statements(depth - 1));
        (self.can_break, self.can_continue) = before;
        vec![Item::Block {
            head: "do {".into(),
            body,
            tail: "} while (0);".into(),
        }]
    }

    fn repeat(&mut self, depth: u32) -> Vec<Item> {
        self.n_labels += 1;
        let (name, bound) = (format!("i{}", self.n_labels), 2 + self.below(2));
        let before = (self.can_break, self.can_continue);
        (self.can_break, self.can_continue) = (true, true);
        let body = self.statements(depth - 1);
        (self.can_break, self.can_continue) = before;
        let head = format!("for (int {name} = 0; {name} < {bound}; {name}++) {{");
        vec![Item::block(head, body)]
    }
}
