//! Random programs with arrays, decided by running them on all inputs, against the automata in which elements are
//! tracked. The interpreter shares nothing with the executor: not the terms, not the targets of pointers.

use craig_mc::Alone;
use craig_model::Stop;
use craig_program::line_up::Stages;

use crate::automaton::{Automaton, Derived, Extent};
use crate::element_engines::{Searcher, check_elements_above};
use crate::elements_test_support::{CHOICES, has_error, keeps_error, n_programs, quickly};
use crate::tests::{Random, letter, program};
use craig_c_exec::concrete::interpret::{Interpreter, Oracle};
use craig_c_exec::concrete::machine::End;
use craig_c_exec::concrete::object_bytes::ObjectBytes;
use craig_c_lang::ir::{Choice, Location, Program};
use craig_c_lang::types::DataModel;

/// The values of an input, from 0; the most inputs of a run, and its most steps.
const VALUES: u128 = 4;
const MAX_INPUTS: usize = 6;
const MAX_RUN: u64 = 20_000;

/// The inputs of one run, and where they differ from those of the next one.
struct Digits {
    digits: Vec<u128>,
    n_read: usize,
}

impl Digits {
    /// Goes on to the next inputs; false if these were the last ones.
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.n_read);
        self.n_read = 0;
        while let Some(last) = self.digits.pop() {
            if last + 1 < VALUES {
                self.digits.push(last + 1);
                return true;
            }
        }
        false
    }
}

impl Oracle for &mut Digits {
    fn choose(&mut self, _: &Choice, _: u32, _: Location) -> Result<u128, String> {
        if self.n_read == self.digits.len() {
            self.digits.push(0);
        }
        self.n_read += 1;
        match self.n_read <= MAX_INPUTS {
            true => Ok(self.digits[self.n_read - 1]),
            false => Err("too many inputs".into()),
        }
    }

    fn create(&mut self, _: (u64, u64), _: Location) -> Result<(u64, ObjectBytes), String> {
        Err("the programs allocate nothing".into())
    }

    fn outside(&mut self, _: u32, _: Location, _: bool) -> Result<u128, String> {
        Err("an access outside of all objects".into())
    }
}

/// Whether some run fails, of those on all inputs; `None` if a run does something whose result is open.
fn fails(program: &Program) -> Option<bool> {
    let mut digits = Digits {
        digits: Vec::new(),
        n_read: 0,
    };
    let mut has_failed = false;
    loop {
        let mut interpreter = Interpreter::new(program, &mut digits).ok()?;
        let end = interpreter.run_steps(MAX_RUN, &Stop::new()).ok()??;
        drop(interpreter);
        has_failed |= matches!(end, End::Error { .. });
        if matches!(end, End::Stuck { .. }) {
            return None;
        }
        if !digits.advance() {
            return Some(has_failed);
        }
    }
}

/// An operand: a constant, an input, a counter or an element.
fn operand(random: &mut Random) -> &'static str {
    let all = [
        "0",
        "1",
        "i",
        "x",
        "y",
        "N - 1 - i",
        "a[i]",
        "b[i]",
        "a[N - 1 - i]",
        "b[i] + 1",
        "2 * i",
        "f",
    ];
    all[random.below(all.len() as u64) as usize]
}

/// A place that is stored to. Pointers are moved, so that sums with constants occur.
fn place(random: &mut Random) -> &'static str {
    let all = [
        "a[i]",
        "b[i]",
        "b[i]",
        "a[N - 1 - i]",
        "b[N - 1 - i]",
        "*(p + i)",
        "q[-i - 1]",
        "(p + i + 1)[-1]",
    ];
    all[random.below(all.len() as u64) as usize]
}

/// A relation of two operands.
fn condition(random: &mut Random) -> String {
    let sign = ["==", "!=", "<", "<=", ">"][random.below(5) as usize];
    format!("{} {sign} {}", operand(random), operand(random))
}

fn statement(random: &mut Random) -> String {
    match random.below(8) {
        0..=3 => format!("{} = {};", place(random), operand(random)),
        4 => format!(
            "if ({}) {} = {};",
            condition(random),
            place(random),
            operand(random)
        ),
        5 => format!("if ({}) f = {};", condition(random), operand(random)),
        6 => format!("{0} = {0} + 1;", place(random)),
        _ => "{ T t = a[i]; a[i] = b[i]; b[i] = t; }".to_owned(),
    }
}

fn part(random: &mut Random) -> String {
    let head = [
        "for (i = 0; i < N; i++)",
        "for (i = N - 1; i >= 0; i--)",
        "for (i = 0; i < N; i += 2)",
        "for (i = 1; i < N; i++)",
        "for (i = 0; i < N && f < 3; i++)",
        "for (i = 0; i < x; i++)",
    ];
    let head = head[random.below(head.len() as u64) as usize];
    match random.below(7) {
        0..=4 => format!("{head} {{ {} {} }}", statement(random), statement(random)),
        5 => {
            ["i = y;", "i = x;", "i = 0;"][random.below(3) as usize].to_owned() + &statement(random)
        }
        _ => ["p = b; q = b + N;", "if (x == 1) p = a;", "q = a + N;"][random.below(3) as usize]
            .to_owned(),
    }
}

/// A program with two arrays of a few elements, and its inputs.
fn random_program(random: &mut Random) -> String {
    let (ty, size) = (
        ["int", "char", "long"][random.below(3) as usize],
        3 + random.below(3),
    );
    let length = ["int", "long"][random.below(2) as usize];
    let fill = match random.below(3) {
        0 => "for (i = 0; i < N; i++) a[i] = i;",
        1 => "a[y] = nondet() & 3;",
        _ => "",
    };
    let parts: Vec<String> = (0..1 + random.below(3)).map(|_| part(random)).collect();
    let test = match random.below(4) {
        0 => format!("i = y; check({});", condition(random)),
        1 => "check(f <= 1);".to_owned(),
        2 => format!(
            "for (i = 0; i + 1 < N; i++) check({});",
            ["a[i] <= a[i + 1]", "a[i] == b[i + 1]"][random.below(2) as usize]
        ),
        _ => format!("for (i = 0; i < N; i++) check({});", condition(random)),
    };
    format!(
        "extern int nondet(void); extern void reach_error(void); typedef {ty} T;
         static void check(int c) {{ if (!c) reach_error(); }}
         T a[{size}], b[{size}];
         int main(void) {{ {length} N = {size}, i = 0; int f = 0, x = nondet(), y = nondet(); T *p = a, *q = a + N;
         if (x < 0 || x > 3 || x >= N || y < 0 || y > 3 || y >= N) return 0; {fill}
         {} {test} return 0; }}",
        parts.join("\n")
    )
}

/// The steps of the longest path to an error that is looked for.
const MAX_DEPTH: usize = 50;

/// Facts about an element that need one about another element, whose index follows from a path that does not replay.
#[test]
fn indices_follow_from_paths_that_do_not_replay() {
    let prove = |text: &str| {
        let text = format!(
            "extern int nondet(void); extern void reach_error(void); int a[100000], b[100000];
             int main(void) {{ int i; for (i = 0; i < 100000; i++) a[i] = 7; {text} return 0; }}"
        );
        let program = program(&text, DataModel::Lp64);
        letter(&check_elements_above(
            &program,
            0,
            Searcher::Circuits(&quickly()),
            Alone::new().control(),
        ))
    };
    let shift = "for (i = 0; i < 99999; i++) b[i] = a[i + 1];";
    let test = "if (b[i] != 7) reach_error();";
    assert_eq!(
        prove(&format!("{shift} for (i = 0; i < 99999; i++) {test}")),
        's'
    );
    let double = "for (i = 0; i < 50000; i++) b[i] = a[2 * i];";
    assert_eq!(
        prove(&format!("{double} for (i = 0; i < 50000; i++) {test}")),
        's'
    );
    // The last element is another one.
    let changed = format!("a[99999] = 8; {shift} for (i = 0; i < 99999; i++) {test}");
    assert_ne!(prove(&changed), 's');
}

/// A program that fails on some inputs fails in each automaton, whatever the index is chosen by; one that does not
/// fail is never unsafe there.
#[test]
fn automata_with_elements_agree_with_all_runs() {
    let seed = std::env::var("CRAIG_RANDOM_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(0x5eed_a11a));
    let (mut n_failing, mut n_kept, mut n_proved, mut n_open) = (0, 0, 0, 0);
    let n_all = n_programs(60);
    for number in 0..n_all {
        let text = random_program(&mut random);
        let model = [DataModel::Lp64, DataModel::Ilp32][number % 2];
        let program = program(&text, model);
        match fails(&program) {
            Some(true) => {
                n_failing += 1;
                for choice in CHOICES {
                    let kept = keeps_error(&program, choice, MAX_DEPTH);
                    assert_ne!(kept, Some(false), "{choice:?} {model:?} {text}");
                    n_kept += usize::from(kept.is_some());
                }
                let derived = [
                    Derived::Distance(1),
                    Derived::Distance(-1),
                    Derived::Sum(None, 3),
                    Derived::Twice(0),
                ];
                let derived = derived[number % 4];
                let extent = Extent::of_elements(&Stages::NONE);
                let found =
                    Automaton::with_derived_index(&program, extent, (0, derived), &Stop::new());
                assert_ne!(
                    has_error(found, MAX_DEPTH),
                    Some(false),
                    "{derived:?} {model:?} {text}"
                );
            }
            // Proofs take longer: of each fourth program.
            Some(false) if number % 4 == 0 => {
                let found = letter(&check_elements_above(
                    &program,
                    0,
                    Searcher::Circuits(&quickly()),
                    Alone::new().control(),
                ));
                assert_ne!(found, 'u', "{model:?} {text}");
                n_proved += usize::from(found == 's');
            }
            Some(false) => {}
            None => n_open += 1,
        }
    }
    eprintln!(
        "{n_failing} fail, {n_kept} automata keep the error, {n_proved} proved, {n_open} open"
    );
    assert!(n_failing > n_all / 4 && n_kept > n_failing && n_open < n_all / 2);
    assert!(n_proved > 0 || n_all < 40);
}
