//! The engines, one a file or folder.
