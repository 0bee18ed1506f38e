//! The pages in a browser: nothing is cut off, on a wide screen and on a telephone.

use std::process::Command;

use crate::run::{Folder, craig, example};

/// The browser, where it is installed.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| {
        let run = Command::new(name).arg("--version").output();
        run.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: chromium is not installed");
    }
    found
}

/// Whether a page is as wide as its window, in a frame of this width: `scrollWidth clientWidth` of it, and of the elements
/// that are wider than it without being scrolled.
fn measured(browser: &str, folder: &Folder, page: &str, width: u32) -> String {
    let text = page.replace('&', "&amp;").replace('"', "&quot;");
    let script = "const root = f.contentDocument.documentElement; document.title = `fit ${root.scrollWidth} ${root.clientWidth}`;";
    let frame = format!(
        "<!DOCTYPE html><iframe id=\"f\" width=\"{width}\" height=\"900\" style=\"border:0\" onload=\"{script}\" srcdoc=\"{text}\"></iframe>"
    );
    let path = folder.write("frame.html", frame.as_bytes());
    let profile = folder.path("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--window-size=1400,1000", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={profile}"))
        .arg(format!("file://{path}"))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let title = dom
        .split("<title>")
        .find_map(|part| part.strip_prefix("fit "));
    let title = title.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    title.split('<').next().unwrap().to_owned()
}

#[test]
fn nothing_is_cut_off_on_any_page() {
    let folder = Folder::new();
    let path = folder.path("page.html");
    let several = example("several.aag");
    let words = example("memory.btor2");
    let unsafe_c = example("average_unsafe.c");
    let safe_c = example("locked_counter_safe.c");
    let justice = example("requests.aag");
    let arbiter = example("arbiter_safe.aag");
    let project = crate::proofs::project();
    let proofs = project.path("proofs");
    let proofs = ["proofs", &proofs, "--only", "good", "--html", &path];
    let commands: [&[&str]; 9] = [
        &proofs,
        &["strength", &arbiter, "--bound", "3", "--html", &path],
        &["check", &several, "--html", &path],
        &["check", &words, "--html", &path],
        &["check", &justice, "--html", &path],
        &["check", &unsafe_c, "--c-engine", "unwind", "--html", &path],
        &[
            "check", &safe_c, "--check", "all", "--each", "--html", &path,
        ],
        &[
            "check",
            &unsafe_c,
            "--engine",
            "impact",
            "--unwinding",
            &path,
        ],
        &["test", &unsafe_c, "--html", &path],
    ];
    let browser = browser();
    for arguments in commands {
        if arguments[0] == "proofs" && !crate::proofs::is_installed("make") {
            continue;
        }
        let ran = craig(arguments);
        assert!(matches!(ran.code, Some(0 | 10 | 20 | 30)), "{ran:?}");
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        for part in [
            "name=\"viewport\"",
            "prefers-color-scheme: dark",
            "@media print",
            " UTC",
        ] {
            assert!(page.contains(part), "{arguments:?}: {part}");
        }
        let outside = ["http://", "https://", "src=\"/"]
            .iter()
            .any(|part| page.contains(part));
        assert!(!outside, "{arguments:?}");
        let Some(browser) = browser else { continue };
        for width in [390, 1280] {
            let fit = measured(browser, &folder, &page, width);
            let numbers: Vec<u32> = fit.split(' ').map(|it| it.parse().unwrap()).collect();
            assert!(numbers[0] <= numbers[1], "{arguments:?} at {width}: {fit}");
            assert!(numbers[1] <= width);
        }
    }
}

#[test]
fn a_page_has_verdict_evidence_run_and_engines() {
    let folder = Folder::new();
    let path = folder.path("page.html");
    let page = |arguments: &[&str]| {
        let ran = craig(&[arguments, &["--html", &path]].concat());
        assert!(matches!(ran.code, Some(0 | 10 | 20)), "{ran:?}");
        std::fs::read_to_string(&path).unwrap()
    };
    let circuit = page(&[
        "check",
        &example("arbiter_unsafe.aag"),
        "--engine",
        "bmc",
        "--only",
    ]);
    for part in [
        "<span class=\"badge unsafe\">UNSAFE</span>",
        "checked on the circuit of the file",
        "\"group\":\"bad\",\"name\":\"two_grants\"",
        "Engines over the time",
        "Statistics",
        "conflicts",
    ] {
        assert!(circuit.contains(part), "{part}");
    }
    // Of several properties, the one that the run is about is marked.
    let several = page(&["check", &example("several.aag"), "--property", "1"]);
    assert!(several.contains("\"group\":\"bad\",\"name\":\"red\""));
    assert!(several.contains("\"group\":\"other\",\"name\":\"red_and_green\""));
    let program = page(&[
        "check",
        &example("average_unsafe.c"),
        "--c-engine",
        "unwind",
    ]);
    assert!(
        program.contains("<tr class=\"error\"><td class=\"number\">16</td>"),
        "{program}"
    );
    assert!(program.contains("<span class=\"value input\">__VERIFIER_nondet_uint gives "));
    let tests = page(&["test", &example("average_unsafe.c")]);
    for part in [
        "<code>__VERIFIER_nondet_uint() = ",
        "<h2>Functions</h2>",
        "href=\"#t1\"",
        "100.0 %",
    ] {
        assert!(tests.contains(part), "{part}");
    }
}
