//! Raising local resolutions: McMillan's proof transformation for interpolants in CNF.
//!
//! In McMillan's system a resolution on a variable of A alone becomes a disjunction, any other a conjunction. Exchanging
//! a local resolution with the resolution above it moves the disjunction towards the inputs, which makes
//! interpolants stronger and mostly leaves them in CNF (paper 001, section 7, figures 4 to 6).

use super::binary::{Binary, Node};
use super::draft::prune;
use crate::partition::{Class, Partition};
use crate::stop::Stop;
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Lit, Var};

/// How far to go in [`raise_local`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raising {
    /// Whether to exchange where that makes the clause smaller, too. The paper's figure does. A clause that lost a
    /// literal saves a resolution further down, which can make the interpolant weaker; without this, it
    /// never gets weaker.
    pub shrink: bool,
    /// The most literals, of all clauses that were ever derived, to be held in memory, at four bytes each. What is too large
    /// is returned as it is; when raising comes to the bound, it ends early.
    pub max_literals: usize,
}

impl Default for Raising {
    /// Without shrinking, up to 2^28 literals: one gigabyte.
    fn default() -> Self {
        Self {
            shrink: false,
            max_literals: 1 << 28,
        }
    }
}

/// Raises the resolutions on variables that occur in A alone towards the leaves.
///
/// From the leaves to the root, each such resolution is exchanged with one of its antecedents, again and again, until neither
/// is passable: a resolution that nobody else uses. So sharing is kept, and there are at most as many
/// resolutions on local variables afterwards as these have occurrences in the proof.
///
/// The root derives the same clause, or a part of it if `raising.shrink` is set.
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn raise_local(dag: &ProofDag, in_a: &dyn Fn(Label) -> bool, raising: Raising) -> ProofDag {
    raise_local_until(dag, in_a, raising, &Stop::never())
}

/// The same, ending early on request: with as much raised as was raised by then.
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn raise_local_until(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    raising: Raising,
    stop: &Stop,
) -> ProofDag {
    // What the root does not need must not count as a user.
    let dag = &prune(dag);
    let root = dag.root().expect("a pruned proof has a root");
    let partition = Partition::new(dag, in_a);
    let is_local = |var: Var| partition.class(var) == Class::ALocal;
    let Some(binary) = Binary::new(dag, root, raising.max_literals) else {
        return dag.clone();
    };
    let mut transform = Transform {
        binary,
        shrink: raising.shrink,
        stop,
        n_steps: 0,
        is_stopped: false,
    };
    // Nodes were numbered antecedents first; new ones are raised as soon as they are there.
    for node in 0..transform.binary.n_nodes() {
        if transform.is_over() {
            break;
        }
        if let Some((pivot, ..)) = transform.binary.parents(node)
            && transform.refresh(node)
            && is_local(pivot)
        {
            transform.raise(node, pivot);
        }
    }
    transform.binary.rebuild().unwrap_or_else(|| dag.clone())
}

struct Transform<'a> {
    binary: Binary<'a>,
    shrink: bool,
    stop: &'a Stop,
    /// How often it was asked whether to end.
    n_steps: u32,
    is_stopped: bool,
}

/// So many steps are taken between two questions whether to stop.
const STEPS_PER_QUESTION: u32 = 128;

/// What becomes of a resolution whose antecedent is passable.
#[derive(Clone, Copy)]
enum Move {
    /// The pivots are exchanged: resolve the pivot away from those parents of the antecedent that hold it, then
    /// resolve as the antecedent did.
    Exchange { positive: bool, negative: bool },
    /// A parent of the antecedent derives a part of the clause by itself.
    Parent(Node),
    /// A parent of the antecedent, resolved with the other antecedent, derives a part of the clause.
    Shortcut(Node),
}

impl Transform<'_> {
    /// Whether to end with what is there: each node derives its clause at any time, however far raising has come.
    fn is_over(&mut self) -> bool {
        self.n_steps = self.n_steps.wrapping_add(1);
        if self.n_steps.is_multiple_of(STEPS_PER_QUESTION) {
            self.is_stopped = self.is_stopped || self.stop.is_asked();
        }
        self.is_stopped || self.binary.is_full()
    }

    /// Raises the resolution at a node, and those that come out of that, as far as they can go.
    fn raise(&mut self, node: Node, var: Var) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if self.is_over() {
                return;
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
    }

    /// Settles what the loss of literals above means for a node: without its pivot in one of its parents, that parent
    /// replaces it. Whether the node is still there and a resolution.
    fn refresh(&mut self, node: Node) -> bool {
        if !self.binary.is_alive(node) {
            return false;
        }
        let Some((pivot, positive, negative)) = self.binary.parents(node) else {
            return false;
        };
        // Without shrinking no clause ever changes.
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

    /// What to do about `passed`, which holds `pivot`, resolved with `other`; `None` if it is not passable.
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
        // Resolving `other` with the parent that holds the upper pivot in the other sign would be a tautology.
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
                let mut resolve = |parent: Node, holds_pivot: bool| {
                    if !holds_pivot {
                        self.binary.add_use(parent);
                        return parent;
                    }
                    let resolvent = self.binary.resolvent(pivot, parent, other);
                    self.binary.add_use(resolvent);
                    open.push(resolvent);
                    resolvent
                };
                // The negative one first, so that the positive one is raised first.
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
