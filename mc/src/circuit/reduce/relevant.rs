//! The facts on which a certificate for one of several bads can depend.
//!
//! Those are the facts over a variable that the bad, the certificate, the constraints or another such fact depend on,
//! over any number of steps. The other facts share no variable with these, and hold in some state, so that what follows
//! from all facts about these variables follows from the relevant ones.

use craig_aig::{Edge, Node, NodeId, Poll};
use craig_model::{Certificate, Model};

use super::needed::{Functions, Named, first_needed};
use super::users::{User, Users};

/// The facts on which a certificate for `bad` can depend, in their order. Each node is visited once downwards, when
/// something depends on it, and once upwards, when it depends on a needed variable: the time is linear in the model.
pub(super) fn relevant(
    original: &Model,
    names: Named<'_>,
    facts: &[Edge],
    bad: Edge,
    certificate: &Certificate,
) -> Vec<Edge> {
    let mut search = Search {
        original,
        facts,
        functions: Functions::new(original),
        users: Users::new(original, &mut Poll::never()).expect("nothing stops it"),
        facts_of: Vec::new(),
        is_needed: vec![false; original.aig.n_nodes()],
        is_over: vec![false; original.aig.n_nodes()],
        is_relevant: vec![false; facts.len()],
        down: first_needed(original, names, &[bad], certificate),
        up: Vec::new(),
    };
    let nodes = facts.iter().enumerate();
    search.facts_of = nodes.map(|(at, fact)| (fact.node(), at as u32)).collect();
    search.facts_of.sort_unstable();
    search.run();
    let found = facts.iter().zip(search.is_relevant);
    found
        .filter_map(|(&fact, is_it)| is_it.then_some(fact))
        .collect()
}

struct Search<'a> {
    original: &'a Model,
    facts: &'a [Edge],
    functions: Functions,
    users: Users,
    /// The node of each fact and its position, sorted.
    facts_of: Vec<(NodeId, u32)>,
    /// By node: whether the bad, the certificate, a constraint or a relevant fact depends on it.
    is_needed: Vec<bool>,
    /// By node: whether it depends on a needed variable, in the same step.
    is_over: Vec<bool>,
    /// By fact.
    is_relevant: Vec<bool>,
    /// Edges whose nodes are needed, and nodes over a needed variable, that were not visited yet.
    down: Vec<Edge>,
    up: Vec<NodeId>,
}

impl Search<'_> {
    fn run(&mut self) {
        loop {
            if let Some(edge) = self.down.pop() {
                self.visit_needed(edge.node());
            } else if let Some(node) = self.up.pop() {
                self.visit_over(node);
            } else {
                break;
            }
        }
    }

    fn visit_needed(&mut self, node: NodeId) {
        if std::mem::replace(&mut self.is_needed[node as usize], true) {
            return;
        }
        match self.original.aig.node(node) {
            Node::Constant => {}
            Node::Input(_) => {
                self.down.extend(self.functions.of(node));
                self.is_over[node as usize] = true;
                self.up.push(node);
            }
            Node::And(left, right) => self.down.extend([left, right]),
        }
    }

    fn visit_over(&mut self, node: NodeId) {
        let first = self.facts_of.partition_point(|&(other, _)| other < node);
        let own = self.facts_of[first..].iter();
        for &(_, at) in own.take_while(|&&(other, _)| other == node) {
            if !std::mem::replace(&mut self.is_relevant[at as usize], true) {
                self.down.push(self.facts[at as usize]);
            }
        }
        for &user in self.users.of(node) {
            if let User::Gate(gate) = self.users.kind(user)
                && !std::mem::replace(&mut self.is_over[gate as usize], true)
            {
                self.up.push(gate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;
    use craig_model::{Latch, Reset};

    /// Relevant facts by their definition: rounds over all nodes until nothing changes.
    fn by_rounds(model: &Model, facts: &[Edge], bad: Edge) -> Vec<Edge> {
        let functions = Functions::new(model);
        let mut some: Vec<Edge> = Vec::new();
        loop {
            let mut open = [&some[..], &[bad], &model.constraints].concat();
            let mut needed = vec![false; model.aig.n_nodes()];
            while let Some(edge) = open.pop() {
                if !std::mem::replace(&mut needed[edge.node() as usize], true) {
                    match model.aig.node(edge.node()) {
                        Node::Constant => {}
                        Node::Input(_) => open.extend(functions.of(edge.node())),
                        Node::And(left, right) => open.extend([left, right]),
                    }
                }
            }
            let is_over = |fact: &&Edge| {
                let support = model.aig.support(&[**fact]);
                support.iter().any(|&node| needed[node as usize])
            };
            let more: Vec<Edge> = facts.iter().filter(is_over).copied().collect();
            if more.len() == some.len() {
                return some;
            }
            some = more;
        }
    }

    #[test]
    fn one_visit_of_each_node_finds_what_rounds_over_all_nodes_find() {
        let mut random = Random::new(3);
        let (mut n_found, mut n_left) = (0, 0);
        for _ in 0..500 {
            let mut model = Model::default();
            let states: Vec<Edge> = (0..12).map(|_| model.aig.add_input()).collect();
            let mut pick = |model: &mut Model| {
                let [left, right] =
                    [0; 2].map(|_| states[random.below(states.len())].negate_if(random.flip()));
                match random.below(3) {
                    0 => model.aig.and(left, right),
                    _ => left,
                }
            };
            for &state in &states {
                let next = match state.node() % 3 {
                    0 => pick(&mut model),
                    _ => state,
                };
                let reset = match state.node() {
                    5 => Reset::Function(pick(&mut model)),
                    _ => Reset::Zero,
                };
                model.latches.push(Latch { state, next, reset });
            }
            let facts: Vec<Edge> = (0..6).map(|_| pick(&mut model)).collect();
            let bad = pick(&mut model);
            let certificate = Certificate {
                witness: Model::default(),
                shared_inputs: Vec::new(),
                shared_latches: Vec::new(),
            };
            let names = Named {
                inputs: &[],
                latches: &[],
            };
            let found = relevant(&model, names, &facts, bad, &certificate);
            assert_eq!(found, by_rounds(&model, &facts, bad));
            n_found += found.len();
            n_left += facts.len() - found.len();
        }
        assert!(n_found > 200 && n_left > 200, "{n_found} {n_left}");
    }
}
