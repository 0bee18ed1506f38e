//! Loops as procedures: what a function does from the head of a loop on is a function of its own, whose parameters are
//! the registers that are live there.
//!
//! Each jump to such a head becomes a call, whose result is returned at once. The calls of an iteration are nested in
//! those of the iteration before, so that a loop is a recursion, and its labels are those of a procedure: a summary of
//! the new function relates the state at the head to the exit of the whole function, as a label of a location within
//! a procedure does (K. L. McMillan, "Lazy annotation for program testing and verification", CAV 2010, section 2.3).
//!
//! The program has the same runs: a jump to the head takes the same steps as the call, which has the values of all
//! registers that the code behind the head can read, and the caller does nothing more than to return the result. No
//! step depends on the frame: functions with objects in memory keep their loops.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::scope::operands;
use crate::tail_calls::keeps_nothing;
use craig_c_exec::symbolic::{Graph, LoopHeads};
use craig_c_lang::ir::{
    Block, BlockId, Callee, Expr, ExprNode, Function, FunctionId, Instr, Location, Program, Reg,
    Register, Terminator,
};

/// Registers that are live at a head, at most.
const MAX_LIVE: usize = 24;

/// The program with loops as procedures, those with these heads; `None` if none of them can be one.
pub(super) fn loops_as_procedures(program: &Program, heads: &LoopHeads) -> Option<Program> {
    let mut result = program.clone();
    let mut of_function: BTreeMap<FunctionId, BTreeSet<BlockId>> = BTreeMap::new();
    for &(function, head) in heads {
        of_function.entry(function).or_default().insert(head);
    }
    let mut has_changed = false;
    for (id, heads) in of_function {
        has_changed |= outline(&mut result, id, &heads).is_some();
    }
    has_changed.then_some(result)
}

/// What a function does from a head on.
struct Part {
    id: FunctionId,
    /// Its parameters, by their numbers in the whole function.
    live: Vec<Reg>,
}

fn outline(program: &mut Program, id: FunctionId, heads: &BTreeSet<BlockId>) -> Option<()> {
    let whole = program.functions[id as usize].clone();
    // No block jumps to the entry.
    let is_covered = id != program.start && keeps_nothing(&whole) && !heads.contains(&0);
    if !is_covered {
        return None;
    }
    let graph = Graph::new(program, &whole);
    let mut parts = BTreeMap::new();
    for (number, &head) in heads.iter().enumerate() {
        let live: Vec<Reg> = (0..whole.regs.len())
            .filter(|&reg| graph.is_live(head, reg))
            .map(|reg| reg as Reg)
            .collect();
        if live.len() > MAX_LIVE {
            return None;
        }
        let id = (program.functions.len() + number) as FunctionId;
        parts.insert(head, Part { id, live });
    }
    let entry: Vec<Reg> = (0..whole.n_params as Reg).collect();
    let mut made = vec![part(program, &whole, (0, &entry), &parts)?];
    for (&head, own) in &parts {
        let mut function = part(program, &whole, (head, &own.live), &parts)?;
        let line = whole.blocks[head as usize].end_at.line;
        function.name = format!("{} from the loop at line {line} on", whole.name);
        made.push(function);
    }
    let mut made = made.into_iter();
    program.functions[id as usize] = made.next().expect("the function itself comes first");
    program.functions.extend(made);
    Some(())
}

/// The code from a block on, with these registers as parameters and calls in place of jumps to heads. `None` if it has
/// instructions that are not covered.
fn part(
    program: &mut Program,
    whole: &Function,
    (start, parameters): (BlockId, &[Reg]),
    parts: &BTreeMap<BlockId, Part>,
) -> Option<Function> {
    let order = parameters_first(whole, parameters);
    let mut number = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        number[old as usize] = new as Reg;
    }
    let mut function = Function::new(&whole.name);
    function.n_params = parameters.len();
    function.result_width = whole.result_width;
    function.regs = (order.iter())
        .map(|&reg| whole.regs[reg as usize].clone())
        .collect();
    let mut renaming = Renaming {
        number,
        done: HashMap::new(),
    };
    let reached = reached(whole, start, parts);
    let mut places: BTreeMap<BlockId, BlockId> = BTreeMap::new();
    for (place, &block) in reached.iter().enumerate() {
        places.insert(block, place as BlockId);
    }
    let mut places = Places {
        parts,
        places,
        n_copies: reached.len(),
        calls: BTreeMap::new(),
    };
    for &block in &reached {
        let code = &whole.blocks[block as usize];
        let mut instrs = Vec::new();
        for (instr, at) in &code.instrs {
            instrs.push((renaming.instr(program, instr)?, *at));
        }
        let end = renaming.end(program, &code.end, &mut places)?;
        function.blocks.push(Block {
            instrs,
            end,
            end_at: code.end_at,
        });
    }
    let mut calls: Vec<(BlockId, BlockId)> = places.calls.into_iter().collect();
    calls.sort_unstable_by_key(|&(_, place)| place);
    for (head, place) in calls {
        debug_assert_eq!(place as usize, function.blocks.len());
        let call = (&parts[&head], whole.blocks[head as usize].end_at);
        push_call(program, whole, call, &renaming, &mut function);
    }
    Some(function)
}

/// The registers of a function with these ones first, as parameters are.
fn parameters_first(whole: &Function, parameters: &[Reg]) -> Vec<Reg> {
    let mut is_parameter = vec![false; whole.regs.len()];
    for &reg in parameters {
        is_parameter[reg as usize] = true;
    }
    let others = (0..whole.regs.len() as Reg).filter(|&reg| !is_parameter[reg as usize]);
    parameters.iter().copied().chain(others).collect()
}

/// Where the copies of blocks are in a part.
struct Places<'p> {
    parts: &'p BTreeMap<BlockId, Part>,
    places: BTreeMap<BlockId, BlockId>,
    n_copies: usize,
    /// Behind the copies: by head, the call in place of a jump to it, which its return follows.
    calls: BTreeMap<BlockId, BlockId>,
}

impl Places<'_> {
    fn of(&mut self, to: BlockId) -> BlockId {
        match self.parts.contains_key(&to) {
            false => self.places[&to],
            true => {
                let next = (self.n_copies + 2 * self.calls.len()) as BlockId;
                *self.calls.entry(to).or_insert(next)
            }
        }
    }
}

/// Adds the call of a part, given with a place in the source, and the return of its result.
fn push_call(
    program: &mut Program,
    whole: &Function,
    (to, end_at): (&Part, Location),
    renaming: &Renaming,
    function: &mut Function,
) {
    let next = (function.blocks.len() + 1) as BlockId;
    let args = (to.live.iter()).map(|&reg| {
        let width = whole.regs[reg as usize].width;
        program.make(ExprNode::Reg(renaming.number[reg as usize]), width)
    });
    let args = args.collect();
    let result = whole.result_width.map(|width| {
        function.regs.push(Register {
            width,
            name: None,
            ty: None,
        });
        (function.regs.len() - 1) as Reg
    });
    let value = result.map(|reg| {
        let width = function.regs[reg as usize].width;
        program.make(ExprNode::Reg(reg), width)
    });
    let call = Terminator::Call {
        callee: Callee::Direct(to.id),
        args,
        result,
        next,
    };
    for end in [call, Terminator::Return(value)] {
        function.blocks.push(Block {
            instrs: Vec::new(),
            end,
            end_at,
        });
    }
}

/// The blocks that are reached from a block without going on from a head, this block first.
fn reached(function: &Function, start: BlockId, parts: &BTreeMap<BlockId, Part>) -> Vec<BlockId> {
    let mut found: BTreeSet<BlockId> = BTreeSet::new();
    let mut work = vec![start];
    while let Some(block) = work.pop() {
        if !found.insert(block) {
            continue;
        }
        let to = match function.blocks[block as usize].end {
            Terminator::Jump(to) | Terminator::Call { next: to, .. } => [Some(to), None],
            Terminator::Branch {
                then, otherwise, ..
            } => [Some(then), Some(otherwise)],
            _ => [None, None],
        };
        let to = to.into_iter().flatten();
        work.extend(to.filter(|to| !parts.contains_key(to)));
    }
    found.remove(&start);
    std::iter::once(start).chain(found).collect()
}

/// Other numbers for the registers of a function.
struct Renaming {
    number: Vec<Reg>,
    done: HashMap<Expr, Expr>,
}

impl Renaming {
    /// The end of a block; `None` if it is not covered.
    fn end(
        &mut self,
        program: &mut Program,
        end: &Terminator,
        places: &mut Places<'_>,
    ) -> Option<Terminator> {
        Some(match end {
            Terminator::Jump(to) => Terminator::Jump(places.of(*to)),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => Terminator::Branch {
                condition: self.expr(program, *condition),
                then: places.of(*then),
                otherwise: places.of(*otherwise),
            },
            Terminator::Call {
                callee: Callee::Direct(callee),
                args,
                result,
                next,
            } => Terminator::Call {
                callee: Callee::Direct(*callee),
                args: (args.iter())
                    .map(|&value| self.expr(program, value))
                    .collect(),
                result: result.map(|reg| self.number[reg as usize]),
                next: places.of(*next),
            },
            Terminator::Call { .. } => return None,
            Terminator::Return(value) => {
                Terminator::Return(value.map(|value| self.expr(program, value)))
            }
            end @ (Terminator::Halt | Terminator::Error(_) | Terminator::Stuck(_)) => end.clone(),
        })
    }

    fn expr(&mut self, program: &mut Program, root: Expr) -> Expr {
        let mut work = vec![(root, false)];
        while let Some((expr, is_ready)) = work.pop() {
            if self.done.contains_key(&expr) {
                continue;
            }
            let (node, width) = (program.node(expr), program.width(expr));
            if !is_ready {
                work.push((expr, true));
                work.extend(operands(node).into_iter().map(|operand| (operand, false)));
                continue;
            }
            let of = |expr: Expr| self.done[&expr];
            let node = match node {
                ExprNode::Reg(reg) => ExprNode::Reg(self.number[reg as usize]),
                ExprNode::Not(a) => ExprNode::Not(of(a)),
                ExprNode::Extract(a, low) => ExprNode::Extract(of(a), low),
                ExprNode::ZExt(a) => ExprNode::ZExt(of(a)),
                ExprNode::SExt(a) => ExprNode::SExt(of(a)),
                ExprNode::Binary(op, a, b) => ExprNode::Binary(op, of(a), of(b)),
                ExprNode::Moved(a, b) => ExprNode::Moved(of(a), of(b)),
                ExprNode::Ite(a, b, c) => ExprNode::Ite(of(a), of(b), of(c)),
                ExprNode::Float(op, ty, a, b, c) => ExprNode::Float(op, ty, of(a), of(b), of(c)),
                ExprNode::Const(_)
                | ExprNode::Static(_)
                | ExprNode::Slot(_)
                | ExprNode::Function(_) => node,
            };
            let renamed = program.make(node, width);
            self.done.insert(expr, renamed);
        }
        self.done[&root]
    }

    /// `None` for instructions of functions that keep something in their frame, or allocate.
    fn instr(&mut self, program: &mut Program, instr: &Instr) -> Option<Instr> {
        let new = |reg: Reg| self.number[reg as usize];
        Some(match instr {
            Instr::Set { reg, value } => Instr::Set {
                reg: new(*reg),
                value: self.expr(program, *value),
            },
            Instr::Load {
                reg,
                address,
                bytes,
            } => Instr::Load {
                reg: new(*reg),
                address: self.expr(program, *address),
                bytes: *bytes,
            },
            Instr::Store {
                address,
                value,
                bytes,
            } => Instr::Store {
                address: self.expr(program, *address),
                value: self.expr(program, *value),
                bytes: *bytes,
            },
            Instr::Choose { reg, kind } => Instr::Choose {
                reg: new(*reg),
                kind: kind.clone(),
            },
            Instr::Host {
                reg,
                function,
                format,
                arguments,
            } => Instr::Host {
                reg: new(*reg),
                function: *function,
                format: *format,
                arguments: (arguments.iter())
                    .map(|&value| self.expr(program, value))
                    .collect(),
            },
            Instr::UsesBits {
                word,
                promised,
                bits,
            } => Instr::UsesBits {
                word: self.expr(program, *word),
                promised: *promised,
                bits: bits.map(|other| self.expr(program, other)),
            },
            Instr::Assume { condition } => Instr::Assume {
                condition: self.expr(program, *condition),
            },
            Instr::Candidate { condition } => Instr::Candidate {
                condition: self.expr(program, *condition),
            },
            Instr::Check { condition, what } => Instr::Check {
                condition: self.expr(program, *condition),
                what: *what,
            },
            Instr::CheckAccess {
                address,
                bytes,
                what,
            } => Instr::CheckAccess {
                address: self.expr(program, *address),
                bytes: *bytes,
                what: *what,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use craig_mc::Alone;

    use super::*;
    use crate::bounded;
    use crate::tests::{letter, program};
    use craig_c_exec::symbolic::loop_heads;
    use craig_c_exec::symbolic::unwinding::Unwinding;
    use craig_c_lang::types::DataModel;
    use craig_program::line_up::Stages;

    const HEAD: &str =
        "extern unsigned nondet_uint(void);\nextern void __VERIFIER_assume(int);\nunsigned g;\n";

    /// The program with each loop of each function as a procedure.
    fn outlined(text: &str) -> (Program, Option<Program>) {
        let program = program(&format!("{HEAD}{text}"), DataModel::Lp64);
        let heads = (0..program.functions.len() as FunctionId)
            .filter(|&id| !program.functions[id as usize].blocks.is_empty())
            .flat_map(|id| {
                let heads = loop_heads(&program, id).into_iter();
                heads.map(move |head| (id, head))
            })
            .collect();
        let outlined = loops_as_procedures(&program, &heads);
        (program, outlined)
    }

    /// Procedures have the verdict of the loops, unrolled, for claims that hold and claims that do not.
    #[test]
    fn procedures_compute_what_the_loops_compute() {
        let functions = [
            "unsigned f(unsigned n, unsigned k) { unsigned s = k; for (unsigned i = 0; i < n; i++) s += 3 * i; return s; }",
            // Nested, one after the other, left by `break` and `return`, and continued.
            "unsigned f(unsigned n, unsigned k) { unsigned s = 1; for (unsigned i = 0; i < n; i++) for (unsigned j = i; \
             j < k; j++) { if (j == 2) continue; s = 2 * s + j; } return s; }",
            "unsigned f(unsigned n, unsigned k) { unsigned s = 0; while (n) { n--; s += k; if (s > 7) break; } \
             do { s++; if (s == 5) return n; k >>= 1; } while (k); return s; }",
            // Calls within loops, and of the function itself.
            "unsigned h(unsigned n) { unsigned s = 0; while (n > 1) { s += n; n /= 2; } return s; }\n\
             unsigned f(unsigned n, unsigned k) { unsigned s = 0; for (; k; k--) s += h(n + k); return s; }",
            "unsigned f(unsigned n, unsigned k) { unsigned s = k; for (unsigned i = 0; i < n; i++) s += f(i, s & 1); \
             return s; }",
            // Globals, inputs, and no result.
            "void h(unsigned n) { for (unsigned i = 0; i < n; i++) { g += i; unsigned x = nondet_uint(); \
             __VERIFIER_assume(x < 2); g += x; } }\n\
             unsigned f(unsigned n, unsigned k) { g = k; h(n); return g; }",
            // Jumps into a loop.
            "unsigned f(unsigned n, unsigned k) { unsigned s = 0; if (k > 1) goto in; while (n) { s += 2; in: s++; \
             if (n) n--; } return s; }",
        ];
        for text in functions {
            for claim in [
                "f(n, k) != f(1, 2)",
                "f(n, k) < 4",
                "f(n, k) == f(n, k)",
                "f(n, 0) % 3 != 2",
            ] {
                let main = format!(
                    "int main(void) {{ unsigned n = nondet_uint(), k = nondet_uint(); \
                     __VERIFIER_assume(n < 4 && k < 4); assert({claim}); return 0; }}"
                );
                let (plain, outlined) = outlined(&format!("{text}\n{main}"));
                let outlined = outlined.expect("there are loops");
                let verdict = |program: &Program| {
                    let unwinding = Unwinding::default();
                    letter(&bounded::check(
                        program,
                        (&unwinding, &Stages::NONE),
                        Alone::new().control(),
                    ))
                };
                let expected = verdict(&plain);
                assert_ne!(expected, '?', "{text} {claim}");
                assert_eq!(verdict(&outlined), expected, "{text} {claim}");
            }
        }
    }

    /// No block of the new program jumps backwards.
    #[test]
    fn no_loops_are_left() {
        let text = "unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) { while (s & 3) s++; s += \
                    f(i); } return s; }\nint main(void) { for (;;) f(nondet_uint()); }";
        let outlined = outlined(text).1.expect("there are loops");
        for id in 0..outlined.functions.len() {
            if !outlined.functions[id].blocks.is_empty() {
                assert!(loop_heads(&outlined, id as FunctionId).is_empty());
            }
        }
        assert_eq!(
            outlined
                .functions
                .iter()
                .filter(|own| own.name.contains("loop"))
                .count(),
            3
        );
    }

    /// Frames that the program can tell apart.
    #[test]
    fn functions_with_objects_keep_their_loops() {
        for text in [
            "int main(void) { unsigned a[3]; for (unsigned i = 0; i < nondet_uint(); i++) a[0] = i; return a[0]; }",
            "int main(void) { unsigned x = 0, *p = &x; while (*p < nondet_uint()) ++*p; return x; }",
        ] {
            assert!(outlined(text).1.is_none(), "{text}");
        }
    }
}
