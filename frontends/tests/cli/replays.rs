//! Runs and proofs of designs in the languages of others: tested with the tools that read them, where they are installed.

use std::path::Path;
use std::process::{Command, Output};

use crate::run::{Folder, Ran, craig, example};

/// A register without initial value, one below an instance, and a memory; the assertion fails in step 3 at the soonest.
const DESIGN: &str = "module part(input clk, input go, input [3:0] d, output reg [3:0] sum);\n\
    initial sum = 0;\nalways @(posedge clk) if (go) sum <= sum + d;\nendmodule\n\
    module dut #(parameter W = 2)(input clk, input go, input [3:0] d, input [W-1:0] at, output [3:0] sum);\n\
    reg [3:0] extra; reg [3:0] words [0:3];\nwire signed [3:0] s = sum;\n\
    part p(.clk(clk), .go(go), .d(words[at]), .sum(sum));\n\
    always @(posedge clk) begin extra <= d; words[extra[1:0]] <= extra; end\n\
    `ifdef FORMAL\nsmall: assert property (sum != 13 || s / 4'sd2 != -4'sd1);\nshown: assert property (sum < 6 || extra != 9);\n\
    held: assume property (d < 10);\n`endif\nendmodule\n";

fn has(tool: &str) -> bool {
    Command::new(tool).arg("-V").output().is_ok()
}

/// Whether the command can read designs.
fn has_yosys(ran: &Ran) -> bool {
    !ran.stderr.contains("`yosys`, which is not installed")
}

fn output(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}

/// Compiles and runs a testbench: whether it passes, and what it says.
fn simulate(folder: &Folder, testbench: &str, design: &str) -> (bool, String) {
    let binary = folder.path("simulation");
    let options = [
        "-g2012",
        "-gno-assertions",
        "-s",
        "craig_testbench",
        "-o",
        &binary,
        testbench,
        design,
    ];
    let compiled = output("iverilog", &options);
    let text = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{text}");
    let ran = output("vvp", &["-n", &binary]);
    (
        ran.status.success(),
        String::from_utf8_lossy(&ran.stdout).into_owned(),
    )
}

/// A testbench passes on the design, and fails on a run with one changed value, and on another design.
#[test]
fn testbenches_replay_runs_in_a_simulator() {
    if !has("iverilog") {
        return;
    }
    let folder = Folder::new();
    let design = folder.write("dut.sv", DESIGN.as_bytes());
    let bench = folder.path("tb.v");
    let ran = craig(&["check", &design, "--testbench", &bench, "--param", "W=2"]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    for name in ["tb.b0.v", "tb.b1.v", "tb.v"] {
        let (passes, text) = simulate(&folder, &folder.path(name), &design);
        assert!(passes && text.contains("PASS: "), "{name}: {text}");
    }
    let text = std::fs::read_to_string(folder.path("tb.b1.v")).unwrap();
    // The value of an input, an expected value of a register, and a value that a memory or register begins with.
    let inputs = text
        .lines()
        .filter(|line| line.trim_start().starts_with("d = "));
    let checks = text
        .lines()
        .filter(|line| line.contains("p.sum !== ") || line.contains("dut.sum !== "));
    let forced = text
        .lines()
        .filter(|line| line.contains("words[") && line.contains(" = 4'b"));
    let lines: Vec<&str> = inputs
        .take(1)
        .chain(checks.take(1))
        .chain(forced.take(1))
        .collect();
    assert!(lines.len() >= 2, "{text}");
    let mut n_failed = 0;
    for line in &lines {
        let at = line.find("4'b").unwrap() + 3;
        let digit = if &line[at..=at] == "0" { "1" } else { "0" };
        let wrong = text.replacen(
            line,
            &format!("{}{digit}{}", &line[..at], &line[at + 1..]),
            1,
        );
        let wrong = folder.write("wrong.v", wrong.as_bytes());
        let (passes, text) = simulate(&folder, &wrong, &design);
        assert_eq!(passes, text.contains("PASS"), "{text}");
        n_failed += usize::from(!passes);
    }
    assert!(n_failed >= 2, "{lines:?}");
    let other = DESIGN.replace("sum <= sum + d", "sum <= sum - d");
    let other = folder.write("other.sv", other.as_bytes());
    let (passes, text) = simulate(&folder, &folder.path("tb.b1.v"), &other);
    assert!(!passes && text.contains("expected"), "{text}");
}

/// A design in which the properties are for formal tools alone: older simulators don't read them.
fn without_properties(text: &str) -> String {
    let line = |line: &str| match line.contains(" property (") {
        true => format!("`ifdef FORMAL\n{line}\n`endif\n"),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Steps that are changes of inputs, and a run that ends in a loop.
#[test]
fn testbenches_have_clocks_and_loops() {
    let designs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/designs");
    for (name, options) in [
        ("two_clocks.sv", &[][..]),
        ("asynchronous.sv", &[]),
        ("never_acknowledged.sv", &[]),
        ("covered.sv", &["--cover"]),
        (
            "reset_two_steps.sv",
            &["--reset", "rst", "--reset-cycles", "2"],
        ),
    ] {
        let folder = Folder::new();
        let text = std::fs::read_to_string(designs.join(name)).unwrap();
        let design = folder.write(name, without_properties(&text).as_bytes());
        let bench = folder.path("tb.v");
        let ran = craig(&[&["check", &design, "--testbench", &bench][..], options].concat());
        if !has_yosys(&ran) || !has("iverilog") {
            return;
        }
        let all = format!("{name}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.code, Some(10), "{all}");
        let (passes, text) = simulate(&folder, &bench, &design);
        assert!(passes, "{all}{text}");
    }
}

/// `yosys-witness` reads the witness, and its newer versions replay it.
#[test]
fn witnesses_of_yosys_are_read_by_its_tool() {
    let folder = Folder::new();
    let design = folder.write("dut.sv", DESIGN.as_bytes());
    let run = folder.path("run.yw");
    let ran = craig(&["check", &design, "--property", "1", "--trace", &run]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let text = std::fs::read_to_string(&run).unwrap();
    let witness: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(witness["format"], "Yosys Witness Trace");
    assert_eq!(witness["clocks"][0]["path"][0], "\\clk");
    let signals = witness["signals"].as_array().unwrap();
    let paths = || signals.iter().map(|signal| signal["path"].to_string());
    assert!(paths().any(|path| path == r#"["\\extra"]"#), "{text}");
    assert!(!paths().any(|path| path.contains("clk")), "{text}");
    let Ok(shown) = Command::new("yosys-witness")
        .args(["display", &run])
        .output()
    else {
        return;
    };
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("go[0]") || shown.contains("go ="), "{shown}");
    let circuit = folder.write(
        "bits.aag",
        b"aag 3 1 1 0 1 1\n2\n4 2 4\n6\n6 4 2\ni0 a[1]\nl0 u.q\nb0 bad\n",
    );
    let run = folder.path("bits.yw");
    let ran = craig(&["check", &circuit, "--trace", &run]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let text = std::fs::read_to_string(&run).unwrap();
    let witness: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(witness["signals"][0]["path"][0], "\\a");
    assert_eq!(witness["signals"][0]["offset"], 1);
    assert_eq!(witness["signals"][1]["init_only"], true);
    let ran = craig(&["check", &circuit, "--trace", &folder.path("run.txt")]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("ends in .yw, .vcd or .fst"),
        "{}",
        ran.stderr
    );
}

/// A property that is not inductive: `even` rules states out that are not reached.
const PROVED: &str = "module part(input clk, input go, output reg [3:0] x);\n\
    initial x = 0;\nalways @(posedge clk) if (go) x <= x == 10 ? 0 : x + 2;\nendmodule\n\
    module dut(input clk, input go);\nwire [3:0] x; reg seen = 0;\n\
    part p(.clk(clk), .go(go), .x(x));\nalways @(posedge clk) seen <= seen | (x == 13);\n\
    never: assert property (!seen);\n// HERE\nendmodule\n";

/// Pasted into the design, the assertions are proved by yosys by induction over one step, and by this command.
#[test]
fn invariants_are_proved_by_induction() {
    let folder = Folder::new();
    let design = folder.write("dut.sv", PROVED.as_bytes());
    let invariant = folder.path("invariant.sv");
    let ran = craig(&["check", &design, "--invariant", &invariant]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let induction = |design: &str| {
        let script = format!(
            "read_verilog -sv -formal {design}; prep -flatten -top dut; async2sync; dffunmap; \
             sat -tempinduct -prove-asserts -set-assumes -maxsteps 1 -verify"
        );
        let ran = output("yosys", &["-p", &script]);
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        (ran.status.success(), text)
    };
    // Alone, the property is not inductive.
    assert!(!induction(&design).0);
    let text = std::fs::read_to_string(&invariant).unwrap();
    assert!(text.contains("assert property"), "{text}");
    let pasted = PROVED.replace("// HERE\n", &text);
    let pasted = folder.write("pasted.sv", pasted.as_bytes());
    let (is_proved, said) = induction(&pasted);
    assert!(is_proved, "{text}{said}");
    let ran = craig(&[
        "check", &pasted, "--engine", "kind", "--only", "--quiet", "--top", "dut",
    ]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
}

/// A system in VMT-LIB is decided and judged as a circuit over words, by the names of its file, and so is the circuit in BTOR2
/// that it is converted to.
/// Names that are escaped, memories that begin at another index or have values from a file in part.
#[test]
fn testbenches_have_awkward_names_and_memories() {
    if !has("iverilog") {
        return;
    }
    let folder = Folder::new();
    let words = folder.write("words.hex", b"A1\n@5 5E\n");
    let names = "module \\top.x (input clk, input \\a[0] , input [1:0] \\b$c );\nreg [1:0] \\q-1 = 0;\n\
        always @(posedge clk) if (\\a[0] ) \\q-1 <= \\b$c ;\nlast: assert property (\\q-1 != 3);\nendmodule\n";
    let offset = "module top(input clk, input [2:0] at, input [3:0] d);\nreg [3:0] m [4:7];\n\
        always @(posedge clk) if (at[2]) m[at] <= d;\nlow: assert property (m[5] == 0 || m[6] != 9);\nendmodule\n";
    let part = format!(
        "module top(input clk);\nreg [7:0] m [0:7]; initial $readmemh(\"{words}\", m);\n\
         third: assert property (m[3] != 7 || m[5] != 8'h5E);\nendmodule\n"
    );
    for (number, text) in [names, offset, &part].into_iter().enumerate() {
        let design = folder.write(&format!("design{number}.sv"), text.as_bytes());
        let bench = folder.path("tb.v");
        let ran = craig(&["check", &design, "--testbench", &bench]);
        if !has_yosys(&ran) {
            return;
        }
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        let (passes, text) = simulate(&folder, &bench, &design);
        assert!(passes && text.contains("PASS: "), "{number}: {text}");
    }
}

/// A value that is chosen once is none that the text could have of its own.
#[test]
fn invariants_have_no_choices_of_their_own() {
    let folder = Folder::new();
    let text = "module top(input clk, input go);\n(* anyconst *) reg [3:0] c; reg [3:0] q; reg ok = 0;\n\
        always @(posedge clk) if (go) begin q <= c; ok <= 1; end\nkept: assert property (!ok || q == c);\nendmodule\n";
    let design = folder.write("dut.sv", text.as_bytes());
    let invariant = folder.path("invariant.sv");
    let ran = craig(&["check", &design, "--invariant", &invariant]);
    if !has_yosys(&ran) {
        return;
    }
    assert!(
        ran.stdout.starts_with("SAFE"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert!(ran.stderr.contains("chosen once"), "{}", ran.stderr);
    // A property that counts after the reset only is not the one of the design.
    let text = "module top(input clk, input rst);\nreg [3:0] n; always @(posedge clk) if (rst) n <= 0; else if (n < 9) n <= n + 1;\n\
        low: assert property (n <= 9);\nendmodule\n";
    let design = folder.write("reset.sv", text.as_bytes());
    let ran = craig(&[
        "check",
        &design,
        "--reset",
        "rst",
        "--invariant",
        &invariant,
    ]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let written = std::fs::read_to_string(&invariant).unwrap();
    assert!(
        written.contains("to be disabled in the design"),
        "{written}"
    );
}

#[test]
fn systems_in_vmt_are_decided() {
    let folder = Folder::new();
    let system = example("waiting.vmt");
    let converted = folder.path("waiting.btor2");
    let ran = craig(&["convert", &system, &converted]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for circuit in [&system, &converted] {
        let witness = folder.path("w");
        let ran = craig(&["check", circuit, "--witness", &witness, "--timeout", "30"]);
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        for line in [
            "SAFE b0 (no-fourth-state)",
            "UNSAFE b1 (few-served)",
            "UNSAFE j0 (waiting-ends)",
        ] {
            assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
        }
        assert!(ran.stdout.contains("served"), "{}", ran.stdout);
        for (evidence, property) in [("w.b0", "0"), ("w.b1", "1"), ("w.j0", "j0")] {
            let evidence = folder.path(evidence);
            // The other system judges it, too.
            let ran = craig(&["certify", &converted, &evidence, "--property", property]);
            assert_eq!(
                ran.code,
                Some(0),
                "{evidence}: {}{}",
                ran.stdout,
                ran.stderr
            );
        }
    }
    let wrong = folder.write("wrong.vmt", b"(declare-const x Real)\n");
    let ran = craig(&["check", &wrong]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("wrong.vmt:1: `Real`: expected Bool"),
        "{}",
        ran.stderr
    );
}

/// A netlist in BLIF is decided, and judged, as a circuit of bits.
#[test]
fn circuits_in_blif_are_decided() {
    let folder = Folder::new();
    let text = ".model m\n.inputs clk d\n.outputs bad never\n.latch d q re clk 0\n.latch n p re clk 1\n\
                .names q d bad\n11 1\n.names p q n\n11 1\n10 1\n.names p never\n0 1\n.end\n";
    let circuit = folder.write("m.blif", text.as_bytes());
    let witness = folder.path("w.aig");
    let ran = craig(&["check", &circuit, "--witness", &witness]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("UNSAFE b0 (bad)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("SAFE b1 (never)"), "{}", ran.stdout);
    for (file, property) in [("w.b0.aig", None), ("w.b1.aig", Some("1"))] {
        let evidence = folder.path(file);
        let mut arguments = vec!["certify", &circuit, &evidence];
        arguments.extend(property.iter().flat_map(|number| ["--property", number]));
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(0), "{file}: {}{}", ran.stdout, ran.stderr);
    }
    let wrong = folder.write(
        "wrong.blif",
        text.replace("11 1\n10", "12 1\n10").as_bytes(),
    );
    let ran = craig(&["check", &wrong]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("wrong.blif: line 9: expected 2 of"),
        "{}",
        ran.stderr
    );
}
