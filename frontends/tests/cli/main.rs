//! End-to-end tests of the command and of the shipped files. They form one binary with a module for each
//! subject, because every binary is linked with link-time optimisation.

mod aiger;
mod btor2;
mod c;
mod c_arrays;
mod c_engines;
mod c_event_loops;
mod check;
mod cover;
#[path = "../../examples/circuits/designs.rs"]
mod designs;
mod evidence;
mod exchange;
mod inputs;
mod limits;
mod line_up;
mod link;
mod liveness;
mod many;
mod misuse;
mod outputs;
mod pages;
mod progress;
mod project;
mod proofs;
mod property_file;
mod readme;
mod recorded;
mod replays;
mod run;
mod sarif;
mod sat;
mod sby;
mod schema;
mod shards;
mod smt;
mod together;
mod validation;
mod verilog;
mod words;
