//! Interpolation sequences converted into inductive traces (Y. Vizel, A. Gurfinkel, "Interpolating property
//! directed reachability", 2014).
//!
//! The frames are PDR's: sets of lemmas, each frame included in the next, and each step from a frame ends in
//! the next. Instead of obligations, one counterexample at a time, a refutation of all runs through the last
//! few frames to the bad strengthens them. Its interpolants over-approximate the strengthened frames; states
//! outside of them are excluded by lemmas that are generalised and pushed as in PDR, because interpolants
//! themselves are neither small nor likely to become inductive.
//!
//! The runs start as late as a refutation exists, in any state of that frame: shorter runs have smaller
//! proofs, and their interpolants are about states near the bad (the search for a suffix follows H. Govind,
//! Y. Vizel, V. Ganesh, A. Gurfinkel, "Interpolating strong induction", 2019).

use std::sync::Arc;

use craig_itp::System;
use craig_itp::transform::{Reduction, reduce};
use craig_solver::aig::{Aig, Budget, Edge, Encoder, compact_until};
use craig_solver::proof::ProofDag;
use craig_solver::{Answer, Lit, Solver};

use super::entry::Engine;
use super::options::{MAX_DEPTH, SYSTEM, system};
use super::path::{Found, Known, LatchClause, Path};
use super::pdr::{
    self, Blocking, Cube, Lemma, Pdr, Scope, Stop, Strategy, Transition, certificate,
};
use super::states::position_of;
use super::up_to_bad;
use super::{listen, stop_of, why_stopped};
use crate::circuit::model::Model;
use crate::circuit::reduce::Resets;
use crate::circuit::unroll::{Start, Unrolling};
use crate::circuit::verdict::{Outcome, Trace, UnknownReason, Verdict};
use crate::control::{Control, Event};

/// The engine's name.
pub const NAME: &str = "avy";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system.
    pub system: System,
    /// The maximal number of rounds of reductions of a refutation before interpolation.
    pub reduction_rounds: usize,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// How lemmas are generalised and pushed. By default they are not exchanged with other engines: a PDR that
    /// runs beside this engine then takes the same way as alone.
    pub lemmas: pdr::Options,
    /// The maximal length of a run, in steps; `None` for no limit.
    pub max_bound: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan,
            reduction_rounds: 1,
            compaction: None,
            lemmas: pdr::Options {
                techniques: pdr::Techniques {
                    import: false,
                    ..pdr::Techniques::ALL
                },
                ..pdr::Options::default()
            },
            max_bound: None,
        }
    }
}

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Interpolation sequences converted into inductive traces (Vizel and Gurfinkel 2014)",
    is_shortest: false,
    options: &[&SYSTEM, &MAX_DEPTH],
    build: |settings| {
        let options = Options {
            system: system(settings),
            max_bound: settings.count(&MAX_DEPTH),
            ..Options::default()
        };
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Decides bad number `property`.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    Resets::decide(model, |model| decide(model, property, options, control))
}

/// The same for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    let mut any = Unrolling::new(model, property, Start::Free);
    any.push_frame();
    let transition = Transition::new(model, property, None);
    debug_assert_eq!(any.cone().latches, transition.latch_numbers());
    let mut search = Search {
        model,
        property,
        options,
        any: &any,
        pdr: Pdr::new(transition, options.lemmas.clone(), control),
        suffix: 1,
        depth: 0,
    };
    let verdict = match search.run() {
        Ok(End::Invariant(lemmas)) => {
            let lemmas = search.pdr.shrink(lemmas);
            let transition = &search.pdr.transition;
            Verdict::Safe(Box::new(certificate(model, property, transition, &lemmas)))
        }
        Ok(End::Run(trace)) => Verdict::Unsafe(trace),
        Err(Stop(reason)) => Verdict::Unknown(reason),
    };
    Outcome {
        verdict,
        engine: NAME,
        depth: search.depth,
    }
}

enum End {
    Invariant(Vec<Lemma>),
    Run(Trace),
}

struct Search<'a> {
    model: &'a Model,
    property: usize,
    options: &'a Options,
    /// One step from any state.
    any: &'a Unrolling<'a>,
    /// The frames. All before the last one exclude the bad.
    pdr: Pdr<'a>,
    /// The length of the first suffix to try: slightly less than the last one needed.
    suffix: usize,
    /// The bad is unreachable in all steps before this one.
    depth: usize,
}

/// The activity of cubes outside of an interpolant, which have no history. With it they are generalised with
/// counterexamples.
const ACTIVITY: f64 = 20.0;

impl Search<'_> {
    fn run(&mut self) -> Result<End, Stop> {
        loop {
            let level = self.pdr.frames.level();
            if self.options.max_bound.is_some_and(|last| level > last) {
                return Err(Stop(UnknownReason::Bound(format!(
                    "no fixed point in the frames of up to {} steps",
                    level - 1
                ))));
            }
            if let Some(reason) = self.pdr.control.stop_reason() {
                return Err(Stop(reason));
            }
            if let Some(trace) = self.exclude_bad()? {
                self.depth = trace.depth();
                return Ok(End::Run(trace));
            }
            self.depth = level + 1;
            self.pdr.control.report_depth(NAME, self.depth);
            if let Some(end) = self.fixpoint() {
                return Ok(end);
            }
            self.pdr.frames.extend();
            self.pdr.control.note(NAME, || self.pdr.describe());
            if self.pdr.propagate()? {
                return Ok(self.fixpoint().expect("a frame has emptied"));
            }
            self.pdr.find_invariants()?;
            if let Some(end) = self.fixpoint() {
                return Ok(end);
            }
        }
    }

    /// The lemmas from a frame on that equals the next one, if there is one.
    fn fixpoint(&self) -> Option<End> {
        let frames = &self.pdr.frames;
        let frame = frames.fixpoint()?;
        Some(End::Invariant(frames.invariant(frame)))
    }

    /// Strengthens the frames until the last one excludes the bad, or finds a run.
    fn exclude_bad(&mut self) -> Result<Option<Trace>, Stop> {
        let level = self.pdr.frames.level();
        if level > 0 && self.last_frame_is_good()? {
            return Ok(None);
        }
        let mut length = self.suffix;
        loop {
            length = length.min(level);
            let start = level - length;
            let known: Vec<Vec<LatchClause>> =
                (start..=level).map(|frame| self.clauses(frame)).collect();
            let from = if start == 0 {
                Start::Reset
            } else {
                Start::Free
            };
            let mut path = Path::new(
                self.model,
                self.property,
                self.any,
                length,
                from,
                Known::Clauses(&known),
                self.pdr.control,
            );
            match path.solve(self.pdr.control).map_err(Stop)? {
                Found::Run(trace) if start == 0 => return Ok(Some(trace)),
                Found::Run(_) => length += 1 + length / 4,
                Found::Refutation(dag) => {
                    let (aig, interpolants) = self.interpolate(&path, dag).map_err(Stop)?;
                    drop(path);
                    self.suffix = (length - length / 4).max(1);
                    return self.strengthen(start, &aig, &interpolants);
                }
            }
        }
    }

    fn last_frame_is_good(&mut self) -> Result<bool, Stop> {
        let pdr = &mut self.pdr;
        let level = pdr.frames.level();
        let mut assumptions = Vec::new();
        pdr.frames.assume(level, &mut assumptions);
        assumptions.push(pdr.transition.bad);
        let solver = pdr.frames.solver_mut(level);
        solver.release_domain();
        solver.clear_temporary();
        let control = pdr.control;
        let answer = solver.solve(&assumptions, &mut || control.stop_reason().is_some());
        pdr.finish(answer)
    }

    /// The clauses of a frame. The first frame, the reset states, needs none.
    fn clauses(&self, frame: usize) -> Vec<LatchClause> {
        if frame == 0 {
            return Vec::new();
        }
        let pdr = &self.pdr;
        let lemmas = &pdr.frames.lemmas;
        (lemmas.since(frame).chain(lemmas.forever()))
            .map(|lemma| {
                let lits = lemma.cube.iter();
                lits.map(|&lit| (pdr.transition.latch(lit), !lit.is_negated()))
                    .collect()
            })
            .collect()
    }

    fn interpolate(
        &self,
        path: &Path<'_>,
        mut dag: ProofDag,
    ) -> Result<(Aig, Vec<Edge>), UnknownReason> {
        let control = self.pdr.control;
        if self.options.reduction_rounds > 0 {
            let rounds = self.options.reduction_rounds;
            dag = reduce(&dag, &Reduction::ALL, rounds, &stop_of(control))
                .map_err(|_| why_stopped(control))?;
        }
        let (aig, edges) = path.interpolants(&dag, self.options.system, control)?;
        Ok(match self.options.compaction {
            Some(budget) => compact_until(&aig, &edges, budget, &mut || {
                control.stop_reason().is_some()
            }),
            None => (aig, edges),
        })
    }

    /// Restricts each frame from `start + 1` on to the union of the previous frame and its interpolant.
    ///
    /// With F the frames and I the interpolants, this is possible since each step from F(i) leads to F(i) or
    /// I(i + 1): a state of F(i) in I(i) has its successors in I(i + 1), by the refutation; another one lies
    /// in F(i - 1), by the restriction for i - 1, so its successors lie in F(i). So the last frame consists
    /// of states of the previous one, which excludes the bad, and of the last interpolant, which contradicts
    /// the bad.
    ///
    /// The restriction for i - 1 remains valid when a lemma is added to F(i), since it is added to all
    /// earlier frames, too. But a counterexample to generalisation may be blocked in F(i - 1) alone, and then
    /// F(i) need no longer be included in the union of F(i - 1) and I(i). In the rare cases in which this
    /// makes a restriction fail, all are repeated without counterexamples. If that fails, too, PDR's
    /// obligations exclude the bad.
    ///
    /// Returns a run to the bad if the obligations find one.
    fn strengthen(
        &mut self,
        start: usize,
        aig: &Aig,
        interpolants: &[Edge],
    ) -> Result<Option<Trace>, Stop> {
        for (index, &interpolant) in interpolants.iter().enumerate() {
            self.pdr.control.tell(Event::Interpolant {
                engine: NAME,
                bound: interpolants.len(),
                round: index + 1,
                ands: aig.n_ands_in_cone(&[interpolant]),
            });
        }
        let strategy = Strategy::choose(&self.pdr.options, ACTIVITY);
        if !self.confine_all(start, aig, interpolants, strategy)? {
            let is_confined = self.confine_all(start, aig, interpolants, Strategy::PLAIN)?;
            if !is_confined {
                (self.pdr.control).note(NAME, || {
                    "a step leads out of a frame and its interpolant".into()
                });
                return self.block_bad();
            }
        }
        debug_assert!(self.last_frame_is_good().unwrap_or(true));
        Ok(None)
    }

    /// Excludes the bad from the last frame by obligations, as PDR does, if interpolants do not suffice.
    /// Returns a run if there is one.
    fn block_bad(&mut self) -> Result<Option<Trace>, Stop> {
        match self.pdr.block_bad()? {
            Blocking::Done | Blocking::Fixpoint => Ok(None),
            Blocking::Reached(obligation) => {
                let transition = &self.pdr.transition;
                let trace = pdr::trace(self.model, self.property, transition, &obligation);
                Ok(Some(up_to_bad(self.model, trace)))
            }
        }
    }

    /// [`Search::confine`] for each frame from `start + 1` on, up to the first failure.
    fn confine_all(
        &mut self,
        start: usize,
        aig: &Aig,
        interpolants: &[Edge],
        strategy: Strategy,
    ) -> Result<bool, Stop> {
        for (frame, &interpolant) in (start + 1..).zip(interpolants) {
            if !self.confine(frame, aig, interpolant, strategy)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds lemmas to `frame` until all its states lie in the previous frame or in `interpolant`. `false` if
    /// a step leads from the previous frame to a state that lies in neither.
    fn confine(
        &mut self,
        frame: usize,
        aig: &Aig,
        interpolant: Edge,
        strategy: Strategy,
    ) -> Result<bool, Stop> {
        let mut outside = Outside::new(&self.pdr, frame, aig, interpolant);
        while let Some(escape) = outside.find(&self.pdr)? {
            // Without the literals that exclude the state from the previous frame, the cube is larger, but
            // may have predecessors.
            let mut cube = escape.outside_of_interpolant;
            self.prefer_active(&mut cube);
            if self.pdr.transition.meets_initial(&cube) || !self.is_blocked(frame, &cube)? {
                cube.extend(escape.outside_of_frame);
                cube.sort_unstable();
                cube.dedup();
                self.prefer_active(&mut cube);
                if !self.is_blocked(frame, &cube)? && !self.is_blocked_by_all(frame, &cube)? {
                    return Ok(false);
                }
            }
            let core = self.pdr.core(frame, &cube);
            let cube = self.pdr.minimise(frame, core, strategy)?;
            let (held, cube) = self.pdr.push_forward(frame, cube)?;
            outside.exclude(&cube, &self.pdr);
            self.pdr.learn(held, cube);
        }
        Ok(true)
    }

    fn is_blocked(&mut self, frame: usize, cube: &[Lit]) -> Result<bool, Stop> {
        self.pdr.is_blocked(frame, cube, true, Scope::Own)
    }

    /// The same with all latches in the domain of the query. A domain omits lemmas over other latches; each
    /// of these can be satisfied, but not always all together.
    fn is_blocked_by_all(&mut self, frame: usize, cube: &[Lit]) -> Result<bool, Stop> {
        let latches: Vec<Lit> = (0..self.pdr.transition.n_latches())
            .map(|position| self.pdr.transition.latch_literal(position))
            .collect();
        self.pdr.fix_domain(frame, &latches);
        (self.pdr).is_blocked(frame, cube, true, Scope::Fixed)
    }

    /// Moves active literals to the front, so that they are preferred in the core.
    fn prefer_active(&self, cube: &mut [Lit]) {
        self.pdr.sort_by_activity(cube);
        cube.reverse();
    }
}

/// Finds the states of a frame that lie neither in the previous frame nor in an interpolant.
struct Outside {
    /// The states of the frame that are neither in the previous one nor in the interpolant.
    solver: Solver,
    /// The states of the interpolant.
    inside: Solver,
    /// The latches that the interpolant depends on.
    support: Vec<usize>,
    /// The cubes outside of the previous frame, each with the literal that selects it.
    cubes: Vec<(Lit, Cube)>,
}

/// A state of a frame: the literals that exclude it from the previous frame, and those that exclude it from
/// the interpolant.
struct Escape {
    outside_of_frame: Cube,
    outside_of_interpolant: Cube,
}

impl Outside {
    fn new(pdr: &Pdr<'_>, frame: usize, aig: &Aig, interpolant: Edge) -> Self {
        let [inside, solver] = [interpolant, !interpolant].map(|set| {
            let mut solver = Solver::new();
            listen(&mut solver, pdr.control);
            solver.reserve_vars(pdr.transition.n_latches());
            let mut encoder = Encoder::new();
            for node in aig.support(&[set]) {
                encoder.set(node, variable(position_of(aig, node)));
            }
            let set = encoder.encode_polarity(aig, set, &mut solver);
            solver.add_clause(&[set]);
            solver
        });
        let mut outside = Self {
            solver,
            inside,
            support: aig
                .support(&[interpolant])
                .into_iter()
                .map(|node| position_of(aig, node))
                .collect(),
            cubes: Vec::new(),
        };
        let frames = &pdr.frames;
        let lemmas = &frames.lemmas;
        for lemma in lemmas.since(frame).chain(lemmas.forever()) {
            outside.exclude(&lemma.cube, pdr);
        }
        if frame == 1 {
            for lit in pdr.transition.initial() {
                outside.allow(vec![!lit], pdr);
            }
        } else {
            for lemma in lemmas.of(frame - 1) {
                outside.allow(lemma.cube.clone(), pdr);
            }
        }
        let switches: Vec<Lit> = outside.cubes.iter().map(|&(switch, _)| switch).collect();
        outside.solver.add_clause(&switches);
        outside
    }

    /// Adds a cube of states outside of the previous frame.
    fn allow(&mut self, cube: Cube, pdr: &Pdr<'_>) {
        let switch = self.solver.new_var().positive();
        for &lit in &cube {
            self.solver.add_clause(&[!switch, translate(lit, pdr)]);
        }
        self.cubes.push((switch, cube));
    }

    /// Adds a lemma of the frame.
    fn exclude(&mut self, cube: &[Lit], pdr: &Pdr<'_>) {
        let clause: Vec<Lit> = cube.iter().map(|&lit| !translate(lit, pdr)).collect();
        self.solver.add_clause(&clause);
    }

    fn find(&mut self, pdr: &Pdr<'_>) -> Result<Option<Escape>, Stop> {
        match self.solver.solve(&[]) {
            Answer::Unknown => return Err(Stop(why_stopped(pdr.control))),
            Answer::Unsatisfiable => return Ok(None),
            Answer::Satisfiable => {}
        }
        let state: Vec<Lit> = self
            .support
            .iter()
            .filter_map(|&position| {
                let lit = variable(position);
                let value = self.solver.value(lit)?;
                Some(lit.negate_if(!value))
            })
            .collect();
        let outside_of_frame = self
            .cubes
            .iter()
            .filter(|&&(switch, _)| self.solver.value(switch) == Some(true))
            .map(|(_, cube)| cube)
            .min_by_key(|cube| cube.len())
            .expect("one of the switches is on")
            .clone();
        match self.inside.solve(&state) {
            Answer::Unknown => return Err(Stop(why_stopped(pdr.control))),
            Answer::Satisfiable => unreachable!("the state lies outside of the interpolant"),
            Answer::Unsatisfiable => {}
        }
        let core = self.inside.failed_assumptions().iter();
        Ok(Some(Escape {
            outside_of_frame,
            outside_of_interpolant: core
                .map(|lit| {
                    let latch = pdr.transition.latch_literal(lit.var().index());
                    latch.negate_if(lit.is_negated())
                })
                .collect(),
        }))
    }
}

/// The variable of [`Outside`]'s solvers for the latch at a position.
fn variable(position: usize) -> Lit {
    craig_solver::Var::new(position).positive()
}

/// A latch literal of PDR's as one of [`Outside`]'s solvers.
fn translate(lit: Lit, pdr: &Pdr<'_>) -> Lit {
    variable(pdr.transition.latch(lit)).negate_if(lit.is_negated())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::certify::certify_trace;
    use crate::circuit::model::{Latch, Reset};

    /// A counter of three bits that steps from 5 to 0; the bad is one value.
    fn counter(bad: usize) -> Model {
        let mut model = Model::default();
        let state = [0; 3].map(|_| model.aig.add_input());
        let is = |aig: &mut Aig, value: usize| {
            let bits = state.iter().enumerate();
            let bits: Vec<Edge> = bits
                .map(|(bit, edge)| edge.negate_if(value >> bit & 1 == 0))
                .collect();
            aig.and_all(bits)
        };
        let is_last = is(&mut model.aig, 5);
        let mut carry = Edge::TRUE;
        for state in state {
            let sum = model.aig.xor(state, carry);
            let next = model.aig.and(sum, !is_last);
            carry = model.aig.and(state, carry);
            let reset = Reset::Zero;
            model.latches.push(Latch { state, next, reset });
        }
        let bad = is(&mut model.aig, bad);
        model.bads.push(bad);
        model
    }

    /// Strengthens with interpolants that exclude every state, which are wrong, until there is a run or a
    /// fixed point. Steps lead out of the first frame and its interpolant, so obligations have to exclude the
    /// bad.
    fn decide_by_obligations(model: &Model) -> Option<Trace> {
        let mut any = Unrolling::new(model, 0, Start::Free);
        any.push_frame();
        let control = Control::new();
        let options = Options::default();
        let transition = Transition::new(model, 0, None);
        let mut search = Search {
            model,
            property: 0,
            options: &options,
            any: &any,
            pdr: Pdr::new(transition, options.lemmas.clone(), &control),
            suffix: 1,
            depth: 0,
        };
        let mut aig = Aig::new();
        for _ in &model.latches {
            aig.add_input();
        }
        for level in 0..10 {
            if level > 0 {
                let is_confined = search.confine(1, &aig, Edge::FALSE, Strategy::PLAIN);
                assert!(
                    !is_confined.unwrap_or(true),
                    "a step leads out of the reset state"
                );
            }
            let run = search.strengthen(0, &aig, &vec![Edge::FALSE; level]);
            if let Some(trace) = run.unwrap_or_else(|_| panic!("nobody stops it")) {
                return Some(trace);
            }
            assert!(search.last_frame_is_good().unwrap_or(false));
            if search.fixpoint().is_some() {
                return None;
            }
            search.pdr.frames.extend();
            if search.pdr.propagate().unwrap_or(false) {
                return None;
            }
        }
        panic!("ten frames are enough for six states");
    }

    #[test]
    fn obligations_exclude_the_bad_where_interpolants_do_not() {
        for value in 1..6 {
            let model = counter(value);
            let trace = decide_by_obligations(&model).expect("the value is reached");
            assert_eq!(certify_trace(&model, 0, &trace), Ok(value));
        }
        for value in [6, 7] {
            assert_eq!(decide_by_obligations(&counter(value)), None, "{value}");
        }
    }
}
