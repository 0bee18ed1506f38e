//! Event loops in C: explicit states, and words of few values.

use crate::run::{Folder, craig};

/// An event loop with two words that hold few values, and a word that counts.
const EVENTS: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int phase = 1, key = 4, sum = 0;
static void event(int input) {
    if (phase == 1 && key == 4 && input == 2) { phase = 2; key = 7; }
    else if (phase == 2 && input == 3) { phase = 3; sum = sum + 5; }
    else if (phase == 3 && key == 7 && input == 1) { phase = 1; key = 4; }
    else if (phase == 3 && key == 4) reach_error();
    else if (sum == 15 && phase == 2 && input == 6) reach_error();
}
int main(void) {
    while (1) { int input = __VERIFIER_nondet_int(); if (input < 1 || input > 6) return 0; event(input); }
}
";

/// `--engine explicit` finds the error, which depends on a word of many values, and proves the program without that;
/// the certificate is judged. The portfolio uses it for event loops.
#[test]
fn explicit_states_decide_event_loops() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let wrong = folder.write("events_unsafe.c", EVENTS.as_bytes());
    let right = EVENTS.replace("sum == 15", "key == 4");
    let right = folder.write("events_safe.c", right.as_bytes());
    let ran = craig(&["check", &wrong, "--engine", "explicit", "-q"]);
    assert_eq!(ran.code, Some(10), "{}", ran.stdout);
    assert!(ran.stdout.contains("UNSAFE explicit"), "{}", ran.stdout);
    let options = [
        "--engine",
        "explicit",
        "--model",
        &model,
        "--witness",
        &witness,
    ];
    let ran = craig(&[&["check", &right][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("from explicit, checked"),
        "{}",
        ran.stdout
    );
    let judged = craig(&["certify", &model, &witness]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    let ran = craig(&["check", &right, "-q", "--c-engine", "model"]);
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("from explicit, checked"),
        "{}",
        ran.stdout
    );
}

/// The words of a state machine get indices; the proof is about the program's own words, and is judged. The error's trace
/// replays.
#[test]
fn words_of_few_values_get_indices() {
    let program = |last: u32| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
int main(void) {{
    int state = 8448, seen = 0;
    while (1) {{
        int input = __VERIFIER_nondet_int();
        if (state == 8448) {{ if (input > 100) state = 8464; }}
        else if (state == 8464) {{ if (input == 7) state = 8480; else if (input < -5) state = 8448; }}
        else if (state == 8480) {{ state = 8496; seen = input; }}
        else if (state == 8496) {{ state = {last}; }}
        else __VERIFIER_error();
    }}
}}
"
        )
    };
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let without = ["--without", "explicit,unfolding,unwind,paths,run", "-v"];
    let note = "with indices for words of few values";
    let right = folder.write("right.c", program(8464).as_bytes());
    let evidence = ["--model", &model, "--witness", &witness];
    let ran = craig(&[&["check", &right][..], &without, &evidence].concat());
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("the proof with indices"),
        "{}",
        ran.stderr
    );
    let judged = craig(&["certify", &model, &witness]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    let wrong = folder.write("wrong.c", program(8500).as_bytes());
    let ran = craig(&[&["check", &wrong][..], &without].concat());
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let ran = craig(&[
        "check",
        &right,
        "--without",
        "explicit,unfolding,unwind,paths,run,domains",
        "-v",
    ]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stderr.contains(note), "{}", ran.stderr);
}

/// A word that gets inputs and is compared with constants alone counts as one of few values for explicit states: its
/// values are the intervals between the constants.
#[test]
fn explicit_states_know_intervals() {
    let program = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
int main(void) {
    int state = 8448, phase = 7, last = 0, sum = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (state == 8448) { if (last > 1000 && input == 3 && phase == 7) { state = 8464; phase = 9; } }
        else if (state == 8464) { if (last != 3 || phase != 9) __VERIFIER_error(); state = 8480; }
        else if (state == 8480) { if (last > 3) { state = 8448; phase = 7; } }
        else __VERIFIER_error();
        last = input; sum += state;
    }
}
";
    let folder = Folder::new();
    let right = folder.write("right.c", program.as_bytes());
    let wrong = folder.write(
        "wrong.c",
        program.replace("last != 3", "last == 3").as_bytes(),
    );
    let check = |file: &str, without: &str| craig(&["check", file, "-q", "--without", without]);
    let ran = check(&right, "unwind,paths,run,unfolding");
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("from explicit, checked"),
        "{}",
        ran.stdout
    );
    let ran = check(&right, "unwind,paths,run,unfolding,domains");
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("explicit"), "{}", ran.stdout);
    let ran = check(&wrong, "unwind,paths,run,unfolding");
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
}
