//! All paths of a number of actions in one solver, from a set of states to another one or to a bad location, and the
//! interpolants of their refutation at the cuts between actions.
//!
//! The circuit engines unroll the single-loop program, whose steps know locations by a program counter. Here each cut has
//! a variable for each location that a path can be at there, and variables for the bits that these locations carry alone;
//! each step chooses an action. An interpolant is a formula over both. Its label of a location is what is left of it where
//! that location's variable is true, all others are false, and so are the bits that the location does not carry:
//!
//! - A state at the location that the first part of the paths reaches satisfies the first part with this assignment,
//!   whatever the values of other bits are. So it satisfies the label.
//! - An action from a state in the label of a cut, with this assignment, satisfies the step, and leads to the assignment
//!   of a state at its target. So labels of successive cuts are a sequence of interpolants.
//!
//! Actions of a location exclude each other ([`Cfa`](super::Cfa)), so that a step cannot choose two.

use std::collections::HashMap;

use craig_aig::Edge;
use craig_itp::System;
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::LabelledClauseSink;
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::{Answer, Label, Lit, Var};
use craig_word::Term;

use super::actions::{Action, ActionId, Actions, StateBit, position};
use super::answer::ErrorPath;
use super::cfa::{Cfa, LocationId};
use super::labels::{LabelId, Labels};
use super::refutation::{Dial, Sink, derive};

/// A set of states: a label for each location.
pub(super) type Set = Vec<LabelId>;

/// Where paths end.
#[derive(Clone, Copy)]
pub(super) enum End<'a> {
    /// In a set of states.
    Set(&'a Set),
    /// With one more action, to a bad location.
    Bad,
}

/// The paths that a query is about.
pub(super) struct Paths<'a> {
    /// The set before each action. There are as many actions as sets, unless there are none.
    pub(super) sets: &'a [Set],
    /// The number of actions between the sets.
    pub(super) depth: usize,
    pub(super) end: End<'a>,
}

/// The result of a query.
pub(super) enum Found {
    /// There is such a path. It is given where paths end with the bad.
    Path(Option<ErrorPath>),
    /// There is none. For each cut that was asked for, a formula for each location, over the bits of the state.
    Sequence(Vec<Vec<Edge>>),
}

/// What queries share.
pub(super) struct Unrolled<'a> {
    pub(super) actions: &'a Actions,
    dial: Dial,
    stop: &'a Stop,
    /// By location: the bits that it carries.
    carried: Vec<Vec<StateBit>>,
}

impl<'a> Unrolled<'a> {
    pub(super) fn new(actions: &'a Actions, dial: Dial, stop: &'a Stop) -> Self {
        let mut first: HashMap<Term, StateBit> = HashMap::new();
        for (bit, &(word, place)) in actions.bits().iter().enumerate() {
            if place == 0 {
                first.insert(word, bit as StateBit);
            }
        }
        let cfa = actions.sliced();
        let carried = actions.locations().map(|location| {
            let words = cfa.location(location).words.iter();
            let bits = words.flat_map(|word| first[word]..first[word] + cfa.terms.width(*word));
            let mut bits: Vec<StateBit> = bits.collect();
            bits.sort_unstable();
            bits
        });
        Self {
            carried: carried.collect(),
            actions,
            dial,
            stop,
        }
    }

    /// The set of no states.
    pub(super) fn nothing(&self) -> Set {
        vec![LabelId::FALSE; self.actions.n_locations()]
    }

    /// The first states.
    pub(super) fn start(&self, labels: &mut Labels) -> Set {
        let mut set = self.nothing();
        let inputs = labels.aig.inputs();
        let zero = |&bit: &StateBit| Edge::new(inputs[bit as usize], true);
        let zeros: Vec<Edge> = self.actions.start_bits().iter().map(zero).collect();
        set[Cfa::START.index()] = labels.strengthened(LabelId::TRUE, &zeros);
        set
    }

    /// All states at the locations to which actions from the locations of a set lead, and that are not bad.
    pub(super) fn after(&self, set: &Set) -> Set {
        let mut after = self.nothing();
        for id in self.all().filter(|&id| is_inner(self.actions.action(id))) {
            let action = self.actions.action(id);
            if set[action.source.index()] != LabelId::FALSE {
                after[action.target.index()] = LabelId::TRUE;
            }
        }
        after
    }

    /// All states at the locations from which actions lead to the locations of a set, or to bad ones if there is none.
    pub(super) fn before(&self, set: Option<&Set>) -> Set {
        let mut before = self.nothing();
        for action in self.all().map(|id| self.actions.action(id)) {
            let leads = match set {
                Some(set) => is_inner(action) && set[action.target.index()] != LabelId::FALSE,
                None => !is_inner(action),
            };
            if leads {
                before[action.source.index()] = LabelId::TRUE;
            }
        }
        before
    }

    fn all(&self) -> impl Iterator<Item = ActionId> {
        0..self.actions.n_actions() as ActionId
    }

    /// Strengthens a set by a formula for each location.
    pub(super) fn strengthen(labels: &mut Labels, set: &mut Set, formulas: &[Edge]) {
        for (label, &formula) in set.iter_mut().zip(formulas) {
            if *label != LabelId::FALSE && formula != Edge::TRUE {
                let conjuncts = labels.split(formula);
                *label = labels.strengthened(*label, &conjuncts);
            }
        }
    }

    /// Whether there is a path. If there is none, the interpolants of the refutation at some cuts: cut `i` is that before
    /// action number `i`.
    pub(super) fn ask(
        &self,
        labels: &mut Labels,
        paths: &Paths<'_>,
        cuts: &[usize],
        system: System,
    ) -> Result<Found, UnknownReason> {
        let reach = self.reach(paths);
        let is_empty = reach
            .iter()
            .any(|cut| cut.iter().all(|side| *side != Side::Both));
        if is_empty {
            // The locations alone exclude all paths.
            let sequence = cuts.iter().map(|&cut| {
                let sides = reach[cut].iter();
                sides.map(|side| side.without_path()).collect()
            });
            return Ok(Found::Sequence(sequence.collect()));
        }
        let mut encoding = Encoding::new(self, labels, paths, &reach);
        let asked = stop_of(self.stop);
        asked.install(&mut encoding.sink.solver);
        match encoding.sink.solver.solve(&[]) {
            Answer::Unknown => return Err(why_stopped(self.stop)),
            Answer::Satisfiable => {
                let is_bad = matches!(paths.end, End::Bad);
                return Ok(Found::Path(is_bad.then(|| encoding.path(self.actions))));
            }
            Answer::Unsatisfiable => {}
        }
        let dag = refutation(&encoding.sink.solver, self.stop)?;
        let places: Vec<Label> = cuts.iter().map(|&cut| cut as Label).collect();
        let mut vars: Vec<Var> = encoding.roles.keys().copied().collect();
        // The order of inputs decides how interpolants are compacted: the same search every time.
        vars.sort_unstable();
        let dial = Dial {
            system,
            labelling: None,
            ..self.dial
        };
        let cnf = encoding.sink.cnf.as_ref();
        let (graph, edges) =
            derive(&dag, &places, &vars, cnf, &dial, &asked).map_err(|_| why_stopped(self.stop))?;
        let inputs = labels.aig.inputs().to_vec();
        let sequence = cuts.iter().zip(&edges).map(|(&cut, &edge)| {
            let locations = self.actions.locations();
            let formulas = locations.map(|location| {
                let side = reach[cut][location.index()];
                if side != Side::Both {
                    return side.without_path();
                }
                let carried = &self.carried[location.index()];
                let copied = labels.aig.copy_cone(&graph, &[edge], &mut |node| {
                    let var = vars[position(&graph, node) as usize];
                    match encoding.roles[&var] {
                        // Compaction has found two formulas of different cuts to be the same function, which then
                        // depends on the variables of neither.
                        (own, _) if own != cut => Edge::FALSE,
                        (_, Role::At(own)) if own == location => Edge::TRUE,
                        (_, Role::Bit(bit)) if carried.binary_search(&bit).is_ok() => {
                            Edge::new(inputs[bit as usize], false)
                        }
                        _ => Edge::FALSE,
                    }
                });
                copied[0]
            });
            formulas.collect()
        });
        Ok(Found::Sequence(sequence.collect()))
    }

    /// By cut and location: on which side of it there are paths, as far as locations tell.
    fn reach(&self, paths: &Paths<'_>) -> Vec<Vec<Side>> {
        let n = paths.depth;
        let set_at = |cut: usize| paths.sets.get(cut);
        let mut forward: Vec<Set> = vec![paths.sets[0].clone()];
        for cut in 1..=n {
            let mut after = self.after(&forward[cut - 1]);
            if let Some(set) = set_at(cut) {
                exclude(&mut after, set);
            }
            forward.push(after);
        }
        let last = match paths.end {
            End::Set(set) => set.clone(),
            End::Bad => self.before(None),
        };
        let mut backward: Vec<Set> = vec![last];
        for cut in (0..n).rev() {
            let mut before = self.before(backward.last());
            // What is known before an action belongs to the part of that action.
            if let (Some(set), true) = (set_at(cut), cut > 0) {
                exclude(&mut before, set);
            }
            backward.push(before);
        }
        backward.reverse();
        let sides = forward.iter().zip(&backward).map(|(forward, backward)| {
            let both = forward.iter().zip(backward);
            both.map(|(forward, backward)| match (*forward, *backward) {
                (LabelId::FALSE, _) => Side::NotBefore,
                (_, LabelId::FALSE) => Side::NotBehind,
                _ => Side::Both,
            })
            .collect()
        });
        sides.collect()
    }
}

fn is_inner(action: &Action) -> bool {
    action.target != Cfa::ERROR
}

/// Removes the locations at which a set has no states.
fn exclude(set: &mut Set, other: &Set) {
    for (label, other) in set.iter_mut().zip(other) {
        if *other == LabelId::FALSE {
            *label = LabelId::FALSE;
        }
    }
}

/// The sides of a cut on which a location has paths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    NotBefore,
    NotBehind,
    Both,
}

impl Side {
    /// The interpolant where there is no path on some side.
    fn without_path(self) -> Edge {
        match self {
            Self::NotBefore => Edge::FALSE,
            Self::NotBehind | Self::Both => Edge::TRUE,
        }
    }
}

/// What a variable of a cut stands for.
#[derive(Clone, Copy)]
enum Role {
    At(LocationId),
    Bit(StateBit),
}

/// The variables of a cut.
#[derive(Default)]
struct Cut {
    /// By location that a path can be at.
    at: Vec<(LocationId, Lit)>,
    bits: HashMap<StateBit, Lit>,
}

impl Cut {
    fn at(&self, location: LocationId) -> Option<Lit> {
        let place = self.at.binary_search_by_key(&location, |&(own, _)| own);
        place.ok().map(|place| self.at[place].1)
    }
}

/// The paths as clauses. Label 0 is the first set, label `i + 1` the action number `i` with the set before it, and the
/// last one the end.
struct Encoding {
    sink: Sink,
    cuts: Vec<Cut>,
    /// By action of the paths: its encoder, and the literal of each choice.
    steps: Vec<(Encoder, Vec<(ActionId, Lit)>)>,
    roles: HashMap<Var, (usize, Role)>,
}

impl Encoding {
    fn new(
        unrolled: &Unrolled<'_>,
        labels: &Labels,
        paths: &Paths<'_>,
        reach: &[Vec<Side>],
    ) -> Self {
        let mut this = Self {
            sink: Sink::new(unrolled.dial.simplify),
            cuts: Vec::new(),
            steps: Vec::new(),
            roles: HashMap::new(),
        };
        for (cut, sides) in reach.iter().enumerate() {
            this.add_cut(unrolled, cut, sides);
        }
        this.one_location(0);
        this.add_set(labels, &paths.sets[0], 0, 0);
        for step in 0..paths.depth {
            if let (Some(set), true) = (paths.sets.get(step), step > 0) {
                this.add_set(labels, set, step, step as Label + 1);
            }
            this.add_step(unrolled, step, false);
        }
        match paths.end {
            End::Set(set) => this.add_set(labels, set, paths.depth, paths.depth as Label + 1),
            End::Bad => this.add_step(unrolled, paths.depth, true),
        }
        this
    }

    fn add_cut(&mut self, unrolled: &Unrolled<'_>, number: usize, sides: &[Side]) {
        let mut cut = Cut::default();
        for location in unrolled.actions.locations() {
            if sides[location.index()] != Side::Both {
                continue;
            }
            let lit = self.sink.new_var().positive();
            self.roles.insert(lit.var(), (number, Role::At(location)));
            cut.at.push((location, lit));
            for &bit in &unrolled.carried[location.index()] {
                let (sink, roles) = (&mut self.sink, &mut self.roles);
                cut.bits.entry(bit).or_insert_with(|| {
                    let lit = sink.new_var().positive();
                    roles.insert(lit.var(), (number, Role::Bit(bit)));
                    lit
                });
            }
        }
        self.cuts.push(cut);
    }

    /// Adds that the first state is at one location.
    fn one_location(&mut self, partition: Label) {
        let lits: Vec<Lit> = self.cuts[0].at.iter().map(|&(_, lit)| lit).collect();
        self.sink.add_labelled_clause(&lits, partition);
        // A chain of variables that one of the literals so far is true.
        let mut before: Option<Lit> = None;
        for &lit in &lits {
            let so_far = self.sink.new_var().positive();
            self.sink.add_labelled_clause(&[!lit, so_far], partition);
            if let Some(before) = before {
                self.sink.add_labelled_clause(&[!before, !lit], partition);
                self.sink.add_labelled_clause(&[!before, so_far], partition);
            }
            before = Some(so_far);
        }
    }

    /// Adds that the state at a cut is in a set.
    fn add_set(&mut self, labels: &Labels, set: &Set, cut: usize, partition: Label) {
        let mut encoder = Encoder::new();
        for (&bit, &lit) in &self.cuts[cut].bits {
            encoder.set(labels.aig.inputs()[bit as usize], lit);
        }
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: partition,
        };
        for &(location, at) in &self.cuts[cut].at {
            for &conjunct in labels.conjuncts(set[location.index()]) {
                let lit = encoder.encode_polarity(&labels.aig, conjunct, &mut sink);
                sink.add_clause(&[!at, lit]);
            }
        }
    }

    /// Adds the choice of an action between two cuts, or of one to a bad location behind the last cut.
    fn add_step(&mut self, unrolled: &Unrolled<'_>, step: usize, is_last: bool) {
        let actions = unrolled.actions;
        let mut encoder = Encoder::new();
        let before = &self.cuts[step];
        for (&bit, &lit) in &before.bits {
            encoder.set(actions.input(bit).node(), lit);
        }
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: step as Label + 1,
        };
        let mut taken: Vec<(ActionId, Lit)> = Vec::new();
        let mut into: HashMap<LocationId, Vec<Lit>> = HashMap::new();
        for &(location, at) in &before.at {
            for &id in actions.outgoing(location) {
                let action = actions.action(id);
                let there = match (is_last, is_inner(action)) {
                    (true, false) => None,
                    (false, true) => match self.cuts[step + 1].at(action.target) {
                        Some(there) => Some(there),
                        None => continue,
                    },
                    _ => continue,
                };
                if action.guard == Edge::FALSE {
                    continue;
                }
                let take = sink.new_var().positive();
                taken.push((id, take));
                sink.add_clause(&[!take, at]);
                if action.guard != Edge::TRUE {
                    let guard = encoder.encode_polarity(&actions.aig, action.guard, &mut sink);
                    sink.add_clause(&[!take, guard]);
                }
                let Some(there) = there else { continue };
                into.entry(action.target).or_default().push(take);
                sink.add_clause(&[!take, there]);
                let behind = &self.cuts[step + 1];
                for &bit in &unrolled.carried[action.target.index()] {
                    let after = behind.bits[&bit];
                    match action.value(bit) {
                        Some(value) if value.is_constant() => {
                            sink.add_clause(&[!take, after.negate_if(value == Edge::FALSE)]);
                        }
                        value => {
                            let value = value.unwrap_or_else(|| actions.input(bit));
                            let value = encoder.encode(&actions.aig, value, &mut sink);
                            sink.add_clause(&[!take, !after, value]);
                            sink.add_clause(&[!take, after, !value]);
                        }
                    }
                }
            }
        }
        let some: Vec<Lit> = taken.iter().map(|&(_, take)| take).collect();
        sink.add_clause(&some);
        if let (false, Some(behind)) = (is_last, self.cuts.get(step + 1)) {
            for &(location, at) in &behind.at {
                let mut clause = into.remove(&location).unwrap_or_default();
                clause.push(!at);
                sink.add_clause(&clause);
            }
        }
        self.steps.push((encoder, taken));
    }

    /// The path in the last model.
    fn path(&self, actions: &Actions) -> ErrorPath {
        let mut found = ErrorPath {
            path: Vec::new(),
            chosen: Vec::new(),
        };
        let is_true = |lit: Lit| self.sink.solver.value(lit) == Some(true);
        let mut at = self.cuts[0]
            .at
            .iter()
            .find(|&&(_, lit)| is_true(lit))
            .map(|&(at, _)| at);
        for (encoder, taken) in &self.steps {
            let mut own = taken
                .iter()
                .filter(|&&(id, _)| Some(actions.action(id).source) == at);
            let &(id, _) = own
                .find(|&&(_, take)| is_true(take))
                .expect("each step takes an action");
            let mut values: HashMap<Term, u128> = HashMap::new();
            for &input in &actions.action(id).chooses {
                if encoder.literal(input).is_some_and(is_true) {
                    let (term, bit) = actions.chosen(input);
                    *values.entry(term).or_insert(0) |= 1 << bit;
                }
            }
            at = Some(actions.action(id).target);
            found.path.push(id);
            found.chosen.push(values);
        }
        found
    }
}
