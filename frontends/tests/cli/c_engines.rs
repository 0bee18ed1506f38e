//! C programs and the engines that decide them: each by itself, and the parts of the portfolio.

use crate::run::{Folder, craig, example};

/// An engine named on the command line decides the program alone; `--with-invariants` adds the word-level
/// invariants, which here suffice.
#[test]
fn a_named_engine_answers_by_itself() {
    let file = example("in_step_safe.c");
    let evidence = |options: &[&str]| {
        let ran = craig(&[&["check", &file, "--json"][..], options].concat());
        assert_eq!(
            ran.code,
            Some(20),
            "{options:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
        let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        value["properties"][0]["evidence"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for engine in ["imc", "pdr", "kind"] {
        let alone = evidence(&["--engine", engine]);
        assert!(
            alone.contains(&format!(" from {engine},")),
            "{engine}: {alone}"
        );
        let together = evidence(&["--engine", engine, "--with-invariants"]);
        assert!(
            together.contains(" from invariants,"),
            "{engine}: {together}"
        );
    }
}

/// A heap of three numbers. Its loops and indices depend on the order of these.
const HEAP: &str = "\
int nondet_int(void); void reach_error(void);
int main(void) { int a[3], n = 0, last = 0;
  for (int k = 0; k < 3; k++) { int i = n++; a[i] = nondet_int();
    while (i > 0 && a[(i - 1) / 2] > a[i]) { int p = (i - 1) / 2, t = a[p]; a[p] = a[i]; a[i] = t; i = p; } }
  for (int k = 0; k < 3; k++) { int least = a[0], i = 0; if (k && least < last) reach_error(); last = least; a[0] = a[--n];
    for (;;) { int m = i, l = 2 * i + 1;
      if (l < n && a[l] < a[m]) m = l;
      if (l + 1 < n && a[l + 1] < a[m]) m = l + 1;
      if (m == i) break; int t = a[m]; a[m] = a[i]; a[i] = t; i = m; } }
  return 0; }
";

/// Execution path by path has a formula and its refutation, and errors that are replayed; limits on unrolling are for it, too.
#[test]
fn paths_are_followed_and_proved() {
    let folder = Folder::new();
    let safe = folder.write("safe.c", HEAP.as_bytes());
    let (cnf, proof) = (folder.path("formula.cnf"), folder.path("proof.lrat"));
    let paths = ["--c-engine", "paths"];
    let flags = ["--cnf", &cnf, "--proof", &proof];
    let ran = craig(&[&["check", &safe][..], &paths, &flags].concat());
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("SAFE   paths"), "{}", ran.stdout);
    let text = std::fs::read(&cnf).unwrap();
    let formula = craig_formula::dimacs::read(&mut text.as_slice(), "cnf").unwrap();
    let proof = std::fs::read(&proof).unwrap();
    assert!(craig_solver::proof::import::check_lrat(&formula, proof.as_slice()).unwrap() > 0);
    let wrong = HEAP.replace("a[l] < a[m]", "a[l] > a[m]");
    let wrong = folder.write("wrong.c", wrong.as_bytes());
    let ran = craig(&[&["check", &wrong][..], &paths].concat());
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("the path was replayed"),
        "{}",
        ran.stdout
    );
    let ran = craig(&[&["check", &safe, "--unwind", "2"][..], &paths].concat());
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("goes on"), "{}", ran.stdout);
}

/// `j` is twice `i`, which interpolants do not find, and `x` is one of eight numbers, which invariants over words do not say.
const FACTS_AND_MORE: &str = "\
    unsigned nondet_uint(void);\n\
    extern void reach_error(void);\n\
    int main(void) {\n\
    unsigned n = nondet_uint(), i = 0, j = 0, x = 5;\n\
    while (i < n) {\n\
    i++;\n\
    j += 2;\n\
    if (nondet_uint() & 1) x ^= 3; else x = (x & 1) ? x ^ 24 : x ^ 40;\n\
    }\n\
    if (j != 2 * i || x == 77 || (x & 128)) reach_error();\n\
    }\n\
";

/// Engines for automata assume what is proved of the words, and search for the rest.
#[test]
fn engines_for_automata_assume_invariants() {
    let folder = Folder::new();
    let file = folder.write("facts.c", FACTS_AND_MORE.as_bytes());
    let witness = folder.path("witness.aig");
    let model = folder.path("model.aag");
    for engine in ["impact", "predabs"] {
        let options = ["--engine", engine, "--with-invariants", "--timeout", "200"];
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{engine}: {}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.contains(&format!(" from {engine},")),
            "{}",
            ran.stdout
        );
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    }
}

/// Comparisons of words are latches for an engine that interpolates; the certificate is about the program without them.
#[test]
fn signals_are_latches_of_a_named_engine() {
    const COUNTS: &str = "\
    unsigned nondet_uint(void);\n\
    int main(void) {\n\
    unsigned i = 0, n = nondet_uint();\n\
    while (i < n) if (nondet_uint()) i++;\n\
    if (i != n) reach_error();\n\
    }\n\
    ";
    let folder = Folder::new();
    let file = folder.write("counts.c", COUNTS.as_bytes());
    for engine in ["imc", "isb"] {
        let ran = craig(&["check", &file, "--engine", engine, "--with-signals", "-v"]);
        assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
        let evidence = format!("from {engine}, checked");
        assert!(ran.stdout.contains(&evidence), "{}", ran.stdout);
        assert!(ran.stderr.contains("read by signals"), "{}", ran.stderr);
    }
}

/// Impact works on the automaton of a program, whatever its blocks and interpolants are: its evidence is
/// judged, and written as that of other engines is.
#[test]
fn impact_decides_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let blocks = [&[][..], &["--blocks", "basic"], &["--blocks", "large"]];
    let dials: [&[&str]; 5] = [
        &[],
        &["--cover-candidates", "1", "--whole-paths"],
        &["--system", "inverse", "--transform", "reduce"],
        &["--transform", "raise-local", "--simplify", "--no-slice"],
        &["--no-force-cover", "--no-known-labels"],
    ];
    for blocks in blocks {
        for dial in dials {
            let options = [&["--engine", "impact", "-q"][..], blocks, dial].concat();
            let file = folder.write("locked.c", LOCKED.as_bytes());
            let files = ["--model", &model, "--witness", &witness];
            let ran = craig(&[&["check", &file][..], &options, &files].concat());
            assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
            assert!(
                ran.stdout.contains("from impact, checked"),
                "{}",
                ran.stdout
            );
            let judged = craig(&["certify", &model, &witness]);
            assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
            let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
            let ran = craig(&[&["check", &wrong][..], &options].concat());
            assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
            assert!(ran.stdout.contains("UNSAFE impact"), "{}", ran.stdout);
        }
    }
    let file = folder.write("locked.c", LOCKED.as_bytes());
    let ran = craig(&["check", &file, "--engine", "impact", "-v"]);
    assert!(
        ran.stderr.contains("impact: unwinding: ") && ran.stderr.contains(" covered, "),
        "{}",
        ran.stderr
    );
    let ran = craig(&["check", &example("fifo_safe.aag"), "--engine", "impact"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("decides C programs only"),
        "{}",
        ran.stderr
    );
}

/// Where no vertex is covered with large blocks, the search begins again with basic ones, unless the blocks
/// were chosen.
#[test]
fn impact_tries_basic_blocks_when_large_ones_diverge() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_error(void);\n\
                int main(void) { unsigned i = 0, s = 0; while (__VERIFIER_nondet_int()) { i++; s += i;\n\
                if (i == 45 && s == 1035) __VERIFIER_error(); } return 0; }\n";
    let folder = Folder::new();
    let file = folder.write("deep.c", text.as_bytes());
    for (blocks, is_again) in [("auto", true), ("large", false)] {
        let ran = craig(&[
            "check", &file, "--engine", "impact", "--blocks", blocks, "-v",
        ]);
        assert_eq!(ran.code, Some(10), "{blocks}: {}", ran.stdout);
        let has_note = ran.stderr.contains("again with basic blocks");
        assert_eq!(has_note, is_again, "{blocks}: {}", ran.stderr);
    }
}

/// Predicate abstraction decides programs with each image and refinement, and its evidence is checked.
#[test]
fn predicate_abstraction_decides_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 6] = [
        &[],
        &["--blocks", "basic"],
        &["--image", "approx", "--transform", "raise-local"],
        &["--image", "exact", "--system", "symmetric"],
        &["--image", "approx", "--refine", "dasdill"],
        &["--refine", "dasdill", "--blocks", "basic", "--simplify"],
    ];
    for choice in choices {
        let options = [&["--engine", "predabs", "-q"][..], choice].concat();
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        let said = &ran.stdout;
        assert!(said.contains("from predabs, checked"), "{said}");
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("UNSAFE predabs"), "{}", ran.stdout);
    }
    // Symmetric interpolants need a system that is strong enough.
    let file = folder.write("locked.c", LOCKED.as_bytes());
    // The Cartesian image may give up, and is right otherwise.
    let options = ["--engine", "predabs", "--image", "cartesian"];
    let ran = craig(&[&["check", &file][..], &options].concat());
    assert!(matches!(ran.code, Some(20 | 30)), "{}", ran.stdout);
    let straight = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n  int \
                    i = 0;\n  while (__VERIFIER_nondet_int())\n    i = 0;\n  if (i != 0)\n    reach_error();\n  \
                    return 0;\n}\n";
    let simple = folder.write("simple.c", straight.as_bytes());
    let ran = craig(&[&["check", &simple][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    let options = ["--engine", "predabs", "--system", "inverse"];
    let ran = craig(&[&["check", &file][..], &options].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    let said = &ran.stderr;
    assert!(
        said.contains("this value of `--system` is not for the engine `predabs`"),
        "{said}"
    );
}

/// The engine with reachability, safety and error interpolants decides programs in each configuration, and its
/// evidence is checked.
#[test]
fn reachability_safety_and_error_interpolants_decide_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 7] = [
        &[],
        &["--interpolants", "r"],
        &["--interpolants", "r,e", "--blocks", "basic"],
        &["--interpolants", "r,s", "--system", "inverse"],
        &[
            "--interpolants",
            "r,s,e",
            "--transform",
            "reduce",
            "--simplify",
        ],
        &["--interpolants", "r,s", "--weights", "--blocks", "basic"],
        &["--interpolants", "r,s,e", "--weights", "--no-force-cover"],
    ];
    for choice in choices {
        let options = [&["--engine", "rse", "-q"][..], choice].concat();
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("from rse, checked"), "{}", ran.stdout);
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("UNSAFE rse"), "{}", ran.stdout);
    }
    let file = folder.write("locked.c", LOCKED.as_bytes());
    let ran = craig(&["check", &file, "--engine", "rse", "--interpolants", "r,x"]);
    assert_eq!(ran.code, Some(2));
    let ran = craig(&["check", &file, "--engine", "rse", "-v"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("safety labels cut off"), "{said}");
}

/// Lazy annotation proves with each kind of interpolants and any fuel; without labels it finds errors, and proves
/// nothing.
#[test]
fn lazy_annotation_decides_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 5] = [
        &[],
        &["--blocks", "basic"],
        &["--system", "inverse", "--fuel", "0"],
        &["--transform", "reduce", "--simplify", "--fuel", "7"],
        &["--no-learn", "--blocks", "large"],
    ];
    for choice in choices {
        let options = [&["--engine", "annotate", "-q"][..], choice].concat();
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("UNSAFE annotate"), "{}", ran.stdout);
        if choice.contains(&"--no-learn") {
            continue;
        }
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("from annotate, checked"),
            "{}",
            ran.stdout
        );
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    }
    let straight = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n  int x = \
                    __VERIFIER_nondet_int();\n  if (x > 3 && x < 3)\n    reach_error();\n  return 0;\n}\n";
    let file = folder.write("straight.c", straight.as_bytes());
    let ran = craig(&["check", &file, "--engine", "annotate", "--no-learn"]);
    assert_eq!(ran.code, Some(30), "{}", ran.stdout);
    assert!(ran.stdout.contains("enumerated"), "{}", ran.stdout);
}

/// Recursion of any depth is proved where its results are bounded whatever the inner calls return.
#[test]
fn recursion_without_bound_is_proved() {
    let folder = Folder::new();
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nunsigned f(unsigned x)\n{\n  \
                if (x == 0)\n    return 0;\n  unsigned r = f(x - 1) + 1;\n  return r > 5 ? 5 : r;\n}\nint \
                main(void)\n{\n  if (f(__VERIFIER_nondet_uint()) == WRONG)\n    reach_error();\n  return 0;\n}\n";
    for (wrong, code) in [("10", 20), ("4", 10)] {
        let file = folder.write("f.c", text.replace("WRONG", wrong).as_bytes());
        let ran = craig(&["check", &file, "--timeout", "60"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let is_said = ran.stdout.contains("with summaries of `f`");
        assert_eq!(is_said, code == 20, "{}", ran.stdout);
    }
}

/// `--without` leaves parts of the portfolio out: what only they decide is open then.
#[test]
fn studies_leave_parts_out() {
    let folder = Folder::new();
    let file = folder.write("locked.c", LOCKED.as_bytes());
    for (parts, code) in [("unwind,run", 20), ("loops", 30), ("unwind,loops,run", 30)] {
        let ran = craig(&["check", &file, "--timeout", "5", "-q", "--without", parts]);
        assert_eq!(
            ran.code,
            Some(code),
            "{parts}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
    let enough = craig(&["check", &file, "-v", "--without", "invariants"]);
    assert_eq!(enough.code, Some(20), "{}", enough.stdout);
    assert!(
        !enough.stderr.contains("invariants over words"),
        "{}",
        enough.stderr
    );
    let wrong = craig(&["check", &file, "--without", "loop"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
}

/// `--unwinding` draws the tree of whatever verdict, in one file without links, and says so where there is none.
#[test]
fn unwindings_are_drawn() {
    let folder = Folder::new();
    let page = folder.path("u.html");
    let wrong = LOCKED.replace("&& old", "|| old");
    let cases = [(LOCKED, 20), (&wrong, 10)];
    for ((text, code), engine) in cases
        .into_iter()
        .flat_map(|case| ["impact", "predabs", "rse", "annotate"].map(|engine| (case, engine)))
    {
        let file = folder.write("locked.c", text.as_bytes());
        let options = [
            "--engine",
            engine,
            "--blocks",
            "basic",
            "--unwinding",
            &page,
        ];
        let ran = craig(&[&["check", &file][..], &options].concat());
        assert_eq!(ran.code, Some(code), "{}", ran.stdout);
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains("lock = 1;") && !text.contains("href") && !text.contains("src="));
        let n_vertices = text.matches("class=\"vertex\"").count();
        assert_eq!(text.matches("class=\"tree\"").count(), n_vertices - 1);
        let n_on_run = text.matches("\non the run to the error").count();
        assert_eq!(n_on_run > 1, code == 10, "{engine}");
        std::fs::remove_file(&page).unwrap();
    }
    let file = folder.write("locked.c", LOCKED.as_bytes());
    // The states of predicate abstraction are C where predicates are.
    let options = [
        "--engine", "predabs", "--blocks", "basic", "--labels", "words",
    ];
    let ran = craig(&[&["check", &file, "--unwinding", &page][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("\nlock == 0<"), "{text}");
    std::fs::remove_file(&page).unwrap();
    let ran = craig(&["check", &file, "--unwinding", &page]);
    assert_eq!(ran.code, Some(2));
    let expected = "`--unwinding` is for the engines impact, predabs, rse and annotate";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

/// Recursion of any depth is proved by summaries, which `-v` prints; the evidence is that of a program without the
/// recursion. Where calls get no summaries, it says why.
#[test]
fn summaries_prove_recursion() {
    let folder = Folder::new();
    let text = |step: u32, first: &str| {
        format!(
            "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nunsigned many;\n\
             unsigned f(unsigned n)\n{{\n  many += {step};\n  {first}\n  if (n == 0) return 4;\n  return f(n - 1) + 2;\n}}\n\
             int main(void)\n{{\n  unsigned n = __VERIFIER_nondet_uint();\n  if ((f(n) + many) % 2) \
             reach_error();\n  return 0;\n}}\n"
        )
    };
    let file = folder.write("even.c", text(2, "").as_bytes());
    for engine in ["portfolio", "annotate", "impact"] {
        let ran = craig(&["check", &file, "--engine", engine, "-v", "--timeout", "300"]);
        assert_eq!(ran.code, Some(20), "{engine}: {ran:?}");
        assert!(ran.stdout.contains("; with summaries of `f`"), "{ran:?}");
        assert!(ran.stderr.contains("`f` requires ") && ran.stderr.contains("\\result"));
    }
    let proof = folder.path("even.lrat");
    let cnf = folder.path("even.cnf");
    let ran = craig(&["check", &file, "--cnf", &cnf, "--proof", &proof]);
    assert_eq!(ran.code, Some(20), "{ran:?}");
    // The error is followed and replayed.
    let wrong = folder.write("odd.c", text(1, "").as_bytes());
    let ran = craig(&["check", &wrong, "--engine", "annotate", "--timeout", "60"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let escaping = "static unsigned *kept; if (n == 7) kept = &n;";
    let escaping = folder.write("kept.c", text(2, escaping).as_bytes());
    let ran = craig(&[
        "check",
        &escaping,
        "--engine",
        "annotate",
        "-v",
        "--timeout",
        "1",
    ]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert!(
        ran.stderr.contains("no summaries, calls are inlined: "),
        "{ran:?}"
    );
}

/// The engines of papers have formulas over words: two counters that move together have the same value, which bits of words do not
/// say.
#[test]
fn engines_of_papers_prove_counters_that_move_together() {
    let file = example("in_step_safe.c");
    for paper in [
        "impact",
        "tra",
        "predabs",
        "predabs-whole",
        "imc",
        "rse",
        "annotate",
    ] {
        let ran = craig(&["check", &file, "--as-in", paper, "--only"]);
        assert_eq!(ran.code, Some(20), "{paper}: {}{}", ran.stdout, ran.stderr);
    }
}

/// The program of figure 1 of the paper on Impact: a lock that is taken and given back in a loop.
pub(crate) const LOCKED: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void)\n{\n  int lock = 0, old, new = __VERIFIER_nondet_int();\n\
    \x20 do {\n    if (lock != 0) reach_error();\n    lock = 1;\n    old = new;\n\
    \x20   if (__VERIFIER_nondet_int()) {\n      lock = 0;\n      new = new == 100 ? 0 : new + 1;\n    }\n\
    \x20 } while (new != old && old != 7);\n  return 0;\n}\n";
