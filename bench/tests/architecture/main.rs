//! The rules of `docs/ARCHITECTURE.md` and `CONTRIBUTING.md`, checked: which crates may use which, that no modules use each
//! other in a circle, and how long files and functions are. And the public interface of the libraries, which `docs/api` has.

mod api;
mod crates;
mod imports;
mod modules;
mod sizes;
