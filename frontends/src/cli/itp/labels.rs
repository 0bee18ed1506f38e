//! The labels of shared variables from the command line.

use std::path::Path;

use craig_itp::choice::Choice;
use craig_itp::labelling::VariableLabels;
use craig_itp::proof_sensitive::ProofSensitive;
use craig_itp::{Rule, Side, System};
use craig_solver::{Label, Var};

use super::arguments::Arguments;
use super::shape::Shape;
use crate::cli::failure::Failure;
use crate::cli::input::read_file;
use crate::problem::Problem;

/// The requested labelling.
pub(super) fn choice(arguments: &Arguments) -> Result<Choice, Failure> {
    if arguments.clausewise {
        return Ok(Choice::Clausewise);
    }
    if let Some(kind) = arguments.proof_sensitive {
        return Ok(Choice::from(ProofSensitive::from(kind)));
    }
    match (&arguments.labelling, arguments.random) {
        (_, Some(seed)) if arguments.symmetric || arguments.tree.is_some() => {
            Ok(Choice::Rule(Rule::RandomStrong(seed)))
        }
        (_, Some(seed)) => Ok(Choice::Rule(Rule::RandomVariables(seed))),
        (Some(path), None) => labels(path),
        (None, None) => Ok(Choice::from(System::from(arguments.system))),
    }
}

/// Reads a labelling file.
pub(in crate::cli) fn labels(path: &Path) -> Result<Choice, Failure> {
    let bytes = read_file(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let labels = VariableLabels::parse(&text)
        .map_err(|error| Failure::input(format!("{}:{error}", path.display())))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(Choice::Labels(name.to_string_lossy().into_owned(), labels))
}

/// Rejects labels with which the joint condition of several interpolants may fail: in a sequence, labels that
/// get stronger from one cut to the next; in a tree, labels of single cuts.
pub(super) fn check_labels(
    choice: &Choice,
    problem: &Problem,
    shape: &Shape,
) -> Result<(), Failure> {
    if let (Choice::Rule(Rule::ProofSensitive(_)), Shape::Tree(_)) = (choice, shape) {
        let message = "--proof-sensitive: labels differ between subtrees, but a tree needs the same for all of it";
        return Err(Failure::input(message));
    }
    let Choice::Labels(file, labels) = choice else {
        return Ok(());
    };
    if labels.has_occurrences() && !matches!(shape, Shape::Cut(_)) {
        let message = "labels of literals and clauses are for one cut: several interpolants need those of variables";
        return Err(Failure::input(format!("{file}: {message}")));
    }
    if !labels.differs_between_cuts() {
        return Ok(());
    }
    let cuts = match shape {
        Shape::Cut(_) | Shape::Symmetric(_) => return Ok(()),
        Shape::Sequence(cuts) => cuts,
        Shape::Tree(_) => {
            let message = "labels of single cuts, but a tree needs the same for all of it";
            return Err(Failure::input(format!("{file}: {message}")));
        }
    };
    let strength = |side| match side {
        Side::B => 0,
        Side::Both => 1,
        Side::A => 2,
    };
    // By variable: the first and the last partition in which it occurs.
    let mut spans: Vec<Option<(Label, Label)>> = vec![None; problem.cnf.n_vars()];
    for (clause, label) in problem.cnf.iter() {
        for lit in clause {
            let span = spans[lit.var().index()].get_or_insert((label, label));
            *span = (span.0.min(label), span.1.max(label));
        }
    }
    for (index, span) in spans.iter().enumerate() {
        let Some((first, last)) = *span else {
            continue;
        };
        let var = Var::new(index);
        let is_shared = |cut: Label| first <= cut && cut < last;
        for pair in cuts
            .windows(2)
            .filter(|pair| is_shared(pair[0]) && is_shared(pair[1]))
        {
            let [before, after] = [pair[0], pair[1]].map(|cut| labels.side(cut as usize, var));
            if strength(before) > strength(after) {
                return Err(Failure::input(format!(
                    "{file}: the label of {} is stronger at cut {} than at cut {}: a sequence needs \
                     labels that \
                     never get stronger (from a to ab or b, or from ab to b)",
                    problem.name(var),
                    pair[1],
                    pair[0]
                )));
            }
        }
    }
    Ok(())
}
