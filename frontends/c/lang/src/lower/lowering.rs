//! The state of lowering, and the order of its steps.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::ir::{Function, FunctionId, Location, Program, StaticId, Terminator};
use crate::source::Source;
use crate::syntax::ast::{
    Declaration, ExternalDeclaration, FunctionDefinition, TranslationUnit, TypeQualifier,
};
use crate::syntax::span::Node;
use crate::syntax::visit::Visit;
use crate::types::{Type, Types};

use super::annotation::Postcondition;
use super::assigns::Assigns;
use super::attribute_list::unsupported_attribute;
use super::builder::Builder;
use super::cbmc::{Contracted, Inferred, PointerCall, Specification, WriteSet};
use super::nonlocal_jump::NonlocalJumps;
use super::nonlocal_jump::may_jump;
use super::open_read::OpenRead;
use super::options::LoweringOptions;
use super::qualifier::Qualifiers;
use super::symbol::{Result, Scope, Symbol, Value};
use super::unit::{Definition, External, LIBRARY_UNIT, Unit, source_name};
use super::waypoint::{Hook, Met};
use super::{accesses, cbmc, effects, escape};

/// The state of lowering a program. Each file of this folder adds the methods for one kind of syntax.
pub(crate) struct Lowering<'a> {
    pub(crate) program: Program,
    pub(crate) types: Types,
    pub(super) options: LoweringOptions,
    /// The translation units, and the current one.
    pub(super) units: Vec<Unit<'a>>,
    pub(super) unit: usize,
    /// The library's text, and the number of its first file: the program's own files come before.
    pub(super) library: (&'a Source, u32),
    /// Names with external linkage, if there are several units.
    pub(super) external: HashMap<String, External>,
    /// The first name that cannot be linked, with its place.
    pub(super) link_fault: Option<String>,
    /// Whether no translation unit defines the function to start from.
    has_no_entry: bool,
    /// Text and first file of the current unit.
    pub(super) source: &'a Source,
    pub(super) files_from: u32,
    pub(super) scopes: Vec<Scope>,
    pub(super) n_scopes: u32,
    pub(super) builder: Builder,
    /// The builder of the start function, while another is active.
    pub(super) start: Option<Builder>,
    pub(super) at: Location,
    /// The numbers of functions by their link names, and the inverse.
    pub(super) function_ids: HashMap<String, FunctionId>,
    pub(super) link_names: Vec<String>,
    /// By link names.
    pub(super) definitions: HashMap<String, Definition<'a>>,
    /// Link names of referenced functions that are not lowered yet.
    pub(super) wanted: Vec<String>,
    pub(super) strings: HashMap<(Vec<u32>, u8), StaticId>,
    /// Static objects that an initialiser or a tentative definition has defined.
    pub(super) defined: HashSet<StaticId>,
    pub(super) noted: HashSet<String>,
    /// Attributes that were taken into account, by their offset.
    pub(super) packed_seen: HashSet<(u32, usize)>,
    /// Functions declared as not returning, and functions and objects declared as weak.
    pub(super) noreturn: HashSet<String>,
    pub(super) weak: HashSet<String>,
    /// The names by which other files may call `static` functions, with their link names, and the functions whose
    /// bodies were left out (see `cbmc`).
    pub(super) exported: HashMap<String, String>,
    pub(super) without_body: HashSet<String>,
    /// Calls through pointers, with the type of the called function: where the program leaves the pointer open, any
    /// function of this type.
    pub(super) pointer_calls: Vec<PointerCall>,
    /// Contracts by link names; the one that is being evaluated, with the values at an earlier moment that it is about,
    /// by their place; and the predicates whose bodies are being evaluated in place.
    pub(super) contracts: HashMap<String, Contracted<'a>>,
    pub(super) specification: Specification,
    pub(super) kept: HashMap<(usize, usize), Value>,
    pub(super) predicates: Vec<String>,
    /// What code may write, loops that do not say what they assign, and contracts of loops that are not used, by their
    /// place.
    pub(super) write_sets: Vec<WriteSet>,
    pub(super) inferred: Vec<(FunctionId, Inferred)>,
    pub(super) unused_contracts: HashSet<(usize, usize)>,
    pub(super) unusable_contracts: Vec<((usize, usize), Location)>,
    /// The assembler names of functions with an explicit one.
    pub(super) assembler_names: HashMap<String, String>,
    /// Names of types whose alignment differs from that of their type.
    pub(super) misaligned: HashSet<String>,
    /// Whether the value of the call that is lowered next is not used.
    pub(super) is_discarded: bool,
    /// The values of initialisers that were evaluated before the others, by their positions.
    pub(super) early_values: HashMap<usize, Value>,
    /// The object with the rounding mode of floats (`float::Rounding`), if the program may change it.
    pub(super) rounding_mode: Option<StaticId>,
    /// The postconditions of the function that is being lowered.
    pub(super) postconditions: Vec<Postcondition<'a>>,
    /// What loops and functions may assign, where they say so, by the function.
    pub(super) assigns: Vec<(FunctionId, Assigns)>,
    /// What jumps out of functions share, where there may be any.
    pub(super) nonlocal_jumps: Option<NonlocalJumps>,
    /// Whether a handler may be called at the end of the program.
    pub(super) calls_atexit: bool,
    /// Whether `srand` is called in two places, so that sequences may repeat.
    pub(super) reseeds: bool,
    /// Whether the program reads or writes `errno`.
    pub(super) uses_errno: bool,
    /// The object with pointers to texts of the environment, if the program asks for any.
    pub(super) environment: Option<StaticId>,
    /// Whether the current code is discarded, so that checks are omitted.
    pub(super) is_without_code: bool,
    /// Whether the address of an element is taken, which may be the one past the last.
    pub(super) takes_address: bool,
    /// Information for the order of evaluations, names whose address is taken, and the number of open choices
    /// between orders around the current expression.
    pub(super) orders: effects::Orders,
    pub(super) taken: accesses::Taken,
    pub(super) volatiles: Qualifiers,
    pub(super) constants: Qualifiers,
    /// Functions that run before the entry, with their priorities.
    pub(super) constructors: Vec<(i128, String)>,
    /// The enumerations that names of types stand for.
    pub(super) enumerations: HashMap<String, String>,
    pub(super) n_open_orders: u32,
    pub(super) n_tried_orders: u32,
    /// Operands that are evaluated before or after the calls under way.
    pub(super) open_reads: Vec<OpenRead<'a>>,
    /// The function whose body is being lowered, also while code goes into the start function.
    pub(super) lowered_function: String,
    /// The first static assertion that fails, with its place.
    pub(super) failed_assertion: Option<String>,
    /// The hooks of a witness, and the results of lowering them.
    pub(super) hooks: &'a [Hook],
    pub(super) met: Met,
}

/// The name of the object with the rounding mode of floats.
const ROUNDING_MODE: &str = "__CPROVER_rounding_mode";

/// Whether the name of a function that returns an `int` occurs anywhere but in its declaration.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name)
        .any(|(at, _)| !text[..at].trim_end().ends_with("int"))
}

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
    format!("there is no function `{name}` to start from")
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
        let mut lowering = Lowering::new(units, library, options, hooks);
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
    fn new(
        units: &[(&'a Source, &'a TranslationUnit)],
        library: &'a crate::library::Library,
        options: &LoweringOptions,
        hooks: &'a [Hook],
    ) -> Self {
        let mentioned = |name: &str| units.iter().any(|(source, _)| mentions(&source.text, name));
        let count = |text: &str| -> usize {
            let counts = units
                .iter()
                .map(|(source, _)| source.text.matches(text).count());
            counts.sum()
        };
        let mut lowering = Lowering {
            program: Program {
                pointer_width: options.model.pointer_width(),
                ..Program::default()
            },
            types: Types::new(options.model),
            options: options.clone(),
            units: Vec::new(),
            unit: 0,
            library: (&library.source, 0),
            external: HashMap::new(),
            link_fault: None,
            has_no_entry: false,
            source: &library.source,
            files_from: 0,
            scopes: vec![Scope::default()],
            n_scopes: 0,
            builder: Builder::new("<start>"),
            start: None,
            at: Location::default(),
            function_ids: HashMap::new(),
            link_names: Vec::new(),
            definitions: HashMap::new(),
            wanted: Vec::new(),
            strings: HashMap::new(),
            defined: HashSet::new(),
            noted: HashSet::new(),
            packed_seen: HashSet::new(),
            noreturn: HashSet::new(),
            weak: HashSet::new(),
            exported: HashMap::new(),
            without_body: HashSet::new(),
            pointer_calls: Vec::new(),
            contracts: HashMap::new(),
            specification: Specification::default(),
            kept: HashMap::new(),
            predicates: Vec::new(),
            write_sets: Vec::new(),
            inferred: Vec::new(),
            unused_contracts: HashSet::new(),
            unusable_contracts: Vec::new(),
            assembler_names: HashMap::new(),
            misaligned: HashSet::new(),
            is_discarded: false,
            early_values: HashMap::new(),
            rounding_mode: None,
            postconditions: Vec::new(),
            assigns: Vec::new(),
            nonlocal_jumps: None,
            calls_atexit: mentioned("atexit"),
            // More occurrences than a declaration in each unit and one call.
            reseeds: count("srand") > units.len() + 1
                || count("srand") > 1 && count("void srand") < units.len(),
            // More occurrences than a declaration in each unit.
            uses_errno: count("__errno_location") > units.len(),
            environment: None,
            is_without_code: false,
            takes_address: false,
            orders: effects::Orders::default(),
            taken: accesses::Taken::default(),
            volatiles: Qualifiers::new(TypeQualifier::Volatile),
            constants: Qualifiers::new(TypeQualifier::Const),
            constructors: Vec::new(),
            enumerations: HashMap::new(),
            n_open_orders: 0,
            n_tried_orders: 0,
            open_reads: Vec::new(),
            lowered_function: String::new(),
            failed_assertion: None,
            hooks,
            met: Met::default(),
        };
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
        let asks = |(source, _): &(&Source, _)| {
            let called = |name: &str| source.text.matches(name).count() > 1;
            ["getenv", "strerror", "strsignal", "setlocale"]
                .into_iter()
                .any(called)
        };
        if units.iter().any(asks) {
            self.make_environment()?;
        }
        if units.iter().any(|(_, unit)| may_jump(unit)) {
            self.prepare_nonlocal_jumps()?;
        }
        if !self.hooks.is_empty() {
            let id = self.static_object("number of waypoints passed", &Type::INT, false)?;
            self.met.n_passed = Some(id);
        }
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
        let id = self.function_id(&name);
        self.define_function(&name, &ty, definition)?;
        self.scopes[0].names.insert(name, Symbol::Function(id, ty));
        Ok(())
    }

    /// The number of the function that the current unit calls by this name, with or without a body.
    pub(super) fn function_id(&mut self, name: &str) -> FunctionId {
        let link = self.link_name(name);
        if let Some(&id) = self.function_ids.get(&*link) {
            return id;
        }
        let (id, link) = (
            self.program.functions.len() as FunctionId,
            link.into_owned(),
        );
        self.program.functions.push(Function::new(name));
        self.link_names.push(link.clone());
        self.function_ids.insert(link, id);
        id
    }

    /// Refers to a function: its body, if there is one, will be lowered.
    pub(super) fn want(&mut self, name: &str) -> FunctionId {
        let id = self.function_id(name);
        self.wanted.push(self.link_name(name).into_owned());
        id
    }

    fn finish(&mut self) -> Result<()> {
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
            self.constants.leave_function();
            self.postconditions.clear();
            self.at = Location::default();
            self.locate(definition.span.start);
            self.attempt(|lowering| lowering.body(definition));
            self.attempt(Self::finish_landing);
            self.finish_jumps();
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
        let inferred = self.infer_targets();
        if !self.unusable_contracts.is_empty() {
            return Ok(());
        }
        self.confine_writes()?;
        self.insert_inferred(inferred);
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
        Ok(())
    }
}
