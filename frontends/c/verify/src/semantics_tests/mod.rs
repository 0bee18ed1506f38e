//! Semantics of the standard and gcc whose simplification would lead to a wrong verdict. Each claim that
//! holds is paired with one that does not.

use crate::tests::unwound;

mod addresses;
mod annotations;
mod control;
mod interleaved;
mod lasting;
mod library;
mod models;
mod places;
mod posix;
mod reading;
mod types;
mod unknown;

/// A claim about a function's body: whether the assertion in it holds.
fn holds(declarations: &str, body: &str, claim: &str) -> char {
    unwound(&format!(
        "{declarations} int main(void) {{ {body} assert({claim}); return 0; }}"
    ))
}

/// True claims, whose negations must be refuted.
fn all_hold(declarations: &str, body: &str, claims: &[&str]) {
    for claim in claims {
        assert_eq!(holds(declarations, body, claim), 's', "{body} {claim}");
        let opposite = format!("!({claim})");
        assert_eq!(
            holds(declarations, body, &opposite),
            'u',
            "{body} {opposite}"
        );
    }
}

/// Whether a verdict of the three engines contradicts the expected one, and whether one of them finds it.
fn judge(text: &str, found: [char; 3], right: char) {
    let wrong = if right == 's' { 'u' } else { 's' };
    assert!(
        !found.contains(&wrong),
        "{found:?}, but {right} is right: {text}"
    );
    assert!(
        right == '?' || found.contains(&right),
        "{found:?}, none of which is {right}: {text}"
    );
    assert!(
        right != '?' || found == ['?'; 3],
        "{found:?}, where nothing is known: {text}"
    );
}
