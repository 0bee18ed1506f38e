//! Rewrites constructs that the parser does not support, with a map of positions.

use std::collections::HashMap;

use crate::annotation;
use crate::tokens::tokens;

/// The name that repairs insert into `a ?: b` as the second operand.
pub(crate) const SAME_AS_CONDITION: &str = "__craig_condition";
const SAME_IN_THE_MIDDLE: &str = " __craig_condition ";

/// The prefix that repairs write before the name of a label whose address is taken, so that GNU's `&&label`
/// becomes `(&name)`.
pub(crate) const LABEL_AS_VALUE: &str = "__craig_label_";
/// The replacement of `goto` in GNU's `goto *address`, which becomes a call.
pub(crate) const COMPUTED_GOTO: &str = "__craig_goto";

/// The replacements of GNU's `__real__` and `__imag__`, which become calls.
pub(crate) const REAL_PART: &str = "__craig_real";
pub(crate) const IMAGINARY_PART: &str = "__craig_imaginary";

/// So many labels of a `switch` stand before one statement, at most; an empty one takes longer lists apart,
/// so that their statements are not within each other.
const MAX_LABELS: usize = 500;

/// An operand has so many prefixes, at most.
const MAX_PREFIXES: usize = 100;

/// Rewrites constructs that the parser does not support and that have one meaning: a missing type is `int`,
/// and some keywords of GNU C have no meaning. Also returns where bytes have moved.
pub(crate) fn repair(bytes: &[u8]) -> (String, Vec<(usize, usize)>) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let tokens = tokens(&text);
    let word = |index: usize| tokens.get(index).map_or("", |&(from, to)| &text[from..to]);
    let is_name = |token: &str| {
        token.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
    };
    // Universal character names, which the parser rejects in literals, by their positions.
    let universal: Vec<(usize, usize, String)> = tokens
        .iter()
        .filter(|&&(from, to)| text[from..to].ends_with(['"', '\'']))
        .flat_map(|&(from, to)| universal_names(&text, from, to))
        .collect();
    let annotations = annotation::edits(&text, &tokens);
    let mut next_universal = 0;
    let mut edits: Vec<(usize, usize, &str)> = Vec::new();
    let mut starts_declaration = true;
    // For each open brace, whether it holds the members of a record.
    let mut braces: Vec<bool> = Vec::new();
    // Attributes between `struct` and its name are moved after the members, where the parser accepts them: by
    // the brace that opens the members, and then by depth.
    let mut attributes: HashMap<usize, Vec<&str>> = HashMap::new();
    let mut pending: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut alignment: Option<&str> = None;
    let mut parens = 0usize;
    // The labels of a `switch` that stand before a statement of a block, and the colon of the last one.
    let mut labels: Option<(usize, usize)> = None;
    for index in 0..tokens.len() {
        let (from, to) = tokens[index];
        let token = &text[from..to];
        while let Some((start, stop, character)) =
            universal.get(next_universal).filter(|name| name.0 < to)
        {
            edits.push((*start, *stop, character));
            next_universal += 1;
        }
        match token {
            "__thread" | "_Thread_local" => edits.push((from, to, "")),
            "__int128" | "__int128_t" => {
                edits.push((from, to, "int __attribute__((__mode__(__TI__)))"));
            }
            "__uint128_t" => {
                edits.push((from, to, "unsigned int __attribute__((__mode__(__TI__)))"));
            }
            "__float128" => edits.push((from, to, "_Float128")),
            "__auto_type" if word(index + 2) == "=" => {
                let end = end_of_initialiser(&word, index + 3);
                if let (Some(&(start, _)), Some(&(_, stop))) =
                    (tokens.get(index + 3), tokens.get(end - 1))
                {
                    edits.push((from, to, "__typeof__("));
                    edits.push((to, to, &text[start.min(stop)..stop]));
                    edits.push((to, to, ") "));
                }
            }
            // The parser accepts this among members in another form.
            "_Alignas"
                if braces.last() == Some(&true)
                    && word(index + 2).starts_with(|c: char| c.is_ascii_digit())
                    && word(index + 3) == ")" =>
            {
                edits.push((from, tokens[index + 3].1, ""));
                let (start, stop) = tokens[index + 2];
                alignment = Some(&text[start..stop]);
            }
            ";" => {
                if let Some(number) = alignment.take() {
                    edits.push((from, from, " __attribute__((aligned("));
                    edits.push((from, from, number));
                    edits.push((from, from, ")))"));
                }
            }
            // GNU's `a ?: b` gets a second operand that denotes `a`.
            "?" if word(index + 1) == ":" => edits.push((to, to, SAME_IN_THE_MIDDLE)),
            "struct" | "union" if is_attribute(word(index + 1)) => {
                let mut at = index + 1;
                let mut found = Vec::new();
                while is_attribute(word(at)) {
                    let end = closing(&word, at + 1);
                    let (from, to) = (tokens[at].0, tokens[end.min(tokens.len() - 1)].1);
                    edits.push((from, to, ""));
                    found.push(&text[from..to]);
                    at = end + 1;
                }
                let brace = if word(at) == "{" { at } else { at + 1 };
                if word(brace) == "{" {
                    attributes.insert(brace, found);
                }
            }
            "&" if word(index + 1) == "&"
                && text[from..].starts_with("&&")
                && is_name(word(index + 2))
                && is_operand(&word, index) =>
            {
                let (start, stop) = tokens[index + 2];
                edits.push((from, start, "(&"));
                edits.push((start, start, LABEL_AS_VALUE));
                edits.push((stop, stop, ")"));
            }
            "goto" if word(index + 1) == "*" => {
                let end = end_of_initialiser(&word, index + 2);
                if let (Some(&(_, start)), Some(&(stop, _))) =
                    (tokens.get(index + 1), tokens.get(end))
                {
                    edits.push((from, start, COMPUTED_GOTO));
                    edits.push((start, start, "("));
                    edits.push((stop, stop, ")"));
                }
            }
            "__real__" | "__real" | "__imag__" | "__imag" => {
                let end = end_of_operand(&word, index + 1);
                if let Some(&(_, stop)) = tokens.get(end) {
                    let is_real = token.starts_with("__real");
                    edits.push((from, to, if is_real { REAL_PART } else { IMAGINARY_PART }));
                    edits.push((to, to, "("));
                    edits.push((stop, stop, ")"));
                }
            }
            // The parser does not accept types as arguments.
            "__builtin_types_compatible_p" if word(index + 1) == "(" => {
                let end = closing(&word, index + 1);
                let comma = end_of_initialiser(&word, index + 2);
                if word(comma) == "," && comma < end && end < tokens.len() {
                    edits.push((from, tokens[index + 1].1, "_Generic((__typeof__("));
                    edits.push((tokens[comma].0, tokens[comma].1, ")*)0, __typeof__("));
                    edits.push((tokens[end].0, tokens[end].1, ")*: 1, default: 0)"));
                }
            }
            // `(type){}` as an operand.
            "{" if word(index + 1) == "}"
                && index > 0
                && word(index - 1) == ")"
                && is_literal_type(&word, index - 1) =>
            {
                edits.push((to, to, "0"));
            }
            "case" | "default" => {
                let previous = index.checked_sub(1).map_or(";", &word);
                let n_before = match labels {
                    _ if matches!(previous, ";" | "{" | "}") => Some(0),
                    Some((count, colon)) if colon + 1 == index => Some(count),
                    _ => None,
                };
                let colon = end_of_label(&word, index + 1);
                labels = n_before.map(|count| (count + 1, colon));
                if let Some((count, _)) = &mut labels
                    && *count == MAX_LABELS
                    && word(colon + 1) != "}"
                    && let Some(&(_, stop)) = tokens.get(colon)
                {
                    edits.push((stop, stop, ";"));
                    *count = 0;
                }
            }
            // A label at the end of a block is followed by an empty statement.
            ":" if word(index + 1) == "}" => edits.push((to, to, ";")),
            "__label__" => {
                let end = (index..tokens.len())
                    .find(|&i| word(i) == ";")
                    .unwrap_or(index);
                edits.push((from, tokens[end].1, ";"));
            }
            _ => {}
        }
        if is_name(token) {
            let dollars = token.bytes().enumerate().filter(|&(_, byte)| byte == b'$');
            edits.extend(dollars.map(|(at, _)| (from + at, from + at + 1, "__dollar__")));
        }
        let depth = braces.len();
        if starts_declaration && parens == 0 {
            let mut at = index;
            let mut storage = false;
            loop {
                if is_attribute(word(at)) && word(at + 1) == "(" {
                    at = closing(&word, at + 1) + 1;
                } else if matches!(
                    word(at),
                    "static" | "extern" | "const" | "volatile" | "register" | "auto" | "inline"
                ) {
                    storage = true;
                    at += 1;
                } else {
                    break;
                }
            }
            let name = word(at);
            let next = word(at + 1);
            let headless = if depth == 0 {
                next == "(" && is_head(&word, at + 1)
                    || storage && matches!(next, ";" | "=" | "," | "[")
            } else {
                storage && matches!(next, ";" | "=" | "," | "[")
            };
            if is_name(name) && headless && !is_reserved(name) {
                edits.push((tokens[at].0, tokens[at].0, "int "));
            }
        }
        let mut ends_record = false;
        match token {
            "{" => {
                let is_record =
                    |at: Option<usize>| at.is_some_and(|at| matches!(word(at), "struct" | "union"));
                let found = attributes.remove(&index);
                braces.push(
                    found.is_some()
                        || is_record(index.checked_sub(1))
                        || is_record(index.checked_sub(2)),
                );
                if let Some(found) = found {
                    pending.push((braces.len(), found));
                }
            }
            "}" => {
                // gcc accepts a record whose last member lacks its semicolon.
                let previous = index.checked_sub(1).map_or("", &word);
                let own = pending.last().is_some_and(|open| open.0 == braces.len());
                ends_record = braces.pop() == Some(true);
                if ends_record && !matches!(previous, ";" | "{" | "}") {
                    edits.push((from, from, ";"));
                }
                if let Some((_, found)) = pending.pop_if(|_| own) {
                    for attribute in found {
                        edits.push((to, to, " "));
                        edits.push((to, to, attribute));
                    }
                }
            }
            "(" => parens += 1,
            ")" => parens = parens.saturating_sub(1),
            _ => {}
        }
        // A K&R head's declarations follow `)`, so that `f(a) int a; {` has no second head. Declarators after
        // the members of a record have that type.
        starts_declaration = matches!(token, ";" | "{" | "}") && !ends_record;
    }
    // What stands in a clause is part of the text that replaces it.
    let clauses: Vec<(usize, usize)> = (annotations.iter())
        .filter(|(start, stop, _)| start < stop)
        .map(|&(start, stop, _)| (start, stop))
        .collect();
    edits.retain(|edit| {
        let index = clauses.partition_point(|clause| clause.0 <= edit.0);
        index == 0 || edit.0 >= clauses[index - 1].1
    });
    edits.extend(
        annotations
            .iter()
            .map(|(from, to, with)| (*from, *to, with.as_str())),
    );
    // Some edits were recorded out of order.
    edits.sort_by_key(|edit| edit.0);
    let mut out = String::with_capacity(text.len() + edits.len() * 4);
    let mut moved = Vec::new();
    let mut at = 0;
    for (from, to, with) in edits {
        if from >= at {
            out.push_str(&text[at..from]);
            out.push_str(with);
            at = to;
            moved.push((out.len(), at));
        }
    }
    out.push_str(&text[at..]);
    (out, moved)
}

/// The colon of a label whose value starts at a token.
fn end_of_label<'t>(word: &impl Fn(usize) -> &'t str, start: usize) -> usize {
    let (mut at, mut n_choices) = (start, 0usize);
    loop {
        match word(at) {
            // No label of a program.
            "" | ";" | "}" | "case" | "default" => return at,
            "(" | "[" | "{" => at = closing_bracket(word, at),
            "?" => n_choices += 1,
            ":" if n_choices == 0 => return at,
            ":" => n_choices -= 1,
            _ => {}
        }
        at += 1;
    }
}

/// The universal names (`\u00e9`) in a literal, with the characters that they name.
fn universal_names(text: &str, from: usize, to: usize) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut at = from;
    while let Some(offset) = text[at..to].find('\\') {
        let start = at + offset;
        let digits = match text.as_bytes().get(start + 1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let stop = start + 2 + digits;
        let character = text
            .get(start + 2..stop.min(to))
            .filter(|_| digits > 0)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32)
            .filter(|&character| character >= '\u{a0}');
        if let Some(character) = character {
            found.push((start, stop, character.to_string()));
        }
        // Skip the character after the backslash, which may have several bytes.
        at = text[start + 1..to]
            .chars()
            .next()
            .map_or(to, |next| start + 1 + next.len_utf8());
    }
    found
}

/// The `;` or `,` that ends the initialiser that starts at a token.
fn end_of_initialiser<'t>(word: &impl Fn(usize) -> &'t str, start: usize) -> usize {
    let mut depth = 0usize;
    for at in start.. {
        match word(at) {
            "" => return at,
            ";" | "," if depth == 0 => return at,
            "goto" | "__auto_type" if depth == 0 => return at,
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    start
}

/// The last token of the operand of a unary operator, which starts at a token.
fn end_of_operand<'t>(word: &impl Fn(usize) -> &'t str, start: usize) -> usize {
    let starts_word = |token: &str| {
        token
            .starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '"' | '\''))
    };
    let mut at = start;
    loop {
        if at - start > MAX_PREFIXES {
            return usize::MAX;
        }
        let is_prefix = matches!(
            word(at),
            "&" | "*"
                | "+"
                | "-"
                | "~"
                | "!"
                | "__extension__"
                | "__real__"
                | "__real"
                | "__imag__"
                | "__imag"
        );
        if is_prefix {
            at += 1;
            continue;
        }
        if word(at) == "(" {
            at = closing_bracket(word, at);
            // A cast, if an operand follows.
            if starts_word(word(at + 1)) {
                at += 1;
                continue;
            }
            if word(at + 1) == "{" {
                at = closing_bracket(word, at + 1);
            }
        }
        break;
    }
    loop {
        match word(at + 1) {
            "(" | "[" => at = closing_bracket(word, at + 1),
            "." => at += 2,
            "-" if word(at + 2) == ">" => at += 3,
            "+" | "-" if word(at + 2) == word(at + 1) && !starts_word(word(at + 3)) => at += 2,
            _ => return at,
        }
    }
}

/// The token that closes the bracket at `open`, of any kind, or the last one.
fn closing_bracket<'t>(word: &impl Fn(usize) -> &'t str, open: usize) -> usize {
    let mut depth = 0usize;
    for at in open.. {
        match word(at) {
            "" => return at.saturating_sub(1),
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth <= 1 => return at,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    open
}

/// Whether an operand starts at a token, so that `&&` before it is a prefix operator.
fn is_operand<'t>(word: &impl Fn(usize) -> &'t str, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    match word(before) {
        "=" | "(" | "{" | "," | "?" | ":" | "return" => true,
        // A cast, not an operand in parentheses: its words occur only in types.
        ")" => {
            let words = (0..before).rev().map(word);
            let inside: Vec<&str> = words.take_while(|&token| token != "(").collect();
            let owner = before.checked_sub(inside.len() + 2).map_or("", word);
            !inside.is_empty()
                && inside.iter().all(|token| is_type_word(token))
                && !matches!(
                    owner,
                    "sizeof" | "_Alignof" | "__alignof__" | "__alignof" | "alignof"
                )
        }
        _ => false,
    }
}

/// Whether the parentheses that close at a token contain the type of a compound literal, if braces follow: an
/// operator precedes them, or a token after which an operand starts.
fn is_literal_type<'t>(word: &impl Fn(usize) -> &'t str, close: usize) -> bool {
    let mut depth = 0usize;
    for at in (0..=close).rev() {
        match word(at) {
            ")" => depth += 1,
            "(" if depth == 1 => {
                let before = at.checked_sub(1).map_or("", word);
                return matches!(
                    before,
                    "=" | "("
                        | ","
                        | "["
                        | "?"
                        | ":"
                        | "return"
                        | "+"
                        | "-"
                        | "/"
                        | "%"
                        | "|"
                        | "^"
                );
            }
            "(" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// Whether a token occurs in type names, and in no expression but `sizeof` (`*` is never alone in
/// parentheses).
fn is_type_word(token: &str) -> bool {
    matches!(
        token,
        "*" | "void" | "char" | "short" | "int" | "long" | "signed" | "unsigned" | "const"
    )
}

fn is_attribute(token: &str) -> bool {
    matches!(token, "__attribute__" | "__attribute")
}

/// The token that closes the parenthesis at `open`, or the last one.
fn closing<'t>(word: &impl Fn(usize) -> &'t str, open: usize) -> usize {
    let mut depth = 0usize;
    for at in open.. {
        match word(at) {
            "" => return at,
            "(" => depth += 1,
            ")" if depth <= 1 => return at,
            ")" => depth -= 1,
            _ => {}
        }
    }
    open
}

/// Whether a name before the parenthesis at `open` heads a function: a body, the declarations of its
/// parameters or the end of the declaration follow the list.
fn is_head<'t>(word: &impl Fn(usize) -> &'t str, open: usize) -> bool {
    if word(open + 1) == "*" {
        return false;
    }
    let mut depth = 0usize;
    for at in open.. {
        match word(at) {
            "" => return false,
            "(" => depth += 1,
            ")" => {
                depth -= 1;
                if depth == 0 {
                    let next = word(at + 1);
                    return matches!(next, "{" | ";")
                        || next.starts_with(|c: char| c.is_ascii_alphabetic());
                }
            }
            _ => {}
        }
    }
    false
}

fn is_reserved(name: &str) -> bool {
    matches!(
        name,
        "_Static_assert"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__attribute__"
            | "__attribute"
            | "__extension__"
            | "asm"
            | "__asm__"
            | "__asm"
            | "_Alignas"
            | "_Atomic"
            | "typedef"
            | "struct"
            | "union"
            | "enum"
            | "if"
            | "while"
            | "for"
            | "switch"
            | "return"
            | "sizeof"
            | "do"
            | "goto"
            | "int"
            | "void"
            | "char"
            | "long"
            | "short"
            | "unsigned"
            | "signed"
            | "float"
            | "double"
            | "_Bool"
            | "_Complex"
            | "__inline"
            | "__inline__"
            | "__signed__"
            | "__const"
            | "__volatile__"
            | "__restrict"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::blank;

    #[test]
    fn a_missing_type_is_int() {
        let mended = |text: &str| repair(&blank(text).0).0;
        assert_eq!(mended("main() { f(); }"), "int main() { f(); }");
        assert_eq!(mended("T (*f)(int a);"), "T (*f)(int a);");
        assert_eq!(
            mended("struct s { int a; void *b };"),
            "struct s { int a; void *b ;};"
        );
        assert_eq!(mended("static x = 1; T y;"), "static int x = 1; T y;");
        assert_eq!(
            mended("__attribute__((noinline)) t(int c) { } static __attribute__((cold)) u() { }"),
            "__attribute__((noinline)) int t(int c) { } static __attribute__((cold)) int u() { }"
        );
        assert_eq!(
            mended("x = __real__ a->b[1] + __imag__ (c) d; y = (struct s){};"),
            "x = __craig_real( a->b[1]) + __craig_imaginary( (c) d); y = (struct s){0};"
        );
        assert_eq!(
            mended("static T y; f(a) int a; {}"),
            "static T y; int f(a) int a; {}"
        );
        assert_eq!(
            mended("void f(void) { register i; g(i); }"),
            "void f(void) { register int i; g(i); }"
        );
        assert_eq!(
            mended("struct c { int a; } e(b f); g(x) {}"),
            "struct c { int a; } e(b f); int g(x) {}"
        );
        assert_eq!(
            mended(
                "void *t[] = { &&a, &&b }; goto *t[i && j]; k = (long) && a; l = (x) && a; m = sizeof \
                 (char) && a; return &&b;"
            ),
            "void *t[] = { (&__craig_label_a), (&__craig_label_b) }; __craig_goto(t[i && j]); k = (long) \
             (&__craig_label_a); \
             l = (x) && a; m = sizeof (char) && a; return (&__craig_label_b);"
        );
        assert_eq!(
            mended("x = __builtin_types_compatible_p(char (*)(int, int), va_list) + 1;"),
            "x = _Generic((__typeof__(char (*)(int, int))*)0, __typeof__( va_list)*: 1, default: 0) + 1;"
        );
        assert_eq!(
            mended("void f(void) { while (1) { end: } int a$b; }"),
            "void f(void) { while (1) { end:; } int a__dollar__b; }"
        );
    }
}
