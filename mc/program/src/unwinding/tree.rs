//! The unwinding of a program into a tree, and its covering relation (McMillan 2006, section 2, definitions 1
//! to 3). This file contains the tree only; labels are numbers.

use std::collections::BTreeSet;

use crate::actions::ActionId;
use crate::cfa::LocationId;
use crate::labels::LabelId;

/// A vertex, by its age: the total order of vertices. Ancestors are older.
pub(crate) type VertexId = u32;

/// A vertex of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) parent: Option<VertexId>,
    /// The action from the parent; arbitrary for the root.
    pub(crate) action: ActionId,
    pub(crate) location: LocationId,
    pub(crate) label: LabelId,
    pub(crate) depth: u32,
    pub(crate) children: Vec<VertexId>,
    /// Whether all actions that its label allows have a child.
    pub(crate) is_expanded: bool,
    /// Whether it is a descendant of a closed vertex, and thus removed from the tree.
    pub(crate) is_pruned: bool,
    /// Whether it was removed when an ancestor was blocked.
    pub(crate) is_below_blocked: bool,
    /// Whether it is known that no run from a state of its label reaches a bad location.
    pub(crate) is_blocked: bool,
    pub(crate) covered_by: Option<VertexId>,
    /// The vertices that it covers directly.
    covers: Vec<VertexId>,
    /// The number of its proper ancestors that are covered by another vertex.
    n_covered_above: u32,
}

/// The tree.
///
/// Invariants, which [`Unwinding::check`] tests:
/// - `w` covers `v` only if both have the same location, `w` is older, and `w` is not covered. A vertex is
///   *covered* if it or an ancestor of it is covered by another vertex.
/// - A vertex with a false label, or one that is blocked, is *closed*: it has no descendants, covers nothing
///   and is covered by nothing.
/// - Pruned vertices occur in no arc.
/// - Every open leaf is in [`Unwinding::candidates`], or was taken from there.
#[derive(Default)]
pub(crate) struct Unwinding {
    vertices: Vec<Vertex>,
    /// By location, in the order of age, without pruned vertices.
    at: Vec<Vec<VertexId>>,
    /// Leaves that may have become open.
    candidates: BTreeSet<VertexId>,
    n_pruned: usize,
}

impl Vertex {
    /// Whether its label is false, or it is blocked: it is not unwound further.
    pub(crate) fn is_closed(&self) -> bool {
        self.label == LabelId::FALSE || self.is_blocked
    }
}

impl Unwinding {
    /// The tree of one vertex, which has a true label.
    pub(crate) fn new(n_locations: usize, root: LocationId) -> Self {
        let mut made = Self {
            at: vec![Vec::new(); n_locations],
            ..Self::default()
        };
        made.add(None, 0, root);
        made.candidates.insert(0);
        made
    }

    fn add(&mut self, parent: Option<VertexId>, action: ActionId, to: LocationId) -> VertexId {
        let id = self.vertices.len() as VertexId;
        let above = parent.map(|parent| self.vertex(parent));
        let (depth, n_covered_above) = above.map_or((0, 0), |above| {
            debug_assert!(!above.is_pruned && !above.is_closed());
            let own = u32::from(above.covered_by.is_some());
            (above.depth + 1, above.n_covered_above + own)
        });
        self.vertices.push(Vertex {
            parent,
            action,
            location: to,
            label: LabelId::TRUE,
            depth,
            children: Vec::new(),
            is_expanded: false,
            is_pruned: false,
            is_below_blocked: false,
            is_blocked: false,
            covered_by: None,
            covers: Vec::new(),
            n_covered_above,
        });
        self.at[to.index()].push(id);
        id
    }

    /// Adds a child with a true label.
    pub(crate) fn add_child(
        &mut self,
        parent: VertexId,
        action: ActionId,
        to: LocationId,
    ) -> VertexId {
        let id = self.add(Some(parent), action, to);
        self.vertices[parent as usize].children.push(id);
        id
    }

    /// Marks the vertex: all actions that its label allows have a child.
    pub(crate) fn set_expanded(&mut self, v: VertexId) {
        self.vertices[v as usize].is_expanded = true;
    }

    pub(crate) fn vertex(&self, v: VertexId) -> &Vertex {
        &self.vertices[v as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// The number of vertices removed from the tree.
    pub(crate) fn n_pruned(&self) -> usize {
        self.n_pruned
    }

    /// The vertices of a location, oldest first, without pruned ones.
    pub(crate) fn at(&self, location: LocationId) -> &[VertexId] {
        &self.at[location.index()]
    }

    /// Whether the vertex or an ancestor is covered by another vertex.
    pub(crate) fn is_covered(&self, v: VertexId) -> bool {
        let vertex = self.vertex(v);
        vertex.covered_by.is_some() || vertex.n_covered_above > 0
    }

    /// Whether the vertex is a leaf to be expanded. A closed one is not.
    pub(crate) fn is_open_leaf(&self, v: VertexId) -> bool {
        let vertex = self.vertex(v);
        !vertex.is_expanded && !vertex.is_pruned && !vertex.is_closed() && !self.is_covered(v)
    }

    /// The oldest leaf that is open.
    pub(crate) fn next_open_leaf(&mut self) -> Option<VertexId> {
        while let Some(v) = self.candidates.pop_first() {
            if self.is_open_leaf(v) {
                return Some(v);
            }
        }
        None
    }

    /// The vertex and its ancestors, the root first.
    pub(crate) fn path_to(&self, v: VertexId) -> Vec<VertexId> {
        let parents = std::iter::successors(Some(v), |&v| self.vertex(v).parent);
        let mut path: Vec<VertexId> = parents.collect();
        path.reverse();
        path
    }

    /// The nearest common ancestor of two vertices; one of them, if it is an ancestor of the other.
    pub(crate) fn nearest_common_ancestor(&self, v: VertexId, w: VertexId) -> VertexId {
        let (mut v, mut w) = (v, w);
        while v != w {
            // Ancestors are older: the younger one cannot be an ancestor of the other.
            let younger = if v > w { &mut v } else { &mut w };
            let parent = self.vertex(*younger).parent;
            *younger = parent.expect("the root is the oldest vertex");
        }
        v
    }

    /// Whether `w` may cover `v` by their positions, whatever their labels are.
    pub(crate) fn may_cover(&self, v: VertexId, w: VertexId) -> bool {
        let (covered, covering) = (self.vertex(v), self.vertex(w));
        // An older vertex is no descendant.
        w < v
            && covered.location == covering.location
            && !covered.is_pruned
            && !covering.is_pruned
            && !covered.is_closed()
            && !covering.is_closed()
            && !self.is_covered(v)
            && !self.is_covered(w)
    }

    /// Adds the arc from `v` to `w`, and removes all arcs into the subtree of `v`.
    pub(crate) fn cover(&mut self, v: VertexId, w: VertexId) {
        debug_assert!(self.may_cover(v, w));
        self.vertices[v as usize].covered_by = Some(w);
        self.vertices[w as usize].covers.push(v);
        for below in self.subtree(v) {
            if below != v {
                self.vertices[below as usize].n_covered_above += 1;
            }
            self.uncover_all(below);
        }
    }

    /// Removes the arcs into a vertex.
    fn uncover_all(&mut self, w: VertexId) {
        for v in std::mem::take(&mut self.vertices[w as usize].covers) {
            debug_assert!(v > w, "only younger vertices are uncovered");
            self.vertices[v as usize].covered_by = None;
            for below in self.subtree(v) {
                let vertex = &mut self.vertices[below as usize];
                if below != v {
                    vertex.n_covered_above -= 1;
                }
                if !vertex.is_expanded {
                    self.candidates.insert(below);
                }
            }
        }
    }

    /// Removes the arc from a vertex, if there is one, from the list of the vertex that covers it.
    fn forget_cover(&mut self, v: VertexId) {
        if let Some(w) = self.vertices[v as usize].covered_by.take() {
            self.vertices[w as usize].covers.retain(|&other| other != v);
        }
    }

    /// The vertex and its descendants.
    pub(crate) fn subtree(&self, v: VertexId) -> Vec<VertexId> {
        let mut found = vec![v];
        let mut next = 0;
        while next < found.len() {
            found.extend(&self.vertex(found[next]).children);
            next += 1;
        }
        found
    }

    /// Gives a vertex a stronger label, and removes all arcs into it. If the label is false, its descendants
    /// are removed, with all arcs into and out of them.
    pub(crate) fn strengthen(&mut self, v: VertexId, label: LabelId) {
        self.vertices[v as usize].label = label;
        self.uncover_all(v);
        if label == LabelId::FALSE {
            self.prune(v);
        }
    }

    /// Marks a vertex, and those that it covers: no run from a state of their labels reaches a bad location.
    /// Their descendants are removed, with all arcs into and out of them. Returns the marked vertices.
    pub(crate) fn block(&mut self, v: VertexId) -> Vec<VertexId> {
        let mut blocked = Vec::new();
        let mut work = vec![v];
        while let Some(v) = work.pop() {
            let vertex = &mut self.vertices[v as usize];
            if vertex.is_pruned || vertex.is_closed() {
                continue;
            }
            vertex.is_blocked = true;
            // The label of a vertex implies that of the vertex that covers it.
            work.extend(&vertex.covers);
            blocked.push(v);
            self.prune(v);
        }
        blocked
    }

    /// Closes a vertex: removes its descendants, with all arcs into and out of them and into and out of it.
    fn prune(&mut self, v: VertexId) {
        let subtree = self.subtree(v);
        for &below in &subtree {
            self.forget_cover(below);
        }
        for &below in &subtree {
            self.uncover_all(below);
        }
        let is_blocked = self.vertex(v).is_blocked;
        for &below in &subtree[1..] {
            let vertex = &mut self.vertices[below as usize];
            vertex.is_pruned = true;
            vertex.is_below_blocked = is_blocked;
            vertex.children = Vec::new();
            let location = vertex.location.index();
            if let Ok(place) = self.at[location].binary_search(&below) {
                self.at[location].remove(place);
            }
        }
        self.n_pruned += subtree.len() - 1;
        let vertex = &mut self.vertices[v as usize];
        vertex.children = Vec::new();
        let location = vertex.location.index();
        // It covers nothing and needs no cover.
        if let Ok(place) = self.at[location].binary_search(&v) {
            self.at[location].remove(place);
        }
    }

    /// The number of covered vertices of the tree.
    pub(crate) fn n_covered(&self) -> usize {
        let ids = 0..self.vertices.len() as VertexId;
        ids.filter(|&v| !self.vertex(v).is_pruned && self.is_covered(v))
            .count()
    }

    /// Checks the invariants of arcs.
    #[cfg(test)]
    pub(crate) fn check(&self) {
        for v in 0..self.vertices.len() as VertexId {
            let vertex = self.vertex(v);
            let above = std::iter::successors(vertex.parent, |&v| self.vertex(v).parent);
            let covered_above = above.filter(|&v| self.vertex(v).covered_by.is_some());
            if vertex.is_pruned || vertex.is_closed() {
                assert!(vertex.children.is_empty());
                assert!(vertex.covers.is_empty() && vertex.covered_by.is_none());
                assert!(!self.at(vertex.location).contains(&v));
                continue;
            }
            assert_eq!(vertex.n_covered_above as usize, covered_above.count());
            assert!(self.at(vertex.location).contains(&v));
            if let Some(w) = vertex.covered_by {
                let covering = self.vertex(w);
                assert!(w < v && covering.location == vertex.location);
                assert!(!self.is_covered(w) && !covering.is_pruned);
                assert!(covering.covers.contains(&v));
            }
            for &covered in &vertex.covers {
                assert_eq!(self.vertex(covered).covered_by, Some(v));
            }
        }
    }
}
