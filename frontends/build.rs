//! Tells the command which commit it is built from.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What `git` prints, if this is a checkout and `git` is there.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// The files of `git` that a new commit changes: what is checked out, and the branch.
fn watched(root: &Path) -> Option<Vec<PathBuf>> {
    let folder = |option| git(root, &["rev-parse", "--path-format=absolute", option]);
    let (own, common) = (folder("--git-dir")?, folder("--git-common-dir")?);
    let mut files = vec![Path::new(&own).join("HEAD")];
    if let Some(branch) = git(root, &["symbolic-ref", "--quiet", "HEAD"]) {
        files.push(Path::new(&common).join(branch));
        files.push(Path::new(&common).join("packed-refs"));
    }
    files.retain(|file| file.exists());
    Some(files)
}

/// The commit that a published package notes: `cargo package` writes it as `"sha1": ".."`.
fn commit_of_package(manifest: &Path) -> Option<String> {
    let text = std::fs::read_to_string(manifest.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    commit.get(..12).map(str::to_owned)
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&manifest).parent().map(Path::to_owned);
    let root = root.and_then(|root| root.canonicalize().ok());
    // Sources without a repository of their own may lie in the checkout of something else.
    let is_own = |root: &PathBuf| {
        let top = git(root, &["rev-parse", "--show-toplevel"]);
        top.is_some_and(|top| Path::new(&top).canonicalize().ok().as_ref() == Some(root))
    };
    let root = root.filter(is_own);
    let commit = root
        .as_ref()
        .and_then(|root| git(root, &["rev-parse", "--short=12", "HEAD"]))
        .or_else(|| commit_of_package(Path::new(&manifest)));
    for file in root.as_deref().and_then(watched).unwrap_or_default() {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=CRAIG_COMMIT={commit}");
}
