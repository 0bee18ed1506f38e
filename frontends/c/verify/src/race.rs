//! Engines for programs side by side: the first final answer is the result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use craig_mc::{Alone, Control};
use craig_model::{UnknownReason, threads};
use craig_program::line_up::StageName;

use crate::bounded;
use crate::load::STACK_BYTES;
use crate::report::Decider;
use crate::verdict::Verdict;

/// The interval at which cancellation of the caller's control is passed on.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// An engine with its arguments. It owns them: the engines that lose are not awaited.
pub(crate) type Run = Box<dyn FnOnce(Control<'_>) -> Verdict + Send>;

/// An engine that runs beside others.
pub(crate) struct Member {
    pub(crate) stage: StageName,
    pub(crate) name: &'static str,
    pub(crate) run: Run,
}

/// What a member has found.
struct Ended {
    stage: StageName,
    name: &'static str,
    verdict: Verdict,
}

impl Ended {
    fn decider(&self) -> Decider {
        Decider::of(self.name, self.stage)
    }

    fn is_definite(&self) -> bool {
        matches!(self.verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
    }
}

/// Whether a stage searches the program as it is: the other engines have some more time when all of these have given up.
fn is_first(stage: StageName) -> bool {
    PROVERS.contains(&stage)
}

pub(crate) const PROVERS: [StageName; 2] = [StageName::Unwind, StageName::Loops];

/// When the race of [`first_answer`] ends.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Whether only unrolling, whole or path by path, can show that the program is safe.
    pub(crate) needs_ends: bool,
    /// How long other engines go on when the provers have given up.
    pub(crate) rest: Duration,
}

/// Runs the engines and returns at the first final answer. The others are cancelled then, and not awaited: one
/// that does not poll must not hold up an answer.
pub(crate) fn first_answer(
    members: Vec<Member>,
    limits: Limits,
    n_given_up: &AtomicUsize,
    control: Control<'_>,
) -> (Verdict, Decider) {
    let is_final = |ended: &Ended| {
        let follows_all = matches!(ended.stage, StageName::Unwind | StageName::Paths);
        let shows_ends = follows_all || !limits.needs_ends;
        ended.is_definite() && (shows_ends || matches!(ended.verdict, Verdict::Unsafe(_)))
    };
    let inner = Alone {
        stop: control.stop.cancelled_apart(),
        board: control.board.hints(),
        listener: control.listener.clone(),
    };
    let mut running = members.len();
    let receiver = start(members, &inner);
    let mut proofs_end: Option<Instant> = None;
    let mut best: Option<Ended> = None;
    while running > 0 {
        match receiver.recv_timeout(POLL) {
            Ok(ended) => {
                running -= 1;
                if is_final(&ended) {
                    inner.stop.cancel();
                    let decider = ended.decider();
                    return (ended.verdict, decider);
                }
                if ended.is_definite()
                    || is_first(ended.stage) && n_given_up.fetch_add(1, Ordering::Relaxed) == 1
                {
                    proofs_end = Some(Instant::now());
                }
                if is_better(&ended, best.as_ref()) {
                    best = Some(ended);
                }
            }
            Err(_) => {
                let is_late = proofs_end.is_some_and(|end| end.elapsed() > limits.rest);
                if is_late || control.stop.reason().is_some() {
                    inner.stop.cancel();
                    if best.as_ref().is_some_and(Ended::is_definite) {
                        break;
                    }
                }
            }
        }
    }
    match best {
        Some(ended) => {
            let decider = ended.decider();
            (ended.verdict, decider)
        }
        None => (
            Verdict::Unknown(UnknownReason::Cancelled),
            Decider::of(bounded::NAME, StageName::Unwind),
        ),
    }
}

/// Starts the engines, each on a thread of its own.
fn start(members: Vec<Member>, inner: &Alone) -> mpsc::Receiver<Ended> {
    let (sender, receiver) = mpsc::channel();
    for Member { stage, name, run } in members {
        let (sender, inner) = (sender.clone(), inner.clone());
        let refused = sender.clone();
        let started = std::thread::Builder::new()
            .name(name.into())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let verdict = catch_unwind(AssertUnwindSafe(|| run(inner.control())));
                let verdict = verdict
                    .unwrap_or_else(|_| Verdict::Internal(format!("the engine `{name}` panicked")));
                if let Verdict::Unknown(reason) = &verdict {
                    inner.listener.note(name, || format!("no answer: {reason}"));
                }
                // After a final answer, the receiver is gone.
                let _ = sender.send(Ended {
                    stage,
                    name,
                    verdict,
                });
            });
        if let Err(error) = started {
            let verdict = Verdict::Internal(threads::refusal(&error));
            let _ = refused.send(Ended {
                stage,
                name,
                verdict,
            });
        }
    }
    receiver
}

/// Whether a result takes the place of another one: an answer has precedence over a failure, a failure over a reason, and the
/// reason of unrolling over other reasons.
fn is_better(ended: &Ended, best: Option<&Ended>) -> bool {
    match best {
        None => true,
        Some(old) if old.is_definite() => false,
        Some(old) if matches!(old.verdict, Verdict::Internal(_)) => ended.is_definite(),
        Some(_) => {
            ended.is_definite()
                || matches!(ended.verdict, Verdict::Internal(_))
                || ended.stage == StageName::Unwind
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Evidence, Safety};
    use craig_model::Stop;

    /// An answer without evidence.
    fn safe() -> Verdict {
        Verdict::Safe(Safety {
            text: String::new(),
            evidence: Evidence::None,
            elements: None,
            found_by: None,
        })
    }

    fn member((name, run): (&'static str, Run)) -> Member {
        let stage = StageName::Loops;
        Member { stage, name, run }
    }

    fn limits(needs_ends: bool) -> Limits {
        let rest = Duration::from_secs(5);
        Limits { needs_ends, rest }
    }

    /// An engine that never polls does not hold up the answer of another one.
    #[test]
    fn a_loser_that_does_not_poll_is_not_awaited() {
        let deaf: Run = Box::new(|_| {
            std::thread::sleep(Duration::from_secs(60));
            Verdict::Unknown(UnknownReason::Cancelled)
        });
        let quick: Run = Box::new(|_| safe());
        let start = Instant::now();
        let members = [("deaf", deaf), ("quick", quick)].map(member).into();
        let (verdict, decider) = first_answer(
            members,
            limits(false),
            &AtomicUsize::new(0),
            Alone::new().control(),
        );
        assert!(matches!(verdict, Verdict::Safe(_)));
        assert_eq!(decider.engine, "quick");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    /// An answer that is not final is kept when the time is over, although an engine does not poll.
    #[test]
    fn an_answer_is_kept_at_the_deadline() {
        let deaf: Run = Box::new(|_| {
            std::thread::sleep(Duration::from_secs(60));
            Verdict::Unknown(UnknownReason::Cancelled)
        });
        let quick: Run = Box::new(|_| safe());
        let start = Instant::now();
        let alone = Alone::until(Stop::new().with_deadline(start + Duration::from_millis(300)));
        let control = alone.control();
        let members = [("deaf", deaf), ("quick", quick)].map(member).into();
        let (verdict, decider) = first_answer(members, limits(true), &AtomicUsize::new(0), control);
        assert!(matches!(verdict, Verdict::Safe(_)));
        assert_eq!(decider.engine, "quick");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
