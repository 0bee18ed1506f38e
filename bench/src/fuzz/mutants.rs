//! Mutations of C programs of a folder: a constant, an operator or a bound is another one.
//!
//! Gcc's code with the sanitizers, on random inputs, contradicts "safe": a run that reaches the error before any undefined behaviour.
//! Gcc's code on the inputs of craig's error path contradicts "unsafe" (`--replay-native`). Programs whose unchanged text gcc does not
//! compile with the functions of `HARNESS` are left out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use craig_aig::Random;

use super::Subject;
use super::programs::{Folder, executed};
use super::tally::Tally;
use crate::answer::reason;

/// Seconds for one question.
const SECONDS: &str = "5";
/// What craig says if gcc's code does not fail on the inputs of an error path.
const NOT_REPRODUCED: &str = "compiled and run with its inputs the program does not fail";
/// Larger programs are left out.
const MOST_BYTES: u64 = 8192;

/// The functions of the competition on software verification, over random inputs. The exit code is 77 at an error, and 78 where a run ends
/// that says nothing: an assumption that does not hold, or no end within the time. `main` of the program is called for each input. What a
/// program defines itself takes the place of these.
const HARNESS: &str = r#"
#undef main
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define WEAK __attribute__((weak))
static unsigned long long craig_state;
static unsigned long long craig_word(void) {
  unsigned long long word = craig_state += 0x9e3779b97f4a7c15ull;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ull;
  word = (word ^ word >> 27) * 0x94d049bb133111ebull;
  word ^= word >> 31;
  switch (word & 3) {
    case 0: return (word >> 8) % 3;
    case 1: return (word >> 8) % 40 - 8;
    case 2: return (word >> 8) & 0xffff;
    default: return word >> 2 ^ word << 40;
  }
}
WEAK void craig_error(void) { _exit(77); }
WEAK void reach_error(void) { _exit(77); }
WEAK void __VERIFIER_error(void) { _exit(77); }
WEAK void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { _exit(77); }
WEAK void __VERIFIER_assert(int holds) { if (!holds) _exit(77); }
WEAK void __VERIFIER_assume(int holds) { if (!holds) _exit(78); }
WEAK int __VERIFIER_nondet_int(void) { return (int)craig_word(); }
WEAK unsigned __VERIFIER_nondet_uint(void) { return (unsigned)craig_word(); }
WEAK long __VERIFIER_nondet_long(void) { return (long)craig_word(); }
WEAK unsigned long __VERIFIER_nondet_ulong(void) { return craig_word(); }
WEAK short __VERIFIER_nondet_short(void) { return (short)craig_word(); }
WEAK unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)craig_word(); }
WEAK char __VERIFIER_nondet_char(void) { return (char)craig_word(); }
WEAK unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)craig_word(); }
WEAK float __VERIFIER_nondet_float(void) { return (int)craig_word() / 16.0f; }
WEAK double __VERIFIER_nondet_double(void) { return (int)craig_word() / 16.0; }
WEAK void __ESBMC_assert(_Bool holds, const char *message) { if (!holds) _exit(77); }
WEAK void __ESBMC_assume(_Bool holds) { if (!holds) _exit(78); }
WEAK _Bool __VERIFIER_nondet_bool(void) { return craig_word() & 1; }
int craig_program();
int main(void) {
  int n_bad = 0, n_silent = 0;
  char *arguments[] = {"program", 0};
  for (int run = 0; run < CRAIG_RUNS && n_bad == 0 && n_silent < 12; run++) {
    craig_state = CRAIG_SEED + 1000003ull * run;
    fflush(0);
    pid_t child = fork();
    if (!child) { close(1); close(2); alarm(1); craig_program(1, arguments); _exit(0); }
    int status = 0;
    waitpid(child, &status, 0);
    n_bad += WIFEXITED(status) && WEXITSTATUS(status) == 77;
    n_silent += WIFSIGNALED(status);
  }
  printf("%d\n", n_bad);
  return 0;
}
"#;

const SANITIZERS: [&str; 5] = [
    "-O1",
    "-fsanitize=address,undefined,float-cast-overflow,bounds-strict",
    "-fno-sanitize=alignment",
    "-fno-sanitize-recover=all",
    "-Dmain=craig_program",
];

/// Mutations of programs, asked about by a command.
pub(super) struct Mutants {
    pub(super) craig: PathBuf,
    programs: Vec<Program>,
}

#[derive(Clone)]
struct Program {
    path: String,
    text: String,
    /// The parts that may be another one: where they are, and what they may become.
    places: Vec<(usize, usize)>,
}

/// Another text at a place of a program.
#[derive(Clone, Debug)]
struct Change {
    place: usize,
    new: String,
}

/// A program with some changes.
#[derive(Clone, Debug)]
pub(super) struct Case {
    program: usize,
    changes: Vec<Change>,
    seed: u64,
}

impl Mutants {
    /// Of the programs in a folder and those below it.
    ///
    /// # Errors
    /// If the folder cannot be read, or has no program.
    pub(super) fn new(craig: PathBuf, folder: &Path) -> io::Result<Self> {
        let mut paths = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let is_small = fs::metadata(&path)?.len() <= MOST_BYTES;
                match path.extension() {
                    _ if path.is_dir() => open.push(path),
                    Some(extension) if extension == "c" && is_small => paths.push(path),
                    _ => {}
                }
            }
        }
        paths.sort();
        let mut programs = Vec::new();
        for path in paths {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            let places = places(&text);
            // The harness gives `main` another name.
            if !places.is_empty() && text.contains("main") {
                let path = path.display().to_string();
                programs.push(Program { path, text, places });
            }
        }
        match programs.is_empty() {
            true => Err(io::Error::other("--corpus: no program in this folder")),
            false => Ok(Self { craig, programs }),
        }
    }

    fn mutant(&self, case: &Case) -> String {
        let program = &self.programs[case.program];
        let mut changes: Vec<&Change> = case.changes.iter().collect();
        changes.sort_by_key(|change| change.place);
        let mut text = String::new();
        let mut end = 0;
        for change in changes {
            let (from, to) = program.places[change.place];
            text += &program.text[end..from];
            text += &change.new;
            end = to;
        }
        text + &program.text[end..]
    }

    /// Whether some random input makes gcc's code reach the error; `None` if gcc does not compile it.
    fn reaches(&self, text: &str, seed: u64, runs: usize) -> Option<bool> {
        let folder = Folder::new().ok()?;
        // A label that marks an error says so.
        let text = text.replace("ERROR:", "ERROR: craig_error();");
        let harness = folder.file("harness.c");
        fs::write(&harness, HARNESS).ok()?;
        let numbers = [
            format!("-DCRAIG_SEED={seed}ull"),
            format!("-DCRAIG_RUNS={runs}"),
        ];
        let harness = harness.to_str()?;
        let mut options = SANITIZERS.to_vec();
        options.extend(numbers.iter().map(String::as_str));
        options.push(harness);
        let source = format!("void craig_error(void);\n{text}\n");
        let printed = executed(&folder, &source, &options);
        printed.ok()?.stdout.trim().parse().ok().map(|n: u32| n > 0)
    }
}

/// Bytes of comments, texts, characters and lines of the preprocessor, where nothing is changed.
fn is_outside(text: &str) -> Vec<bool> {
    let bytes = text.as_bytes();
    let mut outside = vec![false; bytes.len()];
    let mut at = 0;
    let mut is_line_start = true;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let until = |end: &str, from: usize| {
            let found = rest
                .windows(end.len())
                .skip(from)
                .position(|part| part == end.as_bytes());
            found.map_or(rest.len(), |found| found + from + end.len())
        };
        let n = match rest {
            [b'/', b'/', ..] => until("\n", 0),
            [b'#', ..] if is_line_start => until("\n", 0),
            [b'/', b'*', ..] => until("*/", 2),
            [quote @ (b'"' | b'\''), ..] => {
                let mut n = 1;
                while n < rest.len() && rest[n] != *quote {
                    n += 1 + usize::from(rest[n] == b'\\');
                }
                (n + 1).min(rest.len())
            }
            _ => 0,
        };
        for place in &mut outside[at..at + n] {
            *place = true;
        }
        let last = at + n.max(1) - 1;
        is_line_start = match bytes[last] {
            b'\n' => true,
            b' ' | b'\t' => is_line_start,
            _ => false,
        };
        at = last + 1;
    }
    outside
}

/// Operators that may become each other; longer ones first.
const OPERATORS: [&[&str]; 7] = [
    &["<=", ">=", "==", "!=", "<", ">"],
    &["++", "--"],
    &["+=", "-="],
    &["<<", ">>"],
    &["&&", "||"],
    &["+", "-", "*", "/", "%"],
    &["&", "|", "^"],
];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'
}

/// The operator at the start of a text, with those that it may become.
fn operator(text: &str) -> Option<(&'static str, &'static [&'static str])> {
    let all = OPERATORS
        .iter()
        .flat_map(|kind| kind.iter().map(move |name| (*name, *kind)));
    let at_start = all.filter(|(name, _)| text.starts_with(name));
    at_start.max_by_key(|(name, _)| name.len())
}

/// The constants and binary operators of a program.
fn places(text: &str) -> Vec<(usize, usize)> {
    let outside = is_outside(text);
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if outside[at] || !bytes[at].is_ascii() {
            at += 1;
            continue;
        }
        let n_word = bytes[at..]
            .iter()
            .take_while(|&&byte| is_word(byte))
            .count();
        if n_word > 0 {
            let is_number = text[at..at + n_word]
                .bytes()
                .all(|byte| byte.is_ascii_digit());
            if is_number {
                places.push((at, at + n_word));
            }
            at += n_word;
            continue;
        }
        let n = match operator(&text[at..]) {
            // An arrow, and an assignment by another operator, are none of these.
            Some((name, _))
                if !matches!(text[at + name.len()..].bytes().next(), Some(b'=' | b'>')) =>
            {
                // One with a space on both sides is a binary one.
                let is_apart = |byte: Option<&u8>| byte.is_some_and(|byte| *byte == b' ');
                let is_binary =
                    at > 0 && is_apart(bytes.get(at - 1)) && is_apart(bytes.get(at + name.len()));
                if is_binary || ["++", "--", "<", ">", "<=", ">=", "==", "!="].contains(&name) {
                    places.push((at, at + name.len()));
                }
                name.len()
            }
            Some((name, _)) => name.len() + 1,
            None => 1,
        };
        at += n;
    }
    places
}

/// What a part may become.
fn another(old: &str, random: &mut Random) -> String {
    if let Ok(value) = old.parse::<u64>() {
        let all = [
            value + 1,
            value.saturating_sub(1),
            0,
            1,
            2 * value,
            value / 2,
            2_147_483_647,
        ];
        return all[random.below(all.len())].to_string();
    }
    match operator(old) {
        Some((name, kind)) => {
            let others: Vec<&&str> = kind.iter().filter(|other| **other != name).collect();
            (*others[random.below(others.len())]).to_owned()
        }
        None => old.to_owned(),
    }
}

impl Subject for Mutants {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let program = random.below(self.programs.len());
        let own = &self.programs[program];
        let mut changes: Vec<Change> = Vec::new();
        for _ in 0..1 + random.below(2) {
            let place = random.below(own.places.len());
            if changes.iter().all(|change| change.place != place) {
                let (from, to) = own.places[place];
                let new = another(&own.text[from..to], random);
                changes.push(Change { place, new });
            }
        }
        Case {
            program,
            changes,
            seed: random.word() >> 1,
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let text = self.mutant(case);
        let Some(is_reached) = self.reaches(&text, case.seed, 1) else {
            tally.count("left out: not compiled");
            return Ok(());
        };
        let folder = Folder::new().map_err(|error| format!("folder: {error}"))?;
        let file = folder.file("mutant.c");
        fs::write(&file, &text).map_err(|error| format!("folder: {error}"))?;
        let output = Command::new(&self.craig)
            .args(["check", "--timeout", SECONDS, "--replay-native"])
            .arg(&file)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("craig: {error}"))?;
        let printed =
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let line = printed.lines().next().unwrap_or_default();
        match output.status.code() {
            Some(20) => {
                if is_reached || self.reaches(&text, case.seed, 1000) == Some(true) {
                    return Err("safe: gcc's code reaches the error".into());
                }
                tally.count("safe");
            }
            Some(10) => {
                let second = printed.lines().nth(1).unwrap_or_default();
                let what = match second.contains("the program fails as well") {
                    true => "and gcc's code fails".to_owned(),
                    false => without_place(second),
                };
                tally.count(&format!("unsafe: {what}"));
            }
            Some(30) if line.contains(NOT_REPRODUCED) => {
                return Err(format!("unsafe: {}", reason(line)));
            }
            Some(30) => tally.count(&format!("unknown: {}", without_place(reason(line)))),
            Some(1 | 2) => tally.count(&format!("refused: {}", without_place(line))),
            code => return Err(format!("failed: exit code {code:?}: {line}")),
        }
        Ok(())
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        if case.changes.len() < 2 {
            return Vec::new();
        }
        let one = |change: &Change| Case {
            changes: vec![change.clone()],
            ..case.clone()
        };
        case.changes.iter().map(one).collect()
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let path = &self.programs[case.program].path;
        (
            format!("{}\n// {path}: {:?}\n", self.mutant(case), case.changes),
            "c",
        )
    }
}

/// A message without numbers and the path of the temporary file.
fn without_place(message: &str) -> String {
    let kept = message.split(' ').filter(|word| !word.contains("mutant.c"));
    let kept: Vec<&str> = kept.take(9).collect();
    kept.join(" ")
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_operators_outside_of_texts_are_changed() {
        let text = "#define N 3\nint main(void) { /* 1 */ int x1 = 5; // 6\n  char *s = \"7 < 8\"; p->q = '9'; for (x1 += 2; x1 <= 4; x1++) x1 = x1 - 10; }";
        let parts: Vec<&str> = places(text)
            .iter()
            .map(|&(from, to)| &text[from..to])
            .collect();
        assert_eq!(parts, ["5", "+=", "2", "<=", "4", "++", "-", "10"]);
        let mut random = Random::new(1);
        for part in parts {
            let new: Vec<String> = (0..20).map(|_| another(part, &mut random)).collect();
            assert!(new.iter().any(|new| new != part), "{part} {new:?}");
        }
    }

    #[test]
    fn a_mutant_is_the_program_with_its_changes() {
        let text = "int main(void) { return 1 < 2; }".to_owned();
        let places = places(&text);
        let program = Program {
            path: String::new(),
            text,
            places,
        };
        let mutants = Mutants {
            craig: PathBuf::from("craig"),
            programs: vec![program],
        };
        let change = |place: usize, new: &str| Change {
            place,
            new: new.to_owned(),
        };
        let case = Case {
            program: 0,
            changes: vec![change(2, "7"), change(1, ">=")],
            seed: 0,
        };
        assert_eq!(mutants.mutant(&case), "int main(void) { return 1 >= 7; }");
        assert_eq!(mutants.smaller(&case).len(), 2);
    }
}
