//! The options of the solver as IPASIR-2 lists them: numbers with a range.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use craig_solver::Options;

use crate::fault::{Code, Fault};
use crate::session::{Session, State};

/// A row of IPASIR-2's table of options.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct OptionEntry {
    /// The name.
    pub name: *const c_char,
    /// The least value.
    pub min: i64,
    /// The largest value.
    pub max: i64,
    /// The last state in which it may be set.
    pub max_state: c_int,
    /// Whether a tuner may try values.
    pub tunable: c_int,
    /// Whether it is set for a variable.
    pub indexed: c_int,
    /// Unused.
    pub handle: *const c_void,
}

/// The rows, which live as long as the program.
struct Table(Vec<OptionEntry>);

// SAFETY: the pointers of the rows are to texts that are never changed or freed, or null.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

/// The options that IPASIR-2 names.
const CONFLICTS: &str = "ipasir.limits.conflicts";
const PHASE: &str = "ipasir.phase.initial";

fn row(name: &str, [min, max]: [i64; 2], max_state: State, flags: [bool; 2]) -> OptionEntry {
    // A name of this crate has no zero byte.
    let name = CString::new(name).unwrap_or_default();
    OptionEntry {
        // Leaked once: rows live as long as the program.
        name: name.into_raw(),
        min,
        max,
        max_state: max_state as c_int,
        tunable: flags[0].into(),
        indexed: flags[1].into(),
        handle: ptr::null(),
    }
}

/// The range of an option, from the text of the solver's table.
fn bounds(range: &str) -> Option<[i64; 2]> {
    let number = |text: &str| match text {
        "false" => Some(0),
        "true" => Some(1),
        "u64::MAX" => Some(i64::MAX),
        _ => text.replace('_', "").parse().ok(),
    };
    let (min, max) = range.split_once("..=")?;
    Some([number(min)?, number(max)?])
}

/// All options: those of IPASIR-2, then those of the solver in the order of its table.
pub(crate) fn table() -> &'static [OptionEntry] {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let make = || {
        let mut rows = vec![
            row(CONFLICTS, [-1, i64::MAX], State::Input, [false, false]),
            row(PHASE, [-1, 1], State::Input, [true, true]),
        ];
        rows.extend(Options::TABLE.iter().map(|option| {
            // A row whose range is no pair of integers can't be set here: its range is empty.
            let range = bounds(option.range).unwrap_or([1, 0]);
            row(
                option.name,
                range,
                State::Config,
                [option.name != "seed", false],
            )
        }));
        Table(rows)
    };
    &TABLE.get_or_init(make).0
}

/// Sets the option of a row. The pointer is compared with those of the table, and not followed.
pub(crate) fn set(
    session: &mut Session,
    row: *const OptionEntry,
    value: i64,
    index: i64,
) -> Result<(), Fault> {
    let position = table().iter().position(|known| ptr::eq(known, row));
    let Some(position) = position else {
        let text = "this is no row of the table that ipasir2_options returns";
        return Err(Fault::new(Code::UnsupportedOption, text));
    };
    let known = &table()[position];
    if !(known.min..=known.max).contains(&value) {
        let text = format!("{value} is not in {}..={}", known.min, known.max);
        return Err(Fault::new(Code::InvalidOptionValue, text));
    }
    match position {
        0 => session.limit_conflicts(u64::try_from(value).ok()),
        1 => session.set_phase(value, index)?,
        _ => {
            let option = &Options::TABLE[position - 2];
            let value = match option.range {
                "false..=true" => (value != 0).to_string(),
                _ => value.to_string(),
            };
            session.set_option(&format!("{}={value}", option.name))?;
        }
    }
    Ok(())
}
