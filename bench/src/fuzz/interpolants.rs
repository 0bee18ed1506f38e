//! Interpolants of small partitioned formulas, judged on all assignments.

use std::fmt::Write as _;

use craig_aig::{Aig, Edge, Node, NodeId, Random};
use craig_itp::choice::{Choice, Cut};
use craig_itp::labelling::VariableLabels;
use craig_itp::proof_sensitive::ProofSensitive;
use craig_itp::prove::prove;
use craig_itp::simplify::{Effort, Simplifier};
use craig_itp::transform::{Raising, Reduction, prune, raise_local, reduce};
use craig_itp::{Rule, Stop, System, Tree, symmetric, tree};
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

/// What else is done to a proof, besides single reductions.
const TRANSFORMS: &[&str] = &[
    "none",
    "raise-local",
    "raise-local-b",
    "raise-local-shrink",
    "reduce",
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
        let choice = match random.below(10) {
            0..2 => System::ALL[random.below(3)].into(),
            2..4 => ProofSensitive::ALL[random.below(3)].into(),
            4 => Choice::Clausewise,
            5 => Rule::RandomVariables(seed).into(),
            6 => Rule::RandomStrong(seed).into(),
            7 => Choice::RandomOccurrences(seed),
            which => labels(random, (n_vars, n_clauses), which == 8),
        };
        let transforms: Vec<&'static str> = (TRANSFORMS.iter().copied())
            .chain(Reduction::EVERY.map(Reduction::name))
            .collect();
        Case {
            clauses,
            choice,
            transform: transforms[random.below(transforms.len())],
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
        parts(case, &cnf, &dag, tally)?;
        subtrees(case, &cnf, &dag, tally)?;
        tally.count(&format!("unsatisfiable, {}", case.labelling()));
        tally.count(&format!("unsatisfiable, transform {}", case.transform));
        Ok(())
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
            "reduce" => reduce(dag, &Reduction::ALL, 3, stop),
            other => match Reduction::from_name(other) {
                Some(single) => single.apply(dag, stop),
                None => return Err(format!("transform: {other} is none")),
            },
        };
        result.map_err(|error| format!("transform: {error:?}"))
    }

    /// The kind of its labels.
    fn labelling(&self) -> String {
        match &self.choice {
            Choice::Rule(Rule::RandomVariables(_)) => "random labels of variables".into(),
            Choice::Rule(Rule::RandomStrong(_)) => "random strong labels".into(),
            Choice::RandomOccurrences(_) => "random labels of occurrences".into(),
            Choice::Labels(_, labels) if labels.has_occurrences() => {
                "labels of occurrences in a file".into()
            }
            Choice::Labels(..) => "labels of variables in a file".into(),
            other => other.name(),
        }
    }
}

/// The labels of a file: of variables, or of literals and of their occurrences in clauses.
fn labels(random: &mut Random, (n_vars, n_clauses): (usize, usize), of_variables: bool) -> Choice {
    let side = |random: &mut Random| ["a", "b", "ab"][random.below(3)];
    let mut text = String::new();
    for var in 1..=n_vars {
        let _ = match of_variables {
            true => writeln!(text, "{var} {}", side(random)),
            false => writeln!(
                text,
                "lit {var} {}\nlit -{var} {}",
                side(random),
                side(random)
            ),
        };
    }
    for clause in (1..=n_clauses).filter(|_| !of_variables) {
        let var = 1 + random.below(n_vars);
        let sign = if random.flip() { "-" } else { "" };
        let _ = writeln!(text, "clause {clause} {sign}{var} {}", side(random));
    }
    let labels = VariableLabels::parse(&text).expect("no line is twice");
    Choice::Labels("file".into(), labels)
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
    let in_a = |label: Label| label <= case.cut;
    is_interpolant(cnf, &graph, edge, &in_a)?;
    tally.count("interpolants");
    let mut simple = edge;
    simplified(cnf, &mut graph, |simplifier, aig| {
        simplifier.interpolant(aig, &in_a, &mut simple)
    })?;
    is_interpolant(cnf, &graph, simple, &in_a).map_err(|error| format!("simplified, {error}"))?;
    tally.count("simplified interpolants");
    Ok(())
}

/// Simplifies formulas of a graph.
fn simplified<E: std::fmt::Debug>(
    cnf: &Cnf,
    graph: &mut Graph,
    work: impl FnOnce(&Simplifier<'_>, &mut Aig) -> Result<(), E>,
) -> Result<(), String> {
    let variables: Vec<NodeId> = graph.inputs.iter().map(|input| input.node()).collect();
    let simplifier = Simplifier {
        cnf,
        variable: &|node| (variables.iter().position(|&own| own == node)).map(Var::new),
        effort: Effort::default(),
        stop: Stop::never(),
    };
    work(&simplifier, &mut graph.aig).map_err(|error| format!("stop: {error:?}"))
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
    match &case.choice {
        Choice::RandomOccurrences(_) => return Ok(()),
        Choice::Labels(_, labels) if labels.has_occurrences() => return Ok(()),
        _ => {}
    }
    let cuts: Vec<Label> = (0..N_PARTS as Label - 1).collect();
    let mut graph = Graph::new(cnf.n_vars());
    let Graph { aig, inputs } = &mut graph;
    let mut leaf = |_: usize, var: Var| inputs[var.index()];
    let mut edges = (case
        .choice
        .sequence((cnf, dag), &cuts, aig, &mut leaf, &Stop::never()))
    .map_err(|_| "stop: there is none")?;
    is_sequence(cnf, &graph, &cuts, &edges)?;
    tally.count("sequences");
    simplified(cnf, &mut graph, |simplifier, aig| {
        simplifier.sequence(aig, &cuts, &mut edges)
    })?;
    is_sequence(cnf, &graph, &cuts, &edges).map_err(|error| format!("simplified, {error}"))?;
    tally.count("simplified sequences");
    Ok(())
}

/// The conditions of a sequence.
fn is_sequence(cnf: &Cnf, graph: &Graph, cuts: &[Label], edges: &[Edge]) -> Result<(), String> {
    let mut before = Edge::TRUE;
    for (&cut, &edge) in cuts.iter().zip(edges) {
        is_interpolant(cnf, graph, edge, &|label| label <= cut)?;
        for values in Assignments(cnf.n_vars()).iter() {
            let goes_on =
                graph.value(before, values) && satisfies(cnf, values, &|label| label == cut);
            if goes_on && !graph.value(edge, values) {
                return Err("sequence: a step does not hold".into());
            }
        }
        before = edge;
    }
    Ok(())
}

/// The system of joint interpolants; the third one is refused there.
fn joint_system(case: &Case) -> System {
    match case.seed.is_multiple_of(2) {
        true => System::McMillan,
        false => System::Symmetric,
    }
}

/// An interpolant for each subtree of a tree of the parts: those of the children and the part of a node imply that of the node.
fn subtrees(case: &Case, cnf: &Cnf, dag: &ProofDag, tally: &mut Tally) -> Result<(), String> {
    let mut seed = case.seed as usize / 2;
    let parents: Vec<Option<usize>> = (0..N_PARTS)
        .map(|node| {
            let n_later = N_PARTS - 1 - node;
            let later = (n_later > 0).then(|| node + 1 + seed % n_later);
            seed /= n_later.max(1);
            later
        })
        .collect();
    let parts = Tree::new(parents.clone()).map_err(|error| format!("tree: {error}"))?;
    let mut graph = Graph::new(cnf.n_vars());
    let Graph { aig, inputs } = &mut graph;
    let mut leaf = |_: usize, var: Var| inputs[var.index()];
    let edges = tree(
        dag,
        &parts,
        joint_system(case),
        aig,
        &mut leaf,
        &Stop::never(),
    )
    .map_err(|error| format!("tree: {error:?}"))?;
    for (node, &edge) in edges.iter().enumerate() {
        is_interpolant(cnf, &graph, edge, &|label| {
            parts.subtree_contains(node, label)
        })?;
        for values in Assignments(cnf.n_vars()).iter() {
            let own = satisfies(cnf, values, &|label| label as usize == node);
            let mut children = (0..N_PARTS).filter(|&child| parents[child] == Some(node));
            if own
                && children.all(|child| graph.value(edges[child], values))
                && !graph.value(edge, values)
            {
                return Err("tree: a node does not follow".into());
            }
        }
    }
    tally.count("tree interpolants");
    Ok(())
}

/// An interpolant for each part, which contradict each other.
fn parts(case: &Case, cnf: &Cnf, dag: &ProofDag, tally: &mut Tally) -> Result<(), String> {
    let labels: Vec<Label> = (0..N_PARTS as Label).collect();
    let mut graph = Graph::new(cnf.n_vars());
    let Graph { aig, inputs } = &mut graph;
    let mut leaf = |_: usize, var: Var| inputs[var.index()];
    let edges = symmetric(
        dag,
        &labels,
        joint_system(case),
        aig,
        &mut leaf,
        &Stop::never(),
    )
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
