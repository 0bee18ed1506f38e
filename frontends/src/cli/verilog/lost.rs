//! What a design states and `yosys` passes over: directives that it reads and does not carry out, and modules that are not
//! below the top module.

use super::Design;
use super::yosys::Yosys;

/// Looks for what would be lost in silence. Returns what is left out because the top module is named.
///
/// # Errors
/// If something is not carried out (`bind`, by the reader of `yosys`), or statements are in modules that are not below the top module which `yosys` has found.
pub(super) fn check(
    design: &Design,
    yosys: &Yosys,
    is_own_reader: bool,
) -> Result<Option<String>, String> {
    let text = |file| yosys.text(file).unwrap_or_default();
    if design.script.is_none()
        && is_own_reader
        && let Some(directive) = binding(&text("source.txt"))
    {
        return Err(format!(
            "`{directive}`: `yosys` reads `bind` and does not carry it out; an instance in the module itself takes its place"
        ));
    }
    let unused = unused(&text("stated.txt"), &text("modules.txt"));
    match (unused.first(), &design.top) {
        (None, _) => Ok(None),
        (Some(module), None) => Err(format!(
            "the module {module:?} has assertions and is not below the top module that `yosys` finds: `--top` names the \
             one to decide"
        )),
        (Some(_), Some(top)) => Ok(Some(format!(
            "not decided, as they are not below {top:?}: the statements of {}",
            unused.join(", ")
        ))),
    }
}

/// A name by which a design means the signal of an instance, and of which `yosys` makes a new wire of one bit. `instances` are
/// the cells of modules in the format RTLIL, and `interfaces` the names of interfaces, of which instances are no modules.
pub(super) fn new_wire(warnings: &[String], instances: &str, interfaces: &str) -> Option<String> {
    let is_interface = |kind: &str| interfaces.lines().any(|line| line.trim() == kind);
    let is_instance = |name: &str| {
        let mut cells = instances.lines().map(str::trim);
        cells.any(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            ["cell", kind, cell] => {
                cell.strip_prefix('\\') == Some(name)
                    && !is_interface(kind.strip_prefix('\\').unwrap_or(kind))
            }
            _ => false,
        })
    };
    warnings.iter().find_map(|warning| {
        let (place, rest) = warning.split_once(": Identifier `\\")?;
        let name = rest.strip_suffix("' is implicitly declared.")?;
        let (instance, _) = name.split_once('.')?;
        is_instance(instance).then(|| {
            format!(
                "{place}: `yosys` takes {name:?} for a new wire of one bit: a port of the instance takes its place"
            )
        })
    })
}

/// A comparison by `===` or `!==` with an `x` or `z`, as `$isunknown` is one, in the text of cells in the format RTLIL.
///
/// The values of a circuit are 0 and 1, and its constants with `x` are any of them: what is asked is another question.
pub(super) fn comparison_with_x(cells: &str) -> Option<String> {
    let mut source = "";
    for line in cells.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("attribute \\src ") {
            source = place.trim_matches('"');
        } else if line == "end" {
            source = "";
        } else if line.starts_with("connect \\A ") || line.starts_with("connect \\B ") {
            let mut words = line.split_whitespace().skip(2);
            if words.any(|word| is_constant_with(word, &['x', 'z'])) {
                let place = source.split('|').next().unwrap_or_default();
                return Some(format!(
                    "{place}: a comparison with `x` or `z` (`===`, `!==`, `$isunknown`) is not supported: the values of a \
                     circuit are 0 and 1"
                ));
            }
        }
    }
    None
}

/// The modules with statements that are not among `modules`, which is a list of those below the top module.
fn unused(stated: &str, modules: &str) -> Vec<String> {
    let is_used = |module: &str| {
        let mut names = modules.lines().map(str::trim);
        // What `yosys` derives for parameters and interfaces has the name in its own.
        names.any(|name| {
            let name = name.split("$interfaces$").next().unwrap_or(name);
            name == module || name.split('\\').any(|part| part == module)
        })
    };
    let mut unused = Vec::new();
    for line in stated.lines() {
        if let Some((module, _)) = line.trim().split_once('/')
            && !is_used(module)
            && !unused.iter().any(|other| other == module)
        {
            unused.push(module.to_owned());
        }
    }
    unused
}

/// The first `bind` directive in the messages about what was read, which have its text after the preprocessor.
fn binding(messages: &str) -> Option<String> {
    let mut texts = messages
        .split("-- Verilog code after preprocessor --\n")
        .skip(1);
    texts.find_map(|text| binding_in(text.split("-- END OF DUMP --").next()?))
}

fn binding_in(source: &str) -> Option<String> {
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => end_of_string(rest),
            '\\' => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            _ if is_word(first) => rest.find(|it| !is_word(it)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        if token == "bind" {
            let directive = rest.split([';', '(', '\n']).next().unwrap_or_default();
            return Some(directive.trim().to_owned());
        }
        rest = after;
    }
    None
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '`')
}

/// Where a string ends with which the text begins.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The text of a design, in the format RTLIL, with `x` in the place of each `z` of a constant. `None` if it has none.
///
/// In simplifications, `yosys` takes `z` for `x`, but writes it into circuits.
pub(super) fn without_z(design: &str) -> Option<String> {
    let mut text = String::with_capacity(design.len());
    let mut has_z = false;
    for line in design.split_inclusive('\n') {
        if !line.trim_start().starts_with("connect ") || !line.contains('z') {
            text += line;
            continue;
        }
        for word in line.split_inclusive(char::is_whitespace) {
            if is_constant_with(word.trim_end(), &['z']) {
                has_z = true;
                text += &word.replace('z', "x");
            } else {
                text += word;
            }
        }
    }
    has_z.then_some(text)
}

/// Whether a word is a constant such as `4'0z01` with one of these digits.
fn is_constant_with(word: &str, digits: &[char]) -> bool {
    let Some((width, bits)) = word.split_once('\'') else {
        return false;
    };
    let is_width = !width.is_empty() && width.chars().all(|it| it.is_ascii_digit());
    is_width && bits.contains(digits) && bits.chars().all(|it| "01xz-m".contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_found_and_other_words_are_not() {
        let of = |text| {
            let head = "Executing frontend: bind.v\n-- Verilog code after preprocessor --\n";
            binding(&format!(
                "{head}module top;\n-- END OF DUMP --\n{head}{text}\n-- END OF DUMP --\nbind"
            ))
        };
        assert_eq!(
            of("module m;\nendmodule\nbind part checks c(.q(q));"),
            Some("bind part checks c".to_owned())
        );
        assert_eq!(
            of("wire \\bind , binding, a_bind; initial $display(\"\\\" bind m\");"),
            None
        );
        assert_eq!(of("\"open"), None);
        assert_eq!(of("é `bind x"), None);
    }

    #[test]
    fn modules_have_other_names_below_the_top_module() {
        let modules = "\n3 modules:\n  top\n  $paramod\\part\\W=4\n  sink$interfaces$bus\n";
        assert_eq!(unused("top/a\npart/b\nsink/c\n", modules), [""; 0]);
        assert_eq!(unused("other/a\nother/b\nk/c\n", modules), ["other", "k"]);
    }

    #[test]
    fn names_of_signals_of_instances_are_no_new_wires() {
        let of = |name: &str| {
            let warning = format!("a.sv:4: Identifier `\\{name}' is implicitly declared.");
            let cells = "  cell \\part \\u\n  cell \\bus \\b\n";
            new_wire(
                &[
                    "Wire top.\\x is used but has no driver.".to_owned(),
                    warning,
                ],
                cells,
                "\n1 modules:\n  bus\n",
            )
        };
        assert_eq!(of("cc"), None);
        assert_eq!(of("b.data"), None);
        assert_eq!(of("port.data"), None);
        let message = of("u.v.n").unwrap();
        assert!(
            message.starts_with("a.sv:4: ") && message.contains("\"u.v.n\""),
            "{message}"
        );
    }

    #[test]
    fn comparisons_with_x_are_found() {
        let cell = |a: &str, b: &str| {
            format!(
                "\n  attribute \\src \"a.sv:3.4-3.9|b.sv:1.1-1.2\"\n  cell $eqx $eqx$a.sv:3$9\n    parameter \\A_WIDTH 4\n    \
                 connect \\A {a}\n    connect \\B {b}\n    connect \\Y \\y\n  end\n"
            )
        };
        for (a, b) in [("\\x", "4'01x1"), ("{ 1'z \\b }", "\\x"), ("\\q", "1'x")] {
            let found = comparison_with_x(&(cell("\\a", "4'0101") + &cell(a, b)));
            assert!(
                found.is_some_and(|it| it.starts_with("a.sv:3.4-3.9: ")),
                "{a} {b}"
            );
        }
        assert_eq!(comparison_with_x(&cell("\\x", "{ \\z 4'01m1 }")), None);
    }

    #[test]
    fn z_is_any_value() {
        let design =
            "attribute \\src \"4'z\"\n  connect \\A 4'0z-1\n  connect \\B { \\a'z 1'z 2'01 }\n";
        let expected =
            "attribute \\src \"4'z\"\n  connect \\A 4'0x-1\n  connect \\B { \\a'z 1'x 2'01 }\n";
        assert_eq!(without_z(design).as_deref(), Some(expected));
        assert_eq!(without_z("  connect \\z \\z [1]\n"), None);
    }
}
