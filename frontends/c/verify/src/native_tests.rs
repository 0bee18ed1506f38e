//! The compiled program as the judge of verdicts in tests: all replays share the lowering, `cc` does not.
//!
//! An unsafe program, compiled with the inputs of its path, must end in the error. A safe one must not, with
//! random inputs.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::bounded;
use crate::driver::test_driver;
use crate::options::Options;
use crate::report::{Answer, ErrorPath, Report};
use crate::tests::program;
use crate::verdict::{Found, Verdict};
use craig_c_exec::concrete::error_path::PathStep;
use craig_c_exec::concrete::error_path::path_of;
use craig_c_exec::concrete::replay::Counterexample;
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_files::native::{Native, replay_natively};
use craig_c_lang::address_space::OBJECTS_FROM;
use craig_c_lang::ir::{CheckKind, Program, Role};
use craig_c_lang::types::DataModel;
use craig_mc::Alone;
use craig_program::line_up::Stages;

const LIMIT: Duration = Duration::from_secs(20);
/// Runs of a safe program, each with other inputs.
const RUNS: u32 = 4;

/// What became of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Agrees,
    /// The program cannot be compiled by itself, or its path takes what cannot be set from outside.
    Skipped,
}

/// What a compiled program prints; `None` without a compiler.
///
/// # Panics
/// If it cannot be compiled.
pub(crate) fn printed(text: &str, options: &[&str]) -> Option<String> {
    let directory = tempfile::tempdir().ok()?;
    let (source, binary) = (directory.path().join("all.c"), directory.path().join("all"));
    std::fs::write(&source, text).ok()?;
    let compiler = Command::new("cc")
        .args(options)
        .arg("-o")
        .arg(&binary)
        .arg(&source)
        .arg("-lm")
        .output()
        .ok()?;
    let errors = String::from_utf8_lossy(&compiler.stderr);
    let fits = "the compiler takes what the generator writes";
    assert!(compiler.status.success(), "{fits}: {errors}");
    let output = Command::new(&binary).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

/// Compares a verdict on a program for LP64 with the compiled program.
///
/// # Panics
/// If it does something else.
pub(crate) fn compare(text: &str, program: &Program, verdict: &Verdict) -> Outcome {
    // Tests write other bytes than UTF-8 as characters that the compiler would not read.
    if !cfg!(target_arch = "x86_64") || !text.is_ascii() {
        return Outcome::Skipped;
    }
    match verdict {
        Ok(Found::Unsafe(found)) => fails(text, program, found),
        Ok(Found::Safe(_)) => holds(text, program),
        Ok(Found::Unknown(_)) | Err(_) => Outcome::Skipped,
    }
}

fn fails(text: &str, program: &Program, found: &Counterexample) -> Outcome {
    let Ok(directory) = tempfile::tempdir() else {
        return Outcome::Skipped;
    };
    let file = directory.path().join("test.c");
    std::fs::write(&file, text).expect("a temporary file is written");
    let mut path = path_of(program, found);
    for step in &mut path {
        step.file = file.display().to_string();
    }
    if path.iter().any(is_address) {
        return Outcome::Skipped;
    }
    let report = Report {
        answer: Answer::Unsafe(ErrorPath {
            error: found.text.clone(),
            path,
        }),
        engine: "test",
        phase: "unwind",
        notes: Vec::new(),
        unchecked: Vec::new(),
        conventions: program.conventions.clone(),
    };
    let driver = test_driver(&file, &Options::default(), &report).expect("a driver is written");
    match replay_natively(&driver, LIMIT) {
        Native::Reproduced(_) => Outcome::Agrees,
        Native::Not(reason) if reason.starts_with("`cc`") => Outcome::Skipped,
        Native::Not(_) if !driver.limits.is_empty() => Outcome::Skipped,
        // Sanitizers do not see an access to the object of an earlier iteration at the same address.
        Native::Differs(_) if found.text == CheckKind::Dangling.text() => Outcome::Skipped,
        // Nor overlapping operands of most functions, or writes to constant objects of a frame.
        Native::Differs(_)
            if [CheckKind::Overlap.text(), CheckKind::Constant.text()]
                .contains(&found.text.as_str()) =>
        {
            Outcome::Skipped
        }
        Native::Not(reason) | Native::Differs(reason) => {
            panic!("unsafe, but compiled {reason}\n{}", driver.text)
        }
    }
}

/// Whether an input is the address of an object, which the compiled program has elsewhere.
fn is_address(step: &PathStep) -> bool {
    let number = step
        .chosen
        .as_ref()
        .and_then(|chosen| chosen.number.parse().ok());
    number.is_some_and(|number: u64| number >> 40 == OBJECTS_FROM)
}

/// Runs a safe program with random inputs.
fn holds(text: &str, program: &Program) -> Outcome {
    let Some(text) = random_driver(text, program) else {
        return Outcome::Skipped;
    };
    let Ok(directory) = tempfile::tempdir() else {
        return Outcome::Skipped;
    };
    let (file, binary) = (
        directory.path().join("test.c"),
        directory.path().join("test"),
    );
    std::fs::write(&file, &text).expect("a temporary file is written");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-fwrapv", "-o"]).arg(&binary);
    compiler.arg(&file).arg("-lm");
    match craig_c_files::native::run(&mut compiler, LIMIT) {
        Ok((status, _)) if status.success() => {}
        _ => return Outcome::Skipped,
    }
    for run in 0..RUNS {
        let mut command = Command::new(&binary);
        command.env("CRAIG_TEST_RUN", run.to_string());
        command.current_dir(directory.path());
        let Ok((status, _)) = craig_c_files::native::run(&mut command, LIMIT) else {
            return Outcome::Skipped;
        };
        assert!(!is_abort(status), "safe, but run {run} aborts\n{text}");
    }
    Outcome::Agrees
}

#[cfg(unix)]
fn is_abort(status: std::process::ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(6)
}

#[cfg(not(unix))]
fn is_abort(_: std::process::ExitStatus) -> bool {
    false
}

/// The program with input functions that return random numbers, small ones more often; `None` if a function's
/// type has no name, or a pointer is an input.
fn random_driver(text: &str, program: &Program) -> Option<String> {
    let (mut before, mut after) = (String::new(), String::new());
    for convention in program.conventions.values() {
        let head = convention.head.as_ref()?;
        if !convention.is_declared {
            let _ = writeln!(before, "{head};");
        }
        let body = match convention.role {
            Role::Error => "__builtin_abort();",
            Role::Assertion => "if (!p0) __builtin_abort();",
            Role::Assumption => "if (!p0) __builtin_exit(0);",
            Role::Input if head.starts_with("void ") && !head.starts_with("void *") => "",
            Role::Input if head.split('(').next()?.contains('*') => return None,
            Role::Input => "return craig_test_random();",
        };
        let _ = writeln!(after, "{head}\n{{ {body} }}");
    }
    Some(format!(
        "static long craig_test_random(void);\n{before}#line 1 \"{}\"\n{text}\n{after}
         char *getenv(const char *);
         static long craig_test_random(void) {{
           static unsigned long state; char *run = (getenv)(\"CRAIG_TEST_RUN\");
           if (!state) state = 88172645463325252ul + (run ? run[0] * 7919ul : 0);
           state ^= state << 13; state ^= state >> 7; state ^= state << 17;
           return state % 4 == 0 ? (long)state : (long)(state >> 8) % 16 - 4; }}\n",
        Path::new("test.c").display()
    ))
}

/// Verdicts of other programs, which a wrong lowering might give, are refuted.
#[test]
fn the_compiled_program_refutes_wrong_verdicts() {
    let text = |claim: &str| {
        format!(
            "int nondet_int(void); int main(void) {{ int x = nondet_int(); assert({claim}); return 0; }}"
        )
    };
    let (safe, unsafe_) = (text("x - x == 0"), text("x != 3"));
    let decided = |text: &str| {
        let program = program(text, DataModel::Lp64);
        let verdict = bounded::check(
            &program,
            (&Unwinding::default(), &Stages::NONE),
            Alone::new().control(),
        );
        (program, verdict)
    };
    let ((safe_program, holds), (unsafe_program, fails)) = (decided(&safe), decided(&unsafe_));
    if compare(&safe, &safe_program, &holds) == Outcome::Skipped {
        println!("skipped: there is no C compiler here");
        return;
    }
    assert_eq!(compare(&unsafe_, &unsafe_program, &fails), Outcome::Agrees);
    let is_refuted = |text: &str, program: &Program, verdict: &Verdict| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compare(text, program, verdict)
        }))
        .is_err()
    };
    assert!(is_refuted(&safe, &unsafe_program, &fails));
    // Of four random runs at least one has an input that is not 3.
    assert!(is_refuted(&text("x == 3"), &safe_program, &holds));
}
