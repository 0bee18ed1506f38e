//! One question: what is known is judged again, and else decided by a process of its own.

use std::fs;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::store::{Known, Question, Store, Verdict};
use crate::cli::batch::process::{self, Ended, Outcome, Stderr, Stdout};
use crate::cli::failure::Failure;
use crate::cli::watch::Stop;

/// The result for a question.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub(super) known: Known,
    /// Why it is not decided.
    pub(super) reason: Option<String>,
    pub(super) seconds: f64,
    /// Whether an earlier run has decided it.
    pub(super) is_kept: bool,
}

impl Decided {
    fn without_answer(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            known: Known {
                verdict,
                engine: String::new(),
                steps: 0,
            },
            reason: Some(reason.into()),
            seconds: 0.0,
            is_kept: false,
        }
    }

    /// Whether it was stopped at the end of its time.
    pub(super) fn is_late(&self) -> bool {
        let is_late = |reason: &String| reason.starts_with(Stop::Deadline.reason());
        self.reason.as_ref().is_some_and(is_late)
    }
}

/// What questions have in common.
pub(super) struct Decider<'a> {
    pub(super) store: &'a Store,
    /// Whether nothing that is known is taken.
    pub(super) is_fresh: bool,
    pub(super) signal: &'a AtomicBool,
    /// The threads of each process, if the options don't say.
    pub(super) n_threads: usize,
}

impl Decider<'_> {
    /// Decides a question, with these options of `craig check`.
    ///
    /// # Errors
    /// If a process can't be started, or the store can't be written.
    pub(super) fn decide(
        &self,
        question: &Question,
        options: &[String],
        deadline: Option<Instant>,
    ) -> Result<Decided, Failure> {
        let begin = Instant::now();
        if self.signal.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(Decided::without_answer(
                Verdict::Unknown,
                Stop::Signal.reason(),
            ));
        }
        let mut decided = match self.kept(question)? {
            Some(known) => Decided {
                known,
                reason: None,
                seconds: 0.0,
                is_kept: true,
            },
            None => self.search(question, options, deadline)?,
        };
        decided.seconds = begin.elapsed().as_secs_f64();
        Ok(decided)
    }

    /// What an earlier run has decided, if its evidence holds.
    fn kept(&self, question: &Question) -> Result<Option<Known>, Failure> {
        if self.is_fresh {
            return Ok(None);
        }
        let Some((known, model, evidence)) = self.store.known(question) else {
            return Ok(None);
        };
        let shown = match known.verdict {
            Verdict::Safe => "valid safe",
            Verdict::Unsafe => "valid unsafe",
            // Such an answer has no evidence, and counts for this version alone.
            Verdict::Bounded => return Ok(Some(known)),
            Verdict::Unknown | Verdict::Failed => return Ok(None),
        };
        let mut command = process::own_program()?;
        command.arg("certify").arg(model).arg(evidence);
        if known.verdict == Verdict::Safe {
            let property = if question.is_live { "j0" } else { "0" };
            command.args(["--property", property]);
        }
        let judged = self.run(command, None)?;
        let holds = judged.code == Some(0) && judged.stdout.starts_with(shown);
        Ok(holds.then_some(known))
    }

    fn run(&self, command: Command, deadline: Option<Instant>) -> Result<Ended, Failure> {
        process::run_within(command, (Stdout::Kept, Stderr::Kept), self.signal, deadline)
    }

    fn search(
        &self,
        question: &Question,
        options: &[String],
        deadline: Option<Instant>,
    ) -> Result<Decided, Failure> {
        let draft = self.store.draft(question)?;
        let mut command = process::own_program()?;
        command.arg("check").arg(draft.model()).arg("--json");
        command.arg("--witness").arg(draft.evidence(question));
        if let Some(depth) = question.depth {
            command.arg(format!("--engine=bmc:max-depth={}", depth - 1));
            command.arg("--only");
        }
        let has_threads = options.iter().any(|it| it.starts_with("--threads"));
        if !has_threads {
            command.arg(format!("--threads={}", self.n_threads));
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        match left {
            Some(Duration::ZERO) => {
                return Ok(Decided::without_answer(
                    Verdict::Unknown,
                    Stop::Deadline.reason(),
                ));
            }
            Some(left) => drop(command.arg(format!("--timeout={:.3}", left.as_secs_f64()))),
            None => {}
        }
        command.args(options);
        // A process ends by itself at its time; a second later it is ended.
        let ended = self.run(command, deadline.map(|it| it + Duration::from_secs(1)))?;
        let decided = answer(&ended, question);
        let is_answer = !matches!(decided.known.verdict, Verdict::Unknown | Verdict::Failed);
        if is_answer && !ended.is_interrupted {
            draft.keep(question, &decided.known)?;
        }
        Ok(decided)
    }

    /// The run against a question that was decided.
    pub(super) fn run_of(&self, question: &Question) -> Result<Vec<u8>, Failure> {
        let path = self.store.evidence(question);
        fs::read(&path)
            .map_err(|error| Failure::input(format!("{}: can't be read: {error}", path.display())))
    }
}

/// What a process has printed.
fn answer(ended: &Ended, question: &Question) -> Decided {
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let property = &report["properties"][0];
    let reason = property["reason"].as_str().unwrap_or_default();
    let steps = property["depth"].as_u64().unwrap_or_default();
    let passed = question.depth.and_then(|depth| {
        let searched = reason
            .strip_prefix("no bad in the first ")?
            .split(' ')
            .next()?;
        Some(searched.parse::<usize>().ok()? >= depth)
    });
    let verdict = match ended.outcome {
        Outcome::Safe => Verdict::Safe,
        Outcome::Unsafe => Verdict::Unsafe,
        Outcome::Unknown if passed == Some(true) => Verdict::Bounded,
        Outcome::Unknown => Verdict::Unknown,
        Outcome::BadInput | Outcome::Internal => Verdict::Failed,
    };
    let reason = match verdict {
        Verdict::Safe | Verdict::Unsafe | Verdict::Bounded => None,
        Verdict::Unknown if !reason.is_empty() => Some(reason.to_owned()),
        Verdict::Unknown | Verdict::Failed => Some(ended.message().to_owned()),
    };
    Decided {
        known: Known {
            verdict,
            engine: property["engine"].as_str().unwrap_or_default().to_owned(),
            steps,
        },
        reason,
        seconds: 0.0,
        is_kept: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_search_passes_at_its_bound() {
        let of = |reason: &str, depth: Option<usize>| {
            let report = serde_json::json!({"properties": [{"reason": reason, "depth": 5, "engine": "bmc"}]});
            let ended = Ended {
                outcome: Outcome::Unknown,
                code: Some(30),
                is_interrupted: false,
                stdout: report.to_string(),
                complaints: Vec::new(),
            };
            let question = Question {
                text: Vec::new(),
                is_live: false,
                depth,
            };
            answer(&ended, &question)
        };
        let passed = of("no bad in the first 5 steps", Some(5));
        assert_eq!(
            (passed.known.verdict, passed.reason),
            (Verdict::Bounded, None)
        );
        for (reason, depth) in [
            ("no bad in the first 4 steps", Some(5)),
            ("no bad in the first 5 steps", None),
            ("the time limit was reached", Some(5)),
        ] {
            let open = of(reason, depth);
            assert_eq!(open.known.verdict, Verdict::Unknown);
            assert_eq!(open.reason.as_deref(), Some(reason));
        }
        assert!(of("the time limit was reached", None).is_late());
    }
}
