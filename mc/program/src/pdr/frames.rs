//! The lemmas of each location.

use std::rc::Rc;

use craig_aig::Edge;

use crate::cfa::LocationId;

/// A conjunction of formulas over the state, in increasing order.
pub(super) type Cube = Rc<[Edge]>;

/// A lemma: no state of the cube is reached at its location within `level` steps.
#[derive(Clone)]
pub(super) struct Lemma {
    pub(super) cube: Cube,
    pub(super) level: usize,
}

/// The lemmas of all locations.
pub(super) struct Frames {
    /// By location: lemmas that no other one makes needless.
    lemmas: Vec<Vec<Lemma>>,
    /// By location: all lemmas in the order in which they were found, for solvers that add the new ones.
    log: Vec<Vec<Lemma>>,
}

impl Frames {
    pub(super) fn new(n_locations: usize) -> Self {
        Self {
            lemmas: vec![Vec::new(); n_locations],
            log: vec![Vec::new(); n_locations],
        }
    }

    /// Adds a lemma, and removes those that it makes needless.
    pub(super) fn add(&mut self, location: LocationId, lemma: Lemma) {
        let own = &mut self.lemmas[location.index()];
        own.retain(|old| old.level > lemma.level || !is_subset(&lemma.cube, &old.cube));
        own.push(lemma.clone());
        self.log[location.index()].push(lemma);
    }

    pub(super) fn at(&self, location: LocationId) -> &[Lemma] {
        &self.lemmas[location.index()]
    }

    /// All lemmas that no other one makes needless, by location.
    pub(super) fn by_location(&self) -> &[Vec<Lemma>] {
        &self.lemmas
    }

    pub(super) fn log(&self, location: LocationId) -> &[Lemma] {
        &self.log[location.index()]
    }

    /// Whether some lemma has exactly this level.
    pub(super) fn has_level(&self, level: usize) -> bool {
        self.lemmas
            .iter()
            .flatten()
            .any(|lemma| lemma.level == level)
    }

    pub(super) fn n_lemmas(&self) -> usize {
        self.lemmas.iter().map(Vec::len).sum()
    }

    /// The cubes of lemmas of a level above this one, by location.
    pub(super) fn above(&self, level: usize) -> Vec<Vec<Cube>> {
        let cubes = |lemmas: &Vec<Lemma>| {
            let above = lemmas.iter().filter(|lemma| lemma.level > level);
            above.map(|lemma| Rc::clone(&lemma.cube)).collect()
        };
        self.lemmas.iter().map(cubes).collect()
    }
}

/// Whether all literals of a cube are in another one.
fn is_subset(part: &[Edge], whole: &[Edge]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|edge| rest.any(|other| other == edge))
}
