//! Paths of an automaton in one solver, edge by edge, and the sequences of interpolants of their refutations.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, NodeId};
use craig_itp::simplify::{Effort, Simplifier};
use craig_itp::transform::{Reduction, raise_local, reduce};
use craig_itp::{Rule, System, sequence};
use craig_mc::engine::options::{EngineOption, Range, Settings, rule, system};
use craig_mc::engine::transform::REDUCTION_ROUNDS;
pub(super) use craig_mc::engine::transform::TRANSFORM;
pub use craig_mc::engine::transform::Transform;
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_mc::listener::Listener;
use craig_mc::record::{Kind, Refutation};
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::LabelledClauseSink;
use craig_solver::proof::{ProofDag, ProofLog, ProofSink};
use craig_solver::{
    Answer, Cnf, Label, Limits, Lit, Options as SolverOptions, Solver, UnknownReason as Unsolved,
    Var,
};
use craig_solver::{
    compact::compact_until,
    encode::{ClauseSink, Encoder, Labelled},
    sweep::Budget,
};
use craig_word::Term;

use super::action_clauses::{Cut, add_action};
use super::actions::{ActionId, Actions, StateBit, position};
use super::labels::{LabelId, Labels, StateModel};

/// The derivation of interpolants from refutations.
#[derive(Clone, Copy, Debug)]
pub struct Dial {
    /// The interpolation system.
    pub system: System,
    /// Another labelling in its place, for engines that refute one path.
    pub labelling: Option<Rule>,
    /// The transform of the proof.
    pub transform: Transform,
    /// Whether interpolants are replaced by smaller ones ([`Simplifier`]).
    pub simplify: bool,
}

impl Default for Dial {
    fn default() -> Self {
        Self {
            system: System::McMillan,
            labelling: None,
            transform: Transform::None,
            simplify: false,
        }
    }
}

/// Whether interpolants are simplified.
pub(super) const SIMPLIFY: EngineOption = EngineOption {
    name: "simplify",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact`, `rse`, `annotate` and the predicates of `predabs`: replace interpolants by \
           smaller ones, which may be other formulas",
    is_flag: true,
};

impl Dial {
    /// The labels of a refutation of one path.
    pub(super) fn rule(&self) -> Rule {
        self.labelling.unwrap_or(self.system.into())
    }

    /// What was chosen, or this transform.
    pub(super) fn chosen(settings: &Settings, transform: Transform) -> Self {
        Self {
            system: system(settings),
            labelling: Some(rule(settings)),
            transform: Transform::chosen(settings, transform),
            simplify: settings.switch(&SIMPLIFY),
        }
    }
}

/// The budget of compaction of the interpolants of one path, which does not change their functions.
const COMPACTION: Budget = Budget {
    conflicts: 1_000,
    conflicts_per_query: 20,
    ticks: 1_000_000,
};
/// The first states of a path.
#[derive(Clone, Copy)]
pub(super) enum From {
    /// The start of the program, where all words are 0.
    Start,
    /// The states of a label.
    Label(LabelId),
}

/// A path, and the query whether its actions can be taken in sequence.
pub(super) struct Question<'a> {
    pub(super) from: From,
    pub(super) path: &'a [ActionId],
    /// Labels assumed before each action but the first.
    pub(super) known: &'a [LabelId],
    /// The path has to end outside of this label.
    pub(super) outside: Option<LabelId>,
    /// A run is returned with the bits of its last state that these labels read.
    pub(super) observed: &'a [LabelId],
    /// Whether assignments on which nothing later on the path depends are omitted.
    pub(super) slice: bool,
    /// The number of conflicts after which the query stays open.
    pub(super) conflicts: Option<u64>,
}

/// The result of a query.
pub(super) enum Found {
    /// The actions can be taken: the inputs of each step, and the observed bits of the last state. Others are
    /// 0.
    Run(Vec<HashMap<Term, u128>>, StateModel),
    /// One formula for each cut after an action, over the bits of the state. Together with the label assumed
    /// before an action, each implies the next along its action; the first states imply the first, and the
    /// last one excludes the end of the query.
    Sequence(Vec<Edge>),
    /// The limit on conflicts was reached.
    Open,
}

/// A solver with a proof, and the same clauses as a formula if they are needed later.
pub(super) struct Sink {
    pub(super) solver: Solver<ProofLog>,
    pub(super) cnf: Option<Cnf>,
}

impl Sink {
    pub(super) fn new(keep: bool) -> Self {
        Self {
            solver: Solver::with_proof(SolverOptions::default(), ProofLog::new()),
            cnf: keep.then(Cnf::new),
        }
    }
}

impl ClauseSink for Sink {
    fn new_var(&mut self) -> Var {
        let var = self.solver.new_var();
        if let Some(cnf) = &mut self.cnf {
            cnf.reserve_vars(var.index() + 1);
        }
        var
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.add_labelled_clause(lits, 0);
    }
}

impl LabelledClauseSink for Sink {
    fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        self.solver.add_labelled_clause(lits, label);
        if let Some(cnf) = &mut self.cnf {
            cnf.add_labelled_clause(lits, label);
        }
    }
}

/// A path in a solver.
///
/// Label 0 are the first states, label i + 1 is action i with the label assumed before it, and the last one
/// the end of the query. A bit that an action does not assign has one variable before and after it (static
/// single assignment; paper of [`super::impact`], section 2, "Other optimizations"). An assigned bit has a
/// variable of its own even if its value is a constant or another bit: all formulas of an action are clauses
/// with its label, so that a formula at a cut needs no premise from the other side.
struct Encoding {
    sink: Sink,
    /// The encoder of each action.
    steps: Vec<Encoder>,
    cuts: Vec<Cut>,
    /// By variable: its bit of the state, or `NO_BIT`.
    bit_of: Vec<StateBit>,
}

const NO_BIT: StateBit = StateBit::MAX;

impl Encoding {
    fn new(actions: &Actions, labels: &Labels, question: &Question<'_>, keep: bool) -> Self {
        let n = question.path.len();
        let mut encoding = Self {
            sink: Sink::new(keep),
            steps: vec![Encoder::new(); n],
            cuts: vec![Cut::new(); n + 1],
            bit_of: Vec::new(),
        };
        if let Some(label) = question.outside {
            encoding.add_end(labels, label, n);
        }
        for &label in question.observed {
            encoding.encoder_at(labels, label, n);
        }
        // From the end, so that only bits that are live have variables.
        for step in (0..n).rev() {
            encoding.add_action(actions, question, step);
            if let Some(&known) = step.checked_sub(1).and_then(|at| question.known.get(at)) {
                encoding.add_label(labels, known, step, step as Label + 1);
            }
        }
        match question.from {
            From::Start => {
                for &(_, lit) in &encoding.cuts[0] {
                    encoding.sink.add_labelled_clause(&[!lit], 0);
                }
            }
            From::Label(label) => encoding.add_label(labels, label, 0, 0),
        }
        for cut in &encoding.cuts {
            for &(bit, lit) in cut {
                let var = lit.var().index();
                if var >= encoding.bit_of.len() {
                    encoding.bit_of.resize(var + 1, NO_BIT);
                }
                debug_assert!([bit, NO_BIT].contains(&encoding.bit_of[var]));
                debug_assert!(!lit.is_negated());
                encoding.bit_of[var] = bit;
            }
        }
        encoding
    }

    /// Adds that the state at the end is outside of a label.
    fn add_end(&mut self, labels: &Labels, label: LabelId, n: usize) {
        let mut encoder = self.encoder_at(labels, label, n);
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: n as Label + 1,
        };
        let conjuncts = labels.conjuncts(label).iter();
        let lits: Vec<Lit> = conjuncts
            .map(|&conjunct| encoder.encode_polarity(&labels.aig, !conjunct, &mut sink))
            .collect();
        sink.add_clause(&lits);
    }

    /// Adds that the state at a cut satisfies a label.
    fn add_label(&mut self, labels: &Labels, label: LabelId, cut: usize, partition: Label) {
        let mut encoder = self.encoder_at(labels, label, cut);
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: partition,
        };
        for &conjunct in labels.conjuncts(label) {
            let lit = encoder.encode_polarity(&labels.aig, conjunct, &mut sink);
            sink.add_clause(&[lit]);
        }
    }

    /// An encoder of labels at a cut, with variables for the bits that a label reads.
    fn encoder_at(&mut self, labels: &Labels, label: LabelId, cut: usize) -> Encoder {
        let mut encoder = Encoder::new();
        let mut more = Cut::new();
        let cut_before = &self.cuts[cut];
        for node in labels.aig.support(labels.conjuncts(label)) {
            let bit = position(&labels.aig, node);
            let lit = match cut_before.binary_search_by_key(&bit, |&(bit, _)| bit) {
                Ok(place) => cut_before[place].1,
                Err(_) => {
                    let lit = self.sink.new_var().positive();
                    more.push((bit, lit));
                    lit
                }
            };
            encoder.set(node, lit);
        }
        self.cuts[cut].extend(more);
        self.cuts[cut].sort_unstable();
        encoder
    }

    fn add_action(&mut self, actions: &Actions, question: &Question<'_>, step: usize) {
        let action = actions.action(question.path[step]);
        if !question.slice {
            let after = &mut self.cuts[step + 1];
            let known: Vec<StateBit> = after.iter().map(|&(bit, _)| bit).collect();
            for &(bit, _) in &action.assigned {
                if known.binary_search(&bit).is_err() {
                    after.push((bit, self.sink.new_var().positive()));
                }
            }
            after.sort_unstable();
        }
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: step as Label + 1,
        };
        let (behind, encoder) = (&self.cuts[step + 1], &mut self.steps[step]);
        let before = add_action(actions, action, behind, encoder, &mut sink);
        self.cuts[step] = before;
    }

    /// The inputs of each step in the last model.
    fn run(&self, actions: &Actions, path: &[ActionId]) -> Vec<HashMap<Term, u128>> {
        let chosen = path.iter().zip(&self.steps).map(|(&action, encoder)| {
            let mut values: HashMap<Term, u128> = HashMap::new();
            for &input in &actions.action(action).chooses {
                let lit = encoder.literal(input);
                if lit.and_then(|lit| self.sink.solver.value(lit)) == Some(true) {
                    let (term, bit) = actions.chosen(input);
                    *values.entry(term).or_insert(0) |= 1 << bit;
                }
            }
            values
        });
        chosen.collect()
    }

    /// The state at the end in the last model.
    fn end(&self, actions: &Actions) -> StateModel {
        let mut state = vec![0; actions.bits().len().div_ceil(64)];
        for &(bit, lit) in self.cuts.last().into_iter().flatten() {
            if self.sink.solver.value(lit) == Some(true) {
                state[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        state.into_boxed_slice()
    }

    /// The names of bits of the state: each with the first cut that has its variable.
    fn names(&self, actions: &Actions, vars: &[Var]) -> Vec<(Var, String)> {
        let mut first: HashMap<Var, usize> = HashMap::new();
        for (number, cut) in self.cuts.iter().enumerate() {
            for &(_, lit) in cut {
                first.entry(lit.var()).or_insert(number);
            }
        }
        let vars = vars.iter().filter(|&var| first.contains_key(var));
        vars.map(|&var| {
            let name = bit_name(actions, self.bit_of[var.index()]);
            (var, format!("{name}@{}", first[&var]))
        })
        .collect()
    }

    /// The sequence of interpolants of a refutation at the cuts after each action, with the variable of each
    /// input of their graph.
    fn interpolants(
        &mut self,
        dag: &ProofDag,
        dial: &Dial,
        stop: &craig_itp::Stop,
    ) -> Result<(Aig, Vec<Edge>, Vec<Var>), craig_itp::Stopped> {
        // One input for each variable of a cut: formulas of neighbouring cuts share equal parts.
        let is_state = |&(_, &bit): &(usize, &StateBit)| bit != NO_BIT;
        let vars: Vec<Var> = (self.bit_of.iter().enumerate())
            .filter(is_state)
            .map(|(var, _)| Var::new(var))
            .collect();
        let cuts: Vec<Label> = (1..=self.steps.len()).map(|step| step as Label).collect();
        let (graph, edges) = derive(dag, &cuts, &vars, self.sink.cnf.as_ref(), dial, stop)?;
        Ok((graph, edges, vars))
    }
}

/// The sequence of interpolants of a refutation at some cuts, behind the clauses with these labels, in increasing order,
/// and all with less. `vars` are the variables that occur on both sides of a cut; input number i of the graph is
/// the i-th of them. `cnf` are the clauses, if interpolants are simplified.
pub(super) fn derive(
    dag: &ProofDag,
    cuts: &[Label],
    vars: &[Var],
    cnf: Option<&Cnf>,
    dial: &Dial,
    stop: &craig_itp::Stop,
) -> Result<(Aig, Vec<Edge>), craig_itp::Stopped> {
    let middle = cuts.len().checked_sub(1).map_or(0, |last| cuts[last / 2]);
    let transformed = match (dial.transform, dial.transform.raising()) {
        (_, Some(raising)) => Some(raise_local(dag, &|label| label <= middle, raising, stop)?),
        (Transform::Reduce, _) => Some(reduce(dag, &Reduction::ALL, REDUCTION_ROUNDS, stop)?),
        _ => None,
    };
    let dag = transformed.as_ref().unwrap_or(dag);
    let mut graph = Aig::new();
    let inputs: HashMap<Var, Edge> = vars.iter().map(|&var| (var, graph.add_input())).collect();
    let mut leaf = |_: usize, var: Var| inputs[&var];
    let mut edges = sequence(dag, cuts, dial.rule(), &mut graph, &mut leaf, stop)?;
    if let (true, Some(cnf)) = (dial.simplify, cnf) {
        let nodes: HashMap<NodeId, Var> = (graph.inputs().iter().copied())
            .zip(vars.iter().copied())
            .collect();
        let simplifier = Simplifier {
            cnf,
            variable: &|node| nodes.get(&node).copied(),
            effort: Effort::default(),
            stop: stop.clone(),
        };
        simplifier.sequence(&mut graph, cuts, &mut edges)?;
    }
    Ok(compact_until(&graph, &edges, COMPACTION, &mut || {
        stop.is_asked()
    }))
}

/// What is recorded of a refutation, without names.
pub(super) fn recorded(
    cuts: Vec<String>,
    sink: &Sink,
    dial: &Dial,
    (dag, aig, interpolants): (&ProofDag, &Aig, &[Edge]),
) -> Refutation {
    Refutation {
        cnf: sink.cnf.clone().unwrap_or_default(),
        dag: dag.clone(),
        kind: Kind::Sequence,
        system: dial.rule().name(),
        transform: dial.transform.name(),
        names: Vec::new(),
        cuts,
        aig: aig.clone(),
        inputs: Vec::new(),
        interpolants: interpolants.to_vec(),
    }
}

/// The names of the locations behind the actions of a path.
pub(super) fn places(actions: &Actions, path: &[ActionId]) -> Vec<String> {
    let cfa = actions.sliced();
    let behind = |&action: &ActionId| cfa.location(actions.action(action).target).name.clone();
    path.iter().map(behind).collect()
}

/// The name of a bit of the state.
pub(super) fn bit_name(actions: &Actions, bit: StateBit) -> String {
    let (term, place) = actions.bits()[bit as usize];
    let word = actions.sliced().word(term);
    let name = word.map_or("word", |word| word.name.as_str());
    format!("{name}[{place}]")
}

/// Whether the last query has no answer because of a limit on its effort.
pub(super) fn reached_limit<P: ProofSink>(solver: &Solver<P>) -> bool {
    solver.unknown_reason() == Some(Unsolved::Limit)
}

/// Answers a query. Interpolants are formulas of the graph of `labels`.
///
/// # Errors
/// If the control stops the search.
pub(super) fn ask(
    actions: &Actions,
    labels: &mut Labels,
    question: &Question<'_>,
    dial: &Dial,
    stop: &Stop,
    listener: &Listener,
) -> Result<Found, UnknownReason> {
    let keep = dial.simplify || listener.is_recorded();
    let mut encoding = Encoding::new(actions, labels, question, keep);
    let asked = stop_of(stop);
    asked.install(&mut encoding.sink.solver);
    encoding.sink.solver.set_limits(Limits {
        conflicts: question.conflicts,
        propagations: None,
    });
    match encoding.sink.solver.solve(&[]) {
        Answer::Unknown if reached_limit(&encoding.sink.solver) => return Ok(Found::Open),
        Answer::Unknown => return Err(why_stopped(stop)),
        Answer::Satisfiable => {
            let chosen = encoding.run(actions, question.path);
            return Ok(Found::Run(chosen, encoding.end(actions)));
        }
        Answer::Unsatisfiable => {}
    }
    let dag = refutation(&encoding.sink.solver, stop)?;
    let (graph, edges, vars) =
        (encoding.interpolants(&dag, dial, &asked)).map_err(|_| why_stopped(stop))?;
    listener.record(|| Refutation {
        names: encoding.names(actions, &vars),
        inputs: vars.clone(),
        ..recorded(
            places(actions, question.path),
            &encoding.sink,
            dial,
            (&dag, &graph, &edges),
        )
    });
    let inputs = labels.aig.inputs().to_vec();
    let copied = edges.iter().enumerate().map(|(index, &edge)| {
        let cut = &encoding.cuts[index + 1];
        let copied = labels.aig.copy_cone(&graph, &[edge], &mut |node| {
            let var = vars[position(&graph, node) as usize];
            let bit = encoding.bit_of[var.index()];
            if cut.binary_search(&(bit, var.positive())).is_err() {
                // Compaction has found two formulas of different cuts to be the same function, and kept the
                // one that mentions a variable of its own cut. The function does not depend on it.
                return Edge::FALSE;
            }
            Edge::new(inputs[bit as usize], false)
        });
        copied[0]
    });
    Ok(Found::Sequence(copied.collect()))
}
