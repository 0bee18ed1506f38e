//! The `craig` command.

fn main() {}
