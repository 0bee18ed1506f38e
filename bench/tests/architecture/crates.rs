//! Crates: each uses those before it in the picture only, and the few that have to stay independent use no others.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The crates of the picture: each may use those before it.
const ORDER: &[&str] = &[
    "craig-aig",
    "craig-solver",
    "craig-itp",
    "craig-word",
    "craig-model",
    "craig-certify",
    "craig-mc",
    "craig-program",
    "craig-verify",
    "craig-hardware",
    "craig-formula",
    "craig-smt",
    "craig-c-lang",
    "craig-c-exec",
    "craig-c-files",
    "craig-c",
    "craig-python",
    "craig-capi",
    "craig",
    "craig-bench",
];

/// Crates that may use few others: what judges shares no code with what it judges, and each idea can be had alone.
const ONLY: &[(&str, &[&str])] = &[
    ("craig-aig", &[]),
    ("craig-solver", &["craig-aig"]),
    ("craig-itp", &["craig-aig", "craig-solver"]),
    ("craig-word", &["craig-aig"]),
    ("craig-model", &["craig-aig", "craig-word"]),
    ("craig-certify", &["craig-aig", "craig-model"]),
    ("craig-capi", &["craig-solver"]),
];

/// Packages, and the only crates that may use them: another solver judges and is never asked by an engine; terminals and
/// arguments belong to the commands; evidence of a search is judged by `craig-verify`, that of a file, and interpolants of a file, by its reader and the command; fuzzing judges again.
const RESERVED: &[(&str, &[&str])] = &[
    (
        "craig-certify",
        &["craig-verify", "craig-hardware", "craig", "craig-bench"],
    ),
    ("varisat", &["craig-certify", "craig", "craig-bench"]),
    ("clap", &["craig-formula", "craig", "craig-bench"]),
    ("indicatif", &["craig"]),
    ("signal-hook", &["craig"]),
];

/// A crate and the packages that it uses outside tests.
struct Package {
    name: String,
    uses: Vec<String>,
}

fn packages() -> Vec<Package> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let arguments = [
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ];
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(root)
        .output()
        .expect("cargo can be run");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata are JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let package = |package: Value| {
        let uses = list(&package["dependencies"]).into_iter();
        let uses = uses.filter(|dependency| dependency["kind"] != "dev");
        Package {
            name: text(&package["name"]),
            uses: uses.map(|dependency| text(&dependency["name"])).collect(),
        }
    };
    list(&metadata["packages"])
        .into_iter()
        .map(package)
        .collect()
}

/// The arrows of a crate that the picture forbids.
fn forbidden(package: &Package) -> Vec<String> {
    let place = |name: &str| ORDER.iter().position(|known| *known == name);
    let Some(own) = place(&package.name) else {
        return vec![format!("{} has no place in the picture", package.name)];
    };
    let only = ONLY.iter().find(|(name, _)| *name == package.name);
    let mut found = Vec::new();
    for used in &package.uses {
        let is_above = place(used).is_some_and(|place| place >= own);
        let is_own = used.starts_with("craig");
        let is_beside =
            is_own && only.is_some_and(|(_, allowed)| !allowed.contains(&used.as_str()));
        let reserved = RESERVED.iter().find(|(name, _)| name == used);
        let is_reserved =
            reserved.is_some_and(|(_, allowed)| !allowed.contains(&package.name.as_str()));
        if is_above || is_beside || is_reserved {
            found.push(format!("{} uses {used}", package.name));
        }
    }
    found
}

#[test]
fn crates_use_those_before_them() {
    let packages = packages();
    assert!(packages.len() >= 12, "the workspace was read");
    let found: Vec<String> = packages.iter().flat_map(forbidden).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn forbidden_arrows_are_found() {
    let found = |name: &str, used: &str| {
        let package = Package {
            name: name.to_owned(),
            uses: vec![used.to_owned()],
        };
        forbidden(&package).len()
    };
    assert_eq!(found("craig-mc", "craig-program"), 1);
    assert_eq!(found("craig-certify", "craig-solver"), 1);
    assert_eq!(found("craig-mc", "varisat"), 1);
    assert_eq!(found("craig-c", "craig-certify"), 1);
    assert_eq!(found("craig-mc", "clap"), 1);
    assert_eq!(found("craig-unknown", "craig-aig"), 1);
    assert_eq!(found("craig-mc", "craig-model"), 0);
}
