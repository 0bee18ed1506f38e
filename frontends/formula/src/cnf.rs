//! Formulas as clauses.

use std::io::{self, Write};

use craig_solver::encode::Encoder;
use craig_solver::{Cnf, Lit};

use super::aiger::position;
use super::formulas::Formulas;

pub(super) fn write(formulas: &Formulas, output: &mut dyn Write) -> io::Result<()> {
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
    for input in &formulas.inputs {
        let number = input.var.positive().to_dimacs();
        if input.name != number.to_string() {
            writeln!(output, "c variable {number} is {}", input.name)?;
        }
    }
    crate::dimacs::write(&cnf, output)
}
