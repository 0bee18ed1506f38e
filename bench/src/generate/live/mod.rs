//! Circuits with justice properties whose answers are known by construction, of any size.
//!
//! Every family has a variant in which all properties hold, and one in which some fail. Most properties say "from some
//! time on, this holds in every step": a free input chooses the time, and the literal of the property holds as long as
//! nothing has gone wrong since.

mod arbiters;
mod counters;
mod exclusion;
mod games;
mod parts;
mod transport;

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use craig_hardware::aiger::{AigerModel, write_binary};
use craig_model::Model;

use parts::Parts;

/// A family of circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Family {
    /// A counter of that many bits, whose end is all ones, is at its end again and again.
    Counter,
    /// A counter of that many bits that ends at two thirds of its range.
    Modulo,
    /// A counter as in `counter` of the ends of one as in `modulo`, each of half as many bits.
    Nested,
    /// A Johnson counter of that many bits.
    Johnson,
    /// A ring of that many latches, one of which is set.
    Ring,
    /// A round-robin arbiter: no client waits for ever.
    Robin,
    /// An arbiter that prefers clients of lower numbers, of which each has three requests.
    Priority,
    /// McMillan's synchronous arbiter: a cell for each client, with a token that goes round.
    Cells,
    /// Peterson's filter lock: with fair scheduling, no process waits for ever.
    Filter,
    /// A lock that serves processes by their tickets.
    Tickets,
    /// Philosophers with a fork between each two: somebody eats again and again.
    Philosophers,
    /// Stations on a bus with a token; a message waits for an acknowledgement.
    Bus,
    /// A queue of that many slots: what was written is read.
    Queue,
    /// That many heaps of up to seven matches, from which players take some: no game goes on for ever.
    Nim,
}

/// The arguments of `generate live`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The family.
    pub family: Family,
    /// The size: a number of bits, clients, processes, slots or heaps, at least 2.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..))]
    pub size: u16,
    /// Make the variant in which some property fails.
    #[arg(long)]
    pub fails: bool,
    /// The file, in binary AIGER.
    #[arg(short, long)]
    pub output: PathBuf,
}

/// A circuit with its answers.
#[derive(Clone, Debug)]
pub struct Known {
    /// The circuit.
    pub model: Model,
    /// For each justice property, whether it fails: some run meets all of its literals again and again.
    pub fails: Vec<bool>,
}

/// Makes a circuit of a family.
///
/// # Panics
/// If the size is less than 2.
#[must_use]
pub fn generate(family: Family, size: usize, fails: bool) -> Known {
    assert!(size >= 2, "{family:?} of size {size}");
    let mut parts = Parts::new();
    let parts_ref = &mut parts;
    match family {
        Family::Counter => counters::counter(parts_ref, size, fails),
        Family::Modulo => counters::modulo(parts_ref, size, fails),
        Family::Nested => counters::nested(parts_ref, size, fails),
        Family::Johnson => counters::johnson(parts_ref, size, fails),
        Family::Ring => counters::ring(parts_ref, size, fails),
        Family::Robin => arbiters::robin(parts_ref, size, fails),
        Family::Priority => arbiters::priority(parts_ref, size, fails),
        Family::Cells => arbiters::cells(parts_ref, size, fails),
        Family::Filter => exclusion::filter(parts_ref, size, fails),
        Family::Tickets => exclusion::tickets(parts_ref, size, fails),
        Family::Philosophers => exclusion::philosophers(parts_ref, size, fails),
        Family::Bus => transport::bus(parts_ref, size, fails),
        Family::Queue => transport::queue(parts_ref, size, fails),
        Family::Nim => games::nim(parts_ref, size, fails),
    }
    parts.finish()
}

/// Makes a circuit, writes it, and prints its answers.
///
/// # Errors
/// If the file cannot be written.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    let Known { model, fails } = generate(
        arguments.family,
        usize::from(arguments.size),
        arguments.fails,
    );
    println!(
        "{} inputs, {} latches, {} gates",
        model.inputs.len(),
        model.latches.len(),
        model.aig.n_nodes() - 1 - model.aig.n_inputs(),
    );
    for (property, fails) in fails.iter().enumerate() {
        println!("j{property} {}", if *fails { "fails" } else { "holds" });
    }
    let circuit = AigerModel::from_model(model);
    let mut output = BufWriter::new(File::create(&arguments.output)?);
    write_binary(&circuit, &mut output)
}

#[cfg(test)]
mod tests;
