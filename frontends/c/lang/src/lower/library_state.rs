//! What a call of a function without model says of later calls: the indicators of streams (C11 7.21.1p2), and numbers of the process
//! that stay the same until the program changes them (POSIX). The library's text keeps them (`streams.c`, `environment.c`).

use crate::types::Type;

use super::function_table::row_of;
use super::mentioned::CHANGING_NUMBERS;
use super::refused_functions::CHARACTERS;
use super::{Lowering, Place, Result, Symbol, UnknownCalls, Value};

/// Functions after which nothing is known of a stream's indicators; their stream is the first argument, if they have one.
const CLEARING: &[&str] = &[
    "rewind",
    "fseek",
    "fseeko",
    "fseeko64",
    "fsetpos",
    "fsetpos64",
    "pclose",
    "fcloseall",
];

/// The kind of a number of the process, of which there is one.
fn kind_of(name: &str) -> Option<u8> {
    Some(match name {
        // The numbers of the process and of its only thread.
        "getpid" | "gettid" => 0,
        _ => {
            let index = CHANGING_NUMBERS.iter().position(|known| *known == name)?;
            index as u8 + 1
        }
    })
}

/// The kinds of numbers that a function may change, as bits.
fn changed_by(name: &str) -> u8 {
    match name {
        "setuid" | "seteuid" | "setreuid" | "setresuid" => 0b110,
        "setgid" | "setegid" | "setregid" | "setresgid" => 0b1_1000,
        "setpgid" | "setpgrp" | "setsid" => 0b10_0000,
        // One that is not known may do all of this.
        _ if row_of(name).is_none() => 0b11_1110,
        _ => 0,
    }
}

impl Lowering<'_> {
    /// Keeps what a call of a function of the system tells, which has been made with these values of its arguments.
    pub(super) fn follow_state(
        &mut self,
        name: &str,
        arguments: &[Value],
        value: &Value,
    ) -> Result<()> {
        if self.is_without_code || !self.is_own_code() {
            return Ok(());
        }
        self.follow_numbers(name, arguments, value)?;
        if self.asks_streams {
            self.follow_streams(name, arguments, value)?;
        }
        Ok(())
    }

    fn follow_numbers(&mut self, name: &str, arguments: &[Value], value: &Value) -> Result<()> {
        let width = self.pointer_width();
        let kind = kind_of(name).filter(|&kind| kind == 0 || self.follows_numbers);
        if let Some(kind) = kind {
            let kind = self.int(u128::from(kind)).expr;
            let number = self.resized(value, width)?;
            self.library_call("__craig_same_number", vec![kind, number])?;
        }
        if let ("sysconf", [setting]) = (name, arguments) {
            let setting = self.resized(setting, 32)?;
            let number = self.resized(value, width)?;
            self.library_call("__craig_same_setting", vec![setting, number])?;
        }
        let changed = changed_by(name);
        let is_followed = self.follows_numbers && !self.changes_nothing(name);
        if changed != 0 && is_followed {
            let kept = self.program.constant(u128::from(!u32::from(changed)), 32);
            let nothing = self.program.constant(0, width);
            self.library_call("__craig_same_number", vec![kept, nothing])?;
        }
        Ok(())
    }

    /// Whether a function without body is said to change nothing.
    fn changes_nothing(&self, name: &str) -> bool {
        self.options.unknown_calls == UnknownCalls::Pure && row_of(name).is_none()
    }

    fn follow_streams(&mut self, name: &str, arguments: &[Value], value: &Value) -> Result<()> {
        let width = self.pointer_width();
        let stream = match arguments.first() {
            Some(stream) if matches!(stream.ty, Type::Pointer(_)) => stream.expr,
            _ => self.program.constant(0, width),
        };
        if name == "getchar" || CHARACTERS.contains(&name) {
            let stream = match arguments {
                [] => self.standard_input()?.expr,
                _ => stream,
            };
            let character = self.resized(value, 32)?;
            self.library_call("__craig_character_came", vec![stream, character])?;
            return Ok(());
        }
        let is_unknown = row_of(name).is_none() && !self.changes_nothing(name);
        if is_unknown || CLEARING.contains(&name) || name.starts_with("freopen") {
            // One that is not known may have the stream from elsewhere.
            let stream = match CLEARING.contains(&name) {
                true => stream,
                false => self.program.constant(0, width),
            };
            self.library_call("__craig_streams_change", vec![stream])?;
        }
        Ok(())
    }

    /// The stream of the standard input; null if the program does not name it.
    pub(super) fn standard_input(&mut self) -> Result<Value> {
        let ty = Self::char_pointer();
        let found = self
            .meanings_at_files("stdin")
            .find_map(|symbol| match symbol {
                Symbol::Static(id, Type::Pointer(_)) => Some(*id),
                _ => None,
            });
        match found {
            Some(id) if self.asks_streams => {
                let address = self.static_address(id);
                self.load(Place::Memory(address), &ty)
            }
            _ => {
                let expr = self.program.constant(0, self.pointer_width());
                Ok(Value { expr, ty })
            }
        }
    }
}
