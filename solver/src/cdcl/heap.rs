//! Variables ordered by activity.
//!
//! EVSIDS (Eén and Sörensson, MiniSat; Biere and Fröhlich, SAT 2015): the activity of every variable that
//! takes part in a conflict grows by an increment that itself grows geometrically, which equals decaying all
//! activities without touching them.

use crate::heap::IndexHeap;
use crate::lit::Var;

/// All activities are scaled down when one exceeds this.
const RESCALE_AT: f64 = 1e150;

/// Variables with their activities, the most active first.
#[derive(Clone, Debug)]
pub(super) struct VarHeap {
    heap: IndexHeap,
    activities: Vec<f64>,
    increment: f64,
}

impl Default for VarHeap {
    fn default() -> Self {
        Self {
            heap: IndexHeap::default(),
            activities: Vec::new(),
            increment: 1.0,
        }
    }
}

/// The order of the heap. Ties are broken by the smaller variable number, so that the order is deterministic.
#[inline]
fn order(activities: &[f64]) -> impl Fn(u32, u32) -> bool {
    |left, right| {
        let (a, b) = (activities[left as usize], activities[right as usize]);
        a > b || a == b && left < right
    }
}

impl VarHeap {
    /// Makes room for `n_vars` variables; new ones have activity 0 and are not in the heap.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        self.heap.reserve(n_vars);
        if self.activities.len() < n_vars {
            self.activities.resize(n_vars, 0.0);
        }
    }

    /// Inserts a variable, unless it is already in the heap.
    #[inline]
    pub(super) fn insert(&mut self, var: Var) {
        self.heap
            .insert(var.index() as u32, order(&self.activities));
    }

    /// The most active variable.
    #[inline]
    pub(super) fn peek(&self) -> Option<Var> {
        self.heap.peek().map(|var| Var::new(var as usize))
    }

    /// Removes all variables.
    pub(super) fn clear(&mut self) {
        self.heap.clear();
    }

    /// Removes all variables for which `keep` is false.
    pub(super) fn retain(&mut self, keep: impl Fn(Var) -> bool) {
        let keep = |var: u32| keep(Var::new(var as usize));
        self.heap.retain(keep, order(&self.activities));
    }

    /// Removes and returns the most active variable.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let var = self.heap.pop(order(&self.activities))?;
        Some(Var::new(var as usize))
    }

    /// Adds the increment to a variable's activity.
    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activities[var.index()];
        *activity += self.increment;
        if *activity > RESCALE_AT {
            self.rescale();
        }
        self.heap.raise(var.index() as u32, order(&self.activities));
    }

    /// Reduces the weight of previous bumps by `factor` (below 1).
    pub(super) fn decay(&mut self, factor: f64) {
        self.increment /= factor;
        if self.increment > RESCALE_AT {
            self.rescale();
        }
    }

    fn rescale(&mut self) {
        for activity in &mut self.activities {
            *activity /= RESCALE_AT;
        }
        self.increment /= RESCALE_AT;
    }

    /// Whether `left` is decided before `right`.
    #[inline]
    pub(super) fn is_before(&self, left: Var, right: Var) -> bool {
        order(&self.activities)(left.index() as u32, right.index() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_come_out_by_activity() {
        let mut heap = VarHeap::default();
        heap.reserve_vars(6);
        for var in 0..6 {
            heap.insert(Var::new(var));
            heap.insert(Var::new(var));
        }
        for (var, bumps) in [(3, 5), (1, 4), (5, 3), (0, 1)] {
            for _ in 0..bumps {
                heap.bump(Var::new(var));
            }
        }
        let order: Vec<_> = std::iter::from_fn(|| heap.pop()).map(Var::index).collect();
        assert_eq!(order, [3, 1, 5, 0, 2, 4]);
    }

    #[test]
    fn what_is_retained_keeps_its_order() {
        let mut heap = VarHeap::default();
        heap.reserve_vars(8);
        for (var, bumps) in [3, 1, 4, 1, 5, 9, 2, 6].into_iter().enumerate() {
            heap.insert(Var::new(var));
            for _ in 0..bumps {
                heap.bump(Var::new(var));
            }
        }
        heap.retain(|var| var.index() % 2 == 1);
        heap.insert(Var::new(4));
        let order: Vec<_> = std::iter::from_fn(|| heap.pop()).map(Var::index).collect();
        assert_eq!(order, [5, 7, 4, 1, 3]);
    }

    #[test]
    fn rescaling_keeps_the_order() {
        let mut heap = VarHeap::default();
        heap.reserve_vars(3);
        heap.bump(Var::new(1));
        for _ in 0..4000 {
            heap.decay(0.9);
        }
        heap.bump(Var::new(2));
        for var in 0..3 {
            heap.insert(Var::new(var));
        }
        let order: Vec<_> = std::iter::from_fn(|| heap.pop()).map(Var::index).collect();
        assert_eq!(order, [2, 1, 0]);
    }
}
