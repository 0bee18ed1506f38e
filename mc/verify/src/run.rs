//! One question on its way: what is known of all properties, and the end of each.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use craig_certify::Circuit;
use craig_mc::liveness::{LivenessOutcome, LivenessVerdict};
use craig_mc::{Alone, Control, Listener};
use craig_model::{Outcome, Stop, UnknownReason, Verdict};

use crate::certified::{Certified, Finding};
use crate::design::Design;
use crate::judge::{About, Judgement, judge, judge_live};
use crate::lemmas::Lemmas;
use crate::observer::Observer;
use crate::property::{Kind, PropertyId};
use crate::search::Search;
use crate::shown::Shown;

/// The state of [`verify_each`](crate::verify_each).
pub(crate) struct Run<'a, D: Design> {
    pub(crate) design: &'a D,
    pub(crate) properties: &'a [PropertyId],
    pub(crate) search: &'a Search,
    pub(crate) control: Control<'a>,
    pub(crate) observer: &'a mut dyn Observer<D::Evidence>,
    pub(crate) lemmas: Lemmas,
    pub(crate) shown: Shown<'a>,
    /// Whether the certifier has found that the model is the circuit that was read: it need not compare them for each
    /// property.
    is_compared: bool,
    /// Whether the observer wants no more.
    is_over: bool,
}

/// What was found about a property, before the check of its evidence.
pub(crate) struct Found<E> {
    pub(crate) property: PropertyId,
    pub(crate) finding: Finding<E>,
    pub(crate) phase: &'static str,
    /// The time of the search.
    pub(crate) spent: Duration,
}

impl<'a, D: Design> Run<'a, D> {
    pub(crate) fn new(
        design: &'a D,
        properties: &'a [PropertyId],
        search: &'a Search,
        control: Control<'a>,
        observer: &'a mut dyn Observer<D::Evidence>,
    ) -> Self {
        Self {
            design,
            properties,
            search,
            control,
            observer,
            lemmas: Lemmas::default(),
            shown: Shown::new(design.model()),
            is_compared: false,
            is_over: false,
        }
    }

    /// Whether nothing more is to be searched.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over || self.control.stop.reason().is_some()
    }

    /// What a search about a property borrows, or about several of which it is the first.
    pub(crate) fn begin(&mut self, property: PropertyId, name: &str, stop: Stop) -> Alone {
        let listener = Listener::silent().with_receiver_of(self.control.listener);
        Alone {
            listener: self.observer.begin(property, name, listener),
            ..Alone::until(stop)
        }
    }

    /// Tells the observer of engines that have panicked.
    pub(crate) fn tell_failures(&mut self) {
        for failure in self.search.take_failures() {
            self.observer.engine_failed(&failure);
        }
    }

    /// The finding about a property that was not searched to an end.
    pub(crate) fn unknown(
        &self,
        property: PropertyId,
        reason: UnknownReason,
    ) -> Finding<D::Evidence> {
        unknown(property, reason, self.search.schedule().engine_name())
    }

    /// Certifies evidence, and passes the result on.
    pub(crate) fn end(&mut self, found: Found<D::Evidence>) {
        let Found {
            property,
            finding,
            phase,
            spent,
        } = found;
        let number = property.number;
        let judgement = match &finding {
            Finding::Bad(outcome) => {
                self.certify(|circuit| judge(circuit, About::One(number), &outcome.verdict))
            }
            Finding::Justice(outcome) => {
                self.certify(|circuit| judge_live(circuit, number, &outcome.verdict))
            }
            Finding::Apart(found) => found.judgement.clone(),
        };
        let judgement = judgement.and_then(|| self.replay(&finding));
        if let Judgement::Valid(seconds) = judgement {
            let name = property.name(self.design.model());
            let line = format!("{name}: evidence judged in {seconds:.2} s");
            self.observer.note(&line);
        }
        self.pass_on(Certified {
            property,
            finding: Arc::new(finding),
            together: [number].into(),
            phase,
            judgement,
            seconds: spent.as_secs_f64(),
        });
    }

    /// Certifies a proof that no bad of several is reachable, and passes it on for each.
    pub(crate) fn end_together(
        &mut self,
        bads: &[usize],
        outcome: Outcome,
        phase: &'static str,
        spent: Duration,
    ) {
        let seconds = spent.as_secs_f64();
        let about = About::Some(bads);
        let judgement = self.certify(|circuit| judge(circuit, about, &outcome.verdict));
        if let Judgement::Valid(seconds) = judgement {
            let n_bads = bads.len();
            let line = format!("{n_bads} properties: evidence judged in {seconds:.2} s");
            self.observer.note(&line);
        }
        let finding = Arc::new(Finding::Bad(outcome));
        let together: Arc<[usize]> = bads.into();
        for &bad in bads {
            self.pass_on(Certified {
                property: PropertyId::bad(bad),
                finding: Arc::clone(&finding),
                together: Arc::clone(&together),
                phase,
                judgement: judgement.clone(),
                seconds,
            });
        }
    }

    fn pass_on(&mut self, certified: Certified<D::Evidence>) {
        if !self.is_over && self.observer.certified(certified) == ControlFlow::Break(()) {
            self.is_over = true;
        }
    }

    /// The judgement of a check on the circuit that was read. When it has been found once that the model is that circuit, the
    /// model takes its place.
    fn certify(&mut self, check: impl FnOnce(&dyn Circuit) -> Judgement) -> Judgement {
        if !self.search.schedule().certify {
            return Judgement::None;
        }
        let judgement = check(match self.is_compared {
            true => self.design.model(),
            false => self.design.circuit(),
        });
        self.is_compared |= matches!(judgement, Judgement::Valid(_));
        judgement
    }

    /// Replays a run on what the front end has read.
    fn replay(&self, finding: &Finding<D::Evidence>) -> Result<(), String> {
        match finding {
            Finding::Bad(Outcome {
                verdict: Verdict::Unsafe(trace),
                ..
            }) => self.design.replay(trace),
            Finding::Justice(LivenessOutcome {
                verdict: LivenessVerdict::Unsafe(lasso),
                ..
            }) => self.design.replay_lasso(lasso),
            _ => Ok(()),
        }
    }
}

/// The finding about a property without an answer.
pub(crate) fn unknown<E>(
    property: PropertyId,
    reason: UnknownReason,
    engine: &'static str,
) -> Finding<E> {
    match property.kind {
        Kind::Bad => Finding::Bad(Outcome {
            verdict: Verdict::Unknown(reason),
            engine,
            depth: 0,
        }),
        Kind::Justice => Finding::Justice(LivenessOutcome {
            verdict: LivenessVerdict::Unknown(reason),
            method: engine,
            depth: 0,
            failures: Vec::new(),
            invariants: Vec::new(),
        }),
    }
}
