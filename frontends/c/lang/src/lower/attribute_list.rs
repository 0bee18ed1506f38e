//! Attributes by their effect on what a program means: those that lowering takes into account, those without
//! an effect, and all others, with which a program is not supported.

use std::collections::HashSet;

use crate::syntax::ast::*;
use crate::syntax::span::Span;
use crate::syntax::visit::{self, Visit};

use super::init_array;

/// Taken into account where they stand at types, members and functions.
const UNDERSTOOD: [&str; 10] = [
    "alias",
    "cleanup",
    "constructor",
    "destructor",
    "packed",
    "aligned",
    "vector_size",
    "mode",
    "noreturn",
    "weak",
];

/// About warnings, optimisation, placement and linking of the code: a run does not observe them.
const HARMLESS: [&str; 118] = [
    "_Noreturn",
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "annotate",
    "artificial",
    "assume_aligned",
    "availability",
    "btf_decl_tag",
    "btf_type_tag",
    "cdecl",
    "cf_check",
    "cold",
    "common",
    "const",
    "convergent",
    "counted_by",
    "deprecated",
    "designated_init",
    "diagnose_as_builtin",
    "disable_sanitizer_instrumentation",
    "disable_tail_calls",
    "enum_extensibility",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "gcc_struct",
    "gnu_inline",
    "hot",
    "internal_linkage",
    "leaf",
    "likely",
    "malloc",
    "may_alias",
    "maybe_unused",
    "minsize",
    "ms_abi",
    "musttail",
    "no_address_safety_analysis",
    "no_builtin",
    "no_caller_saved_registers",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodebug",
    "nodiscard",
    "noescape",
    "noinline",
    "noipa",
    "nomerge",
    "nonnull",
    "nonstring",
    "noplt",
    "not_tail_called",
    "nothrow",
    "null_terminated_string_arg",
    "optimize",
    "optnone",
    "ownership_holds",
    "ownership_returns",
    "ownership_takes",
    "patchable_function_entry",
    "preserve_access_index",
    "pure",
    "regparm",
    "reproducible",
    "retain",
    "returns_nonnull",
    "returns_twice",
    "section",
    "sentinel",
    "signal_safe",
    "simd",
    "sseregparm",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "sysv_abi",
    "target",
    "target_clones",
    "thiscall",
    "tls_model",
    "transparent_union",
    "type_visibility",
    "unavailable",
    "uninitialized",
    "unlikely",
    "unsequenced",
    "unused",
    "used",
    "vectorcall",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused_result",
    "warning",
];

/// Sections whose contents are functions that run before or after `main`.
const SECTIONS_THAT_RUN: [&str; 5] = [".init", ".fini", ".ctors", ".dtors", ".preinit"];

/// The first attribute in a unit with which it is not supported: its byte, and its name for messages.
pub(super) fn unsupported_attribute(unit: &TranslationUnit) -> Option<(usize, String)> {
    let mut finder = Finder {
        found: None,
        initial_pointers: init_array::of_objects(unit),
    };
    finder.visit_translation_unit(unit);
    finder.found
}

struct Finder {
    found: Option<(usize, String)>,
    /// The attributes that make objects pointers to functions which run at the start.
    initial_pointers: HashSet<usize>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_attribute(&mut self, attribute: &'ast Attribute, span: &'ast Span) {
        let name = attribute.name.node.trim_matches('_');
        let is_known = UNDERSTOOD.contains(&name)
            || HARMLESS.contains(&name)
            || attribute.name.node == "_Noreturn";
        let runs =
            || name == "section" && runs(attribute) && !self.initial_pointers.contains(&span.start);
        if self.found.is_none() && (!is_known || runs()) {
            self.found = Some((span.start, format!("the attribute `{name}`")));
        }
        visit::visit_attribute(self, attribute, span);
    }
}

/// Whether the section that an attribute names is one whose contents run.
fn runs(attribute: &Attribute) -> bool {
    attribute.arguments.iter().any(|argument| {
        let Expression::StringLiteral(text) = &argument.node else {
            return true;
        };
        let text = text.node.concat().replace('"', "");
        SECTIONS_THAT_RUN
            .iter()
            .any(|section| text.starts_with(section))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_text;

    #[test]
    fn attributes_are_harmless_or_refused() {
        let found = |text: &str| {
            let unit = parse_text(text).expect("it can be read");
            unsupported_attribute(&unit).map(|found| found.1)
        };
        for text in [
            "int f(void) __attribute__((__nothrow__, __leaf__, noinline)); [[nodiscard]] int g(void);",
            "struct s { int a __attribute__((packed)); } __attribute__((aligned(8))) x;",
            "int y __attribute__((section(\".data\"))), z __attribute__((unused)) = 1;",
            "void f(void) { int a __attribute__((unused)); b: __attribute__((unused)); }",
            "void (*p)(void) __attribute__((section(\".init_array.00101\"))) = f;",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
        for (text, name) in [
            (
                "void f(void) __attribute__((init_priority(200))); ",
                "init_priority",
            ),
            ("int f(int a [[gnu::strange]]);", "strange"),
            ("int *(__attribute__((weird)) *f)(void);", "weird"),
            (
                "void f(void) { static void (*p)(void) __attribute__((section(\".init_array\"))) = f; }",
                "section",
            ),
            (
                "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int a; };",
                "scalar_storage_order",
            ),
            (
                "void (*p)(void) __attribute__((section(\".fini_array\"))) = f;",
                "section",
            ),
            ("enum e { A __attribute__((other)) };", "other"),
            (
                "int f(void) { return sizeof(int __attribute__((odd))); }",
                "odd",
            ),
        ] {
            assert_eq!(
                found(text),
                Some(format!("the attribute `{name}`")),
                "{text}"
            );
        }
    }
}
