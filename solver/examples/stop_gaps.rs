//! The longest times between two polls of the stop callback, on formulas of a million clauses.
//!
//! `cargo run --release -p craig-solver --example stop_gaps`
//!
//! Times are processor times of the thread on systems that provide them. With a number as argument, each gap
//! of at least that number of milliseconds is printed with the call stack within the solver at its end.

use std::backtrace::Backtrace;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use craig_solver::proof::{NoProof, ProofLog, ProofSink};
use craig_solver::{Answer, Lit, Options, Solver, Var};

const N_CLAUSES: usize = 1_000_000;

/// A generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn lit(&mut self, n_vars: usize) -> Lit {
        let negated = self.below(2) == 0;
        Var::new(self.below(n_vars)).lit(negated)
    }
}

/// Random clauses of three literals.
fn uniform(random: &mut Random, n_vars: usize, n_clauses: usize) -> Vec<Vec<Lit>> {
    (0..n_clauses)
        .map(|_| (0..3).map(|_| random.lit(n_vars)).collect())
        .collect()
}

/// A chain of implications through all variables in random order, and random clauses.
fn chain(random: &mut Random, n_vars: usize) -> Vec<Vec<Lit>> {
    let mut order: Vec<usize> = (0..n_vars).collect();
    for index in (1..n_vars).rev() {
        order.swap(index, random.below(index + 1));
    }
    let mut clauses: Vec<Vec<Lit>> = (order.windows(2))
        .map(|pair| vec![Var::new(pair[0]).negative(), Var::new(pair[1]).positive()])
        .collect();
    for _ in clauses.len()..N_CLAUSES {
        let mut clause = vec![Var::new(random.below(n_vars)).positive()];
        clause.extend((0..2).map(|_| random.lit(n_vars)));
        clauses.push(clause);
    }
    clauses
}

/// The processor time of this thread, or the wall-clock time.
fn thread_time(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|word| word.parse().ok()) {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => start.elapsed(),
    }
}

/// The functions of the solver on the stack, innermost first.
fn places() -> Vec<String> {
    let text = Backtrace::force_capture().to_string();
    (text.lines())
        .filter_map(|line| line.split_once("/src/cdcl/"))
        .map(|(_, place)| place.to_owned())
        .filter(|place| !place.starts_with("state.rs"))
        .take(5)
        .collect()
}

/// The record of the callback's polls.
#[derive(Default)]
struct Looks {
    n_looks: u64,
    last: Duration,
    /// The longest times between two polls.
    gaps: Vec<Duration>,
    /// The number of the poll at which the call ends.
    end: u64,
}

/// Solves for eight seconds, in calls that end at a random poll, and prints the longest times between two
/// polls and from the poll that ends a call to its return.
fn measure<P: ProofSink>(name: &str, clauses: &[Vec<Lit>], options: Options, sink: P, shown: u64) {
    let start = Instant::now();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut solver = Solver::with_proof(options, sink);
    for clause in clauses {
        solver.add_clause(clause);
    }
    let looks = Arc::new(Mutex::new(Looks::default()));
    let seen = Arc::clone(&looks);
    solver.set_stop_callback(Some(Box::new(move || {
        let now = thread_time(start);
        let looks = &mut *seen.lock().expect("no call panicked");
        let gap = now.saturating_sub(looks.last);
        looks.gaps.push(gap);
        looks.n_looks += 1;
        if gap >= Duration::from_millis(shown) {
            println!("    {gap:?} until {:?}", places());
        }
        looks.last = thread_time(start);
        looks.n_looks >= looks.end
    })));
    let mut returns = Vec::new();
    let end = thread_time(start) + Duration::from_secs(8);
    let mut answer = Answer::Unknown;
    while answer == Answer::Unknown && thread_time(start) < end {
        {
            let looks = &mut *looks.lock().expect("no call panicked");
            let scale = 1 + random.below(11);
            looks.end = looks.n_looks + 1 + random.below(1 << scale) as u64;
            looks.last = thread_time(start);
        }
        answer = solver.solve(&[]);
        let until_return = thread_time(start) - looks.lock().expect("no call panicked").last;
        if until_return >= Duration::from_millis(shown) {
            println!("    {until_return:?} until the return");
        }
        returns.push(until_return);
    }
    let looks = &mut *looks.lock().expect("no call panicked");
    looks.gaps.sort_unstable();
    returns.sort_unstable();
    let statistics = solver.statistics();
    println!(
        "{name}: {answer:?}, {} calls, {} looks, longest gaps {:?}, longest from the last look to the \
         return {:?}\n    \
         conflicts {}, reductions {}, simplifications {}, rounds of inprocessing {}, walks {}, eliminated {}",
        returns.len(),
        looks.n_looks,
        looks.gaps.iter().rev().take(3).collect::<Vec<_>>(),
        returns.iter().rev().take(3).collect::<Vec<_>>(),
        statistics.conflicts,
        statistics.reductions,
        statistics.simplifications,
        statistics.inprocessings,
        statistics.walks,
        statistics.eliminated_variables,
    );
}

fn main() {
    let shown = std::env::args().nth(1);
    let shown = shown.map_or(u64::MAX, |text| {
        text.parse().expect("a number of milliseconds")
    });
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let hard = uniform(&mut random, 250_000, N_CLAUSES);
    let easy = uniform(&mut random, 300_000, N_CLAUSES);
    let chain = chain(&mut random, 300_000);
    let forced = Options {
        inprocess_interval: 200,
        mode_interval: 30,
        rephase_interval: 10,
        eliminate: true,
        ..Options::default()
    };
    measure(
        "random, ratio 4, default options",
        &hard,
        Options::default(),
        NoProof,
        shown,
    );
    measure(
        "random, ratio 4, short intervals",
        &hard,
        forced.clone(),
        NoProof,
        shown,
    );
    measure(
        "random, ratio 4, with a log",
        &hard,
        forced.clone(),
        ProofLog::new(),
        shown,
    );
    measure(
        "random, ratio 3.3, short intervals",
        &easy,
        forced.clone(),
        NoProof,
        shown,
    );
    measure(
        "chain, short intervals",
        &chain,
        forced,
        ProofLog::new(),
        shown,
    );
    let mut star = uniform(&mut random, 250_000, N_CLAUSES);
    for clause in &mut star {
        clause.push(Var::new(250_000).positive());
    }
    measure(
        "one literal in all clauses",
        &star,
        Options {
            lucky: false,
            ..Options::default()
        },
        NoProof,
        shown,
    );
    let mut units = chain.clone();
    units.push(vec![chain[0][0].var().positive()]);
    measure(
        "chain from a unit",
        &units,
        Options::default(),
        ProofLog::new(),
        shown,
    );
}
