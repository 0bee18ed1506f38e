//! Many bads of one circuit: they are reduced together, and searched together if most of them depend on most of the circuit.
//! Searches one by one would do the same work for each then.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use craig_mc::circuit::reduce::Together;
use craig_mc::exchange::Reached;
use craig_mc::{Alone, Control};
use craig_model::{Stop, Verdict};
use craig_program::line_up::{Amount, Condition, StageName};

use crate::certified::Finding;
use crate::design::Design;
use crate::error::VerifyError;
use crate::property::{Kind, PropertyId};
use crate::run::{Found, Run};

/// The phase of what the search decides.
const PHASE: StageName = StageName::SearchTogether;

/// The search for several bads together.
pub(crate) struct SearchTogether {
    together: Together,
    /// The start of what goes on, and the time that was spent before.
    begin: Instant,
    spent: Duration,
    /// What is known of the states reached within some steps.
    frames: Arc<Reached>,
    /// Whether the next search looks at the first steps.
    is_first: bool,
    /// Whether the engines have no answer although there was time.
    has_given_up: bool,
}

/// What one search of the open bads has come to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A proof of all.
    Proof,
    /// A run to some.
    Run,
    /// Nothing.
    Unknown,
}

impl SearchTogether {
    /// The time that was spent.
    fn spent(&self) -> Duration {
        self.spent + self.begin.elapsed()
    }

    /// Whether more time would not help.
    pub(crate) fn has_given_up(&self) -> bool {
        self.has_given_up || self.together.open().is_empty()
    }

    /// Leaves out all bads but these.
    pub(crate) fn keep(&mut self, bads: &[usize]) {
        let bads: HashSet<usize> = bads.iter().copied().collect();
        self.together.close(|bad| !bads.contains(&bad));
    }
}

impl<D: Design> Run<'_, D> {
    /// Reduces many bads together, but for those that are decided. Returns the search for all of them if that may help.
    pub(crate) fn reduce_together(
        &mut self,
        decided: &HashSet<PropertyId>,
    ) -> Result<Option<SearchTogether>, VerifyError> {
        let bads = self.properties.iter();
        let bads =
            bads.filter(|property| property.kind == Kind::Bad && !decided.contains(property));
        let bads: Vec<usize> = bads.map(|property| property.number).collect();
        let stages = &self.search.schedule().stages;
        let is_model = self.design.refusal().is_none() && self.design.restriction().is_none();
        let (Some(reduction), true) = (stages.get(StageName::ReduceTogether).cloned(), is_model)
        else {
            return Ok(None);
        };
        let search = stages.get(PHASE).cloned();
        if bads.is_empty() || !reduction.is_reached(Condition::BadsFrom, bads.len()) {
            return Ok(None);
        }
        let own = self.begin_together(&bads, reduction.limit(self.control.stop));
        let control = own.control();
        self.lemmas.shared = self.search.reduce_together(self.design.model(), control);
        let Some(stage) = search.filter(|stage| stage.is_reached(Condition::BadsFrom, bads.len()))
        else {
            return Ok(None);
        };
        let overlap = (self.lemmas.shared.as_ref()).and_then(|it| it.overlap(&bads, control.stop));
        let least = stage.condition(Condition::OverlapFrom).unwrap_or_default();
        if overlap.is_none_or(|overlap| overlap * 100.0 < least as f64) {
            return Ok(None);
        }
        let begin = Instant::now();
        let own = self.begin_together(&bads, stage.limit(self.control.stop));
        let Some(shared) = &self.lemmas.shared else {
            return Ok(None);
        };
        Ok(Some(SearchTogether {
            together: self.search.together(shared, &bads, own.control()),
            begin,
            spent: begin.elapsed(),
            frames: Arc::default(),
            is_first: true,
            has_given_up: false,
        }))
    }

    /// Searches for the open bads together, within the stage's share of the time, or without a limit as long as properties one
    /// by one with these shares. Returns the properties that are decided.
    pub(crate) fn search_together(
        &mut self,
        search: &mut SearchTogether,
        share: Duration,
        n_open: usize,
    ) -> Result<HashSet<PropertyId>, VerifyError> {
        let mut decided = HashSet::new();
        let bads = search.together.open().to_vec();
        let Some(stage) = self.search.schedule().stages.get(PHASE).cloned() else {
            return Ok(decided);
        };
        if bads.is_empty() || self.is_over() {
            return Ok(decided);
        }
        search.begin = Instant::now();
        let n_shares = u32::try_from(n_open).unwrap_or(u32::MAX);
        let n_shares = n_shares.min(stage.amount(Amount::SharesTo));
        let stop = match self.control.stop.deadline() {
            Some(_) => stage.limit(self.control.stop),
            None => {
                let stop = self.control.stop.clone();
                stop.with_deadline(Instant::now() + share * n_shares)
            }
        };
        let own = self.begin_together(&bads, stop);
        let control = own.control();
        while !search.together.open().is_empty() && control.stop.reason().is_none() {
            let step = self.next(search, control, &mut decided);
            self.tell_failures();
            match step? {
                Step::Run => {}
                Step::Proof => break,
                Step::Unknown => {
                    search.has_given_up = control.stop.reason().is_none();
                    break;
                }
            }
        }
        search.spent = search.spent();
        search.begin = Instant::now();
        let numbers = search.together.latches();
        self.lemmas
            .add_reduced(control.board.invariants(0), &numbers);
        Ok(decided)
    }

    pub(crate) fn begin_together(&mut self, bads: &[usize], stop: Stop) -> Alone {
        let first = PropertyId::bad(bads[0]);
        let name = first.name(self.design.model());
        let name = match bads.len() {
            1 => name,
            n_bads => format!("{name} and {} others", n_bads - 1),
        };
        self.begin(first, &name, stop)
    }

    /// Searches for the bads that are open, and passes on what that decides.
    fn next(
        &mut self,
        search: &mut SearchTogether,
        control: Control<'_>,
        decided: &mut HashSet<PropertyId>,
    ) -> Result<Step, VerifyError> {
        let outcome = self.search.check_together(
            &search.together,
            &mut search.frames,
            &mut search.is_first,
            control,
        )?;
        match &outcome.verdict {
            Verdict::Unknown(_) => Ok(Step::Unknown),
            Verdict::Safe(_) => {
                let open = search.together.open().to_vec();
                decided.extend(open.iter().map(|&bad| PropertyId::bad(bad)));
                self.end_together(&open, outcome, PHASE.name(), search.spent());
                search.together.close(|_| true);
                Ok(Step::Proof)
            }
            Verdict::Unsafe(trace) => {
                let reached = trace.property;
                self.shown.look_for_others(trace, self.properties);
                let mut runs = vec![(outcome, PHASE)];
                let others = search.together.open().iter().filter(|&&bad| bad != reached);
                let others = others.filter_map(|&bad| self.shown.take(PropertyId::bad(bad)));
                runs.extend(others.map(|run| (run, StageName::OtherBads)));
                for (outcome, stage) in runs {
                    let Verdict::Unsafe(trace) = &outcome.verdict else {
                        continue;
                    };
                    let property = PropertyId::bad(trace.property);
                    decided.insert(property);
                    self.end(Found {
                        property,
                        finding: Finding::Bad(outcome),
                        phase: stage.name(),
                        spent: search.spent(),
                    });
                }
                (search.together).close(|bad| decided.contains(&PropertyId::bad(bad)));
                Ok(Step::Run)
            }
        }
    }
}
