//! Variables ordered by when they last took part in a conflict.
//!
//! VMTF, variable move to front (Ryan, 2004; Biere and Fröhlich, "Evaluating CDCL variable scoring schemes",
//! SAT 2015): a doubly linked list in which bumping moves a variable to the end. Decisions are taken from the
//! end. All variables after `candidate` are assigned, so the search for the next decision starts there.

use crate::lit::Var;

const NONE: u32 = u32::MAX;

/// The list, with a stamp per variable that increases along it.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    previous: Vec<u32>,
    next: Vec<u32>,
    stamps: Vec<u64>,
    first: u32,
    last: u32,
    /// All variables after this one are assigned.
    candidate: u32,
    last_stamp: u64,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            previous: Vec::new(),
            next: Vec::new(),
            stamps: Vec::new(),
            first: NONE,
            last: NONE,
            candidate: NONE,
            last_stamp: 0,
        }
    }
}

impl Queue {
    /// Appends variables until there are `n_vars`.
    pub(super) fn reserve_vars(&mut self, n_vars: usize) {
        for var in self.stamps.len()..n_vars {
            self.previous.push(NONE);
            self.next.push(NONE);
            self.stamps.push(0);
            self.append(var as u32);
            self.candidate = var as u32;
        }
    }

    /// When the variable was bumped; larger is later.
    #[inline]
    pub(super) fn stamp(&self, var: Var) -> u64 {
        self.stamps[var.index()]
    }

    /// Moves a variable to the end.
    pub(super) fn bump(&mut self, var: Var, is_assigned: bool) {
        let index = var.index() as u32;
        if self.next[var.index()] != NONE {
            if self.candidate == index && is_assigned {
                // All variables after it are assigned, and so is it: the search may continue before it.
                let previous = self.previous[var.index()];
                self.candidate = if previous == NONE {
                    self.next[var.index()]
                } else {
                    previous
                };
            }
            self.unlink(index);
            self.append(index);
        } else {
            self.last_stamp += 1;
            self.stamps[var.index()] = self.last_stamp;
        }
        if !is_assigned {
            self.candidate = index;
        }
    }

    /// Updates `candidate` for a variable that has become unassigned.
    #[inline]
    pub(super) fn unassigned(&mut self, var: Var) {
        if self.stamps[var.index()] > self.stamps[self.candidate as usize] {
            self.candidate = var.index() as u32;
        }
    }

    /// The last variable in the list that is not assigned.
    pub(super) fn next(&mut self, is_assigned: impl Fn(Var) -> bool) -> Option<Var> {
        let mut index = self.candidate;
        while index != NONE {
            let var = Var::new(index as usize);
            if !is_assigned(var) {
                self.candidate = index;
                return Some(var);
            }
            index = self.previous[index as usize];
        }
        None
    }

    fn unlink(&mut self, index: u32) {
        let (previous, next) = (self.previous[index as usize], self.next[index as usize]);
        match previous {
            NONE => self.first = next,
            _ => self.next[previous as usize] = next,
        }
        match next {
            NONE => self.last = previous,
            _ => self.previous[next as usize] = previous,
        }
    }

    fn append(&mut self, index: u32) {
        self.previous[index as usize] = self.last;
        self.next[index as usize] = NONE;
        match self.last {
            NONE => self.first = index,
            last => self.next[last as usize] = index,
        }
        self.last = index;
        self.last_stamp += 1;
        self.stamps[index as usize] = self.last_stamp;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

    /// Bumps and assignments in a random order, against a plain list.
    #[test]
    fn the_last_unassigned_variable_is_found() {
        let n_vars = 7;
        let mut queue = Queue::default();
        queue.reserve_vars(n_vars);
        let mut list: Vec<usize> = (0..n_vars).collect();
        let mut assigned = vec![false; n_vars];
        let mut random = Random::new(1);
        for _ in 0..5000 {
            let word = random.word();
            let var = (word >> 20) as usize % n_vars;
            match word >> 60 {
                0..5 => {
                    queue.bump(Var::new(var), assigned[var]);
                    list.retain(|&other| other != var);
                    list.push(var);
                }
                5..10 => {
                    if assigned[var] {
                        assigned[var] = false;
                        queue.unassigned(Var::new(var));
                    }
                }
                _ => {
                    let expected = list.iter().rev().copied().find(|&var| !assigned[var]);
                    let found = queue.next(|var| assigned[var.index()]);
                    assert_eq!(found.map(Var::index), expected);
                    if let Some(var) = expected {
                        assigned[var] = true;
                    }
                }
            }
            let stamps: Vec<_> = list.iter().map(|&var| queue.stamp(Var::new(var))).collect();
            assert!(stamps.is_sorted());
        }
    }
}
