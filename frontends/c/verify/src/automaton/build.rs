//! The automaton of an analysed program: a location for each cut, an edge for each way between two cuts.
//!
//! Where memory is tracked in part, a mark counts only in the runs in which what it depends on is tracked: its
//! condition is that of the program, gated (`gate`, [`FirstChange`]), and with a second index that is a function of the
//! first one, the condition that it is ([`SecondIndex`]).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use craig_c_exec::symbolic::{COUNTER_BITS, Cut, IndexChoice, Log, Mark, Position, State, gate};
use craig_c_lang::property::Property;
use craig_program::{Assignment, Cfa, EdgeId, LocationId};
use craig_word::Term;

use super::cell::{AtCut, Cell, Known, place_of};
use super::derived_index::{Derived, SecondIndex};
use super::element_candidates::{element_candidates, likely_addresses};
use super::first_change::{FirstChange, words_of_errors};
use super::fixpoint::Analysis;
use super::pair_candidates::{MAX_RELATIONS, Relation, index_pair, relations};

/// What is found while an automaton is made of an analysis.
#[derive(Default)]
pub(super) struct Findings {
    /// See [`super::Automaton::goals`].
    pub(super) goals: Vec<(EdgeId, Property)>,
    /// How the indices of two reads are related that one error depends on.
    pub(super) related: Vec<Relation>,
    pub(super) has_changes: bool,
    /// How two prophecy indices are related in all runs of the automaton, if they are.
    pub(super) relation: Option<Term>,
}

/// The automaton of an analysed program. Takes the terms of the executor.
pub(super) fn automaton(analysis: &mut Analysis<'_>, derived: Option<Derived>) -> (Cfa, Findings) {
    let mut builder = Builder::new(analysis, derived);
    for number in 0..builder.sources.len() {
        builder.add_edges(number);
    }
    builder.cfa.close_words();
    builder.add_candidates_of_program();
    let (related, relation) = builder.add_candidates();
    builder.finish(related, relation)
}

/// The number of the first location of a cut: those before are the start, the error and what is not supported.
const FIRST_CUT: usize = 3;

/// The number of the cut that a location stands for; the start has none.
fn cut_of(location: LocationId) -> Option<usize> {
    location.index().checked_sub(FIRST_CUT)
}

/// An automaton that is being made.
struct Builder<'a, 'p> {
    analysis: &'a mut Analysis<'p>,
    cfa: Cfa,
    /// What happens on the ways from the start and from each cut.
    logs: Vec<Log>,
    /// The start and the locations of the cuts, in the order of the logs.
    sources: Vec<LocationId>,
    location_of: HashMap<Cut, LocationId>,
    /// What the prophecy index is chosen by, if elements are tracked.
    choice: Option<IndexChoice>,
    change: Option<FirstChange>,
    second: Option<SecondIndex>,
    /// The code of the only address among the values of a word, by the word's index.
    likely: HashMap<Term, Term>,
    /// A counter that a state does not have.
    zero: Term,
    related: BTreeSet<Relation>,
    goals: Vec<(EdgeId, Property)>,
    has_changes: bool,
}

impl<'a, 'p> Builder<'a, 'p> {
    /// The locations with their words, and what gates the marks.
    fn new(analysis: &'a mut Analysis<'p>, derived: Option<Derived>) -> Self {
        let zero = analysis.executor.terms.constant(0, COUNTER_BITS);
        let mut cfa = Cfa::new(std::mem::take(&mut analysis.executor.terms));
        add_words(&mut cfa, analysis);
        let logs = std::mem::take(&mut analysis.logs);
        let choice = (analysis.executor.elements.as_ref()).map(|elements| elements.choice);
        let changing = words_of_errors(analysis, &mut cfa.terms, &logs);
        let has_changes = !changing.is_empty();
        let change = (choice == Some(IndexChoice::Change))
            .then(|| FirstChange::new(&mut cfa.terms, changing));
        if let Some(change) = &change {
            cfa.add_word(change.happened, "a read has changed a word");
        }
        let location_of = add_locations(&mut cfa, analysis, change.as_ref());
        let likely = likely_addresses(analysis, &mut cfa.terms);
        let second = derived.and_then(|derived| SecondIndex::new(derived, analysis));
        Self {
            sources: cfa.sources().collect(),
            analysis,
            cfa,
            logs,
            location_of,
            choice,
            change,
            second,
            likely,
            zero,
            related: BTreeSet::new(),
            goals: Vec::new(),
            has_changes,
        }
    }

    /// The edges from the start or a cut.
    fn add_edges(&mut self, number: usize) {
        let source = self.sources[number];
        let mut log = std::mem::take(&mut self.logs[number]);
        self.note_relations(&log);
        self.gate_marks(source, &mut log);
        self.require_second_index(source, &mut log);
        let goes_on = self.add_errors(source, &log.errors);
        for mark in &log.stuck {
            let guard = self.with(mark.guard, goes_on);
            (self.cfa).add_edge(source, Cfa::UNSUPPORTED, guard, Vec::new());
        }
        for exit in &log.exits {
            self.add_exit(source, &log, exit, goes_on);
        }
        self.logs[number] = log;
    }

    /// How the indices of two elements are related that one error depends on.
    fn note_relations(&mut self, log: &Log) {
        if self.choice.is_none() {
            return;
        }
        let mut pairs = BTreeSet::new();
        for mark in &log.errors {
            let terms = &mut self.cfa.terms;
            pairs.extend(index_pair(terms, &log.reads, mark.guard, &self.likely));
        }
        for pair in pairs {
            self.related.extend(relations(&self.cfa.terms, pair));
        }
    }

    /// Leaves marks out where the reads that they depend on are not of tracked memory.
    fn gate_marks(&mut self, source: LocationId, log: &mut Log) {
        let gates_errors = self.choice != Some(IndexChoice::Store);
        let gates_stuck = self.choice.is_none();
        let errors = log.errors.iter_mut().filter(|_| gates_errors);
        for mark in errors.chain(log.stuck.iter_mut().filter(|_| gates_stuck)) {
            let terms = &mut self.cfa.terms;
            mark.guard = match &self.change {
                Some(change) if source != Cfa::START => change.error(terms, &log.reads, mark.guard),
                _ => gate(terms, &log.reads, mark.guard),
            };
        }
    }

    /// Leaves errors out where the second index is not its function of the first one.
    fn require_second_index(&mut self, source: LocationId, log: &mut Log) {
        let (Some(second), Some(cut)) = (&self.second, cut_of(source)) else {
            return;
        };
        let at = &self.analysis.cuts[cut].1;
        let Some(holds) = second.at_cut(self.analysis, &mut self.cfa.terms, at) else {
            return;
        };
        for mark in &mut log.errors {
            mark.guard = self.cfa.terms.and(mark.guard, holds);
        }
    }

    /// The edges to the error. The condition that a path goes on, if marks do not end it.
    fn add_errors(&mut self, source: LocationId, errors: &[Mark]) -> Option<Term> {
        if self.analysis.executor.program.passes_goals {
            return add_goals(&mut self.cfa, source, errors, &mut self.goals);
        }
        for mark in errors {
            (self.cfa).add_edge(source, Cfa::ERROR, mark.guard, Vec::new());
        }
        None
    }

    fn with(&mut self, guard: Term, goes_on: Option<Term>) -> Term {
        match goes_on {
            Some(goes_on) => self.cfa.terms.and(guard, goes_on),
            None => guard,
        }
    }

    /// The edge to the cut where a path stops.
    fn add_exit(
        &mut self,
        source: LocationId,
        log: &Log,
        (cut, position, state): &(Cut, Position, State),
        goes_on: Option<Term>,
    ) {
        let target = self.location_of[cut];
        let mut cells = self.analysis.cells(position, state);
        let mut assignments = self.assignments((source, target), &mut cells);
        let guard = self.analysis.executor.guards.term(state.guard);
        let mut guard = self.with(guard, goes_on);
        if source == Cfa::START
            && let Some(second) = &self.second
            && let Some(holds) = second.at_start(&mut self.cfa.terms, &cells)
        {
            guard = self.cfa.terms.and(guard, holds);
        }
        guard = self.note_change(source, log, guard, &mut assignments);
        self.cfa.add_edge(source, target, guard, assignments);
    }

    /// The new values of the words that the target carries, of those that the edge changes.
    fn assignments(
        &mut self,
        (source, target): (LocationId, LocationId),
        cells: &mut BTreeMap<Cell, Option<Term>>,
    ) -> Vec<Assignment> {
        let analysis = &*self.analysis;
        let terms = &mut self.cfa.terms;
        let known = &analysis.cuts[target.index() - FIRST_CUT].1.known;
        let before = cut_of(source).map(|cut| &analysis.cuts[cut].1.known);
        for cell in known.keys() {
            if matches!(cell, Cell::Counter { .. }) {
                cells.entry(*cell).or_insert(Some(self.zero));
            }
        }
        let assigned = cells.iter().filter_map(|(cell, &value)| {
            let value = value?;
            let word = match known.get(cell) {
                Some(Known::Varies(..)) => {
                    let word = analysis.variables[cell];
                    // A word with constant last bits keeps the others.
                    if let Some(Known::Varies(_, low)) = before.and_then(|old| old.get(cell))
                        && value == low.put(terms, word)
                    {
                        return None;
                    }
                    word
                }
                Some(Known::Among(_)) => {
                    let domain = &analysis.domains[cell];
                    let old = match before.and_then(|before| before.get(cell)) {
                        Some(Known::Among(old)) => Some(domain.value(terms, old)),
                        _ => None,
                    };
                    let code = domain.encoded(terms, value, old);
                    let word = domain.index;
                    return (code != word).then_some(Assignment { word, value: code });
                }
                _ => return None,
            };
            (value != word).then_some(Assignment { word, value })
        });
        assigned.collect()
    }

    /// Keeps whether a read has changed a word on which an error depends. The condition of the edge, without the first
    /// changes by reads of other elements.
    fn note_change(
        &mut self,
        source: LocationId,
        log: &Log,
        guard: Term,
        assignments: &mut Vec<Assignment>,
    ) -> Term {
        let Some(change) = &self.change else {
            return guard;
        };
        let word = change.happened;
        let carried = self.cfa.location(source).words.clone();
        let terms = &mut self.cfa.terms;
        let (guard, value) = match source == Cfa::START {
            true => (guard, terms.boolean(false)),
            false => change.gated(terms, &log.reads, guard, assignments, &carried),
        };
        assignments.push(Assignment { word, value });
        guard
    }

    /// The conditions that the program states to hold where it is.
    fn add_candidates_of_program(&mut self) {
        for (&source, log) in self.sources.iter().zip(&self.logs) {
            if source == Cfa::START {
                continue;
            }
            for &(guard, condition) in &log.candidates {
                let terms = &mut self.cfa.terms;
                let fails = terms.not(condition);
                let breaks = terms.and(guard, fails);
                let candidate = terms.not(breaks);
                self.cfa.add_candidate(source, candidate);
            }
        }
    }

    /// Adds the candidate invariants about tracked elements and indices, those first that are likely to be enough. How the
    /// indices are related, and how they are in all runs of the automaton.
    fn add_candidates(&mut self) -> (Vec<Relation>, Option<Term>) {
        let related = self.relations();
        let candidates = element_candidates(self.analysis, &mut self.cfa, &self.logs, &related);
        for (cut, candidate) in candidates.likely {
            self.cfa.add_candidate(self.sources[cut + 1], candidate);
        }
        let relation = (self.second.as_ref()).and_then(|second| second.always(&mut self.cfa.terms));
        if let Some(holds) = relation {
            self.add_at_cuts(holds);
        }
        if let Some(change) = &self.change {
            let never = self.cfa.terms.not(change.happened);
            self.add_at_cuts(never);
        }
        self.cfa.try_first();
        for (cut, candidate) in candidates.others {
            self.cfa.add_candidate(self.sources[cut + 1], candidate);
        }
        (related, relation)
    }

    fn add_at_cuts(&mut self, candidate: Term) {
        for &source in &self.sources[1..] {
            self.cfa.add_candidate(source, candidate);
        }
    }

    /// How the indices are related for which candidates are made.
    fn relations(&self) -> Vec<Relation> {
        match &self.second {
            Some(second) => (second.relation(self.analysis, &self.cfa.terms).into_iter()).collect(),
            None => self.related.iter().copied().take(MAX_RELATIONS).collect(),
        }
    }

    /// Gives the logs back.
    fn finish(self, related: Vec<Relation>, relation: Option<Term>) -> (Cfa, Findings) {
        debug_assert_eq!(self.cfa.check(), Ok(()));
        let findings = Findings {
            related,
            relation,
            goals: self.goals,
            has_changes: self.has_changes,
        };
        self.analysis.logs = self.logs;
        (self.cfa, findings)
    }
}

/// Adds the varying words, under the names that they have at some cut.
fn add_words(cfa: &mut Cfa, analysis: &Analysis<'_>) {
    let program = analysis.executor.program;
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
}

/// Adds a location for each cut.
fn add_locations(
    cfa: &mut Cfa,
    analysis: &Analysis<'_>,
    change: Option<&FirstChange>,
) -> HashMap<Cut, LocationId> {
    let program = analysis.executor.program;
    let mut location_of = HashMap::new();
    for (cut, at) in &analysis.cuts {
        let (mut words, numbers) = carried(at, analysis);
        words.extend(change.map(|change| change.happened));
        let function = &program.functions[at.position.call.function as usize];
        let place = program.place(place_of(function, cut));
        let name = format!("{place} {}", function.name);
        location_of.insert(*cut, cfa.add_location(name, words, numbers));
    }
    location_of
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
    // Candidates about these are made apart (see `element_candidates`).
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
