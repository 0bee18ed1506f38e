//! What `--json` prints is what `craig schema` says.

use serde_json::Value;

use crate::run::{Folder, craig, example};

/// Whether a value has a type of JSON Schema.
fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => panic!("the type {name} is not known here"),
    }
}

/// What is wrong with a value, by the keywords that the schema uses; others are refused.
fn faults(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    let all = schema.as_object().unwrap();
    for (keyword, rule) in all {
        let list = || rule.as_array().unwrap();
        let n_fitting = || {
            let fits = |one: &&Value| faults(root, one, value, place).is_empty();
            list().iter().filter(fits).count()
        };
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" | "required" | "additionalProperties" => {
            }
            "$ref" => {
                let target = rule.as_str().unwrap().trim_start_matches('#');
                found.extend(faults(root, root.pointer(target).unwrap(), value, place));
            }
            "oneOf" if n_fitting() != 1 => {
                found.push(format!("{place}: {} of the alternatives fit", n_fitting()));
            }
            "anyOf" if n_fitting() == 0 => found.push(format!("{place}: no alternative fits")),
            "oneOf" | "anyOf" => {}
            "const" if value != rule => found.push(format!("{place}: {value} is not {rule}")),
            "enum" if !list().contains(value) => {
                found.push(format!("{place}: {value} is not in {rule}"));
            }
            "const" | "enum" => {}
            "type" => {
                let names = rule
                    .as_array()
                    .cloned()
                    .unwrap_or_else(|| vec![rule.clone()]);
                if !names
                    .iter()
                    .any(|name| has_type(value, name.as_str().unwrap()))
                {
                    found.push(format!("{place}: {value} is no {rule}"));
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(faults(root, rule, item, &format!("{place}/{index}")));
                }
            }
            "properties" => found.extend(members(root, schema, value, place)),
            other => panic!("the keyword {other} is not known here"),
        }
    }
    if !all.contains_key("properties") && schema["additionalProperties"].is_object() {
        found.extend(members(root, schema, value, place));
    }
    found
}

/// What is wrong with the members of an object.
fn members(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Some(object) = value.as_object() else {
        return found;
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str().unwrap()) {
            found.push(format!("{place}: {name} is missing"));
        }
    }
    for (name, member) in object {
        let place = format!("{place}/{name}");
        match (
            schema["properties"].get(name),
            &schema["additionalProperties"],
        ) {
            (Some(rule), _) => found.extend(faults(root, rule, member, &place)),
            (None, rule @ Value::Object(_)) => found.extend(faults(root, rule, member, &place)),
            (None, _) => found.push(format!("{place}: it is not in the schema")),
        }
    }
    found
}

/// The schema of the definition of this name, and of all.
fn schemas(name: &str) -> (Value, Value) {
    let all: Value = serde_json::from_str(&craig(&["schema"]).stdout).unwrap();
    (all.clone(), all["$defs"][name].clone())
}

/// Runs a command; its object fits the definition of this name, and no other.
pub(crate) fn fits(name: &str, arguments: &[&str], verdict: &str) -> Value {
    let ran = craig(arguments);
    let value: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}{}", ran.stdout, ran.stderr));
    let (all, own) = schemas(name);
    let found = faults(&all, &own, &value, "");
    assert!(found.is_empty(), "{arguments:?}: {}", found.join("\n"));
    let found = faults(&all, &all, &value, "");
    assert!(found.is_empty(), "{arguments:?}: {}", found.join("\n"));
    assert_eq!(value["verdict"], verdict, "{value}");
    assert_eq!(value["exit_code"].as_i64(), ran.code.map(i64::from));
    value
}

#[test]
fn all_objects_are_as_the_schema_says() {
    let folder = Folder::new();
    let witness = folder.path("run.txt");
    let several = example("several.aag");
    let check = [
        "check",
        &several,
        "--json",
        "--property",
        "1",
        "--witness",
        &witness,
    ];
    let value = fits("check", &check, "unsafe");
    assert_eq!(value["inputs"][0]["file"], several);
    assert_eq!(value["inputs"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(value["tool"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(value["properties"][0]["class"], "bad");
    assert_eq!(value["properties"][0]["files"][0], witness);
    fits(
        "certify",
        &["certify", &several, &witness, "--json"],
        "valid",
    );
    let value = fits(
        "simulate",
        &["simulate", &several, &witness, "--json"],
        "valid",
    );
    let steps = value["n_steps"].as_u64().unwrap() as usize;
    assert_eq!(
        value["signals"][0]["values"].as_array().unwrap().len(),
        steps
    );
    let pdr = [
        "check",
        &example("counter_safe.aag"),
        "--engine",
        "pdr",
        "--only",
        "--json",
    ];
    let value = fits("check", &pdr, "safe");
    assert!(
        value["properties"][0]["statistics"]["queries"]
            .as_u64()
            .unwrap()
            > 0
    );
    let shallow = [
        "check",
        &example("counter_unsafe.aag"),
        "--engine",
        "bmc:max-depth=1",
        "--only",
        "--json",
    ];
    let value = fits("check", &shallow, "unknown");
    let tried = value["properties"][0]["tried"][0].as_str().unwrap();
    assert!(tried.starts_with("bmc (no bad before step "), "{tried}");
    assert!(
        !value["properties"][0]["next"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let unsafe_c = [
        "check",
        &example("average_unsafe.c"),
        "--c-engine",
        "unwind",
        "--json",
    ];
    let value = fits("check", &unsafe_c, "unsafe");
    assert_eq!(value["properties"][0]["class"], "all");
    let each = [
        "check",
        &example("average_safe.c"),
        "--each",
        "--json",
        "--c-engine",
        "unwind",
    ];
    let value = fits("check", &each, "safe");
    assert_eq!(value["properties"][0]["class"], "assertion");
    let cover = [
        "check",
        &example("average_safe.c"),
        "--cover",
        "branch",
        "--json",
    ];
    fits("check", &cover, "unsafe");
    let formula = example("pigeons_sat.cnf");
    let value = fits("sat", &["sat", &formula, "--json"], "satisfiable");
    let n_literals = value["model"].as_array().unwrap().len() as u64;
    assert_eq!(value["variables"].as_u64(), Some(n_literals));
    let value = fits(
        "sat",
        &[
            "sat",
            &formula,
            "--json",
            "--enumerate=2",
            "--project",
            "1 2",
        ],
        "satisfiable",
    );
    assert!(!value["models"].as_array().unwrap().is_empty());
    let formula = example("pigeons_unsat.cnf");
    fits(
        "sat",
        &["sat", &formula, "--json", "--check"],
        "unsatisfiable",
    );
    let value = fits(
        "sat",
        &["sat", &formula, "--json", "--threads", "2"],
        "unsatisfiable",
    );
    assert_eq!(value["workers"].as_array().unwrap().len(), 2);
    let arbiter = example("arbiter_safe.aag");
    let itp = [
        "itp", &arbiter, "--bound", "3", "--cut", "1", "--verify", "--json",
    ];
    fits("itp", &itp, "interpolated");
    let reached = example("arbiter_unsafe.aag");
    let itp = ["itp", &reached, "--bound", "8", "--cut", "1", "--json"];
    fits("itp-unanswered", &itp, "satisfiable");
    fits(
        "test",
        &["test", &example("average_unsafe.c"), "--json"],
        "decided",
    );
    let script = example("interpolants.smt2");
    let value = fits("smt", &["smt", &script, "--json"], "answered");
    let first = &value["answers"][0];
    assert_eq!(
        (&first["command"], &first["text"]),
        (&"check-sat".into(), &"unsat".into())
    );
    let study = [
        "strength",
        &arbiter,
        "--bound",
        "2",
        "--seeds",
        "1",
        "--random",
        "1",
        "--json",
        "--convergence",
        "--engines",
        "imc",
        "--systems",
        "mcmillan",
    ];
    let value = fits("strength", &study, "studied");
    let problem = &value["problems"][0];
    assert!(
        !problem["interpolants"].as_array().unwrap().is_empty(),
        "{problem}"
    );
    assert!(!problem["runs"].as_array().unwrap().is_empty(), "{problem}");
}

/// The answers before an error in a script are in its object.
#[test]
fn a_script_with_an_error_keeps_its_answers() {
    let folder = Folder::new();
    let text = b"(set-option :print-success true)\n(check-sat)\n(assert p)\n";
    let script = folder.write("s.smt2", text);
    let value = fits("smt", &["smt", &script, "--json"], "error");
    assert_eq!(value["answers"].as_array().unwrap().len(), 2);
    assert_eq!(value["answers"][1]["line"], 2);
    assert!(
        value["reason"]
            .as_str()
            .unwrap()
            .contains("`p` is not declared")
    );
}

#[test]
fn a_failure_is_an_object_too() {
    for (arguments, part) in [
        (&["check", "missing.aag", "--json"][..], "missing.aag"),
        (&["check", "missing.c", "--json"], "missing.c"),
        (
            &["check", "x.aag", "--json", "--no-such-option"],
            "--no-such-option",
        ),
        (&["sat", "missing.cnf", "--json"], "missing.cnf"),
        (&["certify", "missing.aag", "w", "--json"], "missing.aag"),
        (&["simulate", "missing.aag", "w", "--json"], "missing.aag"),
        (&["itp", "missing.aag", "--json"], "missing.aag"),
        (&["test", "missing.c", "--json"], "missing.c"),
        (&["smt", "missing.smt2", "--json"], "missing.smt2"),
        (&["strength", "missing.cnf", "--json"], "missing.cnf"),
    ] {
        let value = fits("failure", arguments, "error");
        let error = value["error"].as_str().unwrap();
        assert!(error.contains(part), "{error}");
        assert_eq!(value["exit_code"], 2);
    }
}

#[test]
fn a_value_that_is_not_as_the_schema_says_is_found() {
    let ran = craig(&["check", &example("fifo_safe.aag"), "--json", "--quiet"]);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    let (all, _) = schemas("check");
    assert!(faults(&all, &all, &value, "").is_empty());
    for (pointer, wrong) in [
        ("/schema", Value::from(1)),
        ("/verdict", Value::from("fine")),
        ("/properties/0/depth", Value::from("three")),
        ("/properties/0/statistics", Value::from(7)),
    ] {
        let mut other = value.clone();
        *other.pointer_mut(pointer).unwrap() = wrong;
        assert!(!faults(&all, &all, &other, "").is_empty(), "{pointer}");
    }
    let mut other = value.clone();
    other["more"] = Value::from(1);
    assert!(!faults(&all, &all, &other, "").is_empty());
    other = value;
    other.as_object_mut().unwrap().remove("seconds");
    assert!(!faults(&all, &all, &other, "").is_empty());
}

/// The commit is in the version; builds without a repository say so.
#[test]
fn the_version_has_the_commit() {
    let ran = craig(&["--version"]);
    let mut lines = ran.stdout.lines();
    let text = lines.next().unwrap();
    let commit = text.strip_prefix(&format!("craig {} (", env!("CARGO_PKG_VERSION")));
    let commit = commit.and_then(|rest| rest.strip_suffix(')')).unwrap();
    let is_hash = commit.len() == 12 && commit.chars().all(|it| it.is_ascii_hexdigit());
    assert!(is_hash || commit == "unknown", "{text}");
    // And what the build has.
    assert!(lines.next().unwrap().starts_with("built for "));
    let engines: Vec<&str> = lines.next().unwrap().split(' ').collect();
    assert!(
        engines.contains(&"pdr") && engines.contains(&"bdd"),
        "{engines:?}"
    );
    assert_eq!(craig(&["-V"]).stdout.trim(), text);
}

#[test]
fn properties_of_programs_are_listed_and_chosen_by_name() {
    let file = example("average_unsafe.c");
    let value = fits("listing", &["check", &file, "--list", "--json"], "listed");
    let name = value["properties"][0]["name"].as_str().unwrap();
    assert_eq!(name, "main.assertion.1");
    let chosen = craig(&["check", &file, "--property", name, "--c-engine", "unwind"]);
    assert_eq!(chosen.code, Some(10), "{}", chosen.stderr);
    let listed = craig(&["check", &file, "--list"]);
    assert!(listed.stdout.contains(name), "{}", listed.stdout);
    let missing = craig(&["check", &file, "--property", "main.assertion.9"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stdout);
    assert!(missing.stderr.contains("`--list`"), "{}", missing.stderr);
    let circuit = craig(&["check", &example("several.aag"), "--property", name]);
    assert_eq!(circuit.code, Some(2), "{}", circuit.stdout);
}
