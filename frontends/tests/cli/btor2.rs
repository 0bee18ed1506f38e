//! Word-level circuits: verdicts, runs over words, certificates about the circuit of bits, and conversions.

use crate::run::{Folder, PROVERS, craig, craig_with_input, example};

#[test]
fn a_memory_is_decided_with_evidence() {
    let folder = Folder::new();
    let model = example("memory.btor2");
    let ran = craig(&["check", &model, "--witness", &folder.path("w.aag")]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("SAFE b0 (register_differs)"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("UNSAFE b1 (sum_is_13)"),
        "{}",
        ran.stdout
    );
    assert_eq!(
        folder.names(),
        ["w.aag", "w.b0.aag", "w.b0.model.aag", "w.b1.aag"]
    );
    // The run is over words.
    let run = folder.path("w.b1.aag");
    let text = std::fs::read_to_string(&run).unwrap();
    assert!(text.starts_with("sat\nb1\n#0\n"), "{text}");
    assert!(
        text.contains("data@0") && !text.contains("memory"),
        "{text}"
    );
    let ran = craig(&["certify", &model, &run]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.starts_with("valid unsafe (b1 at step "),
        "{}",
        ran.stdout
    );
    // The certificate holds for the circuit beside it, and for the file.
    let certificate = folder.path("w.b0.aag");
    let beside = folder.path("w.b0.model.aag");
    let ran = craig(&["certify", &beside, &certificate]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "valid safe\n"),
        "{}",
        ran.stderr
    );
    let ran = craig(&["certify", &model, &certificate, "--property", "0"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(
        craig(&["certify", &model, &certificate, "--property", "1"]).code,
        Some(1)
    );
    // So does one over words.
    let words = folder.path("w.btor2");
    let ran = craig(&["check", &model, "--property", "0", "--witness", &words]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let ran = craig(&["certify", &model, &words, "--property", "0"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "valid safe (b0)\n"),
        "{}",
        ran.stderr
    );
    let ran = craig(&["certify", &model, &words]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("INVALID the condition \"safety\""),
        "{}",
        ran.stdout
    );
    // A run with a wrong value shows nothing.
    let wrong = folder.write("wrong", text.replace("b1", "b0").as_bytes());
    let ran = craig(&["certify", &model, &wrong]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("INVALID b0 does not hold"),
        "{}",
        ran.stdout
    );
    assert_eq!(
        craig(&["certify", &model, &run, "--property", "0"]).code,
        Some(1)
    );
}

#[test]
fn every_engine_decides_words() {
    let model = example("memory.btor2");
    for engine in PROVERS.into_iter().chain(["bmc", "sim"]) {
        let ran = craig(&[
            "check",
            &model,
            "--property",
            "1",
            "--engine",
            engine,
            "--timeout",
            "60",
        ]);
        assert_eq!(ran.code, Some(10), "{engine}: {}{}", ran.stdout, ran.stderr);
    }
    for engine in ["kind", "pdr"] {
        let ran = craig(&[
            "check",
            &model,
            "--property",
            "b0",
            "--engine",
            engine,
            "--timeout",
            "60",
        ]);
        assert_eq!(ran.code, Some(20), "{engine}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn runs_are_shown_with_words_and_memories() {
    let folder = Folder::new();
    let model = example("memory.btor2");
    let run = folder.path("run");
    let traced = folder.path("trace.fst");
    let asked = ["check", &model, "--property", "1", "--witness", &run];
    craig(&[&asked[..], &["--trace", &traced]].concat());
    let vcd = folder.path("run.vcd");
    let fst = folder.path("run.fst");
    let ran = craig(&["simulate", &model, &run, "--vcd", &vcd, "--fst", &fst]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("memory[0x"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("sum_is_13 is bad at step "),
        "{}",
        ran.stdout
    );
    let waves = std::fs::read_to_string(&vcd).unwrap();
    assert_eq!(
        std::fs::read(&fst).unwrap(),
        std::fs::read(&traced).unwrap()
    );
    assert!(
        waves.contains("$var wire 4 ") && waves.contains(" memory[0x"),
        "{waves}"
    );
}

/// Several bads are one property.
#[test]
fn the_competition_gets_a_run_over_words() {
    let folder = Folder::new();
    let model = example("memory.btor2");
    let [run, certificate] = ["run", "certificate.aig"].map(|name| folder.path(name));
    let ran = craig(&["hwmcc", &model, &run, &certificate]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(10), "sat\n"),
        "{}",
        ran.stderr
    );
    let ran = craig(&["certify", &model, &run, "--property", "1"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn json_has_the_properties() {
    let ran = craig(&["check", &example("memory.btor2"), "--json"]);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["properties"][0]["name"], "register_differs");
    assert_eq!(value["properties"][0]["verdict"], "safe");
    assert_eq!(value["properties"][1]["verdict"], "unsafe");
    assert_eq!(value["properties"][1]["certified"], true);
}

#[test]
fn circuits_are_converted_to_bits_and_back() {
    let folder = Folder::new();
    let model = example("memory.btor2");
    let [bits, words, again, normal] =
        ["bits.aig", "words.btor2", "again.btor2", "normal.btor2"].map(|name| folder.path(name));
    assert_eq!(craig(&["convert", &model, &bits]).code, Some(0));
    assert_eq!(craig(&["convert", &bits, &words]).code, Some(0));
    assert_eq!(craig(&["convert", &words, &again]).code, Some(0));
    assert_eq!(craig(&["convert", &model, &normal]).code, Some(0));
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&words), read(&again), "the normal form is its own");
    assert!(read(&words).contains("memory[7][3]"));
    assert!(read(&normal).contains(" memory\n"), "{}", read(&normal));
    for file in [&bits, &words, &normal] {
        let ran = craig(&["check", file, "--property", "1", "--engine", "bmc"]);
        assert_eq!(ran.code, Some(10), "{file}: {}{}", ran.stdout, ran.stderr);
    }
    let ran = craig(&["convert", &model, &folder.path("out.txt")]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains(".btor2"), "{}", ran.stderr);
}

#[test]
fn malformed_files_are_rejected_with_the_line() {
    let folder = Folder::new();
    let file = folder.write("model.btor2", b"1 sort bitvec 2\n2 slice 1 1 0 0\n");
    let ran = craig(&["check", &file]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("model.btor2: line 2: expected a value"),
        "{}",
        ran.stderr
    );
    // Standard input is recognised by its first character.
    let text = b"; a comment\n1 sort bitvec 1\n2 input 1\n3 bad 2\n";
    assert_eq!(
        craig_with_input(&["check", "-", "--engine", "bmc"], text).code,
        Some(10)
    );
    assert_eq!(
        craig_with_input(&["check", "-"], b"1 sort bitvec 1\n").code,
        Some(2)
    );
}

/// A counter that stops at 9, and an assertion that it does not get there.
const DESIGN: &str = "module counter(input clk, input go, output reg [3:0] count);\n\
    \x20 initial count = 0;\n\x20 always @(posedge clk) if (go && count < 9) count <= count + 1;\n\
    \x20 always @* assert (count <= 9);\n\x20 always @(posedge clk) lower: assert (count != 9);\nendmodule\n";

/// Where `yosys` is not installed, an error states that.
#[test]
fn verilog_is_read_by_yosys() {
    let folder = Folder::new();
    let design = folder.write("counter.sv", DESIGN.as_bytes());
    let witness = folder.path("w.aag");
    let base = ["check", design.as_str(), "--witness", &witness];
    let ran = craig(&base);
    if ran.stderr.contains("is not installed") {
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        return;
    }
    for clock in [&[][..], &["--top", "counter", "--clock", "clk"]] {
        let ran = craig(&[&base[..], clock].concat());
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("ran yosys -q -p"), "{}", ran.stderr);
        assert!(
            ran.stdout.contains("SAFE b0 (") && ran.stdout.contains("counter.sv:4."),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stdout.contains("UNSAFE b1 (lower:") && ran.stdout.contains("counter.sv:5."),
            "{}",
            ran.stdout
        );
        let model = folder.path("w.model.btor2");
        let ran = craig(&["certify", &model, &folder.path("w.b1.aag")]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
    let text = std::fs::read_to_string(folder.path("w.b1.aag")).unwrap();
    assert!(text.contains("go@0"), "{text}");
    // A macro reaches the design.
    let text = DESIGN.replace("count < 9", "count < `LAST");
    let design = folder.write("last.sv", text.as_bytes());
    for (last, code) in [("LAST=8", 20), ("LAST=9", 10)] {
        let ran = craig(&["check", &design, "-D", last, "-I", &folder.path("")]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
    }
    for wrong in [["--top", "none"], ["--clock", "go"], ["--clock", "none"]] {
        let ran = craig(&[&base[..], &wrong].concat());
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    }
}

/// Of a memory of 2^32 words few are followed: runs and proofs are about the file.
#[test]
fn large_memories_are_searched_with_few_words() {
    let folder = Folder::new();
    let begin = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 zero 2\n5 state 3 memory\n6 init 3 5 4\n\
                 7 input 1 at\n8 input 2 data\n9 write 3 5 7 8\n";
    let end = "11 read 2 5 7\n12 sort bitvec 1\n13 redor 12 11\n14 bad 13\n";
    let model = folder.write(
        "model.btor2",
        format!("{begin}10 next 3 5 9\n{end}").as_bytes(),
    );
    let run = folder.path("run");
    let ran = craig(&["check", &model, "--witness", &run]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let ran = craig(&["certify", &model, &run]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // There is no circuit of bits of the file.
    let ran = craig(&["convert", &model, &folder.path("bits.aag")]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("arrays on which the properties depend"),
        "{}",
        ran.stderr
    );
    // The bad address is none of the first ones.
    let far = format!(
        "{begin}10 next 3 5 9\n11 read 2 5 7\n12 sort bitvec 1\n13 redor 12 11\n\
                       15 slice 12 7 20 20\n16 and 12 13 15\n17 bad 16\n"
    );
    // The memory is never written.
    let empty = format!("{begin}10 next 3 5 5\n{end}");
    for (text, code) in [(&far, 10), (&empty, 20)] {
        let model = folder.write("other.btor2", text.as_bytes());
        let evidence = folder.path("evidence.btor2");
        let ran = craig(&["check", &model, "--witness", &evidence]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
        let ran = craig(&["certify", &model, &evidence]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        // The memory of another circuit starts with ones.
        let other = text.replace("4 zero 2", "4 ones 2");
        let other = folder.write("changed.btor2", other.as_bytes());
        let ran = craig(&["certify", &other, &evidence]);
        let expected = if code == 20 { 1 } else { 0 };
        assert_eq!(ran.code, Some(expected), "{}{}", ran.stdout, ran.stderr);
        // The competition's command decides them, too. The last bad holds in no run.
        let two = format!("{text}30 zero 12\n31 bad 30\n");
        let model = folder.write("two.btor2", two.as_bytes());
        let [run, proof] = ["found", "proof.btor2"].map(|name| folder.path(name));
        let ran = craig(&["hwmcc", &model, &run, &proof]);
        let (answer, evidence) = match code {
            10 => ("sat\n", &run),
            _ => ("unsat\n", &proof),
        };
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert_eq!(ran.stdout, answer);
        let ran = craig(&["certify", &model, evidence]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
    // Memories that are compared.
    let two = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 state 3\n5 state 3\n6 sort bitvec 1\n\
               7 eq 6 4 5\n8 bad 7\n";
    let ran = craig_with_input(&["check", "-"], two.as_bytes());
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
}

/// Justice properties over a memory of 2^32 words, as bads of another circuit. A memory
/// that is never written has only zeros, so that a word that is not 0 is not read infinitely often.
#[test]
fn justice_over_large_memories_is_decided() {
    let folder = Folder::new();
    let text = |next: &str, value: &str| {
        format!(
            "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 zero 2\n5 state 3 memory\n6 init 3 5 4\n\
             7 input 1 at\n8 input 2 data\n9 write 3 5 7 8\n10 next 3 5 {next}\n11 read 2 5 7\n\
             12 sort bitvec 1\n13 redor 12 11\n14 state 12\n15 next 12 14 14\n16 slice 12 7 20 20\n\
             17 justice 2 {value} 16 reads\n"
        )
    };
    for (next, value, code) in [("5", "13", 20), ("5", "-13", 10), ("9", "13", 10)] {
        let model = folder.write("model.btor2", text(next, value).as_bytes());
        let evidence = folder.path("evidence.btor2");
        let ran = craig(&["check", &model, "--witness", &evidence]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
        let judged = match code {
            20 => folder.path("evidence.model.btor2"),
            _ => model,
        };
        let ran = craig(&["certify", &judged, &evidence]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        // Against the opposite, the evidence shows nothing.
        if code == 10 {
            let other = folder.write("other.btor2", text("5", "13").as_bytes());
            let ran = craig(&["certify", &other, &evidence]);
            assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        }
    }
}

/// A list through a memory of 2^32 words: each step goes to the address that it reads, which is higher. None of
/// its words is one of the first.
#[test]
fn errors_that_need_many_words_are_found_as_chains_of_writes() {
    let folder = Folder::new();
    let text = "1 sort bitvec 32\n2 sort bitvec 1\n3 sort array 1 1\n4 sort bitvec 6\n5 constd 1 1048576\n\
                6 state 3 memory\n7 state 1 place\n8 init 1 7 5\n9 zero 4\n10 state 4 count\n11 init 4 10 9\n\
                12 read 1 6 7\n13 next 1 7 12\n14 one 4\n15 add 4 10 14\n16 next 4 10 15\n\
                17 ugt 2 12 7\n18 constraint 17\n19 input 1\n20 write 3 6 7 19\n21 next 3 6 20\n\
                22 constd 4 30\n23 eq 2 10 22\n24 bad 23 end\n";
    let model = folder.write("list.btor2", text.as_bytes());
    let run = folder.path("run");
    let ways: [&[&str]; 3] = [
        &["--threads", "2"],
        &["--threads", "1"],
        &["--engine", "bmc"],
    ];
    for way in ways {
        let ran = craig(&[&["check", &model, "--witness", &run], way].concat());
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        // In the portfolio an abstraction may be first.
        let is_bounded = way.contains(&"bmc");
        assert!(
            !is_bounded || ran.stdout.contains("chains"),
            "{}",
            ran.stdout
        );
        let ran = craig(&["certify", &model, &run]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
    let bounded = craig(&["check", &model, "--engine", "bmc", "--max-depth", "29"]);
    assert_eq!(
        bounded.code,
        Some(30),
        "{}{}",
        bounded.stdout,
        bounded.stderr
    );
}

/// The digit is below 10 whatever the quotient is, and may be 7.
#[test]
fn large_operators_are_abstracted() {
    let folder = Folder::new();
    let text = "1 sort bitvec 1\n2 sort bitvec 96\n3 zero 2\n4 constd 2 10\n5 input 2 x\n6 state 2 digit\n\
                7 init 2 6 3\n8 urem 2 5 4\n9 next 2 6 8\n10 ugte 1 6 4\n11 bad 10 too_large\n\
                12 constd 2 7\n13 eq 1 6 12\n14 bad 13 seven\n";
    let model = folder.write("digit.btor2", text.as_bytes());
    for (property, code) in [("0", 20), ("1", 10)] {
        for name in ["w.aag", "w.btor2"] {
            let witness = folder.path(name);
            let arguments = [
                "check",
                &model,
                "--property",
                property,
                "--witness",
                &witness,
            ];
            // Without the name of an engine, k-induction proves it first.
            let ran = craig(&[&arguments[..], &["--verbose", "--engine", "pdr"]].concat());
            assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
            // The proof needs no more than the range of a remainder. Whether a run of the abstraction is one of the
            // circuit depends on the values that it leaves open, and so on which engine finds it first.
            let note = match property {
                "0" => "operators: 1 large operations are inputs after 1 abstractions",
                _ => "large operations are inputs after 1 abstractions",
            };
            assert!(ran.stderr.contains(note), "{}", ran.stderr);
            let ran = craig(&["certify", &model, &witness, "--property", property]);
            assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        }
    }
    // Together they are one property of the competition.
    let [run, proof] = ["run", "proof.aag"].map(|name| folder.path(name));
    let ran = craig(&["hwmcc", &model, &run, &proof]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let ran = craig(&["certify", &model, &run]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

/// j0 fails: the counter passes 3 again and again. j1 holds: it never stays below 2 for ever.
#[test]
fn justice_properties_are_decided() {
    let folder = Folder::new();
    let text = b"1 sort bitvec 2\n2 zero 1\n3 state 1 count\n4 init 1 3 2\n5 inc 1 3\n6 next 1 3 5\n\
                 7 sort bitvec 1\n8 redand 7 3\n9 justice 1 8 wraps\n10 input 7 tick\n11 state 7 stopped\n\
                 12 zero 7\n13 one 7\n14 next 7 11 13\n15 justice 2 -11 10 starts\n";
    let model = folder.write("model.btor2", text);
    let ran = craig(&["check", &model, "--witness", &folder.path("w.aag")]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("UNSAFE j0 (wraps)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("SAFE j1 (starts)"), "{}", ran.stdout);
    for (number, witness) in [("j0", "w.j0.aag"), ("j1", "w.j1.aag")] {
        let witness = folder.path(witness);
        let ran = craig(&["certify", &model, &witness, "--property", number]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
    // The run is over words.
    let run = std::fs::read_to_string(folder.path("w.j0.aag")).unwrap();
    assert!(run.starts_with("sat\nj0\n#0\n"), "{run}");
    let one = String::from_utf8(text.to_vec()).unwrap();
    let one = one.split("10 input").next().unwrap();
    let one = folder.write("one.btor2", one.as_bytes());
    let [run, proof] = ["run", "proof"].map(|name| folder.path(name));
    let ran = craig(&["hwmcc", &one, &run, &proof]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(10), "sat\n"),
        "{}",
        ran.stderr
    );
    let ran = craig(&["certify", &one, &run]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}
