//! Invariants over the words of a circuit: candidates from templates, reduced to an inductive subset.
//!
//! Of all candidates that hold in the sampled reachable states, those that a step can violate are removed
//! until every step preserves the remaining ones (`inductive`). These hold in all reachable states. Beyer,
//! Chien, Lee, *Augmenting interpolation-based model checking with auxiliary invariants* (2024), measured how
//! much such invariants help the engines: at the bit level these rarely find a sum or an order of two words,
//! which loops of programs need most often.

use std::collections::HashSet;

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::Model;
use craig_solver::{Answer, Lit};
use craig_word::{Term, Terms};

use super::search::{ALL_CONFLICTS, Candidate, Patience, Sample, Search};
use super::templates::Round;
use super::vocabulary::Vocabulary;

/// The conflict limit of the query whether the invariants exclude the bad. That may need that equal words have
/// equal multiples, which takes some thousand conflicts.
const BAD_CONFLICTS: u64 = ALL_CONFLICTS / 2;

/// A model with an additional constraint, the conjunction of the invariants found: it holds in all reachable
/// states, is preserved by every step, and reads latches only.
pub struct Strong {
    /// The model with the constraint.
    pub model: Model,
    /// Whether the constraint excludes all bad states.
    pub is_enough: bool,
    /// Edges of the model whose conjunction is the constraint, each with the value of the program counter at which it
    /// says something, if it is known that it holds with all others.
    pub invariants: Vec<(Option<usize>, Edge)>,
    /// These invariants as formulas over the words.
    pub conditions: Conditions,
}

/// Formulas over the words of a model.
pub struct Conditions {
    /// The terms of the formulas.
    pub terms: Terms,
    /// The variable of the program counter.
    pub counter: Term,
    /// The variables of the words, in the order of [`Vocabulary::words`].
    pub words: Vec<Term>,
    /// The formulas, one bit wide, over these variables.
    pub all: Vec<Term>,
}

/// The model with the invariants of its words; `None` if none was found.
pub fn strengthen(
    model: &Model,
    vocabulary: &Vocabulary,
    patience: Patience,
    control: Control<'_>,
) -> Option<Strong> {
    // Values of words are machine integers here.
    let is_wide = |word: &Vec<Edge>| word.len() > 128;
    if model.aig.n_nodes() > patience.linear_to
        || vocabulary.at.is_empty()
        || vocabulary.words.iter().any(is_wide)
    {
        return None;
    }
    let constants: Vec<u128> = vocabulary
        .constants
        .iter()
        .map(|&(_, value)| value)
        .collect();
    let mut search = Search::new(model, vocabulary, &constants, patience, control.stop);
    let bad = (search.encoder).encode(&model.aig, model.bads[0], &mut search.solver);
    let mut found = Found::linear(&mut search);
    let mut kept: Vec<Candidate> = (found.relations.iter())
        .map(|&term| search.candidate(term))
        .collect();
    search.assumed = kept.iter().map(|candidate| candidate.now_lit).collect();
    // Without anything else, if they are enough.
    search.end_after(patience.linear_percent);
    let is_proved =
        !kept.is_empty() && search.solve(&[bad], BAD_CONFLICTS) == Answer::Unsatisfiable;
    if !is_proved && model.aig.n_nodes() > patience.sampled_to {
        return None;
    }
    if !is_proved {
        search.end_after(patience.relations_percent);
        kept.extend(found.sample(&mut search));
    }
    search.end_after(100);
    control.listener.note("invariants", || found.text());
    let is_enough = keep_inductive(&mut search, &found, &mut kept, bad, control);
    if kept.is_empty() {
        return None;
    }
    control.listener.note("invariants", || {
        let what = if is_enough {
            ", which exclude the bad"
        } else {
            ""
        };
        format!("{} invariants over words{what}", kept.len())
    });
    Some(constrained(model, search, &kept, is_enough))
}

/// Candidates, and the states that they hold in.
struct Found {
    /// Affine relations, those of linear steps first.
    relations: Vec<Term>,
    n_linear: usize,
    samples: Vec<Sample>,
    /// Given candidates that are likely to be inductive, and others.
    likely: Vec<Term>,
    others: Vec<Term>,
}

impl Found {
    /// The relations of linear steps.
    fn linear(search: &mut Search<'_>) -> Self {
        let relations = search.linear_relations();
        Self {
            n_linear: relations.len(),
            relations,
            samples: Vec::new(),
            likely: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Adds what holds in states that are reached; returns the relations among it.
    fn sample(&mut self, search: &mut Search<'_>) -> Vec<Candidate> {
        search.conflicts = 0;
        self.samples = search.sample();
        for _ in 0..2 {
            search.walk(&mut self.samples);
            search.accelerate(&mut self.samples);
        }
        let more = search.relations(&self.samples);
        let more = more
            .into_iter()
            .filter(|term| !self.relations.contains(term));
        let more: Vec<Term> = more.collect();
        let candidates = more.iter().map(|&term| search.candidate(term)).collect();
        self.relations.extend(more);
        (self.likely, self.others) = search.given(&self.samples);
        candidates
    }

    fn text(&self) -> String {
        let (n_relations, n_samples) = (self.relations.len(), self.samples.len());
        let n_linear = self.n_linear;
        format!(
            "{n_relations} affine relations, {n_linear} of them of linear steps, {n_samples} samples"
        )
    }

    /// The candidates of a round that are not kept already.
    fn of_round(
        &self,
        search: &mut Search<'_>,
        round: Round,
        kept: &[Candidate],
    ) -> Vec<Candidate> {
        let mut known: HashSet<Term> = kept.iter().map(|candidate| candidate.term).collect();
        // A given candidate that is not inductive by itself may be with the candidates from templates.
        let (has_likely, has_others) = round.has_given();
        if round == Round::Given && self.others.is_empty() {
            return Vec::new();
        }
        let first = self.likely.iter().filter(|_| has_likely);
        let second = self.others.iter().filter(|_| has_others);
        let mut candidates: Vec<Candidate> = (first.chain(second))
            .filter(|&&term| known.insert(term))
            .map(|&term| search.candidate(term))
            .collect();
        if round.has_templates() {
            candidates.extend(search.template_candidates(&self.samples, known, round));
        }
        candidates
    }
}

/// Keeps the inductive candidates, round by round, until they exclude the bad; whether they do.
fn keep_inductive(
    search: &mut Search<'_>,
    found: &Found,
    kept: &mut Vec<Candidate>,
    bad: Lit,
    control: Control<'_>,
) -> bool {
    let mut rounds = Round::ALL.into_iter();
    let mut has_more = true;
    loop {
        search.conflicts = 0;
        search.assumed = kept.iter().map(|candidate| candidate.now_lit).collect();
        if has_more && search.solve(&[bad], BAD_CONFLICTS) == Answer::Unsatisfiable {
            return true;
        }
        let Some(round) = rounds.next() else {
            return false;
        };
        let mut candidates = found.of_round(search, round, kept);
        has_more = false;
        if candidates.is_empty() {
            continue;
        }
        let n_tried = candidates.len();
        let is_done = search.keep_inductive(&mut candidates).is_some();
        if is_done {
            search.drop_implied(&mut candidates);
        } else {
            candidates.clear();
        }
        control.listener.note("invariants", || {
            let (name, n_kept) = (round.name(), candidates.len());
            let conflicts = search.conflicts;
            format!("{name}: {n_kept} of {n_tried} candidates kept, {conflicts} conflicts")
        });
        has_more = !candidates.is_empty();
        kept.extend(candidates);
    }
}

/// The model with the conjunction of the invariants as a constraint.
fn constrained(model: &Model, search: Search<'_>, kept: &[Candidate], is_enough: bool) -> Strong {
    let edges: Vec<Edge> = kept.iter().map(|candidate| candidate.now).collect();
    let mut strong = model.clone();
    let images = (strong.aig).copy_cone(&search.model.aig, &edges, &mut |node| {
        Edge::new(node, false)
    });
    let all = strong.aig.and_all(images.iter().copied());
    strong.constraints.push(all);
    let places = kept.iter().map(|candidate| search.place_of(candidate.term));
    let invariants = places.zip(images).collect();
    Strong {
        model: strong,
        is_enough,
        invariants,
        conditions: Conditions {
            all: kept.iter().map(|candidate| candidate.term).collect(),
            terms: search.terms,
            counter: search.counter,
            words: search.words,
        },
    }
}

#[cfg(test)]
mod tests {
    use craig_word::{Term, Terms};

    use super::strengthen;
    use crate::{Assignment, Bad, Cfa};
    use craig_mc::Alone;

    /// `for (x = i, y = j, z = 0; x != 0; x--, z++) y -= 2;` with `y == -z` behind it where `i == j`. With `-2 * z` as a
    /// product of 31 rows, no solver finds that `x + z == i` and `y + 2 * z == j` exclude the error.
    #[test]
    fn relations_with_negative_factors_exclude_the_error() {
        let mut terms = Terms::new();
        let words: Vec<Term> = (0..5).map(|_| terms.variable(32)).collect();
        let [i, j, x, y, z] = words[..] else {
            unreachable!("there are five")
        };
        let (first, second) = (terms.variable(32), terms.variable(32));
        let mut cfa = Cfa::new(terms);
        for (&word, name) in words.iter().zip(["i", "j", "x", "y", "z"]) {
            cfa.add_word(word, name);
        }
        let head = cfa.add_location("head", words.clone(), words.clone());
        let terms = &mut cfa.terms;
        let [zero, one, two] = [0, 1, 2].map(|value| terms.constant(value, 32));
        let (always, is_last, negative) = (terms.boolean(true), terms.eq(x, zero), terms.neg(z));
        let (is_other, are_equal) = (terms.not(is_last), terms.eq(i, j));
        let is_right = terms.eq(y, negative);
        let is_wrong = terms.not(is_right);
        let wrong_at_end = terms.and(is_last, are_equal);
        let wrong_at_end = terms.and(wrong_at_end, is_wrong);
        let (less, lower, more) = (terms.sub(x, one), terms.sub(y, two), terms.add(z, one));
        let assign = |word, value| Assignment { word, value };
        let start = [(i, first), (j, second), (x, first), (y, second), (z, zero)];
        let start = start.map(|(word, value)| assign(word, value)).to_vec();
        cfa.add_edge(Cfa::START, head, always, start);
        cfa.add_edge(head, Cfa::ERROR, wrong_at_end, Vec::new());
        let step = vec![assign(x, less), assign(y, lower), assign(z, more)];
        cfa.add_edge(head, head, is_other, step);
        assert_eq!(cfa.check(), Ok(()));
        let encoded = cfa.to_model(Bad::Error);
        let strong = strengthen(
            &encoded.model,
            &encoded.vocabulary,
            crate::words::LONG,
            Alone::new().control(),
        );
        assert!(strong.expect("there are invariants").is_enough);
    }
}
