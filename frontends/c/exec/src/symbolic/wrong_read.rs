//! Reads of overlay chains whose value under a model differs from that of the writes before them;
//! `consistency` finds them and `lemmas` excludes them.

use crate::symbolic::overlay::{ChainId, Read};

/// Where the evaluation of a read along its chain stops, under a model.
#[derive(Clone, Copy)]
pub(crate) enum ReadStop {
    /// At a write that covers it, from this byte of the value on.
    Hit(ChainId, u32),
    /// At a write that covers some of its bytes.
    Split,
    /// At a merger of paths; whether it continues on the first side.
    Join(ChainId, bool),
    Base(ChainId),
}

/// A read, its offset under a model, and its stops. The last stop is not a merger.
pub(crate) struct Route {
    pub(crate) read: Read,
    pub(crate) offset: u128,
    pub(crate) stops: Vec<ReadStop>,
}

/// A read with a wrong value.
pub(crate) struct Wrong {
    pub(crate) route: Route,
    /// The read that determined another value of the same free cell.
    pub(crate) earlier: Option<Route>,
    /// Reads that determined other values of the same bytes of an object without cells.
    pub(crate) others: Vec<Other>,
}

/// A read of an object without cells, or one of its bytes if others of them were written.
pub(crate) struct Other {
    pub(crate) route: Route,
    pub(crate) byte: Option<Single>,
}

/// A byte of a split read, from the chain on that contains it.
pub(crate) struct Single {
    pub(crate) place: u32,
    pub(crate) chain: ChainId,
    pub(crate) stops: Vec<ReadStop>,
}
