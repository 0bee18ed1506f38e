//! Lazy annotation of programs with procedures: the algorithm InterLA (K. L. McMillan, "Lazy annotation for program
//! testing and verification", CAV 2010, section 2.3), with what calls were found to do.
//!
//! A *query* asks for a run of one procedure from one state at its entry, to an exit in some set of states, or to a
//! failure (the paper's `f`). Where the solver finds a run of the body in which each call does what its labels do not
//! exclude, the first call that is not known to do so is asked next (the rule DecideC). Where it finds none, a *label*
//! of the procedure is learnt (LearnC): a negative summary, which says of a relation between entry and exit that no
//! call is in it, or of entries that no call from there fails. It is an interpolant of the query against the body
//! with the labels of its calls, over the words at entry and exit alone, or bounds of these words (`bounds.rs`), and
//! blocks later queries of all callers.
//! A body without its calls has no loops, and is one action here; within it the solver does what IntraLA would.
//!
//! What a query has found is a *fact*: from a cube of entries, one exit or a failure can be reached by the same
//! choices. The cube has the bits of the entry on which the run depends, by the core of a query (the projection of
//! R. Komuravelli, A. Gurfinkel and S. Chaki, "SMT-based model checking for recursive programs", CAV 2014, whose
//! must-summaries these are). Facts of callees are not searched again, so that a run of a deep recursion has one
//! query for each state of a call, and not one for each call.
//!
//! *Fuel* bounds how deep calls nest. A label has the most fuel for which it is justified: one more than the least of
//! the labels that justify it. Without fuel, calls neither return nor fail (the labels `tau < 0`). After each round
//! the labels that justify each other whatever the fuel are kept (Strengthen, figure 3): those are summaries that the
//! caller of this module checks by other means.
//!
//! Every label is shown to hold at its body by a query of its own, whatever the interpolant was.

mod body;
mod bounded_word;
mod bounds;
mod strengthen;

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_mc::Control;
use craig_model::{Stop, UnknownReason};
use craig_word::Term;

use self::body::{Answered, Blocked, BodyQueries};
use self::strengthen::can_fail;
use super::inductive::Circuit;
use super::{Procedures, Summary};

/// How deep calls nest, at most.
type Fuel = u32;
const UNBOUNDED: Fuel = Fuel::MAX;

/// Exits that are found from one entry before a query asks for one of them alone.
const MANY: usize = 6;
/// Labels, at most.
const MAX_LABELS: usize = 20_000;
/// Fuel grows by one up to here, and then by a quarter.
const SLOW: Fuel = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Return,
    Fail,
}

/// What a query asks for.
enum Target {
    Fail,
    /// An exit that is none of these, and whose bits at these positions have these values.
    Return {
        not: Vec<Vec<bool>>,
        cube: Vec<(usize, bool)>,
    },
}

impl Target {
    fn outcome(&self) -> Outcome {
        match self {
            Self::Fail => Outcome::Fail,
            Self::Return { .. } => Outcome::Return,
        }
    }
}

/// A question about a body (0 is the root, and the others are procedures), from these bits at its entry.
struct Query {
    body: usize,
    entry: Vec<bool>,
    target: Target,
    fuel: Fuel,
}

/// A negative summary: no call with this fuel has this outcome in a state of the formula, over bits of the entry and
/// then the exit, which are the graph's inputs.
struct Label {
    procedure: usize,
    outcome: Outcome,
    graph: Aig,
    root: Edge,
    fuel: Fuel,
}

impl Label {
    /// The formula over these bits.
    fn image(&self, aig: &mut Aig, entry: &[Edge], exit: &[Edge]) -> Edge {
        let images = aig.copy_cone(&self.graph, &[self.root], &mut |node| {
            let Node::Input(position) = self.graph.node(node) else {
                unreachable!("leaves are inputs");
            };
            let position = position as usize;
            match entry.get(position) {
                Some(&edge) => edge,
                None => exit[position - entry.len()],
            }
        });
        images[0]
    }
}

/// A must-summary: from each entry in the cube, these choices lead to this exit, or to a failure without one.
struct Fact {
    cube: Vec<(usize, bool)>,
    exit: Option<Vec<bool>>,
    run: usize,
}

impl Fact {
    fn covers(&self, entry: &[bool]) -> bool {
        self.cube
            .iter()
            .all(|&(position, value)| entry[position] == value)
    }
}

/// The run of one body, and those of its calls.
#[derive(Clone, Debug)]
pub struct BodyRun {
    /// The procedure; `None` is the root.
    pub of: Option<usize>,
    /// The values of the variables in its terms. Those of the words at its entry are of one entry of several; the
    /// others are the same for all.
    pub values: HashMap<Term, u128>,
    /// By call: the number of its run, if it is made and matters.
    pub calls: Vec<Option<usize>>,
}

/// Runs of bodies, the last of which is a run of the root that fails. A run may be that of several calls.
#[derive(Clone, Debug, Default)]
pub struct CallRuns {
    /// Each after those of its calls.
    pub runs: Vec<BodyRun>,
}

/// The result of a round.
#[derive(Clone, Debug)]
pub enum Annotated {
    /// The program fails.
    Run(CallRuns),
    /// Summaries that prove the program, as far as its bodies are complete.
    Summaries(Vec<Summary>),
    /// No call nested so deep fails.
    Bounded(u32),
    /// There are too many labels, or queries.
    TooMany,
}

/// The state of the algorithm.
pub struct Annotation {
    circuit: Circuit,
    bodies: Vec<BodyQueries>,
    labels: Vec<Label>,
    /// By procedure.
    facts: Vec<Vec<Fact>>,
    runs: Vec<BodyRun>,
    /// How often the exits of a procedure from an entry were asked for.
    asked: HashMap<(usize, Vec<bool>), usize>,
    /// The queries on which the last one depends.
    stack: Vec<Query>,
    fuel: Fuel,
    /// The name under which it reports.
    name: &'static str,
    n_queries: usize,
    /// The number at which a round ends without result.
    max_queries: usize,
    n_reused: usize,
}

impl Annotation {
    /// Without labels and facts.
    #[must_use]
    pub fn new(problem: &Procedures, name: &'static str, stop: &Stop) -> Self {
        let mut circuit = Circuit::new();
        let can_fail = can_fail(problem);
        let bodies = (problem.bodies())
            .map(|(of, _)| BodyQueries::new(problem, &mut circuit, of, &can_fail, stop))
            .collect();
        Self {
            circuit,
            bodies,
            labels: Vec::new(),
            facts: problem.procedures.iter().map(|_| Vec::new()).collect(),
            runs: Vec::new(),
            asked: HashMap::new(),
            stack: Vec::new(),
            fuel: 0,
            name,
            n_queries: 0,
            max_queries: usize::MAX,
            n_reused: 0,
        }
    }

    /// This search with at most `max_queries` queries about bodies.
    #[must_use]
    pub fn with_limit(mut self, max_queries: usize) -> Self {
        self.max_queries = max_queries;
        self
    }

    /// A round with more fuel than the last one.
    ///
    /// # Errors
    /// If the control stops the search.
    pub fn step(
        &mut self,
        problem: &mut Procedures,
        control: Control<'_>,
    ) -> Result<Annotated, UnknownReason> {
        self.fuel += match self.fuel {
            0..SLOW => 1,
            fuel => fuel / 4,
        };
        debug_assert!(self.stack.is_empty());
        let found = self.search(control.stop)?;
        control.listener.note(self.name, || {
            format!(
                "calls nested {} deep: {} queries, {} labels, {} facts, used {} times",
                self.fuel,
                self.n_queries,
                self.labels.len(),
                self.runs.len(),
                self.n_reused
            )
        });
        Ok(match found {
            Searched::Run => Annotated::Run(CallRuns {
                runs: std::mem::take(&mut self.runs),
            }),
            Searched::TooMany => Annotated::TooMany,
            Searched::Blocked(UNBOUNDED) => self.summaries(problem, control.stop)?,
            Searched::Blocked(_) => {
                self.strengthen(control.stop)?;
                self.summaries(problem, control.stop)?
            }
        })
    }

    /// Asks the root until it is blocked, or a run was found.
    fn search(&mut self, stop: &Stop) -> Result<Searched, UnknownReason> {
        self.stack.push(Query {
            body: 0,
            entry: Vec::new(),
            target: Target::Fail,
            fuel: self.fuel,
        });
        while let Some(query) = self.stack.last() {
            if let Some(reason) = stop.reason() {
                return Err(reason);
            }
            if self.labels.len() > MAX_LABELS || self.n_queries >= self.max_queries {
                return Ok(Searched::TooMany);
            }
            self.n_queries += 1;
            // The fuel of its calls.
            let below = match query.body {
                0 => query.fuel,
                _ => query.fuel - 1,
            };
            let body = &mut self.bodies[query.body];
            let answer = body.ask(&self.circuit.aig, &self.labels, query, below, stop)?;
            match answer {
                Answered::Blocked(blocked) if query.body == 0 => {
                    self.stack.pop();
                    return Ok(Searched::Blocked(blocked.fuel));
                }
                Answered::Blocked(blocked) => {
                    let query = self.stack.pop().expect("the stack is not empty");
                    self.learn(&query, &blocked, stop)?;
                }
                Answered::Model => match self.next_call(below, stop)? {
                    Next::Ask(next) => self.stack.push(next),
                    Next::Known(calls) => {
                        self.add_fact(calls, stop)?;
                        let query = self.stack.pop().expect("the stack is not empty");
                        if query.body == 0 {
                            return Ok(Searched::Run);
                        }
                    }
                },
            }
        }
        unreachable!("the root's query ends the search")
    }

    /// The first call in the last model of the topmost query that does what no fact says; or the facts.
    fn next_call(&mut self, below: Fuel, stop: &Stop) -> Result<Next, UnknownReason> {
        let query = self.stack.last().expect("the stack is not empty");
        let body = &self.bodies[query.body];
        let fails = query.target.outcome() == Outcome::Fail && !body.value(body.own_fails);
        let mut known = vec![None; body.calls.len()];
        for (place, call) in body.calls.iter().enumerate() {
            if !body.value(call.guard) {
                continue;
            }
            let outcome = match (fails && body.value(call.fails), body.value(call.returns)) {
                (true, _) => Outcome::Fail,
                (false, true) => Outcome::Return,
                (false, false) => continue,
            };
            let entry = body.values(&call.entry);
            let exit = body.values(&call.exit);
            let facts = &self.facts[call.callee];
            let of_entry = || facts.iter().filter(|fact| fact.covers(&entry));
            let same = |fact: &&Fact| match (outcome, &fact.exit) {
                (Outcome::Fail, None) => true,
                (Outcome::Return, Some(own)) => *own == exit,
                _ => false,
            };
            match of_entry().find(same) {
                Some(fact) => known[place] = Some(fact.run),
                None => {
                    let not = of_entry().filter_map(|fact| fact.exit.clone()).collect();
                    let query = Query {
                        body: call.callee + 1,
                        target: Target::Fail,
                        entry,
                        fuel: below,
                    };
                    return match outcome {
                        Outcome::Fail => Ok(Next::Ask(query)),
                        Outcome::Return => {
                            let target = self.exits(place, &query.entry, not, stop)?;
                            Ok(Next::Ask(Query { target, ..query }))
                        }
                    };
                }
            }
            if outcome == Outcome::Fail {
                break;
            }
        }
        self.n_reused += known.iter().flatten().count();
        Ok(Next::Known(known))
    }

    /// The exits of a call to ask for, where the last model has one that no fact about its entry has.
    ///
    /// At first those behind which the caller's run goes on in the same way: what excludes them is what the caller
    /// needs of the summary. If the same entry is asked again, any exit but the known ones: of a deterministic callee,
    /// that makes its one exit known, and the label excludes all others. If there are many exits, those alone again.
    fn exits(
        &mut self,
        place: usize,
        entry: &[bool],
        mut not: Vec<Vec<bool>>,
        stop: &Stop,
    ) -> Result<Target, UnknownReason> {
        let body = self.stack.last().expect("the stack is not empty").body;
        let callee = self.bodies[body].calls[place].callee;
        let asked = (self.asked).entry((callee, entry.to_vec())).or_insert(0);
        *asked += 1;
        if *asked > 1 && not.len() < MANY {
            let cube = Vec::new();
            return Ok(Target::Return { not, cube });
        }
        let mut bits = self.model().1;
        let conditions = self.continuation(&mut bits);
        let body = &self.bodies[body];
        let exit = &body.calls[place].exit;
        let values = body.values(exit);
        let (aig, exit) = (&self.circuit.aig, exit.as_slice());
        let cube = body.lift_cube(aig, &conditions, &bits, (exit, &values), stop)?;
        not.retain(|known| {
            cube.iter()
                .all(|&(position, value)| known[position] == value)
        });
        Ok(Target::Return { not, cube })
    }

    /// The variables of the topmost query's body in the last model, and their bits.
    fn model(&self) -> (HashMap<Term, u128>, HashMap<NodeId, bool>) {
        let query = self.stack.last().expect("the stack is not empty");
        let body = &self.bodies[query.body];
        let mut values = HashMap::new();
        let mut bits = HashMap::new();
        for (term, edges) in &self.circuit.variables[body.variables.clone()] {
            let mut number = 0;
            for (position, &edge) in edges.iter().enumerate() {
                let value = body.value(edge);
                if position < 128 {
                    number |= u128::from(value) << position;
                }
                bits.insert(edge.node(), value);
            }
            values.insert(*term, number);
        }
        (values, bits)
    }

    /// That the topmost query's body makes the calls of the last model, and ends as the query asks.
    fn continuation(&mut self, bits: &mut HashMap<NodeId, bool>) -> Vec<Edge> {
        let query = self.stack.last().expect("the stack is not empty");
        let body = &self.bodies[query.body];
        let is = |edge: Edge, value: bool| if value { edge } else { !edge };
        let mut conditions = Vec::new();
        for call in &body.calls {
            bits.insert(call.fails.node(), body.value(call.fails));
            conditions.push(is(call.guard, body.value(call.guard)));
        }
        conditions.push(body.end(query.target.outcome()));
        if let Target::Return { not, cube } = &query.target {
            let cube = cube.iter();
            conditions.extend(cube.map(|&(position, value)| is(body.exit[position], value)));
            for values in not {
                let differs = body.exit.iter().zip(values);
                let differs: Vec<Edge> = differs.map(|(&edge, &value)| is(edge, !value)).collect();
                conditions.push(self.circuit.aig.or_all(differs));
            }
        }
        conditions
    }

    /// The fact that the last model is a run of the topmost query's body, whose calls are known.
    fn add_fact(&mut self, calls: Vec<Option<usize>>, stop: &Stop) -> Result<(), UnknownReason> {
        let (values, mut bits) = self.model();
        let query = self.stack.last().expect("the stack is not empty");
        let body = &self.bodies[query.body];
        let (of, run) = (body.of, self.runs.len());
        if let Some(procedure) = of {
            let exit = match query.target {
                Target::Fail => None,
                Target::Return { .. } => Some(body.values(&body.exit)),
            };
            let conditions = self.conditions(query, &calls, &mut bits);
            let entry = (body.entry.as_slice(), query.entry.as_slice());
            let cube = body.lift_cube(&self.circuit.aig, &conditions, &bits, entry, stop)?;
            self.facts[procedure].push(Fact { cube, exit, run });
        }
        self.runs.push(BodyRun { of, values, calls });
        Ok(())
    }

    /// What has to hold for the last model's run to be taken from another entry: the calls are made where the facts
    /// about them hold, the others are not made, and the end is the same.
    fn conditions(
        &self,
        query: &Query,
        calls: &[Option<usize>],
        bits: &mut HashMap<NodeId, bool>,
    ) -> Vec<Edge> {
        let body = &self.bodies[query.body];
        let mut conditions = Vec::new();
        let is = |edge: Edge, value: bool| if value { edge } else { !edge };
        let mut has_failed = false;
        for (call, run) in body.calls.iter().zip(calls) {
            bits.insert(call.fails.node(), false);
            match run {
                Some(run) => {
                    let facts = &self.facts[call.callee];
                    let fact = facts.iter().find(|fact| fact.run == *run);
                    let fact = fact.expect("the fact is kept");
                    conditions.push(call.guard);
                    let cube = fact.cube.iter();
                    conditions
                        .extend(cube.map(|&(position, value)| is(call.entry[position], value)));
                    has_failed |= fact.exit.is_none();
                }
                None if !has_failed && !body.value(call.guard) => conditions.push(!call.guard),
                None => {}
            }
        }
        match &query.target {
            Target::Fail if has_failed => {}
            Target::Fail => conditions.push(body.own_fails),
            Target::Return { .. } => {
                conditions.push(body.returns);
                let exit = body.exit.iter();
                conditions.extend(exit.map(|&edge| is(edge, body.value(edge))));
            }
        }
        conditions
    }

    /// The rule LearnC: a label of the procedure that blocks a query.
    fn learn(
        &mut self,
        query: &Query,
        blocked: &Blocked,
        stop: &Stop,
    ) -> Result<(), UnknownReason> {
        let id = self.labels.len();
        let Self {
            bodies,
            circuit,
            labels,
            ..
        } = self;
        let body = &mut bodies[query.body];
        let made = |(graph, root): (Aig, Edge)| Label {
            procedure: query.body - 1,
            outcome: query.target.outcome(),
            graph,
            root,
            fuel: 0,
        };
        let bounds = body.bounds(&circuit.aig, labels, query, blocked, stop)?;
        let candidate = match bounds {
            Some(bounds) => Some(bounds),
            None => body.interpolant(&circuit.aig, query, blocked, stop)?,
        };
        let mut justified = None;
        if let Some(label) = candidate.map(made) {
            debug_assert!(holds(&label, query), "the label blocks the query");
            let found = body.justify(circuit, labels, (id, &label), blocked.fuel, stop)?;
            match found {
                Some(core) => justified = Some((label, core)),
                None => {
                    debug_assert!(false, "a label is not justified");
                    body.forget(id);
                }
            }
        }
        let (mut label, core) = match justified {
            Some(justified) => justified,
            None => {
                let label = made(cube(query, blocked, body.exit.len()));
                let core = body.justify(circuit, labels, (id, &label), blocked.fuel, stop)?;
                (label, core.expect("the core of a query is justified"))
            }
        };
        label.fuel = more(core.fuel);
        for body in bodies {
            body.add_label(circuit, id, &label);
        }
        labels.push(label);
        Ok(())
    }
}

/// The end of a round.
enum Searched {
    Run,
    /// With the fuel for which the labels block the root.
    Blocked(Fuel),
    TooMany,
}

/// What to do about a model.
enum Next {
    Ask(Query),
    /// By call: the run of the fact about it.
    Known(Vec<Option<usize>>),
}

fn more(fuel: Fuel) -> Fuel {
    fuel.saturating_add(1)
}

/// The states of a query, with the bits alone that a core names.
fn cube(query: &Query, blocked: &Blocked, n_exit: usize) -> (Aig, Edge) {
    let mut graph = Aig::new();
    let entry: Vec<Edge> = query.entry.iter().map(|_| graph.add_input()).collect();
    let exit: Vec<Edge> = match query.target {
        Target::Fail => Vec::new(),
        Target::Return { .. } => (0..n_exit).map(|_| graph.add_input()).collect(),
    };
    let is = |edge: Edge, value: bool| if value { edge } else { !edge };
    let mut all: Vec<Edge> = (blocked.entry.iter())
        .map(|&position| is(entry[position], query.entry[position]))
        .collect();
    if let Target::Return { not, cube } = &query.target {
        for &(position, value) in cube {
            if blocked.exit.contains(&position) {
                all.push(is(exit[position], value));
            }
        }
        let kept = not.iter().filter(|_| blocked.excluded.is_some());
        for values in kept {
            let differs = exit
                .iter()
                .zip(values)
                .map(|(&edge, &value)| is(edge, !value));
            let differs: Vec<Edge> = differs.collect();
            all.push(graph.or_all(differs));
        }
    }
    let root = graph.and_all(all);
    (graph, root)
}

/// Whether a label holds at the entry of a query, if the exit does not matter.
fn holds(label: &Label, query: &Query) -> bool {
    query.target.outcome() == Outcome::Return
        || label.graph.evaluate(&query.entry, &[label.root])[0]
}
