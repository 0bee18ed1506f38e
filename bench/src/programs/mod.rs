//! C programs of several kinds and any size, for measuring how the time of a check grows with it.
//!
//! Each asserts what it computes about all inputs, and is safe; with a fault, one of its conditions is wrong by one, or one of
//! its steps is missing, and some inputs of the program show that.

mod branches;

use std::io;
use std::path::PathBuf;

/// A kind of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// A binary heap of SIZE numbers: all are pushed, and come out in order.
    Heap,
    /// A scanner of nested brackets, words and numbers over SIZE characters.
    Scanner,
    /// Quicksort of SIZE numbers.
    Quicksort,
    /// A search tree of SIZE numbers with pointers to parents, whose nodes are rotated to the root.
    Tree,
    /// A `switch` with SIZE cases far apart.
    Switch,
    /// A chain of SIZE `else if`.
    ElseIf,
    /// A `switch` with SIZE cases, of which each goes on with the next one.
    FallThrough,
    /// SIZE comparisons of a number with others, of which at most one holds.
    Count,
    /// A table of SIZE records with a name each.
    Names,
    /// A chain of SIZE comparisons of a string with words.
    Words,
}

/// The arguments of `program`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The kind.
    pub kind: Kind,
    /// The number of its elements, characters or cases.
    pub size: usize,
    /// With a fault.
    #[arg(long)]
    pub fault: bool,
    /// The file; without it, the program is printed.
    #[arg(short, long)]
    pub output: Option<PathBuf>,
}

/// The text of a program.
#[must_use]
pub fn text(kind: Kind, size: usize, fault: bool) -> String {
    let template = match kind {
        Kind::Heap => include_str!("heap.c"),
        Kind::Scanner => include_str!("scanner.c"),
        Kind::Quicksort => include_str!("quicksort.c"),
        Kind::Tree => include_str!("tree.c"),
        _ => return branches::text(kind, size, fault),
    };
    let fault = if fault { "#define FAULT\n" } else { "" };
    format!("#define SIZE {}\n{fault}{template}", size.max(1))
}

/// Makes a program and writes it.
///
/// # Errors
/// If the file cannot be written.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    let text = text(arguments.kind, arguments.size, arguments.fault);
    match &arguments.output {
        Some(path) => std::fs::write(path, text),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const KINDS: [Kind; 10] = [
        Kind::Heap,
        Kind::Scanner,
        Kind::Quicksort,
        Kind::Tree,
        Kind::Switch,
        Kind::ElseIf,
        Kind::FallThrough,
        Kind::Count,
        Kind::Names,
        Kind::Words,
    ];

    #[test]
    fn sizes_and_faults_change_the_text() {
        for kind in KINDS {
            let plain = text(kind, 5, false);
            assert_ne!(plain, text(kind, 6, false), "{kind:?}");
            assert_ne!(plain, text(kind, 5, true), "{kind:?}");
        }
    }

    /// Compiled with inputs from small to large ones in turn, no program without a fault fails, and each with one does for some
    /// of them.
    #[test]
    fn programs_fail_only_with_a_fault() {
        let folder = std::env::temp_dir().join(format!("craig-programs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let inputs = "#include <stdlib.h>\nstatic unsigned seed;\n\
             int __VERIFIER_nondet_int(void) { seed = seed * 1103515245u + 12345u; return RANGE; }\n\
             char __VERIFIER_nondet_char(void) { __VERIFIER_nondet_int(); return \"[](){}a1\"[seed >> 9 & 7]; }\n\
             void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { exit(1); }\n\
             void __VERIFIER_start(int n) { seed = n; }\n";
        for kind in KINDS {
            let range = match kind {
                Kind::Switch | Kind::ElseIf | Kind::FallThrough | Kind::Count => {
                    "(int)(seed >> 8) % 4 * 7919 + 13"
                }
                _ => "(int)(seed >> 8) % 9 - 2",
            };
            let mut fails = [false; 2];
            for fault in [false, true] {
                let program = text(kind, 4, fault)
                    .replace("int main(void)", "int once(void)")
                    .replace(
                        "void reach_error(void) {}",
                        "void exit(int);\nvoid reach_error(void) { exit(1); }",
                    );
                let main = "int main(void) { for (int i = 0; i < 3000; i++) { __VERIFIER_start(i); once(); } return 0; }\n";
                let whole = format!("{}\n{program}\n{main}", inputs.replace("RANGE", range));
                let name = format!("{kind:?}{fault}");
                let source = folder.join(format!("{name}.c"));
                std::fs::write(&source, whole).expect("a file");
                let binary = folder.join(&name);
                let built = Command::new("gcc")
                    .args([
                        "-w",
                        "-fsanitize=address,undefined",
                        "-fno-sanitize-recover=all",
                        "-o",
                    ])
                    .args([&binary, &source])
                    .status();
                assert!(built.expect("gcc").success(), "{name}");
                let ended = Command::new(&binary)
                    .env("ASAN_OPTIONS", "detect_leaks=0")
                    .output()
                    .expect("the program");
                fails[usize::from(fault)] = !ended.status.success();
            }
            assert_eq!(fails, [false, true], "{kind:?}");
        }
        std::fs::remove_dir_all(&folder).expect("a folder that is there");
    }
}
