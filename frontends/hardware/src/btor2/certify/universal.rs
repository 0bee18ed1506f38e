//! The universal states of a witness circuit.

use crate::btor2::model::{Argument, Btor2, Kind, Line};

use super::WordCertifyError;

/// The number of each universal state, and the value that it has in the condition "safety". `shared` has the
/// model's state of each state, if any.
///
/// # Errors
/// If a state whose symbol begins with `?` is none.
pub(super) fn states(
    witness: &Btor2,
    shared: &[Option<usize>],
) -> Result<Vec<(usize, Argument)>, WordCertifyError> {
    let mut universal = Vec::new();
    for (number, state) in witness.states.iter().enumerate() {
        let symbol = &witness.nodes[state.node as usize].symbol;
        if !symbol.starts_with('?') {
            continue;
        }
        let fails = |text: &str| {
            Err(WordCertifyError::Shape(format!(
                "the state {symbol} {text}"
            )))
        };
        if shared[number].is_some() {
            return fails("is shared with the model");
        }
        if state.init.is_some() || state.next != Some(Argument::of(state.node)) {
            return fails("does not keep a value that it may start with");
        }
        let named = |line: &&Line| line.symbol.strip_prefix("at") == Some(symbol);
        let mut values = witness.outputs.iter().filter(named);
        let (Some(value), None) = (values.next(), values.next()) else {
            return fails("needs exactly one output for its value");
        };
        if witness.node(value.value).sort != witness.nodes[state.node as usize].sort {
            return fails("has another sort than its output");
        }
        universal.push((number, value.value));
    }
    let mut is_universal = vec![false; witness.states.len()];
    for &(state, _) in &universal {
        is_universal[state] = true;
    }
    let mut is_seen = vec![false; witness.nodes.len()];
    let mut stack: Vec<u32> = universal.iter().map(|(_, value)| value.node).collect();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut is_seen[node as usize], true) {
            continue;
        }
        let node = &witness.nodes[node as usize];
        stack.extend(node.arguments().iter().map(|argument| argument.node));
        if let Kind::State(number) = node.kind {
            let number = number as usize;
            if is_universal[number] {
                let text = format!("a value for universal states depends on {}", node.symbol);
                return Err(WordCertifyError::Shape(text));
            }
            // A shared state has the values of the model's run.
            if shared[number].is_none() {
                let state = &witness.states[number];
                let values = [state.init, state.next].into_iter().flatten();
                stack.extend(values.map(|value| value.node));
            }
        }
    }
    Ok(universal)
}
