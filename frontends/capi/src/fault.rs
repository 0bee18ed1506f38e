//! Why a call is refused.

/// The error codes of IPASIR-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Code {
    /// The call has done what it should.
    Ok = 0,
    /// It failed for another reason.
    Unknown = 1,
    /// The function is not there.
    Unsupported,
    /// The function can't do this with the argument.
    UnsupportedArgument,
    /// There is no such option.
    UnsupportedOption,
    /// The call is not allowed now.
    InvalidState,
    /// The argument is not valid.
    InvalidArgument,
    /// The value is not in the range of the option.
    InvalidOptionValue,
}

/// A refused call.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) text: String,
}

impl Fault {
    pub(crate) fn new(code: Code, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { code, text }
    }

    pub(crate) fn state(text: &str) -> Self {
        Self::new(Code::InvalidState, text)
    }

    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, text)
    }
}
