//! A run of a program on a problem, as a line of a CSV file.

use crate::answer::Answer;
use crate::process::Ended;

/// One run.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the problem.
    pub problem: String,
    /// The name of the program.
    pub program: String,
    /// Its answer.
    pub answer: Answer,
    /// The right answer, as far as it is known.
    pub expected: Answer,
    /// Processor seconds.
    pub cpu_seconds: f64,
    /// Wall seconds.
    pub wall_seconds: f64,
    /// The results of the checks of the evidence, separated by semicolons; `REJECTED` is among them if one
    /// failed.
    pub checks: String,
}

impl Row {
    /// The first line of the file. Good stands for safe or unsatisfiable, bad for unsafe or satisfiable.
    pub const HEADER: &'static str = "problem\tprogram\tanswer\texpected\tcpu\twall\tchecks\n";

    /// The row of a run.
    #[must_use]
    pub fn of_run(
        problem: &str,
        program: &str,
        answer: Answer,
        expected: Answer,
        ended: &Ended,
        checks: String,
    ) -> Self {
        Self {
            problem: problem.to_owned(),
            program: program.to_owned(),
            answer,
            expected,
            cpu_seconds: ended.cpu_seconds,
            wall_seconds: ended.wall_seconds,
            checks,
        }
    }

    /// The line, separated by tabs: options of programs have commas in them.
    #[must_use]
    pub fn to_csv(&self) -> String {
        format!(
            "{}\t{}\t{}\t{}\t{:.3}\t{:.3}\t{}\n",
            self.problem,
            self.program,
            self.answer.word(),
            self.expected.word(),
            self.cpu_seconds,
            self.wall_seconds,
            self.checks
        )
    }

    /// The row as an object.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "problem": self.problem,
            "engine": self.program,
            "answer": self.answer.word(),
            "expected": self.expected.word(),
            "cpu_seconds": self.cpu_seconds,
            "wall_seconds": self.wall_seconds,
            "checks": self.checks,
        })
    }

    /// The row of a line; `None` if it is none.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut next = || fields.next();
        Some(Self {
            problem: next()?.to_owned(),
            program: next()?.to_owned(),
            answer: Answer::parse(next()?),
            expected: Answer::parse(next()?),
            cpu_seconds: next()?.parse().ok()?,
            wall_seconds: next()?.parse().ok()?,
            checks: next()?.to_owned(),
        })
    }

    /// The line for progress output.
    #[must_use]
    pub fn describe(&self) -> String {
        let mark = if self.is_wrong() { " WRONG" } else { "" };
        format!(
            "{:<60} {:<24} {:<8} {:>8.2} s{mark} {}",
            self.problem,
            self.program,
            self.answer.word(),
            self.cpu_seconds,
            self.checks
        )
    }

    /// Whether the answer is definite, and not known to be wrong.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        matches!(self.answer, Answer::Good | Answer::Bad) && !self.is_wrong()
    }

    /// Whether the right answer is known, and the other one was given.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        matches!(
            (self.answer, self.expected),
            (Answer::Good, Answer::Bad) | (Answer::Bad, Answer::Good)
        )
    }
}

/// The programs in the order in which they appear.
#[must_use]
pub fn programs(rows: &[Row]) -> Vec<&str> {
    let mut programs: Vec<&str> = Vec::new();
    for row in rows {
        if !programs.contains(&row.program.as_str()) {
            programs.push(&row.program);
        }
    }
    programs
}

/// The solving times of each program in processor seconds, with the programs in the order in which they
/// appear.
#[must_use]
pub fn solving_times(rows: &[Row]) -> Vec<(String, Vec<f64>)> {
    let times = |program: &str| {
        let solved = rows
            .iter()
            .filter(|row| row.program == program && row.is_solved());
        solved.map(|row| row.cpu_seconds).collect()
    };
    (programs(rows).into_iter())
        .map(|program| (program.to_owned(), times(program)))
        .collect()
}
