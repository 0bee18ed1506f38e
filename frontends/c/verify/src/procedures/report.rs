//! Summaries in terms of C.

use std::collections::HashMap;

use craig_program::procedures::Summary;
use craig_word::{CVariable, Term};

use super::problem::Problem;
use craig_c_exec::symbolic::EdgeCalls;
use craig_c_lang::ir::{Program, StaticId};

/// Longer conditions are not written.
const MAX_LENGTH: usize = 400;

/// The summaries with the names of the source: `\old(g)` is a static object at the entry, `\result` the result.
pub(super) fn text(
    program: &Program,
    edges: &EdgeCalls,
    problem: &Problem,
    summaries: &[Summary],
) -> String {
    let mut lines = Vec::new();
    for ((&id, procedure), summary) in
        (problem.functions.iter().zip(&problem.procedures.procedures)).zip(summaries)
    {
        let function = &program.functions[id as usize];
        let vocabulary = &edges.vocabularies[&id];
        let mut entry: Vec<String> = (function.regs.iter().take(function.n_params).enumerate())
            .map(|(number, register)| match &register.name {
                Some(name) => name.clone(),
                None => format!("\\parameter({number})"),
            })
            .collect();
        let accessed = vocabulary
            .accessed
            .iter()
            .flat_map(|&id| cells(program, id));
        entry.extend(accessed.map(|name| format!("\\old({name})")));
        let mut exit: Vec<String> = vocabulary
            .result
            .map(|_| "\\result".into())
            .into_iter()
            .collect();
        exit.extend(vocabulary.written.iter().flat_map(|&id| cells(program, id)));
        let words = procedure
            .entry
            .iter()
            .zip(entry)
            .chain(procedure.exit.iter().zip(exit));
        let names: HashMap<Term, CVariable> = words
            .map(|(word, name)| (word.term, (name, word.is_signed)))
            .collect();
        let terms = &problem.procedures.terms;
        let written = |conditions: &[Term]| {
            let texts: Vec<String> = (conditions.iter())
                .map(|&condition| {
                    let text = terms.c_condition(condition, &|term| names.get(&term).cloned());
                    match text.filter(|text| text.len() <= MAX_LENGTH) {
                        Some(text) => text,
                        None => format!(
                            "a formula of {} terms",
                            terms.cone(&[condition], |_| false).len()
                        ),
                    }
                })
                .collect();
            match texts.is_empty() {
                true => "nothing".into(),
                false => texts.join(" and "),
            }
        };
        lines.push(format!(
            "`{}` requires {} and ensures {}",
            function.name,
            written(&summary.requires),
            written(&summary.ensures)
        ));
    }
    lines.join("; ")
}

/// A name for each cell of a static object.
fn cells(program: &Program, id: StaticId) -> Vec<String> {
    let object = &program.statics[id as usize];
    match object.shape.cells.len() {
        1 => vec![object.name.clone()],
        _ => (object.shape.cells.iter())
            .map(|(offset, _)| format!("{}+{offset}", object.name))
            .collect(),
    }
}
