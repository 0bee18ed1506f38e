//! From syntax trees to the lowered program.
//!
//! Declarations at file scope are read first; bodies of functions are lowered when something refers to
//! them, so that what is never called need not be supported. What is not supported inside a body ends
//! the path there ([`Terminator::Stuck`]), and counts only if that place can be reached.

mod accesses;
mod allocate;
mod assembly;
mod atomic;
mod attribute;
mod builder;
mod builtin;
mod call;
mod check;
mod complex;
mod condition;
mod convention;
mod convert;
mod declare;
mod effects;
mod entry;
mod escape;
mod expression;
mod floating;
mod format;
mod function_model;
mod function_table;
mod initialise;
mod label_value;
mod link;
mod literal;
mod numeric;
mod order;
mod place;
mod scope;
mod specifier;
mod statement;
mod static_assertion;
mod unmodelled;
mod vector;
mod volatile;
mod waypoint;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lang_c::ast::{Declaration, ExternalDeclaration, FunctionDefinition, TranslationUnit};
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::ir::{
    BlockId, Expr, Function, FunctionId, Location, Program, Reg, SlotId, StaticId, Terminator,
};
use super::source::Source;
use super::types::{BitRange, DataModel, FunctionType, IntType, Type, Types};

use builder::Builder;
pub(crate) use check::is_same_file;
pub(crate) use convention::int_words;
use scope::Scope;

use link::{Definition, External, LIBRARY_UNIT, Unit, source_name};
pub(crate) use waypoint::{Hook, Met, Moment, Purpose};

/// What went wrong, without the place.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// More pieces than this, and an object is kept in bytes or refused.
pub(crate) const MAX_CELLS: usize = 1 << 20;

/// Checks beside the error marks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks {
    /// Overflow of signed arithmetic.
    pub overflow: bool,
    /// Division by zero.
    pub division: bool,
    /// Shift amounts out of range.
    pub shift: bool,
    /// Indices beyond their arrays, and accesses outside of every object.
    pub bounds: bool,
    /// Accesses through null pointers and to objects whose lifetime has ended; wrong calls of `free`.
    pub pointer: bool,
    /// Allocated memory that is not freed when the program ends.
    pub leak: bool,
    /// Implicit conversions that change the value.
    pub conversion: bool,
}

impl Checks {
    /// Every check.
    pub const ALL: Self = Self {
        overflow: true,
        division: true,
        shift: true,
        bounds: true,
        pointer: true,
        leak: true,
        conversion: true,
    };
}

/// What is to be covered, each by a run of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// Lines that statements start on.
    Locations,
    /// Both ways of each `if`, `?:`, `while`, `do` and `for`, and each label of a `switch`.
    Branches,
    /// Both values of each operand of `&&`, `||` and `!` in conditions, and of conditions without them.
    Conditions,
}

impl Goals {
    /// The criterion in the query language of Test-Comp.
    #[must_use]
    pub fn specification(self, entry: &str) -> String {
        let edges = match self {
            Self::Locations => "@BASICBLOCKENTRY",
            Self::Branches => "@DECISIONEDGE",
            Self::Conditions => "@CONDITIONEDGE",
        };
        format!("COVER( init({entry}()), FQL(COVER EDGES({edges})) )")
    }
}

/// The options of lowering.
#[derive(Clone, Debug)]
pub(crate) struct LoweringOptions {
    pub(crate) model: DataModel,
    /// What marks an error.
    pub(crate) marks: Marks,
    /// With checks of overflow: whether left shifts are among the operations.
    pub(crate) left_shifts_overflow: bool,
    pub(crate) entry: String,
    pub(crate) checks: Checks,
    /// Lines that are errors to reach, by file and number; if there are any, the customary marks are none.
    pub(crate) cover: Vec<(String, u32)>,
    /// What is to be reached instead of errors.
    pub(crate) goals: Option<Goals>,
    /// Whether an allocation may fail at any time.
    pub(crate) malloc_may_fail: bool,
    pub(crate) unknown_calls: UnknownCalls,
    /// Whether a read of a volatile object gives any value.
    pub(crate) nondet_volatile: bool,
}

/// What a call does of a function that has neither body nor model. It returns any value, in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownCalls {
    /// It changes whatever its arguments lead to, but through pointers to `const`. One that takes a
    /// function, or does not return, is not supported.
    #[default]
    Havoc,
    /// It changes nothing; one that is said not to return ends the run.
    Pure,
    /// It is not supported.
    Refuse,
}

/// What marks an error in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Marks {
    /// What the verifiers' conventions say.
    Customary,
    /// A label or a function of this name.
    Named(String),
    /// A function of this name.
    Function(String),
    /// Nothing.
    None,
}

impl LoweringOptions {
    /// Whether the marks of the verifiers' conventions are the properties.
    fn is_customary(&self) -> bool {
        self.marks == Marks::Customary && self.cover.is_empty() && self.goals.is_none()
    }

    /// Whether calls of a function are marked, whatever its definition.
    fn is_marked(&self, function: &str) -> bool {
        match &self.marks {
            Marks::Named(name) | Marks::Function(name) => name == function,
            Marks::Customary | Marks::None => false,
        }
    }
}

/// What a name stands for.
#[derive(Clone)]
pub(crate) enum Symbol {
    Typedef(Type),
    Enumerator(i128, IntType),
    Register(Reg, Type),
    Slot(SlotId, Type),
    Static(StaticId, Type),
    Function(FunctionId, Arc<FunctionType>),
}

/// Where a value is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Register(Reg),
    Memory(Expr),
    /// Some bits of the unit at the address.
    Bits {
        address: Expr,
        bits: BitRange,
    },
}

/// A value with its C type. A record's value is the address of an object that holds it.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) expr: Expr,
    pub(crate) ty: Type,
}

struct Switch {
    /// How many scopes are around it.
    depth: usize,
    cases: Vec<(Expr, Expr, BlockId)>,
    default: Option<BlockId>,
    ty: IntType,
}

pub(crate) struct Lowering<'a> {
    pub(crate) program: Program,
    pub(crate) types: Types,
    options: LoweringOptions,
    /// The translation units, and the one at work.
    units: Vec<Unit<'a>>,
    unit: usize,
    /// The library's text, and the number of its first file: the program's own files come before.
    library: (&'a Source, u32),
    /// Names with external linkage, where there are several units.
    external: HashMap<String, External>,
    /// The first name that cannot be linked, with its place.
    link_fault: Option<String>,
    /// Text and first file of the unit at work.
    source: &'a Source,
    files_from: u32,
    scopes: Vec<Scope>,
    n_scopes: u32,
    builder: Builder,
    /// The builder of the start function, while another is in use.
    start: Option<Builder>,
    at: Location,
    /// The numbers of functions by their link names, and the other way round.
    function_ids: HashMap<String, FunctionId>,
    link_names: Vec<String>,
    /// By link names.
    definitions: HashMap<String, Definition<'a>>,
    /// Link names of functions that something refers to and that are not lowered yet.
    wanted: Vec<String>,
    strings: HashMap<(Vec<u32>, u8), StaticId>,
    /// Static objects that an initialiser or a tentative definition has defined.
    defined: HashSet<StaticId>,
    noted: HashSet<String>,
    /// Attributes that were taken into account, by their offset.
    packed_seen: HashSet<(u32, usize)>,
    /// Functions that do not return, and functions and objects that may be missing, as their declarations
    /// say.
    noreturn: HashSet<String>,
    weak: HashSet<String>,
    /// The names that functions have for the assembler, where a declaration says so.
    assembler_names: HashMap<String, String>,
    /// Names of types with another alignment than that of their type.
    misaligned: HashSet<String>,
    /// The object with the rounding mode of floats (`float::Rounding`), where the program may change that.
    rounding_mode: Option<StaticId>,
    /// Whether something may be called when the program ends.
    calls_atexit: bool,
    /// Whether `srand` is called in two places, so that sequences may come again.
    reseeds: bool,
    /// Whether what is lowered leaves no code, so that there is nothing to check.
    is_without_code: bool,
    /// Whether the address of an element is taken, which may be the one after the last.
    takes_address: bool,
    /// What is known for the order of evaluations, what something takes the address of, and how many
    /// choices between orders the expression under way is in.
    orders: effects::Orders,
    taken: accesses::Taken,
    volatiles: volatile::Volatiles,
    n_open_orders: u32,
    /// The function whose body is being lowered, also while something of it goes into the start function.
    lowered_function: String,
    /// The first static assertion that fails, with its place.
    failed_assertion: Option<String>,
    /// What a witness claims, and what was found of it.
    hooks: &'a [Hook],
    met: Met,
}

/// The name of the object with the rounding mode of floats.
const ROUNDING_MODE: &str = "__CPROVER_rounding_mode";

/// Whether a function that returns an `int` stands anywhere but in its declaration.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name)
        .any(|(at, _)| !text[..at].trim_end().ends_with("int"))
}

/// Lowers a program. An error means that nothing can be said about it at all.
pub(crate) fn lower<'a>(
    source: &'a Source,
    unit: &'a TranslationUnit,
    library: &'a super::library::Library,
    options: &LoweringOptions,
) -> Result<Program> {
    lower_with(source, unit, library, options, &[]).map(|lowered| lowered.0)
}

/// Lowers a program with what a witness claims about it.
pub(crate) fn lower_with<'a>(
    source: &'a Source,
    unit: &'a TranslationUnit,
    library: &'a super::library::Library,
    options: &LoweringOptions,
    hooks: &'a [Hook],
) -> Result<(Program, Met)> {
    lower_units(&[(source, unit)], library, options, hooks).map_err(|fault| match fault {
        Fault::Unsupported(message) | Fault::Link(message) => message,
    })
}

/// Why a program is not lowered.
pub(crate) enum Fault {
    /// It is not supported.
    Unsupported(String),
    /// Its translation units do not fit together.
    Link(String),
}

/// Lowers a program of one or several translation units; the entry function is in one of them.
pub(crate) fn lower_units<'a>(
    units: &[(&'a Source, &'a TranslationUnit)],
    library: &'a super::library::Library,
    options: &LoweringOptions,
    hooks: &'a [Hook],
) -> std::result::Result<(Program, Met), Fault> {
    let mut lowering = Lowering::new(units, library, options, hooks);
    let lowered = lowering.program(units, library);
    if let Some(fault) = lowering.link_fault {
        return Err(Fault::Link(fault));
    }
    match lowered {
        Ok(()) => Ok((lowering.program, lowering.met)),
        Err(message) => Err(Fault::Unsupported(message)),
    }
}

impl<'a> Lowering<'a> {
    fn new(
        units: &[(&'a Source, &'a TranslationUnit)],
        library: &'a super::library::Library,
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
            assembler_names: HashMap::new(),
            misaligned: HashSet::new(),
            rounding_mode: None,
            calls_atexit: mentioned("atexit"),
            // More than a declaration in each unit, and one call.
            reseeds: count("srand") > units.len() + 1
                || count("srand") > 1 && count("void srand") < units.len(),
            is_without_code: false,
            takes_address: false,
            orders: effects::Orders::default(),
            taken: accesses::Taken::default(),
            volatiles: volatile::Volatiles::default(),
            n_open_orders: 0,
            lowered_function: String::new(),
            failed_assertion: None,
            hooks,
            met: Met::default(),
        };
        lowering.program.tracks_lifetimes =
            options.checks.pointer || options.checks.bounds || options.checks.leak;
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
        library: &'a super::library::Library,
    ) -> Result<()> {
        let changes_rounding = |(source, _): &(&Source, _)| {
            mentions(&source.text, "fesetround")
                || mentions(&source.text, "fegetround")
                || source.text.contains(ROUNDING_MODE)
        };
        if units.iter().any(changes_rounding) {
            self.rounding_mode = Some(self.static_object(ROUNDING_MODE, &Type::INT, false)?);
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
            if let Some(id) = self.rounding_mode {
                self.bind(ROUNDING_MODE, Symbol::Static(id, Type::INT));
            }
            if let Some((offset, word)) = &source.unknown_meaning {
                let mut at = source.original_location(*offset);
                at.file += self.files_from;
                return Err(format!("{}: {word}", self.program.place(at)));
            }
            self.unit(unit)?;
        }
        if !self.definitions.contains_key(&self.options.entry) {
            return Err(format!(
                "there is no function `{}` to start from",
                self.options.entry
            ));
        }
        // The library's functions stand in for those that the program does not define itself.
        self.enter_unit(LIBRARY_UNIT);
        self.library(&library.unit);
        self.finish()
    }

    fn unit(&mut self, unit: &'a TranslationUnit) -> Result<()> {
        for declaration in &unit.0 {
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
        for declaration in &unit.0 {
            if let ExternalDeclaration::FunctionDefinition(definition) = &declaration.node
                && let Ok((name, _, _)) = self.definition_head(definition)
            {
                let entry = Definition::of_library(definition);
                self.definitions.entry(name).or_insert(entry);
            }
        }
    }

    fn global(&mut self, declaration: &'a Node<Declaration>) -> Result<()> {
        self.declaration(declaration, true)
    }

    fn definition(&mut self, definition: &'a Node<FunctionDefinition>) -> Result<()> {
        let (name, ty, _) = self.definition_head(definition)?;
        self.function_attributes(
            &name,
            &definition.node.specifiers,
            &definition.node.declarator,
        );
        let id = self.function_id(&name);
        self.define_function(&name, &ty, definition)?;
        self.scopes[0].names.insert(name, Symbol::Function(id, ty));
        Ok(())
    }

    /// The number of the function that the unit at work calls by this name, whether it has a body or not.
    fn function_id(&mut self, name: &str) -> FunctionId {
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
    fn want(&mut self, name: &str) -> FunctionId {
        let id = self.function_id(name);
        self.wanted.push(self.link_name(name).into_owned());
        id
    }

    fn finish(&mut self) -> Result<()> {
        let entry = self.options.entry.clone();
        self.enter_unit(self.definitions[&entry].unit);
        self.call_entry(&entry)?;
        let start = std::mem::replace(&mut self.builder, Builder::new(""));
        // Static locals and string literals are set up in the start function, so that it stays open
        // while bodies are lowered.
        self.start = Some(start);
        let mut lowered = HashSet::new();
        while let Some(link) = self.wanted.pop() {
            if !lowered.insert(link.clone()) {
                continue;
            }
            let Some(&Definition { function, unit, .. }) = self.definitions.get(&link) else {
                continue;
            };
            self.enter_unit(unit);
            let (id, name) = (self.function_ids[&link], source_name(&link));
            let definition = function;
            self.builder = Builder::new(name);
            self.lowered_function = name.to_string();
            self.volatiles.leave_function();
            self.at = Location::default();
            self.locate(definition.span.start);
            self.attempt(|lowering| lowering.body(definition));
            self.finish_jumps();
            self.end_function();
            self.end_at_labels();
            self.scopes.truncate(1);
            let builder = std::mem::replace(&mut self.builder, Builder::new(""));
            let mut function = builder.function;
            escape::mark(&self.program, &mut function);
            self.program.functions[id as usize] = function;
        }
        self.check_layout_attributes(&lowered)?;
        if let Some(message) = self.failed_assertion.take() {
            return Err(message);
        }
        let Some(start) = self.start.take() else {
            unreachable!("the start function is open")
        };
        let mut function = start.function;
        // Block 0 sets up, block 1 calls; see `call_entry`.
        function.blocks[start.current as usize].end = Terminator::Jump(1);
        self.program.types = Some(Arc::new(self.types.clone()));
        self.program.start = self.program.functions.len() as FunctionId;
        self.program.functions.push(function);
        Ok(())
    }
}
