//! From expressions to terms: symbols with their scopes, `let`, definitions and annotations.

use std::collections::HashMap;

use craig_word::{BitVector, Term, Terms};

use crate::operators::{apply, checked_width};
use crate::sort::{Sort, Typed};
use crate::syntax::{Id, Kind, Script, SyntaxError};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// A declared constant.
    Constant(Typed),
    /// A defined term without parameters, or a named one.
    Term(Typed),
    /// A definition with parameters: variables of their own, for which operands are substituted.
    Function { parameters: Vec<Typed>, body: Typed },
}

/// Names with their meanings.
#[derive(Default)]
pub(crate) struct Names {
    symbols: HashMap<String, Symbol>,
    sorts: HashMap<String, Sort>,
    /// Keywords of annotations that a language has beside those of scripts.
    pub(crate) keywords: &'static [&'static str],
    /// The annotations with such keywords, as far as terms were read.
    pub(crate) annotated: Vec<Annotated>,
}

/// An annotation of a term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Annotated {
    /// Where the keyword stands.
    pub(crate) key: Id,
    /// What stands behind it, if that is no keyword.
    pub(crate) value: Option<Id>,
    pub(crate) of: Typed,
}

impl Names {
    pub(crate) fn get(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name)
    }

    /// Adds a name. Whether it is new.
    pub(crate) fn add(&mut self, name: &str, symbol: Symbol) -> bool {
        let is_new = !self.symbols.contains_key(name) && !is_reserved(name);
        if is_new {
            self.symbols.insert(name.to_owned(), symbol);
        }
        is_new
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.symbols.remove(name);
    }

    /// Adds a name of a sort. Whether it is new.
    pub(crate) fn add_sort(&mut self, name: &str, sort: Sort) -> bool {
        self.sorts.insert(name.to_owned(), sort).is_none()
    }
}

/// Words of the language that are no names.
pub(crate) fn is_reserved(name: &str) -> bool {
    let words = [
        "let",
        "forall",
        "exists",
        "match",
        "par",
        "_",
        "!",
        "as",
        "true",
        "false",
        "not",
        "and",
        "or",
        "xor",
        "=>",
        "=",
        "distinct",
        "ite",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
        "STRING",
    ];
    words.contains(&name)
}

/// What is written around a term: `(! t :named n :interpolation-group g)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Annotations {
    pub(crate) name: Option<String>,
    pub(crate) group: Option<String>,
}

/// Makes terms of the expressions of a script.
pub(crate) struct Reader<'a, 't> {
    pub(crate) script: &'a Script<'t>,
    pub(crate) names: &'a mut Names,
    pub(crate) terms: &'a mut Terms,
    /// The names that the expression gives to its parts.
    pub(crate) named: Vec<String>,
    /// Values of `let` and of parameters, innermost last.
    locals: HashMap<String, Vec<Typed>>,
}

/// What is left to do.
enum Task {
    Read(Id),
    /// Applies the head of a list to the values on top.
    Apply(Id),
    /// Binds the names of a `let` to the values on top, and reads its body.
    Bind(Id),
    Unbind(Id),
    /// Names the value on top.
    Name(Id),
}

type Result<T> = std::result::Result<T, SyntaxError>;

impl<'a, 't> Reader<'a, 't> {
    pub(crate) fn new(script: &'a Script<'t>, names: &'a mut Names, terms: &'a mut Terms) -> Self {
        Self {
            script,
            names,
            terms,
            named: Vec::new(),
            locals: HashMap::new(),
        }
    }

    /// The sort of an expression.
    pub(crate) fn sort(&self, id: Id) -> Result<Sort> {
        let script = self.script;
        let unknown = || {
            let shown = script.shown(id);
            script.error(
                id,
                format!(
                    "`{shown}`: expected Bool, (_ BitVec N) or (Array (_ BitVec N) (_ BitVec M))"
                ),
            )
        };
        if let Some(name) = script.symbol(id) {
            return match name {
                "Bool" => Ok(Sort::Bool),
                name => self.names.sorts.get(name).copied().ok_or_else(unknown),
            };
        }
        let items = script.items(id);
        let words: Vec<Option<&str>> = items.iter().map(|&item| script.symbol(item)).collect();
        match (words.as_slice(), items) {
            ([Some("_"), Some("BitVec"), None], &[_, _, width]) => {
                Ok(Sort::Word(self.width(width)?))
            }
            ([Some("Array"), ..], &[_, index, element]) => {
                match (self.sort_of_word(index)?, self.sort_of_word(element)?) {
                    (Some(index), Some(element)) => Ok(Sort::Array { index, element }),
                    _ => Err(script.error(id, "arrays are supported from words to words only")),
                }
            }
            _ => Err(unknown()),
        }
    }

    /// The width of the words of a sort. Arrays in arrays are not entered, so that this is not recursive.
    fn sort_of_word(&self, id: Id) -> Result<Option<u32>> {
        let head = self.script.items(id).first();
        if head.and_then(|&head| self.script.symbol(head)) == Some("Array") {
            return Ok(None);
        }
        Ok(match self.sort(id)? {
            Sort::Word(width) => Some(width),
            _ => None,
        })
    }

    fn width(&self, id: Id) -> Result<u32> {
        let width = match self.script.kind(id) {
            Kind::Numeral(digits) => digits.parse().unwrap_or(u64::MAX),
            _ => 0,
        };
        checked_width(width).map_err(|message| self.script.error(id, message))
    }

    /// The term of an expression.
    pub(crate) fn term(&mut self, id: Id) -> Result<Typed> {
        let mut tasks = vec![Task::Read(id)];
        let mut values: Vec<(Typed, Id)> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(id) => {
                    if let Some(value) = self.read(id, &mut tasks)? {
                        values.push((value, id));
                    }
                }
                Task::Apply(id) => {
                    let n = self.script.items(id).len() - 1;
                    let operands = values.split_off(values.len() - n);
                    let operands: Vec<Typed> =
                        operands.into_iter().map(|(value, _)| value).collect();
                    values.push((self.apply(id, &operands)?, id));
                }
                Task::Bind(id) => {
                    let names = self.bound(id)?;
                    let bound = values.split_off(values.len() - names.len());
                    for (name, (value, _)) in names.into_iter().zip(bound) {
                        self.locals.entry(name).or_default().push(value);
                    }
                    tasks.push(Task::Unbind(id));
                    tasks.push(Task::Read(self.script.items(id)[2]));
                }
                Task::Unbind(id) => {
                    for name in self.bound(id)? {
                        if let Some(values) = self.locals.get_mut(&name) {
                            values.pop();
                        }
                    }
                }
                Task::Name(id) => {
                    let (value, _) = *values.last().expect("the term of an annotation was read");
                    self.annotate(id, value)?;
                }
            }
        }
        Ok(values.pop().expect("each expression leaves one value").0)
    }

    /// The term of an expression over parameters.
    pub(crate) fn body(&mut self, id: Id, parameters: &[(String, Typed)]) -> Result<Typed> {
        for (name, value) in parameters {
            self.locals.entry(name.clone()).or_default().push(*value);
        }
        let body = self.term(id);
        self.locals.clear();
        body
    }

    /// Gives a term the name that is written around it, and keeps the annotations of the language.
    fn annotate(&mut self, id: Id, value: Typed) -> Result<()> {
        if let Some(name) = self.annotations(id)?.name {
            if !self.names.add(&name, Symbol::Term(value)) {
                let message = format!("`{name}` is declared already");
                return Err(self.script.error(id, message));
            }
            self.named.push(name);
        }
        for (key, argument) in self.attributes(id) {
            if self.is_of_language(key) {
                self.names.annotated.push(Annotated {
                    key,
                    value: argument,
                    of: value,
                });
            }
        }
        Ok(())
    }

    /// The keywords around a term, each with what stands behind it; whatever is no keyword nor behind one stands for itself.
    fn attributes(&self, id: Id) -> Vec<(Id, Option<Id>)> {
        let script = self.script;
        let is_keyword = |item: Id| matches!(script.kind(item), Kind::Keyword(_));
        let mut rest = script.items(id)[2..].iter().copied().peekable();
        let mut found = Vec::new();
        while let Some(key) = rest.next() {
            let value = rest.next_if(|&item| is_keyword(key) && !is_keyword(item));
            found.push((key, value));
        }
        found
    }

    /// Whether a keyword is one of the language's own.
    fn is_of_language(&self, key: Id) -> bool {
        match self.script.kind(key) {
            Kind::Keyword(key) => self.names.keywords.contains(&key.as_str()),
            _ => false,
        }
    }

    /// What is written around a term.
    pub(crate) fn annotations(&self, id: Id) -> Result<Annotations> {
        let script = self.script;
        let mut found = Annotations::default();
        let items = script.items(id);
        if items.first().and_then(|&head| script.symbol(head)) != Some("!") {
            return Ok(found);
        }
        for (key, value) in self.attributes(id) {
            if self.is_of_language(key) {
                continue;
            }
            let value = value.and_then(|value| script.symbol(value));
            match (script.kind(key), value) {
                (Kind::Keyword(key), Some(value)) if key == ":named" => {
                    found.name = Some(value.to_owned());
                }
                (Kind::Keyword(key), Some(value)) if key == ":interpolation-group" => {
                    found.group = Some(value.to_owned());
                }
                _ => return Err(self.misplaced(key)),
            }
        }
        Ok(found)
    }

    /// The error about what is no annotation.
    fn misplaced(&self, key: Id) -> SyntaxError {
        let shown = self.script.shown(key);
        let more: Vec<String> = self
            .names
            .keywords
            .iter()
            .map(|key| format!("{key}, "))
            .collect();
        let message = format!(
            "`{shown}`: expected {}:named or :interpolation-group, and a symbol",
            more.concat()
        );
        self.script.error(key, message)
    }

    /// The names that a `let` binds.
    fn bound(&self, id: Id) -> Result<Vec<String>> {
        let script = self.script;
        let pairs = script.items(script.items(id)[1]).iter();
        pairs
            .map(|&pair| {
                match script.items(pair) {
                    &[name, _] => script.symbol(name).map(str::to_owned),
                    _ => None,
                }
                .ok_or_else(|| script.error(pair, "expected (NAME TERM)"))
            })
            .collect()
    }

    /// The value of an atom; else the tasks that make one.
    fn read(&mut self, id: Id, tasks: &mut Vec<Task>) -> Result<Option<Typed>> {
        let script = self.script;
        match script.kind(id) {
            Kind::Symbol(name) => return self.symbol(id, name).map(Some),
            Kind::Bits { digits, base } => {
                let bits = if *base == 2 { 1 } else { 4 };
                let width = checked_width(digits.len() as u64 * bits);
                let width = width.map_err(|message| script.error(id, message))?;
                let value = BitVector::from_digits(digits, *base, width).expect("they are digits");
                let term = self.terms.bit_vector(&value);
                return Ok(Some(Typed {
                    term,
                    sort: Sort::Word(width),
                }));
            }
            Kind::List(items) if !items.is_empty() => {}
            _ => {
                let shown = script.shown(id);
                return Err(script.error(
                    id,
                    format!("`{shown}`: expected a term of truth values, words or arrays"),
                ));
            }
        }
        let items = script.items(id);
        let count = |n: usize, form: &str| match items.len() == n {
            true => Ok(()),
            false => Err(script.error(id, format!("expected {form}"))),
        };
        match script.symbol(items[0]) {
            Some("let") => {
                count(3, "(let ((NAME TERM)..) TERM)")?;
                let pairs = script.items(items[1]);
                self.bound(id)?;
                tasks.push(Task::Bind(id));
                tasks.extend(
                    pairs
                        .iter()
                        .rev()
                        .map(|&pair| Task::Read(script.items(pair)[1])),
                );
            }
            Some("!") => {
                if items.len() < 3 {
                    return Err(script.error(id, "expected (! TERM :named NAME)"));
                }
                tasks.extend([Task::Name(id), Task::Read(items[1])]);
            }
            Some(word @ ("forall" | "exists" | "match")) => {
                return Err(script.error(
                    id,
                    format!(
                        "`{word}` is not supported: formulas have no quantifiers and data types"
                    ),
                ));
            }
            Some("_") => return self.constant(id).map(Some),
            _ => {
                count(items.len().max(2), "an operator and its operands")?;
                tasks.push(Task::Apply(id));
                tasks.extend(items[1..].iter().rev().map(|&item| Task::Read(item)));
            }
        }
        Ok(None)
    }

    fn symbol(&mut self, id: Id, name: &str) -> Result<Typed> {
        if let Some(&value) = self.locals.get(name).and_then(|values| values.last()) {
            return Ok(value);
        }
        match (name, self.names.get(name)) {
            ("true" | "false", _) => Ok(Typed {
                term: self.terms.boolean(name == "true"),
                sort: Sort::Bool,
            }),
            (_, Some(Symbol::Constant(value) | Symbol::Term(value))) => Ok(*value),
            (_, Some(Symbol::Function { .. })) => {
                Err(self.script.error(id, format!("`{name}` has operands")))
            }
            (_, None) => Err(self.script.error(id, format!("`{name}` is not declared"))),
        }
    }

    /// A constant `(_ bvN WIDTH)`.
    fn constant(&mut self, id: Id) -> Result<Typed> {
        let script = self.script;
        let expected = || {
            let shown = script.shown(id);
            script.error(id, format!("`{shown}`: expected (_ bvVALUE WIDTH)"))
        };
        let &[_, value, width] = script.items(id) else {
            return Err(expected());
        };
        let digits = script
            .symbol(value)
            .and_then(|name| name.strip_prefix("bv"));
        let digits = digits.ok_or_else(expected)?;
        let width = self.width(width)?;
        let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
        // Bits beyond the width are an error: a wider number is another one.
        let more = checked_width(u64::from(width) + 4 * digits.len() as u64)
            .ok()
            .filter(|_| is_number);
        let value = more.and_then(|more| BitVector::from_digits(digits, 10, more));
        let value = value.ok_or_else(expected)?;
        let narrow = value.extract(0, width);
        if narrow.zext(value.width()) != value {
            return Err(script.error(id, format!("{digits} has more than {width} bits")));
        }
        let term = self.terms.bit_vector(&narrow);
        Ok(Typed {
            term,
            sort: Sort::Word(width),
        })
    }

    fn apply(&mut self, id: Id, operands: &[Typed]) -> Result<Typed> {
        let script = self.script;
        let head = script.items(id)[0];
        let unknown = || {
            let shown = script.shown(head);
            script.error(head, format!("there is no operator or function `{shown}`"))
        };
        if let Some(name) = script.symbol(head) {
            return match self.names.get(name).cloned() {
                Some(Symbol::Function { parameters, body }) => {
                    let call = self.call(&parameters, body, operands);
                    call.ok_or_else(|| self.misfit(id, name, &parameters))
                }
                Some(_) => Err(script.error(id, format!("`{name}` has no operands"))),
                None => match apply(self.terms, name, &[], operands) {
                    Some(found) => found.map_err(|message| script.error(id, message)),
                    None => Err(unknown()),
                },
            };
        }
        let items = script.items(head);
        let word = |index: usize| items.get(index).and_then(|&item| script.symbol(item));
        match (word(0), word(1)) {
            (Some("_"), Some(name)) => {
                let index = |&item: &Id| match script.kind(item) {
                    Kind::Numeral(digits) => digits.parse::<u32>().ok(),
                    _ => None,
                };
                let indices: Option<Vec<u32>> = items[2..].iter().map(index).collect();
                let indices = indices.filter(|indices| !indices.is_empty());
                let indices =
                    indices.ok_or_else(|| script.error(head, "expected (_ NAME NUMBER..)"))?;
                match apply(self.terms, name, &indices, operands) {
                    Some(found) => found.map_err(|message| script.error(id, message)),
                    None => Err(unknown()),
                }
            }
            (Some("as"), Some("const")) if items.len() == 3 => {
                let sort = self.sort(items[2])?;
                match (sort, operands) {
                    (Sort::Array { index, element }, [value])
                        if value.sort == Sort::Word(element) =>
                    {
                        let term = self.terms.constant_array(index, value.term);
                        Ok(Typed { term, sort })
                    }
                    _ => Err(script.error(id, "expected ((as const (Array I E)) ELEMENT)")),
                }
            }
            _ => Err(unknown()),
        }
    }

    /// The body of a definition with operands for its parameters; `None` if their sorts differ.
    fn call(&mut self, parameters: &[Typed], body: Typed, operands: &[Typed]) -> Option<Typed> {
        let fits = parameters.len() == operands.len()
            && parameters
                .iter()
                .zip(operands)
                .all(|(own, given)| own.sort == given.sort);
        if !fits {
            return None;
        }
        let pairs = parameters.iter().zip(operands);
        let mut images: HashMap<Term, Term> =
            pairs.map(|(own, given)| (own.term, given.term)).collect();
        let term = self.terms.substitute(body.term, &mut images);
        Some(Typed { term, ..body })
    }

    fn misfit(&self, id: Id, name: &str, parameters: &[Typed]) -> SyntaxError {
        let sorts: Vec<String> = parameters.iter().map(|own| own.sort.to_string()).collect();
        self.script.error(
            id,
            format!("`{name}` has operands of the sorts {}", sorts.join(", ")),
        )
    }
}
