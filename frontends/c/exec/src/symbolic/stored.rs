//! What is known of the contents of an object that has none.

use super::points::Points;

/// The targets of all that is stored in an object. Bytes are told apart by the last bits of their offset.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) points: Points,
    /// The bytes where addresses or parts of them are stored.
    pub(super) addresses: u16,
    /// The bytes where something may change a part of an address.
    pub(super) parts: u16,
}
