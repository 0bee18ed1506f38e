//! Which variable a query decides next.
//!
//! Most variables of a query were never part of a conflict. Those are decided in the order in which the
//! domain lists them, by a cursor; only variables that were bumped live in a heap. Setting up a query
//! so costs a pass over its domain and no sorting, and even that only once there is something to decide: many
//! queries end in a conflict among their assumptions.

/// An order over variables, restarted for each query.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    activity: Vec<f64>,
    increment: f64,
    /// A binary heap of bumped variables, most active first.
    heap: Vec<u32>,
    /// Each variable's place in the heap, or `ABSENT`.
    place: Vec<u32>,
    /// Each variable's place in the current domain's list.
    position: Vec<u32>,
    /// All unassigned variables of the domain that are not in the heap lie at or after this place.
    cursor: usize,
    /// Whether heap, positions and cursor are from an earlier query, to be set up before the first decision.
    stale: bool,
}

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 1.0 / 0.95;
const RESCALE: f64 = 1e100;

impl Order {
    pub(super) fn new() -> Self {
        Self {
            increment: 1.0,
            ..Self::default()
        }
    }

    pub(super) fn add_var(&mut self) {
        self.activity.push(0.0);
        self.place.push(ABSENT);
        self.position.push(0);
    }

    /// A query begins, or the domain is no longer what it was.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.stale = true;
    }

    /// Sets up the order over the variables of `domain`; `is_free` tells which are unassigned.
    fn set_up(&mut self, domain: &[u32], is_free: impl Fn(u32) -> bool) {
        self.stale = false;
        for &var in &self.heap {
            self.place[var as usize] = ABSENT;
        }
        self.heap.clear();
        self.cursor = 0;
        for (position, &var) in domain.iter().enumerate() {
            self.position[var as usize] = position as u32;
            if self.activity[var as usize] > 0.0 && is_free(var) {
                self.place[var as usize] = self.heap.len() as u32;
                self.heap.push(var);
            }
        }
        for index in (0..self.heap.len() / 2).rev() {
            self.sift_down(index);
        }
    }

    /// A variable that is to be decided, or none if the whole domain is assigned.
    pub(super) fn next(&mut self, domain: &[u32], is_free: impl Fn(u32) -> bool) -> Option<u32> {
        if self.stale {
            self.set_up(domain, &is_free);
        }
        while let Some(var) = self.pop() {
            if is_free(var) {
                return Some(var);
            }
        }
        while self.cursor < domain.len() {
            let var = domain[self.cursor];
            if is_free(var) {
                return Some(var);
            }
            self.cursor += 1;
        }
        None
    }

    /// A variable of the domain has become unassigned.
    #[inline]
    pub(super) fn on_unassign(&mut self, var: u32) {
        if self.stale {
            return;
        }
        if self.activity[var as usize] > 0.0 {
            self.insert(var);
        } else {
            self.cursor = self.cursor.min(self.position[var as usize] as usize);
        }
    }

    /// A variable took part in a conflict. It is assigned, so it need not enter the heap now.
    pub(super) fn bump(&mut self, var: u32) {
        debug_assert!(!self.stale, "nothing is bumped before the first decision");
        let activity = &mut self.activity[var as usize];
        *activity += self.increment;
        let rescale = *activity > RESCALE;
        let place = self.place[var as usize];
        if place != ABSENT {
            self.sift_up(place as usize);
        }
        if rescale {
            for activity in &mut self.activity {
                // Variables that have not been bumped for that long leave the heap: they underflow to 0.
                *activity = if *activity < 1.0 {
                    0.0
                } else {
                    *activity / RESCALE
                };
            }
            self.increment /= RESCALE;
        }
    }

    pub(super) fn decay(&mut self) {
        self.increment *= DECAY;
    }

    fn insert(&mut self, var: u32) {
        if self.place[var as usize] == ABSENT {
            self.place[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.sift_up(self.heap.len() - 1);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top as usize] = ABSENT;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.sift_down(0);
        }
        Some(top)
    }

    fn sift_up(&mut self, mut index: usize) {
        let var = self.heap[index];
        let activity = self.activity[var as usize];
        while index > 0 {
            let parent = (index - 1) / 2;
            let above = self.heap[parent];
            if self.activity[above as usize] >= activity {
                break;
            }
            self.heap[index] = above;
            self.place[above as usize] = index as u32;
            index = parent;
        }
        self.heap[index] = var;
        self.place[var as usize] = index as u32;
    }

    fn sift_down(&mut self, mut index: usize) {
        let var = self.heap[index];
        let activity = self.activity[var as usize];
        loop {
            let mut child = 2 * index + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len()
                && self.activity[self.heap[child + 1] as usize]
                    > self.activity[self.heap[child] as usize]
            {
                child += 1;
            }
            let below = self.heap[child];
            if activity >= self.activity[below as usize] {
                break;
            }
            self.heap[index] = below;
            self.place[below as usize] = index as u32;
            index = child;
        }
        self.heap[index] = var;
        self.place[var as usize] = index as u32;
    }
}
