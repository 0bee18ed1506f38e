//! Judges evidence against a circuit, with formulas and a SAT solver (varisat) that no engine uses, and the model
//! against the file that it was read from.

mod gates;
mod source;

pub use source::{Circuit, Literal, Source, SourceGate, SourceLatch};

use craig_solver::aig::{Aig, Edge, Node};

use crate::circuit::model::{Latch, Model, Reset};
use crate::circuit::verdict::{Certificate, Trace};
use gates::{Gate, Gates};

/// One of the five conditions that make a witness circuit a proof (those of Certifaiger).
///
/// K are the latches that witness and model share, s and t consecutive steps. For the model, R says that
/// the latches in K are at their resets, F that in t they have the values of their next-state functions in
/// s, C that the constraints hold, P that the bad is not set; R', F', C' and P' say so of the witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// R(K) & C implies R'(K) & C'.
    Reset,
    /// F(K) & C(s) & C(t) & C'(s) implies F'(K) & C'(t).
    Transition,
    /// C & C' & P' implies P.
    Safety,
    /// R' of all the witness's latches & C' implies P'.
    Base,
    /// F' of all the witness's latches & C'(s) & C'(t) & P'(s) implies P'(t).
    Inductive,
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Reset => "reset",
            Self::Transition => "transition",
            Self::Safety => "safety",
            Self::Base => "base",
            Self::Inductive => "inductive",
        })
    }
}

/// Why evidence was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
    /// The evidence speaks of parts that the model does not have, or of the same part twice.
    #[error("the evidence does not fit the model: {0}")]
    Shape(String),
    /// A latch of the trace starts at a value other than its reset.
    #[error("the trace is wrong: latch {latch} does not start at its reset")]
    TraceReset {
        /// The latch's position among the model's latches.
        latch: usize,
    },
    /// The trace does not reach the bad, or only after a constraint was violated, or only for some
    /// of the values that it leaves open.
    #[error("the trace is wrong: it does not show the bad")]
    TraceBad,
    /// The witness circuit fails one of the five conditions.
    #[error("the certificate is wrong: the condition `{0}` does not hold")]
    Condition(Condition),
    /// The model is not the circuit of the file that it was read from: a fault of the program. Tells which part.
    #[error("the model is not the circuit of its file: {0}")]
    Source(String),
    /// The SAT solver gave up.
    #[error("the certifying solver failed: {0}")]
    Solver(String),
}

/// A value for each node of a graph.
struct Valuation(Vec<Gate>);

impl Valuation {
    /// Evaluates all gates over the given values of inputs and latches; whatever has no value given, is
    /// a fresh variable.
    fn new(gates: &mut Gates, model: &Model, given: &[Option<Gate>]) -> Self {
        Self::evaluate(gates, &model.aig, |node| given[node])
    }

    /// Evaluates all gates over fresh variables.
    fn of_graph(gates: &mut Gates, aig: &Aig) -> Self {
        Self::evaluate(gates, aig, |_| None)
    }

    fn evaluate(gates: &mut Gates, aig: &Aig, given: impl Fn(usize) -> Option<Gate>) -> Self {
        let mut values = vec![Gates::FALSE; aig.n_nodes()];
        for node in 0..values.len() {
            values[node] = match aig.node(node as u32) {
                Node::Constant => Gates::FALSE,
                Node::Input(_) => given(node).unwrap_or_else(|| gates.fresh()),
                Node::And(left, right) => {
                    let left = values[left.node() as usize] ^ u32::from(left.is_negated());
                    let right = values[right.node() as usize] ^ u32::from(right.is_negated());
                    gates.and(left, right)
                }
            };
        }
        Self(values)
    }

    fn at(&self, edge: Edge) -> Gate {
        self.0[edge.node() as usize] ^ u32::from(edge.is_negated())
    }

    fn all(&self, edges: &[Edge]) -> Vec<Gate> {
        edges.iter().map(|&edge| self.at(edge)).collect()
    }
}

/// The model of a circuit, which is checked against its source.
fn checked_model<C: Circuit + ?Sized>(circuit: &C) -> Result<&Model, CertifyError> {
    let model = circuit.model();
    if let Some(source) = circuit.source() {
        source.check(model)?;
    }
    Ok(model)
}

/// Judges a model against the file that it was read from, if it was.
///
/// # Errors
/// If they are not the same circuit.
pub fn certify_source<C: Circuit + ?Sized>(circuit: &C) -> Result<(), CertifyError> {
    checked_model(circuit).map(|_| ())
}

/// The bad of a number.
fn bad_of(model: &Model, property: usize) -> Result<Edge, CertifyError> {
    let bad = model.bads.get(property).copied();
    bad.ok_or_else(|| CertifyError::Shape(format!("the model has no bad {property}")))
}

fn constant(reset: Reset) -> Option<Gate> {
    reset.value().map(Gate::from)
}

/// Judges a trace for bad number `property` of a circuit: whatever values the trace leaves open, the bad has to
/// hold in some step, with all constraints satisfied up to and including that step. A latch with a reset that
/// the trace leaves open starts at that reset.
///
/// Returns the first step by which the bad has been shown; the trace may go on behind it.
///
/// # Errors
/// If the trace shows no such thing.
pub fn certify_trace<C: Circuit + ?Sized>(
    circuit: &C,
    property: usize,
    trace: &Trace,
) -> Result<usize, CertifyError> {
    let model = checked_model(circuit)?;
    certify_run(model, &[bad_of(model, property)?], trace)
}

/// The same for the bads of a circuit together: one of them has to hold in some step, not necessarily the same one for all
/// values that the trace leaves open.
///
/// # Errors
/// If the trace shows no such thing.
pub fn certify_any<C: Circuit + ?Sized>(circuit: &C, trace: &Trace) -> Result<usize, CertifyError> {
    let model = checked_model(circuit)?;
    certify_run(model, &model.bads, trace)
}

fn certify_run(model: &Model, bads: &[Edge], trace: &Trace) -> Result<usize, CertifyError> {
    if trace.initial.len() != model.latches.len() {
        return Err(CertifyError::Shape(format!(
            "the initial state has {} values, but the model has {} latches",
            trace.initial.len(),
            model.latches.len()
        )));
    }
    let mut gates = Gates::new();
    let mut given = vec![None; model.aig.n_nodes()];
    for (position, (latch, &value)) in model.latches.iter().zip(&trace.initial).enumerate() {
        let value = value.map(Gate::from);
        let reset = constant(latch.reset);
        if value.is_some() && reset.is_some() && value != reset {
            return Err(CertifyError::TraceReset { latch: position });
        }
        given[latch.state.node() as usize] = value.or(reset);
    }
    let mut constraints_so_far = Gates::TRUE;
    let mut shown = Gates::FALSE;
    for (step, inputs) in trace.inputs.iter().enumerate() {
        if inputs.len() != model.inputs.len() {
            return Err(CertifyError::Shape(format!(
                "step {step} has {} values, but the model has {} inputs",
                inputs.len(),
                model.inputs.len()
            )));
        }
        for (input, value) in model.inputs.iter().zip(inputs) {
            given[input.node() as usize] = value.map(Gate::from);
        }
        let values = Valuation::new(&mut gates, model, &given);
        for &constraint in &model.constraints {
            constraints_so_far = gates.and(constraints_so_far, values.at(constraint));
        }
        let bads = bads.iter();
        let bad = bads.fold(Gates::FALSE, |any, &bad| gates.or(any, values.at(bad)));
        let counts = gates.and(constraints_so_far, bad);
        shown = gates.or(shown, counts);
        // Only a formula over open values needs the solver.
        if shown == Gates::TRUE
            || counts != Gates::FALSE
                && !gates
                    .satisfiable(&[shown ^ 1], &[Gates::TRUE])
                    .map_err(CertifyError::Solver)?
        {
            return Ok(step);
        }
        if constraints_so_far == Gates::FALSE {
            break;
        }
        for latch in &model.latches {
            given[latch.state.node() as usize] = Some(values.at(latch.next));
        }
    }
    Err(CertifyError::TraceBad)
}

/// Judges a certificate for bad number `property` of a circuit: the five [`Condition`]s, with that bad
/// as the model's only one.
///
/// # Errors
/// With the condition that fails, or what does not fit.
pub fn certify_certificate<C: Circuit + ?Sized>(
    circuit: &C,
    property: usize,
    certificate: &Certificate,
) -> Result<(), CertifyError> {
    let model = checked_model(circuit)?;
    certify_bads(model, &[bad_of(model, property)?], certificate)
}

/// Judges a certificate for all bads of a circuit: the five [`Condition`]s, where P says that none of them is set.
///
/// # Errors
/// With the condition that fails, or what does not fit.
pub fn certify_all<C: Circuit + ?Sized>(
    circuit: &C,
    certificate: &Certificate,
) -> Result<(), CertifyError> {
    let model = checked_model(circuit)?;
    certify_bads(model, &model.bads, certificate)
}

fn certify_bads(
    model: &Model,
    bads: &[Edge],
    certificate: &Certificate,
) -> Result<(), CertifyError> {
    check_sharing(model, certificate)?;
    let mut question = Question {
        gates: Gates::new(),
        model,
        certificate,
    };
    question.check(bads)
}

/// Different inputs and latches of the witness stand for different ones of the model. Otherwise two latches
/// could contradict each other in R and F, and the first conditions would hold for circuits that are not safe.
fn check_sharing(model: &Model, certificate: &Certificate) -> Result<(), CertifyError> {
    let witness = &certificate.witness;
    for (what, shared, n_witness, n_model) in [
        (
            "input",
            &certificate.shared_inputs,
            witness.inputs.len(),
            model.inputs.len(),
        ),
        (
            "latch",
            &certificate.shared_latches,
            witness.latches.len(),
            model.latches.len(),
        ),
    ] {
        if shared.len() != n_witness {
            return Err(CertifyError::Shape(format!(
                "the sharing lists {} entries, but the witness has {n_witness} of kind {what}",
                shared.len()
            )));
        }
        let mut seen = vec![false; n_model];
        for &number in shared.iter().flatten() {
            match seen.get_mut(number) {
                None => {
                    return Err(CertifyError::Shape(format!(
                        "the model has no {what} {number}"
                    )));
                }
                Some(seen) if *seen => {
                    return Err(CertifyError::Shape(format!(
                        "{what} {number} is shared twice"
                    )));
                }
                Some(seen) => *seen = true,
            }
        }
    }
    Ok(())
}

/// Witness and model in one step, the shared variables identified.
struct Moment {
    witness: Valuation,
    model: Valuation,
}

struct Question<'a> {
    gates: Gates,
    model: &'a Model,
    certificate: &'a Certificate,
}

impl Question<'_> {
    /// Both circuits in one step; the latches of the witness have the values of `latches`, where those say so.
    fn moment(&mut self, latches: &[Option<Gate>]) -> Moment {
        let Certificate {
            witness,
            shared_inputs,
            shared_latches,
        } = self.certificate;
        let mut given = vec![None; witness.aig.n_nodes()];
        for (latch, &value) in witness.latches.iter().zip(latches) {
            given[latch.state.node() as usize] = value;
        }
        let in_witness = Valuation::new(&mut self.gates, witness, &given);
        let mut given = vec![None; self.model.aig.n_nodes()];
        for (&input, shared) in witness.inputs.iter().zip(shared_inputs) {
            if let Some(number) = shared {
                given[self.model.inputs[*number].node() as usize] = Some(in_witness.at(input));
            }
        }
        for (latch, shared) in witness.latches.iter().zip(shared_latches) {
            if let Some(number) = shared {
                let state = self.model.latches[*number].state;
                given[state.node() as usize] = Some(in_witness.at(latch.state));
            }
        }
        Moment {
            model: Valuation::new(&mut self.gates, self.model, &given),
            witness: in_witness,
        }
    }

    /// Whether `given` implies all of `then`.
    fn implies(
        &self,
        condition: Condition,
        given: &[Gate],
        then: &[Gate],
    ) -> Result<(), CertifyError> {
        let fails: Vec<Gate> = then.iter().map(|gate| gate ^ 1).collect();
        match self.gates.satisfiable(given, &fails) {
            Ok(false) => Ok(()),
            Ok(true) => Err(CertifyError::Condition(condition)),
            Err(error) => Err(CertifyError::Solver(error)),
        }
    }

    /// That latches which step from s to t by one circuit also do so by the other is stated as equations.
    fn steps<'b>(
        &mut self,
        latches: impl Iterator<Item = &'b Latch>,
        from: &Valuation,
        to: &Valuation,
    ) -> Vec<Gate> {
        latches
            .map(|latch| self.gates.iff(from.at(latch.next), to.at(latch.state)))
            .collect()
    }

    fn check(&mut self, bads: &[Edge]) -> Result<(), CertifyError> {
        let model = self.model;
        let Certificate {
            witness,
            shared_latches,
            ..
        } = self.certificate;
        let pairs: Vec<(&Latch, Option<&Latch>)> = witness
            .latches
            .iter()
            .zip(shared_latches)
            .map(|(latch, shared)| (latch, shared.map(|number| &model.latches[number])))
            .collect();
        let good = |values: &Valuation| -> Vec<Gate> {
            witness.bads.iter().map(|&bad| values.at(!bad)).collect()
        };

        // What an equation on the left of "implies" says about a latch is built in rather than stated: in
        // `reset` the shared latches are at the model's resets, in `base` all of the witness's at its own;
        // `after` follows `s` by the model, `later` by the witness.
        let nothing = vec![None; pairs.len()];
        let s = self.moment(&nothing);

        let resets: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(_, shared)| shared.and_then(|latch| constant(latch.reset)))
            .collect();
        let reset = self.moment(&resets);
        let mut then = reset.witness.all(&witness.constraints);
        for (latch, shared) in &pairs {
            if let (Some(_), Some(value)) = (shared, constant(latch.reset)) {
                then.push(self.gates.iff(reset.witness.at(latch.state), value));
            }
        }
        self.implies(
            Condition::Reset,
            &reset.model.all(&model.constraints),
            &then,
        )?;

        let nexts: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(_, shared)| shared.map(|latch| s.model.at(latch.next)))
            .collect();
        let after = self.moment(&nexts);
        let mut given = s.model.all(&model.constraints);
        given.extend(after.model.all(&model.constraints));
        given.extend(s.witness.all(&witness.constraints));
        let mut then = after.witness.all(&witness.constraints);
        let shared = pairs.iter().filter(|(_, shared)| shared.is_some());
        then.extend(self.steps(shared.map(|&(latch, _)| latch), &s.witness, &after.witness));
        self.implies(Condition::Transition, &given, &then)?;

        let mut given = s.model.all(&model.constraints);
        given.extend(s.witness.all(&witness.constraints));
        given.extend(good(&s.witness));
        let then: Vec<Gate> = bads.iter().map(|&bad| s.model.at(!bad)).collect();
        self.implies(Condition::Safety, &given, &then)?;

        let resets: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(latch, _)| constant(latch.reset))
            .collect();
        let base = self.moment(&resets);
        self.implies(
            Condition::Base,
            &base.witness.all(&witness.constraints),
            &good(&base.witness),
        )?;

        let nexts: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(latch, _)| Some(s.witness.at(latch.next)))
            .collect();
        let later = self.moment(&nexts);
        let mut given = s.witness.all(&witness.constraints);
        given.extend(later.witness.all(&witness.constraints));
        given.extend(good(&s.witness));
        self.implies(Condition::Inductive, &given, &good(&later.witness))
    }
}
