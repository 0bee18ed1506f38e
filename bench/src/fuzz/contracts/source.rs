//! The text of a case for craig, and the program that tries all runs.

use std::fmt::Write as _;

use super::function::{Pointer, Target};
use super::question::{Case, Kind};

const STATE: &str = "#include <stdlib.h>\ntypedef unsigned char byte;\nbyte g0, arr[4];\nint g1;\n";

/// The macros of the clauses for craig.
const CLAUSES: &str = "#define SET(place, value) place = value\n#define IMPLIES(a, b) ((a) ==> (b))\n\
    #define ALL(e) __CPROVER_forall { int i; (0 <= i && i < 4) ==> (e) }\n\
    #define SOME(e) __CPROVER_exists { int i; (0 <= i && i < 4) && (e) }\n\
    #define OLD(k, e) __CPROVER_old(e)\n#define RESULT __CPROVER_return_value\n";

/// The macros for gcc: a write is looked up in what is allowed.
const CHECKED: &str = "#include <stdio.h>\n#include <string.h>\n\
    static struct { byte *from; size_t n; } allowed[8];\nstatic int n_allowed, outside;\n\
    static void allow(void *from, size_t n) { allowed[n_allowed].from = from; allowed[n_allowed++].n = n; }\n\
    static void written(void *p, size_t n) {\n  for (int k = 0; k < n_allowed; k++)\n    \
    if (allowed[k].from <= (byte *)p && (byte *)p + n <= allowed[k].from + allowed[k].n) return;\n  outside = 1;\n}\n\
    #define SET(place, value) (written(&(place), sizeof(place)), (place) = (value))\n\
    #define IMPLIES(a, b) (!(a) || (b))\n\
    #define ALL(e) ({ int ok = 1; for (int i = 0; i < 4; i++) ok = ok && (e); ok; })\n\
    #define SOME(e) ({ int ok = 0; for (int i = 0; i < 4; i++) ok = ok || (e); ok; })\n\
    #define OLD(k, e) old[k]\n#define RESULT result\n";

/// Bounds of what a replaced call may change, so that all of it can be tried.
const BOUNDS: &str = "g0 < 4 && 0 <= g1 && g1 < 4 && arr[0] < 2 && arr[1] < 2 && arr[2] < 2 && arr[3] < 2 && RESULT < 4";

/// What stands before all programs for craig.
pub(super) fn craig_head() -> String {
    format!("{STATE}extern byte nondet_byte(void);\nextern int nondet_int(void);\n")
}

/// What stands before all programs that try all runs.
pub(super) fn native_head() -> String {
    format!("{STATE}{CHECKED}")
}

fn conjunction(clauses: &[String]) -> String {
    match clauses.is_empty() {
        true => "1".to_owned(),
        false => clauses.join(" && "),
    }
}

fn bounds(case: &Case) -> String {
    match case.function.pointer {
        Pointer::Fresh => format!("{BOUNDS} && p[0] < 4 && p[1] < 4"),
        Pointer::To(_) => BOUNDS.to_owned(),
    }
}

fn body(case: &Case) -> String {
    format!(
        "static void helper(int v) {{ if (v & 1) {{ SET(g1, v & 3); }} }}\n{}",
        match case.kind {
            Kind::Enforce => format!(
                "byte f(byte x, byte *p) {{\n  int l = 1;\n  {}\n}}\n",
                case.function.body.join("\n  ")
            ),
            Kind::Replace => String::new(),
        }
    )
}

fn clause(target: &Target) -> String {
    match target.condition.is_empty() {
        true => target.clause.clone(),
        false => format!("{}: {}", target.condition, target.clause),
    }
}

/// The program for craig behind its head, which asks for these predicates.
pub(super) fn craig(case: &Case, predicates: &[usize]) -> String {
    let function = &case.function;
    let mut text = CLAUSES.to_owned();
    let mut clauses = String::new();
    if function.pointer == Pointer::Fresh {
        clauses.push_str("  __CPROVER_requires(__CPROVER_is_fresh(p, 2))\n");
        if case.kind == Kind::Enforce {
            clauses.push_str("  __CPROVER_requires(p[0] < 4 && p[1] < 4)\n");
        }
    }
    for requires in &function.requires {
        _ = writeln!(clauses, "  __CPROVER_requires({requires})");
    }
    let targets: Vec<String> = function.targets.iter().map(clause).collect();
    _ = writeln!(clauses, "  __CPROVER_assigns({})", targets.join("; "));
    let ensured: Vec<usize> = match case.kind {
        Kind::Enforce => predicates.to_vec(),
        Kind::Replace => (0..case.n_ensured).collect(),
    };
    for k in ensured {
        _ = writeln!(clauses, "  __CPROVER_ensures({})", function.predicates[k]);
    }
    if case.kind == Kind::Replace {
        _ = writeln!(clauses, "  __CPROVER_ensures({})", bounds(case));
    }
    _ = writeln!(text, "byte f(byte x, byte *p)\n{clauses};");
    text.push_str(&body(case));
    text.push_str(
        "void harness(void) {\n  byte x = nondet_byte(); g0 = nondet_byte(); g1 = nondet_int();\n",
    );
    text.push_str(
        "  for (int i = 0; i < 4; i++) { arr[i] = nondet_byte(); __CPROVER_assume(arr[i] < 2); }\n",
    );
    text.push_str("  __CPROVER_assume(x < 8 && g0 < 4 && 0 <= g1 && g1 < 4);\n");
    match (function.pointer, case.kind) {
        (Pointer::To(place), _) => _ = writeln!(text, "  byte *p = {place};"),
        (Pointer::Fresh, Kind::Enforce) => text.push_str("  byte *p;\n"),
        (Pointer::Fresh, Kind::Replace) => {
            text.push_str("  byte buffer[2] = { nondet_byte(), nondet_byte() }, *p = buffer;\n");
            text.push_str("  __CPROVER_assume(p[0] < 4 && p[1] < 4);\n");
        }
    }
    if case.kind == Kind::Enforce {
        text.push_str("  f(x, p);\n}\n");
        return text;
    }
    for (k, old) in function.olds.iter().enumerate() {
        _ = writeln!(text, "  int old{k} = {old};");
    }
    text.push_str("#undef OLD\n#undef RESULT\n#define OLD(k, e) old##k\n#define RESULT result\n  byte result = f(x, p);\n");
    for &k in predicates {
        _ = writeln!(
            text,
            "  __CPROVER_assert({}, \"\");",
            function.predicates[k]
        );
    }
    text.push_str("}\n");
    text
}

/// The program behind its head that tries all runs, and prints how many there are, whether what is required or assigned is violated, and for each predicate
/// whether it fails.
pub(super) fn native(case: &Case) -> String {
    let function = &case.function;
    let mut text = body(case);
    _ = writeln!(
        text,
        "static int old[{}], fails[{}], violated; static long n_runs;",
        function.olds.len() + 1,
        function.predicates.len() + 1
    );
    text.push_str("int main(void) {\n  byte buffer[2], *p;\n");
    text.push_str("  for (int run = 0; run < 8 * 4 * 4 * 16 * 16; run++) {\n");
    text.push_str("    int rest = run; byte x = rest & 7; rest >>= 3; int in_g0 = rest & 3; rest >>= 2; int in_g1 = rest & 3; rest >>= 2;\n");
    let pointer = match function.pointer {
        Pointer::To(place) => place,
        Pointer::Fresh => "buffer",
    };
    if pointer != "buffer" {
        text.push_str("    if (rest >> 4) break;\n");
    }
    _ = writeln!(
        text,
        "#define START p = {pointer}; g0 = in_g0; g1 = in_g1; for (int i = 0; i < 4; i++) arr[i] = rest >> i & 1; \
         buffer[0] = rest >> 4 & 3; buffer[1] = rest >> 6 & 3;"
    );
    text.push_str("    START\n");
    let requires = conjunction(&function.requires);
    match case.kind {
        Kind::Enforce => _ = writeln!(text, "    if (!({requires})) continue;"),
        Kind::Replace => {
            _ = writeln!(
                text,
                "    if (!({requires})) {{ violated = 1; n_runs++; continue; }}"
            );
        }
    }
    for (k, old) in function.olds.iter().enumerate() {
        _ = writeln!(text, "    old[{k}] = {old};");
    }
    text.push_str("    n_allowed = 0;\n");
    for target in &function.targets {
        let condition = match target.condition.as_str() {
            "" => "1",
            condition => condition,
        };
        let (address, size) = &target.range;
        _ = writeln!(text, "    if ({condition}) allow({address}, {size});");
    }
    match case.kind {
        Kind::Enforce => text.push_str(
            "    n_runs++; outside = 0;\n    byte result = f(x, p); violated |= outside;\n    {\n",
        ),
        Kind::Replace => text.push_str(&allowed_states(case)),
    }
    for (k, predicate) in function.predicates.iter().enumerate() {
        _ = writeln!(text, "      if (!({predicate})) fails[{k}] = 1;");
    }
    text.push_str("    }\n  }\n  printf(\"%ld %d\\n\", n_runs, violated);\n");
    _ = writeln!(
        text,
        "  for (int k = 0; k < {}; k++) printf(\"%d\\n\", fails[k]);\n  return 0;\n}}",
        function.predicates.len()
    );
    text
}

/// A loop over all states that the contract allows after the call, up to its open brace: two bits for each byte, and for the result.
fn allowed_states(case: &Case) -> String {
    let ensured = conjunction(&case.function.predicates[..case.n_ensured]);
    format!(
        "    byte *bytes[16]; int n_bytes = 0, is_g1 = 0;\n    \
         for (int k = 0; k < n_allowed; k++) {{\n      \
         if (allowed[k].from == (byte *)&g1) {{ is_g1 = 1; continue; }}\n      \
         for (size_t i = 0; i < allowed[k].n; i++) {{\n        \
         int known = 0; for (int j = 0; j < n_bytes; j++) known |= bytes[j] == allowed[k].from + i;\n        \
         if (!known) bytes[n_bytes++] = allowed[k].from + i; }}\n    }}\n    \
         for (long next = 0, end = 4l << 2 * n_bytes << 2 * is_g1; next < end; next++) {{\n      \
         START\n      long left = next; int result = left & 3; left >>= 2; int skip = 0;\n      \
         if (is_g1) {{ g1 = left & 3; left >>= 2; }}\n      \
         for (int j = 0; j < n_bytes; j++) {{\n        \
         int is_element = arr <= bytes[j] && bytes[j] < arr + 4; if (is_element && (left & 2)) skip = 1;\n        \
         *bytes[j] = left & 3; left >>= 2; }}\n      \
         if (skip || !({ensured})) continue;\n      n_runs++;\n"
    )
}
