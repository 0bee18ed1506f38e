//! The picture of `docs/ARCHITECTURE.md`, checked: which crates may use which, and that no modules use each other in a
//! circle. And the public interface of the libraries, which `docs/api` has.

mod api;
mod crates;
mod imports;
mod modules;
