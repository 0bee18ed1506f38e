//! Why a subcommand has no answer.

use std::fmt;

use super::terminal::complain;

/// Why a subcommand has no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// The input or the command line is invalid.
    Input(String),
    /// An error of the program.
    Internal(String),
}

impl Failure {
    /// An error of the input or of the command line.
    pub(super) fn input(message: impl fmt::Display) -> Self {
        Self::Input(message.to_string())
    }

    /// An error of the program.
    pub(super) fn internal(message: impl fmt::Display) -> Self {
        Self::Internal(message.to_string())
    }

    /// What failed.
    pub(super) fn message(&self) -> &str {
        match self {
            Self::Input(message) | Self::Internal(message) => message,
        }
    }

    /// The exit code.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Internal(_) => 1,
        }
    }

    /// Prints the failure to standard error; returns the exit code.
    pub(super) fn complain(&self) -> u8 {
        match self {
            Self::Input(message) => complain(&format!("error: {message}")),
            Self::Internal(message) => complain(&format!("internal failure: {message}")),
        }
        self.exit_code()
    }
}
