//! Word-level circuits: the file, and the circuit of bits that the engines decide.

use std::path::Path;

use craig_aig::Edge;
use craig_hardware::aiger::AigerModel;
use craig_hardware::btor2::certify::witness_of;
use craig_hardware::btor2::evaluate::{check_lasso, first_bad_step, replay};
use craig_hardware::btor2::trace::Trace as WordTrace;
use craig_hardware::btor2::{self, Argument, Btor2, Line, Operator, system_of};
use craig_mc::Control;
use craig_mc::word_system::{Blasted, RESTRICTED_WORDS, WordSystem, blast, blast_restricted};
use craig_model::{Certificate, Lasso, Model, Outcome, Trace};
use craig_word::Sort;

use super::circuits::{unite, without_compression};
use super::engines::{EngineArguments, Lemmas};
use super::failure::Failure;
use super::word_search;

/// A circuit in BTOR2.
pub(super) struct WordCircuit {
    /// The content of the file.
    pub(super) file: Btor2,
    system: WordSystem,
    blasted: Blasted,
    /// The circuit of bits, with the literals that the writers of AIGER give it.
    pub(super) bits: AigerModel,
    /// Why there is no circuit of bits. Then `bits` is an under-approximation, or has the file's properties,
    /// but nothing else.
    pub(super) refusal: Option<String>,
    /// If `bits` is an under-approximation: what it leaves out.
    pub(super) restriction: Option<String>,
}

/// Whether a file is in BTOR2: by its name, or if that is not the name of a circuit in AIGER, because its
/// first line that is no comment defines a sort.
pub(super) fn is_btor2(path: &Path, bytes: &[u8]) -> bool {
    let path = without_compression(path);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("btor" | "btor2") => true,
        Some("aag" | "aig") => false,
        _ => {
            let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            let mut lines = lines.filter(|line| !matches!(line.first(), None | Some(b';')));
            let first = lines.next().unwrap_or_default();
            first.split(|&byte| byte == b' ').nth(1) == Some(b"sort")
        }
    }
}

impl WordCircuit {
    /// Reads a circuit, and blasts it.
    pub(super) fn read(bytes: &[u8], name: &str) -> Result<Self, Failure> {
        let file = btor2::read(bytes, name).map_err(Failure::input)?;
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
    pub(super) fn bits(&self) -> Result<&AigerModel, Failure> {
        match &self.refusal {
            None => Ok(&self.bits),
            Some(reason) => Err(Failure::input(reason)),
        }
    }

    /// The file with a single bad: the disjunction of its bads.
    pub(super) fn united_file(&self) -> Btor2 {
        let mut file = self.file.clone();
        let mut any: Option<Argument> = None;
        for line in std::mem::take(&mut file.bads) {
            any = Some(match any {
                None => line.value,
                Some(any) => {
                    let operands = [any, line.value];
                    file.add_operation(Operator::Or, Sort::BitVector(1), &operands)
                }
            });
        }
        let line = |value| Line {
            value,
            symbol: String::new(),
        };
        file.bads = any.map(line).into_iter().collect();
        file
    }

    /// The circuit of bits as a model.
    pub(super) fn model(&self) -> &Model {
        &self.bits.model
    }

    /// Decides a bad of the circuit of bits.
    pub(super) fn check(
        &self,
        engines: &EngineArguments,
        bad: usize,
        lemmas: &mut Lemmas,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        match self.refusal {
            None => word_search::check(engines, &self.system, &self.blasted, bad, lemmas, control),
            Some(_) => engines.check_with(self.model(), bad, lemmas, control),
        }
    }

    /// The same for the disjunction of its bads.
    pub(super) fn check_united(
        &self,
        engines: &EngineArguments,
        control: &Control,
    ) -> Result<Outcome, Failure> {
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
        let mut lemmas = Lemmas::default();
        word_search::check(engines, &system, &full, 0, &mut lemmas, control)
    }

    /// The witness circuit over words for one over bits.
    pub(super) fn word_witness(&self, certificate: &Certificate) -> Btor2 {
        witness_of(&self.file, &self.blasted, certificate)
    }

    /// A run to a bad, over words.
    pub(super) fn lift(&self, trace: &Trace) -> WordTrace {
        WordTrace {
            bads: vec![trace.property],
            justice: Vec::new(),
            steps: self.blasted.lift(&trace.initial, &trace.inputs),
        }
    }

    /// Replays a run to a bad on words.
    ///
    /// # Errors
    /// If the bad does not hold in any step.
    pub(super) fn replay(&self, trace: &Trace) -> Result<(), String> {
        let steps = replay(&self.file, &self.lift(trace))?;
        match first_bad_step(&steps, trace.property) {
            Some(_) => Ok(()),
            None => Err("the bad does not hold when the run is replayed on words".to_owned()),
        }
    }

    /// Replays a run against a justice property on words.
    ///
    /// # Errors
    /// If the property does not fail on it.
    pub(super) fn replay_lasso(&self, lasso: &Lasso) -> Result<(), String> {
        let run = WordTrace {
            bads: Vec::new(),
            justice: vec![lasso.property],
            steps: self.blasted.lift(&lasso.initial, &lasso.inputs),
        };
        check_lasso(&self.file, &run, lasso.property, lasso.loop_start)
    }
}
