//! From syntax trees to the lowered program.
//!
//! Declarations at file scope are read first; bodies of functions are lowered when something refers to
//! them, so that what is never called need not be supported. What is not supported inside a body ends
//! the path there ([`Terminator::Stuck`]), and counts only if that place can be reached.

mod atomic;
mod builtin;
mod call;
mod check;
mod condition;
mod convention;
mod convert;
mod declare;
mod expression;
mod floating;
mod initialise;
mod literal;
mod numeric;
mod place;
mod specifier;
mod statement;
mod unmodelled;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lang_c::ast::{Declaration, ExternalDeclaration, FunctionDefinition, TranslationUnit};
use lang_c::span::Node;

use super::ir::{
    Block, BlockId, Expr, Function, FunctionId, Instr, Keeper, Location, LoopHead, Object, Program,
    Reg, Register, Shape, SlotId, StaticId, Terminator,
};
use super::source::Source;
use super::types::{DataModel, FunctionType, IntType, Type, Types};

pub(crate) use check::is_same_file;
pub(crate) use convention::int_words;

/// What went wrong, without the place.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// So many arguments of the program have an object; what lies behind them is any value.
const ARGUMENTS: u64 = 16;

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
    /// Accesses through null pointers and to objects that are gone; wrong calls of `free`.
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

/// What lowering is told.
#[derive(Clone, Debug)]
pub(crate) struct LoweringOptions {
    pub(crate) model: DataModel,
    /// A label or function that marks the error, instead of the customary ones.
    pub(crate) error_name: Option<String>,
    pub(crate) entry: String,
    pub(crate) checks: Checks,
    /// Lines that are errors to reach, by file and number; if there are any, the customary marks are none.
    pub(crate) cover: Vec<(String, u32)>,
}

impl LoweringOptions {
    /// Whether the marks of the verifiers' conventions are what is asked about.
    fn is_customary(&self) -> bool {
        self.error_name.is_none() && self.cover.is_empty()
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
    /// `width` bits from `at` upwards, in the unit at the address.
    Bits {
        address: Expr,
        at: u32,
        width: u32,
    },
}

/// A value with its C type. A record's value is the address of an object that holds it.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) expr: Expr,
    pub(crate) ty: Type,
}

#[derive(Default)]
struct Scope {
    names: HashMap<String, Symbol>,
    tags: HashMap<String, Type>,
    /// Objects that end with the scope.
    slots: Vec<SlotId>,
}

struct Switch {
    cases: Vec<(Expr, Expr, BlockId)>,
    default: Option<BlockId>,
    ty: IntType,
}

/// The function that is being lowered.
struct Builder {
    function: Function,
    current: BlockId,
    labels: HashMap<String, BlockId>,
    /// Where `break` and `continue` lead, and how many scopes are open there.
    breaks: Vec<(BlockId, usize)>,
    continues: Vec<(BlockId, usize)>,
    /// The objects of all scopes, and for each label which of them are in scope there.
    scoped: Vec<SlotId>,
    in_scope: Vec<(BlockId, Vec<SlotId>)>,
    switches: Vec<Switch>,
    result: Type,
    /// The hidden parameters: where a record's value goes, and where further arguments are.
    result_address: Option<Reg>,
    rest_address: Option<Reg>,
    address_taken: HashSet<String>,
}

impl Builder {
    fn new(name: &str) -> Self {
        let mut builder = Self {
            function: Function::new(name),
            current: 0,
            labels: HashMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            scoped: Vec::new(),
            in_scope: Vec::new(),
            switches: Vec::new(),
            result: Type::Void,
            result_address: None,
            rest_address: None,
            address_taken: HashSet::new(),
        };
        builder.block();
        builder
    }

    fn block(&mut self) -> BlockId {
        self.function.blocks.push(Block {
            instrs: Vec::new(),
            // Until it is ended: a jump to where nothing was lowered must not look like the end of the program.
            end: Terminator::Stuck("code that could not be lowered".into()),
            end_at: Location::default(),
        });
        self.function.blocks.len() as BlockId - 1
    }
}

pub(crate) struct Lowering<'a> {
    pub(crate) program: Program,
    pub(crate) types: Types,
    options: LoweringOptions,
    source: &'a Source,
    files_from: u32,
    scopes: Vec<Scope>,
    builder: Builder,
    /// The builder of the start function, while another is in use.
    start: Option<Builder>,
    at: Location,
    function_ids: HashMap<String, FunctionId>,
    definitions: HashMap<String, (&'a Node<FunctionDefinition>, &'a Source, u32)>,
    /// Functions that something refers to and that are not lowered yet.
    wanted: Vec<String>,
    strings: HashMap<(Vec<u32>, u8), StaticId>,
    /// Static objects that an initialiser or a tentative definition has defined.
    defined: HashSet<StaticId>,
    noted: HashSet<String>,
    /// Attributes that were taken into account, by their offset.
    packed_seen: HashSet<usize>,
    /// The object that says how floats are rounded (`float::Rounding`), where the program may change that.
    rounding_mode: Option<StaticId>,
    /// Whether something may be called when the program ends.
    calls_atexit: bool,
    /// Whether what is lowered leaves no code, so that there is nothing to check.
    is_without_code: bool,
    /// Whether the address of an element is taken, which may be the one behind the last.
    takes_address: bool,
}

/// The name of the object that says how floats are rounded.
const ROUNDING_MODE: &str = "__CPROVER_rounding_mode";

/// Whether a function that returns an `int` stands anywhere but in its declaration.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name)
        .any(|(at, _)| !text[..at].trim_end().ends_with("int"))
}

/// Lowers a program. An error means that nothing can be said about it at all.
pub(crate) fn lower(
    source: &Source,
    unit: &TranslationUnit,
    library: &super::library::Library,
    options: &LoweringOptions,
) -> Result<Program> {
    let mut lowering = Lowering {
        program: Program {
            files: source.files.clone(),
            pointer_width: options.model.pointer_width(),
            ..Program::default()
        },
        types: Types::new(options.model),
        options: options.clone(),
        source,
        files_from: 0,
        scopes: vec![Scope::default()],
        builder: Builder::new("<start>"),
        start: None,
        at: Location::default(),
        function_ids: HashMap::new(),
        definitions: HashMap::new(),
        wanted: Vec::new(),
        strings: HashMap::new(),
        defined: HashSet::new(),
        noted: HashSet::new(),
        packed_seen: HashSet::new(),
        rounding_mode: None,
        calls_atexit: mentions(&source.text, "atexit"),
        is_without_code: false,
        takes_address: false,
    };
    lowering.program.tracks_lifetimes =
        options.checks.pointer || options.checks.bounds || options.checks.leak;
    if ["fesetround", "fegetround"]
        .iter()
        .any(|name| mentions(&source.text, name))
        || source.text.contains(ROUNDING_MODE)
    {
        let id = lowering.static_object(ROUNDING_MODE, &Type::INT, false)?;
        lowering.rounding_mode = Some(id);
        lowering.bind(ROUNDING_MODE, Symbol::Static(id, Type::INT));
    }
    lowering.unit(unit)?;
    lowering.check_packed()?;
    if !lowering.definitions.contains_key(&options.entry) {
        return Err(format!(
            "there is no function `{}` to start from",
            options.entry
        ));
    }
    // The library's functions stand in for those that the program does not define itself.
    lowering.source = &library.source;
    lowering.files_from = lowering.program.files.len() as u32;
    lowering
        .program
        .files
        .extend(library.source.files.iter().cloned());
    lowering.library(&library.unit);
    lowering.finish()
}

impl<'a> Lowering<'a> {
    fn unit(&mut self, unit: &'a TranslationUnit) -> Result<()> {
        for declaration in &unit.0 {
            self.locate(declaration.span.start);
            let result = match &declaration.node {
                ExternalDeclaration::Declaration(declaration) => self.global(declaration),
                ExternalDeclaration::StaticAssert(_) => Ok(()),
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
                let entry = (definition, self.source, self.files_from);
                self.definitions.entry(name).or_insert(entry);
            }
        }
    }

    fn global(&mut self, declaration: &'a Node<Declaration>) -> Result<()> {
        self.declaration(declaration, true)
    }

    fn definition(&mut self, definition: &'a Node<FunctionDefinition>) -> Result<()> {
        let (name, ty, _) = self.definition_head(definition)?;
        let id = self.function_id(&name);
        self.scopes[0]
            .names
            .insert(name.clone(), Symbol::Function(id, ty));
        self.definitions
            .insert(name, (definition, self.source, self.files_from));
        Ok(())
    }

    /// The number of a function, whether it has a body or not.
    fn function_id(&mut self, name: &str) -> FunctionId {
        if let Some(&id) = self.function_ids.get(name) {
            return id;
        }
        let id = self.program.functions.len() as FunctionId;
        self.program.functions.push(Function::new(name));
        self.function_ids.insert(name.to_string(), id);
        id
    }

    /// Refers to a function: its body, if there is one, will be lowered.
    fn want(&mut self, name: &str) -> FunctionId {
        let id = self.function_id(name);
        self.wanted.push(name.to_string());
        id
    }

    fn finish(mut self) -> Result<Program> {
        let entry = self.options.entry.clone();
        self.call_entry(&entry)?;
        let start = std::mem::replace(&mut self.builder, Builder::new(""));
        // Static locals and string literals are set up in the start function, so that it stays open
        // while bodies are lowered.
        self.start = Some(start);
        let mut lowered = HashSet::new();
        while let Some(name) = self.wanted.pop() {
            if !lowered.insert(name.clone()) {
                continue;
            }
            let Some(&(definition, source, files_from)) = self.definitions.get(&name) else {
                continue;
            };
            self.source = source;
            self.files_from = files_from;
            let id = self.function_id(&name);
            self.builder = Builder::new(&name);
            self.at = Location::default();
            self.locate(definition.span.start);
            if let Err(message) = self.body(definition) {
                self.stuck(&message);
            }
            self.end_at_labels();
            self.scopes.truncate(1);
            let builder = std::mem::replace(&mut self.builder, Builder::new(""));
            self.program.functions[id as usize] = builder.function;
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
        Ok(self.program)
    }

    /// Calls the entry function from block 1 of the start function; block 0 stays open.
    fn call_entry(&mut self, entry: &str) -> Result<()> {
        let call = self.builder.block();
        let halt = self.builder.block();
        debug_assert_eq!(call, 1);
        let mut done = halt;
        if self.calls_atexit {
            done = self.builder.block();
            let handlers = self.call_handlers(done);
            self.builder.function.blocks[halt as usize].end = handlers;
        }
        self.builder.function.blocks[done as usize].end = Terminator::Halt;
        // Where control came from a constant with branches, the setting up goes on in the current block.
        let open = std::mem::replace(&mut self.builder.current, call);
        let id = self.want(entry);
        let (definition, source, files_from) = self.definitions[entry];
        let locate = |offset: usize| {
            let at = source.location(offset);
            Location {
                file: at.file + files_from,
                ..at
            }
        };
        self.at = locate(definition.span.start);
        // What is left over when the program ends is left over at the entry function's end.
        let end = locate(definition.span.end.saturating_sub(1));
        let (_, ty, _) = self.definition_head(definition)?;
        let mut args = Vec::new();
        // The arguments are kept in an object of their own, so far as it goes.
        let strings = match ty.params.as_slice() {
            [Type::Int(_), Type::Pointer(strings), ..] if matches!(**strings, Type::Pointer(_)) => {
                let array = Type::Array(strings.clone(), Some(ARGUMENTS));
                Some(self.static_object("arguments of the program", &array, true)?)
            }
            _ => None,
        };
        for (index, param) in ty.params.iter().enumerate() {
            if let Some(object) = strings.filter(|_| index == 1) {
                let address = self.static_address(object);
                args.push(address);
                continue;
            }
            let width = self
                .scalar_width(param)
                .ok_or("the entry function has a parameter that is no scalar")?;
            let reg = self.fresh(width);
            let kind = super::ir::Choice::Input(format!("argument of {entry}"));
            self.emit(Instr::Choose { reg, kind });
            args.push(self.read(reg));
        }
        if strings.is_some() {
            let width = self.pointer_width();
            let first = self.fresh(width);
            self.emit(Instr::Load {
                reg: first,
                address: args[1],
                bytes: width / 8,
            });
            // C11 5.1.2.2.1: the first one is null exactly if there is none.
            let (first, null) = (self.read(first), self.program.constant(0, width));
            let none = self.program.constant(0, self.program.width(args[0]));
            let is_null = self.program.binary(crate::word::Op::Eq, first, null);
            let is_none = self.program.binary(crate::word::Op::Eq, args[0], none);
            let condition = self.program.binary(crate::word::Op::Eq, is_null, is_none);
            self.emit(Instr::Assume { condition });
        }
        if let Some(&argc) = args.first()
            && matches!(ty.params[0], Type::Int(_))
        {
            // C11 5.1.2.2.1: argc is not negative.
            let zero = self.program.constant(0, self.program.width(argc));
            let negative = self.program.binary(crate::word::Op::Slt, argc, zero);
            let condition = self.program.not(negative);
            self.emit(Instr::Assume { condition });
        }
        let result = self.scalar_width(&ty.result).map(|width| self.fresh(width));
        self.terminate(Terminator::Call {
            callee: super::ir::Callee::Direct(id),
            args,
            result,
            next: halt,
        });
        if self.options.checks.leak {
            self.builder.function.blocks[done as usize]
                .instrs
                .push((Instr::CheckLeaks, end));
        }
        self.builder.current = open;
        Ok(())
    }

    /// The call of the library's function that calls what was handed to `atexit`.
    fn call_handlers(&mut self, next: BlockId) -> Terminator {
        let id = self.want("__craig_handlers");
        let null = self.program.constant(0, self.program.pointer_width);
        Terminator::Call {
            callee: super::ir::Callee::Direct(id),
            args: vec![null],
            result: None,
            next,
        }
    }

    // ---- small tools -------------------------------------------------------------------------------

    fn locate(&mut self, offset: usize) {
        if offset != usize::MAX {
            self.at = self.source.location(offset);
            self.at.file += self.files_from;
        }
    }

    fn emit(&mut self, instr: Instr) {
        let current = self.builder.current as usize;
        self.builder.function.blocks[current]
            .instrs
            .push((instr, self.at));
    }

    /// Ends the current block and goes on in a fresh one that nothing leads to yet.
    fn terminate(&mut self, end: Terminator) {
        let next = self.builder.block();
        self.terminate_into(end, next);
    }

    /// Ends the current block and goes on in `next`.
    fn terminate_into(&mut self, end: Terminator, next: BlockId) {
        let at = self.at;
        let current = self.builder.current as usize;
        let block = &mut self.builder.function.blocks[current];
        block.end = end;
        block.end_at = at;
        self.builder.current = next;
    }

    fn stuck(&mut self, reason: &str) {
        self.terminate(Terminator::Stuck(reason.to_string()));
    }

    fn fresh(&mut self, width: u32) -> Reg {
        self.named(width, None, None)
    }

    fn named(&mut self, width: u32, name: Option<String>, ty: Option<Type>) -> Reg {
        self.builder
            .function
            .regs
            .push(Register { width, name, ty });
        self.builder.function.regs.len() as Reg - 1
    }

    fn read(&mut self, reg: Reg) -> Expr {
        let width = self.builder.function.regs[reg as usize].width;
        self.program.make(super::ir::ExprNode::Reg(reg), width)
    }

    fn set(&mut self, reg: Reg, value: Expr) {
        debug_assert_eq!(
            self.builder.function.regs[reg as usize].width,
            self.program.width(value)
        );
        self.emit(Instr::Set { reg, value });
    }

    fn branch(&mut self, condition: Expr, then: BlockId, otherwise: BlockId, next: BlockId) {
        let end = match self.program.constant_value(condition) {
            Some(0) => Terminator::Jump(otherwise),
            Some(_) => Terminator::Jump(then),
            None => Terminator::Branch {
                condition,
                then,
                otherwise,
            },
        };
        self.terminate_into(end, next);
    }

    fn jump(&mut self, to: BlockId, next: BlockId) {
        self.terminate_into(Terminator::Jump(to), next);
    }

    fn pointer_width(&self) -> u32 {
        self.options.model.pointer_width()
    }

    /// The width of a scalar's value.
    fn scalar_width(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Int(int) => Some(int.width()),
            Type::Float(super::types::FloatType::Single) => Some(32),
            Type::Float(super::types::FloatType::Double) => Some(64),
            Type::Float(super::types::FloatType::Extended) => Some(80),
            Type::Float(super::types::FloatType::Quadruple) => Some(128),
            Type::Pointer(_) | Type::VaList => Some(self.pointer_width()),
            _ => None,
        }
    }

    fn lookup(&self, name: &str) -> Option<Symbol> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name).cloned())
    }

    /// Notes a loop whose condition is tested in a block, before what the loop itself declares.
    fn loop_head(
        &mut self,
        at: Location,
        variables: Vec<(String, IntType, Keeper)>,
        head: BlockId,
    ) {
        if self.is_own_code() {
            let head_of = LoopHead { at, variables };
            self.builder.function.loops.insert(head, head_of);
        }
    }

    /// The integer variables that are in scope, by name.
    fn visible(&self) -> Vec<(String, IntType, Keeper)> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for scope in self.scopes.iter().rev() {
            let start = found.len();
            for (name, symbol) in &scope.names {
                if !seen.insert(name.clone()) {
                    continue;
                }
                match symbol {
                    Symbol::Register(reg, Type::Int(int)) => {
                        found.push((name.clone(), *int, Keeper::Register(*reg)));
                    }
                    Symbol::Static(id, Type::Int(int)) => {
                        found.push((name.clone(), *int, Keeper::Static(*id)));
                    }
                    _ => {}
                }
            }
            found[start..].sort_by(|a, b| a.0.cmp(&b.0));
        }
        found
    }

    fn bind(&mut self, name: &str, symbol: Symbol) {
        let Some(scope) = self.scopes.last_mut() else {
            unreachable!("there is a file scope")
        };
        scope.names.insert(name.to_string(), symbol);
    }

    fn note(&mut self, text: String) {
        if self.noted.insert(text.clone()) {
            self.program.notes.push(text);
        }
    }

    /// The pieces of an object of the type, or why it cannot be kept.
    fn shape(&self, ty: &Type) -> Result<Arc<Shape>> {
        let size = self.types.size(ty).ok_or("an object of incomplete type")?;
        Ok(match self.types.cells(ty, MAX_CELLS) {
            Some(cells) => Shape::new(size, cells),
            None => Shape::opaque(size),
        })
    }

    fn static_object(&mut self, name: &str, ty: &Type, external: bool) -> Result<StaticId> {
        let shape = self.shape(ty)?;
        self.program.statics.push(Object {
            name: name.to_string(),
            shape,
            ty: Some(ty.clone()),
            external,
        });
        Ok(self.program.statics.len() as StaticId - 1)
    }

    fn slot(&mut self, name: &str, ty: &Type) -> Result<SlotId> {
        let shape = self.shape(ty)?;
        self.builder.function.slots.push(Object {
            name: name.to_string(),
            shape,
            ty: Some(ty.clone()),
            external: false,
        });
        Ok(self.builder.function.slots.len() as SlotId - 1)
    }

    /// An object that ends with the innermost scope.
    fn scoped_slot(&mut self, name: &str, ty: &Type) -> Result<SlotId> {
        let slot = self.slot(name, ty)?;
        if let Some(scope) = self.scopes.last_mut() {
            scope.slots.push(slot);
        }
        self.builder.scoped.push(slot);
        Ok(slot)
    }

    /// Leaves the innermost scope at its end.
    fn end_scope(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            for slot in scope.slots {
                self.emit(Instr::End { slot });
            }
        }
    }

    fn static_address(&mut self, id: StaticId) -> Expr {
        let width = self.pointer_width();
        self.program.make(super::ir::ExprNode::Static(id), width)
    }

    fn slot_address(&mut self, id: SlotId) -> Expr {
        let width = self.pointer_width();
        self.program.make(super::ir::ExprNode::Slot(id), width)
    }

    /// Lowers something without keeping any code: for the types of operands and for constants.
    fn without_code<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let n_blocks = self.builder.function.blocks.len();
        let current = self.builder.current;
        let outer = std::mem::replace(&mut self.is_without_code, true);
        // Code of no consequence goes into a block of its own.
        let scratch = self.builder.block();
        self.builder.current = scratch;
        let result = run(self);
        self.builder.function.blocks.truncate(n_blocks);
        self.builder
            .labels
            .retain(|_, block| (*block as usize) < n_blocks);
        self.builder.current = current;
        self.is_without_code = outer;
        result
    }

    /// Lowers something in the start function, where static objects are set up.
    fn at_start<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let Some(start) = self.start.take() else {
            // The start function itself is being built.
            return run(self);
        };
        let own = std::mem::replace(&mut self.builder, start);
        let result = run(self);
        let start = std::mem::replace(&mut self.builder, own);
        self.start = Some(start);
        result
    }

    /// A string literal's object, with its terminating zero.
    fn string(&mut self, units: &[u32], element: IntType) -> Result<StaticId> {
        let key = (units.to_vec(), element.size);
        if let Some(&id) = self.strings.get(&key) {
            return Ok(id);
        }
        let ty = Type::Array(Arc::new(Type::Int(element)), Some(units.len() as u64 + 1));
        let shown: String = units
            .iter()
            .take(20)
            .map(|&unit| char::from_u32(unit).unwrap_or('?'))
            .collect();
        let name = format!("string literal {shown:?}");
        let id = self.static_object(&name, &ty, false)?;
        let units = units.to_vec();
        self.strings.insert(key, id);
        let bytes = u32::from(element.size);
        self.at_start(|lowering| {
            for (index, &unit) in units.iter().enumerate() {
                let base = lowering.static_address(id);
                let address = lowering.offset(base, index as u64 * u64::from(bytes));
                let value = lowering.program.constant(u128::from(unit), bytes * 8);
                lowering.emit(Instr::Store {
                    address,
                    value,
                    bytes,
                });
            }
            Ok(())
        })?;
        Ok(id)
    }

    /// An address so many bytes further on.
    fn offset(&mut self, address: Expr, bytes: u64) -> Expr {
        let width = self.pointer_width();
        let bytes = self.program.constant(u128::from(bytes), width);
        self.program.binary(crate::word::Op::Add, address, bytes)
    }

    /// The parser drops attributes in some places. Where that could change a layout, nothing is safe.
    fn check_packed(&mut self) -> Result<()> {
        for word in ["packed", "scalar_storage_order", "ms_struct"] {
            for (offset, _) in self.source.text.match_indices(word) {
                let near = self
                    .packed_seen
                    .iter()
                    .any(|&seen| seen.abs_diff(offset) <= 2);
                let text = &self.source.text[..offset];
                let in_attribute = text.trim_end_matches('_').ends_with(['(', ',', ' '])
                    && text[text.len().saturating_sub(40)..].contains("__attribute");
                if !near && in_attribute {
                    self.locate(offset);
                    return Err(format!(
                        "{}: the attribute `{word}` in a place that is not supported",
                        self.program.place(self.at)
                    ));
                }
            }
        }
        Ok(())
    }
}
