//! The queries about one body, and the labels of its calls.

use std::collections::{BTreeSet, HashMap};

use craig_aig::{Aig, Edge, NodeId};
use craig_itp::{System, interpolant};
use craig_mc::control::listen_in;
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::LabelledClauseSink;
use craig_solver::proof::ProofLog;
use craig_solver::{Answer, Label as Side, Lit, Options as SolverOptions, Solver, Var};
use craig_solver::{
    compact::compact,
    encode::{ClauseSink, Encoder, Labelled},
    sweep::Budget,
};

use super::super::Procedures;
use super::super::inductive::Circuit;
use super::bounded_word::BoundedWord;
use super::{Fuel, Label, Outcome, Query, Target, UNBOUNDED};

/// Gates of an interpolant that becomes a label, at most.
const MAX_GATES: usize = 400;
/// The budget of the compaction of one interpolant.
const COMPACTION: Budget = Budget {
    conflicts: 200,
    conflicts_per_query: 10,
    ticks: 100_000,
};

/// The sides of the cut at the entry and the exit of a procedure.
const CALLER: Side = 0;
const CALLEE: Side = 1;

/// A call in the graph of all bodies.
pub(super) struct Call {
    pub(super) callee: usize,
    pub(super) guard: Edge,
    pub(super) entry: Vec<Edge>,
    pub(super) exit: Vec<Edge>,
    pub(super) returns: Edge,
    /// An input: it fails, within or below the callee.
    pub(super) fails: Edge,
    /// The guard, and that it returns.
    returned: Edge,
    /// The guard, and that it fails.
    failed: Edge,
}

/// A body as formulas, in a solver of its own.
pub(super) struct BodyQueries {
    pub(super) of: Option<usize>,
    pub(super) calls: Vec<Call>,
    /// The bits at its entry, and those at its exit.
    pub(super) entry: Vec<Edge>,
    pub(super) exit: Vec<Edge>,
    pub(super) returns: Edge,
    /// It fails itself; and it or one of its calls does.
    pub(super) own_fails: Edge,
    fails: Edge,
    /// The variables of its terms, as a range of those of the circuit.
    pub(super) variables: std::ops::Range<usize>,
    solver: Solver,
    encoder: Encoder,
    /// No call returns or fails.
    no_calls: Lit,
    /// By label of a callee: the literal under which it holds of all calls, and what it says of each.
    assumptions: Vec<(usize, Lit)>,
    images: HashMap<usize, Vec<(Edge, Edge)>>,
    /// By label of its own: that a run of the body is in it.
    violations: HashMap<usize, Lit>,
    /// Literals of clauses that are not needed from the next query on.
    retired: Vec<Lit>,
    /// The words at its entry, and then those at its exit, that may have bounds.
    pub(super) words: Vec<BoundedWord>,
}

/// Why a query has no answer.
pub(super) struct Blocked {
    /// The labels of callees.
    pub(super) labels: Vec<usize>,
    /// The most fuel of calls for which they hold.
    pub(super) fuel: Fuel,
    /// The positions of the bits at entry and exit.
    pub(super) entry: Vec<usize>,
    pub(super) exit: Vec<usize>,
    /// The literal of the exits that the query excludes, if that matters.
    pub(super) excluded: Option<Lit>,
}

/// The result of a query.
pub(super) enum Answered {
    /// The solver has a model.
    Model,
    Blocked(Blocked),
}

struct ProofSink(Solver<ProofLog>);

impl ClauseSink for ProofSink {
    fn new_var(&mut self) -> Var {
        self.0.new_var()
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.0.add_labelled_clause(lits, CALLEE);
    }
}

impl LabelledClauseSink for ProofSink {
    fn add_labelled_clause(&mut self, lits: &[Lit], label: Side) {
        self.0.add_labelled_clause(lits, label);
    }
}

impl BodyQueries {
    pub(super) fn new(
        problem: &Procedures,
        circuit: &mut Circuit,
        of: Option<usize>,
        can_fail: &[bool],
        stop: &Stop,
    ) -> Self {
        let body = problem.body(of);
        let first = circuit.variables.len();
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let mut encoder = Encoder::new();
        let entry = of.map_or_else(Vec::new, |index| {
            let words = problem.procedures[index].entry.iter();
            words
                .flat_map(|word| circuit.bits(problem, word.term))
                .collect()
        });
        let own_fails = circuit.condition(problem, body.fails);
        let mut fails = own_fails;
        let no_calls = solver.new_var().positive();
        let mut calls = Vec::new();
        for call in &body.calls {
            let bits = |circuit: &mut Circuit, terms: &[craig_word::Term]| -> Vec<Edge> {
                (terms.iter())
                    .flat_map(|&term| circuit.bits(problem, term))
                    .collect()
            };
            let guard = circuit.condition(problem, call.guard);
            let returns = circuit.condition(problem, call.returns);
            let entry = bits(circuit, &call.entry);
            let exit = bits(circuit, &call.exit);
            let failing = match can_fail[call.callee] {
                true => circuit.aig.add_input(),
                false => Edge::FALSE,
            };
            let returned = circuit.aig.and(guard, returns);
            let failed = circuit.aig.and(guard, failing);
            fails = circuit.aig.or(fails, failed);
            calls.push(Call {
                callee: call.callee,
                guard,
                entry,
                exit,
                returns,
                fails: failing,
                returned,
                failed,
            });
        }
        let returns = circuit.condition(problem, body.returns);
        let exit: Vec<Edge> = (body.exit.iter())
            .flat_map(|&term| circuit.bits(problem, term))
            .collect();
        let aig = &circuit.aig;
        // All that a model is read from.
        let mut all: Vec<Edge> = vec![own_fails, fails, returns];
        all.extend(entry.iter().chain(&exit));
        for call in &calls {
            all.extend([call.guard, call.returns, call.fails]);
            all.extend(call.entry.iter().chain(&call.exit));
            for edge in [call.returned, call.failed] {
                let lit = encoder.encode(aig, edge, &mut solver);
                solver.add_clause(&[!no_calls, !lit]);
            }
        }
        for edge in all {
            encoder.encode(aig, edge, &mut solver);
        }
        let mut body = Self {
            of,
            calls,
            entry,
            exit,
            returns,
            own_fails,
            fails,
            variables: first..circuit.variables.len(),
            solver,
            encoder,
            no_calls,
            assumptions: Vec::new(),
            images: HashMap::new(),
            violations: HashMap::new(),
            retired: Vec::new(),
            words: Vec::new(),
        };
        if let Some(index) = of {
            let procedure = &problem.procedures[index];
            let words = procedure.entry.iter().chain(&procedure.exit);
            let words: Vec<(usize, bool)> = words
                .map(|word| (problem.terms.width(word.term) as usize, word.is_signed))
                .collect();
            body.make_bounds(&mut circuit.aig, &words);
        }
        body
    }

    /// The value of a formula of the body in the last model.
    pub(super) fn value(&self, edge: Edge) -> bool {
        if edge.is_constant() {
            return edge == Edge::TRUE;
        }
        let lit = self.encoder.literal(edge);
        lit.and_then(|lit| self.solver.value(lit)) == Some(true)
    }

    pub(super) fn values(&self, edges: &[Edge]) -> Vec<bool> {
        edges.iter().map(|&edge| self.value(edge)).collect()
    }

    pub(super) fn lit(&mut self, aig: &Aig, edge: Edge) -> Lit {
        self.encoder.encode(aig, edge, &mut self.solver)
    }

    /// That the body ends so.
    pub(super) fn end(&self, outcome: Outcome) -> Edge {
        match outcome {
            Outcome::Return => self.returns,
            Outcome::Fail => self.fails,
        }
    }

    pub(super) fn end_lit(&mut self, aig: &Aig, outcome: Outcome) -> Lit {
        self.lit(aig, self.end(outcome))
    }

    /// A bit of the entry, or of the exit by its position behind these.
    pub(super) fn bit(&mut self, aig: &Aig, position: usize) -> Lit {
        let n_entry = self.entry.len();
        let edge = match self.entry.get(position) {
            Some(&edge) => edge,
            None => self.exit[position - n_entry],
        };
        self.lit(aig, edge)
    }

    /// Whether these assumptions exclude each other.
    pub(super) fn is_refuted(
        &mut self,
        assumed: &[Lit],
        stop: &Stop,
    ) -> Result<bool, UnknownReason> {
        match self.solver.solve(assumed) {
            Answer::Unknown => Err(why_stopped(stop)),
            Answer::Satisfiable => Ok(false),
            Answer::Unsatisfiable => Ok(true),
        }
    }

    /// Whether a run of the body answers a query, where calls with `fuel` satisfy the labels for it.
    pub(super) fn ask(
        &mut self,
        aig: &Aig,
        labels: &[Label],
        query: &Query,
        fuel: Fuel,
        stop: &Stop,
    ) -> Result<Answered, UnknownReason> {
        for own in std::mem::take(&mut self.retired) {
            self.solver.add_clause(&[!own]);
        }
        let mut assumed = self.assumed(labels, fuel);
        let mut of_bit: Vec<(Lit, bool, usize)> = Vec::new();
        for (position, &value) in query.entry.iter().enumerate() {
            let lit = self.lit(aig, self.entry[position]);
            of_bit.push((if value { lit } else { !lit }, true, position));
        }
        let mut excluded = None;
        assumed.push(self.end_lit(aig, query.target.outcome()));
        if let Target::Return { not, cube } = &query.target {
            let exit: Vec<Lit> = (self.exit.clone().into_iter())
                .map(|edge| self.lit(aig, edge))
                .collect();
            for &(position, value) in cube {
                let lit = exit[position];
                of_bit.push((if value { lit } else { !lit }, false, position));
            }
            if !not.is_empty() {
                let own = self.solver.new_var().positive();
                for values in not {
                    let differs = exit.iter().zip(values);
                    let differs = differs.map(|(&lit, &value)| if value { !lit } else { lit });
                    let clause: Vec<Lit> = std::iter::once(!own).chain(differs).collect();
                    self.solver.add_clause(&clause);
                }
                assumed.push(own);
                excluded = Some(own);
            }
        }
        assumed.extend(of_bit.iter().map(|&(lit, _, _)| lit));
        let mut blocked: Option<Blocked> = None;
        let mut failed: BTreeSet<Lit> = BTreeSet::new();
        // A second query under the core often has a smaller one.
        for _ in 0..2 {
            match self.solver.solve(&assumed) {
                Answer::Unknown => return Err(why_stopped(stop)),
                Answer::Satisfiable if blocked.is_none() => {
                    // Their clauses stay until the model was read.
                    self.retired.extend(excluded);
                    return Ok(Answered::Model);
                }
                Answer::Satisfiable => break,
                Answer::Unsatisfiable => {}
            }
            failed = self.solver.failed_assumptions().iter().copied().collect();
            assumed.retain(|lit| failed.contains(lit));
            blocked = Some(self.blocked(labels, &failed));
        }
        self.retired.extend(excluded);
        let mut blocked = blocked.expect("the first query is refuted");
        let bits = |of_entry: bool| {
            let own = of_bit
                .iter()
                .filter(|&&(lit, at_entry, _)| at_entry == of_entry && failed.contains(&lit));
            own.map(|&(_, _, position)| position).collect()
        };
        blocked.entry = bits(true);
        blocked.exit = bits(false);
        blocked.excluded = excluded.filter(|own| failed.contains(own));
        Ok(Answered::Blocked(blocked))
    }

    /// The assumptions of the labels that hold for calls with `fuel`.
    pub(super) fn assumed(&self, labels: &[Label], fuel: Fuel) -> Vec<Lit> {
        let mut assumed: Vec<Lit> = (self.assumptions.iter())
            .filter(|&&(id, _)| labels[id].fuel >= fuel)
            .map(|&(_, lit)| lit)
            .collect();
        if fuel == 0 {
            assumed.push(self.no_calls);
        }
        assumed
    }

    fn blocked(&self, labels: &[Label], failed: &BTreeSet<Lit>) -> Blocked {
        let used = self
            .assumptions
            .iter()
            .filter(|(_, lit)| failed.contains(lit));
        let used: Vec<usize> = used.map(|&(id, _)| id).collect();
        let fuel = match failed.contains(&self.no_calls) {
            true => 0,
            false => (used.iter().map(|&id| labels[id].fuel).min()).unwrap_or(UNBOUNDED),
        };
        Blocked {
            labels: used,
            fuel,
            entry: Vec::new(),
            exit: Vec::new(),
            excluded: None,
        }
    }

    /// Adds a label of a callee, which holds of calls only under its assumption.
    pub(super) fn add_label(&mut self, circuit: &mut Circuit, id: usize, label: &Label) {
        let mut images = Vec::new();
        let assumption = self.solver.new_var().positive();
        for call in &self.calls {
            if call.callee != label.procedure {
                continue;
            }
            let when = match label.outcome {
                Outcome::Return => call.returned,
                Outcome::Fail => call.failed,
            };
            let image = label.image(&mut circuit.aig, &call.entry, &call.exit);
            images.push((when, image));
        }
        if images.is_empty() {
            return;
        }
        for &(when, image) in &images {
            let when = self.lit(&circuit.aig, when);
            // One direction of its definition suffices.
            let outside = (self.encoder).encode_polarity(&circuit.aig, !image, &mut self.solver);
            self.solver.add_clause(&[!assumption, !when, outside]);
        }
        self.assumptions.push((id, assumption));
        self.images.insert(id, images);
    }

    /// Whether no run of the body is in a label of its own, where calls with `fuel` satisfy the labels for it:
    /// then because of which. The label may not be among the others yet.
    pub(super) fn justify(
        &mut self,
        circuit: &mut Circuit,
        labels: &[Label],
        (id, label): (usize, &Label),
        fuel: Fuel,
        stop: &Stop,
    ) -> Result<Option<Blocked>, UnknownReason> {
        let violation = match self.violations.get(&id) {
            Some(&lit) => lit,
            None => {
                let end = self.end(label.outcome);
                let image = label.image(&mut circuit.aig, &self.entry, &self.exit);
                let violated = circuit.aig.and(end, image);
                let lit = self.lit(&circuit.aig, violated);
                self.violations.insert(id, lit);
                lit
            }
        };
        let mut assumed = self.assumed(labels, fuel);
        assumed.push(violation);
        match self.solver.solve(&assumed) {
            Answer::Unknown => Err(why_stopped(stop)),
            Answer::Satisfiable => Ok(None),
            Answer::Unsatisfiable => {
                let failed = self.solver.failed_assumptions().iter().copied().collect();
                Ok(Some(self.blocked(labels, &failed)))
            }
        }
    }

    /// A label that was not kept.
    pub(super) fn forget(&mut self, id: usize) {
        self.violations.remove(&id);
    }

    /// The interpolant of the query, which is before the cut at entry and exit, and the body with the labels of its
    /// calls behind it, as a formula over the bits at the entry and then those at the exit. `None` if it is large.
    pub(super) fn interpolant(
        &self,
        aig: &Aig,
        query: &Query,
        blocked: &Blocked,
        stop: &Stop,
    ) -> Result<Option<(Aig, Edge)>, UnknownReason> {
        let mut sink = ProofSink(Solver::with_proof(
            SolverOptions::default(),
            ProofLog::new(),
        ));
        let outcome = query.target.outcome();
        let word = |sink: &mut ProofSink, n: usize| -> Vec<Lit> {
            (0..n).map(|_| sink.new_var().positive()).collect()
        };
        let entry = word(&mut sink, self.entry.len());
        let exit = match outcome {
            Outcome::Return => word(&mut sink, self.exit.len()),
            Outcome::Fail => Vec::new(),
        };
        let is = |lit: Lit, value: bool| if value { lit } else { !lit };
        for &position in &blocked.entry {
            let lit = is(entry[position], query.entry[position]);
            sink.add_labelled_clause(&[lit], CALLER);
        }
        if let Target::Return { not, cube } = &query.target {
            for &(position, value) in cube {
                sink.add_labelled_clause(&[is(exit[position], value)], CALLER);
            }
            for values in not {
                let differs = exit.iter().zip(values);
                let clause: Vec<Lit> = differs.map(|(&lit, &value)| is(lit, !value)).collect();
                sink.add_labelled_clause(&clause, CALLER);
            }
        }
        self.encode(aig, (&entry, &exit), outcome, blocked, &mut sink);
        let asked = stop_of(stop);
        asked.install(&mut sink.0);
        match sink.0.solve(&[]) {
            Answer::Unknown => return Err(why_stopped(stop)),
            Answer::Satisfiable => unreachable!("the same formula was refuted under assumptions"),
            Answer::Unsatisfiable => {}
        }
        let dag = refutation(&sink.0, stop)?;
        let mut graph = Aig::new();
        let inputs: Vec<Edge> = (entry.iter().chain(&exit))
            .map(|_| graph.add_input())
            .collect();
        let mut leaf = |var: Var| {
            let lits = entry.iter().chain(&exit);
            let position = lits.copied().position(|lit| lit.var() == var);
            inputs[position.expect("only bits of entry and exit are shared")]
        };
        let found = interpolant(
            &dag,
            &|side| side == CALLER,
            System::InverseMcMillan,
            &mut graph,
            &mut leaf,
            &asked,
        );
        let root = found.map_err(|_| why_stopped(stop))?;
        let (graph, roots) = compact(&graph, &[root], COMPACTION);
        let is_small = graph.n_ands_in_cone(&roots) <= MAX_GATES;
        Ok(is_small.then(|| (graph, roots[0])))
    }

    /// The body with these labels of its calls, over variables for entry and exit.
    fn encode(
        &self,
        aig: &Aig,
        (entry, exit): (&[Lit], &[Lit]),
        outcome: Outcome,
        blocked: &Blocked,
        sink: &mut ProofSink,
    ) {
        let mut sink = Labelled {
            sink,
            label: CALLEE,
        };
        let mut encoder = Encoder::new();
        for (edge, &lit) in self.entry.iter().zip(entry) {
            encoder.set(edge.node(), lit);
        }
        let end = encoder.encode(aig, self.end(outcome), &mut sink);
        sink.add_clause(&[end]);
        for (&edge, &lit) in self.exit.iter().zip(exit) {
            let value = encoder.encode(aig, edge, &mut sink);
            sink.add_clause(&[!lit, value]);
            sink.add_clause(&[lit, !value]);
        }
        for &(when, image) in blocked.labels.iter().flat_map(|id| &self.images[id]) {
            let when = encoder.encode(aig, when, &mut sink);
            let image = encoder.encode(aig, image, &mut sink);
            sink.add_clause(&[!when, !image]);
        }
        if blocked.fuel == 0 {
            for call in &self.calls {
                for edge in [call.returned, call.failed] {
                    let lit = encoder.encode(aig, edge, &mut sink);
                    sink.add_clause(&[!lit]);
                }
            }
        }
    }

    /// Which of some inputs the conditions need to hold, with all other inputs as in the last model, by the core of a
    /// query: the cube of values with which the same choices have the same effect.
    pub(super) fn lift_cube(
        &self,
        aig: &Aig,
        conditions: &[Edge],
        values: &HashMap<NodeId, bool>,
        (free, chosen): (&[Edge], &[bool]),
        stop: &Stop,
    ) -> Result<Vec<(usize, bool)>, UnknownReason> {
        let mut graph = Aig::new();
        let positions: HashMap<NodeId, usize> = (free.iter().enumerate())
            .map(|(position, edge)| (edge.node(), position))
            .collect();
        let inputs: Vec<Edge> = free.iter().map(|_| graph.add_input()).collect();
        let images = graph.copy_cone(aig, conditions, &mut |node| match positions.get(&node) {
            Some(&position) => inputs[position],
            None => Edge::from(values.get(&node).copied().unwrap_or(false)),
        });
        let all = graph.and_all(images);
        let mut solver = Solver::new();
        let mut encoder = Encoder::new();
        let fails = encoder.encode(&graph, !all, &mut solver);
        let mut assumed = vec![fails];
        for (&input, &value) in inputs.iter().zip(chosen) {
            let lit = encoder.encode(&graph, input, &mut solver);
            assumed.push(if value { lit } else { !lit });
        }
        for _ in 0..2 {
            match solver.solve(&assumed) {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable => break,
                Answer::Unknown => return Err(why_stopped(stop)),
            }
            let failed: BTreeSet<Lit> = solver.failed_assumptions().iter().copied().collect();
            assumed.retain(|lit| failed.contains(lit));
        }
        let kept = inputs.iter().zip(chosen).enumerate();
        Ok(kept
            .filter(|&(_, (&input, &value))| {
                let lit = encoder.literal(input).expect("it is encoded");
                assumed.contains(&if value { lit } else { !lit })
            })
            .map(|(position, (_, &value))| (position, value))
            .collect())
    }
}
