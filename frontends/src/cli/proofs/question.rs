//! What a proof asks: its files and the options of `craig check`, from the variables of its Makefile.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::makefile::Variables;

/// What a proof asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) entry: String,
    /// The files, which are linked; relative to the folder of the proof.
    pub(super) sources: Vec<PathBuf>,
    /// What the compiler is told of each.
    pub(super) compile: Vec<String>,
    /// The options of `craig check`, by CBMC's names.
    pub(super) options: Vec<String>,
    /// Checks that the proof asks for and that are not made.
    pub(super) not_checked: Vec<String>,
    /// What CBMC is told beside these options.
    pub(super) flags: Vec<String>,
}

/// Flags that `craig check` knows by the same name, alone and with a value.
const KNOWN: [&str; 12] = [
    "--bounds-check",
    "--pointer-check",
    "--pointer-overflow-check",
    "--memory-leak-check",
    "--div-by-zero-check",
    "--signed-overflow-check",
    "--unsigned-overflow-check",
    "--undefined-shift-check",
    "--conversion-check",
    "--malloc-may-fail",
    "--malloc-fail-null",
    "--unwinding-assertions",
];
const KNOWN_WITH_VALUE: [&str; 3] = ["--unwind", "--unwindset", "--object-bits"];

/// Checks that `craig` does not make.
const NOT_MADE: [&str; 6] = [
    "--pointer-primitive-check",
    "--float-overflow-check",
    "--float-div-by-zero-check",
    "--nan-check",
    "--enum-range-check",
    "--memory-cleanup-check",
];

/// Flags about how CBMC searches and prints, alone and with a value.
const OF_SEARCH: [&str; 16] = [
    "--flush",
    "--trace",
    "--stop-on-fail",
    "--slice-formula",
    "--smt2",
    "--z3",
    "--bitwuzla",
    "--cvc5",
    "--boolector",
    "--no-array-field-sensitivity",
    "--arrays-uf-always",
    "--arrays-uf-never",
    "--refine",
    "--refine-arrays",
    "--no-simplify",
    "--compact-trace",
];
const OF_SEARCH_WITH_VALUE: [&str; 5] = [
    "--verbosity",
    "--external-sat-solver",
    "--external-smt2-solver",
    "--sat-solver",
    "--max-field-sensitivity-array-size",
];

/// Variables that have no counterpart, and what they are about.
const NOT_SUPPORTED: [(&str, &str); 2] = [
    ("REWRITTEN_SOURCES", "sources rewritten by crangler"),
    ("STRING_ABSTRACTION", "the abstraction of strings"),
];

impl Question {
    /// The question of a proof in a folder.
    ///
    /// # Errors
    /// If a variable is missing, or asks for what is not supported.
    pub(super) fn new(variables: &Variables) -> Result<Self, String> {
        for (name, what) in NOT_SUPPORTED {
            if !variables.text(name).is_empty() {
                return Err(format!("`{name}` ({what}) is not supported"));
            }
        }
        let entry = variables.text("HARNESS_ENTRY").to_owned();
        if entry.is_empty() {
            return Err("the Makefile does not set `HARNESS_ENTRY`".to_owned());
        }
        let mut sources: Vec<PathBuf> = Vec::new();
        for name in ["PROOF_SOURCES", "PROJECT_SOURCES"] {
            for source in variables.words(name)? {
                let source = PathBuf::from(source);
                if !sources.contains(&source) {
                    sources.push(source);
                }
            }
        }
        if sources.is_empty() {
            return Err(
                "the Makefile names no file in `PROOF_SOURCES` and `PROJECT_SOURCES`".to_owned(),
            );
        }
        let mut question = Self {
            entry,
            sources,
            compile: Vec::new(),
            options: Vec::new(),
            not_checked: Vec::new(),
            flags: Vec::new(),
        };
        for name in ["COMPILE_FLAGS", "INCLUDES", "DEFINES"] {
            question.compile.extend(variables.words(name)?);
        }
        if question.compile.iter().any(|flag| flag == "-m32") {
            question.give("--data-model", "ilp32");
        }
        question.check_link_flags(&variables.words("LINK_FLAGS")?)?;
        for (name, flags) in variables.flags()? {
            question.add_flags(name, flags)?;
        }
        question.add_lists(variables)?;
        Ok(question)
    }

    fn give(&mut self, option: &str, value: &str) {
        let is_there = (self.options.windows(2)).any(|pair| pair[0] == option && pair[1] == value);
        if !is_there {
            self.options.extend([option.to_owned(), value.to_owned()]);
        }
    }

    /// Flags for linking that mean nothing but warnings.
    fn check_link_flags(&self, flags: &[String]) -> Result<(), String> {
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            if flag == "--object-bits" {
                rest.next();
            } else if !flag.starts_with("-W") && !self.compile.contains(flag) {
                return Err(format!("`LINK_FLAGS`: `{flag}` is not supported"));
            }
        }
        Ok(())
    }

    /// Adds flags of CBMC.
    fn add_flags(&mut self, variable: &str, flags: Vec<String>) -> Result<(), String> {
        let mut rest = flags.into_iter();
        while let Some(flag) = rest.next() {
            let (name, mut value) = match flag.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (flag, None),
            };
            let is_in = |list: &[&str]| list.contains(&name.as_str());
            if is_in(&KNOWN_WITH_VALUE) || is_in(&OF_SEARCH_WITH_VALUE) {
                value = value.or_else(|| rest.next());
            }
            self.flags.push(name.clone());
            self.flags.extend(value.clone());
            match value {
                Some(value) if name == "--unwindset" => {
                    value.split(',').for_each(|bound| self.give(&name, bound));
                }
                Some(value) if is_in(&KNOWN_WITH_VALUE) => self.give(&name, &value),
                Some(_) if is_in(&OF_SEARCH_WITH_VALUE) => {}
                None if is_in(&KNOWN) => {
                    if !self.options.contains(&name) {
                        self.options.push(name);
                    }
                }
                None if is_in(&NOT_MADE) => {
                    if !self.not_checked.contains(&name) {
                        self.not_checked.push(name);
                    }
                }
                None if is_in(&OF_SEARCH) => {}
                None if name.starts_with("--no-") && name.ends_with("-check") => {
                    // It takes back a check that was asked for before.
                    let check = format!("--{}", &name["--no-".len()..]);
                    self.options.retain(|option| *option != check);
                    self.not_checked.retain(|option| *option != check);
                }
                _ => return Err(format!("`{variable}`: `{name}` is not supported")),
            }
        }
        Ok(())
    }

    /// Adds what lists of functions and loops say.
    fn add_lists(&mut self, variables: &Variables) -> Result<(), String> {
        for (name, option) in [
            ("UNWINDSET", "--unwindset"),
            ("CPROVER_LIBRARY_UNWINDSET", "--unwindset"),
            ("REMOVE_FUNCTION_BODY", "--remove-function-body"),
            ("RESTRICT_FUNCTION_POINTER", "--restrict-function-pointer"),
            ("CHECK_FUNCTION_CONTRACTS", "--enforce-contract"),
            ("CHECK_FUNCTION_CONTRACTS_REC", "--enforce-contract-rec"),
            ("USE_FUNCTION_CONTRACTS", "--replace-call-with-contract"),
        ] {
            for word in variables.words(name)? {
                self.give(option, &word);
            }
        }
        if !["", "0"].contains(&variables.text("APPLY_LOOP_CONTRACTS")) {
            self.options.push("--apply-loop-contracts".to_owned());
        }
        for word in variables.words("NONDET_STATIC")? {
            match word.as_str() {
                "--nondet-static" => self.options.push(word),
                _ => return Err(format!("`NONDET_STATIC`: `{word}` is not supported")),
            }
        }
        Ok(())
    }

    /// The compilation database of the files.
    pub(super) fn database(&self, folder: &Path) -> String {
        let entry = |source: &PathBuf| {
            let command = std::iter::once("cc".to_owned());
            let arguments: Vec<String> = command.chain(self.compile.iter().cloned()).collect();
            json!({ "directory": folder, "file": source, "arguments": arguments })
        };
        let entries: Vec<_> = self.sources.iter().map(entry).collect();
        serde_json::Value::Array(entries).to_string()
    }

    /// The values of an option.
    pub(super) fn values(&self, option: &str) -> impl Iterator<Item = &String> {
        let pairs = self.options.windows(2);
        pairs
            .filter(move |pair| pair[0] == option)
            .map(|pair| &pair[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: [(&str, &str); 2] = [("HARNESS_ENTRY", "harness"), ("PROOF_SOURCES", "h.c")];

    fn of(more: &[(&str, &str)]) -> Result<Question, String> {
        Question::new(&Variables::of(&[&LEAST[..], more].concat()))
    }

    #[test]
    fn variables_are_options() {
        let question = of(&[
            ("PROJECT_SOURCES", "/src/a.c h.c"),
            ("DEFINES", "-DX=\"(1 > 0)\" -DCBMC=1"),
            ("COMPILE_FLAGS", "-Wall --object-bits 8 -m32"),
            ("LINK_FLAGS", "-Wall"),
            (
                "CBMCFLAGS",
                "--flush --unwind 1 --unwindset f.0:3 --object-bits 8 --smt2",
            ),
            (
                "CHECKFLAGS",
                "--bounds-check --nan-check --malloc-may-fail --verbosity 4",
            ),
            ("CBMC_FLAG_MALLOC_MAY_FAIL", "--malloc-may-fail"),
            ("UNWINDSET", "f.0:3 g.1:4"),
            ("USE_FUNCTION_CONTRACTS", "g h"),
            ("CHECK_FUNCTION_CONTRACTS", "\"\""),
            ("APPLY_LOOP_CONTRACTS", "on"),
            ("NONDET_STATIC", "\"\""),
        ])
        .unwrap();
        assert_eq!(question.sources, [Path::new("h.c"), Path::new("/src/a.c")]);
        assert!(question.compile.contains(&"-DX=(1 > 0)".to_owned()));
        assert_eq!(
            question.options.join(" "),
            "--data-model ilp32 --unwind 1 --unwindset f.0:3 --object-bits 8 --bounds-check --malloc-may-fail \
             --unwindset g.1:4 --replace-call-with-contract g --replace-call-with-contract h --apply-loop-contracts"
        );
        assert_eq!(question.not_checked, ["--nan-check"]);
        let database = question.database(Path::new("/p"));
        let database: serde_json::Value = serde_json::from_str(&database).unwrap();
        assert_eq!(database[1]["file"], "/src/a.c");
        assert_eq!(database[0]["directory"], "/p");
    }

    #[test]
    fn a_check_can_be_taken_back() {
        let question = of(&[(
            "CHECKFLAGS",
            "--bounds-check --no-bounds-check --nan-check --no-nan-check",
        )]);
        let question = question.unwrap();
        assert!(question.options.is_empty() && question.not_checked.is_empty());
    }

    #[test]
    fn what_is_not_supported_is_refused_by_name() {
        for (variable, value, name) in [
            ("REWRITTEN_SOURCES", "a.i", "REWRITTEN_SOURCES"),
            ("STRING_ABSTRACTION", "1", "STRING_ABSTRACTION"),
            ("CBMCFLAGS", "--string-abstraction", "--string-abstraction"),
            ("CHECKFLAGS", "--partial-loops", "--partial-loops"),
            (
                "NONDET_STATIC",
                "--nondet-static-exclude x",
                "--nondet-static-exclude",
            ),
            ("LINK_FLAGS", "other.goto", "other.goto"),
            ("DEFINES", "-DX=\"", "DEFINES"),
            ("HARNESS_ENTRY", "", "HARNESS_ENTRY"),
            ("PROOF_SOURCES", "", "PROOF_SOURCES"),
        ] {
            let message = of(&[(variable, value)]).unwrap_err();
            assert!(message.contains(name), "{variable}: {message}");
        }
    }
}
