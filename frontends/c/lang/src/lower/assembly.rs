//! Inline assembly without effect: barriers, which only constrain the compiler.

use crate::ir::Choice;
use crate::syntax::ast::{AsmStatement, GnuAsmOperand};

use super::{Lowering, Result};

/// Instructions without an effect that a program of one thread can observe.
const IDLE: [&str; 5] = ["nop", "pause", "mfence", "lfence", "sfence"];

impl<'a> Lowering<'a> {
    /// An `asm` statement without instructions, or with instructions without effect. Its operands are
    /// evaluated, outputs first. Read-write operands (`"+r"(x)`) keep their values; a written one (`"=r"(x)`)
    /// gets the value of the input that is bound to the same operand (`"0"(y)`), else any.
    pub(super) fn assembly(&mut self, statement: &'a AsmStatement) -> Result<()> {
        let (template, operands) = match statement {
            AsmStatement::GnuBasic(template) => (&template.node, None),
            AsmStatement::GnuExtended(extended) => (&extended.template.node, Some(extended)),
        };
        if !is_idle(&template.concat()) {
            return Err("inline assembly".into());
        }
        if operands.is_some_and(|operands| !operands.labels.is_empty()) {
            return Err("inline assembly with jumps".into());
        }
        let Some(operands) = operands else {
            return Ok(());
        };
        let constraints = |operand: &GnuAsmOperand| {
            let text = operand.constraints.node.concat();
            text.trim_matches('"').to_string()
        };
        let mut places = Vec::new();
        for output in &operands.outputs {
            let (place, ty) = self.place(&output.node.variable_name)?;
            let is_kept = constraints(&output.node).starts_with('+');
            places.push((place, ty, is_kept));
        }
        let mut inputs = Vec::new();
        for input in &operands.inputs {
            let value = self.rvalue(&input.node.variable_name)?;
            inputs.push((constraints(&input.node), value));
        }
        for (index, (place, ty, is_kept)) in places.into_iter().enumerate() {
            if is_kept {
                continue;
            }
            let same = inputs.iter().find(|input| input.0 == index.to_string());
            let value = match same {
                Some((_, value)) => self.convert(value.clone(), &ty)?,
                None => self.choose(&ty, Choice::Open("what `asm` writes".into()))?,
            };
            self.store(place, &ty, value.expr)?;
        }
        Ok(())
    }
}

/// Whether a template, with the quotes of its parts, contains only instructions without effect.
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
