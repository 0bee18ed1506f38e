//! Labels over words: interpolants that are Boolean combinations of templates (interpolation abstraction;
//! P. Ruemmer and P. Subotic, "Exploring interpolants", FMCAD 2013; J. Leroux, P. Ruemmer and P. Subotic,
//! "Guiding Craig interpolation with domain-specific abstractions", Acta Informatica 2016).
//!
//! # Method
//!
//! A template of a location is a term over its words: a comparison that the program makes there, one that it
//! makes behind an edge, as a term before the edge (its weakest precondition), an equality or order of two
//! words or of a word and a constant of the program, the lowest bits of a word, or a linear combination of
//! two counters that both their steps keep (`vocabulary`, `templates`, `table`). The value of each word is a
//! template as well, the dearest.
//!
//! A path is encoded with open cuts (`split`): the state behind an action and the state before the next one
//! are different variables. A link says that a template has one value on both sides of the cuts of its
//! location; one assumption literal stands for each link. A cheapest set of links that refutes the path is
//! chosen (`select`, `cheapest`). If it contains the value of a word of several bits, the templates do not
//! suffice at its location, and the formula at its cuts is one over bits: this is counted.
//!
//! # One inductive sequence
//!
//! The path is refuted once more, with the chosen links at all cuts and a proof (`interpolate`). A linked bit
//! of a template is a variable `v` at its cut; that `v` is the value behind action i is part of action i,
//! that it is the value before action i + 1 is part of that action. So the parts of neighbouring actions
//! share the variables of templates at the cut in between, and no others. All interpolants come from this one
//! proof, in one system, so that they form a sequence: `I_i(v_i)` and the part of action i + 1 imply
//! `I_{i+1}(v_{i+1})`, for all values of the variables. Let `t_i` be the values of the templates in a state
//! before action i + 1. In a step of the program from a state x to x' the part of action i + 1 holds with
//! `v_i = t_i(x)` and `v_{i+1} = t_{i+1}(x')`, hence `I_i(t_i(x))` implies `I_{i+1}(t_{i+1}(x'))`. In the
//! same way the first states imply the first formula, and the last one excludes the end of the query. So the
//! formulas over the states, `I_i(t_i)`, are one inductive sequence, whatever the links are: a wrong choice
//! of links can only make the query satisfiable, in which case bits are used. In debug builds each step of a
//! sequence is checked by SAT (`judge`).

mod at_cut;
mod cheapest;
mod interpolate;
#[cfg(any(test, debug_assertions))]
mod judge;
mod select;
mod shadow;
mod split;
mod table;
mod templates;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use craig_aig::{Aig, Edge};
use craig_word::Term;

use super::actions::Actions;
use super::answer::WordInvariant;
use super::cfa::{Cfa, LocationId};
use super::labels::{Labels, MAX_SPLIT};
use super::refutation::{self, Dial, Found, Question};
pub(super) use at_cut::{BEFORE, BEHIND, Cut};
use craig_mc::Control;
use craig_mc::engine::options::{EngineOption, Range, Settings, Word};
use craig_model::UnknownReason;
use interpolate::interpolate;
use select::{Link, Selected, select};
use shadow::Shadow;
use table::Table;

/// What interpolants of paths are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LabelKind {
    /// The bits of words.
    #[default]
    Bits,
    /// Terms over words, and bits where these do not suffice.
    Words,
    /// Terms of a finite language for each location, of this level; a path without such interpolants ends the search.
    Restricted(u32),
}

/// The last level of restricted languages. Behind it the bits of words belong to the language, in which all can be said.
const LAST_LEVEL: u32 = 3;

/// The option for [`LabelKind`].
pub(super) const LABELS: EngineOption = EngineOption {
    name: "labels",
    placeholder: "LABELS",
    range: Range::Word(&[
        Word {
            name: "bits",
            text: "Bits of words",
        },
        Word {
            name: "words",
            text: "Comparisons and other terms over words; bits where these do not suffice",
        },
        Word {
            name: "restricted",
            text: "For `impact`: such terms alone. Where a path has no interpolants of them, the search begins again with more \
                   constants, and at last with bits",
        },
    ]),
    default: Some("bits"),
    text: "For `impact`, `predabs`, `rse` and `annotate`: what interpolants are made of",
    is_flag: true,
};

impl LabelKind {
    /// What was chosen.
    pub(super) fn chosen(settings: &Settings) -> Self {
        match settings.word(&LABELS).as_str() {
            "words" => Self::Words,
            "restricted" => Self::Restricted(0),
            _ => Self::Bits,
        }
    }

    /// The next larger language, if this one is restricted.
    pub(super) fn larger(self) -> Option<Self> {
        match self {
            Self::Restricted(level) if level < LAST_LEVEL => Some(Self::Restricted(level + 1)),
            Self::Restricted(_) => Some(Self::Words),
            Self::Bits | Self::Words => None,
        }
    }

    /// The distance from the program's constants of those that templates have.
    fn level(self) -> u32 {
        match self {
            Self::Restricted(level) => level,
            Self::Bits | Self::Words => 0,
        }
    }
}

/// Counters for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counters {
    /// Refuted paths.
    pub(super) paths: usize,
    /// Cuts at which templates sufficed, on these paths.
    pub(super) word_cuts: usize,
    /// Cuts at which the bits of a word were linked.
    pub(super) bit_cuts: usize,
}

/// Templates and what was made of them.
struct Words {
    table: Table,
    shadow: Shadow,
    /// Links of earlier paths.
    used: HashSet<Link>,
    counters: Counters,
    is_restricted: bool,
    /// Whether a path had no interpolants in the restricted language.
    left_language: bool,
}

/// Refutes paths for an engine, by interpolants over bits or words.
pub(super) struct Refuter {
    words: Option<Box<Words>>,
}

impl Refuter {
    /// With templates from the automaton of the actions, if words are wanted. `labels` must not have formulas
    /// yet.
    pub(super) fn new(actions: &Actions, labels: &mut Labels, kind: LabelKind) -> Self {
        let words = (kind != LabelKind::Bits).then(|| {
            Box::new(Words {
                table: Table::new(actions.sliced(), actions, &mut labels.aig, kind.level()),
                shadow: Shadow::default(),
                used: HashSet::new(),
                counters: Counters::default(),
                is_restricted: matches!(kind, LabelKind::Restricted(_)),
                left_language: false,
            })
        });
        Self { words }
    }

    /// Answers a query. Interpolants are formulas of the graph of `labels`.
    ///
    /// # Errors
    /// If the control stops the search.
    pub(super) fn ask(
        &mut self,
        actions: &Actions,
        labels: &mut Labels,
        question: &Question<'_>,
        dial: &Dial,
        control: Control<'_>,
    ) -> Result<Found, UnknownReason> {
        let Some(words) = &mut self.words else {
            return refutation::ask(
                actions,
                labels,
                question,
                dial,
                control.stop,
                control.listener,
            );
        };
        let choice = (&words.used, words.is_restricted);
        let links = match select(
            actions,
            labels,
            &words.table,
            question,
            choice,
            control.stop,
        )? {
            Selected::Run(chosen, end) => return Ok(Found::Run(chosen, end)),
            Selected::Open => return Ok(Found::Open),
            Selected::Links(links) => links,
            // An attempt to make a label imply another one is given up.
            Selected::Outside if question.outside.is_some() => return Ok(Found::Open),
            Selected::Outside => {
                words.left_language = true;
                let reason = "a path has no interpolants in the restricted language";
                return Err(UnknownReason::Bound(reason.to_owned()));
            }
        };
        let parts = (&words.table, &mut words.shadow);
        let found = interpolate(
            actions,
            labels,
            parts,
            question,
            &links,
            dial,
            (control.stop, control.listener),
        )?;
        debug_assert!(found.is_some(), "the chosen links refute the path");
        let Some(found) = found else {
            return refutation::ask(
                actions,
                labels,
                question,
                dial,
                control.stop,
                control.listener,
            );
        };
        let formulas = words.shadow.realise(&words.table, &mut labels.aig, &found);
        #[cfg(debug_assertions)]
        debug_assert_eq!(judge::judge(actions, labels, question, &formulas), Ok(()));
        words.count(actions, question, &links);
        words.note(actions.sliced(), &links, control);
        words.used.extend(links);
        Ok(Found::Sequence(formulas))
    }

    /// Whether a path had no interpolants in the restricted language, which has ended the search.
    pub(super) fn left_language(&self) -> bool {
        self.words.as_ref().is_some_and(|words| words.left_language)
    }

    /// The conjuncts of a formula. A template is one conjunct.
    pub(super) fn split(&self, labels: &Labels, formula: Edge) -> Vec<Edge> {
        match &self.words {
            Some(words) => words.shadow.split(&labels.aig, formula, MAX_SPLIT),
            None => labels.split(formula),
        }
    }

    /// The bits of templates and words that a formula combines, in the graph of labels; nothing if labels are
    /// over bits, or the formula is too large.
    #[cfg(feature = "bdd")]
    pub(super) fn atoms(&self, aig: &Aig, formula: Edge) -> Option<Vec<Edge>> {
        let words = self.words.as_ref()?;
        words.shadow.atoms(&words.table, aig, formula)
    }

    /// An invariant in terms over words, from formulas of the graph: by location a disjunction of
    /// conjunctions. Nothing if labels are over bits. The graph may be an extension of that of the labels. A
    /// conjunct that is too large is left out.
    pub(super) fn invariant(
        &mut self,
        actions: &Actions,
        aig: &Aig,
        mut at: impl FnMut(LocationId) -> Vec<Vec<Edge>>,
    ) -> Option<WordInvariant> {
        let words = self.words.as_mut()?;
        let mut found = Vec::new();
        for location in actions.locations() {
            let is_inner = actions.reaches(location) && location.index() > Cfa::UNSUPPORTED.index();
            let disjuncts = if is_inner { at(location) } else { Vec::new() };
            let terms = disjuncts.iter().map(|conjuncts| -> Vec<Term> {
                let parts = conjuncts.iter();
                let parts: Vec<Edge> = parts
                    .flat_map(|&conjunct| words.shadow.split(aig, conjunct, MAX_SPLIT))
                    .collect();
                let terms = parts
                    .into_iter()
                    .filter_map(|part| words.shadow.term(&mut words.table, actions, aig, part));
                terms.collect()
            });
            found.push(terms.collect());
        }
        Some(WordInvariant {
            terms: words.table.terms.clone(),
            at: found,
        })
    }

    /// The conjuncts of labels as texts of C where C has an expression, for people. `None` for formulas that
    /// are too large, and for all if labels are over bits.
    pub(super) fn texts(
        &mut self,
        actions: &Actions,
        aig: &Aig,
        conjuncts: impl IntoIterator<Item = Edge>,
    ) -> HashMap<Edge, String> {
        let Some(words) = &mut self.words else {
            return HashMap::new();
        };
        let mut texts = HashMap::new();
        for conjunct in conjuncts {
            let term = words.shadow.term(&mut words.table, actions, aig, conjunct);
            let Some(term) = term else { continue };
            texts.insert(conjunct, words.text(term));
        }
        texts
    }

    /// What was counted, if labels are over words.
    pub(super) fn counters(&self) -> Option<Counters> {
        Some(self.words.as_ref()?.counters)
    }

    /// Passes the counts on, if labels are over words.
    pub(super) fn count(&self, control: Control<'_>) {
        if let Some(counters) = self.counters() {
            control
                .listener
                .count("cuts_with_words", counters.word_cuts);
            control.listener.count("cuts_with_bits", counters.bit_cuts);
        }
    }

    /// What was counted, as a part of a report.
    pub(super) fn report(&self) -> String {
        self.counters().map_or_else(String::new, |counters| {
            format!(
                ", words at {} of {} cuts",
                counters.word_cuts,
                counters.word_cuts + counters.bit_cuts
            )
        })
    }
}

impl Words {
    fn count(&mut self, actions: &Actions, question: &Question<'_>, links: &[Link]) {
        let mut with_bits = BTreeSet::new();
        for &(location, id) in links {
            let entry = &self.table.entries[id];
            if entry.is_word && entry.bits.len() > 1 {
                with_bits.insert(location);
            }
        }
        self.counters.paths += 1;
        for &action in question.path {
            let target = actions.action(action).target;
            if self.table.at(target).is_empty() {
                continue;
            }
            match with_bits.contains(&target) {
                true => self.counters.bit_cuts += 1,
                false => self.counters.word_cuts += 1,
            }
        }
    }

    /// Reports templates that no earlier path has used, by location.
    fn note(&self, cfa: &Cfa, links: &[Link], control: Control<'_>) {
        let mut fresh: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
        for link in links.iter().filter(|link| !self.used.contains(link)) {
            let own = fresh.entry(link.0).or_default();
            own.push(self.table.entries[link.1].term);
        }
        for (location, terms) in fresh {
            control.listener.note("labels", || {
                let texts: Vec<String> = terms.iter().map(|&term| self.text(term)).collect();
                format!("{}: {}", cfa.location(location).name, texts.join(", "))
            });
        }
    }

    /// A term for people: as C, if C has an expression for it.
    fn text(&self, term: Term) -> String {
        let terms = &self.table.terms;
        let name = |term: Term| self.table.names.get(&term).cloned();
        let variable = |term: Term| Some((name(term)?, self.table.signed.contains(&term)));
        let condition = (terms.width(term) == 1).then(|| terms.c_condition(term, &variable));
        let condition = condition.flatten();
        condition.unwrap_or_else(|| terms.display(term, &name).to_string())
    }
}
