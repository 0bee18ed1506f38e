//! The experiments of the papers, end to end: `craig-bench paper` runs `craig` on two small programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The `craig` of this build. Other packages' programs are not built for tests: this builds it, by the selection of packages
/// and tests of `cargo test --workspace`, whose features the crates below then have: with others all of them would be
/// compiled once more.
fn craig() -> PathBuf {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_craig-bench"));
    let folder = own.parent().expect("a program lies in a folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        None | Some("debug") => "dev",
        Some(profile) => profile,
    };
    let built = Command::new(env!("CARGO"))
        .args([
            "test",
            "--quiet",
            "--workspace",
            "--test",
            "itp",
            "--no-run",
            "--profile",
            profile,
        ])
        .arg("--target-dir")
        .arg(folder.parent().expect("the target folder"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(built.success());
    folder.join("craig")
}

fn paper(craig: &Path, experiment: &str, out: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_craig-bench"))
        .args(["paper", experiment, "--limit", "60", "--jobs", "2"])
        .arg("--corpus")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"))
        .arg("--craig")
        .arg(craig)
        .arg("--out")
        .arg(out)
        .args(more)
        .output()
        .expect("the program runs")
}

#[test]
fn experiments_run_and_print_their_tables() {
    let craig = craig();
    let out = std::env::temp_dir().join(format!("craig-paper-{}", std::process::id()));
    // Bounded model checking proves nothing, and is left out.
    let expected: [(&str, &[&str], &str, &str); 4] = [
        (
            "impact",
            &[],
            "paper-impact.svg",
            "`impact`: 2 of 2 right, 0 wrong",
        ),
        ("tra", &[], "paper-tra.svg", "| itp-hybrid | 2 | 0 | 2 |"),
        (
            "imc",
            &["--configurations", "imc,kind,impact"],
            "paper-imc.svg",
            "| right | 2 (100.0 %) | 2767 (45.9 %) |",
        ),
        (
            "dial",
            &[
                "--families",
                "all",
                "--configurations",
                "mcmillan,mcmillan words",
            ],
            "dial.svg",
            "| `mcmillan words` | 2 | 0 | 0 |",
        ),
    ];
    for (experiment, more, plot, line) in expected {
        let run = paper(&craig, experiment, &out, more);
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let progress = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{progress}");
        assert!(text.contains(line), "{text}\n{progress}");
        assert!(
            !text.contains("WRONG") && !text.contains("disputed"),
            "{text}"
        );
        assert!(out.join(plot).exists());
        // Tables made from the stored results equal these.
        let stored = out.join("results.tsv");
        let again = paper(
            &craig,
            experiment,
            &out,
            &["--results", &stored.display().to_string()],
        );
        assert_eq!(String::from_utf8_lossy(&again.stdout), text);
    }
    // Statistics come from craig's JSON.
    let run = paper(
        &craig,
        "impact",
        &out,
        &["--only", "kbfiltr", "--configurations", "impact"],
    );
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let row = text.lines().find(|line| line.contains("kbfiltr_tiny.c"));
    let row = row.expect("a row for the program");
    let vertices = row.split('|').nth(9).expect("a column of vertices").trim();
    assert!(
        vertices.parse::<u32>().is_ok_and(|number| number > 1),
        "{row}"
    );
    // Every second of two programs is one.
    let more = ["--every", "2", "--configurations", "impact"];
    let run = paper(&craig, "impact", &out, &more);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.contains("`impact`: 1 of 1 right, 0 wrong"), "{text}");
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn a_missing_corpus_is_an_error() {
    let out = std::env::temp_dir().join(format!("craig-paper-none-{}", std::process::id()));
    let run = Command::new(env!("CARGO_BIN_EXE_craig-bench"))
        .args(["paper", "imc", "--corpus", "/nonexistent", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("/nonexistent/index.csv"));
    std::fs::remove_dir_all(&out).unwrap();
}
