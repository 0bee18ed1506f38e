//! The engines for programs on small automata, against an enumeration of their states.
//!
//! What an automaton means is computed here from its recipe: neither terms nor the automaton take part in it.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use craig_aig::Random;
use craig_mc::Alone;
use craig_mc::engine::options::Settings;
use craig_model::{Stop, Verdict};
use craig_program::engine::{ARRAYS, BLOCKS, ProgramEngine, Query};
use craig_program::registry::ENGINES;
use craig_program::{Assignment, Bad, Cfa, LocationId, Run};
use craig_verify::Proven;
use craig_word::{Term, Terms};

use super::Subject;
use super::chosen::{options, settings};
use super::shrink::without_parts;
use super::tally::Tally;

/// Engines for programs.
pub(super) struct Automata;

/// The bits of a word and of the input.
const WIDTH: u32 = 2;
const MASK: u128 = (1 << WIDTH) - 1;
const N_WORDS: usize = 2;
/// The time of a case: an engine that needs more is counted as one that gave up.
const TIME: Duration = Duration::from_secs(5);

/// What a term of the recipe reads: a word, or the input.
type Operand = usize;

/// A value: an operator, its operands and a constant.
#[derive(Clone, Copy, Debug)]
struct Value {
    operator: usize,
    operands: [Operand; 2],
    constant: u128,
}

/// A way from a location, which is taken if no earlier one of that location is and its condition holds.
#[derive(Clone, Debug)]
struct Way {
    /// 0 is the start, others are inner locations.
    source: usize,
    /// 0 is the error, 1 the location for what is not supported, and `n + 1` the inner location `n`.
    target: usize,
    /// The first value is less than the second one.
    condition: [Value; 2],
    /// By word its new value, if it changes.
    assigned: [Option<Value>; N_WORDS],
}

/// An automaton and who decides it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    n_inner: usize,
    ways: Vec<Way>,
    bad: Bad,
    engine: &'static str,
    options: Vec<(&'static str, String)>,
}

/// A location, by the numbers of [`Way::source`], and the values of the words.
type State = (usize, [u128; N_WORDS]);

impl Value {
    fn new(random: &mut Random) -> Self {
        Self {
            operator: random.below(7),
            operands: [(); 2].map(|()| random.below(N_WORDS + 1)),
            constant: random.below(1 << WIDTH) as u128,
        }
    }

    /// The value for the values of the words and the input.
    fn of(self, values: [u128; N_WORDS + 1]) -> u128 {
        let [x, y] = self.operands.map(|operand| values[operand]);
        let value = match self.operator {
            0 => x,
            1 => self.constant,
            2 => x.wrapping_sub(y),
            3 => x & y,
            4 => x.wrapping_mul(y),
            5 => x.wrapping_add(y),
            _ => x.wrapping_add(self.constant),
        };
        value & MASK
    }

    /// The value as a term over those of the words and the input.
    fn term(self, terms: &mut Terms, leaves: [Term; N_WORDS + 1]) -> Term {
        let [x, y] = self.operands.map(|operand| leaves[operand]);
        let constant = terms.constant(self.constant, WIDTH);
        match self.operator {
            0 => x,
            1 => constant,
            2 => terms.sub(x, y),
            3 => terms.and(x, y),
            4 => terms.mul(x, y),
            5 => terms.add(x, y),
            _ => terms.add(x, constant),
        }
    }
}

impl Way {
    fn new(random: &mut Random, source: usize, n_inner: usize) -> Self {
        let mut target = 2 + random.below(n_inner);
        if source > 0 && random.below(4) == 0 {
            target = random.below(2);
        }
        let mut assigned = [None; N_WORDS];
        for value in assigned.iter_mut().filter(|_| target > 1) {
            *value = (random.below(3) > 0).then(|| Value::new(random));
        }
        Self {
            source,
            target,
            condition: [(); 2].map(|()| Value::new(random)),
            assigned,
        }
    }

    fn is_bad(&self, bad: Bad) -> bool {
        self.target == 0 || self.target == 1 && bad == Bad::ErrorOrUnsupported
    }

    /// Whether its own condition holds.
    fn holds(&self, values: [u128; N_WORDS + 1]) -> bool {
        let [less, more] = self.condition.map(|value| value.of(values));
        less < more
    }
}

impl Case {
    /// The way that is taken, and the state behind it.
    fn step(&self, (location, words): State, input: u128) -> Option<(&Way, State)> {
        let values = [words[0], words[1], input];
        let way = (self.ways.iter()).find(|way| way.source == location && way.holds(values))?;
        let mut after = words;
        for (word, value) in after.iter_mut().zip(way.assigned) {
            *word = value.map_or(*word, |value| value.of(values));
        }
        Some((way, (way.target.saturating_sub(1), after)))
    }

    /// Whether a run comes to what is bad.
    fn is_reached(&self) -> bool {
        let mut seen: HashSet<State> = HashSet::from([(0, [0; N_WORDS])]);
        let mut work: Vec<State> = seen.iter().copied().collect();
        while let Some(state) = work.pop() {
            for input in 0..=MASK {
                match self.step(state, input) {
                    Some((way, _)) if way.is_bad(self.bad) => return true,
                    Some((way, after)) if way.target > 1 && seen.insert(after) => work.push(after),
                    _ => {}
                }
            }
        }
        false
    }

    /// The automaton, and the input of its steps. All locations carry all words.
    fn build(&self) -> (Cfa, Term) {
        let mut terms = Terms::new();
        let leaves = [(); N_WORDS + 1].map(|()| terms.variable(WIDTH));
        let [words @ .., input] = leaves;
        let mut cfa = Cfa::new(terms);
        for (word, name) in words.into_iter().zip(["x", "y"]) {
            cfa.add_word(word, name);
        }
        let inner = (0..self.n_inner)
            .map(|number| cfa.add_location(format!("l{number}"), words.to_vec(), words.to_vec()));
        let inner: Vec<LocationId> = inner.collect();
        for source in 0..=self.n_inner {
            let mut edges = self.edges_from(source, &mut cfa.terms, leaves);
            // The automaton wants them in the order of their targets: they exclude each other.
            edges.sort_by_key(|&(target, ..)| target);
            let from = source
                .checked_sub(1)
                .map_or(Cfa::START, |number| inner[number]);
            for (target, guard, assignments) in edges {
                let target = match target {
                    0 => Cfa::ERROR,
                    1 => Cfa::UNSUPPORTED,
                    number => inner[number - 2],
                };
                cfa.add_edge(from, target, guard, assignments);
            }
        }
        cfa.close_words();
        (cfa, input)
    }

    /// The edges from a location: the target, the guard, and what is assigned. All words are 0 at the start.
    fn edges_from(
        &self,
        source: usize,
        terms: &mut Terms,
        leaves: [Term; N_WORDS + 1],
    ) -> Vec<(usize, Term, Vec<Assignment>)> {
        let zero = terms.constant(0, WIDTH);
        let [words @ .., input] = leaves;
        let read = match source {
            0 => [zero, zero, input],
            _ => leaves,
        };
        let mut left = terms.boolean(true);
        let mut edges = Vec::new();
        for way in self.ways.iter().filter(|way| way.source == source) {
            let [less, more] = way.condition.map(|value| value.term(terms, read));
            let own = terms.ult(less, more);
            let guard = terms.and(left, own);
            let other = terms.not(own);
            left = terms.and(left, other);
            let mut assignments = Vec::new();
            for (word, value) in words.into_iter().zip(way.assigned) {
                if let Some(value) = value {
                    let value = value.term(terms, read);
                    assignments.push(Assignment { word, value });
                }
            }
            edges.push((way.target, guard, assignments));
        }
        edges
    }

    /// Whether a run of the automaton is one of the recipe, and comes to what is bad.
    fn replay(&self, run: &Run, input: Term) -> Result<(), String> {
        let mut state = (0, [0; N_WORDS]);
        for (number, visit) in run.visits.iter().enumerate() {
            let chosen = visit.values.get(&input).copied().unwrap_or(0);
            let Some((way, after)) = self.step(state, chosen) else {
                return Err(format!("evidence: the run ends at step {number}"));
            };
            if way.target < 2 {
                let is_last = number + 1 == run.visits.len();
                return match is_last && way.is_bad(self.bad) {
                    true => Ok(()),
                    false => Err(format!("evidence: the run stops at step {number}")),
                };
            }
            state = after;
        }
        Err("evidence: the run does not come to what is bad".into())
    }

    fn engine(&self) -> Result<&'static ProgramEngine, String> {
        let engine = ENGINES.iter().find(|engine| engine.name == self.engine);
        engine.ok_or_else(|| "engine: it is not registered".into())
    }

    fn settings(&self) -> Result<Settings, String> {
        settings(self.engine()?.options, &self.options)
    }
}

impl Subject for Automata {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let n_inner = 1 + random.below(3);
        let mut ways = Vec::new();
        for source in 0..=n_inner {
            for _ in 0..1 + random.below(4) {
                ways.push(Way::new(random, source, n_inner));
            }
        }
        let bad = match random.flip() {
            true => Bad::Error,
            false => Bad::ErrorOrUnsupported,
        };
        let engine = &ENGINES[random.below(ENGINES.len())];
        // Those about C are for whoever makes the automaton.
        let own = (engine.options.iter().copied())
            .filter(|option| ![BLOCKS.name, ARRAYS.name].contains(&option.name));
        Case {
            n_inner,
            ways,
            bad,
            engine: engine.name,
            options: options(&own.collect::<Vec<_>>(), random),
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let run = (case.engine()?.build)(&case.settings()?);
        let (mut cfa, input) = case.build();
        cfa.check().map_err(|error| format!("automaton: {error}"))?;
        let query = Query {
            bad: case.bad,
            draws: false,
            may_give_up: false,
        };
        let stop = Stop::new().with_deadline(Instant::now() + TIME);
        let (answer, _) = run(&cfa, query, Alone::until(stop).control());
        let is_reached = case.is_reached();
        match answer {
            Verdict::Safe(_) if is_reached => return Err("wrong: safe, but there is a run".into()),
            Verdict::Unsafe(_) if !is_reached => {
                return Err("wrong: unsafe, but there is no run".into());
            }
            Verdict::Safe(invariant) => {
                let encoded = cfa.to_model(case.bad);
                let certificate = invariant.certificate(&cfa, &encoded);
                Proven::certify(&encoded.model, 0, certificate)
                    .map_err(|error| format!("evidence: {error}"))?;
            }
            Verdict::Unsafe(run) => case.replay(&run, input)?,
            Verdict::Unknown(_) => {
                tally.count(&format!("{}: unknown", case.engine));
                return Ok(());
            }
        }
        tally.count(&format!("{}: decided", case.engine));
        for (name, value) in &case.options {
            tally.count(&format!("{} {name}={value}: decided", case.engine));
        }
        Ok(())
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        let ways = without_parts(&case.ways).into_iter().map(|ways| Case {
            ways,
            ..case.clone()
        });
        let options = without_parts(&case.options)
            .into_iter()
            .map(|options| Case {
                options,
                ..case.clone()
            });
        ways.chain(options).collect()
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let (cfa, _) = case.build();
        (
            format!(
                "{cfa}\n{:?}, {} {:?}\n",
                case.bad, case.engine, case.options
            ),
            "txt",
        )
    }
}
