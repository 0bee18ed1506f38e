//! Execution of lowered C programs: over terms, with merging of paths (`symbolic`), and on numbers or partly known
//! words along one path (`concrete`). Neither knows the other: a run on numbers is a check of what symbolic execution
//! found, and shares with it the program and the addresses of static objects only.
//!
//! A program without inputs has one run:
//!
//! ```
//! use craig_c_exec::concrete::single_run::{self, Ran};
//! use craig_c_lang::lower::{LoweringOptions, lower_text};
//! use craig_model::Stop;
//!
//! let text = "void reach_error(void);
//!     int main(void) { int sum = 0; for (int i = 0; i < 100; i++) sum += i; if (sum == 4950) reach_error(); }";
//! let program = lower_text(text, "sum.c", &LoweringOptions::default())?;
//! let Ran::Unsafe(error) = single_run::check(&program, &Stop::new()) else {
//!     panic!("the sum is 4950");
//! };
//! assert_eq!(error.at.line, 2);
//! # Ok::<(), String>(())
//! ```

pub mod concrete;
pub mod symbolic;
