//! `--list`: the properties and loops of a program.

use std::fmt::Write as _;

use craig_c::{self as c, Listing};
use craig_mc::Alone;
use serde_json::json;

use super::Program;
use crate::cli::check::task::Task;
use crate::cli::failure::Failure;
use crate::cli::json::print_object;
use crate::cli::terminal::print;

/// The exit code of a program that is listed.
const LISTED: u8 = 0;
/// The exit code of a program that is not supported.
const UNSUPPORTED: u8 = 30;

impl Program {
    /// Prints the properties and loops.
    ///
    /// # Errors
    /// If the program cannot be read.
    pub(in crate::cli::check) fn list(&self, task: &Task, is_json: bool) -> Result<u8, Failure> {
        let found = c::list(&self.file, &self.options, Alone::new().control());
        let file = self.file.display().to_string();
        match found.map_err(super::failure)? {
            Ok(listing) if is_json => {
                let body = json_of(&file, &listing);
                print_object(("listed", LISTED), task.seconds(), &body)?;
                Ok(LISTED)
            }
            Ok(listing) => {
                print(&text_of(&listing));
                Ok(LISTED)
            }
            Err(reason) => {
                if is_json {
                    let body = json!({ "file": file, "reason": reason });
                    print_object(("unknown", UNSUPPORTED), task.seconds(), &body)?;
                } else {
                    print(&format!("UNKNOWN: {reason}\n"));
                }
                Ok(UNSUPPORTED)
            }
        }
    }
}

fn text_of(listing: &Listing) -> String {
    let mut text = String::new();
    let width =
        |names: &mut dyn Iterator<Item = &String>| names.map(String::len).max().unwrap_or(0);
    let properties = width(&mut listing.properties.iter().map(|it| &it.name));
    for it in &listing.properties {
        let _ = writeln!(
            text,
            "property {:properties$}  {}:{}:{}: {}",
            it.name, it.file, it.line, it.column, it.text
        );
    }
    let loops = width(&mut listing.loops.iter().map(|it| &it.name));
    for it in &listing.loops {
        let _ = write!(text, "loop {:loops$}  {}:{}", it.name, it.file, it.line);
        if let Some(rounds) = it.at_first {
            let _ = write!(text, "  from {rounds} rounds");
        }
        if let Some(most) = it.most {
            let _ = write!(text, "  at most {most} rounds");
        }
        text.push('\n');
    }
    text
}

fn json_of(file: &str, listing: &Listing) -> serde_json::Value {
    let properties = listing.properties.iter().map(|it| {
        json!({
            "name": it.name, "class": it.class, "file": it.file, "line": it.line, "column": it.column, "text": it.text,
        })
    });
    let loops = (listing.loops.iter())
        .map(|it| json!({ "name": it.name, "file": it.file, "line": it.line, "at_first": it.at_first, "most": it.most }));
    json!({
        "file": file,
        "properties": properties.collect::<Vec<_>>(),
        "loops": loops.collect::<Vec<_>>(),
    })
}
