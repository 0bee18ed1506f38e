//! Word-level circuits: the file, and the circuit of bits that the engines decide.

use std::path::Path;

use super::failure::Failure;
use craig_hardware::aiger::AigerModel;
use craig_hardware::btor2::certify::witness_of;
use craig_hardware::btor2::evaluate::{check_lasso, first_bad_step, replay};
use craig_hardware::btor2::trace::Trace as WordTrace;
use craig_hardware::btor2::{self, Btor2, system_of};
use craig_mc::liveness::Lasso;
use craig_mc::word_system::{Blasted, RESTRICTED_WORDS, blast, blast_restricted};
use craig_mc::{Certificate, Model, Trace};
use craig_solver::aig::Edge;

/// A circuit in BTOR2.
#[derive(Debug)]
pub(super) struct WordCircuit {
    /// The content of the file.
    pub(super) file: Btor2,
    blasted: Blasted,
    /// The circuit of bits, with the literals that the writers of AIGER give it.
    pub(super) bits: AigerModel,
    /// Why there is no circuit of bits. Then `bits` is an under-approximation, or has the file's properties,
    /// but
    /// nothing else.
    pub(super) refusal: Option<String>,
    /// If `bits` is an under-approximation: what it leaves out.
    pub(super) restriction: Option<String>,
}

/// Whether a file is in BTOR2: by its name, or if that is not the name of a circuit in AIGER, because its
/// first
/// line that is no comment defines a sort.
pub(super) fn is_btor2(path: &Path, bytes: &[u8]) -> bool {
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
            model.names.bads = system.names.bads;
            model.names.justice = system.names.justice;
        }
        Ok(Self {
            file,
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

    /// The circuit of bits as a model.
    pub(super) fn model(&self) -> &Model {
        &self.bits.model
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
