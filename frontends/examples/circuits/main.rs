//! Writes the circuits and formulas of `examples/`: `cargo run -p craig --example circuits -- FOLDER`.

mod designs;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let Some(folder) = folder else {
        eprintln!("usage: circuits FOLDER");
        std::process::exit(2);
    };
    for (name, text) in designs::all() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
