//! The relation of two clauses: subsumption and self-subsuming resolution.
//!
//! A clause C subsumes every clause that contains it, which may be removed. If D contains C except for one
//! literal that occurs negated in D, then resolving the two gives D without that literal (Eén and Biere,
//! SatELite, SAT 2005). Both searches for such pairs, `subsume_forward` and `subsume_backward`, use
//! [`relation`] after a comparison of [`Signature`]s.

use crate::lit::Lit;

/// Longer clauses are not tried as subsuming ones.
pub(super) const MAX_SIZE: usize = 100;

/// A bit for each variable of a clause, modulo 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature(u64);

impl Signature {
    /// The signature of a clause.
    pub(super) fn of(lits: impl Iterator<Item = Lit>) -> Self {
        Self(lits.fold(0, |bits, lit| bits | 1 << (lit.var().index() & 63)))
    }

    /// Whether all variables of this clause may occur in the other; `false` is certain.
    #[inline]
    pub(super) fn may_be_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

/// The effect of a shorter clause on a longer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// None.
    Unrelated,
    /// The longer clause contains the shorter one.
    Subsumes,
    /// It does except for a literal that occurs negated: this one, as it occurs in the unmarked clause.
    Strengthens(Lit),
}

/// The relation of the clause of the marked literals to the clause `lits`. Neither has clashing or repeated
/// literals. `size` is that of the shorter clause, which may be either of the two.
pub(super) fn relation(
    marks: &[bool],
    lits: impl ExactSizeIterator<Item = Lit>,
    size: usize,
) -> Relation {
    // How many literals may be missing from the marked clause; none if `lits` is the shorter clause.
    let mut may_miss = lits.len() - size;
    let mut flipped = None;
    for lit in lits {
        if marks[lit.index()] {
            continue;
        }
        if marks[(!lit).index()] {
            if flipped.replace(lit).is_some() {
                return Relation::Unrelated;
            }
        } else if may_miss == 0 {
            return Relation::Unrelated;
        } else {
            may_miss -= 1;
        }
    }
    flipped.map_or(Relation::Subsumes, Relation::Strengthens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;
    use craig_aig::Random;

    /// Clauses over few variables, each of which occurs at most once.
    fn random_clause(random: &mut Random) -> Vec<Lit> {
        let mut lits: Vec<Lit> = (0..6).map(|var| Var::new(var).lit(random.flip())).collect();
        lits.retain(|_| random.below(3) > 0);
        lits
    }

    #[test]
    fn either_clause_may_be_the_marked_one() {
        let mut random = Random::new(5);
        let mut found = [0; 3];
        for _ in 0..20_000 {
            let (mut short, mut long) = (random_clause(&mut random), random_clause(&mut random));
            if short.len() > long.len() {
                std::mem::swap(&mut short, &mut long);
            }
            let flipped: Vec<Lit> = (short.iter().copied())
                .filter(|&lit| long.contains(&!lit))
                .collect();
            let n_common = short.iter().filter(|lit| long.contains(lit)).count();
            let expected = match flipped[..] {
                [] if n_common == short.len() => Relation::Subsumes,
                [lit] if n_common + 1 == short.len() => Relation::Strengthens(lit),
                _ => Relation::Unrelated,
            };
            found[match expected {
                Relation::Unrelated => 0,
                Relation::Subsumes => 1,
                Relation::Strengthens(_) => 2,
            }] += 1;
            let marked = |clause: &[Lit]| {
                let mut marks = vec![false; 12];
                clause.iter().for_each(|lit| marks[lit.index()] = true);
                marks
            };
            let size = short.len();
            let by_long = relation(&marked(&long), short.iter().copied(), size);
            assert_eq!(by_long, expected, "{short:?} {long:?}");
            let by_short = relation(&marked(&short), long.iter().copied(), size);
            let of_long = match expected {
                Relation::Strengthens(lit) => Relation::Strengthens(!lit),
                other => other,
            };
            assert_eq!(by_short, of_long, "{short:?} {long:?}");
            if expected != Relation::Unrelated {
                let [short, long] = [short, long].map(|lits| Signature::of(lits.into_iter()));
                assert!(short.may_be_within(long));
            }
        }
        assert!(found.iter().all(|&n| n > 500), "{found:?}");
    }
}
