//! The order in which the blocks of a function are visited, and the registers live at each block.
//!
//! Bourdoncle, *Efficient chaotic iteration strategies with widenings* (FMPA 1993): a weak topological
//! order nests every cycle in a component with one head; every back edge leads to the head of a component
//! around its source. That holds for irreducible graphs as well.

use std::collections::HashMap;

use craig_c_lang::ir::{
    BlockId, Callee, Expr, ExprNode, Function, FunctionId, Instr, Program, Reg, Terminator,
};

/// The control-flow graph of a function, with its loops.
pub struct Graph {
    /// The position of each block in the order; unreachable blocks have none.
    pub(crate) position: Vec<u32>,
    /// The heads of the components around each block, outermost first; a head is in its own.
    pub(crate) heads: Vec<Vec<BlockId>>,
    /// The heads of all components, in the order of the source.
    pub(crate) loops: Vec<BlockId>,
    /// By block: whether all iterations of its innermost loop pass through it, and paths meet there.
    pub(crate) is_junction: Vec<bool>,
    /// Whether each register is live at the start of each block, in 64-bit words.
    live: Vec<Vec<u64>>,
    n_registers: usize,
}

impl Graph {
    /// The graph of a function of the program.
    pub fn new(program: &Program, function: &Function) -> Self {
        let successors: Vec<Vec<BlockId>> = function
            .blocks
            .iter()
            .map(|block| successors(&block.end))
            .collect();
        let mut order = Order {
            successors: &successors,
            number: vec![0; function.blocks.len()],
            next: 0,
            stack: Vec::new(),
        };
        let mut partition = Vec::new();
        order.visit(0, &mut partition);
        partition.reverse();
        let mut graph = Self {
            position: vec![u32::MAX; function.blocks.len()],
            heads: vec![Vec::new(); function.blocks.len()],
            loops: Vec::new(),
            is_junction: Vec::new(),
            live: Vec::new(),
            n_registers: function.regs.len(),
        };
        let mut next = 0;
        graph.place(&partition, &mut Vec::new(), &mut next);
        // Blocks are numbered in the order of the source.
        let all = 0..function.blocks.len() as BlockId;
        graph.loops = all
            .filter(|&block| graph.heads[block as usize].last() == Some(&block))
            .collect();
        graph.is_junction = graph.junctions(&successors);
        graph.live = liveness(program, function, &successors);
        graph
    }

    /// By block: whether it is a junction, see [`Self::is_junction`].
    fn junctions(&self, successors: &[Vec<BlockId>]) -> Vec<bool> {
        let n_blocks = successors.len();
        let mut n_ways_in = vec![0_u32; n_blocks];
        let is_reached = |block: usize| self.position[block] != u32::MAX;
        // The positions of a loop's blocks follow that of its head; by head: where they end.
        let mut end = vec![0_u32; n_blocks];
        for block in (0..n_blocks).filter(|&block| is_reached(block)) {
            for &head in &self.heads[block] {
                end[head as usize] = end[head as usize].max(self.position[block] + 1);
            }
        }
        // By innermost loop around both ends of an edge: the positions that the edge passes by, within an iteration.
        let mut passed: HashMap<BlockId, Vec<(u32, u32)>> = HashMap::new();
        for source in (0..n_blocks).filter(|&block| is_reached(block)) {
            let from = self.position[source];
            for &target in &successors[source] {
                n_ways_in[target as usize] += 1;
                let heads = self.heads[source].iter().zip(&self.heads[target as usize]);
                let Some((&head, _)) = heads.take_while(|(a, b)| a == b).last() else {
                    continue;
                };
                // An edge to the head ends the iteration.
                let to = match target == head {
                    true => end[head as usize],
                    false => self.position[target as usize],
                };
                if from + 1 < to {
                    passed.entry(head).or_default().push((from + 1, to));
                }
            }
        }
        let mut is_junction: Vec<bool> = (0..n_blocks)
            .map(|block| {
                let head = self.heads[block].last();
                is_reached(block)
                    && n_ways_in[block] > 1
                    && head.is_some_and(|&head| head as usize != block)
            })
            .collect();
        let mut block_at: Vec<usize> = (0..n_blocks).filter(|&block| is_reached(block)).collect();
        block_at.sort_unstable_by_key(|&block| self.position[block]);
        for (head, mut intervals) in passed {
            intervals.sort_unstable();
            let (mut intervals, mut until) = (intervals.into_iter().peekable(), 0);
            for position in self.position[head as usize]..end[head as usize] {
                while let Some((_, to)) = intervals.next_if(|&(from, _)| from <= position) {
                    until = until.max(to);
                }
                let block = block_at[position as usize];
                if position < until && self.heads[block].last() == Some(&head) {
                    is_junction[block] = false;
                }
            }
        }
        is_junction
    }

    fn place(&mut self, elements: &[Element], around: &mut Vec<BlockId>, next: &mut u32) {
        for element in elements {
            match element {
                Element::Block(block) => {
                    self.position[*block as usize] = *next;
                    self.heads[*block as usize].clone_from(around);
                    *next += 1;
                }
                Element::Component(head, inner) => {
                    around.push(*head);
                    self.position[*head as usize] = *next;
                    self.heads[*head as usize].clone_from(around);
                    *next += 1;
                    self.place(inner, around, next);
                    around.pop();
                }
            }
        }
    }

    /// Whether a register is live at a block; the addresses of objects, which are stored after the registers,
    /// always are.
    pub fn is_live(&self, block: BlockId, reg: usize) -> bool {
        reg >= self.n_registers || self.live[block as usize][reg / 64] >> (reg % 64) & 1 == 1
    }
}

/// The heads of a function's loops, in the order of the source.
pub fn loop_heads(program: &Program, function: FunctionId) -> Vec<BlockId> {
    Graph::new(program, &program.functions[function as usize]).loops
}

fn successors(end: &Terminator) -> Vec<BlockId> {
    match *end {
        Terminator::Jump(to) => vec![to],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![then, otherwise],
        Terminator::Call { next, .. } => vec![next],
        Terminator::Return(_) | Terminator::Halt | Terminator::Error(_) | Terminator::Stuck(_) => {
            Vec::new()
        }
    }
}

enum Element {
    Block(BlockId),
    /// The head, and what follows it, in order.
    Component(BlockId, Vec<Element>),
}

struct Order<'a> {
    successors: &'a [Vec<BlockId>],
    /// 0: not visited; `u32::MAX`: finished.
    number: Vec<u32>,
    next: u32,
    stack: Vec<BlockId>,
}

/// A vertex whose visit is under way.
struct Frame {
    block: BlockId,
    /// The next successor to visit.
    edge: usize,
    /// The smallest number that it reaches.
    head: u32,
    is_loop: bool,
    /// The elements of the component being built, once the vertex is known to be a head.
    inner: Option<Vec<Element>>,
}

impl Order<'_> {
    /// Bourdoncle's recursive `visit`, with an explicit stack. Elements are appended in reverse order.
    fn visit(&mut self, root: BlockId, partition: &mut Vec<Element>) {
        let mut frames = vec![self.enter(root)];
        while let Some(frame) = frames.last_mut() {
            let block = frame.block as usize;
            if let Some(&to) = self.successors[block].get(frame.edge) {
                frame.edge += 1;
                if self.number[to as usize] == 0 {
                    let entered = self.enter(to);
                    frames.push(entered);
                } else if frame.inner.is_none() {
                    let low = self.number[to as usize];
                    if low <= frame.head {
                        frame.head = low;
                        frame.is_loop = true;
                    }
                }
                continue;
            }
            if frame.inner.is_none() && frame.head == self.number[block] {
                // The root of a strongly connected component.
                self.number[block] = u32::MAX;
                let mut element = self.stack.pop();
                if frame.is_loop {
                    while let Some(other) = element
                        && other as usize != block
                    {
                        self.number[other as usize] = 0;
                        element = self.stack.pop();
                    }
                    // The body is visited again, without the head.
                    frame.inner = Some(Vec::new());
                    frame.edge = 0;
                    continue;
                }
            }
            let Some(done) = frames.pop() else { break };
            let finished = self.number[done.block as usize] == u32::MAX;
            let element = match done.inner {
                Some(mut inner) => {
                    inner.reverse();
                    Some(Element::Component(done.block, inner))
                }
                None if finished => Some(Element::Block(done.block)),
                None => None,
            };
            let parent = frames.last_mut();
            // Elements go to the component of the nearest vertex whose body is being visited.
            match parent {
                Some(parent) => {
                    if element.is_none() && parent.inner.is_none() && done.head <= parent.head {
                        parent.head = done.head;
                        parent.is_loop = true;
                    }
                    if let Some(element) = element {
                        let target = frames
                            .iter_mut()
                            .rev()
                            .find_map(|frame| frame.inner.as_mut());
                        target.unwrap_or(partition).push(element);
                    }
                }
                None => partition.extend(element),
            }
        }
    }

    fn enter(&mut self, block: BlockId) -> Frame {
        self.next += 1;
        self.number[block as usize] = self.next;
        self.stack.push(block);
        Frame {
            block,
            edge: 0,
            head: self.next,
            is_loop: false,
            inner: None,
        }
    }
}

/// The registers that an expression reads.
pub(crate) fn registers(program: &Program, expr: Expr, visit: &mut dyn FnMut(Reg)) {
    match program.node(expr) {
        ExprNode::Reg(reg) => visit(reg),
        ExprNode::Not(a) | ExprNode::Extract(a, _) | ExprNode::ZExt(a) | ExprNode::SExt(a) => {
            registers(program, a, visit);
        }
        ExprNode::Binary(_, a, b) | ExprNode::Moved(a, b) => {
            registers(program, a, visit);
            registers(program, b, visit);
        }
        ExprNode::Ite(a, b, c) | ExprNode::Float(_, _, a, b, c) => {
            registers(program, a, visit);
            registers(program, b, visit);
            registers(program, c, visit);
        }
        ExprNode::Const(_) | ExprNode::Static(_) | ExprNode::Slot(_) | ExprNode::Function(_) => {}
    }
}

/// The register that an instruction sets, and the expressions that it reads.
pub(crate) fn effects(instr: &Instr) -> (Option<Reg>, Vec<Expr>) {
    match *instr {
        Instr::Set { reg, value } => (Some(reg), vec![value]),
        Instr::Load { reg, address, .. } | Instr::SizeOf { reg, address } => {
            (Some(reg), vec![address])
        }
        Instr::Store { address, value, .. } => (None, vec![address, value]),
        Instr::Choose { reg, .. } => (Some(reg), Vec::new()),
        Instr::Host {
            reg, ref arguments, ..
        } => (Some(reg), arguments.clone()),
        Instr::Declare { .. } | Instr::End { .. } => (None, Vec::new()),
        Instr::Havoc { ref arguments, .. } => {
            let addresses = arguments.iter().map(|argument| argument.address);
            (None, addresses.collect())
        }
        Instr::Allocate { reg, size, .. } => (Some(reg), vec![size]),
        Instr::Free { address }
        | Instr::CheckAccess { address, .. }
        | Instr::EndAllocated { address }
        | Instr::Moved { address }
        | Instr::CheckFree { address } => (None, vec![address]),
        Instr::UsesBits { word, bits, .. } => {
            (None, [word].into_iter().chain(bits.operand()).collect())
        }
        Instr::CheckLeaks => (None, Vec::new()),
        Instr::Ghost(ref ghost) => ghost.effects(),
        Instr::Assume { condition }
        | Instr::Candidate { condition }
        | Instr::Check { condition, .. } => (None, vec![condition]),
    }
}

fn liveness(program: &Program, function: &Function, successors: &[Vec<BlockId>]) -> Vec<Vec<u64>> {
    let words = function.regs.len().div_ceil(64);
    let n = function.blocks.len();
    let mut uses = vec![vec![0u64; words]; n];
    let mut defs = vec![vec![0u64; words]; n];
    for (index, block) in function.blocks.iter().enumerate() {
        let (used, defined) = (&mut uses[index], &mut defs[index]);
        let mut read = |expr: Expr, defined: &[u64]| {
            registers(program, expr, &mut |reg| {
                let (word, bit) = (reg as usize / 64, 1 << (reg % 64));
                if defined[word] & bit == 0 {
                    used[word] |= bit;
                }
            });
        };
        for (instr, _) in &block.instrs {
            let (set, reads) = effects(instr);
            for expr in reads {
                read(expr, defined);
            }
            if let Some(reg) = set {
                defined[reg as usize / 64] |= 1 << (reg % 64);
            }
        }
        match &block.end {
            Terminator::Branch { condition, .. } => read(*condition, defined),
            Terminator::Return(Some(value)) => read(*value, defined),
            Terminator::Call {
                callee,
                args,
                result,
                ..
            } => {
                if let Callee::Indirect(callee) = callee {
                    read(*callee, defined);
                }
                for &arg in args {
                    read(arg, defined);
                }
                if let Some(reg) = result {
                    defined[*reg as usize / 64] |= 1 << (reg % 64);
                }
            }
            _ => {}
        }
    }
    let mut live = uses.clone();
    let mut predecessors = vec![Vec::new(); n];
    for (from, successors) in successors.iter().enumerate() {
        for &to in successors {
            predecessors[to as usize].push(from);
        }
    }
    let mut work: Vec<usize> = (0..n).collect();
    let mut queued = vec![true; n];
    while let Some(block) = work.pop() {
        queued[block] = false;
        let mut changed = false;
        for word in 0..words {
            let out = successors[block]
                .iter()
                .fold(0, |sum, &to| sum | live[to as usize][word]);
            let new = uses[block][word] | out & !defs[block][word];
            changed |= new != live[block][word];
            live[block][word] = new;
        }
        if changed {
            for &from in &predecessors[block] {
                if !queued[from] {
                    queued[from] = true;
                    work.push(from);
                }
            }
        }
    }
    live
}
