//! Runs the tests of the Python package, in Python, with the extension module that cargo has built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The library that cargo has built beside this test.
fn extension() -> PathBuf {
    let own = env::current_exe().expect("a test has a path");
    let folder = own.parent().expect("it is in a folder").to_owned();
    let name = format!(
        "{}craig_python{}",
        env::consts::DLL_PREFIX,
        env::consts::DLL_SUFFIX
    );
    let places = [folder.join(&name), folder.join("..").join(&name)];
    let built = places.into_iter().filter(|place| place.is_file());
    built
        .max_by_key(|place| fs::metadata(place).and_then(|it| it.modified()).ok())
        .expect("cargo builds the library before its test")
}

/// The command, if cargo has built it. The tests that need it say that they are skipped.
fn command() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    let name = format!("craig{}", env::consts::EXE_SUFFIX);
    let command = own.parent()?.parent()?.join(name);
    command.is_file().then_some(command)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().expect("it has a name");
        if path.is_file() {
            fs::copy(&path, to.join(name)).expect("a file can be copied");
        }
    }
}

/// A Python of a version that the extension module supports.
fn python() -> Result<&'static str, String> {
    let probe = "import sys; sys.exit(sys.version_info < (3, 9))";
    match Command::new("python3").args(["-c", probe]).status() {
        Ok(status) if status.success() => Ok("python3"),
        Ok(_) => Err("`python3` is older than 3.9, or does not run".to_owned()),
        Err(error) => Err(format!("there is no `python3`: {error}")),
    }
}

#[test]
fn the_tests_of_the_python_package_pass() {
    let python = match python() {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-package");
    let package = folder.join("craig");
    let _ = fs::remove_dir_all(&package);
    copy(&root.join("python/craig"), &package);
    fs::copy(extension(), package.join("_craig.abi3.so")).expect("the library can be copied");
    let mut tests = Command::new(python);
    tests
        .args(["-m", "unittest", "discover", "--start-directory"])
        .arg(root.join("tests"))
        .env("PYTHONPATH", &folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("CRAIG_REPOSITORY", root.join("../.."))
        .current_dir(&folder);
    if let Some(command) = command() {
        tests.env("CRAIG_COMMAND", command);
    }
    let output = tests.output().expect("python3 was run before");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(!text.contains("Ran 0 tests"), "{text}");
    println!("{text}");
}
