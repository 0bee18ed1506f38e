//! The kinds of interpolants.

use craig_itp::Tree;
use craig_solver::Label;

use super::arguments::Arguments;
use crate::cli::failure::Failure;
use crate::problem::Problem;

/// The interpolants to compute.
pub(super) enum Shape {
    /// One, of the partitions up to this one against the others.
    Cut(Label),
    /// One for each of these cuts.
    Sequence(Vec<Label>),
    /// One for each of these partitions against all others.
    Symmetric(Vec<Label>),
    /// One for each subtree.
    Tree(Tree),
}

impl Shape {
    /// What interpolant `index` is named after: its cut, its partition, or the node of its subtree.
    pub(super) fn number(&self, index: usize) -> Label {
        match self {
            Self::Cut(cut) => *cut,
            Self::Sequence(labels) | Self::Symmetric(labels) => labels[index],
            Self::Tree(_) => index as Label,
        }
    }
}

/// The requested interpolants.
pub(super) fn shape(arguments: &Arguments, problem: &Problem) -> Result<Shape, Failure> {
    problem.partitions().map_err(Failure::input)?;
    let labels = problem.labels();
    if arguments.sequence {
        let n_cuts = labels.len().saturating_sub(1);
        return Ok(Shape::Sequence(labels[..n_cuts].to_vec()));
    }
    if arguments.symmetric {
        return Ok(Shape::Symmetric(labels));
    }
    let Some(text) = &arguments.tree else {
        problem.check_cut(arguments.cut).map_err(Failure::input)?;
        return Ok(Shape::Cut(arguments.cut));
    };
    let parent = |word: &str| match word.trim() {
        "-" => Ok(None),
        word => word.parse().map(Some).map_err(|_| {
            Failure::input(format!("--tree: {word:?} is neither a partition nor \"-\""))
        }),
    };
    let parents: Vec<_> = text.split(',').map(parent).collect::<Result<_, _>>()?;
    // Clauses outside the tree would be in no subtree, not even in that of the root.
    let outside = labels
        .iter()
        .find(|&&label| label as usize >= parents.len());
    if let Some(label) = outside {
        return Err(Failure::input(format!(
            "--tree: partition {label} has no parent; expected those of partitions 0 to {}, of which the tree has {}",
            labels[labels.len() - 1],
            parents.len()
        )));
    }
    Tree::new(parents)
        .map(Shape::Tree)
        .map_err(|error| Failure::input(format!("--tree: {error}")))
}
