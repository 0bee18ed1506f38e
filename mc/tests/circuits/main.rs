//! The engines and the certifier, compared with explicit-state reachability on small random models.
//!
//! There is one test binary, in which each engine has a module; all share [`support`].

mod avy;
mod bdd;
mod bmc;
mod certify;
mod equalities;
mod exchange;
mod first_steps;
mod gla;
mod imc;
mod isb;
mod isomorphic;
mod kind;
mod pdr;
mod portfolio;
mod resets;
mod signals;
mod sim;
mod slices;
mod support;
mod tra;
mod traps;
mod traps_reduced;
