//! Formulas as clauses: a single one in conjunctive normal form by its own, others by those of its gates.

use std::collections::HashSet;
use std::io::{self, Write};

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_solver::encode::Encoder;
use craig_solver::{Cnf, Lit};

use super::formulas::Formulas;
use super::formulas::position;

pub(super) fn write(formulas: &Formulas, output: &mut dyn Write) -> io::Result<()> {
    if let [(name, edge)] = &formulas.outputs[..]
        && let Some(clauses) = clauses(formulas, *edge)
    {
        writeln!(output, "c {name} is the conjunction of the clauses")?;
        write_names(formulas, output)?;
        return crate::dimacs::write(&clauses, output);
    }
    let mut cnf = Cnf::new();
    for input in &formulas.inputs {
        cnf.reserve_vars(input.var.index() + 1);
    }
    let mut encoder = Encoder::new();
    for node in formulas.aig.support(&formulas.edges()) {
        let input = &formulas.inputs[position(&formulas.aig, node)];
        encoder.set(node, input.var.positive());
    }
    let mut lits: Vec<Lit> = Vec::new();
    for &(_, edge) in &formulas.outputs {
        lits.push(encoder.encode(&formulas.aig, edge, &mut cnf));
    }
    if let [lit] = lits[..] {
        cnf.add_clause(&[lit]);
    }
    for ((name, _), lit) in formulas.outputs.iter().zip(&lits) {
        writeln!(output, "c {name} is literal {}", lit.to_dimacs())?;
    }
    write_names(formulas, output)?;
    crate::dimacs::write(&cnf, output)
}

fn write_names(formulas: &Formulas, output: &mut dyn Write) -> io::Result<()> {
    for input in &formulas.inputs {
        let number = input.var.positive().to_dimacs();
        if input.name != number.to_string() {
            writeln!(output, "c variable {number} is {}", input.name)?;
        }
    }
    Ok(())
}

/// More literals than this are not written for a formula whose clauses share gates.
const MAX_LITERALS: usize = 1 << 24;

/// The clauses whose conjunction the formula is; nothing if its graph is no conjunction of disjunctions.
fn clauses(formulas: &Formulas, edge: Edge) -> Option<Cnf> {
    let mut cnf = Cnf::new();
    for input in &formulas.inputs {
        cnf.reserve_vars(input.var.index() + 1);
    }
    let mut n_lits = 0;
    for conjunct in operands(&formulas.aig, edge) {
        if conjunct == Edge::TRUE {
            continue;
        }
        // A disjunction is the negation of a conjunction of the negated literals.
        let lits = match formulas.aig.node(conjunct.node()) {
            Node::Constant => Vec::new(),
            _ => operands(&formulas.aig, !conjunct),
        };
        let lit = |edge: Edge| match formulas.aig.node(edge.node()) {
            Node::Input(at) => Some(formulas.inputs[at as usize].var.lit(!edge.is_negated())),
            _ => None,
        };
        let lits: Vec<Lit> = lits.into_iter().map(lit).collect::<Option<_>>()?;
        n_lits += lits.len();
        if n_lits > MAX_LITERALS {
            return None;
        }
        cnf.add_clause(&lits);
    }
    Some(cnf)
}

/// The operands of a conjunction whose gates are flattened.
fn operands(aig: &Aig, edge: Edge) -> Vec<Edge> {
    let mut found = Vec::new();
    let mut seen: HashSet<(NodeId, bool)> = HashSet::new();
    let mut open = vec![edge];
    while let Some(edge) = open.pop() {
        if !seen.insert((edge.node(), edge.is_negated())) {
            continue;
        }
        match aig.node(edge.node()) {
            Node::And(left, right) if !edge.is_negated() => open.extend([right, left]),
            _ => found.push(edge),
        }
    }
    found
}
