//! Who uses each node of a model.

use craig_aig::{Edge, Node, NodeId, Poll};
use craig_model::Model;

/// A user of a node.
pub(super) enum User {
    /// A gate by its node.
    Gate(NodeId),
    /// A latch by its number: the node is its next state.
    Latch(usize),
}

/// The users of each node, in one list.
pub(super) struct Users {
    /// Where the users of each node end; they begin where those of the node before end.
    ends: Vec<u32>,
    /// Nodes of gates, or `n_nodes` and more for latches.
    users: Vec<u32>,
    n_nodes: u32,
}

impl Users {
    /// `None` if `poll` ends it.
    pub(super) fn new(model: &Model, poll: &mut Poll<'_>) -> Option<Self> {
        let n_nodes = model.aig.n_nodes();
        let mut ends = vec![0_u32; n_nodes];
        let mut for_each_use = |visit: &mut dyn FnMut(Edge, u32)| {
            for node in 0..n_nodes as NodeId {
                poll.step()?;
                if let Node::And(left, right) = model.aig.node(node) {
                    visit(left, node);
                    visit(right, node);
                }
            }
            for (number, latch) in model.latches.iter().enumerate() {
                visit(latch.next, (n_nodes + number) as u32);
            }
            Some(())
        };
        for_each_use(&mut |edge, _| ends[edge.node() as usize] += 1)?;
        let mut sum = 0;
        for end in &mut ends {
            // Where the node's users begin; filling the list moves this to the end.
            sum += std::mem::replace(end, sum);
        }
        let mut users = vec![0; sum as usize];
        for_each_use(&mut |edge, user| {
            let place = &mut ends[edge.node() as usize];
            users[*place as usize] = user;
            *place += 1;
        })?;
        Some(Self {
            ends,
            users,
            n_nodes: n_nodes as u32,
        })
    }

    /// The users of a node.
    pub(super) fn of(&self, node: NodeId) -> &[u32] {
        let start = match node {
            0 => 0,
            _ => self.ends[node as usize - 1],
        };
        &self.users[start as usize..self.ends[node as usize] as usize]
    }

    /// What a user is.
    pub(super) fn kind(&self, user: u32) -> User {
        match user.checked_sub(self.n_nodes) {
            None => User::Gate(user),
            Some(latch) => User::Latch(latch as usize),
        }
    }
}
