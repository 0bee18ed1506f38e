//! Searches of a program side by side: the first final answer is the result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use craig_mc::{Alone, Control};
use craig_model::{Verdict, threads};
use craig_program::line_up::StageName;

use crate::error::VerifyError;

/// The interval at which cancellation of the caller's control is passed on.
pub const POLL: Duration = Duration::from_millis(20);

/// What a search comes to: evidence that fails its check is an error.
type Found<P, R> = Result<Verdict<P, R>, VerifyError>;

/// A search with its arguments. It owns them: those that lose are not awaited.
pub type MemberRun<P, R> = Box<dyn FnOnce(Control<'_>) -> Found<P, R> + Send>;

/// A search that runs beside others.
pub struct Member<P, R> {
    /// The stage of the schedule.
    pub stage: StageName,
    /// The name of the engine.
    pub name: &'static str,
    /// The search.
    pub run: MemberRun<P, R>,
}

impl<P, R> std::fmt::Debug for Member<P, R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Member({})", self.name)
    }
}

/// What a member has found.
#[derive(Debug)]
pub struct Raced<P, R> {
    /// Its stage.
    pub stage: StageName,
    /// Its name.
    pub name: &'static str,
    /// Its verdict.
    pub found: Result<Verdict<P, R>, VerifyError>,
}

impl<P, R> Raced<P, R> {
    fn is_definite(&self) -> bool {
        matches!(self.found, Ok(Verdict::Safe(_) | Verdict::Unsafe(_)))
    }

    /// Whether the race ends with it.
    fn is_final(&self, needs_ends: bool) -> bool {
        let follows_all = matches!(self.stage, StageName::Unwind | StageName::Paths);
        let shows_ends = follows_all || !needs_ends;
        self.is_definite() && (shows_ends || matches!(self.found, Ok(Verdict::Unsafe(_))))
    }

    /// Whether it takes the place of another one: an answer has precedence over a failure, a failure over a reason, and the
    /// reason of unrolling over other reasons.
    fn is_better(&self, best: Option<&Self>) -> bool {
        match best {
            None => true,
            Some(old) if old.is_definite() => false,
            Some(old) if old.found.is_err() => self.is_definite(),
            Some(_) => self.is_definite() || self.found.is_err() || self.stage == StageName::Unwind,
        }
    }
}

/// The stages that search the program as it is: other members have some more time when all of these have given up.
pub const PROVERS: [StageName; 2] = [StageName::Unwind, StageName::Loops];

/// When a race ends, and what its threads get.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Whether only unrolling, whole or path by path, can show that the program is safe: all runs have to end.
    pub needs_ends: bool,
    /// How long other members go on when the provers have given up.
    pub rest: Duration,
    /// The stack of each thread.
    pub stack_bytes: usize,
}

/// Runs the members and returns at the first final answer. The others are cancelled then, and not awaited: one
/// that does not poll must not hold up an answer. `n_given_up` counts the provers without an answer, those that do not take
/// part included. `None` if the control stops before a member ends.
pub fn first_answer<P, R>(
    members: Vec<Member<P, R>>,
    limits: Limits,
    n_given_up: &AtomicUsize,
    control: Control<'_>,
) -> Option<Raced<P, R>>
where
    P: Send + 'static,
    R: Send + 'static,
{
    let inner = Alone {
        stop: control.stop.cancelled_apart(),
        board: control.board.hints(),
        listener: control.listener.clone(),
    };
    let mut running = members.len();
    let receiver = start(members, limits.stack_bytes, &inner);
    let mut proofs_end: Option<Instant> = None;
    let mut best: Option<Raced<P, R>> = None;
    while running > 0 {
        match receiver.recv_timeout(POLL) {
            Ok(ended) => {
                running -= 1;
                if ended.is_final(limits.needs_ends) {
                    inner.stop.cancel();
                    return Some(ended);
                }
                if ended.is_definite()
                    || PROVERS.contains(&ended.stage)
                        && n_given_up.fetch_add(1, Ordering::Relaxed) == 1
                {
                    proofs_end = Some(Instant::now());
                }
                if ended.is_better(best.as_ref()) {
                    best = Some(ended);
                }
            }
            Err(_) => {
                let is_late = proofs_end.is_some_and(|end| end.elapsed() > limits.rest);
                if is_late || control.stop.reason().is_some() {
                    inner.stop.cancel();
                    if best.as_ref().is_some_and(Raced::is_definite) {
                        break;
                    }
                }
            }
        }
    }
    best
}

/// Starts the members, each on a thread of its own.
fn start<P, R>(
    members: Vec<Member<P, R>>,
    stack_bytes: usize,
    inner: &Alone,
) -> mpsc::Receiver<Raced<P, R>>
where
    P: Send + 'static,
    R: Send + 'static,
{
    let (sender, receiver) = mpsc::channel();
    for Member { stage, name, run } in members {
        let (sender, inner) = (sender.clone(), inner.clone());
        let refused = sender.clone();
        let ended = move |found| Raced { stage, name, found };
        let started = std::thread::Builder::new()
            .name(name.into())
            .stack_size(stack_bytes)
            .spawn(move || {
                let found = catch_unwind(AssertUnwindSafe(|| run(inner.control())));
                let found = found.unwrap_or_else(|_| {
                    let message = format!("the engine `{name}` panicked");
                    Err(VerifyError::Internal(message))
                });
                if let Ok(Verdict::Unknown(reason)) = &found {
                    inner.listener.note(name, || format!("no answer: {reason}"));
                }
                // After a final answer, the receiver is gone.
                let _ = sender.send(ended(found));
            });
        if let Err(error) = started {
            let message = threads::refusal(&error);
            let _ = refused.send(ended(Err(VerifyError::Internal(message))));
        }
    }
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_model::{Stop, UnknownReason};

    type Plain = MemberRun<(), ()>;

    fn members(runs: [(&'static str, Plain); 2]) -> Vec<Member<(), ()>> {
        let stage = StageName::Loops;
        let member = |(name, run)| Member { stage, name, run };
        runs.map(member).into()
    }

    fn limits(needs_ends: bool) -> Limits {
        Limits {
            needs_ends,
            rest: Duration::from_secs(5),
            stack_bytes: 1 << 16,
        }
    }

    /// An engine that never polls, beside one with an answer.
    fn deaf_and_quick() -> Vec<Member<(), ()>> {
        let deaf: Plain = Box::new(|_| {
            std::thread::sleep(Duration::from_secs(60));
            Ok(Verdict::Unknown(UnknownReason::Cancelled))
        });
        let quick: Plain = Box::new(|_| Ok(Verdict::Safe(())));
        members([("deaf", deaf), ("quick", quick)])
    }

    /// An engine that never polls does not hold up the answer of another one.
    #[test]
    fn a_loser_that_does_not_poll_is_not_awaited() {
        let start = Instant::now();
        let (alone, n_given_up) = (Alone::new(), AtomicUsize::new(0));
        let found = first_answer(
            deaf_and_quick(),
            limits(false),
            &n_given_up,
            alone.control(),
        );
        let found = found.expect("one has an answer");
        assert!(matches!(found.found, Ok(Verdict::Safe(()))));
        assert_eq!(found.name, "quick");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    /// An answer that is not final is kept when the time is over, although an engine does not poll.
    #[test]
    fn an_answer_is_kept_at_the_deadline() {
        let start = Instant::now();
        let alone = Alone::until(Stop::new().with_deadline(start + Duration::from_millis(300)));
        let n_given_up = AtomicUsize::new(0);
        let found = first_answer(deaf_and_quick(), limits(true), &n_given_up, alone.control());
        let found = found.expect("one has an answer");
        assert!(matches!(found.found, Ok(Verdict::Safe(()))));
        assert_eq!(found.name, "quick");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    /// A search that panics is a failure, unless another one has an answer.
    #[test]
    fn a_panic_is_a_failure_and_never_an_answer() {
        let race = |second: Plain| {
            let first: Plain = Box::new(|_| panic!("a defect"));
            let members = members([("broken", first), ("other", second)]);
            let (alone, n_given_up) = (Alone::new(), AtomicUsize::new(0));
            first_answer(members, limits(false), &n_given_up, alone.control())
        };
        let reason = UnknownReason::Bound("nothing".into());
        let without = race(Box::new(|_| Ok(Verdict::Unknown(reason))));
        let without = without.expect("all have ended");
        assert_eq!((without.name, without.found.is_err()), ("broken", true));
        let with = race(Box::new(|_| Ok(Verdict::Unsafe(()))));
        assert!(with.is_some_and(|found| found.name == "other" && found.is_definite()));
    }
}
