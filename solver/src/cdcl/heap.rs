//! Variables ordered by activity.
//!
//! EVSIDS (Eén and Sörensson, MiniSat; Biere and Fröhlich, SAT 2015): the activity of every variable that
//! takes part in a conflict grows by an increment that itself grows geometrically, which equals decaying all
//! activities without touching them.

use crate::lit::Var;

/// The place of a variable that is not in the heap.
const ABSENT: u32 = u32::MAX;

/// Beyond this, all activities are scaled down.
const RESCALE_AT: f64 = 1e150;

/// A binary max-heap of variables with their activities.
#[derive(Clone, Debug)]
pub(super) struct VarHeap {
    heap: Vec<u32>,
    places: Vec<u32>,
    activities: Vec<f64>,
    increment: f64,
}

impl Default for VarHeap {
    fn default() -> Self {
        Self {
            heap: Vec::new(),
            places: Vec::new(),
            activities: Vec::new(),
            increment: 1.0,
        }
    }
}

impl VarHeap {
    /// Makes room for `n_vars` variables; new ones have activity 0 and are not in the heap.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        if self.places.len() < n_vars {
            self.places.resize(n_vars, ABSENT);
            self.activities.resize(n_vars, 0.0);
        }
    }

    /// Puts a variable in, if it isn't.
    #[inline]
    pub(super) fn insert(&mut self, var: Var) {
        if self.places[var.index()] == ABSENT {
            self.places[var.index()] = self.heap.len() as u32;
            self.heap.push(var.index() as u32);
            self.sift_up(self.heap.len() - 1);
        }
    }

    /// The most active variable.
    #[inline]
    pub(super) fn peek(&self) -> Option<Var> {
        self.heap.first().map(|&var| Var::new(var as usize))
    }

    /// Takes all variables out.
    pub(super) fn clear(&mut self) {
        for &var in &self.heap {
            self.places[var as usize] = ABSENT;
        }
        self.heap.clear();
    }

    /// Takes out all variables but those that `keep` holds for.
    pub(super) fn retain(&mut self, keep: impl Fn(Var) -> bool) {
        let vars = self.heap.iter().map(|&var| Var::new(var as usize));
        let kept: Vec<Var> = vars.filter(|&var| keep(var)).collect();
        self.clear();
        // What is left of the heap still has most of its order, so that putting it back takes few steps.
        for var in kept {
            self.insert(var);
        }
    }

    /// Takes the most active variable out.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[top as usize] = ABSENT;
        if top != last {
            self.heap[0] = last;
            self.places[last as usize] = 0;
            self.sift_down(0);
        }
        Some(Var::new(top as usize))
    }

    /// Adds the increment to a variable's activity.
    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activities[var.index()];
        *activity += self.increment;
        if *activity > RESCALE_AT {
            self.rescale();
        }
        let place = self.places[var.index()];
        if place != ABSENT {
            self.sift_up(place as usize);
        }
    }

    /// Lets what was bumped so far count for less by `factor` (below 1).
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
        self.before(left.index() as u32, right.index() as u32)
    }

    /// Whether `left` comes out before `right`. Ties go to the smaller number, so that
    /// the order is the same on every run.
    #[inline]
    fn before(&self, left: u32, right: u32) -> bool {
        let (a, b) = (
            self.activities[left as usize],
            self.activities[right as usize],
        );
        a > b || a == b && left < right
    }

    fn sift_up(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.heap[place] = self.heap[parent];
            self.places[self.heap[place] as usize] = place as u32;
            place = parent;
        }
        self.heap[place] = var;
        self.places[var as usize] = place as u32;
    }

    fn sift_down(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.heap[place] = self.heap[child];
            self.places[self.heap[place] as usize] = place as u32;
            place = child;
        }
        self.heap[place] = var;
        self.places[var as usize] = place as u32;
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
