//! The engines and the certifier against explicit-state reachability on small random models.
//!
//! One test binary on purpose: an engine's tests are a module here, and share [`support`].

mod avy;
mod bdd;
mod bmc;
mod certify;
mod first_steps;
mod imc;
mod isb;
mod kind;
mod pdr;
mod portfolio;
mod sim;
mod support;
mod tra;
mod traps;
mod traps_reduced;
