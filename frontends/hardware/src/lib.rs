//! Files of hardware models: AIGER, BTOR2 and BLIF, and witnesses for their verdicts.
//!
//! ```
//! use craig_hardware::aiger;
//!
//! let text = b"aag 1 0 1 1 0\n2 3\n2\n";
//! let circuit = aiger::read(text, "toggle.aag")?;
//! assert_eq!((circuit.model.latches.len(), circuit.model.bads.len()), (1, 1));
//! let error = aiger::read(b"aag 1 0 1", "cut.aag").expect_err("the header ends too early");
//! assert!(error.to_string().starts_with("cut.aag"));
//! # Ok::<(), aiger::AigerError>(())
//! ```
//!
//! Without the feature `verify` there are readers, writers and evaluators, and nothing that decides or certifies; SAT solvers are not
//! needed then.

pub mod aiger;
pub mod blif;
pub mod btor2;
pub mod witness;
