//! Invariants over the words of the program's state: guessed from templates, kept where they prove each other.
//!
//! Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java* (FME 2001): of all guesses that hold in some
//! states that were reached, those that a step can break are dropped until none is left that a step can break.
//! What is left holds in all reachable states. Beyer, Chien, Lee, *Augmenting interpolation-based model checking
//! with auxiliary invariants* (2024), found how much that helps the engines: bit by bit they can hardly find a sum
//! or an order between two words, which is what loops of programs need most often.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use craig_mc::{Control, Model};
use craig_solver::aig::encode::Encoder;
use craig_solver::aig::{Aig, Edge};
use craig_solver::{Answer, Limits, Lit, Solver};

use craig_word::{Blaster, Evaluator, Term, Terms, from_signed, mask, to_signed};

use super::affine::Affine;
use super::walks::{LANES, Walks};

/// What the state of a single-loop program consists of.
pub(crate) struct Vocabulary {
    /// The latches that hold the place, lowest bit first; the start is 0.
    pub(crate) counter: Vec<Edge>,
    /// The latches of each word, lowest bit first.
    pub(crate) words: Vec<Vec<Edge>>,
    /// The inputs, word by word, lowest bit first.
    pub(crate) inputs: Vec<Vec<Edge>>,
    /// The words that mean something at each place but the start.
    pub(crate) at: Vec<Vec<usize>>,
    /// Constants that words are compared with: width and value.
    pub(crate) constants: BTreeSet<(u32, u128)>,
}

/// Larger systems are left as they are.
const MAX_NODES: usize = 60_000;
/// At a place with more words than this, they are not compared with each other.
const MAX_PAIRED: usize = 10;
/// Nor are three of them, if there are more than this.
const MAX_TRIPLES: usize = 7;
const MAX_CANDIDATES: usize = 800;
/// States to guess from.
const MAX_SAMPLES: usize = 60;
const MAX_SAMPLE_QUERIES: usize = 200;
const MAX_CONSTANTS: usize = 12;
/// Queries for a state from the same state, where there is no other yet.
const ROOT_QUERIES: usize = 10;
/// Steps of runs on random inputs, the states that are kept of them at a place, and steps on from a state that breaks
/// a guess.
const WALK: usize = 60;
const MAX_WALKED: usize = 240;
const SHORT_WALK: usize = 3;
/// Bounds of a difference or a sum are guessed where its values lie this close together.
const MAX_SPREAD: i128 = 1 << 12;
/// For how long invariants are looked for.
const PATIENCE: Duration = Duration::from_secs(10);
/// Conflicts for a state to guess from, for a step that breaks a guess, and for all of it.
const SAMPLE_CONFLICTS: u64 = 300;
const STEP_CONFLICTS: u64 = 4000;
const ALL_CONFLICTS: u64 = 40_000;
/// Affine relations are looked for between so many words of a width at a place, in so many rounds.
const MAX_RELATED: usize = 24;
const MAX_ROUNDS: usize = 200;

/// A model with a further constraint, the conjunction of the invariants found: it holds in all reachable states, is
/// kept by every step, and reads latches only.
pub(crate) struct Strong {
    pub(crate) model: Model,
    /// No state that the constraint allows is bad.
    pub(crate) is_enough: bool,
}

/// The model with what holds of its words; `None` if nothing was found.
pub(crate) fn strengthen(
    model: &Model,
    vocabulary: &Vocabulary,
    control: &Control,
) -> Option<Strong> {
    if model.aig.n_nodes() > MAX_NODES || vocabulary.at.is_empty() {
        return None;
    }
    let constants: Vec<u128> = vocabulary
        .constants
        .iter()
        .map(|&(_, value)| value)
        .collect();
    let mut search = Search::new(model, vocabulary, &constants, control);
    let mut samples = search.sample();
    search.walk(&mut samples);
    let relations = search.relations(&samples);
    let mut kept: Vec<Guess> = relations.iter().map(|&term| search.guess(term)).collect();
    let bad = search
        .encoder
        .encode(&model.aig, model.bads[0], &mut search.solver);
    let mut rounds = [false, true].into_iter();
    let is_enough = loop {
        search.conflicts = 0;
        search.assumed = kept.iter().map(|guess| guess.now_lit).collect();
        if search.solve(&[bad], STEP_CONFLICTS) == Answer::Unsatisfiable {
            break true;
        }
        let Some(triples) = rounds.next() else {
            break false;
        };
        let known = kept.iter().map(|guess| guess.term).collect();
        let mut guesses = search.guesses(&samples, known, triples);
        if search.keep_inductive(&mut guesses).is_some() {
            search.drop_implied(&mut guesses);
            kept.extend(guesses);
        }
    };
    let guesses = kept;
    if guesses.is_empty() {
        return None;
    }
    let edges: Vec<Edge> = guesses.iter().map(|guess| guess.now).collect();
    let all = search.model.aig.and_all(edges);
    let mut strong = model.clone();
    let images = strong
        .aig
        .copy_cone(&search.model.aig, &[all], &mut |node| {
            Edge::new(node, false)
        });
    strong.constraints.extend(images);
    control.note("invariants", || {
        let what = if is_enough {
            ", and no more is needed"
        } else {
            ""
        };
        format!("{} invariants over words{what}", guesses.len())
    });
    Some(Strong {
        model: strong,
        is_enough,
    })
}

/// A state that was reached: its latches, the place, and the words.
struct Sample {
    latches: Vec<bool>,
    place: usize,
    words: Vec<u128>,
    /// Whether it was reached from another place.
    is_entry: bool,
}

/// Something that may hold in all states.
struct Guess {
    term: Term,
    now: Edge,
    /// It holds now, and it holds after the step.
    now_lit: Lit,
    then_lit: Lit,
}

struct Search<'a> {
    model: Model,
    walks: Walks<'a>,
    /// What is known to hold in all reachable states.
    assumed: Vec<Lit>,
    start: Instant,
    vocabulary: &'a Vocabulary,
    control: &'a Control,
    terms: Terms,
    counter: Term,
    words: Vec<Term>,
    now: Blaster,
    then: Blaster,
    encoder: Encoder,
    solver: Solver,
    latches: Vec<Lit>,
    nexts: Vec<Lit>,
    /// The number of the latch with the given state edge.
    number: HashMap<Edge, usize>,
    conflicts: u64,
}

impl<'a> Search<'a> {
    fn new(
        model: &'a Model,
        vocabulary: &'a Vocabulary,
        constants: &'a [u128],
        control: &'a Control,
    ) -> Self {
        let mut solver = Solver::new();
        let (stop, start) = (control.clone(), Instant::now());
        solver.set_stop_callback(Some(Box::new(move || {
            stop.stop_reason().is_some() || start.elapsed() > PATIENCE
        })));
        let mut encoder = Encoder::new();
        let mut literals = |edge: Edge| encoder.encode(&model.aig, edge, &mut solver);
        let latches = model.latches.iter().map(|latch| literals(latch.state));
        let latches: Vec<Lit> = latches.collect();
        let nexts: Vec<Lit> = model
            .latches
            .iter()
            .map(|latch| literals(latch.next))
            .collect();
        let number: HashMap<Edge, usize> = model
            .latches
            .iter()
            .enumerate()
            .map(|(number, latch)| (latch.state, number))
            .collect();
        let mut terms = Terms::new();
        let (mut now, mut then) = (Blaster::new(), Blaster::new());
        let mut word = |edges: &[Edge]| {
            let term = terms.variable(edges.len() as u32);
            now.set(term, edges);
            let next = |edge: &Edge| model.latches[number[edge]].next;
            then.set(term, &edges.iter().map(next).collect::<Vec<Edge>>());
            term
        };
        let counter = word(&vocabulary.counter);
        let words = vocabulary.words.iter().map(|edges| word(edges)).collect();
        Self {
            model: model.clone(),
            walks: Walks::new(model, &vocabulary.inputs, constants),
            assumed: Vec::new(),
            start,
            vocabulary,
            control,
            terms,
            counter,
            words,
            now,
            then,
            encoder,
            solver,
            latches,
            nexts,
            number,
            conflicts: 0,
        }
    }

    fn is_over(&self) -> bool {
        self.control.stop_reason().is_some() || self.start.elapsed() > PATIENCE
    }

    fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> Answer {
        self.solve_with(None, assumptions, conflicts)
    }

    /// Solves under assumptions, and with a further clause for this once.
    fn solve_with(
        &mut self,
        clause: Option<&[Lit]>,
        assumptions: &[Lit],
        conflicts: u64,
    ) -> Answer {
        let left = ALL_CONFLICTS.saturating_sub(self.conflicts);
        if left == 0 || self.is_over() {
            return Answer::Unknown;
        }
        if let Some(clause) = clause {
            self.solver.add_temporary_clause(clause);
        }
        let before = self.solver.statistics().conflicts;
        self.solver.set_limits(Limits {
            conflicts: Some(conflicts.min(left)),
            ..Limits::default()
        });
        let assumptions: Vec<Lit> = self.assumed.iter().chain(assumptions).copied().collect();
        let answer = self.solver.solve(&assumptions);
        self.conflicts += self.solver.statistics().conflicts - before;
        answer
    }

    /// The state after the step that the solver has found.
    fn next_state(&self, from: usize) -> Sample {
        let bit = |&lit: &Lit| self.solver.value(lit).unwrap_or(false);
        let latches: Vec<bool> = self.nexts.iter().map(bit).collect();
        self.sample_of(latches, from)
    }

    /// A state that is reached from a place.
    fn sample_of(&self, latches: Vec<bool>, from: usize) -> Sample {
        let value = |edges: &[Edge]| {
            edges.iter().enumerate().fold(0, |sum, (position, edge)| {
                sum | u128::from(latches[self.number[edge]]) << position
            })
        };
        let place = value(&self.vocabulary.counter) as usize;
        let words = self.vocabulary.words.iter().map(|edges| value(edges));
        Sample {
            place,
            words: words.collect(),
            is_entry: place != from,
            latches,
        }
    }

    /// States that are reached, a few at each place.
    fn sample(&mut self) -> Vec<Sample> {
        let mut samples: Vec<Sample> = Vec::new();
        let mut seen: HashSet<Vec<bool>> = HashSet::new();
        // All latches start at 0, the place among them.
        let mut queue = VecDeque::from([(0, vec![false; self.latches.len()])]);
        let n_places = self.vocabulary.at.len();
        let share = MAX_SAMPLES.div_ceil(n_places);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut queries = 0;
        while let Some((from, state)) = queue.pop_front() {
            for place in 1..=n_places {
                let n_here = samples
                    .iter()
                    .filter(|sample| sample.place == place)
                    .count();
                let n_queries = if from == 0 { ROOT_QUERIES } else { 1 };
                for _ in 0..n_queries {
                    if n_here >= share || queries >= MAX_SAMPLE_QUERIES {
                        break;
                    }
                    queries += 1;
                    let mut assumptions: Vec<Lit> = Vec::new();
                    for (&lit, &value) in self.latches.iter().zip(&state) {
                        assumptions.push(if value { lit } else { !lit });
                    }
                    for (position, edge) in self.vocabulary.counter.iter().enumerate() {
                        let lit = self.nexts[self.number[edge]];
                        assumptions.push(if place >> position & 1 == 1 {
                            lit
                        } else {
                            !lit
                        });
                    }
                    // Where values are free, large and small ones are wanted.
                    for &lit in &self.nexts {
                        random ^= random << 13;
                        random ^= random >> 7;
                        random ^= random << 17;
                        self.solver
                            .set_phase(if random & 7 == 0 { lit } else { !lit });
                    }
                    if self.solve(&assumptions, SAMPLE_CONFLICTS) == Answer::Satisfiable {
                        let sample = self.next_state(from);
                        if seen.insert(sample.latches.clone()) {
                            queue.push_back((place, sample.latches.clone()));
                            samples.push(sample);
                        }
                    }
                }
            }
        }
        samples
    }

    /// Adds states that runs on random inputs reach.
    fn walk(&mut self, samples: &mut Vec<Sample>) {
        let n_places = self.vocabulary.at.len();
        let start = (0, vec![false; self.latches.len()]);
        let mut roots: Vec<(usize, Vec<bool>)> = vec![start; 1 + samples.len()];
        for (root, sample) in roots[1..].iter_mut().zip(&*samples) {
            *root = (sample.place, sample.latches.clone());
        }
        let mut seen: HashSet<Vec<bool>> = roots.iter().map(|root| root.1.clone()).collect();
        let mut n_here = vec![0; n_places + 1];
        let mut lanes: Vec<(usize, Vec<bool>)> = Vec::new();
        for _ in 0..WALK {
            if self.is_over() {
                break;
            }
            while lanes.len() < LANES {
                lanes.push(self.walks.pick(&roots).clone());
            }
            let states: Vec<Vec<bool>> = lanes.iter().map(|lane| lane.1.clone()).collect();
            let mut next = Vec::new();
            for (state, (from, _)) in self.walks.step(&states).into_iter().zip(&lanes) {
                let sample = self.sample_of(state, *from);
                let place = sample.place;
                if !(1..=n_places).contains(&place) {
                    continue;
                }
                next.push((place, sample.latches.clone()));
                if n_here[place] < MAX_WALKED && seen.insert(sample.latches.clone()) {
                    n_here[place] += 1;
                    samples.push(sample);
                }
            }
            lanes = next;
        }
    }

    /// The condition that the program is not at a place.
    fn elsewhere(&mut self, place: usize) -> Term {
        let width = self.terms.width(self.counter);
        let number = self.terms.constant(place as u128, width);
        let is_here = self.terms.eq(self.counter, number);
        self.terms.not(is_here)
    }

    /// The affine relations at all places that the steps keep: starting from those of the samples, states that a step
    /// leads to from where they hold are added until there are no more. Nothing if that takes too long.
    ///
    /// King, Søndergaard, *Automatic abstraction for congruences* (VMCAI 2010).
    fn relations(&mut self, samples: &[Sample]) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let mut spaces: Vec<(usize, Vec<usize>, Affine)> = Vec::new();
        for (index, at) in vocabulary.at.iter().enumerate() {
            let width = |word: usize| vocabulary.words[word].len();
            let widths: BTreeSet<usize> = at.iter().map(|&word| width(word)).collect();
            for own in widths.into_iter().filter(|&width| width > 1) {
                let words = at.iter().copied().filter(|&word| width(word) == own);
                let words: Vec<usize> = words.take(MAX_RELATED).collect();
                let affine = Affine::new(own as u32, words.len());
                spaces.push((index + 1, words, affine));
            }
        }
        let add = |spaces: &mut Vec<(usize, Vec<usize>, Affine)>, sample: &Sample| {
            let mut changed = false;
            for (place, words, affine) in spaces {
                if *place == sample.place {
                    let state: Vec<u128> = words.iter().map(|&word| sample.words[word]).collect();
                    changed |= affine.add(&state);
                }
            }
            changed
        };
        for sample in samples {
            add(&mut spaces, sample);
        }
        for _ in 0..MAX_ROUNDS {
            let mut found = Vec::new();
            for (place, words, affine) in &spaces {
                let elsewhere = self.elsewhere(*place);
                let words: Vec<Term> = words.iter().map(|&word| self.words[word]).collect();
                for body in affine.relations(&mut self.terms, &words) {
                    let term = self.terms.or(elsewhere, body);
                    if !self.terms.is_true(term) {
                        found.push(term);
                    }
                }
            }
            let guesses: Vec<Guess> = found.iter().map(|&term| self.guess(term)).collect();
            let broken: Vec<Lit> = guesses.iter().map(|guess| !guess.then_lit).collect();
            let assumptions: Vec<Lit> = guesses.iter().map(|guess| guess.now_lit).collect();
            match self.solve_with(Some(&broken), &assumptions, ALL_CONFLICTS) {
                Answer::Unsatisfiable => return found,
                Answer::Satisfiable => {
                    let sample = self.next_state(0);
                    if !add(&mut spaces, &sample) {
                        debug_assert!(false, "the step breaks a relation");
                        return Vec::new();
                    }
                }
                Answer::Unknown => {
                    return Vec::new();
                }
            }
        }
        Vec::new()
    }

    fn guess(&mut self, term: Term) -> Guess {
        let mut none = |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("all words are set") };
        let aig = &mut self.model.aig;
        let now = self.now.blast(&self.terms, aig, term, &mut none)[0];
        let then = self.then.blast(&self.terms, aig, term, &mut none)[0];
        Guess {
            term,
            now,
            now_lit: self.encoder.encode(aig, now, &mut self.solver),
            then_lit: self.encoder.encode(aig, then, &mut self.solver),
        }
    }

    /// The guesses that hold in all samples and are not known already: those about three words, or all others.
    fn guesses(
        &mut self,
        samples: &[Sample],
        mut known: HashSet<Term>,
        triples: bool,
    ) -> Vec<Guess> {
        let mut terms = Vec::new();
        for place in 1..=self.vocabulary.at.len() {
            let here: Vec<&Sample> = samples.iter().filter(|s| s.place == place).collect();
            let elsewhere = self.elsewhere(place);
            let mut bodies = if here.is_empty() {
                vec![self.terms.boolean(false)]
            } else {
                self.templates(place, &here, triples)
            };
            for sample in &here {
                let mut evaluator = evaluator(&self.terms, self.counter, &self.words, sample);
                bodies.retain(|&body| evaluator.value(body) == 1);
            }
            for body in bodies {
                let term = self.terms.or(elsewhere, body);
                if !self.terms.is_true(term) && known.insert(term) && terms.len() < MAX_CANDIDATES {
                    terms.push(term);
                }
            }
        }
        terms.into_iter().map(|term| self.guess(term)).collect()
    }

    /// What may hold of the words at a place: the likelier and cheaper first.
    fn templates(&mut self, place: usize, samples: &[&Sample], triples: bool) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let at = &vocabulary.at[place - 1];
        if triples {
            return self.triples(at);
        }
        let mut bodies = Vec::new();
        for &word in at {
            self.about_one(word, samples, &mut bodies);
        }
        if at.len() > MAX_PAIRED {
            return bodies;
        }
        let width = |word: usize| vocabulary.words[word].len();
        for &x in at {
            for &y in at {
                if x != y && width(x) == width(y) && width(x) > 1 {
                    self.about_two(x, y, samples, &mut bodies);
                    if x < y {
                        self.about_distance(x, y, samples, &mut bodies);
                    }
                }
            }
        }
        bodies
    }

    fn triples(&mut self, at: &[usize]) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let width = |word: usize| vocabulary.words[word].len();
        let mut bodies = Vec::new();
        if at.len() <= MAX_TRIPLES {
            for (position, &x) in at.iter().enumerate() {
                for &y in &at[position + 1..] {
                    for &z in at {
                        let same = width(x) == width(y) && width(y) == width(z) && width(x) > 1;
                        if z != x && z != y && same {
                            self.about_three(x, y, z, &mut bodies);
                        }
                    }
                }
            }
        }
        bodies
    }

    fn about_one(&mut self, word: usize, samples: &[&Sample], bodies: &mut Vec<Term>) {
        let x = self.words[word];
        let width = self.terms.width(x);
        let mut values = samples.iter().map(|sample| sample.words[word]);
        let first = values.next().unwrap_or(0);
        let terms = &mut self.terms;
        let own = terms.constant(first, width);
        bodies.push(terms.eq(x, own));
        if width == 1 {
            return;
        }
        for bits in 1..=2 {
            let low = terms.extract(x, 0, bits);
            let value = terms.constant(first & mask(bits), bits);
            bodies.push(terms.eq(low, value));
        }
        let constants = &self.vocabulary.constants;
        let constants = constants.range((width, 0)..=(width, mask(width)));
        let mut bounds: BTreeSet<u128> = BTreeSet::from([0, 1, first]);
        for &(_, value) in constants.take(MAX_CONSTANTS) {
            let near = [value, value.wrapping_add(1), value.wrapping_sub(1)];
            bounds.extend(near.map(|value| value & mask(width)));
        }
        // The ends of what has been seen, too.
        let seen = samples.iter().map(|sample| sample.words[word]);
        bounds.extend(seen.clone().min_by_key(|&value| to_signed(value, width)));
        bounds.extend(seen.clone().max_by_key(|&value| to_signed(value, width)));
        bounds.extend(seen.max());
        for value in bounds {
            let bound = terms.constant(value, width);
            bodies.extend([
                terms.sle(bound, x),
                terms.sle(x, bound),
                terms.ule(x, bound),
            ]);
        }
    }

    fn about_two(&mut self, one: usize, other: usize, samples: &[&Sample], bodies: &mut Vec<Term>) {
        let (x, y) = (self.words[one], self.words[other]);
        let width = self.terms.width(x);
        let entries = samples.iter().filter(|sample| sample.is_entry);
        let entry: BTreeSet<u128> = entries.map(|sample| sample.words[one]).collect();
        let terms = &mut self.terms;
        let constant = |terms: &mut Terms, value: u128| terms.constant(value & mask(width), width);
        let one_more = constant(terms, 1);
        let (up, down) = (terms.add(x, one_more), terms.sub(x, one_more));
        let orders = [
            terms.sle(x, y),
            terms.slt(x, y),
            terms.ule(x, y),
            terms.ult(x, y),
            terms.sle(down, y),
            terms.sle(y, up),
            terms.ule(down, y),
        ];
        bodies.extend(orders);
        // Before the loop has done anything, the order may be another one.
        if let Some(&value) = entry.first()
            && entry.len() == 1
        {
            let start = constant(terms, value);
            let at_start = terms.eq(x, start);
            let back = [terms.sle(y, x), terms.slt(y, x), terms.sle(y, up)];
            for order in orders[..5].iter().chain(&back) {
                bodies.push(terms.or(at_start, *order));
            }
        }
    }

    /// How far two words, or one and the negation of the other, are apart.
    fn about_distance(
        &mut self,
        one: usize,
        other: usize,
        samples: &[&Sample],
        bodies: &mut Vec<Term>,
    ) {
        let (x, y) = (self.words[one], self.words[other]);
        let terms = &mut self.terms;
        let width = terms.width(x);
        for (term, sign) in [(terms.sub(x, y), false), (terms.add(x, y), true)] {
            let values = samples.iter().map(|sample| {
                let (x, y) = (sample.words[one], sample.words[other]);
                let y = if sign { y } else { y.wrapping_neg() };
                to_signed(x.wrapping_add(y) & mask(width), width)
            });
            let (Some(least), Some(largest)) = (values.clone().min(), values.max()) else {
                continue;
            };
            if largest - least <= MAX_SPREAD {
                let least = terms.constant(from_signed(least, width), width);
                let largest = terms.constant(from_signed(largest, width), width);
                bodies.extend([terms.sle(least, term), terms.sle(term, largest)]);
            }
        }
    }

    fn about_three(&mut self, one: usize, two: usize, three: usize, bodies: &mut Vec<Term>) {
        let (x, y, z) = (self.words[one], self.words[two], self.words[three]);
        let terms = &mut self.terms;
        let sum = terms.add(x, y);
        bodies.extend([
            terms.sle(z, sum),
            terms.slt(z, sum),
            terms.sle(sum, z),
            terms.slt(sum, z),
        ]);
    }

    /// Drops guesses until no step breaks one that is left. `None` if that takes too long.
    fn keep_inductive(&mut self, guesses: &mut Vec<Guess>) -> Option<()> {
        while !guesses.is_empty() {
            let broken: Vec<Lit> = guesses.iter().map(|guess| !guess.then_lit).collect();
            let assumptions: Vec<Lit> = guesses.iter().map(|guess| guess.now_lit).collect();
            match self.solve_with(Some(&broken), &assumptions, STEP_CONFLICTS) {
                Answer::Unsatisfiable => return Some(()),
                Answer::Satisfiable => self.drop_broken(guesses)?,
                Answer::Unknown => {
                    if !self.drop_hard(guesses)? {
                        return Some(());
                    }
                }
            }
        }
        Some(())
    }

    /// Drops what does not hold after the step that the solver has found.
    fn drop_broken(&mut self, guesses: &mut Vec<Guess>) -> Option<()> {
        let before = guesses.len();
        let sample = self.next_state(0);
        self.drop_false(&sample, guesses);
        debug_assert!(guesses.len() < before, "the step breaks one of them");
        if guesses.len() == before {
            return None;
        }
        // What is left holds in this state, so that it has to hold in those after it, as well.
        let mut states = vec![sample.latches; LANES];
        for _ in 0..SHORT_WALK {
            states = self.walks.step(&states);
            let mut different = states.clone();
            different.sort_unstable();
            different.dedup();
            for state in different
                .iter()
                .step_by(different.len().div_ceil(LANES / 4))
            {
                let sample = self.sample_of(state.clone(), 0);
                self.drop_false(&sample, guesses);
            }
        }
        Some(())
    }

    fn drop_false(&self, sample: &Sample, guesses: &mut Vec<Guess>) {
        let mut evaluator = evaluator(&self.terms, self.counter, &self.words, sample);
        guesses.retain(|guess| evaluator.value(guess.term) == 1);
    }

    /// Asks for the guesses one by one, and drops those that are not decided soon. Whether any was dropped.
    fn drop_hard(&mut self, guesses: &mut Vec<Guess>) -> Option<bool> {
        let before = guesses.len();
        let mut position = 0;
        while position < guesses.len() {
            if self.conflicts >= ALL_CONFLICTS || self.is_over() {
                return None;
            }
            let mut assumptions: Vec<Lit> = guesses.iter().map(|guess| guess.now_lit).collect();
            assumptions.push(!guesses[position].then_lit);
            match self.solve(&assumptions, STEP_CONFLICTS / 20) {
                Answer::Unsatisfiable => position += 1,
                Answer::Satisfiable => {
                    self.drop_broken(guesses)?;
                    position = position.min(guesses.len());
                }
                Answer::Unknown => {
                    guesses.remove(position);
                }
            }
        }
        Some(guesses.len() < before)
    }

    /// Drops what the others imply: the engines have less to carry.
    fn drop_implied(&mut self, guesses: &mut Vec<Guess>) {
        let mut position = guesses.len();
        while position > 0 {
            position -= 1;
            let others = guesses
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != position);
            let mut assumptions: Vec<Lit> = others.map(|(_, guess)| guess.now_lit).collect();
            assumptions.push(!guesses[position].now_lit);
            if self.solve(&assumptions, SAMPLE_CONFLICTS) == Answer::Unsatisfiable {
                guesses.remove(position);
            }
        }
    }
}

/// Evaluates terms over the words in a state.
fn evaluator<'t>(
    terms: &'t Terms,
    counter: Term,
    words: &[Term],
    sample: &Sample,
) -> Evaluator<'t> {
    let mut values: HashMap<Term, u128> = HashMap::from([(counter, sample.place as u128)]);
    values.extend(words.iter().copied().zip(sample.words.iter().copied()));
    Evaluator::new(terms, move |term, _| values[&term])
}
