use std::process::Command;

use super::super::random_of;
use super::super::shrink::{judged, shrunk};
use super::*;

/// Without gcc there is no reference.
fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// A case with these statements.
fn case_of(statements: &[&str], random: &mut Random) -> Case {
    let mut fill = Fill {
        random,
        n_labels: 0,
    };
    Case {
        declarations: fill.fill(VARIABLES),
        statements: statements
            .iter()
            .map(|statement| fill.fill(statement))
            .collect(),
        inputs: Inputs::Masked,
        wrong_entry: None,
        is_checked: false,
        options: Vec::new(),
    }
}

#[test]
fn all_templates_are_programs() {
    if !is_there("gcc") {
        return;
    }
    let folder = Folder::new().unwrap();
    for seed in 0..3 {
        let all = [TEXT, NUMBERS, LANGUAGE].concat();
        let case = case_of(&all, &mut random_of(seed, 0));
        let file = folder.file("all.c");
        std::fs::write(&file, case.native()).unwrap();
        let output = Command::new("gcc")
            .args(["-std=gnu17", "-w", "-fsyntax-only"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn each_run_has_a_number_or_an_error() {
    if !is_there("gcc") {
        return;
    }
    let folder = Folder::new().unwrap();
    let case = case_of(&["mix(a * 2 + b);"], &mut random_of(1, 0));
    let defined = runs(&case, &folder).unwrap();
    assert!(defined.len() == 8 && defined.iter().all(Option::is_some));
    let question = Question::new(&case, &defined);
    assert!(question.is_safe && question.table.len() == 8 && question.options.is_empty());

    let case = case_of(&["if (a == 3) v[a + 1] = 0;"], &mut random_of(1, 0));
    let undefined = runs(&case, &folder).unwrap();
    let errors: Vec<usize> = (0..8).filter(|&run| undefined[run].is_none()).collect();
    assert_eq!(errors, [3, 7]);
    let question = Question::new(&case, &undefined);
    assert!(
        !question.is_safe && question.table.is_empty() && question.kind == "undefined, checked"
    );
}

#[test]
fn a_command_that_fails_is_a_finding_and_made_smaller() {
    if !is_there("gcc") {
        return;
    }
    // `false` ends with 1, which says that something is wrong inside.
    let programs = Programs {
        craig: "false".into(),
    };
    let case = case_of(&["mix(a);"], &mut random_of(2, 0));
    let what = judged(&programs, &case, &mut Tally::default()).unwrap_err();
    assert!(what.starts_with("failed: exit code Some(1)"), "{what}");
    let (small, _) = shrunk(&programs, &case, &what);
    assert!(small.statements.is_empty() && small.inputs == Inputs::Constant);
}
