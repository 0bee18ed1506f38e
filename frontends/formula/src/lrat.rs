//! Proofs in the LRAT format (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, "Efficient Certified
//! RAT Verification", CADE 2017), from refutations in memory.

use std::collections::HashMap;
use std::io::{self, Write};

use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Cnf, Label, Lit};

fn as_set(clause: &[Lit]) -> Vec<Lit> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}

/// Writes a refutation of `cnf` as text. The clauses of the formula have the numbers that DIMACS gives them,
/// from 1; each resolution chain is one further clause, with its antecedents backwards as hints.
///
/// # Errors
/// If a leaf of the proof is no clause of the formula, or the output can't be written.
pub fn write_lrat(dag: &ProofDag, cnf: &Cnf, output: &mut dyn Write) -> io::Result<()> {
    // A clause that occurs with several labels is found by its own, so that reading the proof keeps it.
    let mut labelled: HashMap<(Vec<Lit>, Label), u64> = HashMap::new();
    let mut numbers: HashMap<Vec<Lit>, u64> = HashMap::new();
    for (number, (clause, label)) in (1..).zip(cnf.iter()) {
        labelled.entry((as_set(clause), label)).or_insert(number);
        numbers.entry(as_set(clause)).or_insert(number);
    }
    let mut next = cnf.n_clauses() as u64;
    let mut number_of: Vec<u64> = Vec::with_capacity(dag.n_vertices());
    for vertex in dag.vertices() {
        let clause = dag.clause(vertex);
        let number = match dag.origin(vertex) {
            Origin::Leaf { label } => {
                let own = labelled.get(&(as_set(clause), label));
                let found = own.or_else(|| numbers.get(&as_set(clause)));
                *found.ok_or_else(|| {
                    io::Error::other("a leaf of the proof is no clause of the formula")
                })?
            }
            Origin::Chain { first, steps } => {
                next += 1;
                write!(output, "{next}")?;
                for lit in clause {
                    write!(output, " {}", lit.to_dimacs())?;
                }
                write!(output, " 0")?;
                for step in steps.iter().rev() {
                    write!(output, " {}", number_of[step.antecedent as usize])?;
                }
                writeln!(output, " {} 0", number_of[first as usize])?;
                next
            }
        };
        number_of.push(number);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use craig_solver::proof::ProofLog;
    use craig_solver::proof::import::check_lrat;
    use craig_solver::{Answer, Options, Solver, Var};

    use super::*;

    #[test]
    fn a_refutation_in_memory_is_a_proof_for_a_checker_of_files() {
        // Three pigeons in two holes: pigeon i sits in hole j.
        let lit = |pigeon: usize, hole: usize| Var::new(2 * pigeon + hole).positive();
        let mut cnf = Cnf::new();
        for pigeon in 0..3 {
            cnf.add_clause(&[lit(pigeon, 0), lit(pigeon, 1)]);
        }
        for hole in 0..2 {
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                cnf.add_clause(&[!lit(a, hole), !lit(b, hole)]);
            }
        }
        let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
        solver.add_cnf(&cnf);
        assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
        let dag = solver.proof().trim(solver.refutation().unwrap());
        let mut text = Vec::new();
        write_lrat(&dag, &cnf, &mut text).unwrap();
        assert!(check_lrat(&cnf, text.as_slice()).is_ok());
        // Another formula is not refuted by it.
        let mut other = Cnf::new();
        other.reserve_vars(cnf.n_vars());
        for (clause, _) in cnf.iter().take(4) {
            other.add_clause(clause);
        }
        assert!(write_lrat(&dag, &other, &mut Vec::new()).is_err());
    }
}
