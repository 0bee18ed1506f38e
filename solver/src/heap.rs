//! A binary heap of numbers with the position of each number.
//!
//! The caller passes the order to each call: `before(a, b)` holds if `a` comes out before `b`. Between calls
//! the order may change only for one number at a time, which [`IndexHeap::raise`] or [`IndexHeap::replace`] then moves.

/// The place of a number that is not in the heap.
const ABSENT: u32 = u32::MAX;

/// A heap of distinct numbers; the first one comes out first.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexHeap {
    items: Vec<u32>,
    /// By number: its place in `items`, or [`ABSENT`].
    places: Vec<u32>,
}

impl IndexHeap {
    /// Makes room for the numbers below `n`.
    pub(crate) fn reserve(&mut self, n: usize) {
        if self.places.len() < n {
            self.places.resize(n, ABSENT);
        }
    }

    /// The number that comes out first.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u32> {
        self.items.first().copied()
    }

    /// Puts a number in, unless it is there already.
    #[inline]
    pub(crate) fn insert(&mut self, item: u32, before: impl Fn(u32, u32) -> bool) {
        if self.places[item as usize] == ABSENT {
            self.places[item as usize] = self.items.len() as u32;
            self.items.push(item);
            self.sift_up(self.items.len() - 1, before);
        }
    }

    /// Takes out the number that comes first.
    pub(crate) fn pop(&mut self, before: impl Fn(u32, u32) -> bool) -> Option<u32> {
        let top = *self.items.first()?;
        let last = self.items.pop()?;
        self.places[top as usize] = ABSENT;
        if top != last {
            self.items[0] = last;
            self.places[last as usize] = 0;
            self.sift_down(0, before);
        }
        Some(top)
    }

    /// Moves a number that comes out earlier than it did, if it is in the heap.
    #[inline]
    pub(crate) fn raise(&mut self, item: u32, before: impl Fn(u32, u32) -> bool) {
        let place = self.places[item as usize];
        if place != ABSENT {
            self.sift_up(place as usize, before);
        }
    }

    /// Puts a number in, or moves it to its place if it is in the heap.
    pub(crate) fn replace(&mut self, item: u32, before: impl Fn(u32, u32) -> bool) {
        self.insert(item, &before);
        self.raise(item, &before);
        self.sift_down(self.places[item as usize] as usize, before);
    }

    /// Takes all numbers out.
    pub(crate) fn clear(&mut self) {
        for &item in &self.items {
            self.places[item as usize] = ABSENT;
        }
        self.items.clear();
    }

    /// Takes out all numbers but those that `keep` holds for.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32) -> bool, before: impl Fn(u32, u32) -> bool) {
        let kept: Vec<u32> = self
            .items
            .iter()
            .copied()
            .filter(|&item| keep(item))
            .collect();
        self.clear();
        // The rest of the heap is still mostly ordered, so that reinserting takes few steps.
        for item in kept {
            self.insert(item, &before);
        }
    }

    /// Replaces the content by distinct numbers, in linear time.
    pub(crate) fn fill(
        &mut self,
        items: impl Iterator<Item = u32>,
        before: impl Fn(u32, u32) -> bool,
    ) {
        self.clear();
        for item in items {
            debug_assert_eq!(self.places[item as usize], ABSENT);
            self.places[item as usize] = self.items.len() as u32;
            self.items.push(item);
        }
        for place in (0..self.items.len() / 2).rev() {
            self.sift_down(place, &before);
        }
    }

    fn sift_up(&mut self, mut place: usize, before: impl Fn(u32, u32) -> bool) {
        let item = self.items[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !before(item, self.items[parent]) {
                break;
            }
            self.items[place] = self.items[parent];
            self.places[self.items[place] as usize] = place as u32;
            place = parent;
        }
        self.items[place] = item;
        self.places[item as usize] = place as u32;
    }

    fn sift_down(&mut self, mut place: usize, before: impl Fn(u32, u32) -> bool) {
        let item = self.items[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.items.len() {
                break;
            }
            if child + 1 < self.items.len() && before(self.items[child + 1], self.items[child]) {
                child += 1;
            }
            if !before(self.items[child], item) {
                break;
            }
            self.items[place] = self.items[child];
            self.places[self.items[place] as usize] = place as u32;
            place = child;
        }
        self.items[place] = item;
        self.places[item as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

    /// Random calls, compared with a plain list.
    #[test]
    fn the_first_number_comes_out_whatever_was_called_before() {
        let n = 20;
        let mut random = Random::new(3);
        let mut keys: Vec<usize> = (0..n).map(|_| random.below(50)).collect();
        let mut heap = IndexHeap::default();
        heap.reserve(n);
        let mut list: Vec<u32> = Vec::new();
        for _ in 0..20_000 {
            let item = random.below(n) as u32;
            let call = random.below(22);
            if call < 5 {
                keys[item as usize] += random.below(5);
            } else if call >= 20 {
                keys[item as usize] = random.below(50);
            }
            let before = |a: u32, b: u32| (keys[b as usize], a) < (keys[a as usize], b);
            match call {
                0..5 => heap.raise(item, before),
                5..12 => {
                    heap.insert(item, before);
                    list.retain(|&other| other != item);
                    list.push(item);
                }
                12..17 => {
                    list.sort_unstable_by_key(|&item| {
                        (std::cmp::Reverse(keys[item as usize]), item)
                    });
                    let first = (!list.is_empty()).then(|| list.remove(0));
                    assert_eq!(heap.peek(), first);
                    assert_eq!(heap.pop(before), first);
                }
                17 => {
                    heap.retain(|other| other % 7 != item % 7, before);
                    list.retain(|other| other % 7 != item % 7);
                }
                18 => {
                    list = (0..n as u32).filter(|_| random.flip()).collect();
                    heap.fill(list.iter().copied(), before);
                }
                19 => {
                    heap.clear();
                    list.clear();
                }
                _ => {
                    heap.replace(item, before);
                    list.retain(|&other| other != item);
                    list.push(item);
                }
            }
        }
    }
}
