//! A path whose cuts are open: the state behind an action and that before the next one are different
//! variables.

use craig_aig::{Aig, Edge};
use craig_solver::Label;
use craig_solver::Lit;
use craig_solver::encode::LabelledClauseSink;
use craig_solver::encode::{ClauseSink, Encoder, Labelled};

use crate::action_clauses::{Cut, add_action};
use crate::actions::{ActionId, Actions, StateBit, position};
use crate::labels::{LabelId, Labels};
use crate::refutation::{From, Question};

/// The side of a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Behind an action.
    Behind,
    /// Before the next action, or at the end.
    Before,
}

/// The actions of a path. Cut i lies before action i; cut n is the end. No clause has literals of both sides
/// of a cut.
///
/// Label 0 are the first states, label i + 1 is action i with the label assumed before it, and label n + 1
/// the end of the query.
pub(super) struct Split<S> {
    pub(super) sink: S,
    /// By cut: the bits that the rest of the path reads.
    before: Vec<Cut>,
    /// By cut: the same bits behind the action before the cut; none at cut 0.
    behind: Vec<Cut>,
    /// The encoder of each action.
    steps: Vec<Encoder>,
    /// By cut and side: the templates.
    encoders: Vec<[Encoder; 2]>,
}

impl<S: LabelledClauseSink> Split<S> {
    pub(super) fn new(
        sink: S,
        actions: &Actions,
        labels: &Labels,
        question: &Question<'_>,
    ) -> Self {
        let n = question.path.len();
        let mut split = Self {
            sink,
            before: vec![Cut::new(); n + 1],
            behind: vec![Cut::new(); n + 1],
            steps: vec![Encoder::new(); n],
            encoders: vec![[Encoder::new(), Encoder::new()]; n + 1],
        };
        for &label in question.observed {
            split.encoder_at(labels, label, n);
        }
        let end = n as Label + 1;
        if let Some(label) = question.outside {
            let mut encoder = split.encoder_at(labels, label, n);
            let mut sink = Labelled {
                sink: &mut split.sink,
                label: end,
            };
            let conjuncts = labels.conjuncts(label).iter();
            let lits: Vec<Lit> = conjuncts
                .map(|&conjunct| encoder.encode_polarity(&labels.aig, !conjunct, &mut sink))
                .collect();
            sink.add_clause(&lits);
        }
        for step in (0..n).rev() {
            split.add_action(actions, question, step);
            if let Some(&known) = step.checked_sub(1).and_then(|at| question.known.get(at)) {
                split.add_label(labels, known, step, step as Label + 1);
            }
        }
        match question.from {
            From::Start => {
                for &(_, lit) in &split.before[0] {
                    split.sink.add_labelled_clause(&[!lit], 0);
                }
            }
            From::Label(label) => split.add_label(labels, label, 0, 0),
        }
        split
    }

    /// The literal of each input that an action of the path chooses, by step.
    pub(super) fn choices(&self, actions: &Actions, path: &[ActionId]) -> Vec<Vec<(Edge, Lit)>> {
        let of = |(&action, encoder): (&ActionId, &Encoder)| {
            let chooses = actions.action(action).chooses.iter();
            let encoded = chooses.filter_map(|&input| Some((input, encoder.literal(input)?)));
            encoded.collect()
        };
        path.iter().zip(&self.steps).map(of).collect()
    }

    /// The bits on one side of a cut.
    pub(super) fn side(&self, cut: usize, side: Side) -> &Cut {
        match side {
            Side::Behind => &self.behind[cut],
            Side::Before => &self.before[cut],
        }
    }

    /// Whether the rest of the path reads all these bits.
    pub(super) fn has(&self, cut: usize, bits: &[StateBit]) -> bool {
        let own = &self.before[cut];
        let find = |bit: &StateBit| own.binary_search_by_key(bit, |&(bit, _)| bit).is_ok();
        cut > 0 && bits.iter().all(find)
    }

    /// The literal of a formula over the bits of the state, on one side of a cut. Its clauses belong to the
    /// action on that side.
    pub(super) fn value(&mut self, aig: &Aig, formula: Edge, cut: usize, side: Side) -> Lit {
        let encoder = &mut self.encoders[cut][side as usize];
        let own = match side {
            Side::Behind => &self.behind[cut],
            Side::Before => &self.before[cut],
        };
        if encoder.literal(formula).is_none() {
            for node in aig.support(&[formula]) {
                let bit = position(aig, node);
                let place = own.binary_search_by_key(&bit, |&(bit, _)| bit);
                let place = place.expect("the rest of the path reads the bit");
                encoder.set(node, own[place].1);
            }
        }
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: partition(cut, side),
        };
        encoder.encode(aig, formula, &mut sink)
    }

    /// Adds that the state before an action satisfies a label.
    fn add_label(&mut self, labels: &Labels, label: LabelId, cut: usize, partition: Label) {
        let mut encoder = self.encoder_at(labels, label, cut);
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: partition,
        };
        for &conjunct in labels.conjuncts(label) {
            let lit = encoder.encode_polarity(&labels.aig, conjunct, &mut sink);
            sink.add_clause(&[lit]);
        }
    }

    /// An encoder of a label before an action, or at the end, with variables for the bits that it reads.
    fn encoder_at(&mut self, labels: &Labels, label: LabelId, cut: usize) -> Encoder {
        let mut encoder = Encoder::new();
        for node in labels.aig.support(labels.conjuncts(label)) {
            let bit = position(&labels.aig, node);
            let own = &mut self.before[cut];
            let lit = match own.binary_search_by_key(&bit, |&(bit, _)| bit) {
                Ok(place) => own[place].1,
                Err(place) => {
                    let lit = self.sink.new_var().positive();
                    own.insert(place, (bit, lit));
                    lit
                }
            };
            encoder.set(node, lit);
        }
        encoder
    }

    fn add_action(&mut self, actions: &Actions, question: &Question<'_>, step: usize) {
        let action = actions.action(question.path[step]);
        if !question.slice {
            let after = &mut self.before[step + 1];
            for &(bit, _) in &action.assigned {
                if let Err(place) = after.binary_search_by_key(&bit, |&(bit, _)| bit) {
                    after.insert(place, (bit, self.sink.new_var().positive()));
                }
            }
        }
        let behind: Cut = (self.before[step + 1].iter())
            .map(|&(bit, _)| (bit, self.sink.new_var().positive()))
            .collect();
        let mut sink = Labelled {
            sink: &mut self.sink,
            label: step as Label + 1,
        };
        let encoder = &mut self.steps[step];
        let before = add_action(actions, action, &behind, encoder, &mut sink);
        self.before[step] = before;
        self.behind[step + 1] = behind;
    }
}

/// The label of the clauses on one side of a cut.
pub(super) fn partition(cut: usize, side: Side) -> Label {
    match side {
        Side::Behind => cut as Label,
        Side::Before => cut as Label + 1,
    }
}
