//! Craig interpolants from resolution proofs.
