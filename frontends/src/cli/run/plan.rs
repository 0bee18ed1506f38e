//! The questions of a task: its design is read, and cut into the parts that its properties depend on.

use std::time::Instant;

use craig_hardware::btor2::slice::{Property, Slice};
use craig_hardware::btor2::{self, Btor2};

use super::store::Question;
use super::task::{Mode, Task};
use crate::cli::failure::Failure;
use crate::cli::verilog::{Signals, elaborate};

/// A property of a design.
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) property: Property,
    pub(super) slice: Slice,
    pub(super) question: Question,
}

/// What a task asks.
pub(super) struct Plan<'a> {
    pub(super) task: &'a Task,
    /// The whole circuit, and the names in it.
    pub(super) model: Btor2,
    pub(super) signals: Signals,
    /// For each bad, whether it stands in a process.
    is_sampled: Vec<bool>,
    pub(super) asked: Vec<Asked>,
    /// Why there are no questions.
    pub(super) error: Option<String>,
    /// What is said of the design.
    pub(super) notes: Vec<String>,
    pub(super) deadline: Option<Instant>,
}

impl<'a> Plan<'a> {
    /// Reads the design of a task, whose time has begun.
    pub(super) fn of(task: &'a Task, begin: Instant) -> Self {
        let mut plan = Self {
            task,
            model: Btor2::default(),
            signals: Signals::default(),
            is_sampled: Vec::new(),
            asked: Vec::new(),
            error: None,
            notes: Vec::new(),
            deadline: task.timeout.and_then(|timeout| begin.checked_add(timeout)),
        };
        if let Err(failure) = plan.read() {
            plan.error = Some(failure.message().to_owned());
        }
        plan
    }

    fn read(&mut self) -> Result<(), Failure> {
        let design = elaborate(&self.task.design)?;
        self.model =
            btor2::read(design.text.as_bytes(), &self.task.name).map_err(Failure::internal)?;
        self.signals = design.signals;
        self.is_sampled = design.is_sampled;
        // What it states beside is for other tasks.
        let is_warning = |note: &String| note.starts_with("yosys: ");
        self.notes = design.notes.into_iter().filter(is_warning).collect();
        let (mode, has_liveness) = (self.task.mode, self.task.has_liveness);
        let bads = (0..self.model.bads.len()).map(Property::Bad);
        let bads = bads.filter(|_| mode != Mode::Live);
        let justice = (0..self.model.justice.len()).map(Property::Justice);
        let justice = justice.filter(|_| mode == Mode::Live || has_liveness);
        for property in bads.chain(justice).collect::<Vec<_>>() {
            self.ask(property)?;
        }
        if self.asked.is_empty() && !self.task.properties.is_empty() {
            return Err(Failure::input(
                "`properties`: no property of the design has one of these texts in its name",
            ));
        }
        if self.asked.is_empty() {
            self.notes.push("there is nothing to decide".to_owned());
        }
        Ok(())
    }

    /// The number of steps in which a property is searched.
    fn depth(&self, property: Property) -> Option<usize> {
        let is_later = match property {
            Property::Bad(number) => {
                self.task.is_seen_later && self.is_sampled.get(number) == Some(&true)
            }
            Property::Justice(_) => false,
        };
        let depth = self.task.depth?;
        Some(if is_later { (depth - 1).max(1) } else { depth })
    }

    fn ask(&mut self, property: Property) -> Result<(), Failure> {
        let name = match property {
            Property::Bad(number) => self.model.bads[number].symbol.clone(),
            Property::Justice(number) => self.model.justice[number].symbol.clone(),
        };
        let texts = &self.task.properties;
        if !texts.is_empty() && !texts.iter().any(|text| name.contains(text.as_str())) {
            return Ok(());
        }
        let slice = Slice::of(&self.model, property);
        let question = Question::of(&slice, property, self.depth(property))?;
        self.asked.push(Asked {
            name,
            property,
            slice,
            question,
        });
        Ok(())
    }
}
