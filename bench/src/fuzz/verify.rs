//! Call sequences of `craig_verify` on one design: questions about all properties, some, any and one, by several schedules whose searches
//! are kept between calls, with invariants from outside that need not hold, and with ends of every kind.
//!
//! Each answer is compared with the graph of all states, each piece of evidence goes to the judges, and a call has to say something of each
//! property that it was asked about, however it ends.

use std::ops::ControlFlow;

use craig_aig::Random;
use craig_certify::{certify_certificate, certify_lasso, certify_live, certify_trace};
use craig_hardware::btor2::WordCircuit;
use craig_mc::liveness::LivenessVerdict;
use craig_mc::portfolio::Failure;
use craig_mc::{Alone, Board, StateClause};
use craig_model::{Model, Stop, Verdict};
use craig_verify::{
    Certified, Design, Kind, Lemmas, Observer, PropertyId, Schedule, Search, verify_any,
    verify_each,
};

use super::Subject;
use super::chosen::{self, Chosen};
use super::circuits::read_again;
use super::recipe::{Pick, Recipe};
use super::shrink::without_parts;
use super::states::Steps;
use super::tally::Tally;
use super::words;

/// Call sequences of the interface of verification.
pub(super) struct Verify;

/// What is asked about.
#[derive(Clone, Debug)]
enum System {
    /// A model, through the writer and the reader of AIGER if the switch is set.
    Bits(Recipe, bool),
    Words(Box<words::Case>),
}

/// A question. Numbers of properties count modulo those that there are.
#[derive(Clone, Debug)]
enum Question {
    /// About these properties, until this many verdicts were heard; `true`: then the search is stopped from outside.
    Each(Vec<usize>, usize, bool),
    /// About the disjunction of the bads.
    Any,
    /// About one property of the model, without a judge.
    One(usize),
    /// About one bad, with what searches of other bads have found.
    After(usize),
    /// About one bad, with formulas as latches.
    Signals(usize, Vec<Pick>),
    /// About a bad that there is not.
    Missing,
}

/// What ends a call before its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// What ends a case of other subjects.
    Usual,
    /// After a few questions of the search whether to stop.
    Early(usize),
    /// Before it begins.
    AtOnce,
}

#[derive(Clone, Debug)]
struct Call {
    question: Question,
    /// By which of the schedules.
    by: usize,
    end: End,
    /// Clauses over the latches that may be invariants.
    candidates: Vec<StateClause>,
}

/// A design, schedules and calls.
#[derive(Clone, Debug)]
pub(super) struct Case {
    system: System,
    chosen: Vec<Chosen>,
    calls: Vec<Call>,
}

impl Subject for Verify {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let system = match random.below(4) {
            0 => System::Words(Box::new(words::Words.case(random))),
            _ => {
                let mut recipe = Recipe::new(random, false);
                if random.below(3) == 0 {
                    let live = Recipe::new(random, true);
                    (recipe.justice, recipe.fairness) = (live.justice, live.fairness);
                }
                System::Bits(recipe, random.flip())
            }
        };
        let chosen = (0..1 + random.below(2))
            .map(|_| Chosen::new(random))
            .collect();
        let calls = (0..1 + random.below(5))
            .map(|_| Call::new(random))
            .collect();
        Case {
            system,
            chosen,
            calls,
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        match &case.system {
            System::Bits(recipe, is_read) => {
                let model = recipe.build();
                let steps = Steps::of_model(&model);
                match is_read {
                    true => case.calls_about(&read_again(&model)?, true, &steps, tally),
                    false => case.calls_about(&model, true, &steps, tally),
                }
            }
            System::Words(words) => {
                let (circuit, steps): (WordCircuit, Steps) = words.build()?;
                // What is asked about the bits is not yet an answer about memories.
                case.calls_about(&circuit, false, &steps, tally)
            }
        }
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        let calls = without_parts(&case.calls).into_iter().map(|calls| Case {
            calls,
            ..case.clone()
        });
        let mut all: Vec<Case> = calls.collect();
        let mut push = |change: &dyn Fn(&mut Case)| {
            let mut smaller = case.clone();
            change(&mut smaller);
            all.push(smaller);
        };
        match &case.system {
            System::Bits(recipe, is_read) => {
                for recipe in recipe.smaller() {
                    push(&|case| case.system = System::Bits(recipe.clone(), *is_read));
                }
                if *is_read {
                    push(&|case| case.system = System::Bits(recipe.clone(), false));
                }
            }
            System::Words(words) => {
                for words in words::Words.smaller(words) {
                    push(&|case| case.system = System::Words(Box::new(words.clone())));
                }
            }
        }
        for (place, chosen) in case.chosen.iter().enumerate() {
            for smaller in chosen.smaller() {
                push(&|case| case.chosen[place] = smaller.clone());
            }
        }
        for (place, call) in case.calls.iter().enumerate() {
            if !call.candidates.is_empty() {
                push(&|case| case.calls[place].candidates.clear());
            }
        }
        all
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        (format!("{case:#?}\n"), "txt")
    }
}

impl Call {
    fn new(random: &mut Random) -> Self {
        let question = match random.below(10) {
            0..4 => {
                let asked = (0..1 + random.below(4)).map(|_| random.below(8)).collect();
                let most = match random.below(3) {
                    0 => 1 + random.below(2),
                    _ => usize::MAX,
                };
                Question::Each(asked, most, random.flip())
            }
            4 => Question::Any,
            5 | 6 => Question::One(random.below(8)),
            7 => Question::After(random.below(8)),
            8 => {
                let pick = |_| (random.below(1000), random.flip());
                let formulas = (0..3).map(pick).collect();
                Question::Signals(random.below(8), formulas)
            }
            _ => Question::Missing,
        };
        let end = match random.below(8) {
            0 => End::AtOnce,
            1 | 2 => End::Early(random.below(40)),
            _ => End::Usual,
        };
        let candidates = match random.below(3) {
            0 => (0..1 + random.below(6))
                .map(|_| {
                    let literals = 0..1 + random.below(3);
                    literals.map(|_| (random.below(8), random.flip())).collect()
                })
                .collect(),
            _ => Vec::new(),
        };
        Self {
            question,
            by: random.below(2),
            end,
            candidates,
        }
    }

    /// The end, and the clauses as far as the model has these latches.
    fn alone(&self, model: &Model, chosen: &Chosen) -> Alone {
        let stop = match self.end {
            End::Usual => chosen.stop(!model.justice.is_empty()),
            End::Early(questions) => Stop::after_questions(questions),
            End::AtOnce => Stop::new(),
        };
        if self.end == End::AtOnce {
            stop.cancel();
        }
        let candidates = self.candidates.iter().filter_map(|clause| {
            let mut clause = clause.clone();
            clause.retain(|&(latch, _)| latch < model.latches.len());
            clause.sort_unstable();
            clause.dedup_by_key(|&mut (latch, _)| latch);
            (!clause.is_empty()).then_some(clause)
        });
        Alone {
            board: Board::default().with_candidates(candidates.collect()),
            ..Alone::until(stop)
        }
    }
}

/// The truth about a design.
struct Truth {
    bads: Vec<Option<usize>>,
    fails: Vec<bool>,
}

impl Truth {
    /// Compares a verdict, whose evidence was judged.
    fn judge<E>(&self, certified: &Certified<E>, is_shortest: bool) -> Result<(), String> {
        chosen::valid(certified)?;
        let number = certified.property.number;
        match certified.property.kind {
            Kind::Bad => chosen::bad(certified, self.bads[number], is_shortest),
            Kind::Justice => chosen::justice(certified, self.fails[number]),
        }
    }
}

impl Case {
    /// Makes the calls. `is_model`: answers about the model are about the design.
    fn calls_about<D: Design>(
        &self,
        design: &D,
        is_model: bool,
        steps: &Steps,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let truth = Truth {
            bads: steps.bads(),
            fails: steps.justice_fails(),
        };
        let schedules: Result<Vec<Schedule>, String> =
            self.chosen.iter().map(Chosen::schedule).collect();
        let searches: Vec<Search> = schedules?.into_iter().map(Search::new).collect();
        let mut lemmas = Lemmas::default();
        for (number, call) in self.calls.iter().enumerate() {
            let by = call.by % searches.len();
            let alone = call.alone(design.model(), &self.chosen[by]);
            let asked = Asked {
                truth: &truth,
                search: &searches[by],
                is_shortest: self.chosen[by].is_shortest(),
                alone: &alone,
            };
            let result = match &call.question {
                Question::Each(numbers, most, cancels) => {
                    asked.each(design, numbers, *most, *cancels)
                }
                Question::Any => asked.any(design),
                _ if !is_model => Ok("not asked"),
                Question::One(number) => asked.one(design.model(), *number, None, &[]),
                Question::After(number) => {
                    asked.one(design.model(), *number, Some(&mut lemmas), &[])
                }
                Question::Signals(number, formulas) => {
                    asked.one(design.model(), *number, None, formulas)
                }
                Question::Missing => asked.missing(design.model()),
            };
            let what = result.map_err(|what| format!("{what} (call {number})"))?;
            tally.count(what);
        }
        match searches.iter().flat_map(Search::take_failures).next() {
            Some(failure) => Err(format!("failure: {failure:?}")),
            None => Ok(()),
        }
    }
}

/// Hears verdicts until there are enough.
struct Heard<'a, E> {
    verdicts: Vec<Certified<E>>,
    failures: Vec<Failure>,
    most: usize,
    /// Stopped after the last one.
    cancels: Option<&'a Stop>,
}

impl<E> Observer<E> for Heard<'_, E> {
    fn engine_failed(&mut self, failure: &Failure) {
        self.failures.push(failure.clone());
    }

    fn certified(&mut self, certified: Certified<E>) -> ControlFlow<()> {
        self.verdicts.push(certified);
        match (self.verdicts.len() >= self.most, self.cancels) {
            (false, _) => ControlFlow::Continue(()),
            (true, None) => ControlFlow::Break(()),
            (true, Some(stop)) => {
                stop.cancel();
                ControlFlow::Continue(())
            }
        }
    }
}

/// A call of a search about a design.
struct Asked<'a> {
    truth: &'a Truth,
    search: &'a Search,
    is_shortest: bool,
    alone: &'a Alone,
}

impl Asked<'_> {
    fn each<D: Design>(
        &self,
        design: &D,
        numbers: &[usize],
        most: usize,
        cancels: bool,
    ) -> Result<&'static str, String> {
        let all = PropertyId::all(design.model());
        let mut properties: Vec<PropertyId> = Vec::new();
        for number in numbers {
            let property = all[number % all.len()];
            if !properties.contains(&property) {
                properties.push(property);
            }
        }
        let mut heard = Heard {
            verdicts: Vec::new(),
            failures: Vec::new(),
            most,
            cancels: cancels.then_some(&self.alone.stop),
        };
        let control = self.alone.control();
        verify_each(
            design,
            &properties,
            self.search.schedule(),
            control,
            &mut heard,
        )
        .map_err(|error| format!("error: {error}"))?;
        if let Some(failure) = heard.failures.first() {
            return Err(format!("failure: {failure:?}"));
        }
        let expected = if cancels {
            properties.len()
        } else {
            properties.len().min(most)
        };
        if heard.verdicts.len() != expected {
            let n = heard.verdicts.len();
            return Err(format!("properties: {n} verdicts instead of {expected}"));
        }
        for certified in &heard.verdicts {
            let place = properties
                .iter()
                .position(|&property| property == certified.property);
            let place = place.ok_or("properties: one was not asked about, or has two verdicts")?;
            properties.remove(place);
            self.truth.judge(certified, self.is_shortest)?;
        }
        Ok("each")
    }

    fn any<D: Design>(&self, design: &D) -> Result<&'static str, String> {
        let asked = verify_any(design, self.search.schedule(), self.alone.control());
        if self.truth.bads.is_empty() {
            return match asked {
                Err(_) => Ok("missing"),
                Ok(_) => Err("properties: a verdict although there is no bad".into()),
            };
        }
        let certified = asked.map_err(|error| format!("error: {error}"))?;
        chosen::valid(&certified)?;
        let first = self.truth.bads.iter().flatten().min().copied();
        chosen::bad(&certified, first, self.is_shortest)?;
        let number = certified.property.number;
        match (certified.trace(), self.truth.bads[number]) {
            (Some(_), None) => Err("wrong: the run is about another bad".into()),
            _ => Ok("any"),
        }
    }

    fn one(
        &self,
        model: &Model,
        number: usize,
        lemmas: Option<&mut Lemmas>,
        formulas: &[Pick],
    ) -> Result<&'static str, String> {
        let all = PropertyId::all(model);
        let property = all[number % all.len()];
        if property.kind == Kind::Justice {
            return self.live(model, property.number);
        }
        let (number, control) = (property.number, self.alone.control());
        let n_nodes = model.aig.n_nodes();
        let formulas = formulas
            .iter()
            .map(|&(place, sign)| craig_aig::Edge::new((place % n_nodes) as u32, sign));
        let formulas: Vec<craig_aig::Edge> = formulas.collect();
        let decided = match lemmas {
            Some(lemmas) => self.search.check_with(model, number, lemmas, control),
            None => self
                .search
                .check_with_signals(model, number, &formulas, control),
        };
        let decided = decided.map_err(|error| format!("error: {error}"))?;
        let first = self.truth.bads[number];
        match &decided.outcome.verdict {
            Verdict::Unknown(_) => Ok("one: unknown"),
            Verdict::Safe(_) if first.is_some() => Err("wrong: safe, but there is a run".into()),
            Verdict::Safe(certificate) => certify_certificate(model, number, certificate)
                .map(|()| "one: safe")
                .map_err(|error| format!("evidence: {error}")),
            Verdict::Unsafe(_) if first.is_none() => {
                Err("wrong: unsafe, but there is no run".into())
            }
            Verdict::Unsafe(trace) => match certify_trace(model, number, trace) {
                Ok(step) if Some(step) < first => Err("depth: the run is shorter than any".into()),
                Ok(_) => Ok("one: unsafe"),
                Err(error) => Err(format!("evidence: {error}")),
            },
        }
    }

    fn live(&self, model: &Model, number: usize) -> Result<&'static str, String> {
        let outcome = self.search.check_live(model, number, self.alone.control());
        let outcome = outcome.map_err(|error| format!("error: {error}"))?;
        let judged = match (&outcome.verdict, self.truth.fails[number]) {
            (LivenessVerdict::Unknown(_), _) => return Ok("live: unknown"),
            (LivenessVerdict::Safe(_), true) | (LivenessVerdict::Unsafe(_), false) => {
                return Err("wrong: the opposite holds".into());
            }
            (LivenessVerdict::Safe(certificate), false) => certify_live(model, number, certificate),
            (LivenessVerdict::Unsafe(lasso), true) => certify_lasso(model, lasso),
        };
        judged.map_err(|error| format!("evidence: {error}"))?;
        Ok("live: decided")
    }

    fn missing(&self, model: &Model) -> Result<&'static str, String> {
        let control = self.alone.control();
        let bad = self.search.check(model, model.bads.len(), control).is_err();
        let justice = (self.search.check_live(model, model.justice.len(), control)).is_err();
        let of_signals = (self.search)
            .check_with_signals(model, model.bads.len(), &[craig_aig::Edge::TRUE], control)
            .is_err();
        match bad && justice && of_signals {
            true => Ok("missing"),
            false => Err("properties: one that does not exist has an answer".into()),
        }
    }
}
