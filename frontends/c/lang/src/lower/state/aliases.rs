//! Names that are other names of functions.

/// A declaration with the attribute `alias`.
pub(in crate::lower) struct Alias {
    pub(in crate::lower) unit: usize,
    pub(in crate::lower) name: String,
    pub(in crate::lower) target: String,
}
