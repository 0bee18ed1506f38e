//! What the library crates promise their users: their public items, in `docs/api`, with which this compares.
//!
//! Each `pub` item counts (the lint `unreachable_pub` refuses those that users can't reach), with its type, the variants of an enum,
//! the methods that a trait asks for, and the traits that a type has. Items that macros make are not seen. After a change that is meant:
//! `UPDATE_API=1 cargo test -p craig-bench --test architecture api`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::modules::{Modules, sources};

/// Members of the workspace that are no libraries.
const NO_LIBRARIES: [&str; 3] = ["frontends", "frontends/python", "bench"];

/// What a line begins, if it is a part of the interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Up to its body or its end.
    Head,
    /// With its body: an enum.
    Whole,
    /// A trait, whose methods follow.
    Trait,
}

/// The kind of the item that a line begins.
fn part(line: &str, is_in_trait: bool) -> Option<Part> {
    let text = line.trim_start();
    let is_outer = text.len() == line.len();
    if is_in_trait && !is_outer {
        return ["fn ", "const ", "type "]
            .iter()
            .any(|word| text.starts_with(word))
            .then_some(Part::Head);
    }
    let item = match text.strip_prefix("pub ") {
        Some(item) => item,
        None if is_outer && text.starts_with("impl") && text.contains(" for ") => {
            return Some(Part::Head);
        }
        None => return None,
    };
    match item {
        item if item.starts_with("enum ") => Some(Part::Whole),
        item if item.starts_with("trait ") => Some(Part::Trait),
        // The files of modules are listed themselves.
        item if item.starts_with("mod ") => None,
        _ => Some(Part::Head),
    }
}

/// The text of an item that begins `code`, on one line.
fn text_of(code: &str, part: Part) -> String {
    let (mut depth, mut angles, mut end) = (0_usize, 0_usize, code.len());
    let mut before = ' ';
    for (at, next) in code.char_indices() {
        match next {
            '{' if part != Part::Whole
                && depth == 0
                && !code[..at].trim_start().starts_with("pub use") =>
            {
                end = at;
                break;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => {
                end = at;
                break;
            }
            ')' | ']' | '}' => depth -= 1,
            '<' => angles += 1,
            '>' if before != '-' && before != '=' => angles = angles.saturating_sub(1),
            // The end of a field.
            ',' if depth == 0 && angles == 0 => {
                end = at;
                break;
            }
            ';' if depth == 0 => {
                end = at;
                break;
            }
            '=' if depth == 0 && angles == 0 && !code[..at].contains("type ") => {
                end = at;
                break;
            }
            _ => {}
        }
        before = next;
        if part == Part::Whole && next == '}' && depth == 0 {
            end = at + 1;
            break;
        }
    }
    let words: Vec<&str> = code[..end].split_whitespace().collect();
    words
        .join(" ")
        .replace("( ", "(")
        .replace(", )", ")")
        .replace(" )", ")")
}

/// The public items of a file.
fn items(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut owner, mut is_in_trait, mut is_for_tests) = (String::new(), false, false);
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let is_outer = !line.starts_with([' ', '}', ')', '\n']);
        if is_outer && !line.starts_with('#') {
            is_in_trait = false;
            owner.clear();
            if line.starts_with("impl") && !line.contains(" for ") {
                owner = text_of(&code[begin..], Part::Head) + ": ";
            }
        }
        if is_for_tests && !line.trim_start().starts_with('#') {
            is_for_tests = false;
            continue;
        }
        is_for_tests |= line.trim_start().starts_with("#[cfg(test)]");
        let Some(part) = part(line.trim_end_matches('\n'), is_in_trait) else {
            continue;
        };
        let text = text_of(&code[begin..], part);
        if part == Part::Trait || (is_outer && part == Part::Head && text.starts_with("pub struct"))
        {
            owner = format!(
                "{}: ",
                text.split(['(', '{']).next().unwrap_or_default().trim()
            );
            is_in_trait = part == Part::Trait;
            found.push(text);
        } else if is_outer {
            found.push(text);
        } else {
            found.push(format!("{owner}{text}"));
        }
    }
    found
}

/// The name of the type for which an item implements a trait.
fn implementor(item: &str) -> Option<&str> {
    let (_, of) = item.strip_prefix("impl")?.split_once(" for ")?;
    let of = of
        .trim_start_matches(['&', '('])
        .split(['<', ' ', ','])
        .next()?;
    of.rsplit("::").next()
}

/// The list of a crate.
fn list(folder: &Path) -> String {
    let mut list = String::new();
    let modules = Modules::read(folder);
    let all: Vec<(&Vec<String>, Vec<String>)> = (modules.code.iter())
        .map(|(module, code)| (module, items(code)))
        .collect();
    let declared = all.iter().flat_map(|(_, items)| items);
    let names: BTreeSet<&str> = declared
        .filter_map(|item| {
            let words = ["pub struct ", "pub enum ", "pub type ", "pub trait "];
            let rest = words.iter().find_map(|word| item.strip_prefix(word))?;
            rest.split(['<', ' ', '(', ':', '{']).next()
        })
        .collect();
    for (module, items) in &all {
        // A private type may have traits, which nobody sees.
        let is_seen = |item: &&String| implementor(item).is_none_or(|name| names.contains(name));
        let items: Vec<&String> = items.iter().filter(is_seen).collect();
        if !items.is_empty() {
            let name = module.join("::");
            let _ = writeln!(list, "[{}]", if name.is_empty() { "crate" } else { &name });
            items.iter().for_each(|item| list += &format!("{item}\n"));
        }
    }
    list
}

#[test]
fn the_public_interface_is_the_one_that_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let libraries = sources()
        .into_iter()
        .filter(|(member, _)| !NO_LIBRARIES.contains(&&**member));
    let mut changed = Vec::new();
    for (member, folder) in libraries {
        let manifest = std::fs::read_to_string(root.join(&member).join("Cargo.toml"))
            .expect("a crate has a manifest");
        let name = manifest
            .split('"')
            .nth(1)
            .expect("it has a name")
            .to_owned();
        let path = root.join("docs/api").join(format!("{name}.txt"));
        let (now, before) = (
            list(&folder),
            std::fs::read_to_string(&path).unwrap_or_default(),
        );
        assert!(now.lines().count() > 5, "{name}: {now}");
        if now == before {
            continue;
        }
        if std::env::var_os("UPDATE_API").is_some() {
            std::fs::write(&path, &now).expect("the list can be written");
            continue;
        }
        let is_new = |line: &&str| !before.lines().any(|old| old == *line);
        let is_gone = |line: &&str| !now.lines().any(|new| new == *line);
        changed.extend(
            now.lines()
                .filter(is_new)
                .map(|line| format!("{name} + {line}")),
        );
        changed.extend(
            before
                .lines()
                .filter(is_gone)
                .map(|line| format!("{name} - {line}")),
        );
        changed.push(format!("{name}: docs/api/{name}.txt is not up to date"));
    }
    assert!(
        changed.is_empty(),
        "the public interface has changed; if that is meant, run `UPDATE_API=1 cargo test -p craig-bench --test architecture api` and \
         note it in CHANGELOG.md:\n{}",
        changed.join("\n")
    );
}

#[test]
fn items_are_read_as_users_see_them() {
    let code = "pub use a::{B, C};\n\npub(crate) struct Hidden;\n\npub struct Shown<T> {\n    pub field: Map<K, (V, T)>,\n    own: u32,\n}\n\n\
                pub enum Kind {\n    One,\n    Two { x: u32 },\n}\n\nimpl<T> Shown<T> {\n    pub const MOST: u32 = 3;\n\n    \
                pub fn call(\n        &self,\n        f: impl Fn(u32) -> [u8; 3],\n    ) -> Option<T> {\n        None\n    }\n\n    \
                fn own() {}\n}\n\nimpl Clone for Shown<u8> {\n    fn clone(&self) -> Self {\n    }\n}\n\n\
                pub trait Asks: Send {\n    type Out;\n\n    fn ask(&mut self) -> Self::Out;\n\n    fn may(&self) {\n        \
                let x = 3;\n    }\n}\n\n#[cfg(test)]\npub fn tested() {}\n\npub type Pair = (u8, u8);\n";
    let expected = [
        "pub use a::{B, C}",
        "pub struct Shown<T>",
        "pub struct Shown<T>: pub field: Map<K, (V, T)>",
        "pub enum Kind { One, Two { x: u32 }, }",
        "impl<T> Shown<T>: pub const MOST: u32",
        "impl<T> Shown<T>: pub fn call(&self, f: impl Fn(u32) -> [u8; 3]) -> Option<T>",
        "impl Clone for Shown<u8>",
        "pub trait Asks: Send",
        "pub trait Asks: Send: type Out",
        "pub trait Asks: Send: fn ask(&mut self) -> Self::Out",
        "pub trait Asks: Send: fn may(&self)",
        "pub type Pair = (u8, u8)",
    ];
    assert_eq!(items(code), expected);
}
