//! A program without recursion that is safe only if summaries are right, and prove the program with the recursion.
//!
//! Each call within a recursion is replaced: a check of what the summary requires, any result and any contents of
//! what the callee writes, and the assumption of what the summary ensures. Before the entry function is called, the
//! program may call one of the summarised functions instead, with any parameters and any contents of what it
//! accesses that satisfy what the summary requires, and checks what the summary ensures.
//!
//! If no check of this program fails, and none of the original ones, no run of the recursive program fails: consider
//! the first failure, or the first call within a recursion that violates a summary, at its entry or exit, and the
//! innermost of the active calls within a recursion. All calls within it that have returned satisfied their summaries,
//! so that the new program has the same run from the entry of that call, and fails as well.

use std::collections::HashMap;

use craig_program::procedures::Summary;
use craig_word::{Node, Op, Term, Terms};

use super::problem::Problem;
use craig_c_exec::symbolic::{EdgeCalls, Vocabulary};
use craig_c_lang::ir::{
    Block, BlockId, Callee, CheckKind, Choice, Expr, ExprNode, Function, FunctionId, Instr,
    Location, Program, Reg, Register, StaticId, Terminator,
};

/// The block of the start function in which the entry function is called.
const ENTRY_CALL: usize = 1;

/// The program with these summaries; `None` if a term of theirs has no expression.
pub(super) fn with_summaries(
    program: &Program,
    edges: &EdgeCalls,
    problem: &Problem,
    summaries: &[Summary],
) -> Option<Program> {
    let mut maker = Maker {
        result: program.clone(),
        edges,
        problem,
        summaries,
    };
    for &(from, to) in &edges.calls {
        for block in 0..program.functions[from as usize].blocks.len() {
            let end = &program.functions[from as usize].blocks[block].end;
            if matches!(end, Terminator::Call { callee: Callee::Direct(id), .. } if *id == to) {
                maker.replace_call(from, block as BlockId, to)?;
            }
        }
    }
    let mut checks = Vec::new();
    for &id in &problem.functions {
        checks.push(maker.check_of(id)?);
    }
    maker.choose_start(&checks)?;
    Some(maker.result)
}

struct Maker<'a> {
    result: Program,
    edges: &'a EdgeCalls,
    problem: &'a Problem,
    summaries: &'a [Summary],
}

/// Straight-line code of a function.
struct Code {
    function: FunctionId,
    at: Location,
    instrs: Vec<(Instr, Location)>,
}

impl Maker<'_> {
    fn number(&self, id: FunctionId) -> usize {
        let functions = &self.problem.functions;
        functions
            .binary_search(&id)
            .expect("the function has a summary")
    }

    fn fresh(&mut self, function: FunctionId, width: u32) -> Reg {
        let registers = &mut self.result.functions[function as usize].regs;
        registers.push(Register {
            width,
            name: None,
            ty: None,
        });
        (registers.len() - 1) as Reg
    }

    fn read(&mut self, function: FunctionId, reg: Reg) -> Expr {
        let width = self.result.functions[function as usize].regs[reg as usize].width;
        self.result.make(ExprNode::Reg(reg), width)
    }

    /// A register with any value.
    fn choose(&mut self, code: &mut Code, width: u32) -> Reg {
        let reg = self.fresh(code.function, width);
        let kind = Choice::Open("a state of a call within a recursion".into());
        code.push(Instr::Choose { reg, kind });
        reg
    }

    /// The addresses of the cells of static objects, and their sizes.
    fn cells(&mut self, objects: &[StaticId]) -> Vec<(Expr, u32)> {
        let mut found = Vec::new();
        for &object in objects {
            let width = self.result.pointer_width;
            let base = self.result.make(ExprNode::Static(object), width);
            let cells = self.result.statics[object as usize].shape.cells.clone();
            for (offset, bytes) in cells {
                let offset = self.result.constant(u128::from(offset), width);
                found.push((self.result.binary(Op::Add, base, offset), bytes));
            }
        }
        found
    }

    /// The contents of static objects, in registers.
    fn load(&mut self, code: &mut Code, objects: &[StaticId]) -> Vec<Expr> {
        let mut found = Vec::new();
        for (address, bytes) in self.cells(objects) {
            let reg = self.fresh(code.function, 8 * bytes);
            code.push(Instr::Load {
                reg,
                address,
                bytes,
            });
            found.push(self.read(code.function, reg));
        }
        found
    }

    /// Any contents of static objects.
    fn forget(&mut self, code: &mut Code, objects: &[StaticId]) -> Vec<Expr> {
        let mut found = Vec::new();
        for (address, bytes) in self.cells(objects) {
            let reg = self.choose(code, 8 * bytes);
            let value = self.read(code.function, reg);
            code.push(Instr::Store {
                address,
                value,
                bytes,
            });
            found.push(value);
        }
        found
    }

    /// The conjunction of conditions, with these values for the words at entry and exit.
    fn conjunction(
        &mut self,
        code: &mut Code,
        conditions: &[Term],
        values: &HashMap<Term, Expr>,
    ) -> Option<Expr> {
        let terms = &self.problem.procedures.terms;
        let mut done = values.clone();
        let mut all = self.result.constant(1, 1);
        for &condition in conditions {
            let value = self.value(code, terms, condition, &mut done)?;
            all = self.result.binary(Op::And, all, value);
            all = self.keep(code, all);
        }
        Some(all)
    }

    /// The value in a register, so that expressions stay small.
    fn keep(&mut self, code: &mut Code, value: Expr) -> Expr {
        if matches!(
            self.result.node(value),
            ExprNode::Const(_) | ExprNode::Reg(_)
        ) {
            return value;
        }
        let reg = self.fresh(code.function, self.result.width(value));
        code.push(Instr::Set { reg, value });
        self.read(code.function, reg)
    }

    fn value(
        &mut self,
        code: &mut Code,
        terms: &Terms,
        root: Term,
        done: &mut HashMap<Term, Expr>,
    ) -> Option<Expr> {
        for term in terms.cone(&[root], |term| done.contains_key(&term)) {
            let width = terms.width(term);
            let of = |term: Term| done[&term];
            let value = match terms.node(term) {
                Node::Const(value) => self.result.constant(value, width),
                Node::Not(a) => self.result.not(of(a)),
                Node::Binary(op, a, b) => self.result.binary(op, of(a), of(b)),
                Node::Ite(c, a, b) => self.result.ite(of(c), of(a), of(b)),
                Node::Extract(a, low) => self.result.extract(of(a), low, width),
                Node::ZExt(a) => self.result.resize(of(a), width, false),
                Node::SExt(a) => self.result.resize(of(a), width, true),
                Node::Concat(high, low) => {
                    let shift = self.result.constant(u128::from(terms.width(low)), width);
                    let high = self.result.resize(of(high), width, false);
                    let low = self.result.resize(of(low), width, false);
                    let high = self.result.binary(Op::Shl, high, shift);
                    self.result.binary(Op::Add, high, low)
                }
                Node::Wide(_)
                | Node::Var(_)
                | Node::Select(..)
                | Node::Store(..)
                | Node::ConstArray(_) => return None,
            };
            let value = self.keep(code, value);
            done.insert(term, value);
        }
        Some(done[&root])
    }

    /// The values of a procedure's words at the entry, and at the exit.
    fn values(&self, id: FunctionId, entry: &[Expr], exit: &[Expr]) -> HashMap<Term, Expr> {
        let procedure = &self.problem.procedures.procedures[self.number(id)];
        debug_assert_eq!(entry.len(), procedure.entry.len());
        debug_assert!(exit.is_empty() || exit.len() == procedure.exit.len());
        let entry = procedure.entry.iter().zip(entry);
        let exit = procedure.exit.iter().zip(exit);
        entry
            .chain(exit)
            .map(|(word, &value)| (word.term, value))
            .collect()
    }

    /// Replaces the call at the end of a block by the summary of the callee.
    fn replace_call(&mut self, from: FunctionId, block: BlockId, callee: FunctionId) -> Option<()> {
        let edges = self.edges;
        let vocabulary = &edges.vocabularies[&callee];
        let own = &self.result.functions[from as usize].blocks[block as usize];
        let Terminator::Call {
            args, result, next, ..
        } = own.end.clone()
        else {
            return None;
        };
        let mut code = Code::new(from, own.end_at);
        let mut entry: Vec<Expr> = Vec::new();
        for value in args {
            entry.push(self.keep(&mut code, value));
        }
        entry.extend(self.load(&mut code, &vocabulary.accessed));
        let summary = &self.summaries[self.number(callee)];
        let values = self.values(callee, &entry, &[]);
        let required = self.conjunction(&mut code, &summary.requires, &values)?;
        if self.result.constant_value(required) != Some(1) {
            code.push(Instr::Check {
                condition: required,
                what: CheckKind::Precondition,
            });
        }
        let mut exit = Vec::new();
        if let Some(width) = vocabulary.result {
            let reg = self.choose(&mut code, width);
            exit.push(self.read(from, reg));
        }
        exit.extend(self.forget(&mut code, &vocabulary.written));
        let values = self.values(callee, &entry, &exit);
        let condition = self.conjunction(&mut code, &summary.ensures, &values)?;
        if self.result.constant_value(condition) != Some(1) {
            code.push(Instr::Assume { condition });
        }
        if let (Some(reg), Some(&value)) = (result, exit.first()) {
            code.push(Instr::Set { reg, value });
        }
        let block = &mut self.result.functions[from as usize].blocks[block as usize];
        block.instrs.append(&mut code.instrs);
        block.end = Terminator::Jump(next);
        Some(())
    }

    /// A function that calls a summarised one in any state that its summary requires, and checks the summary.
    fn check_of(&mut self, id: FunctionId) -> Option<FunctionId> {
        let edges = self.edges;
        let vocabulary: &Vocabulary = &edges.vocabularies[&id];
        let own = &self.result.functions[id as usize];
        let at = own.blocks.first()?.end_at;
        let name = format!("check of the summary of {}", own.name);
        let check = self.result.functions.len() as FunctionId;
        self.result.functions.push(Function::new(&name));
        let mut before = Code::new(check, at);
        let mut args = Vec::new();
        for &width in &vocabulary.parameters {
            let reg = self.choose(&mut before, width);
            args.push(self.read(check, reg));
        }
        let mut entry = args.clone();
        entry.extend(self.forget(&mut before, &vocabulary.accessed));
        let summary = &self.summaries[self.number(id)];
        let values = self.values(id, &entry, &[]);
        let condition = self.conjunction(&mut before, &summary.requires, &values)?;
        before.push(Instr::Assume { condition });
        let result = vocabulary.result.map(|width| self.fresh(check, width));
        let mut after = Code::new(check, at);
        let mut exit: Vec<Expr> = Vec::new();
        if let Some(reg) = result {
            exit.push(self.read(check, reg));
        }
        exit.extend(self.load(&mut after, &vocabulary.written));
        let values = self.values(id, &entry, &exit);
        for &condition in &summary.ensures {
            let condition = self.conjunction(&mut after, &[condition], &values)?;
            after.push(Instr::Check {
                condition,
                what: CheckKind::Postcondition,
            });
        }
        let call = Terminator::Call {
            callee: Callee::Direct(id),
            args,
            result,
            next: 1,
        };
        self.result.functions[check as usize].blocks =
            vec![before.block(call), after.block(Terminator::Return(None))];
        Some(check)
    }

    /// Lets the start function call one of the checks instead of the entry function.
    fn choose_start(&mut self, checks: &[FunctionId]) -> Option<()> {
        let start = self.result.start;
        let calls = self.result.functions[start as usize]
            .blocks
            .get(ENTRY_CALL)?;
        if !matches!(calls.end, Terminator::Call { .. }) {
            return None;
        }
        let at = calls.end_at;
        let is_used = |function: &Function| {
            let id = ENTRY_CALL as BlockId;
            function.resumes.contains_key(&id) || function.loops.contains_key(&id)
        };
        if is_used(&self.result.functions[start as usize]) {
            return None;
        }
        // The call of the entry function moves to the last block; the blocks before it choose.
        let mut next = self.result.functions[start as usize].blocks.len() as BlockId;
        let mut blocks = Vec::new();
        let halt = next;
        blocks.push(Code::new(start, at).block(Terminator::Halt));
        next += 1;
        let original = next;
        blocks.push(Code::new(start, at).block(Terminator::Halt));
        next += 1;
        let mut otherwise = original;
        for &check in checks {
            let call = Terminator::Call {
                callee: Callee::Direct(check),
                args: Vec::new(),
                result: None,
                next: halt,
            };
            blocks.push(Code::new(start, at).block(call));
            let mut choice = Code::new(start, at);
            let reg = self.choose(&mut choice, 1);
            let condition = self.read(start, reg);
            let branch = Terminator::Branch {
                condition,
                then: next,
                otherwise,
            };
            blocks.push(choice.block(branch));
            otherwise = next + 1;
            next += 2;
        }
        let function = &mut self.result.functions[start as usize];
        let first = Block {
            instrs: Vec::new(),
            end: Terminator::Jump(otherwise),
            end_at: at,
        };
        let calls = std::mem::replace(&mut function.blocks[ENTRY_CALL], first);
        blocks[(original - halt) as usize] = calls;
        function.blocks.extend(blocks);
        Some(())
    }
}

impl Code {
    fn new(function: FunctionId, at: Location) -> Self {
        Self {
            function,
            at,
            instrs: Vec::new(),
        }
    }

    fn push(&mut self, instr: Instr) {
        self.instrs.push((instr, self.at));
    }

    fn block(self, end: Terminator) -> Block {
        Block {
            instrs: self.instrs,
            end,
            end_at: self.at,
        }
    }
}
