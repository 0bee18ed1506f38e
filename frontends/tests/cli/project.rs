//! `craig run`: projects, what is kept of them, and files of SymbiYosys.

use serde_json::Value;

use crate::run::{Folder, Ran, craig};
use crate::schema::fits;

/// A design of three files with four properties; the last one fails.
const FILES: [(&str, &str); 3] = [
    (
        "counter.sv",
        "module counter #(parameter LIMIT = 5)(input clk, input go, output reg [3:0] x);\ninitial x = 0;\n\
         always @(posedge clk) if (go) x <= x == LIMIT ? 0 : x + 1;\nbelow: assert property (x <= LIMIT);\nendmodule\n",
    ),
    (
        "checks.sv",
        "module checks(input clk, input [3:0] a, input [3:0] b);\nboth: assert property (a != 9);\n\
         apart: assert property (b != 3 || a != 15);\nnear: assert property (b != 3);\nendmodule\n",
    ),
    (
        "top.sv",
        "module top(input clk, input go);\nwire [3:0] a, b;\ncounter #(.LIMIT(5)) one(.clk(clk), .go(go), .x(a));\n\
         counter #(.LIMIT(7)) two(.clk(clk), .go(go), .x(b));\nchecks c(.clk(clk), .a(a), .b(b));\nendmodule\n",
    ),
];

const PROJECT: &str = "top = \"top\"\nfiles = [\"counter.sv\", \"checks.sv\", \"top.sv\"]\n\n[tasks.all]\n\
    expect = [\"fail\"]\n\n[tasks.short]\nmode = \"bmc\"\ndepth = 3\nproperties = [\"near\"]\n";

fn project() -> Folder {
    let folder = Folder::new();
    for (name, text) in FILES {
        folder.write(name, text.as_bytes());
    }
    folder.write("craig.toml", PROJECT.as_bytes());
    folder
}

fn has_yosys(ran: &Ran) -> bool {
    !ran.stderr.contains("`yosys`, which is not installed")
        && !ran.stdout.contains("`yosys`, which is not installed")
}

/// The verdicts of a task's properties, with a mark on those that are kept.
fn verdicts(ran: &Ran, task: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", ran.stdout, ran.stderr));
    let tasks = report["tasks"].as_array().unwrap();
    let found = tasks.iter().find(|found| found["name"] == task).unwrap();
    let properties = found["properties"].as_array().unwrap().iter();
    let shown = |property: &Value| {
        let name = property["name"]
            .as_str()
            .unwrap()
            .split(':')
            .next()
            .unwrap();
        let kept = if property["kept"] == true {
            " kept"
        } else {
            ""
        };
        format!("{name} {}{kept}", property["verdict"].as_str().unwrap())
    };
    properties.map(shown).collect()
}

/// What a change does not touch is kept, and its evidence judged again.
#[test]
fn proofs_outlive_changes_of_other_parts() {
    let folder = project();
    let run = || folder.run(&["run", "--json"]);
    let ran = run();
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let first = [
        "one.below safe",
        "two.below safe",
        "c.both safe",
        "c.apart safe",
        "c.near unsafe",
    ];
    assert_eq!(verdicts(&ran, "all"), first);
    assert_eq!(verdicts(&ran, "short"), ["c.near passed"]);
    let kept: Vec<String> = first.iter().map(|it| format!("{it} kept")).collect();
    assert_eq!(verdicts(&run(), "all"), kept);
    // One counter has another limit, which two properties don't depend on; and lines have moved.
    let top = FILES[2]
        .1
        .replace(".LIMIT(7)", ".LIMIT(8)")
        .replace("wire", "\n\nwire");
    folder.write("top.sv", top.as_bytes());
    let changed = [
        "one.below safe kept",
        "two.below safe",
        "c.both safe kept",
        "c.apart safe",
        "c.near unsafe",
    ];
    assert_eq!(verdicts(&run(), "all"), changed);
    let ran = folder.run(&["run", "craig.toml", "all"]);
    assert!(
        ran.stdout
            .contains("\nFAIL  all (5 properties, 5 kept, runs in "),
        "{}",
        ran.stdout
    );
    let value = fits(
        "run",
        &["run", &folder.path("craig.toml"), "--json"],
        "expected",
    );
    assert_eq!(value["tasks"][0]["status"], "fail");
    let names: Vec<String> = std::fs::read_dir(folder.path(".craig/runs/all"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"b4.c.near.yw".to_owned()), "{names:?}");
}

/// Kept evidence is no answer if it does not hold.
#[test]
fn evidence_that_was_changed_is_not_taken() {
    let folder = project();
    let ran = folder.run(&["run", "--json"]);
    if !has_yosys(&ran) {
        return;
    }
    let mut n_changed = 0;
    for entry in std::fs::read_dir(folder.path(".craig/proofs")).unwrap() {
        let path = entry.unwrap().path();
        let evidence = path.join("evidence.btor2");
        let model = std::fs::read(path.join("model.btor2")).unwrap();
        if evidence.exists() && !std::fs::read(&evidence).unwrap().starts_with(b"sat") {
            // The circuit itself is no inductive invariant of each.
            let text = String::from_utf8(model).unwrap();
            std::fs::write(&evidence, text.replace(" bad ", " output ")).unwrap();
            n_changed += 1;
        }
    }
    assert!(n_changed >= 4);
    let ran = folder.run(&["run", "--json"]);
    let all = verdicts(&ran, "all");
    assert_eq!(
        all.iter().filter(|it| it.ends_with("kept")).count(),
        1,
        "{all:?}"
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn results_that_are_not_expected_have_the_codes_of_symbiyosys() {
    let folder = project();
    let text = PROJECT.replace("expect = [\"fail\"]", "");
    folder.write("fails.toml", text.as_bytes());
    let ran = folder.run(&["run", "fails.toml", "--quiet"]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    folder.write("broken.toml", text.replace("top.sv", "none.sv").as_bytes());
    let ran = folder.run(&["run", "broken.toml"]);
    assert_eq!(ran.code, Some(16), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("none.sv"), "{}", ran.stdout);
    for (name, text, part) in [
        (
            "wrong.toml",
            "tops = 1\n",
            "wrong.toml: line 1: unknown field `tops`",
        ),
        ("project.json", "{}", "project.json: expected a project"),
        (
            "empty.sby",
            "[options]\nmode prove\nskip 2\n",
            "empty.sby: task default: line 3",
        ),
    ] {
        folder.write(name, text.as_bytes());
        let ran = folder.run(&["run", name]);
        assert_eq!(ran.code, Some(16), "{}", ran.stderr);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
}

/// The four modes of SymbiYosys, in one file.
#[test]
fn files_of_symbiyosys_are_projects() {
    let folder = Folder::new();
    let text = "[tasks]\nprove\nbmc\ncover\nlive\n\n[options]\nprove: mode prove\nbmc: mode bmc\nbmc: depth 4\n\
        cover: mode cover\ncover: depth 5\nlive: mode live\nexpect pass\ncover: expect fail\n\n[engines]\nsmtbmc\n\n\
        [script]\nread -formal top.sv\nprep -top top\n\n[file top.sv]\n\
        module top(input clk, input go);\nreg [2:0] x = 0;\nalways @(posedge clk) x <= x == 5 ? 0 : x + 1;\n\
        always @* assert (x < 6);\n  soon: cover property (x == 2);\n  late: cover property (x == 5);\n\
          \x20 again: assert property (s_eventually (x == 0));\nendmodule\n";
    folder.write("top.sby", text.as_bytes());
    let ran = folder.run(&["run", "top.sby", "--json"]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let words = |task: &str| -> Vec<String> {
        let all = verdicts(&ran, task).into_iter();
        all.map(|it| it.rsplit(' ').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(words("prove"), ["safe"]);
    assert_eq!(words("bmc"), ["passed"]);
    assert_eq!(words("cover"), ["reached", "not-reached"]);
    assert_eq!(words("live"), ["safe"]);
    let ran = folder.run(&["run", "top.sby", "bmc", "live", "--quiet"]);
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
    let ran = folder.run(&["run", "top.sby", "other"]);
    assert_eq!(ran.code, Some(16));
    assert!(ran.stderr.contains("no task \"other\""), "{}", ran.stderr);
}

/// Two assertions that are inductive together only, one that fails, and one that is inductive alone.
#[test]
fn assertions_are_proved_together() {
    let folder = Folder::new();
    let design = "module top(input clk, input go);\nreg a = 0, b = 0, c = 0;\nalways @(posedge clk) begin a <= b; b <= a; if (go) c <= 1; end\n\
        first: assert property (!a);\nfails: assert property (!c);\nsecond: assert property (!b);\nalone: assert property (c || !c);\nendmodule\n";
    folder.write("top.sv", design.as_bytes());
    let keys = "top = \"top\"\nfiles = [\"top.sv\"]\n[tasks.all]\nalone = 0\nexpect = [\"fail\"]\n";
    folder.write("craig.toml", keys.as_bytes());
    let ran = folder.run(&["run", "--json"]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let all = ["first safe", "fails unsafe", "second safe", "alone safe"];
    assert_eq!(verdicts(&ran, "all"), all);
    let kept = all.map(|it| format!("{it} kept"));
    assert_eq!(verdicts(&folder.run(&["run", "--json"]), "all"), kept);
    // Evidence that somebody has changed does not count.
    let proofs = folder.path(".craig/proofs");
    let mut n_changed = 0;
    for entry in std::fs::read_dir(proofs).unwrap() {
        let evidence = entry.unwrap().path().join("evidence.btor2");
        let text = std::fs::read_to_string(&evidence).unwrap_or_default();
        // A trace begins otherwise.
        if text.contains(" bad ") {
            let changed: Vec<&str> =
                (text.lines().filter(|line| !line.contains(" bad "))).collect();
            std::fs::write(&evidence, changed.join("\n") + "\n").unwrap();
            n_changed += 1;
        }
    }
    assert_eq!(n_changed, 1);
    let again = verdicts(&folder.run(&["run", "--json"]), "all");
    assert_eq!(
        again,
        [
            "first safe",
            "fails unsafe kept",
            "second safe",
            "alone safe"
        ]
    );
}

/// Blocks of Python are replaced by the lines that they give.
#[test]
fn blocks_of_python_give_lines() {
    let folder = Folder::new();
    folder.write("top.sv", FILES[0].1.as_bytes());
    let project = "[tasks]\nfive\neight\n\n[options]\nmode prove\n\n[engines]\nsmtbmc\n\n[script]\nread -formal top.sv\n\
        --pycode-begin--\nlimit = 8 if 'eight' in tags else 5\noutput('chparam -set LIMIT %d counter' % limit)\n--pycode-end--\n\
        prep -top counter\n\n[files]\ntop.sv\n";
    folder.write("p.sby", project.as_bytes());
    let ran = folder.run(&["run", "p.sby"]);
    if !has_yosys(&ran) || ran.stderr.contains("`python3`") {
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("\nPASS  five (1 property"),
        "{}",
        ran.stdout
    );
}

/// The examples of SymbiYosys end as they say, where `SBY_EXAMPLES` names their folder (`docs/examples` of a checkout).
#[test]
fn examples_of_symbiyosys_end_as_they_say() {
    let examples = std::env::var_os("SBY_EXAMPLES").filter(|folder| !folder.is_empty());
    let Some(examples) = examples else {
        println!("skipped: `SBY_EXAMPLES` is not set");
        return;
    };
    let store = Folder::new();
    // What others need is refused by name: Verific, `$allconst`.
    for name in [
        "demos/fib.sby",
        "demos/memory.sby",
        "demos/up_down_counter.sby",
        "fifo/fifo.sby",
        "fifo/golden/fifo.sby",
        "multiclk/dpmem.sby",
        "puzzles/djb2hash.sby",
        "puzzles/pour_853_to_4.sby",
        "puzzles/wolf_goat_cabbage.sby",
        "quickstart/cover.sby",
        "quickstart/demo.sby",
        "quickstart/memory.sby",
        "quickstart/prove.sby",
        "tristate/tristate.sby",
    ] {
        let path = std::path::Path::new(&examples)
            .join(name)
            .display()
            .to_string();
        let ran = craig(&["run", &path, "--store", &store.path("kept"), "--quiet"]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.stdout, ran.stderr);
    }
}

/// What stands in a process is seen one step later there, and a script may resolve what it was warned of.
#[test]
fn steps_and_drivers_count_as_in_symbiyosys() {
    let folder = Folder::new();
    let text = "[tasks]\nlate process\nsoon process\nplain\n\n[options]\nmode bmc\nlate: depth 6\nsoon: depth 5\nplain: depth 5\n\
        soon: expect pass\n~soon: expect fail\n\n[engines]\nsmtbmc\n\n[script]\nprocess: read -formal -D PROCESS top.sv\n\
        plain: read -formal top.sv\nprep -top top\n\n[file top.sv]\nmodule top(input clk);\nreg [7:0] n = 0;\n\
        always @(posedge clk) n <= n + 1;\n`ifdef PROCESS\nalways @(posedge clk) assert (n < 4);\n`else\n\
        always @* assert (n < 4);\n`endif\nendmodule\n";
    let file = folder.write("steps.sby", text.as_bytes());
    let ran = folder.run(&["run", &file]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let text = "[options]\nmode prove\n\n[engines]\nsmtbmc\n\n[script]\nread -sv top.v\nprep -top top\nflatten; tribuf -formal\n\n\
        [file top.v]\nmodule part(input active, output out);\nassign out = active ? 1'b0 : 1'bz;\nendmodule\n\
        module top(input active, output out);\npart a(.active(active), .out(out));\npart b(.active(!active), .out(out));\nendmodule\n";
    let file = folder.write("drivers.sby", text.as_bytes());
    let ran = folder.run(&["run", &file]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // Without that command, they are in conflict; and a module may have statements alone.
    let file = folder.write(
        "conflict.sby",
        text.replace("; tribuf -formal", "").as_bytes(),
    );
    let ran = folder.run(&["run", &file]);
    assert_eq!(ran.code, Some(16), "{}{}", ran.stdout, ran.stderr);
    let text = "[options]\nmode bmc\nexpect fail\n\n[engines]\nsmtbmc\n\n[script]\nread -sv top.v\nprep -top top\n\n\
        [file top.v]\nmodule top();\nalways @* begin\nassert (1);\nassert (0);\nend\nendmodule\n";
    let file = folder.write("alone.sby", text.as_bytes());
    let ran = folder.run(&["run", &file]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}
