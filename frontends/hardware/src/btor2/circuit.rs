//! Word-level circuits: the file, and the circuit of bits that the engines decide.

use craig_aig::Edge;
use craig_certify::Circuit;
use craig_mc::Control;
use craig_mc::liveness::TO_SAFETY;
use craig_mc::word_system::{Blasted, RESTRICTED_WORDS, WordSystem, blast, blast_restricted};
use craig_model::{Certificate, Lasso, Model, Stop, Trace};
use craig_verify::{
    Apart, Decided, Design, Kind, Lemmas, PropertyId, Search, StageName, VerifyError, unite,
};

use super::certify::witness_of;
use super::evaluate::{check_lasso, closed_lasso, first_bad_step, replay};
use super::large_memories::{self, WordEvidence};
use super::model::Btor2;
use super::trace::Trace as WordTrace;
use super::{Btor2Error, system_of};
use crate::aiger::AigerModel;

/// A circuit in BTOR2.
pub struct WordCircuit {
    /// The content of the file.
    pub file: Btor2,
    system: WordSystem,
    blasted: Blasted,
    /// The circuit of bits, with the literals that the writers of AIGER give it.
    pub bits: AigerModel,
    /// Why there is no circuit of bits. Then `bits` is an under-approximation, or has the file's properties,
    /// but nothing else.
    pub refusal: Option<String>,
    /// If `bits` is an under-approximation: what it leaves out.
    pub restriction: Option<String>,
}

impl WordCircuit {
    /// Reads a circuit, and blasts it. `name` is the file's name in error messages.
    ///
    /// # Errors
    /// As [`read`](super::read).
    pub fn read(bytes: &[u8], name: &str) -> Result<Self, Btor2Error> {
        let file = super::read(bytes, name)?;
        let system = system_of(&file);
        let (blasted, refusal, restriction) = match blast(&system) {
            Ok(blasted) => (blasted, None, None),
            Err(error) => match blast_restricted(&system) {
                Ok(blasted) => {
                    let reason = format!(
                        "no bad run was found in which only the first {RESTRICTED_WORDS} words of each large \
                         memory are used, and nothing is known about others"
                    );
                    (blasted, Some(error.to_string()), Some(reason))
                }
                Err(_) => (Blasted::default(), Some(error.to_string()), None),
            },
        };
        let mut model = blasted.model.clone();
        if refusal.is_some() && restriction.is_none() {
            model.bads = vec![Edge::FALSE; file.bads.len()];
            let justice = file.justice.iter();
            model.justice = justice
                .map(|it| vec![Edge::FALSE; it.values.len()])
                .collect();
            model.names.bads.clone_from(&system.names.bads);
            model.names.justice.clone_from(&system.names.justice);
        }
        Ok(Self {
            file,
            system,
            blasted,
            bits: AigerModel::from_model(model),
            refusal,
            restriction,
        })
    }

    /// The circuit of bits.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn bits(&self) -> Result<&AigerModel, &str> {
        match &self.refusal {
            None => Ok(&self.bits),
            Some(reason) => Err(reason),
        }
    }

    /// The witness circuit over words for one over bits.
    #[must_use]
    pub fn word_witness(&self, certificate: &Certificate) -> Btor2 {
        witness_of(&self.file, &self.blasted, certificate)
    }

    /// A run to a bad, over words.
    #[must_use]
    pub fn lift(&self, trace: &Trace) -> WordTrace {
        WordTrace {
            bads: vec![trace.property],
            justice: Vec::new(),
            steps: self.blasted.lift(&trace.initial, &trace.inputs),
        }
    }

    /// A run against a justice property, over words; it ends in a loop.
    #[must_use]
    pub fn lift_lasso(&self, lasso: &Lasso) -> WordTrace {
        self.looping(lasso).0
    }

    /// A run against a justice property, over words, and the step to which it returns.
    fn looping(&self, lasso: &Lasso) -> (WordTrace, usize) {
        let run = WordTrace {
            bads: Vec::new(),
            justice: vec![lasso.property],
            steps: self.blasted.lift(&lasso.initial, &lasso.inputs),
        };
        let closed = closed_lasso(&self.file, &run, lasso.property, lasso.loop_start);
        closed.unwrap_or((run, lasso.loop_start))
    }
}

impl Design for WordCircuit {
    type Evidence = WordEvidence;

    fn model(&self) -> &Model {
        &self.bits.model
    }

    fn circuit(&self) -> &dyn Circuit {
        &self.bits
    }

    fn refusal(&self) -> Option<&str> {
        match self.restriction {
            Some(_) => None,
            None => self.refusal.as_deref(),
        }
    }

    fn restriction(&self) -> Option<&str> {
        self.restriction.as_deref()
    }

    fn decide_apart(
        &self,
        search: &Search,
        PropertyId { kind, number }: PropertyId,
        control: Control<'_>,
    ) -> Result<Option<Apart<WordEvidence>>, VerifyError> {
        let stages = &search.schedule().stages;
        match kind {
            Kind::Bad if self.refusal.is_none() => {
                large_memories::decide_bounded(&self.file, search, number, control)
            }
            Kind::Justice if self.refusal.is_none() => Ok(None),
            Kind::Bad => large_memories::decide(&self.file, search, number, control),
            // The other methods need a circuit of bits.
            Kind::Justice
                if (search.schedule().liveness).is_some_and(|method| method.name != TO_SAFETY) =>
            {
                Ok(None)
            }
            Kind::Justice => {
                let Some(stage) = stages.get(StageName::MemoryJustice) else {
                    return Ok(None);
                };
                // After that, runs are searched that use few words.
                let stop = match self.restriction {
                    Some(_) => stage.limit(control.stop),
                    None => control.stop.clone(),
                };
                let own = Control {
                    stop: &stop,
                    ..control
                };
                large_memories::decide_justice(&self.file, search, number, own)
            }
        }
    }

    fn first(
        &self,
        search: &Search,
        PropertyId { kind, number }: PropertyId,
        stop: &Stop,
    ) -> Option<Stop> {
        let is_bits = self.refusal.is_none() && kind == Kind::Bad;
        let stage = large_memories::few_words(&self.file, search, number).filter(|_| is_bits)?;
        Some(stage.first(stop))
    }

    fn decide_late(
        &self,
        search: &Search,
        PropertyId { number, .. }: PropertyId,
        control: Control<'_>,
    ) -> Result<Option<Apart<WordEvidence>>, VerifyError> {
        large_memories::decide_with_few_words(&self.file, search, number, control)
    }

    fn decide_any_apart(
        &self,
        search: &Search,
        control: Control<'_>,
    ) -> Result<Option<Apart<WordEvidence>>, VerifyError> {
        match self.refusal {
            None => large_memories::decide_any_bounded(&self.file, search, control),
            Some(_) => large_memories::decide_any(&self.file, search, control),
        }
    }

    fn check(
        &self,
        search: &Search,
        bad: usize,
        lemmas: &mut Lemmas,
        control: Control<'_>,
    ) -> Result<Decided, VerifyError> {
        match self.refusal {
            None => search.check_words(&self.system, &self.blasted, bad, lemmas, control),
            Some(_) => search.check_with(self.model(), bad, lemmas, control),
        }
    }

    fn check_any(&self, search: &Search, control: Control<'_>) -> Result<Decided, VerifyError> {
        if self.refusal.is_some() {
            return search.check(&unite(self.model()), 0, control);
        }
        let mut system = self.system.clone();
        let none = system.terms.boolean(false);
        let terms = &mut system.terms;
        let any = system
            .bads
            .iter()
            .fold(none, |any, &bad| terms.or(any, bad));
        system.bads = vec![any];
        system.names.bads.clear();
        let mut full = self.blasted.clone();
        full.model = unite(&full.model);
        search.check_words(&system, &full, 0, &mut Lemmas::default(), control)
    }

    fn replay(&self, trace: &Trace) -> Result<(), String> {
        let steps = replay(&self.file, &self.lift(trace))?;
        match first_bad_step(&steps, trace.property) {
            Some(_) => Ok(()),
            None => Err("the bad does not hold when the run is replayed on words".to_owned()),
        }
    }

    fn replay_lasso(&self, lasso: &Lasso) -> Result<(), String> {
        let (run, start) = self.looping(lasso);
        check_lasso(&self.file, &run, lasso.property, start)
    }
}
