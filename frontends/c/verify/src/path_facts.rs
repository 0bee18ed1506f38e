//! From an assignment to the free variables of a symbolic execution to the facts of its path, which a run takes.

use craig_c_exec::concrete::replay::Fact;
use craig_c_exec::symbolic::free_values::FreeValues;
use craig_c_exec::symbolic::{Event, Happening, Mark};
use craig_c_lang::address_space::{AddressSpace, ObjectId};
use craig_word::{Evaluator, Node, Term, Terms};

/// The facts on the path of a model, in order. The evaluator has its values.
pub(crate) fn facts(
    terms: &Terms,
    space: &AddressSpace,
    events: &[Event],
    model: &FreeValues,
    evaluator: &mut Evaluator<'_>,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for event in events {
        if evaluator.value(event.guard) == 0 {
            continue;
        }
        let at = event.at;
        let create = |object: ObjectId, cells: &[Term], evaluator: &mut Evaluator<'_>| {
            let info = &space.objects[object as usize];
            let mut bytes = Vec::new();
            for (&cell, &(offset, size)) in cells.iter().zip(&info.shape.cells) {
                // Most elements of a large object do not occur in the formula.
                if matches!(terms.node(cell), Node::Var(_)) && !model.values.contains_key(&cell) {
                    continue;
                }
                let value = evaluator.value(cell);
                let own = (0..size).map(|index| (value >> (8 * index)) as u8);
                bytes.extend((offset..).zip(own).filter(|&(_, byte)| byte != 0));
            }
            Fact::Create {
                base: info.base,
                bytes,
                at,
            }
        };
        facts.push(match &event.what {
            Happening::Choose { value } => Fact::Choose {
                value: evaluator.value(*value),
                width: terms.width(*value),
                at,
            },
            Happening::Outside { value } => Fact::Outside {
                value: evaluator.value(*value),
                width: terms.width(*value),
                at,
            },
            Happening::Create {
                object,
                owner: Some(owner),
                ..
            } => Fact::Create {
                base: space.objects[*object as usize].base,
                bytes: (model.blanks.get(owner).into_iter().flatten())
                    .map(|(&offset, &byte)| (offset, byte))
                    .collect(),
                at,
            },
            Happening::Create { object, cells, .. } => create(*object, cells, evaluator),
            Happening::Change {
                object,
                cells,
                owner,
                part,
                condition,
            } => {
                if evaluator.value(*condition) == 0 {
                    continue;
                }
                let (base, mut bytes) = match create(*object, cells, evaluator) {
                    Fact::Create { base, bytes, .. } => (base, bytes),
                    other => unreachable!("{other:?} is no creation"),
                };
                if let Some(owner) = owner {
                    let known = model.blanks.get(owner).into_iter().flatten();
                    bytes = known.map(|(&offset, &byte)| (offset, byte)).collect();
                }
                let part = part.map(|part| {
                    let [offset, length] =
                        <[Term; 2]>::from(part).map(|term| evaluator.value(term) as u64);
                    offset..offset.saturating_add(length)
                });
                Fact::Change {
                    base,
                    bytes,
                    part,
                    at,
                }
            }
            Happening::CreateOne { address, cells } => {
                let address = evaluator.value(*address) as u64;
                match cells
                    .iter()
                    .find(|(object, _)| space.objects[*object as usize].base == address)
                {
                    Some((object, cells)) => create(*object, cells, evaluator),
                    None => continue,
                }
            }
        });
    }
    facts
}

/// The mark that an assignment reaches.
pub(crate) fn reached<'m>(marks: &'m [Mark], evaluator: &mut Evaluator<'_>) -> Option<&'m Mark> {
    marks.iter().find(|mark| evaluator.value(mark.guard) == 1)
}
