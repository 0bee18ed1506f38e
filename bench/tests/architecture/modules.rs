//! Modules: those of one folder, each with all that it contains, use each other in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::imports::{code, paths};

/// The path of a module within its crate.
type Name = Vec<String>;

/// A crate, a folder of it, and modules there that use each other.
type Circle = (String, String, BTreeSet<String>);

/// The modules of a crate, and the code of each.
pub(crate) struct Modules {
    pub(crate) code: BTreeMap<Name, String>,
}

impl Modules {
    /// Reads the crate whose sources are in `folder`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut modules = Self {
            code: BTreeMap::new(),
        };
        let root = ["lib.rs", "main.rs"].map(|name| folder.join(name));
        let root = root.into_iter().find(|path| path.exists());
        if let Some(root) = root {
            modules.add(Vec::new(), &root, folder);
        }
        modules
    }

    /// Adds the module of a file and those that it declares, whose files are in `folder`.
    fn add(&mut self, name: Name, file: &Path, folder: &Path) {
        let source = std::fs::read_to_string(file).expect("the file of a module can be read");
        let code = code(&source);
        for child in declared(&code) {
            let own = folder.join(&child);
            let files = [folder.join(format!("{child}.rs")), own.join("mod.rs")];
            let found = files.into_iter().find(|path| path.exists());
            // One with another path is for tests.
            if let Some(file) = found {
                let name = [&name[..], &[child]].concat();
                self.add(name, &file, &own);
            }
        }
        self.code.insert(name, code);
    }

    /// The absolute path that a path in `module` means, as far as it names modules, with re-exports followed.
    fn resolve(&self, module: &Name, path: &[String]) -> Name {
        let mut current: Name = match path[0].as_str() {
            "crate" => Vec::new(),
            _ => module.clone(),
        };
        for (at, segment) in path.iter().enumerate() {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => {
                    current.pop();
                }
                segment => {
                    current.push(segment.to_owned());
                    if !self.code.contains_key(&current) {
                        current.pop();
                        return self.exported(&current, &path[at]).unwrap_or(current);
                    }
                }
            }
        }
        current
    }

    /// The child from which a module re-exports an item.
    fn exported(&self, module: &Name, item: &str) -> Option<Name> {
        let code = self.code.get(module)?;
        for statement in code.split(';') {
            let Some(at) = statement
                .find("pub use ")
                .or_else(|| statement.find("pub(crate) use "))
            else {
                continue;
            };
            let statement = &statement[at..];
            let is_named = statement
                .split(|next: char| !(next.is_alphanumeric() || next == '_'))
                .any(|word| word == item);
            let tree = statement
                .split_once("use ")
                .map(|(_, tree)| tree.trim_start());
            let tree = tree.map(|tree| tree.trim_start_matches("self::"));
            let child = tree
                .and_then(|tree| tree.split("::").next())
                .map(str::to_owned);
            if let (true, Some(child)) = (is_named, child) {
                let name = [&module[..], &[child]].concat();
                if self.code.contains_key(&name) {
                    return Some(name);
                }
            }
        }
        None
    }

    /// For each folder: which of its modules use which others.
    fn uses(&self) -> BTreeMap<Name, BTreeMap<String, BTreeSet<String>>> {
        let mut uses: BTreeMap<Name, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (module, code) in &self.code {
            for path in paths(code) {
                let used = self.resolve(module, &path);
                let common = module
                    .iter()
                    .zip(&used)
                    .take_while(|(left, right)| left == right)
                    .count();
                if let (Some(left), Some(right)) = (module.get(common), used.get(common)) {
                    let of_folder = uses.entry(module[..common].to_vec()).or_default();
                    of_folder
                        .entry(left.clone())
                        .or_default()
                        .insert(right.clone());
                }
            }
        }
        uses
    }
}

/// The modules that a file declares, those for tests left out.
fn declared(code: &str) -> Vec<String> {
    let mut declared = Vec::new();
    let mut is_for_tests = false;
    for line in code.lines().map(str::trim) {
        let line = line
            .trim_start_matches("pub(crate) ")
            .trim_start_matches("pub(super) ")
            .trim_start_matches("pub ");
        match line
            .strip_prefix("mod ")
            .and_then(|name| name.strip_suffix(';'))
        {
            Some(name) if !is_for_tests => declared.push(name.to_owned()),
            _ => {}
        }
        is_for_tests = line == "#[cfg(test)]" || is_for_tests && line.starts_with("#[");
    }
    declared
}

/// The modules of one folder from which a way leads back to themselves, in groups that reach each other.
fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&String> = uses.get(from).into_iter().flatten().collect();
        while let Some(next) = open.pop() {
            if reached.insert(next.clone()) {
                open.extend(uses.get(next).into_iter().flatten());
            }
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        uses.keys().map(|from| (from, reached(from))).collect();
    let mut groups: Vec<BTreeSet<String>> = Vec::new();
    for (from, targets) in &reached {
        if targets.contains(*from) && !groups.iter().any(|group| group.contains(*from)) {
            let back = targets
                .iter()
                .filter(|target| reached.get(target).is_some_and(|back| back.contains(*from)));
            groups.push(back.cloned().collect());
        }
    }
    groups
}

/// The folders with sources of the workspace's crates, by the path of the crate.
pub(crate) fn sources() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("there is a workspace");
    let members = manifest
        .split_once("members = [")
        .and_then(|(_, rest)| rest.split_once(']'))
        .expect("it has members")
        .0;
    let members = members
        .split(',')
        .map(|member| member.trim().trim_matches('"').to_owned());
    let members = members.filter(|member| !member.is_empty());
    members
        .map(|member| (member.clone(), root.join(member).join("src")))
        .collect()
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let mut found: Vec<Circle> = Vec::new();
    let mut n_modules = 0;
    for (member, folder) in sources() {
        let modules = Modules::read(&folder);
        n_modules += modules.code.len();
        for (name, uses) in modules.uses() {
            let groups = circles(&uses).into_iter();
            found.extend(groups.map(|group| (member.clone(), name.join("::"), group)));
        }
    }
    assert!(n_modules > 500, "only {n_modules} modules were found");
    assert!(
        found.is_empty(),
        "modules that use each other in a circle: {found:#?}"
    );
}

/// What executes C programs symbolically and what replays their errors on numbers share nothing but the language.
#[test]
fn execution_and_replay_use_nothing_of_each_other() {
    let mut sources = sources().into_iter();
    let exec = sources.find(|(member, _)| member == "frontends/c/exec");
    let (_, folder) = exec.expect("the workspace has the crate");
    let modules = Modules::read(&folder);
    for name in ["symbolic", "concrete"] {
        assert!(modules.code.contains_key(&vec![name.to_owned()]), "{name}");
    }
    let uses = modules.uses();
    assert_eq!(uses.get(&Vec::new()), None);
}

#[test]
fn circles_are_found() {
    let edges = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")];
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in edges {
        uses.entry(from.to_owned())
            .or_default()
            .insert(to.to_owned());
    }
    let circle: BTreeSet<String> = ["b", "c"].map(str::to_owned).into();
    assert_eq!(circles(&uses), [circle]);
}
