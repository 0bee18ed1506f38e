//! The Boolean program: what is known of each action in terms of predicates, and the states that are reached.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_mc::engine::bdd::{Diagrams, Stop, circuit};
use craig_model::UnknownReason;
use craig_solver::Lit;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Subst, VarNo};

use super::action_queries::{ActionQueries, Cube};
use super::options::Image;
use super::predicates::{Predicates, current, next};
use crate::actions::{ActionId, Actions, StateBit, position};
use crate::cfa::{Cfa, LocationId};

/// Nodes of decision diagrams, at most: 2^20, with their tables some 50 MB.
pub(super) const NODES: usize = 1 << 20;

/// States that an action adds to a location, in the step that ends there.
struct Contribution {
    action: ActionId,
    states: BCDDFunction,
}

/// The cubes of an image that were found by queries.
#[derive(Clone)]
struct KnownImage {
    /// The number of predicates behind the action at that time.
    n_behind: usize,
    cubes: Vec<Cube>,
}

/// The maximal number of known images of an action.
const KNOWN_IMAGES: usize = 64;

/// What is reached first after the layer's number of steps: by location.
type Layer = HashMap<LocationId, BCDDFunction>;

/// A run of the Boolean program to what is bad.
pub(super) struct AbstractRun {
    pub(super) path: Vec<ActionId>,
    /// The values of the predicates before each action.
    pub(super) states: Vec<Vec<bool>>,
}

/// The variables of `n_predicates` predicates.
fn variables(n_predicates: usize, which: fn(usize) -> VarNo) -> Vec<VarNo> {
    (0..n_predicates).map(which).collect()
}

/// How a computation with diagrams ended without a result.
pub(super) fn why(stop: Stop) -> UnknownReason {
    match stop {
        Stop::Told(reason) => reason,
        Stop::Nodes => UnknownReason::Bound(format!(
            "the decision diagrams have more than {NODES} nodes"
        )),
    }
}

pub(super) struct BooleanProgram<'a> {
    actions: &'a Actions,
    stop: &'a craig_model::Stop,
    image: Image,
    diagrams: Diagrams<'a>,
    /// Pairs of variables that there are.
    n_pairs: usize,
    /// By action: the relation of the predicates at its source with those at its target.
    relations: Vec<BCDDFunction>,
    queries: Vec<Option<ActionQueries>>,
    /// By action: what queries about images found.
    images: Vec<HashMap<BCDDFunction, KnownImage>>,
    /// Layer i: what is reached first after i steps. The steps into a layer are those from the one before; each
    /// layer contains what the relations allowed when it was made.
    layers: Vec<Layer>,
    /// By layer: the actions behind its states, by location.
    sources: Vec<HashMap<LocationId, Vec<Contribution>>>,
    /// By layer from which all steps were computed: the actions with a step from it.
    taken: Vec<Vec<ActionId>>,
    /// The action to what is bad of the last abstract run.
    to_error: Option<ActionId>,
    /// By location: an image of a step from it may have become smaller since the layers were made.
    is_stale: Vec<bool>,
    /// By location: the states that are reached, after [`BooleanProgram::run`].
    reached: Vec<BCDDFunction>,
    /// What queries for images were asked, for people.
    pub(super) n_queries: usize,
}

impl<'a> BooleanProgram<'a> {
    pub(super) fn new(actions: &'a Actions, image: Image, stop: &'a craig_model::Stop) -> Self {
        let diagrams = Diagrams::new(0, NODES, stop);
        let relations = vec![diagrams.constant(true); actions.n_actions()];
        Self {
            actions,
            stop,
            image,
            n_pairs: 0,
            queries: (0..relations.len()).map(|_| None).collect(),
            images: vec![HashMap::new(); relations.len()],
            layers: vec![Layer::from([(Cfa::START, diagrams.constant(true))])],
            sources: vec![HashMap::new()],
            taken: Vec::new(),
            to_error: None,
            is_stale: vec![false; actions.n_locations()],
            reached: vec![diagrams.constant(false); actions.n_locations()],
            relations,
            diagrams,
            n_queries: 0,
        }
    }

    /// Makes variables for all predicates.
    pub(super) fn reserve(&mut self, predicates: &Predicates) {
        let missing = predicates.most().saturating_sub(self.n_pairs);
        self.diagrams.add_variables(2 * missing as VarNo);
        self.n_pairs += missing;
    }

    /// Allows only what a formula allows of an action. Input number i of the formula's graph is the variable
    /// `variables[i]`.
    pub(super) fn restrict(
        &mut self,
        action: ActionId,
        aig: &Aig,
        formula: Edge,
        variables: &[VarNo],
    ) -> Result<(), UnknownReason> {
        if formula == Edge::TRUE {
            return Ok(());
        }
        self.is_stale[self.actions.action(action).source.index()] = true;
        let (diagrams, relation) = (&self.diagrams, &self.relations[action as usize]);
        let variable = |node| variables[position(aig, node) as usize];
        let stronger = diagrams.compute(|| {
            let function = diagrams.functions(aig, &[formula], &variable)?;
            relation.and(&function[0])
        });
        self.relations[action as usize] = stronger.map_err(why)?;
        Ok(())
    }

    /// Takes note of new predicates behind an action.
    pub(super) fn expect_smaller_images(&mut self, action: ActionId) {
        let target = self.actions.action(action).target;
        for &incoming in self.actions.incoming(target) {
            let source = self.actions.action(incoming).source;
            self.is_stale[source.index()] = true;
        }
    }

    /// Forgets the layers behind the first one with a step whose image may have become smaller.
    fn forget_stale_layers(&mut self) -> Result<(), UnknownReason> {
        let is_stale = |layer: &Layer| layer.keys().any(|location| self.is_stale[location.index()]);
        if let Some(first) = self.layers.iter().position(is_stale) {
            self.layers.truncate(first + 1);
            self.sources.truncate(first + 1);
        }
        self.taken.truncate(self.layers.len() - 1);
        self.to_error = None;
        self.is_stale.fill(false);
        self.reached.fill(self.diagrams.constant(false));
        for (&location, states) in self.layers.iter().flatten() {
            let (diagrams, reached) = (&self.diagrams, &self.reached[location.index()]);
            let more = diagrams.compute(|| reached.or(states)).map_err(why)?;
            self.reached[location.index()] = more;
        }
        Ok(())
    }

    /// The reachable states. A run to what is bad, if there is one.
    ///
    /// Layers of the last search are kept up to the first one with a step that was refined since. Closed sets
    /// result: images of kept layers were computed before relations became smaller, and are in kept layers.
    pub(super) fn run(
        &mut self,
        aig: &mut Aig,
        predicates: &Predicates,
    ) -> Result<Option<AbstractRun>, UnknownReason> {
        self.forget_stale_layers()?;
        loop {
            let depth = self.layers.len();
            let mut frontier: Vec<(LocationId, BCDDFunction)> = (self.layers[depth - 1].iter())
                .map(|(&location, states)| (location, states.clone()))
                .collect();
            frontier.sort_unstable_by_key(|&(location, _)| location);
            let mut layer = Layer::new();
            let mut from: HashMap<LocationId, Vec<Contribution>> = HashMap::new();
            let mut taken = Vec::new();
            for (location, states) in frontier {
                for &action in self.actions.outgoing(location) {
                    if let Some(reason) = self.stop.reason() {
                        return Err(reason);
                    }
                    let target = self.actions.action(action).target;
                    let image = self.image_of(action, &states, aig, predicates)?;
                    if target == Cfa::ERROR {
                        if image.satisfiable() {
                            self.to_error = Some(action);
                            return self.trace(action, aig, predicates).map(Some);
                        }
                        continue;
                    }
                    if image.satisfiable() {
                        taken.push(action);
                    }
                    let (diagrams, reached) = (&self.diagrams, &self.reached[target.index()]);
                    let new = diagrams
                        .compute(|| image.and(&reached.not()?))
                        .map_err(why)?;
                    if new.satisfiable() {
                        let layer = layer
                            .entry(target)
                            .or_insert_with(|| diagrams.constant(false));
                        *layer = diagrams.compute(|| layer.or(&new)).map_err(why)?;
                        let states = new;
                        (from.entry(target).or_default()).push(Contribution { action, states });
                    }
                }
            }
            self.taken.push(taken);
            if layer.is_empty() {
                return Ok(None);
            }
            for (&location, states) in &layer {
                let (diagrams, reached) = (&self.diagrams, &self.reached[location.index()]);
                let more = diagrams.compute(|| reached.or(states)).map_err(why)?;
                self.reached[location.index()] = more;
            }
            self.layers.push(layer);
            self.sources.push(from);
        }
    }

    /// The states behind an action, from some before it.
    fn image_of(
        &mut self,
        action: ActionId,
        states: &BCDDFunction,
        aig: &mut Aig,
        predicates: &Predicates,
    ) -> Result<BCDDFunction, UnknownReason> {
        let relation = (self.relational_image(action, states, predicates)).map_err(why)?;
        if self.image == Image::Approximate || !relation.satisfiable() {
            return Ok(relation);
        }
        let cubes = self.cubes_of(action, states, aig, predicates)?;
        let diagrams = &self.diagrams;
        let image = diagrams.compute(|| {
            let mut image = diagrams.constant(false);
            for cube in &cubes {
                diagrams.poll()?;
                let mut states = diagrams.constant(true);
                for &(predicate, value) in cube.iter().rev() {
                    let variable = diagrams.variable(current(predicate))?;
                    states = diagrams.and_value(&states, &variable, value)?;
                }
                image = image.or(&states)?;
            }
            image.and(&relation)
        });
        image.map_err(why)
    }

    /// The cubes of the image of some states, by queries. They depend on the states, the action, and the
    /// number of predicates behind it only, since predicates are never removed.
    #[allow(
        clippy::mutable_key_type,
        reason = "equality and hash are those of the node, which never changes"
    )]
    fn cubes_of(
        &mut self,
        action: ActionId,
        states: &BCDDFunction,
        aig: &mut Aig,
        predicates: &Predicates,
    ) -> Result<Vec<Cube>, UnknownReason> {
        let step = self.actions.action(action);
        let n_behind = predicates.at(step.target).len();
        if let Some(known) = self.images[action as usize].get(states)
            && known.n_behind == n_behind
        {
            return Ok(known.cubes.clone());
        }
        let behind = self.literals_behind(action, aig, predicates);
        let formula = self.concrete(step.source, states, aig, predicates);
        let before = self.literal_before(action, aig, formula);
        self.n_queries += 1;
        let queries = self.queries[action as usize].as_mut();
        let queries = queries.expect("it was made for the literals");
        let cubes: Vec<Cube> = match self.image {
            Image::Exact => queries.exact(before, &behind, self.stop)?,
            _ => (queries.cartesian(before, &behind, self.stop)?)
                .into_iter()
                .collect(),
        };
        let images = &mut self.images[action as usize];
        if images.len() == KNOWN_IMAGES {
            images.clear();
        }
        let known = KnownImage {
            n_behind,
            cubes: cubes.clone(),
        };
        images.insert(states.clone(), known);
        Ok(cubes)
    }

    /// The states that the relation of an action leads to.
    fn relational_image(
        &self,
        action: ActionId,
        states: &BCDDFunction,
        predicates: &Predicates,
    ) -> Result<BCDDFunction, Stop> {
        let (diagrams, relation) = (&self.diagrams, &self.relations[action as usize]);
        if relation.valid() {
            return Ok(diagrams.constant(states.satisfiable()));
        }
        let step = self.actions.action(action);
        let n_before = predicates.at(step.source).len();
        let n_behind = predicates.at(step.target).len();
        diagrams.compute(|| {
            let before = diagrams.set(&variables(n_before, current))?;
            let image = states.apply_exists(BooleanOperator::And, relation, &before)?;
            self.rename(&image, n_behind, next, current)
        })
    }

    /// The states from which the relation of an action leads to some of the given ones.
    fn preimage(
        &self,
        action: ActionId,
        states: &BCDDFunction,
        predicates: &Predicates,
    ) -> Result<BCDDFunction, Stop> {
        let (diagrams, relation) = (&self.diagrams, &self.relations[action as usize]);
        let n_behind = predicates.at(self.actions.action(action).target).len();
        diagrams.compute(|| {
            let behind = diagrams.set(&variables(n_behind, next))?;
            let states = self.rename(states, n_behind, current, next)?;
            states.apply_exists(BooleanOperator::And, relation, &behind)
        })
    }

    fn rename(
        &self,
        function: &BCDDFunction,
        n_predicates: usize,
        from: fn(usize) -> VarNo,
        to: fn(usize) -> VarNo,
    ) -> AllocResult<BCDDFunction> {
        let to: AllocResult<Vec<BCDDFunction>> = (variables(n_predicates, to).into_iter())
            .map(|variable| self.diagrams.variable(variable))
            .collect();
        function.substitute(&Subst::new(variables(n_predicates, from), to?))
    }

    /// A run that ends with an action to what is bad from the last layer.
    fn trace(
        &mut self,
        last: ActionId,
        aig: &mut Aig,
        predicates: &Predicates,
    ) -> Result<AbstractRun, UnknownReason> {
        let mut path = vec![last];
        let mut states: Vec<Vec<bool>> = Vec::new();
        for depth in (0..self.layers.len()).rev() {
            let action = path[path.len() - 1];
            let location = self.actions.action(action).source;
            // Any of the states of the layer that the action leads on from.
            let here = self.layers[depth][&location].clone();
            let after = states.last();
            let state = match self.image {
                Image::Exact => self.exact_predecessor(action, &here, after, aig, predicates)?,
                _ => self.predecessor(action, &here, after, predicates)?,
            };
            if depth > 0 {
                let cube = self.cube(&state).map_err(why)?;
                let found = self.sources[depth][&location].iter().find(|contribution| {
                    let met = self.diagrams.compute(|| contribution.states.and(&cube));
                    met.is_ok_and(|met| met.satisfiable())
                });
                let found = found.ok_or(UnknownReason::OutOfMemory)?;
                path.push(found.action);
            }
            states.push(state);
        }
        path.reverse();
        states.reverse();
        Ok(AbstractRun { path, states })
    }

    /// The states in which all predicates have these values.
    fn cube(&self, values: &[bool]) -> Result<BCDDFunction, Stop> {
        let diagrams = &self.diagrams;
        diagrams.compute(|| {
            let mut cube = diagrams.constant(true);
            for (predicate, &value) in values.iter().enumerate().rev() {
                let variable = diagrams.variable(current(predicate))?;
                cube = diagrams.and_value(&cube, &variable, value)?;
            }
            Ok(cube)
        })
    }

    fn predecessor(
        &self,
        action: ActionId,
        states: &BCDDFunction,
        after: Option<&Vec<bool>>,
        predicates: &Predicates,
    ) -> Result<Vec<bool>, UnknownReason> {
        let n_behind = predicates.at(self.actions.action(action).target).len();
        let after = match after {
            // Further values belong to no predicate of the location.
            Some(values) => self.cube(&values[..n_behind]),
            None => Ok(self.diagrams.constant(true)),
        };
        let before = self
            .preimage(action, &after.map_err(why)?, predicates)
            .map_err(why)?;
        let met = self.diagrams.compute(|| before.and(states)).map_err(why)?;
        let picked = self.diagrams.pick(&met);
        let picked = picked.expect("the action leads on from a state of the layer");
        let n = self.n_pairs;
        Ok((0..n)
            .map(|index| picked[current(index) as usize])
            .collect())
    }

    /// As `predecessor`, by a step of the program.
    fn exact_predecessor(
        &mut self,
        action: ActionId,
        states: &BCDDFunction,
        after: Option<&Vec<bool>>,
        aig: &mut Aig,
        predicates: &Predicates,
    ) -> Result<Vec<bool>, UnknownReason> {
        let source = self.actions.action(action).source;
        let behind = self.literals_behind(action, aig, predicates);
        let before = self.literals_before(action, aig, predicates);
        let states = self.concrete(source, states, aig, predicates);
        let states = self.literal_before(action, aig, states);
        let behind: Vec<Lit> = match after {
            Some(values) => (behind.iter().zip(values))
                .map(|(lit, &value)| lit.negate_if(!value))
                .collect(),
            None => Vec::new(),
        };
        let queries = self.queries[action as usize].as_mut();
        let queries = queries.expect("it was made for the literals");
        let found = queries.predecessor(states, &before, &behind, self.stop)?;
        let mut values = found.expect("the exact image has a predecessor");
        values.resize(self.n_pairs, false);
        Ok(values)
    }

    /// What states of a location mean for the words.
    fn concrete(
        &self,
        location: LocationId,
        states: &BCDDFunction,
        aig: &mut Aig,
        predicates: &Predicates,
    ) -> Edge {
        let list = predicates.at(location);
        circuit(states, aig, &|variable| {
            let predicate = variable as usize / 2;
            debug_assert_eq!(variable, current(predicate));
            list[predicate].formula
        })
    }

    /// The states that are reached at a location.
    pub(super) fn reached(&self, location: LocationId) -> &BCDDFunction {
        &self.reached[location.index()]
    }

    pub(super) fn variable(&self, variable: VarNo) -> AllocResult<BCDDFunction> {
        self.diagrams.variable(variable)
    }

    /// The actions with steps from reached states, breadth first, and that to what is bad of the last abstract run.
    /// An action may occur several times.
    pub(super) fn taken(&self) -> impl Iterator<Item = ActionId> {
        self.taken.iter().flatten().copied().chain(self.to_error)
    }

    /// Whether no step from a location was computed that is reached.
    pub(super) fn is_open(&self, location: LocationId) -> bool {
        let depth = (self.layers.iter()).position(|layer| layer.contains_key(&location));
        depth.is_some_and(|depth| depth >= self.taken.len())
    }

    /// What is reached at each location, over the words.
    pub(super) fn concrete_reached(&self, aig: &mut Aig, predicates: &Predicates) -> Vec<Edge> {
        let sources = self.actions.locations();
        sources
            .map(|location| {
                let states = &self.reached[location.index()];
                self.concrete(location, states, aig, predicates)
            })
            .collect()
    }

    fn queries_of(&mut self, action: ActionId) -> &mut ActionQueries {
        let (actions, stop) = (self.actions, self.stop);
        self.queries[action as usize]
            .get_or_insert_with(|| ActionQueries::new(actions, actions.action(action), stop))
    }

    fn literal_before(&mut self, action: ActionId, aig: &Aig, formula: Edge) -> Lit {
        let support: Vec<StateBit> = (aig.support(&[formula]).into_iter())
            .map(|node| position(aig, node))
            .collect();
        let actions = self.actions;
        let queries = self.queries_of(action);
        queries.before(actions, aig, (formula, &support))
    }

    /// The literals of the predicates before an action, in their order.
    pub(super) fn literals_before(
        &mut self,
        action: ActionId,
        aig: &Aig,
        predicates: &Predicates,
    ) -> Vec<Lit> {
        let actions = self.actions;
        let list = predicates.at(actions.action(action).source);
        let queries = self.queries_of(action);
        (list.iter())
            .map(|predicate| {
                let formula = (predicate.formula, &*predicate.support);
                queries.before(actions, aig, formula)
            })
            .collect()
    }

    /// The literals of the predicates behind an action, in their order.
    pub(super) fn literals_behind(
        &mut self,
        action: ActionId,
        aig: &Aig,
        predicates: &Predicates,
    ) -> Vec<Lit> {
        let actions = self.actions;
        let step = actions.action(action);
        let list = predicates.at(step.target);
        let queries = self.queries_of(action);
        (list.iter())
            .map(|predicate| queries.behind(actions, step, aig, predicate))
            .collect()
    }

    /// A part of the literals that no step by an action satisfies; nothing if a step satisfies all.
    pub(super) fn conflict(
        &mut self,
        action: ActionId,
        lits: &[Lit],
    ) -> Result<Option<Vec<Lit>>, UnknownReason> {
        let stop = self.stop;
        self.n_queries += 1;
        self.queries_of(action).conflict(lits, stop)
    }
}
