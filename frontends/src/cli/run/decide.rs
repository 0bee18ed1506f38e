//! One question: what is known is judged again, and else decided by a process of its own.

use std::fs;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::joint::Joint;
use super::plan::Plan;
use super::store::{Draft, Known, Question, Store, Verdict};
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
    /// The number of questions at a time.
    pub(super) n_jobs: usize,
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
            Some(kept) => kept,
            None => self.search(question, options, deadline)?,
        };
        decided.seconds = begin.elapsed().as_secs_f64();
        Ok(decided)
    }

    /// What an earlier run has decided, as a result.
    ///
    /// # Errors
    /// If a process can't be started.
    pub(super) fn kept(&self, question: &Question) -> Result<Option<Decided>, Failure> {
        let begin = Instant::now();
        let known = self.known(question)?;
        Ok(known.map(|known| Decided {
            known,
            reason: None,
            seconds: begin.elapsed().as_secs_f64(),
            is_kept: true,
        }))
    }

    /// What an earlier run has proved of the assertions of a task together, by their places.
    ///
    /// # Errors
    /// If a process can't be started.
    pub(super) fn kept_together(
        &self,
        plan: &Plan<'_>,
        joint: &Joint,
    ) -> Result<Vec<(usize, Decided)>, Failure> {
        let n_bads = joint.places.len();
        let proved = (!self.is_fresh).then(|| self.store.proved(&joint.question));
        let proved = proved.flatten().unwrap_or_default();
        if proved.is_empty() || proved.iter().any(|&number| number >= n_bads) {
            return Ok(Vec::new());
        }
        let kept = self.kept(&joint.about(plan, &proved)?)?;
        Ok(kept.map_or_else(Vec::new, |kept| spread(joint, &proved, &kept)))
    }

    /// What can be proved of the assertions of a task together until then, by their places.
    ///
    /// # Errors
    /// If a process can't be started, or the store can't be written.
    pub(super) fn search_together(
        &self,
        plan: &Plan<'_>,
        joint: &Joint,
        end: Instant,
    ) -> Result<Vec<(usize, Decided)>, Failure> {
        let begin = Instant::now();
        let options = &plan.task.options;
        let draft = self.store.draft(&joint.question)?;
        let ended = self.check(&draft, &joint.question, options, Some(end))?;
        let Some(ended) = ended else {
            return Ok(Vec::new());
        };
        let mut proved = safe(&ended);
        drop(draft);
        // The evidence is of those that hold, in one proof; what holds only with others may be lost.
        let mut answer = None;
        while !proved.is_empty() && !ended.is_interrupted {
            let question = joint.about(plan, &proved)?;
            let draft = self.store.draft(&question)?;
            // They hold within the time of the first search, but for the time of the task.
            let again = end.max(Instant::now() + begin.elapsed());
            let again = plan.deadline.map_or(again, |deadline| deadline.min(again));
            let Some(ended) = self.check(&draft, &question, options, Some(again))? else {
                break;
            };
            let again = safe(&ended);
            if again.len() == proved.len() {
                let mut decided = answer_of(&ended, &question);
                decided.seconds = begin.elapsed().as_secs_f64();
                draft.keep(&question, &decided.known)?;
                self.store.note_proved(&joint.question, &proved)?;
                answer = Some(decided);
                break;
            }
            proved = again.iter().map(|&number| proved[number]).collect();
        }
        Ok(answer.map_or_else(Vec::new, |decided| spread(joint, &proved, &decided)))
    }

    /// What an earlier run has decided, if its evidence holds.
    fn known(&self, question: &Question) -> Result<Option<Known>, Failure> {
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
        // Without a property, all bads are.
        if known.verdict == Verdict::Safe && !question.is_joint {
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
        let Some(ended) = self.check(&draft, question, options, deadline)? else {
            return Ok(Decided::without_answer(
                Verdict::Unknown,
                Stop::Deadline.reason(),
            ));
        };
        let decided = answer_of(&ended, question);
        let is_answer = !matches!(decided.known.verdict, Verdict::Unknown | Verdict::Failed);
        if is_answer && !ended.is_interrupted {
            draft.keep(question, &decided.known)?;
        }
        Ok(decided)
    }

    /// Runs `craig check` on the circuit of a draft; `None` if there is no time.
    fn check(
        &self,
        draft: &Draft<'_>,
        question: &Question,
        options: &[String],
        deadline: Option<Instant>,
    ) -> Result<Option<Ended>, Failure> {
        let mut command = process::own_program()?;
        command.arg("check").arg(draft.model()).arg("--json");
        command.arg("--witness").arg(draft.evidence(question));
        if let Some(depth) = question.depth {
            command.arg(format!("--engine=bmc:max-depth={}", depth - 1));
            command.arg("--only");
        }
        let has_threads = options.iter().any(|it| it.starts_with("--threads"));
        if !has_threads {
            // A joint question is the only one at its time.
            let n_threads = self.n_threads * if question.is_joint { self.n_jobs } else { 1 };
            command.arg(format!("--threads={n_threads}"));
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        match left {
            Some(Duration::ZERO) => return Ok(None),
            Some(left) => drop(command.arg(format!("--timeout={:.3}", left.as_secs_f64()))),
            None => {}
        }
        command.args(options);
        // A process ends by itself at its time; a second later it is ended.
        self.run(command, deadline.map(|it| it + Duration::from_secs(1)))
            .map(Some)
    }

    /// The run against a question that was decided.
    pub(super) fn run_of(&self, question: &Question) -> Result<Vec<u8>, Failure> {
        let path = self.store.evidence(question);
        fs::read(&path)
            .map_err(|error| Failure::input(format!("{}: can't be read: {error}", path.display())))
    }
}

/// The numbers of the bads that a process has proved.
fn safe(ended: &Ended) -> Vec<usize> {
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let properties = report["properties"].as_array();
    let is_safe = |property: &&Value| property["verdict"] == "safe" && property["class"] == "bad";
    let safe = properties.into_iter().flatten().filter(is_safe);
    let numbers = safe.filter_map(|property| property["number"].as_u64());
    let mut numbers: Vec<usize> = numbers.filter_map(|it| usize::try_from(it).ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// The result of a joint question for each of the bads that were proved, by their places.
fn spread(joint: &Joint, proved: &[usize], decided: &Decided) -> Vec<(usize, Decided)> {
    let places = proved.iter().map(|&number| joint.places[number]);
    places.map(|place| (place, decided.clone())).collect()
}

/// What a process has printed.
fn answer_of(ended: &Ended, question: &Question) -> Decided {
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
                is_joint: false,
                depth,
            };
            answer_of(&ended, &question)
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
