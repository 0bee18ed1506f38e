//! Whole files and broken ones; a program that writes half a file is found.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use super::subject::{Form, Subject, undisturbed};
use super::*;

/// A program that writes a file in two halves, with time between them.
fn slow_writer(folder: &Path) -> PathBuf {
    let path = folder.join("writer");
    let script =
        "#!/bin/bash\nprintf 'first half ' > out\nsleep 0.3\nprintf 'second half\\n' >> out\n";
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn half_a_file_at_its_final_name_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let writer = slow_writer(folder.path());
    let subject = Subject {
        name: "writer",
        arguments: Vec::new(),
        files: vec![("out", Form::Equal)],
    };
    let whole = undisturbed(&writer, &subject, &folder.path().join("whole")).unwrap();
    assert_eq!(whole.code, Some(0));
    let place = folder.path().join("struck");
    let mut random = Random::new(1);
    let mut n_found = 0;
    for _ in 0..5 {
        // The moment is within the pause between the halves nearly always.
        let at = (place.as_path(), Duration::from_millis(250));
        let struck = strike(Fault::Signal("KILL"), &writer, &subject, at, &mut random).unwrap();
        n_found += faults_of(&subject, &place, &whole, &struck).unwrap().len();
    }
    assert!(n_found > 0);
}

#[test]
fn an_exit_without_a_reason_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let writer = slow_writer(folder.path());
    let subject = Subject {
        name: "writer",
        arguments: Vec::new(),
        files: vec![("out", Form::Equal)],
    };
    let whole = undisturbed(&writer, &subject, &folder.path().join("whole")).unwrap();
    let struck = |code, stderr: &str| fault::Struck {
        code: Some(code),
        stderr: stderr.to_owned(),
        is_late: false,
        how: String::new(),
    };
    let place = folder.path().join("whole");
    let found = |code, stderr: &str| {
        faults_of(&subject, &place, &whole, &struck(code, stderr))
            .unwrap()
            .len()
    };
    assert_eq!(found(0, ""), 0);
    assert_eq!(found(2, "error: no room\n"), 0);
    assert_eq!(found(2, ""), 1);
    assert_eq!(found(1, "thread 'x' panicked at y.rs:1:1:\nz\n"), 1);
}
