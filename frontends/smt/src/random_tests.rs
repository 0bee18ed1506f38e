//! Random formulas over three words, and over arrays, by enumeration.

use craig_itp::{Stop, System};
use craig_word::{Evaluator, Sort as WordSort, Term, Terms};
use proptest::prelude::*;

use crate::arrays::{Lists, without_arrays};
use crate::decide::{Decided, Gates, decide};
use crate::print;
use crate::sort::{Sort, Typed};
use crate::syntax::Script;
use crate::terms::{Names, Reader, Symbol};
use crate::tests::{output_of, signed};
use crate::{Failure, Options, run};

const NAMES: [&str; 3] = ["x", "y", "z"];

/// A random formula as text, and its value.
#[derive(Clone, Debug)]
enum Random {
    Word(usize),
    Constant(u64),
    Two(usize, Box<Random>, Box<Random>),
}

const OPERATORS: [&str; 6] = ["bvadd", "bvand", "bvxor", "bvmul", "bvsub", "bvor"];
const RELATIONS: [&str; 4] = ["=", "bvult", "bvslt", "distinct"];
const WIDTH: u32 = 3;

impl Random {
    fn text(&self) -> String {
        match self {
            Self::Word(index) => NAMES[*index].to_owned(),
            Self::Constant(value) => format!("#b{value:03b}"),
            Self::Two(op, a, b) => format!("({} {} {})", OPERATORS[*op], a.text(), b.text()),
        }
    }

    fn value(&self, words: [u64; 3]) -> u64 {
        let value = match self {
            Self::Word(index) => words[*index],
            Self::Constant(value) => *value,
            Self::Two(op, a, b) => {
                let (a, b) = (a.value(words), b.value(words));
                match op {
                    0 => a.wrapping_add(b),
                    1 => a & b,
                    2 => a ^ b,
                    3 => a.wrapping_mul(b),
                    4 => a.wrapping_sub(b),
                    _ => a | b,
                }
            }
        };
        value & 7
    }
}

fn random_word() -> impl Strategy<Value = Random> {
    let leaf = prop_oneof![
        (0..3usize).prop_map(Random::Word),
        (0..8u64).prop_map(Random::Constant)
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        (0..6usize, inner.clone(), inner)
            .prop_map(|(op, a, b)| Random::Two(op, Box::new(a), Box::new(b)))
    })
}

type Relation = (usize, Random, Random);

fn relation_text((relation, a, b): &Relation) -> String {
    format!("({} {} {})", RELATIONS[*relation], a.text(), b.text())
}

fn relation_holds((relation, a, b): &Relation, words: [u64; 3]) -> bool {
    let (a, b) = (a.value(words), b.value(words));
    match relation {
        0 => a == b,
        1 => a < b,
        2 => signed(WIDTH, a) < signed(WIDTH, b),
        _ => a != b,
    }
}

fn all_words() -> impl Iterator<Item = [u64; 3]> {
    (0..512u64).map(|all| [all & 7, all >> 3 & 7, all >> 6])
}

/// The terms of formulas over the words.
fn read_all(texts: &[String]) -> (Terms, [Term; 3], Vec<Term>) {
    let (mut terms, mut names) = (Terms::new(), Names::default());
    let words = NAMES.map(|name| {
        let term = terms.variable(WIDTH);
        names.add(
            name,
            Symbol::Constant(Typed {
                term,
                sort: Sort::Word(WIDTH),
            }),
        );
        term
    });
    let read = |text: &String| {
        let command = format!("(assert {text})");
        let script = Script::read(&command, "f").unwrap();
        let mut reader = Reader::new(&script, &mut names, &mut terms);
        reader
            .term(script.items(script.commands[0])[1])
            .unwrap()
            .term
    };
    let found = texts.iter().map(read).collect();
    (terms, words, found)
}

fn holds(terms: &Terms, words: [Term; 3], values: [u64; 3], formula: Term) -> bool {
    let mut evaluator = Evaluator::new(terms, |_, _| 0);
    for (word, value) in words.into_iter().zip(values) {
        evaluator.set(word, u128::from(value));
    }
    evaluator.value(formula) == 1
}

/// The list of terms between the outer parentheses of an answer.
fn listed(answer: &str) -> Vec<String> {
    let script = Script::read(answer, "f").unwrap();
    let items = script.items(script.commands[0]).iter();
    items.map(|&item| script.source(item).to_owned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Answers, and interpolants of sequences and trees, by enumeration of all values.
    #[test]
    fn random_problems_are_decided_and_interpolated(
        all in prop::collection::vec((0..4usize, random_word(), random_word()), 3..=6),
        system in prop::sample::select(System::ALL.to_vec()),
        words: bool,
        is_tree: bool,
    ) {
        let part = |index: usize| all.iter().skip(index).step_by(3);
        let text = |index: usize| {
            let texts: Vec<String> = part(index).map(relation_text).collect();
            format!("(and {})", texts.join(" "))
        };
        let is_model = |index: usize, words| part(index).all(|own| relation_holds(own, words));
        let is_satisfiable = all_words().any(|words| (0..3).all(|index| is_model(index, words)));
        let mut script: String = NAMES.map(|name| format!("(declare-const {name} (_ BitVec {WIDTH}))")).concat();
        for (index, name) in ["A", "B", "C"].iter().enumerate() {
            script += &format!("(assert (! {} :named {name}))", text(index));
        }
        script += "(check-sat)";
        let options = Options { system, words };
        let answer = if is_satisfiable { "sat\n" } else { "unsat\n" };
        prop_assert_eq!(output_of(&script, &options), Ok(answer.to_owned()));
        if !is_satisfiable {
            script += if is_tree { "(get-interpolants A (B) C)" } else { "(get-interpolants A B C)" };
            let found = output_of(&script, &options).unwrap();
            let found = listed(&found["unsat\n".len()..]);
            prop_assert_eq!(found.len(), 2);
            let (terms, variables, found) = read_all(&found);
            for words in all_words() {
                let own = [0, 1].map(|index| holds(&terms, variables, words, found[index]));
                prop_assert!(!is_model(0, words) || own[0]);
                let before = is_tree || own[0];
                prop_assert!(!(before && is_model(1, words)) || own[1]);
                let both = own[1] && (!is_tree || own[0]);
                prop_assert!(!(both && is_model(2, words)));
            }
        }
    }

    /// What is printed is read again as the same function.
    #[test]
    fn formulas_are_read_as_they_are_printed(all in prop::collection::vec((0..4usize, random_word(), random_word()), 1..=4)) {
        let text = format!("(or {} (not {}))", all.iter().map(relation_text).collect::<Vec<_>>().join(" "), relation_text(&all[0]));
        let texts: Vec<String> = all.iter().map(relation_text).chain([text]).collect();
        let (terms, variables, found) = read_all(&texts);
        let written: print::Written = variables.iter().zip(NAMES)
            .map(|(&term, name)| (term, (name.to_owned(), Sort::Word(WIDTH)))).collect();
        for formula in found {
            if let Some(text) = print::formula(&terms, &written, formula) {
                let (again, words, read) = read_all(&[text]);
                for values in all_words() {
                    prop_assert_eq!(
                        holds(&terms, variables, values, formula),
                        holds(&again, words, values, read[0])
                    );
                }
            }
        }
    }

    /// Arrays read at indices are those that are lists.
    #[test]
    fn both_ways_to_replace_arrays_agree(steps in prop::collection::vec((0..8usize, 0..6usize, 0..6usize, 0..6usize), 4..12)) {
        let sort = WordSort::Array { index: 4, element: 2 };
        let build = |terms: &mut Terms| {
            let mut arrays = vec![terms.variable_of(sort), terms.variable_of(sort)];
            let mut indices = vec![terms.variable(4), terms.variable(4), terms.constant(3, 4)];
            let mut values = vec![terms.variable(2), terms.constant(1, 2)];
            let mut formulas = vec![terms.variable(1)];
            for &(kind, a, b, c) in &steps {
                let [array, other] = [a, b].map(|n| arrays[n % arrays.len()]);
                let [index, at] = [b, c].map(|n| indices[n % indices.len()]);
                let (value, truth) = (values[c % values.len()], formulas[c % formulas.len()]);
                match kind {
                    0 | 1 => arrays.push(terms.store(array, index, value)),
                    2 => arrays.push(terms.ite(truth, array, other)),
                    3 => arrays.push(terms.constant_array(4, value)),
                    4 => {
                        let found = terms.select(array, index);
                        values.push(found);
                        let wide = terms.zext(found, 4);
                        indices.push(terms.add(wide, at));
                    }
                    5 => {
                        let same = terms.eq(array, other);
                        formulas.push(if a < 3 { same } else { terms.not(same) });
                    }
                    6 => {
                        let (x, y) = (terms.select(array, index), terms.select(other, at));
                        let same = terms.eq(x, y);
                        formulas.push(terms.not(same));
                    }
                    _ => formulas.push(terms.eq(index, at)),
                }
            }
            formulas
        };
        let mut answers = Vec::new();
        for listed in [None, Some(4)] {
            let mut terms = Terms::new();
            let formulas = build(&mut terms);
            let mut lists = Lists::default();
            lists.listed.extend(listed);
            let plain = without_arrays(&mut terms, &formulas, &mut lists).unwrap();
            let mut gates = Gates::default();
            let edges: Vec<_> = plain.formulas.iter().chain(&plain.lemmas).map(|&own| gates.formula(&terms, own)).collect();
            let answer = decide(&gates.asserted(&edges).cnf, &Stop::never()).unwrap();
            answers.push(matches!(answer, Decided::Satisfiable(_)));
        }
        prop_assert_eq!(answers[0], answers[1]);
    }

    /// Scripts that were changed at random are read, or have an error; nothing panics.
    #[test]
    fn changed_scripts_are_read_or_refused(changes in prop::collection::vec((0..400usize, "[()a-z0-9#|:\" ]{0,3}"), 1..5)) {
        let script = "(set-logic QF_ABV)(declare-fun a () (Array (_ BitVec 4) (_ BitVec 2)))(declare-const x (_ BitVec 4))
            (define-fun f ((y (_ BitVec 4))) Bool (bvult y ((_ zero_extend 2) (select a y))))(assert (! (f x) :named A))
            (push 1)(assert (! (let ((z (bvneg x))) (= z #x0)) :named B))(check-sat)(get-interpolants A B)(pop 1)(check-sat)(get-model)";
        let mut bytes = script.as_bytes().to_vec();
        for (place, text) in changes {
            let place = place % bytes.len();
            let end = (place + text.len()).min(bytes.len());
            bytes.splice(place..end, text.bytes());
        }
        let script = String::from_utf8(bytes).unwrap();
        let mut quiet = |_: &str| {};
        let found = run(&script, "f", &Options::default(), &Stop::never(), &mut quiet);
        prop_assert!(!matches!(found, Err(Failure::Internal(_))), "{:?}", found);
    }
}
