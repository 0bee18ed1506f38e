//! The questions of all tasks: what is known or is decided shortly, what holds together, and the rest.
//!
//! A property that is decided alone is kept with the part of the design that it depends on, and outlives changes of the rest. So
//! each has a short time alone first. What is open then is asked together with all other assertions of its task.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::decide::{Decided, Decider};
use super::joint::Joint;
use super::plan::{Asked, Plan};
use super::report;
use crate::cli::batch::pool;
use crate::cli::failure::Failure;

/// The number of properties of a task that may use up that time.
const MOST_LATE: usize = 8;
/// The time for all assertions of a task together, without a limit of the task.
const TOGETHER: Duration = Duration::from_secs(60);

/// The state of the search.
pub(super) struct Rounds<'a> {
    plans: &'a [Plan<'a>],
    decider: &'a Decider<'a>,
    /// Whether results are printed as they come.
    is_told: bool,
    /// The questions, each once: the first task that asks it, and the place there.
    questions: Vec<(usize, usize)>,
    /// By task and place there: the question.
    numbers: Vec<Vec<usize>>,
    /// By task: all its assertions.
    joints: Vec<Option<Joint>>,
    /// By question.
    results: Vec<Option<Decided>>,
}

impl<'a> Rounds<'a> {
    /// Nothing is decided yet. What several tasks ask is decided once.
    ///
    /// # Errors
    /// Never in practice: the texts of questions are written to memory.
    pub(super) fn new(
        plans: &'a [Plan<'a>],
        decider: &'a Decider<'a>,
        is_told: bool,
    ) -> Result<Self, Failure> {
        let mut first: HashMap<(String, &[String]), usize> = HashMap::new();
        let mut questions = Vec::new();
        let mut numbers = Vec::new();
        for (task, plan) in plans.iter().enumerate() {
            let mut own = Vec::new();
            for (place, asked) in plan.asked.iter().enumerate() {
                let key = (asked.question.digest(), plan.task.options.as_slice());
                own.push(*first.entry(key).or_insert_with(|| {
                    questions.push((task, place));
                    questions.len() - 1
                }));
            }
            numbers.push(own);
        }
        let joints = plans.iter().map(Joint::of).collect::<Result<_, _>>()?;
        let results = vec![None; questions.len()];
        Ok(Self {
            plans,
            decider,
            is_told,
            questions,
            numbers,
            joints,
            results,
        })
    }

    /// The results, by task and place.
    ///
    /// # Errors
    /// If a process can't be started, or the store can't be written.
    pub(super) fn decide(mut self) -> Result<Vec<Vec<Decided>>, Failure> {
        self.together(|decider, plan, joint| decider.kept_together(plan, joint))?;
        self.alone(true)?;
        self.together(|decider, plan, joint| {
            let end = match plan.deadline {
                Some(deadline) => {
                    let now = Instant::now();
                    now + deadline.saturating_duration_since(now) / 2
                }
                None => Instant::now() + TOGETHER,
            };
            decider.search_together(plan, joint, end)
        })?;
        self.alone(false)?;
        let results: Vec<Decided> = self.results.into_iter().flatten().collect();
        debug_assert_eq!(results.len(), self.questions.len());
        let of_task = |own: &Vec<usize>| -> Vec<Decided> {
            own.iter().map(|&number| results[number].clone()).collect()
        };
        Ok(self.numbers.iter().map(of_task).collect())
    }

    fn asked(&self, question: usize) -> (&'a Plan<'a>, &'a Asked) {
        let (task, place) = self.questions[question];
        let plan = &self.plans[task];
        (plan, &plan.asked[place])
    }

    /// Prints a result, if they are printed as they come.
    fn tell(&self, question: usize, decided: &Decided) {
        if self.is_told {
            let (plan, asked) = self.asked(question);
            report::tell(plan, asked, decided);
        }
    }

    fn open(&self) -> Vec<usize> {
        let numbers = 0..self.results.len();
        numbers.filter(|&it| self.results[it].is_none()).collect()
    }

    /// Asks each open question. With `is_short`, those of tasks with a joint question alone, which have a short time, and are open
    /// behind it.
    fn alone(&mut self, is_short: bool) -> Result<(), Failure> {
        let mut open = self.open();
        open.retain(|&number| !is_short || self.joints[self.questions[number].0].is_some());
        let n_late: Vec<AtomicUsize> = self.plans.iter().map(|_| AtomicUsize::new(0)).collect();
        let this = &*self;
        let work = |index: usize| -> Result<Option<Decided>, Failure> {
            let number = open[index];
            let (plan, asked) = this.asked(number);
            let task = this.questions[number].0;
            let (question, options) = (&asked.question, &plan.task.options);
            if !is_short {
                let decided = this.decider.decide(question, options, plan.deadline)?;
                return Ok(Some(decided));
            }
            let has_time = !plan.task.alone.is_zero();
            if !has_time || n_late[task].load(Ordering::Relaxed) >= MOST_LATE {
                return this.decider.kept(question);
            }
            let short = Instant::now() + plan.task.alone;
            let end = plan.deadline.map_or(short, |deadline| deadline.min(short));
            let decided = this.decider.decide(question, options, Some(end))?;
            let is_open = decided.is_late() && plan.deadline.is_none_or(|it| it > Instant::now());
            if is_open {
                n_late[task].fetch_add(1, Ordering::Relaxed);
            }
            Ok((!is_open).then_some(decided))
        };
        let mut ended = Vec::new();
        pool::for_each(open.len(), self.decider.n_jobs, work, |index, decided| {
            let Some(decided) = decided else {
                return Ok(());
            };
            this.tell(open[index], &decided);
            ended.push((open[index], decided));
            Ok(())
        })?;
        for (number, decided) in ended {
            self.results[number] = Some(decided);
        }
        Ok(())
    }

    /// Has the joint questions of tasks with open properties answered.
    fn together(
        &mut self,
        answer: impl Fn(&Decider<'_>, &Plan<'_>, &Joint) -> Result<Vec<(usize, Decided)>, Failure>,
    ) -> Result<(), Failure> {
        for (task, plan) in self.plans.iter().enumerate() {
            let Some(joint) = &self.joints[task] else {
                continue;
            };
            let number = |place: usize| self.numbers[task][place];
            let is_open = |place: &usize| self.results[number(*place)].is_none();
            if !joint.places.iter().any(is_open) {
                continue;
            }
            let found = answer(self.decider, plan, joint)?;
            let found = found.into_iter();
            let found: Vec<(usize, Decided)> = (found.filter(|(place, _)| is_open(place)))
                .map(|(place, decided)| (number(place), decided))
                .collect();
            for (question, decided) in found {
                self.tell(question, &decided);
                self.results[question] = Some(decided);
            }
        }
        Ok(())
    }
}
