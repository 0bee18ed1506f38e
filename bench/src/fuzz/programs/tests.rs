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
        door: Door::Library,
    }
}

/// What gcc's code does on a case.
fn runs_of(case: &Case) -> Runs {
    let printed = case
        .unit()
        .executed(&Folder::new().unwrap(), &[case.part()]);
    runs(case, printed[0].as_ref().unwrap()).unwrap()
}

#[test]
fn all_templates_are_programs() {
    if !is_there("gcc") {
        return;
    }
    let folder = Folder::new().unwrap();
    let all = [TEXT, NUMBERS, LANGUAGE].concat();
    let cases = [0, 1, 2].map(|seed| case_of(&all, &mut random_of(seed, 0)));
    let unit = Unit {
        options: &["-O0"],
        ..cases[0].unit()
    };
    let parts = cases.map(|case| case.part());
    for printed in unit.executed(&folder, &parts) {
        assert!(printed.is_ok(), "{printed:?}");
    }
}

#[test]
fn each_run_has_a_number_or_an_error() {
    if !is_there("gcc") {
        return;
    }
    let case = case_of(&["mix(a * 2 + b);"], &mut random_of(1, 0));
    let defined = runs_of(&case);
    assert!(defined.len() == 8 && defined.iter().all(Option::is_some));
    let asked = question(&case, &defined);
    assert!(asked.is_safe && asked.options.is_empty());
    let last = defined[7].unwrap();
    assert!(
        asked.text.contains(&format!("{last}ull }}")),
        "{}",
        asked.text
    );

    let case = case_of(&["if (a == 3) v[a + 1] = 0;"], &mut random_of(1, 0));
    let undefined = runs_of(&case);
    let errors: Vec<usize> = (0..8).filter(|&run| undefined[run].is_none()).collect();
    assert_eq!(errors, [3, 7]);
    let asked = question(&case, &undefined);
    assert!(!asked.is_safe && asked.kind == "undefined, checked");
    assert!(!asked.text.contains("table["), "{}", asked.text);
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
    let case = Case {
        door: Door::Command,
        ..case_of(&["mix(a);"], &mut random_of(2, 0))
    };
    let what = judged(&programs, &case, &mut Tally::default()).unwrap_err();
    assert!(what.starts_with("failed: exit code Some(1)"), "{what}");
    let (small, _) = shrunk(&programs, &case, &what);
    assert!(small.statements.is_empty() && small.inputs == Inputs::Constant);
}

/// Cases that are judged together have the answers that each has alone, and the library those of gcc.
#[test]
fn many_cases_are_judged_together() {
    if !is_there("gcc") {
        return;
    }
    let programs = Programs {
        craig: "false".into(),
    };
    let right = case_of(&["mix(a + b);"], &mut random_of(2, 0));
    let wrong = Case {
        wrong_entry: Some(5),
        ..right.clone()
    };
    let undefined = case_of(&["if (a == 3) v[a + 1] = 0;"], &mut random_of(1, 0));
    let refused = case_of(&["mix(nothing);"], &mut random_of(1, 0));
    let command = Case {
        door: Door::Command,
        ..right.clone()
    };
    let mut tally = Tally::default();
    let cases = [refused, right, undefined, command, wrong];
    let results = programs.judge_all(&cases, &mut tally);
    let is_right: Vec<bool> = results.iter().map(Result::is_ok).collect();
    assert_eq!(is_right, [true, true, true, false, true], "{results:?}");
    for kind in ["right table", "wrong table", "undefined, checked"] {
        assert_eq!(tally.of(&format!("{kind}: decided")), 1, "{tally}");
    }
    assert!(
        tally
            .to_string()
            .contains("left out: not compiled: error: "),
        "{tally}"
    );
}
