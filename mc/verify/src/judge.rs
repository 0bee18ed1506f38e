//! The check of evidence on the circuit that was read.

use std::time::Instant;

use craig_certify::{
    CertifyError, Circuit, certify_all, certify_any, certify_certificate, certify_lasso,
    certify_live, certify_some, certify_trace,
};
use craig_mc::liveness::LivenessVerdict;
use craig_model::Verdict;

/// The result of the check of evidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// No check was requested, or there is no evidence.
    None,
    /// Valid, and the seconds that the check took.
    Valid(f64),
    /// Invalid, for this reason.
    Invalid(String),
}

impl Judgement {
    /// The result of a check that began then.
    #[must_use]
    pub fn of<E: ToString>(result: Result<(), E>, begin: Instant) -> Self {
        match result {
            Ok(()) => Self::Valid(begin.elapsed().as_secs_f64()),
            Err(error) => Self::Invalid(error.to_string()),
        }
    }

    /// A valid judgement, if a further check agrees.
    #[must_use]
    pub fn and_then(self, check: impl FnOnce() -> Result<(), String>) -> Self {
        match self {
            Self::Valid(_) => match check() {
                Ok(()) => self,
                Err(reason) => Self::Invalid(reason),
            },
            other => other,
        }
    }
}

/// The bads of a circuit that evidence is about. A proof is about each of them, a run about one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About<'a> {
    /// This one.
    One(usize),
    /// These.
    Some(&'a [usize]),
    /// Every bad.
    All,
}

/// Checks the evidence for bads on a circuit, with another solver than the engines'.
pub(crate) fn judge(circuit: &dyn Circuit, about: About<'_>, verdict: &Verdict) -> Judgement {
    let begin = Instant::now();
    let result: Result<(), CertifyError> = match (verdict, about) {
        (Verdict::Unknown(_), _) => return Judgement::None,
        (Verdict::Safe(certificate), About::One(property)) => {
            certify_certificate(circuit, property, certificate)
        }
        (Verdict::Safe(certificate), About::Some(properties)) => {
            certify_some(circuit, properties, certificate)
        }
        (Verdict::Safe(certificate), About::All) => certify_all(circuit, certificate),
        (Verdict::Unsafe(trace), About::One(property)) => {
            certify_trace(circuit, property, trace).map(|_| ())
        }
        (Verdict::Unsafe(trace), About::Some(_)) => {
            certify_trace(circuit, trace.property, trace).map(|_| ())
        }
        (Verdict::Unsafe(trace), About::All) => certify_any(circuit, trace).map(|_| ()),
    };
    Judgement::of(result, begin)
}

/// Checks the evidence about a justice property.
pub(crate) fn judge_live(
    circuit: &dyn Circuit,
    property: usize,
    verdict: &LivenessVerdict,
) -> Judgement {
    let begin = Instant::now();
    let result = match verdict {
        LivenessVerdict::Unknown(_) => return Judgement::None,
        LivenessVerdict::Safe(certificate) => certify_live(circuit, property, certificate),
        LivenessVerdict::Unsafe(lasso) => certify_lasso(circuit, lasso),
    };
    Judgement::of(result, begin)
}
