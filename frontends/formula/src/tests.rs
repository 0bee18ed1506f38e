use craig_aig::{Aig, Edge, Node};
use craig_solver::proof::{ProofDag, Step};
use craig_solver::{Answer, Lit, Solver, Var};

use super::*;

fn example() -> Formulas {
    let mut aig = Aig::new();
    let [a, b, c] = [(); 3].map(|()| aig.add_input());
    let xor = aig.xor(a, b);
    let or = aig.or(xor, !c);
    let variable = |(position, name): (usize, &str)| Variable {
        var: Var::new(2 * position + 1),
        name: name.into(),
    };
    Formulas {
        aig,
        outputs: vec![
            ("interpolant_0".into(), or),
            ("interpolant_1".into(), Edge::TRUE),
        ],
        inputs: ["2", "b|\\ \"", "c"]
            .into_iter()
            .enumerate()
            .map(variable)
            .collect(),
    }
}

fn written(formulas: &Formulas, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    formulas.write(format, &mut bytes).unwrap();
    bytes
}

#[test]
fn aiger_circuits_compute_the_formulas() {
    let formulas = example();
    for format in [Format::Aag, Format::Aig] {
        let circuit = craig_hardware::aiger::read(&written(&formulas, format), "circuit").unwrap();
        assert_eq!(circuit.model.inputs.len(), 3);
        // A file with outputs only states its properties by them.
        let outputs = &circuit.model.bads;
        assert_eq!(circuit.model.names.bads, ["interpolant_0", "interpolant_1"]);
        for row in 0..8 {
            let values = [row & 1 == 1, row & 2 == 2, row & 4 == 4];
            let expected = formulas.aig.evaluate(&values, &formulas.edges());
            assert_eq!(circuit.model.aig.evaluate(&values, outputs), expected);
        }
    }
}

#[test]
fn clauses_define_the_formulas_over_the_original_numbers() {
    let mut formulas = example();
    let both = String::from_utf8(written(&formulas, Format::Cnf)).unwrap();
    assert!(both.contains("c interpolant_1 is literal "));
    formulas.outputs.pop();
    let bytes = written(&formulas, Format::Cnf);
    let cnf = crate::dimacs::read(&mut &bytes[..], "formula").unwrap();
    let mut solver = Solver::new();
    solver.add_cnf(&cnf);
    for row in 0..8 {
        let values = [row & 1 == 1, row & 2 == 2, row & 4 == 4];
        let assumptions: Vec<Lit> = formulas
            .inputs
            .iter()
            .zip(values)
            .map(|(input, value)| input.var.lit(!value))
            .collect();
        let expected = formulas.aig.evaluate(&values, &formulas.edges())[0];
        assert_eq!(solver.solve(&assumptions) == Answer::Satisfiable, expected);
    }
}

/// (a or not b) and (b or c) and not c, with a gate that two clauses share.
#[test]
fn a_conjunction_of_clauses_is_written_as_such() {
    let mut formulas = example();
    let inputs: Vec<Edge> = formulas
        .aig
        .inputs()
        .iter()
        .map(|&node| Edge::new(node, false))
        .collect();
    let [a, b, c] = inputs[..] else { panic!() };
    let aig = &mut formulas.aig;
    let both = [aig.or(a, !b), aig.or(b, c)];
    let both = aig.and(both[0], both[1]);
    let all = aig.and(both, !c);
    for (edge, expected) in [
        (all, &["-6 0", "2 -4 0", "4 6 0"][..]),
        (!a, &["-2 0"]),
        (Edge::TRUE, &[]),
        (Edge::FALSE, &["0"]),
    ] {
        formulas.outputs = vec![("interpolant_3".into(), edge)];
        let text = String::from_utf8(written(&formulas, Format::Cnf)).unwrap();
        let mut found: Vec<String> = (text
            .lines()
            .filter(|line| line.ends_with('0') && !line.starts_with(['c', 'p'])))
        .map(|line| {
            let mut lits: Vec<i32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            lits.sort_unstable_by_key(|lit| if *lit == 0 { i32::MAX } else { lit.abs() });
            lits.iter()
                .map(i32::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{text}");
        assert!(
            text.starts_with("c interpolant_3 is the conjunction of the clauses\n"),
            "{text}"
        );
    }
}

#[test]
fn smtlib_and_graphviz_have_each_gate_once_and_quote_names() {
    let formulas = example();
    let gates = formulas
        .aig
        .cone(&formulas.edges())
        .into_iter()
        .filter(|&node| matches!(formulas.aig.node(node), Node::And(..)))
        .count();
    let smt = String::from_utf8(written(&formulas, Format::Smt2)).unwrap();
    assert_eq!(smt.matches("define-fun |gate").count(), gates);
    assert!(smt.contains("(declare-const |b___\"| Bool)"));
    assert!(smt.contains("(define-fun |interpolant_1| () Bool true)"));
    assert_eq!(smt.matches('(').count(), smt.matches(')').count());
    let dot = String::from_utf8(written(&formulas, Format::Dot)).unwrap();
    assert_eq!(dot.matches("shape=circle").count(), gates);
    assert!(dot.contains(r#"label="b|\\ \"""#));
}

#[test]
fn proofs_are_drawn_with_labels_and_pivots() {
    let x = Var::new(0).positive();
    let mut dag = ProofDag::new();
    let first = dag.add_leaf(&[x], 4);
    let antecedent = dag.add_leaf(&[!x], 7);
    dag.add_chain(
        first,
        &[Step {
            pivot: x,
            antecedent,
        }],
    )
    .unwrap();
    let mut bytes = Vec::new();
    write_proof(&dag, &|lit| format!("{lit:?}"), &mut bytes).unwrap();
    let dot = String::from_utf8(bytes).unwrap();
    for part in [
        "\"4: 1\"",
        "\"7: -1\"",
        "c0 -> c2;",
        "c1 -> c2 [label=\"1\"]",
        "\u{25a1}",
    ] {
        assert!(dot.contains(part), "{part}: {dot}");
    }
}
