//! Options by the names that CBMC's tools have for them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::cli::failure::Failure;
use craig_c::{CbmcOptions, Checks, ContractOptions, Dialect, PointerRestriction};

/// The dialect of a C program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum DialectName {
    /// Standard and GNU C.
    C,
    /// As CBMC reads programs.
    Cbmc,
}

/// Options by the names that CBMC's tools have for them.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "CBMC's dialect (C programs)")]
pub(in crate::cli::check) struct CbmcArguments {
    /// The dialect of the program. In CBMC's, a function without a body returns any value and changes nothing,
    /// `static` functions have names for other files, and bounds for loops are hints that are not assumed.
    #[arg(long, value_name = "DIALECT", default_value = "c")]
    dialect: DialectName,
    /// A loop that has more iterations than its bound allows is an error. The bounds of CBMC's dialect are hints, and
    /// all iterations are covered.
    #[arg(long)]
    unwinding_assertions: bool,
    /// The bits of addresses that name the object: objects are smaller than what the other bits, and a sign, can count.
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=30))]
    object_bits: Option<u32>,
    /// Leave out the body of this function (or `__CPROVER_file_local_FILE_c_NAME` for a `static` one); may be repeated.
    #[arg(long, value_name = "FUNCTION")]
    remove_function_body: Vec<String>,
    /// An allocation that fails gives null. It always does.
    #[arg(long)]
    malloc_fail_null: bool,
    /// Static objects that are not constant have any value at the start.
    #[arg(long)]
    nondet_static: bool,
    /// Pointers that the entry function is given lead to objects of their own, which lead to others, up to this number of levels
    /// (5).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    max_nondet_tree_depth: Option<u32>,
    /// At this number of levels (0), these pointers are not null.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=20))]
    min_null_tree_depth: Option<u32>,
    /// A call through a pointer, the NUMBER-th in its FUNCTION, goes to one of these functions, which is checked; may be
    /// repeated.
    #[arg(long, value_name = "FUNCTION.function_pointer_call.NUMBER/TARGETS")]
    restrict_function_pointer: Vec<PointerRestriction>,
    /// Read such restrictions from a JSON file: an object with the targets, in an array, of each call.
    #[arg(
        long,
        value_name = "FILE",
        visible_alias = "function-pointer-restriction"
    )]
    function_pointer_restrictions_file: Vec<PathBuf>,
    /// Check this function against its contract (`__CPROVER_requires`, `__CPROVER_ensures`, `__CPROVER_assigns`) where it
    /// is called.
    #[arg(long, value_name = "FUNCTION")]
    enforce_contract: Vec<String>,
    /// As `--enforce-contract`, of a function that calls itself: calls from its body are replaced by the contract.
    #[arg(long, value_name = "FUNCTION")]
    enforce_contract_rec: Vec<String>,
    /// Replace calls of this function by its contract; may be repeated.
    #[arg(long, value_name = "FUNCTION")]
    replace_call_with_contract: Vec<String>,
    /// Check the contracts of loops, and use them instead of the rounds of the loops.
    #[arg(long)]
    apply_loop_contracts: bool,
    /// `--check bounds`.
    #[arg(long)]
    bounds_check: bool,
    /// `--check pointer`.
    #[arg(long)]
    pointer_check: bool,
    /// `--check pointer-arithmetic`.
    #[arg(long)]
    pointer_overflow_check: bool,
    /// `--check leak`.
    #[arg(long)]
    memory_leak_check: bool,
    /// `--check div`.
    #[arg(long)]
    div_by_zero_check: bool,
    /// `--check overflow`.
    #[arg(long)]
    signed_overflow_check: bool,
    /// `--check unsigned-overflow`.
    #[arg(long)]
    unsigned_overflow_check: bool,
    /// `--check shift`.
    #[arg(long)]
    undefined_shift_check: bool,
    /// `--check conversion`.
    #[arg(long)]
    conversion_check: bool,
}

impl CbmcArguments {
    /// The checks by their names in CBMC.
    pub(super) fn checks(&self) -> Checks {
        Checks {
            overflow: self.signed_overflow_check,
            unsigned_overflow: self.unsigned_overflow_check,
            division: self.div_by_zero_check,
            shift: self.undefined_shift_check,
            unreachable: false,
            difference: self.pointer_check,
            arithmetic: self.pointer_overflow_check,
            bounds: self.bounds_check,
            pointer: self.pointer_check,
            overlap: false,
            leak: self.memory_leak_check,
            conversion: self.conversion_check,
        }
    }

    /// Whether the program is in CBMC's dialect.
    pub(super) fn is_dialect(&self) -> bool {
        self.dialect == DialectName::Cbmc
    }

    /// What the options say about the program.
    ///
    /// # Errors
    /// If one needs the dialect, or a file of restrictions cannot be read.
    pub(super) fn options(&self, has_bounds: bool) -> Result<CbmcOptions, Failure> {
        if let Some(option) = self.of_dialect().filter(|_| !self.is_dialect()) {
            return Err(Failure::input(format!("`{option}` needs `--dialect cbmc`")));
        }
        let mut restrictions = self.restrict_function_pointer.clone();
        for path in &self.function_pointer_restrictions_file {
            restrictions.extend(restrictions_of(path)?);
        }
        Ok(CbmcOptions {
            dialect: match self.dialect {
                DialectName::C => Dialect::C,
                DialectName::Cbmc => Dialect::Cbmc,
            },
            object_bits: self.object_bits,
            removed_bodies: self.remove_function_body.clone(),
            nondet_static: self.nondet_static,
            max_nondet_tree_depth: self.max_nondet_tree_depth,
            min_null_tree_depth: self.min_null_tree_depth.unwrap_or_default(),
            has_bounds,
            restrictions,
            contracts: ContractOptions {
                enforced: self.enforce_contract.clone(),
                recursive: self.enforce_contract_rec.clone(),
                replaced: self.replace_call_with_contract.clone(),
                of_loops: self.apply_loop_contracts,
            },
            ..CbmcOptions::default()
        })
    }

    /// The first option that means something in the dialect only.
    fn of_dialect(&self) -> Option<&'static str> {
        [
            (self.unwinding_assertions, "--unwinding-assertions"),
            (self.object_bits.is_some(), "--object-bits"),
            (
                !self.remove_function_body.is_empty(),
                "--remove-function-body",
            ),
            (self.nondet_static, "--nondet-static"),
            (
                self.max_nondet_tree_depth.is_some(),
                "--max-nondet-tree-depth",
            ),
            (self.min_null_tree_depth.is_some(), "--min-null-tree-depth"),
            (!self.enforce_contract.is_empty(), "--enforce-contract"),
            (
                !self.enforce_contract_rec.is_empty(),
                "--enforce-contract-rec",
            ),
            (
                !self.replace_call_with_contract.is_empty(),
                "--replace-call-with-contract",
            ),
            (self.apply_loop_contracts, "--apply-loop-contracts"),
            (
                !self.restrict_function_pointer.is_empty(),
                "--restrict-function-pointer",
            ),
            (
                !self.function_pointer_restrictions_file.is_empty(),
                "--function-pointer-restrictions-file",
            ),
        ]
        .into_iter()
        .find_map(|(is_given, option)| is_given.then_some(option))
    }
}

/// The restrictions in a JSON file.
fn restrictions_of(path: &std::path::Path) -> Result<Vec<PointerRestriction>, Failure> {
    let name = path.display();
    let text = std::fs::read(path)
        .map_err(|error| Failure::input(format!("{name}: can't be read: {error}")))?;
    let calls: BTreeMap<String, Vec<String>> = serde_json::from_slice(&text).map_err(|error| {
        Failure::input(format!(
            "{name}:{}:{}: expected an object with an array of functions for each call",
            error.line(),
            error.column()
        ))
    })?;
    (calls.iter())
        .map(|(call, targets)| {
            format!("{call}/{}", targets.join(","))
                .parse()
                .map_err(|message: String| Failure::input(format!("{name}: {message}")))
        })
        .collect()
}
