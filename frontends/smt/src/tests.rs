//! Scripts against native integers, and against what they should print.

use std::collections::HashMap;

use craig_itp::Stop;
use craig_word::{BitVector, Term, Terms, Value};
use proptest::prelude::*;

use crate::sort::Sort;
use crate::{Options, run};

/// What a script prints, or its error.
pub(crate) fn output_of(script: &str, options: &Options) -> Result<String, String> {
    let mut output = String::new();
    match run(script, "f.smt2", options, &Stop::never(), &mut |text| {
        output += text;
    }) {
        Ok(_) => Ok(output),
        Err(error) => Err(error.to_string()),
    }
}

fn output(script: &str) -> String {
    output_of(script, &Options::default()).unwrap_or_else(|error| panic!("{script}: {error}"))
}

/// A binary operator on the machine's integers: width, operands.
type Native = fn(u32, u64, u64) -> u64;

pub(crate) fn signed(width: u32, value: u64) -> i64 {
    (value << (64 - width)) as i64 >> (64 - width)
}

fn divided(width: u32, x: u64, y: u64) -> u64 {
    x.checked_div(y).unwrap_or(u64::MAX >> (64 - width))
}

/// Whether a value is outside of the signed numbers of a width.
fn is_outside(width: u32, value: i64) -> u64 {
    let limit = 1i64 << (width - 1);
    u64::from(value < -limit || value >= limit)
}

/// Operators of two words whose result is a word, or a truth value.
const NATIVE: &[(&str, Native)] = &[
    ("(bvand x y)", |_, x, y| x & y),
    ("(bvor x y)", |_, x, y| x | y),
    ("(bvxor x y)", |_, x, y| x ^ y),
    ("(bvnand x y)", |_, x, y| !(x & y)),
    ("(bvnor x y)", |_, x, y| !(x | y)),
    ("(bvxnor x y)", |_, x, y| !(x ^ y)),
    ("(bvnot x)", |_, x, _| !x),
    ("(bvneg x)", |_, x, _| x.wrapping_neg()),
    ("(bvadd x y)", |_, x, y| x.wrapping_add(y)),
    ("(bvadd x y x)", |_, x, y| x.wrapping_add(y).wrapping_add(x)),
    ("(bvsub x y)", |_, x, y| x.wrapping_sub(y)),
    ("(bvmul x y)", |_, x, y| x.wrapping_mul(y)),
    ("(bvudiv x y)", divided),
    ("(bvurem x y)", |_, x, y| if y == 0 { x } else { x % y }),
    ("(bvsdiv x y)", |w, x, y| {
        match (signed(w, x), signed(w, y)) {
            (x, 0) => {
                if x < 0 {
                    1
                } else {
                    u64::MAX
                }
            }
            (x, y) => (x / y) as u64,
        }
    }),
    ("(bvsrem x y)", |w, x, y| {
        match (signed(w, x), signed(w, y)) {
            (x, 0) => x as u64,
            (x, y) => (x % y) as u64,
        }
    }),
    ("(bvsmod x y)", |w, x, y| {
        match (signed(w, x), signed(w, y)) {
            (x, 0) => x as u64,
            (x, y) => (((x % y) + y) % y) as u64,
        }
    }),
    (
        "(bvshl x y)",
        |w, x, y| if y >= u64::from(w) { 0 } else { x << y },
    ),
    (
        "(bvlshr x y)",
        |w, x, y| if y >= u64::from(w) { 0 } else { x >> y },
    ),
    ("(bvashr x y)", |w, x, y| (signed(w, x) >> y.min(63)) as u64),
    ("((_ rotate_left 3) x)", |w, x, _| {
        (0..3).fold(x, |x, _| x << 1 | x >> (w - 1) & 1)
    }),
    ("((_ rotate_right 2) x)", |w, x, _| {
        (0..2).fold(x, |x, _| x >> 1 | (x & 1) << (w - 1))
    }),
    ("((_ extract 0 0) ((_ repeat 3) x))", |_, x, _| x & 1),
    ("(concat ((_ extract 0 0) x) y)", |w, x, y| (x & 1) << w | y),
    ("((_ sign_extend 2) x)", |w, x, _| signed(w, x) as u64),
    ("((_ zero_extend 2) x)", |_, x, _| x),
    ("(bvcomp x y)", |_, x, y| u64::from(x == y)),
    ("(bvredor x)", |_, x, _| u64::from(x != 0)),
    ("(bvredand x)", |w, x, _| {
        u64::from(x == u64::MAX >> (64 - w))
    }),
    ("(bvult x y)", |_, x, y| u64::from(x < y)),
    ("(bvule x y)", |_, x, y| u64::from(x <= y)),
    ("(bvugt x y)", |_, x, y| u64::from(x > y)),
    ("(bvuge x y)", |_, x, y| u64::from(x >= y)),
    ("(bvslt x y)", |w, x, y| {
        u64::from(signed(w, x) < signed(w, y))
    }),
    ("(bvsle x y)", |w, x, y| {
        u64::from(signed(w, x) <= signed(w, y))
    }),
    ("(bvsgt x y)", |w, x, y| {
        u64::from(signed(w, x) > signed(w, y))
    }),
    ("(bvsge x y)", |w, x, y| {
        u64::from(signed(w, x) >= signed(w, y))
    }),
    ("(bvnego x)", |w, x, _| is_outside(w, -signed(w, x))),
    ("(bvuaddo x y)", |w, x, y| (x + y) >> w),
    ("(bvsaddo x y)", |w, x, y| {
        is_outside(w, signed(w, x) + signed(w, y))
    }),
    ("(bvusubo x y)", |_, x, y| u64::from(x < y)),
    ("(bvssubo x y)", |w, x, y| {
        is_outside(w, signed(w, x) - signed(w, y))
    }),
    ("(bvumulo x y)", |w, x, y| u64::from((x * y) >> w != 0)),
    ("(bvsmulo x y)", |w, x, y| {
        is_outside(w, signed(w, x) * signed(w, y))
    }),
    ("(bvsdivo x y)", |w, x, y| {
        let (x, y) = (signed(w, x), signed(w, y));
        if y == 0 { 0 } else { is_outside(w, x / y) }
    }),
    ("(=> (= x y) (bvult x y) (bvult y x))", |_, x, y| {
        u64::from(x != y || x >= y || y < x)
    }),
    ("(distinct x y x)", |_, _, _| 0),
    ("(xor (= x y) (bvult x y) true)", |_, x, y| {
        1 ^ u64::from(x <= y)
    }),
    (
        "(ite (= x y) (bvnot x) y)",
        |_, x, y| if x == y { !x } else { y },
    ),
    ("(let ((x y) (y x)) (bvsub x y))", |_, x, y| {
        y.wrapping_sub(x)
    }),
];

/// The number of a printed constant.
fn number(text: &str) -> u64 {
    match text {
        "true" => 1,
        "false" => 0,
        _ => match text.split_at(2) {
            ("#b", digits) => u64::from_str_radix(digits, 2).unwrap(),
            (_, digits) => u64::from_str_radix(digits, 16).unwrap(),
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Each operator on words of all small widths: the value in a model, which agrees with that of the gates.
    #[test]
    fn operators_are_those_of_the_machine(width in 1u32..=9, x in 0u64..512, y in 0u64..512, which in 0..NATIVE.len()) {
        let mask = u64::MAX >> (64 - width);
        let (x, y) = (x & mask, y & mask);
        let (text, native) = NATIVE[which];
        let binary = |value: u64| format!("#b{value:0width$b}", width = width as usize);
        let script = format!(
            "(declare-const x (_ BitVec {width})) (declare-const y (_ BitVec {width}))
             (assert (= (bvxor x y) {})) (assert (= y {})) (define-fun z () {} {text}) (assert (= z z))
             (check-sat) (get-value (z))",
            binary(x ^ y), binary(y), sort_of(text, width));
        let found = output(&script);
        let value = found.strip_prefix("sat\n((z ").and_then(|rest| rest.strip_suffix("))\n"));
        let value = value.unwrap_or_else(|| panic!("{found}"));
        let bits = value.strip_prefix("#b").map(|digits| digits.len() as u32);
        let bits = bits.or_else(|| value.strip_prefix("#x").map(|digits| 4 * digits.len() as u32));
        let kept = u64::MAX >> (64 - bits.unwrap_or(1));
        prop_assert_eq!(number(value), native(width, x, y) & kept, "{} {} {}", text, x, y);
        // The gates agree: no model has another value.
        let script = script.replace("(assert (= z z))", &format!("(assert (distinct z {value}))"));
        prop_assert!(output_of(&script, &Options::default()).is_err_and(|error| error.contains("after the answer sat")));
    }
}

/// The sort of one of the terms above.
fn sort_of(text: &str, width: u32) -> String {
    let word = |width: u32| format!("(_ BitVec {width})");
    if text.contains("repeat") || text.starts_with("(bvcomp") || text.starts_with("(bvred") {
        return word(1);
    }
    if text.starts_with("(concat") {
        return word(width + 1);
    }
    if text.contains("_extend") {
        return word(width + 2);
    }
    let truths = [
        "(bvu", "(bvsl", "(bvsg", "(bvnego", "(bvsaddo", "(bvssubo", "(bvsmulo", "(bvsdivo", "(=>",
        "(dist", "(xor",
    ];
    let is_word = ["(bvudiv", "(bvurem"]
        .iter()
        .any(|own| text.starts_with(own));
    match truths.iter().any(|own| text.starts_with(own)) && !is_word {
        true => "Bool".to_owned(),
        false => word(width),
    }
}

#[test]
fn commands_answer_as_the_standard_says() {
    for (script, expected) in [
        (
            "(set-option :print-success true)(set-logic QF_BV)(exit)(foo)",
            "success\nsuccess\n",
        ),
        (
            "(declare-fun |a b| () Bool)(assert |a b|)(check-sat)(get-model)(get-value ((not |a b|)))",
            "sat\n(\n  (define-fun |a b| () Bool true)\n)\n(((not |a b|) false))\n",
        ),
        (
            "(declare-const x (_ BitVec 8))(push)(assert (bvult x #x00))(check-sat)(pop 1)(assert (= x #x2a))(check-sat)(get-value (x))",
            "unsat\nsat\n((x #x2a))\n",
        ),
        (
            "(declare-const p Bool)(assert (! p :named A))(assert (! (or p p) :named B))(assert (! (not p) :named |C c|))(check-sat)(get-unsat-core)",
            "unsat\n(A |C c|)\n",
        ),
        (
            "(declare-const p Bool)(check-sat-assuming (p (not p)))(check-sat-assuming (p))",
            "unsat\nsat\n",
        ),
        (
            "(define-sort W () (_ BitVec 4))(define-fun f ((x W) (y W)) W (bvsub x y))(define-fun g ((y W)) W (let ((x #x1)) (f y x)))(declare-const x W)(assert (= (g x) #x3))(check-sat)(get-value (x))",
            "sat\n((x #x4))\n",
        ),
        (
            "(declare-const x (_ BitVec 3))(assert (= (! (bvadd x #b001) :named y) #b000))(check-sat)(get-value (y x (_ bv5 130)))",
            "sat\n((y #b000) (x #b111) ((_ bv5 130) #b",
        ),
        (
            "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))(assert (= a (store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x01) #x00000007 #xff)))(check-sat)(get-value (a (select a #x00000007)))",
            "sat\n((a (store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x01) #x00000007 #xff)) ((select a #x00000007) #xff))\n",
        ),
        (
            "(echo \"a \"\"b\"\"\")(get-info :name)(set-option :foo 1)",
            "\"a \"\"b\"\"\"\n(:name \"craig\")\nunsupported\n",
        ),
        (
            "(declare-const p Bool)(push)(declare-const q Bool)(pop)(declare-const q Bool)(reset)(declare-const p Bool)(check-sat)",
            "sat\n",
        ),
    ] {
        let found = output(script);
        let holds = if expected.ends_with('\n') {
            found == expected
        } else {
            found.starts_with(expected)
        };
        assert!(holds, "{script}\n{found}");
    }
}

/// Levels and resets remove what they should, and nothing else.
#[test]
fn levels_end() {
    for (script, expected) in [
        (
            "(declare-const p Bool)(assert p)(push)(assert (not p))(pop 0)(check-sat)(pop)(check-sat)(assert p)(check-sat)",
            "unsat\nsat\nsat\n",
        ),
        (
            "(declare-const p Bool)(assert false)(push)(reset-assertions)(declare-const p Bool)(check-sat)",
            "sat\n",
        ),
        (
            "(set-option :global-declarations true)(push)(declare-const p Bool)(assert false)(pop)(assert p)(check-sat)",
            "sat\n",
        ),
        (
            "(push 2)(assert (! false :named A))(pop)(pop)(assert (! true :named A))(check-sat)",
            "sat\n",
        ),
    ] {
        assert_eq!(output(script), expected, "{script}");
    }
}

#[test]
fn bad_scripts_have_one_error_with_its_line() {
    for (script, expected) in [
        (
            "(set-logic QF_LIA)",
            "f.smt2:1: the logic `QF_LIA` is not supported: expected one of QF_BV, QF_ABV",
        ),
        ("\n(foo)", "f.smt2:2: `(foo)`: this command is not known"),
        (
            "\n(declare-datatypes ((L 0)) (((nil))))",
            "f.smt2:2: `declare-datatypes` is not supported: sorts are Bool, words and arrays of words",
        ),
        (
            "(define-fun-rec f ((a Bool)) Bool (f a))",
            "f.smt2:1: `define-fun-rec` is not supported",
        ),
        (
            "(declare-fun f (Bool) Bool)",
            "f.smt2:1: functions with operands are not supported",
        ),
        (
            "(declare-const x Int)",
            "`Int`: expected Bool, (_ BitVec N) or",
        ),
        (
            "(declare-const x (_ BitVec 0))",
            "a word has 1 to 1048576 bits, not 0",
        ),
        (
            "(declare-const x (Array (_ BitVec 2) Bool))",
            "arrays are supported from words to words only",
        ),
        (
            "(declare-const x Bool)(declare-const x Bool)",
            "`x` is declared already",
        ),
        ("(assert y)", "`y` is not declared"),
        (
            "(assert #b1)",
            "an assertion is a truth value, not of the sort (_ BitVec 1)",
        ),
        (
            "(assert (forall ((x Bool)) x))",
            "`forall` is not supported",
        ),
        (
            "(assert\n(bvult #b1 #b00))",
            "f.smt2:2: `bvult` has words of one width as operands",
        ),
        (
            "(assert (= #b1 ((_ extract 2 1) #b01)))",
            "there are no bits 2 to 1 of 2",
        ),
        (
            "(assert (foo true))",
            "there is no operator or function `foo`",
        ),
        (
            "(assert (! true :weight 3))",
            "`:weight`: expected :named or :interpolation-group",
        ),
        ("(assert (= (_ bv9 3) #b000))", "9 has more than 3 bits"),
        ("(assert (let ((x)) true))", "expected (NAME TERM)"),
        (
            "(assert (select #b1 #b1))",
            "`select` has an array and an index of its as operands",
        ),
        ("(pop)", "there are fewer levels than that"),
        (
            "(push)\n(push 18446744073709551615)",
            "f.smt2:2: there are more than 1048576 levels",
        ),
        ("(get-model)", "there is a model after the answer sat only"),
        (
            "(check-sat)(get-proof)",
            "there is none but after the answer unsat",
        ),
        (
            "(assert (! true :named A))(assert (! false :named B))(check-sat)(get-interpolants A C)",
            "there is no assertion with the name `C`",
        ),
        (
            "(assert (! true :named A))(assert (! true :named B))(assert false)(check-sat)(get-interpolants A B)",
            "the partitions are consistent",
        ),
        ("(assert (not true", "`(` without `)`"),
        (
            "(assert 5)",
            "`5`: expected a term of truth values, words or arrays",
        ),
    ] {
        let error = output_of(script, &Options::default()).unwrap_err();
        assert!(
            error.starts_with("f.smt2:") && error.contains(expected),
            "{script}: {error}"
        );
    }
}

/// Nothing is recursive in the depth of a term.
#[test]
fn deep_terms_need_no_stack() {
    let deep = 100_000;
    let script = format!(
        "(declare-const p Bool)(assert {}p{})(check-sat)",
        "(not ".repeat(deep),
        ")".repeat(deep)
    );
    assert_eq!(output(&script), "sat\n");
    let lets = format!(
        "(declare-const p Bool)(assert {}p{})(check-sat)",
        "(let ((q p)) ".repeat(deep),
        ")".repeat(deep)
    );
    assert_eq!(output(&lets), "sat\n");
}

/// Functions that double their operand are no formulas of exponential size.
#[test]
fn definitions_share() {
    let mut script = "(define-fun f0 ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x x))".to_owned();
    for n in 1..60 {
        script += &format!(
            "(define-fun f{n} ((x (_ BitVec 8))) (_ BitVec 8) (bvxor (f{0} x) (f{0} (bvnot x))))",
            n - 1
        );
    }
    script += "(declare-const x (_ BitVec 8))(assert (= (f59 x) x))(check-sat)";
    assert!(output(&script).ends_with("sat\n"));
}

#[test]
fn proofs_are_clauses_and_lrat() {
    let script = "(declare-const x (_ BitVec 4))(assert (bvult x #x3))(assert (bvult #x5 x))(check-sat)(get-proof)";
    let found = output(script);
    let parts: Vec<&str> = found.split('"').collect();
    assert!(
        parts[0].ends_with(":dimacs ") && parts[2].contains(":lrat"),
        "{found}"
    );
    assert!(parts[1].contains("c bit 0 of x is 1"), "{found}");
    let cnf = craig_formula::dimacs::read(&mut parts[1].as_bytes(), "cnf").unwrap();
    assert!(craig_solver::proof::import::check_lrat(&cnf, parts[3].as_bytes()).is_ok());
}

/// Interpolants over words where there are such, and the notation of trees and of MathSAT.
#[test]
fn interpolants_are_over_words_where_that_is_found() {
    let declared = "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))(declare-const z (_ BitVec 32))";
    let script = format!(
        "{declared}(assert (! (= x y) :named A))(assert (! (= y z) :named B))(assert (! (distinct x z) :named C))(check-sat)"
    );
    let found = output(&(script.clone() + "(get-interpolants A B C)"));
    assert_eq!(found, "unsat\n((= x y)\n (= x z))\n");
    let found = output(&(script + "(get-interpolants A (B) C)"));
    assert_eq!(found, "unsat\n((= x y)\n (= y z))\n");
    let groups = format!(
        "{declared}(assert (! (bvult x y) :interpolation-group g))(assert (! (bvult y x) :interpolation-group h))(check-sat)(get-interpolant (g))"
    );
    assert_eq!(output(&groups), "unsat\n(bvult x y)\n");
}

#[test]
fn shared_arrays_are_written_with_their_elements() {
    let script = |index: u32| {
        format!(
            "(declare-const a (Array (_ BitVec {index}) (_ BitVec 8)))(declare-const i (_ BitVec {index}))
             (assert (! (= (select a (_ bv1 {index})) #x05) :named A))
             (assert (! (and (= i (_ bv1 {index})) (bvult (select a i) #x04)) :named B))
             (check-sat)(get-interpolants A B)"
        )
    };
    let found = output(&script(2));
    assert!(found.contains("(select a #b01)"), "{found}");
    let error = output_of(&script(32), &Options::default()).unwrap_err();
    assert!(
        error.contains("f.smt2:4: interpolants over arrays with more than 256 elements"),
        "{error}"
    );
}

#[test]
fn values_are_written_in_full_width() {
    let mut model: HashMap<Term, Value> = HashMap::new();
    let mut terms = Terms::new();
    model.insert(terms.variable(12), Value::Bits(BitVector::new(0x0a5, 12)));
    for value in model.values() {
        assert_eq!(crate::values::value(value, Sort::Word(12)), "#x0a5");
    }
    assert_eq!(crate::values::bits(&BitVector::new(5, 6)), "#b000101");
    assert_eq!(crate::values::symbol("a b"), "|a b|");
    assert_eq!(crate::values::symbol("let"), "|let|");
    assert_eq!(crate::values::symbol("1x"), "|1x|");
}
