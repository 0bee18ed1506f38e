//! Shares of a batch with one folder of results, as an array job of Slurm runs them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{Folder, command, craig, example, hard_circuit, root, send};

/// A task of the array job.
fn task(folder: &Folder, number: usize) -> Command {
    let mut script = Command::new("bash");
    script
        .arg(root().join("contrib/slurm/craig-array.sh"))
        .args(["results", "all", "--", "--engine", "pdr"])
        .current_dir(folder.path(""))
        .env("CRAIG", command().get_program())
        .env("SLURM_ARRAY_TASK_ID", number.to_string())
        .env("SLURM_ARRAY_TASK_MIN", "1")
        .env("SLURM_ARRAY_TASK_COUNT", "2")
        .stdout(Stdio::null());
    script
}

/// What is noted in a folder of results: input, digest and verdict.
fn noted(folder: &str) -> BTreeSet<(String, String, String)> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return BTreeSet::new();
    };
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let entry = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        let field = |name: &str| value[name].as_str().map(str::to_owned);
        Some((field("input")?, field("digest")?, field("outcome")?))
    };
    texts
        .flat_map(|text| text.lines().filter_map(entry).collect::<Vec<_>>())
        .collect()
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes that a process has started.
fn children(id: &str) -> Vec<String> {
    let mut found = Vec::new();
    // A process has one list for each of its threads, and none when it has ended.
    let threads = std::fs::read_dir(format!("/proc/{id}/task"));
    for thread in threads.into_iter().flatten().flatten() {
        let listed = std::fs::read_to_string(thread.path().join("children"));
        found.extend(
            listed
                .iter()
                .flat_map(|text| text.split_whitespace())
                .map(str::to_owned),
        );
    }
    found
}

fn kill(id: &str) {
    send("KILL", id.parse().unwrap());
}

fn ends_well(mut child: Child) {
    assert!(child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_share_that_was_killed_goes_on_where_it_was() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("all")).unwrap();
    let circuits = ["counter_safe.aag", "counter_unsafe.aag", "arbiter_safe.aag"];
    for (place, name) in circuits.into_iter().cycle().take(6).enumerate() {
        let bytes = std::fs::read(example(name)).unwrap();
        folder.write(&format!("all/{place}.aag"), &bytes);
    }
    // The third input takes its time, and its share has decided the first then.
    std::fs::remove_file(folder.path("all/2.aag")).unwrap();
    folder.write("all/2.aig", &hard_circuit());
    let mut first = task(&folder, 1).spawn().unwrap();
    let results = folder.path("results");
    wait_for("the first input", || noted(&results).len() == 1);
    let drivers = || children(&first.id().to_string());
    wait_for("a process about the third", || {
        drivers().iter().any(|driver| !children(driver).is_empty())
    });
    let [driver] = &drivers()[..] else {
        panic!("{:?}", drivers());
    };
    let [search] = &children(driver)[..] else {
        panic!("{:?}", children(driver));
    };
    kill(driver);
    assert!(!first.wait().unwrap().success());
    wait_for("the end of the search", || {
        !Path::new("/proc").join(search).exists()
    });
    // The third becomes easy; both shares at once.
    let easy = example("arbiter_safe.aag");
    assert_eq!(
        folder.run(&["convert", &easy, "all/2.aig"]).code,
        Some(0),
        "conversion"
    );
    let both = [1, 2].map(|number| task(&folder, number).spawn().unwrap());
    both.into_iter().for_each(ends_well);
    assert_eq!(noted(&results).len(), 6);
    let check = [
        "check",
        "all",
        "--json",
        "--threads",
        "1",
        "--engine",
        "pdr",
    ];
    let whole = folder.run(&[&check[..], &["--resume", "results/"]].concat());
    assert_eq!((whole.code, whole.stdout.lines().count()), (Some(10), 6));
    // Nothing was decided again.
    let own = std::fs::read(folder.path("results/all.jsonl")).unwrap();
    assert!(own.is_empty());
    let undisturbed = folder.run(&[&check[..], &["--resume", "undisturbed/"]].concat());
    assert_eq!(undisturbed.code, Some(10), "{undisturbed:?}");
    assert_eq!(noted(&results), noted(&folder.path("undisturbed")));
}

#[test]
fn a_share_tells_which_it_is_and_may_be_empty() {
    let folder = Folder::new();
    for name in ["counter_safe.aag", "counter_unsafe.aag"] {
        folder.write(name, &std::fs::read(example(name)).unwrap());
    }
    let check = ["batch", ".", "--engine", "pdr", "--quiet", "--shard"];
    for (shard, code, end) in [
        ("1/2", 20, "1 inputs: 1 safe; share 1/2 of 2\n"),
        ("2/2", 10, "1 inputs: 1 unsafe; share 2/2 of 2\n"),
        ("3/3", 30, "0 inputs; share 3/3 of 2\n"),
    ] {
        let ran = folder.run(&[&check[..], &[shard]].concat());
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
    }
    let json = ["batch", ".", "--json", "--engine", "pdr", "--shard", "2/2"];
    let ran = folder.run(&json);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["command"], "check", "{value}");
    let ran = folder.run(&[&check[..], &["3/2"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("expected i/n"), "{}", ran.stderr);
}

/// What is noted is what `--digests` tells, whatever else is asked for.
#[test]
fn digests_are_those_that_are_noted() {
    let folder = Folder::new();
    for name in ["counter_safe.aag", "counter_unsafe.aag"] {
        folder.write(name, &std::fs::read(example(name)).unwrap());
    }
    let check = ["batch", ".", "--json", "--engine", "pdr"];
    let told = folder.run(&[&check[..], &["--digests", "--witness-dir", "evidence"]].concat());
    assert_eq!(told.code, Some(0), "{told:?}");
    let ran = folder.run(&[&check[..], &["--resume", "results/", "--jobs", "2"]].concat());
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let noted = noted(&folder.path("results"));
    let noted: BTreeSet<(&str, &str)> = noted
        .iter()
        .map(|(input, digest, _)| (&**input, &**digest))
        .collect();
    let lines: Vec<serde_json::Value> = told
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let field = |line: &'_ serde_json::Value, name: &str| line[name].as_str().unwrap().to_owned();
    let told: Vec<(String, String)> = lines
        .iter()
        .map(|line| (field(line, "input"), field(line, "digest")))
        .collect();
    assert_eq!(
        noted,
        told.iter()
            .map(|(input, digest)| (&**input, &**digest))
            .collect()
    );
    assert!(!Path::new(&folder.path("evidence")).exists());
    // Verdicts that were noted without evidence are decided again where it is asked for, once.
    let with_evidence = [
        &check[..],
        &["--resume", "results/", "--witness-dir", "evidence"],
    ]
    .concat();
    for _ in 0..2 {
        assert_eq!(folder.run(&with_evidence).code, Some(10));
        let lines = std::fs::read_to_string(folder.path("results/all.jsonl")).unwrap();
        assert_eq!(lines.lines().count(), 4, "{lines}");
    }
    // What can't be read has none; and nothing else is decided in the meantime.
    let ran = folder.run(&["check", "no.aag", "--digests"]);
    assert_eq!(ran.stdout, "{\"input\":\"no.aag\",\"digest\":null}\n");
    let ran = folder.run(&["check", ".", "--digests", "--resume", "results/"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn the_options_are_told_to_programs() {
    let told = craig(&["options"]);
    let table: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(table["subcommand"], "check");
    let names: BTreeSet<&str> = table["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    let help = craig(&["check", "--help"]).stdout;
    let is_option = |line: &&str| line.trim_start().starts_with("--");
    for line in help.lines().filter(is_option) {
        let name = line.trim().split([' ', '=', '[']).next().unwrap();
        assert!(names.contains(name) || name == "--help", "{name}");
    }
    assert_eq!(craig(&["options", "chek"]).code, Some(2));
}

/// `craig cluster` is the command of the Python package, with all its arguments.
#[cfg(target_os = "linux")]
#[test]
fn the_cluster_command_is_that_of_the_python_package() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    folder.write(
        "craig-cluster",
        b"#!/bin/sh\necho \"$CRAIG_COMMAND: $*\"\nexit 10\n",
    );
    let script = folder.path("craig-cluster");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = |path: &str| {
        let mut craig = command();
        craig.args(["cluster", "run", "a.aag", "--store", "s", "--help"]);
        craig
            .env("PATH", path)
            .env_remove("CRAIG_COMMAND")
            .output()
            .unwrap()
    };
    let ran = run(&format!("{}:/usr/bin:/bin", folder.path("")));
    assert_eq!(ran.status.code(), Some(10));
    let told = String::from_utf8(ran.stdout).unwrap();
    assert!(told.ends_with(": run a.aag --store s --help\n"), "{told}");
    assert!(
        told.starts_with(command().get_program().to_str().unwrap()),
        "{told}"
    );
    let ran = run("/nowhere");
    assert_eq!(ran.status.code(), Some(2));
    assert!(
        String::from_utf8(ran.stderr)
            .unwrap()
            .contains("the Python package craig-mc installs it")
    );
}
