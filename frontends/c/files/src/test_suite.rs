//! Tests in the exchange format of Test-Comp, version 1.1
//! (<https://gitlab.com/sosy-lab/software/test-format>).

use std::fmt::Write as _;

use crate::task::Task;
use craig_c_exec::concrete::error_path::PathStep;
use craig_c_lang::types::DataModel;

fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn head(root: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE {root} PUBLIC \"+//IDN \
         sosy-lab.org//DTD \
         test-format {root} 1.1//EN\" \"https://sosy-lab.org/test-format/{root}-1.1.dtd\">\n"
    )
}

/// The file `metadata.xml` of a suite.
#[must_use]
pub fn test_metadata(task: &Task) -> String {
    let mut text = head("test-metadata") + "<test-metadata>\n";
    let architecture = match task.model {
        DataModel::Lp64 => "64bit",
        DataModel::Ilp32 => "32bit",
    };
    let producer = format!("craig {}", env!("CARGO_PKG_VERSION"));
    for (name, value) in [
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &task.specification),
        ("programfile", &task.file),
        ("programhash", &task.hash),
        ("entryfunction", &task.entry),
        ("architecture", architecture),
        ("creationtime", &task.time),
    ] {
        let _ = writeln!(text, "  <{name}>{}</{name}>", xml(value));
    }
    text + "</test-metadata>\n"
}

/// One test of a suite: the return values of the input functions, in the order of their calls; `is_error`:
/// whether they lead to an error, and not to a goal.
#[must_use]
pub fn test_case(path: &[PathStep], is_error: bool) -> String {
    let attribute = if is_error {
        " coversError=\"true\""
    } else {
        ""
    };
    let mut text = head("testcase") + &format!("<testcase{attribute}>\n");
    for chosen in path.iter().filter_map(|step| step.chosen.as_ref()) {
        if chosen
            .function
            .as_ref()
            .is_some_and(|name| name.contains("nondet_"))
        {
            let _ = writeln!(
                text,
                "  <input type=\"{}\">{}</input>",
                xml(chosen.ty),
                xml(&chosen.number)
            );
        }
    }
    text + "</testcase>\n"
}
