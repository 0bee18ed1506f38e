//! Programs of several files: `craig check --link A.c B.c` and `craig check compile_commands.json`.

use crate::run::{Folder, Ran, craig};

const HEAD: &str = "extern void reach_error(void);\nextern int nondet_int(void);\n";

fn check(folder: &Folder, files: &[&str], options: &[&str]) -> Ran {
    let names = ["a.c", "b.c", "c.c"];
    let paths: Vec<String> = (names.iter().zip(files))
        .map(|(name, text)| folder.write(name, format!("{HEAD}{text}\n").as_bytes()))
        .collect();
    let mut arguments = vec!["check", "--link"];
    arguments.extend(paths.iter().map(String::as_str));
    arguments.extend(options);
    craig(&arguments)
}

/// Each program with its exit code. The verdicts agree with the behaviour of `gcc a.c b.c`.
#[test]
fn files_share_what_is_external_and_nothing_else() {
    let folder = Folder::new();
    let cases: &[(&[&str], i32)] = &[
        // Statics of one name in two files, objects and functions.
        (
            &[
                "static int n = 1; static int f(void) { return n; } int g(void);\n\
                 int main(void) { if (f() != 1 || g() != 5) reach_error(); return n - 1; }",
                "static int n = 2; static int f(void) { return n + 3; } int g(void) { return f(); }",
            ],
            20,
        ),
        (
            &[
                "static int f(void); int g(void);\n\
                 int main(void) { if (g() != f()) reach_error(); return 0; }\n\
                 static int f(void) { return 1; }",
                "static int f(void) { return 2; } int g(void) { return f(); }",
            ],
            10,
        ),
        // What a function of the other file calls and changes refers to that file's names.
        (
            &[
                "int up(void); int peek(void); static int n; static int f(void) { return 0; }\n\
                 int main(void) { if (peek() + up() != 0) reach_error(); return n + f(); }",
                "static int n; static int f(void) { return n += 5; } int up(void) { f(); return 0; }\n\
                 int peek(void) { return n; }",
            ],
            10,
        ),
        (
            &[
                "int up(void); struct s { int a; }; int sum(struct s, int); struct s get(void);\n\
                 int look(void); int main(void) { if (look() + up() != 0) reach_error(); return 0; }",
                "struct s { int a; }; static struct s g; static int *p = &g.a;\n\
                 int up(void) { *p = 7; return 0; } int look(void) { struct s c = g; return c.a; }",
            ],
            10,
        ),
        (
            &[
                "int up(void); int peek(void); int g(void) { return 0; }\n\
                 int main(void) { if (peek() + up() != 0) reach_error(); return g(); }",
                "static int n; static int f(void) { n = 3; return 0; } static int (*g)(void) = f;\n\
                 int up(void) { return g(); } int peek(void) { return n; }",
            ],
            10,
        ),
        // The address of a static function, called in the other file.
        (
            &[
                "static int f(void) { return 1; } int g(int (*)(void));\n\
                 int main(void) { if (g(f) != 12) reach_error(); return 0; }",
                "static int f(void) { return 2; }\n\
                 int g(int (*h)(void)) { int (*own)(void) = f; return h() * 10 + own(); }",
            ],
            20,
        ),
        // An external object, also declared in a block; its array is completed in the other file.
        (
            &[
                "extern int a[]; extern int total;\n\
                 int main(void) { extern int more; a[2] = 7; total += more;\n\
                 int sum(void); if (sum() != 7 || total != 12) reach_error(); return 0; }",
                "int a[3]; int total = 3; int more = 9;\n\
                 int sum(void) { int s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s; }",
            ],
            20,
        ),
        // Without a definition, an external object has any value.
        (
            &[
                "extern int x; int main(void) { if (x == 77) reach_error(); return 0; }",
                "extern int x; int get(void) { return x; }",
            ],
            10,
        ),
        (
            &[
                "extern int x; int main(void) { if (x == 77) reach_error(); return 0; }",
                "int x;",
            ],
            20,
        ),
        // Types, enumerators and macros of one name are local to their files.
        (
            &[
                "typedef char T; enum { N = 1 }; struct s { int a; };\n\
                 int f(void); int main(void) { struct s x = { N }; if (sizeof(T) + x.a + f() != 12) \
                 reach_error();\n\
                 return 0; }",
                "typedef int T; enum { N = 4 }; struct s { short b, c; };\n\
                 int f(void) { struct s x = { N, 2 }; return sizeof(T) + x.b + x.c; }",
            ],
            20,
        ),
        // Records go from file to file, through a header's declaration in each.
        (
            &[
                "struct p { struct p *next; int v; }; int f(struct p *, struct p);\n\
                 int main(void) { struct p b = { 0, 3 }, a = { &b, 2 };\n\
                 if (f(&a, b) != 8) reach_error(); return a.v - 9; }",
                "struct p { struct p *next; int v; };\n\
                 int f(struct p *a, struct p b) { int s = a->next->v + a->v + b.v; a->v = 9; return s; }",
            ],
            20,
        ),
        // A declaration without a prototype; inline definitions and weak ones.
        (
            &[
                "long f(); inline int g(void) { return 1; } extern int g(void); __attribute__((weak)) int \
                 h(void) { return 1; }\n\
                 int main(void) { if (f(2L) != 5 || h() != 4) reach_error(); return 0; }",
                "inline int g(void) { return 1; } int h(void) { return 4; } long f(long x) { return x + 2 + \
                 g(); }",
            ],
            20,
        ),
        // Functions of the library, and definitions of the program that replace them.
        (
            &[
                "unsigned long strlen(const char *); int f(void);\n\
                 int main(void) { if (strlen(\"abc\") + f() != 10) reach_error(); return 0; }",
                "static unsigned long strlen(const char *s) { return 7; } int f(void) { return \
                 strlen(\"\"); }",
            ],
            20,
        ),
        (
            &[
                "int f(void); int main(void) { f(); return 0; }",
                "int h(void); int f(void) { return h(); }",
                "int h(void) { int x = nondet_int(); if (x == 3) reach_error(); return x; }",
            ],
            10,
        ),
    ];
    for (files, code) in cases {
        let ran = check(&folder, files, &["--timeout", "60"]);
        assert_eq!(ran.code, Some(*code), "{files:?}\n{ran:?}");
    }
}

#[test]
fn what_does_not_fit_together_is_an_error() {
    let folder = Folder::new();
    let main = "int main(void) { int g(void); return g(); }";
    for (first, second, message) in [
        (
            "int f(void) { return 1; }",
            "int f(void) { return 1; }",
            "`f` is defined in two files",
        ),
        ("int x = 1;", "int x = 1;", "`x` is defined in two files"),
        // As in gcc since version 10.
        ("int x;", "int x;", "`x` is defined in two files"),
        (
            "extern int x;",
            "long x;",
            "`x` has a type here that is not compatible",
        ),
        ("extern int x[3];", "int x[4];", "`x` has a type here"),
        (
            "int f(int);",
            "int f(long a) { return 1; }",
            "`f` has a type here",
        ),
        ("int f(int);", "void f(int a) { }", "`f` has a type here"),
        ("int f(int);", "int f;", "`f` has a type here"),
        (
            "struct s { int a; } extern x;",
            "struct s { long a; } x;",
            "`x` has a type here",
        ),
        (
            "struct s { int a; }; int f(struct s *);",
            "struct s { int b; }; int f(struct s *p) { return 1; }",
            "`f`",
        ),
        (
            "int g(void) { extern int x; return x; }",
            "long x;",
            "`x` has a type here",
        ),
        (
            "int main(void) { return 1; }",
            "",
            "`main` is defined in two files",
        ),
    ] {
        let ran = match (first, second) {
            (first, "") => check(&folder, &[main, first], &[]),
            (first, second) => check(&folder, &[&format!("{first} {main}"), second], &[]),
        };
        assert_eq!(ran.code, Some(2), "{first} {second}\n{ran:?}");
        assert!(
            ran.stderr.contains(message),
            "{first} {second}\n{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("a.c:") && ran.stderr.contains("b.c:"),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    let ran = craig(&[
        "check",
        "--link",
        &folder.write("a.aag", b"aag 0 0 0 0 0\n"),
    ]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr
            .contains("only C files can be linked to a program"),
        "{}",
        ran.stderr
    );
}

#[test]
fn errors_in_a_later_file_are_replayed_and_written_about() {
    let folder = Folder::new();
    let files = [
        "int f(int); int main(void) { return f(nondet_int()); }",
        "static int twice(int x) { return 2 * x; }\n\
         int f(int x) { if (twice(x) == 46) reach_error(); return 0; }",
    ];
    let (driver, witness) = (folder.path("driver.c"), folder.path("w.yml"));
    let options = [
        "--replay-native",
        "--test-driver",
        &driver,
        "--witness",
        &witness,
    ];
    let ran = check(&folder, &files, &options);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(
        ran.stdout.contains("the program fails as well"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("b.c:4: `reach_error` is called"),
        "{}",
        ran.stdout
    );
    let written = std::fs::read_to_string(&witness).unwrap();
    assert!(written.contains("a.c'\n      - '"), "{written}");
    let driver = std::fs::read_to_string(&driver).unwrap();
    assert!(
        driver.contains("static int twice") && driver.contains("a.c"),
        "{driver}"
    );
}

/// A witness of a program of several files is about all of them, and its places are in files, not in lines alone.
#[test]
fn witnesses_of_several_files_are_judged() {
    let folder = Folder::new();
    let files = [
        "int f(int); static int twice(int x) { return x; } int main(void) { return f(twice(nondet_int())); }",
        "static int twice(int x) { return 2 * x; }\n\
         int f(int x) { if (twice(x) == 46) reach_error(); return 0; }",
    ];
    let witness = folder.path("w.yml");
    let ran = check(&folder, &files, &["--witness", &witness]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let (a, b) = (folder.path("a.c"), folder.path("b.c"));
    let certify = |files: &[&str], witness: &str| {
        let ran = craig(&[&["certify"][..], files, &[witness]].concat());
        (ran.code, ran.stdout + &ran.stderr)
    };
    let (code, text) = certify(&[&a, &b], &witness);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.starts_with("valid unsafe (") && text.contains("b.c:4"),
        "{text}"
    );
    assert_eq!(certify(&[&b, &a], &witness).0, Some(0));
    // Not all of the files.
    let (code, text) = certify(&[&a], &witness);
    assert!(code == Some(1) && text.contains("more files"), "{text}");
    let written = std::fs::read_to_string(&witness).unwrap();
    let changed = |old: &str, new: &str| {
        assert!(written.contains(old), "{written}");
        folder.write("changed.yml", written.replace(old, new).as_bytes())
    };
    let (code, text) = certify(&[&a, &b], &changed("== 23", "== 22"));
    assert!(code == Some(1) && text.contains("INVALID no run"), "{text}");
    // The error is on line 4 of the other file, where the first has none.
    let target = |file: &str| {
        format!(
            "type: target\n        action: follow\n        location:\n          file_name: '{file}'"
        )
    };
    let (code, text) = certify(&[&a, &b], &changed(&target(&b), &target(&a)));
    assert!(
        code == Some(1) && text.contains("can violate the property"),
        "{text}"
    );
    // Invariants hold in the file that they are about.
    let files = [
        "static unsigned n = 3; int f(void);\n\
         int main(void) {\n  while (nondet_int()) n = 3;\n  if (f() + n > 8) reach_error();\n  return 0; }",
        "static unsigned n;\n\
         int f(void) {\n  while (nondet_int()) n = (n + 1) % 6;\n  return n; }",
    ];
    let options = ["--witness", &witness, "--c-engine", "model"];
    let ran = check(&folder, &files, &options);
    assert_eq!(ran.code, Some(20), "{ran:?}");
    let (code, text) = certify(&[&a, &b], &witness);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("valid safe ("), "{text}");
    let head = std::fs::read_to_string(&witness).unwrap();
    let head = head.split("  content:").next().unwrap();
    for (file, value, wanted) in [
        ("a.c", "n == 3", 0),
        ("b.c", "n == 3", 1),
        ("b.c", "n <= 5", 0),
        ("c.c", "n <= 5", 30),
    ] {
        let invariant = format!(
            "{head}  content:\n  - invariant:\n      type: loop_invariant\n      location: \
             {{file_name: {file}, line: 5}}\n      value: {value}\n      format: c_expression\n"
        );
        let (code, text) = certify(&[&a, &b], &folder.write("i.yml", invariant.as_bytes()));
        assert_eq!(code, Some(wanted), "{file} {value}: {text}");
    }
    let (code, text) = certify(&[&a, &folder.write("m.aag", b"aag 0 0 0 0 0\n")], &witness);
    assert!(code == Some(2) && text.contains("only C files"), "{text}");
}

#[test]
fn a_compilation_database_is_a_program() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("src")).unwrap();
    std::fs::create_dir(folder.path("inc")).unwrap();
    folder.write(
        "inc/limit.h",
        b"#ifndef LIMIT\n#define LIMIT 5\n#endif\nint f(int);\n",
    );
    let main = "#include \"limit.h\"\nextern void reach_error(void);\n\
                int main(void) { if (f(1) != LIMIT + TEXT[0]) reach_error(); return 0; }\n";
    folder.write("src/a.c", main.as_bytes());
    folder.write(
        "src/b.c",
        b"#include \"limit.h\"\nint f(int x) { return x * LIMIT; }\n",
    );
    let root = folder.path("");
    let entry = |file: &str, key: &str, value: serde_json::Value| serde_json::json!({ "directory": root, "file": format!("src/{file}"), key: value });
    let command = |file: &str, flags: &str| {
        let command = format!("cc {flags} -Iinc -O2 -o {file}.o -c src/{file}");
        entry(file, "command", command.into())
    };
    let database = |entries: &[serde_json::Value]| {
        let text = serde_json::to_string(entries).unwrap();
        folder.write("compile_commands.json", text.as_bytes())
    };
    // By shell rules: the macro is the string "\1".
    let a = command("a.c", r#"-DTEXT=\"\\1\""#);
    for (flags, code) in [("-DLIMIT=6", 20), ("", 10), ("-DLIMIT=5", 10)] {
        let path = database(&[a.clone(), command("b.c", flags)]);
        let ran = craig(&["check", &path]);
        assert_eq!(ran.code, Some(code), "{flags}\n{ran:?}");
    }
    // Each file is compiled with its own arguments, in its own directory.
    let path = database(&[a.clone(), command("b.c", "-DLIMIT=7")]);
    let (driver, witness) = (folder.path("driver.c"), folder.path("w.yml"));
    let options = [
        "--replay-native",
        "--test-driver",
        &driver,
        "--witness",
        &witness,
    ];
    let ran = craig(&[&["check", &path][..], &options].concat());
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(
        ran.stdout.contains("the program fails as well"),
        "{}",
        ran.stdout
    );
    let text = std::fs::read_to_string(&driver).unwrap();
    assert!(
        text.contains("part0.o") && text.contains("-DLIMIT=7"),
        "{text}"
    );
    // The commands in its comment, as a user runs them.
    let commands: String = (text.lines())
        .skip(1)
        .take_while(|line| !line.contains("ends in the error"))
        .map(|line| line.replace("THIS_FILE", "driver.c") + "\n")
        .collect();
    let shell = std::process::Command::new("sh")
        .args(["-c", &format!("set -e\n{commands}")])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    // The shell's code for a program that aborts.
    assert_eq!(shell.status.code(), Some(134), "{commands}\n{shell:?}");
    let ran = craig(&["certify", &path, &witness]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let path = database(&[a.clone(), command("b.c", "-DLIMIT=6")]);
    let ran = craig(&["certify", &path, &witness]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    // The other form of the arguments, and an entry that is there twice.
    let arguments = |file: &str, define: &str| {
        let list = ["cc", define, "-I", "inc", "-c", &format!("src/{file}")].map(str::to_owned);
        entry(file, "arguments", list.to_vec().into())
    };
    let (a, b) = (
        arguments("a.c", r#"-DTEXT="\1""#),
        arguments("b.c", "-DLIMIT=6"),
    );
    let ran = craig(&["check", &database(&[b.clone(), a, b])]);
    assert_eq!(ran.code, Some(20), "{ran:?}");
    let of = |entries: &[serde_json::Value]| serde_json::to_string(entries).unwrap();
    for (text, message) in [
        ("[", "compile_commands.json:1:"),
        ("[]", "it names no file"),
        ("{}", "no compilation database"),
        (
            &of(&[entry("b.c", "output", "x".into())]),
            "no `arguments` and no `command`",
        ),
        (&of(&[command("b.cpp", "")]), "it is no C file"),
        (&of(&[command("b.c", "-m32")]), "--data-model ilp32"),
        (&of(&[command("b.c", "-funsigned-char")]), "not supported"),
        (
            &of(&[command("b.c", ""), command("b.c", "-DX")]),
            "`f` is defined in two files",
        ),
        (&of(&[command("none.c", "")]), "none.c"),
    ] {
        let path = folder.write("compile_commands.json", text.as_bytes());
        let ran = craig(&["check", &path]);
        assert_eq!(ran.code, Some(2), "{text}\n{ran:?}");
        assert!(ran.stderr.contains(message), "{text}\n{}", ran.stderr);
    }
}
