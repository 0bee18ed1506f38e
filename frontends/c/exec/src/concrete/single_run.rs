//! Runs a program whose control flow does not depend on its inputs: without path merging and formulas, for
//! any number of loop iterations. Calls of recursive functions are not executed again where their results are known
//! (`memo.rs`).
//!
//! Unknown words (inputs, uninitialised contents) are terms (`partly_known`). As soon as a branch, an address
//! or an assumption depends on such a term, this engine gives up. Until then each step is a step of every run
//! of the program; a run that ends, or returns to an earlier state, shows that no run reaches an error, and
//! an error that it reaches is one of every run.

use craig_model::{UnknownReason, Verdict};
use craig_word::mask;

use crate::concrete::interpret::{Interpreter, Line, Oracle};
use crate::concrete::machine::{End, Frame, Machine, Stop};
use crate::concrete::memo::Memo;
use crate::concrete::object_bytes::ObjectBytes;
use crate::concrete::partly_known::{MAX_BYTES, Memory, PartlyKnown, Word};
use crate::concrete::replay::Counterexample;
use craig_c_lang::address_space::AddressSpace;
use craig_c_lang::ir::*;

/// The engine's name in reports.
pub const NAME: &str = "run";

/// The maximal number of terms of unknown words.
const MAX_TERMS: usize = 20_000_000;
/// A state with more bytes of memory than this is not compared with earlier ones.
const MAX_COMPARED: u64 = 1 << 14;
/// A state with more nested calls is not stored for comparison.
const MAX_KEPT_FRAMES: usize = 64;

/// The result of a run.
enum Outcome {
    /// No run reaches an error.
    Safe(&'static str),
    /// Every run reaches this error.
    Error,
    /// The run depends on its inputs, or exceeds a bound.
    GiveUp,
    Limit(UnknownReason),
}

/// The part of the state on which the rest of a run depends.
struct Snapshot {
    frames: Vec<Frame<Word>>,
    memory: Memory,
}

/// What one run says about all: that none reaches an error, for a reason, or that each reaches this one.
pub type Ran = Verdict<String, Box<Counterexample>>;

/// Checks a program by running it.
#[must_use]
pub fn check(program: &Program, stop: &craig_model::Stop) -> Ran {
    let gave_up = || {
        let text = "the control flow of the run depends on an unknown value".to_string();
        Ran::Unknown(UnknownReason::Unsupported(text))
    };
    // This engine does not track lifetimes.
    if program.tracks_lifetimes {
        return gave_up();
    }
    let Ok(domain) = PartlyKnown::new(program) else {
        return gave_up();
    };
    let mut machine = Machine::new(program, domain);
    machine.memo = Memo::new(program);
    let outcome = run(&mut machine, stop);
    let n_steps = machine.n_steps;
    match outcome {
        Outcome::Safe(how) => match interpret(program, n_steps, stop) {
            // The interpreter reaches no error, either.
            Ok((None | Some(End::Halt | End::Blocked), _)) => Ran::Safe(format!(
                "the one run of the program, whatever its inputs, {how} after {} steps; taken by the \
                     interpreter, too",
                n_steps
            )),
            _ => gave_up(),
        },
        Outcome::Error => match interpret(program, n_steps, stop) {
            Ok((Some(End::Error { text, at }), lines)) => {
                Ran::Unsafe(Box::new(Counterexample {
                    text,
                    at,
                    lines,
                    // The run stands for those with all addresses.
                    holds_elsewhere: true,
                }))
            }
            _ => gave_up(),
        },
        Outcome::GiveUp => gave_up(),
        Outcome::Limit(reason) => Ran::Unknown(reason),
    }
}

/// Takes steps to the end of the run, to a repeated state, or to a limit.
fn run(machine: &mut Machine<'_, PartlyKnown<'_>>, stop: &craig_model::Stop) -> Outcome {
    let mut snapshot = None;
    // The number of steps at the next snapshot.
    let mut renew = 1 << 10;
    loop {
        if (machine.n_steps + 1).is_multiple_of(4096)
            && let Some(reason) = stop.reason()
        {
            return Outcome::Limit(reason);
        }
        if machine.domain.n_terms() > MAX_TERMS {
            return Outcome::GiveUp;
        }
        match machine.step() {
            Ok(()) => {}
            Err(Stop::End(End::Halt)) => return Outcome::Safe("ends"),
            // At a false assumption, every run ends.
            Err(Stop::End(End::Blocked)) => {
                return Outcome::Safe("ends in an assumption that is false");
            }
            Err(Stop::End(End::Error { .. })) => return Outcome::Error,
            Err(Stop::End(End::Stuck { .. }) | Stop::Failed(_)) => return Outcome::GiveUp,
        }
        let can_compare = machine.domain.memory.n_bytes() <= MAX_COMPARED;
        if machine.has_jumped_back && can_compare && is_repeated(machine, &mut snapshot, &mut renew)
        {
            return Outcome::Safe("comes back to a state that it has been in");
        }
    }
}

/// Whether the state equals the snapshot: then the run does not end, since no unknown word determined
/// anything. Snapshots are taken at steps whose distance doubles (Brent's cycle detection).
fn is_repeated(
    machine: &Machine<'_, PartlyKnown<'_>>,
    snapshot: &mut Option<Snapshot>,
    renew: &mut u64,
) -> bool {
    let (frames, memory) = (&machine.frames, &machine.domain.memory);
    if let Some(seen) = snapshot
        && seen.frames.last() == frames.last()
        && seen.frames == *frames
        && seen.memory == *memory
    {
        return true;
    }
    if machine.n_steps >= *renew && frames.len() < MAX_KEPT_FRAMES {
        *renew = machine.n_steps * 2;
        *snapshot = Some(Snapshot {
            frames: frames.clone(),
            memory: memory.clone(),
        });
    }
    false
}

/// The run on numbers, with arbitrary values for all unknown words, which must be irrelevant. Words,
/// memory and operations are those of the interpreter; control flow is the machine's in both. `None` if there are more
/// than `most` steps.
fn interpret(
    program: &Program,
    most: u64,
    stop: &craig_model::Stop,
) -> Result<(Option<End>, Vec<Line>), String> {
    let space = AddressSpace::new(program)?;
    let seed = 0x9e37_79b9_7f4a_7c15;
    let mut interpreter = Interpreter::new(program, Arbitrary { space, seed })?;
    interpreter.keep_results();
    let end = interpreter.run_steps(most, stop)?;
    Ok((end, interpreter.into_lines()))
}

/// Pseudo-random values, the same in each run; objects are adjacent.
struct Arbitrary {
    space: AddressSpace,
    seed: u64,
}

impl Arbitrary {
    /// The next number of xorshift64 (Marsaglia 2003).
    fn next(&mut self) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed
    }

    fn value(&mut self, width: u32) -> u128 {
        (u128::from(self.next()) << 64 | u128::from(self.next())) & mask(width)
    }
}

impl Oracle for Arbitrary {
    fn choose(&mut self, _: &Choice, width: u32, _: Location) -> Result<u128, String> {
        Ok(self.value(width))
    }

    fn create(&mut self, (size, _): (u64, u64), _: Location) -> Result<(u64, ObjectBytes), String> {
        if size > MAX_BYTES {
            return Err("an object that is too large".into());
        }
        let object = self.space.add(Shape::opaque(size), 1)?;
        let base = self.space.objects[object as usize].base;
        let mut contents = ObjectBytes::zeros(size);
        for offset in 0..size {
            contents.set(offset, self.next() as u8);
        }
        Ok((base, contents))
    }

    fn outside(&mut self, width: u32, _: Location, _: bool) -> Result<u128, String> {
        Ok(self.value(width))
    }
}

#[cfg(test)]
mod tests {
    use craig_mc::Alone;
    use std::fmt::Write as _;

    use super::*;
    use craig_c_lang::lower::{LoweringOptions, lower_text};
    use fastrand::Rng;

    /// A term over `n`, `a`, the results `r` and `s`, and the global `b`.
    fn term(random: &mut Rng, depth: u32) -> String {
        if depth == 0 || random.u64(..3) == 0 {
            let all = ["n", "a", "r", "s", "b", "1", "3", "128"];
            return all[random.u64(..8) as usize].into();
        }
        let operator = ['+', '-', '^', '&', '|'][random.u64(..5) as usize];
        let (left, right) = (term(random, depth - 1), term(random, depth - 1));
        format!("(unsigned char)({left} {operator} {right})")
    }

    /// Up to three functions that call each other; without `writes`, those that do not read `b` are pure.
    fn random_program(random: &mut Rng) -> String {
        let writes = random.u64(..2) == 0;
        let mut text = String::from("extern void reach_error(void);\nunsigned char b = 1;\n");
        let n_functions = 1 + random.u64(..3);
        for id in 0..n_functions {
            writeln!(
                text,
                "unsigned char f{id}(unsigned char n, unsigned char a);"
            )
            .unwrap();
        }
        for id in 0..n_functions {
            let mut value = |depth| {
                let text = term(random, depth);
                if writes { text } else { text.replace('b', "a") }
            };
            let (base, first, second) = (value(1), value(2), value(2));
            let (result, global, fails) = (value(2), value(2), value(2));
            let (one, other) = (random.u64(..n_functions), random.u64(..n_functions));
            write!(
                text,
                "unsigned char f{id}(unsigned char n, unsigned char a) {{ unsigned char r = 0, s = 0;\n\
                 if (n == 0) return {base}; s = f{one}(n - 1, {first}); r = f{other}(n - 1, {second});\n"
            )
            .unwrap();
            if writes && random.u64(..2) == 0 {
                writeln!(text, "b = {global};").unwrap();
            }
            if random.u64(..3) == 0 {
                writeln!(text, "if ({fails} == 77) reach_error();").unwrap();
            }
            writeln!(text, "return {result}; }}").unwrap();
        }
        let rest = random.u64(..4);
        text + &format!(
            "int main(void) {{ if (f0(9, 5) % 4 == {rest}) reach_error(); return 0; }}\n"
        )
    }

    /// A run with results of earlier calls ends as the run without, in fewer steps.
    #[test]
    fn results_of_earlier_calls_are_those_of_new_ones() {
        let mut random = Rng::with_seed(0x7e57_0001_0bad_cafe);
        let (mut n_shorter, mut n_failing) = (0, 0);
        let n_programs = std::env::var("CRAIG_TEST_PROGRAMS");
        for _ in 0..n_programs.map_or(60, |n| n.parse().unwrap()) {
            let text = random_program(&mut random);
            let program = lower_text(&text, "test.c", &LoweringOptions::default()).unwrap();
            let alone = Alone::new();
            let control = alone.control();
            let mut ends = Vec::new();
            for memo in [None, Memo::new(&program)] {
                let mut machine = Machine::new(&program, PartlyKnown::new(&program).unwrap());
                machine.memo = memo;
                let is_error = match run(&mut machine, control.stop) {
                    Outcome::Safe(_) => false,
                    Outcome::Error => true,
                    Outcome::GiveUp | Outcome::Limit(_) => panic!("{text}"),
                };
                ends.push((is_error, machine.n_steps));
            }
            let [(plain, n_plain), (kept, n_kept)] = ends[..] else {
                unreachable!("two runs");
            };
            assert_eq!(plain, kept, "{text}");
            n_shorter += u32::from(n_kept < n_plain);
            n_failing += u32::from(plain);
        }
        assert!(
            n_shorter >= 10 && n_failing >= 10,
            "{n_shorter}, {n_failing}"
        );
    }
}
