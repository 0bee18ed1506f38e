//! From a question about a circuit or a program to certified verdicts: the only place where models are reduced, engines race, evidence is
//! lifted back, and is certified against the circuit that was read.
//!
//! The crate takes parsed inputs: a [`Model`](craig_model::Model), or anything that implements [`Design`] because it has more to say about
//! its evidence, such as a file that was read. It knows no file formats, no file names and no terminals. A [`Schedule`] says which
//! engines search, and what comes before them; a [`Control`] when to stop.
//!
//! # A model, its verdict and its trace
//!
//! A counter of two bits that counts while an input is set. Is it ever at 3, and is it ever at 3 after a step from 0?
//!
//! ```
//! use craig_model::simulate::replay_bads;
//! use craig_mc::Alone;
//! use craig_model::{Latch, Model, Reset};
//! use craig_verify::{Answer, Schedule, verify};
//!
//! let mut model = Model::default();
//! let count = model.aig.add_input();
//! model.inputs.push(count);
//! let [low, high] = [(); 2].map(|()| model.aig.add_input());
//! let carry = model.aig.and(low, count);
//! let next = [model.aig.xor(low, count), model.aig.xor(high, carry)];
//! let states = [low, high].into_iter().zip(next);
//! model.latches = states.map(|(state, next)| Latch { state, next, reset: Reset::Zero }).collect();
//! let at_three = model.aig.and(low, high);
//! let jump = model.aig.and(at_three, !at_three);
//! model.bads = vec![at_three, jump];
//!
//! let verdicts = verify(&model, &Schedule::default(), Alone::new().control())?;
//! let [three, never] = &verdicts[..] else { panic!("a verdict for each bad") };
//!
//! // The first bad is reached in three steps. Both the certifier and this replay have found so.
//! assert_eq!(three.answer(), Answer::Unsafe);
//! let trace = three.trace().expect("a run");
//! assert_eq!(trace.depth(), 3);
//! assert_eq!(replay_bads(&model, trace)?.bads[0], Some(3));
//!
//! // The other is not. The evidence is a witness circuit, which was certified before `verify` returned.
//! assert_eq!(never.answer(), Answer::Safe);
//! assert!(never.certificate().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`verify_each`] passes each verdict on as soon as it is known. [`verify_any`] asks one question about all bads. [`Search`] is for
//! front ends that lift evidence further. A question about a program is one about its automata: each is a [`ProgramDesign`] that an
//! [`AutomatonSearch`] or a [`ProgramSearch`] decides, and [`first_answer`] has several race. [`Proven::certify`] certifies a proof
//! about the one to which it was lifted.

mod answer;
mod any;
mod certified;
mod design;
mod error;
mod exchange;
mod inductive;
mod judge;
mod lemmas;
mod observer;
mod program;
mod property;
mod proven;
mod rounds;
mod run;
mod schedule;
mod search;
mod shown;
mod together;
mod words;

use std::ops::ControlFlow;

use craig_mc::Control;

pub use craig_program::line_up::{Amount, Condition, Stage, StageName, Stages};

pub use answer::Answer;
pub use any::verify_any;
pub use certified::{Certified, Finding};
pub use design::{Apart, Design, unite};
pub use error::VerifyError;
pub use exchange::Exchange;
pub use judge::Judgement;
pub use lemmas::Lemmas;
pub use observer::Observer;
pub use program::{
    AutomatonSearch, AutomatonTask, Concluded, Decision, INVARIANTS, Limits, Member, MemberRun,
    POLL, PROVERS, ProgramDesign, ProgramSearch, Raced, SINGLE_LOOP, first_answer,
};
pub use property::{Kind, PropertyId};
pub use proven::Proven;
pub use schedule::{Engines, Schedule};
pub use search::{Decided, ENGINES, Search};

/// Decides all properties of a design, in the order of their numbers, bads first. A property that is not decided before the
/// control ends the search is unknown.
///
/// # Errors
/// If the model is none ([`Model::validate`](craig_model::Model::validate)), or an engine panics and no other has an answer.
pub fn verify<D: Design>(
    design: &D,
    schedule: &Schedule,
    control: Control<'_>,
) -> Result<Vec<Certified<D::Evidence>>, VerifyError> {
    let properties = PropertyId::all(design.model());
    let mut verdicts = Vec::new();
    let mut keep = |certified: Certified<D::Evidence>| {
        verdicts.push(certified);
        ControlFlow::Continue(())
    };
    verify_each(design, &properties, schedule, control, &mut keep)?;
    let place = |of: PropertyId| properties.iter().position(|&property| property == of);
    verdicts.sort_by_key(|certified| place(certified.property));
    Ok(verdicts)
}

/// Decides properties of a design, and passes each verdict on as soon as it is known, in any order: a hard property does not
/// hold up the others. Those that are not decided before the control ends the search are passed on as unknown.
///
/// Without a time limit, the properties have shares of the time that grow in rounds, and the last one that is open has no
/// limit. With one, they have equal shares of it, after a short first round; those that it was too short for are searched again when
/// the others have left enough of theirs.
///
/// # Errors
/// If the model is none ([`Model::validate`](craig_model::Model::validate)) or has no such property, or an engine panics and no other has an answer.
pub fn verify_each<D: Design>(
    design: &D,
    properties: &[PropertyId],
    schedule: &Schedule,
    control: Control<'_>,
    observer: &mut dyn Observer<D::Evidence>,
) -> Result<(), VerifyError> {
    design.model().validate()?;
    for property in properties {
        property.check(design.model())?;
    }
    let search = Search::new(schedule.clone());
    run::Run::new(design, properties, &search, control, observer).decide_all()
}
