//! The lemmas of all frames, with indices by their literals.
//!
//! Two questions are asked for each new lemma: which known ones it subsumes, and in which frame a known one subsumes it.
//! A known lemma that the new one subsumes has the new one's rarest literal, so only lemmas with that one are looked at.
//! A known lemma that subsumes the new one has no other literals, so it is found at whichever of its literals it is
//! watched, and lemmas watched at other literals are not looked at (Zhang, "On subsumption removal and on-the-fly CNF
//! simplification", SAT 2005).

use super::lemma::Lemma;

/// The place of a lemma that was removed.
const GONE: u32 = u32::MAX;
/// The place of a lemma of the infinity frame.
const FOREVER: u32 = u32::MAX - 1;
/// With fewer removed lemmas than this, their memory is not taken back.
const FEW_GONE: usize = 1000;

/// A lemma at the literal at which it is watched.
#[derive(Clone, Copy, Debug)]
struct Watch {
    signature: u64,
    id: u32,
}

/// Lemmas, each in one frame or in the infinity frame.
#[derive(Debug)]
pub(in crate::engine) struct Lemmas {
    /// In the order of their numbers; the positions are their identities until the next clean-up.
    all: Vec<Lemma>,
    /// By identity: the frame, or one of the two special places.
    places: Vec<u32>,
    /// By frame: its lemmas, in the order of their numbers, and some that are gone.
    frames: Vec<Vec<u32>>,
    /// As `frames`, for the infinity frame.
    forever: Vec<u32>,
    /// By frame: the number of its lemmas that are not gone.
    n_alive: Vec<usize>,
    n_forever: usize,
    n_gone: usize,
    /// By literal: the lemmas watched there. Each is watched at one of its literals.
    watches: Vec<Vec<Watch>>,
    /// By literal: the lemmas with it.
    occurrences: Vec<Vec<u32>>,
    /// The number of lemmas added so far.
    n_added: u64,
}

impl Lemmas {
    /// Frame 0 alone, without lemmas.
    pub(super) fn new() -> Self {
        Self {
            all: Vec::new(),
            places: Vec::new(),
            frames: vec![Vec::new()],
            forever: Vec::new(),
            n_alive: vec![0],
            n_forever: 0,
            n_gone: 0,
            watches: Vec::new(),
            occurrences: Vec::new(),
            n_added: 0,
        }
    }

    /// Adds a frame without lemmas.
    pub(super) fn extend(&mut self) {
        self.frames.push(Vec::new());
        self.n_alive.push(0);
    }

    /// The last frame.
    pub(super) fn level(&self) -> usize {
        self.frames.len() - 1
    }

    /// The lemmas stored in a frame, the oldest first.
    pub(in crate::engine) fn of(&self, frame: usize) -> impl Iterator<Item = &Lemma> {
        self.at(&self.frames[frame], frame as u32)
    }

    /// The lemmas stored in a frame and in later ones, without those of the infinity frame.
    pub(in crate::engine) fn since(&self, frame: usize) -> impl Iterator<Item = &Lemma> {
        (frame..self.frames.len()).flat_map(|frame| self.of(frame))
    }

    /// The lemmas of the infinity frame, the oldest first.
    pub(in crate::engine) fn forever(&self) -> impl Iterator<Item = &Lemma> {
        self.at(&self.forever, FOREVER)
    }

    fn at<'a>(&'a self, ids: &'a [u32], place: u32) -> impl Iterator<Item = &'a Lemma> {
        let ids = ids.iter().map(|&id| id as usize);
        let here = ids.filter(move |&id| self.places[id] == place);
        here.map(|id| &self.all[id])
    }

    /// The number of lemmas stored in a frame.
    pub(super) fn n_of(&self, frame: usize) -> usize {
        self.n_alive[frame]
    }

    /// The number of lemmas of the infinity frame.
    pub(super) fn n_forever(&self) -> usize {
        self.n_forever
    }

    /// Whether a lemma that was in a frame is still there.
    pub(super) fn still_has(&self, frame: usize, lemma: &Lemma) -> bool {
        let number = |&id: &u32| self.all[id as usize].number;
        let ids = &self.frames[frame];
        let place = ids.binary_search_by_key(&lemma.number, number);
        place.is_ok_and(|place| self.places[ids[place] as usize] == frame as u32)
    }

    /// The last of some frames that has a lemma which subsumes `lemma`.
    pub(super) fn last_covering(
        &self,
        frames: std::ops::RangeInclusive<usize>,
        lemma: &Lemma,
    ) -> Option<usize> {
        let (first, last) = (*frames.start() as u32, *frames.end() as u32);
        let mut found = None;
        for id in self.candidates(lemma) {
            let place = self.places[id as usize];
            if (first..=last).contains(&place)
                && found.is_none_or(|found| found < place)
                && self.all[id as usize].subsumes(lemma)
            {
                found = Some(place);
                if place == last {
                    break;
                }
            }
        }
        found.map(|frame| frame as usize)
    }

    /// The oldest lemma of a frame that subsumes `lemma`.
    pub(super) fn first_covering<'a>(
        &'a self,
        frame: usize,
        lemma: &'a Lemma,
    ) -> Option<&'a Lemma> {
        self.covering_at(frame as u32, lemma)
            .min_by_key(|known| known.number)
    }

    /// Whether a lemma of the infinity frame subsumes `lemma`.
    pub(super) fn is_covered_forever(&self, lemma: &Lemma) -> bool {
        self.n_forever > 0 && self.covering_at(FOREVER, lemma).next().is_some()
    }

    fn covering_at<'a>(&'a self, place: u32, lemma: &'a Lemma) -> impl Iterator<Item = &'a Lemma> {
        let ids = self.candidates(lemma).map(|id| id as usize);
        let here = ids.filter(move |&id| self.places[id] == place);
        here.map(|id| &self.all[id])
            .filter(|known| known.subsumes(lemma))
    }

    /// Lemmas, gone or not, among them all that subsume `lemma`.
    fn candidates<'a>(&'a self, lemma: &'a Lemma) -> impl Iterator<Item = u32> + 'a {
        let lits = lemma.cube.iter();
        let watches = lits
            .filter_map(|lit| self.watches.get(lit.index()))
            .flatten();
        let fit = watches.filter(|watch| lemma.has_bits(watch.signature));
        fit.map(|watch| watch.id)
    }

    /// Adds a lemma to a frame.
    pub(super) fn add(&mut self, frame: usize, lemma: Lemma) {
        let id = self.enter(frame as u32, lemma);
        self.frames[frame].push(id);
        self.n_alive[frame] += 1;
    }

    /// Adds a lemma to the infinity frame.
    pub(super) fn add_forever(&mut self, lemma: Lemma) {
        let id = self.enter(FOREVER, lemma);
        self.forever.push(id);
        self.n_forever += 1;
    }

    fn enter(&mut self, place: u32, mut lemma: Lemma) -> u32 {
        self.n_added += 1;
        lemma.number = self.n_added;
        let id = self.all.len() as u32;
        debug_assert!(id < FOREVER);
        self.index(id, &lemma);
        self.all.push(lemma);
        self.places.push(place);
        id
    }

    fn index(&mut self, id: u32, lemma: &Lemma) {
        // The largest literal is last, as cubes are sorted.
        let n_lists = lemma.cube.last().map_or(0, |lit| lit.index() + 1);
        if self.watches.len() < n_lists {
            self.watches.resize_with(n_lists, Vec::new);
            self.occurrences.resize_with(n_lists, Vec::new);
        }
        for lit in &lemma.cube {
            self.occurrences[lit.index()].push(id);
        }
        let fewest = lemma
            .cube
            .iter()
            .min_by_key(|lit| self.watches[lit.index()].len());
        debug_assert!(fewest.is_some(), "a lemma excludes no initial state");
        if let Some(lit) = fewest {
            let signature = lemma.signature();
            self.watches[lit.index()].push(Watch { signature, id });
        }
    }

    /// Removes the lemmas of frames up to `last` that a lemma subsumes.
    pub(super) fn remove_subsumed(&mut self, last: usize, lemma: &Lemma) {
        self.remove(lemma, |place| place <= last as u32);
    }

    /// Removes the lemmas of all frames, and of the infinity frame, that a lemma subsumes.
    pub(super) fn remove_all_subsumed(&mut self, lemma: &Lemma) {
        self.remove(lemma, |place| place != GONE);
    }

    fn remove(&mut self, lemma: &Lemma, is_meant: impl Fn(u32) -> bool) {
        // Lemmas with a literal that has no list do not exist.
        let lists = lemma
            .cube
            .iter()
            .map(|lit| (self.occurrences.get(lit.index()).map_or(0, Vec::len), lit));
        let Some((1.., rarest)) = lists.min_by_key(|&(length, _)| length) else {
            return;
        };
        let mut ids = std::mem::take(&mut self.occurrences[rarest.index()]);
        ids.retain(|&id| {
            let place = &mut self.places[id as usize];
            if is_meant(*place) && lemma.subsumes(&self.all[id as usize]) {
                match *place {
                    FOREVER => self.n_forever -= 1,
                    frame => self.n_alive[frame as usize] -= 1,
                }
                *place = GONE;
                self.n_gone += 1;
            }
            *place != GONE
        });
        self.occurrences[rarest.index()] = ids;
        if self.n_gone > FEW_GONE.max(self.all.len() / 2) {
            self.clean_up();
        }
    }

    /// Forgets the lemmas that are gone, and gives the others new identities.
    fn clean_up(&mut self) {
        let mut new_ids = Vec::with_capacity(self.all.len());
        let mut n_kept = 0;
        for &place in &self.places {
            new_ids.push(n_kept);
            n_kept += u32::from(place != GONE);
        }
        for ids in self.frames.iter_mut().chain([&mut self.forever]) {
            ids.retain(|&id| self.places[id as usize] != GONE);
            for id in ids {
                *id = new_ids[*id as usize];
            }
        }
        let mut places = self.places.iter();
        self.all.retain(|_| places.next() != Some(&GONE));
        self.places.retain(|&place| place != GONE);
        self.n_gone = 0;
        self.watches.iter_mut().for_each(Vec::clear);
        self.occurrences.iter_mut().for_each(Vec::clear);
        let all = std::mem::take(&mut self.all);
        for (id, lemma) in all.iter().enumerate() {
            self.index(id as u32, lemma);
        }
        self.all = all;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;
    use craig_solver::Var;

    /// What `Lemmas` has, found by going through all lemmas.
    struct Plain {
        frames: Vec<Vec<Lemma>>,
        forever: Vec<Lemma>,
    }

    fn cubes<'a>(lemmas: impl Iterator<Item = &'a Lemma>) -> Vec<Vec<craig_solver::Lit>> {
        lemmas.map(|lemma| lemma.cube.clone()).collect()
    }

    #[test]
    fn the_indices_answer_as_a_look_at_all_lemmas_does() {
        let mut random = Random::new(5);
        for n_vars in [4, 6, 10] {
            let mut lemmas = Lemmas::new();
            let mut plain = Plain {
                frames: vec![Vec::new()],
                forever: Vec::new(),
            };
            for step in 0..6000 {
                if step % 1000 == 0 {
                    lemmas.extend();
                    plain.frames.push(Vec::new());
                }
                let level = lemmas.level();
                let mut cube = Vec::new();
                while cube.is_empty() {
                    let vars = (0..n_vars).filter(|_| random.below(3) > 0).map(Var::new);
                    cube = vars.collect::<Vec<_>>();
                }
                let lemma =
                    Lemma::new(cube.into_iter().map(|var| var.lit(random.flip())).collect());
                let covers = |known: &Lemma| known.subsumes(&lemma);
                let first = 1 + random.below(level);
                let last = first + random.below(level + 1 - first);
                let expected = (first..=last)
                    .rev()
                    .find(|&frame| plain.frames[frame].iter().any(covers));
                assert_eq!(lemmas.last_covering(first..=last, &lemma), expected);
                let expected = plain.frames[first].iter().find(|known| covers(known));
                let found = lemmas.first_covering(first, &lemma);
                assert_eq!(
                    found.map(|found| &found.cube),
                    expected.map(|known| &known.cube)
                );
                let is_covered = plain.forever.iter().any(covers);
                assert_eq!(lemmas.is_covered_forever(&lemma), is_covered);
                let is_free = |known: &Lemma| !lemma.subsumes(known);
                let old: Vec<Lemma> = lemmas.of(first).cloned().collect();
                if random.below(100) == 0 {
                    plain
                        .frames
                        .iter_mut()
                        .for_each(|frame| frame.retain(is_free));
                    plain.forever.retain(is_free);
                    plain.forever.push(lemma.clone());
                    lemmas.remove_all_subsumed(&lemma);
                    lemmas.add_forever(lemma);
                } else {
                    plain.frames[..=last]
                        .iter_mut()
                        .for_each(|frame| frame.retain(is_free));
                    plain.frames[last].push(lemma.clone());
                    lemmas.remove_subsumed(last, &lemma);
                    lemmas.add(last, lemma);
                }
                for lemma in &old {
                    let is_there = plain.frames[first]
                        .iter()
                        .any(|known| known.cube == lemma.cube);
                    // An equal lemma in the place of an old one is another one.
                    let is_same = lemmas.of(first).any(|known| known.number == lemma.number);
                    assert!(is_there || !is_same);
                    assert_eq!(lemmas.still_has(first, lemma), is_same);
                }
                assert_eq!(cubes(lemmas.forever()), cubes(plain.forever.iter()));
                assert_eq!(lemmas.n_forever(), plain.forever.len());
                for (frame, expected) in plain.frames.iter().enumerate() {
                    assert_eq!(cubes(lemmas.of(frame)), cubes(expected.iter()));
                    assert_eq!(lemmas.n_of(frame), expected.len());
                }
            }
            let n_all: usize = plain.frames.iter().map(Vec::len).sum();
            assert_eq!(lemmas.since(0).count(), n_all);
        }
    }
}
