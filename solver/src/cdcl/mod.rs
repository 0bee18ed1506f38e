//! The CDCL search.
