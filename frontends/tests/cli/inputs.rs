//! Where inputs come from: compressed files, standard input, folders, lists; and what an earlier batch has decided.

use std::io::Write;

use crate::run::{Folder, Ran, craig, craig_with_input, example};

fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(example(name)).unwrap()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A program with a header beside it.
const INCLUDES: &[u8] = b"#include \"limit.h\"\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  __CPROVER_assert(x < LIMIT, \"below\");\n}\n";

#[test]
fn programs_are_read_compressed_and_from_standard_input() {
    let folder = Folder::new();
    folder.write("limit.h", b"#define LIMIT 7\n");
    let packed = folder.write("p.c.gz", &gzipped(INCLUDES));
    let witness = folder.path("w.yml");
    let unwind = ["--c-engine", "unwind"];
    let ran = craig(&[&["check", &packed, "--witness", &witness], &unwind[..]].concat());
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let line = format!("{packed}:5: an assertion fails");
    assert!(ran.stdout.contains(&line), "{}", ran.stdout);
    // The text of the line is that of the program, not of the compressed file.
    assert!(
        ran.stdout.contains("| __CPROVER_assert(x < LIMIT"),
        "{}",
        ran.stdout
    );
    let ran = craig(&["certify", &packed, &witness]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = bytes_of("average_unsafe.c");
    let ran = craig_with_input(
        &[&["check", "-", "--format", "c"], &unwind[..]].concat(),
        &text,
    );
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(
        ran.stdout.contains("stdin.c:16: an assertion fails"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("| unsigned int low ="),
        "{}",
        ran.stdout
    );
    let json = ["check", "-", "--format", "c", "--json"];
    let ran = craig_with_input(&[&json[..], &unwind[..]].concat(), &gzipped(&text));
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["inputs"].as_array().unwrap().len(), 1, "{value}");
    assert_eq!(value["inputs"][0]["sha256"].as_str().unwrap().len(), 64);
    // What has been preprocessed is not preprocessed again.
    let text = b"int main(void) { __CPROVER_assert(1, \"#if\"); }\n";
    let ran = craig_with_input(&["check", "-", "--format", "i", "-q"], text);
    assert_eq!(ran.code, Some(20), "{ran:?}");
    let test = ["test", "-", "--quiet", "--goals", "branches"];
    let ran = craig_with_input(&test, &bytes_of("average_unsafe.c"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let itp = ["itp", "-", "--input-format", "c", "--bound", "1"];
    let ran = craig_with_input(&itp, &bytes_of("average_safe.c"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn the_format_is_said_where_it_cannot_be_told() {
    let folder = Folder::new();
    let odd = folder.write("model.txt", &bytes_of("average_safe.c"));
    let ran = craig(&["check", &odd]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("`--format c`"), "{}", ran.stderr);
    assert_eq!(
        craig(&["check", &odd, "--format", "c", "-q"]).code,
        Some(20)
    );
    let circuit = folder.write("circuit.c", &bytes_of("arbiter_unsafe.aag"));
    assert_eq!(
        craig(&["check", &circuit, "--format", "aag", "-q"]).code,
        Some(10)
    );
    let ran = craig(&["check", &circuit, "--format", "aig"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains("which begins with `aig`"),
        "{}",
        ran.stderr
    );
    let words = bytes_of("memory.btor2");
    let ran = craig_with_input(&["check", "-", "--format", "btor2", "-q"], &words);
    assert!([Some(10), Some(20)].contains(&ran.code), "{ran:?}");
    // An option for circuits is refused for what is C by its format.
    let ran = craig(&["check", &odd, "--format", "c", "--no-certify"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ran = craig(&["check", "--format", "verilog", &odd]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

/// The verdicts in the table, with the names of the files.
fn rows(ran: &Ran) -> Vec<String> {
    let table = ran.stdout.split("verdict   seconds  file\n").nth(1);
    let table = table.unwrap_or_else(|| panic!("{ran:?}"));
    let rows = table.lines().take_while(|line| !line.contains(" inputs: "));
    rows.map(|row| {
        let words: Vec<&str> = row.split_whitespace().collect();
        format!("{} {}", words[0], words[2].rsplit('/').next().unwrap())
    })
    .collect()
}

/// A folder with a safe and an unsafe circuit, a program below, and files that are no inputs.
fn inputs() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("all/below")).unwrap();
    folder.write("all/b.aag", &bytes_of("arbiter_unsafe.aag"));
    folder.write("all/a.aag.gz", &gzipped(&bytes_of("counter_safe.aag")));
    folder.write("all/below/b.c", &bytes_of("average_safe.c"));
    folder.write("all/notes.txt", b"no input\n");
    folder.write("all/data.json", b"{}\n");
    folder
}

#[test]
fn folders_and_lists_are_decided_several_at_a_time() {
    let folder = inputs();
    let all = ["SAFE a.aag.gz", "UNSAFE b.aag", "SAFE b.c"];
    let ran = folder.run(&[
        "check",
        "all",
        "--jobs",
        "3",
        "--witness-dir",
        "evidence/new",
    ]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert_eq!(rows(&ran), all);
    // What one process prints stays together.
    for (file, verdict) in [("all/a.aag.gz", "SAFE"), ("all/b.aag", "UNSAFE")] {
        assert!(
            ran.stdout.contains(&format!("{file}:\n{verdict}")),
            "{}",
            ran.stdout
        );
    }
    let mut names: Vec<String> = (std::fs::read_dir(folder.path("evidence/new")).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    assert_eq!(names[0], "a.aag.gz.witness");
    // Two names are alike up to the first dot.
    assert!(
        names[1].starts_with("b.aag.") && names[1].ends_with(".witness"),
        "{names:?}"
    );
    assert!(
        names[2].starts_with("b.c.") && names[2].ends_with(".yml"),
        "{names:?}"
    );
    for (model, name) in [
        ("a.aag.gz", &names[0]),
        ("b.aag", &names[1]),
        ("below/b.c", &names[2]),
    ] {
        let (model, name) = (format!("all/{model}"), format!("evidence/new/{name}"));
        let ran = folder.run(&["certify", &model, &name]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    folder.write("list", b"# two\nall/b.aag\n\nall/below\n");
    let ran = folder.run(&["check", "@list", "--json", "--jobs", "2"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let mut verdicts: Vec<String> = (ran.stdout.lines())
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(
                !value["arguments"].to_string().contains("--only"),
                "{value}"
            );
            format!("{} {}", value["verdict"], value["file"])
        })
        .collect();
    verdicts.sort();
    assert_eq!(
        verdicts,
        ["\"safe\" \"all/below/b.c\"", "\"unsafe\" \"all/b.aag\""]
    );
    for (arguments, part) in [
        (&["check", "@none"][..], "none"),
        (&["check", "evidence"], "the folder has no circuits"),
        (&["check", "-", "-"], "standard input is read once"),
        (&["check", "all", "--jobs", "0"], "--jobs"),
        (
            &["check", "all", "--witness", "w"],
            "`--witness` names one file",
        ),
        (
            &["check", "all/b.aag", "--jobs", "2", "--html", "x.html"],
            "`--html` names one file",
        ),
        (&["check", "all", "--witness-dir", "list"], "--witness-dir"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(part), "{arguments:?} {}", ran.stderr);
        assert_eq!(
            ran.stderr
                .lines()
                .filter(|it| it.starts_with("error"))
                .count(),
            1
        );
    }
}

#[test]
fn what_a_batch_has_decided_is_left_out_later() {
    let folder = inputs();
    folder.write("all/bad.aag", b"aag 1\n");
    let check = ["check", "all", "--resume", "noted", "--engine", "pdr"];
    let n_known = |ran: &Ran| ran.stdout.matches("(decided before)").count();
    let ran = folder.run(&check);
    assert_eq!((ran.code, n_known(&ran)), (Some(2), 0), "{ran:?}");
    let first = rows(&ran);
    let ran = folder.run(&[&check[..], &["--jobs", "2"]].concat());
    // What has failed is tried again; the rest is known.
    assert_eq!((ran.code, n_known(&ran)), (Some(2), 3), "{ran:?}");
    assert_eq!(rows(&ran), first);
    assert!(
        ran.stdout.contains("; 3 decided before\n"),
        "{}",
        ran.stdout
    );
    std::fs::remove_file(folder.path("all/bad.aag")).unwrap();
    // Other options, and another content.
    let ran = folder.run(&[&check[..], &["--only"]].concat());
    assert_eq!((ran.code, n_known(&ran)), (Some(10), 0), "{ran:?}");
    folder.write("all/b.aag", &bytes_of("arbiter_safe.aag"));
    let ran = folder.run(&check);
    assert_eq!((ran.code, n_known(&ran)), (Some(20), 2), "{ran:?}");
    assert_eq!(rows(&ran), ["SAFE a.aag.gz", "SAFE b.aag", "SAFE b.c"]);
    // A file that is no such list is not taken for one, and not changed.
    folder.write("mine", b"my notes\n");
    let ran = folder.run(&["check", "all", "--resume", "mine"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("mine:1: expected"), "{}", ran.stderr);
    let ran = folder.run(&["check", "all", "--resume", "all/b.aag"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("it is an input"), "{}", ran.stderr);
}

/// A header that a program includes is a part of its content.
#[test]
fn a_header_that_has_changed_is_noticed() {
    let folder = Folder::new();
    folder.write("limit.h", b"#define LIMIT 7\n");
    folder.write("p.c", INCLUDES);
    let check = [
        "check",
        "p.c",
        "--resume",
        "noted",
        "--json",
        "--c-engine",
        "unwind",
    ];
    let ran = folder.run(&check);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    // With JSON, the object is that of the run that decided.
    let again = folder.run(&check);
    assert_eq!((again.code, &again.stdout), (Some(10), &ran.stdout));
    folder.write("limit.h", b"#define LIMIT 2147483648u\n");
    folder.write("q.h", b"");
    let changed = folder.run(&check);
    assert_ne!(changed.stdout, ran.stdout);
}
