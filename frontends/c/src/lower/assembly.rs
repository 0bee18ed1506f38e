//! Inline assembly without effect: barriers, which constrain the compiler and do
//! nothing.

use lang_c::ast::{AsmStatement, Expression, StringLiteral};
use lang_c::span::Node;

use super::{Lowering, Result, Value};

/// Instructions that change nothing that C can see in a program of one thread.
const IDLE: [&str; 5] = ["nop", "pause", "mfence", "lfence", "sfence"];

impl<'a> Lowering<'a> {
    /// An `asm` statement without instructions, or with idle ones. Its inputs are evaluated, and operands
    /// that it is said to change (`"+r"(x)`) keep their values; what operands that are only written
    /// (`"=r"(x)`) get, nothing tells.
    pub(super) fn assembly(&mut self, statement: &'a AsmStatement) -> Result<()> {
        let (template, outputs) = match statement {
            AsmStatement::GnuBasic(template) => (&template.node, [].as_slice()),
            AsmStatement::GnuExtended(extended) => {
                (&extended.template.node, extended.outputs.as_slice())
            }
        };
        let keeps = |constraints: &StringLiteral| {
            let text = constraints.concat();
            text.trim_start_matches('"').starts_with('+')
        };
        let is_idle = is_idle(&template.concat())
            && outputs
                .iter()
                .all(|output| keeps(&output.node.constraints.node));
        if !is_idle {
            return Err("inline assembly".into());
        }
        if let AsmStatement::GnuExtended(extended) = statement {
            for input in &extended.inputs {
                self.rvalue(&input.node.variable_name)?;
            }
        }
        Ok(())
    }

    /// `asm("..")` without qualifiers and operands, which the parser takes for a call.
    pub(super) fn assembly_call(&mut self, arguments: &[Node<Expression>]) -> Result<Value> {
        match arguments {
            [
                Node {
                    node: Expression::StringLiteral(template),
                    ..
                },
            ] if is_idle(&template.node.concat()) => Ok(self.void()),
            _ => Err("inline assembly".into()),
        }
    }
}

/// The names that `asm` has.
pub(super) fn is_assembly(name: &str) -> bool {
    matches!(name, "asm" | "__asm" | "__asm__")
}

/// Whether a template, with the quotes of its parts, holds nothing but idle instructions.
fn is_idle(template: &str) -> bool {
    let text = template
        .replace('"', " ")
        .replace("\\n", ";")
        .replace("\\t", " ");
    text.split(';').map(str::trim).all(|instruction| {
        instruction.is_empty() || instruction == "rep" || IDLE.contains(&instruction)
    })
}

#[cfg(test)]
mod tests {
    use super::is_idle;

    #[test]
    fn only_idle_instructions_are_idle() {
        for idle in [
            "\"\"",
            "\"nop\"",
            "\"rep; nop\"",
            "\"mfence\\n\\t\" \"nop\\n\"",
        ] {
            assert!(is_idle(idle), "{idle}");
        }
        for busy in ["\"hlt\"", "\"nop; cli\"", "\"mov %0, %1\"", "\"nopl %0\""] {
            assert!(!is_idle(busy), "{busy}");
        }
    }
}
