//! All assertions of a task in one question: designs state them so that each may assume the others.

use craig_hardware::btor2::slice::Property;
use craig_hardware::btor2::{Btor2, write};

use super::plan::Plan;
use super::store::Question;
use super::task::Mode;
use crate::cli::failure::Failure;

/// The options of a task that say how each property is decided.
const OF_EACH: [&str; 5] = [
    "--engine",
    "--as-in",
    "--line-up",
    "--timeout",
    "--property",
];

/// The question about all assertions of a task.
pub(super) struct Joint {
    /// The place of each of its bads among what the task asks.
    pub(super) places: Vec<usize>,
    /// All of them.
    pub(super) question: Question,
}

impl Joint {
    /// The question of a plan; `None` if there is none, or its options are about each property.
    ///
    /// # Errors
    /// Never in practice: the text is written to memory.
    pub(super) fn of(plan: &Plan<'_>) -> Result<Option<Self>, Failure> {
        let (task, asked) = (plan.task, &plan.asked);
        let is_of_each = |option: &String| OF_EACH.iter().any(|start| option.starts_with(start));
        let is_joint = task.mode == Mode::Prove && task.depth.is_none();
        if !is_joint || task.options.iter().any(is_of_each) {
            return Ok(None);
        }
        let is_bad = |place: &usize| matches!(asked[*place].property, Property::Bad(_));
        let places: Vec<usize> = (0..asked.len()).filter(is_bad).collect();
        if places.len() < 2 {
            return Ok(None);
        }
        let question = question(plan, &places)?;
        Ok(Some(Self { places, question }))
    }

    /// The question about some of them, by their numbers among all.
    ///
    /// # Errors
    /// Never in practice: the text is written to memory.
    pub(super) fn about(&self, plan: &Plan<'_>, numbers: &[usize]) -> Result<Question, Failure> {
        let places: Vec<usize> = numbers.iter().map(|&number| self.places[number]).collect();
        question(plan, &places)
    }
}

/// The whole design with the bads of these places.
fn question(plan: &Plan<'_>, places: &[usize]) -> Result<Question, Failure> {
    let numbers = places
        .iter()
        .filter_map(|&place| match plan.asked[place].property {
            Property::Bad(number) => Some(number),
            Property::Justice(_) => None,
        });
    let bads = numbers
        .map(|number| plan.model.bads[number].clone())
        .collect();
    let model = Btor2 {
        bads,
        justice: Vec::new(),
        ..plan.model.clone()
    };
    let mut text = Vec::new();
    write(&model, &mut text).map_err(Failure::internal)?;
    Ok(Question {
        text,
        is_live: false,
        is_joint: true,
        depth: None,
    })
}
