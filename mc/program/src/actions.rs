//! The edges of an automaton as formulas of one graph, for engines that unwind it.

use std::collections::HashMap;
use std::rc::Rc;

use craig_aig::{Aig, Edge as AigEdge, Node, NodeId};
use craig_word::{Blaster, Term};

use super::cfa::{Cfa, EdgeId, LocationId};
use super::to_model::Bad;

/// An action, as a position in [`Actions::all`].
pub(super) type ActionId = u32;

/// A bit of a word: the number of an input of the graph of [`Actions`] and of graphs of labels.
pub(super) type StateBit = u32;

/// A transition between two locations, at the bit level. Edges from one location to bad locations are one
/// action.
pub(super) struct Action {
    pub(super) source: LocationId,
    /// [`Cfa::ERROR`] for all bad locations.
    pub(super) target: LocationId,
    /// The edges of the given automaton, one unless they lead to bad locations. The first one whose guard holds is taken.
    pub(super) edges: Vec<EdgeId>,
    pub(super) guard: AigEdge,
    /// The bits that change, in increasing order, with their values. Others keep their values.
    pub(super) assigned: Vec<(StateBit, AigEdge)>,
    /// The bits that the guard and the values read, in increasing order.
    pub(super) reads: Vec<StateBit>,
    /// The other inputs of the graph that the guard and the values read: the step's free choices.
    pub(super) chooses: Vec<AigEdge>,
}

impl Action {
    /// The value of a bit after the action; `None` if it keeps its value.
    pub(super) fn value(&self, bit: StateBit) -> Option<AigEdge> {
        let place = self.assigned.binary_search_by_key(&bit, |&(bit, _)| bit);
        place.ok().map(|place| self.assigned[place].1)
    }
}

/// The part of an automaton from which a bad location is reachable along its edges, as formulas. Words on
/// which no bad location depends are omitted (backward liveness, [`Cfa::sliced`]).
pub(super) struct Actions {
    /// The formulas. The first inputs are the bits of the state.
    pub(super) aig: Aig,
    all: Vec<Action>,
    locations: Vec<LocationId>,
    /// By location; actions to bad locations come first.
    outgoing: Vec<Vec<ActionId>>,
    /// By location: the actions that lead there.
    incoming: Vec<Vec<ActionId>>,
    /// By location: whether a bad location is reachable from it along edges.
    reaches: Vec<bool>,
    /// The word and the place in it of each bit of the state.
    bits: Vec<(Term, u32)>,
    /// The variable and the bit number in it of each input of the graph that is not a bit of the state.
    inputs: Vec<(Term, u32)>,
    /// The bits that the start carries. They are 0 there.
    start_bits: Vec<StateBit>,
    /// The automaton without the parts on which no bad location depends.
    sliced: Rc<Cfa>,
}

impl Actions {
    pub(super) fn new(cfa: &Cfa, bad: Bad) -> Self {
        Self::grouped(cfa, bad, true)
    }

    /// As `new`, with an action of its own for each edge to a bad location.
    pub(super) fn separate(cfa: &Cfa, bad: Bad) -> Self {
        Self::grouped(cfa, bad, false)
    }

    fn grouped(cfa: &Cfa, bad: Bad, together: bool) -> Self {
        let sliced = Rc::new(cfa.sliced());
        let original = original_edges(cfa, &sliced);
        let mut aig = Aig::new();
        let mut blaster = Blaster::new();
        let mut bits = Vec::new();
        let mut first_bit: HashMap<Term, StateBit> = HashMap::new();
        for word in sliced.words() {
            let width = sliced.terms.width(word.term);
            let edges: Vec<AigEdge> = (0..width).map(|_| aig.add_input()).collect();
            blaster.set(word.term, &edges);
            first_bit.insert(word.term, bits.len() as StateBit);
            bits.extend((0..width).map(|bit| (word.term, bit)));
        }
        let start_words = sliced.location(Cfa::START).words.iter();
        let start_bits = start_words.flat_map(|word| {
            let first = first_bit[word];
            first..first + sliced.terms.width(*word)
        });
        let mut start_bits: Vec<StateBit> = start_bits.collect();
        start_bits.sort_unstable();
        let n_locations = sliced.locations().len();
        let mut made = Self {
            aig,
            all: Vec::new(),
            locations: sliced.location_ids().collect(),
            outgoing: vec![Vec::new(); n_locations],
            incoming: vec![Vec::new(); n_locations],
            reaches: reaching(&sliced, bad),
            bits,
            inputs: Vec::new(),
            start_bits,
            sliced: Rc::clone(&sliced),
        };
        for source in sliced.sources() {
            let (to_bad, others): (Vec<EdgeId>, Vec<EdgeId>) = (sliced.outgoing(source).iter())
                .partition(|&&edge| {
                    let target = sliced.edge(edge).target;
                    target == Cfa::ERROR || target == Cfa::UNSUPPORTED
                });
            let to_bad: Vec<EdgeId> = (to_bad.into_iter())
                .filter(|&edge| made.reaches[sliced.edge(edge).target.index()])
                .collect();
            let others = (others.into_iter()).filter(|&edge| {
                let target = sliced.edge(edge).target;
                made.reaches[target.index()]
            });
            let to_bad = match together {
                true if to_bad.is_empty() => Vec::new(),
                true => vec![to_bad],
                false => to_bad.into_iter().map(|edge| vec![edge]).collect(),
            };
            let others = others.map(|edge| vec![edge]);
            let groups: Vec<Vec<EdgeId>> = to_bad.into_iter().chain(others).collect();
            for group in groups {
                made.add(&sliced, &original, &group, &mut blaster, &first_bit);
            }
        }
        made
    }

    /// Adds the action of edges from one location: one edge, or all to bad locations.
    fn add(
        &mut self,
        sliced: &Cfa,
        original: &[EdgeId],
        group: &[EdgeId],
        blaster: &mut Blaster,
        first_bit: &HashMap<Term, StateBit>,
    ) {
        let first = sliced.edge(group[0]);
        let target = match first.target {
            Cfa::UNSUPPORTED => Cfa::ERROR,
            target => target,
        };
        let inputs = &mut self.inputs;
        let mut variable = |aig: &mut Aig, term: Term| -> Vec<AigEdge> {
            let width = sliced.terms.width(term);
            let edges: Vec<AigEdge> = (0..width).map(|_| aig.add_input()).collect();
            inputs.extend((0..width).map(|bit| (term, bit)));
            edges
        };
        let mut guard = AigEdge::FALSE;
        for &edge in group {
            let own = sliced.edge(edge).guard;
            let own = blaster.blast(&sliced.terms, &mut self.aig, own, &mut variable)[0];
            guard = self.aig.or(guard, own);
        }
        let mut assigned = Vec::new();
        if target != Cfa::ERROR {
            for assignment in &first.assignments {
                let value = assignment.value;
                let edges = blaster.blast(&sliced.terms, &mut self.aig, value, &mut variable);
                assigned.extend((first_bit[&assignment.word]..).zip(edges));
            }
        }
        assigned.sort_unstable_by_key(|&(bit, _)| bit);
        let roots: Vec<AigEdge> = std::iter::once(guard)
            .chain(assigned.iter().map(|&(_, value)| value))
            .collect();
        let (mut reads, mut chooses) = (Vec::new(), Vec::new());
        for node in self.aig.support(&roots) {
            let position = position(&self.aig, node);
            if (position as usize) < self.bits.len() {
                reads.push(position);
            } else {
                chooses.push(AigEdge::new(node, false));
            }
        }
        self.outgoing[first.source.index()].push(self.all.len() as ActionId);
        self.incoming[target.index()].push(self.all.len() as ActionId);
        self.all.push(Action {
            source: first.source,
            target,
            edges: group.iter().map(|edge| original[edge.index()]).collect(),
            guard,
            assigned,
            reads,
            chooses,
        });
    }

    pub(super) fn action(&self, id: ActionId) -> &Action {
        &self.all[id as usize]
    }

    /// The actions from a location; the one to bad locations comes first.
    pub(super) fn outgoing(&self, location: LocationId) -> &[ActionId] {
        &self.outgoing[location.index()]
    }

    /// The automaton without the parts on which no bad location depends.
    pub(super) fn sliced(&self) -> &Cfa {
        &self.sliced
    }

    /// The actions that lead to a location.
    pub(super) fn incoming(&self, location: LocationId) -> &[ActionId] {
        &self.incoming[location.index()]
    }

    /// Whether several actions lead to a location.
    pub(super) fn is_join(&self, location: LocationId) -> bool {
        self.incoming[location.index()].len() > 1
    }

    /// Whether a bad location is reachable from a location, along edges.
    pub(super) fn reaches(&self, location: LocationId) -> bool {
        self.reaches[location.index()]
    }

    pub(super) fn n_actions(&self) -> usize {
        self.all.len()
    }

    pub(super) fn locations(&self) -> impl Iterator<Item = LocationId> {
        self.locations.iter().copied()
    }

    pub(super) fn n_locations(&self) -> usize {
        self.outgoing.len()
    }

    /// The word and the place in it of each bit of the state.
    pub(super) fn bits(&self) -> &[(Term, u32)] {
        &self.bits
    }

    /// The bits that the start carries, in increasing order.
    pub(super) fn start_bits(&self) -> &[StateBit] {
        &self.start_bits
    }

    /// The variable and the bit number in it of each input of the graph behind those of the state.
    pub(super) fn inputs(&self) -> &[(Term, u32)] {
        &self.inputs
    }

    /// The input of the graph for a bit of the state.
    pub(super) fn input(&self, bit: StateBit) -> AigEdge {
        AigEdge::new(self.aig.inputs()[bit as usize], false)
    }

    /// The variable and the bit number in it of an input of the graph that is not a bit of the state.
    pub(super) fn chosen(&self, input: AigEdge) -> (Term, u32) {
        let position = position(&self.aig, input.node()) as usize;
        self.inputs[position - self.bits.len()]
    }
}

/// The number of an input node among the inputs of its graph.
pub(super) fn position(aig: &Aig, node: NodeId) -> u32 {
    match aig.node(node) {
        Node::Input(position) => position,
        other => unreachable!("{other:?} is no input"),
    }
}

/// The edge of the automaton that each edge of its slice comes from. Slicing keeps the order of edges.
fn original_edges(cfa: &Cfa, sliced: &Cfa) -> Vec<EdgeId> {
    let mut edges = cfa.edge_ids();
    let find = |edge: EdgeId| {
        let kept = sliced.edge(edge);
        edges.find(|&own| {
            let own = cfa.edge(own);
            (own.source, own.target, own.guard) == (kept.source, kept.target, kept.guard)
        })
    };
    let found: Option<Vec<EdgeId>> = sliced.edge_ids().map(find).collect();
    found.expect("a slice has edges of its automaton, in their order")
}

/// By location: whether a bad location is reachable along edges.
fn reaching(cfa: &Cfa, bad: Bad) -> Vec<bool> {
    let mut reaches = vec![false; cfa.locations().len()];
    let mut work = vec![Cfa::ERROR];
    if bad == Bad::ErrorOrUnsupported {
        work.push(Cfa::UNSUPPORTED);
    }
    while let Some(location) = work.pop() {
        if !std::mem::replace(&mut reaches[location.index()], true) {
            work.extend(
                cfa.incoming(location)
                    .iter()
                    .map(|&edge| cfa.edge(edge).source),
            );
        }
    }
    reaches
}
