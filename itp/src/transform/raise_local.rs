//! Raising local resolutions: a proof transformation for interpolants in CNF.
//!
//! In McMillan's system a resolution on a variable local to A becomes a disjunction, any other a conjunction.
//! Exchanging a local resolution with a resolution that derives one of its antecedents moves the disjunction
//! towards the leaves. Interpolants get stronger and are in CNF more often (R. Jhala and K. L. McMillan,
//! "Interpolant-based transition relation approximation", LMCS 2007, section 7, figures 4 to 6).

use std::borrow::Cow;

use craig_solver::proof::ProofDag;
use craig_solver::{Label, Lit, Var};

use super::binary::{Binary, Node};
use super::draft::{needed, prune_polled};
use crate::partition::{Class, Partition};
use crate::stop::{Poll, Stop, Stopped};

/// Options of [`raise_local`] and [`Raiser`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raising {
    /// Whether to exchange also where the clause loses a literal, as the paper does. That saves a resolution
    /// closer to the root, which can make the interpolant weaker; without this, it never gets weaker.
    pub shrink: bool,
    /// The most literals of all clauses of the proof, in binary resolutions and with those that are derived, at
    /// four bytes each. A proof that is larger is returned unchanged; when the transform reaches the bound, it
    /// ends early with what it has raised.
    pub max_literals: usize,
    /// How many times the literals of the proof, in binary resolutions, may be derived anew, in the same way. A
    /// [`Raiser`] divides them among its choices of A.
    pub max_growth: usize,
}

impl Raising {
    /// As in the paper.
    pub const PAPER: Self = Self {
        shrink: true,
        ..Self::BOUNDED
    };

    /// Without shrinking, up to 2^26 literals, and twice those of the proof: what takes about as long as to make
    /// binary resolutions of it.
    pub const BOUNDED: Self = Self {
        shrink: false,
        max_literals: 1 << 26,
        max_growth: 2,
    };
}

impl Default for Raising {
    fn default() -> Self {
        Self::BOUNDED
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
    let mut raiser = Raiser::new(dag, 1, raising, stop)?;
    let raised = raiser.raise(in_a, stop)?;
    Ok(raised.unwrap_or_else(|| raiser.dag.into_owned()))
}

/// Makes a proof smaller by local rules: where the antecedent of a resolution is a resolution that is used once, on a
/// variable that the other antecedent contains, one of the two is superfluous, or their exchange leaves a literal
/// out. They are those of [`raise_local`] that lose a literal, applied to resolutions on all variables (S. F. Rollini,
/// R. Bruttomesso and N. Sharygina, "An efficient and flexible approach to resolution proof reduction", HVC 2010).
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn rewrite_local(dag: &ProofDag, stop: &Stop) -> Result<ProofDag, Stopped> {
    let raiser = Raiser::new(dag, 1, Raising::PAPER, stop)?;
    let Some(binary) = raiser.binary else {
        return Ok(raiser.dag.into_owned());
    };
    let mut transform = Transform {
        binary,
        shrink: true,
        exchanges: false,
        has_changed: false,
        poll: Poll::new(stop)?,
    };
    transform.binary.limit_growth(raiser.left);
    transform.run(&|_| true)?;
    let rewritten = transform.binary.rebuild(&raiser.dag, &mut transform.poll)?;
    Ok(rewritten.unwrap_or_else(|| raiser.dag.into_owned()))
}

/// A refutation whose local resolutions are raised for several choices of A, for each in a proof of its own:
/// the binary resolutions are made once, and the bounds are on all that is derived.
pub struct Raiser<'a> {
    /// The proof: only what its root depends on, so that only uses by such vertices count.
    dag: Cow<'a, ProofDag>,
    /// Its binary resolutions, if they are within the bounds.
    binary: Option<Binary>,
    raising: Raising,
    /// How many literals may be derived for the other choices of A.
    left: usize,
    /// The number of other choices.
    n_left: usize,
}

impl<'a> Raiser<'a> {
    /// Prepares a proof for `n` choices of A.
    ///
    /// # Errors
    /// If `stop` requests the end.
    ///
    /// # Panics
    /// If the proof has no root.
    pub fn new(
        dag: &'a ProofDag,
        n: usize,
        raising: Raising,
        stop: &Stop,
    ) -> Result<Self, Stopped> {
        let mut poll = Poll::new(stop)?;
        let dag = match needed(dag, &mut poll)? {
            needed if needed.iter().all(|&needed| needed) => Cow::Borrowed(dag),
            _ => Cow::Owned(prune_polled(dag, &mut poll)?),
        };
        let root = dag.root().expect("a pruned proof has a root");
        let binary = Binary::new(&dag, root, raising.max_literals, &mut poll)?;
        let n_literals = binary.as_ref().map_or(0, Binary::n_literals);
        Ok(Self {
            dag,
            binary,
            raising,
            left: n_literals.saturating_mul(raising.max_growth),
            n_left: n,
        })
    }

    /// The proof with local resolutions raised for one choice of A; `None` if there is nothing to raise, or if the
    /// proof is too large. Choices beyond the announced number share what the others have left.
    ///
    /// # Errors
    /// If `stop` requests the end.
    pub fn raise(
        &mut self,
        in_a: &dyn Fn(Label) -> bool,
        stop: &Stop,
    ) -> Result<Option<ProofDag>, Stopped> {
        let mut poll = Poll::new(stop)?;
        let share = self.left / self.n_left.max(1);
        self.n_left = self.n_left.saturating_sub(1);
        let Some(binary) = &self.binary else {
            return Ok(None);
        };
        let partition = Partition::polled(&self.dag, in_a, &mut poll)?;
        let is_local = |var: Var| partition.class(var) == Class::ALocal;
        if !binary.pivots().any(is_local) {
            return Ok(None);
        }
        let n_before = binary.n_literals();
        let mut transform = Transform {
            binary: binary.clone(),
            shrink: self.raising.shrink,
            exchanges: true,
            has_changed: false,
            poll,
        };
        transform.binary.limit_growth(share);
        transform.run(&is_local)?;
        let n_derived = transform.binary.n_literals().saturating_sub(n_before);
        self.left = self.left.saturating_sub(n_derived);
        if !transform.has_changed {
            return Ok(None);
        }
        transform.binary.rebuild(&self.dag, &mut transform.poll)
    }
}

struct Transform<'a> {
    binary: Binary,
    shrink: bool,
    /// Whether resolutions are exchanged where the clause stays the same.
    exchanges: bool,
    /// Whether any resolution was moved.
    has_changed: bool,
    poll: Poll<'a>,
}

/// Units of work that one step counts as, besides the literals that it derives.
const UNITS_PER_STEP: usize = 4;

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
    /// Raises the resolutions on local variables. Antecedents have smaller numbers; new nodes are raised as soon as
    /// they are created.
    fn run(&mut self, is_local: &dyn Fn(Var) -> bool) -> Result<(), Stopped> {
        for node in 0..self.binary.n_nodes() {
            if self.is_over()? {
                break;
            }
            if let Some((pivot, ..)) = self.binary.parents(node)
                && self.refresh(node)
                && is_local(pivot)
            {
                self.raise(node, pivot)?;
            }
        }
        Ok(())
    }

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
                    self.has_changed = true;
                    let n_before = self.binary.n_literals();
                    self.apply(node, pivot, passed, other, step, &mut open);
                    let n_derived = self.binary.n_literals() - n_before;
                    self.poll.spend(n_derived)?;
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
                    self.has_changed = true;
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
        if !same && !opposite && !self.exchanges {
            return None;
        }
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
