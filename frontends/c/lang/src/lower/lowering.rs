//! The state of lowering.

use std::collections::{HashMap, HashSet};

use crate::ir::{Function, FunctionId, Location, Program, Reg, StaticId};
use crate::source::Source;
use crate::syntax::ast::{TranslationUnit, TypeQualifier};
use crate::types::Types;

use super::accesses;
use super::builder::Builder;
use super::mentioned::Mentioned;
use super::options::LoweringOptions;
use super::qualifier::{Keeper, Qualifiers};
use super::state::{
    Alias, Assigns, Constructor, Contracted, Enumerations, Hook, Inferred, Met, NonlocalJumps,
    Observed, OpenRead, Orders, PointerCall, Postcondition, Specification, WriteSet,
};
use super::symbol::{Scope, Value};
use super::unit::{Definition, External, Unit};

/// A string literal: its elements, the size of an element, and where it stands.
type StringLiteral = (Vec<u32>, u8, Option<(u32, usize)>);

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
    pub(super) has_no_entry: bool,
    /// Text and first file of the current unit.
    pub(super) source: &'a Source,
    pub(super) files_from: u32,
    pub(super) scopes: Vec<Scope>,
    pub(super) n_scopes: u32,
    pub(super) builder: Builder,
    /// The builder of the start function, while another is active.
    pub(super) start: Option<Builder>,
    pub(super) at: Location,
    /// The byte of the source that it was located from.
    pub(super) at_byte: usize,
    /// The numbers of functions by their link names, and the inverse.
    pub(super) function_ids: HashMap<String, FunctionId>,
    pub(super) link_names: Vec<String>,
    /// By link names.
    pub(super) definitions: HashMap<String, Definition<'a>>,
    /// Link names of referenced functions that are not lowered yet.
    pub(super) wanted: Vec<String>,
    /// The objects of string literals.
    pub(super) strings: HashMap<StringLiteral, StaticId>,
    /// What the program's own code does by which the places of objects, or bytes of padding, count.
    pub(super) observed: Observed,
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
    /// Functions whose contracts pointers obey, with those whose contracts say so, by link names.
    pub(super) obeyed: Vec<(String, String)>,
    pub(super) specification: Specification,
    /// The arbitrary indices for which quantifiers are decided, by the number of quantifiers around them.
    pub(super) arbitrary_indices: Vec<StaticId>,
    pub(super) kept: HashMap<(usize, usize), Value>,
    pub(super) predicates: Vec<String>,
    /// What code may write, loops that do not say what they assign, and contracts of loops that are not used, by their
    /// place.
    pub(super) write_sets: Vec<WriteSet>,
    /// The `static` objects of blocks, with the names of their functions.
    pub(super) local_statics: Vec<(StaticId, String)>,
    pub(super) inferred: Vec<(FunctionId, Inferred)>,
    pub(super) unused_contracts: HashSet<(usize, usize)>,
    pub(super) unusable_contracts: Vec<((usize, usize), Location)>,
    /// The assembler names of functions with an explicit one.
    pub(super) assembler_names: HashMap<String, String>,
    /// Other names of functions by the attribute `alias`: their link names with those of the functions, and the
    /// declarations.
    pub(super) alias_links: HashMap<String, String>,
    pub(super) aliases: Vec<Alias>,
    /// Names of types whose alignment differs from that of their type.
    pub(super) misaligned: HashSet<String>,
    /// Whether the value of the call that is lowered next is not used.
    pub(super) is_discarded: bool,
    /// The values of initialisers that were evaluated before the others, by their positions.
    pub(super) early_values: HashMap<usize, Value>,
    /// The registers of arguments that may have been read before other operands, by their places in memory.
    pub(super) early_arguments: HashMap<usize, Reg>,
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
    /// Whether the bytes of an object may be read as those of another type, other than by a union.
    pub(super) reads_bytes: bool,
    /// Whether the program asks for the indicators of a stream.
    pub(super) asks_streams: bool,
    /// Whether the program asks for numbers of the process that it can change.
    pub(super) follows_numbers: bool,
    /// The object with pointers to texts of the environment, if the program asks for any.
    pub(super) environment: Option<StaticId>,
    /// Whether an argument is converted for a function of the library that reads no bytes of what it leads to.
    pub(super) is_passed_blindly: bool,
    /// Whether the current code is discarded, so that checks are omitted.
    pub(super) is_without_code: bool,
    /// Whether an object gets its first value, also if it is constant.
    pub(super) is_initialising: bool,
    /// Whether the address of an element is taken, which may be the one past the last.
    pub(super) takes_address: bool,
    /// Information for the order of evaluations, names whose address is taken, and the number of open choices
    /// between orders around the current expression.
    pub(super) orders: Orders,
    pub(super) taken: accesses::Taken,
    pub(super) volatiles: Qualifiers,
    pub(super) atomics: Qualifiers,
    pub(super) constants: Qualifiers,
    /// The values of objects that are declared `constexpr`.
    pub(super) constexprs: HashMap<Keeper, u128>,
    /// Functions that run before the entry, with their priorities.
    pub(super) constructors: Vec<Constructor>,
    /// Functions that run after the program's end.
    pub(super) destructors: Vec<Constructor>,
    /// The enumerations that names stand for.
    pub(super) enumerations: Enumerations,
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

impl<'a> Lowering<'a> {
    pub(super) fn new(
        units: &[(&'a Source, &'a TranslationUnit)],
        library: &'a crate::library::Library,
        options: &LoweringOptions,
        hooks: &'a [Hook],
    ) -> Self {
        let mentioned = Mentioned::by(units);
        Lowering {
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
            at_byte: 0,
            function_ids: HashMap::new(),
            link_names: Vec::new(),
            definitions: HashMap::new(),
            wanted: Vec::new(),
            strings: HashMap::new(),
            observed: Observed::default(),
            defined: HashSet::new(),
            noted: HashSet::new(),
            packed_seen: HashSet::new(),
            noreturn: HashSet::new(),
            weak: HashSet::new(),
            exported: HashMap::new(),
            without_body: HashSet::new(),
            pointer_calls: Vec::new(),
            contracts: HashMap::new(),
            obeyed: Vec::new(),
            specification: Specification::default(),
            arbitrary_indices: Vec::new(),
            kept: HashMap::new(),
            predicates: Vec::new(),
            write_sets: Vec::new(),
            local_statics: Vec::new(),
            inferred: Vec::new(),
            unused_contracts: HashSet::new(),
            unusable_contracts: Vec::new(),
            assembler_names: HashMap::new(),
            alias_links: HashMap::new(),
            aliases: Vec::new(),
            misaligned: HashSet::new(),
            is_discarded: false,
            early_values: HashMap::new(),
            early_arguments: HashMap::new(),
            rounding_mode: None,
            postconditions: Vec::new(),
            assigns: Vec::new(),
            nonlocal_jumps: None,
            calls_atexit: mentioned.atexit,
            reseeds: mentioned.reseeding,
            reads_bytes: mentioned.byte_reads,
            asks_streams: mentioned.indicators,
            follows_numbers: mentioned.numbers,
            uses_errno: mentioned.errno,
            environment: None,
            is_passed_blindly: false,
            is_without_code: false,
            is_initialising: false,
            takes_address: false,
            orders: Orders::default(),
            taken: accesses::Taken::default(),
            volatiles: Qualifiers::new(TypeQualifier::Volatile),
            atomics: Qualifiers::new(TypeQualifier::Atomic),
            constants: Qualifiers::new(TypeQualifier::Const),
            constexprs: HashMap::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            enumerations: Enumerations::default(),
            n_open_orders: 0,
            n_tried_orders: 0,
            open_reads: Vec::new(),
            lowered_function: String::new(),
            failed_assertion: None,
            hooks,
            met: Met::default(),
        }
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
}
