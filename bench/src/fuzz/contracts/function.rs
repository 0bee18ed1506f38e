//! Random functions with contracts, over variables of few values.
//!
//! Texts are the same for craig and for gcc: macros (`OLD`, `RESULT`, `IMPLIES`, `ALL`, `SET`) make them clauses of a contract or C.

use craig_aig::Random;

/// What a contract lets be assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// The text of the clause.
    pub(super) clause: String,
    /// The condition under which it counts; empty for none.
    pub(super) condition: String,
    /// The address and the number of bytes, in C.
    pub(super) range: (String, String),
}

/// What the pointer of the function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    /// The address of a variable, in C.
    To(&'static str),
    /// A new object of two bytes.
    Fresh,
}

/// `byte f(byte x, byte *p)` with its contract.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) pointer: Pointer,
    pub(super) requires: Vec<String>,
    pub(super) targets: Vec<Target>,
    pub(super) body: Vec<String>,
    /// Terms whose values at the call are named `OLD(number, term)`.
    pub(super) olds: Vec<String>,
    /// Predicates on the state after the call.
    pub(super) predicates: Vec<String>,
}

/// Makes a function from random numbers.
pub(super) struct Maker<'r> {
    random: &'r mut Random,
    function: Function,
}

/// How many predicates a function has to choose from.
const N_PREDICATES: usize = 24;

/// A function from random numbers.
pub(super) fn made(random: &mut Random) -> Function {
    let pointer = [
        Pointer::To("&g0"),
        Pointer::To("&arr[1]"),
        Pointer::Fresh,
        Pointer::Fresh,
    ][random.below(4)];
    let mut maker = Maker {
        random,
        function: Function {
            pointer,
            requires: Vec::new(),
            targets: Vec::new(),
            body: Vec::new(),
            olds: Vec::new(),
            predicates: Vec::new(),
        },
    };
    maker.contract();
    for _ in 0..1 + maker.random.below(5) {
        let statement = maker.statement(2);
        maker.function.body.push(statement);
    }
    let result = maker.term(2);
    maker.function.body.push(format!("return ({result}) & 3;"));
    maker.function
}

impl Maker<'_> {
    fn one<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.random.below(all.len())]
    }

    fn contract(&mut self) {
        for _ in 0..self.random.below(3) {
            let clause = self.condition(1);
            self.function.requires.push(clause);
        }
        if self.random.below(2) == 0 {
            self.function.targets = self.everything();
        }
        let n_targets = match self.function.targets.is_empty() {
            true => [0, 1, 2, 2, 3, 4][self.random.below(6)],
            false => 0,
        };
        for _ in 0..n_targets {
            let target = self.target();
            if !self.function.targets.contains(&target) {
                self.function.targets.push(target);
            }
        }
        for _ in 0..N_PREDICATES {
            let predicate = self.predicate(2);
            self.function.predicates.push(predicate);
        }
    }

    /// Targets that hold all that a body may write.
    fn everything(&self) -> Vec<Target> {
        let pointer = match self.function.pointer {
            Pointer::Fresh => Some(("__CPROVER_object_whole(p)", "p", "2")),
            Pointer::To(_) => None,
        };
        [
            ("g0", "&g0", "1"),
            ("g1", "&g1", "sizeof g1"),
            ("__CPROVER_object_whole(arr)", "arr", "4"),
        ]
        .into_iter()
        .chain(pointer)
        .map(|(clause, address, size)| Target {
            clause: clause.to_owned(),
            condition: String::new(),
            range: (address.to_owned(), size.to_owned()),
        })
        .collect()
    }

    fn target(&mut self) -> Target {
        let index = self.index();
        let (clause, address, size) = match self.random.below(9) {
            0 | 1 => ("g0".to_owned(), "&g0".to_owned(), "1".to_owned()),
            2 => ("g1".to_owned(), "&g1".to_owned(), "sizeof g1".to_owned()),
            3 | 4 => ("*p".to_owned(), "p".to_owned(), "1".to_owned()),
            5 => (
                format!("arr[{index}]"),
                format!("&arr[{index}]"),
                "1".to_owned(),
            ),
            6 => (
                "__CPROVER_object_whole(arr)".to_owned(),
                "arr".to_owned(),
                "4".to_owned(),
            ),
            7 => {
                let n = self.random.below(4) + 1;
                (
                    format!("__CPROVER_object_upto(arr, {n})"),
                    "arr".to_owned(),
                    n.to_string(),
                )
            }
            _ => {
                let n = self.random.below(4);
                (
                    format!("__CPROVER_object_from(arr + {n})"),
                    format!("arr + {n}"),
                    (4 - n).to_string(),
                )
            }
        };
        let condition = match self.random.below(5) {
            0 => self.condition(0),
            _ => String::new(),
        };
        Target {
            clause,
            condition,
            range: (address, size),
        }
    }

    fn index(&mut self) -> String {
        match self.random.below(3) {
            0 => self.random.below(4).to_string(),
            1 => "x & 3".to_owned(),
            _ => "g1 & 3".to_owned(),
        }
    }

    /// A term over the state.
    fn term(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return match self.random.below(8) {
                0 | 1 => self.random.below(6).to_string(),
                2 => "x".to_owned(),
                3 => format!("arr[{}]", self.index()),
                4 => match self.function.pointer {
                    Pointer::Fresh => self.one(&["p[0]", "p[1]"]).to_owned(),
                    Pointer::To(_) => "*p".to_owned(),
                },
                5 => "g0".to_owned(),
                _ => "g1".to_owned(),
            };
        }
        let (left, right) = (self.term(depth - 1), self.term(depth - 1));
        format!(
            "({left} {} {right})",
            self.one(&["+", "-", "&", "|", "^", "*"])
        )
    }

    fn condition(&mut self, depth: usize) -> String {
        let (left, right) = (self.term(depth), self.term(depth));
        let first = format!(
            "({left} {} {right})",
            self.one(&["<", "<=", "==", "!=", ">", "&"])
        );
        match self.random.below(5) {
            0 => {
                let (left, right) = (self.term(0), self.term(0));
                format!("({first} {} ({left} < {right}))", self.one(&["&&", "||"]))
            }
            _ => first,
        }
    }

    /// A term over the states before and after, and the result.
    fn term_after(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => "RESULT".to_owned(),
            1 => {
                let term = self.term(1);
                self.function.olds.push(term.clone());
                format!("OLD({}, {term})", self.function.olds.len() - 1)
            }
            _ => self.term(depth.min(1)),
        }
    }

    fn predicate(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 3 } else { 6 }) {
            0..3 => {
                let (left, right) = (self.term_after(1), self.term_after(1));
                format!(
                    "({left} {} {right})",
                    self.one(&["<", "<=", "==", "==", "!=", ">="])
                )
            }
            3 => {
                let (left, right) = (self.predicate(depth - 1), self.predicate(depth - 1));
                format!("IMPLIES({left}, {right})")
            }
            4 => {
                let (left, right) = (self.predicate(depth - 1), self.predicate(depth - 1));
                format!("({left} {} {right})", self.one(&["&&", "||"]))
            }
            _ => {
                let right = self.term_after(0);
                let op = self.one(&["<=", "!=", "<"]);
                format!("{}(arr[i] {op} {right})", self.one(&["ALL", "SOME"]))
            }
        }
    }

    fn place(&mut self) -> String {
        match self.random.below(7) {
            0 | 1 => "g0".to_owned(),
            2 => "g1".to_owned(),
            3 => format!("arr[{}]", self.index()),
            4 => "l".to_owned(),
            5 => "x".to_owned(),
            _ => match self.function.pointer {
                Pointer::Fresh => self.one(&["p[0]", "p[1]"]).to_owned(),
                Pointer::To(_) => "*p".to_owned(),
            },
        }
    }

    fn assignment(&mut self) -> String {
        let (place, value) = (self.place(), self.term(2));
        match (place.as_str(), place.starts_with("arr")) {
            ("l" | "x", _) => format!("{place} = ({value}) & 3;"),
            (_, true) => format!("SET({place}, ({value}) & 1);"),
            _ => format!("SET({place}, ({value}) & 3);"),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.assignment();
        }
        match self.random.below(9) {
            0 | 1 => {
                let (condition, inner) = (self.condition(1), self.statement(depth - 1));
                format!("if ({condition}) {{ {inner} }}")
            }
            2 => {
                let (condition, value) = (self.condition(1), self.term(1));
                format!("if ({condition}) return ({value}) & 3;")
            }
            3 => format!(
                "for (int k = 0; k < {}; k++) {{ {} }}",
                1 + self.random.below(3),
                self.statement(depth - 1)
            ),
            4 => format!("helper({});", self.term(1)),
            5 => {
                let condition = self.condition(1);
                let other = match self.function.pointer {
                    Pointer::Fresh => "p",
                    Pointer::To(_) => "&arr[0]",
                };
                format!(
                    "{{ byte *q = {condition} ? &g0 : {other}; SET(*q, ({}) & 1); }}",
                    self.term(1)
                )
            }
            6 => format!(
                "{{ byte *q = malloc(1); *q = ({}) & 3; l = *q; free(q); }}",
                self.term(1)
            ),
            _ => self.assignment(),
        }
    }
}
