//! Proof harnesses of several files in CBMC's dialect: names, declarations and removed bodies as goto-cc has them.

use craig_mc::Alone;

use crate::{Answer, Engine, Options, Report, run};
use craig_c_lang::lower::Dialect;
use craig_c_lang::source::{LinkedFile, Preprocessing};

/// The report on files, the first one with the entry function, of which some bodies are removed.
fn report(files: &[(&str, &str)], removed: &[&str]) -> Report {
    let directory = tempfile::tempdir().expect("a directory");
    let mut paths = Vec::new();
    for (name, text) in files {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        paths.push(path);
    }
    let mut options = Options {
        engine: Engine::Unwind,
        ..Options::default()
    };
    options.cbmc.dialect = Dialect::Cbmc;
    options.cbmc.removed_bodies = removed.iter().map(|name| name.to_string()).collect();
    options.linked = paths[1..]
        .iter()
        .map(|path| LinkedFile {
            path: path.clone(),
            preprocessing: Preprocessing::default(),
        })
        .collect();
    run(&paths[0], &options, Alone::new().control()).expect("the files are read")
}

fn verdict(files: &[(&str, &str)], removed: &[&str]) -> char {
    match report(files, removed).answer {
        Answer::Safe(_) => 's',
        Answer::Unsafe(_) => 'u',
        Answer::Unknown(_) => '?',
    }
}

#[test]
fn static_functions_of_other_files_have_exported_names() {
    let unit = "static int two(void) { return 2; } int three(void) { return two() + 1; }";
    let other = "static int four(void) { return 4; } int f(void) { return four(); }";
    let harness = |function: &str, value: u32| {
        let name = format!("__CPROVER_file_local_{function}");
        format!("int {name}(void); int main(void) {{ assert({name}() == {value}); return 0; }}")
    };
    let asked = |function: &str, value: u32, files: [&str; 2]| {
        let text = harness(function, value);
        verdict(&[("h.c", &text), (files[0], unit), (files[1], other)], &[])
    };
    assert_eq!(asked("a_b_c_two", 2, ["a-b.c", "z.c"]), 's');
    assert_eq!(asked("a_b_c_two", 3, ["a-b.c", "z.c"]), 'u');
    // The name of the source is not known.
    assert_eq!(asked("a_b_c_two", 2, ["0815_a-b.i", "z.i"]), 's');
    assert_eq!(asked("a_b_c_two", 3, ["0815_a-b.i", "z.i"]), 'u');
    assert_eq!(asked("a_b_c_four", 4, ["0815_a-b.i", "z.i"]), 's');
    // There is none, or there are two.
    assert_eq!(asked("a_b_c_five", 5, ["a-b.c", "z.c"]), '?');
    let text = harness("x_c_two", 2);
    let files = [
        ("h.c", text.as_str()),
        ("a.i", unit),
        (
            "b.i",
            "static int two(void) { return 2; } int g(void) { return two(); }",
        ),
    ];
    assert_eq!(verdict(&files, &[]), '?');
}

#[test]
fn declarations_of_functions_may_differ() {
    // goto-cc links pointers to different types; the definition counts.
    let unit = "struct a { int x; }; int f(struct a *p) { return p->x; }";
    let harness = |value: u32| {
        format!(
            "struct b {{ int y; }}; int f(struct b *p); \
             int main(void) {{ struct b b = {{3}}; assert(f(&b) == {value}); return 0; }}"
        )
    };
    let asked = |text: &str| verdict(&[("h.c", text), ("u.c", unit)], &[]);
    assert_eq!(asked(&harness(3)), 's');
    assert_eq!(asked(&harness(4)), 'u');
    // A call that does not fit is no run of the program.
    assert_eq!(asked("int f(void); int main(void) { return f(); }"), '?');
    // In one file.
    let one = "struct a { int x; }; int f(struct a *p); int f(void *p) { return p != 0; } \
               int main(void) { struct a a; assert(f(&a) == 1); return 0; }";
    assert_eq!(verdict(&[("one.c", one)], &[]), 's');
    assert_eq!(
        verdict(&[("one.c", &one.replace("== 1", "== 0"))], &[]),
        'u'
    );
}

#[test]
fn an_error_needs_what_a_removed_body_returns() {
    let text = "int f(int x) { return x > 0 ? x : 0; } int nondet_int(void); \
                int main(void) { int x = nondet_int(), y = f(x); assert(CLAIM); return 0; }";
    let asked =
        |claim: &str, removed: &[&str]| verdict(&[("h.c", &text.replace("CLAIM", claim))], removed);
    assert_eq!(asked("y >= 0", &[]), 's');
    // Only a value that `f` never returns.
    assert_eq!(asked("y >= 0", &["f"]), '?');
    assert_eq!(asked("y >= x - 1 || x < 9 || y < 0", &["f"]), '?');
    // Also one that it returns.
    assert_eq!(asked("y < 7", &["f"]), 'u');
    assert_eq!(asked("x != 3", &["f"]), 'u');
    assert_eq!(asked("x == x", &["f"]), 's');
}

/// goto-cc keeps the first definition of a function, also where one of them is a `static` function by its exported name.
#[test]
fn the_first_definition_of_a_function_counts() {
    let harness = "int one(void); int main(void) { assert(one() == VALUE); return 0; }";
    let unit = "static int f(void) { return 1; } int one(void) { return f(); }";
    let other = "int __CPROVER_file_local_u_c_f(void) { return 2; }";
    let asked = |value: &str, files: [(&str, &str); 2]| {
        let harness = harness.replace("VALUE", value);
        let report = report(&[("h.c", &harness), files[0], files[1]], &[]);
        let notes = report.notes.iter();
        assert!(
            notes.clone().any(|note| note.contains("two files")),
            "{:?}",
            report.notes
        );
        matches!(report.answer, Answer::Safe(_))
    };
    let files = [("u.c", unit), ("stub.c", other)];
    assert!(asked("1", files) && !asked("2", files));
    let files = [files[1], files[0]];
    assert!(asked("2", files) && !asked("1", files));
}
