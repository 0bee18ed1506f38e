//! The choice of templates for a path.

use std::collections::{HashMap, HashSet};

use craig_aig::Edge;
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::{Answer, Limits, Lit, Solver};
use craig_word::Term;

use super::cheapest::{Reply, cheapest};
use super::split::{Side, Split};
use super::table::{MAX_PAIRS, Table, TemplateId};
use crate::actions::{Actions, StateBit};
use crate::cfa::LocationId;
use crate::labels::{Labels, StateModel};
use crate::refutation::{Question, reached_limit};

/// Queries for one path or cut, at most.
pub(super) const MAX_QUERIES: usize = 80;
/// Conflicts of one query, at most.
pub(super) const MAX_CONFLICTS: u64 = 5_000;

/// A template at the location of some cuts: the links of these cuts are assumed together, so that a label of
/// the location is stated with the same templates at all its occurrences on the path.
pub(super) type Link = (LocationId, TemplateId);

/// What was found of a path.
pub(super) enum Selected {
    /// A run: the inputs of each step, and the bits of the last state.
    Run(Vec<HashMap<Term, u128>>, StateModel),
    /// Links that refute the path.
    Links(Vec<Link>),
    /// The path cannot be taken, and templates alone do not refute it.
    Outside,
    /// The question's limit on conflicts was reached.
    Open,
}

/// The cost of what a restricted language does not have: more than all links that a path can have.
const OUTSIDE: u32 = 1 << 24;

/// The cost of a link: `used` ones are cheap.
pub(super) fn cost(table: &Table, link: &Link, used: &HashSet<Link>) -> u32 {
    let entry = &table.entries[link.1];
    match used.contains(link) {
        true if entry.is_word => entry.cost / 2,
        true => 1,
        false => entry.cost,
    }
}

/// The link as far as it is encoded.
struct State {
    selector: Lit,
    is_encoded: bool,
}

/// Queries about a path with open cuts.
struct Queries<'a> {
    labels: &'a Labels,
    table: &'a Table,
    split: Split<Solver>,
    links: Vec<Link>,
    states: Vec<State>,
    /// By location on the path: its cuts, and where its links start in `links`.
    places: Vec<(LocationId, Vec<usize>, usize)>,
    place_of: HashMap<LocationId, usize>,
    stop: &'a Stop,
}

/// The cheapest links, as far as the limits allow, that refute a path. `used` links are cheap. In a restricted language, the bits of
/// words with more than one are no links.
pub(super) fn select(
    actions: &Actions,
    labels: &Labels,
    table: &Table,
    question: &Question<'_>,
    (used, is_restricted): (&HashSet<Link>, bool),
    stop: &Stop,
) -> Result<Selected, UnknownReason> {
    let mut queries = Queries::new(actions, labels, table, question, stop);
    let words: Vec<usize> = (0..queries.links.len())
        .filter(|&link| table.entries[queries.links[link].1].is_word)
        .collect();
    // With all bits of all words linked, the path is the given one.
    queries.limit(question.conflicts);
    let sufficient = match queries.solve(&words)? {
        Answer::Unsatisfiable => queries.core(&words),
        Answer::Satisfiable => return Ok(queries.run(actions, question)),
        Answer::Unknown => return Ok(Selected::Open),
    };
    let is_outside = |&(_, id): &Link| {
        let entry = &table.entries[id];
        is_restricted && entry.is_word && entry.bits.len() > 1
    };
    let costs: Vec<u32> = (queries.links.iter())
        .map(|link| match is_outside(link) {
            true => OUTSIDE,
            false => cost(table, link, used),
        })
        .collect();
    let mut choice = queries.cheapest(&costs, sufficient)?;
    if (choice.iter()).any(|&link| is_outside(&queries.links[link])) {
        // Only now are all templates of the path encoded.
        let language: Vec<usize> = (0..queries.links.len())
            .filter(|&link| !is_outside(&queries.links[link]))
            .collect();
        queries.limit(question.conflicts);
        let sufficient = match queries.solve(&language)? {
            Answer::Unsatisfiable => queries.core(&language),
            Answer::Satisfiable => return Ok(Selected::Outside),
            Answer::Unknown => return Ok(Selected::Open),
        };
        choice = queries.cheapest(&costs, sufficient)?;
    }
    let links = choice.iter().map(|&link| queries.links[link]);
    Ok(Selected::Links(links.collect()))
}

impl<'a> Queries<'a> {
    fn new(
        actions: &Actions,
        labels: &'a Labels,
        table: &'a Table,
        question: &Question<'_>,
        stop: &'a Stop,
    ) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let mut split = Split::new(solver, actions, labels, question);
        let mut places: Vec<(LocationId, Vec<usize>, usize)> = Vec::new();
        let mut place_of: HashMap<LocationId, usize> = HashMap::new();
        for (step, &action) in question.path.iter().enumerate() {
            let location = actions.action(action).target;
            let place = *place_of.entry(location).or_insert_with(|| {
                places.push((location, Vec::new(), 0));
                places.len() - 1
            });
            places[place].1.push(step + 1);
        }
        let mut links = Vec::new();
        for (location, _, first) in &mut places {
            *first = links.len();
            links.extend(table.at(*location).iter().map(|&id| (*location, id)));
        }
        let states = (links.iter())
            .map(|_| State {
                selector: split.sink.new_var().positive(),
                is_encoded: false,
            })
            .collect();
        Self {
            labels,
            table,
            split,
            links,
            states,
            places,
            place_of,
            stop,
        }
    }

    /// Limits the conflicts of each query.
    fn limit(&mut self, conflicts: Option<u64>) {
        self.split.sink.set_limits(Limits {
            conflicts,
            propagations: None,
        });
    }

    /// Links of a low cost that refute the path, as `sufficient` does.
    fn cheapest(
        &mut self,
        costs: &[u32],
        sufficient: Vec<usize>,
    ) -> Result<Vec<usize>, UnknownReason> {
        self.limit(Some(MAX_CONFLICTS));
        let mut ask = |trial: &[usize]| self.reply(trial);
        let choice = cheapest(costs, sufficient, MAX_QUERIES, &mut ask)?;
        Ok(choice.links)
    }

    /// Encodes the equalities of a link.
    fn encode(&mut self, link: usize) {
        if std::mem::replace(&mut self.states[link].is_encoded, true) {
            return;
        }
        let selector = self.states[link].selector;
        let (location, id) = self.links[link];
        let cuts = self.places[self.place_of[&location]].1.clone();
        for cut in cuts {
            for bit in linked_bits(self.table, id, &self.split, cut) {
                let aig = &self.labels.aig;
                let behind = self.split.value(aig, bit, cut, Side::Behind);
                let before = self.split.value(aig, bit, cut, Side::Before);
                self.split.sink.add_clause(&[!selector, !behind, before]);
                self.split.sink.add_clause(&[!selector, behind, !before]);
            }
        }
    }

    /// Solves the path under links. `Unknown` is an error only if the search has to end.
    fn solve(&mut self, links: &[usize]) -> Result<Answer, UnknownReason> {
        for &link in links {
            self.encode(link);
        }
        let assumptions: Vec<Lit> = links
            .iter()
            .map(|&link| self.states[link].selector)
            .collect();
        let answer = self.split.sink.solve(&assumptions);
        if answer == Answer::Unknown && !reached_limit(&self.split.sink) {
            return Err(why_stopped(self.stop));
        }
        Ok(answer)
    }

    /// The links that the last refutation needs.
    fn core(&self, links: &[usize]) -> Vec<usize> {
        let failed = self.split.sink.failed_assumptions();
        let is_failed = |&&link: &&usize| failed.contains(&self.states[link].selector);
        links.iter().filter(is_failed).copied().collect()
    }

    fn reply(&mut self, trial: &[usize]) -> Result<Reply, UnknownReason> {
        Ok(match self.solve(trial)? {
            Answer::Unsatisfiable => Reply::Refuted(self.core(trial)),
            Answer::Satisfiable => Reply::Violated(self.violated()),
            Answer::Unknown => Reply::Open,
        })
    }

    /// The links that the last model violates.
    fn violated(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for (location, cuts, first) in &self.places {
            let n_links = self.table.at(*location).len();
            let mut is_violated = vec![false; n_links];
            for some in cuts.chunks(MAX_PAIRS) {
                let mut values: HashMap<StateBit, u64> = HashMap::new();
                for (index, &cut) in some.iter().enumerate() {
                    for (side, shift) in [(Side::Behind, 2 * index), (Side::Before, 2 * index + 1)]
                    {
                        for &(bit, lit) in self.split.side(cut, side) {
                            let is_true = self.split.sink.value(lit) == Some(true);
                            *values.entry(bit).or_default() |= u64::from(is_true) << shift;
                        }
                    }
                }
                let value = |bit: StateBit| values.get(&bit).copied().unwrap_or(0);
                let differing = self.table.differing(&self.labels.aig, *location, &value);
                for ((is_violated, &id), pairs) in is_violated
                    .iter_mut()
                    .zip(self.table.at(*location))
                    .zip(differing)
                {
                    let entry = &self.table.entries[id];
                    *is_violated |= some.iter().enumerate().any(|(index, &cut)| {
                        // Bits of words that are not linked are 0 on both sides here.
                        pairs >> (2 * index) & 1 == 1
                            && (entry.is_word || self.split.has(cut, &entry.support))
                    });
                }
            }
            let own = is_violated.iter().enumerate();
            found.extend(own.filter(|(_, is)| **is).map(|(index, _)| first + index));
        }
        found
    }

    /// The run of the last model, in which all words are linked.
    fn run(&self, actions: &Actions, question: &Question<'_>) -> Selected {
        let solver = &self.split.sink;
        let choices = self.split.choices(actions, question.path);
        let chosen = choices.into_iter().map(|inputs| {
            let mut values: HashMap<Term, u128> = HashMap::new();
            for (input, lit) in inputs {
                if solver.value(lit) == Some(true) {
                    let (term, bit) = actions.chosen(input);
                    *values.entry(term).or_insert(0) |= 1 << bit;
                }
            }
            values
        });
        let mut end = vec![0; actions.bits().len().div_ceil(64)];
        for &(bit, lit) in self.split.side(question.path.len(), Side::Before) {
            if solver.value(lit) == Some(true) {
                end[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        Selected::Run(chosen.collect(), end.into_boxed_slice())
    }
}

/// The bits of a template that are linked at a cut: all, if the rest of the path reads everything that it
/// reads; of a word those that the rest of the path reads.
pub(super) fn linked_bits<S: craig_solver::encode::LabelledClauseSink>(
    table: &Table,
    id: TemplateId,
    split: &Split<S>,
    cut: usize,
) -> Vec<Edge> {
    let entry = &table.entries[id];
    if entry.is_word {
        let bits = entry.bits.iter().zip(&entry.support);
        let linked = bits.filter(|&(_, &bit)| split.has(cut, &[bit]));
        return linked.map(|(&edge, _)| edge).collect();
    }
    match split.has(cut, &entry.support) {
        true => entry
            .bits
            .iter()
            .copied()
            .filter(|bit| !bit.is_constant())
            .collect(),
        false => Vec::new(),
    }
}
