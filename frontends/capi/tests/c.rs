//! Applications in C, compiled and linked with the library as it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use craig_capi as _;
use craig_formula::dimacs;
use craig_solver::proof::import::{check_lrat, import_drat};
use craig_solver::{Answer, Cnf, Lit, Solver, Var};
use tempfile::TempDir;

/// Runs a command that has to succeed.
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the command can be run");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    output
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

/// The library as installed; none, with the reason, where there is no compiler for C.
fn installed() -> Option<&'static Path> {
    static PLACE: OnceLock<Option<TempDir>> = OnceLock::new();
    let install = || {
        if !is_there("cc") {
            eprintln!("skipped: there is no C compiler called cc");
            return None;
        }
        let prefix = TempDir::new().expect("a folder can be made");
        let test = std::env::current_exe().expect("the test has a path");
        let build = test.parent().expect("it is in a folder");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/install.sh");
        run(Command::new("sh").arg(script).arg(build).arg(prefix.path()));
        Some(prefix)
    };
    PLACE.get_or_init(install).as_ref().map(TempDir::path)
}

/// What pkg-config says about the library, or what it would say if it is not there.
fn flags(prefix: &Path) -> Vec<String> {
    let library = prefix.join("lib");
    if is_there("pkg-config") {
        let output = run(Command::new("pkg-config")
            .args(["--cflags", "--libs", "craig"])
            .env("PKG_CONFIG_PATH", library.join("pkgconfig")));
        let text = String::from_utf8(output.stdout).expect("flags are text");
        return text.split_whitespace().map(str::to_owned).collect();
    }
    let include = prefix.join("include");
    let paths = [
        format!("-I{}", include.display()),
        format!("-L{}", library.display()),
    ];
    paths.into_iter().chain(["-lcraig".to_owned()]).collect()
}

/// An application, compiled into the folder.
fn compile(prefix: &Path, name: &str, folder: &Path) -> PathBuf {
    let source = format!("{}/tests/c/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(name);
    run(Command::new("cc")
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            &source,
            "-o",
        ])
        .arg(&program)
        .args(flags(prefix))
        .arg(format!("-Wl,-rpath,{}", prefix.join("lib").display())));
    program
}

/// A random formula: three literals a clause.
fn random_formula(n_vars: usize, n_clauses: usize, mut seed: u64) -> Cnf {
    let mut below = |limit: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % limit
    };
    let mut cnf = Cnf::new();
    cnf.reserve_vars(n_vars);
    for _ in 0..n_clauses {
        let clause: Vec<Lit> = (0..3)
            .map(|_| Var::new(below(n_vars)).lit(below(2) == 1))
            .collect();
        cnf.add_clause(&clause);
    }
    cnf
}

fn write(folder: &Path, name: &str, cnf: &Cnf) -> PathBuf {
    let mut text = Vec::new();
    dimacs::write(cnf, &mut text).expect("memory can be written to");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path
}

/// Those without whose literals the formula has no model.
fn essentials(cnf: &Cnf) -> Vec<usize> {
    let is_essential = |var: &usize| {
        let mut solver = Solver::new();
        for (clause, _) in cnf.iter() {
            let others = clause
                .iter()
                .copied()
                .filter(|lit| lit.var().index() != *var);
            solver.add_clause(&others.collect::<Vec<_>>());
        }
        solver.solve(&[]) == Answer::Unsatisfiable
    };
    (0..cnf.n_vars())
        .filter(is_essential)
        .map(|var| var + 1)
        .collect()
}

#[test]
fn an_incremental_application_finds_the_essential_variables() {
    let Some(prefix) = installed() else { return };
    let folder = TempDir::new().unwrap();
    let program = compile(prefix, "essentials", folder.path());
    let mut n_essential = 0;
    for seed in 0..4 {
        let cnf = random_formula(30, 70 + 15 * seed as usize, seed);
        let file = write(folder.path(), "formula.cnf", &cnf);
        let output = run(Command::new(&program).arg(file));
        let text = String::from_utf8(output.stdout).unwrap();
        let found: Vec<usize> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(found, essentials(&cnf));
        n_essential += found.len();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            told.starts_with("craig-") && !told.contains(" 0 polls"),
            "{told}"
        );
    }
    assert!(n_essential > 10, "{n_essential}");
}

#[test]
fn an_application_is_linked_statically() {
    let Some(prefix) = installed() else { return };
    let folder = TempDir::new().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/essentials.c");
    let program = folder.path().join("static");
    run(Command::new("cc")
        .args(["-std=c99", source, "-o"])
        .arg(&program)
        .arg(format!("-I{}", prefix.join("include").display()))
        .arg(prefix.join("lib/libcraig.a"))
        .args(["-lpthread", "-ldl", "-lm"]));
    let cnf = random_formula(20, 60, 9);
    let file = write(folder.path(), "formula.cnf", &cnf);
    let text = String::from_utf8(run(Command::new(&program).arg(file)).stdout).unwrap();
    let found: Vec<usize> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(found, essentials(&cnf));
}

#[test]
fn misuse_is_refused_as_the_header_says() {
    let Some(prefix) = installed() else { return };
    let folder = TempDir::new().unwrap();
    run(&mut Command::new(compile(prefix, "misuse", folder.path())));
}

#[test]
fn proofs_come_in_files_and_through_the_tracer() {
    let Some(prefix) = installed() else { return };
    let folder = TempDir::new().unwrap();
    let program = compile(prefix, "proof", folder.path());
    let mut n_refuted = 0;
    for seed in 0..6 {
        // Some clauses have a literal twice, which LRAT's checkers have to be spared.
        let cnf = random_formula(25, 125, seed);
        let file = write(folder.path(), "formula.cnf", &cnf);
        let (proof, traced) = (folder.path().join("written"), folder.path().join("traced"));
        for format in ["drat", "lrat"] {
            let mut command = Command::new(&program);
            let output = command
                .arg(&file)
                .arg(&proof)
                .arg(format)
                .arg(&traced)
                .output();
            match output.unwrap().status.code() {
                Some(20) => {}
                Some(10) => continue,
                code => panic!("{code:?}"),
            }
            n_refuted += 1;
            let bytes = std::fs::read(&proof).unwrap();
            match format {
                "drat" => drop(import_drat(&cnf, &bytes[..], || false).unwrap()),
                _ => assert!(check_lrat(&cnf, &bytes[..]).unwrap() > 0),
            }
            assert!(check_lrat(&cnf, &std::fs::read(&traced).unwrap()[..]).unwrap() > 0);
        }
    }
    assert!(n_refuted > 4, "{n_refuted}");
}
