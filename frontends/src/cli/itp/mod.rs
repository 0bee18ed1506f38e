//! `craig itp`: interpolants of a divided formula.

mod input;
mod report;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use craig_itp::labelling::{Choice, VariableLabels};
use craig_itp::prove::{NoRefutation, prove};
use craig_itp::simplify::{Effort, Simplifier};
use craig_itp::symmetric::symmetric_by_part;
use craig_itp::transform::ProofStatistics;
use craig_itp::tree::labelled_tree;
use craig_itp::verify::{Verifier, Violation};
use craig_itp::{
    JointError, Labelling, Side, Size, Stop, Stopped, System, Tree, labelled_interpolant,
    labelled_sequence, sequence_by_cut, shared_variables, size,
};
use craig_solver::aig::{Aig, Edge, NodeId, compact};
use craig_solver::proof::ProofDag;
use craig_solver::proof::import::{import_lrat, import_tracecheck};
use craig_solver::{Label, Limits, Var};

pub(super) use input::{Source, load, load_model};

use super::failure::Failure;
use super::input::read_file;
use super::output::{abandon, write_file};
use super::terminal::{complain, print};
use super::transforms::ProofTransform;
use super::watch::{self, End, parse_seconds, watch};
use crate::problem::Problem;
use craig_formula::dimacs::decompress;
use craig_formula::{Format, Formulas, Variable, write_proof};

/// Compute Craig interpolants of an unsatisfiable formula whose clauses are divided among partitions.
///
/// The partitions are two DIMACS files (`--a`, `--b`: numbers 0 and 1), one DIMACS file with lines
/// `c partition N`, or an AIGER circuit or a C program unrolled to a bound (step N is partition N). Without `--sequence`,
/// `--symmetric` or `--tree`, one interpolant is computed: of the partitions up to the cut against the others.
///
/// Exit codes: 0; 10 if the formula is satisfiable, so that there is nothing to interpolate; 30 if a limit was
/// reached before there was a refutation, or before `--verify` was done.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// A refutation by another solver, in LRAT (also binary) or TraceCheck (`.tc`, `.tracecheck`), plain or compressed.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// The format of the proof, if its name does not tell.
    #[arg(long, value_name = "FORMAT", requires = "proof")]
    proof_format: Option<ProofFormat>,
    /// The labels of shared variables: a classic system, from the strongest to the weakest.
    #[arg(long, value_name = "SYSTEM", default_value = "mcmillan", conflicts_with_all = ["labelling", "random"])]
    system: ClassicSystem,
    /// Labels from a file: lines `VAR a|b|ab`, `default SIDE`, `cut N VAR SIDE`, `cut N default SIDE`.
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    labelling: Option<PathBuf>,
    /// Random labels, one for each variable.
    #[arg(long, value_name = "SEED")]
    random: Option<u64>,
    /// The last partition that belongs to A.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["sequence", "symmetric", "tree"])]
    cut: Label,
    /// One interpolant for each cut between two partitions.
    #[arg(long, conflicts_with_all = ["symmetric", "tree"])]
    sequence: bool,
    /// One interpolant for each partition against all others.
    #[arg(long, conflicts_with = "tree")]
    symmetric: bool,
    /// One interpolant for each subtree: the parents of partitions 0, 1, .., with `-` for the root,
    /// as in `2,2,-`.
    #[arg(long, value_name = "PARENTS", allow_hyphen_values = true)]
    tree: Option<String>,
    /// Which of several proofs to search for.
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 0,
        conflicts_with = "proof"
    )]
    seed: u64,
    /// What is done to the proof first, in this order.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    transform: Vec<ProofTransform>,
    /// Rounds of `reduce`, at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: usize,
    /// Check the interpolants by SAT: Craig's conditions, and what holds for all of them together.
    #[arg(long)]
    verify: bool,
    /// Make the interpolants smaller without changing what they mean.
    #[arg(long)]
    compact: bool,
    /// Make the interpolants smaller where they are free to be others: what comes out may be stronger or weaker.
    #[arg(long)]
    simplify: bool,
    /// Stop after so many seconds. If there are interpolants by then, but not yet verified, they are written and
    /// called unverified.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// Stop when so much memory is resident.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Where to write the interpolants; `-` is standard output, and takes the place of the summary.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format to write, if the file's name does not tell.
    #[arg(long, value_name = "FORMAT", requires = "output")]
    format: Option<Format>,
    /// Draw the proof with Graphviz.
    #[arg(long, value_name = "FILE")]
    proof_graph: Option<PathBuf>,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum ProofFormat {
    /// LRAT, text or binary.
    Lrat,
    /// TraceCheck.
    Tracecheck,
}

/// The classic systems as the command line names them.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum ClassicSystem {
    /// McMillan's: the strongest.
    Mcmillan,
    /// Huang's, Krajicek's and Pudlak's.
    Symmetric,
    /// The dual of McMillan's: the weakest.
    Inverse,
}

impl From<ClassicSystem> for System {
    fn from(system: ClassicSystem) -> Self {
        match system {
            ClassicSystem::Mcmillan => Self::McMillan,
            ClassicSystem::Symmetric => Self::Symmetric,
            ClassicSystem::Inverse => Self::InverseMcMillan,
        }
    }
}

/// What is to be interpolated against what.
enum Shape {
    Cut(Label),
    Sequence(Vec<Label>),
    Symmetric(Vec<Label>),
    Tree(Tree),
}

/// An interpolant and what is known about it.
struct Interpolant {
    name: String,
    edge: Edge,
    size: Size,
    /// How many variables it might have mentioned.
    n_shared: usize,
}

/// All that the summary tells.
struct Summary {
    interpolants: Vec<Interpolant>,
    labelling: String,
    n_clauses: usize,
    core: usize,
    resolutions: usize,
    verified: bool,
    /// Before and after the transforms, if there are any.
    transformed: Option<[ProofStatistics; 2]>,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let limits = watch::Limits {
        deadline: arguments.timeout.map(|time| Instant::now() + time),
        memory: arguments.memory.map(|megabytes| megabytes << 20),
    };
    let asked = Arc::new(AtomicBool::new(false));
    let mut reason = None;
    let ask_to_stop = |stop: watch::Stop| {
        reason = Some(stop.reason());
        asked.store(true, Ordering::Relaxed);
    };
    let work = {
        let (arguments, asked) = (arguments.clone(), Arc::clone(&asked));
        move || {
            work(
                &arguments,
                &Stop::when(move || asked.load(Ordering::Relaxed)),
            )
        }
    };
    let (code, is_abandoned) = match watch(limits, ask_to_stop, work)? {
        End::Finished(result) => (result?, false),
        End::Abandoned(_) => (UNKNOWN, true),
    };
    if code == UNKNOWN {
        complain(&format!(
            "UNKNOWN: {}",
            reason.unwrap_or("the search gave up")
        ));
    }
    if is_abandoned {
        // The other thread does not listen: it ends with the process.
        if let Some(path) = &arguments.output {
            abandon(path);
        }
        std::process::exit(UNKNOWN.into());
    }
    Ok(code)
}

/// The exit code where a limit was reached.
const UNKNOWN: u8 = 30;

/// All but the watching.
fn work(arguments: &Arguments, stop: &Stop) -> Result<u8, Failure> {
    let choice = choice(arguments)?;
    let format = format(arguments)?;
    let problem = load(&arguments.source)?;
    let shape = shape(arguments, &problem)?;
    check_labels(&choice, &problem, &shape)?;
    let original = match refutation(arguments, &problem, stop) {
        Ok(dag) => dag,
        Err(Search::Failed(failure)) => return Err(failure),
        Err(Search::Ended(NoRefutation::Unknown)) => return Ok(UNKNOWN),
        Err(Search::Ended(NoRefutation::Satisfiable(_))) => {
            print("SATISFIABLE: the partitions are consistent, there is no interpolant\n");
            return Ok(10);
        }
    };
    let before = ProofStatistics::of(&original);
    let Ok(dag) = transformed(arguments, &shape, original, stop)? else {
        return Ok(UNKNOWN);
    };
    let formulas = match interpolate(&problem, &dag, &shape, &choice, stop) {
        Ok(formulas) => formulas,
        Err(JointError::TooWeak(error)) => return Err(Failure::input(error)),
        Err(JointError::Stopped(_)) => return Ok(UNKNOWN),
    };
    let formulas = shrunk(arguments, formulas, &problem, &shape, stop);
    let verified = arguments.verify
        && match verify(&problem, &formulas, &shape, stop) {
            Ok(()) => true,
            Err(Violation::Undecided) => false,
            Err(violation) => {
                let message = format!("the interpolants are wrong: {violation}");
                return Err(Failure::internal(message));
            }
        };
    let summary = Summary {
        verified,
        transformed: (!arguments.transform.is_empty()).then(|| [before, ProofStatistics::of(&dag)]),
        ..Summary::new(&problem, &dag, &shape, &choice, &formulas)
    };
    if let Some(path) = &arguments.proof_graph {
        let name = |lit: craig_solver::Lit| {
            let sign = if lit.is_negated() { "\u{ac}" } else { "" };
            format!("{sign}{}", problem.name(lit.var()))
        };
        write_file(path, |output| write_proof(&dag, &name, output))?;
    }
    publish(arguments, format, &formulas, &summary)?;
    Ok(if arguments.verify && !verified {
        UNKNOWN
    } else {
        0
    })
}

/// Writes the interpolants and prints the summary.
fn publish(
    arguments: &Arguments,
    format: Option<Format>,
    formulas: &Formulas,
    summary: &Summary,
) -> Result<(), Failure> {
    let to_stdout = arguments.output.as_deref() == Some(Path::new("-"));
    match (&arguments.output, format) {
        (Some(_), Some(format)) if to_stdout => {
            let mut output = std::io::stdout().lock();
            let written = formulas.write(format, &mut output);
            written.map_err(|error| Failure::input(format!("standard output: {error}")))?;
        }
        (Some(path), Some(format)) => {
            write_file(path, |output| formulas.write(format, output))?;
        }
        _ => {}
    }
    if arguments.json {
        print(&summary.json());
    } else if !to_stdout {
        print(&summary.text());
    }
    Ok(())
}

fn choice(arguments: &Arguments) -> Result<Choice, Failure> {
    match (&arguments.labelling, arguments.random) {
        (_, Some(seed)) => Ok(Choice::RandomVariables(seed)),
        (Some(path), None) => labels(path),
        (None, None) => Ok(Choice::Classic(arguments.system.into())),
    }
}

/// Reads a labelling file.
pub(super) fn labels(path: &Path) -> Result<Choice, Failure> {
    let bytes = read_file(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let labels = VariableLabels::parse(&text)
        .map_err(|error| Failure::input(format!("{}:{error}", path.display())))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(Choice::Labels(name.to_string_lossy().into_owned(), labels))
}

/// The format to write, if anything is to be written.
fn format(arguments: &Arguments) -> Result<Option<Format>, Failure> {
    let Some(path) = &arguments.output else {
        return Ok(None);
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = arguments
        .format
        .or_else(|| Format::from_extension(extension?));
    match format {
        Some(format) => Ok(Some(format)),
        None => Err(Failure::input(format!(
            "{}: the name does not tell the format: use --format",
            path.display()
        ))),
    }
}

fn shape(arguments: &Arguments, problem: &Problem) -> Result<Shape, Failure> {
    let labels = problem.labels();
    if arguments.sequence {
        let n_cuts = labels.len().saturating_sub(1);
        return Ok(Shape::Sequence(labels[..n_cuts].to_vec()));
    }
    if arguments.symmetric {
        return Ok(Shape::Symmetric(labels));
    }
    let Some(text) = &arguments.tree else {
        return Ok(Shape::Cut(arguments.cut));
    };
    let parent = |word: &str| match word.trim() {
        "-" => Ok(None),
        word => word.parse().map(Some).map_err(|_| {
            Failure::input(format!("--tree: {word:?} is neither a partition nor \"-\""))
        }),
    };
    let parents = text.split(',').map(parent).collect::<Result<_, _>>()?;
    Tree::new(parents)
        .map(Shape::Tree)
        .map_err(|error| Failure::input(format!("--tree: {error}")))
}

/// Why there is no refutation.
enum Search {
    /// The search ended without one.
    Ended(NoRefutation),
    /// The file has none.
    Failed(Failure),
}

/// The refutation: read, or searched for.
fn refutation(arguments: &Arguments, problem: &Problem, stop: &Stop) -> Result<ProofDag, Search> {
    match &arguments.proof {
        Some(path) => import(path, arguments.proof_format, problem).map_err(Search::Failed),
        None => prove(&problem.cnf, arguments.seed, Limits::default(), stop).map_err(Search::Ended),
    }
}

/// Reads a refutation by another solver; its format is that of the file's name unless it is given.
pub(super) fn import(
    path: &Path,
    format: Option<ProofFormat>,
    problem: &Problem,
) -> Result<ProofDag, Failure> {
    let unreadable =
        |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let file = File::open(path)
        .and_then(decompress)
        .map_err(|error| unreadable(&format!("can't be read: {error}")))?;
    let name = path.to_string_lossy();
    let plain = Path::new(name.trim_end_matches(".gz").trim_end_matches(".xz"));
    let extension = plain.extension().and_then(|extension| extension.to_str());
    let format = format.unwrap_or(match extension {
        Some("tc" | "tracecheck") => ProofFormat::Tracecheck,
        _ => ProofFormat::Lrat,
    });
    let dag = match format {
        ProofFormat::Lrat => import_lrat(&problem.cnf, file),
        ProofFormat::Tracecheck => import_tracecheck(&problem.cnf, file),
    };
    dag.map_err(|error| unreadable(&error))
}

/// The proof with the transforms applied. Those that look at the cut would make another proof for each
/// interpolant, which would break what holds for all of them together.
fn transformed(
    arguments: &Arguments,
    shape: &Shape,
    dag: ProofDag,
    stop: &Stop,
) -> Result<Result<ProofDag, Stopped>, Failure> {
    let cut = match shape {
        Shape::Cut(cut) => *cut,
        _ => match arguments
            .transform
            .iter()
            .find(|transform| transform.depends_on_cut())
        {
            None => 0,
            Some(transform) => {
                return Err(Failure::input(format!(
                    "--transform {}: it depends on the cut, and there is more than one",
                    transform.name()
                )));
            }
        },
    };
    let apply = |dag: ProofDag, transform: &ProofTransform| {
        transform.apply(&dag, &|label| label <= cut, arguments.rounds, stop)
    };
    Ok(arguments.transform.iter().try_fold(dag, apply))
}

/// The interpolants, over one input for each variable that occurs in more than one partition.
fn interpolate(
    problem: &Problem,
    dag: &ProofDag,
    shape: &Shape,
    choice: &Choice,
    stop: &Stop,
) -> Result<Formulas, JointError> {
    let mut aig = Aig::new();
    let mut inputs: Vec<Option<Edge>> = vec![None; problem.cnf.n_vars()];
    let mut variables = Vec::new();
    for var in between_partitions(problem) {
        inputs[var.index()] = Some(aig.add_input());
        variables.push(Variable {
            var,
            name: problem.name(var),
        });
    }
    let mut leaf = |_: usize, var: Var| inputs[var.index()].expect("it is in two partitions");
    let edges = match shape {
        Shape::Cut(cut) => vec![choice.with(*cut as usize, |labelling| {
            let in_a = |label| label <= *cut;
            let leaf = &mut |var| leaf(0, var);
            labelled_interpolant(dag, &in_a, labelling, &mut aig, leaf, stop)
        })?],
        Shape::Sequence(cuts) => match choice {
            Choice::Labels(_, labels) if labels.differs_between_cuts() => {
                let side = |index: usize, var| labels.side(cuts[index] as usize, var);
                sequence_by_cut(dag, cuts, &side, &mut aig, &mut leaf, stop)?
            }
            _ => choice.with(0, |labelling| {
                labelled_sequence(dag, cuts, labelling, &mut aig, &mut leaf, stop)
            })?,
        },
        Shape::Symmetric(parts) => {
            let side = |index: usize, var| side_of(choice, parts[index] as usize, var);
            symmetric_by_part(dag, parts, &side, &mut aig, &mut leaf, stop)?
        }
        Shape::Tree(tree) => {
            let side = |var| side_of(choice, 0, var);
            labelled_tree(dag, tree, &side, &mut aig, &mut leaf, stop)?
        }
    };
    let named = |(index, edge)| (format!("interpolant_{index}"), edge);
    Ok(Formulas {
        aig,
        outputs: edges.into_iter().enumerate().map(named).collect(),
        inputs: variables,
    })
}

/// Refuses labels with which what has to hold for all interpolants together may fail: in a sequence, labels that get
/// stronger from one cut to the next; in a tree, labels of single cuts.
fn check_labels(choice: &Choice, problem: &Problem, shape: &Shape) -> Result<(), Failure> {
    let Choice::Labels(file, labels) = choice else {
        return Ok(());
    };
    if !labels.differs_between_cuts() {
        return Ok(());
    }
    let cuts = match shape {
        Shape::Cut(_) | Shape::Symmetric(_) => return Ok(()),
        Shape::Sequence(cuts) => cuts,
        Shape::Tree(_) => {
            let message = "labels of single cuts, but a tree needs the same for all of it";
            return Err(Failure::input(format!("{file}: {message}")));
        }
    };
    let strength = |side| match side {
        Side::B => 0,
        Side::Both => 1,
        Side::A => 2,
    };
    // The first and the last partition of each variable.
    let mut spans: Vec<Option<(Label, Label)>> = vec![None; problem.cnf.n_vars()];
    for (clause, label) in problem.cnf.iter() {
        for lit in clause {
            let span = spans[lit.var().index()].get_or_insert((label, label));
            *span = (span.0.min(label), span.1.max(label));
        }
    }
    for (index, span) in spans.iter().enumerate() {
        let Some((first, last)) = *span else {
            continue;
        };
        let var = Var::new(index);
        let is_shared = |cut: Label| first <= cut && cut < last;
        for pair in cuts
            .windows(2)
            .filter(|pair| is_shared(pair[0]) && is_shared(pair[1]))
        {
            let [before, after] = [pair[0], pair[1]].map(|cut| labels.side(cut as usize, var));
            if strength(before) > strength(after) {
                return Err(Failure::input(format!(
                    "{file}: the label of {} is stronger at cut {} than at cut {}: a sequence needs labels that \
                     never get stronger (from a to ab or b, or from ab to b)",
                    problem.name(var),
                    pair[1],
                    pair[0]
                )));
            }
        }
    }
    Ok(())
}

/// The label of a shared variable under a choice that has one for each.
fn side_of(choice: &Choice, cut: usize, var: Var) -> Side {
    choice.with(cut, |labelling| match labelling {
        Labelling::Uniform(system) => system.side(),
        Labelling::Variables(side) => side(var),
        Labelling::Occurrences(_) => unreachable!("the command line offers labels per variable"),
    })
}

/// The variables that occur in more than one partition.
fn between_partitions(problem: &Problem) -> Vec<Var> {
    let mut first: Vec<Option<Label>> = vec![None; problem.cnf.n_vars()];
    let mut is_shared = vec![false; problem.cnf.n_vars()];
    for (clause, label) in problem.cnf.iter() {
        for lit in clause {
            let index = lit.var().index();
            is_shared[index] |= *first[index].get_or_insert(label) != label;
        }
    }
    let shared = (0..is_shared.len()).filter(|&index| is_shared[index]);
    shared.map(Var::new).collect()
}

fn compacted(mut formulas: Formulas) -> Formulas {
    let roots: Vec<Edge> = formulas.outputs.iter().map(|&(_, edge)| edge).collect();
    let (aig, roots) = compact(&formulas.aig, &roots, craig_solver::aig::Budget::default());
    for ((_, edge), root) in formulas.outputs.iter_mut().zip(roots) {
        *edge = root;
    }
    Formulas { aig, ..formulas }
}

/// The interpolants made smaller, as far as the arguments ask for it.
fn shrunk(
    arguments: &Arguments,
    mut formulas: Formulas,
    problem: &Problem,
    shape: &Shape,
    stop: &Stop,
) -> Formulas {
    if arguments.compact {
        formulas = compacted(formulas);
    }
    if arguments.simplify {
        formulas = simplified(formulas, problem, shape, stop);
        if arguments.compact {
            formulas = compacted(formulas);
        }
    }
    formulas
}

/// Other interpolants, which are smaller.
fn simplified(mut formulas: Formulas, problem: &Problem, shape: &Shape, stop: &Stop) -> Formulas {
    let inputs: HashMap<NodeId, Var> = formulas
        .aig
        .inputs()
        .iter()
        .copied()
        .zip(formulas.inputs.iter().map(|input| input.var))
        .collect();
    let simplifier = Simplifier {
        cnf: &problem.cnf,
        variable: &|node| inputs.get(&node).copied(),
        effort: Effort::default(),
        stop: stop.clone(),
    };
    let mut edges: Vec<Edge> = formulas.outputs.iter().map(|&(_, edge)| edge).collect();
    let aig = &mut formulas.aig;
    // A stop leaves interpolants, simplified as far as the work went.
    let _ = match shape {
        Shape::Cut(cut) => simplifier.interpolant(aig, &|label| label <= *cut, &mut edges[0]),
        Shape::Sequence(cuts) => simplifier.sequence(aig, cuts, &mut edges),
        Shape::Symmetric(parts) => simplifier.symmetric(aig, parts, &mut edges),
        Shape::Tree(tree) => simplifier.tree(aig, tree, &mut edges),
    };
    for ((_, edge), simple) in formulas.outputs.iter_mut().zip(edges) {
        *edge = simple;
    }
    formulas
}

fn verify(
    problem: &Problem,
    formulas: &Formulas,
    shape: &Shape,
    stop: &Stop,
) -> Result<(), Violation> {
    let edges: Vec<Edge> = formulas.outputs.iter().map(|&(_, edge)| edge).collect();
    let variable = |_: usize, node: NodeId| match formulas.aig.node(node) {
        craig_solver::aig::Node::Input(position) => Some(formulas.inputs[position as usize].var),
        _ => None,
    };
    let verifier = Verifier {
        cnf: &problem.cnf,
        aig: &formulas.aig,
        variable: &variable,
        stop,
    };
    match shape {
        Shape::Cut(cut) => verifier.interpolant(&|label| label <= *cut, edges[0]),
        Shape::Sequence(cuts) => verifier.sequence(cuts, &edges),
        Shape::Symmetric(parts) => verifier.symmetric(parts, &edges),
        Shape::Tree(tree) => verifier.tree(tree, &edges),
    }
}

impl Summary {
    fn new(
        problem: &Problem,
        dag: &ProofDag,
        shape: &Shape,
        choice: &Choice,
        formulas: &Formulas,
    ) -> Self {
        let n_shared = |index: usize| {
            let shared = |in_a: &dyn Fn(Label) -> bool| shared_variables(&problem.cnf, in_a).len();
            match shape {
                Shape::Cut(cut) => shared(&|label| label <= *cut),
                Shape::Sequence(cuts) => shared(&|label| label <= cuts[index]),
                Shape::Symmetric(parts) => shared(&|label| label == parts[index]),
                Shape::Tree(tree) => shared(&|label| tree.subtree_contains(index, label)),
            }
        };
        let proof = ProofStatistics::of(dag);
        let interpolants = formulas
            .outputs
            .iter()
            .enumerate()
            .map(|(index, (name, edge))| Interpolant {
                name: name.clone(),
                edge: *edge,
                size: size(&formulas.aig, *edge),
                n_shared: n_shared(index),
            });
        Self {
            interpolants: interpolants.collect(),
            labelling: choice.name(),
            n_clauses: problem.cnf.n_clauses(),
            core: proof.core,
            resolutions: proof.resolutions,
            verified: false,
            transformed: None,
        }
    }
}
