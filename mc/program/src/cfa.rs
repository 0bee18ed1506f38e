//! Control-flow automata over words.

use std::collections::HashMap;

use craig_word::{Node, Sort, Term, Terms};

/// A location, as a position in [`Cfa::locations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocationId(u32);

impl LocationId {
    #[cfg(test)]
    pub(super) fn nth(index: u32) -> Self {
        Self(index)
    }

    /// The inner location with this number: they follow the three special ones.
    pub(super) fn of_inner(number: usize) -> Self {
        Self(number as u32 + 3)
    }

    /// The position in [`Cfa::locations`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge, as a position in [`Cfa::edges`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeId(u32);

impl EdgeId {
    /// The position in [`Cfa::edges`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The block size of edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// Cut at loop heads: an edge is a loop-free program fragment between two heads. Loops whose condition is
    /// decided in every iteration are unrolled.
    Large,
    /// Cut at loop heads, and within the loops that have a cut at their heads where all iterations pass and paths meet:
    /// a sequence of branches becomes a sequence of edges, not one edge for all combinations. Loops whose condition is
    /// decided in every iteration are unrolled.
    Sections,
    /// Cut at every basic block. No loop is unrolled. Branch conditions are not used to resolve pointers in
    /// later blocks, so that more may be unsupported than with large blocks: for example, that a pointer is
    /// not null is unknown.
    Basic,
}

/// The kind of a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocationKind {
    /// Runs begin here. No edge leads here.
    Start,
    /// A location between two edges.
    Inner,
    /// The property is violated. Runs end here.
    Error,
    /// The program uses an unsupported feature. Runs end here; a program is only safe if no run ends here.
    Unsupported,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// The kind of the location.
    pub kind: LocationKind,
    /// A name for messages, usually a position in the source. Not unique.
    pub name: String,
    /// The words that the location carries, in increasing order: the rest of a run depends on no others.
    pub words: Vec<Term>,
    /// Those of the words that are numbers here, in the program's order: the candidates for predicates. The
    /// others are addresses, or are carried for a later location only.
    pub numbers: Vec<Term>,
    outgoing: Vec<EdgeId>,
    incoming: Vec<EdgeId>,
}

/// An assignment to a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The variable.
    pub word: Term,
    /// Its new value, over the words of the edge's source and over inputs.
    pub value: Term,
}

/// An edge: a guarded parallel assignment.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// The condition to take it: one bit, over the words of the source and over inputs.
    pub guard: Term,
    /// Its assignments: each word at most once, all simultaneous. Other words keep their values.
    pub assignments: Vec<Assignment>,
}

/// A variable of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The variable.
    pub term: Term,
    /// A name for messages. Not unique.
    pub name: String,
}

/// A program as a control-flow automaton.
///
/// A *state* is a location and a value for every word. A run starts at the location [`Cfa::START`] with all
/// words 0. A step takes an edge `e` from the current location: it chooses new values for the *inputs*, which
/// are all variables of [`Cfa::terms`] that are not words; the guard of `e` holds for the old words and these
/// inputs; then every assigned word takes the value of its term over the old words and the inputs, every
/// other word keeps its value, and the run is at the target of `e`. Runs end at [`Cfa::ERROR`], at
/// [`Cfa::UNSUPPORTED`], and wherever no guard holds: the program stops there, or its path is infeasible.
///
/// The program is *safe* if no run reaches the error or the unsupported location, *unsafe* if one reaches the
/// error.
///
/// Invariants, which [`Cfa::check`] tests:
/// - Words and inputs are bit-vectors of at most 128 bits.
/// - Guards and values of edges from `l` read only words that `l` carries, and inputs.
/// - Assigned words are carried by the target. A word that the target carries is assigned, or carried by the
///   source as well. So the words of a location tell all that the rest of a run depends on.
/// - The start has no edge in; the error and the unsupported location have no edge out and carry nothing.
///
/// A further invariant is semantic: the guards of two edges from one location exclude each other for all
/// values of words and inputs. [`Cfa::overlap`] checks it by SAT. [`Cfa::to_model`] relies on it.
///
/// Edges of one location are ordered: to the error, to the unsupported location, others.
#[derive(Clone)]
pub struct Cfa {
    /// The terms of all guards and values. Engines may add terms and variables of their own.
    pub terms: Terms,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    words: Vec<Word>,
    /// See [`Cfa::add_candidate`].
    candidates: Vec<(LocationId, Term)>,
    /// See [`Cfa::try_first`].
    n_likely: usize,
    /// The position of each word in `words`.
    position: HashMap<Term, u32>,
    /// The variable of the program counter in [`Cfa::to_model`]; it occurs in no edge.
    pub(super) counter: Term,
}

/// The width of the program counter in [`Cfa::to_model`], unless there are more locations.
const COUNTER_BITS: u32 = 16;

impl Cfa {
    /// Where runs begin.
    pub const START: LocationId = LocationId(0);
    /// The location at which the property is violated.
    pub const ERROR: LocationId = LocationId(1);
    /// The location of unsupported features.
    pub const UNSUPPORTED: LocationId = LocationId(2);

    /// An automaton with the three special locations and no edges, over existing terms.
    #[must_use]
    pub fn new(mut terms: Terms) -> Self {
        let special = [
            (LocationKind::Start, "start"),
            (LocationKind::Error, "error"),
            (LocationKind::Unsupported, "unsupported"),
        ];
        let locations = special.map(|(kind, name)| Location {
            kind,
            name: name.to_owned(),
            words: Vec::new(),
            numbers: Vec::new(),
            outgoing: Vec::new(),
            incoming: Vec::new(),
        });
        let counter = terms.variable(COUNTER_BITS);
        Self {
            terms,
            locations: locations.into(),
            edges: Vec::new(),
            words: Vec::new(),
            candidates: Vec::new(),
            n_likely: 0,
            position: HashMap::new(),
            counter,
        }
    }

    /// Declares a variable of [`Cfa::terms`] to be a word.
    ///
    /// # Panics
    /// If the term is no variable, or a word already, or not a bit-vector of at most 128 bits.
    pub fn add_word(&mut self, term: Term, name: impl Into<String>) {
        assert!(
            matches!(self.terms.node(term), Node::Var(_)),
            "a word is a variable"
        );
        assert!(self.is_narrow(term), "a word has at most 128 bits");
        let old = self.position.insert(term, self.words.len() as u32);
        assert!(old.is_none(), "a word is declared once");
        self.words.push(Word {
            term,
            name: name.into(),
        });
    }

    /// Adds an inner location that carries the given words, some of them as numbers.
    pub fn add_location(
        &mut self,
        name: impl Into<String>,
        mut words: Vec<Term>,
        numbers: Vec<Term>,
    ) -> LocationId {
        words.sort_unstable();
        words.dedup();
        let id = LocationId(u32::try_from(self.locations.len()).expect("at most 2^32 locations"));
        self.locations.push(Location {
            kind: LocationKind::Inner,
            name: name.into(),
            words,
            numbers,
            outgoing: Vec::new(),
            incoming: Vec::new(),
        });
        id
    }

    /// Adds an edge. One with a constant false guard is left out.
    ///
    /// # Panics
    /// In debug builds, if the guard is not one bit wide, a value not as wide as its word, or the order of
    /// the edges of the source is not that of [`Cfa`].
    pub fn add_edge(
        &mut self,
        source: LocationId,
        target: LocationId,
        guard: Term,
        assignments: Vec<Assignment>,
    ) -> Option<EdgeId> {
        debug_assert_eq!(self.terms.width(guard), 1);
        debug_assert!(assignments.iter().all(|assignment| {
            self.terms.width(assignment.word) == self.terms.width(assignment.value)
        }));
        if self.terms.is_zero(guard) {
            return None;
        }
        debug_assert!(
            (self.locations[source.index()].outgoing.last())
                .is_none_or(|last| { order(self.edges[last.index()].target) <= order(target) }),
            "edges come in order"
        );
        let id = EdgeId(u32::try_from(self.edges.len()).expect("at most 2^32 edges"));
        self.edges.push(Edge {
            source,
            target,
            guard,
            assignments,
        });
        self.locations[source.index()].outgoing.push(id);
        self.locations[target.index()].incoming.push(id);
        Some(id)
    }

    /// Makes every location carry the words that its successors carry and no edge to them assigns: the least
    /// sets of words that contain the given ones and satisfy the third invariant of [`Cfa`].
    pub fn close_words(&mut self) {
        let mut work: Vec<LocationId> = self.location_ids().collect();
        let mut queued = vec![true; self.locations.len()];
        let mut assigned: Vec<Term> = Vec::new();
        while let Some(target) = work.pop() {
            queued[target.index()] = false;
            for edge in self.locations[target.index()].incoming.clone() {
                let edge = &self.edges[edge.index()];
                let source = edge.source;
                assigned.clear();
                assigned.extend(edge.assignments.iter().map(|assignment| assignment.word));
                assigned.sort_unstable();
                let carried = &self.locations[source.index()].words;
                let missing: Vec<Term> = (self.locations[target.index()].words.iter().copied())
                    .filter(|word| {
                        assigned.binary_search(word).is_err()
                            && carried.binary_search(word).is_err()
                    })
                    .collect();
                if !missing.is_empty() {
                    let words = &mut self.locations[source.index()].words;
                    words.extend(missing);
                    words.sort_unstable();
                    if !queued[source.index()] {
                        queued[source.index()] = true;
                        work.push(source);
                    }
                }
            }
        }
    }

    /// Adds a condition on the words of an inner location that may hold in all of its states: a candidate for
    /// an invariant, which is to be proved before it is used. One that reads other words, or inputs, is left
    /// out.
    ///
    /// # Panics
    /// In debug builds, if the condition is not one bit wide, or the location not an inner one.
    pub fn add_candidate(&mut self, location: LocationId, condition: Term) {
        debug_assert_eq!(self.terms.width(condition), 1);
        debug_assert_eq!(self.location(location).kind, LocationKind::Inner);
        let (read, inputs) = self.reads(&[condition]);
        let words = &self.location(location).words;
        let is_about_state = inputs.is_empty()
            && (read.iter()).all(|word| words.binary_search(word).is_ok())
            && !read.is_empty();
        let candidate = (location, condition);
        if is_about_state && !self.candidates.contains(&candidate) {
            self.candidates.push(candidate);
        }
    }

    /// The candidates for invariants that were added so far are the likelier ones: they are tried first, without those
    /// that are added later.
    pub fn try_first(&mut self) {
        self.n_likely = self.candidates.len();
    }

    /// The number of the likelier candidates for invariants, which come first.
    #[must_use]
    pub fn n_likely(&self) -> usize {
        self.n_likely
    }

    /// The candidates for invariants.
    #[must_use]
    pub fn candidates(&self) -> &[(LocationId, Term)] {
        &self.candidates
    }

    /// All locations: the three special ones, then the inner ones.
    #[must_use]
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// The numbers of all locations.
    pub fn location_ids(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..self.locations.len() as u32).map(LocationId)
    }

    /// The numbers of the start and the inner locations: those with outgoing edges.
    pub fn sources(&self) -> impl Iterator<Item = LocationId> + use<> {
        self.location_ids()
            .filter(|&id| id != Self::ERROR && id != Self::UNSUPPORTED)
    }

    /// A location.
    #[inline]
    #[must_use]
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    pub(super) fn location_mut(&mut self, id: LocationId) -> &mut Location {
        &mut self.locations[id.index()]
    }

    /// All edges.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The numbers of all edges.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len() as u32).map(EdgeId)
    }

    /// An edge.
    #[inline]
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// This automaton without some of its edges: none of its runs takes them.
    #[must_use]
    pub fn without(&self, edges: &[EdgeId]) -> Self {
        let mut made = self.clone();
        let never = made.terms.boolean(false);
        for &edge in edges {
            made.set_guard(edge, never);
        }
        made
    }

    pub(super) fn set_guard(&mut self, id: EdgeId, guard: Term) {
        debug_assert_eq!(self.terms.width(guard), 1);
        self.edges[id.index()].guard = guard;
    }

    /// The edges from a location, in the order that [`Cfa`] gives.
    #[inline]
    #[must_use]
    pub fn outgoing(&self, id: LocationId) -> &[EdgeId] {
        &self.locations[id.index()].outgoing
    }

    /// The edges into a location.
    #[inline]
    #[must_use]
    pub fn incoming(&self, id: LocationId) -> &[EdgeId] {
        &self.locations[id.index()].incoming
    }

    /// All words, in the order in which they were declared.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The word that a variable is.
    #[inline]
    #[must_use]
    pub fn word(&self, term: Term) -> Option<&Word> {
        let position = *self.position.get(&term)?;
        Some(&self.words[position as usize])
    }

    /// The variables that a term reads, in increasing order: words, then inputs.
    #[must_use]
    pub fn reads(&self, terms: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let cone = self.terms.cone(terms, |_| false);
        cone.into_iter()
            .filter(|&term| matches!(self.terms.node(term), Node::Var(_)))
            .partition(|term| self.position.contains_key(term))
    }

    /// The inputs that an edge chooses: the variables of its guard and values that are no words.
    #[must_use]
    pub fn inputs(&self, id: EdgeId) -> Vec<Term> {
        self.reads(&self.edge(id).roots()).1
    }

    /// Checks the invariants except the semantic one.
    ///
    /// # Errors
    /// The violated invariant, as a message.
    pub fn check(&self) -> Result<(), String> {
        for id in self.location_ids() {
            let location = self.location(id);
            let name = &location.name;
            let is_special = matches!(
                location.kind,
                LocationKind::Error | LocationKind::Unsupported
            );
            if is_special && !(location.outgoing.is_empty() && location.words.is_empty()) {
                return Err(format!("runs do not end at {name}"));
            }
            if location.kind == LocationKind::Start && !location.incoming.is_empty() {
                return Err("an edge leads to the start".into());
            }
            if !location.words.is_sorted_by(|a, b| a < b) {
                return Err(format!("the words of {name} are not in order"));
            }
            if let Some(word) = location.words.iter().find(|&&w| self.word(w).is_none()) {
                return Err(format!("{name} carries {word:?}, which is no word"));
            }
            let carries = |word: &Term| location.words.binary_search(word).is_ok();
            if !location.numbers.iter().all(carries) {
                return Err(format!("a number of {name} is not carried"));
            }
            let roots: Vec<Term> = (location.outgoing.iter())
                .flat_map(|&edge| self.edge(edge).roots())
                .collect();
            let (read, inputs) = self.reads(&roots);
            if let Some(&word) = read.iter().find(|word| !carries(word)) {
                let word = &self.words[self.position[&word] as usize].name;
                return Err(format!(
                    "an edge from {name} reads {word}, which is not carried"
                ));
            }
            if let Some(input) = inputs.iter().find(|&&input| !self.is_narrow(input)) {
                return Err(format!(
                    "the input {input:?} of {name} has more than 128 bits"
                ));
            }
            if inputs.contains(&self.counter) {
                return Err(format!("an edge from {name} reads the program counter"));
            }
            for &edge in &location.outgoing {
                self.check_edge(self.edge(edge))?;
            }
        }
        Ok(())
    }

    /// Whether values of a term fit in machine integers, as those of words and inputs have to.
    fn is_narrow(&self, term: Term) -> bool {
        matches!(self.terms.sort(term), Sort::BitVector(width) if width <= 128)
    }

    fn check_edge(&self, edge: &Edge) -> Result<(), String> {
        let (source, target) = (self.location(edge.source), self.location(edge.target));
        let place = || format!("the edge from {} to {}", source.name, target.name);
        let mut assigned: Vec<Term> = edge.assignments.iter().map(|a| a.word).collect();
        assigned.sort_unstable();
        if assigned.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!("{} assigns a word twice", place()));
        }
        let carries = |location: &Location, word: &Term| location.words.binary_search(word).is_ok();
        if !assigned.iter().all(|word| carries(target, word)) {
            return Err(format!(
                "{} assigns what its target does not carry",
                place()
            ));
        }
        let has_value = |word: &Term| assigned.binary_search(word).is_ok() || carries(source, word);
        if !target.words.iter().all(has_value) {
            return Err(format!("{} leaves a word without a value", place()));
        }
        Ok(())
    }
}

/// The position of a target's group in the order of edges from one location.
fn order(target: LocationId) -> u8 {
    match target {
        Cfa::ERROR => 0,
        Cfa::UNSUPPORTED => 1,
        _ => 2,
    }
}

impl Edge {
    /// The guard and the values.
    #[must_use]
    pub fn roots(&self) -> Vec<Term> {
        let values = self.assignments.iter().map(|assignment| assignment.value);
        std::iter::once(self.guard).chain(values).collect()
    }

    /// The value of a word after the edge; the word itself if the edge does not assign it.
    #[must_use]
    pub fn value(&self, word: Term) -> Term {
        let assigned = self.assignments.iter().find(|a| a.word == word);
        assigned.map_or(word, |assignment| assignment.value)
    }
}
