//! Interpolants over the values of chosen templates.

use std::collections::HashMap;

use craig_aig::{Edge, NodeId};
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_mc::listener::Listener;
use craig_mc::record::Refutation;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::{ClauseSink, LabelledClauseSink};
use craig_solver::{Answer, Label, Var};
use craig_word::Term;

use super::select::{Link, linked_bits};
use super::shadow::{Shadow, TemplateBit};
use super::split::{Side, Split, partition};
use super::table::Table;
use crate::actions::{Actions, position};
use crate::labels::Labels;
use crate::refutation::{Dial, Question, Sink, derive, places, recorded};

/// The sequence of interpolants of one refutation of the path with these links, one at each cut behind an
/// action, as formulas of the shadow's graph. Nothing if the links do not refute the path.
pub(super) fn interpolate(
    actions: &Actions,
    labels: &Labels,
    (table, shadow): (&Table, &mut Shadow),
    question: &Question<'_>,
    links: &[Link],
    dial: &Dial,
    (stop, listener): (&Stop, &Listener),
) -> Result<Option<Vec<Edge>>, UnknownReason> {
    let n = question.path.len();
    let mut split = Split::new(
        Sink::new(dial.simplify || listener.is_recorded()),
        actions,
        labels,
        question,
    );
    let mut vars: Vec<Var> = Vec::new();
    let mut bits: Vec<TemplateBit> = Vec::new();
    for (step, &action) in question.path.iter().enumerate() {
        let (location, cut) = (actions.action(action).target, step + 1);
        for &(_, id) in links.iter().filter(|link| link.0 == location) {
            for edge in linked_bits(table, id, &split, cut) {
                let var = split.sink.new_var();
                for side in [Side::Behind, Side::Before] {
                    let value = split.value(&labels.aig, edge, cut, side);
                    let own = var.positive();
                    let label = partition(cut, side);
                    split.sink.add_labelled_clause(&[!own, value], label);
                    split.sink.add_labelled_clause(&[own, !value], label);
                }
                vars.push(var);
                let bit = table.entries[id].bits.iter().position(|&bit| bit == edge);
                bits.push((id, bit.unwrap_or_default()));
            }
        }
    }
    let asked = stop_of(stop);
    asked.install(&mut split.sink.solver);
    match split.sink.solver.solve(&[]) {
        Answer::Unknown => return Err(why_stopped(stop)),
        Answer::Satisfiable => return Ok(None),
        Answer::Unsatisfiable => {}
    }
    let dag = refutation(&split.sink.solver, stop)?;
    let cuts: Vec<Label> = (1..=n).map(|step| step as Label).collect();
    let found = derive(&dag, &cuts, &vars, split.sink.cnf.as_ref(), dial, &asked);
    let (graph, edges) = found.map_err(|_| why_stopped(stop))?;
    listener.record(|| Refutation {
        names: names(table, &vars, &bits),
        inputs: vars.clone(),
        ..recorded(
            places(actions, question.path),
            &split.sink,
            dial,
            (&dag, &graph, &edges),
        )
    });
    let inputs: HashMap<NodeId, Edge> = (graph.inputs().iter())
        .map(|&node| {
            let bit = bits[position(&graph, node) as usize];
            (node, shadow.input(bit))
        })
        .collect();
    let copied = shadow
        .graph
        .copy_cone(&graph, &edges, &mut |node| inputs[&node]);
    Ok(Some(copied))
}

/// The bits of templates, as texts. A template has a variable at each cut.
fn names(table: &Table, vars: &[Var], bits: &[TemplateBit]) -> Vec<(Var, String)> {
    let name = |term: Term| table.names.get(&term).cloned();
    let bits = vars.iter().zip(bits);
    bits.map(|(&var, &(id, bit))| {
        let term = table.terms.display(table.entries[id].term, &name);
        (var, format!("({term})[{bit}]@{}", var.index()))
    })
    .collect()
}
