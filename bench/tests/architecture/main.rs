//! The picture of `docs/ARCHITECTURE.md`, checked: which crates may use which, and that no modules use each other in a
//! circle.

mod crates;
mod imports;
mod modules;
