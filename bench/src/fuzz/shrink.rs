//! Delta debugging (A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002) over the smaller cases
//! that a subject lists.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::Subject;
use super::tally::Tally;

/// The time for one finding.
const TIME: Duration = Duration::from_secs(60);

/// The judgement of a case; a panic is one that fails.
pub(super) fn judged<S: Subject>(
    subject: &S,
    case: &S::Case,
    tally: &mut Tally,
) -> Result<(), String> {
    caught(|| subject.judge(case, tally))
}

/// The result of a judgement; a panic is one that fails.
pub(super) fn caught(judge: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(judge)) {
        Ok(result) => result,
        Err(panic) => {
            let text = (panic.downcast_ref::<String>().map(String::as_str))
                .or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panic: {}", text.unwrap_or("without a text")))
        }
    }
}

/// The kind of a finding: what stands before its first colon. A smaller case has to fail in the same way.
fn kind(what: &str) -> &str {
    what.split(':').next().unwrap_or(what)
}

/// A case none of whose smaller ones fails in this way, or the smallest that was found within the time.
pub(super) fn shrunk<S: Subject>(subject: &S, case: &S::Case, what: &str) -> (S::Case, String) {
    let end = Instant::now() + TIME;
    let (mut case, mut what) = (case.clone(), what.to_owned());
    'again: loop {
        for smaller in subject.smaller(&case) {
            if Instant::now() > end {
                break 'again;
            }
            match judged(subject, &smaller, &mut Tally::default()) {
                Err(other) if kind(&other) == kind(&what) => {
                    (case, what) = (smaller, other);
                    continue 'again;
                }
                _ => {}
            }
        }
        break;
    }
    (case, what)
}

/// The lists without one part each: halves, quarters, and so on to single elements.
pub(super) fn without_parts<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    let mut size = list.len().div_ceil(2);
    while size > 0 {
        for start in (0..list.len()).step_by(size) {
            let end = (start + size).min(list.len());
            all.push([&list[..start], &list[end..]].concat());
        }
        if size == 1 {
            break;
        }
        size = size.div_ceil(2);
    }
    all
}
