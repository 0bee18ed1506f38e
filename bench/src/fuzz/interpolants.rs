//! Interpolants of small partitioned formulas, judged on all assignments.

use std::fmt::Write as _;

use craig_aig::{Aig, Edge, Node, Random};
use craig_itp::choice::{Choice, Cut};
use craig_itp::proof_sensitive::ProofSensitive;
use craig_itp::prove::prove;
use craig_itp::transform::{
    Raising, lower_units, lower_univalents, merge_equal, prune, raise_local, recycle_pivots,
    rewrite_local,
};
use craig_itp::{Rule, Stop, System, symmetric};
use craig_solver::proof::ProofDag;
use craig_solver::proof::check::{check_dag, check_leaves};
use craig_solver::{Cnf, Label, Limits, Lit, Var};

use super::Subject;
use super::shrink::without_parts;
use super::tally::Tally;

/// The interpolation.
pub(super) struct Interpolants;

/// The largest number of variables: all assignments are tried.
const MAX_VARS: usize = 10;
/// The number of parts of a formula.
const N_PARTS: usize = 4;

const TRANSFORMS: &[&str] = &[
    "none",
    "raise-local",
    "raise-local-b",
    "raise-local-shrink",
    "lower-units",
    "lower-univalents",
    "recycle-pivots",
    "merge-equal",
    "rewrite-local",
];

/// A formula and a way to its interpolants.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Clauses with the number of their part.
    clauses: Vec<(Label, Vec<i32>)>,
    choice: Choice,
    transform: &'static str,
    cut: Label,
    seed: u64,
}

impl Subject for Interpolants {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let n_vars = 3 + random.below(MAX_VARS - 2);
        let n_clauses = n_vars * (4 + random.below(4));
        // Half of the formulas have variables that only one part knows.
        let is_local = random.flip();
        let clauses = (0..n_clauses)
            .map(|_| {
                let part = random.below(N_PARTS);
                let length = 1 + random.below(3) + usize::from(random.flip());
                let lits = (0..length).map(|_| {
                    let var = match is_local && random.below(3) == 0 {
                        true => (part + N_PARTS * random.below(n_vars)) % n_vars,
                        false => random.below(n_vars),
                    };
                    let var = var as i32 + 1;
                    if random.flip() { var } else { -var }
                });
                (part as Label, lits.collect())
            })
            .collect();
        let seed = random.below(1000) as u64;
        let choice = match random.below(8) {
            0..2 => System::ALL[random.below(3)].into(),
            2..4 => ProofSensitive::ALL[random.below(3)].into(),
            4 => Choice::Clausewise,
            5 => Rule::RandomVariables(seed).into(),
            6 => Rule::RandomStrong(seed).into(),
            _ => Choice::RandomOccurrences(seed),
        };
        Case {
            clauses,
            choice,
            transform: TRANSFORMS[random.below(TRANSFORMS.len())],
            cut: random.below(N_PARTS - 1) as Label,
            seed,
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let cnf = case.formula();
        let all = Assignments(cnf.n_vars());
        let is_satisfiable = all.iter().any(|values| satisfies(&cnf, values, &|_| true));
        let dag = match prove(&cnf, case.seed, Limits::default(), &Stop::never()) {
            Ok(dag) => dag,
            Err(_) if is_satisfiable => {
                tally.count("satisfiable");
                return Ok(());
            }
            Err(error) => return Err(format!("proof: {error:?}")),
        };
        if is_satisfiable {
            return Err("wrong: a satisfiable formula is refuted".into());
        }
        let dag = prune(&dag, &Stop::never()).map_err(|_| "stop: there is none")?;
        let dag = case.transformed(&dag)?;
        check_dag(&dag).map_err(|error| format!("chain: {error}"))?;
        check_leaves(&dag, &cnf).map_err(|error| format!("leaf: {error}"))?;
        single(case, &cnf, &dag, tally)?;
        ordered(case, &cnf, &dag, tally)?;
        sequence(case, &cnf, &dag, tally)?;
        parts(case, &cnf, &dag, tally)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        let fewer = without_parts(&case.clauses)
            .into_iter()
            .map(|clauses| Case {
                clauses,
                ..case.clone()
            });
        let plain = (case.transform != "none").then(|| Case {
            transform: "none",
            ..case.clone()
        });
        fewer.chain(plain).collect()
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let mut text = format!(
            "c {:?}, transform {}, cut {}, seed {}\np cnf {} {}\n",
            case.choice,
            case.transform,
            case.cut,
            case.seed,
            case.formula().n_vars(),
            case.clauses.len(),
        );
        for (part, lits) in &case.clauses {
            let _ = writeln!(text, "c part {part}");
            for lit in lits {
                let _ = write!(text, "{lit} ");
            }
            text += "0\n";
        }
        (text, "cnf")
    }
}

impl Case {
    fn formula(&self) -> Cnf {
        let mut cnf = Cnf::new();
        for (label, lits) in &self.clauses {
            let lits: Vec<Lit> = (lits.iter())
                .map(|&lit| Lit::from_dimacs(lit.into()).expect("literals are not 0"))
                .collect();
            let n_vars = lits
                .iter()
                .map(|lit| lit.var().index() + 1)
                .max()
                .unwrap_or(0);
            cnf.reserve_vars(cnf.n_vars().max(n_vars));
            cnf.add_labelled_clause(&lits, *label);
        }
        cnf
    }

    fn transformed(&self, dag: &ProofDag) -> Result<ProofDag, String> {
        let stop = &Stop::never();
        let in_a = |label: Label| label <= self.cut;
        let in_b = |label: Label| label > self.cut;
        let result = match self.transform {
            "none" => Ok(dag.clone()),
            "raise-local" => raise_local(dag, &in_a, Raising::default(), stop),
            "raise-local-b" => raise_local(dag, &in_b, Raising::default(), stop),
            "raise-local-shrink" => raise_local(dag, &in_a, Raising::PAPER, stop),
            "lower-units" => lower_units(dag, stop),
            "lower-univalents" => lower_univalents(dag, stop),
            "recycle-pivots" => recycle_pivots(dag, stop),
            "merge-equal" => merge_equal(dag, stop),
            "rewrite-local" => rewrite_local(dag, stop),
            other => return Err(format!("transform: {other} is none")),
        };
        result.map_err(|error| format!("transform: {error:?}"))
    }
}

/// All assignments of a number of variables.
struct Assignments(usize);

impl Assignments {
    fn iter(&self) -> impl Iterator<Item = u32> {
        0..1_u32 << self.0
    }
}

fn is_true(lit: Lit, values: u32) -> bool {
    (values >> lit.var().index() & 1 == 1) != lit.is_negated()
}

/// Whether the clauses of some parts hold.
fn satisfies(cnf: &Cnf, values: u32, in_part: &dyn Fn(Label) -> bool) -> bool {
    let mut clauses = cnf.iter().filter(|&(_, label)| in_part(label));
    clauses.all(|(lits, _)| lits.iter().any(|&lit| is_true(lit, values)))
}

/// A graph with an input for each variable.
struct Graph {
    aig: Aig,
    inputs: Vec<Edge>,
}

impl Graph {
    fn new(n_vars: usize) -> Self {
        let mut aig = Aig::new();
        let inputs = (0..n_vars).map(|_| aig.add_input()).collect();
        Self { aig, inputs }
    }

    /// The value of a formula.
    fn value(&self, edge: Edge, values: u32) -> bool {
        let mut of_node = vec![false; self.aig.n_nodes()];
        let holds =
            |of_node: &[bool], edge: Edge| of_node[edge.node() as usize] != edge.is_negated();
        for node in 0..self.aig.n_nodes() {
            of_node[node] = match self.aig.node(node as u32) {
                Node::Constant => false,
                Node::Input(place) => values >> place & 1 == 1,
                Node::And(left, right) => holds(&of_node, left) && holds(&of_node, right),
            };
        }
        holds(&of_node, edge)
    }

    /// The variables that occur in a formula.
    fn vars(&self, edge: Edge) -> Vec<usize> {
        let mut is_in = vec![false; self.aig.n_nodes()];
        is_in[edge.node() as usize] = true;
        let mut vars = Vec::new();
        for node in (0..self.aig.n_nodes())
            .rev()
            .filter(|&node| edge.node() as usize >= node)
        {
            if !is_in[node] {
                continue;
            }
            match self.aig.node(node as u32) {
                Node::Constant => {}
                Node::Input(place) => vars.push(place as usize),
                Node::And(left, right) => {
                    is_in[left.node() as usize] = true;
                    is_in[right.node() as usize] = true;
                }
            }
        }
        vars
    }
}

/// The three conditions of an interpolant.
fn is_interpolant(
    cnf: &Cnf,
    graph: &Graph,
    edge: Edge,
    in_a: &dyn Fn(Label) -> bool,
) -> Result<(), String> {
    for values in Assignments(cnf.n_vars()).iter() {
        let holds = graph.value(edge, values);
        if satisfies(cnf, values, in_a) && !holds {
            return Err("wrong: A does not imply it".into());
        }
        if satisfies(cnf, values, &|label| !in_a(label)) && holds {
            return Err("wrong: it does not contradict B".into());
        }
    }
    for var in graph.vars(edge) {
        let occurs = |side: bool| {
            let mut clauses = cnf.iter().filter(|&(_, label)| in_a(label) == side);
            clauses.any(|(lits, _)| lits.iter().any(|lit| lit.var() == Var::new(var)))
        };
        if !(occurs(true) && occurs(false)) {
            return Err("wrong: a variable is not shared".into());
        }
    }
    Ok(())
}

fn interpolant(
    case: &Case,
    (cnf, dag): (&Cnf, &ProofDag),
    choice: &Choice,
    graph: &mut Graph,
) -> Result<Edge, String> {
    let in_a = |label: Label| label <= case.cut;
    let stop = Stop::never();
    let at = Cut {
        cnf,
        dag,
        in_a: &in_a,
        number: case.cut as usize,
        stop: &stop,
    };
    let Graph { aig, inputs } = graph;
    let mut leaf = |var: Var| inputs[var.index()];
    (choice.interpolant(&at, aig, &mut leaf)).map_err(|_| "stop: there is none".into())
}

/// One cut.
fn single(case: &Case, cnf: &Cnf, dag: &ProofDag, tally: &mut Tally) -> Result<(), String> {
    let mut graph = Graph::new(cnf.n_vars());
    let edge = interpolant(case, (cnf, dag), &case.choice, &mut graph)?;
    is_interpolant(cnf, &graph, edge, &|label| label <= case.cut)?;
    tally.count("interpolants");
    Ok(())
}

/// McMillan's interpolant is the strongest of the labelled ones, and that of the inverse system the weakest.
fn ordered(case: &Case, cnf: &Cnf, dag: &ProofDag, tally: &mut Tally) -> Result<(), String> {
    if case.choice == Choice::Clausewise {
        return Ok(());
    }
    let mut graph = Graph::new(cnf.n_vars());
    let all = [
        System::McMillan.into(),
        case.choice.clone(),
        System::InverseMcMillan.into(),
    ];
    let mut edges = Vec::new();
    for choice in &all {
        edges.push(interpolant(case, (cnf, dag), choice, &mut graph)?);
    }
    for values in Assignments(cnf.n_vars()).iter() {
        let held = [0, 1, 2].map(|index| graph.value(edges[index], values));
        if held[0] && !held[1] || held[1] && !held[2] {
            return Err("order: a weaker labelling has a stronger interpolant".into());
        }
    }
    tally.count("ordered interpolants");
    Ok(())
}

/// All cuts: each interpolant, with the part behind it, implies the next one.
fn sequence(case: &Case, cnf: &Cnf, dag: &ProofDag, tally: &mut Tally) -> Result<(), String> {
    if matches!(case.choice, Choice::RandomOccurrences(_)) {
        return Ok(());
    }
    let cuts: Vec<Label> = (0..N_PARTS as Label - 1).collect();
    let mut graph = Graph::new(cnf.n_vars());
    let Graph { aig, inputs } = &mut graph;
    let mut leaf = |_: usize, var: Var| inputs[var.index()];
    let edges = (case
        .choice
        .sequence((cnf, dag), &cuts, aig, &mut leaf, &Stop::never()))
    .map_err(|_| "stop: there is none")?;
    let mut before = Edge::TRUE;
    for (&cut, &edge) in cuts.iter().zip(&edges) {
        is_interpolant(cnf, &graph, edge, &|label| label <= cut)?;
        for values in Assignments(cnf.n_vars()).iter() {
            let goes_on =
                graph.value(before, values) && satisfies(cnf, values, &|label| label == cut);
            if goes_on && !graph.value(edge, values) {
                return Err("sequence: a step does not hold".into());
            }
        }
        before = edge;
    }
    tally.count("sequences");
    Ok(())
}

/// An interpolant for each part, which contradict each other.
fn parts(case: &Case, cnf: &Cnf, dag: &ProofDag, tally: &mut Tally) -> Result<(), String> {
    let system = if case.seed.is_multiple_of(2) {
        System::McMillan
    } else {
        System::Symmetric
    };
    let labels: Vec<Label> = (0..N_PARTS as Label).collect();
    let mut graph = Graph::new(cnf.n_vars());
    let Graph { aig, inputs } = &mut graph;
    let mut leaf = |_: usize, var: Var| inputs[var.index()];
    let edges = symmetric(dag, &labels, system, aig, &mut leaf, &Stop::never())
        .map_err(|error| format!("parts: {error:?}"))?;
    for (&part, &edge) in labels.iter().zip(&edges) {
        is_interpolant(cnf, &graph, edge, &|label| label == part)?;
    }
    for values in Assignments(cnf.n_vars()).iter() {
        if edges.iter().all(|&edge| graph.value(edge, values)) {
            return Err("parts: they do not contradict each other".into());
        }
    }
    tally.count("symmetric interpolants");
    Ok(())
}
