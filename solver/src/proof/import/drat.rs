//! Reading DRAT files, text and binary: added clauses without hints.
//!
//! Each clause is checked as it is added: its literals are made false, and the clauses that unit propagation uses
//! until it meets a conflict are its hints. Only what has this property (RUP) has a resolution proof. Clauses that
//! are deleted stop propagating, unless one is the reason of a unit (as in drat-trim).

use std::collections::HashMap;
use std::io::Read;

use super::error::{Fault, ImportError};
use super::input::Input;
use super::replay::{Replay, of_reasons};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::proof::{ProofDag, VertexId};

/// The refutation in a DRAT file as a DAG of resolutions, reduced to the steps that derive the empty clause. Its
/// leaves are clauses of `cnf` with their labels. `stop` is asked before each step.
///
/// # Errors
/// The first error, a clause that does not follow by unit propagation (a RAT step), or that no conflict is reached.
pub fn import_drat(
    cnf: &Cnf,
    mut reader: impl Read,
    mut stop: impl FnMut() -> bool,
) -> Result<ProofDag, ImportError> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let mut steps = Steps::new(&bytes, cnf.n_vars());
    let mut search = Propagation::new(cnf.n_vars());
    for (clause, _) in cnf.iter() {
        search.add(clause, Vec::new());
        if search.is_refuted() {
            break;
        }
    }
    let mut lits = Vec::new();
    while !search.is_refuted() {
        if stop() {
            return Err(ImportError::Stopped);
        }
        match steps.next(&mut lits)? {
            None => return Err(ImportError::NoRefutation),
            Some(true) => search.delete(&lits),
            Some(false) => {
                let Some(hints) = search.hints(&lits) else {
                    return Err(steps.input.fault(Fault::NoUnitConflict));
                };
                search.add(&lits, hints);
            }
        }
    }
    search.proof(cnf)
}

/// The additions and deletions of a file.
struct Steps<'a> {
    input: Input<&'a [u8]>,
    n_vars: usize,
}

impl<'a> Steps<'a> {
    fn new(bytes: &'a [u8], n_vars: usize) -> Self {
        let mut input = Input::new(bytes);
        // The clauses of a binary file end with zeros.
        let start = &bytes[..bytes.len().min(4096)];
        let is_text = |&byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x80..);
        input.is_binary = !start.iter().all(is_text);
        Self { input, n_vars }
    }

    /// Reads the literals of the next step; whether it deletes them, and nothing at the end.
    fn next(&mut self, lits: &mut Vec<Lit>) -> Result<Option<bool>, ImportError> {
        lits.clear();
        let first = match self.input.is_binary {
            true => self.input.peek()?,
            false => self.input.skip_blanks_and_comments()?,
        };
        let is_deletion = match first {
            None => return Ok(None),
            Some(b'd') => true,
            Some(b'a') if self.input.is_binary => false,
            Some(_) if self.input.is_binary => return Err(self.input.unexpected("'a' or 'd'")),
            Some(_) => false,
        };
        if is_deletion || self.input.is_binary {
            self.input.skip();
        }
        loop {
            match self.input.number()? {
                0 => break,
                number => match Lit::from_dimacs(number) {
                    Some(lit) if lit.var().index() < self.n_vars => lits.push(lit),
                    _ => return Err(self.input.fault(Fault::UnknownVariable(number))),
                },
            }
        }
        lits.sort_unstable();
        lits.dedup();
        Ok(Some(is_deletion))
    }
}

/// The number of a clause: those of the formula first, then the additions.
type Id = u32;

struct Clause {
    /// The first two are watched.
    lits: Vec<Lit>,
    /// The clauses of whose resolution it is the result; none for clauses of the formula.
    hints: Vec<Id>,
    is_deleted: bool,
}

/// Clauses and what follows from them by unit propagation.
struct Propagation {
    clauses: Vec<Clause>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<Id>>,
    /// By literal: whether it is true.
    is_true: Vec<bool>,
    /// By variable: the clause that implied its value.
    reasons: Vec<Option<Id>>,
    trail: Vec<Lit>,
    n_propagated: usize,
    /// A clause whose literals are all false without assumptions.
    conflict: Option<Id>,
    /// By sorted literals: the clauses with them.
    by_lits: HashMap<Vec<Lit>, Vec<Id>>,
}

impl Propagation {
    fn new(n_vars: usize) -> Self {
        Self {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * n_vars],
            is_true: vec![false; 2 * n_vars],
            reasons: vec![None; n_vars],
            trail: Vec::new(),
            n_propagated: 0,
            conflict: None,
            by_lits: HashMap::new(),
        }
    }

    fn is_refuted(&self) -> bool {
        self.conflict.is_some()
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.is_true[(!lit).index()]
    }

    fn assign(&mut self, lit: Lit, reason: Option<Id>) {
        self.is_true[lit.index()] = true;
        self.reasons[lit.var().index()] = reason;
        self.trail.push(lit);
    }

    /// Adds a clause and propagates.
    fn add(&mut self, clause: &[Lit], hints: Vec<Id>) {
        let id = self.clauses.len() as Id;
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let is_tautology = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        self.by_lits.entry(lits.clone()).or_default().push(id);
        // Literals that are not false come first, to be watched.
        lits.sort_by_key(|&lit| self.is_false(lit));
        let n_open = lits.iter().filter(|&&lit| !self.is_false(lit)).count();
        if !is_tautology && lits.len() > 1 {
            for lit in &lits[..2] {
                self.watches[lit.index()].push(id);
            }
        }
        let first = lits.first().copied();
        self.clauses.push(Clause {
            lits,
            hints,
            is_deleted: false,
        });
        match (n_open, first) {
            _ if is_tautology => {}
            (0, _) => self.conflict = Some(id),
            (1, Some(lit)) if !self.is_true[lit.index()] => {
                self.assign(lit, Some(id));
                self.conflict = self.propagate();
            }
            _ => {}
        }
    }

    /// Marks a clause with these literals as deleted, unless it is the reason of a unit.
    fn delete(&mut self, lits: &[Lit]) {
        let Some(ids) = self.by_lits.get_mut(lits) else {
            return;
        };
        let Some(&id) = ids.last() else {
            return;
        };
        let is_reason = |lit: &Lit| self.reasons[lit.var().index()] == Some(id);
        if !lits.iter().any(is_reason) {
            ids.pop();
            self.clauses[id as usize].is_deleted = true;
        }
    }

    /// Propagates what is not propagated yet; the clause that becomes false, if one does.
    fn propagate(&mut self) -> Option<Id> {
        while let Some(&lit) = self.trail.get(self.n_propagated) {
            self.n_propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[(!lit).index()]);
            let mut conflict = None;
            let mut kept = 0;
            for at in 0..watches.len() {
                let id = watches[at];
                if self.clauses[id as usize].is_deleted {
                    continue;
                }
                if conflict.is_none() && self.moves(id, !lit) {
                    continue;
                }
                watches[kept] = id;
                kept += 1;
                if conflict.is_some() {
                    continue;
                }
                let other = self.clauses[id as usize].lits[0];
                if self.is_false(other) {
                    conflict = Some(id);
                } else if !self.is_true[other.index()] {
                    self.assign(other, Some(id));
                }
            }
            watches.truncate(kept);
            // No clause found `!lit` to watch meanwhile, as it is false.
            self.watches[(!lit).index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Makes a clause watch another literal than `watched`, which has become false; whether there is one. If not,
    /// the literal that is left comes first.
    fn moves(&mut self, id: Id, watched: Lit) -> bool {
        let lits = &mut self.clauses[id as usize].lits;
        if lits[0] == watched {
            lits.swap(0, 1);
        }
        if self.is_true[lits[0].index()] {
            return false;
        }
        let is_false = |lit: Lit| self.is_true[(!lit).index()];
        let Some(other) = (2..lits.len()).find(|&at| !is_false(lits[at])) else {
            return false;
        };
        lits.swap(1, other);
        self.watches[lits[1].index()].push(id);
        true
    }

    /// The clauses that imply a clause by unit propagation, the last one used first; `None` if they do not.
    fn hints(&mut self, clause: &[Lit]) -> Option<Vec<Id>> {
        let n_before = self.trail.len();
        let mut conflict = None;
        let mut is_tautology = false;
        for &lit in clause {
            if self.is_true[lit.index()] {
                // It is a unit, or the negation of another literal of the clause.
                let reason = self.reasons[lit.var().index()];
                is_tautology |= reason.is_none();
                conflict = conflict.or(reason);
            } else if !self.is_false(lit) {
                self.assign(!lit, None);
            }
        }
        if conflict.is_none() && !is_tautology {
            conflict = self.propagate();
        }
        let hints = conflict.map(|conflict| self.analyse(conflict, clause));
        for lit in self.trail.drain(n_before..) {
            self.is_true[lit.index()] = false;
        }
        self.n_propagated = self.n_propagated.min(n_before);
        if is_tautology && hints.is_none() {
            // It follows from nothing, and nothing needs it.
            return Some(Vec::new());
        }
        hints
    }

    /// The conflict and the reasons that it depends on, in the order of propagation.
    fn analyse(&self, conflict: Id, clause: &[Lit]) -> Vec<Id> {
        let mut needed = vec![false; self.reasons.len()];
        let mark = |needed: &mut Vec<bool>, id: Id| {
            for lit in &self.clauses[id as usize].lits {
                needed[lit.var().index()] = true;
            }
        };
        mark(&mut needed, conflict);
        let mut hints = vec![conflict];
        for lit in self.trail.iter().rev() {
            let var = lit.var().index();
            if needed[var]
                && !clause.contains(&!*lit)
                && let Some(reason) = self.reasons[var]
                && reason != conflict
            {
                mark(&mut needed, reason);
                hints.push(reason);
            }
        }
        hints.reverse();
        hints
    }

    /// The resolutions that lead to the conflict.
    fn proof(mut self, cnf: &Cnf) -> Result<ProofDag, ImportError> {
        const NONE: VertexId = VertexId::MAX;
        let conflict = self.conflict.expect("a refuted formula");
        let last = self.analyse(conflict, &[]);
        self.clauses.push(Clause {
            lits: Vec::new(),
            hints: last,
            is_deleted: false,
        });
        let mut needed = vec![false; self.clauses.len()];
        needed[self.clauses.len() - 1] = true;
        for id in (0..self.clauses.len()).rev() {
            if needed[id] {
                for &hint in &self.clauses[id].hints {
                    needed[hint as usize] = true;
                }
            }
        }
        let mut dag = ProofDag::new();
        let mut vertex_of = vec![NONE; self.clauses.len()];
        let mut replay = Replay::default();
        for id in (0..self.clauses.len()).filter(|&id| needed[id]) {
            let clause = &self.clauses[id];
            // A formula that propagation alone refutes is not read to its end.
            let is_original = clause.hints.is_empty();
            if is_original {
                let leaf = dag.try_add_leaf(cnf.clause(id), cnf.label(id));
                vertex_of[id] = leaf.map_err(|error| of_reasons(&error))?;
                continue;
            }
            let hints = clause.hints.iter().map(|&hint| vertex_of[hint as usize]);
            let hints: Vec<VertexId> = hints.filter(|&vertex| vertex != NONE).collect();
            let chain = replay.chain(&dag, id as u32 + 1, &clause.lits, &hints);
            let chain = chain.expect("the hints were found by propagation");
            if let [only] = chain {
                vertex_of[id] = *only;
            } else if !chain.is_empty() {
                let vertex = dag.add_antecedents(chain);
                vertex_of[id] = vertex.map_err(|error| of_reasons(&error))?;
            }
        }
        dag.set_root(vertex_of[self.clauses.len() - 1]);
        Ok(dag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Encoding;
    use crate::proof::check::{check_dag, check_leaves};
    use crate::proof::drat::DratWriter;
    use crate::proof::example::{lits, random_cnf, refute};
    use craig_aig::Random;

    fn import(cnf: &Cnf, bytes: &[u8]) -> Result<ProofDag, ImportError> {
        import_drat(cnf, bytes, || false)
    }

    #[test]
    fn what_a_search_writes_becomes_resolutions() {
        let mut random = Random::new(5);
        let mut n_refuted = 0;
        for round in 0..600 {
            let n_vars = 3 + round % 9;
            let cnf = random_cnf(&mut random, n_vars, 5 * n_vars);
            let seed = random.below(1 << 30) as u64 + 1;
            for encoding in [Encoding::Text, Encoding::Binary] {
                let mut writer = DratWriter::new(Vec::new(), encoding);
                if refute(&cnf, &mut Random::new(seed), &mut writer).is_none() {
                    break;
                }
                let dag = import(&cnf, &writer.finish().unwrap()).unwrap();
                assert!(dag.is_refutation());
                assert_eq!(check_dag(&dag), Ok(()));
                assert_eq!(check_leaves(&dag, &cnf), Ok(()));
                n_refuted += 1;
            }
        }
        assert!(n_refuted > 300);
    }

    fn square() -> Cnf {
        let mut cnf = Cnf::new();
        for clause in [&[1, 2][..], &[-1, 2], &[1, -2], &[-1, -2]] {
            cnf.add_clause(&lits(clause));
        }
        cnf
    }

    #[test]
    fn deletions_end_at_once_but_not_those_of_reasons() {
        let cnf = square();
        assert!(import(&cnf, b"c text\n2 0\nd 2 1 0\n0\n").is_ok());
        let error = |text: &[u8]| import(&cnf, text).unwrap_err().to_string();
        // Without 1 2 the clause 2 does not follow.
        assert!(error(b"d 2 1 0\n2 0\n").starts_with("line 2, column 4: "));
        // The unit stays although it is deleted.
        assert!(import(&cnf, b"2 0\nd 2 0\nd 1 2 0\n0\n").is_ok());
    }

    #[test]
    fn what_is_no_resolution_is_refused_by_name() {
        let error = |cnf: &Cnf, text: &[u8]| import(cnf, text).unwrap_err().to_string();
        let cnf = square();
        assert!(
            error(&cnf, b"3 -1 0\n").contains("defines"),
            "{}",
            error(&cnf, b"3 -1 0\n")
        );
        let mut open = Cnf::new();
        open.add_clause(&lits(&[1, 2]));
        assert!(
            error(&open, b"1 0\n").contains("RAT"),
            "{}",
            error(&open, b"1 0\n")
        );
        assert!(error(&open, b"").contains("never derives"));
        assert!(error(&open, b"1 x\n").contains("column 3"));
        let stopped = import_drat(&cnf, &b"2 0\n"[..], || true);
        assert!(matches!(stopped, Err(ImportError::Stopped)));
    }

    #[test]
    fn damaged_files_are_errors_or_proofs() {
        let mut random = Random::new(3);
        let cnf = random_cnf(&mut random, 7, 42);
        let mut writer = DratWriter::new(Vec::new(), Encoding::Text);
        refute(&cnf, &mut Random::new(5), &mut writer).unwrap();
        let whole = writer.finish().unwrap();
        for _ in 0..2000 {
            let mut file = whole.clone();
            let at = random.below(file.len());
            file[at] = b"0123456789- d\n"[random.below(14)];
            if let Ok(dag) = import(&cnf, &file) {
                assert_eq!(check_dag(&dag), Ok(()));
                assert_eq!(check_leaves(&dag, &cnf), Ok(()));
            }
        }
    }
}
