//! The operators of SMT-LIB's theories Core, FixedSizeBitVectors and ArraysEx, and those of the logics QF_BV and QF_ABV.

use craig_word::{Op, Term, Terms};

use crate::sort::{MAX_WIDTH, Sort, Typed};

/// An operator applied to its operands; the indices are those of `(_ NAME INDEX..)`. `None` if there is no such operator.
///
/// # Errors
/// If the operands or indices do not fit; the text says what is expected.
pub(crate) fn apply(
    terms: &mut Terms,
    name: &str,
    indices: &[u32],
    operands: &[Typed],
) -> Option<Result<Typed, String>> {
    let mut application = Application {
        terms,
        name,
        operands,
    };
    let found = match indices {
        [] => application.plain(),
        _ => application.indexed(indices),
    };
    found.transpose()
}

/// `None` if there is no such operator.
type Found = Result<Option<Typed>, String>;

struct Application<'a> {
    terms: &'a mut Terms,
    name: &'a str,
    operands: &'a [Typed],
}

/// Makes a term of one operand, and of two.
type One = fn(&mut Terms, Term) -> Term;
type Two = fn(&mut Terms, Term, Term) -> Term;

/// Operators of two words of one width, and of more from the left if the last part is true.
const WORDS: &[(&str, Two, bool)] = &[
    ("bvand", Terms::and, true),
    ("bvor", Terms::or, true),
    ("bvxor", Terms::xor, true),
    (
        "bvnand",
        |t, a, b| {
            let both = t.and(a, b);
            t.not(both)
        },
        false,
    ),
    (
        "bvnor",
        |t, a, b| {
            let any = t.or(a, b);
            t.not(any)
        },
        false,
    ),
    (
        "bvxnor",
        |t, a, b| {
            let one = t.xor(a, b);
            t.not(one)
        },
        true,
    ),
    ("bvadd", Terms::add, true),
    ("bvmul", Terms::mul, true),
    ("bvsub", Terms::sub, true),
    ("bvudiv", Terms::udiv, false),
    ("bvurem", Terms::urem, false),
    ("bvsdiv", Terms::sdiv, false),
    ("bvsrem", Terms::srem, false),
    ("bvsmod", smod, false),
    ("bvshl", Terms::shl, false),
    ("bvlshr", Terms::lshr, false),
    ("bvashr", Terms::ashr, false),
];

/// Predicates of two words of one width.
const COMPARISONS: &[(&str, Two)] = &[
    ("bvult", Terms::ult),
    ("bvule", Terms::ule),
    ("bvugt", |t, a, b| t.ult(b, a)),
    ("bvuge", |t, a, b| t.ule(b, a)),
    ("bvslt", Terms::slt),
    ("bvsle", Terms::sle),
    ("bvsgt", |t, a, b| t.slt(b, a)),
    ("bvsge", |t, a, b| t.sle(b, a)),
    ("bvuaddo", |t, a, b| wide(t, a, b, Op::Add, false)),
    ("bvsaddo", |t, a, b| wide(t, a, b, Op::Add, true)),
    ("bvusubo", Terms::ult),
    ("bvssubo", |t, a, b| wide(t, a, b, Op::Sub, true)),
    ("bvumulo", |t, a, b| wide(t, a, b, Op::Mul, false)),
    ("bvsmulo", |t, a, b| wide(t, a, b, Op::Mul, true)),
    ("bvsdivo", |t, a, b| {
        let (least, ones) = (is_least(t, a), t.constant(0, 1));
        let width = t.width(b);
        let ones = t.not(ones);
        let ones = t.sext(ones, width);
        let is_ones = t.eq(b, ones);
        t.and(least, is_ones)
    }),
];

/// Operators of one word.
const SINGLE: &[(&str, One)] = &[("bvnot", Terms::not), ("bvneg", Terms::neg)];

/// The signed remainder with the sign of the divisor, as the logic QF_BV defines it.
fn smod(terms: &mut Terms, a: Term, b: Term) -> Term {
    let zero = terms.constant(0, terms.width(a));
    let [is_negative_a, is_negative_b] = [a, b].map(|word| terms.slt(word, zero));
    let (neg_a, neg_b) = (terms.neg(a), terms.neg(b));
    let (abs_a, abs_b) = (
        terms.ite(is_negative_a, neg_a, a),
        terms.ite(is_negative_b, neg_b, b),
    );
    let rest = terms.urem(abs_a, abs_b);
    let signed = terms.neg(rest);
    let signed = terms.ite(is_negative_a, signed, rest);
    let moved = terms.add(signed, b);
    let is_mixed = terms.xor(is_negative_a, is_negative_b);
    let is_exact = terms.eq(rest, zero);
    let is_plain = terms.not(is_mixed);
    let is_plain = terms.or(is_plain, is_exact);
    terms.ite(is_plain, signed, moved)
}

/// Whether a word is the least signed one.
fn is_least(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let sign = terms.extract(a, width - 1, 1);
    if width == 1 {
        return sign;
    }
    let rest = terms.extract(a, 0, width - 1);
    let zero = terms.constant(0, width - 1);
    let is_zero = terms.eq(rest, zero);
    terms.and(sign, is_zero)
}

/// Whether a result does not fit: it differs from that over words of twice the width.
fn wide(terms: &mut Terms, a: Term, b: Term, op: Op, is_signed: bool) -> Term {
    let width = terms.width(a);
    let extend = |terms: &mut Terms, word| match is_signed {
        true => terms.sext(word, 2 * width),
        false => terms.zext(word, 2 * width),
    };
    let (x, y) = (extend(terms, a), extend(terms, b));
    let exact = terms.binary(op, x, y);
    let narrow = terms.extract(exact, 0, width);
    let again = extend(terms, narrow);
    let fits = terms.eq(exact, again);
    terms.not(fits)
}

impl Application<'_> {
    fn plain(&mut self) -> Found {
        if let Some((_, make)) = SINGLE.iter().find(|(name, _)| *name == self.name) {
            let [a] = self.words()?;
            return Ok(Some(self.word(*make, a)));
        }
        if let Some((_, make)) = COMPARISONS.iter().find(|(name, _)| *name == self.name) {
            let [a, b] = self.words()?;
            let term = make(self.terms, a, b);
            return Ok(Some(truth(term)));
        }
        if let Some((_, make, is_long)) = WORDS.iter().find(|(name, ..)| *name == self.name) {
            let words = self.words_of_one_width(*is_long)?;
            let term = words[1..]
                .iter()
                .fold(words[0], |all, &next| make(self.terms, all, next));
            let width = self.terms.width(term);
            return Ok(Some(Typed {
                term,
                sort: Sort::Word(width),
            }));
        }
        match self.name {
            "not" | "and" | "or" | "xor" | "=>" => self.connective(),
            "=" | "distinct" => self.equality(),
            "ite" => self.choice(),
            "concat" => self.concat(),
            "bvcomp" => {
                let [a, b] = self.words()?;
                let term = self.terms.eq(a, b);
                Ok(Some(Typed {
                    term,
                    sort: Sort::Word(1),
                }))
            }
            "bvredor" | "bvredand" => {
                let [a] = self.words()?;
                let zero = self.terms.constant(0, self.terms.width(a));
                let is_all = self.name == "bvredand";
                let limit = if is_all { self.terms.not(zero) } else { zero };
                let is_limit = self.terms.eq(a, limit);
                let term = if is_all {
                    is_limit
                } else {
                    self.terms.not(is_limit)
                };
                Ok(Some(Typed {
                    term,
                    sort: Sort::Word(1),
                }))
            }
            "bvnego" => {
                let [a] = self.words()?;
                Ok(Some(truth(is_least(self.terms, a))))
            }
            "select" | "store" => self.array(),
            _ => Ok(None),
        }
    }

    fn indexed(&mut self, indices: &[u32]) -> Found {
        let count = match self.name {
            "extract" => 2,
            "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right" | "repeat" => 1,
            _ => return Ok(None),
        };
        if indices.len() != count {
            return Err(format!(
                "`{}` has {count} indices, not {}",
                self.name,
                indices.len()
            ));
        }
        let [a] = self.words()?;
        let width = self.terms.width(a);
        let by = indices[0];
        let term = match self.name {
            "extract" => {
                let (high, low) = (indices[0], indices[1]);
                if high >= width || low > high {
                    return Err(format!(
                        "`extract`: there are no bits {high} to {low} of {width}"
                    ));
                }
                self.terms.extract(a, low, high - low + 1)
            }
            "zero_extend" | "sign_extend" => {
                let wide = checked_width(u64::from(width) + u64::from(by))?;
                match self.name {
                    "zero_extend" => self.terms.zext(a, wide),
                    _ => self.terms.sext(a, wide),
                }
            }
            "repeat" => {
                if by == 0 {
                    return Err("`repeat`: the number is at least 1".to_owned());
                }
                checked_width(u64::from(width) * u64::from(by))?;
                (1..by).fold(a, |all, _| self.terms.concat(all, a))
            }
            _ => {
                let left = match self.name {
                    "rotate_left" => by % width,
                    _ => (width - by % width) % width,
                };
                if left == 0 {
                    a
                } else {
                    let high = self.terms.extract(a, 0, width - left);
                    let low = self.terms.extract(a, width - left, left);
                    self.terms.concat(high, low)
                }
            }
        };
        let width = self.terms.width(term);
        Ok(Some(Typed {
            term,
            sort: Sort::Word(width),
        }))
    }

    fn word(&mut self, make: One, a: Term) -> Typed {
        let term = make(self.terms, a);
        let width = self.terms.width(term);
        Typed {
            term,
            sort: Sort::Word(width),
        }
    }

    /// A fixed number of words, all of one width.
    fn words<const N: usize>(&self) -> Result<[Term; N], String> {
        let words = self.words_of_one_width(true).or_else(|error| match N {
            1 if self.operands.len() == 1 => match self.operands[0].sort {
                Sort::Word(_) => Ok(vec![self.operands[0].term]),
                _ => Err(error),
            },
            _ => Err(error),
        });
        match <[Term; N]>::try_from(words?) {
            Ok(words) => Ok(words),
            Err(words) => Err(format!(
                "`{}` has {N} operands, not {}",
                self.name,
                words.len()
            )),
        }
    }

    /// Two or, if `is_long`, more words of one width.
    fn words_of_one_width(&self, is_long: bool) -> Result<Vec<Term>, String> {
        let first = self.operands.first().map(|first| first.sort);
        for operand in self.operands {
            if !matches!(operand.sort, Sort::Word(_)) || Some(operand.sort) != first {
                return Err(format!(
                    "`{}` has words of one width as operands, not {}",
                    self.name,
                    self.sorts()
                ));
            }
        }
        match self.operands.len() {
            0 | 1 => Err(format!("`{}` has more operands", self.name)),
            3.. if !is_long => Err(format!("`{}` has two operands", self.name)),
            _ => Ok(self.operands.iter().map(|operand| operand.term).collect()),
        }
    }

    fn sorts(&self) -> String {
        let sorts: Vec<String> = self
            .operands
            .iter()
            .map(|own| own.sort.to_string())
            .collect();
        sorts.join(", ")
    }

    fn connective(&mut self) -> Found {
        let n = self.operands.len();
        let fits = match self.name {
            "not" => n == 1,
            "and" | "or" => n >= 1,
            _ => n >= 2,
        };
        if !fits
            || self
                .operands
                .iter()
                .any(|operand| operand.sort != Sort::Bool)
        {
            return Err(format!(
                "`{}` has truth values as operands, not {}",
                self.name,
                self.sorts()
            ));
        }
        let all: Vec<Term> = self.operands.iter().map(|operand| operand.term).collect();
        let (first, last) = (all[0], all[n - 1]);
        let terms = &mut *self.terms;
        let term = match self.name {
            "not" => terms.not(first),
            "and" => all[1..]
                .iter()
                .fold(first, |sum, &next| terms.and(sum, next)),
            "or" => all[1..]
                .iter()
                .fold(first, |sum, &next| terms.or(sum, next)),
            "xor" => all[1..]
                .iter()
                .fold(first, |sum, &next| terms.xor(sum, next)),
            // It associates to the right.
            _ => all[..n - 1].iter().rev().fold(last, |sum, &next| {
                let not = terms.not(next);
                terms.or(not, sum)
            }),
        };
        Ok(Some(truth(term)))
    }

    fn equality(&mut self) -> Found {
        let first = self.operands.first().map(|first| first.sort);
        let is_same = self
            .operands
            .iter()
            .all(|operand| Some(operand.sort) == first);
        if self.operands.len() < 2 || !is_same {
            return Err(format!(
                "`{}` has two or more operands of one sort, not {}",
                self.name,
                self.sorts()
            ));
        }
        let all = self.operands;
        let mut sum = self.terms.boolean(true);
        for (index, one) in all.iter().enumerate() {
            let others = match self.name {
                "=" => &all[(index + 1).min(all.len())..(index + 2).min(all.len())],
                _ => &all[index + 1..],
            };
            for other in others {
                let same = self.terms.eq(one.term, other.term);
                let part = match self.name {
                    "=" => same,
                    _ => self.terms.not(same),
                };
                sum = self.terms.and(sum, part);
            }
        }
        Ok(Some(truth(sum)))
    }

    fn choice(&mut self) -> Found {
        match self.operands {
            [condition, one, other] if condition.sort == Sort::Bool && one.sort == other.sort => {
                let term = self.terms.ite(condition.term, one.term, other.term);
                Ok(Some(Typed {
                    term,
                    sort: one.sort,
                }))
            }
            _ => Err(format!(
                "`ite` has a truth value and two operands of one sort, not {}",
                self.sorts()
            )),
        }
    }

    fn concat(&mut self) -> Found {
        let mut width = 0u64;
        for operand in self.operands {
            match operand.sort {
                Sort::Word(own) => width += u64::from(own),
                _ => {
                    return Err(format!(
                        "`concat` has words as operands, not {}",
                        self.sorts()
                    ));
                }
            }
        }
        if self.operands.len() < 2 {
            return Err("`concat` has two operands".to_owned());
        }
        let width = checked_width(width)?;
        let all = self.operands;
        let term = all[1..]
            .iter()
            .fold(all[0].term, |high, low| self.terms.concat(high, low.term));
        Ok(Some(Typed {
            term,
            sort: Sort::Word(width),
        }))
    }

    fn array(&mut self) -> Found {
        let fits = |array: Sort, at: Sort| match array {
            Sort::Array { index, element } if at == Sort::Word(index) => Some(Sort::Word(element)),
            _ => None,
        };
        match self.operands {
            [array, at] if self.name == "select" => {
                if let Some(sort) = fits(array.sort, at.sort) {
                    let term = self.terms.select(array.term, at.term);
                    return Ok(Some(Typed { term, sort }));
                }
            }
            [array, at, value]
                if self.name == "store" && fits(array.sort, at.sort) == Some(value.sort) =>
            {
                let term = self.terms.store(array.term, at.term, value.term);
                return Ok(Some(Typed {
                    term,
                    sort: array.sort,
                }));
            }
            _ => {}
        }
        let expected = match self.name {
            "select" => "an array and an index of its",
            _ => "an array, an index of its and an element of its",
        };
        Err(format!(
            "`{}` has {expected} as operands, not {}",
            self.name,
            self.sorts()
        ))
    }
}

fn truth(term: Term) -> Typed {
    Typed {
        term,
        sort: Sort::Bool,
    }
}

/// A width, if it is within the bounds.
pub(crate) fn checked_width(width: u64) -> Result<u32, String> {
    match u32::try_from(width) {
        Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(width),
        _ => Err(format!("a word has 1 to {MAX_WIDTH} bits, not {width}")),
    }
}
