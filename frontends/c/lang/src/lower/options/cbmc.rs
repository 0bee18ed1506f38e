//! What the command line of CBMC's tools says about a program.

/// The dialect of C that the program is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// What a function without a body does is open.
    #[default]
    C,
    /// As CBMC reads programs: a function without a body returns any value and changes nothing, `static` functions
    /// have names for other files, and bounds for loops are no more than hints.
    Cbmc,
}

/// What the command line of CBMC's tools says about a program.
#[derive(Clone, Debug, Default)]
pub struct CbmcOptions {
    /// The dialect.
    pub dialect: Dialect,
    /// The bits of an address that name its object: objects are smaller than what the others and a sign can count.
    pub object_bits: Option<u32>,
    /// Functions whose bodies are left out.
    pub removed_bodies: Vec<String>,
    /// Whether static objects that are not constant have any value at the start.
    pub nondet_static: bool,
    /// The levels of objects that pointers given to the entry function lead to; CBMC's number if it is not said.
    pub max_nondet_tree_depth: Option<u32>,
    /// The levels of them at which pointers are not null.
    pub min_null_tree_depth: u32,
    /// Whether options bound loops, as hints.
    pub has_bounds: bool,
    /// The functions that calls through pointers go to.
    pub restrictions: Vec<PointerRestriction>,
    /// What becomes of contracts.
    pub contracts: ContractOptions,
    /// Whether a quantified assumption over a range that is not constant is one about each value in the range, and runs are left
    /// out in which these are many: for the search of errors, not for proofs.
    pub assumes_each: bool,
}

/// The bits that name an object, unless the command line says otherwise.
const OBJECT_BITS: u32 = 8;

impl CbmcOptions {
    /// The largest size of an allocated object in the dialect, for addresses of `pointer_width` bits.
    pub(crate) fn largest_allocation(&self, pointer_width: u32) -> u128 {
        let bits = self.object_bits.unwrap_or(OBJECT_BITS);
        1 << (pointer_width - 1).saturating_sub(bits)
    }

    /// The levels of objects that pointers given to the entry function lead to; one at least.
    pub(crate) fn tree_depth(&self) -> u32 {
        self.max_nondet_tree_depth.unwrap_or(5).max(1)
    }

    /// Whether the program is in the dialect.
    pub(crate) fn is_dialect(&self) -> bool {
        self.dialect == Dialect::Cbmc
    }
}

/// The functions that one call through a pointer may go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerRestriction {
    /// The function with the call.
    pub function: String,
    /// The number of the call among those through pointers in the function, counted from 1.
    pub number: usize,
    /// The functions it may call.
    pub targets: Vec<String>,
}

impl std::str::FromStr for PointerRestriction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}`: expected FUNCTION.function_pointer_call.NUMBER/TARGET,TARGET..");
        let (call, targets) = text.split_once('/').ok_or_else(wrong)?;
        let (call, number) = call.rsplit_once('.').ok_or_else(wrong)?;
        let function = call
            .strip_suffix(".function_pointer_call")
            .filter(|function| !function.is_empty())
            .ok_or_else(wrong)?;
        let number = number.parse().ok().filter(|&number| number > 0);
        let targets: Vec<String> = targets.split(',').map(str::to_owned).collect();
        if targets.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Self {
            function: function.to_owned(),
            number: number.ok_or_else(wrong)?,
            targets,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restrictions_of_pointers_are_read() {
        let read: PointerRestriction = "f.function_pointer_call.2/g,h".parse().unwrap();
        assert_eq!((&*read.function, read.number), ("f", 2));
        assert_eq!(read.targets, ["g", "h"]);
        for wrong in [
            "",
            "f/g",
            "f.function_pointer_call.1",
            "f.function_pointer_call.0/g",
            ".function_pointer_call.1/g",
            "f.function_pointer_call.1/g,",
            "f.call.1/g",
        ] {
            assert!(wrong.parse::<PointerRestriction>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn object_bits_limit_sizes() {
        let mut options = CbmcOptions::default();
        assert_eq!(options.largest_allocation(64), 1 << 55);
        options.object_bits = Some(16);
        assert_eq!(options.largest_allocation(64), 1 << 47);
        assert_eq!(options.largest_allocation(32), 1 << 15);
    }
}

/// What the command line says about contracts.
#[derive(Clone, Debug, Default)]
pub struct ContractOptions {
    /// Functions that are checked against their contracts.
    pub enforced: Vec<String>,
    /// Functions that are checked against their contracts, where what their bodies call of them is replaced by these.
    pub recursive: Vec<String>,
    /// Functions whose calls are replaced by their contracts.
    pub replaced: Vec<String>,
    /// Whether the contracts of loops are checked and used.
    pub of_loops: bool,
}

impl ContractOptions {
    /// Whether any contract is checked or used.
    pub(crate) fn are_used(&self) -> bool {
        let named = [&self.enforced, &self.recursive, &self.replaced];
        self.of_loops || named.iter().any(|names| !names.is_empty())
    }
}
