//! From syntax trees to the lowered program.
//!
//! Declarations at file scope are processed first; bodies of functions are lowered when they are referenced,
//! so that functions that are never called need not be supported. An unsupported construct inside a body ends
//! the path there ([`Terminator::Stuck`]), and is relevant only if that point is reachable.

mod accesses;
mod address_number;
mod allocate;
mod annotation;
mod assembly;
mod assign;
mod assigns;
mod atomic;
mod attribute;
mod attribute_list;
mod bodiless;
mod builder;
mod builtin;
mod call;
mod check;
mod complex;
mod condition;
mod constness;
mod contract;
mod convention;
mod convert;
mod declare;
mod effects;
mod emit;
mod entry;
mod errno;
mod escape;
mod expression;
mod floating;
mod format;
mod function;
mod function_model;
mod function_table;
mod initialise;
mod label_value;
mod library_functions;
mod link;
mod literal;
mod lowering;
mod measure;
mod nonlocal_jump;
mod numeric;
mod open_read;
mod options;
mod order;
mod output;
mod place;
mod qualifier;
mod refused_functions;
mod returning;
mod scope;
mod side_effects;
mod specifier;
mod statement;
mod static_assertion;
mod symbol;
mod unit;
mod unmodelled;
mod vector;
mod volatile;
mod waypoint;

pub use check::is_same_file;
pub(crate) use convention::int_words;
pub(crate) use lowering::Lowering;
pub use lowering::{Fault, lower, lower_text, lower_units};
pub use options::{Checks, Goals, UnknownCalls};
pub use options::{LoweringOptions, Marks};
pub use side_effects::has_effects;
pub use symbol::MAX_CELLS;
pub(crate) use symbol::{Place, Result, Symbol, Value};
pub use waypoint::{Hook, Met, Moment, Purpose};
