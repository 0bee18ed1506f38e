//! A call tree in one solver, and the tree interpolants of its refutation.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_itp::System;
use craig_itp::tree::{Tree, tree};
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::LabelledClauseSink;
use craig_solver::proof::{ProofDag, ProofLog};
use craig_solver::{Answer, Label, Lit, Options as SolverOptions, Solver, Var};
use craig_solver::{
    compact::compact,
    encode::{ClauseSink, Encoder, Labelled},
    sweep::Budget,
};
use craig_word::{Term, Terms};

use super::Procedures;
use super::formula;
use super::inductive::{Candidate, Circuit, Kind};

/// The calls of a tree, at most.
const MAX_CALLS: usize = 120;
/// The variables of a tree's clauses, at most.
const MAX_VARIABLES: usize = 3_000_000;
/// Gates of a candidate, at most.
const MAX_GATES: usize = 600;
/// Candidates from one interpolant, at most.
const MAX_PARTS: usize = 40;
/// The budget of compaction of the interpolants of one tree.
const COMPACTION: Budget = Budget {
    conflicts: 1_000,
    conflicts_per_query: 20,
    ticks: 1_000_000,
};

/// A body in the tree.
#[derive(Clone, Copy)]
struct Place {
    /// `None` for the root.
    procedure: Option<usize>,
    /// The calling body, and the number of the call in it.
    caller: Option<(usize, usize)>,
    depth: usize,
}

/// A program with calls inlined to a depth. Deeper calls neither return nor fail.
pub(super) struct CallTree {
    places: Vec<Place>,
}

/// The result of a query whether a run of a call tree fails.
pub(super) enum Refuted {
    /// One does.
    Run,
    /// None does: conditions of the procedures from interpolants.
    Candidates(Vec<Candidate>),
    /// The tree has too many clauses.
    TooLarge,
}

/// The variables that a call shares with its body, and nothing else does.
struct Interface {
    entry: Vec<Vec<Lit>>,
    exit: Vec<Vec<Lit>>,
    returns: Lit,
    fails: Lit,
}

struct Sink(Solver<ProofLog>);

impl ClauseSink for Sink {
    fn new_var(&mut self) -> Var {
        self.0.new_var()
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.0.add_labelled_clause(lits, 0);
    }
}

impl LabelledClauseSink for Sink {
    fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        self.0.add_labelled_clause(lits, label);
    }
}

impl CallTree {
    /// The tree of this depth; `None` if it is too large.
    pub(super) fn new(problem: &Procedures, depth: usize) -> Option<Self> {
        let mut places = vec![Place {
            procedure: None,
            caller: None,
            depth: 0,
        }];
        let mut next = 0;
        while next < places.len() {
            let place = places[next];
            let calls = &problem.body(place.procedure).calls;
            if place.depth < depth {
                for (number, call) in calls.iter().enumerate() {
                    places.push(Place {
                        procedure: Some(call.callee),
                        caller: Some((next, number)),
                        depth: place.depth + 1,
                    });
                }
            }
            next += 1;
            if places.len() > MAX_CALLS {
                return None;
            }
        }
        Some(Self { places })
    }

    /// Whether a run of the tree fails; else candidates from the interpolants of the calls.
    pub(super) fn refute(
        &self,
        problem: &mut Procedures,
        stop: &Stop,
    ) -> Result<Refuted, UnknownReason> {
        let mut circuit = Circuit::new();
        let mut sink = Sink(Solver::with_proof(
            SolverOptions::default(),
            ProofLog::new(),
        ));
        let interfaces = self.interfaces(problem, &mut sink);
        for index in 0..self.places.len() {
            self.add_body(problem, &mut circuit, &mut sink, &interfaces, index);
            if let Some(reason) = stop.reason() {
                return Err(reason);
            }
            if sink.0.n_vars() > MAX_VARIABLES {
                return Ok(Refuted::TooLarge);
            }
        }
        let asked = stop_of(stop);
        asked.install(&mut sink.0);
        match sink.0.solve(&[]) {
            Answer::Unknown => return Err(why_stopped(stop)),
            Answer::Satisfiable => return Ok(Refuted::Run),
            Answer::Unsatisfiable => {}
        }
        let dag = refutation(&sink.0, stop)?;
        let parents = self.places.iter();
        let parents = parents.map(|place| place.caller.map(|(caller, _)| caller));
        let shape = Tree::new(parents.collect()).expect("callers come before their callees");
        let mut found = Vec::new();
        for system in [System::Symmetric, System::McMillan] {
            let context = (&dag, &shape, system, &asked);
            let candidates = self.interpolate(problem, context, &interfaces);
            found.extend(candidates.ok_or_else(|| why_stopped(stop))?);
        }
        Ok(Refuted::Candidates(found))
    }

    /// The interface of each place; that of the root is not used.
    fn interfaces(&self, problem: &Procedures, sink: &mut Sink) -> Vec<Interface> {
        let word = |sink: &mut Sink, term: Term| -> Vec<Lit> {
            let width = problem.terms.width(term);
            (0..width).map(|_| sink.new_var().positive()).collect()
        };
        let places = self.places.iter();
        let made = places.map(|place| {
            let (mut entry, mut exit) = (Vec::new(), Vec::new());
            if let Some(index) = place.procedure {
                let procedure = &problem.procedures[index];
                let words = procedure.entry.iter();
                entry = words.map(|of| word(sink, of.term)).collect();
                let words = procedure.exit.iter();
                exit = words.map(|of| word(sink, of.term)).collect();
            }
            Interface {
                entry,
                exit,
                returns: sink.new_var().positive(),
                fails: sink.new_var().positive(),
            }
        });
        made.collect()
    }

    /// The clauses of one body, with its number as their label. It shares the variables of its interface with its
    /// caller, those of the interfaces of its calls with these, and nothing else.
    fn add_body(
        &self,
        problem: &Procedures,
        circuit: &mut Circuit,
        sink: &mut Sink,
        interfaces: &[Interface],
        index: usize,
    ) {
        let place = self.places[index];
        let body = problem.body(place.procedure);
        let own = &interfaces[index];
        let mut sink = Labelled {
            sink,
            label: index as Label,
        };
        let mut encoder = Encoder::new();
        let set = |encoder: &mut Encoder, edges: &[Edge], lits: &[Lit]| {
            for (edge, &lit) in edges.iter().zip(lits) {
                debug_assert!(!edge.is_constant() && !edge.is_negated());
                encoder.set(edge.node(), lit);
            }
        };
        if let Some(procedure) = place.procedure {
            let words = &problem.procedures[procedure].entry;
            for (word, lits) in words.iter().zip(&own.entry) {
                let edges = circuit.bits(problem, word.term);
                set(&mut encoder, &edges, lits);
            }
        }
        let callees: HashMap<usize, usize> = (self.places.iter().enumerate())
            .filter_map(|(callee, place)| match place.caller {
                Some((caller, number)) if caller == index => Some((number, callee)),
                _ => None,
            })
            .collect();
        // What calls return are inputs of the body.
        for (number, call) in body.calls.iter().enumerate() {
            let returns = circuit.bits(problem, call.returns);
            match callees.get(&number) {
                Some(&callee) => {
                    let interface = &interfaces[callee];
                    set(&mut encoder, &returns, &[interface.returns]);
                    for (&word, lits) in call.exit.iter().zip(&interface.exit) {
                        let edges = circuit.bits(problem, word);
                        set(&mut encoder, &edges, lits);
                    }
                }
                None => {
                    let lit = encoder.encode(&circuit.aig, returns[0], &mut sink);
                    sink.add_clause(&[!lit]);
                }
            }
        }
        let mut failures = vec![circuit.condition(problem, body.fails)];
        let mut failing_calls = Vec::new();
        for (number, call) in body.calls.iter().enumerate() {
            let Some(&callee) = callees.get(&number) else {
                continue;
            };
            let interface = &interfaces[callee];
            for (&word, lits) in call.entry.iter().zip(&interface.entry) {
                let edges = circuit.bits(problem, word);
                for (edge, &lit) in edges.into_iter().zip(lits) {
                    let value = encoder.encode(&circuit.aig, edge, &mut sink);
                    sink.add_clause(&[!lit, value]);
                    sink.add_clause(&[lit, !value]);
                }
            }
            let guard = circuit.condition(problem, call.guard);
            let guard = encoder.encode(&circuit.aig, guard, &mut sink);
            let fails = sink.new_var().positive();
            sink.add_clause(&[!fails, guard]);
            sink.add_clause(&[!fails, interface.fails]);
            failing_calls.push(fails);
        }
        failures.retain(|&edge| edge != Edge::FALSE);
        let mut clause: Vec<Lit> = (failures.iter())
            .map(|&edge| encoder.encode(&circuit.aig, edge, &mut sink))
            .collect();
        clause.extend(failing_calls);
        if place.procedure.is_none() {
            sink.add_clause(&clause);
            return;
        }
        clause.push(!own.fails);
        sink.add_clause(&clause);
        let returns = circuit.condition(problem, body.returns);
        let returns = encoder.encode(&circuit.aig, returns, &mut sink);
        sink.add_clause(&[!own.returns, returns]);
        for (&word, lits) in body.exit.iter().zip(&own.exit) {
            let edges = circuit.bits(problem, word);
            for (edge, &lit) in edges.into_iter().zip(lits) {
                let value = encoder.encode(&circuit.aig, edge, &mut sink);
                sink.add_clause(&[!own.returns, !lit, value]);
                sink.add_clause(&[!own.returns, lit, !value]);
            }
        }
    }

    /// Conditions from the interpolants of one refutation; `None` if it was stopped.
    fn interpolate(
        &self,
        problem: &mut Procedures,
        (dag, shape, system, stop): (&ProofDag, &Tree, System, &craig_itp::Stop),
        interfaces: &[Interface],
    ) -> Option<Vec<Candidate>> {
        // The formulas of all calls of a procedure are over the same inputs.
        let mut graph = Aig::new();
        let mut words: Vec<Words> = Vec::new();
        for procedure in &problem.procedures {
            let mut inputs = |terms: &[Term]| -> Vec<Vec<Edge>> {
                let widths = terms.iter().map(|&term| problem.terms.width(term));
                widths
                    .map(|width| (0..width).map(|_| graph.add_input()).collect())
                    .collect()
            };
            let entry: Vec<Term> = procedure.entry.iter().map(|word| word.term).collect();
            let exit: Vec<Term> = procedure.exit.iter().map(|word| word.term).collect();
            let (entry_bits, exit_bits) = (inputs(&entry), inputs(&exit));
            words.push(Words {
                entry,
                exit,
                entry_bits,
                exit_bits,
                returns: graph.add_input(),
                fails: graph.add_input(),
            });
        }
        let leaves: Vec<HashMap<Var, Edge>> = (self.places.iter().zip(interfaces))
            .map(|(place, interface)| match place.procedure {
                None => HashMap::new(),
                Some(procedure) => words[procedure].leaves(interface),
            })
            .collect();
        let mut leaf = |node: usize, var: Var| leaves[node][&var];
        let edges = tree(dag, shape, system, &mut graph, &mut leaf, stop).ok()?;
        let mut parts: Vec<(usize, Kind, Edge)> = Vec::new();
        for (place, &edge) in self.places.iter().zip(&edges) {
            let Some(procedure) = place.procedure else {
                debug_assert_eq!(edge, Edge::FALSE, "the root has no interpolant but false");
                continue;
            };
            let words = &words[procedure];
            // Of calls that return, and of calls that fail, whose exit is arbitrary.
            let returned = words.with(&mut graph, edge, true);
            for part in conjuncts(&graph, returned) {
                parts.push((procedure, Kind::Ensures, part));
            }
            let failed = words.with(&mut graph, edge, false);
            for part in conjuncts(&graph, !failed) {
                parts.push((procedure, Kind::Requires, part));
            }
        }
        if stop.is_asked() {
            return None;
        }
        let roots: Vec<Edge> = parts.iter().map(|&(_, _, edge)| edge).collect();
        let (graph, roots) = compact(&graph, &roots, COMPACTION);
        let mut found = Vec::new();
        for ((procedure, kind, _), root) in parts.into_iter().zip(roots) {
            if root.is_constant() || graph.n_ands_in_cone(&[root]) > MAX_GATES {
                continue;
            }
            let condition = words[procedure].condition(&mut problem.terms, &graph, root);
            if let Some(condition) = condition {
                found.push(Candidate {
                    procedure,
                    kind,
                    condition,
                });
            }
        }
        Some(found)
    }
}

/// The words of a procedure as inputs of a graph.
struct Words {
    entry: Vec<Term>,
    exit: Vec<Term>,
    entry_bits: Vec<Vec<Edge>>,
    exit_bits: Vec<Vec<Edge>>,
    returns: Edge,
    fails: Edge,
}

impl Words {
    fn leaves(&self, interface: &Interface) -> HashMap<Var, Edge> {
        let lits = interface.entry.iter().chain(&interface.exit).flatten();
        let bits = self.entry_bits.iter().chain(&self.exit_bits).flatten();
        let flags = [
            (interface.returns, self.returns),
            (interface.fails, self.fails),
        ];
        (lits.copied().zip(bits.copied()))
            .chain(flags)
            .map(|(lit, edge)| (lit.var(), edge))
            .collect()
    }

    /// The formula for a call that returns, or for one that fails, with 0 at its exit.
    fn with(&self, graph: &mut Aig, edge: Edge, is_return: bool) -> Edge {
        let exit: Vec<NodeId> = (self.exit_bits.iter().flatten())
            .map(|edge| edge.node())
            .collect();
        let images = graph.substitute(&[edge], &mut |node| {
            if node == self.returns.node() {
                Edge::from(is_return)
            } else if node == self.fails.node() {
                Edge::from(!is_return)
            } else if !is_return && exit.contains(&node) {
                Edge::FALSE
            } else {
                Edge::new(node, false)
            }
        });
        images[0]
    }

    /// The formula as a term; `None` if it is not over the words of this procedure.
    fn condition(&self, terms: &mut Terms, graph: &Aig, root: Edge) -> Option<Term> {
        let mut places: HashMap<usize, (Term, u32)> = HashMap::new();
        let words = self.entry.iter().zip(&self.entry_bits);
        for (&word, bits) in words.chain(self.exit.iter().zip(&self.exit_bits)) {
            for (bit, edge) in bits.iter().enumerate() {
                places.insert(edge.node() as usize, (word, bit as u32));
            }
        }
        // Compaction keeps the positions of inputs; they are those of the nodes 1, 2, ... of the first graph.
        formula::term(terms, graph, root, &|position| {
            places.get(&(position + 1)).copied()
        })
    }
}

/// The formula, and the conjuncts of its topmost conjunction.
fn conjuncts(graph: &Aig, root: Edge) -> Vec<Edge> {
    let mut found = vec![root];
    let mut work = vec![root];
    while let Some(edge) = work.pop() {
        match graph.node(edge.node()) {
            Node::And(left, right) if !edge.is_negated() && found.len() < MAX_PARTS => {
                work.extend([left, right]);
            }
            _ if edge != root => found.push(edge),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|edge| !edge.is_constant());
    found
}
