//! The reader: identifiers, sorts, and the rules for `init` and `next`.

use craig_word::Sort;

use super::MAX_WIDTH;
use super::constant::{Base, Constant, shortened};
use super::fault::Fault;
use super::model::{Argument, Btor2, Justice, Kind, Line, Node, State};
use super::operator::{NAMED, Operator, describe};
use super::tokens::{Tokens, lines};

/// Identifiers are below this.
const END_OF_IDENTIFIERS: u64 = 1 << 40;

/// What an identifier stands for.
#[derive(Clone, Copy)]
enum Entry {
    Sort(Sort),
    /// A position in [`Btor2::nodes`].
    Node(u32),
    /// A line that can't be an argument.
    Other,
}

#[derive(Default)]
struct Reader {
    model: Btor2,
    /// All lines so far. The identifiers increase, so that a search needs no table as large as the largest.
    entries: Vec<(u64, Entry)>,
    /// For each node, whether an input occurs in it.
    reads_input: Vec<bool>,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<Btor2, Fault> {
    let mut reader = Reader::default();
    for line in lines(bytes) {
        reader.line(line?)?;
    }
    Ok(reader.model)
}

impl Reader {
    fn line(&mut self, mut tokens: Tokens<'_>) -> Result<(), Fault> {
        let identifier = tokens.number("an identifier")?;
        let last = self.entries.last().map_or(0, |&(last, _)| last);
        if identifier <= last || identifier >= END_OF_IDENTIFIERS {
            return Err(tokens.fault(format!(
                "expected an identifier greater than {last} (and less than 2^40), but found {identifier}"
            )));
        }
        let tag = tokens.expect("a tag, such as `sort` or `add`")?;
        let entry = match tag {
            "sort" => {
                let sort = self.sort(&mut tokens)?;
                Self::symbol(&mut tokens);
                Entry::Sort(sort)
            }
            "init" | "next" => {
                self.assignment(tag, &mut tokens)?;
                Self::symbol(&mut tokens);
                Entry::Other
            }
            "bad" | "constraint" | "fair" | "output" => {
                self.property(tag, &mut tokens)?;
                Entry::Other
            }
            "justice" => {
                self.justice(&mut tokens)?;
                Entry::Other
            }
            _ => Entry::Node(self.value(identifier, tag, &mut tokens)?),
        };
        if let Some(word) = tokens.next() {
            let found = shortened(word);
            return Err(tokens.fault(format!(
                "expected the end of the line, or a comment, but found {found:?}"
            )));
        }
        self.entries.push((identifier, entry));
        Ok(())
    }

    fn entry(&self, identifier: u64) -> Option<Entry> {
        let position = (self.entries).binary_search_by_key(&identifier, |&(number, _)| number);
        position.ok().map(|position| self.entries[position].1)
    }

    /// The sort with an identifier that is the next word.
    fn sort_of(&self, tokens: &mut Tokens<'_>) -> Result<Sort, Fault> {
        let identifier = tokens.number("the identifier of a sort")?;
        match self.entry(identifier) {
            Some(Entry::Sort(sort)) => Ok(sort),
            Some(_) => Err(tokens.fault(format!(
                "expected a sort, but line {identifier} defines none"
            ))),
            None => Err(tokens.fault(format!(
                "expected a sort, but {identifier} is not defined before this line"
            ))),
        }
    }

    fn sort(&self, tokens: &mut Tokens<'_>) -> Result<Sort, Fault> {
        match tokens.expect("`bitvec` or `array`")? {
            "bitvec" => {
                let width = tokens.number("a width")?;
                match u32::try_from(width) {
                    Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(Sort::BitVector(width)),
                    _ => Err(tokens.fault(format!(
                        "bit-vectors of width 1 to {MAX_WIDTH} are supported, and not of width {width}"
                    ))),
                }
            }
            "array" => {
                let (index, element) = (self.sort_of(tokens)?, self.sort_of(tokens)?);
                match (index, element) {
                    (Sort::BitVector(index), Sort::BitVector(element)) => {
                        Ok(Sort::Array { index, element })
                    }
                    _ => Err(tokens.fault(
                        "arrays of arrays are not supported: indices and elements have to be bit-vectors",
                    )),
                }
            }
            other => {
                let found = shortened(other);
                Err(tokens.fault(format!("expected `bitvec` or `array`, but found {found:?}")))
            }
        }
    }

    /// The value that is the next word.
    fn argument(&self, tokens: &mut Tokens<'_>) -> Result<Argument, Fault> {
        let word = tokens.expect("the identifier of a value")?;
        let (is_negated, digits) = match word.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, word),
        };
        let is_number = !digits.starts_with('0') && digits.bytes().all(|it| it.is_ascii_digit());
        let Some(identifier) = digits.parse().ok().filter(|_| is_number) else {
            let found = shortened(word);
            return Err(tokens.fault(format!(
                "expected the identifier of a value, but found {found:?}"
            )));
        };
        let node = match self.entry(identifier) {
            Some(Entry::Node(node)) => node,
            Some(_) => {
                return Err(tokens.fault(format!(
                    "expected a value, but line {identifier} defines none"
                )));
            }
            None => {
                return Err(tokens.fault(format!(
                    "expected a value, but {identifier} is not defined before this line"
                )));
            }
        };
        let argument = Argument { node, is_negated };
        if is_negated && matches!(self.sort_at(argument), Sort::Array { .. }) {
            return Err(tokens.fault(format!("{word}: an array can't be negated")));
        }
        Ok(argument)
    }

    fn sort_at(&self, argument: Argument) -> Sort {
        self.model.node(argument).sort
    }

    /// A symbol, if the next word is one.
    fn symbol(tokens: &mut Tokens<'_>) -> String {
        tokens.next().map_or_else(String::new, str::to_owned)
    }

    /// A line that defines a value; returns its position.
    fn value(&mut self, identifier: u64, tag: &str, tokens: &mut Tokens<'_>) -> Result<u32, Fault> {
        let named = NAMED.iter().find(|(name, _)| *name == tag);
        let is_known = named.is_some()
            || matches!(
                tag,
                "zero" | "one" | "ones" | "const" | "constd" | "consth" | "input" | "state"
            )
            || matches!(tag, "uext" | "sext" | "slice");
        if !is_known {
            let found = shortened(tag);
            return Err(tokens.fault(format!("expected a tag of BTOR2, but found {found:?}")));
        }
        let sort = self.sort_of(tokens)?;
        let node = self.model.nodes.len() as u32;
        let kind = match tag {
            "input" => {
                self.model.inputs.push(node);
                Kind::Input(self.model.inputs.len() as u32 - 1)
            }
            "state" => {
                self.model.states.push(State {
                    node,
                    init: None,
                    next: None,
                });
                Kind::State(self.model.states.len() as u32 - 1)
            }
            "zero" | "one" | "ones" | "const" | "constd" | "consth" => {
                Kind::Constant(constant(tag, sort, tokens)?)
            }
            _ => self.apply(tag, named.map(|&(_, operator)| operator), sort, tokens)?,
        };
        let symbol = Self::symbol(tokens);
        let node_value = Node {
            sort,
            kind,
            symbol,
            identifier,
        };
        let is_input = matches!(node_value.kind, Kind::Input(_));
        let of = node_value.arguments().iter();
        let mut of = of.map(|argument| self.reads_input[argument.node as usize]);
        let reads_input = is_input || of.any(|it| it);
        self.reads_input.push(reads_input);
        self.model.nodes.push(node_value);
        Ok(node)
    }

    fn apply(
        &self,
        tag: &str,
        named: Option<Operator>,
        sort: Sort,
        tokens: &mut Tokens<'_>,
    ) -> Result<Kind, Fault> {
        let mut arguments = [Argument::of(0); 3];
        let operator = if let Some(operator) = named {
            for argument in &mut arguments[..operator.arity()] {
                *argument = self.argument(tokens)?;
            }
            operator
        } else {
            arguments[0] = self.argument(tokens)?;
            let mut number = |what: &str| -> Result<u32, Fault> {
                let number = tokens.number(what)?;
                u32::try_from(number).map_err(|_| tokens.fault(format!("{number} is too large")))
            };
            match tag {
                "slice" => Operator::Slice(number("the upper bit")?, number("the lower bit")?),
                "uext" => Operator::Uext(number("the number of added bits")?),
                _ => Operator::Sext(number("the number of added bits")?),
            }
        };
        let sorts = arguments.map(|argument| self.sort_at(argument));
        let result = operator.result(&sorts[..operator.arity()]);
        let result = result.map_err(|message| tokens.fault(message))?;
        if result != sort {
            return Err(tokens.fault(format!(
                "the result of `{tag}` is {}, but the sort in this line is {}",
                describe(result),
                describe(sort)
            )));
        }
        Ok(Kind::Apply(operator, arguments))
    }

    fn assignment(&mut self, tag: &str, tokens: &mut Tokens<'_>) -> Result<(), Fault> {
        let sort = self.sort_of(tokens)?;
        let state = self.argument(tokens)?;
        let number = match self.model.node(state).kind {
            Kind::State(number) if !state.is_negated => number as usize,
            _ => {
                return Err(tokens.fault(format!("the first value of `{tag}` has to be a state")));
            }
        };
        if self.sort_at(state) != sort {
            return Err(tokens.fault(format!(
                "the state is {}, but the sort in this line is {}",
                describe(self.sort_at(state)),
                describe(sort)
            )));
        }
        let value = self.argument(tokens)?;
        let value_sort = self.sort_at(value);
        let is_scalar = tag == "init"
            && matches!(sort, Sort::Array { element, .. } if value_sort == Sort::BitVector(element))
            && matches!(self.model.node(value).kind, Kind::Constant(_));
        if value_sort != sort && !is_scalar {
            let or = match (tag, sort) {
                ("init", Sort::Array { .. }) => " or a constant of the sort of its elements",
                _ => "",
            };
            return Err(tokens.fault(format!(
                "the value of `{tag}` has to be {}{or}, and is {}",
                describe(sort),
                describe(value_sort)
            )));
        }
        if tag == "next" {
            let next = &mut self.model.states[number].next;
            if next.is_some() {
                return Err(tokens.fault("the state has a `next` already"));
            }
            *next = Some(value);
            return Ok(());
        }
        if self.model.states[number].init.is_some() {
            return Err(tokens.fault("the state has an `init` already"));
        }
        if value.node >= state.node {
            return Err(tokens.fault("the value of `init` has to be defined before the state"));
        }
        if self.reads_input[value.node as usize] {
            return Err(tokens.fault("the value of `init` may not depend on inputs"));
        }
        self.model.states[number].init = Some(value);
        Ok(())
    }

    fn property(&mut self, tag: &str, tokens: &mut Tokens<'_>) -> Result<(), Fault> {
        let value = self.argument(tokens)?;
        match (tag, self.sort_at(value)) {
            ("output", Sort::BitVector(_)) | (_, Sort::BitVector(1)) => {}
            ("output", sort) => {
                return Err(tokens.fault(format!(
                    "the value of `output` has to be a bit-vector, and is {}",
                    describe(sort)
                )));
            }
            (_, sort) => {
                return Err(tokens.fault(format!(
                    "the value of `{tag}` has to be a bit-vector of width 1, and is {}",
                    describe(sort)
                )));
            }
        }
        let symbol = Self::symbol(tokens);
        let model = &mut self.model;
        let list = match tag {
            "bad" => &mut model.bads,
            "constraint" => &mut model.constraints,
            "fair" => &mut model.fairness,
            _ => &mut model.outputs,
        };
        list.push(Line { value, symbol });
        Ok(())
    }

    fn justice(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Fault> {
        let n_values = tokens.number("the number of values")?;
        if n_values == 0 {
            return Err(tokens.fault("a justice property has at least one value"));
        }
        let mut values = Vec::new();
        for _ in 0..n_values {
            let value = self.argument(tokens)?;
            if self.sort_at(value) != Sort::BitVector(1) {
                return Err(tokens.fault(format!(
                    "the values of `justice` have to be bit-vectors of width 1, and one is {}",
                    describe(self.sort_at(value))
                )));
            }
            values.push(value);
        }
        let symbol = Self::symbol(tokens);
        self.model.justice.push(Justice { values, symbol });
        Ok(())
    }
}

/// The constant of a line.
fn constant(tag: &str, sort: Sort, tokens: &mut Tokens<'_>) -> Result<Constant, Fault> {
    let Sort::BitVector(width) = sort else {
        return Err(tokens.fault(format!(
            "the sort of `{tag}` has to be a bit-vector, and is {}",
            describe(sort)
        )));
    };
    let base = match tag {
        "zero" => return Ok(Constant::Zero),
        "one" => return Ok(Constant::One),
        "ones" => return Ok(Constant::Ones),
        "const" => Base::Binary,
        "constd" => Base::Decimal,
        _ => Base::Hexadecimal,
    };
    let digits = tokens.expect("digits")?;
    Constant::from_digits(base, digits, width).map_err(|message| tokens.fault(message))
}
