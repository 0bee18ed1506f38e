//! The abstract reachability graph as it stands, for people.

use std::collections::{BTreeSet, HashMap};

use craig_aig::Edge;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::{AllocResult, OptBool, OutOfMemory};
use oxidd::{BooleanFunction, VarNo};

use super::action_queries::Cube;
use super::boolean_program::BooleanProgram;
use super::predicates::{Predicates, current};
use crate::actions::{ActionId, Actions};
use crate::cfa::{Cfa, LocationId};
use crate::drawing::{Drawing, DrawnVertex, Writer, mark_run};
use crate::labels::Labels;
use crate::word_labels::Refuter;

/// The maximal number of cubes of a label that are written out.
const MAX_CUBES: usize = 6;
/// The maximal number of operations on decision diagrams for all labels. It bounds the time, also after a search that
/// a limit has ended.
const MAX_OPERATIONS: usize = 200_000;

/// States as cubes of predicates. They are those that have `common` and one of `cubes`, if there are any, and others
/// with `common` if there are more.
#[derive(Default)]
struct Cover {
    common: Cube,
    cubes: Vec<Cube>,
    has_more: bool,
}

/// Divides states into cubes.
struct Coverer {
    operations: usize,
}

impl Coverer {
    fn and(&mut self, one: &BCDDFunction, other: &BCDDFunction) -> AllocResult<BCDDFunction> {
        self.operations = self.operations.checked_sub(1).ok_or(OutOfMemory)?;
        one.and(other)
    }

    /// The states of a cube, of `states`.
    fn within(
        &mut self,
        states: &BCDDFunction,
        cube: &Cube,
        literals: &[[BCDDFunction; 2]],
    ) -> AllocResult<BCDDFunction> {
        (cube.iter().rev()).try_fold(states.clone(), |states, &(predicate, value)| {
            self.and(&states, &literals[predicate][usize::from(value)])
        })
    }

    /// Prime implicants of some states over the predicates with these literals, negated and as they are, behind what
    /// all states have in common. Fails where the operations or the nodes do not suffice.
    fn cover(
        &mut self,
        states: &BCDDFunction,
        literals: &[[BCDDFunction; 2]],
    ) -> AllocResult<Cover> {
        let mut cover = Cover::default();
        for (predicate, literal) in literals.iter().enumerate() {
            for value in [false, true] {
                let others = self.and(states, &literal[usize::from(!value)])?;
                if !others.satisfiable() {
                    cover.common.push((predicate, value));
                    break;
                }
            }
        }
        let others = states.not()?;
        let others = self.within(&others, &cover.common, literals)?;
        if !others.satisfiable() {
            return Ok(cover);
        }
        let mut rest = states.clone();
        while let Some(picked) = rest.pick_cube(|_, _, _| false) {
            if cover.cubes.len() == MAX_CUBES {
                cover.has_more = true;
                break;
            }
            let is_common: BTreeSet<usize> = cover.common.iter().map(|&(own, _)| own).collect();
            let values = (0..literals.len()).filter(|predicate| !is_common.contains(predicate));
            let mut cube: Cube = values
                .filter_map(|predicate| match picked[current(predicate) as usize] {
                    OptBool::None => None,
                    value => Some((predicate, value == OptBool::True)),
                })
                .collect();
            let mut index = 0;
            while index < cube.len() {
                let mut fewer = cube.clone();
                fewer.remove(index);
                match self.within(&others, &fewer, literals)?.satisfiable() {
                    true => index += 1,
                    false => cube = fewer,
                }
            }
            let one = self.within(&rest, &cube, literals)?.not()?;
            rest = self.and(&rest, &one)?;
            cover.cubes.push(cube);
        }
        Ok(cover)
    }
}

/// A [`Cover`] as formulas over the state.
struct Formulas {
    common: Vec<Edge>,
    cubes: Vec<Vec<Edge>>,
    has_more: bool,
}

impl Formulas {
    fn lines(&self, writer: &Writer<'_>) -> Vec<String> {
        let mut lines = writer.label(&self.common);
        for (number, cube) in self.cubes.iter().enumerate() {
            let parts = writer.label(cube).into_iter();
            let parts: Vec<String> = parts
                .map(|part| match part.contains('|') {
                    true => format!("({part})"),
                    false => part,
                })
                .collect();
            let start = if number == 0 { "either" } else { "or" };
            lines.push(format!("{start} {}", parts.join(" && ")));
        }
        if self.has_more {
            lines.push("or other states".to_owned());
        }
        lines
    }
}

/// What is drawn.
pub(super) struct Subject<'a> {
    pub(super) cfa: &'a Cfa,
    pub(super) actions: &'a Actions,
    pub(super) predicates: &'a Predicates,
    pub(super) program: &'a BooleanProgram<'a>,
    pub(super) labels: &'a Labels,
    /// The run that was found.
    pub(super) path: Option<&'a [ActionId]>,
}

impl Subject<'_> {
    /// The reached states of a location; none where they are not written out.
    fn formulas(
        &self,
        coverer: &mut Coverer,
        location: LocationId,
        refuter: &Refuter,
    ) -> Option<Formulas> {
        let list = self.predicates.at(location);
        let literal = |variable: VarNo| -> AllocResult<[BCDDFunction; 2]> {
            let variable = self.program.variable(variable)?;
            Ok([variable.not()?, variable])
        };
        let literals: AllocResult<Vec<_>> = (0..list.len()).map(current).map(literal).collect();
        let states = self.program.reached(location);
        let cover = coverer.cover(states, &literals.ok()?).ok()?;
        let formulas = |cube: &Cube| -> Vec<Edge> {
            let all =
                (cube.iter()).map(|&(predicate, value)| list[predicate].formula.negate_if(!value));
            all.flat_map(|formula| refuter.split(self.labels, formula))
                .collect()
        };
        Some(Formulas {
            common: formulas(&cover.common),
            cubes: cover.cubes.iter().map(formulas).collect(),
            has_more: cover.has_more,
        })
    }

    /// The locations in the order in which they are reached breadth first, each below the one from which it was reached
    /// first. A location that is reached again is a leaf that its first vertex covers. A label has the states that are
    /// reached at the location on whatever way, as cubes of predicates.
    pub(super) fn draw(&self, refuter: &mut Refuter) -> Drawing {
        let mut coverer = Coverer {
            operations: MAX_OPERATIONS,
        };
        let mut visited: Vec<(LocationId, Option<usize>)> = vec![(Cfa::START, None)];
        let mut incoming: Vec<Option<ActionId>> = vec![None];
        let mut first: HashMap<LocationId, usize> = HashMap::from([(Cfa::START, 0)]);
        let mut covered_by: Vec<Option<usize>> = vec![None];
        let mut drawn: BTreeSet<ActionId> = BTreeSet::new();
        for action in self.program.taken() {
            let step = self.actions.action(action);
            if !drawn.insert(action) {
                continue;
            }
            let known = first.get(&step.target).copied();
            if known.is_none() && step.target != Cfa::ERROR {
                first.insert(step.target, visited.len());
            }
            visited.push((step.target, Some(first[&step.source])));
            incoming.push(Some(action));
            covered_by.push(known);
        }
        let mut formulas: HashMap<LocationId, Option<Formulas>> = HashMap::new();
        for &(location, _) in &visited {
            if location != Cfa::ERROR {
                formulas
                    .entry(location)
                    .or_insert_with(|| self.formulas(&mut coverer, location, refuter));
            }
        }
        let all = formulas.values().flatten();
        let all = all.flat_map(|own| own.cubes.iter().flatten().chain(&own.common));
        let all: BTreeSet<Edge> = all.copied().collect();
        let (actions, aig) = (self.actions, &self.labels.aig);
        let in_words = refuter.texts(actions, aig, all);
        let writer = Writer::new(self.cfa, aig, actions.bits()).with_texts(in_words);
        let lines = |location: LocationId| match formulas.get(&location) {
            None => Vec::new(),
            Some(None) => vec!["states that are not written out".to_owned()],
            Some(Some(formulas)) => formulas.lines(&writer),
        };
        let vertices =
            (visited.iter().zip(&covered_by)).map(|(&(location, parent), &covered_by)| {
                DrawnVertex {
                    parent,
                    covered_by,
                    location: self.cfa.location(location).name.clone(),
                    label: lines(location),
                    is_false: false,
                    is_blocked: false,
                    is_open: covered_by.is_none() && self.program.is_open(location),
                    is_on_run: false,
                }
            });
        let mut vertices: Vec<DrawnVertex> = vertices.collect();
        if let Some(path) = self.path {
            mark_run(&mut vertices, &incoming, path);
        }
        Drawing { vertices }
    }
}

#[cfg(test)]
mod tests {
    use craig_mc::Alone;
    use proptest::prelude::*;

    use super::*;
    use crate::engine::Query;
    use crate::predabs::{Options, run};
    use crate::tests::small;
    use crate::to_model::Bad;
    use craig_mc::engine::bdd::Diagrams;

    /// The number of predicates of random states.
    const N: usize = 5;

    /// The diagram of the states whose bit of the table is set, and the literals of the predicates.
    fn states(
        diagrams: &Diagrams<'_>,
        table: u32,
    ) -> AllocResult<(BCDDFunction, Vec<[BCDDFunction; 2]>)> {
        let literals: Vec<[BCDDFunction; 2]> = (0..N)
            .map(|predicate| {
                let variable = diagrams.variable(current(predicate))?;
                Ok([variable.not()?, variable])
            })
            .collect::<AllocResult<_>>()?;
        let mut states = diagrams.constant(false);
        for state in 0..1usize << N {
            if table >> state & 1 == 1 {
                let mut cube = diagrams.constant(true);
                for (predicate, literal) in literals.iter().enumerate() {
                    cube = cube.and(&literal[state >> predicate & 1])?;
                }
                states = states.or(&cube)?;
            }
        }
        Ok((states, literals))
    }

    fn is_in(state: usize, cube: &Cube) -> bool {
        (cube.iter()).all(|&(predicate, value)| (state >> predicate & 1 == 1) == value)
    }

    proptest! {
            /// A cover has all states, and no others, unless it says that there are more; its cubes are prime.
            #[test]
            fn covers_are_their_states(one in any::<u32>(), other in any::<u32>(), dense in any::<bool>()) {
                let table = if dense { one } else { one & other };
                let alone = Alone::new();
    let control = alone.control();
                let diagrams = Diagrams::new(2 * N as VarNo, 1 << 12, control.stop);
                let (function, literals) = states(&diagrams, table).expect("there is memory");
                let mut coverer = Coverer { operations: MAX_OPERATIONS };
                let cover = coverer.cover(&function, &literals).expect("there is memory");
                let is_state = |state: usize| table >> state & 1 == 1;
                for state in 0..1usize << N {
                    let is_common = is_in(state, &cover.common);
                    let is_some = cover.cubes.is_empty() || cover.cubes.iter().any(|cube| is_in(state, cube));
                    prop_assert!(is_common || !is_state(state));
                    if table != 0 {
                        prop_assert!(!(is_common && is_some) || is_state(state));
                        prop_assert!(cover.has_more || !is_state(state) || is_some);
                    }
                }
                prop_assert!(!cover.has_more || cover.cubes.len() == MAX_CUBES);
                for cube in &cover.cubes {
                    for index in 0..cube.len() {
                        let mut fewer = cube.clone();
                        fewer.remove(index);
                        let mut wider = (0..1usize << N)
                            .filter(|&state| is_in(state, &fewer) && is_in(state, &cover.common));
                        prop_assert!(wider.any(|state| !is_state(state)));
                    }
                }
            }

            /// Every location that is reached has one vertex of its own, which covers the others; a run to the error is
            /// marked from its start to its end.
            #[test]
            fn drawings_have_what_is_reached(seed in 1u64..) {
                let small = small(seed);
                let query = Query { draws: true, ..Query::of(Bad::Error) };
                let (_, drawing) = run(&small.cfa, query, &Options::default(), Alone::new().control());
                let vertices = drawing.expect("it was asked for").vertices;
                let is_unsafe = small.reached(&small.cfa)[0];
                let error = &small.cfa.location(Cfa::ERROR).name;
                for (index, vertex) in vertices.iter().enumerate() {
                    prop_assert_eq!(vertex.parent.is_none(), index == 0);
                    prop_assert!(vertex.parent.is_none_or(|parent| parent < index));
                    match vertex.covered_by {
                        Some(by) => {
                            prop_assert!(by < index && vertices[by].covered_by.is_none());
                            prop_assert_eq!(&vertices[by].location, &vertex.location);
                            prop_assert!(vertices.iter().all(|other| other.parent != Some(index)));
                        }
                        None => {
                            let mut before = vertices[..index].iter();
                            prop_assert!(before.all(|other| other.location != vertex.location));
                        }
                    }
                    prop_assert!(is_unsafe || !vertex.is_open && !vertex.is_on_run);
                }
                let errors = vertices.iter().filter(|vertex| &vertex.location == error);
                let errors: Vec<&DrawnVertex> = errors.collect();
                prop_assert_eq!(errors.len(), usize::from(is_unsafe));
                prop_assert!(errors.iter().all(|vertex| vertex.is_on_run && vertices[0].is_on_run));
            }
        }

    /// Where the operations do not suffice, no label is made.
    #[test]
    fn operations_are_limited() {
        let alone = Alone::new();
        let control = alone.control();
        let diagrams = Diagrams::new(2 * N as VarNo, 1 << 12, control.stop);
        let (function, literals) = states(&diagrams, 0x1234_5678).expect("there is memory");
        for operations in 0..2 * N {
            assert!(Coverer { operations }.cover(&function, &literals).is_err());
        }
    }
}
