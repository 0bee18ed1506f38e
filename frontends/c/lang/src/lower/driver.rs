//! The order of the steps of lowering.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::ir::{FunctionId, Location, Program, Terminator};
use crate::source::Source;
use crate::syntax::ast::{Declaration, ExternalDeclaration, FunctionDefinition, TranslationUnit};
use crate::syntax::span::Node;
use crate::syntax::visit::Visit;
use crate::types::Type;

use super::attribute_list::unsupported_attribute;
use super::builder::Builder;
use super::entry::asks_for_texts;
use super::lowering::Lowering;
use super::mentioned::mentions;
use super::nonlocal_jump::may_jump;
use super::options::LoweringOptions;
use super::state::{Hook, Met};
use super::symbol::{Result, Symbol};
use super::unit::{Definition, LIBRARY_UNIT, source_name};
use super::{cbmc, escape};

/// The name of the object with the rounding mode of floats.
const ROUNDING_MODE: &str = "__CPROVER_rounding_mode";

/// Reads and lowers preprocessed text; `name` is its file's name in messages.
///
/// # Errors
/// If it is no C program, or uses what is not supported; the message says which.
pub fn lower_text(text: &str, name: &str, options: &LoweringOptions) -> Result<Program> {
    let source = Source::new(text, name);
    let library = crate::library::Library::of(options.model)?;
    let unit = crate::parse::parse(&source)?;
    lower(&source, &unit, library, options)
}

/// Lowers a program. An error means that nothing in it can be checked.
pub fn lower<'a>(
    source: &'a Source,
    unit: &'a TranslationUnit,
    library: &'a crate::library::Library,
    options: &LoweringOptions,
) -> Result<Program> {
    let lowered = lower_units(&[(source, unit)], library, options, &[]);
    lowered
        .map(|lowered| lowered.0)
        .map_err(|fault| match fault {
            Fault::Unsupported(message) | Fault::Link(message) => message,
            Fault::NoEntry(name) => no_entry(&name),
        })
}

/// Why a program is not lowered.
pub enum Fault {
    /// It is not supported.
    Unsupported(String),
    /// Its translation units cannot be linked.
    Link(String),
    /// None of its translation units defines the function of this name, in which it is to start.
    NoEntry(String),
}

/// The message that there is no function of this name.
#[must_use]
pub fn no_entry(name: &str) -> String {
    format!(
        "there is no function `{name}` to start from (`--entry` names another, and `--link` makes one program of several \
         files)"
    )
}

/// Lowers a program of one or several translation units; the entry function is in one of them.
pub fn lower_units<'a>(
    units: &[(&'a Source, &'a TranslationUnit)],
    library: &'a crate::library::Library,
    options: &LoweringOptions,
    hooks: &'a [Hook],
) -> std::result::Result<(Program, Met), Fault> {
    let mut unused: HashMap<(usize, usize), Location> = HashMap::new();
    loop {
        let mut lowering = Lowering::with_units(units, library, options, hooks);
        lowering.unused_contracts.extend(unused.keys());
        let lowered = lowering.program(units, library);
        if let Some(fault) = lowering.link_fault {
            return Err(Fault::Link(fault));
        }
        if lowering.has_no_entry {
            return Err(Fault::NoEntry(options.entry.clone()));
        }
        lowered.map_err(Fault::Unsupported)?;
        if lowering.unusable_contracts.is_empty() {
            for at in unused.into_values() {
                let place = lowering.program.place(at);
                let text = format!(
                    "{place}: what the loop assigns is not known, so its contract is not used"
                );
                lowering.program.notes.push(text);
            }
            return Ok((lowering.program, lowering.met));
        }
        // Without the contracts of these loops, all their rounds are looked at.
        unused.extend(lowering.unusable_contracts);
    }
}

impl<'a> Lowering<'a> {
    /// The state before the first unit is lowered, with all units added.
    fn with_units(
        units: &[(&'a Source, &'a TranslationUnit)],
        library: &'a crate::library::Library,
        options: &LoweringOptions,
        hooks: &'a [Hook],
    ) -> Self {
        let mut lowering = Self::new(units, library, options, hooks);
        lowering.program.tracks_lifetimes =
            options.checks.pointer || options.checks.bounds || options.checks.leak;
        lowering.program.tracks_lifetimes |=
            (units.iter()).any(|(source, _)| cbmc::asks_for_lifetimes(&source.text));
        for &(source, unit) in units {
            lowering.add_unit(source, unit, units.len() == 1);
        }
        let files = &mut lowering.program.files;
        lowering.library.1 = files.len() as u32;
        files.extend(library.source.files.iter().cloned());
        lowering
    }

    fn program(
        &mut self,
        units: &[(&'a Source, &'a TranslationUnit)],
        library: &'a crate::library::Library,
    ) -> Result<()> {
        let changes_rounding = |(source, _): &(&Source, _)| {
            mentions(&source.text, "fesetround")
                || mentions(&source.text, "fegetround")
                || source.text.contains(ROUNDING_MODE)
        };
        if units.iter().any(changes_rounding) {
            self.rounding_mode = Some(self.static_object(ROUNDING_MODE, &Type::INT, false)?);
        }
        if units.iter().any(|(_, unit)| asks_for_texts(unit)) {
            self.make_environment()?;
        }
        if units.iter().any(|(_, unit)| may_jump(unit)) {
            self.prepare_nonlocal_jumps()?;
        }
        if !self.hooks.is_empty() {
            let id = self.static_object("number of waypoints passed", &Type::INT, false)?;
            self.met.n_passed = Some(id);
        }
        let trees: Vec<&TranslationUnit> = units.iter().map(|(_, unit)| *unit).collect();
        self.note_aliases(&trees);
        for (_, unit) in units {
            self.taken.visit_translation_unit(unit);
        }
        for (index, (source, unit)) in units.iter().enumerate() {
            self.enter_unit(index);
            self.bind_predefined();
            if let Some(id) = self.rounding_mode {
                self.bind(ROUNDING_MODE, Symbol::Static(id, Type::INT));
            }
            if let Some((offset, word)) = &source.unknown_meaning {
                let mut at = source.location(*offset);
                at.file += self.files_from;
                return Err(format!("{}: {word}", self.program.place(at)));
            }
            if let Some((offset, word)) = unsupported_attribute(unit) {
                let mut at = source.location(offset);
                at.file += self.files_from;
                return Err(format!("{}: {word}", self.program.place(at)));
            }
            self.unit(unit)?;
        }
        if !self.definitions.contains_key(&self.options.entry) {
            self.has_no_entry = true;
            return Err(no_entry(&self.options.entry));
        }
        self.missing_contracts()?;
        // The library defines the functions that the program does not define itself.
        self.enter_unit(LIBRARY_UNIT);
        self.library(&library.unit);
        self.finish()
    }

    fn unit(&mut self, unit: &'a TranslationUnit) -> Result<()> {
        for declaration in &unit.items {
            self.locate(declaration.span.start);
            let result = match &declaration.node {
                ExternalDeclaration::Declaration(declaration) => self.global(declaration),
                ExternalDeclaration::StaticAssert(assertion) => self.static_assertion(assertion),
                ExternalDeclaration::FunctionDefinition(definition) => self.definition(definition),
            };
            result.map_err(|message| format!("{}: {message}", self.program.place(self.at)))?;
        }
        Ok(())
    }

    fn library(&mut self, unit: &'a TranslationUnit) {
        for declaration in &unit.items {
            if let ExternalDeclaration::FunctionDefinition(definition) = &declaration.node
                && let Ok((name, _, _)) = self.definition_head(definition)
            {
                let entry = Definition::of_library(definition);
                self.definitions.entry(name).or_insert(entry);
            }
        }
    }

    pub(super) fn global(&mut self, declaration: &'a Node<Declaration>) -> Result<()> {
        self.declaration(declaration, true)
    }

    pub(super) fn definition(&mut self, definition: &'a Node<FunctionDefinition>) -> Result<()> {
        let (name, ty, _) = self.definition_head(definition)?;
        self.function_attributes(
            &name,
            &definition.node.specifiers,
            &definition.node.declarator,
        );
        self.note_contract(
            &name,
            (&definition.node.specifiers, &definition.node.declarator),
            &definition.node.contract,
            true,
        );
        self.note_qualifiers_of_result(
            &name,
            &definition.node.specifiers,
            &definition.node.declarator,
        );
        let id = self.function_id(&name);
        self.define_function(&name, &ty, definition)?;
        self.scopes[0].names.insert(name, Symbol::Function(id, ty));
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.check_types_of_aliases()?;
        let entry = self.options.entry.clone();
        self.enter_unit(self.definitions[&entry].unit);
        self.call_entry(&entry)?;
        let start = std::mem::replace(&mut self.builder, Builder::new(""));
        // Static locals and string literals are initialised in the start function, so it stays open while
        // bodies are lowered.
        self.start = Some(start);
        let mut lowered = HashSet::new();
        while let Some(link) = self.wanted.pop() {
            if !lowered.insert(link.clone()) {
                continue;
            }
            if self.wrapper(&link)? {
                continue;
            }
            let Some(&Definition { function, unit, .. }) = self.definitions.get(&link) else {
                if let Some(body) = self.any_value_body(&link) {
                    let id = self.function_ids[&link];
                    self.program.functions[id as usize] = body;
                }
                continue;
            };
            self.enter_unit(unit);
            let (id, name) = (self.function_ids[&link], source_name(&link));
            let definition = function;
            self.builder = Builder::new(name);
            self.lowered_function = name.to_string();
            self.volatiles.leave_function();
            self.atomics.leave_function();
            self.constexprs.retain(|keeper, _| keeper.is_static());
            self.constants.leave_function();
            self.enumerations.leave_function();
            self.postconditions.clear();
            self.at = Location::default();
            self.locate(definition.span.start);
            self.attempt(|lowering| lowering.body(definition));
            self.finish_jumps();
            self.attempt(Self::finish_landing);
            self.end_function();
            self.end_at_labels();
            self.scopes.truncate(1);
            let mut builder = std::mem::replace(&mut self.builder, Builder::new(""));
            self.place_write_sets(id);
            self.keep_inferred(id, std::mem::take(&mut builder.inferred));
            self.keep_pointer_calls(id, &builder);
            self.assigns
                .extend(builder.assigns.into_iter().map(|clause| (id, clause)));
            let mut function = builder.function;
            escape::mark(&self.program, &mut function);
            self.program.functions[id as usize] = function;
        }
        let mut arbitrary = self.infer_targets();
        if !self.unusable_contracts.is_empty() {
            return Ok(());
        }
        arbitrary.extend(self.confine_writes()?);
        self.insert_havocs(arbitrary);
        self.check_assigns();
        self.note_missing_bodies();
        self.note_bounds();
        self.find_open_callees();
        self.check_layout_attributes(&lowered)?;
        if let Some(message) = self.failed_assertion.take() {
            return Err(message);
        }
        let Some(start) = self.start.take() else {
            unreachable!("the start function is open")
        };
        let mut function = start.function;
        self.forget_initial_values(&mut function);
        // Block 0 initialises, block 1 calls; see `call_entry`.
        function.blocks[start.current as usize].end = Terminator::Jump(1);
        self.program.types = Some(Arc::new(self.types.clone()));
        self.program.start = self.program.functions.len() as FunctionId;
        self.program.functions.push(function);
        self.settle_padding();
        Self::settle_meetings(&mut self.program, &self.observed);
        Ok(())
    }
}
