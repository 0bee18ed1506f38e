//! Functions without a body that have a conventional meaning: a test driver has to define them.

use crate::ir::{Convention, Location, Role};
use crate::types::{FloatType, FunctionType, IntType, Type};

use super::Lowering;

impl Lowering<'_> {
    /// Records that the program calls such a function. `result` is used if the program does not declare it.
    pub(super) fn convention(&mut self, name: &str, role: Role, result: &Type) {
        if self.is_without_code || self.program.conventions.contains_key(name) {
            return;
        }
        let declared = self.function_symbol(name).map(|(_, ty)| ty);
        let head = match &declared {
            Some(ty) => self.head(name, ty, role),
            None => {
                let params = match role {
                    Role::Input | Role::Error => Vec::new(),
                    Role::Assertion | Role::Assumption => vec![Type::INT],
                };
                let ty = FunctionType {
                    result: result.clone(),
                    params,
                    variadic: false,
                    prototype: true,
                    points_to_const: Vec::new(),
                };
                self.head(name, &ty, role)
            }
        };
        let convention = Convention {
            role,
            head,
            is_declared: declared.is_some(),
        };
        self.program
            .conventions
            .insert(name.to_string(), convention);
    }

    /// Records the end of the call whose callee starts at the current position, and ends at `from` in the
    /// text.
    pub(super) fn call_end(&mut self, from: usize) {
        if let Some(end) = self.end_of_call(from) {
            self.program.call_ends.insert(self.at, end);
        }
    }

    /// The closing parenthesis of a call whose last part ends at `from` in the text.
    pub(super) fn end_of_call(&self, from: usize) -> Option<Location> {
        let text = self.source.text.as_bytes();
        let rest = text.get(from..)?;
        let length = rest.iter().position(|&byte| byte == b')')?;
        let mut end = self.source.location(from + length);
        end.file += self.files_from;
        Some(end)
    }

    /// The head of a function's definition.
    fn head(&self, name: &str, ty: &FunctionType, role: Role) -> Option<String> {
        let mut params: Vec<String> = Vec::new();
        for (index, param) in ty.params.iter().enumerate() {
            params.push(self.declare(param, &format!("p{index}"))?);
        }
        let has_condition = matches!(role, Role::Assertion | Role::Assumption);
        if params.is_empty() && has_condition {
            params.push("int p0".into());
        }
        if ty.variadic {
            params.push("...".into());
        }
        let list = if params.is_empty() {
            "void".into()
        } else {
            params.join(", ")
        };
        self.declare(&ty.result, &format!("{name}({list})"))
    }

    /// A declaration with a type; `None` if the type has no name or is not simple.
    fn declare(&self, ty: &Type, declarator: &str) -> Option<String> {
        let words = match ty {
            Type::Void => "void".into(),
            Type::Int(int) => int_words(*int).into(),
            Type::Float(FloatType::Single) => "float".into(),
            Type::Float(FloatType::Double) => "double".into(),
            Type::Float(FloatType::Extended) => "long double".into(),
            Type::Float(FloatType::Quadruple) => "_Float128".into(),
            Type::Pointer(to) if !matches!(**to, Type::Array(..) | Type::Function(_)) => {
                return self.declare(to, &format!("*{declarator}"));
            }
            Type::Record(id) => {
                let tags = self.scopes.first()?.tags.iter();
                let mut names = tags.filter(|(_, ty)| matches!(ty, Type::Record(own) if own == id));
                let (name, _) = names.next()?;
                // The keyword is a part of the name.
                name.clone()
            }
            _ => return None,
        };
        Some(format!("{words} {declarator}"))
    }
}

/// The keywords of an integer type.
pub(crate) fn int_words(int: IntType) -> &'static str {
    match (int.rank, int.signed) {
        (0, _) => "_Bool",
        (1, true) => "char",
        (1, false) => "unsigned char",
        (2, true) => "short",
        (2, false) => "unsigned short",
        (3, true) => "int",
        (3, false) => "unsigned int",
        (4, true) => "long",
        (4, false) => "unsigned long",
        (5, true) => "long long",
        (5, false) => "unsigned long long",
        (_, true) => "__int128",
        (_, false) => "unsigned __int128",
    }
}
