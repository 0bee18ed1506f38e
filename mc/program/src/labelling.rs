//! What the engines that label an automaton have in common: a search that ends with a path, or with labels that are an
//! invariant.

use craig_model::UnknownReason;

use super::actions::{ActionId, Actions};
use super::answer::{Answer, ErrorPath, Invariant, Run};
use super::cfa::Cfa;
use super::drawing::Drawing;
use super::engine::Query;

/// A search that labels the locations of an automaton.
pub(super) trait Labelling: Sized {
    /// Searches to the end; `None` if the labels show that no bad location is reachable. If it may give up, it does so when it
    /// seems to diverge.
    fn find_path(&mut self, may_give_up: bool) -> Result<Option<ErrorPath>, UnknownReason>;

    /// Passes the counts of the search on.
    fn pass_counts(&self);

    /// The labels as they stand, with the path that was found.
    fn drawing(&mut self, cfa: &Cfa, path: Option<&[ActionId]>) -> Drawing;

    /// The labels of a search that has found no path.
    fn into_invariant(self) -> Invariant;
}

/// What a search of the actions of an automaton comes to.
pub(super) fn decide(
    cfa: &Cfa,
    actions: &Actions,
    query: Query,
    mut search: impl Labelling,
) -> (Answer, Option<Drawing>) {
    let found = search.find_path(query.may_give_up);
    conclude(cfa, actions, query, search, found)
}

/// What a search that has ended in this way comes to.
pub(super) fn conclude(
    cfa: &Cfa,
    actions: &Actions,
    query: Query,
    mut search: impl Labelling,
    found: Result<Option<ErrorPath>, UnknownReason>,
) -> (Answer, Option<Drawing>) {
    search.pass_counts();
    let drawing = (query.draws).then(|| search.drawing(cfa, ErrorPath::of(&found)));
    let answer = match found {
        Err(reason) => Answer::Unknown(reason),
        Ok(Some(found)) => Answer::Unsafe(Run::new(cfa, actions, found)),
        Ok(None) => Answer::Safe(Box::new(search.into_invariant())),
    };
    (answer, drawing)
}
