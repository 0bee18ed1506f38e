//! Circuits of bits as circuits of words of one bit.

use craig_aig::{Edge, Node as Gate};
use craig_mc::circuit::reduce::Resets;
use craig_model::{Model, Reset};
use craig_word::Sort;

use super::constant::Constant;
use super::model::{Argument, Btor2, Justice, Kind, Line, Node, State};
use super::operator::Operator;

/// The word-level circuit of a model, with a word of one bit for each edge. The initial value of a state may
/// not depend on inputs in BTOR2: latches with reset functions are replaced, and there is one state more.
#[must_use]
pub fn words_of(model: &Model) -> Btor2 {
    match Resets::replace(model) {
        Some(resets) => words_of_initialised(resets.model()),
        None => words_of_initialised(model),
    }
}

/// As [`words_of`], for a model without reset functions.
fn words_of_initialised(model: &Model) -> Btor2 {
    let mut words = Btor2::default();
    let zero = add(&mut words, Kind::Constant(Constant::Zero), "");
    let mut images = vec![zero; model.aig.n_nodes()];
    let name = |names: &[String], number: usize| -> String {
        let name = names.get(number).map_or("", String::as_str);
        // White space would end the symbol, and a semicolon would begin a comment.
        name.replace(|it: char| it.is_whitespace() || it == ';', "_")
    };
    for (number, input) in model.inputs.iter().enumerate() {
        let name = name(&model.names.inputs, number);
        let node = add(&mut words, Kind::Input(number as u32), &name);
        words.inputs.push(node);
        images[input.node() as usize] = node;
    }
    for (number, latch) in model.latches.iter().enumerate() {
        let name = name(&model.names.latches, number);
        let node = add(&mut words, Kind::State(number as u32), &name);
        images[latch.state.node() as usize] = node;
        words.states.push(State {
            node,
            init: None,
            next: None,
        });
    }
    for gate in 0..model.aig.n_nodes() {
        if let Gate::And(left, right) = model.aig.node(gate as u32) {
            let operands = [image(&images, left), image(&images, right), Argument::of(0)];
            images[gate] = add(&mut words, Kind::Apply(Operator::And, operands), "");
        }
    }
    for (state, latch) in words.states.iter_mut().zip(&model.latches) {
        state.next = Some(image(&images, latch.next));
        state.init = match latch.reset {
            Reset::Uninitialised => None,
            Reset::Function(_) => unreachable!("they were replaced"),
            reset => Some(Argument {
                node: zero,
                is_negated: reset == Reset::One,
            }),
        };
    }
    let lines = |edges: &[Edge], names: &[String]| -> Vec<Line> {
        let line = |(number, &edge): (usize, &Edge)| Line {
            value: image(&images, edge),
            symbol: name(names, number),
        };
        edges.iter().enumerate().map(line).collect()
    };
    words.bads = lines(&model.bads, &model.names.bads);
    words.constraints = lines(&model.constraints, &model.names.constraints);
    words.fairness = lines(&model.fairness, &model.names.fairness);
    let justice = model
        .justice
        .iter()
        .enumerate()
        .map(|(number, edges)| Justice {
            values: edges.iter().map(|&edge| image(&images, edge)).collect(),
            symbol: name(&model.names.justice, number),
        });
    words.justice = justice.collect();
    words
}

fn add(words: &mut Btor2, kind: Kind, name: &str) -> u32 {
    words.nodes.push(Node {
        sort: Sort::BitVector(1),
        kind,
        symbol: name.to_owned(),
        identifier: 0,
    });
    words.nodes.len() as u32 - 1
}

fn image(images: &[u32], edge: Edge) -> Argument {
    Argument {
        node: images[edge.node() as usize],
        is_negated: edge.is_negated(),
    }
}
