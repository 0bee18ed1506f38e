//! Raising local resolutions: a proof transformation for interpolants in CNF.
//!
//! In McMillan's system a resolution on a variable local to A becomes a disjunction, any other a conjunction.
//! Exchanging a local resolution with a resolution that derives one of its antecedents moves the disjunction
//! towards the leaves. Interpolants get stronger and are in CNF more often (R. Jhala and K. L. McMillan,
//! "Interpolant-based transition relation approximation", LMCS 2007, section 7, figures 4 to 6).

use craig_solver::proof::ProofDag;
use craig_solver::{Label, Lit, Var};

use super::binary::{Binary, Node};
use super::draft::prune_polled;
use crate::partition::{Class, Partition};
use crate::stop::{Poll, Stop, Stopped};

/// Options of [`raise_local`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raising {
    /// Whether to exchange also where the clause loses a literal, as the paper does. That saves a resolution
    /// closer to the root, which can make the interpolant weaker; without this, it never gets weaker.
    pub shrink: bool,
    /// The most literals of all clauses ever derived, at four bytes each. A proof that is larger is returned
    /// unchanged; when the transform reaches the bound, it ends early with what it has raised.
    pub max_literals: usize,
    /// By which factor the literals may become more than those of the proof, in the same way. Proofs of which
    /// an interpolant is useful grow by less than 8; a few would grow a thousandfold.
    pub max_growth: usize,
}

impl Default for Raising {
    /// Without shrinking, up to 2^28 literals, which are one gigabyte, and up to sixteen times those of the
    /// proof.
    fn default() -> Self {
        Self {
            shrink: false,
            max_literals: 1 << 28,
            max_growth: 16,
        }
    }
}

/// Raises the resolutions on variables that occur in A only towards the leaves.
///
/// From the leaves to the root, each such resolution is exchanged repeatedly with one of its antecedents,
/// until neither is passable. A passable antecedent is a resolution that is used once. So sharing is kept,
/// and the result has at most as many resolutions on local variables as these have occurrences in the proof.
///
/// The root derives the same clause, or a subset of it if `raising.shrink` is set.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn raise_local(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    raising: Raising,
    stop: &Stop,
) -> Result<ProofDag, Stopped> {
    let mut poll = Poll::new(stop)?;
    // Only uses by vertices that the root depends on count.
    let dag = prune_polled(dag, &mut poll)?;
    let root = dag.root().expect("a pruned proof has a root");
    let partition = Partition::polled(&dag, in_a, &mut poll)?;
    let is_local = |var: Var| partition.class(var) == Class::ALocal;
    let Some(mut binary) = Binary::new(&dag, root, raising.max_literals, &mut poll)? else {
        return Ok(dag);
    };
    binary.limit_growth(raising.max_growth);
    let mut transform = Transform {
        binary,
        shrink: raising.shrink,
        poll,
    };
    // Antecedents have smaller numbers; new nodes are raised as soon as they are created.
    for node in 0..transform.binary.n_nodes() {
        if transform.is_over()? {
            break;
        }
        if let Some((pivot, ..)) = transform.binary.parents(node)
            && transform.refresh(node)
            && is_local(pivot)
        {
            transform.raise(node, pivot)?;
        }
    }
    let Transform {
        mut binary,
        mut poll,
        ..
    } = transform;
    let raised = binary.rebuild(&mut poll)?;
    Ok(raised.unwrap_or(dag))
}

struct Transform<'a> {
    binary: Binary<'a>,
    shrink: bool,
    poll: Poll<'a>,
}

/// Units of work that one step counts as: an estimate of the literals that it merges.
const UNITS_PER_STEP: usize = 32;

/// The change to a resolution whose antecedent is passable.
#[derive(Clone, Copy)]
enum Move {
    /// The pivots are exchanged: the parents of the antecedent that contain the pivot are resolved on it, and
    /// the results on the pivot of the antecedent.
    Exchange { positive: bool, negative: bool },
    /// A parent of the antecedent derives a subset of the clause.
    Parent(Node),
    /// A parent of the antecedent, resolved with the other antecedent, derives a subset of the clause.
    Shortcut(Node),
}

impl Transform<'_> {
    /// Counts one step. Whether the bound on literals is reached: then the transform ends, which is possible
    /// between any two steps, since each node derives its clause at any time.
    fn is_over(&mut self) -> Result<bool, Stopped> {
        self.poll.spend(UNITS_PER_STEP)?;
        Ok(self.binary.is_full())
    }

    /// Raises the resolution at a node, and those that this creates, as far as possible.
    fn raise(&mut self, node: Node, var: Var) -> Result<(), Stopped> {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if self.is_over()? {
                break;
            }
            if !self.refresh(node) {
                continue;
            }
            let Some((pivot, positive, negative)) = self.binary.parents(node) else {
                continue;
            };
            if pivot != var {
                continue;
            }
            let sides = [
                (pivot.positive(), positive, negative),
                (pivot.negative(), negative, positive),
            ];
            for (pivot, passed, other) in sides {
                if let Some(step) = self.judge(pivot, passed, other) {
                    self.apply(node, pivot, passed, other, step, &mut open);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Updates a node whose parents may have lost literals: a parent that lacks the pivot replaces the node.
    /// Whether the node is still alive and a resolution.
    fn refresh(&mut self, node: Node) -> bool {
        if !self.binary.is_alive(node) {
            return false;
        }
        let Some((pivot, positive, negative)) = self.binary.parents(node) else {
            return false;
        };
        // Without `shrink` no clause ever changes.
        if self.shrink {
            for (parent, pivot) in [(positive, pivot.positive()), (negative, pivot.negative())] {
                if !self.binary.contains(parent, pivot) {
                    self.binary.replace(node, parent);
                    return false;
                }
            }
            self.binary.update_clause(node);
        }
        true
    }

    /// The change that moves the resolution of `passed`, which contains `pivot`, with `other`; `None` if
    /// `passed` is not passable.
    fn judge(&mut self, pivot: Lit, passed: Node, other: Node) -> Option<Move> {
        if self.binary.n_uses(passed) != 1 {
            return None;
        }
        let (above, positive, negative) = self.binary.parents(passed)?;
        let in_positive = self.binary.contains(positive, pivot);
        let in_negative = self.binary.contains(negative, pivot);
        let same = self.binary.contains(other, above.positive());
        let opposite = self.binary.contains(other, above.negative());
        if !same && !opposite {
            return Some(Move::Exchange {
                positive: in_positive,
                negative: in_negative,
            });
        }
        if !self.shrink {
            return None;
        }
        // The resolvent of `other` with the parent that contains the upper pivot in the other sign is a
        // tautology.
        Some(match (in_positive, in_negative) {
            (true, true) if same => Move::Shortcut(positive),
            (true, true) => Move::Shortcut(negative),
            (true, false) if opposite => Move::Parent(negative),
            (false, true) if same => Move::Parent(positive),
            (positive, negative) => Move::Exchange { positive, negative },
        })
    }

    fn apply(
        &mut self,
        node: Node,
        pivot: Lit,
        passed: Node,
        other: Node,
        step: Move,
        open: &mut Vec<Node>,
    ) {
        let Some((above, positive, negative)) = self.binary.parents(passed) else {
            return;
        };
        match step {
            Move::Exchange {
                positive: in_positive,
                negative: in_negative,
            } => {
                let mut resolve = |parent: Node, has_pivot: bool| {
                    if !has_pivot {
                        self.binary.add_use(parent);
                        return parent;
                    }
                    let resolvent = self.binary.resolvent(pivot, parent, other);
                    self.binary.add_use(resolvent);
                    open.push(resolvent);
                    resolvent
                };
                // `open` is a stack: the positive one is raised first.
                let new_negative = resolve(negative, in_negative);
                let new_positive = resolve(positive, in_positive);
                self.binary.release(passed);
                self.binary.release(other);
                self.binary
                    .set_parents(node, above.positive(), new_positive, new_negative);
                if self.shrink {
                    self.binary.update_clause(node);
                }
            }
            Move::Parent(parent) => self.binary.replace(node, parent),
            Move::Shortcut(parent) => {
                self.binary.add_use(parent);
                self.binary.release(passed);
                self.binary.set_parents(node, pivot, parent, other);
                self.binary.update_clause(node);
                open.push(node);
            }
        }
    }
}
