//! Reads of overlay chains that have another value under a model than the writes before them give;
//! `consistency` finds them and `lemmas` excludes them.

use super::execute::overlay::{ChainId, Read};

/// Where the search of a read along its chain stops, under a model.
#[derive(Clone, Copy)]
pub(crate) enum ReadStop {
    /// At a write that covers it, from this byte of the value on.
    Hit(ChainId, u32),
    /// At a write that has some of its bytes.
    Split,
    /// At a merger of paths; whether it continues on the first side.
    Join(ChainId, bool),
    Base(ChainId),
}

/// A read, its offset under a model, and where it stops. The last stop is no meeting.
pub(crate) struct Route {
    pub(crate) read: Read,
    pub(crate) offset: u128,
    pub(crate) stops: Vec<ReadStop>,
}

/// A read that is not what it has to be.
pub(crate) struct Wrong {
    pub(crate) route: Route,
    /// The read that found something else in the same free piece.
    pub(crate) earlier: Option<Route>,
    /// Reads that found something else in the same bytes of an object without pieces.
    pub(crate) others: Vec<Other>,
}

/// A read of an object without pieces, or one of its bytes where others of them were written.
pub(crate) struct Other {
    pub(crate) route: Route,
    pub(crate) byte: Option<Single>,
}

/// A byte of a read that is split, from the chain on where it is.
pub(crate) struct Single {
    pub(crate) place: u32,
    pub(crate) chain: ChainId,
    pub(crate) stops: Vec<ReadStop>,
}
