//! `--sarif FILE`.

use std::path::Path;

use serde_json::Value;

use crate::run::{Folder, craig, example};

/// A log, after a check of the used parts against the schema of SARIF 2.1.0.
fn log(path: &str) -> Value {
    let log: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(
        log["$schema"]
            .as_str()
            .unwrap()
            .ends_with("sarif-schema-2.1.0.json")
    );
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "craig");
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        let id = rule["id"].as_str().unwrap();
        assert!(rule["shortDescription"]["text"].is_string());
        assert_eq!(rules.iter().filter(|other| other["id"] == id).count(), 1);
    }
    for invocation in runs[0]["invocations"].as_array().unwrap() {
        assert!(invocation["executionSuccessful"].is_boolean());
        for notification in invocation["toolExecutionNotifications"].as_array().unwrap() {
            assert!(notification["message"]["text"].is_string());
        }
    }
    for result in runs[0]["results"].as_array().unwrap() {
        assert!(result["message"]["text"].is_string());
        // A result of another kind than `fail` has no level.
        assert_eq!(
            (&result["kind"], &result["level"]),
            (&"fail".into(), &"error".into())
        );
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(!result["locations"].as_array().unwrap().is_empty());
        let flows = result["codeFlows"].as_array().unwrap();
        let steps = flows
            .iter()
            .flat_map(|flow| flow["threadFlows"].as_array().unwrap());
        let steps = steps.flat_map(|flow| flow["locations"].as_array().unwrap());
        let steps = steps.map(|step| {
            assert!(step["location"]["message"]["text"].is_string());
            &step["location"]
        });
        for place in result["locations"].as_array().unwrap().iter().chain(steps) {
            let place = &place["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.is_empty() && !uri.contains([' ', '<', '\\']), "{uri}");
            assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
            if let Some(column) = place["region"].get("startColumn") {
                assert!(column.as_u64().unwrap() > 0);
            }
        }
    }
    log
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn errors_are_results_with_their_paths() {
    let folder = Folder::new();
    let path = folder.path("log.sarif");
    let ran = craig(&["check", &example("average_unsafe.c"), "--sarif", &path]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(ran.stdout.starts_with("UNSAFE"), "{}", ran.stdout);
    let log = log(&path);
    let [result] = results(&log).as_slice() else {
        panic!("{log}");
    };
    assert_eq!(result["ruleId"], "assertion");
    let place = &result["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.ends_with("average_unsafe.c"), "{uri}");
    let line = place["region"]["startLine"].as_u64().unwrap() as usize;
    let text = std::fs::read_to_string(example("average_unsafe.c")).unwrap();
    assert!(
        text.lines().nth(line - 1).unwrap().contains("assert"),
        "{line}"
    );
    let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(flow.as_array().unwrap().len() > 1);
}

#[test]
fn each_property_is_by_itself_and_what_is_not_decided_is_no_result() {
    let folder = Folder::new();
    let text = "extern int nondet_int(void);\nint main(void)\n{\n  int x = nondet_int();\n\
                \x20 int y = x + 1;\n  int z = 10 / y;\n  unsigned h = 1;\n\
                \x20 for (int i = 0; i < x; i++)\n    h = h * 2654435761u ^ (h >> 7) * (unsigned)x;\n\
                \x20 int w = 10 / (int)(h * 2 + 1 - 4123u * 2);\n  return z + w;\n}\n";
    let file = folder.write("a b.c", text.as_bytes());
    let path = folder.path("log.sarif");
    let ran = craig(&[
        "check",
        &file,
        "--each",
        "--check",
        "overflow,div",
        "--sarif",
        &path,
        "--json",
        "--timeout",
        "5",
    ]);
    let log = log(&path);
    assert_eq!(
        log["runs"][0]["invocations"][0]["exitCode"],
        ran.code.unwrap()
    );
    let found = |rule: &str, line: u64| {
        results(&log).iter().any(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            result["ruleId"] == rule && place["region"]["startLine"] == line
        })
    };
    assert!(found("signed-overflow", 5), "{log}");
    assert!(found("division-by-zero", 6), "{log}");
    let uri = &results(&log)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().unwrap().ends_with("a%20b.c"), "{uri}");
    assert!(uri.as_str().unwrap().starts_with("file:///"), "{uri}");
}

#[test]
fn a_log_is_there_whatever_the_verdict() {
    let folder = Folder::new();
    let path = folder.path("log.sarif");
    let ran = craig(&["check", &example("average_safe.c"), "--sarif", &path]);
    assert_eq!(ran.code, Some(20), "{ran:?}");
    let safe = log(&path);
    assert!(results(&safe).is_empty());
    let nested = b"int main(void) { int x = 1; int f(int y) { return x + y; } return f(2); }\n";
    let unknown = folder.write("nested.c", nested);
    let ran = craig(&["check", &unknown, "--sarif", &path]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    let unknown = log(&path);
    assert!(results(&unknown).is_empty());
    let notifications = &unknown["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notifications[0]["level"], "warning", "{unknown}");
    assert!(
        notifications[0]["message"]["text"]
            .as_str()
            .unwrap()
            .contains("not decided")
    );
    // Not for circuits.
    std::fs::remove_file(&path).unwrap();
    let (circuit, safe) = (example("arbiter_unsafe.aag"), example("average_safe.c"));
    for inputs in [vec![&circuit], vec![&safe, &circuit]] {
        let mut arguments = vec!["check", "--sarif", &path];
        arguments.extend(inputs.iter().map(|input| input.as_str()));
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(!Path::new(&path).exists());
    }
}

/// One run with the results of all inputs, and an invocation for each.
#[test]
fn several_inputs_have_one_log() {
    let folder = Folder::new();
    let path = folder.path("log.sarif");
    let (safe, unsafe_) = (example("average_safe.c"), example("average_unsafe.c"));
    let bad = folder.write("bad.c", b"int main(void) { return ( }\n");
    let other = b"void reach_error(void);\nint main(void) { reach_error(); return 0; }\n";
    let other = folder.write("other.c", other);
    for output in ["--quiet", "--json"] {
        let inputs = [&unsafe_, &bad, &safe, &other].map(String::as_str);
        let arguments = [&["check", "--sarif", &path, output][..], &inputs].concat();
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("bad.c"), "{}", ran.stderr);
        let log = log(&path);
        let uri = |result: &Value| {
            let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
            place["uri"].as_str().unwrap().to_owned()
        };
        let places: Vec<String> = results(&log).iter().map(uri).collect();
        assert_eq!(places.len(), 2, "{places:?}");
        assert!(places[0].ends_with("average_unsafe.c") && places[1].ends_with("other.c"));
        let invocations = log["runs"][0]["invocations"].as_array().unwrap();
        let codes: Vec<i64> = (invocations.iter())
            .map(|invocation| invocation["exitCode"].as_i64().unwrap())
            .collect();
        assert_eq!(codes, [10, 2, 20, 10]);
        assert_eq!(invocations[1]["executionSuccessful"], false);
        let message = &invocations[1]["toolExecutionNotifications"][0]["message"]["text"];
        assert!(message.as_str().unwrap().contains("bad.c:1"), "{message}");
    }
    assert_eq!(folder.names(), ["bad.c", "log.sarif", "other.c"]);
}
