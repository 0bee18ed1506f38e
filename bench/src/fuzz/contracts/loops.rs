//! Loops with contracts.
//!
//! Of many candidates, gcc's code finds the largest set of invariants that is inductive, by trying all states, and what holds after the loop
//! if nothing else is known of it (C. Flanagan and K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", 2001).
//! The meaning of a loop's contract is that of `docs/cbmc.md`: the first round is looked at as it is, and where it goes on, the invariant
//! has to hold before the loop.

use std::fmt::Write as _;

use craig_aig::Random;

use super::super::programs::{Door, Native, Printed, Question, Unit};
use super::super::shrink::without_parts;
use super::asked;

/// How many candidates there are for invariants, and how many predicates for after the loop.
const N_CANDIDATES: usize = 14;
const N_PREDICATES: usize = 12;

/// What stands before all programs that try all states.
const NATIVE_HEAD: &str = "typedef unsigned char byte;\n#define IMPLIES(a, b) (!(a) || (b))\n#define ENTRY(e) entry_##e\n\
    static byte n, k, entry_s, entry_t;\n";

/// What stands before all programs for craig.
const HEAD: &str = "typedef unsigned char byte;\nextern byte nondet_byte(void);\n";

/// What is wrong with the program that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// A predicate that does not hold after the loop.
    Predicate,
    /// A candidate that is no invariant.
    Invariant,
}

/// A loop and a question.
#[derive(Clone, Debug)]
pub(in crate::fuzz) struct Case {
    condition: &'static str,
    body: Vec<String>,
    candidates: Vec<String>,
    predicates: Vec<String>,
    /// Whether the contract says what is assigned.
    has_targets: bool,
    has_measure: bool,
    wrong: Wrong,
    pub(super) door: Door,
}

/// What all states say.
struct Truth {
    /// The candidates that are inductive together.
    invariants: Vec<bool>,
    /// The predicates that hold after the loop.
    holds: Vec<bool>,
    /// Whether the proof fails with each further candidate.
    spoils: Vec<bool>,
}

fn one<'t>(random: &mut Random, all: &[&'t str]) -> &'t str {
    all[random.below(all.len())]
}

fn term(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(3) == 0 {
        return match random.below(7) {
            0 => random.below(7).to_string(),
            1 | 2 => "i".to_owned(),
            3 => "s".to_owned(),
            4 => "t".to_owned(),
            _ => one(random, &["n", "k"]).to_owned(),
        };
    }
    let (left, right) = (term(random, depth - 1), term(random, depth - 1));
    format!(
        "({left} {} {right})",
        one(random, &["+", "-", "&", "|", "^", "*", "+"])
    )
}

/// A predicate; `ENTRY` is a value before the loop.
fn predicate(random: &mut Random) -> String {
    let left = one(
        random,
        &["s", "t", "s", "t", "(s + t)", "(s & 1)", "(t ^ s)", "i"],
    );
    let right = match random.below(4) {
        0 => format!("ENTRY({})", one(random, &["s", "t"])),
        1 => random.below(9).to_string(),
        _ => term(random, 1),
    };
    let first = format!(
        "({left} {} {right})",
        one(random, &["==", "<=", ">=", "==", "!=", "<"])
    );
    match random.below(4) {
        0 => format!(
            "IMPLIES({} {} {}, {first})",
            term(random, 0),
            one(random, &["<", "==", "!="]),
            term(random, 0)
        ),
        _ => first,
    }
}

fn statement(random: &mut Random, depth: usize) -> String {
    let place = one(random, &["s", "t"]);
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 => format!(
            "{place} = ({place} + {}) & 31;",
            one(random, &["1", "2", "k", "i"])
        ),
        1 => format!("{place} = ({}) & 3;", term(random, 2)),
        2 => format!("{place} = ({}) & 31;", term(random, 1)),
        3 => format!("if ({place} < {}) {place}++;", random.below(9)),
        4 => format!("if ({} == {}) break;", term(random, 1), term(random, 0)),
        5 => format!(
            "if ({} < {}) {{ {} }}",
            term(random, 1),
            term(random, 1),
            statement(random, depth - 1)
        ),
        _ => format!("{{ byte l = {}; {place} = l & 31; }}", term(random, 1)),
    }
}

impl Case {
    /// A case from random numbers.
    pub(super) fn new(random: &mut Random) -> Self {
        let candidates = (0..N_CANDIDATES).map(|_| predicate(random)).collect();
        Self {
            condition: ["i < n", "i < n", "i + 1 <= n", "i < n && s < 9"][random.below(4)],
            body: (0..1 + random.below(4))
                .map(|_| statement(random, 1))
                .collect(),
            candidates,
            predicates: (0..N_PREDICATES).map(|_| predicate(random)).collect(),
            has_targets: random.below(3) > 0,
            has_measure: random.below(2) > 0,
            wrong: [
                Wrong::Nothing,
                Wrong::Nothing,
                Wrong::Predicate,
                Wrong::Invariant,
            ][random.below(4)],
            door: Door::any(random),
        }
    }

    /// The program that tries all states, and prints what `Truth` has.
    fn native(&self) -> String {
        let mut text = String::new();
        for (name, list) in [("holds", &self.candidates), ("after", &self.predicates)] {
            _ = writeln!(
                text,
                "static unsigned {name}(byte i, byte s, byte t) {{\n  unsigned all = 0;"
            );
            for (at, predicate) in list.iter().enumerate() {
                _ = writeln!(text, "  all |= (unsigned)!!({predicate}) << {at};");
            }
            text.push_str("  return all;\n}\n");
        }
        // A round: 0 where the loop is left before it, 1 where it is left within, 2 where it goes on.
        _ = writeln!(
            text,
            "static int round(byte *pi, byte *ps, byte *pt) {{\n  byte i = *pi, s = *ps, t = *pt; int how = 0;\n  \
             while ({}) {{\n    how = 1;\n    {}\n    i++; how = 2; break;\n  }}\n  *pi = i; *ps = s; *pt = t; return how;\n}}",
            self.condition,
            self.body.join("\n    ")
        );
        let all = (1u64 << self.candidates.len()) - 1;
        let n_candidates = self.candidates.len();
        let written = |name: &str| u8::from(self.writes(name));
        let measure = if self.has_measure {
            "x - old >= 1"
        } else {
            "1"
        };
        _ = writeln!(
            text,
            "/* Whether a proof with these invariants fails; those that are not kept, and what holds after the loop. */\n\
             static int fails(unsigned mask, unsigned *kept, unsigned *left) {{\n  int bad = 0;\n  \
             for (int run = 0; run < 32 && !bad; run++) {{\n    \
             n = run % 4 + 1; k = run / 4 % 2; entry_s = run / 8 % 2; entry_t = run / 16 % 2;\n    \
             byte i = 0, s = entry_s, t = entry_t; int how = round(&i, &s, &t);\n    \
             if (how < 2) {{ *left &= after(i, s, t); continue; }}\n    \
             unsigned base = holds(0, entry_s, entry_t); *kept &= base; if (mask & ~base) {{ bad = 1; continue; }}\n    \
             for (int ci = 0; ci <= n; ci++) for (int cs = 0; cs < 32; cs++) for (int ct = 0; ct < 32; ct++) {{\n      \
             if (!{} && cs != entry_s) continue;\n      if (!{} && ct != entry_t) continue;\n      \
             i = ci; s = cs; t = ct; if (mask & ~holds(i, s, t)) continue;\n      byte old = i;\n      \
             switch (round(&i, &s, &t)) {{\n      case 2: {{ unsigned now = holds(i, s, t); *kept &= now; byte x = i; \
             if (mask & ~now || !({measure})) bad = 1; break; }}\n      default: *left &= after(i, s, t);\n      }}\n    }}\n  }}\n  return bad;\n}}",
            written("s"),
            written("t"),
        );
        _ = writeln!(
            text,
            "int main(void) {{\n  unsigned mask = {all}, kept, left;\n  \
             do {{ kept = mask; left = -1; fails(mask, &kept, &left); if (kept == mask) break; mask = kept; }} while (1);\n  \
             printf(\"%u %u %u\\n\", mask, left, (unsigned)fails(mask, &kept, &left));\n  \
             for (int c = 0; c < {n_candidates}; c++) {{ unsigned m = mask | 1u << c; kept = -1; printf(\"%u\\n\", m == mask ? 0 : (unsigned)fails(m, &kept, &left)); }}\n  \
             return 0;\n}}"
        );
        text
    }

    /// Whether the body writes this variable.
    fn writes(&self, name: &str) -> bool {
        let (assigned, grown) = (format!("{name} = "), format!("{name}++"));
        self.body
            .iter()
            .any(|statement| statement.contains(&assigned) || statement.contains(&grown))
    }

    fn truth(&self, printed: &Printed) -> Result<Truth, String> {
        let numbers: Result<Vec<u64>, _> =
            printed.stdout.split_whitespace().map(str::parse).collect();
        let numbers = numbers.map_err(|error| format!("left out: {error}"))?;
        let [mask, left, fails, spoils @ ..] = &numbers[..] else {
            return Err("left out: no output".to_owned());
        };
        if *fails != 0 {
            return Err("left out: no measure".to_owned());
        }
        let bits = |number: u64, n: usize| (0..n).map(|at| number >> at & 1 != 0).collect();
        Ok(Truth {
            invariants: bits(*mask, self.candidates.len()),
            holds: bits(*left, self.predicates.len()),
            spoils: spoils.iter().map(|&bad| bad != 0).collect(),
        })
    }

    /// The program for craig, and whether it is right.
    fn with_contract(&self, truth: &Truth) -> (String, bool) {
        let mut is_safe = true;
        let mut invariants = truth.invariants.clone();
        let mut predicates: Vec<usize> = (0..self.predicates.len())
            .filter(|&at| truth.holds[at])
            .take(4)
            .collect();
        match self.wrong {
            Wrong::Nothing => {}
            Wrong::Predicate => {
                if let Some(at) = truth.holds.iter().position(|holds| !holds) {
                    predicates.push(at);
                    is_safe = false;
                }
            }
            Wrong::Invariant => {
                if let Some(at) = truth.spoils.iter().position(|&bad| bad) {
                    invariants[at] = true;
                    is_safe = false;
                }
            }
        }
        let mut text = String::from(
            "#define IMPLIES(a, b) ((a) ==> (b))\n\
             #define ENTRY(e) __CPROVER_loop_entry(e)\nvoid harness(void) {\n  \
             byte n = nondet_byte(), k = nondet_byte(), s = nondet_byte(), t = nondet_byte(), i = 0;\n  \
             __CPROVER_assume(0 < n && n < 5 && k < 2 && s < 2 && t < 2);\n  byte entry_s = s, entry_t = t;\n",
        );
        _ = writeln!(text, "  while ({})", self.condition);
        if self.has_targets {
            let mut targets = vec!["i"];
            targets.extend(["s", "t"].into_iter().filter(|name| self.writes(name)));
            _ = writeln!(text, "  __CPROVER_assigns({})", targets.join(", "));
        }
        // These bounds are always invariants, and keep the states few that are tried.
        text.push_str("  __CPROVER_loop_invariant(i <= n && s < 32 && t < 32)\n");
        for (at, candidate) in self.candidates.iter().enumerate() {
            if invariants[at] {
                _ = writeln!(text, "  __CPROVER_loop_invariant({candidate})");
            }
        }
        if self.has_measure {
            text.push_str("  __CPROVER_decreases(n - i)\n");
        }
        _ = writeln!(
            text,
            "  {{\n    {}\n    i++;\n  }}",
            self.body.join("\n    ")
        );
        text.push_str("#undef ENTRY\n#undef IMPLIES\n#define ENTRY(e) entry_##e\n#define IMPLIES(a, b) (!(a) || (b))\n");
        for at in predicates {
            _ = writeln!(text, "  __CPROVER_assert({}, \"\");", self.predicates[at]);
        }
        text.push_str("}\n");
        (text, is_safe)
    }

    /// Cases with less in them.
    pub(super) fn smaller(&self) -> Vec<Self> {
        let mut found: Vec<Self> = without_parts(&self.body)
            .into_iter()
            .map(|body| Self {
                body,
                ..self.clone()
            })
            .collect();
        found.extend(
            without_parts(&self.candidates)
                .into_iter()
                .map(|candidates| Self {
                    candidates,
                    ..self.clone()
                }),
        );
        found.extend(
            without_parts(&self.predicates)
                .into_iter()
                .map(|predicates| Self {
                    predicates,
                    ..self.clone()
                }),
        );
        found
    }
}

impl Native for Case {
    fn unit(&self) -> Unit {
        Unit {
            head: NATIVE_HEAD.to_owned(),
            names: &["holds", "after", "round", "fails"],
            options: &["-O2"],
        }
    }

    fn part(&self) -> String {
        self.native()
    }

    fn question(&self, printed: &Printed) -> Result<Question, String> {
        let (text, is_safe) = self.with_contract(&self.truth(printed)?);
        Ok(asked(
            (HEAD.to_owned(), text),
            &["--apply-loop-contracts"],
            ("Loop", is_safe),
        ))
    }

    fn door(&self) -> Door {
        self.door
    }
}
