//! Inputs and command lines that are wrong: one error that says what, exit code 2, and no file touched.

use crate::run::{Folder, craig};

/// The files that the command lines below refer to, by name.
const FILES: &[(&str, &[u8])] = &[
    ("good.aag", b"aag 1 0 1 0 0 1\n2 3\n2\n"),
    ("live.aag", b"aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n"),
    ("none.aag", b"aag 1 1 0 0 0\n2\n"),
    ("good.btor2", b"1 sort bitvec 1\n2 state 1\n3 bad 2\n"),
    ("good.c", b"int main(void) { return 0; }\n"),
    ("other.c", b"int f(void) { return 1; }\n"),
    ("good.cnf", b"p cnf 1 2\n1 0\n-1 0\n"),
    ("parts.cnf", b"p cnf 1 2\n1 0\nc partition 1\n-1 0\n"),
    (
        "apart.cnf",
        b"p cnf 1 2\nc partition 0\n1 0\nc partition 9\n-1 0\n",
    ),
    ("behind.cnf", b"p cnf 1 2\n1 0\nc partition 1 2\n-1 0\n"),
    ("good.v", b"module top(input clk); endmodule\n"),
    ("good.prp", b"CHECK( init(main()), LTL(G ! overflow) )\n"),
    ("empty", b""),
    ("junk", b"\x1b[31m\x07\x00\xff junk\n"),
    ("x.cpp", b"int main() { return 0; }\n"),
    ("x.rs", b"fn main() {}\n"),
    ("x.smv", b"MODULE main\n"),
    // AIGER
    ("a0.aag", b""),
    ("a1.aag", b"aag\n"),
    ("a2.aag", b"aag 1 1\n"),
    ("a3.aag", b"aag x 0 0 0 0\n"),
    ("a4.aag", b"aag 1 1 0 1 0\n2\n9\n"),
    ("a5.aag", b"aag 2 1 0 1 1\n2\n4\n4 6 2\n"),
    ("a6.aag", b"aag 99999999 99999999 0 0 0\n2\n"),
    ("a7.aag", b"aag 2 2 0 0 0\n2\n2\n"),
    ("a8.aag", b"aag 1 1 0 0 0\n3\n"),
    ("a9.aag", b"aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n"),
    ("a10.aag", b"aag 1 0 1 0 0 1\n2 3 7\n2\n"),
    ("a11.aag", b"hello\n"),
    ("a12.aag", b"aag 1 1 0 0 0\n2\ni7 name\n"),
    ("a13.aig", b"aig 2 1 0 1 1\n4\n"),
    ("a14.aig", b"aig 5 1 0 1 1\n4\n\x02\x02"),
    ("a15.aig", b"aig 1 1 0 1 0\n7\n"),
    ("a16.aag", b"aag 1 0 1 0 0 1 0 0 0 0\n2 3\n2\n"),
    // BTOR2
    ("b0.btor2", b""),
    ("b1.btor2", b"1 sort\n"),
    ("b2.btor2", b"1 sort bitvec 0\n"),
    ("b3.btor2", b"1 sort bitvec 8\n2 add 1 5 6\n"),
    ("b4.btor2", b"1 sort bitvec 8\n2 state 1\n3 bad 2\n"),
    ("b5.btor2", b"1 sort bitvec 8\n2 frobnicate 1\n"),
    ("b6.btor2", b"1 sort bitvec 8\n1 state 1\n"),
    ("b7.btor2", b"1 sort bitvec 4\n2 const 1 10201\n"),
    (
        "b8.btor2",
        b"1 sort bitvec 4\n2 state 1\n3 state 1\n4 sort bitvec 1\n5 eq 1 2 3\n",
    ),
    ("b9.btor2", b"x sort bitvec 1\n"),
    (
        "b10.btor2",
        b"1 sort bitvec 4\n2 state 1\n3 slice 1 2 9 0\n",
    ),
    ("b11.btor2", b"1 sort array 1 1\n"),
    // DIMACS
    ("d0.cnf", b""),
    ("d1.cnf", b"p cnf x 1\n"),
    ("d2.cnf", b"p cnf 1 1\n2 0\n"),
    ("d3.cnf", b"p cnf 1 2\n1 0\n"),
    ("d4.cnf", b"p cnf 1 1\n1\n"),
    ("d5.cnf", b"1 0\n"),
    ("d6.cnf", b"p cnf 1 1\n1 0\n-1 0\n"),
    ("d7.cnf", b"p cnf 1 1\na 0\n"),
    ("d8.cnf", b"c partition x\np cnf 1 1\n1 0\n"),
    ("d9.cnf.gz", b"\x1f\x8b\x08\x00"),
    ("d10.cnf.xz", b"\xfd7zXZ\x00\x00"),
    // C
    ("c0.c", b"int main(void) { return 0 }\n"),
    ("c1.c", b"int main(void) { return x; }\n"),
    ("c2.c", b"int f(void) { return 0; }\n"),
    (
        "c3.c",
        b"#include \"missing.h\"\nint main(void) { return 0; }\n",
    ),
    ("c4.c", b"int main(void) {\n"),
    ("c5.c", b"}\n"),
    ("c6.c", b"\x00\x01\x02\n"),
    ("j0.json", b"{}\n"),
    ("j1.json", b"[\n"),
    ("j2.json", b"[]\n"),
    (
        "j3.json",
        b"[{\"directory\": \".\", \"file\": \"x.cpp\", \"command\": \"c++\"}]\n",
    ),
    ("p0.prp", b"nothing\n"),
    ("p1.prp", b"CHECK( init(main()), LTL(F end) )\n"),
    // Others
    ("w0", b"nothing\n"),
    ("w1", b"1\nb0\n"),
    ("w2.yml", b"- entry_type: nothing\n"),
    ("l0.toml", b"nothing = 1\n"),
    ("l1.toml", b"[[engine\n"),
    ("r0.lrat", b"3 9 0 0\n"),
    ("labels", b"1 c\n"),
];

/// A command line over these files, and a part of its error.
type Case = (&'static str, &'static str);

/// Inputs that are no inputs.
const INPUTS: &[Case] = &[
    (
        "check missing.aag",
        "missing.aag: can't be read: No such file",
    ),
    ("check missing.btor2", "missing.btor2: can't be read"),
    ("check missing.c", "missing.c"),
    ("test .", "."),
    ("check @missing", "missing: can't be read"),
    ("check @junk", "junk"),
    ("check - -", "standard input is read once"),
    ("check empty --format verilog", "--format"),
    ("check good.btor2 --format aag", "which begins with `aag`"),
    ("check good.aag --format btor2", "good.aag"),
    ("check good.aag --format c", "good.aag"),
    ("itp good.aag --input-format aig", "which begins with `aig`"),
    ("certify good.aag w1 --format btor2", "good.aag"),
    ("proofs .", "there is no proof"),
    ("strength @missing", "missing: can't be read"),
    ("proofs good.c", "good.c: can't be read"),
    ("smt good.cnf --json", "good.cnf"),
    ("check empty", "empty"),
    ("check junk", "junk"),
    ("check x.cpp", "C++ is not supported"),
    ("check x.rs", "x.rs"),
    ("check x.smv", "x.smv"),
    ("check none.aag", "nothing to check"),
    ("check a0.aag", "a0.aag"),
    ("check a1.aag", "a1.aag"),
    ("check a2.aag", "a2.aag"),
    ("check a3.aag", "a3.aag"),
    ("check a4.aag", "line 3"),
    ("check a5.aag", "a5.aag"),
    ("check a6.aag", "a6.aag"),
    ("check a7.aag", "literal 2 is defined twice"),
    ("check a8.aag", "line 2"),
    ("check a9.aag", "a9.aag"),
    ("check a10.aag", "line 2"),
    ("check a11.aag", "a11.aag"),
    ("check a12.aag", "line 3"),
    ("check a13.aig", "a13.aig"),
    ("check a14.aig", "a14.aig"),
    ("check a15.aig", "a15.aig"),
    ("check a16.aag", "a16.aag"),
    ("check b0.btor2", "nothing to check"),
    ("check b1.btor2", "b1.btor2: line 1"),
    ("check b2.btor2", "b2.btor2: line 1"),
    ("check b3.btor2", "b3.btor2: line 2"),
    ("check b4.btor2", "b4.btor2: line 3"),
    ("check b5.btor2", "b5.btor2: line 2"),
    ("check b6.btor2", "b6.btor2: line 2"),
    ("check b7.btor2", "b7.btor2: line 2"),
    ("check b8.btor2", "b8.btor2: line 5"),
    ("check b9.btor2", "b9.btor2: line 1"),
    ("check b10.btor2", "b10.btor2: line 3"),
    ("check b11.btor2", "b11.btor2: line 1"),
    ("check c0.c", "c0.c:1"),
    ("check c4.c", "c4.c"),
    ("check c5.c", "c5.c:1"),
    ("check c6.c", "c6.c"),
    ("check c3.c", "missing.h"),
    ("check j0.json", "j0.json"),
    ("check j1.json", "j1.json"),
    ("check j2.json", "j2.json: it names no file"),
    ("check j3.json", "it is no C file"),
    ("check --link good.c x.cpp", "x.cpp"),
    ("check good.c --property p0.prp", "p0.prp"),
    ("check good.c --property p1.prp", "p1.prp"),
    (
        "check good.c --property missing.prp",
        "missing.prp: can't be read",
    ),
    ("check good.aag --line-up l0.toml", "l0.toml"),
    ("check good.aag --line-up l1.toml", "l1.toml"),
    ("check good.aag --line-up missing.toml", "missing.toml"),
    ("sat missing.cnf", "missing.cnf: can't be read"),
    ("sat d0.cnf", "d0.cnf:1"),
    ("sat d1.cnf", "d1.cnf:1"),
    ("sat d2.cnf", "d2.cnf:2"),
    ("sat d3.cnf", "d3.cnf"),
    ("sat d4.cnf", "d4.cnf"),
    ("sat d5.cnf", "d5.cnf:1"),
    ("sat d6.cnf", "d6.cnf:3"),
    ("sat d7.cnf", "d7.cnf:2"),
    ("sat d9.cnf.gz", "d9.cnf.gz"),
    ("sat d10.cnf.xz", "d10.cnf.xz"),
    ("sat junk", "junk"),
    ("itp d8.cnf", "d8.cnf:1"),
    ("itp good.cnf", "all clauses are in one partition"),
    ("itp parts.cnf --proof r0.lrat", "r0.lrat"),
    ("itp parts.cnf --labelling labels", "labels"),
    ("itp missing.cnf", "missing.cnf"),
    ("itp junk", "junk"),
    ("itp a3.aag", "a3.aag"),
    ("strength missing.cnf", "missing.cnf"),
    ("test missing.c", "missing.c"),
    ("test c0.c", "c0.c"),
    ("test c2.c", "main"),
    ("certify good.aag w0", "w0"),
    ("certify good.aag missing", "missing: can't be read"),
    ("certify good.c w2.yml", "w2.yml"),
    ("certify good.btor2 w0", "w0"),
    ("simulate good.aag w0", "w0"),
    ("simulate good.aag w1", "w1"),
    ("simulate good.btor2 w0", "w0"),
    ("convert a3.aag out.aig", "a3.aag"),
    ("hwmcc a3.aag cex cert", "a3.aag"),
    ("hwmcc none.aag cex cert", "nothing to check"),
];

/// Options with values that they do not have, or that do not go together.
const OPTIONS: &[Case] = &[
    ("", "Usage"),
    ("chekc good.aag", "chekc"),
    ("check", "required"),
    ("check good.aag --nothing", "--nothing"),
    ("check good.aag --engine", "--engine"),
    ("check good.aag --engine prd", "there is no engine `prd`"),
    (
        "check good.aag --engine pdr:depth=3",
        "has no option `depth`",
    ),
    ("check good.aag --engine bmc:max-depth=x", "max-depth"),
    (
        "check good.aag --engine tra --system inverse",
        "this value of `--system` is not for the engine `tra`",
    ),
    (
        "check good.aag --engine kind --interpolants backward",
        "`--interpolants` is an option of",
    ),
    (
        "check good.aag --engine imc --interpolants r,s",
        "not for the engine `imc`",
    ),
    (
        "check good.aag --engine imc --transform raise-local",
        "`--transform` is an option of",
    ),
    (
        "check good.c --engine impact --weights",
        "`--weights` is an option of rse",
    ),
    (
        "check good.c --engine impact --fuel 3",
        "`--fuel` is an option of annotate",
    ),
    (
        "check good.c --engine impact --c-engine unwind",
        "runs no other engine",
    ),
    (
        "check good.c --engine pdr --c-engine unwind",
        "runs no other engine",
    ),
    (
        "check good.c --engine pdr --c-engine paths",
        "`--c-engine paths` runs no other engine",
    ),
    (
        "check good.c --c-engine paths --without invariants",
        "`--without` is for the portfolio, and the engine is `--c-engine paths`",
    ),
    (
        "check good.c --c-engine unwind --line-up l0.toml",
        "l0.toml",
    ),
    ("check good.aag --max-depth 3", "the engine is `portfolio`"),
    (
        "check good.aag --engine impact",
        "the engine impact decides C programs only",
    ),
    ("check good.aag --memory 0", "megabytes"),
    ("check good.aag --memory x", "megabytes"),
    ("check good.aag --threads 0", "threads"),
    ("check good.aag --timeout -1", "'-1'"),
    ("check good.aag --timeout soon", "seconds"),
    ("check good.aag --property x", "expected a number"),
    ("check good.aag --property 7", "there is no property 7"),
    (
        "check good.aag --property j0",
        "there is no justice property 0",
    ),
    (
        "check good.aag --property good.prp",
        "property files are for C programs",
    ),
    (
        "check good.c --property 3",
        "`--property b3`: the property of a C program",
    ),
    (
        "check good.c --property good.prp --check all",
        "ask for different properties",
    ),
    ("check good.aag --liveness walks", "none is asked for"),
    ("check live.aag --liveness nothing", "nothing"),
    (
        "check good.aag --check all",
        "`--check` is for C programs, and the input is circuits in AIGER",
    ),
    (
        "check good.aag --cover branch",
        "`--cover` is for Verilog and C programs",
    ),
    ("check good.aag --unwind 3", "`--unwind` is for C programs"),
    ("check good.aag --each", "`--each` is for C programs"),
    ("check good.btor2 --entry f", "`--entry` is for C programs"),
    (
        "check good.aag --model m.aag",
        "`--model` is for C programs",
    ),
    (
        "check good.aag --replay-native",
        "`--replay-native` is for C programs",
    ),
    ("check good.aag --sarif log", "`--sarif` is for C programs"),
    (
        "check good.c --skip-pass cone",
        "`--skip-pass` is for engines on circuits",
    ),
    ("check good.c --top top", "`--top` is for Verilog"),
    ("check good.btor2 --clock clk", "`--clock` is for Verilog"),
    (
        "check good.c --liveness walks",
        "`--liveness` is for circuits",
    ),
    ("check good.aag -D X", "`-D` is for Verilog and C programs"),
    ("check good.aag -I .", "`-I` is for Verilog and C programs"),
    (
        "check good.c --unwinding x.txt --engine impact",
        "ends in .html",
    ),
    (
        "check good.c --unwinding x.html",
        "`--unwinding` is for the engines impact",
    ),
    (
        "check good.c --engine pdr --unwind 3",
        "`--unwind` is for unrolling",
    ),
    (
        "check good.c --with-invariants",
        "`--with-invariants` is for an engine that is named",
    ),
    (
        "check good.c --cover good.c",
        "expected location, branch, condition or FILE:LINE",
    ),
    (
        "check good.c --cover branch --sarif log",
        "`--sarif` is for errors",
    ),
    ("check good.c --cover branch --check div", "`--cover`"),
    ("check good.aag -q -v", "cannot be used with"),
    (
        "check good.aag --no-preprocess --skip-pass cone",
        "cannot be used with",
    ),
    ("check good.aag --skip-pass nothing", "nothing"),
    (
        "check good.aag good.c --witness w",
        "`--witness` names one file",
    ),
    ("check good.aag good.c --top t", "`--top` is for Verilog"),
    ("check good.aag --witness good.aag", "it is an input"),
    ("check good.aag --witness none/w", "can't be written"),
    ("check good.aag --witness .", "it is a directory"),
    (
        "check good.c --witness w --test-driver w",
        "name one output",
    ),
    ("check good.v --top a;b", "can't be given this name"),
    (
        "itp good.aag --bound 4 --cut 9",
        "there is no cut after partition 9",
    ),
    ("itp parts.cnf --cut 1", "there is no cut after partition 1"),
    (
        "itp parts.cnf --bound 4",
        "`--bound` is for circuits and C programs",
    ),
    ("itp parts.cnf --property 0", "`--property` is for circuits"),
    (
        "itp good.aag --data-model ilp32",
        "`--data-model` is for C programs",
    ),
    ("itp good.aag --property 4", "there is no property 4"),
    ("itp good.aag --bound 0", "between 1 and"),
    ("itp good.aag -o x", "--to"),
    ("itp good.aag --sequence --cut 1", "cannot be used with"),
    ("itp good.aag --tree 1,x", "--tree"),
    (
        "itp apart.cnf --tree 1,-",
        "--tree: partition 9 has no parent",
    ),
    (
        "itp behind.cnf",
        "behind.cnf:3: \"c partition\" needs a number",
    ),
    ("itp --a good.cnf", "--b"),
    ("itp good.aag --memory 0", "megabytes"),
    ("strength good.aag --json --csv", "cannot be used with"),
    ("strength good.aag --seeds 0", "--seeds 0"),
    ("itp parts.cnf --rounds 3", "--transform"),
    (
        "itp parts.cnf --transform raise-local --rounds 3",
        "`--rounds` is for the transform `reduce`",
    ),
    (
        "strength good.aag --transforms none --rounds 3",
        "`--rounds` is for the transform `reduce`",
    ),
    ("strength good.aag --engines imc", "--convergence"),
    ("strength good.aag --derivations backward", "--convergence"),
    ("strength good.aag --run-time 3", "--convergence"),
    (
        "strength --a good.cnf --b good.cnf --convergence",
        "cannot be used with",
    ),
    (
        "hwmcc good.aag cex cert --engine pdr --line-up l0.toml",
        "l0.toml",
    ),
    (
        "hwmcc good.aag cex cert --pdr-generalisation plain",
        "the engine is `portfolio`",
    ),
    ("hwmcc good.aag cex cert --only", "`--only`"),
    ("sat good.cnf --proof-format lrat", "<--proof"),
    ("sat good.cnf --binary", "<--proof"),
    ("sat good.cnf --proof good.cnf", "it is an input"),
    ("sat good.cnf --proof p --core c", "cannot be used with"),
    (
        "sat good.cnf --binary --proof p --proof-format tracecheck",
        "no binary encoding",
    ),
    ("sat good.cnf --memory 0", "megabytes"),
    (
        "test good.c --entry none",
        "good.c: there is no function `none` to start from",
    ),
    (
        "check good.c --entry none",
        "good.c: there is no function `none` to start from",
    ),
    (
        "check c2.c",
        "c2.c: there is no function `main` to start from",
    ),
    (
        "check good.c --c-engine unwind --without invariants",
        "`--without` is for the portfolio",
    ),
    ("test good.c --native --json", "cannot be used with"),
    ("test good.aag", "good.aag"),
    ("certify good.aag", "MODEL"),
    (
        "certify good.aag w1 --property good.prp",
        "property files are for C programs",
    ),
    ("certify good.c w2.yml --property 1", "property file"),
    ("certify good.aag w1 -D X", "`-D` is for C programs"),
    (
        "certify good.aag w1 --timeout 3",
        "`--timeout` is for C programs",
    ),
    ("convert good.aag x.txt", "has to end in .aag or .aig"),
    (
        "convert good.aag x.aag --property 5",
        "there is no property 5",
    ),
    (
        "convert good.aag x.btor2 --property 0",
        "has to end in .aag or .aig",
    ),
    ("convert good.aag good.aag", "it is an input"),
    ("hwmcc good.aag w w", "name one output"),
    ("simulate good.aag w1 --vcd good.aag", "it is an input"),
    ("simulate good.aag w1 --vcd w2 --fst w2", "name one output"),
    ("engines nothing", "there is no engine `nothing`"),
    ("check good.aag --jobs none", "--jobs"),
    (
        "check good.aag --jobs 2 --witness w",
        "`--witness` names one file",
    ),
    ("check good.aag --resume good.aag", "it is an input"),
    (
        "check good.aag --resume good.prp",
        "good.prp:1: expected a line",
    ),
    (
        "check - --resume r",
        "`--resume` and `--digests` are for files",
    ),
    (
        "check - --digests",
        "`--resume` and `--digests` are for files",
    ),
    ("check good.aag --digests --resume r", "cannot be used with"),
    ("check good.c --link --jobs 2", "cannot be used with"),
    ("check good.c --sarif s --resume r", "cannot be used with"),
    ("check good.aag --witness-dir good.c", "--witness-dir"),
    (
        "check good.aag --witness w --witness-dir d",
        "cannot be used with",
    ),
    ("check good.v -D A\"B", "`yosys` can't be given this name"),
    ("completions tcsh", "tcsh"),
];

#[test]
fn each_misuse_is_one_error_and_touches_no_file() {
    let folder = Folder::new();
    for (name, bytes) in FILES {
        folder.write(name, bytes);
    }
    let names = folder.names();
    let mut wrong = Vec::new();
    for (line, expected) in INPUTS.iter().chain(OPTIONS) {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ran = folder.run(&arguments);
        let n_errors = ran
            .stderr
            .lines()
            .filter(|line| line.starts_with("error: "))
            .count();
        let is_printable = ran.stderr.chars().all(|it| it == '\n' || !it.is_control());
        let is_help = ran.stderr.contains("Usage: ");
        if ran.code != Some(2)
            || (n_errors != 1 && !line.is_empty())
            || (ran.stderr.lines().count() > 1 && !is_help && n_errors != 1)
            || ran.stdout.is_empty() == line.contains("--json")
            || !ran.stderr.contains(expected)
            || !is_printable
        {
            wrong.push(format!("{line}: {ran:?}, expected {expected:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(folder.names(), names);
    for (name, bytes) in FILES {
        assert_eq!(std::fs::read(folder.path(name)).unwrap(), *bytes, "{name}");
    }
    assert!(INPUTS.len() + OPTIONS.len() >= 150);
    assert_eq!(craig(&["--version"]).code, Some(0));
}
