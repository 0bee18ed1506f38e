//! `craig proofs`, on a small project in the layout of CBMC's starter kit.

use std::process::{Command, Stdio};

use crate::run::{Folder, Ran};

/// Whether a tool is installed.
pub(crate) fn is_installed(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdin(Stdio::null());
    command.output().is_ok()
}

const COMMON: &str = "SRCDIR ?= $(abspath ../..)\nPROOFDIR ?= $(abspath .)\nINCLUDES += -I$(SRCDIR)/include\n\
    CBMCFLAGS += --unwind 1 --flush\nCHECK_BOUNDS ?= --bounds-check --pointer-check\n\
    CHECKFLAGS += $(CHECK_BOUNDS) --nan-check\nDEFINES += -DCBMC=1\nLINK_FLAGS ?= -Wall\n\
    default: report\nreport:\n\ttouch $(PROOFDIR)/ran\n\
    $(PROOFDIR)/h.c: template\n\tcp $< $@\n";

/// The Makefile of a proof.
fn makefile(more: &str) -> String {
    format!(
        "HARNESS_ENTRY = harness\nHARNESS_FILE = h\n{more}\n\
         PROOF_SOURCES += $(PROOFDIR)/$(HARNESS_FILE).c\nPROJECT_SOURCES += $(SRCDIR)/source/sum.c\n\
         include ../Makefile.common\n"
    )
}

const HARNESS: &str = "#include \"sum.h\"\nunsigned nondet_unsigned(void);\nvoid harness(void) {\n  unsigned a[SIZE];\n\
    for (unsigned i = 0; i < SIZE; i++) a[i] = nondet_unsigned() % 10u;\n\
    __CPROVER_assert(sum(a, LENGTH) <= 9u * SIZE, \"small\");\n}\n";

/// A project with four proofs: one holds, one reads behind an array in a file that has to be made, one needs what is not
/// supported, one has no entry.
pub(crate) fn project() -> Folder {
    let folder = Folder::new();
    for name in [
        "include",
        "source",
        "proofs/good",
        "proofs/bad",
        "proofs/other",
        "proofs/empty",
    ] {
        std::fs::create_dir_all(folder.path(name)).unwrap();
    }
    folder.write(
        "include/sum.h",
        b"unsigned sum(const unsigned *a, unsigned n);\n",
    );
    let sum = "#include \"sum.h\"\nunsigned sum(const unsigned *a, unsigned n) {\n  unsigned s = 0;\n\
        for (unsigned i = 0; i < n; i++) s += a[i];\n  return s;\n}\n";
    folder.write("source/sum.c", sum.as_bytes());
    folder.write("proofs/Makefile.common", COMMON.as_bytes());
    for (name, more) in [
        (
            "good",
            "DEFINES += -DSIZE=3 -DLENGTH=$(if $(LONG),4,3)\nUNWINDSET += sum.0:4 harness.0:4",
        ),
        (
            "bad",
            "DEFINES += -DSIZE=3 -DLENGTH=4\nUNWINDSET += sum.0:5 harness.0:4",
        ),
        ("other", "REWRITTEN_SOURCES = $(PROOFDIR)/x.i"),
    ] {
        folder.write(
            &format!("proofs/{name}/Makefile"),
            makefile(more).as_bytes(),
        );
        let harness = if name == "bad" { "template" } else { "h.c" };
        folder.write(&format!("proofs/{name}/{harness}"), HARNESS.as_bytes());
    }
    folder.write(
        "proofs/empty/Makefile",
        b"# HARNESS_ENTRY is set elsewhere\n",
    );
    folder.write("proofs/empty/cbmc-proof.txt", b"");
    folder
}

/// The rows of the table.
fn rows(ran: &Ran) -> Vec<String> {
    let table = ran.stdout.split("\nverdict ").nth(1);
    let table = table.unwrap_or_else(|| panic!("{ran:?}"));
    let rows = table
        .lines()
        .skip(1)
        .take_while(|line| !line.contains(" proofs: "));
    rows.map(|row| {
        let words: Vec<&str> = row.split_whitespace().collect();
        format!("{} {}", words[0], words[words.len() - 1])
    })
    .collect()
}

#[test]
fn proofs_of_a_project_are_decided_as_they_are() {
    if !is_installed("make") {
        return;
    }
    let folder = project();
    let page = folder.path("page.html");
    let ran = folder.run(&["proofs", "proofs", "--only", "bad"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stdout.contains("`--generate`"), "{}", ran.stdout);
    let all = ["proofs", "proofs", "--generate", "--resume", "noted"];
    let ran = folder.run(&[&all[..], &["--jobs", "2", "--html", &page]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(
        rows(&ran),
        ["UNSAFE bad", "ERROR empty", "SAFE good", "ERROR other"]
    );
    for part in [
        "`REWRITTEN_SOURCES` (sources rewritten by crangler) is not supported",
        "the Makefile does not set `HARNESS_ENTRY`",
        "not checked, although proofs ask for it: --nan-check",
        "4 proofs: 1 safe, 1 unsafe, 2 bad input",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    // No other recipe was run.
    assert!(!std::path::Path::new(&folder.path("proofs/good/ran")).exists());
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains(">SAFE<") && html.contains("--nan-check"),
        "{html}"
    );
    let quiet = folder.run(&["proofs", "proofs", "--only", "empty", "-q"]);
    let told = quiet.stderr.contains("error: empty: the Makefile");
    assert!(told, "{quiet:?}");
    // What was decided is left out; another variable of make is another question.
    let again = folder.run(&["proofs", "proofs", "--resume", "noted"]);
    assert!(
        again.stdout.contains("2 of them were decided before"),
        "{}",
        again.stdout
    );
    assert_eq!(rows(&again), rows(&ran));
    let make = [
        "proofs", "proofs", "--only", "good", "--make", "LONG=1", "--resume", "noted", "-q",
    ];
    let ran = folder.run(&make);
    assert_eq!(
        (ran.code, rows(&ran)),
        (Some(10), vec!["UNSAFE good".to_owned()]),
        "{ran:?}"
    );
}

#[test]
fn the_object_of_proofs_has_coverage_and_the_peer() {
    if !is_installed("make") {
        return;
    }
    let folder = project();
    let proofs = folder.path("proofs");
    let json = ["proofs", &proofs, "--only", "good", "--coverage", "--json"];
    let value = crate::schema::fits("proofs", &json, "safe");
    let proof = &value["proofs"][0];
    assert_eq!(
        (&proof["name"], &proof["verdict"]),
        (&"good".into(), &"safe".into())
    );
    assert_eq!(proof["not_checked"][0], "--nan-check");
    let lines = &proof["coverage"];
    assert!(
        lines["reached"].as_u64() > Some(3) && lines["reached"] == lines["total"],
        "{lines}"
    );
    if ["goto-cc", "goto-instrument", "cbmc"]
        .into_iter()
        .all(is_installed)
    {
        let compare = [
            "proofs",
            &proofs,
            "--only",
            "d",
            "--generate",
            "--generate",
            "--compare",
            "cbmc",
        ];
        let ran = crate::run::craig(&compare);
        assert!(
            ran.stdout.contains("craig ") && !ran.stdout.contains("differs"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_folder_without_proofs_and_wrong_options_are_refused() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("none")).unwrap();
    for (arguments, part) in [
        (&["proofs", "none"][..], "none: there is no proof"),
        (&["proofs", "missing"], "missing: can't be read"),
        (&["proofs", "none", "--make", "=x"], "--make"),
        (&["proofs", "none", "--jobs", "0"], "--jobs"),
        (&["proofs", "none", "--compare", "other"], "--compare"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(part), "{arguments:?} {}", ran.stderr);
    }
}
