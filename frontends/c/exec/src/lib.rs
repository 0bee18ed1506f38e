//! Execution of lowered C programs: over terms, with merging of paths (`symbolic`), and on numbers or partly known
//! words along one path (`concrete`). Neither knows the other: a run on numbers is a check of what symbolic execution
//! found, and shares with it the program and the addresses of static objects only.

pub mod concrete;
pub mod symbolic;
