//! The circuits and formulas of `examples/`, built from small words of bits.

use craig_aig::{Aig, Edge};
use craig_formula::dimacs;
use craig_hardware::aiger::{AigerModel, write_ascii, write_binary};
use craig_model::{Latch, Model, Reset};
use craig_solver::{Cnf, Var};

/// All files: their names and their bytes.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("counter_safe.aag", ascii(counter(12))),
        ("counter_unsafe.aag", ascii(counter(9))),
        ("arbiter_safe.aag", ascii(arbiter(true))),
        ("arbiter_unsafe.aag", ascii(arbiter(false))),
        ("shift_register_safe.aag", ascii(shift_register(true))),
        ("shift_register_unsafe.aag", ascii(shift_register(false))),
        ("fifo_safe.aag", ascii(fifo(true))),
        ("fifo_unsafe.aag", ascii(fifo(false))),
        ("pipeline_safe.aig", binary(pipeline(true))),
        ("pipeline_unsafe.aig", binary(pipeline(false))),
        ("handshake_safe.aag", ascii(handshake(true))),
        ("handshake_unsafe.aag", ascii(handshake(false))),
        ("ring_safe.aag", ascii(ring(true))),
        ("ring_unsafe.aag", ascii(ring(false))),
        ("adder_safe.aag", ascii(adder())),
        ("several.aag", ascii(several())),
        ("requests.aag", ascii(requests())),
        ("pigeons_unsat.cnf", formula(&pigeons(5, 4))),
        ("pigeons_sat.cnf", formula(&pigeons(4, 4))),
    ]
}

/// A model under construction. Words are lists of bits, the lowest first.
#[derive(Default)]
struct Design {
    model: Model,
}

impl Design {
    fn aig(&mut self) -> &mut Aig {
        &mut self.model.aig
    }

    fn input(&mut self, name: &str) -> Edge {
        let edge = self.model.aig.add_input();
        self.model.inputs.push(edge);
        self.model.names.inputs.push(name.to_owned());
        edge
    }

    fn input_word(&mut self, name: &str, width: usize) -> Vec<Edge> {
        (0..width)
            .map(|bit| self.input(&format!("{name}[{bit}]")))
            .collect()
    }

    /// A latch whose next state is set later, by [`Design::drive`].
    fn latch(&mut self, name: &str, reset: Reset) -> Edge {
        let state = self.model.aig.add_input();
        self.model.latches.push(Latch {
            state,
            next: state,
            reset,
        });
        self.model.names.latches.push(name.to_owned());
        state
    }

    fn latch_word(&mut self, name: &str, width: usize) -> Vec<Edge> {
        (0..width)
            .map(|bit| self.latch(&format!("{name}[{bit}]"), Reset::Zero))
            .collect()
    }

    fn drive(&mut self, state: Edge, next: Edge) {
        let mut latches = self.model.latches.iter_mut();
        latches
            .find(|latch| latch.state == state)
            .expect("only latches are driven")
            .next = next;
    }

    fn drive_word(&mut self, states: &[Edge], next: &[Edge]) {
        for (&state, &next) in states.iter().zip(next) {
            self.drive(state, next);
        }
    }

    fn justice(&mut self, name: &str, literals: Vec<Edge>) {
        self.model.justice.push(literals);
        self.model.names.justice.push(name.to_owned());
    }

    fn bad(&mut self, name: &str, edge: Edge) {
        self.model.bads.push(edge);
        self.model.names.bads.push(name.to_owned());
    }

    fn constrain(&mut self, name: &str, edge: Edge) {
        self.model.constraints.push(edge);
        self.model.names.constraints.push(name.to_owned());
    }

    fn add(&mut self, left: &[Edge], right: &[Edge], mut carry: Edge) -> Vec<Edge> {
        let mut sum = Vec::new();
        for (&a, &b) in left.iter().zip(right) {
            let half = self.aig().xor(a, b);
            sum.push(self.aig().xor(half, carry));
            carry = self.aig().ite(half, carry, a);
        }
        sum
    }

    fn constant(width: usize, value: usize) -> Vec<Edge> {
        (0..width)
            .map(|bit| Edge::from(value >> bit & 1 == 1))
            .collect()
    }

    fn increment(&mut self, word: &[Edge]) -> Vec<Edge> {
        self.add(word, &Self::constant(word.len(), 0), Edge::TRUE)
    }

    fn equal(&mut self, left: &[Edge], right: &[Edge]) -> Edge {
        let bits: Vec<Edge> = left
            .iter()
            .zip(right)
            .map(|(&a, &b)| self.model.aig.iff(a, b))
            .collect();
        self.aig().and_all(bits)
    }

    fn is(&mut self, word: &[Edge], value: usize) -> Edge {
        self.equal(word, &Self::constant(word.len(), value))
    }

    fn choose(&mut self, condition: Edge, then: &[Edge], otherwise: &[Edge]) -> Vec<Edge> {
        let pairs = then.iter().zip(otherwise);
        pairs
            .map(|(&a, &b)| self.model.aig.ite(condition, a, b))
            .collect()
    }

    fn parity(&mut self, word: &[Edge]) -> Edge {
        word.iter()
            .fold(Edge::FALSE, |sum, &bit| self.model.aig.xor(sum, bit))
    }

    /// Whether at least two of the edges hold.
    fn two_of(&mut self, edges: &[Edge]) -> Edge {
        let mut pairs = Vec::new();
        for (index, &left) in edges.iter().enumerate() {
            for &right in &edges[index + 1..] {
                pairs.push(self.aig().and(left, right));
            }
        }
        self.aig().or_all(pairs)
    }
}

/// A request waits until the turn comes round, which stays where it is as long as the input `hold` is set. Once
/// the input `watch` is set, one request is watched. The first property is that it is not left waiting for ever,
/// which fails; the second one is the same if the turn moves again and again.
fn requests() -> Design {
    let mut design = Design::default();
    let request = design.input("request");
    let hold = design.input("hold");
    let watch = design.input("watch");
    let turn = design.latch("turn", Reset::Zero);
    let waiting = design.latch("waiting", Reset::Zero);
    let watched = design.latch("watched", Reset::Zero);
    let served = design.latch("served", Reset::Zero);
    let moved = design.aig().xor(turn, !hold);
    design.drive(turn, moved);
    let asks = design.aig().or(waiting, request);
    let waits = design.aig().and(asks, !turn);
    design.drive(waiting, waits);
    let begins = design.aig().and(watch, waiting);
    let keeps = design.aig().or(watched, begins);
    design.drive(watched, keeps);
    let ends = design.aig().and(watched, !waiting);
    let was_served = design.aig().or(served, ends);
    design.drive(served, was_served);
    let starves = design.aig().and(watched, !was_served);
    design.justice("starves", vec![starves]);
    design.justice("starves_although_the_turn_moves", vec![starves, !hold]);
    design
}

/// Counts from 0 to 9 cyclically while it is enabled; the bad is that the count is `forbidden`.
fn counter(forbidden: usize) -> Design {
    let mut design = Design::default();
    let enable = design.input("enable");
    let count = design.latch_word("count", 4);
    let more = design.increment(&count);
    let is_last = design.is(&count, 9);
    let wrapped = design.choose(is_last, &Design::constant(4, 0), &more);
    let next = design.choose(enable, &wrapped, &count);
    design.drive_word(&count, &next);
    let bad = design.is(&count, forbidden);
    design.bad("forbidden_count", bad);
    design
}

/// A token circulates among four clients, and its holder may be granted the bus. In the wrong variant client
/// 0 may be granted the bus without the token.
fn arbiter(is_right: bool) -> Design {
    let mut design = Design::default();
    let requests = design.input_word("request", 4);
    let hurry = design.input("hurry");
    let tokens: Vec<Edge> = (0..4)
        .map(|client| {
            let reset = if client == 0 { Reset::One } else { Reset::Zero };
            design.latch(&format!("token[{client}]"), reset)
        })
        .collect();
    let grants = design.latch_word("grant", 4);
    for client in 0..4 {
        // The token moves on when its holder has no request.
        let before = (client + 3) % 4;
        let stays = design.aig().and(tokens[client], requests[client]);
        let comes = design.aig().and(tokens[before], !requests[before]);
        let next = design.aig().or(stays, comes);
        design.drive(tokens[client], next);
        let mut grant = stays;
        if client == 0 && !is_right {
            let jumps = design.aig().and(hurry, requests[0]);
            grant = design.aig().or(grant, jumps);
        }
        design.drive(grants[client], grant);
    }
    let bad = design.two_of(&grants);
    design.bad("two_grants", bad);
    design
}

/// Bits pass through eight stages. The right variant updates their parity incrementally, and the bad compares
/// it with the parity of all stages; the wrong one ignores the bit that leaves when `skip` is set.
fn shift_register(is_right: bool) -> Design {
    let mut design = Design::default();
    let data = design.input("data");
    let skip = design.input("skip");
    let stages = design.latch_word("stage", 8);
    let parity = design.latch("parity", Reset::Zero);
    let mut source = data;
    for &stage in &stages {
        design.drive(stage, source);
        source = stage;
    }
    let leaving = if is_right {
        source
    } else {
        design.aig().and(source, !skip)
    };
    let changed = design.aig().xor(data, leaving);
    let next = design.aig().xor(parity, changed);
    design.drive(parity, next);
    let truth = design.parity(&stages);
    let bad = design.aig().xor(parity, truth);
    design.bad("wrong_parity", bad);
    design
}

/// The pointers of a queue of eight entries. The bads are that the number of entries does not agree with the
/// pointers, and that it exceeds eight; the wrong variant allows a push while it is full.
fn fifo(is_right: bool) -> Design {
    let mut design = Design::default();
    let (push, pop) = (design.input("push"), design.input("pop"));
    let (head, tail) = (design.latch_word("head", 3), design.latch_word("tail", 3));
    let entries = design.latch_word("entries", 4);
    let (is_full, is_empty) = (design.is(&entries, 8), design.is(&entries, 0));
    let pushes = if is_right {
        design.aig().and(push, !is_full)
    } else {
        push
    };
    let pops = design.aig().and(pop, !is_empty);
    let more = design.increment(&tail);
    let next = design.choose(pushes, &more, &tail);
    design.drive_word(&tail, &next);
    let more = design.increment(&head);
    let next = design.choose(pops, &more, &head);
    design.drive_word(&head, &next);
    let more = design.increment(&entries);
    // Minus one is plus fifteen modulo 16.
    let fewer = design.add(&entries, &Design::constant(4, 15), Edge::FALSE);
    let goes_up = design.aig().and(pushes, !pops);
    let goes_down = design.aig().and(pops, !pushes);
    let next = design.choose(goes_down, &fewer, &entries);
    let next = design.choose(goes_up, &more, &next);
    design.drive_word(&entries, &next);
    let ends = design.add(&head, &entries[..3], Edge::FALSE);
    let agrees = design.equal(&ends, &tail);
    design.bad("pointers_disagree", !agrees);
    let low = design.aig().or_all(entries[..3].iter().copied());
    let overflows = design.aig().and(entries[3], low);
    design.bad("overflow", overflows);
    design
}

/// A processor of two registers and two stages: the first reads and computes, the second writes back. The
/// same program also runs without a pipeline; the bad is that the registers differ. The wrong variant does
/// not forward a result that has not been written back.
fn pipeline(is_right: bool) -> Design {
    let mut design = Design::default();
    let width = 3;
    let valid = design.input("valid");
    let (source, target) = (design.input("source"), design.input("target"));
    let immediate = design.input_word("immediate", width);
    let registers = [
        design.latch_word("r0", width),
        design.latch_word("r1", width),
    ];
    let specified = [
        design.latch_word("spec_r0", width),
        design.latch_word("spec_r1", width),
    ];
    let writes = design.latch("writeback_valid", Reset::Zero);
    let writes_to = design.latch("writeback_target", Reset::Zero);
    let result = design.latch_word("writeback_value", width);

    // The values of the registers after the pending instruction has been written back.
    let mut current = Vec::new();
    for (number, register) in registers.iter().enumerate() {
        let is_target = writes_to.negate_if(number == 0);
        let arrives = design.aig().and(writes, is_target);
        let next = design.choose(arrives, &result, register);
        design.drive_word(register, &next);
        current.push(next);
    }
    let operand = if is_right {
        design.choose(source, &current[1], &current[0])
    } else {
        design.choose(source, &registers[1], &registers[0])
    };
    let sum = design.add(&operand, &immediate, Edge::FALSE);
    design.drive(writes, valid);
    design.drive(writes_to, target);
    design.drive_word(&result, &sum);

    let operand = design.choose(source, &specified[1], &specified[0]);
    let sum = design.add(&operand, &immediate, Edge::FALSE);
    let mut differs = Vec::new();
    for (number, register) in specified.iter().enumerate() {
        let is_target = target.negate_if(number == 0);
        let arrives = design.aig().and(valid, is_target);
        let next = design.choose(arrives, &sum, register);
        design.drive_word(register, &next);
        differs.push(!design.equal(&current[number], register));
    }
    let bad = design.aig().or_all(differs);
    design.bad("pipeline_differs", bad);
    design
}

/// A server accepts a request only when it is idle and works on it for three steps. In the right variant a
/// constraint makes clients wait for the answer; the bad is that a request is lost.
fn handshake(is_constrained: bool) -> Design {
    let mut design = Design::default();
    let request = design.input("request");
    let work = design.latch_word("work", 2);
    let is_idle = design.is(&work, 0);
    let fewer = design.add(&work, &Design::constant(2, 3), Edge::FALSE);
    let begun = design.choose(request, &Design::constant(2, 3), &work);
    let next = design.choose(is_idle, &begun, &fewer);
    design.drive_word(&work, &next);
    let is_early = design.aig().and(request, !is_idle);
    if is_constrained {
        design.constrain("clients_wait", !is_early);
    }
    let lost = design.latch("lost", Reset::Zero);
    let next = design.aig().or(lost, is_early);
    design.drive(lost, next);
    design.bad("request_lost", lost);
    design
}

/// Five latches in a ring with any initial values. In the right variant a constraint requires that exactly
/// one of them is set in the first step; the bad is that this does not hold in some step.
fn ring(is_constrained: bool) -> Design {
    let mut design = Design::default();
    let turn = design.input("turn");
    let cells: Vec<Edge> = (0..5)
        .map(|cell| design.latch(&format!("cell[{cell}]"), Reset::Uninitialised))
        .collect();
    let started = design.latch("started", Reset::Zero);
    design.drive(started, Edge::TRUE);
    for cell in 0..5 {
        let next = design.aig().ite(turn, cells[(cell + 4) % 5], cells[cell]);
        design.drive(cells[cell], next);
    }
    let several = design.two_of(&cells);
    let any = design.aig().or_all(cells.iter().copied());
    let is_one = design.aig().and(any, !several);
    if is_constrained {
        let holds = design.aig().or(started, is_one);
        design.constrain("starts_with_one", holds);
    }
    design.bad("not_one", !is_one);
    design
}

/// No latches: a sum does not depend on the order of its operands.
fn adder() -> Design {
    let mut design = Design::default();
    let (left, right) = (design.input_word("left", 4), design.input_word("right", 4));
    let sum = design.add(&left, &right, Edge::FALSE);
    let other = design.add(&right, &left, Edge::FALSE);
    let equal = design.equal(&sum, &other);
    design.bad("sums_differ", !equal);
    design
}

/// Four properties of a traffic light: two hold, one fails at once and one after some steps.
fn several() -> Design {
    let mut design = Design::default();
    let car = design.input("car");
    let state = design.latch_word("state", 2);
    let is_green = design.is(&state, 2);
    let more = design.increment(&state);
    let moves = design.aig().or(car, !is_green);
    let next = design.choose(moves, &more, &state);
    design.drive_word(&state, &next);
    let steps = design.latch_word("green_steps", 2);
    let more = design.increment(&steps);
    let is_many = design.is(&steps, 3);
    let counted = design.choose(is_many, &steps, &more);
    let next = design.choose(is_green, &counted, &Design::constant(2, 0));
    design.drive_word(&steps, &next);
    let is_red = design.is(&state, 0);
    let both = design.aig().and(is_red, is_green);
    design.bad("red_and_green", both);
    design.bad("red", is_red);
    design.bad("green_for_long", is_many);
    let counts = design.aig().or_all(steps.iter().copied());
    let after_red = design.is(&state, 1);
    let bad = design.aig().and(counts, after_red);
    design.bad("green_steps_in_amber", bad);
    design
}

/// `n_pigeons` pigeons in `n_holes` holes, no two of them in one.
fn pigeons(n_pigeons: usize, n_holes: usize) -> Cnf {
    let sits = |pigeon: usize, hole: usize| Var::new(pigeon * n_holes + hole).positive();
    let mut cnf = Cnf::new();
    for pigeon in 0..n_pigeons {
        let clause: Vec<_> = (0..n_holes).map(|hole| sits(pigeon, hole)).collect();
        cnf.add_clause(&clause);
    }
    for hole in 0..n_holes {
        for second in 0..n_pigeons {
            for first in 0..second {
                cnf.add_clause(&[!sits(first, hole), !sits(second, hole)]);
            }
        }
    }
    cnf
}

fn ascii(design: Design) -> Vec<u8> {
    let mut text = Vec::new();
    write_ascii(&AigerModel::from_model(design.model), &mut text).expect("memory takes all bytes");
    text
}

fn binary(design: Design) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_binary(&AigerModel::from_model(design.model), &mut bytes)
        .expect("memory takes all bytes");
    bytes
}

fn formula(cnf: &Cnf) -> Vec<u8> {
    let mut text = Vec::new();
    dimacs::write(cnf, &mut text).expect("memory takes all bytes");
    text
}
