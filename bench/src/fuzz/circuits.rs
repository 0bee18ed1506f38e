//! Engines, reductions and methods for justice properties on small circuits, against the graph of all states.

use craig_aig::Random;
use craig_hardware::aiger::{self, AigerModel};
use craig_model::Model;

use super::Subject;
use super::chosen::Chosen;
use super::recipe::Recipe;
use super::states::Steps;
use super::tally::Tally;

/// Engines and reductions, or methods for justice properties.
pub(super) struct Circuits {
    pub(super) is_live: bool,
}

/// A circuit and who decides it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    recipe: Recipe,
    chosen: Chosen,
}

impl Subject for Circuits {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        Case {
            recipe: Recipe::new(random, self.is_live),
            chosen: Chosen::new(random),
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let model = case.recipe.build();
        let circuit = read_again(&model)?;
        case.chosen.judge(&circuit, &Steps::of_model(&model), tally)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        let recipes = case.recipe.smaller().into_iter().map(|recipe| Case {
            recipe,
            ..case.clone()
        });
        let chosen = case.chosen.smaller().into_iter().map(|chosen| Case {
            chosen,
            ..case.clone()
        });
        recipes.chain(chosen).collect()
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let mut text = Vec::new();
        let circuit = AigerModel::from_model(case.recipe.build());
        aiger::write_ascii(&circuit, &mut text).expect("a vector takes all");
        let text = String::from_utf8(text).expect("the text format is ASCII");
        (format!("{text}c\n{:?}\n", case.chosen), "aag")
    }
}

/// The circuit through the writer and the reader of AIGER, which the graph of states is not built from.
pub(super) fn read_again(model: &Model) -> Result<AigerModel, String> {
    let mut text = Vec::new();
    let circuit = AigerModel::from_model(model.clone());
    aiger::write_binary(&circuit, &mut text).map_err(|error| format!("writer: {error}"))?;
    aiger::read(&text, "case").map_err(|error| format!("reader: {error}"))
}
