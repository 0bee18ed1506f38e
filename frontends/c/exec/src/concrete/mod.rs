//! Runs of the lowered program along one path, on numbers or on partly known words.

pub mod error_path;
pub mod interpret;
pub mod machine;
mod memo;
pub mod object_bytes;
mod partly_known;
mod relocation;
pub mod replay;
pub mod single_run;
