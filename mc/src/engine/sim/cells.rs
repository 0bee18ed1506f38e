//! Values of few latches together: what states have in common that simulation tells apart.
//!
//! A *view* is a set of few latches, a *cell* of a view one combination of their values. Which latches control a
//! circuit is not known. So views are drawn at random: mostly latches that stand side by side, as the bits of a
//! word do, near latches that many next states depend on, or that the bad depends on. A view whose latches are
//! data soon has very many cells, and makes way for another one.

use craig_aig::{Aig, Edge, Node, Random};

use super::store::Bits;

/// The number of views in use.
pub(super) const VIEWS: usize = 16;
/// The maximal number of latches of a view.
const WIDEST: usize = 12;
/// The number of cells after which a view makes way for another.
const MOST_CELLS: usize = 1 << 10;

/// A cell that some stored state is in.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The number of a stored state in it.
    state: usize,
    /// How often a run has started from it.
    visits: u32,
}

/// A set of latches, and the cells that were reached.
#[derive(Debug)]
struct View {
    /// Positions of latches, different.
    latches: Vec<usize>,
    /// By cell: its number in `cells` plus one, or 0.
    numbers: Vec<u32>,
    cells: Vec<Cell>,
    /// Stored states whose successors have not been looked at.
    open: Vec<usize>,
}

/// The views in use.
#[derive(Debug)]
pub(super) struct Cells {
    /// Positions of latches, in groups from which views are drawn.
    groups: Vec<Vec<usize>>,
    views: Vec<View>,
}

impl Cells {
    /// `state` and `next` are the latches before and after the one step of `aig`.
    pub(super) fn new(
        aig: &Aig,
        state: &[Edge],
        next: &[Edge],
        bad: Edge,
        random: &mut Random,
    ) -> Self {
        let groups = groups(aig, state, next, bad);
        let mut cells = Self {
            groups,
            views: Vec::new(),
        };
        for _ in 0..VIEWS {
            let view = cells.draw(random);
            cells.views.push(view);
        }
        cells
    }

    /// A new view without cells.
    fn draw(&self, random: &mut Random) -> View {
        let mut latches: Vec<usize> = Vec::new();
        let width = 2 + random.below(WIDEST - 1);
        let n_windows = 1 + random.below(3);
        for _ in 0..n_windows {
            let group = &self.groups[random.below(self.groups.len())];
            let share = width.div_ceil(n_windows);
            let first = random.below(group.len().saturating_sub(share) + 1);
            for &latch in group[first..].iter().take(share) {
                if latches.len() < WIDEST && !latches.contains(&latch) {
                    latches.push(latch);
                }
            }
        }
        View {
            numbers: vec![0; 1 << latches.len()],
            latches,
            cells: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The latches of a view.
    pub(super) fn latches(&self, view: usize) -> &[usize] {
        &self.views[view].latches
    }

    /// The cell of each of 64 states, given a word for each latch.
    pub(super) fn of_words(&self, view: usize, state: &[u64]) -> [u16; 64] {
        let mut cells = [0; 64];
        for (bit, &latch) in self.views[view].latches.iter().enumerate() {
            let word = state[latch];
            for (lane, cell) in cells.iter_mut().enumerate() {
                *cell |= ((word >> lane & 1) as u16) << bit;
            }
        }
        cells
    }

    /// The cell of a state.
    pub(super) fn of(&self, view: usize, state: &Bits) -> u16 {
        let latches = self.views[view].latches.iter().enumerate();
        latches.fold(0, |cell, (bit, &latch)| {
            cell | u16::from(state.get(latch)) << bit
        })
    }

    /// Whether a cell was reached.
    pub(super) fn has(&self, view: usize, cell: u16) -> bool {
        self.views[view].numbers[usize::from(cell)] != 0
    }

    /// The stored state that stands for a cell, if it was reached.
    pub(super) fn state(&self, view: usize, cell: u16) -> Option<usize> {
        let view = &self.views[view];
        let number = view.numbers[usize::from(cell)].checked_sub(1)?;
        Some(view.cells[number as usize].state)
    }

    /// Lets another stored state stand for a cell that was reached.
    pub(super) fn exchange(&mut self, view: usize, cell: u16, state: usize) {
        debug_assert!(self.has(view, cell));
        let view = &mut self.views[view];
        let number = view.numbers[usize::from(cell)] as usize - 1;
        view.cells[number].state = state;
    }

    /// Records that a stored state is in a cell that was not reached before.
    pub(super) fn add(&mut self, view: usize, cell: u16, state: usize) {
        debug_assert!(!self.has(view, cell));
        let view = &mut self.views[view];
        view.cells.push(Cell { state, visits: 0 });
        view.numbers[usize::from(cell)] = view.cells.len() as u32;
        view.open.push(state);
    }

    /// Whether a view has too many cells.
    pub(super) fn is_full(&self, view: usize) -> bool {
        self.views[view].cells.len() >= MOST_CELLS
    }

    /// Replaces a view by another one, without cells.
    pub(super) fn replace(&mut self, view: usize, random: &mut Random) {
        self.views[view] = self.draw(random);
    }

    /// A stored state in a cell from which few runs have started.
    pub(super) fn rare(&mut self, random: &mut Random) -> Option<usize> {
        let view = &mut self.views[random.below(VIEWS)];
        if view.cells.is_empty() {
            return None;
        }
        let candidates = (0..4).map(|_| random.below(view.cells.len()));
        let rarest = candidates.min_by_key(|&number| view.cells[number].visits)?;
        let cell = &mut view.cells[rarest];
        cell.visits += 1;
        Some(cell.state)
    }

    /// A stored state whose successors in cells of the view have not been looked at: the last one or any.
    pub(super) fn open(&mut self, view: usize, random: &mut Random) -> Option<usize> {
        let open = &mut self.views[view].open;
        if open.is_empty() {
            return None;
        }
        let place = match random.below(2) {
            0 => open.len() - 1,
            _ => random.below(open.len()),
        };
        Some(open.swap_remove(place))
    }

    /// Looks at the successors of a state again.
    pub(super) fn reopen(&mut self, view: usize, state: usize) {
        self.views[view].open.push(state);
    }
}

/// Groups of latches: those that most next states depend on, those of the bad's that most next states depend on,
/// and all. Few latches control a circuit, and it is not known how few: there are groups of several sizes. Each is
/// in the order of the circuit, and not empty.
fn groups(aig: &Aig, state: &[Edge], next: &[Edge], bad: Edge) -> Vec<Vec<usize>> {
    let n_readers = readers(aig, state, next);
    let strongest = |latches: &[usize], most: usize| {
        let mut latches = latches.to_vec();
        latches.sort_by_key(|&latch| (std::cmp::Reverse(n_readers[latch]), latch));
        latches.truncate(most);
        latches.sort_unstable();
        latches
    };
    let is_in_bad: std::collections::HashSet<u32> = aig.support(&[bad]).into_iter().collect();
    let all: Vec<usize> = (0..state.len()).collect();
    let near_bad: Vec<usize> = (all.iter().copied())
        .filter(|&latch| is_in_bad.contains(&state[latch].node()))
        .collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    groups.extend([8, 16, 32, 64].map(|most| strongest(&all, most)));
    groups.extend([8, 32].map(|most| strongest(&near_bad, most)));
    groups.push(all);
    groups.retain(|group| !group.is_empty());
    groups
}

/// The number of next states that depend on each latch; that of gates that read it where that takes too long.
fn readers(aig: &Aig, state: &[Edge], next: &[Edge]) -> Vec<usize> {
    /// The largest number of visits of gates.
    const MOST_VISITS: usize = 200_000_000;
    let mut counts = vec![0; state.len()];
    let mut words = vec![0_u64; aig.n_nodes()];
    if aig.n_nodes().saturating_mul(state.len().div_ceil(64)) > MOST_VISITS {
        let mut read = vec![0; aig.n_nodes()];
        for node in 0..aig.n_nodes() {
            if let Node::And(left, right) = aig.node(node as u32) {
                read[left.node() as usize] += 1;
                read[right.node() as usize] += 1;
            }
        }
        return (state.iter())
            .map(|edge| read[edge.node() as usize])
            .collect();
    }
    for first in (0..state.len()).step_by(64) {
        let chunk = first..state.len().min(first + 64);
        words.fill(0);
        for latch in chunk.clone() {
            words[state[latch].node() as usize] = 1 << (latch - first);
        }
        for node in 0..aig.n_nodes() {
            if let Node::And(left, right) = aig.node(node as u32) {
                words[node] = words[left.node() as usize] | words[right.node() as usize];
            }
        }
        for edge in next {
            let mut rest = words[edge.node() as usize];
            while rest != 0 {
                counts[first + rest.trailing_zeros() as usize] += 1;
                rest &= rest - 1;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_tell_cells_agree_and_full_views_make_way() {
        let mut aig = Aig::new();
        let state: Vec<Edge> = (0..30).map(|_| aig.add_input()).collect();
        let next: Vec<Edge> = state.iter().rev().copied().collect();
        let mut random = Random::new(5);
        let mut cells = Cells::new(&aig, &state, &next, state[3], &mut random);
        for _ in 0..200 {
            let words: Vec<u64> = state.iter().map(|_| random.word()).collect();
            for view in 0..VIEWS {
                let all = cells.of_words(view, &words);
                for (lane, &cell) in all.iter().enumerate() {
                    let bits = Bits::new(words.iter().map(|word| word >> lane & 1 == 1));
                    assert_eq!(cells.of(view, &bits), cell);
                    if !cells.has(view, cell) {
                        cells.add(view, cell, lane);
                        assert!(cells.has(view, cell));
                    }
                }
                if cells.is_full(view) {
                    cells.replace(view, &mut random);
                    assert!((0..4).all(|cell| !cells.has(view, cell)));
                    assert_eq!(cells.open(view, &mut random), None);
                }
            }
        }
    }

    #[test]
    fn rare_cells_come_first() {
        let mut aig = Aig::new();
        let state = [aig.add_input(), aig.add_input()];
        let mut random = Random::new(1);
        let mut cells = Cells::new(&aig, &state, &state, state[0], &mut random);
        for view in 0..VIEWS {
            for cell in 0..1 << cells.latches(view).len() {
                cells.add(view, cell, usize::from(cell));
            }
        }
        for _ in 0..4000 {
            assert!(cells.rare(&mut random).is_some());
        }
        for view in &cells.views {
            let visits = view.cells.iter().map(|cell| cell.visits);
            let (least, most) = (visits.clone().min(), visits.max());
            assert!(least.unwrap() * 2 + 8 > most.unwrap(), "{view:?}");
        }
    }
}
