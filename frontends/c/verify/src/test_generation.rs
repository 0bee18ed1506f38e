//! Tests for all coverage goals of a program that can be reached, and proofs that the others can't.
//!
//! Lazy annotation searches for a run to each goal; runs go on behind goals that they pass. Each run becomes a
//! test if the interpreter, on its inputs, passes the goal; all goals that it passes are covered. What the search
//! leaves open cannot be reached if its labels are an invariant, whose certificate is checked. Where it has ended early or dropped
//! paths, the open goals are decided as by `craig check --cover`: together they are an error of the program, and the engines prove
//! that it is not reached, or find a run to it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use craig_mc::Control;
use craig_model::{Stop, UnknownReason};
use craig_program::annotate::{self, Goal, Rest};
use craig_program::line_up::{Amount, StageName};
use craig_program::{Bad, Blocks, Cfa, EdgeId, Run};
use craig_verify::Proven;

use crate::automaton::{Automaton, Extent};
use crate::check::decide_each;
use crate::load::{load, with_large_stack};
use crate::options::Options;
use crate::report::{Answer, ENGINE, ErrorPath, Failure, Report};
use crate::test_report::{GeneratedTest, GoalReport, GoalState, TestReport};
use craig_c_exec::concrete::error_path::{file_name, path_of};
use craig_c_exec::concrete::interpret::Line;
use craig_c_exec::concrete::replay::{Counterexample, passed};
use craig_c_lang::ir::{CheckKind, Location, Program, Terminator};
use craig_c_lang::property::{Property, checked, properties};

/// The choices of a search for tests.
#[derive(Clone, Debug)]
pub struct TestOptions {
    /// Whether labels are learnt.
    pub learn: bool,
    /// Where the search cuts the program into edges.
    pub blocks: Blocks,
    /// Whether goals that the search leaves open are decided by the engines of `craig check`.
    pub prove: bool,
}

impl Default for TestOptions {
    fn default() -> Self {
        Self {
            learn: true,
            blocks: Blocks::Large,
            prove: true,
        }
    }
}

/// Why a goal is open although the search has ended, if paths were dropped and if none were.
const DROPPED: &str = "no path that was followed reaches it, and some paths are not followed";
const NOT_PROVED: &str = "no path that was followed reaches it, and nothing proves that none does";

/// Why a goal is unreachable, if the search has found it out.
const PROVED: &str = "annotate: the labels of all paths, a certificate, checked";

/// The state of a search, for a caller that does not wait for its end: the last report is valid at any time.
pub type TestProgress = Arc<Mutex<Option<TestReport>>>;

/// Searches for tests that cover the goals of the options. `progress` has the report so far.
///
/// # Errors
/// If the file cannot be read, or if an engine's evidence fails its check.
pub fn generate_tests(
    path: &Path,
    options: &Options,
    choice: &TestOptions,
    progress: &TestProgress,
    control: Control<'_>,
) -> Result<TestReport, Failure> {
    with_large_stack(|| generate(path, options, choice, progress, control))
}

fn generate(
    path: &Path,
    options: &Options,
    choice: &TestOptions,
    progress: &TestProgress,
    control: Control<'_>,
) -> Result<TestReport, Failure> {
    let program = match load(path, options)? {
        Ok(program) => program,
        Err(reason) => return Err(Failure::Input(format!("{}: {reason}", path.display()))),
    };
    let mut suite = Suite::new(&program, progress);
    suite.publish();
    suite.search(options, choice, control);
    suite.publish();
    if choice.prove && control.stop.reason().is_none() {
        suite.decide_rest(options, control)?;
    }
    suite.publish();
    Ok(suite.report())
}

/// A test with all that it reaches.
struct Found {
    report: Report,
    goals: BTreeSet<Goal>,
}

struct Suite<'p> {
    program: &'p Program,
    goals: Vec<Property>,
    number: HashMap<Property, Goal>,
    functions: Vec<String>,
    found: Vec<Found>,
    is_covered: Vec<bool>,
    unreachable: BTreeMap<Goal, String>,
    reasons: BTreeMap<Goal, String>,
    reason: String,
    backtracks: [u64; 2],
    steps: [u64; 2],
    is_saturated: bool,
    /// Whether paths were found that the search does not follow.
    drops_paths: bool,
    notes: Vec<String>,
    progress: &'p TestProgress,
    /// When the report was last published, and how long that took.
    published: Option<(Instant, Duration)>,
}

/// A report is published as soon as this many times the time that the last one took have passed.
const PUBLISH_AFTER: u32 = 20;

impl<'p> Suite<'p> {
    fn new(program: &'p Program, progress: &'p TestProgress) -> Self {
        let goals = properties(program);
        let mut function_of: HashMap<Property, String> = HashMap::new();
        for function in &program.functions {
            for block in &function.blocks {
                let marks = block.instrs.iter().filter_map(|(instr, at)| {
                    let text = checked(instr)?.text().to_owned();
                    Some(Property { at: *at, text })
                });
                for property in marks {
                    function_of.insert(property, function.name.clone());
                }
                if let Terminator::Error(text) = &block.end {
                    let (at, text) = (block.end_at, text.clone());
                    function_of.insert(Property { at, text }, function.name.clone());
                }
            }
        }
        let functions = (goals.iter())
            .map(|goal| function_of.get(goal).cloned().unwrap_or_default())
            .collect();
        Self {
            program,
            number: goals.iter().cloned().zip(0..).collect(),
            is_covered: vec![false; goals.len()],
            goals,
            functions,
            found: Vec::new(),
            unreachable: BTreeMap::new(),
            reasons: BTreeMap::new(),
            reason: "the search has not ended".into(),
            backtracks: [0; 2],
            steps: [0; 2],
            is_saturated: false,
            drops_paths: false,
            notes: program.notes.clone(),
            progress,
            published: None,
        }
    }

    /// The first phase: lazy annotation.
    fn search(&mut self, options: &Options, choice: &TestOptions, control: Control<'_>) {
        let row = options.search.stages().row(StageName::Tests);
        let stop = control.stop.clone();
        let stop = match options.deadline {
            Some(deadline) if choice.prove => row.limit(&stop.with_deadline(deadline)),
            Some(deadline) => stop.with_deadline(deadline),
            None => stop.with_deadline(Instant::now() + row.time(Amount::Unlimited)),
        };
        let mut program = self.program.clone();
        program.passes_goals = true;
        let program = &program;
        let control = Control {
            stop: &stop,
            ..control
        };
        let extent = Extent::new(options.search.stages(), choice.blocks);
        let automaton = match Automaton::new(program, extent, control.stop) {
            Ok(automaton) => automaton,
            Err(reason) => {
                self.reason = reason.to_string();
                return;
            }
        };
        let cfa = &automaton.cfa;
        let mut goals: HashMap<EdgeId, Goal> = (automaton.goals.iter())
            .map(|(edge, property)| (*edge, self.number[property]))
            .collect();
        // A path that is not supported is not looked for.
        let unsupported = self.goals.len();
        goals.extend(
            cfa.incoming(Cfa::UNSUPPORTED)
                .iter()
                .map(|&edge| (edge, unsupported)),
        );
        let settings = annotate::Options {
            learn: choice.learn,
            ..annotate::Options::default()
        };
        let mut on_run = |goal: Goal, run: Run, backtracks: usize| match goal == unsupported {
            true => {
                let mark = automaton.first_stuck();
                let text = mark.map_or_else(String::new, |mark| {
                    format!(
                        "{}: unsupported: {}",
                        self.program.place(mark.at),
                        mark.text
                    )
                });
                self.drops_paths = true;
                self.notes
                    .push(format!("some paths are not followed: {text}"));
                Vec::new()
            }
            false => {
                self.backtracks[0] = backtracks as u64;
                self.add_run(program, &automaton, (goal, run), control.stop)
            }
        };
        let end = annotate::cover(cfa, &goals, &settings, control, &mut on_run);
        let counts = control.listener.statistics();
        let count = |name: &str| counts.get(name).copied().unwrap_or(0);
        self.backtracks[1] = count("backtracks");
        self.steps = [count("decisions"), count("locations_entered")];
        match end {
            Ok(_) if self.drops_paths => self.reason = DROPPED.into(),
            Ok(rest) => {
                self.is_saturated = true;
                self.reason = NOT_PROVED.into();
                if let Some(rest) = rest.filter(|_| choice.prove) {
                    self.prove(rest);
                }
            }
            Err(UnknownReason::Cancelled) => self.reason = "it was interrupted".into(),
            Err(reason) => self.reason = reason.to_string(),
        }
    }

    /// Checks that the labels of a search that has followed all paths exclude the goals that are left. Labels may speak of words
    /// on which these goals do not depend; where there are too many of them, the goals stay open.
    fn prove(&mut self, rest: Rest) {
        let Rest {
            goals,
            mut cfa,
            invariant,
        } = rest;
        let encoded = cfa.to_model(Bad::ErrorOrUnsupported);
        let certificate = invariant.certificate(&cfa, &encoded);
        if let Err(error) = Proven::certify(&encoded.model, 0, certificate) {
            let text = format!("the labels of all paths are no certificate: {error}");
            self.notes.push(text);
            return;
        }
        let n_goals = self.goals.len();
        let own = goals.into_iter().filter(|&goal| goal < n_goals);
        (self.unreachable).extend(own.map(|goal| (goal, PROVED.to_owned())));
    }

    /// Makes a test of a run, if the interpreter passes the goal on its inputs. Returns the goals that it passes.
    fn add_run(
        &mut self,
        program: &Program,
        automaton: &Automaton<'_>,
        (goal, run): (Goal, Run),
        stop: &Stop,
    ) -> Vec<Goal> {
        let property = |(at, what): (Location, CheckKind)| Property {
            at,
            text: what.text().into(),
        };
        let facts = automaton.facts_of(run.visits);
        // If the run does not depend on memory without a value, the test has 0 there.
        let mut ran: Option<(BTreeSet<Goal>, Vec<Line>)> = None;
        for is_plain in [true, false] {
            match passed(program, facts.clone(), is_plain, stop) {
                Ok((passed, lines)) => {
                    let goals: BTreeSet<Goal> = (passed.into_iter())
                        .filter_map(|passed| self.number.get(&property(passed)).copied())
                        .collect();
                    let is_reached = goals.contains(&goal);
                    ran = Some((goals, lines));
                    if is_reached {
                        break;
                    }
                }
                Err(_) if is_plain => {}
                Err(message) => {
                    let text = format!("a path was found, but its replay fails: {message}");
                    self.reasons.insert(goal, text);
                    return Vec::new();
                }
            }
        }
        let (goals, lines) = ran.expect("the second run is one, or fails");
        if !goals.contains(&goal) {
            let text = "a path was found, but its replay does not reach the goal";
            self.reasons.insert(goal, text.into());
        }
        let closed: Vec<Goal> = goals.iter().copied().collect();
        if !goals.is_empty() {
            self.add(goal, lines, goals);
        }
        closed
    }

    fn add(&mut self, goal: Goal, lines: Vec<Line>, goals: BTreeSet<Goal>) {
        let property = &self.goals[goal];
        let found = Counterexample {
            text: property.text.clone(),
            at: property.at,
            lines,
            holds_elsewhere: true,
        };
        let report = Report {
            answer: Answer::Unsafe(ErrorPath {
                error: found.text.clone(),
                path: path_of(self.program, &found),
            }),
            engine: annotate::NAME,
            phase: ENGINE,
            notes: Vec::new(),
            unchecked: Vec::new(),
            conventions: self.program.conventions.clone(),
        };
        for &goal in &goals {
            self.is_covered[goal] = true;
        }
        self.found.push(Found { report, goals });
        self.publish_if_due();
    }

    /// The second phase: the engines of `craig check` on what is open.
    fn decide_rest(&mut self, options: &Options, control: Control<'_>) -> Result<(), Failure> {
        let open = self.goals.iter().enumerate();
        let open: Vec<Property> = open
            .filter(|(goal, _)| !self.is_covered[*goal] && !self.unreachable.contains_key(goal))
            .map(|(_, property)| property.clone())
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        let program = self.program;
        let mut on_decided =
            |property: &Property, report: &Report, _: f64| self.decided(property, report);
        decide_each(program, open, options, control, &mut on_decided)?;
        Ok(())
    }

    /// What an engine says about a goal.
    fn decided(&mut self, property: &Property, report: &Report) {
        let goal = self.number[property];
        match &report.answer {
            Answer::Safe(safety) => {
                let text = format!("{}: {}", report.engine, safety.text);
                self.unreachable.insert(goal, text);
            }
            Answer::Unsafe(_) => {
                let (report, goals) = (report.clone(), BTreeSet::from([goal]));
                self.is_covered[goal] = true;
                self.found.push(Found { report, goals });
                self.publish_if_due();
            }
            Answer::Unknown(reason) => {
                self.reasons.insert(goal, reason.to_string());
            }
        }
    }

    fn publish(&mut self) {
        let start = Instant::now();
        let report = self.report();
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
        self.published = Some((Instant::now(), start.elapsed()));
    }

    /// Publishes a report unless that would take more than a small part of the time: making a suite smaller takes
    /// longer the more tests there are.
    fn publish_if_due(&mut self) {
        let is_early = |(at, took): (Instant, Duration)| at.elapsed() < PUBLISH_AFTER * took;
        if !self.published.is_some_and(is_early) {
            self.publish();
        }
    }

    fn report(&self) -> TestReport {
        let covers: Vec<&BTreeSet<Goal>> = self.found.iter().map(|found| &found.goals).collect();
        let chosen = smaller(&covers);
        let tests: Vec<GeneratedTest> = (chosen.iter())
            .map(|&index| GeneratedTest {
                report: self.found[index].report.clone(),
                goals: self.found[index].goals.iter().copied().collect(),
            })
            .collect();
        let mut tests_of: Vec<Vec<usize>> = vec![Vec::new(); self.goals.len()];
        for (number, test) in tests.iter().enumerate() {
            for &goal in &test.goals {
                tests_of[goal].push(number);
            }
        }
        let goals = self.goals.iter().zip(tests_of).enumerate();
        let goals = goals.map(|(goal, (property, tests))| {
            let reason = self.reasons.get(&goal).unwrap_or(&self.reason);
            let state = match self.unreachable.get(&goal) {
                _ if !tests.is_empty() => GoalState::Covered(tests),
                Some(text) => GoalState::Unreachable(text.clone()),
                None => GoalState::Open(reason.clone()),
            };
            GoalReport {
                file: file_name(self.program, property.at),
                line: property.at.line,
                column: property.at.column,
                function: self.functions[goal].clone(),
                text: property.text.clone(),
                state,
            }
        });
        TestReport {
            goals: goals.collect(),
            tests,
            n_found: self.found.len(),
            backtracks: self.backtracks,
            steps: self.steps,
            is_saturated: self.is_saturated,
            notes: self.notes.clone(),
        }
    }
}

/// Some of the sets with the same union, none of which the others contain: the set with the most elements that are
/// not yet covered comes first; then those that the later ones have made unnecessary are left out.
fn smaller(sets: &[&BTreeSet<Goal>]) -> Vec<usize> {
    let mut covered: BTreeSet<Goal> = BTreeSet::new();
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        let gain = |set: &BTreeSet<Goal>| set.difference(&covered).count();
        let best = (0..sets.len()).rev().max_by_key(|&index| gain(sets[index]));
        match best {
            Some(index) if gain(sets[index]) > 0 => {
                covered.extend(sets[index]);
                chosen.push(index);
            }
            _ => break,
        }
    }
    let mut count: HashMap<Goal, usize> = HashMap::new();
    for &goal in chosen.iter().flat_map(|&index| sets[index]) {
        *count.entry(goal).or_insert(0) += 1;
    }
    chosen.retain(|&index| {
        let is_needed = sets[index].iter().any(|goal| count[goal] == 1);
        if !is_needed {
            for goal in sets[index] {
                *count.entry(*goal).or_insert(0) -= 1;
            }
        }
        is_needed
    });
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use craig_mc::Alone;
    use proptest::prelude::*;

    use super::*;

    fn tests_of(text: &str, prove: bool) -> TestReport {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program.c");
        std::fs::write(&path, text).unwrap();
        let options = Options {
            goals: Some(crate::Goals::Branches),
            ..Options::default()
        };
        let choice = TestOptions {
            prove,
            ..TestOptions::default()
        };
        generate_tests(
            &path,
            &options,
            &choice,
            &TestProgress::default(),
            Alone::new().control(),
        )
        .unwrap()
    }

    /// One outcome of the second branch is not possible.
    const NESTED: &str = "extern int __VERIFIER_nondet_int(void); int main(void) {\
        int x = __VERIFIER_nondet_int(); if (x > 3) { if (x < 2) return 1; } return 0; }";

    /// The branch in the loop has an outcome that no number of iterations reaches.
    const LOOPED: &str = "extern int __VERIFIER_nondet_int(void); int main(void) {\
        unsigned i = 0; while (__VERIFIER_nondet_int()) { if (i % 2) return 1; i += 2; } return 0; }";

    /// A search that has followed every path says so; one that has dropped paths does not.
    #[test]
    fn a_search_is_complete_only_if_no_path_was_dropped() {
        let open = |report: &TestReport| -> Vec<String> {
            let states = report.goals.iter().map(|goal| goal.state.clone());
            let reasons = states.filter_map(|state| match state {
                GoalState::Open(why) => Some(why),
                _ => None,
            });
            reasons.collect()
        };
        let whole = tests_of(NESTED, false);
        assert!(whole.is_saturated);
        assert_eq!(open(&whole), [NOT_PROVED]);
        // The labels are a proof, if one is wanted.
        let proved = tests_of(LOOPED, true);
        let why = proved.goals.iter().filter_map(|goal| match &goal.state {
            GoalState::Unreachable(why) => Some(why.as_str()),
            _ => None,
        });
        assert_eq!(why.collect::<Vec<_>>(), [PROVED]);
        // No argument is 99 levels deep, and the search follows fewer.
        let deep = tests_of(
            "extern int __VERIFIER_nondet_int(void);\
             int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); } int main(void) {\
             int x = __VERIFIER_nondet_int(); if (f(x) == 99) return 3; return 0; }",
            false,
        );
        assert!(!deep.is_saturated, "{:?}", deep.notes);
        assert_eq!(open(&deep), [DROPPED]);
    }

    proptest! {
        #[test]
        fn a_smaller_suite_covers_the_same(sets in prop::collection::vec(prop::collection::btree_set(0usize..12, 0..5), 0..12)) {
            let sets: Vec<&BTreeSet<Goal>> = sets.iter().collect();
            let union = |chosen: &[usize]| -> BTreeSet<Goal> {
                chosen.iter().flat_map(|&index| sets[index]).copied().collect()
            };
            let all: Vec<usize> = (0..sets.len()).collect();
            let chosen = smaller(&sets);
            prop_assert_eq!(union(&chosen), union(&all));
            for left_out in 0..chosen.len() {
                let mut fewer = chosen.clone();
                fewer.remove(left_out);
                prop_assert_ne!(union(&fewer), union(&all));
            }
        }
    }
}
