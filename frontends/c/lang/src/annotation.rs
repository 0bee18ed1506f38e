//! Contracts of functions and invariants of loops, as CBMC writes them between the head and the body of a
//! function or a loop, rewritten into calls that the parser can read.

/// Checks at the head of a loop, at the start of a function, and at its ends.
pub(crate) const INVARIANT: &str = "__craig_invariant";
pub(crate) const REQUIRES: &str = "__craig_requires";
pub(crate) const ENSURES: &str = "__craig_ensures";
/// A value at the start of a function that a postcondition is about.
pub(crate) const KEPT: &str = "__craig_kept";

/// What changes in each iteration of a loop, and what a loop or a function may assign.
pub(crate) const DECREASES: &str = "__craig_decreases";
pub(crate) const ASSIGNS: &str = "__craig_assigns";
/// Clauses that are not checked: reaching them is unsupported.
pub(crate) const UNCHECKED: &[&str] = &[
    "__craig_unchecked_assigns",
    "__craig_unchecked_decreases",
    "__craig_unchecked_frees",
];

/// A clause: its name, and the bytes of its argument with the parentheses.
struct Clause<'t> {
    name: &'t str,
    argument: &'t str,
}

/// The function whose call stands for a clause of a loop or a function.
fn call_of(name: &str, is_of_loop: bool) -> Option<&'static str> {
    let [assigns, decreases, frees] = *UNCHECKED else {
        unreachable!("there are three of them")
    };
    Some(match name {
        "__CPROVER_loop_invariant" => INVARIANT,
        "__CPROVER_requires" => REQUIRES,
        "__CPROVER_ensures" => ENSURES,
        "__CPROVER_decreases" if is_of_loop => DECREASES,
        "__CPROVER_decreases" => decreases,
        "__CPROVER_assigns" => ASSIGNS,
        "__CPROVER_assigns under a condition" => assigns,
        "__CPROVER_frees" => frees,
        _ => return None,
    })
}

fn is_clause(token: &str) -> bool {
    call_of(token, true).is_some()
}

/// The call for a clause: its name and arguments.
fn call<'t>(clause: &Clause<'t>, is_of_loop: bool) -> Option<(&'static str, &'t str)> {
    // Targets under a condition are no expressions.
    let is_conditional = clause.argument.contains([':', ';']);
    let name = match clause.name {
        "__CPROVER_assigns" if is_conditional => "__CPROVER_assigns under a condition",
        name => name,
    };
    let call = call_of(name, is_of_loop)?;
    let argument = if UNCHECKED.contains(&call) {
        "()"
    } else {
        clause.argument
    };
    Some((call, argument))
}

/// The edits that replace all clauses of a text, in the order of their places: each with the bytes that it
/// replaces.
pub(crate) fn edits(text: &str, tokens: &[(usize, usize)]) -> Vec<(usize, usize, String)> {
    if !text.contains("__CPROVER_") {
        return Vec::new();
    }
    let word = |index: usize| tokens.get(index).map_or("", |&(from, to)| &text[from..to]);
    let closings = closings(tokens.len(), &word);
    let mut found = Vec::new();
    // The parentheses that were closed last, with the token before them, by which the head of a loop is
    // recognised.
    let mut index = 0;
    let mut openings: Vec<usize> = Vec::new();
    let mut head: Option<(usize, usize)> = None;
    while index < tokens.len() {
        match word(index) {
            "(" => openings.push(index),
            ")" => head = openings.pop().map(|open| (open, index)),
            _ => {}
        }
        let is_start = is_clause(word(index))
            && word(index + 1) == "("
            && index > 0
            && matches!(word(index - 1), ")" | "do");
        if !is_start {
            index += 1;
            continue;
        }
        let start = tokens[index].0;
        let is_after_do = word(index - 1) == "do";
        let mut clauses = Vec::new();
        let mut end = index;
        while is_clause(word(end))
            && word(end + 1) == "("
            && let Some(close) = closings[end + 1]
        {
            let argument = &text[tokens[end + 1].0..tokens[close].1];
            let name = word(end);
            clauses.push(Clause { name, argument });
            end = close + 1;
        }
        if end == index {
            index += 1;
            continue;
        }
        let stop = tokens[end - 1].1;
        found.push((start, stop, String::new()));
        let loop_head = head.filter(|&(open, close)| {
            !is_after_do
                && close + 1 == index
                && open > 0
                && matches!(word(open - 1), "while" | "for")
        });
        match loop_head {
            Some((open, close)) => {
                let calls = calls(&clauses, ", ", true);
                let first = if word(open - 1) == "while" {
                    Some(open + 1)
                } else {
                    let mut depth = 0usize;
                    (open + 1..close)
                        .find(|&at| {
                            match word(at) {
                                "(" | "[" | "{" => depth += 1,
                                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                                _ => {}
                            }
                            depth == 0 && word(at) == ";"
                        })
                        .map(|at| at + 1)
                };
                let last = first.and_then(|first| {
                    if word(open - 1) == "while" {
                        return Some(close);
                    }
                    (first..close).find(|&at| word(at) == ";")
                });
                if let (Some(first), Some(last)) = (first, last)
                    && !calls.is_empty()
                {
                    let condition = if first == last { "1" } else { "" };
                    let before = tokens[first - 1].1;
                    found.push((before, before, format!("{calls}, ({condition}")));
                    let behind = tokens[last].0;
                    found.push((behind, behind, ")".into()));
                }
            }
            None if word(end) == "{" => {
                let calls = calls(&clauses, "; ", is_after_do);
                if !calls.is_empty() {
                    let at = tokens[end].1;
                    found.push((at, at, format!(" {calls};")));
                }
            }
            None => {}
        }
        index = end;
    }
    found.sort_by_key(|edit| edit.0);
    found
}

/// The calls that stand for clauses. What a postcondition says of the values at the start is kept there.
fn calls(clauses: &[Clause<'_>], between: &str, is_of_loop: bool) -> String {
    let mut parts = Vec::new();
    let mut n_old = 0;
    for clause in clauses {
        let Some((call, argument)) = call(clause, is_of_loop) else {
            continue;
        };
        let mut argument = argument.to_string();
        while call == ENSURES
            && let Some(at) = argument.find("__CPROVER_old")
        {
            let rest = &argument[at + "__CPROVER_old".len()..];
            let Some(length) = parenthesised(rest) else {
                break;
            };
            let value = rest[..length].to_string();
            let name = format!("__craig_old_{n_old}");
            n_old += 1;
            parts.push(format!("__typeof__{value} {name} = {KEPT}{value}"));
            argument.replace_range(at..at + "__CPROVER_old".len() + length, &name);
        }
        parts.push(format!("{call}{argument}"));
    }
    parts.join(between)
}

/// The length of a text up to the parenthesis that closes its first one, where it starts with one.
fn parenthesised(text: &str) -> Option<usize> {
    let start = text.find(|c: char| !c.is_whitespace())?;
    let mut depth = 0usize;
    for (at, c) in text[start..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ if at == 0 => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(start + at + 1);
        }
    }
    None
}

/// For each opening bracket the token that closes it.
fn closings<'t>(n_tokens: usize, word: &impl Fn(usize) -> &'t str) -> Vec<Option<usize>> {
    let mut closings = vec![None; n_tokens];
    let mut open = Vec::new();
    for index in 0..n_tokens {
        match word(index) {
            "(" | "[" | "{" => open.push(index),
            ")" | "]" | "}" => {
                if let Some(start) = open.pop() {
                    closings[start] = Some(index);
                }
            }
            _ => {}
        }
    }
    closings
}

#[cfg(test)]
mod tests {
    use crate::repair::repair;
    use crate::tokens::blank;

    #[test]
    fn clauses_become_calls() {
        let mended = |text: &str| repair(&blank(text).0).0;
        for (text, wanted) in [
            (
                "while (a) __CPROVER_loop_invariant(i < (2)) __CPROVER_decreases(n - i) { }",
                "while (__craig_invariant(i < (2)), __craig_decreases(n - i), (a))  { }",
            ),
            (
                "for (int i = 0; i < n; i++) __CPROVER_assigns(i, a[0]) __CPROVER_loop_invariant(i) __CPROVER_loop_invariant(j) x;",
                "for (int i = 0;__craig_assigns(i, a[0]), __craig_invariant(i), __craig_invariant(j), ( i < n); i++)  x;",
            ),
            (
                "for (;;) __CPROVER_loop_invariant(x) { }",
                "for (;__craig_invariant(x), (1);)  { }",
            ),
            (
                "do __CPROVER_loop_invariant(x) { y; } while (z);",
                "do  { __craig_invariant(x); y; } while (z);",
            ),
            (
                "int f(int a) __CPROVER_requires(a > 0) __CPROVER_ensures(__CPROVER_return_value == __CPROVER_old(g) + 1) { return g++; }",
                "int f(int a)  { __craig_requires(a > 0); __typeof__(g) __craig_old_0 = __craig_kept(g); \
                 __craig_ensures(__CPROVER_return_value == __craig_old_0 + 1); return g++; }",
            ),
            ("int f(int a) __CPROVER_requires(a > 0);", "int f(int a) ;"),
            (
                "int f(int a) __CPROVER_decreases(a) __CPROVER_assigns(a > 0: g) __CPROVER_frees(p) { }",
                "int f(int a)  { __craig_unchecked_decreases(); __craig_unchecked_assigns(); __craig_unchecked_frees(); }",
            ),
            (
                "while (1) f(__CPROVER_old(2));",
                "while (1) f(__CPROVER_old(2));",
            ),
        ] {
            assert_eq!(mended(text), wanted);
        }
    }
}
