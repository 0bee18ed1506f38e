//! What a certificate says about all elements, for readers: the candidates about tracked elements that it implies.
//!
//! A candidate is printed if it follows from the certificate's property where the program is at its loop, by one query,
//! however the certificate was found. So it is true in all states of the automaton there, and by the simulation for each
//! `k` (and `l`) that no step is left out for: see [`scope`]. It is written as an expression of C whose value is that of
//! the candidate ([`craig_word::Terms::c_condition`]); what cannot be written so is not printed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

use craig_aig::{Aig, Edge};
use craig_model::{Certificate, Stop};
use craig_program::{CfaModel, LocationId};
use craig_solver::{Answer, Lit};
use craig_word::{Blaster, Node, Op, Term};

use super::Automaton;
use super::cell::{AtCut, Cell, Known, place_of};
use crate::certified_property::CertifiedProperty;
use crate::evidence::{CallPlace, ElementInvariant};
use craig_c_exec::symbolic::{Cut, INDEX_BITS, IndexChoice};
use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::Program;
use craig_c_lang::types::{IntType, Type, Types};

/// The most lines at one loop that are found, and that are printed of those that do not follow from the others.
const MAX_FOUND: usize = 24;
const MAX_LINES: usize = 4;
/// Larger candidates are not printed.
const MAX_OPERATORS: usize = 40;

/// Names of words in C: each with the sign of its type.
type Names = HashMap<Term, (String, bool)>;

/// The property of a certificate, with the words of the automaton.
struct Property {
    of_certificate: CertifiedProperty,
    blaster: Blaster,
}

impl Property {
    /// Whether a literal follows from those of lines, whatever the property says.
    fn follows(&mut self, lines: &[Line], literal: Lit) -> bool {
        let known = lines.iter().map(|line| line.holds);
        self.excludes(&known.chain([!literal]).collect::<Vec<_>>())
    }

    /// Whether these cannot hold together.
    fn excludes(&mut self, all: &[Lit]) -> bool {
        self.of_certificate.solve(all) == Answer::Unsatisfiable
    }
}

/// A candidate that can be printed.
struct Candidate {
    term: Term,
    scope: String,
    premise: Option<(Term, String)>,
    value: String,
}

/// A line, with the literals of its candidate and of its premise.
struct Line {
    holds: Lit,
    premise: Option<Lit>,
    printed: ElementInvariant,
}

impl Line {
    fn says(&self, scope: &str, value: &str) -> bool {
        self.printed.scope == scope && self.printed.value == value
    }
}

impl Automaton<'_> {
    /// What the property of a certificate says about all elements at the loops, in each calling context of their functions;
    /// `None` if no elements are tracked at prophecy indices. The loops share the time for that.
    pub(crate) fn for_all(
        &mut self,
        encoded: &CfaModel,
        certificate: &Certificate,
        stop: &Stop,
    ) -> Option<Vec<ElementInvariant>> {
        self.arrays.as_ref()?;
        let start = Instant::now();
        let mut property = self.property(encoded, certificate, stop);
        let mut found = Vec::new();
        let bound = bound_names(self.program);
        let locations: Vec<LocationId> = self.cfa.sources().skip(1).collect();
        let n_locations = locations.len() as u32;
        for (number, location) in locations.into_iter().enumerate() {
            // What the loops before leave of their shares is for the later ones.
            let end = self.extent.printed.saturating_mul(number as u32 + 1) / n_locations;
            let (cut, at) = &self.cuts[number];
            let id = at.position.call.function;
            let function = &self.program.functions[id as usize];
            if !function.loops.contains_key(&cut.block) {
                continue;
            }
            let (place, name) = (place_of(function, cut), function.name.clone());
            let calls = self.calls_to(at);
            let names = self.names_at(cut, at, &bound);
            let code = encoded.code(location).unwrap_or_default();
            let assumptions = property.of_certificate.at(encoded, code);
            let mut lines: Vec<Line> = Vec::new();
            for candidate in self.candidates(location, &names, &bound) {
                if lines.len() == MAX_FOUND || start.elapsed() > end {
                    break;
                }
                let holds = self.blasted(&mut property, candidate.term);
                let with = |more: &[Lit]| [&assumptions[..], more].concat();
                if !property.excludes(&with(&[!holds])) {
                    continue;
                }
                let text = candidate.premise.as_ref().map(|(_, text)| text.clone());
                let premise = candidate.premise.map(|(premise, _)| premise);
                let premise = premise.map(|premise| self.blasted(&mut property, premise));
                // What is about no state, or follows from what is found already, tells nothing.
                let is_void = premise.is_some_and(|premise| property.excludes(&with(&[premise])));
                if is_void || property.follows(&lines, holds) {
                    continue;
                }
                // Of two premises of one conclusion, the weaker one is enough.
                let mut implies = |first: Option<Lit>, second: Option<Lit>| match second {
                    None => true,
                    Some(second) => {
                        let first = first.into_iter();
                        let both: Vec<Lit> = first.chain([!second]).collect();
                        property.excludes(&with(&both))
                    }
                };
                let has_weaker = lines.iter().any(|line| {
                    line.says(&candidate.scope, &candidate.value) && implies(premise, line.premise)
                });
                if has_weaker {
                    continue;
                }
                lines.retain(|line| {
                    !line.says(&candidate.scope, &candidate.value)
                        || !implies(line.premise, premise)
                });
                let files = &self.program.files;
                let printed = ElementInvariant {
                    file: files.get(place.file as usize).cloned().unwrap_or_default(),
                    line: place.line,
                    column: place.column,
                    function: name.clone(),
                    calls: calls.clone(),
                    scope: candidate.scope,
                    premise: text,
                    value: candidate.value,
                };
                lines.push(Line {
                    holds,
                    premise,
                    printed,
                });
            }
            for position in (0..lines.len()).rev() {
                let line = lines.remove(position);
                if !property.follows(&lines, line.holds) {
                    lines.insert(position, line);
                }
            }
            // What is said of an element for the first time comes first.
            let mut said = BTreeSet::new();
            let lines = lines.into_iter().map(|line| line.printed);
            let (new, old): (Vec<_>, Vec<_>) =
                lines.partition(|line| said.insert((line.scope.clone(), line.value.clone())));
            found.extend(new.into_iter().chain(old).take(MAX_LINES));
        }
        Some(found)
    }

    /// The calls that tell the context of a cut from the others of its function, the innermost first. All iterations of the
    /// loop in this context pass the cut.
    fn calls_to(&self, at: &AtCut) -> Vec<CallPlace> {
        let mut calls = Vec::new();
        let mut own = &at.position.call;
        while !self.called_once.contains(&own.function)
            && let Some(caller) = &own.caller
        {
            let function = &self.program.functions[caller.function as usize];
            let place = function.blocks[own.caller_block as usize].end_at;
            let file = self.program.files.get(place.file as usize);
            calls.push(CallPlace {
                file: file.cloned().unwrap_or_default(),
                line: place.line,
                column: place.column,
                function: function.name.clone(),
            });
            own = caller;
        }
        calls
    }

    /// The property, over the words of the automaton that the certificate has.
    fn property(&self, encoded: &CfaModel, certificate: &Certificate, stop: &Stop) -> Property {
        let stop = stop.clone().within(100, self.extent.printed);
        let mut property = Property {
            of_certificate: CertifiedProperty::new(certificate, stop),
            blaster: Blaster::new(),
        };
        let latches = &property.of_certificate.latches;
        for word in self.cfa.words() {
            let own = encoded.latches(word.term).into_iter().flatten();
            let edges: Option<Vec<Edge>> = own.map(|latch| latches.get(latch).copied()).collect();
            if let Some(edges) = edges.filter(|edges| !edges.is_empty()) {
                property.blaster.set(word.term, &edges);
            }
        }
        property
    }

    /// A term of one bit as a literal. A word without latches may have any value: what is asked of it does not follow.
    fn blasted(&self, property: &mut Property, term: Term) -> Lit {
        let terms = &self.cfa.terms;
        let mut free = |aig: &mut Aig, term: Term| {
            let bits = 0..terms.width(term);
            bits.map(|_| aig.add_input()).collect()
        };
        let Property {
            of_certificate,
            blaster,
        } = property;
        let edge = blaster.blast(terms, &mut of_certificate.aig, term, &mut free)[0];
        of_certificate.literal(edge)
    }

    /// The candidates at a location that can be printed: equations first, then the smaller ones.
    fn candidates(
        &mut self,
        location: LocationId,
        names: &Names,
        bound: &[String; 2],
    ) -> Vec<Candidate> {
        let own_candidates = self.cfa.candidates().iter();
        let own_candidates = own_candidates.filter(|&&(own, _)| own == location);
        let mut sized: Vec<(usize, Term)> = own_candidates
            .map(|&(_, term)| (self.cfa.terms.cone(&[term], |_| false).len(), term))
            .filter(|&(size, _)| size <= MAX_OPERATORS)
            .collect();
        sized.sort_unstable();
        sized.dedup();
        let candidates = sized.into_iter();
        let candidates = candidates.filter_map(|(_, term)| self.candidate(term, names, bound));
        let mut candidates: Vec<Candidate> = candidates.collect();
        candidates.sort_by_key(|candidate| !candidate.value.contains(" == "));
        candidates
    }

    /// A candidate as an implication about elements; `None` if it is about none, or a word has no name.
    fn candidate(&mut self, term: Term, names: &Names, bound: &[String; 2]) -> Option<Candidate> {
        let arrays = self.arrays.as_ref()?;
        let (index, relation, choice) = (arrays.index, arrays.relation, arrays.choice);
        let prophecy = |index_of: u32| {
            let cell = Cell::Memory {
                object: index,
                index: index_of,
            };
            self.variables.get(&cell).copied()
        };
        let (k, l) = (prophecy(0)?, prophecy(1));
        let of_elements = self.words_of_elements();
        let terms = &mut self.cfa.terms;
        let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
        let (mut has_k, mut has_l) = (false, false);
        let mut stack = vec![(term, false)];
        while let Some((term, is_negated)) = stack.pop() {
            match terms.node(term) {
                Node::Not(inner) => stack.push((inner, !is_negated)),
                Node::Binary(Op::And, a, b) if is_negated => stack.extend([(b, true), (a, true)]),
                _ => {
                    let cone = terms.cone(&[term], |_| false);
                    let copies = cone.iter().filter_map(|term| of_elements.get(term));
                    let copies: Vec<usize> = copies.copied().collect();
                    has_k |= copies.contains(&0) || cone.contains(&k);
                    has_l |= copies.contains(&1) || l.is_some_and(|l| cone.contains(&l));
                    match copies.is_empty() {
                        true => {
                            premises.push(if is_negated { term } else { terms.not(term) });
                        }
                        false => {
                            conclusions.push(if is_negated { terms.not(term) } else { term });
                        }
                    }
                }
            }
        }
        if conclusions.is_empty() {
            return None;
        }
        if has_l {
            premises.extend(relation);
        }
        let all = terms.boolean(true);
        let both = (premises.iter()).fold(all, |all, &premise| terms.and(all, premise));
        let name = |term: Term| names.get(&term).cloned();
        let text = |terms: &[Term], joint: &str| {
            let parts: Option<Vec<String>> = (terms.iter())
                .map(|&term| self.cfa.terms.c_condition(term, &name))
                .collect();
            let parts = parts?;
            let part = |part: &String| match parts.len() > 1 && part.contains(['&', '|', '?']) {
                true => format!("({part})"),
                false => part.clone(),
            };
            Some(parts.iter().map(part).collect::<Vec<_>>().join(joint))
        };
        let premise = match premises.is_empty() {
            true => None,
            false => Some((both, text(&premises, " && ")?)),
        };
        Some(Candidate {
            term,
            scope: scope(choice, [has_k, has_l], bound),
            premise,
            value: text(&conclusions, " || ")?,
        })
    }

    /// The words of tracked elements, each with the number of its index.
    fn words_of_elements(&self) -> HashMap<Term, usize> {
        let mut words = HashMap::new();
        let Some(arrays) = &self.arrays else {
            return words;
        };
        for (&cell, &word) in &self.variables {
            if let Cell::Memory { object, index } = cell
                && let Some(shape) = arrays.tracked.get(&object)
                && index > 0
            {
                words.insert(word, (index as usize - 1) / shape.cells.len());
            }
        }
        words
    }

    /// The names of the words at a loop as C has them there: of the prophecy indices, of variables in scope, and of members
    /// of elements of arrays that have a name.
    fn names_at(&self, cut: &Cut, at: &AtCut, bound: &[String; 2]) -> Names {
        let mut names = Names::new();
        let Some(arrays) = &self.arrays else {
            return names;
        };
        let terms = &self.cfa.terms;
        let function = &self.program.functions[at.position.call.function as usize];
        for (index, name) in (0..).zip(bound) {
            let object = arrays.index;
            if let Some(&word) = self.variables.get(&Cell::Memory { object, index }) {
                debug_assert_eq!(terms.width(word), INDEX_BITS);
                names.insert(word, (name.to_owned(), false));
            }
        }
        let head = function.loops.get(&cut.block);
        let variables = || head.iter().flat_map(|head| head.variables_at_condition());
        for (name, int, keeper) in variables() {
            let cell = Cell::of_variable(cut, keeper);
            if let (Some(Known::Varies(_, low)), Some(&word)) =
                (at.known.get(&cell), self.variables.get(&cell))
                && low.bits == 0
                && terms.width(word) == int.width()
            {
                names.insert(word, (name.clone(), int.signed));
            }
        }
        let is_variable = |name: &str| variables().any(|(own, ..)| own == name);
        for (&object, shape) in &arrays.tracked {
            let Some((array, element)) = self.array_at(object, cut, at) else {
                continue;
            };
            let Some(types) = &self.program.types else {
                continue;
            };
            if is_variable(&array) || types.size(&element) != Some(shape.size) {
                continue;
            }
            let n_cells = shape.cells.len();
            let n_indices = arrays.choice.n_indices();
            for (copy, prophecy) in bound.iter().enumerate().take(n_indices) {
                for (number, &cell) in shape.cells.iter().enumerate() {
                    let index = (1 + copy * n_cells + number) as u32;
                    let Some(&word) = self.variables.get(&Cell::Memory { object, index }) else {
                        continue;
                    };
                    if let Some((member, int)) = member(types, &element, cell)
                        && terms.width(word) == int.width()
                    {
                        let name = format!("{array}[{prophecy}]{member}");
                        names.insert(word, (name, int.signed));
                    }
                }
            }
        }
        names
    }

    /// The name of an array at a loop, and the type of its elements.
    fn array_at(&self, object: ObjectId, cut: &Cut, at: &AtCut) -> Option<(String, Type)> {
        let function = &self.program.functions[at.position.call.function as usize];
        let arrays = self.arrays.as_ref()?;
        let of_array = |name: &str, ty: Option<&Type>| match ty {
            Some(Type::Array(element, _)) => Some((name.to_owned(), Type::clone(element))),
            _ => None,
        };
        let statics = &self.program.statics;
        // Where two have a name, one may hide the other.
        let is_only = |name: &str| {
            let objects = statics.iter().chain(&function.slots).map(|own| &own.name);
            let variables = function.regs.iter().filter_map(|own| own.name.as_ref());
            objects.chain(variables).filter(|own| *own == name).count() == 1
        };
        if let Some(of) = statics.get(object as usize) {
            return of_array(&of.name, of.ty.as_ref()).filter(|_| is_only(&of.name));
        }
        if let Some(&(context, slot)) = arrays.slots.get(&object) {
            let of = function.slots.get(slot as usize)?;
            let is_here = context == cut.context && is_only(&of.name);
            return of_array(&of.name, of.ty.as_ref()).filter(|_| is_here);
        }
        let base = u128::from(self.space.objects[object as usize].base);
        at.known.iter().find_map(|(cell, known)| {
            // Without the array, there is no element that a line could be about.
            let is_base = match known {
                Known::Constant(value) => self.cfa.terms.constant_value(*value) == Some(base),
                Known::Among(values) => {
                    values.contains(&base)
                        && values.iter().all(|&value| value == 0 || value == base)
                }
                Known::Absent | Known::Varies(..) => false,
            };
            let (name, ty) = match *cell {
                Cell::Register { context, reg } if context == cut.context => {
                    let own = &function.regs[reg as usize];
                    (own.name.as_ref()?, own.ty.as_ref()?)
                }
                Cell::Memory { object, index: 0 } => {
                    let own = statics.get(object as usize)?;
                    (&own.name, own.ty.as_ref()?)
                }
                _ => return None,
            };
            match ty {
                _ if !is_only(name) => None,
                Type::Pointer(element) | Type::Variable(element, _) if is_base => {
                    Some((name.clone(), Type::clone(element)))
                }
                _ => None,
            }
        })
    }
}

/// The names of the indices: `k` and `l`, or `k1`, `l1` and so on if a variable, an object or a function of the program has
/// the name.
fn bound_names(program: &Program) -> [String; 2] {
    let mut used: HashSet<&str> = HashSet::new();
    used.extend(program.statics.iter().map(|object| object.name.as_str()));
    for function in &program.functions {
        used.insert(&function.name);
        used.extend(function.slots.iter().map(|slot| slot.name.as_str()));
        used.extend((function.regs.iter()).filter_map(|register| register.name.as_deref()));
    }
    ["k", "l"].map(|letter| {
        let numbered = (1..).map(|number| format!("{letter}{number}"));
        let mut names = std::iter::once(letter.to_owned()).chain(numbered);
        let unused = names.find(|name| !used.contains(name.as_str()));
        unused.expect("a program has finitely many names")
    })
}

/// For which indices a line holds. With [`IndexChoice::Store`] and [`IndexChoice::Change`], steps are left out where the
/// index is another one than the chosen one.
fn scope(choice: IndexChoice, [has_k, has_l]: [bool; 2], [k, l]: &[String; 2]) -> String {
    let indices = match (has_k, has_l) {
        (true, true) => format!("{k} and {l}"),
        (false, true) => l.clone(),
        _ => k.clone(),
    };
    match choice {
        IndexChoice::Read | IndexChoice::Pair | IndexChoice::Derived | IndexChoice::Recent(_) => {
            format!("for all {indices}")
        }
        IndexChoice::Store => format!("for the index {k} of the first store to them"),
        IndexChoice::Change => format!(
            "for the index {k} of the first read of them that changes what the error depends on, and for all {k} before it"
        ),
    }
}

/// The member of an element that has these bytes, and its type; the element itself has no name.
fn member(types: &Types, element: &Type, (offset, bytes): (u64, u32)) -> Option<(String, IntType)> {
    match element {
        Type::Int(int) => {
            (offset == 0 && u32::from(int.size) == bytes).then(|| (String::new(), *int))
        }
        Type::Record(id) => {
            let record = &types.records[*id];
            let mut own = record.fields.iter();
            let field = own.find(|field| field.offset == offset && !record.is_union)?;
            let name = field.name.as_ref().filter(|_| field.bits.is_none())?;
            match &field.ty {
                Type::Int(int) if u32::from(int.size) == bytes => Some((format!(".{name}"), *int)),
                _ => None,
            }
        }
        _ => None,
    }
}
