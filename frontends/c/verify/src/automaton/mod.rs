//! A program as a control-flow automaton.
//!
//! Symbolic execution cuts the program, at the heads of loops or at every block, and determines the varying
//! cells at each cut (`fixpoint`). The cuts become the locations of a [`Cfa`], the varying cells its words,
//! and the execution between two cuts an edge. Paths and invariants of the automaton are translated back to
//! the source here as well (`report`).

mod backward_claims;
mod cell;
mod derived_index;
mod domain;
mod element_claims;
mod first_change;
mod fixpoint;
mod for_all;
mod other_reads;
mod pair_claims;
mod report;
mod solved_index;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use craig_mc::Control;
use craig_model::{Trace, UnknownReason};
use craig_program::{Assignment, Blocks, Cfa, CfaModel, EdgeId, LocationId, Visit};
use craig_word::Term;

use self::cell::{AtCut, Cell, Known};
pub(crate) use self::derived_index::Derived;
use self::derived_index::SecondIndex;
use self::element_claims::{element_claims, likely_addresses};
use self::first_change::{FirstChange, words_of_errors};
use self::fixpoint::{Analysis, OverApproximation};
use self::for_all::FollowedArrays;
use self::pair_claims::{MAX_RELATIONS, Relation, index_pair, relations};
use crate::path_facts::facts;
use craig_c_exec::concrete::replay::Fact;
use craig_c_exec::symbolic::free_values::{FreeValues, evaluator};
use craig_c_exec::symbolic::{COUNTER_BITS, Cut, IndexChoice, Log, Mark, Summaries, gate};
use craig_c_lang::address_space::AddressSpace;
use craig_c_lang::ir::{FunctionId, Location, Program};
use craig_c_lang::property::Property;

/// A program as a control-flow automaton, with the data to translate its paths.
pub(crate) struct Automaton<'p> {
    pub(crate) cfa: Cfa,
    program: &'p Program,
    over: OverApproximation,
    space: AddressSpace,
    /// The inner locations are the cuts, in this order.
    cuts: Vec<(Cut, AtCut)>,
    /// The logs of the edges from the start, and from each cut.
    logs: Vec<Log>,
    variables: BTreeMap<Cell, Term>,
    /// The functions with a single calling context.
    called_once: HashSet<FunctionId>,
    /// The goal of each edge to the error, if runs of the program go on behind goals.
    pub(crate) goals: Vec<(EdgeId, Property)>,
    /// Whether its runs are those of the program; else they are more.
    pub(crate) is_exact: bool,
    /// The number of arrays of which an element is tracked.
    pub(crate) n_elements: usize,
    /// These arrays, and what the frozen indices are chosen by.
    followed: Option<FollowedArrays>,
    /// Whether some error depends on two elements.
    pub(crate) reads_two: bool,
    /// Whether some error depends on what a loop computes from elements.
    pub(crate) has_changes: bool,
}

/// What is found while an automaton is made of an analysis.
#[derive(Default)]
struct Findings {
    /// See [`Automaton::goals`].
    goals: Vec<(EdgeId, Property)>,
    /// How the indices of two reads are related that one error depends on.
    related: Vec<Relation>,
    has_changes: bool,
    /// How two frozen indices are related in all runs of the automaton, if they are.
    relation: Option<Term>,
}

impl<'p> Automaton<'p> {
    pub(crate) fn new(
        program: &'p Program,
        blocks: Blocks,
        control: &Control,
    ) -> Result<Self, UnknownReason> {
        let over = OverApproximation::None;
        Self::of(Analysis::new(program, blocks, over, control)?)
    }

    /// The same, but objects that are large, or many, may have no contents: an over-approximation, unless
    /// [`Self::is_exact`].
    pub(crate) fn forgetful(
        program: &'p Program,
        blocks: Blocks,
        control: &Control,
    ) -> Result<Self, UnknownReason> {
        let over = OverApproximation::Forgetful;
        Self::of(Analysis::new(program, blocks, over, control)?)
    }

    /// The same program, or over-approximation, cut into other blocks. `None` where what is tracked of objects goes with
    /// the steps between loop heads.
    pub(crate) fn cut_again(
        &self,
        blocks: Blocks,
        control: &Control,
    ) -> Result<Option<Self>, UnknownReason> {
        match self.over {
            OverApproximation::None | OverApproximation::Forgetful => {
                let analysis = Analysis::new(self.program, blocks, self.over, control)?;
                Self::of(analysis).map(Some)
            }
            OverApproximation::Summaries | OverApproximation::Elements { .. } => Ok(None),
        }
    }

    /// An over-approximation with summaries of the objects that allocations in loops make. Only a proof of it
    /// says something about the program. `None` if no loop allocates objects.
    pub(crate) fn with_summaries(
        program: &'p Program,
        control: &Control,
    ) -> Result<Option<Self>, UnknownReason> {
        let over = OverApproximation::Summaries;
        let analysis = Analysis::new(program, Blocks::Large, over, control)?;
        let summaries = analysis.executor.summaries.as_ref();
        match summaries.is_some_and(Summaries::is_used) {
            true => Self::of(analysis).map(Some),
            false => Ok(None),
        }
    }

    /// An over-approximation in which one element is tracked of arrays that are large or of unknown size, and
    /// of those with more than `most` elements that are accessed at unknown indices. Only a proof of it says
    /// something about the program. `None` if there is no such array.
    pub(crate) fn with_elements(
        program: &'p Program,
        blocks: Blocks,
        (most, choice): (u64, IndexChoice),
        control: &Control,
    ) -> Result<Option<Self>, UnknownReason> {
        let over = OverApproximation::Elements { most, choice };
        let analysis = Analysis::new(program, blocks, over, control)?;
        let elements = analysis.executor.elements.as_ref();
        match elements.is_some_and(|elements| !elements.tracked.is_empty()) {
            true => Self::of(analysis).map(Some),
            false => Ok(None),
        }
    }

    /// The same with a second index that is this function of the first one.
    pub(crate) fn with_derived_index(
        program: &'p Program,
        (most, derived): (u64, Derived),
        control: &Control,
    ) -> Result<Option<Self>, UnknownReason> {
        let choice = IndexChoice::Derived;
        let over = OverApproximation::Elements { most, choice };
        let analysis = Analysis::new(program, Blocks::Large, over, control)?;
        let elements = analysis.executor.elements.as_ref();
        match elements.is_some_and(|elements| !elements.tracked.is_empty()) {
            true => Self::of_derived(analysis, Some(derived)).map(Some),
            false => Ok(None),
        }
    }

    fn of(analysis: Analysis<'p>) -> Result<Self, UnknownReason> {
        Self::of_derived(analysis, None)
    }

    fn of_derived(
        mut analysis: Analysis<'p>,
        derived: Option<Derived>,
    ) -> Result<Self, UnknownReason> {
        let program = analysis.executor.program;
        let (cfa, findings) = automaton(&mut analysis, derived);
        let Analysis {
            over,
            executor,
            cuts,
            mut logs,
            variables,
            ..
        } = analysis;
        for log in &mut logs {
            log.exits = Vec::new();
        }
        let followed = executor.elements.as_ref().map(|elements| FollowedArrays {
            index: elements.index,
            tracked: elements.tracked.clone(),
            choice: elements.choice,
            relation: findings.relation,
            slots: executor.local_objects().collect(),
        });
        let n_elements = (executor.elements.as_ref()).map_or(0, |elements| elements.tracked.len());
        let is_exact = executor.summaries.is_none() && !executor.has_forgotten;
        let functions = 0..program.functions.len() as FunctionId;
        let called_once = functions
            .filter(|&function| executor.n_contexts(function) == 1)
            .collect();
        Ok(Self {
            cfa,
            program,
            over,
            space: executor.space,
            cuts,
            logs,
            variables,
            called_once,
            goals: findings.goals,
            is_exact,
            n_elements,
            followed,
            reads_two: !findings.related.is_empty(),
            has_changes: findings.has_changes,
        })
    }

    pub(crate) fn n_cuts(&self) -> usize {
        self.cuts.len()
    }

    /// Whether some path ends at an unsupported construct.
    pub(crate) fn has_stuck(&self) -> bool {
        !self.cfa.incoming(Cfa::UNSUPPORTED).is_empty()
    }

    /// The first unsupported construct, as a fallback for messages.
    pub(crate) fn first_stuck(&self) -> Option<&Mark> {
        self.logs.iter().flat_map(|log| &log.stuck).next()
    }

    /// The facts on the path of a trace.
    pub(crate) fn facts(&self, encoded: &CfaModel, trace: &Trace) -> Vec<Fact> {
        self.facts_of(encoded.visits(&self.cfa, trace))
    }

    /// What happened on a path, from the values before each of its edges.
    pub(crate) fn facts_of(&self, visits: Vec<Visit>) -> Vec<Fact> {
        let mut found = Vec::new();
        // The logs are in the order of the locations with outgoing edges.
        let logs: HashMap<LocationId, &Log> = self.cfa.sources().zip(&self.logs).collect();
        for visit in visits {
            let Some(log) = visit.location.and_then(|location| logs.get(&location)) else {
                continue;
            };
            let model = FreeValues {
                values: visit.values,
                blanks: HashMap::new(),
            };
            let terms = &self.cfa.terms;
            let mut evaluator = evaluator(terms, &model.values);
            found.extend(facts(
                terms,
                &self.space,
                &log.events,
                &model,
                &mut evaluator,
            ));
        }
        found
    }
}

/// The automaton of an analysed program. Takes the terms of the executor.
fn automaton(analysis: &mut Analysis<'_>, derived: Option<Derived>) -> (Cfa, Findings) {
    let program = analysis.executor.program;
    let zero = analysis.executor.terms.constant(0, COUNTER_BITS);
    let mut cfa = Cfa::new(std::mem::take(&mut analysis.executor.terms));
    let mut names: HashMap<Cell, String> = HashMap::new();
    for (_, at) in &analysis.cuts {
        for &cell in at.known.keys() {
            let name = || cell.name(program, &at.position);
            names.entry(cell).or_insert_with(name);
        }
    }
    for (cell, &variable) in &analysis.variables {
        cfa.add_word(variable, names.get(cell).cloned().unwrap_or_default());
    }
    for (cell, domain) in &analysis.domains {
        let name = names.get(cell).cloned().unwrap_or_default();
        cfa.add_word(domain.index, format!("{name}#"));
    }
    let mut logs = std::mem::take(&mut analysis.logs);
    // What counts only where the reads that it depends on are of tracked memory.
    let choice = (analysis.executor.elements.as_ref()).map(|elements| elements.choice);
    let changing = words_of_errors(analysis, &mut cfa.terms, &logs);
    let has_changes = !changing.is_empty();
    let change =
        (choice == Some(IndexChoice::Change)).then(|| FirstChange::new(&mut cfa.terms, changing));
    if let Some(change) = &change {
        cfa.add_word(change.happened, "a read has changed a word");
    }
    let mut location_of: HashMap<Cut, LocationId> = HashMap::new();
    for (cut, at) in &analysis.cuts {
        let (mut words, numbers) = carried(at, analysis);
        words.extend(change.as_ref().map(|change| change.happened));
        let function = &program.functions[at.position.call.function as usize];
        let place = program.place(place_of(function, cut));
        let name = format!("{place} {}", function.name);
        location_of.insert(*cut, cfa.add_location(name, words, numbers));
    }
    let sources: Vec<LocationId> = cfa.sources().collect();
    let mut goals = Vec::new();
    let (gates_errors, gates_stuck) = (choice != Some(IndexChoice::Store), choice.is_none());
    let mut related = BTreeSet::new();
    let likely = likely_addresses(analysis, &mut cfa.terms);
    let second = derived.and_then(|derived| SecondIndex::new(derived, analysis));
    for (&source, log) in sources.iter().zip(&mut logs) {
        if choice.is_some() {
            let mut pairs = BTreeSet::new();
            for mark in &log.errors {
                pairs.extend(index_pair(&mut cfa.terms, &log.reads, mark.guard, &likely));
            }
            for pair in pairs {
                related.extend(relations(&cfa.terms, pair));
            }
        }
        let errors = log.errors.iter_mut().filter(|_| gates_errors);
        for mark in errors.chain(log.stuck.iter_mut().filter(|_| gates_stuck)) {
            mark.guard = match &change {
                Some(change) if source != Cfa::START => {
                    change.error(&mut cfa.terms, &log.reads, mark.guard)
                }
                _ => gate(&mut cfa.terms, &log.reads, mark.guard),
            };
        }
        if let Some(second) = &second
            && let Some(cut) = source.index().checked_sub(3)
            && let Some(holds) = second.at_cut(analysis, &mut cfa.terms, &analysis.cuts[cut].1)
        {
            for mark in &mut log.errors {
                mark.guard = cfa.terms.and(mark.guard, holds);
            }
        }
        let log = &*log;
        let goes_on = match program.passes_goals {
            true => add_goals(&mut cfa, source, &log.errors, &mut goals),
            false => {
                for mark in &log.errors {
                    cfa.add_edge(source, Cfa::ERROR, mark.guard, Vec::new());
                }
                None
            }
        };
        let guarded = |cfa: &mut Cfa, guard: Term| match goes_on {
            Some(goes_on) => cfa.terms.and(guard, goes_on),
            None => guard,
        };
        for mark in &log.stuck {
            let guard = guarded(&mut cfa, mark.guard);
            cfa.add_edge(source, Cfa::UNSUPPORTED, guard, Vec::new());
        }
        for (cut, position, state) in &log.exits {
            let mut cells = analysis.cells(position, state);
            let target = location_of[cut];
            let known = &analysis.cuts[target.index() - 3].1.known;
            let before = source
                .index()
                .checked_sub(3)
                .map(|cut| &analysis.cuts[cut].1.known);
            for cell in known.keys() {
                if matches!(cell, Cell::Counter { .. }) {
                    cells.entry(*cell).or_insert(Some(zero));
                }
            }
            let assigned = cells.iter().filter_map(|(cell, &value)| {
                let value = value?;
                let word = match known.get(cell) {
                    Some(Known::Varies(..)) => {
                        let word = analysis.variables[cell];
                        // A word with constant last bits keeps the others.
                        if let Some(Known::Varies(_, low)) = before.and_then(|old| old.get(cell))
                            && value == low.put(&mut cfa.terms, word)
                        {
                            return None;
                        }
                        word
                    }
                    Some(Known::Among(_)) => {
                        let domain = &analysis.domains[cell];
                        let old = match before.and_then(|before| before.get(cell)) {
                            Some(Known::Among(old)) => Some(domain.value(&mut cfa.terms, old)),
                            _ => None,
                        };
                        let code = domain.encoded(&mut cfa.terms, value, old);
                        let word = domain.index;
                        return (code != word).then_some(Assignment { word, value: code });
                    }
                    _ => return None,
                };
                (value != word).then_some(Assignment { word, value })
            });
            let mut assignments: Vec<Assignment> = assigned.collect();
            let guard = analysis.executor.guards.term(state.guard);
            let mut guard = guarded(&mut cfa, guard);
            if source == Cfa::START
                && let Some(second) = &second
                && let Some(holds) = second.at_start(&mut cfa.terms, &cells)
            {
                guard = cfa.terms.and(guard, holds);
            }
            if let Some(change) = &change {
                let word = change.happened;
                let carried = cfa.location(source).words.clone();
                let value = match source == Cfa::START {
                    true => cfa.terms.boolean(false),
                    false => {
                        let (gated, value) =
                            change.gated(&mut cfa.terms, &log.reads, guard, &assignments, &carried);
                        guard = gated;
                        value
                    }
                };
                assignments.push(Assignment { word, value });
            }
            cfa.add_edge(source, target, guard, assignments);
        }
    }
    cfa.close_words();
    for (&source, log) in sources.iter().zip(&logs) {
        for &(guard, condition) in &log.claims {
            if source != Cfa::START {
                let fails = cfa.terms.not(condition);
                let breaks = cfa.terms.and(guard, fails);
                let claim = cfa.terms.not(breaks);
                cfa.add_claim(source, claim);
            }
        }
    }
    let mut related: Vec<Relation> = related.into_iter().take(MAX_RELATIONS).collect();
    if let Some(second) = &second {
        related = second.relation(analysis, &cfa.terms).into_iter().collect();
    }
    let claims = element_claims(analysis, &mut cfa, &logs, &related);
    for (cut, claim) in claims.likely {
        cfa.add_claim(sources[cut + 1], claim);
    }
    let relation = (second.as_ref()).and_then(|second| second.always(&mut cfa.terms));
    if let Some(holds) = relation {
        for &source in &sources[1..] {
            cfa.add_claim(source, holds);
        }
    }
    if let Some(change) = &change {
        let never = cfa.terms.not(change.happened);
        for &source in &sources[1..] {
            cfa.add_claim(source, never);
        }
    }
    cfa.try_first();
    for (cut, claim) in claims.others {
        cfa.add_claim(sources[cut + 1], claim);
    }
    analysis.logs = logs;
    debug_assert_eq!(cfa.check(), Ok(()));
    let findings = Findings {
        goals,
        related,
        has_changes,
        relation,
    };
    (cfa, findings)
}

/// The width of the choice among the goals of one location.
const CHOICE_BITS: u32 = 32;

/// Adds an edge to the error for each goal of a location. Their marks do not end the path, so that an input
/// chooses between them and the other edges: the returned condition is that the path goes on, if there is a
/// choice.
fn add_goals(
    cfa: &mut Cfa,
    source: LocationId,
    marks: &[Mark],
    goals: &mut Vec<(EdgeId, Property)>,
) -> Option<Term> {
    let mut guards: BTreeMap<Property, Term> = BTreeMap::new();
    for mark in marks {
        let property = Property {
            at: mark.at,
            text: mark.text.clone(),
        };
        let terms = &mut cfa.terms;
        (guards.entry(property))
            .and_modify(|guard| *guard = terms.or(*guard, mark.guard))
            .or_insert(mark.guard);
    }
    if guards.is_empty() {
        return None;
    }
    let choice = cfa.terms.variable(CHOICE_BITS);
    for (number, (property, guard)) in (1..).zip(guards) {
        let number = cfa.terms.constant(number, CHOICE_BITS);
        let is_chosen = cfa.terms.eq(choice, number);
        let guard = cfa.terms.and(is_chosen, guard);
        if let Some(edge) = cfa.add_edge(source, Cfa::ERROR, guard, Vec::new()) {
            goals.push((edge, property));
        }
    }
    let none = cfa.terms.constant(0, CHOICE_BITS);
    Some(cfa.terms.eq(choice, none))
}

/// The varying words at a cut, and those of them that hold no addresses.
fn carried(at: &AtCut, analysis: &Analysis<'_>) -> (Vec<Term>, Vec<Term>) {
    let variables = &analysis.variables;
    // Guesses about these are made apart (see `element_claims`).
    let elements = analysis.executor.elements.as_ref();
    let is_of_element = |cell: Cell| match (cell, elements) {
        (Cell::Memory { object, .. }, Some(elements)) => {
            object == elements.index || elements.tracked.contains_key(&object)
        }
        _ => false,
    };
    let (mut words, mut numbers) = (Vec::new(), Vec::new());
    for (cell, known) in &at.known {
        if let Known::Among(_) = known {
            words.push(analysis.domains[cell].index);
        }
        if let Known::Varies(points, _) = known {
            words.push(variables[cell]);
            if points.objects.is_empty() && !points.unknown && !is_of_element(*cell) {
                numbers.push(variables[cell]);
            }
        }
    }
    (words, numbers)
}

/// The position of a cut in the source.
fn place_of(function: &craig_c_lang::ir::Function, cut: &Cut) -> Location {
    if let Some(head) = function.loops.get(&cut.block) {
        return head.at;
    }
    let block = &function.blocks[cut.block as usize];
    block.instrs.first().map_or(block.end_at, |&(_, at)| at)
}

#[cfg(test)]
mod tests;
