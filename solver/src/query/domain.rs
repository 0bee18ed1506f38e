//! The domain of a query.

use super::values::{FALSE, OUTSIDE, TRUE, UNASSIGNED};
use crate::lit::Var;

const CURRENT: u8 = 1;
const PERMANENT: u8 = 2;
const DEFINED: u8 = 4;
const GUARD: u8 = 8;

/// The domain of the current query, and the operands of defined variables.
///
/// Variables outside the domain that have no value at level 0 have the value `OUTSIDE`; those inside
/// have `UNASSIGNED` between queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Domain {
    flags: Vec<u8>,
    /// A bit for each variable: whether its value is not `OUTSIDE`. The bits of many variables fit into a cache that
    /// their values do not fit into.
    near: Vec<u64>,
    /// Operands of each defined variable, as a range of `operands`.
    ranges: Vec<(u32, u32)>,
    operands: Vec<u32>,
    /// The permanent part of every domain: operands come before the variables that they define.
    permanent: Vec<u32>,
    /// The current domain: `permanent`, then the others, operands first.
    list: Vec<u32>,
    fixed: bool,
    stack: Vec<(u32, u32)>,
    /// A ring through each group: the next variable of the group. Groups of one variable are their own next.
    next_of_group: Vec<u32>,
    /// By variable: another one of its group, or itself for one of each group (Tarjan's union-find structure).
    group: Vec<u32>,
}

impl Domain {
    pub(super) fn add_var(&mut self) {
        self.flags.push(0);
        self.ranges.push((0, 0));
        let var = self.group.len() as u32;
        self.near.resize(var as usize / 64 + 1, 0);
        self.group.push(var);
        self.next_of_group.push(var);
    }

    pub(super) fn define(&mut self, var: Var, operands: &[Var]) {
        assert!(
            self.flags[var.index()] & DEFINED == 0,
            "a variable has one definition"
        );
        assert!(
            self.next_of_group[var.index()] == var.index() as u32,
            "variables of a group have no definition"
        );
        self.flags[var.index()] |= DEFINED;
        let start = self.operands.len() as u32;
        self.operands
            .extend(operands.iter().map(|operand| operand.index() as u32));
        self.ranges[var.index()] = (start, self.operands.len() as u32);
    }

    /// The variables of the current domain.
    #[inline]
    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Marks a variable as a guard for good.
    pub(super) fn mark_guard(&mut self, var: Var) {
        self.flags[var.index()] |= GUARD;
    }

    pub(super) fn is_guard(&self, var: Var) -> bool {
        self.flags[var.index()] & GUARD != 0
    }

    pub(super) fn contains(&self, var: Var) -> bool {
        self.flags[var.index()] & CURRENT != 0
    }

    /// Whether a variable's value is not `OUTSIDE`.
    #[inline]
    pub(super) fn is_near(&self, var: Var) -> bool {
        self.near[var.index() / 64] >> (var.index() % 64) & 1 == 1
    }

    /// Records that a variable has a value for good.
    #[inline]
    pub(super) fn note_fact(&mut self, var: Var) {
        set_near(&mut self.near, var.index() as u32);
    }

    /// Whether the domain is fixed for the next queries.
    pub(super) fn is_fixed(&self) -> bool {
        self.fixed
    }

    pub(super) fn fix(&mut self) {
        self.fixed = true;
    }

    pub(super) fn release(&mut self) {
        self.fixed = false;
    }

    /// Adds `var` and all that it depends on to the permanent part and to the current domain.
    pub(super) fn add_permanent(&mut self, var: Var, values: &mut [i8]) {
        let start = self.permanent.len();
        let mut list = std::mem::take(&mut self.permanent);
        self.close(var.index() as u32, PERMANENT, &mut list);
        self.permanent = list;
        for index in start..self.permanent.len() {
            let var = self.permanent[index];
            if self.flags[var as usize] & CURRENT == 0 {
                self.flags[var as usize] |= CURRENT;
                self.list.push(var);
                make_inside(var, values, &mut self.near);
            }
        }
    }

    /// Makes one group of the groups of some variables without definition: from now on, a domain has all or none of
    /// them.
    pub(super) fn join(&mut self, vars: impl Iterator<Item = Var>, values: &mut [i8]) {
        let mut first = None;
        let mut flags = 0;
        for var in vars {
            let var = var.index() as u32;
            assert!(
                self.flags[var as usize] & DEFINED == 0,
                "variables of a group have no definition"
            );
            // All of a group have the same flags.
            flags |= self.flags[var as usize] & (CURRENT | PERMANENT);
            let root = self.root(var);
            match first {
                None => first = Some(root),
                Some(first) if first != root => {
                    self.group[root as usize] = first;
                    self.next_of_group.swap(first as usize, root as usize);
                }
                Some(_) => {}
            }
        }
        let Some(first) = first.filter(|_| flags != 0) else {
            return;
        };
        let mut var = first;
        loop {
            let old = self.flags[var as usize];
            self.flags[var as usize] |= flags;
            if old & PERMANENT == 0 && flags & PERMANENT != 0 {
                self.permanent.push(var);
            }
            if old & CURRENT == 0 && flags & CURRENT != 0 {
                self.list.push(var);
                make_inside(var, values, &mut self.near);
            }
            var = self.next_of_group[var as usize];
            if var == first {
                return;
            }
        }
    }

    /// The variable that stands for the group of a variable.
    fn root(&mut self, mut var: u32) -> u32 {
        while self.group[var as usize] != var {
            let parent = self.group[var as usize];
            self.group[var as usize] = self.group[parent as usize];
            var = parent;
        }
        var
    }

    /// Makes the domain of the next query the cones of `roots` and the permanent part.
    pub(super) fn enter(&mut self, roots: impl Iterator<Item = Var>, values: &mut [i8]) {
        let mut list = std::mem::take(&mut self.list);
        for &var in &list {
            let flags = &mut self.flags[var as usize];
            *flags &= !CURRENT;
            if *flags & PERMANENT == 0 {
                make_outside(var, values, &mut self.near);
            }
        }
        list.clear();
        list.extend_from_slice(&self.permanent);
        for &var in &list {
            self.flags[var as usize] |= CURRENT;
        }
        for root in roots {
            self.close(root.index() as u32, CURRENT, &mut list);
        }
        for &var in &list[self.permanent.len()..] {
            make_inside(var, values, &mut self.near);
        }
        self.list = list;
    }

    /// Appends the unmarked part of the cone of `root`, itself and whole groups included, operands first.
    fn close(&mut self, root: u32, flag: u8, list: &mut Vec<u32>) {
        if self.flags[root as usize] & flag != 0 {
            return;
        }
        self.flags[root as usize] |= flag;
        self.stack.push((root, self.ranges[root as usize].0));
        while let Some((var, next)) = self.stack.last_mut() {
            let var = *var;
            if *next == self.ranges[var as usize].1 {
                self.stack.pop();
                list.push(var);
                // The others of a group have no operands.
                let mut other = self.next_of_group[var as usize];
                while self.flags[other as usize] & flag == 0 {
                    self.flags[other as usize] |= flag;
                    list.push(other);
                    other = self.next_of_group[other as usize];
                }
                continue;
            }
            let operand = self.operands[*next as usize];
            *next += 1;
            if self.flags[operand as usize] & flag == 0 {
                self.flags[operand as usize] |= flag;
                self.stack.push((operand, self.ranges[operand as usize].0));
            }
        }
    }
}

/// Variables with a value keep it: between queries all values are facts.
fn make_inside(var: u32, values: &mut [i8], near: &mut [u64]) {
    set_near(near, var);
    for value in &mut values[2 * var as usize..][..2] {
        if *value == OUTSIDE {
            *value = UNASSIGNED;
        }
    }
}

fn make_outside(var: u32, values: &mut [i8], near: &mut [u64]) {
    let values = &mut values[2 * var as usize..][..2];
    if !matches!(values[0], TRUE | FALSE) {
        values.fill(OUTSIDE);
        near[var as usize / 64] &= !(1 << (var % 64));
    }
}

#[inline]
fn set_near(near: &mut [u64], var: u32) {
    near[var as usize / 64] |= 1 << (var % 64);
}
