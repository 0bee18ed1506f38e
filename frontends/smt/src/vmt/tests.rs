//! Single systems, and messages.

use std::collections::BTreeMap;

use craig_hardware::btor2::evaluate::Simulator;
use craig_hardware::btor2::trace::Step;
use craig_hardware::btor2::{Btor2, read as read_btor2, write};
use craig_word::{BitVector, Value};

use super::read;

/// The circuit of a text, written and read again.
pub(super) fn circuit_of(text: &str) -> Btor2 {
    let circuit = read(text.as_bytes(), "f").unwrap();
    let mut lines = Vec::new();
    write(&circuit, &mut lines).unwrap();
    read_btor2(&lines, "f").unwrap()
}

const STATE: &str =
    "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))(declare-const i (_ BitVec 4))
(define-fun .x () (_ BitVec 4) (! x :next y))
";

/// Definitions leave neither inputs nor the state about transitions.
#[test]
fn a_function_is_a_function() {
    let text = STATE.to_owned()
        + "(assert true)(define-fun t () Bool (! (and (= (bvadd x i) y) true) :trans true))
        (define-fun s () Bool (! (= x #x3) :init true))
        (define-fun p () Bool (! (bvult x #xf) :invar-property 3))";
    let circuit = circuit_of(&text);
    assert_eq!(
        (
            circuit.inputs.len(),
            circuit.states.len(),
            circuit.constraints.len()
        ),
        (1, 1, 0)
    );
    assert!(circuit.states[0].init.is_some());
    assert_eq!(circuit.names()[circuit.states[0].node as usize], "x");
    assert_eq!(circuit.bads[0].symbol, "p");
}

/// Alternatives that define a next value each, under conditions: a choice is an input, and the next value is none.
#[test]
fn alternatives_are_chosen() {
    let text = STATE.to_owned()
        + "(define-fun s () Bool (! (= x #x0) :init true))
        (define-fun t () Bool (! (or (and (= x #x0) (= y #x5)) (and (= x #x5) (= y (bvadd x i)) (bvult y #x8))
            (and (= x #x7) (= y x) (= i #x1))) :trans true))
        (define-fun p () Bool (! (not (= x #x7)) :invar-property 0))";
    let circuit = circuit_of(&text);
    let names = circuit.names();
    let inputs: Vec<&str> = (circuit.inputs.iter())
        .map(|&node| names[node as usize].as_str())
        .collect();
    assert_eq!(inputs, ["i", "choice"]);
    let run = |choices: [(u128, u128); 2]| {
        let mut simulator = Simulator::new(&circuit);
        let steps = choices.into_iter().chain([(0, 0)]);
        let steps = steps.map(|(i, choice)| {
            let inputs = [(0, BitVector::new(i, 4)), (1, BitVector::new(choice, 2))];
            let inputs = inputs.map(|(number, value)| (number, Value::Bits(value)));
            let inputs = BTreeMap::from(inputs);
            let states = BTreeMap::new();
            simulator.step(&Step { states, inputs }).unwrap().bads
        });
        steps.flatten().any(|bad| bad)
    };
    assert!(run([(0, 0), (2, 1)]));
    // The second alternative does not hold in the first step, nor with such an input; and there are three.
    for choices in [
        [(2, 1), (2, 1)],
        [(0, 0), (9, 1)],
        [(0, 0), (2, 2)],
        [(0, 0), (2, 3)],
    ] {
        assert!(!run(choices), "{choices:?}");
    }
}

/// A file is one circuit, node by node, in each run: sets of variables have no order.
#[test]
fn a_file_is_one_circuit() {
    let names: Vec<String> = (0..12).map(|number| format!("x{number}")).collect();
    let mut text = String::new();
    let (mut up, mut down) = (String::new(), String::new());
    for name in &names {
        text += &format!(
            "(declare-const {name} (_ BitVec 4))(declare-const {name}.next (_ BitVec 4))
             (define-fun .{name} () (_ BitVec 4) (! {name} :next {name}.next))\n"
        );
        up += &format!("(= {name}.next (bvadd {name} #x1))");
        down += &format!("(= {name}.next (bvsub {name} #x3))");
    }
    // One formula with all next values, so that their order shows.
    let sum = (names.iter()).fold("#x0".to_owned(), |sum, name| {
        format!("(bvadd {sum} {name}.next)")
    });
    text += &format!(
        "(define-fun t () Bool (! (and (or (and {up}) (and {down})) (bvult {sum} #xf)) :trans true))\n"
    );
    text += "(define-fun p () Bool (! (= x0 x11) :invar-property 0))";
    let first = circuit_of(&text);
    assert_eq!(first.inputs.len(), 1);
    for _ in 0..5 {
        assert_eq!(circuit_of(&text), first);
    }
}

/// A bad counts where the transition relation has no successor.
#[test]
fn a_state_without_successors_is_reachable() {
    let text = STATE.to_owned()
        + "(define-fun s () Bool (! (= x #x0) :init true))
        (define-fun t () Bool (! (and (bvult x #x3) (= y (bvadd x #x1))) :trans true))
        (define-fun p () Bool (! (not (= x #x3)) :invar-property 0))
        (define-fun q () Bool (! (not (= x #x4)) :invar-property 1))";
    let circuit = circuit_of(&text);
    let mut simulator = Simulator::new(&circuit);
    let mut last = None;
    for _ in 0..6 {
        let values = simulator.step(&Step::default()).unwrap();
        if values.bads.contains(&true) {
            last = Some(values.bads);
        }
    }
    assert_eq!(last, Some(vec![true, false]));
}

/// Arrays: first values everywhere, next values, constants in formulas.
#[test]
fn arrays_are_states() {
    let text = "(declare-const m (Array (_ BitVec 2) (_ BitVec 4)))(declare-const n (Array (_ BitVec 2) (_ BitVec 4)))
        (declare-const i (_ BitVec 2))
        (define-fun .m () (Array (_ BitVec 2) (_ BitVec 4)) (! m :next n))
        (define-fun s () Bool (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x2)) :init true))
        (define-fun t () Bool (! (= n (store m i (bvadd (select m i) #x1))) :trans true))
        (define-fun p () Bool (! (bvult (select m #b01) #x4) :invar-property 0))
        (define-fun q () Bool (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x2)) :invar-property 1))";
    let circuit = circuit_of(text);
    let mut simulator = Simulator::new(&circuit);
    let input = Value::Bits(BitVector::new(1, 2));
    let step = Step {
        states: BTreeMap::new(),
        inputs: BTreeMap::from([(0, input)]),
    };
    let bads: Vec<Vec<bool>> = (0..3)
        .map(|_| simulator.step(&step).unwrap().bads)
        .collect();
    assert_eq!(
        bads,
        [vec![false, false], vec![false, true], vec![true, true]]
    );
}

#[test]
fn what_is_malformed_is_an_error_with_its_line() {
    let property = "(define-fun p () Bool (! (= x #x0) :invar-property 0))";
    for (text, error) in [
        (
            "(define-fun p () Bool (! (= y x) :invar-property 0))".to_owned(),
            "f:3: `:invar-property`: the term may not depend on next values",
        ),
        (
            format!("(define-fun s () Bool (! (= x i) :init true))\n{property}"),
            "f:3: `:init`: the term may not depend on inputs",
        ),
        (
            format!("(define-fun s () Bool (! (= x y) :init true))\n{property}"),
            "f:3: `:init`: the term may not depend on next values",
        ),
        (
            String::new(),
            "f:2: there is no property: expected an annotation :invar-property or :live-property",
        ),
        (
            format!("{property}\n{}", property.replace(" p ", " q ")),
            "f:4: there is a property 0 already",
        ),
        (
            "(define-fun p () Bool (! (= x #x0) :invar-property))".to_owned(),
            "f:3: `:invar-property`: expected a number behind it",
        ),
        (
            "(define-fun p () (_ BitVec 4) (! x :invar-property 0))".to_owned(),
            "f:3: `:invar-property`: expected a truth value, not a term of the sort (_ BitVec 4)",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! x :next i))".to_owned(),
            "f:3: `x` is a state or a next value already",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! i :next i))".to_owned(),
            "f:3: `i` is a state or a next value already",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! i :next none))".to_owned(),
            "f:3: `:next`: `none` is no declared variable",
        ),
        (
            "(define-fun z () (_ BitVec 4) (! (bvnot i) :next x))".to_owned(),
            "f:3: `:next`: expected it at a variable",
        ),
        (
            "(declare-const b Bool)(define-fun z () Bool (! b :next i))".to_owned(),
            "f:3: `i` has the sort (_ BitVec 4), but `b` Bool",
        ),
        (
            "(define-fun s () Bool (! (= x #x0) :init false))".to_owned(),
            "f:3: `:init`: expected `true` behind it",
        ),
        (
            "(define-fun s ((z Bool)) Bool (! z :init true))".to_owned(),
            "f:3: `:init`: the term depends on parameters of its definition",
        ),
        (
            "(define-fun p () Bool (! (= x #x0) :ltl-property 0))".to_owned(),
            "f:3: `:ltl-property`: expected :next, :init, :trans, :invar-property, :live-property, :predicate, :named or :interpolation-group, and a symbol",
        ),
        (
            "(check-sat)".to_owned(),
            "f:3: `(check-sat)`: a file in VMT-LIB has only the commands set-logic, set-option, set-info, declare-fun, declare-const, define-fun, define-const, define-sort",
        ),
        (
            "(declare-const z Int)".to_owned(),
            "f:3: `Int`: expected Bool, (_ BitVec N) or (Array (_ BitVec N) (_ BitVec M))",
        ),
        (
            "(declare-sort S 0)".to_owned(),
            "f:3: `(declare-sort S 0)`: a file in VMT-LIB has only the commands set-logic, set-option, set-info, declare-fun, declare-const, define-fun, define-const, define-sort",
        ),
    ] {
        let found = read((STATE.to_owned() + &text).as_bytes(), "f").unwrap_err();
        assert_eq!(found.to_string(), error, "{text}");
    }
    let bytes = read(b"(set-logic \xff)", "f").unwrap_err();
    assert_eq!(bytes.to_string(), "f: byte 11 is not UTF-8");
    let variable = "(declare-const m (Array (_ BitVec 1) (_ BitVec 4)))
        (define-fun p () Bool (! (= m ((as const (Array (_ BitVec 1) (_ BitVec 4))) x)) :invar-property 0))";
    let found = read((STATE.to_owned() + variable).as_bytes(), "f").unwrap_err();
    assert_eq!(
        found.to_string(),
        "f: constant arrays of terms that are not constants are not supported"
    );
}
