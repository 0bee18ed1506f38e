//! Few cases of each subject; a fault that is put in is found and made smaller.

use std::path::PathBuf;

use craig_aig::Random;

use super::shrink::{judged, shrunk};
use super::tally::Tally;
use super::*;

fn arguments(what: What, cases: u64) -> Arguments {
    let folder = std::env::temp_dir().join("craig-fuzz-test");
    Arguments {
        what,
        seconds: 600,
        seed: 1,
        from: 0,
        cases: Some(cases),
        jobs: 1,
        format: None,
        corpus: None,
        replay: None,
        craig: PathBuf::from("craig"),
        folder,
    }
}

/// The counts after some cases, of which none may be a finding.
fn counts<S: Subject>(subject: &S, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for number in 0..cases {
        let case = subject.case(&mut random_of(1, number));
        let result = judged(subject, &case, &mut tally);
        assert_eq!(result, Ok(()), "case {number}: {}", subject.text(&case).0);
    }
    tally
}

#[test]
fn formulas_are_judged() {
    let tally = counts(&formulas::Formulas, 150);
    let all = [
        "satisfiable",
        "unsatisfiable",
        "proofs checked by step",
        "proofs resolved again",
    ];
    assert!(all.iter().all(|what| tally.of(what) > 5), "{tally}");
}

#[test]
fn interpolants_are_judged() {
    let tally = counts(&interpolants::Interpolants, 60);
    let all = [
        "interpolants",
        "ordered interpolants",
        "sequences",
        "symmetric interpolants",
        "tree interpolants",
        "simplified sequences",
    ];
    assert!(all.iter().all(|what| tally.of(what) > 5), "{tally}");
}

#[test]
fn circuits_are_judged() {
    let tally = counts(&circuits::Circuits { is_live: false }, 40);
    assert!(tally.to_string().contains(": decided"), "{tally}");
    let tally = counts(&circuits::Circuits { is_live: true }, 12);
    assert!(tally.to_string().contains(": decided"), "{tally}");
}

#[test]
fn words_are_judged() {
    let tally = counts(&words::Words, 25);
    assert!(tally.to_string().contains(": decided"), "{tally}");
}

#[test]
fn calls_of_verification_are_judged() {
    let tally = counts(&verify::Verify, 30);
    let all = ["each", "any", "one: safe", "one: unsafe", "missing"];
    assert!(all.iter().all(|what| tally.of(what) > 0), "{tally}");
}

#[test]
fn automata_are_judged() {
    let tally = counts(&automata::Automata, 150);
    let all = ["impact", "predabs", "predabs-whole", "rse", "annotate"];
    let decided = |engine: &&str| tally.of(&format!("{engine}: decided"));
    assert!(all.iter().all(|engine| decided(engine) > 5), "{tally}");
}

#[test]
fn the_report_repeats_itself() {
    let [first, second] = [(); 2].map(|()| {
        let (text, n_findings) = tried(&formulas::Formulas, &arguments(What::Cnf, 30)).unwrap();
        assert_eq!(n_findings, 0);
        text.split_once('\n').unwrap().1.to_owned()
    });
    assert_eq!(first, second);
    assert!(first.contains("        30 cases"), "{first}");
}

/// Takes every list with a 7 and a 9 for wrong, and panics at a 13.
struct Numbers;

impl Subject for Numbers {
    type Case = Vec<usize>;

    fn case(&self, random: &mut Random) -> Vec<usize> {
        (0..40).map(|_| random.below(20)).collect()
    }

    fn judge(&self, case: &Vec<usize>, _: &mut Tally) -> Result<(), String> {
        assert!(!case.contains(&13), "thirteen");
        match case.contains(&7) && case.contains(&9) {
            true => Err(format!("both: in {} numbers", case.len())),
            false => Ok(()),
        }
    }

    fn smaller(&self, case: &Vec<usize>) -> Vec<Vec<usize>> {
        super::shrink::without_parts(case)
    }

    fn text(&self, case: &Vec<usize>) -> (String, &'static str) {
        (format!("{case:?}"), "txt")
    }
}

#[test]
fn findings_are_made_smaller_and_written() {
    let case: Vec<usize> = (0..13).chain(0..13).collect();
    let what = judged(&Numbers, &case, &mut Tally::default()).unwrap_err();
    let (case, what) = shrunk(&Numbers, &case, &what);
    assert_eq!((case.len(), what.as_str()), (2, "both: in 2 numbers"));
    let panics = vec![1, 13, 7, 13, 9];
    let what = judged(&Numbers, &panics, &mut Tally::default()).unwrap_err();
    assert_eq!(what, "panic: thirteen");
    assert_eq!(shrunk(&Numbers, &panics, &what).0, [13]);

    let folder = tempfile::tempdir().unwrap();
    let arguments = Arguments {
        folder: folder.path().into(),
        ..arguments(What::Cnf, 5)
    };
    let (text, n_findings) = tried(&Numbers, &arguments).unwrap();
    assert!(
        n_findings > 0 && text.contains("again: craig-bench fuzz cnf --seed 1 --from"),
        "{text}"
    );
    let files: Vec<PathBuf> = folder
        .path()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files.len(), n_findings);
}

/// Interpolants that are not ready when the search's limit is reached say nothing of the reader.
#[test]
fn a_script_that_reaches_the_limit_is_no_finding() {
    let readers = readers::Readers::new(Some("smt")).unwrap();
    let mut script = String::from(
        "(declare-const i (_ BitVec 8))
         (declare-const j (_ BitVec 8))
         (assert (! (= j (bvadd i i)) :named a))
         (assert (! (= j #x07) :named b))
         (check-sat)\n",
    );
    script.push_str(&"(get-interpolants a b)\n".repeat(200));
    let case = readers.replay("case.smt2", script.as_bytes());
    let case = case.expect("readers judge files").unwrap();
    assert_eq!(judged(&readers, &case, &mut Tally::default()), Ok(()));
}

/// A command that is not there is one error, and no finding of each case.
#[test]
fn a_command_that_cannot_be_started_is_an_error() {
    for what in [What::C, What::Contracts] {
        let mut arguments = arguments(what, 1);
        arguments.craig = PathBuf::from("/nowhere/craig");
        let error = command(&arguments).unwrap_err().to_string();
        assert!(error.starts_with("--craig /nowhere/craig: "), "{error}");
    }
}
