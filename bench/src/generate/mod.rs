//! Large circuits of several shapes, for measuring how the time and the memory of each phase grow.
//!
//! Every shape is made from a seed and two numbers: the number of gates and the number of latches, both of which are
//! met up to the size of one part. The circuits are no puzzles: their bads hold in no reachable state,
//! or only after more steps than any engine takes.

mod deep;
pub mod live;
mod machines;
mod memories;
mod pipelines;
mod random;

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use craig_aig::{Edge, Node, Random};
use craig_hardware::aiger::{AigerModel, write_binary};
use craig_model::{Latch, Model, Reset};

/// A shape of circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Shape {
    /// Pipelines side by side, each with a copy whose outputs must not differ.
    Pipelines,
    /// Memories that store words with their parities.
    Memories,
    /// Small one-hot state machines that wait for one another.
    Machines,
    /// One formula as deep as the circuit is large.
    Deep,
    /// Random logic around a counter.
    Random,
}

/// The arguments of `generate`.
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    /// Another kind of circuits.
    #[command(subcommand)]
    pub kind: Option<Kind>,
    /// The arguments of large circuits.
    #[command(flatten)]
    pub large: Option<Large>,
}

/// A kind of circuits other than large ones.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Kind {
    /// Make a circuit with justice properties whose answers are known.
    Live(live::Arguments),
}

/// The arguments of large circuits.
#[derive(Clone, Debug, clap::Args)]
pub struct Large {
    /// The shape.
    pub shape: Shape,
    /// The number of gates.
    #[arg(long, default_value_t = 100_000)]
    pub gates: usize,
    /// The number of latches; by default, a twenty-fifth of the number of gates.
    #[arg(long)]
    pub latches: Option<usize>,
    /// The number of properties; shapes with fewer parts have fewer.
    #[arg(long, default_value_t = 1)]
    pub properties: usize,
    /// The seed.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The file, in binary AIGER.
    #[arg(short, long)]
    pub output: PathBuf,
}

/// What a shape is made of.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of gates.
    pub gates: usize,
    /// The number of latches.
    pub latches: usize,
    /// The number of properties.
    pub properties: usize,
}

/// Makes a circuit.
#[must_use]
pub fn generate(shape: Shape, size: Size, seed: u64) -> Model {
    let mut builder = Builder {
        model: Model::default(),
        random: Random::new(seed),
        checks: Vec::new(),
    };
    match shape {
        Shape::Pipelines => pipelines::build(&mut builder, size),
        Shape::Memories => memories::build(&mut builder, size),
        Shape::Machines => machines::build(&mut builder, size),
        Shape::Deep => deep::build(&mut builder, size),
        Shape::Random => random::build(&mut builder, size),
    }
    builder.finish(size.properties)
}

/// Makes a circuit and writes it.
///
/// # Errors
/// If the file cannot be written.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    if let Some(Kind::Live(arguments)) = &arguments.kind {
        return live::run(arguments);
    }
    match &arguments.large {
        Some(large) => run_large(large),
        None => Err(io::Error::other("which circuit is to be made?")),
    }
}

/// Makes a large circuit and writes it.
///
/// # Errors
/// If the file cannot be written.
pub fn run_large(arguments: &Large) -> io::Result<()> {
    let size = Size {
        gates: arguments.gates,
        latches: arguments.latches.unwrap_or(arguments.gates / 25).max(1),
        properties: arguments.properties.max(1),
    };
    let model = generate(arguments.shape, size, arguments.seed);
    println!(
        "{} inputs, {} latches, {} gates, {} properties",
        model.inputs.len(),
        model.latches.len(),
        model.aig.n_nodes() - 1 - model.aig.n_inputs(),
        model.bads.len()
    );
    let circuit = AigerModel::from_model(model);
    let mut output = BufWriter::new(File::create(&arguments.output)?);
    write_binary(&circuit, &mut output)
}

/// A circuit under construction.
struct Builder {
    model: Model,
    random: Random,
    /// The formulas that must not hold; the bads are their disjunctions.
    checks: Vec<Edge>,
}

impl Builder {
    fn n_gates(&self) -> usize {
        self.model.aig.n_nodes() - 1 - self.model.aig.n_inputs()
    }

    /// A new input.
    fn input(&mut self) -> Edge {
        let input = self.model.aig.add_input();
        self.model.inputs.push(input);
        input
    }

    fn new_inputs(&mut self, n: usize) -> Vec<Edge> {
        (0..n).map(|_| self.input()).collect()
    }

    /// A new latch that keeps its value, which [`Builder::set_next`] changes; returns its state. States are
    /// made before the gates that read them.
    fn latch(&mut self, reset: bool) -> Edge {
        let state = self.model.aig.add_input();
        self.model.latches.push(Latch {
            state,
            next: state,
            reset: match reset {
                false => Reset::Zero,
                true => Reset::One,
            },
        });
        state
    }

    fn new_latches(&mut self, n: usize) -> Vec<Edge> {
        (0..n).map(|_| self.latch(false)).collect()
    }

    /// Sets the next states of latches that follow each other, of which `first` is the first's number.
    fn set_next(&mut self, first: usize, next: &[Edge]) {
        for (latch, &next) in self.model.latches[first..].iter_mut().zip(next) {
            latch.next = next;
        }
    }

    /// A random element.
    fn pick(&mut self, edges: &[Edge]) -> Edge {
        edges[self.random.below(edges.len())]
    }

    /// The exclusive disjunction of formulas, as a balanced tree.
    fn parity(&mut self, edges: &[Edge]) -> Edge {
        let mut level = edges.to_vec();
        while level.len() > 1 {
            let pairs = level.chunks(2).map(|pair| match *pair {
                [left, right] => self.model.aig.xor(left, right),
                _ => pair[0],
            });
            level = pairs.collect();
        }
        level.pop().unwrap_or(Edge::FALSE)
    }

    /// A counter of steps in which a formula holds; the result is whether it has its largest value.
    fn counter(&mut self, n_bits: usize, when: Edge) -> Edge {
        let first = self.model.latches.len();
        let bits = self.new_latches(n_bits);
        let mut carry = when;
        let mut next = Vec::with_capacity(n_bits);
        for &bit in &bits {
            next.push(self.model.aig.xor(bit, carry));
            carry = self.model.aig.and(bit, carry);
        }
        self.set_next(first, &next);
        self.model.aig.and_all(bits)
    }

    /// The bads: the checks in as many groups.
    fn finish(mut self, n_properties: usize) -> Model {
        let size = self.checks.len().div_ceil(n_properties).max(1);
        let checks = std::mem::take(&mut self.checks);
        for group in checks.chunks(size) {
            let bad = self.model.aig.or_all(group.iter().copied());
            self.model.bads.push(bad);
        }
        debug_assert!(
            self.model
                .latches
                .iter()
                .all(|latch| matches!(self.model.aig.node(latch.state.node()), Node::Input(_)))
        );
        self.model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_mc::Alone;
    use craig_mc::engine::{bmc, pdr};
    use craig_model::{Outcome, Verdict};

    const SHAPES: [Shape; 5] = [
        Shape::Pipelines,
        Shape::Memories,
        Shape::Machines,
        Shape::Deep,
        Shape::Random,
    ];

    #[test]
    fn sizes_are_met_and_seeds_decide() {
        let size = Size {
            gates: 20_000,
            latches: 800,
            properties: 4,
        };
        for shape in SHAPES {
            let model = generate(shape, size, 1);
            let n_gates = model.aig.n_nodes() - 1 - model.aig.n_inputs();
            let n_latches = model.latches.len();
            assert!((19_000..26_000).contains(&n_gates), "{shape:?}: {n_gates}");
            assert!((400..=1000).contains(&n_latches), "{shape:?}: {n_latches}");
            assert_eq!(model.aig.n_inputs(), n_latches + model.inputs.len());
            let [again, other] = [1, 2].map(|seed| generate(shape, size, seed));
            assert_eq!(again.bads, model.bads, "{shape:?}");
            let edges = |model: &Model| -> Vec<Edge> {
                model.latches.iter().map(|latch| latch.next).collect()
            };
            assert_eq!(edges(&again), edges(&model), "{shape:?}");
            // Memories have nothing random.
            let is_other = edges(&other) != edges(&model);
            assert_eq!(is_other, shape != Shape::Memories, "{shape:?}");
        }
    }

    #[test]
    fn no_bad_is_reached_in_the_first_steps() {
        let size = Size {
            gates: 600,
            latches: 60,
            properties: 1,
        };
        for shape in SHAPES {
            let model = generate(shape, size, 3);
            let options = bmc::Options {
                max_depth: Some(12),
                ..bmc::Options::default()
            };
            let Outcome { verdict, .. } = bmc::check(&model, 0, &options, Alone::new().control());
            assert!(!matches!(verdict, Verdict::Unsafe(_)), "{shape:?}");
        }
    }

    #[test]
    fn small_machines_and_memories_are_safe() {
        let size = Size {
            gates: 60,
            latches: 12,
            properties: 1,
        };
        for shape in [Shape::Machines, Shape::Memories] {
            let model = generate(shape, size, 3);
            let outcome = pdr::check(&model, 0, &pdr::Options::default(), Alone::new().control());
            assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{shape:?}");
        }
    }
}
