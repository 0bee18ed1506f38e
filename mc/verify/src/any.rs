//! The question whether any bad is reachable: all of them as one.

use std::sync::Arc;
use std::time::Instant;

use craig_mc::Control;
use craig_model::simulate::replay_bads;
use craig_model::{Trace, Verdict};

use crate::certified::{Certified, Finding};
use crate::design::{Design, refused};
use crate::error::VerifyError;
use crate::judge::{About, Judgement, judge};
use crate::property::PropertyId;
use crate::schedule::Schedule;
use crate::search::{Decided, Search};

/// Decides whether any bad of the design is reachable. A run is about the first bad that it reaches, a proof about all.
///
/// # Errors
/// If the model is none ([`Model::validate`](craig_model::Model::validate)) or has no bads, or an engine panics and no other has an answer.
pub fn verify_any<D: Design>(
    design: &D,
    schedule: &Schedule,
    control: Control<'_>,
) -> Result<Certified<D::Evidence>, VerifyError> {
    let model = design.model();
    model.validate()?;
    PropertyId::bad(0).check(model)?;
    let search = Search::new(schedule.clone());
    let begin = Instant::now();
    if let Some(found) = design.decide_any_apart(&search, control)? {
        return Ok(Certified {
            property: PropertyId::bad(0),
            phase: found.phase,
            judgement: found.judgement.clone(),
            finding: Arc::new(Finding::Apart(found)),
            together: (0..model.bads.len()).collect(),
            seconds: begin.elapsed().as_secs_f64(),
        });
    }
    let found = match design.refusal() {
        Some(reason) => Decided::by_engines(refused(reason)),
        None => design.check_any(&search, control)?,
    };
    let seconds = begin.elapsed().as_secs_f64();
    let mut outcome = found.outcome;
    if let Some(reason) = design.restriction()
        && matches!(outcome.verdict, Verdict::Safe(_))
    {
        outcome = refused(reason);
    }
    let mut judgement = match schedule.certify {
        true => judge(design.circuit(), About::All, &outcome.verdict),
        false => Judgement::None,
    };
    let mut property = PropertyId::bad(0);
    if let Verdict::Unsafe(trace) = &mut outcome.verdict
        && !matches!(judgement, Judgement::Invalid(_))
    {
        match first_reached(design, trace) {
            Ok(bad) => {
                trace.property = bad;
                property = PropertyId::bad(bad);
                judgement = judgement.and_then(|| design.replay(trace));
            }
            Err(reason) => judgement = Judgement::Invalid(reason),
        }
    }
    Ok(Certified {
        property,
        finding: Arc::new(Finding::Bad(outcome)),
        together: (0..model.bads.len()).collect(),
        phase: found.phase,
        judgement,
        seconds,
    })
}

/// The first bad that holds in the last step of a run.
fn first_reached<D: Design>(design: &D, trace: &Trace) -> Result<usize, String> {
    let replayed = replay_bads(design.model(), trace).map_err(|error| error.to_string())?;
    let shown = replayed.bads.iter().position(Option::is_some);
    shown.ok_or_else(|| "the run shows no bad".to_owned())
}
