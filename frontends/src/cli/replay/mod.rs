//! A run or a proof in the languages of those who check hardware: a witness of Yosys, a testbench, assertions.

pub(super) mod invariant;
pub(super) mod testbench;
pub(super) mod yosys_witness;
